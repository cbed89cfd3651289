//! Assigns each topic of a recording to a vehicle and a role, by the tables of the presets.
//!
//! A recording contains neither its preset nor its namespaces. The preset is the one that explains most of its topics, and its vehicles are
//! those that have a topic of poses.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use skidpad_record::bag::{ACKERMANN_DRIVE, TWIST_STAMPED, vehicle_name};
use skidpad_record::{STATE_TOPIC, WHEELS_TOPIC};
use skidpad_ros_data::interface::names::token;
use skidpad_ros_data::interface::rules::HINGE;
use skidpad_ros_data::message::content::type_name;
use skidpad_ros_data::message::{
    AckermannDriveStamped, Float64MultiArray, LaserScan, Message, Pedals, Twist, VehicleState,
};
use skidpad_ros_data::preset::{
    Content, InputKind, Joints, PRESETS, PlaceholderValues, Placeholders, Preset, SKIDPAD, WheelQuantity, racecar,
};
use skidpad_sim::sensor::SENSORS;
use skidpad_sim::sensor::lidar2d::ENTRY as LASER;
use skidpad_view::scene::{SceneView, SensorView};

use super::index::IndexedChannel;

/// The content of a topic about a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    /// Its true pose, and everything else shown of it except wheels and scans.
    State,
    /// Its true pose.
    Truth,
    /// Its pose as estimated by a localization.
    Estimate,
    /// Its pose by wheel odometry.
    Odometry,
    /// Its pose as a transform.
    Transform,
    Joints,
    Wheels,
    Wheel(WheelQuantity, usize),
    Touch,
    Overturned,
    Inertia,
    Velocity,
    Ackermann,
    Pedals,
    /// The reference pose of its driver.
    Reference,
    /// The desired velocity of its driver.
    PointVelocity,
    Scan,
    Outline,
}

/// A vehicle of the recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RecordedVehicle {
    /// Prefix of its topics: empty, or `/r1`.
    pub(super) prefix: String,
    /// The frame of its body, in recordings of others; empty: not known.
    pub(super) body_frame: String,
    /// Its number in presets that distinguish vehicles by number.
    pub(super) number: Option<usize>,
    /// Channels of its scans, in order.
    pub(super) scans: Vec<u16>,
    /// Channels with its pose, the best first.
    pub(super) poses: Vec<(Role, u16)>,
}

/// Vehicle and role of each topic of a recording.
#[derive(Debug)]
pub(super) struct TopicRoles {
    pub(super) preset: &'static Preset,
    pub(super) recorded_vehicles: Vec<RecordedVehicle>,
    /// Vehicle and role of each channel.
    pub(super) roles: Vec<Option<(usize, Role)>>,
    /// The frame of the map.
    pub(super) map_frame: String,
}

impl RecordedVehicle {
    /// Its name for display.
    pub(super) fn name(&self) -> String {
        match (self.number, self.prefix.trim_start_matches('/')) {
            (Some(number), _) => format!("car {}", number + 1),
            (None, prefix) => vehicle_name(prefix, &self.body_frame),
        }
    }

    fn words(&self, preset: &Preset) -> Placeholders {
        PlaceholderValues::new(preset.placeholders, |_| None).of(self.number.unwrap_or(0))
    }

    /// The absolute name of a topic of the preset.
    fn topic(&self, name: &str, words: &Placeholders) -> String {
        format!("{}/{}", self.prefix, words.resolve(name).trim_start_matches('/'))
    }
}

impl TopicRoles {
    /// Assigns the topics by the names of a preset; none if they have none of one. `names` are the names of the vehicles, if known.
    pub(super) fn of_preset(channels: &[IndexedChannel], names: &[&str]) -> Option<TopicRoles> {
        let mut best: Option<(usize, Reverse<usize>, TopicRoles)> = None;
        for preset in PRESETS {
            let topic_roles = TopicRoles::of(preset, recorded_vehicles(preset, channels, names), channels);
            let known = topic_roles.roles.iter().flatten().count();
            let length = Reverse(topic_roles.recorded_vehicles.iter().map(|recorded| recorded.prefix.len()).sum());
            let is_better = best.as_ref().is_none_or(|(most, shortest, _)| (known, length) > (*most, *shortest));
            if is_better && !topic_roles.recorded_vehicles.is_empty() {
                best = Some((known, length, topic_roles));
            }
        }
        best.map(|(.., topic_roles)| topic_roles.with_states())
    }

