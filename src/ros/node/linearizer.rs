//! The common part of both linearizer nodes: they turn the desired velocity of point P into a command for the vehicle.
//!
//! Every message on `/virtual_velocities` is answered with a command, so that the loop has the rate of the tracker and no delay of
//! its own. Without messages for `timeout`, or without odometry, the node commands the vehicle to stop once and keeps the steering angle.

use std::time::{Duration, Instant};

use r2r::std_msgs::msg::Float64MultiArray;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Vec2;
use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::names::BASE_FRAME;
use skidpad_ros_data::message::{self, AckermannDriveStamped, Message, Quality, fill};
use skidpad_ros_data::preset::racecar;
use skidpad_sim::tracking::{self, Linearizer, LinearizerParameters, Steer};

use super::odometry::Odometry;
use super::{Input, Setup, SmallNode};
use crate::error::RosError;
use crate::graph::quality::INPUT_QOS;
use crate::parameters::table::{Declaration, Kind, Parameters, number, switch};
use crate::publish::publisher::RosTopic;
use crate::throttle::Throttle;

/// Smallest and largest value of a parameter that has to be positive.
const POSITIVE: [f64; 2] = [1e-6, 1e9];

/// How long a command of the tracker is valid.
pub const TIMEOUT: Declaration =
    number("timeout", 0.5, [0.001, 3600.0], "without virtual velocities for this long [s] the vehicle is stopped")
        .at_start();
/// Limit of the commanded steering angle.
pub(crate) const MAX_STEERING_ANGLE: Declaration = at_start(
    "max_steering_angle",
    1.0,
    [1e-6, 1.57],
    "largest steering angle that is asked for [rad]; the racecar's hinges end there",
);
/// Limit of the commanded speed.
pub const MAX_SPEED: Declaration =
    at_start("max_speed", 100.0, POSITIVE, "largest speed that is asked for [m/s], more than min_speed");
/// The speed below which the heading cannot be steered.
pub const MIN_SPEED: Declaration = at_start(
    "min_speed",
    0.02,
    POSITIVE,
    "lowest speed [m/s] at which steering has an effect; a car that has to turn on the spot creeps at this speed",
);
/// Whether to reverse when the desired velocity of P points backwards.
pub const REVERSE: Declaration = switch(
    "reverse",
    true,
    "whether the car reverses when P has to go backwards, as in the law; false: it turns round driving forward",
)
.at_start();
/// Name of the distance to P; its origin depends on the law.
const EPSILON: &str = "epsilon";

/// The distance to P, for the table of a node.
pub const fn epsilon(description: &'static str) -> Declaration {
    positive(EPSILON, 0.1, description)
}

const fn at_start(name: &'static str, default: f64, range: [f64; 2], description: &'static str) -> Declaration {
    Declaration::new(name, Kind::Number { default, range }, description).at_start()
}

/// A parameter of the law, greater than zero.
pub const fn positive(name: &'static str, default: f64, description: &'static str) -> Declaration {
    at_start(name, default, POSITIVE, description)
}

/// Creates a linearizer node; `law` reads the law's own parameters.
pub fn start(
    setup: &mut Setup<'_>,
    law: fn(&Parameters) -> LinearizerParameters,
) -> Result<Box<dyn SmallNode>, RosError> {
    let law = tracking::build(&with_common(law(&setup.parameters), &setup.parameters))
        .map_err(|reason| reason.at("parameters of the law"))?;
    let mut command = fill::ackermann(SimTime::ZERO, BASE_FRAME, 0.0, 0.0);
    (command.drive.acceleration, command.drive.jerk) = (1.0, 1.0);
    Ok(Box::new(LinearizerNode {
        law,
        odometry: Odometry::new(setup)?,
        topic: setup.full_name(racecar::VIRTUAL_VELOCITIES),
        velocities: setup.subscribe(racecar::VIRTUAL_VELOCITIES, message::Float64MultiArray::TYPE, INPUT_QOS)?,
        commands: setup.publish(racecar::NAVIGATION, Quality::Data, command)?,
        timeout: SimTime::from_secs(setup.parameters.number(TIMEOUT.name)),
        last: None,
        complaint: Throttle::new(Duration::from_secs(5)),
    }))
}

