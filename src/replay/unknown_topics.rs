//! Assigns topics of recordings whose names are of no preset: vehicles by their odometry, or else by their transforms, or else by poses,
//! and the commands in their namespaces.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use skidpad_math::Pose3;
use skidpad_record::bag::{
    self, ACKERMANN_DRIVE, POSE_WITH_COVARIANCE_STAMPED, TWIST_STAMPED, is_fixed_frame, vehicle_name,
};
use skidpad_ros_data::message::{
    AckermannDriveStamped, Message, Odometry, PoseStamped, TFMessage, TransformStamped, Twist,
};
use skidpad_ros_data::preset::SKIDPAD;

use super::decode;
use super::index::IndexedChannel;
use super::recording::Recording;
use super::topics::{RecordedVehicle, Role, TopicRoles};

/// A source of a vehicle's poses.
struct Source {
    channel: u16,
    role: Role,
    namespace: String,
    body_frame: String,
}

/// Vehicle and role of each topic; without vehicles if nothing has a pose.
pub(super) fn roles(recording: &mut Recording) -> TopicRoles {
    let finders = [odometries, bodies, poses];
    let mut sources =
        finders.into_iter().map(|finder| finder(recording)).find(|sources| !sources.is_empty()).unwrap_or_default();
    let channels = &recording.channels;
    let mut roles = TopicRoles::without_roles(&SKIDPAD, Vec::new(), channels);
    // Of several estimates of one vehicle the one that unites the others is shown.
    let topic = |source: &Source| channels[usize::from(source.channel)].topic.as_str();
    sources.sort_by_key(|source| Reverse(topic(source).contains("filtered")));
    let mut vehicles: BTreeMap<(String, String), RecordedVehicle> = BTreeMap::new();
    for Source { channel, role, namespace, body_frame } in sources {
        let key = (namespace.clone(), body_frame.clone());
        let new = RecordedVehicle { prefix: namespace, body_frame, ..RecordedVehicle::default() };
        vehicles.entry(key).or_insert(new).poses.push((role, channel));
    }
    roles.recorded_vehicles = vehicles.into_values().collect();
    for (index, vehicle) in roles.recorded_vehicles.iter().enumerate() {
        for (role, channel) in &vehicle.poses {
            roles.roles[usize::from(*channel)] = Some((index, *role));
        }
    }
    for index in 0..roles.recorded_vehicles.len() {
        if let Some((channel, role)) = command(index, &roles.recorded_vehicles, channels) {
            roles.roles[channel] = Some((index, role));
        }
    }
    roles.find_scans(channels);
    roles
}

/// The channels that satisfy a condition.
fn channels_where(recording: &Recording, is_wanted: impl Fn(&IndexedChannel) -> bool) -> Vec<u16> {
    let matches = |channel: &IndexedChannel| channel.has_messages() && is_wanted(channel);
    let channels = recording.channels.iter().enumerate().filter(|(_, channel)| matches(channel));
    channels.map(|(index, _)| index as u16).collect()
}

fn odometries(recording: &mut Recording) -> Vec<Source> {
    let channels = channels_where(recording, |channel| channel.kind == Odometry::TYPE);
    let source = |channel: u16| {
        let message = recording.next(channel, i64::MIN);
        let first = message.and_then(|message| decode::read::<Odometry>(message.data())).unwrap_or_default();
        let namespace = bag::namespace(&recording.channels[usize::from(channel)].topic).to_owned();
        Source { channel, role: Role::Odometry, namespace, body_frame: first.child_frame_id }
    };
    channels.into_iter().map(source).collect()
}

/// The moving frames right below those that stand.
fn bodies(recording: &mut Recording) -> Vec<Source> {
    let mut sources = Vec::new();
    for channel in channels_where(recording, |channel| channel.child.is_some() && !channel.topic.ends_with("_static")) {
        let ends = [recording.next(channel, i64::MIN), recording.last(channel, i64::MAX)];
        let IndexedChannel { topic, child, .. } = &recording.channels[usize::from(channel)];
        let Some(child) = child else { continue };
        let transforms = ends.map(|message| transform_of(message?.data(), child));
        let [Some(first), Some(last)] = transforms else { continue };
        let parent = first.header.frame_id.as_str();
        let is_child = recording.channels.iter().any(|other| other.child.as_deref() == Some(parent));
        let is_part = parent.rsplit('/').next().is_some_and(|last| last.starts_with("base"));
        let stands = is_fixed_frame(parent) || !(is_child || is_part);
        if stands && !is_fixed_frame(child) && first.transform != last.transform {
            let namespace = bag::namespace(topic).to_owned();
            sources.push(Source { channel, role: Role::Transform, namespace, body_frame: child.clone() });
        }
    }
    sources
}

/// Poses of a motion capture or a localization; goals are none.
fn poses(recording: &mut Recording) -> Vec<Source> {
    let kinds = [PoseStamped::TYPE, POSE_WITH_COVARIANCE_STAMPED];
    let is_pose = |channel: &IndexedChannel| kinds.contains(&channel.kind.as_str()) && !channel.topic.contains("goal");
    let channels = channels_where(recording, is_pose);
    let source = |channel: u16| {
        let namespace = bag::namespace(&recording.channels[usize::from(channel)].topic).to_owned();
        Source { channel, role: Role::Estimate, namespace, body_frame: String::new() }
    };
    channels.into_iter().map(source).collect()
}

/// The transform to this frame in a message.
fn transform_of(data: &[u8], child: &str) -> Option<TransformStamped> {
    let transforms = decode::read::<TFMessage>(data)?.transforms;
    transforms.into_iter().find(|transform| transform.child_frame_id == child)
}

/// The parent of a frame, and its pose in it, by a message of transforms.
pub(super) fn pose_of_frame(data: &[u8], child: &str) -> Option<(String, Pose3)> {
    let transform = transform_of(data, child)?;
    Some((transform.header.frame_id, decode::pose(transform.transform.translation, transform.transform.rotation)))
}

/// The commands of a vehicle: in its namespace, or below its name; of several those with the most usual name.
fn command(index: usize, vehicles: &[RecordedVehicle], channels: &[IndexedChannel]) -> Option<(usize, Role)> {
    let below = |vehicle: &RecordedVehicle| format!("/{}", vehicle_name(&vehicle.prefix, &vehicle.body_frame));
    let (prefix, own_name) = (vehicles[index].prefix.as_str(), below(&vehicles[index]));
    let other_names: Vec<String> = vehicles.iter().map(below).filter(|other| *other != own_name).collect();
    let role = |kind: &str| match kind {
        Twist::TYPE | TWIST_STAMPED => Some(Role::Velocity),
        AckermannDriveStamped::TYPE | ACKERMANN_DRIVE => Some(Role::Ackermann),
        _ => None,
    };
    let all = channels.iter().enumerate().filter(|(_, channel)| channel.has_messages());
    let commands = all.filter_map(|(number, channel)| {
        let name = channel.topic.as_str();
        let is_usual = ["/cmd_vel", "/ackermann_cmd", "/drive"].iter().any(|end| name.ends_with(end));
        let is_below = |space: &str| bag::is_command(space, name);
        let is_own = is_below(&own_name) || (is_below(prefix) && !other_names.iter().any(|other| is_below(other)));
        let order = (!is_below(&own_name), !is_usual, name.len());
        is_own.then_some((order, number, role(&channel.kind)?))
    });
    commands.min_by(|a, b| a.0.cmp(&b.0)).map(|(_, number, role)| (number, role))
}
