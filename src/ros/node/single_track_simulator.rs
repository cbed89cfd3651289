//! Node `single_track_simulator`: one dynamic single track, its speed imposed, as the study's `ode_simulator` (§5.4).
//!
//! The law is that of `<dynamics class="single_track">`, with its names; here the parameters are ROS parameters and the ground is
//! level. It is advanced in steps of `dt` up to the node's present time, or to a time of its own with `publish_clock`; a command takes
//! effect in the step after its arrival.

use std::time::{Duration, Instant};

use r2r::ackermann_msgs::msg::AckermannDriveStamped;
use skidpad_math::time::{Periodic, SimTime};
use skidpad_math::{Pose2, Pose3, Twist2, Vec2};
use skidpad_ros_data::interface::names::BASE_FRAME;
use skidpad_ros_data::message::{self, Clock, Message, Odometry, Quality, TFMessage, fill};
use skidpad_ros_data::preset::racecar;
use skidpad_sim::friction::within;
use skidpad_sim::vehicle::drive::single_track::law::{
    SingleTrack, SingleTrackInput, SingleTrackParameters, SingleTrackState, TyreModel,
};
use skidpad_sim::vehicle::integrate::Integrator;
use skidpad_sim::vehicle::{Action, STANDARD_GRAVITY};

use super::{Entry, Input, Setup, SmallNode, USE_SIM_TIME};
use crate::error::RosError;
use crate::graph::quality::INPUT_QOS;
use crate::graph::topics::CLOCK_TOPIC;
use crate::parameters::step_rates;
use crate::parameters::table::{Declaration, Kind, Parameters, number, switch};
use crate::publish::publisher::RosTopic;
use crate::throttle::Throttle;

pub(super) const ENTRY: Entry = Entry { name: "single_track_simulator", parameters: PARAMETERS, start };

/// Frame of the pose.
const ODOM: &str = "odom";
const POSITIVE: [f64; 2] = [1e-6, 1e9];
const ANY: [f64; 2] = [-1e6, 1e6];
/// Messages on `/clock` per second of the node's own time, as in the simulator.
const CLOCK_RATE: f64 = 100.0;
/// Longest simulated time of one update; a longer backlog is skipped.
const MAX_BACKLOG: SimTime = SimTime(500_000_000);

const PARAMETERS: &[Declaration] = &[
    Declaration::new(
        "tyre_model",
        Kind::Choice {
            default: "linear",
            of: &[("linear", Some(0)), ("fiala", Some(1)), ("fiala_unsaturated", Some(2)), ("pacejka", None)],
        },
        "law of the tyres: a name, or the study's number",
    )
    .at_start(),
    number("dt", 0.001, [1e-5, 0.1], "step of integration [s]").at_start(),
    number("m", 5.692, POSITIVE, "mass [kg]").at_start(),
    number("cog_a", 0.1647, POSITIVE, "from the centre of gravity to the front axle [m]").at_start(),
    number("cog_b", 0.1603, POSITIVE, "from the centre of gravity to the rear axle [m]").at_start(),
    number("mu", 1.0, [0.0, 1e3], "friction coefficient of tyres and ground [-]").at_start(),
    number("Cf", 399.0, POSITIVE, "cornering stiffness of the front axle [N/rad]").at_start(),
    number("Cr", 410.7, POSITIVE, "cornering stiffness of the rear axle [N/rad]").at_start(),
    number("Iz", 0.1191, POSITIVE, "yaw moment of inertia about the centre of gravity [kg·m²]").at_start(),
    number("C", 1.45, [1.0, 2.0], "pacejka: shape factor [-]; its slope is that of Cf and Cr").at_start(),
    number("E", 0.97, [-1e3, 1.0], "pacejka: curvature factor [-]").at_start(),
    number("r0", 0.0, ANY, "yaw rate at the start [rad/s]").at_start(),
    number("beta0", 0.0, [-1.57, 1.57], "side-slip angle at the start [rad]").at_start(),
    number("x0", 0.0, ANY, "position of the reference point at the start, along x [m]").at_start(),
    number("y0", 0.0, ANY, "position of the reference point at the start, along y [m]").at_start(),
    number("psi0", 0.0, ANY, "heading at the start [rad]").at_start(),
    Declaration::new(
        "reference_point",
        Kind::Word { default: "cog", of: &["cog", "rear_axle"] },
        "reference point of the odometry: the centre of gravity, as in the study, or the middle of the rear axle",
    )
    .at_start(),
    number("max_steering_angle", 1.0, [1e-6, 1.57], "where the steering ends [rad]").at_start(),
    number("odom_rate", 50.0, [0.1, 1000.0], "odometry messages per second").at_start(),
    number(
        "cmd_timeout",
        0.5,
        [0.0, 3600.0],
        "without a command for this long [s] the car stops; 0: commands hold for ever",
    )
    .at_start(),
    switch("publish_tf", true, "publish the transform from odom to base_link").at_start(),
    switch("publish_clock", false, "keep a time of its own, from 0 on, and publish it on /clock").at_start(),
    number("rate", 1.0, [0.001, 1000.0], "publish_clock: seconds of its own time per second").at_start(),
    USE_SIM_TIME,
];

