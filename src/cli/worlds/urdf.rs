//! `skidpad urdf`: a vehicle of a world as URDF, for robot_state_publisher.

use std::io::Write;

use crate::cli::setting_hints::Keys;
use crate::cli::world_args::WorldArgs;
use crate::cli::{Failure, find, offer, progress};
use crate::diagnostic::Diagnostic;
use crate::interface::joint_ports::{CommandInterface, JointPorts};
use crate::interface::names::VehicleNames;
use crate::interface::naming::VehicleNaming;
use crate::preset::{PRESET_NAMES, PlaceholderValues, ROS2_CONTROL, SKIDPAD, frame_names, preset};
use crate::urdf::control::Control;
use crate::urdf::{Robot, controllers};
use crate::world::{Scene, VehicleInfo};

/// The vehicle to describe.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct UrdfArgs {
    #[command(flatten)]
    world: WorldArgs,
    /// Vehicle to print; needed if the world has several
    #[arg(long, value_name = "NAME")]
    vehicle: Option<String>,
    /// Preset that names the frames and joints
    ///
    /// Use the value of the ROS parameter preset. The default is skidpad, or ros2_control with --ros2-control and --controllers.
    #[arg(long, value_name = "NAME", add = offer::names(&PRESET_NAMES))]
    preset: Option<String>,
    /// Frame of the vehicle [default: that of the preset]
    ///
    /// Use the value of the ROS parameter base_frame_id.
    #[arg(long, value_name = "NAME")]
    base_frame_id: Option<String>,
    /// Add a <ros2_control> tag; the value says how wheels are commanded
    ///
    /// The hardware of the tag is the topics of the preset ros2_control. Without a value, wheels are commanded by velocity.
    #[arg(long, value_name = "INTERFACE", num_args = 0..=1, require_equals = true, default_missing_value = "velocity", value_enum)]
    ros2_control: Option<Interface>,
    /// Print YAML parameters of ros2_control controllers instead of the URDF
    #[arg(long, conflicts_with = "ros2_control")]
    controllers: bool,
}

/// How wheels are commanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Interface {
    Velocity,
    Effort,
}

/// Writes the URDF of a vehicle.
pub(in crate::cli) fn urdf(args: &UrdfArgs, out: &mut impl Write) -> Result<(), Failure> {
    let is_controlled = args.controllers || args.ros2_control.is_some();
    let chosen = args.preset.as_deref().unwrap_or(if is_controlled { ROS2_CONTROL.name } else { SKIDPAD.name });
    let preset = preset(chosen).ok_or_else(|| Failure::unknown("--preset", chosen, &PRESET_NAMES))?;
    let path = find::world(&args.world.world)?;
    let (world, _) = progress::load(&path, args.world.load_options(None))
        .map_err(|failure| args.world.explain(failure, "urdf", Keys::Elsewhere))?;
    let vehicle = vehicle(world.scene(), args.vehicle.as_deref())?;
    let given = |parameter: &str| args.base_frame_id.clone().filter(|_| parameter == frame_names::BASE_PARAMETER);
    let words = PlaceholderValues::new(preset.placeholders, given);
    frame_names::check(preset, &words).map_err(|error| Failure::because(error.at("--base-frame-id")))?;
    let mut naming = VehicleNaming::new(preset, false).with_words(words);
    naming.follow(world.scene());
    let names = naming.names(vehicle);
    let text = if args.controllers {
        controllers::controllers(vehicle, &names, world.scene().step.secs()).map_err(Failure::because)?
    } else {
        let robot = Robot::new(vehicle, &names);
        match args.ros2_control {
            Some(interface) => robot.with_control(control(vehicle, &names, interface)?).to_xml()?,
            None => robot.to_xml()?,
        }
    };
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// The joints of the vehicle behind ros2_control.
fn control(vehicle: &VehicleInfo, names: &VehicleNames, interface: Interface) -> Result<Control, Failure> {
    let of_wheels = match interface {
        Interface::Velocity => CommandInterface::Velocity,
        Interface::Effort => CommandInterface::Effort,
    };
    let ports = JointPorts::new(vehicle, names);
    if !ports.ports().iter().any(|port| port.takes.contains(&of_wheels)) {
        let found = format!("vehicle \"{}\": no wheel takes {} commands", vehicle.name, of_wheels.name());
        return Err(Failure::because(
            Diagnostic::of(found)
                .accepted("velocity if its controller takes speeds of the vehicle or of wheels; effort with joint_pid and twist_servo")
                .hint(format!("commands that its controller takes: {}", vehicle.accepts.names())),
        ));
    }
    Ok(Control::new(&vehicle.name, names, &ports, of_wheels))
}

fn vehicle<'a>(scene: &'a Scene, name: Option<&str>) -> Result<&'a VehicleInfo, Failure> {
    let names: Vec<&str> = scene.vehicles.iter().map(|vehicle| vehicle.name.as_str()).collect();
    match (name, scene.vehicles.as_slice()) {
        (None, [only]) => Ok(only),
        (Some(name), all) => {
            all.iter().find(|vehicle| vehicle.name == name).ok_or_else(|| Failure::unknown("--vehicle", name, &names))
        }
        (None, []) => Err(Failure::because(Diagnostic::new(&scene.name, "no vehicle in it"))),
        (None, _) => Err(Failure::because(
            Diagnostic::new(&scene.name, format!("{} vehicles in it", names.len()))
                .hint(format!("name one with --vehicle: {}", names.join(", "))),
        )),
    }
}
