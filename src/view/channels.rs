//! The numbers of a state, with their order and precision. The greeting contains the same tables, and viewers find
//! channels by name.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use crate::interface::rules::{self, Driving};
use crate::math::Pose3;
use crate::world::actor::ActorFrame;
use crate::world::{VehicleFrame, WheelFrame};

/// A number of a state: sent as the whole number nearest to value / `resolution`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Channel {
    /// Name, by which viewers find it.
    pub name: &'static str,
    /// SI unit, `-` for none.
    pub unit: &'static str,
    /// Value of one count.
    pub resolution: f64,
}

const fn channel(name: &'static str, unit: &'static str, resolution: f64) -> Channel {
    Channel { name, unit, resolution }
}

/// A body's pose in the world.
pub const POSE: [Channel; 6] = [
    channel("x", "m", 1e-3),
    channel("y", "m", 1e-3),
    channel("z", "m", 1e-3),
    channel("yaw", "rad", 1e-4),
    channel("pitch", "rad", 1e-4),
    channel("roll", "rad", 1e-4),
];

/// A vehicle, before its wheels.
pub const VEHICLE: [Channel; 30] = [
    POSE[0],
    POSE[1],
    POSE[2],
    POSE[3],
    POSE[4],
    POSE[5],
    channel("vx", "m/s", 1e-3),
    channel("vy", "m/s", 1e-3),
    channel("yaw_rate", "rad/s", 1e-3),
    channel("ax", "m/s²", 1e-2),
    channel("ay", "m/s²", 1e-2),
    channel("odom_x", "m", 1e-3),
    channel("odom_y", "m", 1e-3),
    channel("odom_yaw", "rad", 1e-4),
    channel("wanted_vx", "m/s", 1e-3),
    channel("wanted_yaw_rate", "rad/s", 1e-3),
    channel("wanted_steer", "rad", 1e-4),
    channel("colliding", "-", 1.0),
    channel("throttle", "-", 1e-2),
    channel("brake", "-", 1e-2),
    channel("gear", "-", 1.0),
    channel("engine_speed", "rad/s", 0.1),
    channel("engine_torque", "N·m", 0.1),
    // 0: no driver; 1: it waits or is overridden; 2: it drives.
    channel("driver", "-", 1.0),
    channel("point_x", "m", 1e-3),
    channel("point_y", "m", 1e-3),
    channel("reference_x", "m", 1e-3),
    channel("reference_y", "m", 1e-3),
    channel("reference_yaw", "rad", 1e-4),
    channel("tracking_error", "m", 1e-4),
];

/// A wheel of a vehicle.
pub const WHEEL: [Channel; 12] = [
    channel("steer", "rad", 1e-4),
    channel("spin_angle", "rad", 1e-2),
    channel("spin", "rad/s", 1e-2),
    channel("torque", "N·m", 1e-2),
    channel("load", "N", 0.1),
    channel("lifted", "-", 1.0),
    channel("wheel_vx", "m/s", 1e-3),
    channel("wheel_vy", "m/s", 1e-3),
    channel("force_x", "N", 0.1),
    channel("force_y", "N", 0.1),
    channel("slip_ratio", "-", 1e-4),
    channel("slip_angle", "rad", 1e-4),
];

/// An actor: its pose, its motion (0 stands, 1 walks, 2 runs), and the time in its clip.
pub const ACTOR: [Channel; 8] =
    [POSE[0], POSE[1], POSE[2], POSE[3], POSE[4], POSE[5], channel("gait", "-", 1.0), channel("clip_time", "s", 1e-2)];

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

/// The numbers of a pose, in the order of [`POSE`].
pub fn pose(pose: Pose3) -> [f64; POSE.len()] {
    [pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll]
}

/// The numbers of an actor, in the order of [`ACTOR`].
pub fn actor(frame: &ActorFrame) -> [f64; ACTOR.len()] {
    let [x, y, z, yaw, pitch, roll] = pose(frame.world_from_actor);
    [x, y, z, yaw, pitch, roll, f64::from(frame.gait as u8), frame.clip_time]
}

/// The numbers of a vehicle, in the order of [`VEHICLE`].
pub fn vehicle(frame: &VehicleFrame) -> [f64; VEHICLE.len()] {
    let (v, odom, wanted) = (frame.velocity_in_body, frame.odom_from_body, frame.setpoint.velocity_in_body);
    let [x, y, z, yaw, pitch, roll] = pose(frame.world_from_body);
    let power = frame.powertrain;
    let Driving { state: driver, point, reference } = rules::driving(frame);
    [
        x,
        y,
        z,
        yaw,
        pitch,
        roll,
        v.vx,
        v.vy,
        v.wz,
        frame.acceleration_in_body.x,
        frame.acceleration_in_body.y,
        odom.x,
        odom.y,
        odom.yaw,
        wanted.vx,
        wanted.wz,
        frame.setpoint.steering_angle,
        f64::from(u8::from(frame.colliding)),
        power.throttle,
        power.brake,
        f64::from(power.gear),
        power.engine_speed,
        power.engine_torque,
        f64::from(driver as u8),
        point.x,
        point.y,
        reference.x,
        reference.y,
        reference.yaw,
        (reference.position() - point).norm(),
    ]
}

/// The numbers of a wheel, in the order of [`WHEEL`].
pub fn wheel(frame: &WheelFrame) -> [f64; WHEEL.len()] {
    [
        frame.steer,
        // Keeps counts small however far the wheel rolls.
        frame.spin_angle.rem_euclid(std::f64::consts::TAU),
        frame.spin,
        frame.torque,
        frame.load,
        f64::from(u8::from(frame.lifted)),
        frame.velocity_in_wheel.x,
        frame.velocity_in_wheel.y,
        frame.force_in_wheel.x,
        frame.force_in_wheel.y,
        frame.slip_ratio,
        frame.slip_angle,
    ]
}
