//! How far predictions are from what was measured.

use super::IdentifyError;
use super::car::Car;
use super::columns::{ROLES, Role};
use super::data::{Data, Prediction, error};
use super::recording::Recording;

/// Errors of prediction in one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// `position` [m], or the name of a quantity.
    pub name: &'static str,
    /// Lateral acceleration beyond which predictions count [m/s²]; 0: all do.
    pub beyond: f64,
    /// Its unit in tables, which shows angles in degrees.
    pub unit: &'static str,
    /// Root mean square [m, rad, m/s, rad/s, m/s²].
    pub rms: f64,
    /// Between the 1st and the 99th percentile of what was measured; none for poses.
    pub range: Option<f64>,
    /// Count of numbers compared.
    pub count: usize,
    /// Count of predictions that failed.
    pub failed: usize,
}

impl Score {
    /// What is scored, with its unit, as in tables.
    pub fn title(&self) -> String {
        let beyond = if self.beyond > 0.0 { format!(" beyond {} m/s²", self.beyond) } else { String::new() };
        format!("{} [{}]{beyond}", self.name, self.unit)
    }

    /// The root mean square in the table's unit.
    pub fn shown(&self) -> f64 {
        if self.unit.starts_with("deg") { self.rms.to_degrees() } else { self.rms }
    }
}

/// Errors of prediction on some recordings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// On all of them together.
    pub all: Vec<Score>,
    /// On each that has windows, with the name of its file.
    pub recordings: Vec<(String, Vec<Score>)>,
}

/// Quantities that are scored, with their unit.
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

/// Errors of prediction of a car with these values, in all that the recordings have.
///
/// # Errors
/// The car cannot be loaded with them.
pub fn scores(data: &Data, car: &Car, values: &[f64]) -> Result<Scores, IdentifyError> {
    let is_there = |role: &Role| data.runs.iter().any(|(recording, _)| recording.has(*role));
    let predicted = ROLES.iter().filter(|(.., predicted)| *predicted).map(|(_, role, _)| *role);
    let roles: Vec<Role> = predicted.filter(is_there).collect();
    let predictions = data.predictions(car, values, &roles)?;
    let of_run = |(run, (recording, _)): (usize, &(Recording, _))| {
        let of_run: Vec<Prediction> = predictions.iter().filter(|p| p.run == run).copied().collect();
        (!of_run.is_empty()).then(|| (recording.name(), of(&of_run, 0.0)))
    };
    let recordings = data.runs.iter().enumerate().filter_map(of_run).collect();
    let mut all = of(&predictions, 0.0);
    if data.beyond > 0.0 {
        let is_beyond = |p: &Prediction| {
            let recording = &data.runs[p.run].0;
            let of = |role: Role| recording.columns.get(&role).map_or(f64::NAN, |values| values[p.row]);
            (of(Role::Vx) * of(Role::YawRate)).abs() > data.beyond
        };
        let hard: Vec<Prediction> = predictions.into_iter().filter(is_beyond).collect();
        all.extend(of(&hard, data.beyond));
    }
    Ok(Scores { all, recordings })
}

/// The scores of these predictions, all beyond this lateral acceleration.
fn of(predictions: &[Prediction], beyond: f64) -> Vec<Score> {
    let mut scores = Vec::new();
    let score = |name, unit, errors: &[f64], range| score((name, unit), beyond, errors, range);
    let of_role = |role: Role| predictions.iter().filter(move |p| p.role == role && p.measured.is_finite());
    let pairs: Vec<f64> = of_role(Role::X)
        .zip(of_role(Role::Y))
        .map(|(x, y)| f64::hypot(x.predicted - x.measured, y.predicted - y.measured))
        .collect();
    scores.extend(score("position", "m", &pairs, None));
    for (role, unit) in UNITS {
        let errors: Vec<f64> = of_role(role).map(|p| error(role, p.predicted, p.measured)).collect();
        let mut measured: Vec<f64> = of_role(role).map(|p| p.measured).collect();
        measured.sort_by(f64::total_cmp);
        let at =
            |share: f64| measured.get((share * (measured.len().saturating_sub(1)) as f64).round() as usize).copied();
        let range = at(0.99).zip(at(0.01)).map(|(high, low)| high - low).filter(|_| role != Role::Yaw);
        scores.extend(score(role.name(), unit, &errors, range));
    }
    scores
}

fn score((name, unit): (&'static str, &'static str), beyond: f64, errors: &[f64], range: Option<f64>) -> Option<Score> {
    let fine: Vec<f64> = errors.iter().copied().filter(|error| error.is_finite()).collect();
    if errors.is_empty() {
        return None;
    }
    let rms = (fine.iter().map(|error| error * error).sum::<f64>() / fine.len().max(1) as f64).sqrt();
    Some(Score { name, beyond, unit, rms, range, count: fine.len(), failed: errors.len() - fine.len() })
}
