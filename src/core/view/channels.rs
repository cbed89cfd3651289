//! The numbers of a state, with their order and precision, from the tables of [`numbers`]. The greeting contains the same tables, and
//! viewers find channels by name.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use crate::interface::numbers::{self, channels};
pub use crate::interface::numbers::{Channel, POSE, pose};

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
    pub vehicle: &'static [Channel],
    /// Of each wheel, after its vehicle.
    pub wheel: &'static [Channel],
    /// Of each block, after all vehicles, and then of each plane.
    pub pose: &'static [Channel],
    /// Of each actor, at the end.
    pub actor: &'static [Channel],
}

/// The layout of every state.
pub const LAYOUT: Layout = Layout { vehicle: &VEHICLE, wheel: &WHEEL, pose: &POSE, actor: &ACTOR };

/// A value in counts of its channel, limited to ±2⁴⁸, so that differences and tokens are exact in JavaScript, too. NaN becomes 0.
#[inline]
pub fn counts(value: f64, channel: &Channel) -> i64 {
    const MOST: f64 = (1_u64 << 48) as f64;
    (value / channel.resolution).round().clamp(-MOST, MOST) as i64
}
