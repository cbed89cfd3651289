//! What is run for the ledger, and how: short drives with a fixed seed, recorded in every way.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use mcap::MessageStream;
use sha2::{Digest, Sha256};
use skidpad::dataset::table;
use skidpad::math::Twist2;
use skidpad::preset::{self, Preset, SKIDPAD};
use skidpad::record::{RecordOptions, Recorder};
use skidpad::sensor::ReadingData;
use skidpad::sink::{CsvSink, Sinks};
use skidpad::time::SimTime;
use skidpad::vehicle::{Action, Command, GearLever, Pedals, WheelTargets};
use skidpad::world::{Accepts, LoadOptions, World};

use crate::bits;

/// Simulated time of a run [s].
const DURATION: f64 = 2.0;
/// Rays in space after which a run ends earlier, once each sensor has delivered.
const RAYS: u64 = 20_000;
/// Seed of all noise.
const SEED: u64 = 7;

/// Folders with worlds, and with classes that each get a world here.
const WORLDS: [&str; 4] = ["worlds", "src/sim/tests/physics/peer", "tests/browser", "tests/ros"];
const SENSORS: &str = "worlds/sensors";
const VEHICLES: &str = "worlds/vehicles";
/// Worlds whose recordings in another preset are in the ledger too.
const PRESETS: [(&str, &str); 6] = [
    ("worlds/f1tenth.world.xml", "f1tenth_gym_ros"),
    ("worlds/nav2.world.xml", "nav2_loopback"),
    ("worlds/office.world.xml", "turtlebot3"),
    ("worlds/racecar.world.xml", "f1tenth_system"),
    ("worlds/racecar.world.xml", "racecar_gazebo"),
    ("worlds/two_robots.world.xml", "mvsim"),
];
/// Values of variables: two cars that see each other, and less of what takes time.
const VARIABLES: [(&str, &[(&str, &str)]); 6] = [
    ("tests/browser/fleet.world.xml", &[("SIDE", "4")]),
    ("worlds/checkerboard_room.world.xml", &[("PIXELS", "64"), ("camera", "0")]),
    ("worlds/f1tenth.world.xml", &[("num_agents", "2"), ("scan_rate_hz", "50")]),
    ("worlds/hill_with_trees.world.xml", &[("PIXELS", "64"), ("EVERY_COLUMN", "16")]),
    ("worlds/props.world.xml", &[("PIXELS", "64")]),
    ("worlds/warehouse.world.xml", &[("EVERY_COLUMN", "16")]),
];
/// Arguments that make the sensors of [`SENSORS`] coarser, and the directions of the one that reads them from a file.
const COARSE_SENSOR: &str = r#"columns="60" every="16" ncols="64" nrows="48" fx="40" fy="40" cx="32" cy="24" rays_per_s="20000"
    ray_file="../../tests/ledger/rays.csv""#;
/// The sensor that takes its numbers from the variables of a world, which is run.
const NOT_ALONE: &str = "worlds/sensors/f1tenth_scan.sensor.xml";

/// A run.
pub struct Run {
    /// Path from the root of the repository, and the preset if it is not skidpad's own.
    pub name: String,
    world: Source,
    preset: &'static Preset,
}

