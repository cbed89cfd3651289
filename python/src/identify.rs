//! Identification of a vehicle class, for sweeps over where its search starts.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::ThreadPoolBuilder;
use skidpad::assets::{CANCELLED, Cancel};
use skidpad::identify::{IdentifyConfig, IdentifyError, Unknown, identify as fit};

use crate::errors::{Class, refused};
use crate::interrupt;

#[doc = doc!(identify)]
#[pyfunction]
#[pyo3(signature = (config, folders, data, *, start, seed, budget=None))]
pub(crate) fn identify<'py>(
    python: Python<'py>,
    config: PathBuf,
    folders: Vec<PathBuf>,
    data: PathBuf,
    start: BTreeMap<String, f64>,
    seed: u64,
    budget: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let failed = |error: IdentifyError| Class::Skidpad.error(error);
    let mut config = IdentifyConfig::load(&config).map_err(failed)?;
    config.search.seed = seed;
    config.budget = budget.unwrap_or(config.budget);
    for (name, value) in start {
        let names: Vec<&str> = config.unknowns.iter().map(Unknown::name).collect();
        let Some(index) = names.iter().position(|known| *known == name) else {
            return Err(refused(format!("start \"{name}\": no unknown\n  accepted: {}", names.join(", "))));
        };
        let unknown = &mut config.unknowns[index];
        let [low, high] = unknown.range;
        if !(low..=high).contains(&value) {
            return Err(refused(format!("start \"{name}\": found {value}\n  accepted: {low} to {high}")));
        }
        unknown.start = Some(value);
    }
    // A run of a sweep has one core.
    let thread = ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| Class::Skidpad.error(error))?;
    let cancel = Cancel::default();
    let cancelled = cancel.clone();
    let identified = interrupt::abandonable(python, &cancel, move || {
        let observer = |_: &_| {
            if cancelled.is_cancelled() {
                // The way out of the search, whose result nobody waits for.
                resume_unwind(Box::new(CANCELLED));
            }
        };
        thread.install(|| fit(&config, &folders, &data, None, &observer))
    })?;
    let identified = identified.map_err(failed)?;
    let metrics = PyDict::new(python);
    for estimate in &identified.estimates {
        let name = estimate.unknown.name();
        metrics.set_item(format!("{name} value"), estimate.value)?;
        metrics.set_item(format!("{name} half_width"), estimate.certainty.half_width)?;
        metrics.set_item(format!("{name} is_determined"), estimate.certainty.is_determined)?;
    }
    for (scores, recordings) in identified.scores.iter().zip(["fitted", "not fitted"]) {
        for score in &scores.all {
            metrics.set_item(format!("{}, {recordings}", score.title()), score.shown())?;
        }
    }
    Ok(metrics)
}
