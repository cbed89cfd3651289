//! How well the data determine each unknown.
//!
//! Residuals within a window are correlated, because all of them start from one measured state, so that their number
//! says little about the uncertainty. The covariance is therefore estimated from whole windows as clusters, by the
//! sandwich H⁻¹·(Σ gᵢ·gᵢᵀ)·H⁻¹ with H = JᵀJ and the gradient gᵢ of each window (H. White, Econometrica 48, 1980).
//!
//! The fit draws the unknowns towards each window, most strongly if few windows depend on an unknown, so that the
//! residuals are too small. This is corrected by the jackknife (CV3 of J. G. MacKinnon, M. Ø. Nielsen and M. D. Webb,
//! Journal of Econometrics 232, 2023): gᵢ is (I − Hᵢ·H⁻¹)⁻¹ times the gradient, with the window's own contribution Hᵢ
//! to H, and the sum is multiplied by (n − 1)/n.
//!
//! Intervals are those of Student's distribution. Its degrees of freedom are the effective number of windows that an
//! unknown depends on, less one: (Σ λᵢ)²/Σ λᵢ² with the windows' shares λᵢ in its variance (R. M. Bell and D. F.
//! McCaffrey, Survey Methodology 28, 2002, without the small terms between windows).
//!
//! A car also differs between recordings and days, more than windows of one recording tell. Where at least three recordings
//! depend on an unknown, the same is done with whole recordings as clusters, and the wider interval counts: by the
//! jackknife, the values without each recording in turn differ by θᵢ = (H − Hᵢ)⁻¹·gᵢ from those with all of them, and the
//! variance is (n − 1)/n·Σ θᵢ².

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use skidpad_analysis::student;

use super::IdentifyError;
use super::car::Car;
use super::data::Data;
use super::fit::{LOWER, cost_of, prior_residuals};
use super::sums::{Contribution, Sums};

/// First and largest step of the finite differences, relative to the range of an unknown.
const MAX_STEP: f64 = 0.02;
/// Number of refinement rounds. Each round takes differences over one standard deviation from the previous round, as if
/// the other unknowns were known. A shorter step would mistake a jump in one prediction, such as a gear shifting one
/// step earlier, for sensitivity.
const ROUNDS: usize = 2;
/// Smallest step of the refinement rounds, relative to the range.
const MIN_STEP: f64 = 1e-5;
/// Greatest width of the interval of a determined unknown, relative to its range.
pub(super) const MAX_WIDTH: f64 = 0.5;

/// How certain the value of an unknown is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certainty {
    /// Standard deviation in the unit of the number, from the data alone; infinite if the data do not depend on it.
    pub sigma: f64,
    /// Half the width of the 95 % interval in the unit of the number; of a delay at least one step of the simulation.
    pub half_width: f64,
    /// Half the width that the scatter of windows alone would give, likewise.
    pub of_windows: f64,
    /// The scatter that gives the interval.
    pub scatter: Scatter,
    /// Whether the data determine the unknown, as far as windows tell.
    pub is_determined: bool,
    /// Ratio of the variance to the one that the curvature of the cost implies, which assumes that all residuals are
    /// independent [-].
    pub(super) inflation: f64,
    /// Half the width of the 95 % interval in standard deviations [-].
    pub(super) bound: f64,
}

/// Whose scatter says how certain numbers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scatter {
    /// That of windows: it does not include what differs between recordings.
    Windows,
    /// That of recordings.
    Recordings,
}

impl Scatter {
    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Scatter::Windows => "windows",
            Scatter::Recordings => "recordings",
        }
    }
}

/// Certainty of an unknown on which the data do not depend.
pub(super) const UNDETERMINED: Certainty = Certainty {
    sigma: f64::INFINITY,
    half_width: f64::INFINITY,
    of_windows: f64::INFINITY,
    scatter: Scatter::Windows,
    is_determined: false,
    inflation: 1.0,
    bound: f64::INFINITY,
};

/// The certainties of all unknowns at one point.
pub(super) struct Certainties {
    /// Certainty of each unknown, in the order of the car.
    pub by_unknown: Vec<Certainty>,
    /// Coefficients of correlation between the unknowns [-].
    pub correlation: DMatrix<f64>,
    /// Half the sum of squares of the residuals at the point [-], with priors.
    pub cost: f64,
    /// Values of the unknowns at a nearby point with a lower cost, if one was seen: the search then stopped at a jump
    /// of the predictions.
    pub lower: Option<Vec<f64>>,
}