    /// The same, without the topics whose content a vehicle's `VehicleState` already has.
    fn with_states(mut self) -> TopicRoles {
        self.recorded_vehicles
            .iter_mut()
            .filter(|recorded| recorded.poses.first().is_some_and(|(role, _)| *role == Role::State))
            .for_each(|recorded| recorded.poses.truncate(1));
        for role in &mut self.roles {
            let Some((recorded, of)) = *role else { continue };
            let has_state = matches!(self.recorded_vehicles[recorded].poses[..], [(Role::State, _)]);
            let is_said = match of {
                Role::Truth
                | Role::Estimate
                | Role::Odometry
                | Role::Transform
                | Role::Touch
                | Role::Overturned
                | Role::Inertia => true,
                Role::Velocity | Role::Ackermann | Role::Pedals => true,
                Role::State | Role::Joints | Role::Wheels | Role::Wheel(..) => false,
                // `VehicleState` does not contain trackers outside the simulation.
                Role::Reference | Role::PointVelocity => false,
                Role::Scan | Role::Outline => false,
            };
            if has_state && is_said {
                *role = None;
            }
        }
        self
    }

    /// These vehicles, no role of a topic yet, and the usual frame of the map.
    pub(super) fn without_roles(
        preset: &'static Preset,
        recorded_vehicles: Vec<RecordedVehicle>,
        channels: &[IndexedChannel],
    ) -> TopicRoles {
        TopicRoles { preset, recorded_vehicles, roles: vec![None; channels.len()], map_frame: "map".to_owned() }
    }

    fn of(preset: &'static Preset, recorded_vehicles: Vec<RecordedVehicle>, channels: &[IndexedChannel]) -> TopicRoles {
        let mut topic_roles = TopicRoles::without_roles(preset, recorded_vehicles, channels);
        let mut known: BTreeMap<(String, &str), (usize, Role)> = BTreeMap::new();
        for (index, recorded) in topic_roles.recorded_vehicles.iter().enumerate() {
            for (name, kinds, role) in roles(preset, recorded) {
                for kind in kinds {
                    known.entry((name.clone(), kind)).or_insert((index, role));
                }
            }
        }
        for (role, channel) in topic_roles.roles.iter_mut().zip(channels) {
            if channel.has_messages() {
                *role = known.get(&(channel.topic.clone(), channel.kind.as_str())).copied();
            }
        }
        for (index, role) in topic_roles.roles.iter().enumerate() {
            if let Some((recorded, role @ (Role::State | Role::Truth | Role::Estimate | Role::Odometry))) = role {
                topic_roles.recorded_vehicles[*recorded].poses.push((*role, index as u16));
            }
        }
        let order = [Role::State, Role::Truth, Role::Estimate, Role::Odometry];
        for recorded in &mut topic_roles.recorded_vehicles {
            recorded.poses.sort_by_key(|(role, _)| order.iter().position(|known| known == role));
        }
        topic_roles.find_scans(channels);
        topic_roles
    }

