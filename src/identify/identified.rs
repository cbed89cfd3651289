//! The whole of an identification: recordings, search, certainty, and how well the result predicts.

use std::path::{Path, PathBuf};

use super::IdentifyError;
use super::car::Car;
use super::config::{IdentifyConfig, Unknown};
use super::data::Data;
use super::far::far;
use super::fit::{self, Fit, Progress};
use super::runs::recordings;
use super::score::{Scores, scores};
use super::starts::STATE;
use super::uncertainty::{Certainty, UNKNOWN, certainty};

/// Most times that the starts of the windows are fitted anew.
const MOST_ROUNDS: usize = 6;
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
}

/// The result of an identification.
#[derive(Debug)]
pub struct Identified {
    /// The car, with all unknowns.
    pub car: Car,
    /// All unknowns in the order of the config.
    pub found: Vec<Found>,
    /// The search.
    pub fit: Fit,
    /// Recordings that were fitted, and those that were not.
    pub data: [Data; 2],
    /// Errors of prediction on both.
    pub scores: [Scores; 2],
    /// The classes to compare with.
    pub compared: Vec<Compared>,
    /// What is worth knowing about the recordings and the search.
    pub notes: Vec<String>,
}

/// Another class, fitted to the same windows.
#[derive(Debug)]
pub struct Compared {
    /// Its name in tables.
    pub name: String,
    /// All its unknowns in the order of the config.
    pub found: Vec<Found>,
    /// Errors of prediction on the recordings that were fitted, and on those that were not.
    pub scores: [Scores; 2],
}

/// Identifies a car. Class files are in one of `folders`, recordings in `data_folder`.
///
/// # Errors
/// Something cannot be read, or there is nothing to fit.
pub fn identify(
    config: &IdentifyConfig,
    folders: &[PathBuf],
    data_folder: &Path,
    progress: Progress<'_>,
) -> Result<Identified, IdentifyError> {
    let mut notes = Vec::new();
    let car = Car::new(config, folders)?;
    let rungs: Vec<(IdentifyConfig, Car)> = config
        .compare
        .iter()
        .map(|rung| {
            let (vehicle, unknowns) = (rung.vehicle.clone(), rung.unknowns.clone());
            let config = IdentifyConfig { vehicle, unknowns, ..config.clone() };
            Car::new(&config, folders).map(|car| (config, car))
        })
        .collect::<Result<_, _>>()?;
    let data = recordings(config, data_folder, &mut notes)?;
    if data[0].count() == 0 {
        return Err(IdentifyError::Recording(
            "recordings: no window to fit\n  accepted: recordings that are longer than windows.length, without gaps, faster than windows.slowest\n  hint: check the columns and units".into(),
        ));
    }
    notes.extend(data[0].unused_columns(config));
    for car in std::iter::once(&car).chain(rungs.iter().map(|(_, car)| car)) {
        for data in &data {
            data.check_commands(car, &car.start())?;
        }
    }
    let (found, fit) = search(&car, &data[0], config, progress)?;
    let scored = |car: &Car, found: &[Found]| -> Result<[Scores; 2], IdentifyError> {
        let values: Vec<f64> = found.iter().map(|found| found.value).collect();
        Ok([scores(&data[0], car, &values)?, scores(&data[1], car, &values)?])
    };
    let mut compared = Vec::new();
    for (rung, (config, car)) in config.compare.iter().zip(&rungs) {
        let (found, fit) = search(car, &data[0], config, progress)?;
        notes.push(format!("{}: {}", rung.name, fit.ending));
        compared.push(Compared { name: rung.name.clone(), scores: scored(car, &found)?, found });
    }
    let scores = scored(&car, &found)?;
    Ok(Identified { car, found, fit, data, scores, compared, notes })
}

/// Searches the unknowns of a car. What the data do not determine is held where it was believed to be, the least certain first, and the rest is fitted again.
fn search(
    car: &Car,
    data: &Data,
    config: &IdentifyConfig,
    progress: Progress<'_>,
) -> Result<(Vec<Found>, Fit), IdentifyError> {
    let mut data = data.clone();
    let mut values = car.start();
    let mut evaluations = 0;
    if config.search.evaluations > 0 {
        (values, evaluations) = far(car, &data, (config.search.evaluations, config.search.seed), progress)?;
    }
    let mut free: Vec<usize> = (0..values.len()).collect();
    let mut certainties = vec![None; values.len()];
    let (fitted, correlation) = loop {
        let held: Vec<usize> = (0..values.len()).filter(|k| !free.contains(k)).collect();
        let rest = car.holding(&held, &values);
        let fitted = fit_with_starts(&rest, &mut data, config.budget.saturating_sub(evaluations), &|count, cost| {
            progress(evaluations + count, cost);
        })?;
        evaluations += fitted.evaluations;
        let data = &data;
        let (known, correlation) = certainty(&rest, data, &fitted.values)?;
        for (k, value) in free.iter().zip(&fitted.values) {
            values[*k] = *value;
        }
        for (k, certainty) in free.iter().zip(&known) {
            certainties[*k] = Some(*certainty);
        }
        let width = |k: usize| known[k].half_width / (rest.unknowns[k].range[1] - rest.unknowns[k].range[0]);
        let open = (0..free.len()).filter(|&k| !known[k].is_determined);
        let Some(worst) = open.max_by(|&a, &b| width(a).total_cmp(&width(b))) else { break (fitted, correlation) };
        let k = free.remove(worst);
        values[k] = match car.unknowns[k].prior {
            Some([mean, _]) => mean,
            None => car.start()[k],
        };
        if free.is_empty() {
            return Err(IdentifyError::Recording(
                "unknowns: the recordings determine none of them\n  hint: docs/identification.md says which manoeuvres show which"
                    .into(),
            ));
        }
    };
    // As they are written.
    values.iter_mut().for_each(|value| *value = rounded(*value));
    let name = |k: usize| car.unknowns[k].name().to_owned();
    let found = (0..values.len())
        .map(|k| {
            let row = free.iter().position(|&there| there == k);
            let with = row.and_then(|row| {
                let others = (0..free.len()).filter(|&other| other != row);
                let most =
                    others.max_by(|&a, &b| correlation[(row, a)].abs().total_cmp(&correlation[(row, b)].abs()))?;
                Some((name(free[most]), correlation[(row, most)]))
            });
            let certainty = certainties[k].unwrap_or(UNKNOWN);
            Found { unknown: car.unknowns[k].clone(), value: values[k], certainty, with }
        })
        .collect();
    Ok((found, Fit { evaluations, ..fitted }))
}

/// Fits the unknowns and the starts of the windows in turn, until the unknowns stay.
fn fit_with_starts(car: &Car, data: &mut Data, budget: usize, progress: Progress<'_>) -> Result<Fit, IdentifyError> {
    let mut fitted = fit::fit(car, data, budget, progress)?;
    for _ in 0..MOST_ROUNDS {
        if data.starts.are_exact() || fitted.evaluations >= budget {
            break;
        }
        data.starts = data.starts.around(data, car, &fitted.values)?;
        let before = std::mem::take(&mut fitted.values);
        let evaluations = fitted.evaluations + 1 + STATE.len();
        let again = fit::fit(&car.holding(&[], &before), data, budget.saturating_sub(evaluations), &|count, cost| {
            progress(evaluations + count, cost);
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

impl Identified {
    /// The values of all unknowns.
    pub fn values(&self) -> Vec<f64> {
        self.found.iter().map(|found| found.value).collect()
    }
}
