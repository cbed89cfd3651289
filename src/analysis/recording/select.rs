//! Selects the topics of a recording that hold the vehicle's poses, its reference and its commands, and aligns their times.
//!
//! Samples are compared at the times of their headers. The time of a `Float64MultiArray` of x, y and t is t if that is on the
//! odometry's clock, otherwise its log time. If the log uses another clock than the headers, such as wall time with simulated headers,
//! log times are converted by means of the odometry, which has both.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::nearest::did_you_mean;
use skidpad_math::Vec2;
use skidpad_ros_data::message::{Float64, Float64MultiArray, Message, WheelStates};
use skidpad_ros_data::preset::racecar;

use super::samples::{COMMAND_TYPES, Command, POSE_TYPES, SampledTopic, Samples};
use super::{Contents, ReadError, ReadOptions};
use crate::{CommandSample, PoseSample, PositionSample, Run, Scatter, join};

/// Topics with the pose of the vehicle, the ground truth first: odometry starts at the vehicle's start and drifts, so a reference in
/// the world would be compared with another frame.
const ODOMETRY: [&str; 5] =
    ["/ground_truth", "/base_pose_ground_truth", racecar::ODOMETRY, "/odom", racecar::BETTER_ODOMETRY];
/// Topics of commands, in order of preference.
const COMMANDS: [&str; 4] =
    [racecar::NAVIGATION, "/vesc/low_level/ackermann_cmd_mux/output", "/ackermann_cmd", "/cmd_vel"];
/// skidpad's topic with the states of all wheels.
const WHEEL_STATES: &str = "/wheel_states";

/// Header and log use the same clock if their times differ by at most this [s].
const ONE_CLOCK: f64 = 10.0;

/// The run of the selected vehicle.
pub(super) fn run(path: &Path, contents: Contents, options: &ReadOptions) -> Result<Run, ReadError> {
    let bag = Bag { path, contents: &contents, outside: RefCell::default() };
    let odometry = match &options.odometry {
        Some(name) => bag.named(name, &POSE_TYPES)?,
        None => bag.odometry(options.vehicle.as_deref())?,
    };
    let namespace = ODOMETRY.iter().find_map(|usual| odometry.0.strip_suffix(usual)).unwrap_or_default();
    let Samples::Poses(poses) = &odometry.1.samples else { return Err(bag.none("no odometry", &POSE_TYPES).into()) };
    let clock = Clock::new(poses);
    let mut run = Run { poses: poses.iter().map(|(_, pose)| *pose).collect(), ..Run::default() };
    run.notes.clone_from(&contents.notes);
    run.topics.poses = odometry.0.to_owned();

    let reference_types = [POSE_TYPES.as_slice(), &[Float64MultiArray::TYPE]].concat();
    let reference = match &options.reference {
        Some(name) => Some(bag.named(name, &reference_types)?),
        None => bag.usual(namespace, &[racecar::REFERENCE_TRAJECTORY], &reference_types),
    };
    match reference {
        Some((name, topic)) => {
            run.reference = positions(topic, &run.poses, &clock);
            run.topics.reference = name.to_owned();
        }
        None => run.notes.push(Diagnostic::of(format!(
            "no reference on {}, no errors to compute; --reference names another topic",
            racecar::REFERENCE_TRAJECTORY
        ))),
    }
    let command = match &options.command {
        Some(name) => Some(bag.named(name, &COMMAND_TYPES)?),
        None => bag.usual(namespace, &COMMANDS, &COMMAND_TYPES),
    };
    if let Some((name, SampledTopic { samples: Samples::Commands(commands), .. })) = command {
        run.topics.commands = name.to_owned();
        run.commands = commands.iter().map(|command| sample(command, &clock)).collect();
    }
    run.wheels = match bag.usual(namespace, &[WHEEL_STATES], &[WheelStates::TYPE]) {
        Some((_, SampledTopic { samples: Samples::Wheels(wheels), .. })) => wheels.clone(),
        _ => bag.wheels(namespace),
    };
    let outside: Vec<&str> = bag.outside.take().into_iter().collect();
    if !outside.is_empty() {
        let found = format!("taken from outside {namespace}, which has no such topic: {}", outside.join(", "));
        run.notes.push(Diagnostic::of(found));
    }
    for (name, topic) in contents.topics.iter().filter(|(_, topic)| topic.broken > 0) {
        let found = format!("{} messages are not {}, left out", topic.broken, topic.kind);
        run.notes.push(Diagnostic::new(name, found));
    }
    for (name, (count, times)) in &contents.missing {
        let messages = if *count == 1 { "message" } else { "messages" };
        let (listed, more) = (times.join(", "), if *count > times.len() as u64 { ", …" } else { "" });
        let found = format!("the recorder has counted {count} missing {messages}, of {listed}{more}");
        run.notes.push(Diagnostic::new(name, found));
    }
    Ok(run)
}

