//! Variance components of dead reckoning by restricted maximum likelihood (H. D. Patterson and R. Thompson, Biometrika 58,
//! 1971): errors of windows are normal, with a covariance that is linear in the unknown variances, about a mean that is
//! linear in the systematic errors of each robot.
//!
//! A few steps of the MM algorithm (H. Zhou, L. Hu, J. Zhou and K. Lange, Journal of Computational and Graphical Statistics
//! 28, 2019), which keeps variances positive, then Fisher's scoring, damped, with variances that may end at 0.

use nalgebra::{DMatrix, DVector, Matrix3, SMatrix, Vector3};

use super::reckoning::{VARIANCES, Window};

/// A list of variances: along, across, yaw per way, yaw per turn [m²/m, m²/m, rad²/m, rad²/rad], and the noise of measured
/// positions and headings [m², rad²].
pub(super) type Variances = [f64; VARIANCES];

/// Least variance of an error of position or heading [m², rad²]: a micrometre.
const MIN_VARIANCE: f64 = 1e-12;
/// Standard deviation of each error from which the search starts, per unit of way or turn.
const START: f64 = 0.02;
/// Steps of the MM algorithm, and most steps of scoring.
const MM_STEPS: usize = 30;
const SCORING_STEPS: usize = 60;
/// The 97.5 % point of the normal distribution.
pub(super) const NORMAL: f64 = 1.96;
/// Gain of the log-likelihood below which the search has converged.
const CONVERGED: f64 = 1e-8;

/// Systematic errors of a robot that fit its windows best, given the variances.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// Change of the systematic errors from those that the windows are about.
    pub change: Vector3<f64>,
    /// Covariance of that estimate.
    pub covariance: Matrix3<f64>,
}

/// What was found of the variances.
#[derive(Clone, Debug)]
pub(super) struct VarianceFit {
    pub variances: Variances,
    /// Half the width of the 95 % interval of each variance, from the scatter of the gradients of windows; of one at 0 from
    /// the curvature of the likelihood.
    pub half_widths: Variances,
    /// The systematic errors of each robot.
    pub groups: Vec<Group>,
}

/// Likelihood at some variances, with its derivatives.
struct Likelihood {
    value: f64,
    /// Gradient of each window.
    gradients: Vec<Variances>,
    /// Fisher's information.
    information: SMatrix<f64, VARIANCES, VARIANCES>,
    /// Share of the quadratic form, and trace, by variance.
    quadratics: Variances,
    traces: Variances,
    groups: Vec<Group>,
}

impl Likelihood {
    /// None if the windows of a robot do not determine its systematic errors.
    fn at(robots: &[Vec<Window>], variances: &Variances) -> Option<Likelihood> {
        let mut likelihood = Likelihood {
            value: 0.0,
            gradients: Vec::new(),
            information: SMatrix::zeros(),
            quadratics: [0.0; VARIANCES],
            traces: [0.0; VARIANCES],
            groups: Vec::new(),
        };
        for windows in robots {
            let inverses: Vec<Matrix3<f64>> =
                windows.iter().map(|window| covariance(window, variances).try_inverse()).collect::<Option<_>>()?;
            let (mut normal, mut right) = (Matrix3::zeros(), Vector3::zeros());
            for (window, inverse) in windows.iter().zip(&inverses) {
                let weighted = window.by_systematic.transpose() * inverse;
                normal += weighted * window.by_systematic;
                right += weighted * window.error;
                likelihood.value += 0.5 * inverse.determinant().ln();
            }
            let group = normal.try_inverse()?;
            let change = group * right;
            likelihood.value -= 0.5 * normal.determinant().ln();
            for (window, inverse) in windows.iter().zip(&inverses) {
                let residual = window.error - window.by_systematic * change;
                likelihood.value -= 0.5 * residual.dot(&(inverse * residual));
                let weighted = inverse * residual;
                let slope = inverse * window.by_systematic;
                // V⁻¹ less what the systematic errors take of it.
                let free = inverse - slope * group * slope.transpose();
                let products = window.by_variance.map(|by| free * by);
                let mut gradient = [0.0; VARIANCES];
                for k in 0..VARIANCES {
                    let quadratic = weighted.dot(&(window.by_variance[k] * weighted));
                    likelihood.quadratics[k] += quadratic;
                    likelihood.traces[k] += products[k].trace();
                    gradient[k] = 0.5 * (quadratic - products[k].trace());
                    for l in 0..=k {
                        likelihood.information[(k, l)] += 0.5 * (products[k] * products[l]).trace();
                    }
                }
                likelihood.gradients.push(gradient);
            }
            likelihood.groups.push(Group { change, covariance: group });
        }
        likelihood.information.fill_upper_triangle_with_lower_triangle();
        likelihood.value.is_finite().then_some(likelihood)
    }

