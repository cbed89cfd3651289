//! Parameters of ros2_control's controllers for a vehicle, as YAML: the controller manager, `joint_state_broadcaster`, and the controller of
//! ros2_controllers that has the vehicle's kinematics.
//!
//! | Vehicle | Controller |
//! |---|---|
//! | two sides of wheels or tracks that do not steer | `diff_drive_controller` |
//! | two steered wheels | `ackermann_steering_controller` |
//! | one steered wheel before two | `tricycle_steering_controller` |
//! | one steered wheel before one | `bicycle_steering_controller` |
//! | four mecanum wheels | `mecanum_drive_controller` |
//! | omni wheels at equal angles on a circle | `omni_wheel_drive_controller` |
//!
//! Names of parameters are those of ros2_controllers 4.42 and 6.9 (`src/*.yaml` there). No controller has the
//! kinematics of articulated vehicles: those that steer turn the body at v·tan(δ)/l, where the rear frame of a vehicle that bends by δ turns
//! at (v·sin(δ) − l_f·δ')/(l_f + l_r·cos(δ)), with l_f and l_r from the hinge to the axles (P. I. Corke and P. Ridley, "Steering kinematics
//! for a center-articulated mobile robot", IEEE Trans. Robotics and Automation 17 (2001), 215). The traction joints of steering controllers are the
//! rear wheels, whose speeds their kinematics is about. Lists of joints are in the order that these controllers expect: right before left.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_sim::world::{VehicleInfo, WheelInfo};

use crate::interface::joint_ports::{CommandInterface, JointPort, JointPorts};
use crate::interface::names::VehicleNames;
use crate::interface::rules;
use crate::preset::frame_names::ODOM;

/// Names of the parameters that tell joints, by which `import` finds them as well.
pub mod joint_parameter {
    /// Left wheels of `diff_drive_controller`.
    pub const LEFT_WHEELS: &str = "left_wheel_names";
    /// Right wheels of the same.
    pub const RIGHT_WHEELS: &str = "right_wheel_names";
    /// Driven wheels of steering controllers.
    pub const TRACTION: &str = "traction_joints_names";
    /// Steering joints of the same.
    pub const STEERING: &str = "steering_joints_names";
    /// Wheels of `mecanum_drive_controller`: front left, front right, rear right, rear left.
    pub const MECANUM: [&str; 4] = [
        "front_left_wheel_command_joint_name",
        "front_right_wheel_command_joint_name",
        "rear_right_wheel_command_joint_name",
        "rear_left_wheel_command_joint_name",
    ];
}

/// Rate of the controller manager [Hz] where the steps of the world allow it.
const UPDATE_RATE: u32 = 100;
/// Clock messages of the preset in a second.
const CLOCK_RATE: f64 = 200.0;

/// How long a command holds [s] with controllers whose own default is not fit for use; the default of `diff_drive_controller`.
const COMMAND_TIMEOUT: f64 = 0.5;

/// A parameter: its name and its value as YAML.
type Parameter = (String, String);

/// The controller of a vehicle: its type without the package, of the same name, and its parameters.
struct Controller {
    name: &'static str,
    class: &'static str,
    parameters: Vec<Parameter>,
}

