//! Names of topics, of the node and of recordings, as one table: skidpad's own, and those of the systems that it can replace.
//!
//! A [`Preset`] is one entry of [`PRESETS`], each with a file of its own: published topics with frames
//! and rates, subscribed topics, and the supported parameters of that system. The ROS node and recordings follow the
//! table, `skidpad list presets` prints it, and `docs/presets.md` contains that output.
//!
//! Names may contain placeholders, such as `/{ego}/odom`, which are resolved for each vehicle ([`Placeholder`]).

mod autoware;
mod content;
mod f1tenth_gym_ros;
mod f1tenth_system;
pub mod frame_names;
mod mvsim;
mod nav2_loopback;
mod placeholders;
pub mod racecar;
mod ros2_control;
mod setting;
mod skidpad;
mod turtlebot3;
mod variable;

use skidpad_sim::sensor::SensorEntry;

pub use autoware::AUTOWARE;
pub use content::{AutowareReport, Condition, Content, Input, Pace, Service, Topic, VehicleContext, WheelQuantity};
pub use f1tenth_gym_ros::F1TENTH_GYM_ROS;
pub use f1tenth_system::F1TENTH_SYSTEM;
pub use f1tenth_system::vesc;
use frame_names::BASE;
pub use mvsim::MVSIM;
pub use nav2_loopback::NAV2_LOOPBACK;
pub use placeholders::{Placeholder, PlaceholderValues, Placeholders, opponent};
pub use racecar::RACECAR_GAZEBO;
pub use ros2_control::{JOINT_COMMANDS, JOINT_STATES, ROS2_CONTROL};
pub use setting::{Effect, Setting, Value};
pub use skidpad::SKIDPAD;
pub use turtlebot3::TURTLEBOT3;
pub use variable::PresetVariable;

pub use crate::message::autoware_desk::{AutowareInput, Seat};
pub use crate::message::commands::{InputKind, Motor};

/// Topics and frame of a sensor of a vehicle.
#[derive(Debug)]
pub struct PresetSensor {
    /// Its class.
    pub entry: &'static SensorEntry,
    /// Its number among the vehicle's sensors of that class, from 0.
    pub number: usize,
    /// Names of its topics, as in [`Topic`], in the order of [`SensorEntry::topics`].
    pub topics: &'static [&'static str],
    /// Its frame.
    pub frame: &'static str,
    /// The link at the same place of which x points ahead, where that is another frame than that of the sensor; if they have one name, it has
    /// this pose.
    pub link: Option<&'static str>,
}

impl PresetSensor {
    /// A sensor that is in this frame alone.
    const fn new(
        entry: &'static SensorEntry,
        number: usize,
        topics: &'static [&'static str],
        frame: &'static str,
    ) -> PresetSensor {
        PresetSensor { entry, number, topics, frame, link: None }
    }
}

/// The interface of one system.
#[derive(Debug)]
pub struct Preset {
    /// Its name for users.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The topics that a vehicle publishes, besides transforms and scans.
    pub topics: &'static [Topic],
    /// The topics that a vehicle subscribes to.
    pub inputs: &'static [Input],
    /// The placeholders allowed in names.
    pub placeholders: &'static [Placeholder],
    /// Names of the joints.
    pub joints: Joints,
    /// Its transforms.
    pub frames: Frames,
    /// Links of wheels in the URDF: name, index of the wheel, and whether it is what steers it. Others are called as their joints, with
    /// `_link`.
    pub wheel_links: &'static [(&'static str, usize, bool)],
    /// Rate of odometry and related topics unless set by the parameter `odom_rate` [Hz].
    pub odometry_rate: f64,
    /// Rate of the topics with [`Pace::Second`] [Hz].
    pub second_rate: f64,
    /// Topics and frames of the first sensors of a class on each vehicle; those of all others follow from the sensor's name.
    pub sensors: &'static [PresetSensor],
    /// Topics of the first occupancy map and of its metadata.
    pub map: [&'static str; 2],
    /// Topics of the description of the first vehicle, and of the others.
    pub description: [&'static str; 2],
    /// Services beside the node's own.
    pub services: &'static [(&'static str, Service)],
    /// Parameters of that system, by their names there.
    pub settings: &'static [Setting],
    /// Defaults of the node's own parameters that differ from skidpad's.
    pub defaults: &'static [(&'static str, Value)],
    /// Largest speed along either axis [m/s] and yaw rate [rad/s] of velocity commands, which are clamped to them.
    pub limits: Option<[f64; 2]>,
    /// Whether the parameters `quirks.…` are supported.
    pub with_quirks: bool,
    /// The command multiplexer before its inputs, if there is one, as YAML.
    pub mux: Option<&'static str>,
    /// The preset with `quirks.map_odom_ground_truth`, which publishes the ground truth as the Gazebo model does; none: the same.
    pub with_true_map_to_odom: Option<&'static Preset>,
}

