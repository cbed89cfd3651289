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

/// Differences are taken over this part of an unknown's range.
const DIFFERENCE: f64 = 5e-4;

/// The search ends when a step changes the cost, or the unknowns, by less than this part: far less than noise does.
const TOLERANCE: f64 = 1e-8;

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
}

/// Reports progress: evaluations so far, and the cost.
pub type Progress<'a> = &'a dyn Fn(usize, f64);

/// Starts from the car's start values and searches for at most `budget` evaluations.
///
/// Predictions bend where a delay is a whole number of steps of the simulation, and a search that saw only the slope to one side would stop there. So differences by delays span such steps first;
/// a second search from where that has led takes them within a step.
///
/// # Errors
/// The car cannot be loaded.
pub fn fit(car: &Car, data: &Data, budget: usize, progress: Progress<'_>) -> Result<Fit, IdentifyError> {
    let has_delay = car.unknowns.iter().any(Unknown::is_delay);
    let found = descend(car, data, has_delay, budget, progress)?;
    if !has_delay || found.evaluations >= budget {
        return Ok(found);
    }
    let again = descend(&car.holding(&[], &found.values), data, false, budget - found.evaluations, &|count, cost| {
        progress(found.evaluations + count, cost);
    })?;
    Ok(Fit { evaluations: found.evaluations + again.evaluations, ..again })
}

/// A search downhill.
fn descend(car: &Car, data: &Data, is_wide: bool, budget: usize, progress: Progress<'_>) -> Result<Fit, IdentifyError> {
    let ranges: Vec<[f64; 2]> = car.unknowns.iter().map(|unknown| unknown.range).collect();
    let inner: Vec<f64> = car.start().iter().zip(&ranges).map(|(value, range)| to_inner(*value, *range)).collect();
    let problem = Problem {
        car,
        data,
        is_wide,
        ranges,
        inner: DVector::from_vec(inner),
        evaluations: Cell::new(0),
        progress,
        failure: RefCell::new(None),
        last: RefCell::new(None),
    };
    let per_iteration = car.unknowns.len() + 1;
    // An iteration takes an evaluation and a derivative by each unknown; the library counts patience × (unknowns + 1) iterations.
    let patience = (budget / (per_iteration * per_iteration)).max(1);
    let (found, report) =
        LevenbergMarquardt::new().with_ftol(TOLERANCE).with_xtol(TOLERANCE).with_patience(patience).minimize(problem);
    if let Some(failure) = found.failure.borrow_mut().take() {
        return Err(failure);
    }
    Ok(Fit {
        values: found.values(&found.inner),
        cost: report.objective_function,
        evaluations: found.evaluations.get(),
        ending: ending(&report.termination),
    })
}

/// How a search ended, in words.
fn ending(reason: &TerminationReason) -> String {
    match reason {
        reason if reason.was_successful() => "the search has converged".into(),
        TerminationReason::LostPatience => "the search has used its budget before it converged".into(),
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

/// Residuals of all windows one after the other, then those of the priors.
pub(super) fn all_residuals(car: &Car, data: &Data, values: &[f64]) -> Result<Vec<f64>, IdentifyError> {
    let mut residuals: Vec<f64> = data.residuals(car, values)?.into_iter().flatten().collect();
    for (unknown, value) in car.unknowns.iter().zip(values) {
        if let Some([mean, sigma]) = unknown.prior {
            residuals.push((value - mean) / sigma);
        }
    }
    Ok(residuals)
}

struct Problem<'a> {
    car: &'a Car,
    data: &'a Data,
    /// Whether differences by delays are taken over whole steps of the simulation.
    is_wide: bool,
    ranges: Vec<[f64; 2]>,
    inner: DVector<f64>,
    evaluations: Cell<usize>,
    progress: Progress<'a>,
    failure: RefCell<Option<IdentifyError>>,
    /// The residuals where they were computed last.
    last: RefCell<Option<(DVector<f64>, DVector<f64>)>>,
}

impl Problem<'_> {
    fn values(&self, inner: &DVector<f64>) -> Vec<f64> {
        inner.iter().zip(&self.ranges).map(|(inner, range)| from_inner(*inner, *range)).collect()
    }

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
        let found = DVector::from_vec(self.keep(all_residuals(self.car, self.data, &self.values(&self.inner)))?);
        self.evaluations.set(self.evaluations.get() + 1);
        (self.progress)(self.evaluations.get(), 0.5 * found.norm_squared());
        *self.last.borrow_mut() = Some((self.inner.clone(), found.clone()));
        Some(found)
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let residuals = self.residuals()?;
        let (car, data, ranges, is_wide) = (self.car, self.data, &self.ranges, self.is_wide);
        let inner: Vec<f64> = self.inner.iter().copied().collect();
        let here: Vec<f64> = inner.iter().zip(ranges).map(|(inner, range)| from_inner(*inner, *range)).collect();
        let column = |k: usize| -> Result<Vec<f64>, IdentifyError> {
            let [low, high] = ranges[k];
            let slope = 0.5 * (high - low) * inner[k].cos();
            let at = |value: f64| {
                let mut there = here.clone();
                there[k] = value;
                all_residuals(car, data, &there)
            };
            let is_wide = is_wide && car.unknowns[k].is_delay();
            let step = if is_wide { car.difference(k, DIFFERENCE).1 } else { DIFFERENCE * (high - low) };
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
