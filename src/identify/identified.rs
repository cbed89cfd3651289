//! A whole identification: reads the recordings, searches the unknowns of each class, and scores the predictions.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use skidpad_files::assets::hex;
use skidpad_files::diagnostic::Diagnostic;

use super::IdentifyError;
use super::bands::Bands;
use super::car::Car;
use super::checkpoint::Checkpoint;
use super::config::IdentifyConfig;
use super::data::Data;
use super::fit::Fit;
use super::odometry::{OdometryErrors, odometry_errors};
use super::runs::{Needed, check, recordings};
use super::score::{Scores, predicted_roles, scores};
use super::search::{Searched, Step, UnknownEstimate, merged, search};
use super::uncertainty::leave_one_out;

/// The result of an identification.
#[derive(Debug)]
pub struct Identified {
    /// The car with all of its unknowns.
    pub car: Car,
    /// What was found of each unknown, in the order of the config.
    pub estimates: Vec<UnknownEstimate>,
    /// The last search.
    pub fit: Fit,
    /// The recordings that were fitted, and those that were only predicted, with the bands of prediction.
    pub data: [Data; 2],
    /// Errors of prediction on the fitted recordings, and on the others.
    pub scores: [Scores; 2],
    /// The classes that the config compares with.
    pub compared: Vec<Compared>,
    /// The noise of odometry, if the config asks for it.
    pub odometry: Option<OdometryErrors>,
    /// Notes on the recordings and the searches, for the report.
    pub notes: Vec<Diagnostic>,
}

/// Another class, fitted to the same windows for comparison.
#[derive(Debug)]
pub struct Compared {
    /// Name in tables.
    pub name: String,
    /// What was found of each of its unknowns, in the order of the config.
    pub estimates: Vec<UnknownEstimate>,
    /// The last search.
    pub fit: Fit,
    /// Errors of prediction on the fitted recordings, and on the others.
    pub scores: [Scores; 2],
}

/// Identifies a car. Class files are looked for in `folders`, recordings in `data_folder`. With the path of a
/// `checkpoint` file, the same identification resumes where it was interrupted; the file is removed when all searches
/// have converged. `observer` is called after each evaluation.
///
/// # Errors
/// A file cannot be read, there is nothing to fit, the data determine no unknown, or the checkpoint cannot be written.
pub fn identify(
    config: &IdentifyConfig,
    folders: &[PathBuf],
    data_folder: &Path,
    checkpoint: Option<&Path>,
    observer: &dyn Fn(&Step),
) -> Result<Identified, IdentifyError> {
    let mut notes = Vec::new();
    let car = Car::new(config, folders)?;
    let rungs: Vec<(IdentifyConfig, Car)> = config
        .compare
        .iter()
        .map(|rung| {
            let (vehicle, unknowns) = (rung.vehicle.clone(), rung.unknowns.clone());
            let config = IdentifyConfig { vehicle, unknowns, profiles: false, ..config.clone() };
            Car::new(&config, folders).map(|car| (config, car))
        })
        .collect::<Result<_, _>>()?;
    let data = recordings(config, data_folder, &mut notes)?;
    notes.extend(Data::unused_columns(&data, config));
    let cars = || std::iter::once(&car).chain(rungs.iter().map(|(_, car)| car));
    check(&data, cars(), Needed::Fit)?;
    let checkpoint = Checkpoint::open(checkpoint, key(config, cars(), &data)?)?;
    let mut is_over = true;
    let mut search = |number: usize, car: &Car, config: &IdentifyConfig| {
        let earlier = checkpoint.earlier(number);
        if let Some(point) = &earlier {
            let found = format!("the search resumes after {} evaluations", point.evaluations);
            notes.push(Diagnostic::new(car.name(), found));
        }
        let searched = search(car, &data[0], config, earlier, &|step| {
            match &step {
                Step::Global(_) => {}
                Step::Local(point) => checkpoint.keep(number, point),
                Step::Reached(point) => checkpoint.replace(number, point),
            }
            observer(&step);
        })?;
        is_over &= searched.fit.has_converged;
        Ok::<_, IdentifyError>(searched)
    };
    let Searched { estimates, fit, starts } = search(0, &car, config)?;
    let searched: Vec<Searched> = rungs
        .iter()
        .enumerate()
        .map(|(index, (config, car))| search(index + 1, car, config))
        .collect::<Result<_, _>>()?;
    checkpoint.close(is_over)?;
    let mut data = data;
    let mut fitted = data[0].clone();
    fitted.starts = starts;
    let bands = bands(&car, &estimates, &fitted)?;
    data.iter_mut().for_each(|data| data.bands.clone_from(&bands));
    let scored = |car: &Car, estimates: &[UnknownEstimate]| -> Result<[Scores; 2], IdentifyError> {
        let values: Vec<f64> = estimates.iter().map(|estimate| estimate.value).collect();
        Ok([scores(&data[0], car, &values)?, scores(&data[1], car, &values)?])
    };
    let mut compared = Vec::new();
    for ((rung, (_, car)), searched) in config.compare.iter().zip(&rungs).zip(searched) {
        let Searched { estimates, fit, .. } = searched;
        compared.push(Compared { name: rung.name.clone(), scores: scored(car, &estimates)?, estimates, fit });
    }
    let scores = scored(&car, &estimates)?;
    let values: Vec<f64> = estimates.iter().map(|estimate| estimate.value).collect();
    let odometry = odometry_errors(&data, &car, &values, config)?;
    Ok(Identified { car, estimates, fit, data, scores, compared, odometry, notes })
}

