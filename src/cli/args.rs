//! Command-line arguments.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use super::analyze::AnalyzeArgs;
use super::answer::JsonArgs;
use super::complete::{self, CompletionsArgs};
use super::dataset::DatasetArgs;
use super::experiment::ExperimentArgs;
use super::export::ExportArgs;
use super::identify::{IdentifyArgs, ValidateArgs};
use super::import::ImportArgs;
use super::man::ManArgs;
use super::new::NewArgs;
use super::node::NodeArgs;
use super::offer;
use super::parsers::{seconds, threads, variable};
use super::python::PythonArgs;
use super::replay::ReplayArgs;
use super::report::Verbosity;
use super::rerun::RerunArgs;
use super::run_args::RunArgs;
use super::sensor_args::SensorArgs;
use super::snapshot::SnapshotArgs;
use super::test::TestArgs;
use super::urdf::UrdfArgs;
use super::world_args::WorldArgs;
use crate::bench::Case;
use crate::plot::Size;

/// Simulates wheeled vehicles with tyre physics and lidars, and talks ROS 2
#[derive(Debug, Parser)]
#[command(
    name = "skidpad",
    version,
    arg_required_else_help = true,
    after_help = "Examples:
  skidpad run racecar                      a car on a track, in the browser by the link that it prints
  skidpad list worlds                      the other worlds
  skidpad new my.world.xml                 a world of your own
  skidpad experiment config/circle.yaml    how well a controller follows a circle

`skidpad help COMMAND` has the options and examples of a command."
)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) task: Task,
    #[command(flatten)]
    pub(super) verbosity: Verbosity,
}

