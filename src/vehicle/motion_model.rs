//! Vehicle models that give the motion of the whole vehicle instead of forces at its wheels: kinematic models, those of Autoware, the dynamic
//! single track, and the longitudinal model. In a world such a model moves the body; an obstacle that blocks the body
//! stops the model.
//!
//! The laws are in the folders of their drives, each in `law.rs`, and depend on no world.

use skidpad_math::{Pose2, Rot2, Twist2, Vec2};

use super::actuation::Actuation;
use super::lateral::LateralDynamics;
use super::powertrain::Powertrain;
use super::resistance::Resistance;
use super::wheel::{Wheel, WheelGround};
use crate::WheelFrame;

/// The inputs of a model for a step.
#[derive(Debug)]
pub struct MotionInput<'a> {
    /// Output of the controller: an imposed velocity, torques, or pedals.
    pub actuation: &'a Actuation,
    /// Equivalent single-track steering angle [rad] behind the steering actuator.
    pub steering_angle: f64,
    /// Gravity along the ground [m/s²], body frame; zero on level ground.
    pub gravity_in_body: Vec2,
    /// Gravity into the ground [m/s²], ≥ 0.
    pub gravity_into_ground: f64,
    /// The ground under each wheel.
    pub ground: &'a [WheelGround],
    /// Torque capacity of the service brakes of all wheels together under the pedal [N·m], ≥ 0.
    pub brake_torque: f64,
    /// Air and rolling resistance.
    pub resistance: &'a Resistance,
    /// Engine to final drive, if there is one.
    pub powertrain: Option<&'a mut Powertrain>,
    /// Step [s], > 0.
    pub dt: f64,
}

/// Motion of a model in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Pose of the body after the step relative to the body before it [m, rad].
    pub body_from_next: Pose2,
    /// Velocity of the reference point after the step, in the body frame after the step [m/s, rad/s].
    pub velocity_in_body: Twist2,
}

impl Motion {
    /// The motion of a body whose point `point` [m] moves by `displacement` [m, rad] and then has the velocity `velocity_of_point`
    /// [m/s, rad/s] in the body frame.
    pub fn of_point(point: Vec2, displacement: Pose2, velocity_of_point: Twist2) -> Motion {
        let turned = Rot2::new(displacement.yaw) * point;
        let v = velocity_of_point.at_point(-point);
        Motion {
            body_from_next: Pose2::new(
                displacement.x + (point.x - turned.x),
                displacement.y + (point.y - turned.y),
                displacement.yaw,
            ),
            velocity_in_body: Twist2::new(v.x, v.y, velocity_of_point.wz),
        }
    }
}

/// What the pedals of a model mean whose commands are accelerations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccelerationInput {
    /// The acceleration [m/s²] of the whole throttle, and the deceleration of the whole brake; > 0.
    pub most: f64,
    /// Whether an acceleration against the motion drives it through zero, as throttle in the other gear.
    pub passes_zero: bool,
    /// Whether it stands out of gear, whatever the pedals ask for.
    pub stands_out_of_gear: bool,
}