enum Source {
    /// A world file, and values of its variables.
    File(String, &'static [(&'static str, &'static str)]),
    /// The text of a world, with names relative to this folder.
    Text(&'static str, String),
}

/// All of them, in the order of their names.
pub fn all() -> Vec<Run> {
    let plain = |name: &str, world| Run { name: name.to_owned(), world, preset: &SKIDPAD };
    let file = |name: &str| {
        let variables = VARIABLES.iter().find(|(world, _)| *world == name).map_or(&[][..], |(_, variables)| variables);
        Source::File(name.to_owned(), variables)
    };
    let mut runs = Vec::new();
    for folder in WORLDS {
        runs.extend(files(folder, ".world.xml").iter().map(|name| plain(name, file(name))));
    }
    for name in files(SENSORS, ".sensor.xml").into_iter().filter(|name| name != NOT_ALONE) {
        let text =
            yard(&format!(r#"<include file="{}" {COARSE_SENSOR}/>"#, Path::new(&name).file_name().unwrap().display()));
        runs.push(plain(&name, Source::Text(SENSORS, text)));
    }
    for name in files(VEHICLES, ".vehicle.xml") {
        let text = parade(&name);
        runs.push(plain(&name, Source::Text(VEHICLES, text)));
    }
    for (name, preset) in PRESETS {
        let preset = preset::preset(preset).unwrap();
        runs.push(Run { name: format!("{name} in preset {}", preset.name), world: file(name), preset });
    }
    runs.sort_by(|a, b| a.name.cmp(&b.name));
    runs
}

/// The files of a folder with this ending.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(ending)).map(|name| format!("{folder}/{name}")).collect()
}

/// A robot with this sensor that pushes a crate towards a wall.
fn yard(sensor: &str) -> String {
    format!(
        r#"<mvsim_world><georeference><latitude>45.5</latitude><longitude>9.2</longitude><height>120</height></georeference>
        <element class="horizontal_plane"><x_min>-8</x_min><x_max>8</x_max><y_min>-8</y_min><y_max>8</y_max></element>
        <element class="vertical_plane"><x0>3</x0><y0>-4</y0><x1>3</x1><y1>4</y1><height>3</height></element>
        <block name="crate"><zmax>0.8</zmax><init_pose>0.9 0.1 10</init_pose></block>
        <vehicle name="robot"><init_pose>0 0 0</init_pose><dynamics class="differential"/>{sensor}</vehicle></mvsim_world>"#
    )
}

/// A vehicle of each class of a file, side by side.
fn parade(name: &str) -> String {
    let text = fs::read_to_string(name).unwrap();
    let classes = text.split(r#"<vehicle:class name=""#).skip(1).map(|part| part.split('"').next().unwrap());
    let vehicle = |(index, class): (usize, &str)| {
        format!(r#"<vehicle name="v{index}" class="{class}"><init_pose>0 {} 30</init_pose></vehicle>"#, 8 * index)
    };
    let vehicles: String = classes.enumerate().map(vehicle).collect();
    assert!(!vehicles.is_empty(), "{name}: no class");
    let file = Path::new(name).file_name().unwrap().display();
    format!(r#"<mvsim_world><include file="{file}"/>{vehicles}</mvsim_world>"#)
}

impl Run {
    /// Whether it is in skidpad's own preset, and all outputs count: in others, it is the recording only.
    pub fn is_plain(&self) -> bool {
        self.preset.name == SKIDPAD.name
    }

    fn load(&self) -> World {
        let mut options = LoadOptions { seed: Some(SEED), offline: true, ..LoadOptions::default() };
        let loaded = match &self.world {
            Source::File(path, variables) => {
                options.variables =
                    variables.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
                World::load(Path::new(path), &options)
            }
            Source::Text(folder, text) => World::load_text("ledger.world.xml", Path::new(folder), text, &options),
        };
        loaded.unwrap_or_else(|problems| panic!("{}: {problems}", self.name)).0
    }

    /// The hash of each output, by its name.
    pub fn outputs(&self) -> BTreeMap<String, String> {
        let mut world = self.load();
        let mut tape = Tape::default();
        let folder = tempfile::tempdir().unwrap();
        let recording = folder.path().join("run.mcap");
        let options = RecordOptions { preset: self.preset, ..RecordOptions::default() };
        let is_plain = self.is_plain();
        let mut sinks = Sinks::new();
        sinks.push(Box::new(Recorder::create(&recording, options).unwrap()));
        if is_plain {
            sinks.push(Box::new(CsvSink::in_directory(folder.path()).unwrap()));
        }
        let scene = Arc::clone(world.scene());
        sinks.call_all(|sink| sink.start(&scene));
        let mut rays = 0;
        loop {
            command(&mut world);
            let frame = world.step().unwrap();
            sinks.call_all(|sink| sink.frame(&scene, frame));
            if is_plain {
                tape.add("frames", &bits::without_readings(frame));
            }
            for reading in frame.fresh_readings() {
                let is_planar = reading.data.scan().is_some();
                rays += if is_planar { 0 } else { reading.data.rays() };
                if is_plain {
                    tape.add(kind(&reading.data), &bits::reading(reading));
                }
            }
            let all_delivered = frame.readings.iter().all(|reading| reading.arrived > SimTime::ZERO);
            if frame.time.secs() >= DURATION || (rays >= RAYS && all_delivered) {
                break;
            }
        }
        sinks.finish();
        assert!(sinks.failed().is_empty(), "{}: {:?}", self.name, sinks.failed());
        tape.add_recording(&recording);
        if is_plain {
            tape.add_csv(&folder.path().join("session_001"));
        }
        tape.hashes()
    }
}

/// Commands every vehicle that has nothing else to do: a curve of its own, and another one after half of the time.
fn command(world: &mut World) {
    let scene = Arc::clone(world.scene());
    let now = world.frame().time;
    let half = SimTime::from_secs(0.5 * DURATION);
    let is_second = now >= half;
    if now != SimTime::ZERO && !(is_second && now - scene.step < half) {
        return;
    }
    for (index, vehicle) in scene.vehicles.iter().enumerate() {
        let Accepts { twist, ackermann, pedals, wheels, side_spins, wheel_torques: _ } = vehicle.accepts;
        let speed = 0.8 + 0.01 * index as f64;
        let steering_angle = if is_second { -0.2 } else { 0.15 };
        let action = if ackermann {
            Action::Ackermann { speed, steering_angle }
        } else if pedals {
            let (throttle, brake) = if is_second { (0.0, 0.3) } else { (0.5, 0.0) };
            Action::Pedals { pedals: Pedals { throttle, brake, gear: GearLever::Drive }, steering_angle }
        } else if twist {
            let vy = if vehicle.moves_sideways { 0.1 } else { 0.0 };
            Action::Twist(Twist2::new(speed, vy, if is_second { -0.6 } else { 0.4 }))
        } else if side_spins {
            Action::SideSpins([5.0, if is_second { 4.0 } else { 6.0 }])
        } else if wheels {
            Action::Wheels(WheelTargets {
                spin: [Some(8.0); 4],
                hinge: [Some(steering_angle); 2],
                ..WheelTargets::default()
            })
        } else {
            continue;
        };
        world.command(Command { vehicle: index, action }).unwrap();
    }
}

/// Names of the readings of each kind.
pub const KINDS: [&str; 11] = [
    "scans",
    "clouds",
    "pictures",
    "pictures with depth",
    "inertial samples",
    "satellite fixes",
    "encoder ticks",
    "magnetic fields",
    "contacts",
    "ranges",
    "marker poses",
];

fn kind(data: &ReadingData) -> &'static str {
    KINDS[match data {
        ReadingData::Scan(_) => 0,
        ReadingData::Cloud(_) => 1,
        ReadingData::Photograph(_) => 2,
        ReadingData::Rgbd(_) => 3,
        ReadingData::Imu(_) => 4,
        ReadingData::Gnss(_) => 5,
        ReadingData::Ticks(_) => 6,
        ReadingData::MagneticField(_) => 7,
        ReadingData::Contacts(_) => 8,
        ReadingData::Range(_) => 9,
        ReadingData::MarkerPose(_) => 10,
    }]
}

/// These bytes, with a name for the folder of the repository, which is another one on each machine.
fn anywhere(bytes: &[u8]) -> Cow<'_, [u8]> {
    let root = env!("CARGO_MANIFEST_DIR");
    match std::str::from_utf8(bytes) {
        Ok(text) if text.contains(root) => Cow::Owned(text.replace(root, "REPOSITORY").into_bytes()),
        _ => Cow::Borrowed(bytes),
    }
}

/// What each output has given so far.
#[derive(Default)]
struct Tape(BTreeMap<String, Sha256>);

impl Tape {
    fn output(&mut self, name: &str) -> &mut Sha256 {
        if !self.0.contains_key(name) {
            self.0.insert(name.to_owned(), Sha256::new());
        }
        self.0.get_mut(name).unwrap()
    }

    fn add(&mut self, output: &str, numbers: &[u64]) {
        let mut bytes = Vec::with_capacity(8 * numbers.len());
        numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        self.output(output).update(bytes);
    }

    /// The messages of each type, with their topics and times, and the scene.
    fn add_recording(&mut self, path: &Path) {
        let bytes = fs::read(path).unwrap();
        for message in MessageStream::new(&bytes).unwrap() {
            let message = message.unwrap();
            let kind = message.channel.schema.as_ref().unwrap().name.as_str();
            let output = self.output(&format!("recorded {kind}"));
            output.update(message.channel.topic.as_bytes());
            output.update(message.log_time.to_le_bytes());
            match table::content(kind, "", &message.data) {
                Some(content) => output.update(content),
                // A string begins behind the head of the encoding and its length.
                None if kind == "std_msgs/msg/String" => output.update(message.data.get(8..).unwrap()),
                None => output.update(&message.data[..]),
            }
        }
        let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
        for index in &summary.attachment_indexes {
            let attachment = mcap::read::attachment(&bytes, index).unwrap();
            self.output(&format!("recorded {}", attachment.name)).update(anywhere(&attachment.data));
        }
    }

    /// The files of vehicles and those of wheels.
    fn add_csv(&mut self, session: &Path) {
        let mut names: Vec<_> = fs::read_dir(session).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        for path in names {
            let name = path.file_name().unwrap().to_str().unwrap();
            let output = if name.ends_with("_pose.csv") { "CSV of poses" } else { "CSV of wheels" };
            let output = self.output(output);
            output.update(name.as_bytes());
            output.update(fs::read(&path).unwrap());
        }
    }

    /// The first half of each SHA-256 as hexadecimal digits.
    fn hashes(self) -> BTreeMap<String, String> {
        let hash = |hasher: Sha256| hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        self.0.into_iter().map(|(name, hasher)| (name, hash(hasher))).collect()
    }
}
