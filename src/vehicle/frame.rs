//! What a vehicle reports of a step: set-point, powertrain and wheels.

use crate::math::{Twist2, Vec2};

/// Where [`Vehicle::step`](super::Vehicle::step) writes what it did.
pub struct VehicleOutput<'a> {
    /// What the controller is asked to do.
    pub setpoint: &'a mut Setpoint,
    /// Pedals and powertrain; stays zero without them.
    pub powertrain: &'a mut PowertrainFrame,
    /// One entry per wheel, in index order.
    pub wheels: &'a mut [WheelFrame],
}

/// The state of an engine and what follows it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PowertrainFrame {
    /// Angular velocity of the engine [rad/s].
    pub engine_speed: f64,
    /// Torque of the engine on its shaft [N·m].
    pub engine_torque: f64,
    /// Gear engaged: 1 and up forward, 0 neutral, -1 reverse.
    pub gear: i8,
    /// Throttle [-], 0 to 1.
    pub throttle: f64,
    /// Brake pedal [-], 0 to 1.
    pub brake: f64,
}

/// What a controller is asked to do, after limits and the command timeout.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Setpoint {
    /// Velocity of the reference point in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Steering angle of the equivalent single track [rad]; 0 when the drive does not steer.
    pub steering_angle: f64,
}

/// The state of one wheel. Forces and velocities are in the wheel frame: x where it rolls, y to its left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelFrame {
    /// Angle [rad] from the body's x axis to the wheel's, positive to the left: steering and mounting together.
    pub steer: f64,
    /// Angle turned about the axle [rad], forward positive.
    pub spin_angle: f64,
    /// Angular velocity about the axle [rad/s], forward positive.
    pub spin: f64,
    /// Torque that drives it [N·m], forward positive.
    pub torque: f64,
    /// Load on the contact [N], with the wheel's own weight.
    pub load: f64,
    /// Whether load transfer has lifted it off the ground.
    pub lifted: bool,
    /// Velocity of the wheel's centre over the ground [m/s].
    pub velocity_in_wheel: Vec2,
    /// Force of the ground on the wheel [N].
    pub force_in_wheel: Vec2,
    /// (ω R − vx) / max(|ω R|, |vx|), in [-1, 1]; positive when driving.
    pub slip_ratio: f64,
    /// Angle from the rolling direction to the velocity of the contact [rad]: atan2(vy, |vx|).
    pub slip_angle: f64,
}
