//! Node `trajectory_tracker`: the reference position of point P, and the velocity that takes it there (the study, §5.3).
//!
//! It acts at multiples of its period in the node's time, so that with `use_sim_time` the instants are the same at any rate of time, and
//! the same as those of a driver in the simulator's process. The vehicle's state at such an instant is the last odometry, extrapolated by
//! its twist (parameter `predict`), so that transport delays do not matter.
//!
//! The motion begins when `active` becomes true, or with the first odometry if it is true from the start. While odometry is missing,
//! the vehicle is stopped and the motion is suspended.

use std::path::Path;

use r2r::ParameterValue;
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::Vec2;
use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{Float64MultiArray, Quality, fill_timed_vector, timed_vector};
use skidpad_ros_data::preset::racecar;
use skidpad_sim::tracking::{AntiWindup, PointTracker, ReferenceHeading, TrackerParameters};
use skidpad_sim::trajectory::{self, Trajectory, TrajectoryParameters, VehicleLimits};
use skidpad_sim::waypoint_file;

use super::odometry::Odometry;
use super::{Entry, Setup, SmallNode, USE_SIM_TIME, odometry};
use crate::error::RosError;
use crate::parameters::table::{Declaration, Kind, Parameters, number, switch};
use crate::publish::publisher::RosTopic;

pub(super) const ENTRY: Entry = Entry { name: "trajectory_tracker", parameters: PARAMETERS, start };

/// The shapes of trajectories, with the study's numbers.
const SHAPES: &[(&str, Option<i64>)] = &[
    ("line", Some(0)),
    ("parabola", Some(1)),
    ("circle", Some(2)),
    ("figure_eight", Some(3)),
    ("cycloid", Some(4)),
    ("waypoints", None),
];
/// How much of a trajectory is checked against the limits of the vehicle [s].
const FEASIBILITY_HORIZON: f64 = 60.0;
const ANY: [f64; 2] = [-1e6, 1e6];
const POSITIVE: [f64; 2] = [1e-6, 1e6];
const GAIN: [f64; 2] = [0.0, 1e6];

const PARAMETERS: &[Declaration] = &[
    Declaration::new(
        "trajectory_type",
        Kind::Choice { default: "figure_eight", of: SHAPES },
        "shape of the trajectory: a name, or the study's number",
    )
    .at_start(),
    number("a_coeff", 0.6, ANY, "line: velocity along x [m/s]").at_start(),
    number("b_coeff", 0.8, ANY, "line: velocity along y [m/s]").at_start(),
    number("focal_length", 0.02, ANY, "parabola: focal length a [m]; x = 2·a·t, y = a·t²").at_start(),
    number("R", 2.0, POSITIVE, "circle: radius [m]").at_start(),
    number("W", 0.4, POSITIVE, "circle: angular velocity [rad/s]").at_start(),
    number("a", 2.0, POSITIVE, "figure of eight: amplitude [m]").at_start(),
    number("w", 0.4, POSITIVE, "figure of eight: angular velocity [rad/s]").at_start(),
    number("cycloid_radius", 0.5, POSITIVE, "cycloid: radius of the rolling circle [m]").at_start(),
    number(
        "cycloid_distance",
        0.25,
        POSITIVE,
        "cycloid: from the circle's centre to the drawing point [m], less than cycloid_radius",
    )
    .at_start(),
    Declaration::new(
        "file",
        Kind::Text { default: "" },
        "waypoints: CSV file with time,x,y or x,y [s, m], or a racing line",
    )
    .at_start(),
    number("speed", 1.0, POSITIVE, "waypoints without times: speed along the path [m/s]").at_start(),
    switch("closed", false, "waypoints: from the last point on to the first, without end").at_start(),
    number("phase", 0.0, ANY, "how far into its motion the shape is at the start [s]").at_start(),
    number("x0", 0.0, ANY, "where the shape's origin is, along x of the odometry [m]").at_start(),
    number("y0", 0.0, ANY, "where the shape's origin is, along y of the odometry [m]").at_start(),
    number("yaw0", 0.0, ANY, "heading of the shape's x axis in the odometry [rad]").at_start(),
    switch("active", true, "whether it tracks; from false to true the trajectory begins anew, false stops the vehicle"),
    number("Kp", 5.0, GAIN, "proportional gain of both controllers [1/s]"),
    number("Ki", 0.0, GAIN, "integral gain of both controllers [1/s²]"),
    number("Kd", 0.0, GAIN, "derivative gain of both controllers [-]"),
    Declaration::new("FFWD", Kind::Flag { default: true }, "whether the velocity of the reference is fed forward"),
    number("PL_distance", 0.1, [0.0, 1e6], "from the vehicle's reference point to P along its heading [m]"),
    Declaration::new(
        "reference_heading",
        Kind::Word { default: "vehicle", of: &["vehicle", "path"] },
        "whose heading the reference of P has: the vehicle's, as in the study, or the path's, which leaves no error",
    ),
    Declaration::new(
        "anti_windup",
        Kind::Word { default: "clamp", of: &["none", "clamp"] },
        "none: the study's plain sum; clamp: what the integral adds stays within integral_limit",
    ),
    number("integral_limit", 1.0, POSITIVE, "the most that the integral adds on each axis [m/s]"),
    number("L", 0.325, POSITIVE, "vehicle: distance between rear and front wheels [m]; warns of what it cannot follow")
        .at_start(),
    number("max_steering_angle", 1.0, [1e-6, 1.57], "vehicle: largest steering angle [rad], to warn likewise")
        .at_start(),
    number("max_speed", 100.0, POSITIVE, "vehicle: largest speed [m/s], to warn likewise").at_start(),
    number(
        "max_lateral_acceleration",
        9.81,
        POSITIVE,
        "vehicle: what its tyres give sideways, mu times gravity [m/s²], to warn likewise",
    )
    .at_start(),
    number(
        "rate",
        100.0,
        [1.0, 1000.0],
        "how often it acts [1/s of its time]; with use_sim_time at most once per message on /clock",
    )
    .at_start(),
    odometry::TIMEOUT,
    odometry::PREDICT,
    USE_SIM_TIME,
];

