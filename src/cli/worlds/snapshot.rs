//! `skidpad snapshot`: what a sensor sees at one instant, as a file.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::parsers::number;
use crate::cli::progress::Work;
use crate::cli::sensor_args::SensorArgs;
use crate::cli::setting_hints::Keys;
use crate::cli::world_args::WorldArgs;
use crate::cli::{Failure, find, log_warnings, progress};
use crate::diagnostic::Diagnostic;
use crate::interface::names::VehicleNames;
use crate::meter::{Meter, Unit};
use crate::preset::SKIDPAD;
use crate::sensor::Reading;
use crate::snapshot::{self, Format, SnapshotError};
use crate::time::SimTime;
use crate::world::{LoadOptions, Scene, Wanted, World};

/// Longest simulated time before a snapshot [s].
const LATEST: f64 = 1e5;

/// The sensor, the instant and the file.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct SnapshotArgs {
    #[command(flatten)]
    world: WorldArgs,
    /// Name of the sensor, or VEHICLE/SENSOR if several vehicles have this sensor
    #[arg(long, value_name = "NAME")]
    sensor: String,
    /// Take the sensor's first sample at or after this simulated time [s]
    #[arg(long, value_name = "T", default_value = "0", value_parser = instant)]
    at: f64,
    /// File to write: .png, .npy, .ply, .pcd or .json
    ///
    /// The ending chooses what is written: .png a picture, .npy the numbers of a picture, .ply or .pcd points, .json the meanings of the label
    /// numbers.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Topic to write, if the sensor has several, such as depth/image_raw
    ///
    /// The end of the topic's name is enough. Without the option, the first topic that suits the file is written.
    #[arg(long, value_name = "TOPIC")]
    topic: Option<String>,
    #[command(flatten)]
    sensors: SensorArgs,
}

/// Writes what a sensor sees.
pub(in crate::cli) fn snapshot(args: &SnapshotArgs) -> Result<(), Failure> {
    Format::of(&args.out).map_err(Failure::because)?;
    let path = find::world(&args.world.world)?;
    let options = LoadOptions { batch_caster: args.sensors.batch_caster(), ..args.world.load_options(None) };
    let (mut world, warnings) =
        progress::load(&path, options).map_err(|failure| args.world.explain(failure, "snapshot", Keys::Elsewhere))?;
    log_warnings(&warnings);
    let (vehicle, sensor) = find_sensor(world.scene(), &args.sensor)?;
    Work::of("running", || sample(&mut world, vehicle, sensor, SimTime::from_secs(args.at)))?;
    let info = &world.scene().vehicles[vehicle];
    let names = VehicleNames::new(&SKIDPAD, &info.name, world.scene().vehicles.len() > 1, false);
    let mut readings = world.frame().fresh_readings();
    let Some(reading) = readings.find(|reading| (reading.vehicle, reading.sensor) == (vehicle, sensor)) else {
        return Err(Failure::because(Diagnostic::of(format!("the sensor {} took no sample", args.sensor))));
    };
    let failed = |error| Failure::because(SnapshotError::from(error));
    let mut messages = snapshot::capture(info, &names, reading).map_err(failed)?;
    if info.sensors[sensor].kind.has_labels() {
        messages.extend(snapshot::capture_labels(world.scene()).map_err(failed)?);
    }
    let topic =
        snapshot::write(&messages, args.topic.as_deref().unwrap_or_default(), &args.out).map_err(Failure::because)?;
    tracing::info!("{}: {topic} at {:.3} s", args.out.display(), reading.time.secs());
    Ok(())
}

/// Steps the world until the sensor has a fresh sample of the time `at` [ns] or later. `vehicle` is the index of its vehicle, and
/// `sensor` its index there.
fn sample(world: &mut World, vehicle: usize, sensor: usize, at: SimTime) -> Result<(), Failure> {
    let scene = Arc::clone(world.scene());
    let before: usize = scene.vehicles[..vehicle].iter().map(|info| info.sensors.len()).sum();
    let mut wanted = Wanted::default();
    world.want(&wanted);
    wanted.add(before + sensor);
    let period = scene.vehicles[vehicle].sensors[sensor].period;
    // A sample that is gathered over time begins with the sample before.
    let first = at - period - scene.step;
    let latest = at + period + period + scene.step;
    let meter = Meter::current();
    meter.begin(Unit::SimulatedTime, at.0.unsigned_abs());
    loop {
        if world.frame().time >= first {
            world.want(&wanted);
        }
        let frame = world.step().map_err(Failure::because)?;
        meter.set(frame.time.0.unsigned_abs());
        let is_wanted =
            |reading: &Reading| (reading.vehicle, reading.sensor) == (vehicle, sensor) && reading.time >= at;
        if frame.fresh_readings().any(is_wanted) || frame.time > latest {
            return Ok(());
        }
    }
}

/// Indices of the vehicle and of its sensor called `name` or `vehicle/name`.
fn find_sensor(scene: &Scene, name: &str) -> Result<(usize, usize), Failure> {
    let mut matching_sensors = Vec::new();
    let mut known = Vec::new();
    for (vehicle, info) in scene.vehicles.iter().enumerate() {
        for (sensor, of) in info.sensors.iter().enumerate() {
            let whole = format!("{}/{}", info.name, of.name);
            if of.name == name || whole == name {
                matching_sensors.push((vehicle, sensor));
            }
            known.push(whole);
        }
    }
    match matching_sensors[..] {
        [only] => Ok(only),
        [] => Err(Failure::unknown("--sensor", name, &known)),
        _ => Err(Failure::because(
            Diagnostic::new(format!("--sensor {name}"), "several sensors are called so").accepted_all(known),
        )),
    }
}

/// An instant of a snapshot [s].
fn instant(text: &str) -> Result<f64, Diagnostic> {
    let accepted = format!("a number of seconds from 0 to {LATEST}");
    number(text, |time| (0.0..=LATEST).contains(&time), "not a time", &accepted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_within_the_longest_simulated_time() {
        assert_eq!([instant("0").unwrap(), instant("1e5").unwrap()], [0.0, 1e5]);
        for wrong in ["-1", "1e6", "nan", "soon", ""] {
            let refused = instant(wrong).unwrap_err().to_string();
            assert_eq!(refused, "not a time\n  accepted: a number of seconds from 0 to 100000", "{wrong}");
        }
    }
}
