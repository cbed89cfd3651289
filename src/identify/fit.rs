//! The local search: Levenberg and Marquardt's method on the residuals of all windows, with derivatives by finite
//! differences in parallel.
//!
//! Unknowns are searched as u with p = low + (high − low)·(1 + sin u)/2, so that they stay within their range (F.
//! James, "MINUIT Reference Manual", CERN, 1994, §1.2.1).

use std::cell::{Cell, RefCell};

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use nalgebra_of_levenberg_marquardt::{DMatrix, DVector, Dyn, Owned};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

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

/// Distance from a bound, relative to the range, within which an unknown that would have to leave the range is kept where
/// it is: its steps would turn back at the bound, and slow down those of all others.
const AT_BOUND: f64 = 1e-3;

/// Limit of the library on its evaluations, per unknown: so high that the budget ends a search before.
const PATIENCE: usize = 10_000;

/// Relative difference by which the cost of another point must be lower to replace that of the point at which a search
/// has converged.
pub(super) const LOWER: f64 = 1e-5;

/// Ending of a search that gains nothing more.
const CONVERGED: &str = "the search has converged";

/// Ending of a search that ran out of budget.
const OUT_OF_BUDGET: &str = "the search has used its budget before it converged";

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Values of the unknowns at the best point that was evaluated, in the order of the car.
    pub values: Vec<f64>,
    /// Half the sum of squares of the residuals [-], with priors; NaN if nothing was evaluated.
    pub cost: f64,
    /// Count of evaluations of all windows.
    pub evaluations: usize,
    /// How the search ended, in a clause for the report.
    pub ending: String,
    /// Whether the search ended because it gains nothing more, and not for another reason such as its budget.
    pub has_converged: bool,
}

impl Fit {
    /// The same result of a search that would have gone on with a larger budget.
    pub(super) fn out_of_budget(self) -> Fit {
        Fit { ending: OUT_OF_BUDGET.into(), has_converged: false, ..self }
    }
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

/// Of the points that searches have evaluated, the one that predicts best from the measured start states. Costs differ
/// between searches, by the start states and by what counts linearly, but predictions are what a class is for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BestSeen {
    /// Sum of the squares of the residuals of predictions [-].
    pub misfit: f64,
    /// Values of the unknowns, in the order of the car.
    pub values: Vec<f64>,
}

impl BestSeen {
    /// Notes an evaluated point, if it is better than that of `best`.
    fn note(best: &mut Option<BestSeen>, misfit: f64, values: &[f64]) {
        if best.as_ref().is_none_or(|best| misfit < best.misfit) {
            *best = Some(BestSeen { misfit, values: values.to_vec() });
        }
    }
}

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
    fit_noting(car, data, budget, observer, &mut None)
}

/// As [`fit`], and notes the point that predicts best.
///
/// # Errors
/// The car cannot be loaded.
pub(super) fn fit_noting(
    car: &Car,
    data: &Data,
    budget: usize,
    observer: Observer<'_>,
    best: &mut Option<BestSeen>,
) -> Result<Fit, IdentifyError> {
    let coarse = descend(car, data, true, budget, observer, best)?;
    if coarse.evaluations >= budget {
        return Ok(coarse.out_of_budget());
    }
    let car = car.holding(&[], &coarse.values);
    let observer: Observer<'_> = &|progress| observer(progress.after(coarse.evaluations));
    let refined = descend(&car, data, false, budget - coarse.evaluations, observer, best)?;
    let evaluations = coarse.evaluations + refined.evaluations;
    // Both searches minimise the same cost. One that began at a bound of a range may not have got back to it.
    let best = if coarse.cost < refined.cost { coarse } else { refined.clone() };
    Ok(Fit { values: best.values, cost: best.cost, evaluations, ..refined })
}

/// The second search of [`fit`] alone, for starts near the best values.
///
/// # Errors
/// The car cannot be loaded.
pub(super) fn fit_finely(car: &Car, data: &Data, budget: usize, observer: Observer<'_>) -> Result<Fit, IdentifyError> {
    descend(car, data, false, budget, observer, &mut None)
}