    /// The channels of viewers that no topic of a vehicle tells, of it and of its wheels.
    pub(super) fn not_recorded(&self, recorded: usize) -> Vec<&'static str> {
        let has = |roles: &[Role]| {
            let of_vehicle = self.roles.iter().flatten().filter(|(index, _)| *index == recorded);
            of_vehicle.into_iter().any(|(_, role)| roles.contains(role))
        };
        let has_wheels =
            self.roles.iter().flatten().any(|entry| matches!(entry, (of, Role::Wheel(..)) if *of == recorded));
        let reported: [(&[Role], &[&'static str]); 10] = [
            (&[Role::Odometry, Role::Truth], &["vx", "vy", "yaw_rate"]),
            (&[Role::Inertia], &["ax", "ay"]),
            (&[Role::Odometry], &["odom_x", "odom_y", "odom_yaw"]),
            (&[Role::Velocity, Role::Ackermann], &["wanted_vx"]),
            (&[Role::Velocity], &["wanted_vy", "wanted_yaw_rate"]),
            (&[Role::Ackermann, Role::Pedals], &["wanted_steer"]),
            (&[Role::Pedals], &["throttle", "brake", "gear"]),
            (&[], &["engine_speed", "engine_torque"]),
            (
                &[Role::Reference],
                &["tracking_error", "point_x", "point_y", "reference_x", "reference_y", "reference_yaw", "driver"],
            ),
            (&[Role::Touch], &["colliding"]),
        ];
        let of_wheels = ["load", "lifted", "force_x", "force_y", "slip_ratio", "slip_angle"];
        let lacks_wheels = !(has(&[Role::Wheels]) || has_wheels);
        let missing = reported.iter().filter(|(roles, _)| !has(&[*roles, &[Role::State]].concat()));
        let missing = missing.flat_map(|(_, channels)| channels.iter().copied());
        missing.chain(of_wheels.into_iter().filter(|_| lacks_wheels)).collect()
    }

    /// The vehicle below whose name a topic lies.
    pub(super) fn owner(&self, topic: &str) -> Option<usize> {
        let below = |recorded: &RecordedVehicle| {
            let start = recorded.topic(&recorded.words(self.preset).own_prefix(), &Placeholders::default());
            topic.starts_with(&start).then_some(start.len())
        };
        let recorded_vehicles = self.recorded_vehicles.iter().enumerate();
        recorded_vehicles.filter_map(|(index, recorded)| Some((below(recorded)?, index))).max().map(|(_, index)| index)
    }

    /// Assigns each scan to a vehicle by its name.
    pub(super) fn find_scans(&mut self, channels: &[IndexedChannel]) {
        for (index, channel) in channels.iter().enumerate() {
            if channel.kind != LaserScan::TYPE || !channel.has_messages() {
                continue;
            }
            let is_first = |recorded: &RecordedVehicle| {
                let words = recorded.words(self.preset);
                let lasers = self.preset.sensors.iter().filter(|sensor| sensor.entry.name == LASER.name);
                lasers.flat_map(|laser| laser.topics).any(|name| recorded.topic(name, &words) == channel.topic)
            };
            let first = self.recorded_vehicles.iter().position(is_first);
            if let Some(recorded) = first.or_else(|| self.owner(&channel.topic)) {
                self.roles[index] = Some((recorded, Role::Scan));
                self.recorded_vehicles[recorded].scans.push(index as u16);
            }
        }
    }

    /// Index in the recording of each vehicle of these scenes.
    pub(super) fn vehicles(&self, scenes: &[SceneView]) -> Vec<Vec<Option<usize>>> {
        let last_part = |recorded: &RecordedVehicle| recorded.prefix.rsplit('/').next().unwrap_or_default().to_owned();
        let mut world = None;
        let mut alone = None;
        let mut numbers: BTreeMap<u64, usize> = BTreeMap::new();
        let mut vehicles = Vec::new();
        for scene in scenes {
            // A vehicle that was alone at the start of its world keeps bare names when others are added.
            if world.replace(&scene.name) != Some(&scene.name) {
                alone = match scene.vehicles.as_slice() {
                    [only] => Some(only.name.as_str()),
                    _ => None,
                };
            }
            numbers.retain(|id, _| scene.vehicles.iter().any(|vehicle| vehicle.id == *id));
            let of_scene = scene.vehicles.iter().map(|vehicle| {
                let free = (0..).find(|number| numbers.values().all(|taken| taken != number)).unwrap_or_default();
                let number = *numbers.entry(vehicle.id).or_insert(free);
                let position =
                    |is_wanted: &dyn Fn(&RecordedVehicle) -> bool| self.recorded_vehicles.iter().position(is_wanted);
                if self.recorded_vehicles.iter().any(|recorded| recorded.number.is_some()) {
                    return position(&|recorded| recorded.number == Some(number));
                }
                let by_name = || position(&|recorded| last_part(recorded) == token(&vehicle.name));
                let bare = || position(&|recorded| recorded.prefix.is_empty());
                if alone == Some(vehicle.name.as_str()) { bare().or_else(by_name) } else { by_name() }
            });
            vehicles.push(of_scene.collect());
        }
        vehicles
    }

    /// The sensor of a vehicle of this scene that a scan belongs to.
    pub(super) fn sensor(&self, recorded: usize, channel: &IndexedChannel, sensors: &[SensorView]) -> Option<usize> {
        let mut lidars = (0..sensors.len()).filter(|index| sensors[*index].count > 0);
        lidars.find(|index| self.sensor_topic(recorded, sensors, *index, "") == channel.topic)
    }

    /// The absolute name of a topic of a vehicle's sensor, by what it has after that of the sensor.
    pub(super) fn sensor_topic(&self, recorded: usize, sensors: &[SensorView], index: usize, suffix: &str) -> String {
        let recorded = &self.recorded_vehicles[recorded];
        let words = recorded.words(self.preset);
        let of_preset = self.preset.sensor(sensors.iter().map(class), index);
        let name = of_preset.and_then(|sensor| {
            let number = sensor.entry.topics.iter().position(|topic| topic.suffix == suffix)?;
            sensor.topics.get(number).map(|name| (*name).to_owned())
        });
        let default_name = || format!("{}{}{suffix}", words.own_prefix(), token(&sensors[index].name));
        recorded.topic(&name.unwrap_or_else(default_name), &words)
    }
}

/// The class of a sensor; empty if a recording does not say which.
fn class(sensor: &SensorView) -> &'static str {
    let known = SENSORS.iter().find(|entry| entry.name == sensor.class).map(|entry| entry.name);
    known.unwrap_or(if sensor.count > 0 { LASER.name } else { "" })
}

