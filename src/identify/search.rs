//! The search of one class: fits its unknowns and the start states of the windows, and holds the unknowns that the data
//! do not determine.

use serde::{Deserialize, Serialize};
use skidpad_files::diagnostic::Diagnostic;

use super::IdentifyError;
use super::car::Car;
use super::config::{IdentifyConfig, Unknown};
use super::data::Data;
use super::fit::{self, BestSeen, Fit, Observer, Progress};
use super::global::global_search;
use super::profile::{Profile, Profiles, profiles};
use super::starts::Starts;
use super::uncertainty::{Certainties, Certainty, UNDETERMINED, certainties};

/// Most rounds in which the start states of the windows are fitted again.
const MAX_ROUNDS: usize = 6;
/// Most times that a search is continued from a nearby point with a lower cost than where it stopped.
const MAX_RESTARTS: usize = 3;
/// Change of an unknown, relative to its range, below which it has settled; of a delay at least one step of the
/// simulation.
const SETTLED: f64 = 3e-6;

/// An unknown with its value, and how certain that is.
#[derive(Clone, Debug, PartialEq)]
pub struct UnknownEstimate {
    /// The unknown as the config states it.
    pub unknown: Unknown,
    /// Value in the unit of the number, at the best point that was seen.
    pub value: f64,
    /// Uncertainty of the value, and whether the data determine it: unknown unless the search has converged.
    pub certainty: Certainty,
    /// Whether it was held at its value, because the data do not determine it.
    pub is_held: bool,
    /// Name of the unknown with which it is most correlated, and the coefficient of correlation [-]; none if it is
    /// held.
    pub most_correlated: Option<(String, f64)>,
    /// Profile likelihood, if the config asks for profiles.
    pub profile: Option<Profile>,
}

/// An end of the interval of an unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// The end of its range, which the data do not reach.
    Range(f64),
    /// The end of its 95 % interval.
    Data(f64),
}

impl UnknownEstimate {
    /// The 95 % interval in the unit of the number, as far as its range allows.
    pub fn interval(&self) -> [Bound; 2] {
        let ([low, high], width) = (self.unknown.range, self.certainty.half_width);
        let (from, to) = (self.value - width, self.value + width);
        [
            if from < low { Bound::Range(low) } else { Bound::Data(from) },
            if to > high { Bound::Range(high) } else { Bound::Data(to) },
        ]
    }
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
    /// The point that predicts best, of a search that has used its budget: its result. Values of the unknowns that are
    /// not held.
    #[serde(default)]
    pub best_seen: Option<BestSeen>,
}

/// The result of a search.
pub(super) struct Searched {
    /// What was found of each unknown, in the order of the car.
    pub estimates: Vec<UnknownEstimate>,
    /// The last local search.
    pub fit: Fit,
    /// The start states of the windows with which it ended.
    pub starts: Starts,
}

/// The progress of a search, for observers.
#[derive(Clone, Debug)]
pub enum Step {
    /// After a generation of the global search, which cannot resume from a point.
    Global(Point),
    /// After an evaluation of the local search.
    Local(Point),
    /// The point at which a local search ended, and from which the next one goes on.
    Reached(Point),
}

impl Step {
    /// The point that the search has reached.
    pub fn point(&self) -> &Point {
        let (Step::Global(point) | Step::Local(point) | Step::Reached(point)) = self;
        point
    }
}

