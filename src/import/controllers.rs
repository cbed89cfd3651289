//! Reads the controllers of ros2_control that drive, from the YAML file that a plugin of Gazebo names.
//!
//! Sources: the parameters of `diff_drive_controller`, `mecanum_drive_controller`, `omni_wheel_drive_controller`,
//! `tricycle_controller`, and of the steering controllers with their names before and after the change of 2024, in the
//! documentation of ros2_controllers (control.ros.org).

use serde_json::Value;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;
use skidpad_ros_data::urdf::controllers::joint_parameter;
use skidpad_xml::Reader;

use super::plugins::{DriveSource, Moves, SIDES, plain};
use super::robot::Robot;
use super::search::Search;

/// Longest file of parameters [bytes].
const MAX_BYTES: u64 = 1 << 20;

/// What a controller says of a drive. None: not stated.
#[derive(Debug, PartialEq)]
pub(super) struct DriveController {
    pub moves: Moves,
    /// Joints of driven wheels and of steering hinges.
    pub driven: Vec<String>,
    pub steered: Vec<String>,
    /// Those of the driven wheels that are named left, and right.
    pub sides: [Vec<String>; 2],
    /// [m]
    pub wheel_radius: Option<f64>,
    /// Distance of left and right wheels [m], and its factor [-].
    pub separation: Option<f64>,
    pub separation_multiplier: Option<f64>,
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
        driven: &[joint_parameter::LEFT_WHEELS, joint_parameter::RIGHT_WHEELS],
        steered: &[],
    },
    DriveSource {
        name: "MecanumDriveController",
        moves: Moves::RollerWheels,
        driven: &joint_parameter::MECANUM,
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
    driven: &[joint_parameter::TRACTION, "rear_wheels_names"],
    steered: &[joint_parameter::STEERING, "front_wheels_names"],
};

/// Parts of the names of types that drive, in any package, with the type that they are taken for; the first one counts.
const ALIKE: &[(&str, &str)] = &[
    ("mecanum", "MecanumDriveController"),
    ("omni", "OmniWheelDriveController"),
    ("ackermann", "AckermannSteeringController"),
    ("bicycle", "BicycleSteeringController"),
    ("tricycle", "TricycleController"),
    ("diff", "DiffDriveController"),
    ("skidsteer", "DiffDriveController"),
];
/// Parts of the names of types that seem to drive, but in a way of their own.
const SEEMS_TO_DRIVE: &[&str] = &["drive", "steer", "swerve", "holonomic"];

/// The first controller that drives, in the file that `<parameters>` names. None, with a warning, where the file is not
/// there or is not YAML, and where nothing in it drives.
pub(super) fn read(parameters: &Reader<'_>, robot: &Robot<'_>) -> Option<DriveController> {
    let address = parameters.own_text()?;
    let warn = |why: Diagnostic| {
        let message = format!("the controllers are not read: {}", why.first_line());
        drop(parameters.warn(message).parts_of(why));
    };
    let file = Search::default().find(parameters.directory(), &address);
    let path = file.map_err(|not_found| warn(Diagnostic::of(not_found.why))).ok()?;
    let text =
        input_file::read_text(&path, MAX_BYTES).map_err(|error| warn(FileError::read(&address, error).into())).ok()?;
    let tree: Value = serde_saphyr::from_str(&text)
        .map_err(|error| warn(Diagnostic::of(format!("{address} is not YAML: {}", error.without_snippet()))))
        .ok()?;
    let is_joint = |name: &str| robot.joints.iter().any(|joint| joint.name == name);
    let DriveControllers { drives, unknown } = drive_controllers(&tree, &is_joint);
    for (name, written) in unknown {
        parameters
            .warn(format!(
                "controller \"{name}\" of type \"{written}\" is not known: the drive is chosen by the geometry of the wheels"
            ))
            .accepted(TYPES.iter().map(|known| known.name));
    }
    if drives.len() > 1 {
        let names: Vec<&str> = drives.iter().map(|(name, _)| *name).collect();
        parameters.warn(format!("several controllers drive the robot, {}: the first one is used", names.join(", ")));
    }
    drives.into_iter().next().map(|(_, controller)| controller)
}

/// The controllers of a tree of parameters.
#[derive(Default)]
struct DriveControllers<'a> {
    /// Those that drive, with their names.
    drives: Vec<(&'a str, DriveController)>,
    /// Names and types of those that seem to.
    unknown: Vec<(&'a str, &'a str)>,
}