/// A recording with all its topics.
struct Bag<'a> {
    path: &'a Path,
    contents: &'a Contents,
    /// Topics that were taken from outside the vehicle's namespace.
    outside: RefCell<BTreeSet<&'a str>>,
}

impl<'a> Bag<'a> {
    /// The topics of these types that have messages.
    fn of_types(&self, types: &'a [&str]) -> impl Iterator<Item = (&'a str, &'a SampledTopic)> {
        let topics = self.contents.topics.iter().map(|(name, topic)| (name.as_str(), topic));
        topics.filter(|(_, topic)| types.contains(&topic.kind.as_str()) && !topic.is_empty())
    }

    /// The message that the recording lacks a topic of these types.
    fn none(&self, found: impl Into<String>, types: &'a [&str]) -> Diagnostic {
        let message = Diagnostic::new(self.path.display(), found);
        let names: Vec<&str> = self.of_types(types).map(|(name, _)| name).collect();
        match names[..] {
            [] => message.accepted("nothing that this recording holds"),
            _ => message.accepted_all(names),
        }
    }

    /// The topic that the user names, if it has one of these types.
    fn named(&self, name: &str, types: &'a [&str]) -> Result<(&'a str, &'a SampledTopic), ReadError> {
        let name = format!("/{}", name.trim_start_matches('/'));
        if let Some(found) = self.of_types(types).find(|(topic, _)| *topic == name) {
            return Ok(found);
        }
        let found = match self.contents.topics.get(&name) {
            None => format!("has no topic {name}"),
            Some(topic) if types.contains(&topic.kind.as_str()) => format!("has nothing on {name}"),
            Some(topic) => format!("topic {name} has type {}, which is not accepted here", topic.kind),
        };
        let names: Vec<&str> = self.of_types(types).map(|(name, _)| name).collect();
        Err(Diagnostic { hint: did_you_mean(&name, &names), ..self.none(found, types) }.into())
    }

    /// The first of the usual topics that has one of these types and messages: in the namespace, or else outside it. A topic outside
    /// counts only if no other vehicle has such a topic in its own namespace.
    fn usual(&self, namespace: &str, usual: &[&str], types: &'a [&str]) -> Option<(&'a str, &'a SampledTopic)> {
        let exact = |name: &str| self.of_types(types).find(|(topic, _)| *topic == name);
        if let Some(found) = usual.iter().find_map(|name| exact(&format!("{namespace}{name}"))) {
            return Some(found);
        }
        let is_of_another =
            |name: &str| self.of_types(types).any(|(topic, _)| topic.len() > name.len() && topic.ends_with(name));
        let found = usual.iter().filter(|name| !is_of_another(name)).find_map(|name| exact(name))?;
        self.outside.borrow_mut().insert(found.0);
        Some(found)
    }

    /// The odometry of this vehicle, or that of the only vehicle.
    fn odometry(&self, vehicle: Option<&str>) -> Result<(&'a str, &'a SampledTopic), ReadError> {
        let types = &POSE_TYPES[..];
        let prefix = vehicle.map_or_else(String::new, |name| format!("/{}", name.trim_matches('/')));
        let exact = ODOMETRY.iter().map(|usual| format!("{prefix}{usual}"));
        if let Some(found) = exact.into_iter().find_map(|name| self.of_types(types).find(|(topic, _)| *topic == name)) {
            return Ok(found);
        }
        if let Some(vehicle) = vehicle {
            return Err(self.none(format!("has no odometry of a vehicle \"{vehicle}\""), types).into());
        }
        let among =
            |usual: &str| -> Vec<_> { self.of_types(types).filter(|(name, _)| name.ends_with(usual)).collect() };
        let usual = ODOMETRY.iter().map(|usual| among(usual)).find(|found| !found.is_empty());
        let found = usual.unwrap_or_else(|| self.of_types(&POSE_TYPES[..1]).collect());
        match found[..] {
            [only] => Ok(only),
            [] => Err(self.none("has no odometry", types).hint("--odom names a topic of poses").into()),
            _ => Err(self.none("has several odometries", types).hint("--odom names the topic").into()),
        }
    }

