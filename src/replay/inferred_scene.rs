//! Infers a scene for recordings that describe none: a plain shape for each vehicle, its sensors from their messages and transforms, and the
//! maps.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec2};
use skidpad_record::bag::{NavPath, PATH, PLANS};
use skidpad_ros_data::interface::rules;
use skidpad_ros_data::message::{LaserScan, Odometry, TFMessage};
use skidpad_sim::raycast::OccupancyGrid;
use skidpad_sim::sensor::{ScanGeometry, SensorInfo, SensorKind};
use skidpad_sim::world::{EntityId, Scene, VehicleInfo, WheelInfo};
use skidpad_view::build::scene_view;
use skidpad_view::files::Files;
use skidpad_view::scene::SceneView;

use super::decode;
use super::index::IndexedChannel;
use super::recording::Recording;
use super::replay_state::ReplayState;
use super::sensor_data::{self, SensorChannels};
use super::topics::{self, RecordedVehicle, Role, TopicRoles};

/// Wheelbase of a car whose size is unknown [m]: that of a 1:10 model.
const WHEELBASE: f64 = 0.33;
/// Half its track width [m].
const HALF_TRACK: f64 = 0.12;
/// Radius of its wheels [m].
const RADIUS: f64 = 0.05;
/// Mass [kg] that the scale of drawn forces fits.
const MASS: f64 = 4.0;
/// Width of its wheels [m].
const WIDTH: f64 = 0.04;
/// Lower and upper end of its chassis [m].
const CHASSIS: [f64; 2] = [0.04, 0.16];
/// Colours assigned to vehicles in turn.
const COLORS: [[u8; 4]; 6] = [
    [214, 69, 65, 255],
    [52, 120, 199, 255],
    [60, 160, 92, 255],
    [222, 156, 42, 255],
    [137, 92, 178, 255],
    [54, 158, 164, 255],
];
/// Static transforms are searched for in this many messages of each topic.
const MAX_FIXED: usize = 64;

/// A scene with its files, channel, vehicle and sensor of each scan, and the channels of clouds and pictures.
pub(super) type InferredScene = (SceneView, Files, Vec<(u16, usize, usize)>, SensorChannels);

