//! Runs a case with processes beside it: the simulation (`skidpad run --scenario`) and what the scenario names are processes in a ROS domain that
//! nobody else uses. The simulation judges; here processes are started, watched, and ended, always.
//!
//! ```text
//!  scenario ──▶ skidpad run --scenario ── topics, clock ──▶ node, launch file, controller
//!                    │        ▲─────────────── commands ──────────┘
//!                    └──▶ document with verdict, criteria, measures, trace ──▶ CaseResult
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::file_error::FileError;
use skidpad_files::scratch::Scratch;
use skidpad_math::time::Rate;
use skidpad_metrics::experiment::{Experiment, ExperimentConfig, RosRuns};
use skidpad_run::meter::Meter;
use skidpad_run::processes::{Document, Ended, Process, RosDomain, RunValues, words};

use super::answer::RunAnswer;
use super::run_values;
use crate::description::Scenario;
use crate::result::{Case, CaseResult, Verdict};
use crate::run::{Keep, RunOptions};

/// How often it is looked whether a process has ended.
const POLL: Duration = Duration::from_millis(5);
/// How much earlier than the simulation a process may end that ends together with the run.
const TOGETHER: Duration = Duration::from_secs(1);
/// How long a simulation may take to say how far it was, which is asked to end after a process has failed.
const ANSWER: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 10 });
/// How much longer than the scenario's own time-out a simulation may take to end and to write what it has [wall s].
const GRACE: f64 = if cfg!(test) { 0.3 } else { 20.0 };
/// Lines of its output that a failure shows.
const SHOWN: usize = 8;

/// A process beside the simulation.
struct Companion {
    /// Its name in messages.
    name: String,
    log: PathBuf,
    process: Process,
    may_end: bool,
    /// How it ended by itself, and when that was noticed.
    ended: Option<(Ended, Instant)>,
}

impl Companion {
    /// Whether it has ended though it should not have.
    fn has_failed(&self) -> bool {
        self.ended.is_some_and(|(ended, _)| !self.may_end && !ended.status.success())
    }

    /// That it has ended before the run, which is over since `over`, if it has. That it ends together with the run is usual.
    fn departure(&self, over: Instant) -> Option<Diagnostic> {
        let (ended, at) = self.ended?;
        let is_together = ended.status.success() && over.saturating_duration_since(at) < TOGETHER;
        if self.may_end || is_together {
            return None;
        }
        let message = Diagnostic::new(&self.name, format!("ended before the run did, with {ended}"));
        Some(self.process.explain(message, SHOWN).hint("may_end: true in beside allows this"))
    }
}

/// The files of a run: in the folder of recordings, or in one that goes with it.
struct Files {
    scratch: Scratch,
    /// Folder and beginning of the names of those that may be kept.
    base: PathBuf,
    /// Those that have been named.
    named: Vec<PathBuf>,
    records: bool,
}

impl Files {
    fn new(file: &str, options: &RunOptions) -> Result<Files, Diagnostic> {
        let failed = |error| Diagnostic::from(FileError::create(std::env::temp_dir(), error));
        let scratch = Scratch::new("skidpad-test-").map_err(failed)?;
        let out = options.out.as_ref().filter(|_| options.keep != Keep::None);
        let base = out.map_or(scratch.path(), PathBuf::as_path).join(file).with_extension("");
        Ok(Files { base, records: out.is_some(), named: Vec::new(), scratch })
    }

    /// One that may be kept, with this ending.
    fn named(&mut self, ending: &str) -> PathBuf {
        let mut name = self.base.clone().into_os_string();
        name.push(format!(".{ending}"));
        self.named.push(name.clone().into());
        name.into()
    }

    /// Removes those that are not kept after all.
    fn forget(&self) {
        for path in &self.named {
            // What was never written is not there.
            let _ = fs::remove_file(path);
        }
    }
}

