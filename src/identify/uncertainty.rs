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

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::IdentifyError;
use super::car::Car;
use super::data::Data;
use super::fit::{LOWER, cost_of, prior_residuals};

/// First and largest step of the finite differences, relative to the range of an unknown.
const LONGEST: f64 = 0.02;
/// Number of refinement rounds. Each round takes differences over one standard deviation from the previous round, as if
/// the other unknowns were known. A shorter step would mistake a jump in one prediction, such as a gear shifting one
/// step earlier, for sensitivity.
const ROUNDS: usize = 2;
/// Smallest step of the refinement rounds, relative to the range.
const SHORTEST: f64 = 1e-5;
/// Relative curvature below which a direction counts as unconstrained, and squared component below which an unknown
/// does not take part in a direction.
const NEGLIGIBLE: f64 = 1e-9;
/// Singular value of H below which a direction is left out of its pseudo-inverse.
const SINGULAR: f64 = 1e-12;
/// Greatest width of the interval of a determined unknown, relative to its range.
const WIDEST: f64 = 0.5;

/// How certain the value of an unknown is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certainty {
    /// Standard deviation in the unit of the number, from the data alone; infinite if the data do not depend on it.
    pub sigma: f64,
    /// Half the width of the 95 % interval in the unit of the number; of a delay at least one step of the simulation.
    pub half_width: f64,
    /// Whether the data determine the unknown.
    pub is_determined: bool,
    /// Ratio of the variance to the one that the curvature of the cost implies, which assumes that all residuals are
    /// independent [-].
    pub(super) inflation: f64,
    /// Half the width of the 95 % interval in standard deviations [-].
    pub(super) bound: f64,
}

/// Certainty of an unknown on which the data do not depend.
pub(super) const UNDETERMINED: Certainty = Certainty {
    sigma: f64::INFINITY,
    half_width: f64::INFINITY,
    is_determined: false,
    inflation: 1.0,
    bound: f64::INFINITY,
};

/// The certainties of all unknowns at one point.
pub(super) struct Certainties {
    /// Certainty of each unknown, in the order of the car.
    pub each: Vec<Certainty>,
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
    let part = |k: usize, share: f64| car.difference(k, share).1 / width(car.unknowns[k].range);
    let mut neighbourhood = Neighbourhood::new(car, data, values)?;
    let mut steps: Vec<f64> = (0..count).map(|k| part(k, LONGEST)).collect();
    let mut sums = neighbourhood.sums(&steps)?;
    for _ in 0..ROUNDS {
        for (k, step) in steps.iter_mut().enumerate().filter(|(k, _)| sums.normal[(*k, *k)] > 0.0) {
            let alone = sums.scatter[(k, k)].sqrt() / sums.normal[(k, k)];
            *step = part(k, alone.clamp(SHORTEST, LONGEST));
        }
        sums = neighbourhood.sums(&steps)?;
    }
    let Sums { normal, scatter, .. } = &sums;
    let windows = neighbourhood.here.len().max(2);
    // Unknowns without any data are excluded from the inverse and stay undetermined.
    let scale: Vec<f64> = (0..count).map(|k| normal[(k, k)].sqrt()).collect();
    let known: Vec<usize> = (0..count).filter(|&k| scale[k] > 1e-9).collect();
    let scaled = DMatrix::from_fn(known.len(), known.len(), |i, j| {
        normal[(known[i], known[j])] / (scale[known[i]] * scale[known[j]])
    });
    let inverse =
        scaled.try_inverse().filter(|inverse| inverse.iter().all(|x| x.is_finite()) && inverse.diagonal().min() > 0.0);
    let mut each = vec![UNDETERMINED; count];
    let mut correlation = DMatrix::identity(count, count);
    let (cost, lower) = (neighbourhood.cost, neighbourhood.lower());
    let Some(inverse) = inverse else { return Ok(Certainties { each, correlation, cost, lower }) };
    let spread = DMatrix::from_fn(known.len(), known.len(), |i, j| {
        scatter[(known[i], known[j])] / (scale[known[i]] * scale[known[j]])
    });
    let covariance = &inverse * spread * &inverse * ((windows - 1) as f64 / windows as f64);
    let depends_on_one = sums.depend_on_one_window();
    for (i, &k) in known.iter().enumerate() {
        let whole = width(car.unknowns[k].range);
        // From one window alone the scatter of windows cannot be estimated.
        if covariance[(i, i)].is_nan() || depends_on_one[k] {
            continue;
        }
        let sigma = covariance[(i, i)].max(0.0).sqrt() / scale[k];
        // Within one step of the simulation a delay may have no effect, for instance while the steering turns at its
        // full rate.
        let least = if car.unknowns[k].is_delay() { part(k, 0.0) } else { 0.0 };
        let bound = student(sums.effective_windows(k) - 1.0);
        let half_width = (bound * sigma).max(least);
        each[k] = Certainty {
            sigma: sigma * whole,
            half_width: half_width * whole,
            is_determined: 2.0 * half_width < WIDEST,
            inflation: covariance[(i, i)] / inverse[(i, i)],
            bound,
        };
        for (j, &l) in known.iter().enumerate() {
            correlation[(k, l)] = covariance[(i, j)] / (covariance[(i, i)] * covariance[(j, j)]).sqrt();
        }
    }
    Ok(Certainties { each, correlation, cost, lower })
}

