//! The contents of MCAP and rosbag2 recordings beyond poses and velocity commands: pedals, and the readings of an
//! inertial sensor and of the joints of the wheels.
//!
//! Times are those of the headers. The inertial sensor is assumed to have the axes of the body and to be at the marker;
//! the joints turn wheels of the radius that the config states.

use std::collections::BTreeMap;
use std::path::Path;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::time::SimTime;
use skidpad_record::bag::{self, Visitor, nanoseconds};
use skidpad_ros_data::message::{Header, Imu, JointState, Message, Pedals, cdr};

use super::IdentifyError;
use super::columns::Role;
use super::config::Topics;
use super::recording::Recording;

/// Most names of joints that are kept of a topic, besides those of the config: a real robot has fewer.
const MAX_JOINTS: usize = 1_000;

/// Quantities over the time of the headers [s], which unlike that of a [`Recording`] does not start at 0.
pub(super) type Series = Recording;

/// The series of the topics that a config selects.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// Throttle, brake and steering, by topic: of the topic that the config names, or else of each topic of pedals.
    pub pedals: BTreeMap<String, Series>,
    /// Accelerations and yaw rate of the inertial sensor.
    pub imu: Option<Series>,
    /// Mean circumferential speed of the wheels.
    pub wheels: Option<Series>,
    /// Notes on messages that were left out or reinterpreted.
    pub notes: Vec<Diagnostic>,
}

/// The absolute name of a topic, with the slash in front.
pub(super) fn absolute_name(name: &str) -> String {
    format!("/{}", name.trim_start_matches('/'))
}

/// Collects the messages of one file.
struct Collector<'a> {
    topics: &'a Topics,
    all: &'a mut BTreeMap<String, Topic>,
    /// Names of the topics of this file, by their id.
    names: BTreeMap<u64, String>,
}

/// A topic of a recording.
#[derive(Debug, Default)]
struct Topic {
    kind: String,
    /// Time [s], and the quantities in the order of [`roles`].
    rows: Vec<(f64, [f64; 3])>,
    /// Names of joints in its messages.
    joints: Vec<String>,
    /// Count of messages that cannot be decoded.
    broken: usize,
    /// Count of pedal commands whose gear is not drive.
    not_ahead: usize,
}

/// The quantities that a type of message holds.
fn roles(kind: &str) -> &'static [Role] {
    match kind {
        Pedals::TYPE => &[Role::CommandThrottle, Role::CommandBrake, Role::CommandSteering],
        Imu::TYPE => &[Role::Ax, Role::Ay, Role::YawRate],
        JointState::TYPE => &[Role::WheelSpeed],
        _ => &[],
    }
}

impl Visitor for Collector<'_> {
    fn topic(&mut self, id: u64, name: &str, kind: &str) -> bool {
        self.all.entry(name.into()).or_default().kind = kind.into();
        self.names.insert(id, name.into());
        let is_named = |wanted: &str| !wanted.is_empty() && absolute_name(wanted) == name;
        match kind {
            Pedals::TYPE => self.topics.command.is_empty() || is_named(&self.topics.command),
            Imu::TYPE => is_named(&self.topics.imu),
            JointState::TYPE => is_named(&self.topics.joint_states.topic),
            _ => false,
        }
    }

    fn message(&mut self, id: u64, time: i64, data: &[u8]) {
        let Some(topic) = self.names.get(&id).and_then(|name| self.all.get_mut(name)) else { return };
        let at = |header: &Header| SimTime(nanoseconds(header.stamp).unwrap_or(time)).secs();
        let row = match topic.kind.as_str() {
            Pedals::TYPE => cdr::read(data).map(|message: Pedals| {
                topic.not_ahead += usize::from(message.gear != Pedals::DRIVE);
                (at(&message.header), [message.throttle, message.brake, message.steering_angle])
            }),
            Imu::TYPE => cdr::read(data).map(|message: Imu| {
                let Imu { linear_acceleration: a, angular_velocity, .. } = message;
                (at(&message.header), [a.x, a.y, angular_velocity.z])
            }),
            _ => cdr::read(data).map(|message: JointState| {
                let wheels = &self.topics.joint_states;
                for name in &message.name {
                    let is_wanted = topic.joints.len() < MAX_JOINTS || wheels.joints.contains(name);
                    if is_wanted && !topic.joints.contains(name) {
                        topic.joints.push(name.clone());
                    }
                }
                let rate = |name: &String| {
                    let index = message.name.iter().position(|joint| joint == name)?;
                    message.velocity.get(index).copied()
                };
                let sum: f64 = wheels.joints.iter().map(|name| rate(name).unwrap_or(f64::NAN)).sum();
                (at(&message.header), [wheels.wheel_radius * sum / wheels.joints.len().max(1) as f64, 0.0, 0.0])
            }),
        };
        match row {
            Ok(row) => topic.rows.push(row),
            Err(_) => topic.broken += 1,
        }
    }
}

