//! Errors of prediction, by quantity and by recording.

use super::IdentifyError;
use super::bands::{Bands, Coverage};
use super::car::Car;
use super::columns::{ROLES, Role};
use super::data::{Data, Prediction, error};
use super::ranges::Ranges;
use super::recording::Recording;

/// Error of prediction of one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// `position` [m], or the name of a quantity.
    pub name: &'static str,
    /// Lateral acceleration above which predictions are counted [m/s²]; 0: all are.
    pub beyond: f64,
    /// Unit in tables, where angles are in degrees.
    pub unit: &'static str,
    /// Root mean square of the errors, in SI and radians; NaN if all simulations failed.
    pub rms: f64,
    /// Difference between the 99th and the 1st percentile of the measured values, in SI and radians; none for poses.
    pub range: Option<f64>,
    /// Count of predictions that were compared.
    pub count: usize,
    /// Count of predictions whose simulation failed.
    pub failed: usize,
}

impl Score {
    /// Name and unit of the quantity, as in tables.
    pub fn title(&self) -> String {
        format!("{} [{}]{}", self.name, self.unit, self.beyond())
    }

    /// The lateral acceleration above which predictions are counted, for titles; empty: all are.
    pub(super) fn beyond(&self) -> String {
        if self.beyond > 0.0 { format!(" beyond {} m/s²", self.beyond) } else { String::new() }
    }

    /// Root mean square of the errors in the unit of tables.
    pub fn shown(&self) -> f64 {
        if self.unit.starts_with("deg") { self.rms.to_degrees() } else { self.rms }
    }

    /// The root mean square as text for tables.
    pub(super) fn text(&self) -> String {
        if self.rms.is_finite() { format!("{:.4}", self.shown()) } else { "–".to_owned() }
    }

    /// The root mean square relative to the range of the measured values [-]; none where they do not vary.
    pub(super) fn share(&self) -> Option<f64> {
        self.range.filter(|range| *range > 0.0).map(|range| self.rms / range).filter(|share| share.is_finite())
    }
}

/// Errors of prediction on some recordings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// On all recordings together.
    pub all: Vec<Score>,
    /// On each recording that has windows, after the name of its file.
    pub recordings: Vec<(String, Vec<Score>)>,
    /// The same where the state at the start of each window is held, in the place of a class; in the same order: what every
    /// class has to do better.
    pub held: Errors,
    /// The same of the class with the trims that are observed before each window, in the same order; none without such
    /// trims.
    pub observed: Option<Errors>,
    /// How many rows lie within the bands of the class, by quantity; empty without bands.
    pub covered: Vec<Coverage>,
    /// The same of the class with observed trims.
    pub observed_covered: Vec<Coverage>,
    /// The ranges of motion that the bands were found in; none: they are not known.
    pub ranges: Option<Ranges>,
}

/// Errors of prediction of something that is compared with a class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Errors {
    /// On all recordings together.
    pub all: Vec<Score>,
    /// On each recording that has windows, after the name of its file.
    pub recordings: Vec<(String, Vec<Score>)>,
}

impl Scores {
    /// The errors that are no less than where the state is held, each with that one.
    pub fn no_better_than_held(&self) -> impl Iterator<Item = (&Score, &Score)> {
        self.held.better_than(&self.all)
    }
}

impl Scores {
    /// The errors with observed trims that are greater than those of the class by more than 1 %, each with the one of the class.
    pub fn worse_by_observing(&self) -> impl Iterator<Item = (&Score, &Score)> {
        let observed = self.observed.iter().flat_map(|observed| &observed.all);
        let pairs = observed.filter_map(|score| Some((score, self.all.iter().find(|of| of.title() == score.title())?)));
        pairs.filter(|(observed, of_class)| {
            observed.text() != of_class.text() && observed.rms > (1.0 + WORSE) * of_class.rms
        })
    }
}

impl Errors {
    /// Those of the errors `of` others, on all recordings together, that are no less than these, each with this one.
    pub(super) fn better_than<'a>(&'a self, of: &'a [Score]) -> impl Iterator<Item = (&'a Score, &'a Score)> {
        let held = |score: &Score| self.all.iter().find(|held| held.title() == score.title());
        let pairs = of.iter().filter_map(move |score| Some((score, held(score)?)));
        // What does not move is predicted by both, but for what no table shows.
        pairs.filter(|(score, held)| score.text() != held.text() && (score.rms.is_nan() || score.rms > held.rms))
    }
}

/// Share by which an error has to be greater than another to be called worse [-].
const WORSE: f64 = 0.01;

/// Quantities that are scored, with their unit in tables.
const UNITS: [(Role, &str); 12] = [
    (Role::Yaw, "deg"),
    (Role::Vx, "m/s"),
    (Role::Vy, "m/s"),
    (Role::YawRate, "deg/s"),
    (Role::Ax, "m/s²"),
    (Role::Ay, "m/s²"),
    (Role::WheelSpeed, "m/s"),
    (Role::Steering, "deg"),
    (Role::FrontSlip, "deg"),
    (Role::RearSlip, "deg"),
    (Role::FrontForce, "N"),
    (Role::RearForce, "N"),
];