/// A point of the search, and the costs that were evaluated near it.
struct Neighbourhood<'a> {
    car: &'a Car,
    data: &'a Data,
    values: &'a [f64],
    /// Residuals of each window at the point, in standard deviations.
    here: Vec<Vec<f64>>,
    /// Half the sum of squares of the residuals at the point [-], with priors.
    cost: f64,
    /// The lowest cost near the point, and the values of the unknowns there.
    lowest: (f64, Vec<f64>),
}

/// Sums over windows, with derivatives per whole range of each unknown.
struct Sums {
    /// JᵀJ.
    normal: DMatrix<f64>,
    /// Sum of the outer products of the gradients after the correction by the jackknife.
    scatter: DMatrix<f64>,
    /// Pseudo-inverse of JᵀJ, without the directions that the data do not constrain.
    inverse: DMatrix<f64>,
    /// Contribution of each window to JᵀJ.
    of_windows: Vec<DMatrix<f64>>,
}

impl<'a> Neighbourhood<'a> {
    fn new(car: &'a Car, data: &'a Data, values: &'a [f64]) -> Result<Neighbourhood<'a>, IdentifyError> {
        let here = data.residuals(car, values)?;
        let cost = cost(car, &here, values);
        Ok(Neighbourhood { car, data, values, here, cost, lowest: (cost, values.to_vec()) })
    }

    /// Values of the unknowns at a cost lower than at the point by more than the tolerance of a search.
    fn lower(self) -> Option<Vec<f64>> {
        (self.lowest.0 < self.cost * (1.0 - LOWER)).then_some(self.lowest.1)
    }

    /// The sums, from differences over these steps, relative to the ranges, to both sides as far as the ranges allow.
    fn sums(&mut self, steps: &[f64]) -> Result<Sums, IdentifyError> {
        let count = self.values.len();
        let moved = |k: usize| {
            let range = self.car.unknowns[k].range;
            let side = |to: f64| {
                let mut there = self.values.to_vec();
                there[k] = to;
                let residuals = self.data.residuals(self.car, &there)?;
                let cost = cost(self.car, &residuals, &there);
                Ok::<_, IdentifyError>(Side { step: (to - self.values[k]) / width(range), residuals, cost, there })
            };
            let step = steps[k] * width(range);
            Ok([side((self.values[k] - step).max(range[0]))?, side((self.values[k] + step).min(range[1]))?])
        };
        let moved: Result<Vec<[Side; 2]>, IdentifyError> = (0..count).into_par_iter().map(moved).collect();
        let moved = moved?;
        for side in moved.iter().flatten().filter(|side| side.cost.is_finite()) {
            if side.cost < self.lowest.0 {
                self.lowest = (side.cost, side.there.clone());
            }
        }
        let mut windows = Vec::with_capacity(self.here.len());
        for (window, residuals) in self.here.iter().enumerate().filter(|(_, residuals)| !residuals.is_empty()) {
            let columns: Vec<DVector<f64>> =
                moved.iter().map(|sides| smoother_slope(sides, window, residuals)).collect();
            let jacobian = DMatrix::from_columns(&columns);
            let gradient = jacobian.transpose() * DVector::from_column_slice(residuals);
            windows.push((jacobian.transpose() * jacobian, gradient));
        }
        Ok(Sums::of(windows, count))
    }
}

impl Sums {
    /// The sums of these contributions to JᵀJ and gradients of the windows.
    fn of(windows: Vec<(DMatrix<f64>, DVector<f64>)>, count: usize) -> Sums {
        let zeros = || DMatrix::zeros(count, count);
        let normal = windows.iter().fold(zeros(), |sum, (of_window, _)| sum + of_window);
        let inverse = normal.clone().pseudo_inverse(SINGULAR).unwrap_or_else(|_| zeros());
        let scatter = windows.iter().fold(zeros(), |sum, (of_window, gradient)| {
            // Singular if a window alone determines an unknown, which `depend_on_one_window` finds.
            let rest = DMatrix::identity(count, count) * (1.0 + SINGULAR) - of_window * &inverse;
            let gradient = rest.lu().solve(gradient).unwrap_or_else(|| gradient.clone());
            sum + &gradient * gradient.transpose()
        });
        let of_windows = windows.into_iter().map(|(of_window, _)| of_window).collect();
        Sums { normal, scatter, inverse, of_windows }
    }

