//! `skidpad run`: combines world, sinks and ROS and runs them.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::answer::{Answer, Stdout};
use crate::run_args::RunArgs;
use serde_json::json;

use crate::assets::Reach;
use crate::diagnostic::Diagnostic;
use crate::file_set;
use crate::input_file;
use crate::interface::naming::PublishedNaming;
use crate::preset::{PlaceholderValues, Preset, PresetVariable};
use crate::progress::{self, SimulatedTime, Work};
use crate::record::{Destination, Provenance, RecordOptions, Recorder, TopicFilter};
use crate::ros::{self, Node, Ros, RunOfNode};
use crate::runner::{self, CommandSchedule, GracefulShutdown, RunHooks, Settings, mailbox};
use crate::scenario::peers::Peers;
use crate::scenario::{CaseResult, Scorer, Verdict};
use crate::scored_run::{self, ScoredRun};
use crate::server::warnings::WarningLog;
use crate::server::{EditRights, FileStore, Rights};
use crate::set_values::SetValues;
use crate::setting_hints::Keys;
use crate::signals::Signals;
use crate::sink::{CsvSink, Sinks};
use crate::time::{Rate, SimTime};
use crate::track::{self, TrackingLines};
use crate::web_args::ViewerContents;
use crate::world::{LoadOptions, Scene, StepCheck, StepError, map_world};
use crate::{Failure, find, log_warnings, provenance, report, set_threads};

/// The refusal of a pause that nobody could end.
fn nobody_resumes() -> Diagnostic {
    Diagnostic::new("--paused", "nothing could resume this run")
        .accepted("with the viewer's page, which may not be read-only, or as a ROS node")
        .hint("leave out --headless, --web-read-only or --no-ros, or give --web ADDR")
}

/// Runs a world until its duration is over or a signal arrives; `log` has the warnings of the run, and `answer` gets its summary.
///
/// # Errors
/// The world, an output or the node failed; with `--scenario` also a run that is not passed.
pub fn run(
    args: RunArgs,
    words: &[String],
    for_ros: Vec<OsString>,
    log: Arc<WarningLog>,
    answer: &mut Answer,
) -> Result<(), Failure> {
    let has_scenario = args.scenario.is_some();
    once(args, words, for_ros, log, answer).map_err(|failure| match failure {
        Failure::Because(errors) if has_scenario => scored_run::broken(errors),
        other => other,
    })
}

