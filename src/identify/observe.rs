//! Trims that are observed while driving: before each window the class is driven over the time that was just measured, and
//! numbers of the command model that change slowly are estimated from how it misses. They are kept over the window.
//!
//! A class that has been fitted to other days steers or drives a little too much or too little on this one. A steady error
//! of that kind is seen in the past, and a prediction that accounts for it has no offset (K. R. Muske and T. A. Badgwell,
//! "Disturbance modeling for offset-free linear model predictive control", Journal of Process Control 12, 2002). The trims
//! δ minimise the sum over quantities of the mean square of their residuals, in standard deviations of the noise, plus
//! Σ (δₖ/σₖ)² with the scatter σₖ that the config expects of each, by Gauss and Newton's method. Nothing after the start of
//! a window is used but what its measured start state uses.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_sim::trajectory::check;
use skidpad_sim::world::World;

use super::columns::Role;
use super::config::{Measurement, Windows};
use super::data::error;
use super::predict::{self, Plan, Window};
use super::recording::Recording;

/// Most steps of the search.
const STEPS: usize = 4;
/// Step of the finite differences, relative to the scatter of a trim.
const DIFFERENCE: f64 = 0.02;
/// Times that a step which does not lower the cost is halved before the search ends.
const HALVINGS: usize = 3;
/// Relative decrease of the cost by a step below which the search ends.
const TOLERANCE: f64 = 1e-4;

/// Which trims are observed before each window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observe {
    /// Time before each window in which they are observed [s], > 0.
    pub span: f64,
    /// Standard deviation by which each number of the measurement and command models is expected to differ from that of
    /// its recording, in its unit, > 0.
    pub trims: BTreeMap<String, f64>,
}

impl Observe {
    /// The values that are not accepted.
    pub(super) fn check(&self) -> Vec<Diagnostic> {
        let is_span = self.span > 0.0 && self.span <= 60.0;
        let span = check::require("span", self.span, is_span, "a number > 0 and at most 60 [s]").err();
        let trims = self.trims.iter().filter_map(|(name, sigma)| {
            let field = Measurement::field(name).map(|_| ());
            field.and_then(|()| check::positive(name, *sigma, "standard deviation")).err()
        });
        let none = self.trims.is_empty().then(|| {
            Diagnostic::new("trims", "it is empty")
                .accepted("{NAME: STANDARD DEVIATION}, such as {steering_trim: 0.02}")
        });
        span.into_iter().chain(none).chain(trims).collect()
    }
}

/// What a window is observed with.
pub(super) struct Observer<'a> {
    pub observe: &'a Observe,
    pub options: &'a Windows,
    /// The fitted quantities with the standard deviation of their noise, in SI or radians.
    pub noise: &'a [(Role, f64)],
}

impl Observer<'_> {
    /// The measurement and command models for a window: `measurement` with the trims that were observed before it, or
    /// `measurement` itself where the time before is not whole in the recording.
    pub(super) fn observed(
        &self,
        world: &mut World,
        recording: &Recording,
        window: &Window,
        measurement: &Measurement,
    ) -> Measurement {
        let span = self.observe.span;
        let Some(before) = predict::whole_window(recording, window.start - span, span, self.options) else {
            return *measurement;
        };
        let sigmas: Vec<f64> = self.observe.trims.values().copied().collect();
        let mut residuals =
            |trims: &DVector<f64>| self.residuals(world, recording, &before, &self.with(measurement, trims));
        let mut trims = DVector::zeros(sigmas.len());
        let cost = |trims: &DVector<f64>, residuals: &DVector<f64>| residuals.norm_squared() + trims.norm_squared();
        let Some(mut at_trims) = residuals(&trims) else { return *measurement };
        for _ in 0..STEPS {
            let mut column = |k: usize| {
                let mut changed_trims: DVector<f64> = trims.clone();
                changed_trims[k] += DIFFERENCE;
                Some((residuals(&changed_trims)? - &at_trims) / DIFFERENCE)
            };
            let Some(columns) = (0..sigmas.len()).map(&mut column).collect::<Option<Vec<_>>>() else { break };
            let jacobian = DMatrix::from_columns(&columns);
            let normal = jacobian.transpose() * &jacobian + DMatrix::identity(sigmas.len(), sigmas.len());
            let Some(mut step) = normal.lu().solve(&(-(jacobian.transpose() * &at_trims) - &trims)) else { break };
            let before_step = cost(&trims, &at_trims);
            let improved = (0..=HALVINGS).find_map(|_| {
                let next = &trims + &step;
                step *= 0.5;
                let evaluated = residuals(&next).map(|at_next| (next, at_next));
                evaluated.filter(|(next, at_next)| cost(next, at_next) < before_step)
            });
            let Some((next, at_next)) = improved else { break };
            let gained = before_step - cost(&next, &at_next);
            (trims, at_trims) = (next, at_next);
            if gained < TOLERANCE * before_step {
                break;
            }
        }
        self.with(measurement, &trims)
    }

    /// The models with these trims, each in standard deviations of its scatter.
    fn with(&self, measurement: &Measurement, trims: &DVector<f64>) -> Measurement {
        let mut trimmed = *measurement;
        for ((name, sigma), trim) in self.observe.trims.iter().zip(trims.iter()) {
            if let Ok(field) = Measurement::field(name) {
                *field(&mut trimmed) += sigma * trim;
            }
        }
        trimmed
    }

    /// Residuals of the fitted quantities in standard deviations, divided by the root of the count of rows; none if the
    /// simulation failed.
    fn residuals(
        &self,
        world: &mut World,
        recording: &Recording,
        window: &Window,
        measurement: &Measurement,
    ) -> Option<DVector<f64>> {
        let options = Windows { length: self.observe.span, every: self.observe.span, ..*self.options };
        let roles: Vec<Role> = self.noise.iter().map(|(role, _)| *role).filter(|role| recording.has(*role)).collect();
        let root = ((window.rows[1] - window.rows[0]) as f64).sqrt();
        let mut weighted_residuals = Vec::new();
        let plan = Plan { windows: std::slice::from_ref(window), corrections: &[], options: &options };
        predict::predict(world, recording, &plan, measurement, &roles, |_, row, role, predicted| {
            let measured = recording.columns.get(&role).map_or(f64::NAN, |values| values[row]);
            let sigma = self.noise.iter().find(|(known, _)| *known == role).map_or(1.0, |(_, sigma)| *sigma);
            let is_missing = measured.is_nan();
            weighted_residuals.push(if is_missing { 0.0 } else { error(role, predicted, measured) / (sigma * root) });
        });
        weighted_residuals.iter().all(|residual| residual.is_finite()).then(|| DVector::from_vec(weighted_residuals))
    }
}