/// A local search, with coarse or fine differences.
fn descend(
    car: &Car,
    data: &Data,
    is_coarse: bool,
    budget: usize,
    observer: Observer<'_>,
    best_seen: &mut Option<BestSeen>,
) -> Result<Fit, IdentifyError> {
    let start = car.start();
    let ranges: Vec<[f64; 2]> = car.unknowns.iter().map(|unknown| unknown.range).collect();
    let inner: Vec<f64> = start.iter().zip(&ranges).map(|(value, range)| to_inner(*value, *range)).collect();
    if budget == 0 {
        let (cost, values) = (f64::NAN, start);
        return Ok(Fit { values, cost, evaluations: 0, ending: String::new(), has_converged: false }.out_of_budget());
    }
    let is_beside = start.iter().zip(&inner).zip(&ranges).any(|((value, inner), range)| is_off(*value, *inner, *range));
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
        best: RefCell::new((f64::NAN, start.clone())),
        best_seen: RefCell::new(best_seen.take()),
        costs: RefCell::new(Vec::new()),
    };
    // The search begins beside a bound; the start itself may be better.
    if is_beside {
        problem.evaluate(&start)?;
    }
    let (solved, report) =
        LevenbergMarquardt::new().with_ftol(TOLERANCE).with_xtol(TOLERANCE).with_patience(PATIENCE).minimize(problem);
    if let Some(failure) = solved.failure.borrow_mut().take() {
        return Err(failure);
    }
    *best_seen = solved.best_seen.take();
    let is_out_of_budget = solved.is_out_of_budget.get();
    let is_over = is_final(&report.termination) || solved.has_stalled.get();
    let has_converged = is_over && !is_out_of_budget;
    let ending = match (is_out_of_budget, has_converged) {
        (true, _) => OUT_OF_BUDGET.into(),
        (_, true) => CONVERGED.into(),
        _ => format!("the search has stopped: {:?}", report.termination),
    };
    let (last, values) = (report.objective_function, from_all(&solved.inner, &solved.ranges));
    // Points beside the last one, at which only differences were taken, are worth a step if they are much better. A
    // search that ended early may have ended at a trial that was worse than the best point.
    let (cost, values) = match solved.best.into_inner() {
        best if best.0 < if is_final(&report.termination) { (1.0 - LOWER) * last } else { f64::INFINITY } => best,
        _ => (last, values),
    };
    Ok(Fit { values, cost, evaluations: solved.evaluations.get(), ending, has_converged })
}