/// The law's own parameters, completed by those of all laws.
pub(crate) fn with_common(law_parameters: LinearizerParameters, parameters: &Parameters) -> LinearizerParameters {
    LinearizerParameters {
        epsilon: parameters.number(EPSILON),
        max_steering_angle: parameters.number(MAX_STEERING_ANGLE.name),
        max_speed: parameters.number(MAX_SPEED.name),
        min_speed: parameters.number(MIN_SPEED.name),
        reverse: parameters.flag(REVERSE.name),
        ..law_parameters
    }
}

struct LinearizerNode {
    law: Box<dyn Linearizer>,
    odometry: Odometry,
    topic: String,
    velocities: Input<Float64MultiArray>,
    commands: RosTopic<AckermannDriveStamped>,
    timeout: SimTime,
    /// Time of the last velocity; none if the vehicle has been stopped since.
    last: Option<SimTime>,
    complaint: Throttle,
}

impl SmallNode for LinearizerNode {
    fn update(&mut self, now: SimTime) -> Option<SimTime> {
        self.odometry.receive();
        if let Some(message) = self.velocities.newest() {
            match velocity(&message.data) {
                Some(velocity) => self.steer(velocity, now),
                None if self.complaint.is_due(Instant::now()) => {
                    let count = message.data.len();
                    let found = format!("message refused: {count} numbers, or some not finite");
                    let reported = Diagnostic::new(format!("topic \"{}\"", self.topic), found);
                    tracing::warn!(diagnostic = reported.accepted_all(["vx", "vy [m/s]", "t [s]"]).as_value());
                }
                None => {}
            }
        }
        let last = self.last?;
        if let Some(why) = why_stopped(last, now, self.timeout) {
            if self.commands.message.drive.speed != 0.0 {
                tracing::warn!("topic \"{}\": {why}, the vehicle is stopped", self.topic);
            }
            self.stop(now);
            return None;
        }
        Some(last + self.timeout + SimTime(1))
    }

    fn end(&mut self, now: SimTime) {
        if self.last.is_some() {
            self.stop(now);
        }
    }
}

impl LinearizerNode {
    fn steer(&mut self, velocity: Vec2, now: SimTime) {
        let Some(state) = self.odometry.state(now) else {
            if self.last.is_some() {
                self.stop(now);
            }
            return;
        };
        self.last = Some(now);
        let Steer { speed, steering_angle, .. } = self.law.steer(velocity, &state);
        let drive = &mut self.commands.message.drive;
        (drive.speed, drive.steering_angle) = (speed as f32, steering_angle as f32);
        self.publish(now);
    }

    fn stop(&mut self, now: SimTime) {
        self.last = None;
        self.law.reset();
        self.commands.message.drive.speed = 0.0;
        self.publish(now);
    }

    fn publish(&mut self, now: SimTime) {
        self.commands.message.header.stamp = fill::stamp(now);
        self.commands.publish();
    }
}

/// Why the vehicle is stopped at `now` after a velocity at `last`; none: it goes on.
fn why_stopped(last: SimTime, now: SimTime, timeout: SimTime) -> Option<String> {
    // A clock that steps back belongs to another run.
    if now < last {
        return Some("time went back".to_owned());
    }
    (now - last > timeout).then(|| format!("no message for {}", now - last))
}

/// The velocity in a message; none if it is missing or not finite. Further entries (the time) are ignored.
fn velocity(data: &[f64]) -> Option<Vec2> {
    let &[x, y, ..] = data else { return None };
    Some(Vec2::new(x, y)).filter(|velocity| velocity.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_a_step_back_no_wait_is_told() {
        let why = |last, now| {
            let at = SimTime::from_secs;
            why_stopped(at(last), at(now), at(0.5))
        };
        assert_eq!(why(16.0, 0.4).as_deref(), Some("time went back"));
        assert_eq!(why(1.0, 2.0).as_deref(), Some("no message for 1.000 s"));
        assert_eq!(why(1.0, 1.5), None);
    }

    #[test]
    fn a_velocity_is_two_finite_numbers_and_further_entries_are_ignored() {
        assert_eq!(velocity(&[0.5, -0.1, 12.0]), Some(Vec2::new(0.5, -0.1)));
        assert_eq!(velocity(&[0.5, -0.1]), Some(Vec2::new(0.5, -0.1)));
        for bad in [&[][..], &[1.0], &[f64::NAN, 0.0, 1.0], &[0.0, f64::INFINITY, 1.0]] {
            assert_eq!(velocity(bad), None, "{bad:?}");
        }
    }
}