/// A model of the motion of a whole vehicle.
pub trait MotionModel: Send + Sync {
    /// Advances by one step.
    fn advance(&mut self, input: MotionInput<'_>) -> Motion;

    /// To be called when the body did not move as the model demanded, or was placed elsewhere: its reference point has
    /// `velocity_in_body` [m/s, rad/s]. Does nothing by default: for models without inertia.
    fn correct_velocity(&mut self, _velocity_in_body: Twist2) {}

    /// Stands, because it was placed elsewhere.
    fn halt(&mut self) {
        self.correct_velocity(Twist2::ZERO);
    }

    /// Its wheels stand straight again, if the model has it so, because the vehicle was placed at a pose.
    fn straighten(&mut self) {}

    /// Whether it moves with the speed of the command at once, without inertia or lag.
    fn takes_speed_at_once(&self) -> bool {
        false
    }

    /// Speed [m/s] that an Ackermann command would be of if the reference point moves with `velocity_in_body` [m/s, rad/s].
    fn path_speed(&self, velocity_in_body: Twist2) -> f64 {
        velocity_in_body.vx
    }

    /// Starts with the velocity `velocity_in_body` [m/s, rad/s] of the reference point.
    fn start_with(&mut self, velocity_in_body: Twist2) {
        self.correct_velocity(velocity_in_body);
    }

    /// Writes spin, slip and force of the wheels. `velocity_in_body` is that of the reference point [m/s, rad/s]. The frames
    /// already contain the loads [N] from the chassis. By default wheels roll along without slip.
    fn report_wheels(&self, velocity_in_body: Twist2, wheels: &mut [Wheel], frames: &mut [WheelFrame], dt: f64) {
        roll_along(velocity_in_body, wheels, frames, dt);
    }

    /// Initial velocity of the reference point in the body frame [m/s, rad/s], if the model defines one.
    fn start_velocity(&self) -> Option<Twist2> {
        None
    }

    /// What its pedals mean, if they are accelerations.
    fn acceleration_input(&self) -> Option<AccelerationInput> {
        None
    }

    /// Measured less true steering angle [rad].
    fn steering_bias(&self) -> f64 {
        0.0
    }

    /// Whether the model can be driven by a powertrain.
    fn takes_powertrain(&self) -> bool {
        false
    }

    /// Lateral dynamics for small slip under `gravity` [m/s²], for models with tyres.
    fn lateral(&self, _gravity: f64) -> Option<LateralDynamics> {
        None
    }

    /// Largest lateral acceleration of the tyres on level ground under `gravity` [m/s²]; infinite without a limit.
    fn max_lateral_acceleration(&self, _gravity: f64) -> f64 {
        f64::INFINITY
    }

    /// Share of the fastest motion [-] that a motion of the reference point (body frame [m/s, rad/s]) takes; a share above 1 is
    /// cut off. 0 if there is no limit.
    fn speed_demand(&self, _velocity_in_body: Twist2) -> f64 {
        0.0
    }

    /// Shows both front wheels at the same angle or not; none: as in the world file.
    fn set_parallel_steer(&mut self, _parallel: Option<bool>) {}

    /// Back to the start. Does nothing by default: for models without state.
    fn reset(&mut self) {}
}

/// Lets wheels roll along with a body that moves with `velocity_in_body` [m/s, rad/s], and writes their frames, keeping the
/// loads. There are no contact forces.
pub(super) fn roll_along(velocity_in_body: Twist2, wheels: &mut [Wheel], frames: &mut [WheelFrame], dt: f64) {
    for (wheel, state) in wheels.iter_mut().zip(frames) {
        let velocity_in_wheel = wheel.velocity_in_wheel(velocity_in_body);
        let rolling = wheel.rolling_speed_of(velocity_in_wheel);
        wheel.roll(rolling, dt);
        *state = WheelFrame {
            steer: wheel.heading(),
            spin: wheel.spin,
            spin_angle: wheel.spin_angle,
            load: state.load,
            lifted: state.lifted,
            travel: state.travel,
            velocity_in_wheel,
            slip: wheel.slip(velocity_in_wheel, rolling),
            ..WheelFrame::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::advance;

    use super::*;

    #[test]
    fn the_motion_of_one_point_is_that_of_the_body() {
        let body = Twist2::new(2.0, -0.3, 0.8);
        let point = Vec2::new(1.2, 0.4);
        let v = body.at_point(point);
        let of_point = Twist2::new(v.x, v.y, body.wz);
        let expected = advance(Pose2::IDENTITY, body, 0.1);
        let actual = Motion::of_point(point, advance(Pose2::IDENTITY, of_point, 0.1), of_point);
        let next = actual.body_from_next;
        assert!((next.x - expected.x).abs() < 1e-15 && (next.y - expected.y).abs() < 1e-15, "{next:?} {expected:?}");
        assert!((actual.velocity_in_body.vx - 2.0).abs() < 1e-15 && (actual.velocity_in_body.vy + 0.3).abs() < 1e-15);
    }
}