/// The parameters for `vehicle`, whose world has steps of `step` [s].
///
/// # Errors
/// A vehicle that no controller fits: what it is, and what can be done.
pub fn controllers(vehicle: &VehicleInfo, names: &VehicleNames, step: f64) -> Result<String, Diagnostic> {
    let ports = JointPorts::new(vehicle, names);
    let controller = controller(vehicle, &ports)?;
    let manager = [
        ("update_rate", update_rate(step).to_string()),
        ("use_sim_time", "true".to_owned()),
        (&*format!("{}.type", BROADCASTER.0), BROADCASTER.1.to_owned()),
        (&*format!("{}.type", controller.name), format!("{}/{}", controller.name, controller.class)),
    ]
    .map(|(name, value)| (name.to_owned(), value));
    let mut controller_parameters: Vec<Parameter> = controller.parameters;
    controller_parameters.push(("use_sim_time".to_owned(), "true".to_owned()));
    controller_parameters.push(("odom_frame_id".to_owned(), names.frame(ODOM)));
    controller_parameters.push(("base_frame_id".to_owned(), names.frame(names.preset.base_frame())));
    let mut text = String::new();
    let root = names.topic("");
    let steers = controller.name.ends_with("_steering_controller");
    if !root.is_empty() && !steers {
        // Other controllers put their namespace before the names of frames, which are already those of the vehicle.
        controller_parameters.push(("tf_frame_prefix_enable".to_owned(), "false".to_owned()));
    }
    for (node, parameters) in [("controller_manager", &manager[..]), (controller.name, &controller_parameters)] {
        let node = if root.is_empty() { node.to_owned() } else { format!("/{root}{node}") };
        text += &format!("{node}:\n  ros__parameters:\n");
        text.extend(parameters.iter().map(|(name, value)| format!("    {name}: {value}\n")));
    }
    Ok(text)
}

/// Name and type of what publishes the states of all joints.
const BROADCASTER: (&str, &str) = ("joint_state_broadcaster", "joint_state_broadcaster/JointStateBroadcaster");

/// The rate [Hz] at which a controller manager has a whole number of clock messages in each cycle, at least two.
fn update_rate(step: f64) -> u32 {
    let period = step * (1.0 / CLOCK_RATE / step - 1e-9).ceil().max(1.0);
    let fits = |rate: &u32| {
        let messages = 1.0 / f64::from(*rate) / period;
        messages > 1.5 && (messages - messages.round()).abs() < 1e-6
    };
    (1..=UPDATE_RATE).rev().find(fits).unwrap_or(1)
}

