//! Selects the topics of a recording that hold the vehicle's poses, its reference and its commands, and aligns their times.
//!
//! Samples are compared at the times of their headers. The time of a `Float64MultiArray` of x, y and t is t if that is on the
//! odometry's clock, otherwise its log time. If the log uses another clock than the headers, such as wall time with simulated headers,
//! log times are converted by means of the odometry, which has both.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::nearest::did_you_mean;
use skidpad_math::Vec2;
use skidpad_record::bag::{self, PATH, PLANS};
use skidpad_ros_data::message::{Float64, Float64MultiArray, Message, Odometry, TFMessage, WheelStates};
use skidpad_ros_data::preset::racecar;

use super::samples::{COMMAND_TYPES, Command, POSE_TYPES, Plan, SampledTopic, Samples};
use super::transforms::{self, Motion};
use super::{Contents, ReadError, ReadOptions};
use crate::{CommandSample, PoseSample, PositionSample, Run, Scatter, WantedPath, join};

/// Topics with the pose of the vehicle, the ground truth first: odometry starts at the vehicle's start and drifts, so a reference in
/// the world would be compared with another frame.
const ODOMETRY: [&str; 8] = [
    "/ground_truth",
    "/base_pose_ground_truth",
    racecar::ODOMETRY,
    "/odom",
    racecar::BETTER_ODOMETRY,
    "/odometry/filtered",
    "/platform/odom/filtered",
    "/odometry",
];
/// How many of them are true poses.
const TRUTHS: usize = 2;
/// Topics of commands, in order of preference.
const COMMANDS: [&str; 8] = [
    racecar::NAVIGATION,
    "/vesc/low_level/ackermann_cmd_mux/output",
    "/ackermann_cmd",
    "/cmd_vel",
    "/drive",
    "/platform/cmd_vel",
    "/platform/cmd_vel_unstamped",
    "/cmd_vel_unstamped",
];
/// skidpad's topic with the states of all wheels.
const WHEEL_STATES: &str = "/wheel_states";

/// Header and log use the same clock if their times differ by at most this [s].
const ONE_CLOCK: f64 = 10.0;

/// The runs of the selected vehicles: of one, unless the recording holds several and none is named.
pub(super) fn runs(path: &Path, contents: &Contents, options: &ReadOptions) -> Result<Vec<Run>, ReadError> {
    let motions = Bag::new(path, contents).motions(options)?;
    let is_alone = motions.len() == 1;
    motions.iter().map(|motion| run(&Bag::new(path, contents), motion, is_alone, options)).collect()
}