/// Searches the unknowns of a car, from an earlier point if there is one. Where the search has converged, the data may
/// leave unknowns undetermined: the least certain of them is held where it is, and the intervals of the others are
/// computed again, until the data determine all others. The result of a search that does not converge within its
/// budget is the point that predicts best of those that it has seen, without intervals.
///
/// # Errors
/// The car cannot be loaded, or the data determine no unknown.
pub(super) fn search(
    car: &Car,
    data: &Data,
    config: &IdentifyConfig,
    earlier: Option<Point>,
    observer: &dyn Fn(Step),
) -> Result<Searched, IdentifyError> {
    let mut data = data.clone();
    let is_new = earlier.is_none();
    let Point { mut values, mut held, mut evaluations, mut best_seen, .. } =
        earlier.unwrap_or_else(|| Point { values: car.start(), ..Point::default() });
    if is_new && config.search.evaluations > 0 {
        let observer = &|progress: Progress<'_>| observer(Step::Global(progress.of_all(progress.values, &[])));
        (values, evaluations) = global_search(car, &data, config.search.evaluations, config.search.seed, observer)?;
    }
    let mut restarts = 0;
    let mut fit: Option<Fit> = None;
    let (fitted, known) = loop {
        let free = car.free(&held);
        let free_car = car.holding(&held, &values);
        let fitted = match fit.take() {
            // An unknown that is held at the best point leaves the others at theirs.
            Some(fitted) => fitted,
            None => {
                let budget = config.budget.saturating_sub(evaluations);
                let observe: Observer<'_> =
                    &|progress| observer(Step::Local(progress.after(evaluations).of_all(&values, &held)));
                let fitted = fit_with_starts(&free_car, &mut data, budget, observe, &mut best_seen)?;
                evaluations += fitted.evaluations;
                values = merged(&values, &free, &fitted.values);
                fitted
            }
        };
        let best = best_seen.take();
        if fitted.cost.is_finite() {
            let (values, held, best_seen) = (values.clone(), held.clone(), best.clone());
            observer(Step::Reached(Point { values, held, evaluations, cost: fitted.cost, best_seen }));
        }
        if !fitted.has_converged {
            values = best.map_or(values.clone(), |best| merged(&values, &free, &best.values));
            break (fitted, None);
        }
        let at: Vec<f64> = free.iter().map(|&k| values[k]).collect();
        let mut known = certainties(&free_car, &data, &at)?;
        let open = (0..free.len()).filter(|&k| !known.by_unknown[k].is_determined);
        let width = |k: usize| {
            let [low, high] = free_car.unknowns[k].range;
            known.by_unknown[k].of_windows / (high - low)
        };
        let worst = open.max_by(|&a, &b| width(a).total_cmp(&width(b)));
        let profiles = match (worst, config.profiles, &known.lower) {
            (None, true, None) => profiles(car, &data, &held, &values, known.cost, &known.by_unknown, config.budget)?,
            _ => Profiles::default(),
        };
        let lower = known.lower.take().map(|lower| merged(&values, &free, &lower)).or(profiles.lower);
        if let Some(lower) = lower {
            values = lower;
            if restarts < MAX_RESTARTS {
                restarts += 1;
                continue;
            }
        }
        let Some(worst) = worst else { break (fitted, Some((free, known, profiles.by_unknown))) };
        held.push(free[worst]);
        if held.len() == values.len() {
            return Err(Diagnostic::new("unknowns", "the recordings determine none of the unknowns")
                .hint("docs/identification.md lists the manoeuvres that show each unknown")
                .into());
        }
        fit = Some(fitted);
    };
    let mut estimates: Vec<UnknownEstimate> = Vec::with_capacity(values.len());
    for (k, unknown) in car.unknowns.iter().enumerate() {
        // Rounded as the class file has it, so that the scores are those of the written class.
        let (unknown, value, is_held) = (unknown.clone(), rounded(values[k]), held.contains(&k));
        estimates.push(UnknownEstimate {
            unknown,
            value,
            certainty: UNDETERMINED,
            is_held,
            most_correlated: None,
            profile: None,
        });
    }
    if let Some((free, Certainties { by_unknown, correlation, .. }, profiles)) = known {
        estimates.iter_mut().zip(profiles).for_each(|(estimate, profile)| estimate.profile = Some(profile));
        for (row, &k) in free.iter().enumerate() {
            let share = |other: usize| correlation[(row, other)];
            let other_rows = (0..free.len()).filter(|&other| other != row);
            let most = other_rows.max_by(|&a, &b| share(a).abs().total_cmp(&share(b).abs()));
            estimates[k].most_correlated = most.map(|most| (car.unknowns[free[most]].name().to_owned(), share(most)));
            estimates[k].certainty = by_unknown[row];
        }
    }
    Ok(Searched { estimates, fit: Fit { evaluations, ..fitted }, starts: data.starts })
}

/// All values, with those of the `free` unknowns from `free_values`.
pub(super) fn merged(values: &[f64], free: &[usize], free_values: &[f64]) -> Vec<f64> {
    let mut all = values.to_vec();
    free.iter().zip(free_values).for_each(|(k, value)| all[*k] = *value);
    all
}

impl Progress<'_> {
    /// The point of all unknowns: the fitted ones from here, those in `held` from `values`.
    fn of_all(&self, values: &[f64], held: &[usize]) -> Point {
        let mut free = self.values.iter();
        let value = |k: usize| if held.contains(&k) { None } else { free.next().copied() };
        let free_values = (0..values.len()).map(value).collect::<Vec<_>>();
        let values = free_values.into_iter().zip(values).map(|(free, held)| free.unwrap_or(*held)).collect();
        Point { values, held: held.to_vec(), evaluations: self.evaluations, cost: self.cost, best_seen: None }
    }
}

/// Fits the unknowns and the start states of the windows in turn, until the unknowns settle.
/// Notes the point that predicts best from the measured states; after the first round windows do not start there.
fn fit_with_starts(
    car: &Car,
    data: &mut Data,
    budget: usize,
    observer: Observer<'_>,
    best_seen: &mut Option<BestSeen>,
) -> Result<Fit, IdentifyError> {
    let has_delay = car.unknowns.iter().any(Unknown::is_delay);
    let mut fitted = fit::fit_noting(car, data, budget, observer, best_seen)?;
    for _ in 0..MAX_ROUNDS {
        if data.starts.are_exact() || !fitted.has_converged {
            break;
        }
        // Start states that are fitted without a search after them would make the values look worse than they are.
        let needed = data.starts.most_evaluations() + car.unknowns.len() + 2;
        if fitted.evaluations + needed > budget {
            return Ok(fitted.out_of_budget());
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