/// Whether a search ended because it gains nothing more.
fn is_final(reason: &TerminationReason) -> bool {
    reason.was_successful() || matches!(reason, TerminationReason::NoImprovementPossible(_))
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

/// Whether the inner coordinate stands for another value than this one, which is at a bound of the range.
fn is_off(value: f64, inner: f64, range: [f64; 2]) -> bool {
    (from_inner(inner, range) - value).abs() > 1e-9 * (range[1] - range[0])
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

/// Half the sum of squares of the residuals [-].
pub(super) fn cost_of(residuals: &[f64]) -> f64 {
    0.5 * residuals.iter().map(|residual| residual * residual).sum::<f64>()
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
    /// The least cost so far, and the values of the unknowns there; NaN: nothing was evaluated.
    best: RefCell<(f64, Vec<f64>)>,
    /// The point that predicts best, of this search and those before.
    best_seen: RefCell<Option<BestSeen>>,
    /// The cost at each Jacobian.
    costs: RefCell<Vec<f64>>,
}

/// An evaluated point: its cost, its misfit and the values of the unknowns.
type Evaluated = (f64, f64, Vec<f64>);

/// The residuals of a car at these values of its unknowns, and the point.
fn evaluated(car: &Car, data: &Data, values: Vec<f64>) -> Result<(Vec<f64>, Evaluated), IdentifyError> {
    let residuals = all_residuals(car, data, &values)?;
    let of_windows = residuals.len() - prior_residuals(car, &values).count();
    let (cost, misfit) = (cost_of(&residuals), data.misfit(&residuals[..of_windows]));
    Ok((residuals, (cost, misfit, values)))
}

impl Problem<'_> {
    /// Keeps an evaluated point where it is the best one so far.
    fn note(&self, (cost, misfit, values): &Evaluated) {
        let mut best = self.best.borrow_mut();
        if *cost < best.0 || best.0.is_nan() {
            *best = (*cost, values.clone());
        }
        // Predictions from other start states are no measure for those from the measured ones.
        if self.data.starts.are_measured() {
            BestSeen::note(&mut self.best_seen.borrow_mut(), *misfit, values);
        }
    }

    /// Evaluates and counts a point; returns its residuals.
    fn evaluate(&self, values: &[f64]) -> Result<Vec<f64>, IdentifyError> {
        let (residuals, point) = evaluated(self.car, self.data, values.to_vec())?;
        self.evaluations.set(self.evaluations.get() + 1);
        (self.observer)(Progress { evaluations: self.evaluations.get(), cost: point.0, values });
        self.note(&point);
        Ok(residuals)
    }

    /// The value, or none after noting the error, which ends the search.
    fn keep<T>(&self, result: Result<T, IdentifyError>) -> Option<T> {
        result.map_err(|error| *self.failure.borrow_mut() = Some(error)).ok()
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
        let residuals = self.keep(self.evaluate(&from_all(&self.inner, &self.ranges)))?;
        let residuals = DVector::from_vec(residuals);
        *self.last.borrow_mut() = Some((self.inner.clone(), residuals.clone()));
        Some(residuals)
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
        let is_wide = |k: usize| is_coarse && car.unknowns[k].is_delay();
        let needed: usize = (0..inner.len()).map(|k| if is_wide(k) { 2 } else { 1 }).sum();
        if self.evaluations.get() + needed > self.budget {
            self.is_out_of_budget.set(true);
            return None;
        }
        let values = from_all(&self.inner, ranges);
        let column = |k: usize| -> Result<(Vec<f64>, Vec<Evaluated>), IdentifyError> {
            let [low, high] = ranges[k];
            let slope = 0.5 * (high - low) * inner[k].cos();
            let mut seen = Vec::new();
            let mut at = |value: f64| {
                let mut changed_values = values.clone();
                changed_values[k] = value;
                let (residuals, point) = evaluated(car, data, changed_values)?;
                seen.push(point);
                Ok::<_, IdentifyError>(residuals)
            };
            let part = if is_coarse { COARSE } else { FINE };
            let step = if is_wide(k) { car.difference(k, part).1 } else { part * (high - low) };
            // One-sided, and backwards at the upper bound; across a kink of a delay both sides are needed.
            let from = if is_wide(k) { (values[k] - step).max(low) } else { values[k] };
            let to = if values[k] + step > high { values[k] - step } else { values[k] + step };
            let before = if is_wide(k) { &at(from)? } else { residuals.as_slice() };
            let slopes = at(to)?.into_iter().zip(before).map(|(after, before)| (after - before) / (to - from) * slope);
            let slopes = slopes.collect();
            Ok((slopes, seen))
        };
        let columns: Result<Vec<_>, IdentifyError> = (0..inner.len()).into_par_iter().map(column).collect();
        self.evaluations.set(self.evaluations.get() + needed);
        let (columns, seen): (Vec<Vec<f64>>, Vec<Vec<Evaluated>>) = self.keep(columns)?.into_iter().unzip();
        seen.iter().flatten().for_each(|point| self.note(point));
        let columns = columns.into_iter().map(DVector::from_vec).enumerate().map(|(k, column)| {
            let [low, high] = ranges[k];
            let share = (values[k] - low) / (high - low);
            // The coordinate rises with the unknown where its cosine is positive.
            let slope = column.dot(&residuals) * inner[k].cos();
            let leaves = (share < AT_BOUND && slope > 0.0) || (share > 1.0 - AT_BOUND && slope < 0.0);
            if leaves { DVector::zeros(column.len()) } else { column }
        });
        Some(DMatrix::from_columns(&columns.collect::<Vec<_>>()))
    }
}
