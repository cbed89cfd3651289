//! The whole of an identification: recordings, search, certainty, and how well the result predicts.

use std::path::{Path, PathBuf};

use super::IdentifyError;
use super::car::Car;
use super::config::{IdentifyConfig, Unknown};
use super::data::Data;
use super::fit::{self, Fit, Progress};
use super::recording::Recording;
use super::score::{Score, scores};
use super::uncertainty::{Certainty, UNKNOWN, certainty};

/// Most recordings.
const MOST_RECORDINGS: usize = 10_000;

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
    pub scores: [Vec<Score>; 2],
    /// What is worth knowing about the recordings and the search.
    pub notes: Vec<String>,
}

/// Recordings of a config, those to fit and those to predict only.
///
/// # Errors
/// One cannot be read, or there is none to fit.
pub fn recordings(config: &IdentifyConfig, folder: &Path, notes: &mut Vec<String>) -> Result<[Data; 2], IdentifyError> {
    let mut paths = Vec::new();
    for pattern in &config.recordings {
        paths.extend(matching(folder, pattern)?);
    }
    paths.dedup();
    if paths.len() > MOST_RECORDINGS {
        return Err(IdentifyError::Config(format!(
            "recordings: {} of them\n  accepted: up to {MOST_RECORDINGS}",
            paths.len()
        )));
    }
    let mut parts = [Vec::new(), Vec::new()];
    for (index, path) in paths.iter().enumerate() {
        let recording = Recording::read(path, &config.columns, &config.topics)?;
        let name = path.display().to_string();
        notes.extend(recording.notes.iter().map(|note| format!("{name}: {note}")));
        let by_name = config.test.files.iter().any(|part| name.contains(part.as_str()));
        let by_turn = config.test.every > 0 && index % config.test.every == config.test.every - 1;
        parts[usize::from(by_name || by_turn)].push(recording);
    }
    let [train, test] = parts;
    Ok([Data::new(train, config), Data::new(test, config)])
}

/// The files of `folder` that match a path whose last part may hold `*`, by name.
fn matching(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, IdentifyError> {
    let path = folder.join(pattern);
    if !pattern.contains('*') {
        return Ok(vec![path]);
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name().map(|name| name.to_string_lossy().into_owned()))
    else {
        return Err(IdentifyError::Config(format!("recordings: \"{pattern}\": not a path")));
    };
    let entries = std::fs::read_dir(parent)
        .map_err(|error| IdentifyError::Recording(format!("{}: {error}", parent.display())))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|there| fits(&there.to_string_lossy(), &name)))
        .collect();
    found.sort();
    if found.is_empty() {
        return Err(IdentifyError::Recording(format!("{}: no file fits", path.display())));
    }
    Ok(found)
}

/// Whether a name has the parts of a pattern between its stars in their order.
fn fits(name: &str, pattern: &str) -> bool {
    let parts: Vec<&str> = pattern.split('*').collect();
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    for part in &parts[1..parts.len().saturating_sub(1)] {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Identifies a car. `file` is the class file, `folder` that of the recordings.
///
/// # Errors
/// Something cannot be read, or there is nothing to fit.
pub fn identify(
    config: &IdentifyConfig,
    file: &Path,
    folder: &Path,
    progress: Progress<'_>,
) -> Result<Identified, IdentifyError> {
    let mut notes = Vec::new();
    let car = Car::new(config, file)?;
    let data = recordings(config, folder, &mut notes)?;
    if data[0].count() == 0 {
        return Err(IdentifyError::Recording(
            "recordings: no window to fit\n  accepted: recordings that are longer than windows.length, without gaps, faster than windows.slowest\n  hint: check the columns and units".into(),
        ));
    }
    notes.extend(data[0].unused_columns(config));
    let mut values = car.start();
    let mut free: Vec<usize> = (0..values.len()).collect();
    let mut certainties = vec![None; values.len()];
    // What the data do not determine is held where it was believed to be, the least certain first, and the rest is fitted again.
    let mut evaluations = 0;
    let (fitted, correlation) = loop {
        let held: Vec<usize> = (0..values.len()).filter(|k| !free.contains(k)).collect();
        let rest = car.holding(&held, &values);
        let fitted = fit::fit(&rest, &data[0], config.budget.saturating_sub(evaluations), &|count, cost| {
            progress(evaluations + count, cost);
        })?;
        evaluations += fitted.evaluations;
        let (known, correlation) = certainty(&rest, &data[0], &fitted.values)?;
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
                "unknowns: the recordings determine none of them
  hint: docs/identification.md says which manoeuvres show which"
                    .into(),
            ));
        }
    };
    let fitted = Fit { evaluations, ..fitted };
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
    let scores = [scores(&data[0], &car, &values)?, scores(&data[1], &car, &values)?];
    Ok(Identified { car, found, fit: fitted, data, scores, notes })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_part_of_a_name() {
        for (name, pattern, expected) in [
            ("run_01.csv.gz", "run_*.csv.gz", true),
            ("run_01.csv", "run_*.csv.gz", false),
            ("a_b_c", "a*b*c", true),
            ("a_c_b", "a*b*c", false),
            ("abc", "*", true),
        ] {
            assert_eq!(fits(name, pattern), expected, "{name} {pattern}");
        }
    }
}
