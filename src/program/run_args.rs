//! The arguments of `skidpad run`.

use std::path::PathBuf;

use clap::builder::ArgPredicate;

use crate::answer::JsonArgs;
use crate::offer;
use crate::parsers::{Choice, duration, preset_name, rate, seed, shipped_file, threads};
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
    /// Simulated seconds per second of wall time: 0.001 to 1000000, or max
    ///
    /// max runs as fast as the processor allows.
    #[arg(long, value_name = "R", default_value = "1", value_parser = rate)]
    pub rate: Rate,
    /// Start paused
    ///
    /// The run is resumed in the viewer or through ROS.
    #[arg(long)]
    pub paused: bool,
    /// End after this much simulated time [s]
    #[arg(long, value_name = "S", value_parser = duration)]
    pub duration: Option<SimTime>,
    /// Seed of all noise, instead of the seed in the world file
    #[arg(long, value_name = "N", value_parser = seed)]
    pub seed: Option<u64>,
    /// Log every vehicle and wheel as CSV
    ///
    /// Each run writes a new session folder in DIR.
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
    /// Record the run as MCAP
    ///
    /// ros2 bag, Foxglove and `skidpad analyze` read the file.
    #[arg(long, value_name = "FILE.mcap")]
    pub record: Option<PathBuf>,
    /// Record only these topics, such as /odom,/scan
    ///
    /// A * at the end of a name matches any ending.
    #[arg(long, value_name = "TOPIC,…", value_delimiter = ',', requires = "record")]
    pub record_topics: Vec<String>,
    /// Compression of the recording
    #[arg(long, value_name = "HOW", default_value = "none", value_parser = Choice::of("compression", &Compression::NAMES), requires = "record")]
    pub record_compression: Compression,
    /// Make a vehicle follow the trajectory of an experiment
    ///
    /// The run reports the error once a second. Any command to the vehicle overrides the tracker. With --track, --set also sets keys of the
    /// tracker, trajectory and linearizer, such as Kp.
    #[arg(long, value_name = "CONFIG.yaml", value_parser = shipped_file(), add = offer::experiments())]
    pub track: Option<PathBuf>,
    /// Run the world of a scenario, and judge the run by the scenario
    ///
    /// Exit status: 0 passed, 1 failed, 2 the run could not be made or finished. With --scenario, --set also sets keys of the tracker, trajectory
    /// and linearizer. docs/scenarios.md describes scenarios.
    #[arg(long, value_name = "SCENARIO.yaml", value_parser = shipped_file(), add = offer::files(&[".yaml", ".yml"]), conflicts_with_all = ["track", "duration"])]
    pub scenario: Option<PathBuf>,
    /// Choose the run of --scenario, such as "doorway[seed=3]", instead of its first
    #[arg(long, value_name = "NAME", requires = "scenario")]
    pub only: Option<String>,
    /// Drive vehicles by the commands in a CSV file
    ///
    /// The columns are time,vehicle,v,omega, or time,vehicle,speed,steering_angle, or time,vehicle,throttle,brake,gear,steering_angle.
    /// docs/driving.md lists the other formats.
    #[arg(long, value_name = "FILE.csv", add = offer::files(&[".csv"]))]
    pub commands: Option<PathBuf>,
    /// Lockstep: wait for a command to every vehicle after each simulated period [s]
    ///
    /// The ROS parameters lockstep and lockstep_period override this option.
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
    /// Nothing outside this folder is written. The world file itself is overwritten only if it is in this folder or below it.
    #[arg(long, value_name = "FOLDER", conflicts_with = "web_read_only")]
    pub edit: Option<PathBuf>,
    /// Use the topics, frames and rates of this system [default: skidpad]
    ///
    /// `skidpad list presets` describes the systems that the node can replace. The option also applies to recordings without ROS. It overrides
    /// the ROS parameter preset.
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