/// Runs a case, and ends all that it has started.
pub(crate) fn run(
    scenario: &Scenario,
    config: &ExperimentConfig,
    case: &Case,
    file: &str,
    options: &RunOptions,
) -> CaseResult {
    let begun = Instant::now();
    let mut files = match Files::new(file, options) {
        Ok(files) => files,
        Err(problem) => return broken(case, config, problem.into(), begun),
    };
    let recording = files.named("mcap");
    let made = made(scenario, config, case, options, &mut files, &recording);
    let mut result = made.unwrap_or_else(|problems| broken(case, config, problems, begun));
    if options.keep == Keep::All || result.verdict != Verdict::Passed {
        result.recording = Some(recording).filter(|path| files.records && path.is_file());
    } else {
        files.forget();
    }
    result.wall = begun.elapsed().as_secs_f64();
    result.legible()
}

/// The result of a run that came to none.
fn broken(case: &Case, config: &ExperimentConfig, problems: Diagnostics, begun: Instant) -> CaseResult {
    CaseResult {
        case: case.clone(),
        verdict: Verdict::Broken(problems),
        criteria: Vec::new(),
        missed: Vec::new(),
        measures: Vec::new(),
        end: "broken".to_owned(),
        notes: Vec::new(),
        simulated: 0.0,
        wall: begun.elapsed().as_secs_f64(),
        seed: config.seed,
        bits: String::new(),
        recording: None,
        command: Vec::new(),
        trace: None,
    }
}

fn made(
    scenario: &Scenario,
    config: &ExperimentConfig,
    case: &Case,
    options: &RunOptions,
    files: &mut Files,
    recording: &Path,
) -> Result<CaseResult, Diagnostics> {
    let begun = Instant::now();
    let ros = config.ros.as_ref().ok_or_else(|| Diagnostics::from(no_ros()))?;
    if ros.stop.load(Ordering::Relaxed) {
        return Err(Diagnostic::of("interrupted before it began").into());
    }
    let domain = RosDomain::free(&ros.environment)?;
    let reported = reported(scenario, config, case, options, &domain, &files.scratch.path().join("reference.csv"))?;
    let mut simulation = domain.command(&ros.program);
    simulation.args(simulation_words(scenario, config, case, options)).envs(reported.variables());
    if files.records {
        simulation.arg(format!("--record={}", recording.display()));
    }
    let answer = files.scratch.path().join("answer.json");
    let mut simulation = Process::start(simulation, &files.named("simulation.log"), Some(&answer), ros.log_limit)?;
    let mut companions: Vec<Companion> = Vec::new();
    let controller = config.has_controller().then(|| words(&config.controller)).transpose();
    let controller = controller.map_err(|problem| problem.at("controller"))?;
    let controller = controller.map(|words| ("controller".to_owned(), words, false, None));
    let of_scenario = scenario.beside.iter().map(|planned| {
        let place = format!("{}:{}:{}", scenario.file.display(), planned.place.0, planned.place.1);
        (planned.name.clone(), planned.words.clone(), planned.may_end, Some(place))
    });
    for (number, (name, words, may_end, place)) in controller.into_iter().chain(of_scenario).enumerate() {
        let words = reported.fill(&words);
        let mut command = domain.command(Path::new(&words[0]));
        command.args(&words[1..]).envs(reported.variables());
        let is_plain = |c: char| c.is_alphanumeric() || "=,.+-_".contains(c);
        let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).take(60).collect();
        let log = files.named(&format!("{}.{plain}.log", number + 1));
        let started = Process::start(command, &log, None, ros.log_limit);
        let process = started.map_err(|problem| match &place {
            Some(place) => problem.at(&name).at(place),
            None => problem.at(&name),
        })?;
        companions.push(Companion { name, log, process, may_end, ended: None });
    }
    let ended = watch(&mut simulation, &mut companions, scenario, ros);
    let over = Instant::now();
    // Whoever was running is asked to end now, all of them at once.
    Process::end_all(companions.iter_mut().map(|companion| &mut companion.process).chain([&mut simulation]));
    let document = Document::<RunAnswer>::read(&answer);
    let errors = || document.messages("error").collect::<Vec<_>>();
    let record = document.result.clone().and_then(|run| run.scenario);
    let mut result = match (ended, record) {
        (Watched::Simulation(ended), Some(record)) => {
            let mut result = record.result(case, begun.elapsed().as_secs_f64());
            // With 3 all is done, and only the middleware has not shut down in time.
            if result.verdict == Verdict::Passed && !matches!(ended.status.code(), Some(0 | 3)) {
                let message = Diagnostic::new("simulation", format!("ended with {ended}"));
                let why = errors();
                let why = if why.is_empty() { simulation.explain(message, SHOWN).into() } else { Diagnostics(why) };
                result.verdict = Verdict::Broken(why);
                "broken".clone_into(&mut result.end);
            }
            result
        }
        (Watched::Simulation(_), None) if !errors().is_empty() => broken(case, config, Diagnostics(errors()), begun),
        (Watched::Simulation(ended), None) => {
            let message = Diagnostic::new("simulation", format!("ended with {ended}"));
            broken(case, config, simulation.explain(message, SHOWN).into(), begun)
        }
        (Watched::Process, record) => {
            let interrupted = record.map(|record| record.result(case, begun.elapsed().as_secs_f64()));
            interrupted.unwrap_or_else(|| broken(case, config, Diagnostics::default(), begun))
        }
        (Watched::Late, _) => {
            let found =
                format!("the simulation was still running {GRACE} s after its {} s of wall time", scenario.timeout);
            broken(case, config, simulation.explain(Diagnostic::new("timeout", found), SHOWN).into(), begun)
        }
        (Watched::Stop, _) => {
            return Err(Diagnostic::of("interrupted, all processes beside the run were ended").into());
        }
    };
    let warnings = document.messages("warning").map(|warning| format!("warning: {}", warning.first_line()));
    let known = std::mem::take(&mut result.notes);
    result.notes.extend(warnings.filter(|warning| !known.contains(warning)));
    result.notes.extend(known);
    // In real time they depend on the machine, and are compared with nothing.
    if scenario.lockstep.is_none() && !config.has_controller() {
        result.bits.clear();
    }
    judge_processes(&mut result, &companions, over, files.records);
    Ok(result)
}