#[derive(Debug, Subcommand)]
pub(super) enum Task {
    /// Run a world, as a ROS 2 node if built with ROS
    ///
    /// Arguments between --ros-args and -- (or the end) are passed to ROS. SIGINT, SIGTERM and SIGHUP end the run with status 0.
    #[command(after_help = "Examples:
  skidpad run office
  skidpad run racecar --rate max --duration 60 --headless --record run.mcap
  skidpad run tracking --track config/figure_eight.yaml --set Kp=2 --set tyre=pacejka
  skidpad run --scenario config/scenarios/wall.yaml
  skidpad run my.world.xml --edit .")]
    Run(Box<RunArgs>),
    /// Write a world to start from: a floor, and a vehicle
    New(NewArgs),
    /// Load a world and print its contents and any problems
    #[command(after_help = "Examples:
  skidpad check racecar
  skidpad check my.world.xml --strict")]
    Check(CheckArgs),
    /// List the names that world files and experiments can use: models, friction laws, powertrains, controllers, sensors, parameter sets,
    /// trajectories, trackers, linearizers, worlds
    List(ListArgs),
    /// Plot the characteristics of tyres, vehicle models, powertrains or trajectories, as SVG, PNG or CSV
    #[command(after_help = "Examples:
  skidpad plot tyre pacejka road_car --out tyres.svg
  skidpad plot trajectory figure_eight --set R=1.5 --out eight.pdf")]
    Plot(PlotArgs),
    /// Run trajectory-tracking experiments and report the errors
    #[command(after_help = "Examples:
  skidpad experiment config/circle.yaml --out results
  skidpad experiment config/circle.yaml --set tracker=stanley --plant single_track
  skidpad experiment config/circle.yaml --vary Kp=1,2,5 --vary tyre=linear,pacejka --curves kp.svg")]
    Experiment(ExperimentArgs),
    /// Run scenarios, and say which of them hold
    ///
    /// Exit status: 0 all passed, 1 a run failed, 2 a run could not be made or a file is wrong.
    #[command(after_help = "Examples:
  skidpad test config/scenarios/*.yaml
  skidpad test config/scenarios/wall.yaml --repeat 100 --junit junit.xml --out results")]
    Test(TestArgs),
    /// Fit a vehicle class to recordings of a car, and report the uncertainty of each number and the error of prediction
    #[command(after_help = "Example:
  skidpad identify my_car.yaml --out identified")]
    Identify(IdentifyArgs),
    /// Report how well a vehicle class predicts recordings of a car
    Validate(ValidateArgs),
    /// Compute metrics and graphs of recordings
    #[command(after_help = "Examples:
  skidpad analyze run.mcap --out results
  skidpad analyze before.mcap after.mcap --html comparison.html
  skidpad analyze run_*.mcap --mean")]
    Analyze(AnalyzeArgs),
    /// Show a recording in the browser
    ///
    /// SIGINT, SIGTERM and SIGHUP end it with status 0.
    #[command(after_help = "Examples:
  skidpad replay run.mcap
  skidpad replay run.mcap --start 30 --rate 0.25 --loop")]
    Replay(ReplayArgs),
    /// Make a recorded run again, and say whether it has the same bits
    ///
    /// Exit status: 0 the same, 1 other bits, 2 the run cannot be made again.
    #[command(after_help = "Example:
  skidpad rerun run.mcap")]
    Rerun(RerunArgs),
    /// Run one of the nodes around the simulator
    Node(NodeArgs),
    /// Print a vehicle of a world as URDF, for robot_state_publisher
    Urdf(UrdfArgs),
    /// Convert a robot (URDF or SDF) to a vehicle class, or a Gazebo world (SDF) to a world
    #[command(after_help = "Examples:
  skidpad import robot.urdf --out my_robot
  skidpad import house.world --out house")]
    Import(ImportArgs),
    /// Write one reading of a sensor to a file: a picture, or points
    #[command(after_help = "Example:
  skidpad snapshot checkerboard_room --sensor camera --at 1 --out picture.png")]
    Snapshot(SnapshotArgs),
    /// Write a recorded drive as a dataset with ground truth: KITTI, TUM RGB-D or EuRoC
    Dataset(DatasetArgs),
    /// Write the messages of a recording as tables: a CSV or Parquet file for each topic
    #[command(after_help = "Examples:
  skidpad export run.mcap --csv tables
  skidpad export run.mcap --parquet tables --topic /odom --topic /scan")]
    Export(ExportArgs),
    /// Run a world many times with different variables and seeds, on all cores or a Ray cluster (needs the Python package)
    Sweep(PythonArgs),
    /// Fit the gains of a vehicle's controller by step responses (needs the Python package)
    Tune(PythonArgs),
    /// Measure the simulation speed of typical worlds, and print a JSON line for each
    Bench(BenchArgs),
    /// Print the script with which a shell completes commands, options, and names of worlds, classes and keys
    Completions(CompletionsArgs),
    /// Print the manual page of the program, or write those of all commands into a folder
    Man(ManArgs),
}

/// The definition of the arguments. Help is wrapped to the terminal on which it is printed, and elsewhere not at all.
pub(super) fn command() -> clap::Command {
    let command = Args::command();
    if io::stdout().is_terminal() { command } else { command.term_width(0) }
}

/// The arguments of these words, of which the first is the name of the program.
///
/// # Errors
/// They are no usage of it, or ask for help.
pub(super) fn parse(words: Vec<OsString>) -> Result<Args, clap::Error> {
    let mut matches = command().try_get_matches_from(words)?;
    Args::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command()))
}

impl Task {
    /// The name of a command that is to answer with a document; none: with text.
    pub(super) fn with_document(&self) -> Option<&'static str> {
        let (name, args) = match self {
            Task::Run(args) => ("run", args.json),
            Task::Check(args) => ("check", args.json),
            Task::List(args) => ("list", args.json),
            Task::Experiment(args) => ("experiment", args.json),
            Task::Test(args) => ("test", args.json),
            Task::Validate(args) => ("validate", args.json),
            Task::Analyze(args) => ("analyze", args.json),
            Task::Rerun(args) => ("rerun", args.json),
            _ => return None,
        };
        args.json.then_some(name)
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    /// List only this: worlds, or the interface of the ROS node as Markdown
    #[arg(value_enum)]
    pub(super) what: Option<Listed>,
    #[command(flatten)]
    pub(super) json: JsonArgs,
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
    #[command(flatten)]
    pub(super) json: JsonArgs,
}

#[derive(Debug, clap::Args)]
pub(super) struct PlotArgs {
    #[command(subcommand)]
    pub(super) what: PlotTask,
}

#[derive(Debug, Subcommand)]
pub(super) enum PlotTask {
    /// Tyre forces over slip angle, slip ratio and combined slip: of friction laws, or of the tyres of vehicles
    Tyre(FigureArgs),
    /// Simulated handling of steered vehicles: yaw-rate gain, handling diagram, step steer, circle; of other vehicles the response to a
    /// velocity command
    Model(FigureArgs),
    /// Engines and their traction: presets, or vehicles with a powertrain
    Torque(FigureArgs),
    /// Paths of trajectories, with their speed, curvature and turn rate over time
    Trajectory(TrajectoryArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct TrajectoryArgs {
    /// Trajectories of `skidpad list`, or CSV files of waypoints, all in one figure
    #[arg(required = true, value_name = "NAME", add = complete::trajectories())]
    pub(super) names: Vec<String>,
    /// Set a parameter of the trajectories, such as R=1.5 or closed=true; may be given several times
    #[arg(long, value_name = "NAME=VALUE", add = offer::settings())]
    pub(super) set: Vec<String>,
    /// Duration to plot [s]
    #[arg(long, value_name = "S", default_value = "30", value_parser = seconds)]
    pub(super) duration: f64,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub(super) struct FigureArgs {
    /// Friction laws, models, presets or parameter sets of `skidpad list`, vehicle files or worlds, all in one figure
    #[arg(required = true, value_name = "NAME", add = complete::figures())]
    pub(super) names: Vec<String>,
    /// Set a variable of the worlds and vehicle files; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable, add = offer::settings())]
    pub(super) set: Vec<(String, String)>,
    /// Plot only this vehicle of the worlds
    #[arg(long, value_name = "NAME")]
    pub(super) vehicle: Option<String>,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// Where a figure goes.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// File to write: .svg, .pdf, .png, or .csv for the numbers
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Size of the picture [px] [default: chosen for the figure]
    #[arg(long, value_name = "WxH")]
    pub(super) size: Option<Size>,
}

#[derive(Debug, clap::Args)]
pub(super) struct BenchArgs {
    /// Run only this case, in this process
    #[arg(long, value_enum, ignore_case = true)]
    pub(super) case: Option<Case>,
    /// Duration of the measurement of each case [s]
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