/// Several problems as one message: the first, with the others as notes.
fn joined(problems: Diagnostics) -> Diagnostic {
    let mut all = problems.into_iter();
    let first = all.next().unwrap_or_default();
    all.fold(first, |message, other| message.note(other.to_string()))
}

fn start(setup: &mut Setup<'_>) -> Result<Box<dyn SmallNode>, RosError> {
    let place = "parameters of the trajectory";
    let parameters = setup.parameters.clone();
    let mut shape = trajectory_parameters(&parameters);
    waypoint_file::load(&mut shape, Path::new("")).map_err(|problems| joined(problems).at(place))?;
    let trajectory = trajectory::build(&shape).map_err(|problem| problem.at(place))?;
    for note in &shape.notes {
        tracing::warn!(diagnostic = note.as_value());
    }
    for problem in trajectory::feasibility(&*trajectory, &vehicle_limits(&parameters), FEASIBILITY_HORIZON) {
        tracing::warn!(diagnostic = Diagnostic::from(&problem).as_value());
    }
    let tracker = PointTracker::new(tracker_parameters(&parameters))
        .map_err(|problem| problem.at("parameters of the tracker"))?;
    let array = || timed_vector(Vec2::ZERO, SimTime::ZERO);
    Ok(Box::new(Tracker {
        odometry: Odometry::new(setup)?,
        trajectory,
        tracker,
        velocities: setup.publish(racecar::VIRTUAL_VELOCITIES, Quality::Data, array())?,
        references: setup.publish(racecar::REFERENCE_TRAJECTORY, Quality::Data, array())?,
        period: SimTime::from_secs(1.0 / parameters.number("rate")),
        progress: Progress::default(),
        next: None,
        is_moving: false,
        switched: parameters.changes("active"),
    }))
}

fn publish(topic: &mut RosTopic<Float64MultiArray>, vector: Vec2, now: SimTime) {
    fill_timed_vector(vector, now, &mut topic.message);
    topic.publish();
}

fn trajectory_parameters(parameters: &Parameters) -> TrajectoryParameters {
    TrajectoryParameters {
        trajectory_type: parameters.word("trajectory_type"),
        a_coeff: parameters.number("a_coeff"),
        b_coeff: parameters.number("b_coeff"),
        focal_length: parameters.number("focal_length"),
        circle_radius: parameters.number("R"),
        circle_rate: parameters.number("W"),
        eight_amplitude: parameters.number("a"),
        eight_rate: parameters.number("w"),
        cycloid_radius: parameters.number("cycloid_radius"),
        cycloid_distance: parameters.number("cycloid_distance"),
        file: parameters.word("file"),
        speed: parameters.number("speed"),
        closed: parameters.flag("closed"),
        phase: parameters.number("phase"),
        x0: parameters.number("x0"),
        y0: parameters.number("y0"),
        yaw0: parameters.number("yaw0"),
        ..TrajectoryParameters::default()
    }
}

fn vehicle_limits(parameters: &Parameters) -> VehicleLimits {
    VehicleLimits {
        wheelbase: parameters.number("L"),
        max_steering_angle: parameters.number("max_steering_angle"),
        max_speed: parameters.number("max_speed"),
        max_lateral_acceleration: parameters.number("max_lateral_acceleration"),
    }
}