fn once(
    mut args: RunArgs,
    words: &[String],
    for_ros: Vec<OsString>,
    log: Arc<WarningLog>,
    answer: &mut Answer,
) -> Result<(), Failure> {
    let signals = Signals::listen(answer.command())?;
    set_threads(args.threads)?;
    let (scored_run, mut files) =
        input_file::noting_opened(|| args.scenario.as_deref().map(|file| ScoredRun::read(&args, file)).transpose());
    let scored_run = scored_run?;
    if let Some(scored_run) = &scored_run {
        scored_run.settle(&mut args);
    }
    let args = &args;
    let for_ros = match &scored_run {
        Some(scored_run) => scored_run.arguments(for_ros, NodeOfRun::wanted(args).is_some())?,
        None => for_ros,
    };
    let for_ros = &NodeOfRun::arguments(args, for_ros)[..];
    let path = find::world(&args.world.world)?;
    let SetValues { keys, variables } = set_values(args);
    let mut options = LoadOptions {
        variables: find::with_map(&args.world.world, variables),
        batch_caster: args.sensors.batch_caster(),
        tries_steps: if args.commands.is_some() || args.track.is_some() {
            StepCheck::OnDemand
        } else {
            StepCheck::AtLoad
        },
        step: scored_run.as_ref().and_then(ScoredRun::step),
        ..args.world.load_options(args.seed)
    };
    // Values of --set take precedence.
    let of_preset = NodeOfRun::variables(args, for_ros)?;
    for parameter in of_preset.iter().filter(|parameter| args.world.set.iter().all(|(set, _)| *set != parameter.name)) {
        options.variables.push((parameter.name.clone(), parameter.value.clone()));
        options.optional_variables.extend(parameter.is_optional.then(|| parameter.name.clone()));
    }
    let mut variables = options.variables.clone();
    let edit = args.edit.as_deref().map(FileStore::new).transpose().map_err(Failure::because)?;
    let for_edits = LoadOptions { tries_steps: StepCheck::AtLoad, ..options.clone() };
    let edit = edit.map(|store| EditRights { world: path.clone(), options: for_edits, store });
    let by = if args.track.is_some() { Keys::Here } else { Keys::WithTrack };
    let explained = |failure| args.world.explain(failure, "run", by);
    let (mut world, mut warnings) = progress::load(&path, options).map_err(explained)?;
    log_warnings(&warnings);
    let (tracking, more) =
        input_file::noting_opened(|| args.track.as_ref().map(|config| track::fit(config, &keys, &mut world)));
    let mut tracking = tracking.transpose()?;
    files.extend(more.into_iter().chain(args.commands.clone()));
    let planned = scored_run.as_ref().map(ScoredRun::planned);
    let mut scorer = None;
    if let (Some(scored_run), Some(planned)) = (&scored_run, &planned) {
        let (equipment, lines) = scored_run.fit(&mut world)?;
        tracking = lines;
        scorer = Some(Scorer::begin(planned, equipment, &world).map_err(scored_run::broken)?);
    }
    let scene = Arc::clone(world.scene());
    let unused = world.catalogue().unused_variables();
    variables.retain(|(name, _)| !unused.contains(name));
    let unused_parameters = of_preset.iter().filter(|parameter| unused.contains(&parameter.name));
    log_warnings(unused_parameters.map(|parameter| parameter.unused(&scene)));
    check_preset(args, &scene)?;
    let commands = match &args.commands {
        Some(path) => CommandSchedule::read(path, &scene).map_err(Failure::because)?,
        None => CommandSchedule::default(),
    };
    let tried = track::try_steps(&world, &commands, tracking.as_ref());
    log_warnings(&tried);
    warnings.extend(tried);
    let (outbox, inbox) = mailbox();
    let map = Some(args.world.world.as_path()).filter(|given| map_world::is_map(given));
    let beside = [Some(path.as_path()), map].into_iter().flatten().map(|file| match file.parent() {
        Some(folder) if folder != Path::new("") => folder.to_path_buf(),
        _ => PathBuf::from("."),
    });
    let folders = find::folders().into_iter().chain(beside);
    let rights = Rights { stop: Some(Arc::clone(&signals.stop)), reach: Reach::new(folders, Vec::new()), edit };
    let reported = warnings.iter().map(ToString::to_string).collect();
    let config = tracking.as_ref().and_then(|lines| serde_json::to_value(lines.config()).ok());
    files.extend(tracking.iter().flat_map(|lines| lines.config().controller_files()));
    files.extend(scored_run.iter().flat_map(ScoredRun::files_beside));
    let made = args.record.as_ref().map(|_| {
        let made = provenance::of_command(words, for_ros).with_world(&world, &path, &variables).with_files(files);
        Provenance { config, ..made }
    });
    let recording = args.record.as_ref().map(|record| provenance::view(record, made.as_ref()));
    let contents = ViewerContents { warnings: reported, log, recording };
    let viewer = args.web.start(args.headless, &scene, &outbox, rights, contents)?;
    if args.paused && NodeOfRun::wanted(args).is_none() && (viewer.is_none() || args.web.web_read_only) {
        return Err(Failure::because(nobody_resumes()));
    }
    let mut sinks = Sinks::new();
    let driven = tracking.as_ref().map(TrackingLines::vehicle).and_then(|vehicle| {
        // The gains are those of a tracker that leads the vehicle.
        let tracker = world.tracker(scene.vehicles.get(vehicle)?.id).copied();
        Some((vehicle, tracker.filter(|_| world.frame().vehicles[vehicle].has_driver)))
    });
    if let Some(lines) = tracking {
        sinks.push(Box::new(lines));
    }
    let logs = match &args.csv {
        Some(directory) => CsvSink::in_directory(directory).map_err(Failure::because)?,
        None => CsvSink::on_request(),
    };
    sinks.push(Box::new(logs.with_interrupts(signals.interrupts())));
    let mut recorder = None;
    let mut recorded = None;
    if let Some(record) = &args.record {
        let options = RecordOptions {
            provenance: made.map(Arc::new),
            topics: TopicFilter::only(&args.record_topics),
            compression: args.record_compression,
            interrupts: signals.interrupts(),
            ..RecordOptions::default()
        };
        let created = Recorder::create(record, options).map_err(Failure::because)?;
        recorded = Some((created.count(), record));
        recorder = Some(created);
    }
    if let Some(preset) = args.preset.filter(|_| NodeOfRun::wanted(args).is_none()) {
        follow_without_node(preset, recorder.as_mut());
    }
    allow_many_files();
    // From here on the run has to be finished cleanly.
    signals.loaded();
    let ready = scored_run.as_ref().and_then(ScoredRun::ready).zip(scorer.as_ref().map(Scorer::obstacle));
    let run_of_node = RunOfNode {
        args,
        ros_args: as_text(for_ros),
        path: &path,
        world: &world,
        load: LoadOptions {
            variables: find::with_map(&args.world.world, set_values(args).variables),
            batch_caster: world.batch_caster(),
            tries_steps: StepCheck::AtLoad,
            ..args.world.load_options(args.seed)
        },
        stop: &signals.stop,
        outbox: &outbox,
        driven,
        ready,
        recorder,
    };
    let ros = NodeOfRun::start(run_of_node, &mut sinks)?;
    if let Some(Err(problems)) = scorer.as_mut().map(|scorer| scorer.connect(&scene, ros.peers())) {
        return Failure::after(ros.shutdown(), Err(scored_run::broken(problems)));
    }
    let server = viewer.map(|(server, sink)| {
        sinks.push(Box::new(sink.with_names(ros.naming())));
        server
    });
    let (rate, paused_at_start) = (ros.rate(args.rate), ros.starts_paused(args.paused));
    print_summary(&scene, rate, &ros.interface());
    if paused_at_start {
        report::note("paused: waiting to be resumed");
    }
    let _opener = args.web.announce(server.as_ref());
    let work = args.duration.and_then(|duration| Some((Work::begin("running")?, duration)));
    if let Some((work, duration)) = &work {
        sinks.push(Box::new(SimulatedTime::new(work.meter().clone(), *duration)));
    }
    let shutdown = ros.graceful_shutdown(signals.interrupted());
    signals.end_by(&shutdown);
    let (duration, stop) = (args.duration, signals.stop);
    let settings = Settings { rate, duration, paused_at_start, stop, shutdown, commands, ..Settings::default() };
    let hooks = scorer.as_mut().map(|scorer| scorer as &mut dyn RunHooks);
    let result = runner::run_with_hooks(&mut world, &mut sinks, &inbox, settings, hooks);
    drop(work);
    // Pending requests are refused when the inbox is dropped.
    drop(inbox);
    if let Some(server) = server {
        server.shutdown("the simulation has ended");
    }
    let node = ros.shutdown();
    let count = recorded.as_ref().and_then(|(count, _)| count.get());
    let verdict = scorer.map(|scorer| scored_run::conclude(scorer, &result, &world, duration));
    let outcome = conclude(result, sinks.failed(), count, verdict, answer);
    if let Some((_, path)) = recorded {
        tell_recorded(count, path);
    }
    Failure::after(node, outcome)
}