/// How well the data determine each unknown at `values`.
///
/// # Errors
/// The car cannot be loaded.
pub(super) fn certainties(car: &Car, data: &Data, values: &[f64]) -> Result<Certainties, IdentifyError> {
    let count = values.len();
    let mut neighbourhood = Neighbourhood::new(car, data, values)?;
    let [sums, of_runs] = neighbourhood.refined_sums()?;
    let Sums { normal, scatter, .. } = &sums;
    let windows = neighbourhood.residuals.len().max(2);
    // Unknowns without any data are excluded from the inverse and stay undetermined.
    let scale: Vec<f64> = (0..count).map(|k| normal[(k, k)].sqrt()).collect();
    let known: Vec<usize> = (0..count).filter(|&k| scale[k] > 1e-9).collect();
    let scaled = DMatrix::from_fn(known.len(), known.len(), |i, j| {
        normal[(known[i], known[j])] / (scale[known[i]] * scale[known[j]])
    });
    let inverse =
        scaled.try_inverse().filter(|inverse| inverse.iter().all(|x| x.is_finite()) && inverse.diagonal().min() > 0.0);
    let mut by_unknown = vec![UNDETERMINED; count];
    let mut correlation = DMatrix::identity(count, count);
    let (cost, lower) = (neighbourhood.cost, neighbourhood.lower());
    let Some(inverse) = inverse else { return Ok(Certainties { by_unknown, correlation, cost, lower }) };
    let spread = DMatrix::from_fn(known.len(), known.len(), |i, j| {
        scatter[(known[i], known[j])] / (scale[known[i]] * scale[known[j]])
    });
    let covariance = &inverse * spread * &inverse * ((windows - 1) as f64 / windows as f64);
    let depends_on_single = sums.depend_on_single();
    let scatter_between_runs = of_runs.scatter_between();
    for (i, &k) in known.iter().enumerate() {
        let whole = width(car.unknowns[k].range);
        // From one window alone the scatter of windows cannot be estimated.
        if covariance[(i, i)].is_nan() || depends_on_single[k] {
            continue;
        }
        let sigma = covariance[(i, i)].max(0.0).sqrt() / scale[k];
        // Within one step of the simulation a delay may have no effect, for instance while the steering turns at its
        // full rate.
        let least = if car.unknowns[k].is_delay() { car.difference(k, 0.0).1 / whole } else { 0.0 };
        let bound = student(sums.effective_clusters(k) - 1.0);
        let of_windows = (bound * sigma).max(least);
        let inflation = covariance[(i, i)] / inverse[(i, i)];
        let of_windows_alone = Certainty {
            sigma: sigma * whole,
            half_width: of_windows * whole,
            of_windows: of_windows * whole,
            scatter: Scatter::Windows,
            is_determined: 2.0 * of_windows < MAX_WIDTH,
            inflation,
            bound,
        };
        by_unknown[k] = match scatter_between_runs[k] {
            Some((wider, bound)) if bound * wider > of_windows => Certainty {
                sigma: wider * whole,
                half_width: bound * wider * whole,
                scatter: Scatter::Recordings,
                inflation: inflation * (wider / sigma).powi(2),
                bound,
                ..of_windows_alone
            },
            _ => of_windows_alone,
        };
        for (j, &l) in known.iter().enumerate() {
            correlation[(k, l)] = covariance[(i, j)] / (covariance[(i, i)] * covariance[(j, j)]).sqrt();
        }
    }
    Ok(Certainties { by_unknown, correlation, cost, lower })
}

/// The values of the unknowns that the data would give without each recording in turn, by one step of Gauss and Newton's
/// method from `values`, which are those with all of them. A number that no other recording determines stays.
///
/// # Errors
/// The car cannot be loaded.
pub(super) fn leave_one_out(car: &Car, data: &Data, values: &[f64]) -> Result<Vec<Vec<f64>>, IdentifyError> {
    let mut neighbourhood = Neighbourhood::new(car, data, values)?;
    let [_, of_runs] = neighbourhood.refined_sums()?;
    let mut shifts = of_runs.leave_one_out().into_iter();
    let of_run = |(_, windows): &(_, Vec<_>)| {
        let shift = if windows.is_empty() { None } else { shifts.next() };
        let shifted = values.iter().zip(&car.unknowns).enumerate().map(|(k, (value, unknown))| {
            let by = shift.as_ref().map_or(0.0, |shift| shift[k] * width(unknown.range));
            (value + by).clamp(unknown.range[0], unknown.range[1])
        });
        shifted.collect()
    };
    Ok(data.runs.iter().map(of_run).collect())
}

/// A point of the search, and the costs that were evaluated near it.
struct Neighbourhood<'a> {
    car: &'a Car,
    data: &'a Data,
    values: &'a [f64],
    /// Residuals of each window at the point, in standard deviations.
    residuals: Vec<Vec<f64>>,
    /// Half the sum of squares of the residuals at the point [-], with priors.
    cost: f64,
    /// The lowest cost near the point, and the values of the unknowns there.
    lowest: (f64, Vec<f64>),
}