/// A field of the tracker's parameters.
enum Field<'a> {
    Flag(&'a mut bool),
    Number(&'a mut f64),
    Heading(&'a mut ReferenceHeading),
    AntiWindup(&'a mut AntiWindup),
}

/// Name of a parameter, and the field that it sets.
type Gain = (&'static str, fn(&mut TrackerParameters) -> Field<'_>);

/// The parameters that are gains and geometry of the tracker itself.
const GAINS: [Gain; 9] = [
    ("active", |tracker| Field::Flag(&mut tracker.active)),
    ("Kp", |tracker| Field::Number(&mut tracker.proportional)),
    ("Ki", |tracker| Field::Number(&mut tracker.integral)),
    ("Kd", |tracker| Field::Number(&mut tracker.derivative)),
    ("FFWD", |tracker| Field::Flag(&mut tracker.feed_forward)),
    ("PL_distance", |tracker| Field::Number(&mut tracker.point_distance)),
    ("reference_heading", |tracker| Field::Heading(&mut tracker.reference_heading)),
    ("anti_windup", |tracker| Field::AntiWindup(&mut tracker.anti_windup)),
    ("integral_limit", |tracker| Field::Number(&mut tracker.integral_limit)),
];
const HEADINGS: [(&str, ReferenceHeading); 2] =
    [("vehicle", ReferenceHeading::Vehicle), ("path", ReferenceHeading::Path)];
const ANTI_WINDUPS: [(&str, AntiWindup); 3] =
    [("clamp", AntiWindup::Clamp), ("none", AntiWindup::None), ("conditional", AntiWindup::Conditional)];
/// The anti-windups of a tracker that has access to its linearizer; that of this node has none.
const ALL_ANTI_WINDUPS: &[&str] = &["none", "clamp", "conditional"];

fn tracker_parameters(parameters: &Parameters) -> TrackerParameters {
    let mut tracker = TrackerParameters::default();
    for (name, _) in GAINS {
        set_gain(&mut tracker, name, &parameters.value(name));
    }
    tracker
}

/// Sets the field of the parameter with this name; does nothing for other names.
pub(crate) fn set_gain(tracker: &mut TrackerParameters, name: &str, value: &ParameterValue) {
    let Some((_, field)) = GAINS.iter().find(|(gain, _)| *gain == name) else { return };
    match (field(tracker), value) {
        (Field::Flag(field), ParameterValue::Bool(value)) => *field = *value,
        (Field::Number(field), ParameterValue::Double(value)) => *field = *value,
        (Field::Heading(field), ParameterValue::String(word)) => *field = named(&HEADINGS, word).unwrap_or_default(),
        (Field::AntiWindup(field), ParameterValue::String(word)) => {
            *field = named(&ANTI_WINDUPS, word).unwrap_or_default();
        }
        _ => {}
    }
}

/// The declarations of the gains and geometry that a tracker reads, with its present values as defaults. Of trackers other than the study's
/// that is `active` alone; their keys are those of the config.
pub fn gains(now: &TrackerParameters) -> Vec<Declaration> {
    let (kind, model) = (now.tracker.entry(), now.model);
    let mut now = *now;
    let mut with_value = |(name, field): &Gain| {
        let declaration = PARAMETERS.iter().find(|declaration| declaration.name == *name)?;
        let kind = match (declaration.kind, field(&mut now)) {
            (Kind::Switch { .. }, Field::Flag(value)) => Kind::Switch { default: *value },
            (Kind::Flag { .. }, Field::Flag(value)) => Kind::Flag { default: *value },
            (Kind::Number { range, .. }, Field::Number(value)) => Kind::Number { default: *value, range },
            (Kind::Word { of, .. }, Field::Heading(value)) => Kind::Word { default: name_of(&HEADINGS, *value), of },
            (_, Field::AntiWindup(value)) => {
                Kind::Word { default: name_of(&ANTI_WINDUPS, *value), of: ALL_ANTI_WINDUPS }
            }
            (kind, _) => kind,
        };
        Some(Declaration { kind, ..*declaration })
    };
    GAINS.iter().filter(|(name, _)| kind.reads(name, model)).filter_map(&mut with_value).collect()
}

fn named<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

fn name_of<T: PartialEq>(table: &[(&'static str, T)], value: T) -> &'static str {
    table.iter().find(|(_, listed)| *listed == value).map_or("", |(name, _)| name)
}

struct Tracker {
    odometry: Odometry,
    trajectory: Box<dyn Trajectory>,
    tracker: PointTracker,
    velocities: RosTopic<Float64MultiArray>,
    references: RosTopic<Float64MultiArray>,
    period: SimTime,
    progress: Progress,
    /// Time of the next update; none before the first one.
    next: Option<SimTime>,
    /// Whether the last command was a motion.
    is_moving: bool,
    /// Number of changes of `active` that have been handled.
    switched: u64,
}

impl SmallNode for Tracker {
    fn update(&mut self, now: SimTime) -> Option<SimTime> {
        self.odometry.receive();
        if let Some(next) = self.next.filter(|next| now < *next) {
            if next - now <= self.period {
                return Some(next);
            }
            tracing::info!("time went back: the trajectory begins anew");
            self.restart();
        }
        self.act(now);
        self.next = Some(SimTime((now.0.div_euclid(self.period.0) + 1) * self.period.0));
        self.next
    }

    fn reconfigure(&mut self, parameters: &Parameters) {
        // Read first: a change meanwhile causes another call.
        let switched = parameters.changes("active");
        let wanted = tracker_parameters(parameters);
        let is = wanted.active;
        // The ranges of the declarations are those that the tracker accepts.
        if let Err(reason) = self.tracker.set_parameters(wanted) {
            tracing::warn!(diagnostic = reason.at("parameters of the tracker").as_value());
        } else if std::mem::replace(&mut self.switched, switched) != switched {
            self.progress = Progress::default();
            // Also if it was switched off and on again since the last update.
            self.tracker.reset();
            tracing::info!(
                "{}",
                if is { "active: the trajectory begins" } else { "not active: the vehicle is stopped" }
            );
        }
    }

    fn end(&mut self, now: SimTime) {
        self.stop(now);
    }
}

impl Tracker {
    /// Publishes the reference and the velocity of an instant.
    fn act(&mut self, now: SimTime) {
        if !self.tracker.parameters().active {
            return self.stop(now);
        }
        let Some(state) = self.odometry.state(now) else {
            self.progress.suspend();
            return self.stop(now);
        };
        let dt = self.progress.advance(now);
        let elapsed = self.progress.elapsed.secs();
        let reference = self.trajectory.at(elapsed);
        let mut step = self.tracker.step(&reference, &state, dt.secs());
        if self.trajectory.is_over(elapsed) {
            step.point_velocity = Vec2::ZERO;
        }
        self.is_moving = true;
        publish(&mut self.references, reference.position, now);
        publish(&mut self.velocities, step.point_velocity, now);
    }

    /// Stops the vehicle, once.
    fn stop(&mut self, now: SimTime) {
        if std::mem::take(&mut self.is_moving) {
            publish(&mut self.velocities, Vec2::ZERO, now);
        }
    }

    fn restart(&mut self) {
        self.progress = Progress::default();
        self.tracker.reset();
        self.next = None;
    }
}

/// Progress of the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Progress {
    /// Duration of the motion of the reference so far.
    elapsed: SimTime,
    /// Time of the last advance; none while the motion is suspended.
    last: Option<SimTime>,
}

impl Progress {
    /// Advances to `now`; returns the time since the last call, which is zero at the start and after a suspension.
    fn advance(&mut self, now: SimTime) -> SimTime {
        let dt = now - self.last.replace(now).unwrap_or(now);
        self.elapsed += dt;
        dt
    }

    /// Suspends the motion until the next advance.
    fn suspend(&mut self) {
        self.last = None;
    }
}

#[cfg(test)]
mod tests {
    use skidpad_sim::trajectory::TRAJECTORIES;

    use super::*;

    fn defaults() -> std::sync::Arc<Parameters> {
        Parameters::new(PARAMETERS, &[], std::iter::empty(), Box::new(|_, _| {})).unwrap()
    }

    #[test]
    fn the_defaults_are_those_of_the_laws() {
        assert_eq!(trajectory_parameters(&defaults()), TrajectoryParameters::default());
        assert_eq!(tracker_parameters(&defaults()), TrackerParameters::default());
    }

    #[test]
    fn every_shape_is_selectable_by_its_number() {
        let shapes: Vec<_> = TRAJECTORIES.iter().map(|entry| (entry.name, entry.number.map(i64::from))).collect();
        assert_eq!(shapes, SHAPES);
    }

    #[test]
    fn a_suspended_motion_resumes_where_it_was() {
        let at = SimTime::from_secs;
        let mut progress = Progress::default();
        assert_eq!([at(7.0), at(7.5)].map(|now| progress.advance(now)), [at(0.0), at(0.5)]);
        progress.suspend();
        assert_eq!([at(9.0), at(9.25)].map(|now| progress.advance(now)), [at(0.0), at(0.25)]);
        assert_eq!(progress.elapsed, at(0.75));
    }
}