/// Says how much a recording holds, unless it has failed, which has been told.
pub fn tell_recorded(count: Option<u64>, path: &Path) {
    if let Some(count) = count {
        let messages = if count == 1 { "message" } else { "messages" };
        report::note(format!("recorded {count} {messages} to {}", path.display()));
    }
}

/// A run that is to be made again.
pub struct Again {
    /// The world file.
    pub world: PathBuf,
    /// The variables of the world that are set.
    pub variables: Vec<(String, String)>,
    /// How it is recorded, and where.
    pub recording: (RecordOptions, Destination),
    /// When it ends, and what comes to it from outside.
    pub settings: Settings,
    /// Its duration, for the progress; none: nothing is known of it.
    pub expected: Option<SimTime>,
}

/// Records the run of these arguments again, as fast as possible and without a node, a viewer, or any other output.
pub fn again(args: &RunArgs, again: Again) -> Result<(), Failure> {
    let Again { world, variables, recording: (options, destination), settings, expected } = again;
    let batch_caster = args.sensors.batch_caster();
    // The scenario that judged it does not judge it again.
    let scored_run = args.scenario.as_deref().map(|file| ScoredRun::read(args, file)).transpose()?;
    let seed = scored_run.as_ref().map(ScoredRun::seed).or(args.seed);
    let step = scored_run.as_ref().and_then(ScoredRun::step);
    // As in the run, an edit may leave variables unused that parameters of a preset have set.
    let optional_variables = variables.iter().map(|(name, _): &(String, String)| name.clone()).collect();
    let load = LoadOptions {
        variables,
        optional_variables,
        batch_caster,
        tries_steps: StepCheck::AtLoad,
        step,
        ..args.world.load_options(seed)
    };
    let (mut world, warnings) = progress::load(&world, load)?;
    if file_set::in_force().is_some() {
        // They may tell of files that the recording lacks; otherwise the first run has told them.
        log_warnings(&warnings);
    }
    let keys = set_values(args).keys;
    // The driver stays in the world, whoever listens to its reports.
    args.track.as_deref().map(|config| track::fit(config, &keys, &mut world)).transpose()?;
    scored_run.map(|scored_run| scored_run.fit(&mut world)).transpose()?;
    let commands = args.commands.as_deref().map(|path| CommandSchedule::read(path, world.scene())).transpose();
    let commands = commands.map_err(Failure::because)?.unwrap_or_default();
    let mut sinks = Sinks::new();
    let work = expected.and_then(|duration| Some((Work::begin("running")?, duration)));
    if let Some((work, duration)) = &work {
        sinks.push(Box::new(SimulatedTime::new(work.meter().clone(), *duration)));
    }
    let options = RecordOptions { topics: TopicFilter::only(&args.record_topics), ..options };
    sinks.push(Box::new(Recorder::at(&destination, options).map_err(Failure::because)?));
    let (_outbox, inbox) = mailbox();
    let settings = Settings { rate: Rate::Max, commands, ..settings };
    let result = runner::run(&mut world, &mut sinks, &inbox, settings);
    drop(work);
    conclude(result, sinks.failed(), None, None, &mut Answer::new(None))
}