    fn gradient(&self) -> Variances {
        std::array::from_fn(|k| self.gradients.iter().map(|gradient| gradient[k]).sum())
    }

    /// The variances that are not held at 0 by the likelihood.
    fn free(&self, variances: &Variances) -> Vec<usize> {
        let gradient = self.gradient();
        (0..VARIANCES).filter(|&k| variances[k] > 0.0 || gradient[k] > 0.0).collect()
    }

    /// The information of these variances.
    fn information_of(&self, free: &[usize]) -> DMatrix<f64> {
        DMatrix::from_fn(free.len(), free.len(), |row, column| self.information[(free[row], free[column])])
    }
}

/// Covariance of the error of a window.
pub(super) fn covariance(window: &Window, variances: &Variances) -> Matrix3<f64> {
    let parts = window.by_variance.iter().zip(variances);
    parts.fold(Matrix3::from_diagonal_element(MIN_VARIANCE), |sum, (by, variance)| sum + by * *variance)
}

/// The variances under which the errors of the windows of each robot are most likely; none if they do not determine the
/// systematic errors of a robot.
pub(super) fn fitted(robots: &[Vec<Window>]) -> Option<VarianceFit> {
    let mut variances = [START * START; VARIANCES];
    for _ in 0..MM_STEPS {
        let now = Likelihood::at(robots, &variances)?;
        for (k, variance) in variances.iter_mut().enumerate() {
            if now.traces[k] > 0.0 {
                *variance *= (now.quadratics[k] / now.traces[k]).sqrt();
            }
        }
    }
    let mut now = Likelihood::at(robots, &variances)?;
    let mut damping = 1e-3;
    for _ in 0..SCORING_STEPS {
        let free = now.free(&variances);
        let gradient = now.gradient();
        let mut information = now.information_of(&free);
        for k in 0..free.len() {
            information[(k, k)] *= 1.0 + damping;
        }
        let step = information.lu().solve(&DVector::from_iterator(free.len(), free.iter().map(|&k| gradient[k])));
        let mut trial = variances;
        for (&k, step) in free.iter().zip(step.iter().flat_map(|step| step.iter())) {
            trial[k] = (variances[k] + step).max(0.0);
        }
        match Likelihood::at(robots, &trial).filter(|next| next.value >= now.value) {
            Some(next) => {
                let gain = next.value - now.value;
                (variances, now, damping) = (trial, next, (0.1 * damping).max(1e-9));
                if gain < CONVERGED {
                    break;
                }
            }
            None if damping > 1e9 => break,
            None => damping *= 10.0,
        }
    }
    let half_widths = half_widths(&now, &variances);
    Some(VarianceFit { variances, half_widths, groups: now.groups })
}

/// Half the widths of the 95 % intervals of variances.
fn half_widths(now: &Likelihood, variances: &Variances) -> Variances {
    let free: Vec<usize> = (0..VARIANCES).filter(|&k| variances[k] > 0.0).collect();
    let inverse = now.information_of(&free).try_inverse();
    std::array::from_fn(|k| match (free.iter().position(|&free_index| free_index == k), &inverse) {
        (Some(place), Some(inverse)) => {
            let change = |gradient: &Variances| -> f64 {
                free.iter().enumerate().map(|(column, &l)| inverse[(place, column)] * gradient[l]).sum()
            };
            NORMAL * now.gradients.iter().map(|gradient| change(gradient).powi(2)).sum::<f64>().sqrt()
        }
        (None, _) => {
            let with: Vec<usize> = free.iter().copied().chain([k]).collect();
            let curvature = now.information_of(&with).try_inverse().map(|inverse| inverse[(free.len(), free.len())]);
            curvature.map_or(f64::INFINITY, |variance| NORMAL * variance.sqrt())
        }
        _ => f64::INFINITY,
    })
}