/// Reads the messages of a recording.
///
/// # Errors
/// The recording cannot be read, or lacks a topic or a joint that the config names.
pub(super) fn read(path: &Path, topics: &Topics) -> Result<Messages, IdentifyError> {
    let mut all = BTreeMap::new();
    // Problems with files are reported by the reader of poses.
    bag::visit_files(path, "are read", &mut Vec::new(), |mut file, _| {
        file.scan(&mut Collector { topics, all: &mut all, names: BTreeMap::new() }, &mut Vec::new());
    })?;
    let wrong = |found: String| Diagnostic::new(path.display(), found);
    let named = |wanted: &str, kind: &str| {
        if wanted.is_empty() {
            return Ok(None);
        }
        let name = absolute_name(wanted);
        match all.get(&name) {
            Some(topic) if topic.kind == kind && !topic.rows.is_empty() => Ok(Some(topic)),
            _ => {
                let same_type = all.iter().filter(|(_, topic)| topic.kind == kind).map(|(name, _)| name.as_str());
                let same_type: Vec<&str> = same_type.collect();
                let message = wrong(format!("no {kind} on {name}"));
                Err(match same_type.is_empty() {
                    true => message.accepted("none, the recording has no such topic"),
                    false => message.one_of(&name, &same_type),
                })
            }
        }
    };
    let imu = named(&topics.imu, Imu::TYPE)?.map(Topic::series);
    let wheels = named(&topics.joint_states.topic, JointState::TYPE)?;
    if let Some(topic) = wheels
        && let Some(missing) = topics.joint_states.joints.iter().find(|joint| !topic.joints.contains(joint))
    {
        let name = absolute_name(&topics.joint_states.topic);
        let message = wrong(format!("no joint \"{missing}\" on {name}"));
        return Err(message.one_of(missing, &topic.joints).into());
    }
    let mut notes = Vec::new();
    for (name, topic) in &all {
        if topic.broken > 0 {
            let found = format!("{} messages are not {}, left out", topic.broken, topic.kind);
            notes.push(Diagnostic::new(name, found));
        }
        if topic.not_ahead > 0 {
            let found = format!(
                "{} of {} commands are not in forward gear: they are treated as if they were",
                topic.not_ahead,
                topic.rows.len()
            );
            notes.push(Diagnostic::new(name, found));
        }
    }
    let wheels = wheels.map(Topic::series);
    let pedals = all.iter().filter(|(_, topic)| topic.kind == Pedals::TYPE && !topic.rows.is_empty());
    let pedals = pedals.map(|(name, topic)| (name.clone(), topic.series())).collect();
    Ok(Messages { pedals, imu, wheels, notes })
}

impl Topic {
    /// The quantities in the order of time, without repeated times.
    fn series(&self) -> Series {
        let mut rows = self.rows.clone();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        rows.dedup_by(|a, b| a.0 == b.0);
        let columns = roles(&self.kind).iter().enumerate();
        Series {
            time: rows.iter().map(|(time, _)| *time).collect(),
            columns: columns.map(|(k, role)| (*role, rows.iter().map(|(_, row)| row[k]).collect())).collect(),
            ..Series::default()
        }
    }
}