impl<'a> Neighbourhood<'a> {
    fn new(car: &'a Car, data: &'a Data, values: &'a [f64]) -> Result<Neighbourhood<'a>, IdentifyError> {
        let residuals = data.residuals(car, values)?;
        let cost = cost(car, &residuals, values);
        Ok(Neighbourhood { car, data, values, residuals, cost, lowest: (cost, values.to_vec()) })
    }

    /// Values of the unknowns at a cost lower than at the point by more than the tolerance of a search.
    fn lower(self) -> Option<Vec<f64>> {
        (self.lowest.0 < self.cost * (1.0 - LOWER)).then_some(self.lowest.1)
    }

    /// The sums over windows and over recordings, from differences over about a standard deviation.
    fn refined_sums(&mut self) -> Result<[Sums; 2], IdentifyError> {
        let car = self.car;
        let part = |k: usize, share: f64| car.difference(k, share).1 / width(car.unknowns[k].range);
        let mut steps: Vec<f64> = (0..self.values.len()).map(|k| part(k, MAX_STEP)).collect();
        let mut sums = self.sums(&steps)?;
        for _ in 0..ROUNDS {
            let Sums { normal, scatter, .. } = &sums[0];
            for (k, step) in steps.iter_mut().enumerate().filter(|(k, _)| normal[(*k, *k)] > 0.0) {
                let alone = scatter[(k, k)].sqrt() / normal[(k, k)];
                *step = part(k, alone.clamp(MIN_STEP, MAX_STEP));
            }
            sums = self.sums(&steps)?;
        }
        Ok(sums)
    }

    /// The sums over windows and over recordings, from differences over these steps, relative to the ranges, to both sides
    /// as far as the ranges allow.
    fn sums(&mut self, steps: &[f64]) -> Result<[Sums; 2], IdentifyError> {
        let count = self.values.len();
        let both_sides = |k: usize| {
            let range = self.car.unknowns[k].range;
            let side = |to: f64| {
                let mut values = self.values.to_vec();
                values[k] = to;
                let residuals = self.data.residuals(self.car, &values)?;
                let cost = cost(self.car, &residuals, &values);
                Ok::<_, IdentifyError>(Side { step: (to - self.values[k]) / width(range), residuals, cost, values })
            };
            let step = steps[k] * width(range);
            Ok([side((self.values[k] - step).max(range[0]))?, side((self.values[k] + step).min(range[1]))?])
        };
        let results: Result<Vec<[Side; 2]>, IdentifyError> = (0..count).into_par_iter().map(both_sides).collect();
        let sides = results?;
        for side in sides.iter().flatten().filter(|side| side.cost.is_finite()) {
            if side.cost < self.lowest.0 {
                self.lowest = (side.cost, side.values.clone());
            }
        }
        let runs: Vec<usize> = (self.data.runs.iter().enumerate())
            .flat_map(|(run, (_, windows))| std::iter::repeat_n(run, windows.len()))
            .collect();
        let mut windows = Vec::with_capacity(self.residuals.len());
        let mut of_runs: BTreeMap<usize, Contribution> = BTreeMap::new();
        for (window, residuals) in self.residuals.iter().enumerate().filter(|(_, residuals)| !residuals.is_empty()) {
            let columns: Vec<DVector<f64>> =
                sides.iter().map(|sides| smoother_slope(sides, window, residuals)).collect();
            let jacobian = DMatrix::from_columns(&columns);
            let gradient = jacobian.transpose() * DVector::from_column_slice(residuals);
            let of_window = (jacobian.transpose() * jacobian, gradient);
            let zeros = || (DMatrix::zeros(count, count), DVector::zeros(count));
            let of_run = of_runs.entry(runs[window]).or_insert_with(zeros);
            *of_run = (&of_run.0 + &of_window.0, &of_run.1 + &of_window.1);
            windows.push(of_window);
        }
        Ok([Sums::of(windows, count), Sums::of(of_runs.into_values().collect(), count)])
    }
}

/// The residuals after a step of one unknown to one side.
struct Side {
    /// Step of the unknown, relative to its range; negative downwards.
    step: f64,
    /// Residuals of each window after the step, in standard deviations.
    residuals: Vec<Vec<f64>>,
    /// Half the sum of squares of the residuals [-], with priors.
    cost: f64,
    /// Values of all unknowns after the step.
    values: Vec<f64>,
}

/// Derivative of a window's residuals by an unknown, per whole range, from the side on which they change less: on the
/// other side there may be a jump.
fn smoother_slope(sides: &[Side; 2], window: usize, residuals: &[f64]) -> DVector<f64> {
    let slope = |side: &Side| {
        let changes = side.residuals[window].iter().zip(residuals).map(|(after, before)| (after - before) / side.step);
        DVector::from_iterator(residuals.len(), changes)
    };
    let slopes = sides.iter().filter(|side| side.step != 0.0).map(slope);
    let smoother = slopes.min_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()));
    smoother.unwrap_or_else(|| DVector::zeros(residuals.len()))
}

/// Half the sum of squares of the residuals of all windows [-], with priors.
fn cost(car: &Car, windows: &[Vec<f64>], values: &[f64]) -> f64 {
    let priors: Vec<f64> = prior_residuals(car, values).collect();
    windows.iter().map(|window| cost_of(window)).sum::<f64>() + cost_of(&priors)
}

/// Width of a range.
fn width([low, high]: [f64; 2]) -> f64 {
    high - low
}
