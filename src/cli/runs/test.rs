//! `skidpad test`: runs scenarios, and says which of them hold.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::answer::{Answer, JsonArgs, Stdout};
use crate::cli::experiment::{ProcessLogArgs, report_files, ros_runs};
use crate::cli::parsers::Choice;
use crate::cli::progress::{self, Work};
use crate::cli::scenarios::{self, ReportKind};
use crate::cli::sensor_args::SensorArgs;
use crate::cli::wanted::Wanted;
use crate::cli::{Failure, log_warnings, offer, provenance, scored_run};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::input_file;
use crate::meter::{Meter, Unit};
use crate::record::{Destination, Provenance};
use crate::scenario::report::{Counts, json};
use crate::scenario::{self, CaseResult, Keep, Planned, RunOptions, Scenario, Verdict};
use crate::time::{Rate, SimTime};
use crate::world::LoadOptions;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct TestArgs {
    /// Scenarios as YAML
    ///
    /// docs/scenarios.md describes scenarios.
    #[arg(value_name = "SCENARIO", required = true, value_parser = crate::cli::parsers::shipped_file(), add = offer::files(&[".yaml", ".yml"]))]
    scenarios: Vec<PathBuf>,
    /// Run only this scenario or run, such as doorway or "doorway[seed=3]"
    ///
    /// In NAME, * stands for any text and ? for one character.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Seed of all runs, instead of the seeds of the scenarios
    #[arg(long, value_name = "N", value_parser = crate::cli::parsers::seed)]
    seed: Option<u64>,
    /// Set a key such as Kp, or a variable of the worlds; can be repeated
    ///
    /// Keys are those of the tracker, trajectory and linearizer. Any other name is a variable of the worlds.
    #[arg(long, value_name = "NAME=VALUE", value_parser = crate::cli::parsers::variable, add = offer::settings())]
    set: Vec<(String, String)>,
    /// Repeat each run N times; fail if a repetition is not bit-identical
    #[arg(long, value_name = "N", value_parser = crate::cli::parsers::repetitions)]
    repeat: Option<u32>,
    /// End after the first repetition in which a run does not pass
    #[arg(long, requires = "repeat")]
    repeat_until_fail: bool,
    /// Simulated seconds per second of wall time, or max, of runs with processes
    ///
    /// The option replaces `pace` of the scenarios. It applies to runs with processes beside them. Less than 1 helps slow machines.
    #[arg(long, value_name = "R", value_parser = crate::cli::parsers::rate)]
    pace: Option<Rate>,
    /// Number of parallel runs; does not change results [default: one per processor]
    #[arg(long, value_name = "N", value_parser = crate::cli::parsers::jobs)]
    jobs: Option<usize>,
    /// Write JUnit XML for continuous integration
    #[arg(long, value_name = "FILE.xml")]
    junit: Option<PathBuf>,
    /// Folder for recordings, and a page, JSON and CSV of all runs
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Runs whose recordings are kept in --out
    #[arg(long, value_name = "WHICH", default_value = "failed", value_parser = Choice::of("choice", &Keep::NAMES), requires = "out")]
    keep: Keep,
    #[command(flatten)]
    pub(in crate::cli) json: JsonArgs,
    #[command(flatten)]
    sensors: SensorArgs,
    #[command(flatten)]
    logs: ProcessLogArgs,
}

/// Most runs whose recordings failed that are named.
const MAX_NAMED: usize = 6;

