//! `skidpad experiment`: runs experiments in this process, as fast as the processor allows.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::json;

use crate::analysis::laps::laps_text;
use crate::analysis::{self, FIELDS, Field, Section};
use crate::cli::answer::{Answer, JsonArgs};
use crate::cli::lap_args::LapArgs;
use crate::cli::parsers::Choice;
use crate::cli::picture_args::PictureArgs;
use crate::cli::progress::Work;
use crate::cli::run::tell_recorded;
use crate::cli::sensor_args::SensorArgs;
use crate::cli::set_values::SetValues;
use crate::cli::setting_hints::{self, Keys};
use crate::cli::signals::Signals;
use crate::cli::vary::{self, VaryArgs};
use crate::cli::{Failure, find, log_warnings, offer, provenance, report, set_threads, to_node};
use crate::diagnostic::Diagnostic;
use crate::experiment::{
    self, ALL_PLANTS, Experiment, ExperimentConfig, ExperimentError, Feedback, Matrix, Outcome, RosRuns, TYRES,
};
use crate::file_error::FileError;
use crate::input_file;
use crate::meter::{Meter, Unit};
use crate::output_file::{OutputFolder, free_name};
use crate::processes::LOG_LIMIT;
use crate::record::Destination;
use crate::time::SimTime;
use crate::world::LoadOptions;
use skidpad_program::ros::without_ros;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ExperimentArgs {
    /// Experiment as YAML
    ///
    /// With --matrix or --vary, the file has the settings that all runs share.
    #[arg(value_name = "CONFIG", required_unless_present_any = ["matrix", "vary"], value_parser = crate::cli::parsers::shipped_file(), add = offer::experiments())]
    pub(in crate::cli) config: Option<PathBuf>,
    /// Run every plant on every tyre along every trajectory
    ///
    /// --vary adds its values to these combinations.
    #[arg(long)]
    pub(in crate::cli) matrix: bool,
    #[command(flatten)]
    pub(in crate::cli) vary: VaryArgs,
    /// Folder for the recording, metrics and plots
    ///
    /// With --matrix or --vary, the folder gets the tables and one page of plots.
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Plant, instead of the config's
    #[arg(long, conflicts_with = "matrix", value_name = "PLANT", add = offer::names(&ALL_PLANTS))]
    pub(in crate::cli) plant: Option<String>,
    /// Tyres, instead of the config's
    #[arg(long, conflicts_with = "matrix", value_name = "TYRE", add = offer::names(&TYRES))]
    pub(in crate::cli) tyre: Option<String>,
    /// Command that starts a ROS controller, or builtin for the config's tracker
    ///
    /// The controller leads the vehicle in lockstep, instead of the tracker. In the command, {odometry}, {reference}, {command},
    /// {reference_file}, {feedback}, {period} and {seed} are filled in.
    #[arg(long, value_name = "COMMAND")]
    pub(in crate::cli) controller: Option<String>,
    /// Longest wall time to wait for an answer of --controller [s]
    #[arg(long, value_name = "S", value_parser = crate::cli::parsers::seconds)]
    pub(in crate::cli) controller_timeout: Option<f64>,
    /// Pose that the tracker uses, instead of the config's: truth, odometry or mocap
    #[arg(long, value_name = "POSE", value_parser = Choice::of("feedback", &Feedback::NAMES), hide_possible_values = true)]
    pub(in crate::cli) feedback: Option<Feedback>,
    /// End after this much simulated time [s]
    #[arg(long, value_name = "S", value_parser = crate::cli::parsers::seconds)]
    pub(in crate::cli) duration: Option<f64>,
    /// Seed of all noise, instead of the config's
    #[arg(long, value_name = "N", value_parser = crate::cli::parsers::seed)]
    pub(in crate::cli) seed: Option<u64>,
    /// Set a key such as Kp, or a variable of the world; can be repeated
    ///
    /// Keys are those of the tracker, trajectory and linearizer. Any other name is a variable of the world.
    #[arg(long, value_name = "NAME=VALUE", value_parser = crate::cli::parsers::variable, add = offer::settings())]
    pub(in crate::cli) set: Vec<(String, String)>,
    #[command(flatten)]
    pub(in crate::cli) laps: LapArgs,
    #[command(flatten)]
    pub(in crate::cli) pictures: PictureArgs,
    #[command(flatten)]
    pub(in crate::cli) json: JsonArgs,
    /// Print the metrics as CSV, in SI units
    #[arg(long, group = "format")]
    pub(in crate::cli) csv: bool,
    /// Print the table of --matrix or --vary as Markdown
    #[arg(long, group = "format")]
    pub(in crate::cli) markdown: bool,
    #[command(flatten)]
    pub(in crate::cli) sensors: SensorArgs,
    /// Number of threads that run --matrix or --vary; does not change results
    #[arg(long, value_name = "N", value_parser = crate::cli::parsers::threads)]
    pub(in crate::cli) threads: Option<usize>,
    #[command(flatten)]
    pub(in crate::cli) logs: ProcessLogArgs,
}

