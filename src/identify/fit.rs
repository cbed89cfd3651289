//! The local search: Levenberg and Marquardt's method on the residuals of all windows, with derivatives by finite
//! differences in parallel.
//!
//! Unknowns are searched as u with p = low + (high − low)·(1 + sin u)/2, so that they stay within their range (F.
//! James, "MINUIT Reference Manual", CERN, 1994, §1.2.1).

use std::cell::{Cell, RefCell};

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use nalgebra_of_levenberg_marquardt::{DMatrix, DVector, Dyn, Owned};
use rayon::prelude::*;

use super::IdentifyError;
use super::car::Car;
use super::config::Unknown;
use super::data::Data;

/// Step of the finite differences of the first search, relative to an unknown's range: wide enough that jumps of single
/// predictions, such as that of a gear that shifts one step of the simulation earlier, average out.
const COARSE: f64 = 5e-4;

/// Step of the finite differences of the second search, relative to the range: so short that few predictions jump
/// within it.
const FINE: f64 = 5e-5;

/// Relative change of the cost, or of the unknowns, by a step below which the search has converged: far less than noise
/// causes.
const TOLERANCE: f64 = 1e-8;

/// Relative decrease of the cost by [`STRETCH`] steps together below which the search ends, in the first and in the
/// second search: it then creeps along a kink of the cost, such as where a delay is a whole number of steps of the
/// simulation.
const STALL: [f64; 2] = [1e-4, 1e-5];
/// Count of steps over which the decrease is taken.
const STRETCH: usize = 6;

/// Limit of the library on its evaluations, per unknown: so high that the budget ends a search before.
const PATIENCE: usize = 10_000;

/// Ending of a search that gains nothing more.
const CONVERGED: &str = "the search has converged";

/// Ending of a search that ran out of budget.
const OUT_OF_BUDGET: &str = "the search has used its budget before it converged";

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Best values of the unknowns, in the order of the car.
    pub values: Vec<f64>,
    /// Half the sum of squares of the residuals [-], with priors.
    pub cost: f64,
    /// Count of evaluations of all windows.
    pub evaluations: usize,
    /// How the search ended, in a clause for the report.
    pub ending: String,
    /// Whether the search ran out of budget.
    pub is_out_of_budget: bool,
}

/// The state of a running search.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Count of evaluations of all windows so far.
    pub evaluations: usize,
    /// Half the sum of squares of the residuals at `values` [-], with priors.
    pub cost: f64,
    /// The evaluated values of the unknowns, in the order of the car.
    pub values: &'a [f64],
}

impl Progress<'_> {
    /// The same, with the evaluations that were made before this search.
    pub(super) fn after(self, evaluations: usize) -> Self {
        Progress { evaluations: evaluations + self.evaluations, ..self }
    }
}