/// Errors of prediction of a car with these values, for all quantities that the recordings have.
///
/// # Errors
/// The car cannot be loaded with these values.
pub fn scores(data: &Data, car: &Car, values: &[f64]) -> Result<Scores, IdentifyError> {
    let roles = predicted_roles(data);
    let predictions = data.predictions(car, values, &roles)?;
    let observed = data.observed(car, values, &roles)?;
    let covered = |bands: &Option<Bands>, predictions: &[Prediction]| {
        bands.as_ref().map_or(Vec::new(), |bands| bands.coverage(data, predictions))
    };
    let [of_class, of_observed] = &data.bands;
    let Errors { all, recordings } = errors(data, &predictions);
    Ok(Scores {
        all,
        recordings,
        held: errors(data, &data.held(&roles)),
        covered: covered(of_class, &predictions),
        observed_covered: observed.as_ref().map_or(Vec::new(), |predictions| covered(of_observed, predictions)),
        observed: observed.map(|observed| errors(data, &observed)),
        ranges: of_class.as_ref().and_then(|bands| bands.ranges),
    })
}

/// The quantities that the recordings have and a simulation predicts.
pub(super) fn predicted_roles(data: &Data) -> Vec<Role> {
    let is_there = |role: &Role| data.runs.iter().any(|(recording, _)| recording.has(*role));
    ROLES.iter().filter(|(.., predicted)| *predicted).map(|(_, role, _)| *role).filter(is_there).collect()
}

/// The scores of predictions on all recordings together, and on each.
fn errors(data: &Data, predictions: &[Prediction]) -> Errors {
    let of_run = |(run, (recording, _)): (usize, &(Recording, _))| {
        let of_run: Vec<Prediction> = predictions.iter().filter(|p| p.run == run).copied().collect();
        (!of_run.is_empty()).then(|| (recording.name(), scores_of(&of_run, 0.0)))
    };
    let recordings = data.runs.iter().enumerate().filter_map(of_run).collect();
    let mut all = scores_of(predictions, 0.0);
    if data.beyond > 0.0 {
        let is_beyond = |p: &&Prediction| {
            let recording = &data.runs[p.run].0;
            let of = |role: Role| recording.columns.get(&role).map_or(f64::NAN, |values| values[p.row]);
            (of(Role::Vx) * of(Role::YawRate)).abs() > data.beyond
        };
        let beyond: Vec<Prediction> = predictions.iter().filter(is_beyond).copied().collect();
        all.extend(scores_of(&beyond, data.beyond));
    }
    Errors { all, recordings }
}

/// The errors of one quantity that is scored.
pub(super) struct Quantity<'a> {
    /// `position` [m], or the name of a quantity.
    pub name: &'static str,
    /// Unit in tables, where angles are in degrees.
    pub unit: &'static str,
    /// Count of the numbers that make the quantity.
    pub dimensions: usize,
    /// Predictions, of `position` those of x, each with its error in SI or radians, NaN after the simulation failed.
    pub errors: Vec<(&'a Prediction, f64)>,
}

/// The errors of these predictions by quantity, without those that have none. What was not measured is left out.
pub(super) fn quantities(predictions: &[Prediction]) -> Vec<Quantity<'_>> {
    let of_role = |role: Role| predictions.iter().filter(move |p| p.role == role && p.measured.is_finite());
    let positions = of_role(Role::X)
        .zip(of_role(Role::Y))
        .map(|(x, y)| (x, f64::hypot(x.predicted - x.measured, y.predicted - y.measured)))
        .collect();
    let position = Quantity { name: "position", unit: "m", dimensions: 2, errors: positions };
    let single_roles = UNITS.iter().map(|&(role, unit)| Quantity {
        name: role.name(),
        unit,
        dimensions: 1,
        errors: of_role(role).map(|p| (p, error(role, p.predicted, p.measured))).collect(),
    });
    std::iter::once(position).chain(single_roles).filter(|quantity| !quantity.errors.is_empty()).collect()
}

/// The scores of these predictions, which are all above this lateral acceleration [m/s²].
fn scores_of(predictions: &[Prediction], beyond: f64) -> Vec<Score> {
    let of_quantity = |Quantity { name, unit, errors, .. }: Quantity<'_>| {
        let mut measured: Vec<f64> = errors.iter().map(|(prediction, _)| prediction.measured).collect();
        measured.sort_by(f64::total_cmp);
        let at =
            |share: f64| measured.get((share * (measured.len().saturating_sub(1)) as f64).round() as usize).copied();
        let is_pose = ["position", Role::Yaw.name()].contains(&name);
        let range = at(0.99).zip(at(0.01)).map(|(high, low)| high - low).filter(|_| !is_pose);
        let errors: Vec<f64> = errors.into_iter().map(|(_, error)| error).collect();
        score(name, unit, beyond, &errors, range)
    };
    quantities(predictions).into_iter().map(of_quantity).collect()
}

/// The score of these errors, of which those that are not finite failed.
fn score(name: &'static str, unit: &'static str, beyond: f64, errors: &[f64], range: Option<f64>) -> Score {
    let finite: Vec<f64> = errors.iter().copied().filter(|error| error.is_finite()).collect();
    let rms = (finite.iter().map(|error| error * error).sum::<f64>() / finite.len() as f64).sqrt();
    Score { name, beyond, unit, rms, range, count: finite.len(), failed: errors.len() - finite.len() }
}
