//! Finds the unknowns: Levenberg and Marquardt's method on the residuals of all windows, with derivatives by differences in parallel.
//!
//! Unknowns are searched as u with p = low + (high − low)·(1 + sin u)/2, so that they stay within their range (F. James, "MINUIT Reference Manual", CERN, 1994, §1.2.1).

use std::cell::{Cell, RefCell};

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use nalgebra_of_levenberg_marquardt::{DMatrix, DVector, Dyn, Owned};
use rayon::prelude::*;

use super::IdentifyError;
use super::car::Car;
use super::config::Unknown;
use super::data::Data;

/// Differences are first taken over this part of an unknown's range: far enough to look past the jumps of single predictions, such as those of gears that shift a step of the simulation earlier.
const COARSE: f64 = 5e-4;

/// At last they are taken over this part, within which few predictions jump.
const FINE: f64 = 5e-5;

/// The search ends when a step changes the cost, or the unknowns, by less than this part: far less than noise does.
const TOLERANCE: f64 = 1e-8;

/// It also ends when [`STRETCH`] steps together gain less than this part of the cost: it crawls along a bend then, such as that of a delay of whole steps of the simulation. First with
/// coarse differences, after which those with fine ones follow, then with these.
const STALL: [f64; 2] = [1e-4, 1e-5];
/// Steps of a stretch.
const STRETCH: usize = 6;

/// The library counts iterations, times the unknowns and one; the budget ends a search before.
const PATIENCE: usize = 10_000;

/// How a search ends that gains nothing more.
const CONVERGED: &str = "the search has converged";

/// How a search ends that may not go on.
const OUT_OF_BUDGET: &str = "the search has used its budget before it converged";

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The unknowns.
    pub values: Vec<f64>,
    /// Half the sum of squares of the residuals, with priors.
    pub cost: f64,
    /// Evaluations of all windows.
    pub evaluations: usize,
    /// How the search ended.
    pub ending: String,
    /// Whether the budget ended it.
    pub is_out_of_budget: bool,
}

/// Where a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Evaluations of all windows so far.
    pub evaluations: usize,
    /// Half the sum of squares of the residuals at `values`, with priors.
    pub cost: f64,
    /// The unknowns of the car.
    pub values: &'a [f64],
}

impl Progress<'_> {
    /// The same after so many evaluations before this search.
    pub(super) fn after(self, evaluations: usize) -> Self {
        Progress { evaluations: evaluations + self.evaluations, ..self }
    }
}

/// Is told of each evaluation.
pub type Observer<'a> = &'a dyn Fn(Progress<'_>);

/// Starts from the car's start values and searches for at most `budget` evaluations.
///
/// Predictions bend where a delay is a whole number of steps of the simulation, and a search that saw only the slope to one side would stop there. So differences by delays span such steps first,
/// and those by others are coarse; a second search from where that has led takes fine ones, of delays within a step.
///
/// # Errors
/// The car cannot be loaded.
pub fn fit(car: &Car, data: &Data, budget: usize, observer: Observer<'_>) -> Result<Fit, IdentifyError> {
    let found = descend(car, data, true, budget, observer)?;
    if found.evaluations >= budget {
        return Ok(found);
    }
    let again = fit_finely(&car.holding(&[], &found.values), data, budget - found.evaluations, &|progress| {
        observer(progress.after(found.evaluations));
    })?;
    Ok(Fit { evaluations: found.evaluations + again.evaluations, ..again })
}

/// Like [`fit`], from near the best values.
///
/// # Errors
/// The car cannot be loaded.
pub(super) fn fit_finely(car: &Car, data: &Data, budget: usize, observer: Observer<'_>) -> Result<Fit, IdentifyError> {
    descend(car, data, false, budget, observer)
}

/// A search downhill, with coarse or fine differences.
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
    // What ends early may have ended at a trial that was worse.
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

/// How a search ended, in words.
fn ending(reason: &TerminationReason) -> String {
    match reason {
        reason if reason.was_successful() => CONVERGED.into(),
        other => format!("the search has stopped: {other:?}"),
    }
}

pub(super) fn to_inner(value: f64, [low, high]: [f64; 2]) -> f64 {
    // At a bound the slope is zero, and the search could not leave it.
    let share = ((value - low) / (high - low)).clamp(0.01, 0.99);
    (2.0 * share - 1.0).asin()
}

pub(super) fn from_inner(inner: f64, [low, high]: [f64; 2]) -> f64 {
    low + (high - low) * 0.5 * (1.0 + inner.sin())
}

/// All unknowns from where they are searched.
fn from_all(inner: &DVector<f64>, ranges: &[[f64; 2]]) -> Vec<f64> {
    inner.iter().zip(ranges).map(|(inner, range)| from_inner(*inner, *range)).collect()
}

/// Residuals of all windows one after the other, then those of the priors.
pub(super) fn all_residuals(car: &Car, data: &Data, values: &[f64]) -> Result<Vec<f64>, IdentifyError> {
    let mut residuals: Vec<f64> = data.residuals(car, values)?.into_iter().flatten().collect();
    residuals.extend(prior_residuals(car, values));
    Ok(residuals)
}

/// Residuals of the priors.
pub(super) fn prior_residuals<'a>(car: &'a Car, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    let of_prior = |(unknown, value): (&Unknown, &f64)| unknown.prior.map(|[mean, sigma]| (value - mean) / sigma);
    car.unknowns.iter().zip(values).filter_map(of_prior)
}

struct Problem<'a> {
    car: &'a Car,
    data: &'a Data,
    /// Whether differences are coarse, those by delays over whole steps of the simulation.
    is_coarse: bool,
    ranges: Vec<[f64; 2]>,
    inner: DVector<f64>,
    /// Most evaluations.
    budget: usize,
    is_out_of_budget: Cell<bool>,
    has_stalled: Cell<bool>,
    evaluations: Cell<usize>,
    observer: Observer<'a>,
    failure: RefCell<Option<IdentifyError>>,
    /// The residuals where they were computed last.
    last: RefCell<Option<(DVector<f64>, DVector<f64>)>>,
    /// The least cost, and the unknowns there.
    best: RefCell<Option<(f64, Vec<f64>)>>,
    /// The cost where each Jacobian was taken.
    costs: RefCell<Vec<f64>>,
}

impl Problem<'_> {
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
            // To one side, away from the nearer bound, where that will do.
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
