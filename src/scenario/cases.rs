//! The cases of scenarios: each combination of what they vary, each seed, and each repetition; and their runs, side by side.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use skidpad_analysis::experiment::{Axes, ExperimentConfig, ExperimentError, variants};
use skidpad_sim::world::LoadOptions;

use crate::description::Scenario;
use crate::result::{Case, CaseResult, Criterion, Verdict};
use crate::run::{RunOptions, run};

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
    let told: Mutex<(usize, BTreeMap<usize, CaseResult>)> = Mutex::default();
    let one = |(index, planned): (usize, &Planned<'_>)| {
        let result = run(planned.scenario, &planned.config, &planned.case, options);
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, waiting) = &mut *told;
        waiting.insert(index, result.clone());
        while let Some(result) = waiting.remove(next) {
            tell(&result);
            *next += 1;
        }
        result
    };
    let mut results: Vec<CaseResult> = planned.par_iter().enumerate().map(one).collect();
    compare_repetitions(&mut results);
    results
}

/// A repetition with other bits than the first of its case has failed.
pub fn compare_repetitions(results: &mut [CaseResult]) {
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    for result in results.iter_mut().filter(|result| result.case.repetition.is_some()) {
        let key = format!("{} {}", result.case.file.display(), result.case.name_of_all());
        let bits = first.entry(key).or_insert_with(|| result.bits.clone());
        if *bits == result.bits {
            continue;
        }
        result.criteria.push(Criterion {
            name: "repetition".to_owned(),
            vehicle: None,
            expected: "the bits of the first repetition".to_owned(),
            actual: "other bits".to_owned(),
            time: None,
            held: false,
        });
        if result.verdict == Verdict::Passed {
            result.verdict = Verdict::Failed;
        }
    }
}
