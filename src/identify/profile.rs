//! Profile likelihoods: an unknown is held at values further and further from its best one, and at each of them all
//! other unknowns are fitted again. The increase of the cost shows which values the data rule out, also where the cost
//! is not a parabola, such as when the data bound the unknown on one side only.
//!
//! Residuals within a window are correlated, so the increase of twice the cost is divided by a variance ratio: that of
//! the scatter of whole windows over the one that the curvature of the cost alone implies (F. Pauli, W. Racugno and L.
//! Ventura, "Bayesian composite marginal likelihoods", Statistica Sinica 21, 2011, eq. 2.5). The square root of the
//! quotient is a number of standard deviations.

use super::IdentifyError;
use super::car::Car;
use super::data::Data;
use super::fit;
use super::uncertainty::{Certainty, certainties};

/// Step of the held unknown, relative to half the 95 % interval; at most [`LONGEST`] of the range.
const STEP: f64 = 0.5;
/// Longest step, relative to the range of the unknown.
const LONGEST: f64 = 0.125;
/// Most steps to either side: if the bound is not reached by then, the interval is open on that side.
const MOST_STEPS: usize = 8;

/// The profile likelihood of an unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Value of the unknown, and the number of standard deviations by which the data disagree with it; sorted by value.
    pub points: Vec<(f64, f64)>,
    /// Number of standard deviations at the ends of the 95 % interval.
    pub bound: f64,
    /// Lower and upper end of the 95 % interval; none: not reached within the range.
    pub interval: [Option<f64>; 2],
}

impl Profile {
    /// The interval as text for tables, with this many decimals.
    pub fn interval_text(&self, digits: usize) -> String {
        match self.interval {
            [Some(low), Some(high)] => format!("{low:.digits$} to {high:.digits$}"),
            [Some(low), None] => format!("from {low:.digits$}"),
            [None, Some(high)] => format!("up to {high:.digits$}"),
            [None, None] => "open".into(),
        }
    }
}

/// The best fit in which the profiled unknown is fitted, not held.
#[derive(Clone, Copy)]
pub(super) struct Best {
    /// Half the sum of squares of the residuals [-], with priors.
    pub cost: f64,
    /// Certainty of the profiled unknown.
    pub certainty: Certainty,
}

/// The profile of unknown `k` of a car. `values` are the best values of all unknowns, of which those in `held` are not
/// fitted. `best` is the fit in which `k` is fitted; without it, that fit is made first.
///
/// # Errors
/// The car cannot be loaded.
pub(super) fn profile(
    car: &Car,
    data: &Data,
    (held, values): (&[usize], &[f64]),
    k: usize,
    best: Option<Best>,
    budget: usize,
) -> Result<Profile, IdentifyError> {
    let held: Vec<usize> = held.iter().copied().filter(|&other| other != k).collect();
    let free = car.free(&held);
    let silent = |_: fit::Progress<'_>| {};
    let mut all = values.to_vec();
    let best = match best {
        Some(best) => best,
        // The unknown is held, but its profile is about its best value.
        None => {
            let fitted = fit::fit(&car.holding(&held, values), data, budget, &silent)?;
            let known = certainties(&car.holding(&held, values), data, &fitted.values)?.each;
            free.iter().zip(&fitted.values).for_each(|(k, value)| all[*k] = *value);
            let index = free.iter().position(|&there| there == k).unwrap_or(0);
            Best { cost: fitted.cost, certainty: known[index] }
        }
    };
    let [low, high] = car.unknowns[k].range;
    let Certainty { inflation, bound, half_width, .. } = best.certainty;
    let step = (STEP * half_width).min(LONGEST * (high - low));
    let mut profile = Profile { points: vec![(all[k], 0.0)], bound, interval: [None; 2] };
    if free.len() < 2 {
        return Ok(profile);
    }
    let rest: Vec<usize> = held.iter().copied().chain([k]).collect();
    for (end, sign) in profile.interval.iter_mut().zip([-1.0, 1.0]) {
        let mut there = all.clone();
        let (mut last, mut last_height) = (all[k], 0.0);
        for _ in 0..MOST_STEPS {
            there[k] = (last + sign * step).clamp(low, high);
            if there[k] == last {
                break;
            }
            let fitted = fit::fit(&car.holding(&rest, &there), data, budget, &silent)?;
            car.free(&rest).iter().zip(&fitted.values).for_each(|(k, value)| there[*k] = *value);
            let height = (2.0 * (fitted.cost - best.cost).max(0.0) / inflation).sqrt();
            profile.points.push((there[k], height));
            if height >= bound {
                *end = Some(last + (there[k] - last) * (bound - last_height) / (height - last_height));
                break;
            }
            (last, last_height) = (there[k], height);
        }
    }
    profile.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(profile)
}
