//! The start states of windows, which are measured with noise.
//!
//! If the measured states counted as exact, the search would explain their noise by the car: a noisy yaw rate at the
//! start, for instance, by a yaw inertia so small that it dies out at once. So each start state has a correction, which
//! costs as much as its size in standard deviations of the noise, and for each set of unknowns the best corrections are
//! used. They follow from the residuals by linear least squares about the previous corrections; unknowns and
//! corrections are fitted in turn until the unknowns settle (variable projection: G. H. Golub and V. Pereyra, SIAM
//! Journal on Numerical Analysis 10, 1973; multiple shooting: H. G. Bock, 1981).
//!
//! Predictions can jump as a start state moves, when a gear shifts one step of the simulation earlier. A linear step
//! does not get past a jump, and the unknowns would be distorted to move it instead. So if the best start state is
//! worse than the slopes predict, others around it are tried, and the best of them is kept.

use nalgebra::{SMatrix, SVector};

use super::IdentifyError;
use super::car::Car;
use super::columns::Role;
use super::data::Data;

/// The quantities of a state, in the order of [`Correction`].
pub(super) const STATE: [Role; 6] = [Role::X, Role::Y, Role::Yaw, Role::Vx, Role::Vy, Role::YawRate];

/// Correction that is added to the measured state of the body, in the units of [`STATE`].
pub(super) type Correction = [f64; 6];

/// Step of finite differences, in standard deviations of the noise. Short, so that few differences straddle a jump.
const DIFFERENCE: f64 = 0.02;

/// Excess of twice the cost of the best start state, over the value that the slopes predict, above which others around
/// it are tried.
const JUMP: f64 = 1.0;

/// Distances of the trials from the best start state, in its standard deviations: near ones for a jump just missed, and
/// far ones such as occur once in a hundred windows.
const TRIALS: [f64; 4] = [-2.5, -1.0, 1.0, 2.5];

/// The start states of all windows.
#[derive(Clone, Debug, Default)]
pub(super) struct Starts {
    /// Standard deviations of the noise of a measured state, in the units of [`STATE`]; 0: exact.
    noise: Correction,
    windows: Vec<Start>,
}

/// The corrected start state of a window, and how its residuals depend on it.
#[derive(Clone, Debug)]
struct Start {
    /// Correction with which the simulation starts, in standard deviations of the noise.
    correction: SVector<f64, 6>,
    /// Change of each residual per standard deviation of the correction.
    slopes: Vec<SVector<f64, 6>>,
    /// Weight of the square of each residual [-]: below 1 for residuals that count linearly.
    weights: Vec<f64>,
}

impl Starts {
    /// The measured start states without corrections, until [`Starts::fitted_to`] adds them.
    pub(super) fn measured(noise: impl Fn(Role) -> f64) -> Starts {
        Starts { noise: STATE.map(noise), windows: Vec::new() }
    }

    /// Whether windows start at the measured states.
    pub(super) fn are_measured(&self) -> bool {
        self.windows.is_empty()
    }

    /// Whether all start states count as exact.
    pub(super) fn are_exact(&self) -> bool {
        self.noise.iter().all(|sigma| *sigma == 0.0)
    }

    /// Corrections of the start states of all windows; empty: none.
    pub(super) fn corrections(&self) -> Vec<Correction> {
        self.windows.iter().map(|start| self.scaled(&start.correction)).collect()
    }

    /// A correction in the units of [`STATE`] from one in standard deviations.
    fn scaled(&self, correction: &SVector<f64, 6>) -> Correction {
        std::array::from_fn(|k| self.noise[k] * correction[k])
    }

    /// The start states that fit best with a car with these values, and the count of evaluations of all windows.
    ///
    /// # Errors
    /// The car cannot be loaded with these values.
    pub(super) fn fitted_to(&self, data: &Data, car: &Car, values: &[f64]) -> Result<(Starts, usize), IdentifyError> {
        let corrections = match self.windows.is_empty() {
            true => vec![SVector::zeros(); data.count()],
            false => self.windows.iter().map(|start| start.correction).collect(),
        };
        let mut trials = Trials { starts: self, data, car, values, best: Vec::new(), evaluations: 0 };
        let residuals = trials.residuals(&corrections)?;
        trials.best = trials.costs(&residuals, &corrections).into_iter().zip(corrections.iter().copied()).collect();
        let before: Vec<f64> = trials.best.iter().map(|(cost, _)| *cost).collect();
        let mut windows = trials.linearised(corrections, &residuals)?;
        let changes: Vec<_> =
            windows.iter().zip(&residuals).map(|(start, of_window)| start.best_change(of_window)).collect();
        let ends: Vec<_> = windows.iter().zip(&changes).map(|(start, change)| start.correction + change).collect();
        let rises = trials.try_all(&ends)?.into_iter().zip(&before).map(|(after, before)| after - before);
        let expected = windows.iter().zip(&residuals).zip(&changes);
        let expected = expected.map(|((start, of_window), change)| start.rise(of_window, change));
        if rises.zip(expected).any(|(rise, expected)| rise > expected + JUMP) {
            let spreads: Vec<_> = windows.iter().map(Start::spread).collect();
            for k in self.uncertain() {
                for deviations in TRIALS {
                    let trial = ends.iter().zip(&spreads).map(|(end, spread)| end + deviations * spread.column(k));
                    trials.try_all(&trial.collect::<Vec<_>>())?;
                }
            }
        }
        for (start, (_, correction)) in windows.iter_mut().zip(trials.best) {
            start.correction = correction;
        }
        Ok((Starts { noise: self.noise, windows }, trials.evaluations))
    }