    /// Whether each unknown would be unconstrained without one of the windows.
    fn depend_on_one_window(&self) -> Vec<bool> {
        let scale = self.normal.diagonal().map(|x| if x > 0.0 { 1.0 / x.sqrt() } else { 0.0 });
        let scale = DMatrix::from_diagonal(&scale);
        let mut depend = vec![false; self.normal.nrows()];
        for of_window in &self.of_windows {
            let without = (&scale * (&self.normal - of_window) * &scale).symmetric_eigen();
            let directions = without.eigenvalues.iter().zip(without.eigenvectors.column_iter());
            for (_, open) in directions.filter(|(curvature, _)| **curvature < NEGLIGIBLE) {
                depend.iter_mut().zip(open.iter()).for_each(|(depends, part)| *depends |= part.powi(2) > NEGLIGIBLE);
            }
        }
        depend
    }

    /// Effective number of windows that unknown `k` depends on: their count, if they contribute equally [-]; NaN if
    /// there are none.
    fn effective_windows(&self, k: usize) -> f64 {
        let row = self.inverse.column(k);
        let shares: Vec<f64> = self.of_windows.iter().map(|of_window| row.dot(&(of_window * row))).collect();
        shares.iter().sum::<f64>().powi(2) / shares.iter().map(|share| share * share).sum::<f64>()
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
    there: Vec<f64>,
}

/// Derivative of a window's residuals by an unknown, per whole range, from the side on which they change less: on the
/// other side there may be a jump.
fn smoother_slope(sides: &[Side; 2], window: usize, here: &[f64]) -> DVector<f64> {
    let slope = |side: &Side| {
        let changes = side.residuals[window].iter().zip(here).map(|(there, here)| (there - here) / side.step);
        DVector::from_iterator(here.len(), changes)
    };
    let slopes = sides.iter().filter(|side| side.step != 0.0).map(slope);
    let smoother = slopes.min_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()));
    smoother.unwrap_or_else(|| DVector::zeros(here.len()))
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

/// The 97.5 % point of Student's distribution with `freedom` degrees of freedom, at least 1.
pub(super) fn student(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).map_or(f64::INFINITY, |distribution| distribution.inverse_cdf(0.975))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variance_of_a_mean_is_that_of_the_sample_over_its_size() {
        let sample = [1.0, 4.0, 2.5, 7.0, 3.0];
        let n = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / n;
        // Residuals mean − y of windows of one row each.
        let windows = sample.map(|y| (DMatrix::from_element(1, 1, 1.0), DVector::from_element(1, mean - y)));
        let Sums { normal, scatter, .. } = Sums::of(windows.to_vec(), 1);
        let variance = scatter[0] / (normal[0] * normal[0]) * (n - 1.0) / n;
        let expected = sample.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / (n - 1.0) / n;
        assert!((variance / expected - 1.0).abs() < 1e-9, "{variance} {expected}");
    }

    #[test]
    fn an_unknown_that_one_window_alone_determines_is_found() {
        // Both windows depend on the first unknown, only the second on the other.
        let windows = [([1.0, 0.0], 0.5), ([1.0, 1.0], -0.5)].map(|(slopes, residual)| {
            let slopes = DVector::from_row_slice(&slopes);
            (&slopes * slopes.transpose(), &slopes * residual)
        });
        assert!(Sums::of(windows.to_vec(), 2).depend_on_one_window()[1]);
        let more = [windows.clone(), windows].concat();
        assert!(!Sums::of(more, 2).depend_on_one_window()[1]);
    }

    #[test]
    fn windows_that_contribute_equally_are_counted() {
        let windows =
            [0.3, -0.1, -0.2].map(|residual| (DMatrix::from_element(1, 1, 4.0), DVector::from_element(1, residual)));
        assert!((Sums::of(windows.to_vec(), 1).effective_windows(0) - 3.0).abs() < 1e-12);
    }
}
