//! Reads the controllers of ros2_control that drive, from the YAML file that a plugin of Gazebo names.
//!
//! Sources: the parameters of `diff_drive_controller`, `mecanum_drive_controller`, `omni_wheel_drive_controller`, `tricycle_controller`, and of
//! the steering controllers with their names before and after the change of 2024, in the documentation of ros2_controllers (control.ros.org).

use serde_json::Value;

use super::files;
use super::plugins::{DriveSource, Moves};
use crate::input_file;
use crate::xml::Reader;

/// Longest file of parameters [bytes].
const LONGEST: u64 = 1 << 20;

/// What a controller says of a drive. None: not stated.
#[derive(Debug, PartialEq)]
pub(super) struct DriveController {
    pub moves: Moves,
    /// Joints of driven wheels and of steering hinges.
    pub driven: Vec<String>,
    pub steered: Vec<String>,
    /// [m]
    pub wheel_radius: Option<f64>,
    /// [m/s], [m/s²]
    pub max_speed: Option<f64>,
    pub max_acceleration: Option<f64>,
    /// [rad/s], [rad/s²]
    pub max_yaw_rate: Option<f64>,
    pub max_yaw_acceleration: Option<f64>,
}

/// The types that drive.
const TYPES: &[DriveSource] = &[
    DriveSource {
        name: "DiffDriveController",
        moves: Moves::Wheels,
        driven: &["left_wheel_names", "right_wheel_names"],
        steered: &[],
    },
    DriveSource {
        name: "MecanumDriveController",
        moves: Moves::RollerWheels,
        driven: &[
            "front_left_wheel_command_joint_name",
            "front_right_wheel_command_joint_name",
            "rear_right_wheel_command_joint_name",
            "rear_left_wheel_command_joint_name",
        ],
        steered: &[],
    },
    DriveSource {
        name: "OmniWheelDriveController",
        moves: Moves::RollerWheels,
        driven: &["wheel_names"],
        steered: &[],
    },
    DriveSource {
        name: "TricycleController",
        moves: Moves::Wheels,
        driven: &["traction_joint_name"],
        steered: &["steering_joint_name"],
    },
    STEERING_TYPE,
    DriveSource { name: "TricycleSteeringController", ..STEERING_TYPE },
    DriveSource { name: "BicycleSteeringController", ..STEERING_TYPE },
];

const STEERING_TYPE: DriveSource = DriveSource {
    name: "AckermannSteeringController",
    moves: Moves::Wheels,
    driven: &["traction_joints_names", "rear_wheels_names"],
    steered: &["steering_joints_names", "front_wheels_names"],
};

/// The first controller that drives, in the file that `<parameters>` names. None, with a warning, where the file is not there or is no YAML, and
/// where nothing in it drives.
pub(super) fn read(parameters: &Reader<'_>) -> Option<DriveController> {
    let address = parameters.own_text()?;
    let warn = |why: String| drop(parameters.warn(format!("the controllers are not read: {why}")));
    let path = files::find(parameters.directory(), &address).map_err(|not_found| warn(not_found.why)).ok()?;
    let text = input_file::read_text(&path, LONGEST).map_err(|error| warn(format!("{address}: {error}"))).ok()?;
    let tree: Value = serde_saphyr::from_str(&text)
        .map_err(|error| warn(format!("{address} is no YAML: {}", error.without_snippet())))
        .ok()?;
    let found = drive_controllers(&tree);
    if found.len() > 1 {
        let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
        parameters.warn(format!("several controllers drive, {}: the first one counts", names.join(", ")));
    }
    found.into_iter().next().map(|(_, controller)| controller)
}

