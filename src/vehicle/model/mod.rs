//! Vehicle models that give the motion of the whole vehicle instead of forces at its wheels: kinematic ones, the dynamic
//! single track, and the longitudinal one. In a world such a model moves the body; what blocks the body stops the model.
//!
//! [`kinematic`], [`single_track`], [`lateral`], [`longitudinal`] and [`integrate`] are a library that knows no worlds. The
//! classes of `<dynamics>` are in [`drive`](super::drive).

pub mod integrate;
pub mod kinematic;
pub mod lateral;
pub mod longitudinal;
pub mod single_track;

use self::lateral::LateralDynamics;
use super::actuation::Actuation;
use super::powertrain::Powertrain;
use super::resistance::Resistance;
use super::wheel::{Wheel, WheelGround};
use crate::math::{Pose2, Rot2, Twist2, Vec2};
use crate::vehicle::{WheelFrame, WheelSlip};

/// The inputs of a model for a step.
#[derive(Debug)]
pub struct MotionInput<'a> {
    /// What the controller asks for: an imposed velocity, torques, pedals.
    pub actuation: &'a Actuation,
    /// Equivalent single-track steering angle [rad] behind the steering actuator.
    pub steering_angle: f64,
    /// Gravity along the ground [m/s²], body frame; zero on level ground.
    pub gravity_in_body: Vec2,
    /// Gravity into the ground [m/s²], ≥ 0.
    pub gravity_into_ground: f64,
    /// The ground under each wheel.
    pub ground: &'a [WheelGround],
    /// What the service brakes of all wheels can hold together under the pedal [N·m], ≥ 0.
    pub brake_torque: f64,
    /// Air and rolling resistance.
    pub resistance: &'a Resistance,
    /// Engine to final drive, if there is one.
    pub powertrain: Option<&'a mut Powertrain>,
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

impl Motion {
    /// The motion of a body whose point `point` [m] moves by `moved` [m, rad] and then has the velocity `velocity_of_point`
    /// [m/s, rad/s] in the body frame.
    pub fn of_point(point: Vec2, moved: Pose2, velocity_of_point: Twist2) -> Motion {
        let turned = Rot2::new(moved.yaw) * point;
        let v = velocity_of_point.at_point(-point);
        Motion {
            body_from_next: Pose2::new(moved.x + (point.x - turned.x), moved.y + (point.y - turned.y), moved.yaw),
            velocity_in_body: Twist2::new(v.x, v.y, velocity_of_point.wz),
        }
    }
}

/// A model of the motion of a whole vehicle.
pub trait MotionModel: Send + Sync {
    /// Advances by one step.
    fn advance(&mut self, input: MotionInput<'_>) -> Motion;

    /// The body did not get where the model wanted, or was set down: its reference point moves with `velocity_in_body`
    /// [m/s, rad/s].
    fn correct_velocity(&mut self, velocity_in_body: Twist2);

    /// The body starts with `velocity_in_body` [m/s, rad/s] of its reference point.
    fn start_with(&mut self, velocity_in_body: Twist2) {
        self.correct_velocity(velocity_in_body);
    }

    /// Writes what the wheels do: spin, slip and force. `velocity_in_body` is that of the reference point [m/s, rad/s]. The
    /// frames hold the loads [N] that the chassis gives.
    fn report_wheels(&self, velocity_in_body: Twist2, wheels: &mut [Wheel], frames: &mut [WheelFrame], dt: f64);

    /// Velocity of the reference point in the body frame that the vehicle starts with [m/s, rad/s], where the model gives one.
    fn start_velocity(&self) -> Option<Twist2> {
        None
    }

    /// Whether a powertrain can drive it.
    fn takes_powertrain(&self) -> bool {
        false
    }

    /// Its lateral motion for small slip under `gravity` [m/s²], where it has tyres.
    fn lateral(&self, _gravity: f64) -> Option<LateralDynamics> {
        None
    }

    /// The most that its tyres give on level ground under `gravity` [m/s²]; infinite where nothing limits it.
    fn max_lateral_acceleration(&self, _gravity: f64) -> f64 {
        f64::INFINITY
    }

    /// How much of its fastest motion one of the reference point (body frame [m/s, rad/s]) takes [-]; more than 1 is not done. 0
    /// where it sets no limit.
    fn speed_demand(&self, _velocity_in_body: Twist2) -> f64 {
        0.0
    }

    /// Shows both front wheels at the same angle, or as the world file says (none).
    fn set_parallel_steer(&mut self, _parallel: Option<bool>) {}

    /// Back to the start.
    fn reset(&mut self);
}

/// Lets wheels roll along with a body that moves with `velocity_in_body` [m/s, rad/s], and writes their frames, which keep
/// their loads. Nothing pushes.
pub(super) fn roll_along(velocity_in_body: Twist2, wheels: &mut [Wheel], frames: &mut [WheelFrame], dt: f64) {
    for (wheel, state) in wheels.iter_mut().zip(frames) {
        let velocity_in_wheel = wheel.velocity_in_wheel(velocity_in_body);
        wheel.roll(velocity_in_wheel.x, dt);
        *state = WheelFrame {
            steer: wheel.heading(),
            spin: wheel.spin,
            spin_angle: wheel.spin_angle,
            load: state.load,
            lifted: state.lifted,
            velocity_in_wheel,
            slip: WheelSlip::OfRim(velocity_in_wheel.x),
            ..WheelFrame::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::advance;

    #[test]
    fn the_motion_of_one_point_is_that_of_the_body() {
        let body = Twist2::new(2.0, -0.3, 0.8);
        let point = Vec2::new(1.2, 0.4);
        let v = body.at_point(point);
        let of_point = Twist2::new(v.x, v.y, body.wz);
        let expected = advance(Pose2::IDENTITY, body, 0.1);
        let found = Motion::of_point(point, advance(Pose2::IDENTITY, of_point, 0.1), of_point);
        let next = found.body_from_next;
        assert!((next.x - expected.x).abs() < 1e-15 && (next.y - expected.y).abs() < 1e-15, "{next:?} {expected:?}");
        assert!((found.velocity_in_body.vx - 2.0).abs() < 1e-15 && (found.velocity_in_body.vy + 0.3).abs() < 1e-15);
    }
}
