//! The cases of scenarios: each combination of what they vary, each seed, and each repetition; and their runs, side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use skidpad_files::output_file::free_name;
use skidpad_metrics::experiment::{Axes, ExperimentConfig, ExperimentError, variants};
use skidpad_sim::world::LoadOptions;

use crate::description::Scenario;
use crate::result::{Case, CaseResult, Criterion, Verdict};
use crate::run::{RunOptions, run};

/// Most bytes of the name of a recording before its number and its ending; file systems take 255 in all.
const MAX_NAME_LENGTH: usize = 150;

/// A case that is to be run.
#[derive(Clone, Debug)]
pub struct Planned<'a> {
    /// Its scenario.
    pub scenario: &'a Scenario,
    /// The config with its values.
    pub config: ExperimentConfig,
    /// What it is.
    pub case: Case,
}

/// All cases of a scenario, each `repeat` times; `settings` have been set in it.
///
/// # Errors
/// What it varies has mistakes, or its world cannot be loaded.
pub fn cases<'a>(
    scenario: &'a Scenario,
    load: &LoadOptions,
    settings: &[(String, String)],
    repeat: Option<u32>,
) -> Result<Vec<Planned<'a>>, ExperimentError> {
    let axes = scenario.axes();
    let base = ExperimentConfig { vary: Axes::default(), ..scenario.experiment.clone() };
    let mut all = Vec::new();
    for variant in variants(&base, load, &axes, settings)? {
        let repetitions: Vec<Option<u32>> = repeat.map_or(vec![None], |count| (1..=count).map(Some).collect());
        all.extend(repetitions.into_iter().map(|repetition| Planned {
            scenario,
            config: variant.config.clone(),
            case: Case {
                scenario: scenario.experiment.name.clone(),
                file: scenario.file.clone(),
                varied: variant.varied.clone(),
                repetition,
            },
        }));
    }
    Ok(all)
}

/// Runs cases on all threads of the present pool, whose number does not change the results; tells of each in their order.
pub fn run_all(planned: &[Planned<'_>], options: &RunOptions, tell: impl Fn(&CaseResult) + Sync) -> Vec<CaseResult> {
    let reported: Mutex<(usize, BTreeMap<usize, CaseResult>)> = Mutex::default();
    let files = file_names(planned.iter().map(|planned| &planned.case), options.out.as_deref());
    let run_case = |(index, planned): (usize, &Planned<'_>)| {
        let result = run(planned.scenario, &planned.config, &planned.case, &files[index], options);
        let mut reported = reported.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, waiting) = &mut *reported;
        waiting.insert(index, result.clone());
        while let Some(result) = waiting.remove(next) {
            tell(&result);
            *next += 1;
        }
        result
    };
    let mut results: Vec<CaseResult> = planned.par_iter().enumerate().map(run_case).collect();
    compare_repetitions(&mut results);
    results
}

/// The names of the recordings of these cases in the folder `out`. Letters that shells or file systems take for something else are lines, long
/// names are cut, and one that another case or a file of the folder has already gets a number: recordings are not written over.
pub fn file_names<'a>(cases: impl Iterator<Item = &'a Case>, out: Option<&Path>) -> Vec<String> {
    let is_plain = |c: char| c.is_alphanumeric() || "=,.+-_".contains(c);
    let mut known = BTreeSet::new();
    let unique = |case: &'a Case| {
        let mut name: String = case.name().chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        while name.len() > MAX_NAME_LENGTH {
            name.pop();
        }
        let name = name.trim_end_matches('_');
        // A run beside processes that broke has logs alone.
        let is_there = |name: &str| {
            out.is_some_and(|out| {
                ["mcap", "simulation.log"].iter().any(|end| out.join(format!("{name}.{end}")).exists())
            })
        };
        format!("{}.mcap", free_name(name, |name| !is_there(name) && known.insert(name.to_owned())))
    };
    cases.map(unique).collect()
}

/// A repetition with other bits than the first of its case has failed.
pub fn compare_repetitions(results: &mut [CaseResult]) {
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    let is_compared = |result: &&mut CaseResult| {
        let is_whole = !matches!(result.verdict, Verdict::Broken(_)) && !result.bits.is_empty();
        is_whole && result.case.repetition.is_some()
    };
    for result in results.iter_mut().filter(is_compared) {
        let key = format!("{} {}", result.case.file.display(), result.case.name_of_all());
        let bits = first.entry(key).or_insert_with(|| result.bits.clone());
        if *bits == result.bits {
            continue;
        }
        result.criteria.push(Criterion {
            name: "repetition".to_owned(),
            vehicle: None,
            expected: "identical to the first repetition".to_owned(),
            actual: "differs".to_owned(),
            time: None,
            held: false,
        });
        if result.verdict == Verdict::Passed {
            result.verdict = Verdict::Failed;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_recordings_have_one_name() {
        let case = |file: &str, name: &str, repetition| Case {
            scenario: name.to_owned(),
            file: file.into(),
            varied: vec![("seed".to_owned(), "3".to_owned())],
            repetition,
        };
        let long = "l".repeat(400);
        let cases = [
            case("a/door.yaml", "door", Some(1)),
            case("b/door.yaml", "door", Some(1)),
            case("c.yaml", "a b", None),
            case("d.yaml", "a/b", None),
            case("e.yaml", &long, Some(1)),
            case("e.yaml", &long, Some(2)),
            case("f.yaml", &"\u{97f3}".repeat(400), None),
        ];
        let names = file_names(cases.iter(), None);
        assert_eq!(
            names[..4],
            ["door_seed=3__1.mcap", "door_seed=3__1_2.mcap", "a_b_seed=3.mcap", "a_b_seed=3_2.mcap"]
        );
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
        assert!(names.iter().all(|name| name.len() < 255), "{names:?}");
        let used = tempfile::tempdir().unwrap();
        std::fs::write(used.path().join("a_b_seed=3.mcap"), "").unwrap();
        assert_eq!(file_names(cases[2..4].iter(), Some(used.path())), ["a_b_seed=3_2.mcap", "a_b_seed=3_3.mcap"]);
    }
}