/// Called after each evaluation.
pub type Observer<'a> = &'a dyn Fn(Progress<'_>);

/// Searches from the car's start values, for at most `budget` evaluations of all windows.
///
/// Predictions have a kink where a delay is a whole number of steps of the simulation, and a search that knew the slope
/// on one side only would stop there. So there are two searches: in the first, differences by delays span whole steps
/// of the simulation and those by other unknowns are coarse; the second starts from its result with fine differences,
/// also by delays.
///
/// # Errors
/// The car cannot be loaded.
pub fn fit(car: &Car, data: &Data, budget: usize, observer: Observer<'_>) -> Result<Fit, IdentifyError> {
    let found = descend(car, data, true, budget, observer)?;
    if found.evaluations >= budget {
        return Ok(found);
    }
    let refined = fit_finely(&car.holding(&[], &found.values), data, budget - found.evaluations, &|progress| {
        observer(progress.after(found.evaluations));
    })?;
    Ok(Fit { evaluations: found.evaluations + refined.evaluations, ..refined })
}

/// The second search of [`fit`] alone, for starts near the best values.
///
/// # Errors
/// The car cannot be loaded.
pub(super) fn fit_finely(car: &Car, data: &Data, budget: usize, observer: Observer<'_>) -> Result<Fit, IdentifyError> {
    descend(car, data, false, budget, observer)
}

/// A local search, with coarse or fine differences.
fn descend(
    car: &Car,
    data: &Data,
    is_coarse: bool,
    budget: usize,
    observer: Observer<'_>,
) -> Result<Fit, IdentifyError> {
    if budget == 0 {
        let ending = OUT_OF_BUDGET.into();
        return Ok(Fit { values: car.start(), cost: f64::NAN, evaluations: 0, ending, is_out_of_budget: true });
    }
    let ranges: Vec<[f64; 2]> = car.unknowns.iter().map(|unknown| unknown.range).collect();
    let inner: Vec<f64> = car.start().iter().zip(&ranges).map(|(value, range)| to_inner(*value, *range)).collect();
    let problem = Problem {
        car,
        data,
        is_coarse,
        ranges,
        inner: DVector::from_vec(inner),
        budget,
        is_out_of_budget: Cell::new(false),
        has_stalled: Cell::new(false),
        evaluations: Cell::new(0),
        observer,
        failure: RefCell::new(None),
        last: RefCell::new(None),
        best: RefCell::new(None),
        costs: RefCell::new(Vec::new()),
    };
    let (found, report) =
        LevenbergMarquardt::new().with_ftol(TOLERANCE).with_xtol(TOLERANCE).with_patience(PATIENCE).minimize(problem);
    if let Some(failure) = found.failure.borrow_mut().take() {
        return Err(failure);
    }
    // A search that ended early may have ended at a trial that was worse than the best point.
    let (cost, values) = match found.best.into_inner() {
        Some(best) if !report.termination.was_successful() => best,
        _ => (report.objective_function, from_all(&found.inner, &found.ranges)),
    };
    let is_out_of_budget = found.is_out_of_budget.get();
    let ending = match (is_out_of_budget, found.has_stalled.get()) {
        (true, _) => OUT_OF_BUDGET.into(),
        (_, true) => CONVERGED.into(),
        _ => ending(&report.termination),
    };
    Ok(Fit { values, cost, evaluations: found.evaluations.get(), ending, is_out_of_budget })
}

/// How a search ended, in a clause for the report.
fn ending(reason: &TerminationReason) -> String {
    match reason {
        reason if reason.was_successful() => CONVERGED.into(),
        other => format!("the search has stopped: {other:?}"),
    }
}

/// The inner coordinate [rad] of a value within its range.
pub(super) fn to_inner(value: f64, [low, high]: [f64; 2]) -> f64 {
    // At a bound the derivative by the inner coordinate is zero, and the search could not leave it.
    let share = ((value - low) / (high - low)).clamp(0.01, 0.99);
    (2.0 * share - 1.0).asin()
}

/// The value within its range at an inner coordinate [rad].
pub(super) fn from_inner(inner: f64, [low, high]: [f64; 2]) -> f64 {
    low + (high - low) * 0.5 * (1.0 + inner.sin())
}

/// The values of all unknowns at these inner coordinates.
fn from_all(inner: &DVector<f64>, ranges: &[[f64; 2]]) -> Vec<f64> {
    inner.iter().zip(ranges).map(|(inner, range)| from_inner(*inner, *range)).collect()
}

/// The residuals of all windows, window after window, then those of the priors; in standard deviations.
pub(super) fn all_residuals(car: &Car, data: &Data, values: &[f64]) -> Result<Vec<f64>, IdentifyError> {
    let mut residuals: Vec<f64> = data.residuals(car, values)?.into_iter().flatten().collect();
    residuals.extend(prior_residuals(car, values));
    Ok(residuals)
}

/// Residuals of the priors, in their standard deviations.
pub(super) fn prior_residuals<'a>(car: &'a Car, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    let of_prior = |(unknown, value): (&Unknown, &f64)| unknown.prior.map(|[mean, sigma]| (value - mean) / sigma);
    car.unknowns.iter().zip(values).filter_map(of_prior)
}