/// How much is kept of what processes beside a run say.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(in crate::cli) struct ProcessLogArgs {
    /// Largest log of each process beside a run [MiB]
    ///
    /// Of a longer log, the first and the last part are kept.
    #[arg(long, value_name = "MIB", default_value_t = LOG_LIMIT >> 20, value_parser = crate::cli::parsers::mebibytes)]
    log_limit: u64,
}

impl ProcessLogArgs {
    /// The largest log [bytes].
    pub(in crate::cli) fn bytes(self) -> u64 {
        self.log_limit << 20
    }
}

/// Runs one experiment or the matrix.
pub(in crate::cli) fn experiment(args: &ExperimentArgs, words: &[String], answer: &mut Answer) -> Result<(), Failure> {
    set_threads(args.threads)?;
    let (prepared, files) = input_file::noting_opened(|| prepare(args, None));
    let (mut config, load) = prepared?;
    config.origin = Some(Arc::new(provenance::of_command(words, &[]).with_files(files)));
    let create = |out: &PathBuf| OutputFolder::create(out).map_err(|error| FileError::create(out, error));
    // A run that cannot be made leaves none behind.
    let _folder = args.out.as_ref().map(create).transpose().map_err(Failure::because)?;
    let axes = args.vary.axes(&config, args.matrix);
    let beside = args.config.clone().unwrap_or_default();
    config.find_worlds(&axes, |world| find::world_beside(world, &beside)).map_err(Failure::Because)?;
    let mut stop = None;
    if config.has_controller() || axes.keys().any(|key| key == "controller") {
        let ros = ros_runs("controller", args.logs.bytes())?;
        stop = Some(Arc::clone(&ros.stop));
        config.ros = Some(ros);
    }
    let done = if !axes.is_empty() {
        let keys = SetValues::of_experiment(&args.set).keys;
        vary::grid(args, answer, &config, &load, &axes, &args.set_for_all(keys))
    } else {
        args.vary.refuse_without_axes()?;
        match (args.matrix, args.markdown) {
            (true, _) => matrix(args, answer, &config, &load),
            (false, true) => Err(vary::needs_axes("--markdown")),
            (false, false) => single(args, answer, config, load),
        }
    };
    match stop {
        // Every run that was under way or to come would say so.
        Some(stop) if done.is_err() && stop.load(Ordering::Relaxed) => {
            Err(Failure::because(Diagnostic::of("interrupted, all controllers have been ended")))
        }
        _ => done,
    }
}

/// What runs with ROS controllers need: the program of the node, and an end by signals that leaves none of their processes.
pub(in crate::cli) fn ros_runs(feature: &str, log_limit: u64) -> Result<RosRuns, Failure> {
    let Some(program) = to_node::program() else { return Err(Failure::because(without_ros(feature))) };
    let environment = to_node::environment(&program)?;
    let signals = Signals::listen(None)?;
    signals.loaded();
    Ok(RosRuns { program, environment, stop: signals.stop, log_limit })
}

