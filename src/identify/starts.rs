//! Where windows start: their measured states are uncertain, too.
//!
//! A search that took them for exact would explain their noise by the car: a noisy yaw rate at the start, for instance, by a yaw inertia so small that it dies away at once. So each start has a
//! correction, weighted by its noise, and the best corrections go with each set of unknowns. They follow from the residuals by linear least squares around the last corrections, and the
//! search ends when both agree (variable projection: G. H. Golub and V. Pereyra, SIAM Journal on Numerical Analysis 10, 1973; multiple shooting: H. G. Bock, 1981).

use nalgebra::{SMatrix, SVector};

use super::IdentifyError;
use super::car::Car;
use super::columns::Role;
use super::data::Data;

/// The quantities of a state, in the order of [`Correction`].
pub(super) const STATE: [Role; 6] = [Role::X, Role::Y, Role::Yaw, Role::Vx, Role::Vy, Role::YawRate];

/// What is added to the measured state of the body, in the units of [`STATE`].
pub(super) type Correction = [f64; 6];

/// Differences are taken over this part of a standard deviation.
const DIFFERENCE: f64 = 0.2;

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

    /// The starts that go best with a car with these values, and their effect.
    ///
    /// # Errors
    /// The car cannot be loaded with them.
    pub(super) fn around(&self, data: &Data, car: &Car, values: &[f64]) -> Result<Starts, IdentifyError> {
        let count = data.count();
        let mut corrections = match self.windows.is_empty() {
            true => vec![SVector::zeros(); count],
            false => self.windows.iter().map(|start| start.correction).collect(),
        };
        let residuals_at = |corrections: &[SVector<f64, 6>]| {
            let corrections: Vec<Correction> = corrections.iter().map(|c| self.scaled(c)).collect();
            data.raw_residuals(car, values, &corrections)
        };
        let here = residuals_at(&corrections)?;
        let mut slopes: Vec<Vec<SVector<f64, 6>>> = here.iter().map(|r| vec![SVector::zeros(); r.len()]).collect();
        for k in (0..6).filter(|&k| self.noise[k] > 0.0) {
            let mut moved = corrections.clone();
            moved.iter_mut().for_each(|correction| correction[k] += DIFFERENCE);
            for ((slopes, after), before) in slopes.iter_mut().zip(residuals_at(&moved)?).zip(&here) {
                for ((slopes, after), before) in slopes.iter_mut().zip(after).zip(before) {
                    let slope = (after - before) / DIFFERENCE;
                    slopes[k] = if slope.is_finite() { slope } else { 0.0 };
                }
            }
        }
        let mut windows = Vec::with_capacity(count);
        for ((correction, slopes), residuals) in corrections.iter_mut().zip(slopes).zip(&here) {
            let weights = residuals.iter().map(|residual| data.weight(*residual)).collect();
            let mut start = Start { correction: *correction, slopes, weights };
            start.correction += start.best_change(residuals);
            windows.push(start);
        }
        Ok(Starts { noise: self.noise, windows })
    }

    /// The residuals of a window with its best start, followed by the correction in standard deviations, given those from [`Starts::corrections`].
    pub(super) fn with_best(&self, window: usize, residuals: Vec<f64>) -> Vec<f64> {
        let Some(start) = self.windows.get(window) else { return residuals };
        let change = start.best_change(&residuals);
        let residuals = residuals.iter().zip(&start.slopes).map(|(residual, slopes)| residual + slopes.dot(&change));
        residuals.chain((start.correction + change).iter().copied()).collect()
    }
}

impl Start {
    /// The change of the correction that makes the weighted residuals and the correction smallest.
    fn best_change(&self, residuals: &[f64]) -> SVector<f64, 6> {
        let mut matrix = SMatrix::<f64, 6, 6>::identity();
        let mut right = -self.correction;
        for ((residual, slopes), weight) in residuals.iter().zip(&self.slopes).zip(&self.weights) {
            if residual.is_finite() {
                matrix += *weight * slopes * slopes.transpose();
                right -= *weight * *residual * slopes;
            }
        }
        matrix.cholesky().map_or_else(SVector::zeros, |matrix| matrix.solve(&right))
    }
}