/// The values of `--set`: without `--track` all are of variables.
fn set_values(args: &RunArgs) -> SetValues {
    match args.track {
        Some(_) => SetValues::of_experiment(&args.world.set),
        // Those of a scenario have been sorted out.
        None => SetValues { keys: Vec::new(), variables: args.world.set.clone() },
    }
}

/// Whether the names of the preset are enough for the vehicles of the world.
fn check_preset(args: &RunArgs, scene: &Scene) -> Result<(), Failure> {
    match args.preset {
        Some(preset) if preset.is_for_one() && scene.vehicles.len() > 1 => Err(Failure::because(
            Diagnostic::new("--preset", format!("found \"{}\"", preset.name))
                .accepted(format!("a world with one vehicle, this one has {}", scene.vehicles.len()))
                .hint("leave --preset out, or take another world"),
        )),
        _ => Ok(()),
    }
}

/// Gives a recording the names of a preset in a run without a node.
fn follow_without_node(preset: &'static Preset, recorder: Option<&mut Recorder>) {
    match recorder {
        Some(recorder) => {
            let words = PlaceholderValues::new(preset.placeholders, |_| None);
            recorder.follow(preset, words, preset.odometry_rate);
        }
        None => log_warnings([Diagnostic::new("--preset", "ignored, this run has neither a node nor a recording")
            .hint("give --record FILE.mcap, or run a build with ROS without --no-ros")]),
    }
}

/// Reports the result of a run.
fn conclude(
    result: Result<runner::Summary, StepError>,
    failed_sinks: &[String],
    recorded: Option<u64>,
    verdict: Option<CaseResult>,
    answer: &mut Answer,
) -> Result<(), Failure> {
    let summary = match (result, &verdict) {
        (Err(error), None) => return Err(Failure::because(error)),
        // The verdict says why.
        (Err(_), Some(_)) => None,
        (Ok(summary), _) => Some(summary),
    };
    summary.iter().for_each(report::note);
    let value = || {
        let Some(summary) = &summary else { return json!({ "scenario": verdict.as_ref().map(scored_run::document) }) };
        let mut value = json!({
            "simulated_s": summary.simulated.secs(),
            "wall_s": summary.wall.as_secs_f64(),
            "real_time_factor": summary.real_time_factor(),
            "steps": summary.steps,
            "overruns": summary.overruns,
            "recorded": recorded,
        });
        if let (Some(verdict), Some(value)) = (&verdict, value.as_object_mut()) {
            value.insert("scenario".to_owned(), scored_run::document(verdict));
        }
        value
    };
    let text = |out: &mut Stdout| match &verdict {
        Some(verdict) => Ok(out.write_all(scored_run::text(verdict).as_bytes())?),
        None => Ok(()),
    };
    answer.give(value, text)?;
    if let Some(verdict) = &verdict
        && verdict.verdict != Verdict::Passed
    {
        return scored_run::status(&verdict.verdict);
    }
    if let Some(late) = summary.and_then(|summary| summary.late) {
        return Err(Failure::because(late));
    }
    match failed_sinks {
        [] => Ok(()),
        failed => {
            let found = format!("{} failed during the run, see above", failed.join(", "));
            Err(Failure::because(Diagnostic::of(found)))
        }
    }
}

