//! Command-line arguments.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::analyze::AnalyzeArgs;
use super::dataset::DatasetArgs;
use super::experiment::ExperimentArgs;
use super::identify::{IdentifyArgs, ValidateArgs};
use super::import::ImportArgs;
use super::node::NodeArgs;
use super::parsers::{choice, duration, seconds, threads, variable};
use super::python::PythonArgs;
use super::replay::ReplayArgs;
use super::sensor_args::SensorArgs;
use super::snapshot::SnapshotArgs;
use super::urdf::UrdfArgs;
use super::web::WebArgs;
use super::world_args::WorldArgs;
use crate::bench::Case;
use crate::plot::Size;
use crate::record::Compression;
use crate::time::{Rate, SimTime};

/// Simulates wheeled vehicles with tyre physics and lidars, and talks ROS 2
#[derive(Debug, Parser)]
#[command(name = "skidpad", version, arg_required_else_help = true)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) task: Task,
}

#[derive(Debug, Subcommand)]
pub(super) enum Task {
    /// Run a world, as a ROS 2 node where built with ROS
    ///
    /// Everything from --ros-args to -- or the end is for ROS. SIGINT, SIGTERM and SIGHUP end the run with status 0.
    Run(RunArgs),
    /// Load a world and say what is in it
    Check(CheckArgs),
    /// List what world files and experiments can name: models, friction laws, powertrains, controllers, sensors, parameter sets,
    /// trajectories, linearizers, worlds
    List(ListArgs),
    /// Draw what a tyre, a model, a powertrain or a trajectory does, as SVG, PNG or CSV
    Plot(PlotArgs),
    /// Track trajectories and say how well it went
    Experiment(ExperimentArgs),
    /// Fit a vehicle class to recordings of a car, with the uncertainty of each number and the error of prediction
    Identify(IdentifyArgs),
    /// Say how well a vehicle class predicts recordings of a car
    Validate(ValidateArgs),
    /// Metrics and graphs of recordings
    Analyze(AnalyzeArgs),
    /// Show a recording in the browser
    ///
    /// SIGINT, SIGTERM and SIGHUP end it with status 0.
    Replay(ReplayArgs),
    /// Run one of the nodes around the simulator
    Node(NodeArgs),
    /// Print a vehicle of a world as URDF, for robot_state_publisher
    Urdf(UrdfArgs),
    /// Make a vehicle class of a robot, or a world of a Gazebo world: from URDF or SDF
    Import(ImportArgs),
    /// Write what a sensor sees at one instant: a picture, or points
    Snapshot(SnapshotArgs),
    /// Write a recorded drive as a dataset with ground truth: KITTI, TUM RGB-D or EuRoC
    Dataset(DatasetArgs),
    /// Run a world many times, with other variables and seeds, on all cores or a Ray cluster (needs the Python package)
    Sweep(PythonArgs),
    /// Fit the gains of a vehicle's controller by step responses (needs the Python package)
    Tune(PythonArgs),
    /// Measure the speed of typical worlds, one JSON line for each
    Bench(BenchArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    pub(super) world: WorldArgs,
    /// Simulated seconds per second, 0.001 to 1000000, or max
    #[arg(long, value_name = "R", default_value = "1")]
    pub(super) rate: Rate,
    /// Start paused, until the viewer's page or the ROS node lets time go on
    #[arg(long)]
    pub(super) paused: bool,
    /// End after this much simulated time [s]
    #[arg(long, value_name = "S", value_parser = duration)]
    pub(super) duration: Option<SimTime>,
    /// Seed of all noise, instead of the world file's
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Log every vehicle and wheel to a new session in this directory
    #[arg(long, value_name = "DIR")]
    pub(super) csv: Option<PathBuf>,
    /// Record the run as MCAP, for ros2 bag, Foxglove and skidpad analyze
    #[arg(long, value_name = "FILE.mcap")]
    pub(super) record: Option<PathBuf>,
    /// Record only these topics, such as /odom,/scan; a * at the end stands for all that begin so
    #[arg(long, value_name = "TOPIC,…", value_delimiter = ',', requires = "record")]
    pub(super) record_topics: Vec<String>,
    /// How recordings are compressed: none, zstd, lz4
    #[arg(long, value_name = "HOW", default_value = "none", value_parser = |text: &str| choice(text, "compression", &Compression::NAMES), requires = "record")]
    pub(super) record_compression: Compression,
    /// Have a vehicle follow the trajectory of an experiment, and report the error once a second; any command takes over.
    /// Then --set also sets keys of its tracker, trajectory and linearizer, such as Kp
    #[arg(long, value_name = "CONFIG.yaml")]
    pub(super) track: Option<PathBuf>,
    /// Drive by a file: time,vehicle,v,omega, or time,vehicle,speed,steering_angle, or
    /// time,vehicle,throttle,brake,gear,steering_angle; docs/driving.md has the others
    #[arg(long, value_name = "FILE.csv")]
    pub(super) commands: Option<PathBuf>,
    /// Wait for a command to every vehicle each time so much simulated time has passed [s]; also a parameter of the node
    #[arg(long, value_name = "PERIOD", value_parser = duration, conflicts_with = "no_ros")]
    pub(super) lockstep: Option<SimTime>,
    /// Start no viewer, unless --web asks for one
    #[arg(long)]
    pub(super) headless: bool,
    #[command(flatten)]
    pub(super) web: WebArgs,
    /// Let viewers edit the world, and save it in this folder
    ///
    /// Files are written nowhere else; the world file itself only if it is in this folder or below.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["web_read_only", "track"])]
    pub(super) edit: Option<PathBuf>,
    /// Leave ROS out
    #[arg(long)]
    pub(super) no_ros: bool,
    #[command(flatten)]
    pub(super) sensors: SensorArgs,
    /// Threads that cast rays; changes no result
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(super) threads: Option<usize>,
}

#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    /// List only this: worlds, or the interface of the ROS node as Markdown
    #[arg(value_enum)]
    pub(super) what: Option<Listed>,
}