    /// Most evaluations of all windows by [`fitted_to`](Starts::fitted_to).
    pub(super) fn most_evaluations(&self) -> usize {
        2 + self.uncertain().count() * (1 + TRIALS.len())
    }

    /// Indices into [`STATE`] of the quantities that do not count as exact.
    fn uncertain(&self) -> impl Iterator<Item = usize> + '_ {
        (0..STATE.len()).filter(|&k| self.noise[k] > 0.0)
    }

    /// The residuals of a window with its best start state, by the slopes, followed by the correction in standard
    /// deviations. `residuals` are those with the current [corrections](Starts::corrections).
    pub(super) fn with_best(&self, window: usize, residuals: Vec<f64>) -> Vec<f64> {
        let Some(start) = self.windows.get(window) else { return residuals };
        let change = start.best_change(&residuals);
        let residuals = residuals.iter().zip(&start.slopes).map(|(residual, slopes)| residual + slopes.dot(&change));
        residuals.chain((start.correction + change).iter().copied()).collect()
    }
}

/// Trials of corrections with one car.
struct Trials<'a> {
    starts: &'a Starts,
    data: &'a Data,
    car: &'a Car,
    values: &'a [f64],
    /// Twice the least cost of each window so far, and the correction in standard deviations that gave it.
    best: Vec<(f64, SVector<f64, 6>)>,
    /// Count of evaluations of all windows.
    evaluations: usize,
}

impl Trials<'_> {
    /// Residuals of each window with these corrections.
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

    /// Tries these corrections, keeping those that lower the cost of their window; returns twice the costs.
    fn try_all(&mut self, corrections: &[SVector<f64, 6>]) -> Result<Vec<f64>, IdentifyError> {
        let residuals = self.residuals(corrections)?;
        let costs = self.costs(&residuals, corrections);
        for ((best, cost), correction) in self.best.iter_mut().zip(&costs).zip(corrections) {
            if *cost < best.0 {
                *best = (*cost, *correction);
            }
        }
        Ok(costs)
    }

    /// Start states with these corrections, and the slopes of the residuals there.
    fn linearised(
        &mut self,
        corrections: Vec<SVector<f64, 6>>,
        base_residuals: &[Vec<f64>],
    ) -> Result<Vec<Start>, IdentifyError> {
        let mut slopes: Vec<Vec<SVector<f64, 6>>> =
            base_residuals.iter().map(|r| vec![SVector::zeros(); r.len()]).collect();
        let starts = self.starts;
        for k in starts.uncertain() {
            let mut shifted = corrections.clone();
            shifted.iter_mut().for_each(|correction| correction[k] += DIFFERENCE);
            for ((slopes, after), before) in slopes.iter_mut().zip(self.residuals(&shifted)?).zip(base_residuals) {
                for ((slopes, after), before) in slopes.iter_mut().zip(after).zip(before) {
                    let slope = (after - before) / DIFFERENCE;
                    slopes[k] = if slope.is_finite() { slope } else { 0.0 };
                }
            }
        }
        let windows = corrections.into_iter().zip(slopes).zip(base_residuals);
        let with_weights = windows.map(|((correction, slopes), residuals)| {
            let weights = residuals.iter().map(|residual| self.data.weight(*residual)).collect();
            Start { correction, slopes, weights }
        });
        Ok(with_weights.collect())
    }
}

impl Start {
    /// The change of the correction that minimises the weighted squares of the residuals and of the correction.
    fn best_change(&self, residuals: &[f64]) -> SVector<f64, 6> {
        let mut right = -self.correction;
        for ((residual, slopes), weight) in residuals.iter().zip(&self.slopes).zip(&self.weights) {
            if residual.is_finite() {
                right -= *weight * *residual * slopes;
            }
        }
        self.curvature().cholesky().map_or_else(SVector::zeros, |matrix| matrix.solve(&right))
    }

    /// Second derivatives of the cost by the correction; failed predictions have slopes of zero.
    fn curvature(&self) -> SMatrix<f64, 6, 6> {
        let seen = self.slopes.iter().zip(&self.weights);
        seen.fold(SMatrix::identity(), |sum, (slopes, weight)| sum + *weight * slopes * slopes.transpose())
    }

    /// Steps of one standard deviation away from the best correction, as columns, in independent directions.
    fn spread(&self) -> SMatrix<f64, 6, 6> {
        let covariance = self.curvature().try_inverse();
        covariance.and_then(|matrix| matrix.cholesky()).map_or_else(SMatrix::zeros, |matrix| matrix.l())
    }

    /// Increase of twice the cost by a change of the correction, by the slopes.
    fn rise(&self, residuals: &[f64], change: &SVector<f64, 6>) -> f64 {
        let seen =
            residuals.iter().zip(&self.slopes).zip(&self.weights).filter(|((residual, _), _)| residual.is_finite());
        let of_residuals = seen.map(|((residual, slopes), weight)| {
            let rise = slopes.dot(change);
            weight * rise * (2.0 * residual + rise)
        });
        of_residuals.sum::<f64>() + change.dot(&(2.0 * self.correction + change))
    }
}
