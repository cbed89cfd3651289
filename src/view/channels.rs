//! The numbers of a state, with their order and precision, from the tables of [`numbers`]. The greeting contains the same tables, and
//! viewers find channels by name.

use serde::Serialize;
use skidpad_ros_data::interface::numbers::{self, channels};
#[cfg(test)]
use ts_rs::TS;

pub use skidpad_ros_data::interface::numbers::{Channel, POSE, pose};

/// A vehicle, before its wheels.
pub const VEHICLE: [Channel; numbers::VEHICLE.len()] = channels(&numbers::VEHICLE);
/// A wheel of a vehicle.
pub const WHEEL: [Channel; numbers::WHEEL.len()] = channels(&numbers::WHEEL);
/// An actor.
pub const ACTOR: [Channel; numbers::ACTOR.len()] = channels(&numbers::ACTOR);

/// All tables, as sent in the greeting. Blocks and planes are poses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Layout {
    /// Of each vehicle.
    #[cfg_attr(test, ts(as = "Vec<ChannelType>"))]
    pub vehicle: &'static [Channel],
    /// Of each wheel, after its vehicle.
    #[cfg_attr(test, ts(as = "Vec<ChannelType>"))]
    pub wheel: &'static [Channel],
    /// Of each block, after all vehicles, and then of each plane.
    #[cfg_attr(test, ts(as = "Vec<ChannelType>"))]
    pub pose: &'static [Channel],
    /// Of each actor, at the end.
    #[cfg_attr(test, ts(as = "Vec<ChannelType>"))]
    pub actor: &'static [Channel],
    /// Names of the channels of vehicles and wheels that every viewer gets of every vehicle.
    pub seen: &'static [&'static str],
}

/// What the page draws, lists or tells of vehicles that are not selected. It shows where they are and go, and how their wheels stand, turn, and
/// move on their springs. It tells whether they brake or collide, and how their driver does.
pub(crate) const SEEN: [&str; 22] = [
    "x",
    "y",
    "z",
    "yaw",
    "pitch",
    "roll",
    "vx",
    "vy",
    "colliding",
    "overturned",
    "brake",
    "gear",
    "driver",
    "point_x",
    "point_y",
    "reference_x",
    "reference_y",
    "steer",
    "spin_angle",
    "spin",
    "lifted",
    "travel",
];

/// [`Channel`] as the page's types show it.
#[cfg(test)]
#[derive(TS)]
#[ts(rename = "Channel")]
#[allow(dead_code, reason = "only its declaration is used")]
pub(super) struct ChannelType {
    /// Name, by which viewers find it.
    name: &'static str,
    /// SI unit, `-` for none.
    unit: &'static str,
    /// Value of one count.
    resolution: f64,
}

/// The layout of every state.
pub const LAYOUT: Layout = Layout { vehicle: &VEHICLE, wheel: &WHEEL, pose: &POSE, actor: &ACTOR, seen: &SEEN };

/// Largest size of a count.
const MAX_COUNT: f64 = (1_u64 << 48) as f64;

/// A value in counts of its channel, limited to ±2⁴⁸, so that differences and tokens are exact in JavaScript, too. NaN becomes 0.
#[inline]
pub fn counts(value: f64, channel: &Channel) -> i64 {
    count(value, channel.resolution)
}

/// The same for all values of a table.
#[inline]
pub(crate) fn all_counts<const N: usize>(values: &[f64; N], channels: &[Channel; N]) -> [i64; N] {
    let resolutions = channels.each_ref().map(|channel| channel.resolution);
    std::array::from_fn(|index| count(values[index], resolutions[index]))
}

/// The whole number nearest to value / `resolution`, and of two that are as near the even one. Without a branch or call, so that several
/// are computed at once.
#[inline]
fn count(value: f64, resolution: f64) -> i64 {
    /// 1.5·2⁵²: near it, doubles are whole numbers, and the lowest bits of a sum are the other one.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let count = (value / resolution).clamp(-MAX_COUNT, MAX_COUNT);
    let count = if count.is_nan() { 0.0 } else { count };
    (count + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits()) as i64
}