/// Finds the controllers that drive; `is_joint` says whether the robot has a joint of a name.
fn drive_controllers<'a>(tree: &'a Value, is_joint: &dyn Fn(&str) -> bool) -> DriveControllers<'a> {
    let mut nodes = Vec::new();
    add_nodes("", tree, &mut nodes);
    let entries = nodes.iter().filter_map(|(_, parameters)| parameters.as_object()).flatten();
    // The type stands in a section of the controller, or after a dot behind its name.
    let typed = entries.filter_map(|(name, entry)| match name.strip_suffix(".type") {
        Some(name) => Some((name, None, entry.as_str()?)),
        None => Some((name.as_str(), Some(entry), entry.get("type")?.as_str()?)),
    });
    let mut controllers = DriveControllers::default();
    for (name, entry, written) in typed {
        let Some(known) = known_type(written) else {
            let plain = plain(written.rsplit('/').next().unwrap_or(written));
            if SEEMS_TO_DRIVE.iter().any(|part| plain.contains(part)) {
                controllers.unknown.push((name, written));
            }
            continue;
        };
        let mut sections: Vec<&Value> =
            nodes.iter().filter(|(node, _)| *node == name).map(|(_, parameters)| *parameters).collect();
        // Before ROS 2 the parameters stood beside the type.
        sections.extend(entry);
        let parameter = |path: &str| sections.iter().find_map(|section| parameter(section, path));
        let joints =
            |keys: &[&str]| -> Vec<String> { keys.iter().filter_map(|key| parameter(key)).flat_map(names).collect() };
        let sides = SIDES
            .map(|side| joints(&known.driven.iter().copied().filter(|key| key.contains(side)).collect::<Vec<&str>>()));
        let limit = |path: &str| parameter(path).and_then(Value::as_f64).filter(|limit| *limit > 0.0);
        let mut driven: Vec<String> = joints(known.driven);
        let steered: Vec<String> = joints(known.steered);
        if driven.is_empty() && steered.is_empty() && known.moves == Moves::RollerWheels {
            // Other packages call these parameters in other ways.
            let values = sections.iter().filter_map(|section| section.as_object()).flat_map(|section| section.values());
            driven = values.flat_map(names).filter(|name| is_joint(name)).collect();
            driven.sort();
            driven.dedup();
        }
        controllers.drives.push((
            name,
            DriveController {
                moves: known.moves,
                driven,
                steered,
                sides,
                wheel_radius: limit("wheel_radius"),
                separation: limit("wheel_separation"),
                separation_multiplier: limit("wheel_separation_multiplier"),
                max_speed: limit("linear.x.max_velocity"),
                max_acceleration: limit("linear.x.max_acceleration"),
                max_yaw_rate: limit("angular.z.max_velocity"),
                max_yaw_acceleration: limit("angular.z.max_acceleration"),
            },
        ));
    }
    controllers
}

/// The type that drives, of those that are known, whatever its package; or one whose name tells the same.
fn known_type(written: &str) -> Option<&'static DriveSource> {
    let type_name = written.rsplit('/').next().unwrap_or(written);
    let named = |name: &str| TYPES.iter().find(|known| known.name == name);
    let alike = || {
        let plain = plain(type_name);
        let is_controller = plain.contains("drive") || plain.contains("steer") || plain.contains("controller");
        ALIKE.iter().find(|(part, _)| is_controller && plain.contains(part)).and_then(|(_, name)| named(name))
    };
    named(type_name).or_else(alike)
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
    let joint_name = |value: &Value| value.as_str().map(|name| name.rsplit('/').next().unwrap_or(name).to_owned());
    match value {
        Value::Array(list) => list.iter().filter_map(joint_name).collect(),
        other => joint_name(other).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn controllers_in(text: &str) -> Vec<(String, DriveController)> {
        let tree: Value = serde_saphyr::from_str(text).unwrap();
        let is_joint = |name: &str| name.starts_with("j_");
        let read = drive_controllers(&tree, &is_joint);
        read.drives.into_iter().map(|(name, controller)| (name.to_owned(), controller)).collect()
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
            sides: [Vec::new(), Vec::new()],
            wheel_radius: Some(0.05),
            separation: None,
            separation_multiplier: None,
            max_speed: Some(0.5),
            max_acceleration: None,
            max_yaw_rate: Some(2.0),
            max_yaw_acceleration: None,
        };
        assert_eq!(controllers_in(text), [("base".to_owned(), expected)]);
    }

    #[test]
    fn a_steering_controller_names_wheels_and_hinges() {
        let text = "controller_manager:\n  ros__parameters:\n    car: {type: tricycle_controller/TricycleController}\n\
                    car:\n  ros__parameters: {traction_joint_name: roll, steering_joint_name: turn}\n";
        let [(_, controller)] = &controllers_in(text)[..] else { panic!("{:?}", controllers_in(text)) };
        assert_eq!(
            (&controller.driven[..], &controller.steered[..]),
            (&["roll".to_owned()][..], &["turn".to_owned()][..])
        );
        assert_eq!(controllers_in("controller_manager: {ros__parameters: {arm: {type: a/B}}}\nx: [1]\n"), []);
    }

    #[test]
    fn the_types_of_other_packages_are_taken_for_those_that_they_resemble() {
        let text = "controller_manager:\n  ros__parameters:\n    base.type: maker_drives/MakerMecanumController\n\
                    base:\n  ros__parameters: {wheels: [j_a, j_b, j_c], rate: 50, name: base, tail: j_d}\n";
        let [(name, controller)] = &controllers_in(text)[..] else { panic!("{:?}", controllers_in(text)) };
        assert_eq!((name.as_str(), controller.moves), ("base", Moves::RollerWheels));
        assert_eq!(controller.driven, ["j_a", "j_b", "j_c", "j_d"]);
        for (written, expected) in [
            ("x/FourWheelMecanumDrive", Some("MecanumDriveController")),
            ("x/SkidSteerDriveController", Some("DiffDriveController")),
            ("x/JointTrajectoryController", None),
            ("x/DiffusionMap", None),
        ] {
            assert_eq!(known_type(written).map(|known| known.name), expected, "{written}");
        }
        let tree: Value = serde_saphyr::from_str("m: {ros__parameters: {b: {type: x/SwerveController}}}").unwrap();
        assert_eq!(drive_controllers(&tree, &|_| true).unknown, [("b", "x/SwerveController")]);
    }
}