/// Infers the scene; its vehicles are those of the recording, in order.
pub(super) fn scene(
    path: &Path,
    recording: &mut Recording,
    topic_roles: &TopicRoles,
    maps: Vec<OccupancyGrid>,
) -> InferredScene {
    let parents = fixed_frames(recording);
    let (mut vehicles, mut scans) = (Vec::new(), Vec::new());
    for (index, recorded) in topic_roles.recorded_vehicles.iter().enumerate() {
        let recorded = &RecordedVehicle { body_frame: body_frame(recording, recorded), ..recorded.clone() };
        let outline = outline(recording, topic_roles, index);
        let wheels = wheels(recording, topic_roles, index);
        let mut sensors = Vec::new();
        for &channel in &recorded.scans {
            if let Some(sensor) = sensor(recording, channel, &parents, &recorded.prefix) {
                scans.push((channel, index, sensors.len()));
                sensors.push(sensor);
            }
        }
        vehicles.push(VehicleInfo {
            id: EntityId(index as u64 + 1),
            name: recorded.name(),
            outline: outline.unwrap_or_else(|| plain_outline(&wheels)),
            chassis_z: CHASSIS,
            color: COLORS[index % COLORS.len()],
            wheels,
            sensors,
            reference_path: plan(recording, &recorded.prefix),
            ..VehicleInfo::default()
        });
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let maps = maps.into_iter().map(Arc::new).collect();
    let (mut view, files) = scene_view(&Scene { name, vehicles, maps, step: SimTime(1_000_000), ..Scene::default() });
    for (index, vehicle) in view.vehicles.iter_mut().enumerate() {
        vehicle.not_recorded = topic_roles.not_recorded(index).iter().map(|name| (*name).to_owned()).collect();
        // Arrows need a scale, though nobody knows the weight.
        let outline = vehicle.outline.iter().map(|[x, y]| Vec2::new(*x, *y)).collect();
        vehicle.force_scale = rules::force_scale(&VehicleInfo { outline, mass: MASS, ..VehicleInfo::default() });
    }
    let sensor_data = sensor_data::infer(&mut view, recording, topic_roles, &parents);
    (view, files, scans, sensor_data)
}

/// The frame of a vehicle's body: as its odometry says, unless it is known.
fn body_frame(recording: &mut Recording, recorded: &RecordedVehicle) -> String {
    let first = match recorded.poses.first() {
        Some((Role::Odometry | Role::Truth, channel)) if recorded.body_frame.is_empty() => {
            recording.next(*channel, i64::MIN)
        }
        _ => None,
    };
    let odometry = first.and_then(|message| decode::read::<Odometry>(message.data()));
    odometry.map_or_else(|| recorded.body_frame.clone(), |odometry| odometry.child_frame_id)
}

/// The first path [m] that a vehicle is to follow, of a planner in its namespace; empty: none.
fn plan(recording: &mut Recording, prefix: &str) -> Vec<Vec2> {
    let of_name = |end: &str| {
        let is_path = |channel: &IndexedChannel| channel.kind == PATH && channel.topic == format!("{prefix}{end}");
        recording.channels.iter().position(is_path)
    };
    let Some(channel) = PLANS.iter().find_map(|end| of_name(end)) else { return Vec::new() };
    let first = recording.next(channel as u16, i64::MIN);
    let path = first.and_then(|message| decode::read::<NavPath>(message.data()));
    let points = path.into_iter().flat_map(|path| path.poses);
    let points = points.map(|pose| Vec2::new(pose.pose.position.x, pose.pose.position.y));
    points.filter(|point| point.is_finite()).collect()
}

/// Parent and pose of each static frame, by the prefix of its topic and its name.
pub(super) type Parents = BTreeMap<(String, String), (String, Pose3)>;

/// The static frames of a recording.
fn fixed_frames(recording: &mut Recording) -> Parents {
    let mut parents = BTreeMap::new();
    for index in 0..recording.channels.len() {
        let channel = &recording.channels[index];
        if channel.child.is_none() || !channel.topic.ends_with("tf_static") {
            continue;
        }
        let prefix = channel.prefix().to_owned();
        let mut time = i64::MIN;
        for _ in 0..MAX_FIXED {
            let Some(message) = recording.next(index as u16, time) else { break };
            time = message.time();
            let transforms = decode::read::<TFMessage>(message.data()).unwrap_or_default().transforms;
            for transform in transforms {
                let pose = decode::pose(transform.transform.translation, transform.transform.rotation);
                parents.insert((prefix.clone(), transform.child_frame_id), (transform.header.frame_id, pose));
            }
        }
    }
    parents
}

/// Pose of a static frame in that of the body.
pub(super) fn body_from_frame(parents: &Parents, prefix: &str, frame: &str) -> Pose3 {
    let mut body_from_frame = Pose3::default();
    let mut frame = frame;
    // At most as many steps as there are frames: a foreign recording may have a cycle.
    for _ in 0..parents.len() {
        let Some((parent, pose)) = topics::of_tree(parents, prefix, frame) else { break };
        body_from_frame = *pose * body_from_frame;
        frame = parent;
    }
    body_from_frame
}

/// The sensor of a channel of scans; none if its first message is malformed.
fn sensor(recording: &mut Recording, channel: u16, parents: &Parents, prefix: &str) -> Option<SensorInfo> {
    let message = recording.next(channel, i64::MIN)?;
    let scan: LaserScan = decode::read(message.data())?;
    let body_from_sensor = body_from_frame(parents, prefix, &scan.header.frame_id);
    let geometry = ScanGeometry {
        count: scan.ranges.len(),
        angle_min: f64::from(scan.angle_min),
        angle_increment: f64::from(scan.angle_increment),
        range_min: f64::from(scan.range_min),
        range_max: f64::from(scan.range_max),
        range_std: 0.0,
        has_points: false,
        has_labels: false,
        white: None,
        motion: None,
    };
    let topic = &recording.channels[usize::from(channel)].topic;
    let name = topic.rsplit('/').next().unwrap_or_default().to_owned();
    let period = SimTime::from_secs(f64::from(scan.scan_time));
    Some(SensorInfo { name, period, body_from_sensor, kind: SensorKind::Lidar2d(geometry) })
}

/// The channel of a vehicle with this role.
fn channel_of(topic_roles: &TopicRoles, recorded: usize, role: Role) -> Option<u16> {
    topic_roles.roles.iter().position(|known| *known == Some((recorded, role))).map(|index| index as u16)
}

fn outline(recording: &mut Recording, topic_roles: &TopicRoles, recorded: usize) -> Option<Vec<Vec2>> {
    let message = recording.next(channel_of(topic_roles, recorded, Role::Outline)?, i64::MIN)?;
    let outline = decode::outline(&decode::read(message.data())?);
    (outline.len() >= 3 && outline.iter().all(|corner| corner.is_finite())).then_some(outline)
}

/// The wheels by their names: at the corners for a car with four, otherwise to the left and right of the origin.
fn wheels(recording: &mut Recording, topic_roles: &TopicRoles, recorded: usize) -> Vec<WheelInfo> {
    let mut state = ReplayState::new(topic_roles);
    for role in [Role::Joints, Role::Wheels] {
        let message = channel_of(topic_roles, recorded, role).and_then(|channel| recording.next(channel, i64::MIN));
        if let Some(message) = message {
            state.take(topic_roles, &recording.channels, &message);
        }
    }
    let names = state.wheels(recorded);
    let is_car = names.len() == 4;
    let wheel = |(index, name): (usize, &String)| {
        let is_front = name.starts_with('f') || name.contains("front");
        let is_left = name.contains("left") || name.get(1..2) == Some("l");
        let is_right = name.contains("right") || name.get(1..2) == Some("r");
        let side = if is_left || (!is_right && index % 2 == 0) { HALF_TRACK } else { -HALF_TRACK };
        WheelInfo {
            name: name.clone(),
            position: Vec2::new(if is_front && is_car { WHEELBASE } else { 0.0 }, side),
            radius: RADIUS,
            width: WIDTH,
            steered: is_front && is_car,
            color: [40, 40, 40, 255],
            ..WheelInfo::default()
        }
    };
    names.iter().enumerate().map(wheel).collect()
}

/// A box around the wheels, or a default box without wheels.
fn plain_outline(wheels: &[WheelInfo]) -> Vec<Vec2> {
    let front = wheels.iter().map(|wheel| wheel.position.x).fold(0.0, f64::max);
    let (front, back, side) = if front > 0.0 { (front + 0.1, -0.1, HALF_TRACK) } else { (0.2, -0.2, 0.15) };
    [(front, side), (back, side), (back, -side), (front, -side)].map(|(x, y)| Vec2::new(x, y)).to_vec()
}