    /// Slip and force of wheels that are recorded on one topic per wheel and quantity.
    fn wheels(&self, namespace: &str) -> Vec<Scatter> {
        let numbers = |quantity: &str, wheel: &str| {
            let name = format!("/{quantity}_pub/{wheel}");
            match self.usual(namespace, &[name.as_str()], &[Float64::TYPE]) {
                Some((_, SampledTopic { samples: Samples::Numbers(numbers), .. })) => numbers.as_slice(),
                _ => &[],
            }
        };
        let [ratio, angle, fx, fy] = racecar::WHEEL_QUANTITIES;
        let wheels = racecar::WHEELS.iter().map(|(_, wheel)| Scatter {
            wheel: (*wheel).into(),
            longitudinal: pairs(numbers(ratio, wheel), numbers(fx, wheel)),
            lateral: pairs(numbers(angle, wheel), numbers(fy, wheel)),
        });
        wheels.filter(|wheel| !wheel.longitudinal.is_empty() || !wheel.lateral.is_empty()).collect()
    }
}

/// Each slip with the force that was logged nearest in time, at most half the mean interval away.
fn pairs(slips: &[(f64, f64)], forces: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let sorted = |numbers: &[(f64, f64)]| {
        let mut sorted: Vec<_> = numbers.iter().copied().filter(|(_, number)| number.is_finite()).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        sorted
    };
    let (slips, forces) = (sorted(slips), sorted(forces));
    let (Some(first), Some(last)) = (slips.first(), slips.last()) else { return Vec::new() };
    let interval = (last.0 - first.0) / slips.len().max(2) as f64;
    let partners = join::nearest(slips.iter().map(|slip| slip.0), &forces, |force| force.0, 0.5 * interval);
    slips.iter().zip(partners).filter_map(|(slip, force)| Some((slip.1, force?.1.1))).collect()
}

/// The times of the log and of the headers of one topic.
struct Clock {
    /// Log time and header time [s], in the order of the log; empty if both use the same clock.
    pairs: Vec<(f64, f64)>,
}

impl Clock {
    fn new(poses: &[(f64, PoseSample)]) -> Clock {
        let apart = |(log, pose): &(f64, PoseSample)| (log - pose.time).abs() > ONE_CLOCK;
        let other = poses.iter().filter(|sample| apart(sample)).count();
        if 2 * other <= poses.len() {
            return Clock { pairs: Vec::new() };
        }
        let mut pairs: Vec<_> = poses.iter().map(|(log, pose)| (*log, pose.time)).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        Clock { pairs }
    }

    /// The header time [s] that corresponds to a log time [s].
    fn at(&self, log: f64) -> f64 {
        let after = self.pairs.partition_point(|pair| pair.0 < log).clamp(1, self.pairs.len().max(2) - 1);
        let (Some(from), Some(to)) = (self.pairs.get(after - 1), self.pairs.get(after)) else {
            return self.pairs.first().map_or(log, |pair| log - pair.0 + pair.1);
        };
        let span = to.0 - from.0;
        if span > 0.0 { from.1 + (log - from.0) / span * (to.1 - from.1) } else { from.1 }
    }
}

/// The reference that a topic gives for the vehicle.
fn positions(topic: &SampledTopic, poses: &[PoseSample], clock: &Clock) -> Vec<PositionSample> {
    let of_array = |time: f64, [x, y, _]: [f64; 3]| PositionSample { time, position: Vec2::new(x, y) };
    match &topic.samples {
        Samples::Poses(poses) => {
            poses.iter().map(|(_, pose)| PositionSample { time: pose.time, position: pose.pose.position() }).collect()
        }
        Samples::Arrays(arrays) => {
            let times = poses.iter().map(|pose| pose.time).filter(|time| time.is_finite());
            let (from, to) = times.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), time| (a.min(time), b.max(time)));
            // The third number means the same in all messages of a topic, so the majority decides.
            let is_time = |t: f64| t >= from - ONE_CLOCK && t <= to + ONE_CLOCK;
            let has_times = 2 * arrays.iter().filter(|(_, array)| is_time(array[2])).count() > arrays.len();
            let time = |log: f64, t: f64| if has_times { t } else { clock.at(log) };
            arrays.iter().map(|&(log, array)| of_array(time(log, array[2]), array)).collect()
        }
        _ => Vec::new(),
    }
}

fn sample(command: &Command, clock: &Clock) -> CommandSample {
    let time = command.stamp.unwrap_or_else(|| clock.at(command.log_time));
    CommandSample { time, speed: command.speed, steering_angle: command.steering_angle, yaw_rate: command.yaw_rate }
}
