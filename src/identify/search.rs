//! The search of one class: fits its unknowns and the start states of the windows, and holds the unknowns that the data
//! do not determine.

use serde::{Deserialize, Serialize};
use skidpad_files::diagnostic::Diagnostic;

use super::IdentifyError;
use super::car::Car;
use super::config::{IdentifyConfig, Unknown};
use super::data::Data;
use super::fit::{self, Fit, Observer, Progress};
use super::global::global_search;
use super::profile::{Best, Profile, profile};
use super::uncertainty::{Certainties, Certainty, UNDETERMINED, certainties};

/// Most rounds in which the start states of the windows are fitted again.
const MOST_ROUNDS: usize = 6;
/// Most times that a search is continued from a nearby point with a lower cost than where it stopped.
const MOST_RESTARTS: usize = 3;
/// Change of an unknown, relative to its range, below which it has settled; of a delay at least one step of the
/// simulation.
const SETTLED: f64 = 3e-6;

/// An unknown with its value, and how certain that is.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The unknown as the config states it.
    pub unknown: Unknown,
    /// Value in the unit of the number: the best one if the data determine it, otherwise the mean of its prior or its
    /// start.
    pub value: f64,
    /// Uncertainty of the value, and whether the data determine it.
    pub certainty: Certainty,
    /// Name of the unknown with which it is most correlated, and the coefficient of correlation [-]; none if it is
    /// held.
    pub most_correlated: Option<(String, f64)>,
    /// Profile likelihood, if the config asks for profiles.
    pub profile: Option<Profile>,
}

/// A point of a search, from which it can resume.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Values of all unknowns, in the order of the config.
    pub values: Vec<f64>,
    /// Indices of the unknowns that are held, because the data did not determine them.
    pub held: Vec<usize>,
    /// Count of evaluations of all windows so far.
    pub evaluations: usize,
    /// Half the sum of squares of the residuals [-], with priors.
    pub cost: f64,
}

/// The progress of a search, for observers.
#[derive(Clone, Debug)]
pub enum Step {
    /// After a generation of the global search, which cannot resume from a point.
    Global(Point),
    /// After an evaluation of the local search.
    Local(Point),
}

impl Step {
    /// The point that the search has reached.
    pub fn point(&self) -> &Point {
        let (Step::Global(point) | Step::Local(point)) = self;
        point
    }
}

/// Searches the unknowns of a car, from an earlier point if there is one. As long as the data leave unknowns
/// undetermined, the least certain of them is held at the mean of its prior, or at its start, and the others are fitted
/// again.
///
/// # Errors
/// The car cannot be loaded, or the data determine no unknown.
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
        let observer = &|progress: Progress<'_>| observer(Step::Global(progress.of_all(progress.values, &[])));
        (values, evaluations) = global_search(car, &data, (config.search.evaluations, config.search.seed), observer)?;
    }
    let mut all_certainties = vec![UNDETERMINED; values.len()];
    let mut restarts = 0;
    let (fitted, rest, correlation) = loop {
        let free = car.free(&held);
        let rest = car.holding(&held, &values);
        let budget = config.budget.saturating_sub(evaluations);
        let fitted = fit_with_starts(&rest, &mut data, budget, &|progress| {
            observer(Step::Local(progress.after(evaluations).of_all(&values, &held)));
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
            return Err(Diagnostic::new("unknowns", "the recordings determine none of them")
                .hint("docs/identification.md says which manoeuvres show which")
                .into());
        }
    };
    let free = car.free(&held);
    let mut found = Vec::with_capacity(values.len());
    for k in 0..values.len() {
        let most_correlated = free.iter().position(|&there| there == k).and_then(|row| {
            let others = (0..free.len()).filter(|&other| other != row);
            let most = others.max_by(|&a, &b| correlation[(row, a)].abs().total_cmp(&correlation[(row, b)].abs()))?;
            Some((rest.unknowns[most].name().to_owned(), correlation[(row, most)]))
        });
        let profile = match config.profiles {
            true => {
                // A search that ran out of budget has not reached the best fit.
                let is_best = !held.contains(&k) && !fitted.is_out_of_budget;
                let best = is_best.then_some(Best { cost: fitted.cost, certainty: all_certainties[k] });
                Some(profile(car, &data, (&held, &values), k, best, config.budget)?)
            }
            false => None,
        };
        // Rounded as the class file has it, so that the scores are those of the written class.
        let value = rounded(values[k]);
        found.push(Found {
            unknown: car.unknowns[k].clone(),
            value,
            certainty: all_certainties[k],
            most_correlated,
            profile,
        });
    }
    Ok((found, Fit { evaluations, ..fitted }))
}

impl Progress<'_> {
    /// The point of all unknowns: the fitted ones from here, those in `held` from `values`.
    fn of_all(&self, values: &[f64], held: &[usize]) -> Point {
        let mut free = self.values.iter();
        let value = |k: usize| if held.contains(&k) { None } else { free.next().copied() };
        let found = (0..values.len()).map(value).collect::<Vec<_>>();
        let values = found.into_iter().zip(values).map(|(found, held)| found.unwrap_or(*held)).collect();
        Point { values, held: held.to_vec(), evaluations: self.evaluations, cost: self.cost }
    }
}

/// Fits the unknowns and the start states of the windows in turn, until the unknowns settle.
fn fit_with_starts(car: &Car, data: &mut Data, budget: usize, observer: Observer<'_>) -> Result<Fit, IdentifyError> {
    let has_delay = car.unknowns.iter().any(Unknown::is_delay);
    let mut fitted = fit::fit(car, data, budget, observer)?;
    for _ in 0..MOST_ROUNDS {
        if data.starts.are_exact() || fitted.evaluations >= budget {
            break;
        }
        let (starts, evaluations) = data.starts.fitted_to(data, car, &fitted.values)?;
        data.starts = starts;
        let before = std::mem::take(&mut fitted.values);
        let evaluations = fitted.evaluations + evaluations;
        // With delays the coarse search is needed again, to get past their kinks.
        let search = if has_delay { fit::fit } else { fit::fit_finely };
        let refined = search(&car.holding(&[], &before), data, budget.saturating_sub(evaluations), &|progress| {
            observer(progress.after(evaluations));
        })?;
        fitted = Fit { evaluations: evaluations + refined.evaluations, ..refined };
        let has_settled = |k: usize| (fitted.values[k] - before[k]).abs() < car.difference(k, SETTLED).1;
        if (0..before.len()).all(has_settled) {
            break;
        }
    }
    Ok(fitted)
}

/// A number rounded to six significant digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}
