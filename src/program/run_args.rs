//! The arguments of `skidpad run`.

use std::path::PathBuf;

use clap::builder::ArgPredicate;

use crate::answer::JsonArgs;
use crate::offer;
use crate::parsers::{Choice, duration, preset_name, rate, shipped_file, threads};
use crate::preset::{PRESET_NAMES, Preset};
use crate::record::Compression;
use crate::sensor_args::SensorArgs;
use crate::time::{Rate, SimTime};
use crate::web_args::WebArgs;
use crate::world_args::WorldArgs;

#[derive(Debug, clap::Args)]
#[command(mut_arg("world", |world| {
    let world = world.required(false).required_unless_present("scenario").conflicts_with("scenario");
    world.default_value_if("scenario", ArgPredicate::IsPresent, ".")
}))]
#[allow(missing_docs, reason = "clap would take it for help")]
pub struct RunArgs {
    #[allow(missing_docs, reason = "clap would take it for help")]
    #[command(flatten)]
    pub world: WorldArgs,
    /// Simulated seconds per second, 0.001 to 1000000, or max
    #[arg(long, value_name = "R", default_value = "1", value_parser = rate)]
    pub rate: Rate,
    /// Start paused, until the run is resumed from the viewer's page or through ROS
    #[arg(long)]
    pub paused: bool,
    /// End after this much simulated time [s]
    #[arg(long, value_name = "S", value_parser = duration)]
    pub duration: Option<SimTime>,
    /// Seed of all noise, instead of the world file's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Log every vehicle and wheel to a new session in this directory
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
    /// Record the run as MCAP, for ros2 bag, Foxglove and skidpad analyze
    #[arg(long, value_name = "FILE.mcap")]
    pub record: Option<PathBuf>,
    /// Record only these topics, such as /odom,/scan; a trailing * matches any ending
    #[arg(long, value_name = "TOPIC,…", value_delimiter = ',', requires = "record")]
    pub record_topics: Vec<String>,
    /// Compression of the recording
    #[arg(long, value_name = "HOW", default_value = "none", value_parser = Choice::of("compression", &Compression::NAMES), requires = "record")]
    pub record_compression: Compression,
    /// Make a vehicle follow the trajectory of an experiment, and report the error once a second; any command overrides it.
    /// With it, --set also sets keys of the tracker, trajectory and linearizer, such as Kp
    #[arg(long, value_name = "CONFIG.yaml", value_parser = shipped_file(), add = offer::experiments())]
    pub track: Option<PathBuf>,
    /// Run the world of a scenario, which judges the run; docs/scenarios.md describes it. Exit status: 0 passed, 1 failed, 2 the run could not be
    /// made or finished. With it, --set also sets keys of tracker, trajectory and linearizer
    #[arg(long, value_name = "SCENARIO.yaml", value_parser = shipped_file(), add = offer::files(&[".yaml", ".yml"]), conflicts_with_all = ["track", "duration"])]
    pub scenario: Option<PathBuf>,
    /// With --scenario: the run of this name, such as "doorway[seed=3]", instead of its first
    #[arg(long, value_name = "NAME", requires = "scenario")]
    pub only: Option<String>,
    /// Drive vehicles by the commands in a file: time,vehicle,v,omega, or time,vehicle,speed,steering_angle, or
    /// time,vehicle,throttle,brake,gear,steering_angle; docs/driving.md lists the other formats
    #[arg(long, value_name = "FILE.csv", add = offer::files(&[".csv"]))]
    pub commands: Option<PathBuf>,
    /// Lockstep: after every period of simulated time [s], wait for a command to every vehicle; also a parameter of the node
    #[arg(long, value_name = "PERIOD", value_parser = duration, conflicts_with = "no_ros")]
    pub lockstep: Option<SimTime>,
    /// Do not start the viewer, unless --web is given
    #[arg(long)]
    pub headless: bool,
    #[allow(missing_docs, reason = "clap would take it for help")]
    #[command(flatten)]
    pub web: WebArgs,
    /// Allow viewers to edit the world, and to save it in this folder
    ///
    /// No files are written outside this folder: the world file itself is overwritten only if it is below it.
    #[arg(long, value_name = "FOLDER", conflicts_with = "web_read_only")]
    pub edit: Option<PathBuf>,
    /// System that the node stands in for: names of topics and frames, and their rates, as skidpad list presets lists them; also of a recording without
    /// ROS, and a parameter of the node, which it overrides [default: skidpad]
    #[arg(long, value_name = "NAME", value_parser = preset_name, add = offer::names(&PRESET_NAMES))]
    pub preset: Option<&'static Preset>,
    /// Run without ROS
    #[arg(long)]
    pub no_ros: bool,
    #[allow(missing_docs, reason = "clap would take it for help")]
    #[command(flatten)]
    pub json: JsonArgs,
    #[allow(missing_docs, reason = "clap would take it for help")]
    #[command(flatten)]
    pub sensors: SensorArgs,
    /// Number of threads that cast rays; does not change results
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,
}