/// Records the experiment of these arguments, or the only run of their matrix, again, with this world.
pub(in crate::cli) fn again(args: &ExperimentArgs, world: PathBuf, destination: Destination) -> Result<(), Failure> {
    let (mut config, load) = prepare(args, Some(world))?;
    let axes = args.vary.axes(&config, args.matrix);
    if !axes.is_empty() {
        let keys = SetValues::of_experiment(&args.set).keys;
        let recorded = config.world.clone();
        config.find_worlds(&axes, |_| Ok(recorded.clone())).map_err(Failure::Because)?;
        config = experiment::only_run(&config, &axes, &args.set_for_all(keys)).map_err(Failure::Because)?;
    }
    if config.has_controller() {
        let found = format!("controller \"{}\" drives the vehicle, but a rerun starts no processes", config.controller);
        let message =
            Diagnostic::of(found).accepted("a recording of the run itself, which holds the controller's commands");
        return Err(Failure::because(message.hint("if the recorded run had no controller: --embedded")));
    }
    let outcome =
        counted(config.duration, || Experiment { load, record: Some(destination), ..Experiment::new(config) }.run());
    match outcome.map_err(Failure::because)?.recording_failed {
        true => Err(Failure::because(Diagnostic::of("the recording failed, see above"))),
        false => Ok(()),
    }
}

/// The config with what the arguments set, and how its world is loaded; `world` is the world file, if it is not to be looked for.
fn prepare(args: &ExperimentArgs, world: Option<PathBuf>) -> Result<(ExperimentConfig, LoadOptions), Failure> {
    let path = args.config.as_deref();
    let SetValues { keys, variables } = SetValues::of_experiment(&args.set);
    let mut config = match path {
        Some(path) => ExperimentConfig::load_with(path, &keys),
        None => ExperimentConfig::parse("", Path::new(""), "", &keys),
    }
    .map_err(Failure::because)?;
    let variables = match &world {
        Some(_) => variables,
        None => find::with_map(&config.world, variables),
    };
    config.world = match (world, path) {
        (Some(world), _) => world,
        (None, Some(path)) => find::world_of_config(&config.world, path)?,
        (None, None) => find::world(&config.world)?,
    };
    config.duration = args.duration.unwrap_or(config.duration);
    config.seed = args.seed.unwrap_or(config.seed);
    config.plant = args.plant.clone().unwrap_or(config.plant);
    config.tyre = args.tyre.clone().unwrap_or(config.tyre);
    config.controller = args.controller.clone().unwrap_or(config.controller);
    config.controller_timeout = args.controller_timeout.unwrap_or(config.controller_timeout);
    args.laps.apply(&mut config.laps);
    config.feedback = args.feedback.unwrap_or(config.feedback);
    let load = LoadOptions { variables, batch_caster: args.sensors.batch_caster(), ..LoadOptions::default() };
    Ok((config, load))
}

