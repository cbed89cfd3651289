//! The global search, over the whole ranges of the unknowns: CMA-ES (N. Hansen, "The CMA Evolution Strategy: A
//! Tutorial", 2016), from the crate `cmaes`.
//!
//! It leads to the neighbourhood of the best values, from where Levenberg and Marquardt's method finds them. The
//! generations are evaluated in parallel; the result depends on the seed only.

use cmaes::{CMAESOptions, DVector};
use skidpad_files::diagnostic::Diagnostic;
use std::sync::Mutex;

use super::IdentifyError;
use super::car::Car;
use super::data::Data;
use super::fit::{Observer, Progress, all_residuals, cost_of, from_inner, to_inner};

/// Initial standard deviation of the inner coordinates [rad], of which ±π/2 is the whole range.
const STEP: f64 = 0.5;

/// The best values found in about `budget` evaluations of all windows, and the count of these.
///
/// # Errors
/// The car cannot be loaded.
pub(super) fn global_search(
    car: &Car,
    data: &Data,
    budget: usize,
    seed: u64,
    observer: Observer<'_>,
) -> Result<(Vec<f64>, usize), IdentifyError> {
    let ranges: Vec<[f64; 2]> = car.unknowns.iter().map(|unknown| unknown.range).collect();
    let start: Vec<f64> = car.start().iter().zip(&ranges).map(|(value, range)| to_inner(*value, *range)).collect();
    let values = |inner: &DVector<f64>| -> Vec<f64> {
        inner.iter().zip(&ranges).map(|(inner, range)| from_inner(*inner, *range)).collect()
    };
    let failure = Mutex::new(None);
    let cost = |inner: &DVector<f64>| match all_residuals(car, data, &values(inner)) {
        Ok(residuals) => cost_of(&residuals),
        Err(error) => {
            failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(error);
            f64::INFINITY
        }
    };
    let options = CMAESOptions::new(start, STEP).seed(seed).max_function_evals(budget);
    let mut search = options.build(cost).map_err(|wrong| Diagnostic::new("search", format!("{wrong:?}")))?;
    while search.next_parallel().is_none() {
        if let Some(best) = search.overall_best_individual() {
            let (evaluations, cost) = (search.function_evals(), best.value);
            observer(Progress { evaluations, cost, values: &values(&best.point) });
        }
        if failure.lock().is_ok_and(|failure| failure.is_some()) {
            break;
        }
    }
    let best_values = search.overall_best_individual().map(|best| values(&best.point));
    let evaluations = search.function_evals();
    drop(search);
    match failure.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        Some(error) => Err(error),
        None => Ok((best_values.unwrap_or_else(|| car.start()), evaluations)),
    }
}
