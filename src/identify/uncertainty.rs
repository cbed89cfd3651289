//! How well the data determine each unknown.
//!
//! The covariance is H⁻¹·(Σ gᵢ·gᵢᵀ)·H⁻¹ with H = JᵀJ and the gradient gᵢ of each window (H. White, Econometrica 48, 1980, with windows as clusters): within a window residuals belong
//! together, because all start from one measured state, so that their count says little. A window pulls the unknowns towards itself, most where few windows tell of an unknown, so that its
//! residuals are too small: gᵢ is (I − Hᵢ·H⁻¹)⁻¹ times the gradient, with the window's own part Hᵢ of H, and the sum is taken (n − 1)/n times. That is the jackknife (CV3 of J. G. MacKinnon,
//! M. Ø. Nielsen and M. D. Webb, Journal of Econometrics 232, 2023). Student's distribution has as many degrees of freedom as windows tell of an unknown, less one: (Σ λᵢ)²/Σ λᵢ² of the
//! windows' shares λᵢ in its variance (R. M. Bell and D. F. McCaffrey, Survey Methodology 28, 2002, without the small terms between windows).

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::IdentifyError;
use super::car::Car;
use super::data::Data;
use super::fit::prior_residuals;

/// Differences are first taken over this part of an unknown's range, and never over more.
const LONGEST: f64 = 0.02;
/// So often they are taken anew, over the standard deviation that the last ones gave an unknown if the others were known: a slope over less would take the jumps of single predictions, such as
/// those of gears that shift a step earlier, for what the data say.
const ROUNDS: usize = 2;
/// Shortest part of a range that a difference then spans.
const SHORTEST: f64 = 1e-5;
/// A cost that is lower by this part is one that the search should have found.
const LOWER: f64 = 1e-5;
/// Less than this part of the curvature of the cost, or of a direction, is nothing.
const NOTHING: f64 = 1e-9;
/// Least singular value of H that counts.
const SINGULAR: f64 = 1e-12;
/// An unknown whose interval is wider than this part of its range is not determined.
const WIDEST: f64 = 0.5;

/// What is known about an unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certainty {
    /// Standard deviation, from the data alone; infinite if they do not depend on it.
    pub sigma: f64,
    /// Half the width of its 95 % interval; of a delay at least a step of the simulation.
    pub half_width: f64,
    /// Whether the data determine it.
    pub is_determined: bool,
    /// The variance over the one that the curvature of the cost alone would give, as if all residuals were independent [-].
    pub(super) inflation: f64,
    /// Half of the 95 % interval in standard deviations.
    pub(super) bound: f64,
}

/// Nothing is known.
pub(super) const UNKNOWN: Certainty = Certainty {
    sigma: f64::INFINITY,
    half_width: f64::INFINITY,
    is_determined: false,
    inflation: 1.0,
    bound: f64::INFINITY,
};

/// What the data say at one point.
pub(super) struct Certainties {
    /// Of each unknown.
    pub each: Vec<Certainty>,
    /// Correlations between the unknowns.
    pub correlation: DMatrix<f64>,
    /// Unknowns nearby with a lower cost, if there are: the search has stopped at a jump of the predictions.
    pub lower: Option<Vec<f64>>,
}

