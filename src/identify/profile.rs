//! Profiles of the likelihood: an unknown is held beside its best value, step by step, and all others are fitted again. How much worse the best fit becomes shows what the data say of it, also where
//! the cost is no parabola: on one side only, or nothing at all.
//!
//! The rise of twice the cost is divided by the ratio of the variance that the scatter of whole windows gives to the one that curvature alone would give, because residuals within a window
//! belong together (F. Pauli, W. Racugno and L. Ventura, "Bayesian composite marginal likelihoods", Statistica Sinica 21, 2011, eq. 2.5). Its root counts standard deviations.

use super::IdentifyError;
use super::car::Car;
use super::data::Data;
use super::fit;
use super::uncertainty::{Certainty, certainties};

/// A step is this part of half the 95 % interval, and at most [`LONGEST`] of the range.
const STEP: f64 = 0.5;
/// Longest step, in parts of the range.
const LONGEST: f64 = 0.125;
/// Most steps to either side: beyond, the unknown counts as open there.
const MOST_STEPS: usize = 8;

/// How the best fit becomes worse as an unknown moves away from its best value.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Value, and standard deviations by which the data speak against it; by value.
    pub points: Vec<(f64, f64)>,
    /// Standard deviations at the ends of the 95 % interval.
    pub bound: f64,
    /// The ends of the 95 % interval; none: open within the range.
    pub interval: [Option<f64>; 2],
}

impl Profile {
    /// The interval in words.
    pub fn words(&self, digits: usize) -> String {
        match self.interval {
            [Some(low), Some(high)] => format!("{low:.digits$} to {high:.digits$}"),
            [Some(low), None] => format!("from {low:.digits$}"),
            [None, Some(high)] => format!("up to {high:.digits$}"),
            [None, None] => "open".into(),
        }
    }
}

/// The best fit with an unknown among those that are fitted.
#[derive(Clone, Copy)]
pub(super) struct Best {
    /// Half the sum of squares of the residuals there.
    pub cost: f64,
    /// What is known there about the unknown.
    pub certainty: Certainty,
}

/// The profile of unknown `k` of a car, of whose unknowns `held` are held at their place in `values`, the best ones. `best` is their fit where
/// `k` is fitted; without it the fit with `k` free is searched.
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
        // An unknown that is held has a best value as well.
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