/// The controller with the kinematics of the vehicle.
fn controller(vehicle: &VehicleInfo, ports: &JointPorts) -> Result<Controller, Diagnostic> {
    let joint = |index: usize, steers: bool| {
        let fits =
            |port: &&JointPort| port.joint.wheel == index && port.joint.steers == steers && !port.takes.is_empty();
        ports.ports().iter().find(fits).map(|port| port.joint.name.clone())
    };
    let wheel = |index: usize, steers: bool| {
        joint(index, steers).ok_or_else(|| refused(vehicle, "some of its wheels cannot be commanded by their joints"))
    };
    let wheels = &vehicle.wheels[..];
    let steered = wheels.iter().filter(|wheel| wheel.steered).count();
    if vehicle.dynamics == "mecanum" && wheels.len() == 4 {
        let [x, y] =
            [half(wheels[3].position.x - wheels[1].position.x), half(wheels[0].position.y - wheels[1].position.y)];
        let mut parameters = Vec::new();
        for (name, index) in joint_parameter::MECANUM.iter().zip([2, 3, 1, 0]) {
            parameters.push(((*name).to_owned(), wheel(index, false)?));
        }
        parameters.push(("kinematics.wheels_radius".to_owned(), number(wheels[0].radius)));
        parameters.push(("kinematics.sum_of_robot_center_projection_on_X_Y_axis".to_owned(), number(x + y)));
        // Its default of 0 lets each command act in one cycle only, after which one wheel stands and the others go on.
        parameters.push(("reference_timeout".to_owned(), number(COMMAND_TIMEOUT)));
        parameters.extend(limits(vehicle));
        return Ok(Controller { name: "mecanum_drive_controller", class: "MecanumDriveController", parameters });
    }
    if rules::is_on_omni_wheels(vehicle) {
        let circle = Circle::of(wheels).map_err(|why| refused(vehicle, &why))?;
        let joints = circle.order.iter().map(|&index| wheel(index, false)).collect::<Result<Vec<_>, _>>()?;
        let parameters = vec![
            ("wheel_names".to_owned(), list(&joints)),
            ("wheel_offset".to_owned(), number(circle.first)),
            ("robot_radius".to_owned(), number(circle.radius)),
            ("wheel_radius".to_owned(), number(wheels[0].radius)),
        ];
        return Ok(Controller { name: "omni_wheel_drive_controller", class: "OmniWheelDriveController", parameters });
    }
    let base = |index: usize| {
        vehicle.wheelbase.ok_or_else(|| refused(vehicle, "it has no wheelbase")).map(|base| (base, index))
    };
    let named = |name: &str, value: String| (name.to_owned(), value);
    match (steered, wheels) {
        _ if vehicle.front.is_some() => {
            let why = format!("ros2_controllers has none that bends a frame at its joint \"{}\"", rules::HINGE);
            Err(refused(vehicle, &why))
        }
        (2, [left, right, front_left, front_right]) => {
            let (wheelbase, _) = base(0)?;
            let parameters = vec![
                named(joint_parameter::TRACTION, list(&[wheel(1, false)?, wheel(0, false)?])),
                named(joint_parameter::STEERING, list(&[wheel(3, true)?, wheel(2, true)?])),
                named("wheelbase", number(wheelbase)),
                named("traction_track_width", number(left.position.y - right.position.y)),
                named("steering_track_width", number(front_left.position.y - front_right.position.y)),
                named("traction_wheels_radius", number(left.radius)),
            ];
            Ok(Controller { name: "ackermann_steering_controller", class: "AckermannSteeringController", parameters })
        }
        (1, [left, right, _]) => {
            let (wheelbase, front) = base(2)?;
            let parameters = vec![
                named(joint_parameter::TRACTION, list(&[wheel(1, false)?, wheel(0, false)?])),
                named(joint_parameter::STEERING, list(&[wheel(front, true)?])),
                named("wheelbase", number(wheelbase)),
                named("traction_track_width", number(left.position.y - right.position.y)),
                named("traction_wheels_radius", number(left.radius)),
            ];
            Ok(Controller { name: "tricycle_steering_controller", class: "TricycleSteeringController", parameters })
        }
        (1, [rear, _]) => {
            let (wheelbase, front) = base(1)?;
            let parameters = vec![
                named(joint_parameter::TRACTION, list(&[wheel(0, false)?])),
                named(joint_parameter::STEERING, list(&[wheel(front, true)?])),
                named("wheelbase", number(wheelbase)),
                named("traction_wheel_radius", number(rear.radius)),
            ];
            Ok(Controller { name: "bicycle_steering_controller", class: "BicycleSteeringController", parameters })
        }
        (0, [first, second, ..]) if vehicle.accepts.side_spins => {
            let side = |is_left: bool| -> Vec<(String, &WheelInfo)> {
                let of_side = wheels.iter().enumerate().filter(|(_, wheel)| (wheel.position.y > 0.0) == is_left);
                of_side.filter_map(|(index, wheel)| Some((joint(index, false)?, wheel))).collect()
            };
            let names =
                |side: &[(String, &WheelInfo)]| list(&side.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>());
            let mut parameters = vec![
                named(joint_parameter::LEFT_WHEELS, names(&side(true))),
                named(joint_parameter::RIGHT_WHEELS, names(&side(false))),
                named("wheel_separation", number(first.position.y - second.position.y)),
                named("wheel_radius", number(first.radius)),
            ];
            let multiplier = vehicle.tunables.iter().find(|tunable| tunable.name == "wheel_separation_multiplier");
            parameters.extend(multiplier.map(|tunable| named("wheel_separation_multiplier", number(tunable.value))));
            parameters.extend(limits(vehicle));
            Ok(Controller { name: "diff_drive_controller", class: "DiffDriveController", parameters })
        }
        _ => Err(refused(
            vehicle,
            "none of ros2_controllers has its kinematics, or its controller takes no speeds of wheels",
        )),
    }
}

/// Wheels on a circle about the robot's middle, which stand along it at equal angles from each other.
struct Circle {
    /// The wheels, against the clock.
    order: Vec<usize>,
    /// Angle [rad] of the first from the x axis, 0 to 2·π.
    first: f64,
    /// Radius [m].
    radius: f64,
}