impl Preset {
    /// A preset without topics and parameters, whose other entries are those that most presets have.
    const EMPTY: Preset = Preset {
        name: "",
        help: "",
        topics: &[],
        inputs: &[],
        placeholders: &[],
        joints: Joints::AsWheels,
        frames: Frames { moving: &[], fixed: &[], hinges: &[], sensors: BASE, states: BASE },
        wheel_links: &[],
        odometry_rate: 50.0,
        second_rate: 50.0,
        sensors: &[],
        map: ["map", "map_metadata"],
        description: ["robot_description"; 2],
        services: &[],
        settings: &[],
        defaults: &[],
        limits: None,
        with_quirks: false,
        mux: None,
        with_true_map_to_odom: None,
    };

    /// Topics and frame of the sensor with this index among `sensors`, the classes of the vehicle's sensors in order; none if they
    /// follow from the sensor's name.
    pub fn sensor(&self, sensors: impl Iterator<Item = &'static str> + Clone, index: usize) -> Option<&PresetSensor> {
        let class = sensors.clone().nth(index)?;
        let number = sensors.take(index).filter(|other| *other == class).count();
        self.sensors.iter().find(|sensor| sensor.entry.name == class && sensor.number == number)
    }

    /// Whether its names are absolute, so that it supports only a single vehicle, unless they contain placeholders that differ.
    pub fn is_for_one(&self) -> bool {
        self.topics.iter().any(|topic| topic.name.starts_with('/')) && !self.has_agents()
    }

    /// Whether it has its own names for several vehicles: a placeholder of the first differs from those of the others.
    pub fn has_agents(&self) -> bool {
        self.placeholders.iter().any(|placeholder| placeholder.default[0] != placeholder.default[1])
    }

    /// Whether it publishes joint states.
    pub(crate) fn has_joint_states(&self) -> bool {
        self.topics.iter().any(|topic| matches!(topic.content, Content::JointStates | Content::JointFeedback))
    }

    /// The body frame of its odometry or ground truth.
    pub fn base_frame(&self) -> &'static str {
        let of = |topic: &Topic| match topic.content {
            // With `true` the twist is in the axes of the world, so that the child frame is not a body frame.
            Content::WheelOdometry(_, child) | Content::GroundTruth(_, child, false) => Some(child),
            _ => None,
        };
        self.topics.iter().find_map(of).unwrap_or(BASE)
    }
}

/// Names of the joints in joint states.
#[derive(Clone, Copy, Debug)]
pub enum Joints {
    /// Named after the wheels in the world file; steered wheels also with `_steer` appended.
    AsWheels,
    /// As [`AsWheels`](Joints::AsWheels), turning as controllers of ros2_control have them: omni wheels that turn forward turn the robot to
    /// the right.
    AsControllers,
    /// Name, index of the wheel, and whether it is its steering.
    Named(&'static [(&'static str, usize, bool)]),
}

/// The transforms of a vehicle.
#[derive(Clone, Copy, Debug)]
pub struct Frames {
    /// Moving transforms.
    pub moving: &'static [Moving],
    /// Static transforms: parent, child, and the child's origin in the parent [m]. Each parent is the vehicle's body or an earlier child.
    pub fixed: &'static [(&'static str, &'static str, [f64; 3])],
    /// Frames at the centre of a wheel, which do not turn with it: parent, child, index of the wheel. The parent is the frame of
    /// the vehicle's body.
    pub hinges: &'static [(&'static str, &'static str, usize)],
    /// Parent frame of sensors: the vehicle's body, or one of the fixed frames.
    pub sensors: &'static str,
    /// Frame in the headers of the states of joints and wheels, of commands, and of markers where no topic has the true pose.
    pub states: &'static str,
}

/// A transform that moves.
#[derive(Clone, Copy, Debug)]
pub struct Moving {
    /// Parent frame.
    pub parent: &'static str,
    /// Child frame.
    pub child: &'static str,
    /// The pose.
    pub pose: MovingPose,
    /// The parameter that enables it.
    pub switch: Switch,
}

/// The pose of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovingPose {
    /// The pose by wheel odometry.
    WheelOdometry,
    /// The error of the odometry: composed with the odometry it gives the true pose.
    OdometryError,
    /// The true pose in the world.
    Truth,
    /// The identity: both frames coincide.
    Identity,
    /// The steering angle of the wheel with this index, about the vertical.
    Steering(usize),
}

/// The parameter that enables a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// `publish_tf`.
    Tf,
    /// `publish_map_to_odom`.
    MapToOdom,
}

/// The preset called `name`.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().copied().find(|preset| preset.name == name)
}

/// All presets, skidpad's own first.
pub const PRESETS: [&Preset; 9] = [
    &SKIDPAD,
    &RACECAR_GAZEBO,
    &F1TENTH_GYM_ROS,
    &F1TENTH_SYSTEM,
    &NAV2_LOOPBACK,
    &TURTLEBOT3,
    &MVSIM,
    &ROS2_CONTROL,
    &AUTOWARE,
];

