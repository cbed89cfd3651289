//! Command-line arguments.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Parser, Subcommand};

use super::analyze::AnalyzeArgs;
use super::answer::JsonArgs;
use super::command_line;
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
use crate::plot::manoeuvre::MANOEUVRES;

/// Simulates wheeled vehicles with tyres, sensors and ROS 2
#[derive(Debug, Parser)]
#[command(
    name = "skidpad",
    version,
    arg_required_else_help = true,
    after_help = "Examples:
  skidpad run racecar                      drive a car on a track in your browser
  skidpad list worlds                      see the other worlds
  skidpad new my                           write a world of your own
  skidpad experiment config/circle.yaml    measure how well a controller follows a circle

`skidpad COMMAND --help` describes the options of a command and shows examples."
)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) task: Task,
    #[command(flatten)]
    pub(super) verbosity: Verbosity,
}

#[derive(Debug, Subcommand)]
pub(super) enum Task {
    /// Run a world, as a ROS 2 node where skidpad has ROS
    ///
    /// Arguments between --ros-args and -- (or the end) are passed to ROS. SIGINT, SIGTERM and SIGHUP end the run with status 0.
    #[command(after_help = "Examples:
  skidpad run office
  skidpad run racecar --rate max --duration 60 --headless --record run.mcap
  skidpad run tracking --track config/figure_eight.yaml --set Kp=2 --set tyre=pacejka
  skidpad run --scenario config/scenarios/wall.yaml
  skidpad run my.world.xml --edit .")]
    Run(Box<RunArgs>),
    /// Write a world to start from
    New(NewArgs),
    /// Load a world and print its contents and problems
    #[command(after_help = "Examples:
  skidpad check racecar
  skidpad check my.world.xml --strict")]
    Check(CheckArgs),
    /// List worlds, and the names that world files and experiments can use
    ///
    /// The lists are models, friction laws, powertrains, controllers, sensors, parameter sets, trajectories, trackers, linearizers and worlds.
    List(ListArgs),
    /// Plot tyres, vehicle models, powertrains or trajectories
    ///
    /// The name of the output file chooses its format: SVG, PDF, PNG or CSV.
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
    /// Run scenarios and report which of them pass
    ///
    /// Exit status: 0 all passed, 1 a run failed, 2 a run could not be made or a file is wrong.
    #[command(after_help = "Examples:
  skidpad test config/scenarios/*.yaml
  skidpad test config/scenarios/wall.yaml --repeat 100 --junit junit.xml --out results")]
    Test(TestArgs),
    /// Fit a vehicle class to recordings of a car
    ///
    /// The report has the uncertainty of each number and the error of prediction.
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
    /// Repeat a recorded run and compare its bits
    ///
    /// Exit status: 0 the same, 1 other bits, 2 the run cannot be made again.
    #[command(after_help = "Example:
  skidpad rerun run.mcap")]
    Rerun(RerunArgs),
    /// Run one of the ROS nodes around the simulator
    Node(NodeArgs),
    /// Print a vehicle of a world as URDF, for robot_state_publisher
    Urdf(UrdfArgs),
    /// Convert a URDF or SDF robot to a vehicle class, or an SDF world to a world
    #[command(after_help = "Examples:
  skidpad import robot.urdf --out my_robot
  skidpad import house.world --out house")]
    Import(ImportArgs),
    /// Write one reading of a sensor to a file, as a picture or points
    #[command(after_help = "Example:
  skidpad snapshot checkerboard_room --sensor camera --at 1 --out picture.png")]
    Snapshot(SnapshotArgs),
    /// Write a recorded drive as a KITTI, TUM RGB-D or EuRoC dataset
    Dataset(DatasetArgs),
    /// Write the messages of a recording as CSV or Parquet tables
    #[command(after_help = "Examples:
  skidpad export run.mcap --csv tables
  skidpad export run.mcap --parquet tables --topic /odom --topic /scan")]
    Export(ExportArgs),
    /// Run a world with many variables and seeds (needs the Python package)
    ///
    /// The runs use all cores, or a Ray cluster.
    Sweep(PythonArgs),
    /// Fit controller gains by step responses (needs the Python package)
    Tune(PythonArgs),
    /// Measure the speed of typical worlds
    ///
    /// Each world prints a line of JSON.
    Bench(BenchArgs),
    /// Print the completion script of a shell
    ///
    /// With it the shell completes commands, options, and names of worlds, classes and keys.
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all commands into a folder
    Man(ManArgs),
}

/// The definition of the arguments.
pub(super) fn command() -> clap::Command {
    let command = command_line::definition::<Args>();
    let commands = HEADINGS.iter().map(|heading| under_heading(&command, heading)).collect::<Vec<_>>();
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}\n{{options}}{{after-help}}",
        commands.concat() + &in_style(&command, "Options:")
    );
    command.help_template(template)
}

/// The commands in `skidpad --help`, by what a user wants to do.
const HEADINGS: [(&str, &[&str]); 5] = [
    ("Run", &["run", "replay", "rerun", "node"]),
    ("Worlds", &["new", "check", "list", "import", "urdf", "plot"]),
    ("Test and measure", &["experiment", "test", "sweep", "tune", "identify", "validate", "bench"]),
    ("Data", &["analyze", "export", "dataset", "snapshot"]),
    ("Tools", &["completions", "man", "help"]),
];

/// A heading of the help, and a line for each of its commands.
fn under_heading(command: &clap::Command, (heading, names): &(&str, &[&str])) -> String {
    let about = |name: &str| match command.find_subcommand(name).and_then(clap::Command::get_about) {
        Some(about) => about.to_string(),
        // Clap adds this command when it parses.
        None => "Print the help of a command".to_owned(),
    };
    let literal = command.get_styles().get_literal();
    let line = |name: &&str| format!("  {literal}{name:<11}{literal:#}  {}\n", about(name));
    let lines: String = names.iter().map(line).collect();
    format!("{}\n{lines}\n", in_style(command, &format!("{heading}:")))
}

/// A heading in the style of the help.
fn in_style(command: &clap::Command, heading: &str) -> String {
    let style = command.get_styles().get_header();
    format!("{style}{heading}{style:#}")
}

/// The arguments of these words, of which the first is the name of the program.
///
/// # Errors
/// They are no usage of it, or ask for help.
pub(super) fn parse(words: Vec<OsString>) -> Result<Args, clap::Error> {
    command_line::parse(words, command)
}

impl Task {
    /// The name of a command that is to answer with a document; none: with text.
    pub(super) fn with_document(&self) -> Option<&'static str> {
        let (name, args) = match self {
            Task::Run(args) => ("run", args.json),
            Task::Check(args) => ("check", args.json),
            Task::List(args) => ("list", args.json),
            Task::Plot(PlotArgs { task: PlotTask::Manoeuvre(args) }) => ("plot", args.json),
            Task::Experiment(args) => ("experiment", args.json),
            Task::Test(args) => ("test", args.json),
            Task::Identify(args) => ("identify", args.json),
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
    /// Print one list: worlds, presets or parameters
    #[arg(id = "what", value_name = "WHAT", value_enum)]
    pub(super) kind: Option<Listed>,
    #[command(flatten)]
    pub(super) json: JsonArgs,
}

/// The tables that can be listed separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Listed {
    /// Worlds that can be run by name
    Worlds,
    /// Systems that the ROS node can replace, with their topics, types, rates, frames and parameters
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
    pub(super) task: PlotTask,
}

#[derive(Debug, Subcommand)]
pub(super) enum PlotTask {
    /// Plot tyre forces over slip angle, slip ratio and combined slip
    ///
    /// The tyres are friction laws, or the tyres of vehicles.
    Tyre(FigureArgs),
    /// Plot the simulated handling of vehicles
    ///
    /// Steered vehicles have a yaw-rate gain, a handling diagram, a step steer and a circle. Other vehicles have the response to a
    /// velocity command.
    Model(FigureArgs),
    /// Drive a standard manoeuvre, plot it, and print its numbers
    ///
    /// Vehicles of worlds drive on the ground of their world. Manoeuvres with wind, a bump or a kerb take parameter sets and vehicle files
    /// only.
    Manoeuvre(ManoeuvreArgs),
    /// Plot engines and their traction, of presets or vehicles with a powertrain
    Torque(FigureArgs),
    /// Plot trajectories with their speed, curvature and turn rate
    Trajectory(TrajectoryArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct TrajectoryArgs {
    /// Trajectories of `skidpad list`, or CSV files of waypoints, in one figure
    #[arg(required = true, value_name = "NAME", add = complete::trajectories())]
    pub(super) names: Vec<String>,
    /// Set a parameter of the trajectories, such as R=1.5 or closed=true; can be repeated
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
    /// Names of `skidpad list`, vehicle files or worlds, in one figure
    #[arg(required = true, value_name = "NAME", add = complete::figures())]
    pub(super) names: Vec<String>,
    /// Set a variable of the worlds and vehicle files; can be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable, add = offer::settings())]
    pub(super) set: Vec<(String, String)>,
    /// Plot only this vehicle of the worlds
    #[arg(long, value_name = "NAME")]
    pub(super) vehicle: Option<String>,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub(super) struct ManoeuvreArgs {
    /// Manoeuvre of `skidpad list`
    #[arg(value_name = "MANOEUVRE", value_parser = manoeuvres(), hide_possible_values = true)]
    pub(super) manoeuvre: String,
    #[command(flatten)]
    pub(super) figure: FigureArgs,
    #[command(flatten)]
    pub(super) json: JsonArgs,
}

/// The names of manoeuvres, with their help.
fn manoeuvres() -> PossibleValuesParser {
    PossibleValuesParser::new(MANOEUVRES.iter().map(|entry| PossibleValue::new(entry.name).help(entry.help)))
}

/// Where a figure goes.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// File to write: .svg, .pdf, .png, or .csv for the numbers
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// Size of the picture [px]; the figure has a default
    #[arg(long, value_name = "WxH")]
    pub(super) size: Option<Size>,
}

#[derive(Debug, clap::Args)]
pub(super) struct BenchArgs {
    /// Measure only this case
    ///
    /// The case runs in this process. Without the option, each case runs in a process of its own.
    #[arg(long, value_enum, ignore_case = true)]
    pub(super) case: Option<Case>,
    /// Wall time to measure each case [s]
    #[arg(long, value_name = "S", default_value = "2.5", value_parser = seconds)]
    pub(super) seconds: f64,
    #[command(flatten)]
    pub(super) sensors: SensorArgs,
    /// Number of threads that cast rays
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(super) threads: Option<usize>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_definition_of_the_arguments_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn the_help_lists_each_command_once_in_a_line_of_its_own() {
        let mut listed: Vec<&str> = HEADINGS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let help = command().render_help().to_string();
        for name in &listed {
            let lines = help.lines().filter(|line| line.starts_with(&format!("  {name} "))).collect::<Vec<_>>();
            assert_eq!(lines.len(), 1, "{name}: {help}");
            assert!(lines[0].chars().count() <= 90, "{}", lines[0]);
        }
        let command = command();
        let mut all: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).chain(["help"]).collect();
        all.sort_unstable();
        listed.sort_unstable();
        assert_eq!(listed, all);
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
