//! `skidpad test`: runs scenarios, and says which of them hold.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::answer::{Answer, JsonArgs};
use super::experiment::{SetValues, report_files};
use super::parsers::Choice;
use super::sensor_args::SensorArgs;
use super::{Failure, complete, find};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::file_error::FileError;
use crate::output_file;
use crate::scenario::report::{Counts, csv, json, junit, page};
use crate::scenario::{self, CaseResult, Keep, Planned, RunOptions, Scenario, Verdict};
use crate::world::LoadOptions;

/// Exit status where a run failed, and where one could not be made or a file is wrong.
pub(super) const FAILED: u8 = 1;
pub(super) const BROKEN: u8 = 2;

#[derive(Debug, clap::Args)]
pub(super) struct TestArgs {
    /// Scenarios, as YAML; docs/scenarios.md describes them
    #[arg(value_name = "SCENARIO", required = true, value_parser = super::parsers::shipped_file(), add = complete::files(&[".yaml", ".yml"]))]
    scenarios: Vec<PathBuf>,
    /// Run only scenarios and runs of this name, such as doorway or "doorway[seed=3]"; * stands for any text, ? for a character
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Run with this seed alone, instead of those of the scenarios
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Set a key of tracker, trajectory or linearizer, such as Kp, or else a variable of the worlds; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = super::parsers::variable, add = complete::settings())]
    set: Vec<(String, String)>,
    /// Make each run so often; one with other bits than the first has failed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    repeat: Option<u32>,
    /// With --repeat: end after the first repetition in which a run does not pass
    #[arg(long, requires = "repeat")]
    repeat_until_fail: bool,
    /// Number of runs side by side; does not change results [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = super::parsers::threads)]
    jobs: Option<usize>,
    /// Write JUnit XML for continuous integration
    #[arg(long, value_name = "FILE.xml")]
    junit: Option<PathBuf>,
    /// Folder for recordings, a page, JSON and CSV of all runs
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// With --out: whose recordings are kept
    #[arg(long, value_name = "WHICH", default_value = "failed", value_parser = Choice::of("choice", &Keep::NAMES), requires = "out")]
    keep: Keep,
    #[command(flatten)]
    pub(super) json: JsonArgs,
    #[command(flatten)]
    sensors: SensorArgs,
}

/// The failure of a test that cannot be made.
pub(super) fn broken(errors: impl Into<Diagnostics>) -> Failure {
    Failure::Ended { errors: errors.into(), status: BROKEN }
}

/// Runs the scenarios.
pub(super) fn test(args: &TestArgs, answer: &mut Answer) -> Result<(), Failure> {
    let SetValues { keys, variables } = SetValues::of_experiment(&args.set);
    let load = LoadOptions { variables, batch_caster: args.sensors.batch_caster(), ..LoadOptions::default() };
    let scenarios = load_all(args, &keys)?;
    let mut planned: Vec<Planned<'_>> = Vec::new();
    let mut wrong = Vec::new();
    for scenario in &scenarios {
        match scenario::cases(scenario, &load, &keys, args.repeat) {
            Ok(cases) => planned.extend(cases.into_iter().filter(|planned| args.is_wanted(planned))),
            Err(error) => wrong.extend(scenario.explain(&error)),
        }
    }
    if !wrong.is_empty() {
        return Err(broken(Diagnostics(wrong)));
    }
    if planned.is_empty() {
        return Err(broken(no_run(args.only.as_deref().unwrap_or_default(), &scenarios)));
    }
    if let Some(out) = &args.out {
        std::fs::create_dir_all(out).map_err(|error| broken(Diagnostic::from(FileError::create(out, error))))?;
    }
    let options = RunOptions { load, out: args.out.clone(), keep: args.keep };
    let mut results = run(args, &planned, &options)?;
    for result in &mut results {
        result.command = args.again(result);
    }
    let counts = Counts::of(&results);
    let files = write(args, &results)?;
    let line = format!("{counts}\n");
    answer.give(|| json(&results), |out| Ok(out.write_all(line.as_bytes())?))?;
    if !files.is_empty() {
        report_files(&files);
    }
    let ended = |status| Err(Failure::Ended { errors: Diagnostics::default(), status });
    match (counts.broken, counts.failed) {
        (0, 0) => Ok(()),
        (0, _) => ended(FAILED),
        _ => ended(BROKEN),
    }
}

/// Reads all scenarios, and finds their worlds; the mistakes of all are told.
fn load_all(args: &TestArgs, keys: &[(String, String)]) -> Result<Vec<Scenario>, Failure> {
    let (mut scenarios, mut wrong) = (Vec::new(), Vec::new());
    for path in &args.scenarios {
        match load(path, keys, args.seed) {
            Ok(scenario) => scenarios.push(scenario),
            Err(Failure::Ended { errors, .. }) => wrong.extend(errors),
            Err(other) => return Err(other),
        }
    }
    if wrong.is_empty() { Ok(scenarios) } else { Err(broken(Diagnostics(wrong))) }
}