/// Runs the scenarios.
pub(in crate::cli) fn test(args: &TestArgs, answer: &mut Answer) -> Result<(), Failure> {
    let wanted = args.wanted();
    let load = LoadOptions { batch_caster: args.sensors.batch_caster(), ..wanted.load_options() };
    let (mut scenarios, files) = load_all(args, &wanted)?;
    let stop = give_ros(&mut scenarios, args.logs.bytes())?;
    if stop.is_none() && args.pace.is_some() {
        let message = Diagnostic::new("--pace", "has no effect: no scenario has processes beside its runs");
        log_warnings([message.hint("without them, runs go as fast as the processor allows")]);
    }
    let mut planned: Vec<Planned<'_>> = Vec::new();
    let mut wrong = Vec::new();
    for (scenario, files) in scenarios.iter().zip(&files) {
        let (cases, opened) = input_file::noting_opened(|| wanted.cases(scenario, &load));
        match cases {
            Ok(mut cases) => {
                if args.out.is_some() && args.keep != Keep::None {
                    name_origin(&wanted, &mut cases, files.iter().chain(&opened));
                }
                planned.append(&mut cases);
            }
            Err(problems) => wrong.extend(problems),
        }
    }
    if !wrong.is_empty() {
        return Err(scored_run::broken(Diagnostics(wrong)));
    }
    if planned.is_empty() {
        return Err(scored_run::broken(wanted.no_match("--only", &scenarios)));
    }
    let folder = args.out.as_deref().map(scenarios::make_folder).transpose();
    let _folder = folder.map_err(scored_run::broken)?;
    let results = Work::of("testing", || {
        let meter = Meter::current();
        let durations = planned.iter().map(|planned| SimTime::from_secs(planned.config.duration).0.unsigned_abs());
        meter.begin(Unit::SimulatedTime, durations.fold(0, u64::saturating_add));
        let (out, overrides) = (args.out.clone(), wanted.overrides());
        run(args, &planned, &RunOptions { load, out, keep: args.keep, overrides, meter })
    });
    let mut results = results?;
    if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
        // Every run that was under way or to come says so.
        log_warnings([Diagnostic::of("interrupted, all processes beside the runs have been ended")]);
    }
    for result in &mut results {
        result.command = wanted.again(&result.case);
    }
    let counts = Counts::of(&results);
    let files = write(args, &results)?;
    let line = format!("{counts}\n");
    answer.give(|| json(&results), |out| Ok(out.write_all(line.as_bytes())?))?;
    if !files.is_empty() {
        report_files(&files);
    }
    if args.out.is_some() {
        check_recordings(args.keep, &results)?;
    }
    let ended = |status| Err(Failure::Ended { errors: Diagnostics::default(), status });
    match (counts.broken, counts.failed) {
        (0, 0) => Ok(()),
        (0, _) => ended(scored_run::FAILED),
        _ => ended(scored_run::BROKEN),
    }
}