/// Their names.
pub const PRESET_NAMES: [&str; PRESETS.len()] = {
    let mut names = [""; PRESETS.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = PRESETS[index].name;
        index += 1;
    }
    names
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for entry in PRESETS {
            assert_eq!(preset(entry.name).map(|preset| preset.name), Some(entry.name));
            assert!(PRESET_NAMES.contains(&entry.name) && !entry.help.is_empty());
            let mut names: Vec<&str> =
                entry.topics.iter().map(|t| t.name).chain(entry.inputs.iter().map(|i| i.name)).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{}", entry.name);
        }
        assert!(preset("racecar").is_none());
    }

    /// Every combination of the study's wheels and quantities is on the correct wheel.
    #[test]
    fn every_quantity_of_every_wheel_has_its_topic() {
        for (index, (_, wheel)) in racecar::WHEELS.iter().enumerate() {
            for quantity in racecar::WHEEL_QUANTITIES {
                let name = format!("/{quantity}_pub/{wheel}");
                let topic = RACECAR_GAZEBO.topics.iter().find(|topic| topic.name == name);
                let content = topic.map(|topic| topic.content);
                assert!(matches!(content, Some(Content::Wheel(_, actual)) if actual == index), "{name}: {content:?}");
            }
        }
    }

    /// Every name with its placeholders resolved, for the first cars.
    fn names_of(preset: &Preset) -> Vec<String> {
        let values = PlaceholderValues::new(preset.placeholders, |_| None);
        let own = preset.topics.iter().map(|topic| (topic.name, topic.condition));
        let own = own.chain(preset.inputs.iter().map(|input| (input.name, input.condition)));
        let mut names = Vec::new();
        for car in 0..if preset.has_agents() { 4 } else { 1 } {
            let all = VehicleContext {
                first: car == 0,
                on_springs: true,
                with_others: true,
                localized: true,
                teleports: true,
                keyboard: true,
            };
            let of_this = |condition: Condition| condition.holds(&all);
            names.extend(
                own.clone().filter(|(_, condition)| of_this(*condition)).map(|(name, _)| values.of(car).resolve(name)),
            );
            names.extend(
                preset.sensors.iter().flat_map(|sensor| sensor.topics).map(|topic| values.of(car).resolve(topic)),
            );
        }
        names
    }

    #[test]
    fn every_name_is_valid_and_unique() {
        let is_valid = |name: &str| {
            let is_part = |part: &str| {
                let mut letters = part.chars();
                letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
                    && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
                    && !part.contains("__")
            };
            name.strip_prefix('/').unwrap_or(name).split('/').all(is_part)
        };
        for preset in PRESETS {
            let mut names = names_of(preset);
            names.extend(preset.map.map(str::to_owned));
            names.extend(["tf", "tf_static", "/clock"].map(str::to_owned));
            for name in &names {
                assert!(is_valid(name), "{}: {name}", preset.name);
            }
            let count = names.len();
            names.sort_unstable();
            names.dedup_by_key(|name| name.trim_start_matches('/').to_owned());
            assert_eq!(names.len(), count, "{}: {names:?}", preset.name);
        }
    }

    #[test]
    fn agents_of_f1tenth_have_the_names_of_its_bridge() {
        let names = names_of(&F1TENTH_GYM_ROS);
        for name in [
            "/scan",
            "/drive",
            "/ego_racecar/odom",
            "/ego_racecar/opp_odom",
            "/ego_racecar/collision",
            "/initialpose",
            "/pause_sim",
            "/opp_scan",
            "/opp_drive",
            "/opp_racecar/odom",
            "/opp_racecar/opp_odom",
            "/goal_pose",
            "/opp_scan2",
            "/opp_drive2",
            "/opp_racecar2/odom",
            "/opp_racecar2/lap_count",
            "/goal_pose2",
            "/opp_drive3",
        ] {
            assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
        }
    }

    #[test]
    fn no_parameter_of_a_system_is_defined_twice() {
        for preset in PRESETS {
            let own = preset.placeholders.iter().flat_map(|placeholder| placeholder.parameters().map(|(name, _)| name));
            let mut names: Vec<&str> = preset.settings.iter().map(|setting| setting.name).chain(own).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{}: {names:?}", preset.name);
        }
    }

    #[test]
    fn no_frame_has_two_parents() {
        for preset in PRESETS.into_iter().chain(RACECAR_GAZEBO.with_true_map_to_odom) {
            let mut children: Vec<&str> = preset.frames.moving.iter().map(|moving| moving.child).collect();
            children.extend(preset.frames.fixed.iter().map(|(_, child, _)| *child));
            children.extend(preset.frames.hinges.iter().map(|(_, child, _)| *child));
            children.extend(preset.sensors.iter().map(|sensor| sensor.frame));
            let count = children.len();
            children.sort_unstable();
            children.dedup();
            assert_eq!(children.len(), count, "{}", preset.name);
        }
    }
}
