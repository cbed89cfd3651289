//! The data of one run of a vehicle, wherever it comes from.

use crate::math::{Pose2, Twist2, Vec2};

/// A pose of the vehicle, as its odometry topic has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoseSample {
    /// When [s].
    pub time: f64,
    /// Pose of the reference point [m, rad].
    pub pose: Pose2,
    /// Velocity in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
}

/// Where the vehicle shall be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PositionSample {
    /// When [s].
    pub time: f64,
    /// Position [m].
    pub position: Vec2,
}

/// A command to the vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CommandSample {
    /// When [s].
    pub time: f64,
    /// Speed [m/s].
    pub speed: f64,
    /// Steering angle [rad].
    pub steering_angle: f64,
}

/// Slip and force of one wheel in the directions of the wheel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scatter {
    /// Name of the wheel, such as `right_front`.
    pub wheel: String,
    /// Slip ratio [-] and longitudinal force [N].
    pub longitudinal: Vec<(f64, f64)>,
    /// Slip angle [rad] and lateral force [N].
    pub lateral: Vec<(f64, f64)>,
}

/// What was recorded of one vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// What legends call it: the file, or the plant.
    pub name: String,
    /// Where it was, in the order of time.
    pub poses: Vec<PoseSample>,
    /// Where it should have been, in the order of time.
    pub reference: Vec<PositionSample>,
    /// What it was told, in the order of time.
    pub commands: Vec<CommandSample>,
    /// Slip and force of the wheels that were recorded.
    pub wheels: Vec<Scatter>,
}