/// The run of one vehicle; if it `is_alone`, a command in no namespace is its own.
fn run(bag: &Bag, motion: &Motion, is_alone: bool, options: &ReadOptions) -> Result<Run, ReadError> {
    let contents = bag.contents;
    let namespace = motion.namespace.as_str();
    let clock = Clock::new(&motion.poses);
    let mut run = Run { poses: motion.poses.iter().map(|(_, pose)| *pose).collect(), ..Run::default() };
    run.notes.clone_from(&contents.notes);
    run.vehicle.clone_from(&motion.name);
    run.topics.poses.clone_from(&motion.source);

    let reference_types = [POSE_TYPES.as_slice(), &[Float64MultiArray::TYPE, PATH]].concat();
    let reference = match &options.reference {
        Some(name) => Some(bag.named(name, &reference_types)?),
        None => bag
            .usual(namespace, &[racecar::REFERENCE_TRAJECTORY], &reference_types)
            .or_else(|| bag.usual(namespace, &PLANS, &[PATH])),
    };
    match reference {
        Some((name, topic)) => {
            (run.reference, run.plans) = wanted(topic, &run.poses, &clock);
            run.topics.reference = name.to_owned();
        }
        None if options.needs_no_reference => {}
        None => {
            let note = Diagnostic::of(format!(
                "no reference on {}, so no errors are computed; name another topic with --reference",
                racecar::REFERENCE_TRAJECTORY
            ));
            let paths: Vec<&str> = bag.of_types(&[PATH]).map(|(name, _)| name).collect();
            run.notes.push(if paths.is_empty() { note } else { note.hint(format!("paths: {}", paths.join(", "))) });
        }
    }
    let other_poses = bag
        .of_types(&POSE_TYPES)
        .map(|(name, _)| name)
        .filter(|name| name.starts_with(namespace) && *name != motion.source && *name != run.topics.reference);
    run.other_poses = other_poses.map(str::to_owned).collect();
    let command = match &options.command {
        Some(name) => Some(bag.named(name, &COMMAND_TYPES)?),
        None => bag.usual(namespace, &COMMANDS, &COMMAND_TYPES).or_else(|| {
            bag.other_command(namespace).or_else(|| {
                let topic = if is_alone { bag.other_command("") } else { None };
                bag.outside.borrow_mut().extend(topic.map(|(name, _)| name));
                topic
            })
        }),
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
        let found = format!("topics missing in {namespace} are taken from outside it: {}", outside.join(", "));
        run.notes.push(Diagnostic::of(found));
    }
    for (name, topic) in contents.topics.iter().filter(|(_, topic)| topic.broken > 0) {
        let found = format!("{} messages are not {}, left out", topic.broken, topic.kind);
        run.notes.push(Diagnostic::new(name, found));
    }
    for (name, (count, times)) in &contents.missing {
        let messages = if *count == 1 { "message" } else { "messages" };
        let (listed, more) = (times.join(", "), if *count > times.len() as u64 { ", …" } else { "" });
        let found = format!("missing by the recorder's count: {count} {messages}, at {listed}{more}");
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
    fn new(path: &'a Path, contents: &'a Contents) -> Bag<'a> {
        Bag { path, contents, outside: RefCell::default() }
    }

    /// The topics of these types that have messages.
    fn of_types<'t>(&self, types: &'t [&'t str]) -> impl Iterator<Item = (&'a str, &'a SampledTopic)> + use<'a, 't> {
        let topics = self.contents.topics.iter().map(|(name, topic)| (name.as_str(), topic));
        topics.filter(|(_, topic)| types.contains(&topic.kind.as_str()) && !topic.is_empty())
    }

    /// The message that the recording lacks a topic of these types.
    fn none(&self, found: impl Into<String>, types: &[&str]) -> Diagnostic {
        let message = Diagnostic::new(self.path.display(), found);
        let names: Vec<&str> = self.of_types(types).map(|(name, _)| name).collect();
        match names[..] {
            [] => message.accepted("none, the recording has no such topic"),
            _ => message.accepted_all(names),
        }
    }

    /// The topic that the user names, if it has one of these types.
    fn named(&self, name: &str, types: &[&str]) -> Result<(&'a str, &'a SampledTopic), ReadError> {
        let name = format!("/{}", name.trim_start_matches('/'));
        if let Some(topic) = self.of_types(types).find(|(topic, _)| *topic == name) {
            return Ok(topic);
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
    fn usual(&self, namespace: &str, usual: &[&str], types: &[&str]) -> Option<(&'a str, &'a SampledTopic)> {
        let exact = |name: &str| self.of_types(types).find(|(topic, _)| *topic == name);
        if let Some(topic) = usual.iter().find_map(|name| exact(&format!("{namespace}{name}"))) {
            return Some(topic);
        }
        let is_of_another =
            |name: &str| self.of_types(types).any(|(topic, _)| topic.len() > name.len() && topic.ends_with(name));
        let topic = usual.iter().filter(|name| !is_of_another(name)).find_map(|name| exact(name))?;
        self.outside.borrow_mut().insert(topic.0);
        Some(topic)
    }

    /// The command in this namespace under a name of its own, if there is only one.
    fn other_command(&self, namespace: &str) -> Option<(&'a str, &'a SampledTopic)> {
        let is_command = |name: &str| bag::is_command(namespace, name);
        let mut commands = self.of_types(&COMMAND_TYPES).filter(|(name, _)| is_command(name));
        commands.next().filter(|_| commands.next().is_none())
    }

    /// The motions of the vehicle that the options name, or of all.
    fn motions(&self, options: &ReadOptions) -> Result<Vec<Motion>, ReadError> {
        let transforms = |wanted: &str| -> Vec<Motion> {
            let of_type = self.of_types(&[TFMessage::TYPE]);
            transforms::motions(of_type.filter(|(name, _)| wanted.is_empty() || name.starts_with(wanted)))
        };
        let motions = match &options.odometry {
            Some(name) => match transforms(&format!("/{}", name.trim_start_matches('/'))) {
                motions if motions.is_empty() => {
                    let (name, topic) = self.named(name, &POSE_TYPES)?;
                    vec![motion(name, topic)]
                }
                motions => motions,
            },
            None => {
                let motions = self.odometries(options.vehicle.is_some());
                let motions = if motions.is_empty() { transforms("") } else { motions };
                if motions.is_empty() { self.other_poses() } else { motions }
            }
        };
        let Some(vehicle) = options.vehicle.as_deref().filter(|_| options.odometry.is_none()) else {
            let none = || self.none("has no odometry", &POSE_TYPES).hint("--odom names a topic of poses");
            return if motions.is_empty() { Err(none().into()) } else { Ok(motions) };
        };
        let wanted = vehicle.trim_matches('/');
        let is_wanted = |motion: &Motion| motion.namespace.trim_start_matches('/') == wanted || motion.name == wanted;
        let of_vehicle: Vec<Motion> = motions.into_iter().filter(is_wanted).take(1).collect();
        if of_vehicle.is_empty() {
            return Err(self.none(format!("has no odometry of a vehicle \"{vehicle}\""), &POSE_TYPES).into());
        }
        Ok(of_vehicle)
    }

    /// The best odometry in each namespace; of `all`, or of those that are vehicles without doubt.
    fn odometries(&self, all: bool) -> Vec<Motion> {
        // Where the reference is in the frame of the odometry, the true poses come last.
        let shift = if self.contents.measured.in_odometry { ODOMETRY.len() - TRUTHS } else { 0 };
        // Which of the usual names a topic has, and the namespace before it.
        let usual = |name: &'a str| {
            let ranks = (0..ODOMETRY.len()).map(|rank| (rank + shift) % ODOMETRY.len());
            let ends = ranks.zip(ODOMETRY).filter_map(|(rank, end)| Some((rank, name.strip_suffix(end)?)));
            ends.min_by_key(|(_, start)| start.len())
        };
        let mut best: BTreeMap<&str, (usize, &str, &SampledTopic)> = BTreeMap::new();
        for (name, topic) in self.of_types(&POSE_TYPES) {
            let (rank, namespace) = match usual(name) {
                Some(ranked) => ranked,
                None if topic.kind == Odometry::TYPE => (ODOMETRY.len(), bag::namespace(name)),
                None => continue,
            };
            let known = best.entry(namespace).or_insert((rank, name, topic));
            if rank < known.0 {
                *known = (rank, name, topic);
            }
        }
        // A name of somebody's own beside usual ones is one more estimate rather than one more vehicle.
        let is_usual = |rank: usize| rank < ODOMETRY.len();
        let any_usual = best.values().any(|(rank, ..)| is_usual(*rank));
        best.retain(|_, (rank, ..)| all || !any_usual || is_usual(*rank));
        // So is what has a namespace beside a vehicle without one.
        if let Some(bare) = best.get("").copied().filter(|_| !all) {
            best = BTreeMap::from([("", bare)]);
        }
        let motion = |(namespace, (_, name, topic)): (&str, (usize, &str, &SampledTopic))| Motion {
            namespace: namespace.to_owned(),
            ..motion(name, topic)
        };
        best.into_iter().map(motion).collect()
    }

    /// The poses of a motion capture or a localization under names of their own: one topic in each namespace; goals are none.
    fn other_poses(&self) -> Vec<Motion> {
        let is_motion = |name: &str, topic: &SampledTopic| {
            let Samples::Poses(poses) = &topic.samples else { return false };
            !name.contains("goal") && poses.windows(2).any(|pair| pair[0].1.pose != pair[1].1.pose)
        };
        let of_type = self.of_types(&POSE_TYPES).filter(|(name, topic)| is_motion(name, topic));
        let mut motions: Vec<Motion> = of_type.map(|(name, topic)| motion(name, topic)).collect();
        motions.dedup_by(|later, first| later.namespace == first.namespace);
        motions
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

/// The motion that a topic of poses holds.
fn motion(name: &str, topic: &SampledTopic) -> Motion {
    let poses = if let Samples::Poses(poses) = &topic.samples { poses.clone() } else { Vec::new() };
    let usual = ODOMETRY.iter().filter_map(|usual| name.strip_suffix(usual)).min_by_key(|start| start.len());
    let namespace = usual.unwrap_or_else(|| bag::namespace(name));
    let vehicle = bag::vehicle_name(namespace, &topic.body_frame);
    Motion { source: name.to_owned(), namespace: namespace.to_owned(), name: vehicle, poses }
}

/// What a topic wants of the vehicle: places at their times, or paths without times.
fn wanted(topic: &SampledTopic, poses: &[PoseSample], clock: &Clock) -> (Vec<PositionSample>, Vec<WantedPath>) {
    let Samples::Plans(plans) = &topic.samples else { return (positions(topic, poses, clock), Vec::new()) };
    let timed: Option<Vec<Vec<PositionSample>>> = plans.iter().map(timed).collect();
    match timed.filter(|timed| timed.iter().any(|plan| is_during(plan, poses))) {
        // A plan holds until the next one begins.
        Some(timed) => {
            let starts: Vec<f64> = timed.iter().filter_map(|plan| Some(plan.first()?.time)).collect();
            let until = |index: usize| starts.get(index + 1).copied().unwrap_or(f64::INFINITY);
            let parts = timed.iter().enumerate();
            let parts = parts.flat_map(|(index, plan)| plan.iter().filter(move |sample| sample.time < until(index)));
            (parts.copied().collect(), Vec::new())
        }
        None => {
            let of_plan = |plan: &Plan| WantedPath {
                time: plan.stamp.unwrap_or_else(|| clock.at(plan.log_time)),
                points: plan.points.iter().map(|(_, point)| *point).collect(),
            };
            (Vec::new(), plans.iter().map(of_plan).filter(|path| !path.points.is_empty()).collect())
        }
    }
}

/// A plan as places at their times; none if its poses have no times, or not in their order.
fn timed(plan: &Plan) -> Option<Vec<PositionSample>> {
    let at = |(time, position): &(Option<f64>, Vec2)| Some(PositionSample { time: (*time)?, position: *position });
    let samples: Vec<PositionSample> = plan.points.iter().map(at).collect::<Option<_>>()?;
    (samples.len() > 1 && samples.windows(2).all(|pair| pair[0].time < pair[1].time)).then_some(samples)
}

/// Whether a plan has times at which the vehicle was seen.
fn is_during(plan: &[PositionSample], poses: &[PoseSample]) -> bool {
    let (Some(first), Some(last)) = (poses.first(), poses.last()) else { return false };
    plan.iter().any(|sample| sample.time >= first.time && sample.time <= last.time)
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