/// The least-squares problem of a local search, for the library.
struct Problem<'a> {
    car: &'a Car,
    data: &'a Data,
    /// Whether differences are coarse, and those by delays span whole steps of the simulation.
    is_coarse: bool,
    ranges: Vec<[f64; 2]>,
    /// The inner coordinates [rad] at which the library asks for residuals.
    inner: DVector<f64>,
    /// Most evaluations of all windows.
    budget: usize,
    is_out_of_budget: Cell<bool>,
    has_stalled: Cell<bool>,
    evaluations: Cell<usize>,
    observer: Observer<'a>,
    failure: RefCell<Option<IdentifyError>>,
    /// The last inner coordinates and their residuals.
    last: RefCell<Option<(DVector<f64>, DVector<f64>)>>,
    /// The least cost so far, and the values of the unknowns there.
    best: RefCell<Option<(f64, Vec<f64>)>>,
    /// The cost at each Jacobian.
    costs: RefCell<Vec<f64>>,
}

impl Problem<'_> {
    /// The value, or none after noting the error, which ends the search.
    fn keep<T>(&self, found: Result<T, IdentifyError>) -> Option<T> {
        found.map_err(|error| *self.failure.borrow_mut() = Some(error)).ok()
    }
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Problem<'_> {
    type ParameterStorage = Owned<f64, Dyn>;
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;

    fn set_params(&mut self, inner: &DVector<f64>) {
        self.inner.copy_from(inner);
    }

    fn params(&self) -> DVector<f64> {
        self.inner.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        if let Some((inner, residuals)) = &*self.last.borrow()
            && *inner == self.inner
        {
            return Some(residuals.clone());
        }
        if self.evaluations.get() >= self.budget {
            self.is_out_of_budget.set(true);
            return None;
        }
        let values = from_all(&self.inner, &self.ranges);
        let found = DVector::from_vec(self.keep(all_residuals(self.car, self.data, &values))?);
        self.evaluations.set(self.evaluations.get() + 1);
        let (evaluations, cost) = (self.evaluations.get(), 0.5 * found.norm_squared());
        (self.observer)(Progress { evaluations, cost, values: &values });
        let mut best = self.best.borrow_mut();
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            *best = Some((cost, values));
        }
        *self.last.borrow_mut() = Some((self.inner.clone(), found.clone()));
        Some(found)
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let residuals = self.residuals()?;
        let mut costs = self.costs.borrow_mut();
        let cost = 0.5 * residuals.norm_squared();
        let least = if self.is_coarse { STALL[0] } else { STALL[1] };
        if costs.iter().rev().nth(STRETCH - 1).is_some_and(|before| before - cost < least * cost) {
            self.has_stalled.set(true);
            return None;
        }
        costs.push(cost);
        let (car, data, ranges, is_coarse) = (self.car, self.data, &self.ranges, self.is_coarse);
        let inner: Vec<f64> = self.inner.iter().copied().collect();
        let here = from_all(&self.inner, ranges);
        let column = |k: usize| -> Result<Vec<f64>, IdentifyError> {
            let [low, high] = ranges[k];
            let slope = 0.5 * (high - low) * inner[k].cos();
            let at = |value: f64| {
                let mut there = here.clone();
                there[k] = value;
                all_residuals(car, data, &there)
            };
            let is_wide = is_coarse && car.unknowns[k].is_delay();
            let part = if is_coarse { COARSE } else { FINE };
            let step = if is_wide { car.difference(k, part).1 } else { part * (high - low) };
            // One-sided, and backwards at the upper bound; across a kink of a delay both sides are needed.
            let from = if is_wide { (here[k] - step).max(low) } else { here[k] };
            let to = if here[k] + step > high { here[k] - step } else { here[k] + step };
            let before = if is_wide { &at(from)? } else { residuals.as_slice() };
            Ok(at(to)?.iter().zip(before).map(|(after, before)| (after - before) / (to - from) * slope).collect())
        };
        let columns: Result<Vec<Vec<f64>>, IdentifyError> = (0..inner.len()).into_par_iter().map(column).collect();
        self.evaluations.set(self.evaluations.get() + inner.len());
        let columns: Vec<DVector<f64>> = self.keep(columns)?.into_iter().map(DVector::from_vec).collect();
        Some(DMatrix::from_columns(&columns))
    }
}
