//! Where windows start: their measured states are uncertain, too.
//!
//! A search that took them for exact would explain their noise by the car: a noisy yaw rate at the start, for instance, by a yaw inertia so small that it dies away at once. So each start has a
//! correction, weighted by its noise, and the best corrections go with each set of unknowns. They follow from the residuals by linear least squares around the last corrections, and the
//! search ends when both agree (variable projection: G. H. Golub and V. Pereyra, SIAM Journal on Numerical Analysis 10, 1973; multiple shooting: H. G. Bock, 1981).
//!
//! Predictions may jump where a start moves: a gear shifts a step of the simulation earlier. No linear step gets over that, and the unknowns would be bent instead, to have the right step. So where
//! the best start is not as good as the slopes say, starts around it are tried, and the best of them stays.

use nalgebra::{SMatrix, SVector};

use super::IdentifyError;
use super::car::Car;
use super::columns::Role;
use super::data::Data;

/// The quantities of a state, in the order of [`Correction`].
pub(super) const STATE: [Role; 6] = [Role::X, Role::Y, Role::Yaw, Role::Vx, Role::Vy, Role::YawRate];

/// What is added to the measured state of the body, in the units of [`STATE`].
pub(super) type Correction = [f64; 6];

/// Differences are taken over this part of a standard deviation: short, for the less often do they meet a jump.
const DIFFERENCE: f64 = 0.02;

/// Starts are tried around the best one where twice the cost is higher by this than the slopes say.
const JUMP: f64 = 1.0;

/// Standard deviations of the best start at which others are tried: near ones for a jump just missed, and such as it has once in a hundred windows.
const TRIALS: [f64; 4] = [-2.5, -1.0, 1.0, 2.5];

/// The starts of all windows.
#[derive(Clone, Debug, Default)]
pub(super) struct Starts {
    /// Standard deviations of a measured state; 0: exact.
    noise: Correction,
    windows: Vec<Start>,
}

/// The start of a window.
#[derive(Clone, Debug)]
struct Start {
    /// The correction that the simulation starts with, in standard deviations.
    correction: SVector<f64, 6>,
    /// Change of each residual per standard deviation of the start.
    slopes: Vec<SVector<f64, 6>>,
    /// Weight of each residual: below 1 where it counts linearly.
    weights: Vec<f64>,
}

impl Starts {
    /// Exact starts, until [`Starts::around`] corrects them.
    pub(super) fn measured(noise: impl Fn(Role) -> f64) -> Starts {
        Starts { noise: STATE.map(noise), windows: Vec::new() }
    }

    /// Whether no start is uncertain.
    pub(super) fn are_exact(&self) -> bool {
        self.noise.iter().all(|sigma| *sigma == 0.0)
    }

    /// What the simulation adds to the measured state of each window; empty: nothing.
    pub(super) fn corrections(&self) -> Vec<Correction> {
        self.windows.iter().map(|start| self.scaled(&start.correction)).collect()
    }

    /// Of standard deviations.
    fn scaled(&self, correction: &SVector<f64, 6>) -> Correction {
        std::array::from_fn(|k| self.noise[k] * correction[k])
    }

    /// The starts that go best with a car with these values, their effect, and how often all windows were evaluated for them.
    ///
    /// # Errors
    /// The car cannot be loaded with them.
    pub(super) fn around(&self, data: &Data, car: &Car, values: &[f64]) -> Result<(Starts, usize), IdentifyError> {
        let corrections = match self.windows.is_empty() {
            true => vec![SVector::zeros(); data.count()],
            false => self.windows.iter().map(|start| start.correction).collect(),
        };
        let mut trials = Trials { starts: self, data, car, values, best: Vec::new(), evaluations: 0 };
        let here = trials.residuals(&corrections)?;
        trials.best = trials.costs(&here, &corrections).into_iter().zip(corrections.iter().copied()).collect();
        let before: Vec<f64> = trials.best.iter().map(|(cost, _)| *cost).collect();
        let mut windows = trials.linearised(corrections, &here)?;
        let changes: Vec<_> = windows.iter().zip(&here).map(|(start, there)| start.best_change(there)).collect();
        let ends: Vec<_> = windows.iter().zip(&changes).map(|(start, change)| start.correction + change).collect();
        let rises = trials.try_all(&ends)?.into_iter().zip(&before).map(|(found, before)| found - before);
        let expected = windows.iter().zip(&here).zip(&changes).map(|((start, there), by)| start.rise(there, by));
        if rises.zip(expected).any(|(rise, expected)| rise > expected + JUMP) {
            let spreads: Vec<_> = windows.iter().map(Start::spread).collect();
            for k in self.uncertain() {
                for deviations in TRIALS {
                    let around = ends.iter().zip(&spreads).map(|(end, spread)| end + deviations * spread.column(k));
                    trials.try_all(&around.collect::<Vec<_>>())?;
                }
            }
        }
        for (start, (_, correction)) in windows.iter_mut().zip(trials.best) {
            start.correction = correction;
        }
        Ok((Starts { noise: self.noise, windows }, trials.evaluations))
    }

