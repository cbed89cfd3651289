//! `skidpad urdf`: a vehicle of a world as URDF, for robot_state_publisher.

use std::io::Write;

use super::setting_hints::Keys;
use super::world_args::WorldArgs;
use super::{Failure, complete, find, progress};
use crate::diagnostic::Diagnostic;
use crate::interface::naming::VehicleNaming;
use crate::preset::{PRESET_NAMES, PlaceholderValues, SKIDPAD, frame_names, preset};
use crate::urdf::Robot;
use crate::world::{Scene, VehicleInfo};

/// The vehicle to describe.
#[derive(Debug, clap::Args)]
pub(super) struct UrdfArgs {
    #[command(flatten)]
    world: WorldArgs,
    /// The vehicle; may be omitted if there is only one
    #[arg(long, value_name = "NAME")]
    vehicle: Option<String>,
    /// Preset that names frames and joints, as in the node's parameter of this name
    #[arg(long, value_name = "NAME", default_value = SKIDPAD.name, add = complete::names(&PRESET_NAMES))]
    preset: String,
    /// Frame of the vehicle, as in the node's parameter base_frame_id; default: that of the preset
    #[arg(long, value_name = "NAME")]
    base_frame_id: Option<String>,
}

/// Writes the URDF of a vehicle.
pub(super) fn urdf(args: &UrdfArgs, out: &mut impl Write) -> Result<(), Failure> {
    let preset = preset(&args.preset).ok_or_else(|| Failure::unknown("--preset", &args.preset, &PRESET_NAMES))?;
    let path = find::world(&args.world.world)?;
    let (world, _) = progress::load(&path, args.world.load_options(None))
        .map_err(|failure| args.world.explain(failure, "urdf", Keys::Elsewhere))?;
    let vehicle = vehicle(world.scene(), args.vehicle.as_deref())?;
    let given = |parameter: &str| args.base_frame_id.clone().filter(|_| parameter == frame_names::BASE_PARAMETER);
    let words = PlaceholderValues::new(preset.placeholders, given);
    frame_names::check(preset, &words).map_err(|error| Failure::because(error.at("--base-frame-id")))?;
    let mut naming = VehicleNaming::new(preset, false).with_words(words);
    naming.follow(world.scene());
    out.write_all(Robot::new(vehicle, &naming.names(vehicle)).to_xml()?.as_bytes())?;
    out.flush()?;
    Ok(())
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