fn start(setup: &mut Setup<'_>) -> Result<Box<dyn SmallNode>, RosError> {
    let parameters = setup.parameters.clone();
    let own_time = parameters.flag("publish_clock");
    if own_time && parameters.flag("use_sim_time") {
        return Err(RosError::new("parameter \"publish_clock\"", "found true, but use_sim_time is true")
            .accepted("at most one of the two")
            .hint("a node that publishes /clock cannot follow it"));
    }
    if let Some(warning) = step_rates::warning_of(&parameters, "odom_rate", SimTime::from_secs(parameters.number("dt")))
    {
        tracing::warn!("{warning}");
    }
    let car = SingleTrack::new(model_parameters(&parameters), STANDARD_GRAVITY);
    let arm = match parameters.word("reference_point").as_str() {
        "rear_axle" => -parameters.number("cog_b"),
        _ => 0.0,
    };
    let number = |name| parameters.number(name);
    let reference = Pose2::new(number("x0"), number("y0"), number("psi0"));
    let state = SingleTrackState {
        pose: reference * Pose2::new(-arm, 0.0, 0.0),
        yaw_rate: number("r0"),
        sideslip: number("beta0"),
        speed: 0.0,
    };
    let odometry = fill::odometry(ODOM, BASE_FRAME);
    let transform = fill::transform(SimTime::ZERO, ODOM, BASE_FRAME, Pose3::default());
    let transforms = TFMessage { transforms: vec![transform] };
    let clock = if own_time { Some(setup.publish(CLOCK_TOPIC, Quality::Data, Clock::default())?) } else { None };
    let tf = match parameters.flag("publish_tf") {
        true => Some(setup.publish("/tf", Quality::Transforms, transforms)?),
        false => None,
    };
    let timeout = number("cmd_timeout");
    Ok(Box::new(Simulator {
        topic: setup.full_name(racecar::NAVIGATION),
        commands: setup.subscribe(racecar::NAVIGATION, message::AckermannDriveStamped::TYPE, INPUT_QOS)?,
        odometry: setup.publish(racecar::ODOMETRY, Quality::Data, odometry)?,
        tf,
        clock,
        car,
        state,
        arm,
        command: Ackermann::default(),
        commanded: None,
        timeout: (timeout > 0.0).then(|| SimTime::from_secs(timeout)),
        most: number("max_steering_angle"),
        step: SimTime::from_secs(number("dt")),
        rate: if own_time { number("rate") } else { 1.0 },
        began: None,
        last: SimTime::ZERO,
        elapsed: SimTime::ZERO,
        odometry_due: Periodic::new(SimTime::from_secs(1.0 / number("odom_rate"))),
        clock_due: Periodic::new(SimTime::from_secs(1.0 / CLOCK_RATE)),
        complaint: Throttle::new(Duration::from_secs(5)),
    }))
}