/// The vehicles that have a topic of poses by the names of a preset.
fn recorded_vehicles(preset: &Preset, channels: &[IndexedChannel], names: &[&str]) -> Vec<RecordedVehicle> {
    let is_pose = |content: Content| {
        matches!(content, Content::WheelOdometry(..) | Content::GroundTruth(..) | Content::PoseEstimate(_))
    };
    let of_preset = || preset.topics.iter().filter(|topic| is_pose(topic.content));
    // Name and type, the name with words in it.
    let topics = |words: &Placeholders| {
        let state_topic = (format!("{}{STATE_TOPIC}", words.own_prefix()), VehicleState::TYPE);
        of_preset().map(|topic| (topic.name.to_owned(), type_name(topic.content))).chain([state_topic])
    };
    let with_messages = || channels.iter().filter(|channel| channel.has_messages());
    if preset.has_agents() {
        let of_number = |number| RecordedVehicle { number: Some(number), ..RecordedVehicle::default() };
        let recorded_topics: BTreeSet<&str> = with_messages().map(|channel| channel.topic.as_str()).collect();
        let is_there = |recorded: &RecordedVehicle| {
            let words = recorded.words(preset);
            topics(&words).any(|(name, _)| recorded_topics.contains(recorded.topic(&name, &words).as_str()))
        };
        // Vehicles are added and removed, so numbers may be missing.
        return (0..channels.len()).map(of_number).filter(is_there).collect();
    }
    let words = RecordedVehicle::default().words(preset);
    let mut prefixes: Vec<String> = Vec::new();
    for channel in with_messages() {
        for (name, _) in topics(&words).filter(|(_, kind)| *kind == channel.kind) {
            let name = format!("/{}", words.resolve(&name).trim_start_matches('/'));
            if let Some(prefix) = channel.topic.strip_suffix(&name)
                && !prefixes.iter().any(|known| known == prefix)
            {
                prefixes.push(prefix.to_owned());
            }
        }
    }
    let is_name = |prefix: &String| {
        let last = prefix.rsplit('/').next().unwrap_or_default();
        last.is_empty() || names.iter().any(|name| token(name) == last)
    };
    if prefixes.iter().any(is_name) && !names.is_empty() {
        prefixes.retain(is_name);
    }
    prefixes.into_iter().map(|prefix| RecordedVehicle { prefix, ..RecordedVehicle::default() }).collect()
}

