//! What the plugins of Gazebo and the joints of ros2_control say of a robot's drive.
//!
//! Sources: the plugins' own documentation: gz-sim's `DiffDrive` and `AckermannSteering`; gazebo_ros_pkgs' `diff_drive`, `skid_steer_drive`
//! and `ackermann_drive`.

use super::robot::Robot;
use crate::xml::{Accept, Context, Place, Reader};

/// What is known of the drive beside its geometry. Empty lists and none: not stated.
#[derive(Debug, Default)]
pub(super) struct DriveHints {
    /// Joints of driven wheels.
    pub driven: Vec<String>,
    /// Joints of steering hinges.
    pub steered: Vec<String>,
    /// [m]
    pub wheel_radius: Option<f64>,
    /// Distance of left and right wheels [m], and where it is stated.
    pub separation: Option<(f64, Place)>,
    /// Largest torque of a wheel [N·m].
    pub wheel_torque: Option<f64>,
    /// Largest speed [m/s] and acceleration [m/s²].
    pub max_speed: Option<f64>,
    pub max_acceleration: Option<f64>,
    /// Largest yaw rate [rad/s] and its rate of change [rad/s²].
    pub max_yaw_rate: Option<f64>,
    pub max_yaw_acceleration: Option<f64>,
    /// Largest angle of the equivalent single track [rad].
    pub max_steer: Option<f64>,
}

/// A plugin that drives robots: its name without signs and capitals, and the tags that name its joints.
struct DrivePlugin {
    name: &'static str,
    driven: &'static [&'static str],
    steered: &'static [&'static str],
}

/// The plugins that are understood.
const DRIVE_PLUGINS: &[DrivePlugin] = &[
    DrivePlugin {
        name: "skidsteer",
        driven: &["leftFrontJoint", "rightFrontJoint", "leftRearJoint", "rightRearJoint", "left_joint", "right_joint"],
        steered: &[],
    },
    DrivePlugin { name: "diffdrive", driven: &["left_joint", "right_joint", "leftJoint", "rightJoint"], steered: &[] },
    DrivePlugin {
        name: "ackermann",
        driven: &["left_joint", "right_joint", "rear_left_joint", "rear_right_joint"],
        steered: &["left_steering_joint", "right_steering_joint"],
    },
];

/// Plugins whose motion skidpad cannot imitate, each with what it does.
const OTHER_PLUGINS: &[(&str, &str)] = &[
    ("mecanum", "drives mecanum wheels"),
    ("omni", "drives omnidirectional wheels"),
    ("trackedvehicle", "drives tracks"),
    ("trackcontroller", "drives tracks"),
    ("planarmove", "moves the robot without its wheels"),
    ("velocitycontrol", "moves the robot without its wheels"),
    ("tricycledrive", "drives a tricycle"),
];

impl DriveHints {
    /// Reads them; a plugin that cannot be imitated is a warning.
    pub(super) fn read(context: &Context, robot: &Robot<'_>) -> DriveHints {
        let mut hints = DriveHints::default();
        for plugin in &robot.plugins {
            let text = |name: &str| plugin.attribute(name).unwrap_or_default();
            let name =
                format!("{}{}", text("filename"), text("name")).to_ascii_lowercase().replace(['-', '_', ':'], "");
            if let Some(known) = DRIVE_PLUGINS.iter().find(|known| name.contains(known.name)) {
                hints.read_plugin(context, plugin, known, robot);
            } else if let Some((_, does)) = OTHER_PLUGINS.iter().find(|(known, _)| name.contains(known)) {
                plugin
                    .warn(format!("a plugin that {does}: its wheels are driven as their geometry says"))
                    .accepted(["differential drives, skid steering and Ackermann steering"]);
            }
        }
        if hints.driven.is_empty() && hints.steered.is_empty() {
            let named = |by_position: bool| {
                let joints = robot.commanded.iter().filter(move |joint| joint.by_position == by_position);
                joints.map(|joint| joint.name.clone()).collect()
            };
            (hints.driven, hints.steered) = (named(false), named(true));
            // Only joints that spin drive; others, such as hinges commanded by effort, are judged by their axes.
            hints.driven.retain(|name| robot.joints.iter().any(|joint| joint.name == *name && joint.spins()));
        }
        hints
    }

    fn read_plugin(&mut self, context: &Context, plugin: &Reader<'_>, known: &DrivePlugin, robot: &Robot<'_>) {
        let joints = |tags: &[&str]| -> Vec<String> {
            let tags = tags.iter().flat_map(|tag| plugin.children(tag));
            let named = tags.filter_map(|tag| {
                let name = tag.own_text()?;
                let found = robot.joints.iter().any(|joint| joint.name == name);
                if !found {
                    let names = robot.joints.iter().map(|joint| joint.name.clone());
                    context.warn(tag.place(), format!("no joint \"{name}\"")).one_of(&name, names);
                }
                found.then_some(name)
            });
            named.collect()
        };
        self.driven.extend(joints(known.driven));
        self.steered.extend(joints(known.steered));
        let first = |tags: &[&str]| tags.iter().find_map(|tag| plugin.optional_f64(tag, Accept::positive()));
        let radius = first(&["wheel_radius", "wheelRadius"]);
        let diameter = first(&["wheel_diameter", "wheelDiameter"]);
        self.wheel_radius = self.wheel_radius.or(radius).or(diameter.map(|diameter| 0.5 * diameter));
        for tag in ["wheel_separation", "wheelSeparation"] {
            if let Some(separation) = plugin.optional_f64(tag, Accept::positive()) {
                self.separation.get_or_insert((separation, plugin.place_of(tag).clone()));
            }
        }
        let torque = first(&["max_wheel_torque", "wheelTorque", "wheel_torque", "torque"]);
        self.wheel_torque = self.wheel_torque.or(torque);
        self.max_speed = self.max_speed.or(first(&["max_linear_velocity", "max_velocity", "max_speed"]));
        self.max_acceleration = self.max_acceleration.or(first(&["max_linear_acceleration", "max_acceleration"]));
        self.max_yaw_rate = self.max_yaw_rate.or(first(&["max_angular_velocity"]));
        self.max_yaw_acceleration = self.max_yaw_acceleration.or(first(&["max_angular_acceleration"]));
        self.max_steer = self.max_steer.or(first(&["steering_limit", "max_steer"]));
    }

    pub(super) fn drives(&self, joint: &str) -> bool {
        self.driven.iter().any(|name| name == joint)
    }

    pub(super) fn steers(&self, joint: &str) -> bool {
        self.steered.iter().any(|name| name == joint)
    }
}
