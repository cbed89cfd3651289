//! Finds the unknowns: Levenberg and Marquardt's method on the residuals of all windows, with derivatives by differences in parallel.
//!
//! Unknowns are searched as u with p = low + (high − low)·(1 + sin u)/2, so that they stay within their range (F. James, "MINUIT Reference Manual", CERN, 1994, §1.2.1).

use std::cell::{Cell, RefCell};

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use nalgebra_of_levenberg_marquardt::{DMatrix, DVector, Dyn, Owned};
use rayon::prelude::*;

use super::IdentifyError;
use super::car::Car;
use super::data::Data;

/// Differences are taken over this part of an unknown's range.
const DIFFERENCE: f64 = 5e-4;

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
/// # Errors
/// The car cannot be loaded.
pub fn fit(car: &Car, data: &Data, budget: usize, progress: Progress<'_>) -> Result<Fit, IdentifyError> {
    let ranges: Vec<[f64; 2]> = car.unknowns.iter().map(|unknown| unknown.range).collect();
    let inner: Vec<f64> = car.start().iter().zip(&ranges).map(|(value, range)| to_inner(*value, *range)).collect();
    let problem = Problem {
        car,
        data,
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
        LevenbergMarquardt::new().with_ftol(1e-6).with_xtol(1e-6).with_patience(patience).minimize(problem);
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
        let (car, data, ranges) = (self.car, self.data, &self.ranges);
        let inner: Vec<f64> = self.inner.iter().copied().collect();
        let here: Vec<f64> = inner.iter().zip(ranges).map(|(inner, range)| from_inner(*inner, *range)).collect();
        let column = |k: usize| -> Result<Vec<f64>, IdentifyError> {
            let [low, high] = ranges[k];
            let step = DIFFERENCE * (high - low);
            // Away from the nearer bound.
            let step = if here[k] + step > high { -step } else { step };
            let mut there = here.clone();
            there[k] += step;
            let slope = 0.5 * (high - low) * inner[k].cos();
            let moved = all_residuals(car, data, &there)?;
            Ok(moved.iter().zip(residuals.iter()).map(|(after, before)| (after - before) / step * slope).collect())
        };
        let columns: Result<Vec<Vec<f64>>, IdentifyError> = (0..inner.len()).into_par_iter().map(column).collect();
        self.evaluations.set(self.evaluations.get() + inner.len());
        let columns: Vec<DVector<f64>> = self.keep(columns)?.into_iter().map(DVector::from_vec).collect();
        Some(DMatrix::from_columns(&columns))
    }
}