/// Fails if a recording that is to be kept is missing.
fn check_recordings(keep: Keep, results: &[CaseResult]) -> Result<(), Failure> {
    let is_missing = |result: &&CaseResult| result.recording.is_none() && keep.keeps(&result.verdict);
    let missing: Vec<String> = results.iter().filter(is_missing).map(|result| result.case.name()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let (first, more) = missing.split_at(missing.len().min(MAX_NAMED));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    Err(scored_run::broken(Diagnostic::of(format!("the recordings of {}{more} failed, see above", first.join(", ")))))
}

/// Reads all scenarios, and finds their worlds; the mistakes of all are told. Returns them, and the files that each was read from.
fn load_all(args: &TestArgs, wanted: &Wanted) -> Result<(Vec<Scenario>, Vec<Vec<PathBuf>>), Failure> {
    let (mut scenarios, mut files, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for path in &args.scenarios {
        let (scenario, opened) = input_file::noting_opened(|| wanted.load(path));
        match scenario {
            Ok(scenario) => {
                scenarios.push(scenario);
                files.push(opened);
            }
            Err(problems) => wrong.extend(problems),
        }
    }
    if wrong.is_empty() { Ok((scenarios, files)) } else { Err(scored_run::broken(Diagnostics(wrong))) }
}

/// Gives ROS to the scenarios that need it; returns the flag that ends their processes, if there are such.
fn give_ros(scenarios: &mut [Scenario], log_limit: u64) -> Result<Option<Arc<AtomicBool>>, Failure> {
    let is_in_company = |scenario: &Scenario| {
        scenario.is_in_company(&scenario.experiment) || scenario.experiment.vary.keys().any(|key| key == "controller")
    };
    let Some(first) = scenarios.iter().position(is_in_company) else { return Ok(None) };
    let of_first = scenarios[first].file.display().to_string();
    let ros = ros_runs("processes beside a run", log_limit).map_err(|failure| match failure {
        Failure::Because(problems) => scored_run::broken(problems.at(of_first)),
        other => other,
    })?;
    for scenario in scenarios {
        scenario.experiment.ros = Some(ros.clone());
    }
    Ok(Some(ros.stop))
}

/// Makes all runs.
fn run(args: &TestArgs, planned: &[Planned<'_>], options: &RunOptions) -> Result<Vec<CaseResult>, Failure> {
    let mut threads = rayon::ThreadPoolBuilder::new();
    if let Some(jobs) = args.jobs {
        threads = threads.num_threads(jobs);
    }
    let threads = threads.build().map_err(|error| scored_run::broken(Diagnostic::new("--jobs", error.to_string())))?;
    let tell = |result: &CaseResult| {
        if !args.json.json {
            // Whoever no longer reads has the exit status.
            progress::aside(|| drop(Stdout::lock().write_all(scored_run::text(result).as_bytes())));
        }
    };
    let all = |planned: &[Planned<'_>]| threads.install(|| scenario::run_all(planned, options, tell));
    if !args.repeat_until_fail {
        return Ok(all(planned));
    }
    let mut results = Vec::new();
    for repetition in 1..=args.repeat.unwrap_or(1) {
        let is_in_repetition = |planned: &&Planned<'_>| planned.case.repetition == Some(repetition);
        let round: Vec<Planned<'_>> = planned.iter().filter(is_in_repetition).cloned().collect();
        results.extend(all(&round));
        scenario::compare_repetitions(&mut results);
        if results.iter().any(|result| result.verdict != Verdict::Passed) {
            break;
        }
    }
    Ok(results)
}

/// Writes the reports that are asked for.
fn write(args: &TestArgs, results: &[CaseResult]) -> Result<Vec<PathBuf>, Failure> {
    let mut files: Vec<PathBuf> = results.iter().filter_map(|result| result.recording.clone()).collect();
    if let Some(path) = &args.junit {
        ReportKind::Junit.write(path, results).map_err(scored_run::broken)?;
        files.push(path.clone());
    }
    if let Some(out) = &args.out {
        files.extend(scenarios::write_all(out, results).map_err(scored_run::broken)?);
    }
    Ok(files)
}

/// Records the only run of these arguments again, with this world.
pub(in crate::cli) fn again(args: &TestArgs, world: PathBuf, destination: &Destination) -> Result<(), Failure> {
    let wanted = args.wanted();
    let load = LoadOptions { batch_caster: args.sensors.batch_caster(), ..wanted.load_options() };
    let file = args.scenarios.first().cloned().unwrap_or_default();
    let scenario = wanted.load_with(&file, world).map_err(Failure::Because)?;
    let cases = wanted.cases(&scenario, &load).map_err(Failure::Because)?;
    let [Planned { config, case, .. }] = &cases[..] else {
        let found = format!("{} runs are called \"{}\"", cases.len(), args.only.as_deref().unwrap_or_default());
        return Err(Failure::because(Diagnostic::new(file.display(), found).accepted("one")));
    };
    Work::of("running", || {
        let meter = Meter::current();
        meter.begin(Unit::SimulatedTime, SimTime::from_secs(config.duration).0.unsigned_abs());
        scenario::record(&scenario, config, case, &RunOptions { load, meter, ..RunOptions::default() }, destination)
    })
    .map_err(Failure::Because)
}

/// Tells the runs of a scenario, which is read from these files, how recordings say that they were made.
fn name_origin<'a>(wanted: &Wanted, cases: &mut [Planned<'_>], files: impl Iterator<Item = &'a PathBuf>) {
    let of_version = provenance::of_this_version().with_files(files);
    for Planned { scenario, config, case } in cases {
        let folder = scenario.file.parent().unwrap_or(Path::new(""));
        let spawned = scenario.events.iter().filter_map(|event| event.words.spawn.as_ref()?.file.as_ref());
        let origin = Provenance { command: wanted.again(case), ..of_version.clone() };
        config.origin = Some(Arc::new(origin.with_files(spawned.map(|file| folder.join(file)))));
    }
}

impl TestArgs {
    /// Which runs they ask for.
    fn wanted(&self) -> Wanted {
        let TestArgs { seed, repeat, pace, .. } = *self;
        Wanted { only: self.only.clone(), seed, set: self.set.clone(), repeat, pace }
    }
}