/// What the data say of each unknown at `values`.
///
/// # Errors
/// The car cannot be loaded.
pub(super) fn certainties(car: &Car, data: &Data, values: &[f64]) -> Result<Certainties, IdentifyError> {
    let count = values.len();
    let part = |k: usize, share: f64| car.difference(k, share).1 / width(car.unknowns[k].range);
    let mut around = Around::new(car, data, values)?;
    let mut steps: Vec<f64> = (0..count).map(|k| part(k, LONGEST)).collect();
    let mut sums = around.sums(&steps)?;
    for _ in 0..ROUNDS {
        for (k, step) in steps.iter_mut().enumerate().filter(|(k, _)| sums.normal[(*k, *k)] > 0.0) {
            let alone = sums.scatter[(k, k)].sqrt() / sums.normal[(k, k)];
            *step = part(k, alone.clamp(SHORTEST, LONGEST));
        }
        sums = around.sums(&steps)?;
    }
    let Sums { normal, scatter, .. } = &sums;
    let windows = around.here.len().max(2);
    // What no data touch is left out of the inverse, with no certainty.
    let scale: Vec<f64> = (0..count).map(|k| normal[(k, k)].sqrt()).collect();
    let known: Vec<usize> = (0..count).filter(|&k| scale[k] > 1e-9).collect();
    let scaled = DMatrix::from_fn(known.len(), known.len(), |i, j| {
        normal[(known[i], known[j])] / (scale[known[i]] * scale[known[j]])
    });
    let inverse =
        scaled.try_inverse().filter(|inverse| inverse.iter().all(|x| x.is_finite()) && inverse.diagonal().min() > 0.0);
    let mut each = vec![UNKNOWN; count];
    let mut correlation = DMatrix::identity(count, count);
    let lower = around.lower();
    let Some(inverse) = inverse else { return Ok(Certainties { each, correlation, lower }) };
    let spread = DMatrix::from_fn(known.len(), known.len(), |i, j| {
        scatter[(known[i], known[j])] / (scale[known[i]] * scale[known[j]])
    });
    let covariance = &inverse * spread * &inverse * ((windows - 1) as f64 / windows as f64);
    let hangs_on_one = sums.hang_on_one();
    for (i, &k) in known.iter().enumerate() {
        let whole = width(car.unknowns[k].range);
        // A window that alone determines an unknown does not show how far others would be from it.
        if covariance[(i, i)].is_nan() || hangs_on_one[k] {
            continue;
        }
        let sigma = covariance[(i, i)].max(0.0).sqrt() / scale[k];
        // Within a step of the simulation a delay may change nothing: a steering that turns at its full rate, for instance, does not see it.
        let least = if car.unknowns[k].is_delay() { part(k, 0.0) } else { 0.0 };
        let bound = student(sums.telling(k) - 1.0);
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
    Ok(Certainties { each, correlation, lower })
}

/// A point and what has been seen around it.
struct Around<'a> {
    car: &'a Car,
    data: &'a Data,
    values: &'a [f64],
    /// Residuals of each window.
    here: Vec<Vec<f64>>,
    /// Half the sum of squares of the residuals, with priors.
    cost: f64,
    /// The lowest cost seen, and the unknowns there.
    lowest: (f64, Vec<f64>),
}

/// Sums over windows, per whole range of each unknown.
struct Sums {
    /// JᵀJ.
    normal: DMatrix<f64>,
    /// Products of gradients without the windows' own pull.
    scatter: DMatrix<f64>,
    /// Inverse of JᵀJ, without the directions that no data touch.
    inverse: DMatrix<f64>,
    /// JᵀJ of each window.
    of_windows: Vec<DMatrix<f64>>,
}

