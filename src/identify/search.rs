//! The search of one class: its unknowns, the starts of the windows, and which unknowns the data leave open.

use serde::{Deserialize, Serialize};

use super::IdentifyError;
use super::car::Car;
use super::config::{IdentifyConfig, Unknown};
use super::data::Data;
use super::far::far;
use super::fit::{self, Fit, Observer, Progress};
use super::profile::{Best, Profile, profile};
use super::uncertainty::{Certainties, Certainty, UNKNOWN, certainties};

/// Most times that the starts of the windows are fitted anew.
const MOST_ROUNDS: usize = 6;
/// Most times that a search goes on from a point that is lower than where it stopped.
const MOST_RESTARTS: usize = 3;
/// Unknowns that move by less than this part of their range stay, and delays that move by less than a step of the simulation.
const STAYS: f64 = 3e-6;

/// An unknown and what has been found of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The unknown.
    pub unknown: Unknown,
    /// Its value: where the data say something, the best one; otherwise that of its prior or start.
    pub value: f64,
    /// How certain that is.
    pub certainty: Certainty,
    /// The other unknown with which it is most correlated, and how much [-].
    pub with: Option<(String, f64)>,
    /// Its profile, where the config asks for profiles.
    pub profile: Option<Profile>,
}

/// A point of a search, from which it can go on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// All unknowns in the order of the config.
    pub values: Vec<f64>,
    /// Indices of those that the data leave open, so far.
    pub held: Vec<usize>,
    /// Evaluations of all windows until then.
    pub evaluations: usize,
    /// Half the sum of squares of the residuals.
    pub cost: f64,
}

/// What a search has come to.
#[derive(Clone, Debug)]
pub enum Step {
    /// A generation of the search over the whole ranges, which cannot go on from a point.
    Far(Point),
    /// An evaluation of the search downhill.
    Downhill(Point),
}

impl Step {
    /// Where it is.
    pub fn point(&self) -> &Point {
        let (Step::Far(point) | Step::Downhill(point)) = self;
        point
    }
}

/// Searches the unknowns of a car, from an earlier point if there is one. What the data do not determine is held where it was believed to be, the least certain first, and the rest is fitted again.
///
/// # Errors
/// The car cannot be loaded, or the data determine nothing.
pub(super) fn search(
    car: &Car,
    data: &Data,
    config: &IdentifyConfig,
    earlier: Option<Point>,
    observer: &dyn Fn(Step),
) -> Result<(Vec<Found>, Fit), IdentifyError> {
    let mut data = data.clone();
    let is_new = earlier.is_none();
    let Point { mut values, mut held, mut evaluations, .. } =
        earlier.unwrap_or_else(|| Point { values: car.start(), ..Point::default() });
    if is_new && config.search.evaluations > 0 {
        let observer = &|progress: Progress<'_>| observer(Step::Far(progress.of_all(progress.values, &[])));
        (values, evaluations) = far(car, &data, (config.search.evaluations, config.search.seed), observer)?;
    }
    let mut all_certainties = vec![UNKNOWN; values.len()];
    let mut restarts = 0;
    let (fitted, rest, correlation) = loop {
        let free = car.free(&held);
        let rest = car.holding(&held, &values);
        let budget = config.budget.saturating_sub(evaluations);
        let fitted = fit_with_starts(&rest, &mut data, budget, &|progress| {
            observer(Step::Downhill(progress.after(evaluations).of_all(&values, &held)));
        })?;
        evaluations += fitted.evaluations;
        let Certainties { each: known, correlation, lower } = certainties(&rest, &data, &fitted.values)?;
        if let Some(lower) = lower.filter(|_| restarts < MOST_RESTARTS && !fitted.is_out_of_budget) {
            restarts += 1;
            free.iter().zip(&lower).for_each(|(k, value)| values[*k] = *value);
            continue;
        }
        for ((k, value), certainty) in free.iter().zip(&fitted.values).zip(&known) {
            values[*k] = *value;
            all_certainties[*k] = *certainty;
        }
        let width = |k: usize| known[k].half_width / (rest.unknowns[k].range[1] - rest.unknowns[k].range[0]);
        let open = (0..free.len()).filter(|&k| !known[k].is_determined);
        let Some(worst) = open.max_by(|&a, &b| width(a).total_cmp(&width(b))) else {
            break (fitted, rest, correlation);
        };
        let k = free[worst];
        held.push(k);
        values[k] = match car.unknowns[k].prior {
            Some([mean, _]) => mean,
            None => car.start()[k],
        };
        if held.len() == values.len() {
            return Err(IdentifyError::Recording(
                "unknowns: the recordings determine none of them\n  hint: docs/identification.md says which manoeuvres show which"
                    .into(),
            ));
        }
    };
    let free = car.free(&held);
    let mut found = Vec::with_capacity(values.len());
    for k in 0..values.len() {
        let with = free.iter().position(|&there| there == k).and_then(|row| {
            let others = (0..free.len()).filter(|&other| other != row);
            let most = others.max_by(|&a, &b| correlation[(row, a)].abs().total_cmp(&correlation[(row, b)].abs()))?;
            Some((rest.unknowns[most].name().to_owned(), correlation[(row, most)]))
        });
        let profile = match config.profiles {
            true => {
                // A search that its budget has ended is no best fit yet.
                let is_best = !held.contains(&k) && !fitted.is_out_of_budget;
                let best = is_best.then_some(Best { cost: fitted.cost, certainty: all_certainties[k] });
                Some(profile(car, &data, (&held, &values), k, best, config.budget)?)
            }
            false => None,
        };
        // As it is written.
        let value = rounded(values[k]);
        found.push(Found { unknown: car.unknowns[k].clone(), value, certainty: all_certainties[k], with, profile });
    }
    Ok((found, Fit { evaluations, ..fitted }))
}

impl Progress<'_> {
    /// With the unknowns that are held in `values`.
    fn of_all(&self, values: &[f64], held: &[usize]) -> Point {
        let mut free = self.values.iter();
        let value = |k: usize| if held.contains(&k) { None } else { free.next().copied() };
        let found = (0..values.len()).map(value).collect::<Vec<_>>();
        let values = found.into_iter().zip(values).map(|(found, held)| found.unwrap_or(*held)).collect();
        Point { values, held: held.to_vec(), evaluations: self.evaluations, cost: self.cost }
    }
}

/// Fits the unknowns and the starts of the windows in turn, until the unknowns stay.
fn fit_with_starts(car: &Car, data: &mut Data, budget: usize, observer: Observer<'_>) -> Result<Fit, IdentifyError> {
    let has_delay = car.unknowns.iter().any(Unknown::is_delay);
    let mut fitted = fit::fit(car, data, budget, observer)?;
    for _ in 0..MOST_ROUNDS {
        if data.starts.are_exact() || fitted.evaluations >= budget {
            break;
        }
        let (starts, evaluations) = data.starts.around(data, car, &fitted.values)?;
        data.starts = starts;
        let before = std::mem::take(&mut fitted.values);
        let evaluations = fitted.evaluations + evaluations;
        // The bends of delays must be looked past again.
        let search = if has_delay { fit::fit } else { fit::fit_finely };
        let again = search(&car.holding(&[], &before), data, budget.saturating_sub(evaluations), &|progress| {
            observer(progress.after(evaluations));
        })?;
        fitted = Fit { evaluations: evaluations + again.evaluations, ..again };
        let stays = |k: usize| (fitted.values[k] - before[k]).abs() < car.difference(k, STAYS).1;
        if (0..before.len()).all(stays) {
            break;
        }
    }
    Ok(fitted)
}

/// A number with six digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}