/// The controllers of a tree of parameters that drive, with their names.
fn drive_controllers(tree: &Value) -> Vec<(&str, DriveController)> {
    let mut nodes = Vec::new();
    add_nodes("", tree, &mut nodes);
    let typed = nodes.iter().filter_map(|(_, parameters)| parameters.as_object()).flatten();
    let typed = typed.filter_map(|(name, entry)| {
        let written = entry.get("type")?.as_str()?;
        let known = TYPES.iter().find(|known| written.rsplit('/').next() == Some(known.name))?;
        Some((name, entry, known))
    });
    let mut found = Vec::new();
    for (name, entry, known) in typed {
        let mut sections: Vec<&Value> =
            nodes.iter().filter(|(node, _)| node == name).map(|(_, parameters)| *parameters).collect();
        // Before ROS 2 the parameters stood beside the type.
        sections.push(entry);
        let parameter = |path: &str| sections.iter().find_map(|section| parameter(section, path));
        let joints = |keys: &[&str]| keys.iter().filter_map(|key| parameter(key)).flat_map(names).collect();
        let limit = |path: &str| parameter(path).and_then(Value::as_f64).filter(|limit| *limit > 0.0);
        found.push((
            name.as_str(),
            DriveController {
                moves: known.moves,
                driven: joints(known.driven),
                steered: joints(known.steered),
                wheel_radius: limit("wheel_radius"),
                max_speed: limit("linear.x.max_velocity"),
                max_acceleration: limit("linear.x.max_acceleration"),
                max_yaw_rate: limit("angular.z.max_velocity"),
                max_yaw_acceleration: limit("angular.z.max_acceleration"),
            },
        ));
    }
    found
}

/// Adds the nodes below `tree`, each with its `ros__parameters`.
fn add_nodes<'a>(name: &'a str, tree: &'a Value, nodes: &mut Vec<(&'a str, &'a Value)>) {
    let Some(entries) = tree.as_object() else { return };
    if let Some(parameters) = entries.get("ros__parameters") {
        nodes.push((name.rsplit('/').next().unwrap_or(name), parameters));
        return;
    }
    entries.iter().for_each(|(name, inner)| add_nodes(name, inner, nodes));
}

/// A parameter, written nested or with dots.
fn parameter<'a>(section: &'a Value, path: &str) -> Option<&'a Value> {
    section.get(path).or_else(|| path.split('.').try_fold(section, |inner, key| inner.get(key)))
}

/// The joints that a parameter names: one, or a list; of a chain of controllers the joint at its end.
fn names(value: &Value) -> Vec<String> {
    let one = |value: &Value| value.as_str().map(|name| name.rsplit('/').next().unwrap_or(name).to_owned());
    match value {
        Value::Array(list) => list.iter().filter_map(one).collect(),
        other => one(other).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, DriveController)> {
        let tree: Value = serde_saphyr::from_str(text).unwrap();
        drive_controllers(&tree).into_iter().map(|(name, controller)| (name.to_owned(), controller)).collect()
    }

    #[test]
    fn parameters_are_those_of_the_node_with_the_controllers_name() {
        let text = "/**:\n  controller_manager:\n    ros__parameters:\n      update_rate: 100\n      \
                    lights: {type: forward_command_controller/ForwardCommandController}\n      \
                    base: {type: omni_wheel_drive_controller/OmniWheelDriveController}\n\
                    /robot/base:\n  ros__parameters:\n    wheel_names: [pid/a, b, c]\n    wheel_radius: 0.05\n    \
                    linear.x.max_velocity: 0.5\n    angular: {z: {max_velocity: 2, max_acceleration: -1}}\n";
        let expected = DriveController {
            moves: Moves::RollerWheels,
            driven: ["a", "b", "c"].map(str::to_owned).to_vec(),
            steered: Vec::new(),
            wheel_radius: Some(0.05),
            max_speed: Some(0.5),
            max_acceleration: None,
            max_yaw_rate: Some(2.0),
            max_yaw_acceleration: None,
        };
        assert_eq!(found(text), [("base".to_owned(), expected)]);
    }

    #[test]
    fn a_steering_controller_names_wheels_and_hinges() {
        let text = "controller_manager:\n  ros__parameters:\n    car: {type: tricycle_controller/TricycleController}\n\
                    car:\n  ros__parameters: {traction_joint_name: roll, steering_joint_name: turn}\n";
        let [(_, controller)] = &found(text)[..] else { panic!("{:?}", found(text)) };
        assert_eq!(
            (&controller.driven[..], &controller.steered[..]),
            (&["roll".to_owned()][..], &["turn".to_owned()][..])
        );
        assert_eq!(found("controller_manager: {ros__parameters: {arm: {type: a/B}}}\nx: [1]\n"), []);
    }
}