impl<'a> Around<'a> {
    fn new(car: &'a Car, data: &'a Data, values: &'a [f64]) -> Result<Around<'a>, IdentifyError> {
        let here = data.residuals(car, values)?;
        let cost = cost(car, &here, values);
        Ok(Around { car, data, values, here, cost, lowest: (cost, values.to_vec()) })
    }

    /// Unknowns with a lower cost than here, more than by what a search would still find.
    fn lower(self) -> Option<Vec<f64>> {
        (self.lowest.0 < self.cost * (1.0 - LOWER)).then_some(self.lowest.1)
    }

    /// From differences over these parts of the ranges to both sides where the ranges allow it.
    fn sums(&mut self, steps: &[f64]) -> Result<Sums, IdentifyError> {
        let count = self.values.len();
        let moved = |k: usize| {
            let range = self.car.unknowns[k].range;
            let side = |to: f64| {
                let mut there = self.values.to_vec();
                there[k] = to;
                let residuals = self.data.residuals(self.car, &there)?;
                let cost = cost(self.car, &residuals, &there);
                Ok(Side { step: (to - self.values[k]) / width(range), residuals, cost, there })
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
    /// Of each window's JᵀJ and gradient.
    fn of(windows: Vec<(DMatrix<f64>, DVector<f64>)>, count: usize) -> Sums {
        let zeros = || DMatrix::zeros(count, count);
        let normal = windows.iter().fold(zeros(), |sum, (of_window, _)| sum + of_window);
        let inverse = normal.clone().pseudo_inverse(SINGULAR).unwrap_or_else(|_| zeros());
        let scatter = windows.iter().fold(zeros(), |sum, (of_window, gradient)| {
            // Where a window alone determines an unknown, the rest is nothing: `hang_on_one` says so.
            let rest = DMatrix::identity(count, count) * (1.0 + SINGULAR) - of_window * &inverse;
            let gradient = rest.lu().solve(gradient).unwrap_or_else(|| gradient.clone());
            sum + &gradient * gradient.transpose()
        });
        let of_windows = windows.into_iter().map(|(of_window, _)| of_window).collect();
        Sums { normal, scatter, inverse, of_windows }
    }

    /// Of each unknown, whether nothing is known of it without some one of the windows.
    fn hang_on_one(&self) -> Vec<bool> {
        let scale = self.normal.diagonal().map(|x| if x > 0.0 { 1.0 / x.sqrt() } else { 0.0 });
        let scale = DMatrix::from_diagonal(&scale);
        let mut hang = vec![false; self.normal.nrows()];
        for of_window in &self.of_windows {
            let without = (&scale * (&self.normal - of_window) * &scale).symmetric_eigen();
            let directions = without.eigenvalues.iter().zip(without.eigenvectors.column_iter());
            for (_, open) in directions.filter(|(curvature, _)| **curvature < NOTHING) {
                hang.iter_mut().zip(open.iter()).for_each(|(hangs, part)| *hangs |= part.powi(2) > NOTHING);
            }
        }
        hang
    }

    /// How many windows tell of unknown `k`, as if they told equally much; NaN if none does.
    fn telling(&self, k: usize) -> f64 {
        let row = self.inverse.column(k);
        let shares: Vec<f64> = self.of_windows.iter().map(|of_window| row.dot(&(of_window * row))).collect();
        shares.iter().sum::<f64>().powi(2) / shares.iter().map(|share| share * share).sum::<f64>()
    }
}

/// One unknown moved to one side.
struct Side {
    /// By this part of its range.
    step: f64,
    /// Residuals of each window.
    residuals: Vec<Vec<f64>>,
    /// Half the sum of squares of the residuals, with priors.
    cost: f64,
    /// All unknowns.
    there: Vec<f64>,
}

/// Change of a window's residuals over the whole range, by the side on which they change less: on the other there may be a jump.
fn smoother_slope(sides: &[Side; 2], window: usize, here: &[f64]) -> DVector<f64> {
    let slope = |side: &Side| {
        let changes = side.residuals[window].iter().zip(here).map(|(there, here)| (there - here) / side.step);
        DVector::from_iterator(here.len(), changes)
    };
    let slopes = sides.iter().filter(|side| side.step != 0.0).map(slope);
    let smoother = slopes.min_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()));
    smoother.unwrap_or_else(|| DVector::zeros(here.len()))
}

/// Half the sum of squares of the residuals of all windows, with priors.
fn cost(car: &Car, windows: &[Vec<f64>], values: &[f64]) -> f64 {
    let of_windows = windows.iter().flatten().map(|residual| residual * residual).sum::<f64>();
    0.5 * (of_windows + prior_residuals(car, values).map(|residual| residual * residual).sum::<f64>())
}

fn width([low, high]: [f64; 2]) -> f64 {
    high - low
}

/// The 97.5 % point of Student's distribution with `freedom` degrees of freedom, at least 1.
fn student(freedom: f64) -> f64 {
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
    fn what_one_window_tells_alone_hangs_on_it() {
        // Both windows tell of the first unknown, only the second of the other.
        let windows = [([1.0, 0.0], 0.5), ([1.0, 1.0], -0.5)].map(|(slopes, residual)| {
            let slopes = DVector::from_row_slice(&slopes);
            (&slopes * slopes.transpose(), &slopes * residual)
        });
        assert!(Sums::of(windows.to_vec(), 2).hang_on_one()[1]);
        let more = [windows.clone(), windows].concat();
        assert!(!Sums::of(more, 2).hang_on_one()[1]);
    }

    #[test]
    fn windows_that_tell_equally_much_are_counted() {
        let windows =
            [0.3, -0.1, -0.2].map(|residual| (DMatrix::from_element(1, 1, 4.0), DVector::from_element(1, residual)));
        assert!((Sums::of(windows.to_vec(), 1).telling(0) - 3.0).abs() < 1e-12);
    }
}
