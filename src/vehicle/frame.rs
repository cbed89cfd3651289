//! Reported state of a vehicle after a step: set-point, powertrain and wheels.

use skidpad_math::{Twist2, Vec2};

use crate::friction;

/// Destination for the results of [`Vehicle::step`](super::Vehicle::step).
pub struct VehicleOutput<'a> {
    /// Set-point of the controller.
    pub setpoint: &'a mut Setpoint,
    /// Pedals and powertrain; zero for vehicles without them.
    pub powertrain: &'a mut PowertrainFrame,
    /// One entry per wheel, in index order.
    pub wheels: &'a mut [WheelFrame],
}

/// The state of an engine and its gearbox, and the pedals.
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

/// Set-point of the controller, after limits and the command timeout.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Setpoint {
    /// Velocity of the reference point in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
    /// Steering angle of the equivalent single track [rad]; 0 when the drive does not steer.
    pub steering_angle: f64,
}

/// The state of one wheel. Forces and velocities are in the wheel frame: x in the rolling direction, y to its left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelFrame {
    /// Angle [rad] from the body's x axis to the wheel's, positive to the left: steering and mounting together.
    pub steer: f64,
    /// Angle turned about the axle [rad], forward positive.
    pub spin_angle: f64,
    /// Angular velocity about the axle [rad/s], forward positive.
    pub spin: f64,
    /// Drive torque [N·m], forward positive.
    pub torque: f64,
    /// Load on the contact [N], including the wheel's own weight.
    pub load: f64,
    /// Whether load transfer has lifted the wheel off the ground.
    pub lifted: bool,
    /// How far its spring is compressed [m]: height of the wheel above its place on the body at rest. 0 without springs.
    pub travel: f64,
    /// Velocity of the wheel's centre over the ground [m/s].
    pub velocity_in_wheel: Vec2,
    /// Force of the ground on the wheel [N].
    pub force_in_wheel: Vec2,
    /// Slip of the wheel.
    pub slip: WheelSlip,
}

/// The slip of a wheel. Steps store the motion from which it follows, so that slips are computed only when read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WheelSlip {
    /// Slip from the rim speed ω·R [m/s] at the start of the step and the velocity of the wheel.
    OfRim(f64),
    /// Slip given directly, as in a recording.
    Known {
        /// Slip ratio [-].
        ratio: f64,
        /// Slip angle [rad].
        angle: f64,
    },
}

impl Default for WheelSlip {
    fn default() -> WheelSlip {
        WheelSlip::OfRim(0.0)
    }
}

impl WheelFrame {
    /// (ω R − vx) / max(|ω R|, |vx|), in [-1, 1]; positive when driving.
    pub fn slip_ratio(&self) -> f64 {
        match self.slip {
            WheelSlip::OfRim(speed) => friction::slip_ratio(self.velocity_in_wheel, speed),
            WheelSlip::Known { ratio, .. } => ratio,
        }
    }

    /// Angle from the rolling direction to the velocity of the contact [rad]: atan2(vy, |vx|).
    pub fn slip_angle(&self) -> f64 {
        match self.slip {
            WheelSlip::OfRim(_) => friction::slip_angle(self.velocity_in_wheel),
            WheelSlip::Known { angle, .. } => angle,
        }
    }
}
