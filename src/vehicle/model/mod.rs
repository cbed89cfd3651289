//! Vehicle models that give the motion of the whole vehicle instead of forces at its wheels: kinematic ones and the dynamic
//! single track. In a world such a model moves the body; what blocks the body stops the model.

pub mod integrate;
pub mod kinematic;
pub mod lateral;
pub mod single_track;

use super::command::Pedals;
use super::wheel::Wheel;
use crate::math::{Pose2, Twist2, Vec2};
use crate::world::WheelFrame;

/// What a model is told before a step.
#[derive(Clone, Copy, Debug)]
pub struct MotionInput {
    /// Wanted velocity of the reference point, body frame [m/s, rad/s].
    pub wanted: Twist2,
    /// Equivalent single-track steering angle of the wheels [rad].
    pub steering_angle: f64,
    /// Throttle and brake.
    pub pedals: Pedals,
    /// Gravity along the ground [m/s²], body frame; zero on level ground.
    pub gravity_in_body: Vec2,
    /// Friction coefficient [-] of the ground where it differs from the tyres' own.
    pub ground_mu: Option<f64>,
    /// Step [s], > 0.
    pub dt: f64,
}

/// What a model does in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Pose of the body after the step, seen from the body before it [m, rad].
    pub body_from_next: Pose2,
    /// Velocity of the reference point after the step, in the body frame then [m/s, rad/s].
    pub velocity_in_body: Twist2,
}

/// A model of the motion of a whole vehicle.
pub trait MotionModel: Send + Sync {
    /// Advances by one step.
    fn advance(&mut self, input: &MotionInput) -> Motion;

    /// The body did not get where the model wanted: it moves with `velocity_in_body` [m/s, rad/s] of its reference point.
    fn moved_otherwise(&mut self, velocity_in_body: Twist2);

    /// Writes what the wheels do: spin, slip and force. `velocity_in_body` is that of the reference point [m/s, rad/s].
    fn report_wheels(&self, velocity_in_body: Twist2, wheels: &mut [Wheel], frames: &mut [WheelFrame], dt: f64);

    /// Back to the start.
    fn reset(&mut self);
}