    /// Indices of the quantities that are uncertain.
    fn uncertain(&self) -> impl Iterator<Item = usize> + '_ {
        (0..STATE.len()).filter(|&k| self.noise[k] > 0.0)
    }

    /// The residuals of a window with its best start, followed by the correction in standard deviations, given those from [`Starts::corrections`].
    pub(super) fn with_best(&self, window: usize, residuals: Vec<f64>) -> Vec<f64> {
        let Some(start) = self.windows.get(window) else { return residuals };
        let change = start.best_change(&residuals);
        let residuals = residuals.iter().zip(&start.slopes).map(|(residual, slopes)| residual + slopes.dot(&change));
        residuals.chain((start.correction + change).iter().copied()).collect()
    }
}

/// Corrections that are tried with one car.
struct Trials<'a> {
    starts: &'a Starts,
    data: &'a Data,
    car: &'a Car,
    values: &'a [f64],
    /// Of each window the correction with the least cost so far, twice the cost first.
    best: Vec<(f64, SVector<f64, 6>)>,
    /// Evaluations of all windows.
    evaluations: usize,
}

impl Trials<'_> {
    /// Residuals of each window from starts with these corrections.
    fn residuals(&mut self, corrections: &[SVector<f64, 6>]) -> Result<Vec<Vec<f64>>, IdentifyError> {
        self.evaluations += 1;
        let corrections: Vec<Correction> = corrections.iter().map(|c| self.starts.scaled(c)).collect();
        self.data.raw_residuals(self.car, self.values, &corrections)
    }

    /// Twice the cost of each window.
    fn costs(&self, residuals: &[Vec<f64>], corrections: &[SVector<f64, 6>]) -> Vec<f64> {
        let of_window = |(residuals, correction): (&Vec<f64>, &SVector<f64, 6>)| {
            residuals.iter().map(|residual| self.data.robust(*residual).powi(2)).sum::<f64>()
                + correction.norm_squared()
        };
        residuals.iter().zip(corrections).map(of_window).collect()
    }

    /// Twice the costs with these corrections, of which the better ones stay.
    fn try_all(&mut self, corrections: &[SVector<f64, 6>]) -> Result<Vec<f64>, IdentifyError> {
        let residuals = self.residuals(corrections)?;
        let costs = self.costs(&residuals, corrections);
        for ((best, found), correction) in self.best.iter_mut().zip(&costs).zip(corrections) {
            if *found < best.0 {
                *best = (*found, *correction);
            }
        }
        Ok(costs)
    }

    /// Starts with these corrections and the slopes there.
    fn linearised(
        &mut self,
        corrections: Vec<SVector<f64, 6>>,
        here: &[Vec<f64>],
    ) -> Result<Vec<Start>, IdentifyError> {
        let mut slopes: Vec<Vec<SVector<f64, 6>>> = here.iter().map(|r| vec![SVector::zeros(); r.len()]).collect();
        let starts = self.starts;
        for k in starts.uncertain() {
            let mut moved = corrections.clone();
            moved.iter_mut().for_each(|correction| correction[k] += DIFFERENCE);
            for ((slopes, after), before) in slopes.iter_mut().zip(self.residuals(&moved)?).zip(here) {
                for ((slopes, after), before) in slopes.iter_mut().zip(after).zip(before) {
                    let slope = (after - before) / DIFFERENCE;
                    slopes[k] = if slope.is_finite() { slope } else { 0.0 };
                }
            }
        }
        let windows = corrections.into_iter().zip(slopes).zip(here);
        let with_weights = windows.map(|((correction, slopes), residuals)| {
            let weights = residuals.iter().map(|residual| self.data.weight(*residual)).collect();
            Start { correction, slopes, weights }
        });
        Ok(with_weights.collect())
    }
}

impl Start {
    /// The change of the correction that makes the weighted residuals and the correction smallest.
    fn best_change(&self, residuals: &[f64]) -> SVector<f64, 6> {
        let mut right = -self.correction;
        for ((residual, slopes), weight) in residuals.iter().zip(&self.slopes).zip(&self.weights) {
            if residual.is_finite() {
                right -= *weight * *residual * slopes;
            }
        }
        self.curvature().cholesky().map_or_else(SVector::zeros, |matrix| matrix.solve(&right))
    }

    /// Second derivatives of the cost by the correction; what failed to be predicted has no slopes.
    fn curvature(&self) -> SMatrix<f64, 6, 6> {
        let seen = self.slopes.iter().zip(&self.weights);
        seen.fold(SMatrix::identity(), |sum, (slopes, weight)| sum + *weight * slopes * slopes.transpose())
    }

    /// Its columns lead one standard deviation away from the best correction, in directions that are independent of each other.
    fn spread(&self) -> SMatrix<f64, 6, 6> {
        let covariance = self.curvature().try_inverse();
        covariance.and_then(|matrix| matrix.cholesky()).map_or_else(SMatrix::zeros, |matrix| matrix.l())
    }

    /// How much twice the cost rises with a change of the correction, by the slopes.
    fn rise(&self, residuals: &[f64], change: &SVector<f64, 6>) -> f64 {
        let seen =
            residuals.iter().zip(&self.slopes).zip(&self.weights).filter(|((residual, _), _)| residual.is_finite());
        let of_residuals = seen.map(|((residual, slopes), weight)| {
            let moved = slopes.dot(change);
            weight * moved * (2.0 * residual + moved)
        });
        of_residuals.sum::<f64>() + change.dot(&(2.0 * self.correction + change))
    }
}