/// Reads a scenario, and finds its world; `seed` takes the place of its own.
pub(super) fn load(path: &Path, keys: &[(String, String)], seed: Option<u64>) -> Result<Scenario, Failure> {
    let mut scenario = Scenario::load(path, keys).map_err(broken)?;
    scenario.experiment.world = match find::world_of_config(&scenario.experiment.world, path) {
        Err(Failure::Because(problems)) => return Err(broken(problems.at(path.display()))),
        found => found?,
    };
    if let Some(seed) = seed {
        (scenario.experiment.seed, scenario.seeds) = (seed, Vec::new());
    }
    Ok(scenario)
}

/// The message that none of these scenarios has a run of this name.
pub(super) fn no_run<'a>(only: &str, scenarios: impl IntoIterator<Item = &'a Scenario>) -> Diagnostic {
    let names: Vec<&str> = scenarios.into_iter().map(|scenario| scenario.experiment.name.as_str()).collect();
    Diagnostic::new("--only", format!("no run is called \"{only}\"")).one_of(only, &names)
}

/// Whether a case is among those that this name means.
pub(super) fn is_called(case: &scenario::Case, only: &str) -> bool {
    let whole = scenario::Case { repetition: None, ..case.clone() };
    [case.scenario.clone(), whole.name(), case.name()].iter().any(|name| matches(only.as_bytes(), name.as_bytes()))
}

/// Makes all runs.
fn run(args: &TestArgs, planned: &[Planned<'_>], options: &RunOptions) -> Result<Vec<CaseResult>, Failure> {
    let mut threads = rayon::ThreadPoolBuilder::new();
    if let Some(jobs) = args.jobs {
        threads = threads.num_threads(jobs);
    }
    let threads = threads.build().map_err(|error| broken(Diagnostic::new("--jobs", error.to_string())))?;
    let tell = |result: &CaseResult| {
        if !args.json.json {
            // Whoever no longer reads has the exit status.
            let _ = std::io::stdout().lock().write_all(text(result).as_bytes());
        }
    };
    let all = |planned: &[Planned<'_>]| threads.install(|| scenario::run_all(planned, options, tell));
    if !args.repeat_until_fail {
        return Ok(all(planned));
    }
    let mut results = Vec::new();
    for repetition in 1..=args.repeat.unwrap_or(1) {
        let is_of_it = |planned: &&Planned<'_>| planned.case.repetition == Some(repetition);
        let round: Vec<Planned<'_>> = planned.iter().filter(is_of_it).cloned().collect();
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
    let mut write = |path: PathBuf, content: &str| {
        output_file::write(&path, content.as_bytes())
            .map_err(|error| broken(Diagnostic::from(FileError::write(&path, error))))?;
        files.push(path);
        Ok::<(), Failure>(())
    };
    if let Some(path) = &args.junit {
        write(path.clone(), &junit(results))?;
    }
    if let Some(out) = &args.out {
        let document = serde_json::to_string_pretty(&json(results)).unwrap_or_default();
        write(out.join("results.json"), &document)?;
        write(out.join("results.csv"), &csv(results).map_err(broken)?)?;
        write(out.join("results.html"), &page("Test", results).map_err(broken)?)?;
    }
    Ok(files)
}

impl TestArgs {
    /// Whether a run is among those of `--only`.
    fn is_wanted(&self, planned: &Planned<'_>) -> bool {
        self.only.as_ref().is_none_or(|only| is_called(&planned.case, only))
    }

    /// The words of the command that makes a run alone again.
    fn again(&self, result: &CaseResult) -> Vec<String> {
        let whole = scenario::Case { repetition: None, ..result.case.clone() };
        let mut words =
            vec!["test".to_owned(), result.case.file.display().to_string(), format!("--only={}", whole.name())];
        words.extend(self.seed.map(|seed| format!("--seed={seed}")));
        words.extend(self.set.iter().map(|(name, value)| format!("--set={name}={value}")));
        words
    }
}

/// Whether a name is one of those that the pattern stands for.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => (0..=name.len()).any(|skipped| matches(rest, &name[skipped..])),
        ([b'?', pattern @ ..], [_, name @ ..]) => matches(pattern, name),
        ([a, pattern @ ..], [b, name @ ..]) => a == b && matches(pattern, name),
        _ => false,
    }
}

/// The lines of a run.
pub(super) fn text(result: &CaseResult) -> String {
    let word = match result.verdict {
        Verdict::Passed => "PASS ",
        Verdict::Failed => "FAIL ",
        Verdict::Broken(_) => "ERROR",
    };
    let mut text =
        format!("{word}  {}  {:.2} s simulated in {:.2} s\n", result.case.name(), result.simulated, result.wall);
    for reason in result.reasons() {
        // Writing to memory does not fail.
        let _ = writeln!(text, "       {}", reason.replace('\n', "\n       "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_patterns() {
        let is = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        assert!(is("door*", "doorway[seed=3]") && is("doorway[seed=?]", "doorway[seed=3]") && is("*", ""));
        assert!(!is("door", "doorway") && !is("?", "") && is("d*y*", "doorway"));
    }
}