/// A process that has failed breaks a run, whatever was found of it, and one that has just ended before it is told. What the processes said last
/// stands in the notes of runs that did not pass.
fn judge_processes(result: &mut CaseResult, companions: &[Companion], over: Instant, is_kept: bool) {
    let departed = companions.iter().filter_map(|companion| Some((companion, companion.departure(over)?)));
    // That of whoever went first is the cause of those of others.
    let departed = departed.min_by_key(|(companion, _)| (!companion.has_failed(), companion.ended.map(|(_, at)| at)));
    if let Some((companion, departure)) = departed {
        match &mut result.verdict {
            Verdict::Broken(problems) => problems.0.insert(0, departure),
            verdict if companion.has_failed() => {
                *verdict = Verdict::Broken(departure.into());
                "broken".clone_into(&mut result.end);
            }
            Verdict::Passed | Verdict::Failed => {
                result.notes.push(format!("warning: {}", departure.first_line()));
                let reported = departure.at(result.case.name());
                tracing::warn!(diagnostic = reported.as_value());
            }
        }
    }
    let shortened = companions.iter().filter_map(|companion| companion.process.log_problem());
    result.notes.extend(shortened.map(|problem| format!("warning: {}", problem.first_line())));
    if result.verdict == Verdict::Passed {
        return;
    }
    for companion in companions {
        let end = companion.ended.map(|(ended, _)| format!("ended with {ended}"));
        let ending = end.unwrap_or_else(|| "was running until the end".to_owned());
        let kept = if is_kept { format!("; its log is {}", companion.log.display()) } else { String::new() };
        result.notes.push(format!("{}: {ending}{kept}", companion.name));
        let is_of_interest = companion.ended.is_some_and(|(ended, _)| !ended.status.success());
        let lines = if is_of_interest { companion.process.last_lines(SHOWN) } else { Vec::new() };
        result.notes.extend(lines.into_iter().map(|line| format!("{}: | {line}", companion.name)));
    }
}

/// What has ended a run.
enum Watched {
    Simulation(Ended),
    /// One of the others, on which the run depends; the simulation has been asked to say how far it was.
    Process,
    /// All are to end.
    Stop,
    /// Its time is over, and it does not end.
    Late,
}

