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
use super::fit::{self, LOWER};
use super::search::merged;
use super::uncertainty::{Certainty, certainties};

/// Step of the held unknown, relative to half the 95 % interval; at most [`MAX_STEP`] of the range.
const STEP: f64 = 0.5;
/// Longest step, relative to the range of the unknown.
const MAX_STEP: f64 = 0.125;
/// Most steps to either side: if the bound is not reached by then, the interval is open on that side.
const MAX_STEPS: usize = 8;

/// The profile likelihood of an unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Value of the unknown, and the number of standard deviations by which the data disagree with it; sorted by value.
    pub points: Vec<(f64, f64)>,
    /// Number of standard deviations at the ends of the 95 % interval.
    pub bound: f64,
    /// Lower and upper end of the 95 % interval; none: not reached within the range.
    pub interval: [Option<f64>; 2],
    /// Whether all of its searches have converged: otherwise the interval is not known.
    pub has_converged: bool,
}

impl Profile {
    /// The interval as text for tables, with this many decimals.
    pub(crate) fn interval_text(&self, digits: usize) -> String {
        match self.interval {
            _ if !self.has_converged => "not converged".into(),
            [Some(low), Some(high)] => format!("{low:.digits$} to {high:.digits$}"),
            [Some(low), None] => format!("from {low:.digits$}"),
            [None, Some(high)] => format!("up to {high:.digits$}"),
            [None, None] => "open".into(),
        }
    }
}

/// The profiles of all unknowns of a car.
#[derive(Debug, Default)]
pub(super) struct Profiles {
    /// Profile of each unknown, in the order of the car.
    pub by_unknown: Vec<Profile>,
    /// Values of all unknowns at the point with the lowest cost that was seen, if it is lower than that of the search.
    pub lower: Option<Vec<f64>>,
}

/// The profiles of all unknowns of a car. `values` are the best values of all unknowns, of which those in `held` are not
/// fitted, and `cost` and `known` are the cost there and the certainties of the others; `budget` is that of each search.
///
/// # Errors
/// The car cannot be loaded.
pub(super) fn profiles(
    car: &Car,
    data: &Data,
    held: &[usize],
    values: &[f64],
    cost: f64,
    known: &[Certainty],
    budget: usize,
) -> Result<Profiles, IdentifyError> {
    let free = car.free(held);
    let mut search = Search { car, data, budget, lowest: (cost, None) };
    let mut by_unknown = Vec::with_capacity(values.len());
    for k in 0..values.len() {
        let certainty = free.iter().position(|&free_index| free_index == k).map(|place| known[place]);
        by_unknown.push(search.profile(held, values, k, certainty.map(|certainty| (cost, certainty)))?);
    }
    let (lowest, lower) = search.lowest;
    Ok(Profiles { by_unknown, lower: lower.filter(|_| lowest < (1.0 - LOWER) * cost) })
}

/// The searches that make profiles.
struct Search<'a> {
    car: &'a Car,
    data: &'a Data,
    /// Most evaluations of all windows by each search.
    budget: usize,
    /// The lowest cost so far [-], and the values of all unknowns there; none: those of the search before.
    lowest: (f64, Option<Vec<f64>>),
}

impl Search<'_> {
    /// Fits all unknowns but those in `held`; returns the values of all unknowns, and the fit.
    fn fit(&mut self, held: &[usize], values: &[f64]) -> Result<(Vec<f64>, fit::Fit), IdentifyError> {
        let fitted = fit::fit(&self.car.holding(held, values), self.data, self.budget, &|_| {})?;
        let values = merged(values, &self.car.free(held), &fitted.values);
        if fitted.cost < self.lowest.0 {
            self.lowest = (fitted.cost, Some(values.clone()));
        }
        Ok((values, fitted))
    }

    /// The profile of unknown `k` of a car. `values` are the best values of all unknowns, of which those in `held` are
    /// not fitted. `best` is the cost and the certainty of `k` where it is fitted; without it, that fit is made first.
    fn profile(
        &mut self,
        held: &[usize],
        values: &[f64],
        k: usize,
        best: Option<(f64, Certainty)>,
    ) -> Result<Profile, IdentifyError> {
        let held: Vec<usize> = held.iter().copied().filter(|&other| other != k).collect();
        let free = self.car.free(&held);
        let mut all = values.to_vec();
        let mut has_converged = true;
        let (cost, certainty) = match best {
            Some(best) => best,
            // The unknown is held, but its profile is about its best value.
            None => {
                let (fitted, fit) = self.fit(&held, values)?;
                let known = certainties(&self.car.holding(&held, values), self.data, &fit.values)?.by_unknown;
                (all, has_converged) = (fitted, fit.has_converged);
                (fit.cost, known[free.iter().position(|&free_index| free_index == k).unwrap_or(0)])
            }
        };
        let [low, high] = self.car.unknowns[k].range;
        let Certainty { inflation, bound, half_width, .. } = certainty;
        let step = (STEP * half_width).min(MAX_STEP * (high - low));
        let mut profile = Profile { points: vec![(all[k], 0.0)], bound, interval: [None; 2], has_converged };
        if free.len() < 2 {
            return Ok(profile);
        }
        let held_with_k: Vec<usize> = held.iter().copied().chain([k]).collect();
        for (end, sign) in profile.interval.iter_mut().zip([-1.0, 1.0]) {
            let mut point = all.clone();
            let (mut last, mut last_height) = (all[k], 0.0);
            for _ in 0..MAX_STEPS {
                point[k] = (last + sign * step).clamp(low, high);
                if point[k] == last {
                    break;
                }
                let (fitted, fit) = self.fit(&held_with_k, &point)?;
                profile.has_converged &= fit.has_converged;
                point = fitted;
                let height = (2.0 * (fit.cost - cost).max(0.0) / inflation).sqrt();
                profile.points.push((point[k], height));
                if height >= bound {
                    *end = Some(last + (point[k] - last) * (bound - last_height) / (height - last_height));
                    break;
                }
                (last, last_height) = (point[k], height);
            }
        }
        profile.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(profile)
    }
}