/// Prints the introduction of a run.
fn print_summary(scene: &Scene, rate: Rate, interface: &[String]) {
    let vehicles: Vec<&str> = scene.vehicles.iter().map(|vehicle| vehicle.name.as_str()).collect();
    let names = match vehicles.as_slice() {
        [] => "no vehicle".into(),
        few @ [_] | few @ [_, _, ..] if few.len() <= 6 => few.join(", "),
        many => format!("{}, … {} ({} vehicles)", many[..2].join(", "), many[many.len() - 1], many.len()),
    };
    report::note(format!(
        "{}: {names}; step {} ms, rate {rate}, seed {}",
        scene.name,
        milliseconds(scene.step),
        scene.seed
    ));
    for line in interface {
        report::note(line);
    }
}

/// This time in milliseconds.
pub fn milliseconds(time: SimTime) -> f64 {
    time.0 as f64 / 1e6
}

/// Raises the limit of open files: a big fleet logs to more files than allowed by default.
fn allow_many_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    // If it is not permitted, opening the files will report the error.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
}

/// The ROS node of a run, if there is one.
struct NodeOfRun(Option<Box<dyn Node>>);

impl NodeOfRun {
    /// The ROS of this program, if the run is to have a node.
    fn wanted(args: &RunArgs) -> Option<&'static dyn Ros> {
        ros::of_program().filter(|_| !args.no_ros)
    }

    /// The arguments for ROS, with the preset of the command line after all others, so that it takes precedence.
    fn arguments(args: &RunArgs, for_ros: Vec<OsString>) -> Vec<OsString> {
        let of_preset = args.preset.filter(|_| ros::of_program().is_some());
        let of_preset =
            of_preset.map(|preset| ["--ros-args".into(), "-p".into(), format!("preset:={}", preset.name).into()]);
        for_ros.into_iter().chain(of_preset.into_iter().flatten()).collect()
    }

    /// World variables set by parameters of a preset.
    fn variables(args: &RunArgs, for_ros: &[OsString]) -> Result<Vec<PresetVariable>, Failure> {
        let variables = NodeOfRun::wanted(args).map(|ros| ros.variables(as_text(for_ros)));
        variables.transpose().map(Option::unwrap_or_default).map_err(Failure::because)
    }

    fn start(run: RunOfNode<'_>, sinks: &mut Sinks) -> Result<NodeOfRun, Failure> {
        match NodeOfRun::wanted(run.args) {
            Some(ros) => ros.start(run, sinks).map(|node| NodeOfRun(Some(node))).map_err(Failure::because),
            None => {
                tell_of_missing_ros(run.args, &run.ros_args);
                sinks.extend(run.recorder);
                Ok(NodeOfRun(None))
            }
        }
    }

    fn peers(&self) -> Option<Box<dyn Peers>> {
        self.0.as_ref().map(|node| node.peers())
    }

    fn naming(&self) -> PublishedNaming {
        self.0.as_ref().map(|node| node.naming()).unwrap_or_default()
    }

    fn rate(&self, given: Rate) -> Rate {
        self.0.as_ref().map_or(given, |node| node.rate())
    }

    fn starts_paused(&self, given: bool) -> bool {
        self.0.as_ref().map_or(given, |node| node.starts_paused())
    }

    fn graceful_shutdown(&self, is_requested: Arc<AtomicBool>) -> GracefulShutdown {
        match &self.0 {
            Some(node) => node.graceful_shutdown(is_requested),
            None => GracefulShutdown { is_requested, ..GracefulShutdown::default() },
        }
    }

    fn interface(&self) -> Vec<String> {
        self.0.as_ref().map(|node| node.interface()).unwrap_or_default()
    }

    /// Ends the node; fails when the middleware does not shut down. False: it was still about to when its time was over.
    fn shutdown(self) -> Result<bool, Diagnostic> {
        self.0.map_or(Ok(true), |node| node.shutdown())
    }
}

fn as_text(words: &[OsString]) -> Vec<String> {
    words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Warns of options that have no effect in a program without ROS, and that a run has no node although ROS is sourced.
fn tell_of_missing_ros(args: &RunArgs, for_ros: &[String]) {
    if args.no_ros || ros::of_program().is_some() {
        return;
    }
    let ignored = |option| log_warnings([ros::without_ros(option).after("ignored, ")]);
    if !for_ros.is_empty() {
        ignored("--ros-args");
    }
    if args.lockstep.is_some() {
        ignored("--lockstep");
    }
    let is_sourced = std::env::var_os("ROS_DISTRO").is_some_and(|name| !name.is_empty());
    if is_sourced && args.lockstep.is_none() && for_ros.is_empty() {
        log_warnings([ros::without_ros("no ROS node")]);
    }
}