fn watch(simulation: &mut Process, companions: &mut [Companion], scenario: &Scenario, ros: &RosRuns) -> Watched {
    let longest = Duration::from_secs_f64(scenario.timeout + GRACE);
    // When the simulation was asked to end, after a process on which the run depends.
    let mut requested_end: Option<Instant> = None;
    loop {
        for companion in companions.iter_mut().filter(|companion| companion.ended.is_none()) {
            companion.ended = companion.process.ended().map(|ended| (ended, Instant::now()));
        }
        match (simulation.ended(), requested_end) {
            (Some(ended), None) => return Watched::Simulation(ended),
            (Some(_), Some(_)) => return Watched::Process,
            (None, Some(requested_end)) if requested_end.elapsed() >= ANSWER => return Watched::Process,
            (None, _) => {}
        }
        if ros.stop.load(Ordering::Relaxed) {
            return Watched::Stop;
        }
        if simulation.age() > longest {
            return Watched::Late;
        }
        // At once, so that it has not simulated much more.
        if requested_end.is_none() && companions.iter().any(Companion::has_failed) {
            simulation.ask_to_end();
            requested_end = Some(Instant::now());
        }
        std::thread::sleep(POLL);
    }
}

/// The message that processes beside a run need ROS.
fn no_ros() -> Diagnostic {
    Diagnostic::new("beside", "this skidpad runs without ROS").accepted("skidpad-ros in the same folder")
}

/// What the processes are told of their run.
fn reported(
    scenario: &Scenario,
    config: &ExperimentConfig,
    case: &Case,
    options: &RunOptions,
    domain: &RosDomain,
    reference: &Path,
) -> Result<RunValues, Diagnostics> {
    let mut reported = RunValues(Vec::new());
    if config.has_controller() {
        let (label, load) = (case.name(), options.load.clone());
        let experiment = Experiment { config: config.clone(), label, load, record: None, meter: Meter::current() };
        reported = experiment.reported(reference).map_err(|error| scenario.explain(&error))?;
    }
    let folder = scenario.file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let of_process =
        [("folder", folder.display().to_string()), ("domain", domain.number().to_string()), ("run", case.name())];
    let period = scenario.lockstep.map(|period| ("period", period.to_string()));
    for (name, value) in run_values(config).0.into_iter().chain(of_process).chain(period) {
        if reported.0.iter().all(|(known, _)| *known != name) {
            reported.0.push((name, value));
        }
    }
    Ok(reported)
}