/// The tables that can be listed separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Listed {
    /// The worlds that are found by name
    Worlds,
    /// The systems that the ROS node stands in for: their topics, types, rates, frames and parameters
    Presets,
    /// The parameters of the ROS node
    Parameters,
}

#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) world: WorldArgs,
    /// Treat warnings as errors
    #[arg(long)]
    pub(super) strict: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct PlotArgs {
    #[command(subcommand)]
    pub(super) what: PlotTask,
}

#[derive(Debug, Subcommand)]
pub(super) enum PlotTask {
    /// Forces over slip angle, slip ratio and both: of friction laws, or of the tyres of vehicles
    Tyre(FigureArgs),
    /// Simulated handling of steered vehicles: yaw-rate gain, handling diagram, step steer, circle; of others, the response to a
    /// velocity command
    Model(FigureArgs),
    /// Engines and their traction: presets, or vehicles with a powertrain
    Torque(FigureArgs),
    /// Paths of trajectories, with their speed, curvature and turn rate over time
    Trajectory(TrajectoryArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct TrajectoryArgs {
    /// Names from `skidpad list`, or CSV files of waypoints, all in one figure
    #[arg(required = true, value_name = "NAME")]
    pub(super) names: Vec<String>,
    /// A parameter of theirs, such as R=1.5 or closed=true; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub(super) set: Vec<String>,
    /// Duration to plot [s]
    #[arg(long, value_name = "S", default_value = "30", value_parser = seconds)]
    pub(super) duration: f64,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub(super) struct FigureArgs {
    /// Names from `skidpad list` (of parameter sets too), vehicle files or worlds, all in one figure
    #[arg(required = true, value_name = "NAME")]
    pub(super) names: Vec<String>,
    /// Set a variable of the worlds and vehicle files, instead of its default; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable)]
    pub(super) set: Vec<(String, String)>,
    /// Of worlds, only this vehicle
    #[arg(long, value_name = "NAME")]
    pub(super) vehicle: Option<String>,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// Where a figure goes.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// Where to: .svg, .png, or .csv for the numbers
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Size of the picture [px]; by default as the figure needs
    #[arg(long, value_name = "WxH")]
    pub(super) size: Option<Size>,
}

#[derive(Debug, clap::Args)]
pub(super) struct BenchArgs {
    /// Only this case, in this process
    #[arg(long, value_enum, ignore_case = true)]
    pub(super) case: Option<Case>,
    /// How long to measure each case [s]
    #[arg(long, value_name = "S", default_value = "2.5", value_parser = seconds)]
    pub(super) seconds: f64,
    #[command(flatten)]
    pub(super) sensors: SensorArgs,
    /// Threads that cast rays
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(super) threads: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_of_the_arguments_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn numbers_out_of_range_are_wrong_usage() {
        for bad in [
            "--rate=0",
            "--rate=1e-308",
            "--rate=x",
            "--duration=-1",
            "--duration=nan",
            "--seed=-1",
            "--threads=0",
            "--sensors=opengl",
        ] {
            assert_eq!(Args::try_parse_from(["skidpad", "run", "w", bad]).unwrap_err().exit_code(), 2, "{bad}");
        }
    }
}