/// Name, types and meaning of the topics of a vehicle.
fn roles(preset: &Preset, recorded: &RecordedVehicle) -> Vec<(String, Vec<&'static str>, Role)> {
    let words = recorded.words(preset);
    let mut roles = Vec::new();
    let mut add = |name: &str, kinds: &[&'static str], role| {
        roles.push((recorded.topic(name, &words), kinds.to_vec(), role));
    };
    for topic in preset.topics {
        let role = match topic.content {
            Content::WheelOdometry(..) => Role::Odometry,
            Content::GroundTruth(..) => Role::Truth,
            Content::PoseEstimate(_) => Role::Estimate,
            Content::JointStates | Content::JointFeedback => Role::Joints,
            Content::WheelStates => Role::Wheels,
            Content::Wheel(quantity, wheel) => Role::Wheel(quantity, wheel),
            Content::Collision => Role::Touch,
            Content::Overturned => Role::Overturned,
            Content::Imu(_) => Role::Inertia,
            Content::ChassisPolygon => Role::Outline,
            Content::VehicleState => Role::State,
            Content::OtherTruth(..)
            | Content::PoseCloud(_)
            | Content::LapCount
            | Content::LapTime
            | Content::ChassisMarkers(_)
            | Content::VescState
            | Content::VescImu
            | Content::ServoPosition
            | Content::Acceleration(_)
            | Content::Autoware(_) => continue,
        };
        add(topic.name, &[type_name(topic.content)], role);
    }
    // Topics that recordings have under every preset.
    let own_prefix = words.own_prefix();
    add(&format!("{own_prefix}{STATE_TOPIC}"), &[VehicleState::TYPE], Role::State);
    add(&format!("{own_prefix}{WHEELS_TOPIC}"), &[type_name(Content::WheelStates)], Role::Wheels);
    add("joint_states", &[type_name(Content::JointStates)], Role::Joints);
    // As in the recorder: names of the default preset where this one has none.
    for input in preset.inputs.iter().chain(SKIDPAD.inputs).chain(&racecar::INPUTS) {
        match input.kind {
            InputKind::Velocity => add(input.name, &[Twist::TYPE, TWIST_STAMPED], Role::Velocity),
            InputKind::Ackermann => add(input.name, &[AckermannDriveStamped::TYPE, ACKERMANN_DRIVE], Role::Ackermann),
            InputKind::Pedals => add(input.name, &[Pedals::TYPE], Role::Pedals),
            _ => {}
        }
    }
    add(racecar::NAVIGATION, &[AckermannDriveStamped::TYPE], Role::Ackermann);
    add(racecar::REFERENCE_TRAJECTORY, &[Float64MultiArray::TYPE], Role::Reference);
    add(racecar::VIRTUAL_VELOCITIES, &[Float64MultiArray::TYPE], Role::PointVelocity);
    roles
}

/// The entry of a frame for a vehicle with this prefix: in the tree of its namespace, otherwise in the common tree.
pub(super) fn of_tree<'a, T>(frames: &'a BTreeMap<(String, String), T>, prefix: &str, frame: &str) -> Option<&'a T> {
    let in_tree = |prefix: &str| frames.get(&(prefix.to_owned(), frame.to_owned()));
    in_tree(prefix).or_else(|| in_tree(""))
}

/// Wheel of a joint by its name, and whether it is the wheel's steering.
pub(super) fn joint(preset: &Preset, name: &str, wheels: &[String]) -> Option<(usize, bool)> {
    let named = match preset.joints {
        Joints::Named(named) => named,
        Joints::AsWheels | Joints::AsControllers => &[],
    };
    if let Some((_, wheel, steers)) = named.iter().find(|(known, ..)| *known == name) {
        return Some((*wheel, *steers));
    }
    if name == HINGE {
        // Of an articulated vehicle, whose front wheels turn with it.
        return Some((wheels.iter().position(|known| known == "fl_wheel")?, true));
    }
    let (wheel, steers) = name.strip_suffix("_steer").map_or((name, false), |wheel| (wheel, true));
    Some((wheels.iter().position(|known| known == wheel)?, steers))
}
