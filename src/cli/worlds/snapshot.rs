//! `skidpad snapshot`: what a sensor sees at one instant, as a file.

use std::path::PathBuf;
use std::sync::Arc;

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
    /// The sensor, or VEHICLE/SENSOR where several vehicles have one of this name
    #[arg(long, value_name = "NAME")]
    sensor: String,
    /// Simulated time from which its next sample is taken [s]
    #[arg(long, value_name = "T", default_value_t = 0.0)]
    at: f64,
    /// File to write: a picture .png, its numbers .npy, points .ply, .pcd, or what the numbers of labels mean .json
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Topic of a sensor with several, by the end of its name, such as depth/image_raw [default: the first suitable one]
    #[arg(long, value_name = "TOPIC", default_value = "")]
    topic: String,
    #[command(flatten)]
    sensors: SensorArgs,
}

/// Writes what a sensor sees.
pub(in crate::cli) fn snapshot(args: &SnapshotArgs) -> Result<(), Failure> {
    Format::of(&args.out).map_err(Failure::because)?;
    if !(0.0..=LATEST).contains(&args.at) {
        let message = Diagnostic::of(format!("--at {}", args.at)).accepted(format!("0 to {LATEST} s"));
        return Err(Failure::because(message));
    }
    let path = find::world(&args.world.world)?;
    let options = LoadOptions { batch_caster: args.sensors.batch_caster(), ..args.world.load_options(None) };
    let (mut world, warnings) =
        progress::load(&path, options).map_err(|failure| args.world.explain(failure, "snapshot", Keys::Elsewhere))?;
    log_warnings(&warnings);
    let (vehicle, sensor) = find_sensor(world.scene(), &args.sensor)?;
    Work::of("running", || sample(&mut world, (vehicle, sensor), SimTime::from_secs(args.at)))?;
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
    let topic = snapshot::write(&messages, &args.topic, &args.out).map_err(Failure::because)?;
    tracing::info!("{}: {topic} at {:.3} s", args.out.display(), reading.time.secs());
    Ok(())
}

/// Steps the world until the sensor has a fresh sample of the time `at` [ns] or later.
fn sample(world: &mut World, (vehicle, sensor): (usize, usize), at: SimTime) -> Result<(), Failure> {
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
        let is_it = |reading: &Reading| (reading.vehicle, reading.sensor) == (vehicle, sensor) && reading.time >= at;
        if frame.fresh_readings().any(is_it) || frame.time > latest {
            return Ok(());
        }
    }
}

/// Indices of the vehicle and of its sensor called `name` or `vehicle/name`.
fn find_sensor(scene: &Scene, name: &str) -> Result<(usize, usize), Failure> {
    let mut found = Vec::new();
    let mut known = Vec::new();
    for (vehicle, info) in scene.vehicles.iter().enumerate() {
        for (sensor, of) in info.sensors.iter().enumerate() {
            let whole = format!("{}/{}", info.name, of.name);
            if of.name == name || whole == name {
                found.push((vehicle, sensor));
            }
            known.push(whole);
        }
    }
    match found[..] {
        [only] => Ok(only),
        [] => Err(Failure::unknown("--sensor", name, &known)),
        _ => Err(Failure::because(
            Diagnostic::new(format!("--sensor {name}"), "several sensors are called so").accepted_all(known),
        )),
    }
}