/// The words of the simulation.
fn simulation_words(scenario: &Scenario, config: &ExperimentConfig, case: &Case, options: &RunOptions) -> Vec<String> {
    let is_in_step = scenario.lockstep.is_some() || config.has_controller();
    let usual = if is_in_step { Rate::Max } else { Rate::default() };
    let pace = scenario.pace.unwrap_or(usual);
    let mut words: Vec<String> = ["run", "--headless", "--json"].map(str::to_owned).to_vec();
    words.extend([
        format!("--scenario={}", scenario.file.display()),
        format!("--only={}", case.name_of_all()),
        format!("--rate={pace}"),
    ]);
    words.extend(options.overrides.clone());
    words
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use skidpad_run::processes::LOG_LIMIT;

    use super::*;
    use crate::report::{run_json, samples};

    /// A scenario whose simulation is a script, in a folder of its own.
    struct Lab {
        folder: tempfile::TempDir,
        stop: Arc<AtomicBool>,
    }

    impl Lab {
        fn new() -> Lab {
            Lab { folder: tempfile::tempdir().unwrap(), stop: Arc::default() }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        /// Runs a scenario with this in its section `beside`.
        fn run(&self, script: &str, beside: &str) -> CaseResult {
            self.run_within(60.0, script, beside)
        }

        /// The same with a time-out [s].
        fn run_within(&self, timeout: f64, script: &str, beside: &str) -> CaseResult {
            use std::os::unix::fs::PermissionsExt;
            let program = self.path("simulation");
            fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
            let text = format!(
                "controller: none\nseed: 7\ntimeout: {timeout}\nexpect: {{collisions: {{at_most: 0}}}}\n{beside}"
            );
            // Of an earlier run.
            let _ = fs::remove_file(self.path("number"));
            let mut scenario = Scenario::parse(&self.path("s.yaml"), &text, &[]).unwrap();
            scenario.experiment.ros =
                Some(RosRuns { program, environment: Vec::new(), stop: Arc::clone(&self.stop), log_limit: LOG_LIMIT });
            let case = Case { scenario: "s".into(), file: scenario.file.clone(), varied: Vec::new(), repetition: None };
            let out = self.path("out");
            fs::create_dir_all(&out).unwrap();
            let options = RunOptions { out: Some(out), ..RunOptions::default() };
            run(&scenario, &scenario.experiment, &case, "s.mcap", &options)
        }

        /// A script that waits for this and then answers with this record.
        fn answer(&self, result: &CaseResult, wait: &str) -> String {
            let document =
                serde_json::json!({ "result": { "recorded": 1, "scenario": run_json(result) }, "messages": [] });
            let path = self.path("answer");
            fs::write(&path, document.to_string()).unwrap();
            format!("echo $* > {}; {wait}; cat {}", self.path("words").display(), path.display())
        }

        /// Words of a shell that wait until a process has written its number.
        fn wait(&self) -> String {
            format!("until [ -s {} ]; do sleep 0.02; done", self.path("number").display())
        }

        /// A process that writes its number and then sleeps, with a child.
        fn sleeper(&self) -> String {
            format!(
                "node: \"sh -c 'echo $$ $SKIDPAD_SEED {{run}} $ROS_DOMAIN_ID > {}; sleep 600 & wait'\"",
                self.path("number").display()
            )
        }

        /// Whether nothing of the sleeper is left; returns what it was told.
        fn sleeper_has_ended(&self) -> String {
            let text = fs::read_to_string(self.path("number")).unwrap();
            let (number, reported) = text.split_once(' ').unwrap();
            let is_of_group = |stat: &str| {
                let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
                fields.get(2) == Some(&number) && fields[0] != "Z"
            };
            let all = fs::read_dir("/proc").unwrap().flatten();
            let mut stats = all.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
            assert!(!stats.any(|stat| is_of_group(&stat)), "something is left");
            reported.trim().to_owned()
        }
    }

    fn reasons(result: &CaseResult) -> String {
        match &result.verdict {
            Verdict::Broken(problems) => problems.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn the_verdict_is_that_of_the_simulation_and_nothing_is_left() {
        let lab = Lab::new();
        let all = samples::results();
        let passed = lab.run(&lab.answer(&all[0], &lab.wait()), &format!("beside:\n- {}", lab.sleeper()));
        assert_eq!((&passed.verdict, &passed.measures), (&Verdict::Passed, &all[0].measures));
        assert!(lab.sleeper_has_ended().starts_with("7 s "), "{}", lab.sleeper_has_ended());
        let words = fs::read_to_string(lab.path("words")).unwrap();
        assert!(words.starts_with("run --headless --json --scenario="), "{words}");
        assert!(words.contains(" --only=s --rate=1 --record="), "{words}");
        assert_eq!(fs::read_dir(lab.path("out")).unwrap().count(), 0, "logs are kept of failures");
        let failed =
            lab.run(&lab.answer(&all[1], &lab.wait()), &format!("lockstep: 0.02\nbeside:\n- {}", lab.sleeper()));
        assert_eq!((&failed.verdict, &failed.criteria), (&Verdict::Failed, &all[1].criteria));
        let note = failed.notes.iter().find(|note| note.starts_with("sh: was running until the end; its log is "));
        assert!(note.is_some(), "{:?}", failed.notes);
        assert!(lab.path("out/s.1.sh.log").is_file() && lab.path("out/s.simulation.log").is_file());
        assert!(fs::read_to_string(lab.path("words")).unwrap().contains(" --rate=max "));
    }

    #[test]
    fn a_process_that_fails_breaks_the_run_unless_it_may() {
        let lab = Lab::new();
        let passing = |wait: &str| lab.answer(&samples::results()[0], wait);
        let number = lab.path("number");
        let early = format!("node: \"sh -c '{}; echo no map; exit 3'\"", lab.wait());
        let broken =
            reasons(&lab.run("exec sleep 600", &format!("beside:\n- {early}\n  name: peer\n- {}", lab.sleeper())));
        assert!(broken.starts_with("peer: ended before the run did, with status 3 after "), "{broken}");
        assert!(broken.contains("\n  last lines of its output:\n  | no map\n  hint: may_end: true"), "{broken}");
        lab.sleeper_has_ended();
        // The simulation says how far it was once it is asked to end.
        let mut reported = samples::results().remove(2);
        (reported.simulated, reported.verdict) =
            (1.5, Verdict::Broken(Diagnostic::of("interrupted after 1.500 s").into()));
        let answer = lab.answer(&reported, "trap : TERM; sleep 600 & wait");
        let crash = lab.run(&answer, "beside:\n- node: \"sh -c 'kill -SEGV $$'\"\n  name: peer");
        let reasons_of_crash = reasons(&crash);
        assert!(
            reasons_of_crash.starts_with("peer: ended before the run did, with signal 11 after "),
            "{reasons_of_crash}"
        );
        assert!(reasons_of_crash.ends_with("\ninterrupted after 1.500 s"), "{reasons_of_crash}");
        assert_eq!(crash.simulated, 1.5);
        // The simulation answers once the other process has ended, and has been waited for.
        let gone = format!("{}; while kill -0 $(cat {}); do sleep 0.02; done", lab.wait(), number.display());
        let failing = format!("node: \"sh -c 'echo $$ > {}; exit 3'\"", number.display());
        let late = reasons(&lab.run(&passing(&gone), &format!("beside:\n- {failing}\n  name: peer")));
        assert!(
            late.starts_with("peer: ended before the run did, with status 3"),
            "a verdict without it counts for nothing: {late}"
        );
        let may = lab.run(&passing(&gone), &format!("beside:\n- {failing}\n  may_end: true"));
        assert_eq!(may.verdict, Verdict::Passed);
        let absent = reasons(&lab.run("exec sleep 600", "beside:\n- node: no_such_program"));
        assert!(absent.contains("s.yaml:6:3: no_such_program: no_such_program: cannot be started: "), "{absent}");
    }

    #[test]
    fn a_process_that_just_ends_before_the_run_is_told() {
        let lab = Lab::new();
        let all = samples::results();
        let early =
            format!("beside:\n- node: \"sh -c 'echo $$ > {}; echo done'\"\n  name: peer", lab.path("number").display());
        let reported = "peer: ended before the run did, with status 0 after ";
        // Longer after it than processes take that end together with the run.
        let gone = format!("{}; sleep {}", lab.wait(), 1.5 * TOGETHER.as_secs_f64());
        let passed = lab.run(&lab.answer(&all[0], &gone), &early);
        assert_eq!(passed.verdict, Verdict::Passed);
        assert!(
            passed.notes.iter().any(|note| note.starts_with(&format!("warning: {reported}"))),
            "{:?}",
            passed.notes
        );
        let broken = reasons(&lab.run(&lab.answer(&all[2], &gone), &early));
        assert!(broken.starts_with(reported) && broken.contains("\n  | done\n"), "{broken}");
        assert!(broken.ends_with(&reasons(&all[2])), "its own reason, too: {broken}");
        let may = lab.run(&lab.answer(&all[0], &gone), &format!("{early}\n  may_end: true"));
        assert!(may.notes.iter().all(|note| !note.contains(reported)), "{:?}", may.notes);
    }

    #[test]
    fn nothing_is_left_after_a_time_out_or_an_end_from_outside() {
        let lab = Lab::new();
        let beside = format!("beside:\n- {}", lab.sleeper());
        let hung = reasons(&lab.run_within(2.0, "echo stuck >&2; exec sleep 600", &beside));
        assert!(
            hung.starts_with("timeout: the simulation was still running 0.3 s after its 2 s of wall time"),
            "{hung}"
        );
        assert!(hung.ends_with("| stuck"), "{hung}");
        lab.sleeper_has_ended();
        let dead = reasons(&lab.run("echo oh >&2; kill -9 $$", &beside));
        assert!(dead.starts_with("simulation: ended with signal 9 after "), "{dead}");
        let _ = fs::remove_file(lab.path("number"));
        let interrupted = std::thread::scope(|scope| {
            scope.spawn(|| {
                let is_written = || fs::read(lab.path("number")).is_ok_and(|text| !text.is_empty());
                while !is_written() {
                    std::thread::sleep(POLL);
                }
                lab.stop.store(true, Ordering::Relaxed);
            });
            reasons(&lab.run("exec sleep 600", &beside))
        });
        assert_eq!(interrupted, "interrupted, all processes beside the run were ended");
        lab.sleeper_has_ended();
        assert_eq!(reasons(&lab.run("exec sleep 600", &beside)), "interrupted before it began");
    }
}
