//! How well the data determine each unknown.
//!
//! The covariance is H⁻¹·(Σ gᵢ·gᵢᵀ)·H⁻¹ with H = JᵀJ and the gradient gᵢ of each window (H. White, Econometrica 48, 1980, with windows as clusters): within a window residuals belong
//! together, because all start from one measured state, so that their count says little. With few windows the factor n/(n − p) and Student's distribution widen the intervals.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::IdentifyError;
use super::car::Car;
use super::data::Data;

/// Differences are first taken over this part of an unknown's range, and never over more.
const LONGEST: f64 = 0.02;
/// So often they are taken anew, over the standard deviation that the last ones gave an unknown if the others were known: a slope over less would take the jumps of single predictions, such as
/// those of gears that shift a step earlier, for what the data say.
const ROUNDS: usize = 2;
/// Shortest part of a range that a difference then spans.
const SHORTEST: f64 = 1e-5;
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

/// The certainty of each unknown at `values`, and the correlations between them.
///
/// # Errors
/// The car cannot be loaded.
pub fn certainty(car: &Car, data: &Data, values: &[f64]) -> Result<(Vec<Certainty>, DMatrix<f64>), IdentifyError> {
    let count = values.len();
    let ranges: Vec<[f64; 2]> = car.unknowns.iter().map(|unknown| unknown.range).collect();
    let here = data.residuals(car, values)?;
    let mut steps: Vec<f64> = (0..count).map(|k| car.difference(k, LONGEST).1 / width(ranges[k])).collect();
    let (mut normal, mut scatter) = sums(car, data, values, &here, &steps)?;
    for _ in 0..ROUNDS {
        for (k, step) in steps.iter_mut().enumerate().filter(|(k, _)| normal[(*k, *k)] > 0.0) {
            let alone = scatter[(k, k)].sqrt() / normal[(k, k)];
            *step = car.difference(k, alone.clamp(SHORTEST, LONGEST)).1 / width(ranges[k]);
        }
        (normal, scatter) = sums(car, data, values, &here, &steps)?;
    }
    let windows = here.len();
    let spare = windows.saturating_sub(count).max(1);
    // What no data touch is left out of the inverse, with no certainty.
    let scale: Vec<f64> = (0..count).map(|k| normal[(k, k)].sqrt()).collect();
    let known: Vec<usize> = (0..count).filter(|&k| scale[k] > 1e-9).collect();
    let scaled = DMatrix::from_fn(known.len(), known.len(), |i, j| {
        normal[(known[i], known[j])] / (scale[known[i]] * scale[known[j]])
    });
    let inverse = scaled
        .clone()
        .try_inverse()
        .filter(|inverse| inverse.iter().all(|x| x.is_finite()) && inverse.diagonal().min() > 0.0);
    let mut certainties = vec![UNKNOWN; count];
    let mut correlation = DMatrix::identity(count, count);
    let Some(inverse) = inverse else { return Ok((certainties, correlation)) };
    let spread = DMatrix::from_fn(known.len(), known.len(), |i, j| {
        scatter[(known[i], known[j])] / (scale[known[i]] * scale[known[j]])
    });
    let covariance = &inverse * spread * &inverse * (windows as f64 / spare as f64);
    for (i, &k) in known.iter().enumerate() {
        let whole = width(ranges[k]);
        let sigma = covariance[(i, i)].max(0.0).sqrt() / scale[k];
        // Within a step of the simulation a delay may change nothing: a steering that turns at its full rate, for instance, does not see it.
        let least = if car.unknowns[k].is_delay() { car.difference(k, 0.0).1 / whole } else { 0.0 };
        let bound = student(spare);
        let half_width = (bound * sigma).max(least);
        certainties[k] = Certainty {
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
    Ok((certainties, correlation))
}

/// The sums over windows of JᵀJ and of the squares of gradients, per whole range, from differences over these parts of the ranges to both sides where the ranges allow it.
fn sums(
    car: &Car,
    data: &Data,
    values: &[f64],
    here: &[Vec<f64>],
    steps: &[f64],
) -> Result<(DMatrix<f64>, DMatrix<f64>), IdentifyError> {
    let moved = |k: usize| {
        let at = |value: f64| {
            let mut there = values.to_vec();
            there[k] = value;
            data.residuals(car, &there)
        };
        let range = car.unknowns[k].range;
        let step = steps[k] * width(range);
        let (below, above) = ((values[k] - step).max(range[0]), (values[k] + step).min(range[1]));
        Ok::<_, IdentifyError>(((above - below) / width(range), [at(below)?, at(above)?]))
    };
    let moved: Result<Vec<_>, IdentifyError> = (0..values.len()).into_par_iter().map(moved).collect();
    let moved = moved?;
    let mut normal = DMatrix::zeros(values.len(), values.len());
    let mut scatter = normal.clone();
    for (window, residuals) in here.iter().enumerate() {
        let columns: Vec<DVector<f64>> = moved
            .iter()
            .map(|(step, [below, above])| {
                let pairs = above[window].iter().zip(&below[window]);
                DVector::from_iterator(residuals.len(), pairs.map(|(above, below)| (above - below) / step))
            })
            .collect();
        if columns.is_empty() || residuals.is_empty() {
            continue;
        }
        let jacobian = DMatrix::from_columns(&columns);
        let gradient = jacobian.transpose() * DVector::from_column_slice(residuals);
        normal += jacobian.transpose() * &jacobian;
        scatter += &gradient * gradient.transpose();
    }
    Ok((normal, scatter))
}

fn width([low, high]: [f64; 2]) -> f64 {
    high - low
}

/// The 97.5 % point of Student's distribution with `freedom` degrees of freedom, to 2 % from 3 on (series of R. A. Fisher and E. A. Cornish, 1960).
fn student(freedom: usize) -> f64 {
    const Z: f64 = 1.959_963_984_540_054;
    let n = freedom.max(1) as f64;
    let z3 = Z.powi(3);
    let (z5, z7) = (Z.powi(5), Z.powi(7));
    if freedom == 1 {
        return 12.706;
    }
    Z + (z3 + Z) / (4.0 * n)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * Z) / (96.0 * n * n)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * Z) / (384.0 * n.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_distribution_is_that_of_the_tables() {
        for (freedom, table) in [(1, 12.706), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)] {
            assert!((student(freedom) / table - 1.0).abs() < 0.02, "{freedom}: {}", student(freedom));
        }
    }
}