impl Circle {
    /// Largest difference of an angle [rad], and of a radius as a share, that is none.
    const TOLERANCE: f64 = 0.01;

    /// The circle of these wheels.
    ///
    /// # Errors
    /// Why they are not on one.
    fn of(wheels: &[WheelInfo]) -> Result<Circle, String> {
        let full = std::f64::consts::TAU;
        let mut placed: Vec<(f64, usize)> = Vec::new();
        for (index, wheel) in wheels.iter().enumerate() {
            placed.push((libm::atan2(wheel.position.y, wheel.position.x).rem_euclid(full), index));
        }
        placed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let radii = wheels.iter().map(|wheel| libm::hypot(wheel.position.x, wheel.position.y));
        let radius = radii.clone().sum::<f64>() / wheels.len() as f64;
        let (first, step) = (placed.first().map_or(0.0, |(angle, _)| *angle), full / wheels.len() as f64);
        let degrees = || placed.iter().map(|(angle, _)| format!("{:.0}", angle.to_degrees())).collect::<Vec<_>>();
        if placed
            .iter()
            .zip(0..)
            .any(|((angle, _), place)| (angle - first - step * f64::from(place)).abs() > Self::TOLERANCE)
        {
            return Err(format!(
                "omni_wheel_drive needs wheels at equal angles, these are at {}°",
                degrees().join(", ")
            ));
        }
        if radii.clone().any(|wheel_radius| (wheel_radius / radius - 1.0).abs() > Self::TOLERANCE) {
            return Err("omni_wheel_drive needs wheels on one circle about the reference point".to_owned());
        }
        // Along the circle the wheel's direction is at right angles to the line from the middle.
        let is_across = |wheel: &WheelInfo| {
            let (sin, cos) = libm::sincos(wheel.mount_yaw);
            (wheel.position.x * cos + wheel.position.y * sin).abs() > Self::TOLERANCE * radius
        };
        if wheels.iter().any(is_across) {
            return Err("omni_wheel_drive needs wheels that roll along their circle".to_owned());
        }
        Ok(Circle { order: placed.into_iter().map(|(_, index)| index).collect(), first, radius })
    }
}

fn refused(vehicle: &VehicleInfo, why: &str) -> Diagnostic {
    let takes = [CommandInterface::Velocity, CommandInterface::Position].map(CommandInterface::name).join(" and ");
    Diagnostic::of(format!("vehicle \"{}\" ({}): no controller is known for it, {why}", vehicle.name, vehicle.dynamics))
        .accepted(
            "diff_drive, ackermann_steering, tricycle_steering, bicycle_steering, mecanum_drive, omni_wheel_drive",
        )
        .hint(format!("forward_command_controller commands any joint that takes {takes}"))
}

/// The limits of speed and yaw rate, as far as the vehicle has them.
fn limits(vehicle: &VehicleInfo) -> Vec<Parameter> {
    let axes = ["linear.x", "angular.z"].into_iter().zip(vehicle.top_velocity);
    let of_axis = |(axis, top): (&str, Option<f64>)| {
        let bounds = top.map(|top| [("max", top), ("min", -top)]).into_iter().flatten();
        bounds.map(|(end, value)| (format!("{axis}.{end}_velocity"), number(value))).collect::<Vec<_>>()
    };
    axes.flat_map(of_axis).collect()
}

fn half(length: f64) -> f64 {
    0.5 * length
}

/// A number with a point: parameters do not change their type.
fn number(value: f64) -> String {
    // Beyond these digits are roundings of the world file's arithmetic.
    format!("{:?}", (value * 1e9).round() / 1e9)
}

/// A list of names.
fn list(names: &[String]) -> String {
    format!("[{}]", names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_has_a_whole_number_of_clock_messages() {
        // 200 messages in a second, or one in each step.
        assert_eq!([0.001, 0.005, 0.01, 0.02, 0.1, 0.004].map(update_rate), [100, 100, 50, 25, 5, 25]);
    }
}