fn model_parameters(parameters: &Parameters) -> SingleTrackParameters {
    let number = |name| parameters.number(name);
    SingleTrackParameters {
        mass: number("m"),
        yaw_inertia: number("Iz"),
        cog_to_front: number("cog_a"),
        cog_to_rear: number("cog_b"),
        cog_height: 0.0,
        front_stiffness: number("Cf"),
        rear_stiffness: number("Cr"),
        mu: number("mu"),
        tyres: match parameters.word("tyre_model").as_str() {
            "fiala" => TyreModel::Fiala { saturates: true },
            "fiala_unsaturated" => TyreModel::Fiala { saturates: false },
            "pacejka" => TyreModel::Pacejka { b: None, c: number("C"), e: number("E") },
            _ => TyreModel::Linear,
        },
        speed_lag: 0.0,
        max_acceleration: 0.0,
        blend_speeds: [0.5, 1.5],
        substep: number("dt"),
        integrator: Integrator::Rk4,
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Ackermann {
    speed: f64,
    steering_angle: f64,
}

struct Simulator {
    topic: String,
    commands: Input<AckermannDriveStamped>,
    odometry: RosTopic<Odometry>,
    tf: Option<RosTopic<TFMessage>>,
    clock: Option<RosTopic<Clock>>,
    car: SingleTrack,
    state: SingleTrackState,
    /// From the centre of gravity to the reference point, along the heading [m].
    arm: f64,
    command: Ackermann,
    /// Arrival time of the command, in `elapsed`; none if the car has been stopped since.
    commanded: Option<SimTime>,
    timeout: Option<SimTime>,
    most: f64,
    step: SimTime,
    rate: f64,
    /// The node's time at the start, shifted by the skipped time.
    began: Option<SimTime>,
    /// The node's time at the last update.
    last: SimTime,
    /// Integrated time since the start.
    elapsed: SimTime,
    odometry_due: Periodic,
    clock_due: Periodic,
    complaint: Throttle,
}

impl SmallNode for Simulator {
    fn update(&mut self, now: SimTime) -> Option<SimTime> {
        let began = self.began.filter(|_| now >= self.last).unwrap_or_else(|| self.begin(now));
        self.last = now;
        let mut wanted = SimTime((self.rate * (now - began).0 as f64) as i64);
        let late = wanted - self.elapsed;
        if late > MAX_BACKLOG {
            let left_out = late - MAX_BACKLOG;
            wanted = self.elapsed + MAX_BACKLOG;
            self.began = Some(began + SimTime((left_out.0 as f64 / self.rate) as i64));
            if self.complaint.is_due(Instant::now()) {
                tracing::warn!("does not keep up: {left_out} left out");
            }
        }
        while self.elapsed + self.step <= wanted {
            self.advance();
        }
        while let Some(message) = self.commands.oldest() {
            self.take(&message);
        }
        let ahead = self.odometry_due.next().min(self.clock_due.next()) - self.elapsed;
        Some(now + SimTime((ahead.0.max(self.step.0) as f64 / self.rate) as i64))
    }
}

impl Simulator {
    /// At the start, or when the clock steps back: the car keeps its state, and the integrated time so far ends at `now`.
    fn begin(&mut self, now: SimTime) -> SimTime {
        let began = now - SimTime((self.elapsed.0 as f64 / self.rate) as i64);
        self.began = Some(began);
        began
    }

    fn take(&mut self, message: &AckermannDriveStamped) {
        let (speed, steering_angle) = (f64::from(message.drive.speed), f64::from(message.drive.steering_angle));
        let action = Action::Ackermann { speed, steering_angle };
        if let Some(fault) = action.fault() {
            if self.complaint.is_due(Instant::now()) {
                tracing::warn!("topic \"{}\": command refused, {fault}", self.topic);
            }
            return;
        }
        self.command = Ackermann { speed, steering_angle: within(steering_angle, self.most) };
        self.commanded = Some(self.elapsed);
    }

    /// Makes one step and publishes what is due after it.
    fn advance(&mut self) {
        if let (Some(timeout), Some(at)) = (self.timeout, self.commanded)
            && self.elapsed - at > timeout
        {
            if self.command.speed != 0.0 {
                tracing::warn!("topic \"{}\": no message for {timeout}, the car is stopped", self.topic);
            }
            self.command.speed = 0.0;
            self.commanded = None;
        }
        let input = SingleTrackInput {
            speed: self.command.speed,
            steering_angle: self.command.steering_angle,
            gravity_in_body: Vec2::ZERO,
            gravity_into_ground: STANDARD_GRAVITY,
            mu: [self.car.parameters().mu; 2],
        };
        self.state = self.car.advance(self.state, &input, self.step.secs());
        self.elapsed += self.step;
        let is_clock_due = self.clock_due.is_due(self.elapsed);
        let is_odometry_due = self.odometry_due.is_due(self.elapsed);
        let makes_clock = self.clock.is_some() && (is_clock_due || is_odometry_due);
        if !(makes_clock || is_odometry_due) {
            return;
        }
        let time = self.time();
        let (pose, velocity) = self.reference();
        // Before the clock, as in the simulator, so that transforms at the newest time can be looked up.
        if let Some(tf) = &mut self.tf {
            if let Some(transform) = tf.message.transforms.first_mut() {
                fill::fill_transform(time, Pose3::from_planar(pose), transform);
            }
            tf.publish();
        }
        if let Some(clock) = self.clock.as_mut() {
            clock.message.clock = fill::stamp(time);
            clock.publish();
        }
        if is_odometry_due {
            let message = &mut self.odometry.message;
            message.header.stamp = fill::stamp(time);
            message.pose.pose = fill::pose(Pose3::from_planar(pose));
            message.twist.twist = fill::twist(velocity);
            self.odometry.publish();
        }
    }

    /// The stamp of messages of this instant.
    fn time(&self) -> SimTime {
        match self.clock {
            Some(_) => self.elapsed,
            None => self.began.unwrap_or(SimTime::ZERO) + self.elapsed,
        }
    }

    /// Pose of the reference point [m, rad], and its velocity in the body frame [m/s, rad/s].
    fn reference(&self) -> (Pose2, Twist2) {
        let velocity = self.state.velocity();
        let of_point = velocity.at_point(Vec2::new(self.arm, 0.0));
        (self.state.pose * Pose2::new(self.arm, 0.0, 0.0), Twist2::new(of_point.x, of_point.y, velocity.wz))
    }
}