/// The bands of prediction of a class with these unknowns, and of the class with observed trims if the config asks for them. The unknowns
/// that predict a fitted recording are those without it, where there are several recordings.
fn bands(car: &Car, estimates: &[UnknownEstimate], data: &Data) -> Result<[Option<Bands>; 2], IdentifyError> {
    let values: Vec<f64> = estimates.iter().map(|estimate| estimate.value).collect();
    let held: Vec<usize> = (0..values.len()).filter(|&k| estimates[k].is_held).collect();
    let (free, free_car) = (car.free(&held), car.holding(&held, &values));
    let at: Vec<f64> = free.iter().map(|&k| values[k]).collect();
    let has_several = data.runs.iter().filter(|(_, windows)| !windows.is_empty()).count() > 1;
    let of_run: Vec<Vec<f64>> = match has_several {
        true => leave_one_out(&free_car, data, &at)?.iter().map(|without| merged(&values, &free, without)).collect(),
        false => vec![values; data.runs.len()],
    };
    let roles = predicted_roles(data);
    let predicted = |observe| data.predictions_by(car, |run| &of_run[run], &roles, observe);
    let observed = data.observe.as_ref().map(|observe| predicted(Some(observe))).transpose()?;
    Ok([Bands::of(data, &predicted(None)?), observed.and_then(|observed| Bands::of(data, &observed))])
}

/// Digest that is equal for the same identification: config, classes and recordings. The budget and profiles do not
/// count, since a search with another budget can resume, nor does what only predictions depend on.
fn key<'a>(
    config: &IdentifyConfig,
    cars: impl Iterator<Item = &'a Car>,
    data: &[Data; 2],
) -> Result<String, IdentifyError> {
    let mut digest = Sha256::new();
    let predictions = IdentifyConfig { observe: None, bands: None, observed_bands: None, ..config.clone() };
    let config = IdentifyConfig { budget: 0, profiles: false, ..predictions };
    digest.update(serde_json::to_vec(&config).map_err(|error| Diagnostic::of(error.to_string()))?);
    for car in cars {
        let class = car.class(&car.start()).to_text().map_err(Diagnostic::from)?;
        digest.update(class);
    }
    for (recording, _) in data.iter().flat_map(|data| &data.runs) {
        digest.update(recording.path.display().to_string());
        for values in std::iter::once(&recording.time).chain(recording.columns.values()) {
            values.iter().for_each(|value| digest.update(value.to_le_bytes()));
        }
    }
    Ok(hex(digest.finalize()))
}

impl Identified {
    /// The values of all unknowns, in the order of the config.
    pub fn values(&self) -> Vec<f64> {
        self.estimates.iter().map(|estimate| estimate.value).collect()
    }
}