impl ExperimentArgs {
    /// The keys of the config that have one value in all runs of a matrix: those of --set, and those with options of their own.
    fn set_for_all(&self, mut keys: Vec<(String, String)>) -> Vec<(String, String)> {
        let of_options = [
            ("controller", self.controller.clone()),
            ("plant", self.plant.clone()),
            ("tyre", self.tyre.clone()),
            ("duration", self.duration.map(|value| value.to_string())),
            ("seed", self.seed.map(|value| value.to_string())),
            ("feedback", self.feedback.map(|feedback| feedback.name().to_owned())),
        ];
        keys.extend(of_options.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
        keys
    }
}

/// The failure of an experiment, with the places of what is in the config, and hints at what names of `--set` could mean.
pub(in crate::cli) fn explained(args: &ExperimentArgs, error: &ExperimentError) -> Failure {
    let mut errors = match &args.config {
        Some(path) => ExperimentConfig::explain(path, error),
        None => error.into(),
    };
    setting_hints::explain(&mut errors.0, &args.set, "experiment", Keys::Here);
    Failure::Because(errors)
}

/// Does an experiment of this duration [s] as work that is watched.
fn counted<T>(duration: f64, run: impl FnOnce() -> T) -> T {
    Work::of("running", || {
        Meter::current().begin(Unit::SimulatedTime, SimTime::from_secs(duration).0.unsigned_abs());
        run()
    })
}

/// Runs one experiment.
fn single(
    args: &ExperimentArgs,
    answer: &mut Answer,
    config: ExperimentConfig,
    load: LoadOptions,
) -> Result<(), Failure> {
    let name = config.name.clone();
    // As those of `skidpad test`: recordings are not written over.
    let record = args.out.as_ref().map(|out| {
        let file = |name: &str| out.join(format!("{name}.mcap"));
        file(&free_name(&name, |name| !file(name).exists()))
    });
    let has_controller = config.has_controller();
    let outcome = counted(config.duration, || {
        let experiment = Experiment { load, record: record.clone().map(Destination::from), ..Experiment::new(config) };
        experiment.run_after(|warnings| log_warnings(warnings))
    });
    let outcome = outcome.map_err(|error| explained(args, &error))?;
    let recording_failed = outcome.recording_failed;
    if let Some(path) = &record {
        tell_recorded(outcome.recorded, path);
    }
    if outcome.analyzed.metrics.laps.is_none() {
        log_warnings(args.laps.given().map(|option| {
            Diagnostic::new(option, "ignored, the path has no laps").accepted("waypoints with closed: true")
        }));
    }
    let (options, lines) = (outcome.options, lines(&outcome));
    let section = Section { title: name.clone(), runs: vec![outcome.analyzed] };
    let sections = std::slice::from_ref(&section);
    print(args, answer, sections, || lines + &laps_text(sections))?;
    if let Some(out) = &args.out {
        let work = Work::begin("drawing");
        let beside = record.as_deref().filter(|_| has_controller).map(experiment::files_beside);
        let mut files: Vec<PathBuf> = record.into_iter().chain(beside.into_iter().flatten()).collect();
        files.extend(analysis::report(&name, sections, &options, out).map_err(Failure::because)?);
        files.extend(analysis::pictures(&section, &options, &args.pictures.options(), out).map_err(Failure::because)?);
        drop(work);
        report_files(&files);
    }
    if recording_failed { Err(Failure::because(Diagnostic::of("the recording failed, see above"))) } else { Ok(()) }
}

/// Runs the matrix.
fn matrix(
    args: &ExperimentArgs,
    answer: &mut Answer,
    config: &ExperimentConfig,
    load: &LoadOptions,
) -> Result<(), Failure> {
    let matrix = Work::of("running", || Matrix::run(config, load)).map_err(|error| explained(args, &error))?;
    let mut logged = HashSet::new();
    for cell in &matrix.cells {
        let warnings = cell.outcome.warnings.iter().filter(|warning| logged.insert(*warning));
        log_warnings(warnings.map(|warning| warning.clone().at(cell.trajectory)));
    }
    let sections = matrix.sections();
    print(args, answer, &sections, || if args.markdown { matrix.markdown() } else { matrix.text() })?;
    let (Some(out), Some(first)) = (&args.out, matrix.cells.first()) else { return Ok(()) };
    let work = Work::begin("drawing");
    let title = "Plants, tyres and trajectories";
    let mut files = analysis::report(title, &sections, &first.outcome.options, out).map_err(Failure::because)?;
    let path = out.join("table.md");
    analysis::write(&path, &matrix.markdown()).map_err(Failure::because)?;
    files.push(path);
    drop(work);
    report_files(&files);
    Ok(())
}

/// Prints the metrics for scripts, or else `text`.
fn print(
    args: &ExperimentArgs,
    answer: &mut Answer,
    sections: &[Section],
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    let text = || if args.csv { analysis::csv(sections).map_err(Failure::because) } else { Ok(text()) };
    answer.give(|| json!({ "runs": analysis::as_json(sections) }), |out| Ok(out.write_all(text()?.as_bytes())?))
}

/// The metrics of a run as readable text, with the findings.
fn lines(outcome: &Outcome) -> String {
    let metrics = &outcome.analyzed.metrics;
    let is_known = |field: &&Field| (field.get)(metrics).is_some() || field.tells_by_absence();
    let rows = FIELDS.iter().filter(is_known).map(|field| {
        let value = analysis::shown((field.get)(metrics));
        format!("{:<24}{value:>12} {}", field.label, field.unit).trim_end().to_string() + "\n"
    });
    let end = metrics.window.explanation();
    let findings = end.into_iter().chain(metrics.findings.iter().map(|finding| finding.text.clone()));
    rows.chain(findings.map(|line| line + "\n")).collect()
}

/// Reports the files written.
pub(in crate::cli) fn report_files(files: &[PathBuf]) {
    let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    report::note(format!("wrote {}", names.join(", ")));
}
