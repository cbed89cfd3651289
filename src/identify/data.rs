//! The recordings of an identification, cut into windows, and the residuals of predictions.

use rayon::prelude::*;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::wrap_angle;

use super::IdentifyError;
use super::bands::Bands;
use super::car::Car;
use super::columns::Role;
use super::config::{IdentifyConfig, Windows};
use super::observe::{Observe, Observer};
use super::predict::{self, Plan, Window};
use super::recording::Recording;
use super::starts::{Correction, Starts};

/// Recordings cut into windows of open-loop prediction.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// Each recording with its windows.
    pub(super) runs: Vec<(Recording, Vec<Window>)>,
    options: Windows,
    /// The fitted quantities with the standard deviation of their noise, in SI or radians.
    noise: Vec<(Role, f64)>,
    /// Residual beyond which the cost is linear, in standard deviations.
    huber: f64,
    /// Corrections of the states at which windows start in a fit; predictions for tables and figures start at the
    /// measured states.
    pub(super) starts: Starts,
    /// Lateral acceleration above which predictions are also scored separately [m/s²]; 0: they are not.
    pub(super) beyond: f64,
    /// Trims that are observed before each window.
    pub(super) observe: Option<Observe>,
    /// Bands of the errors of the class, and of the class with observed trims.
    pub(super) bands: [Option<Bands>; 2],
}

/// Value of a residual whose prediction failed, in standard deviations.
const WORST: f64 = 100.0;

impl Data {
    /// Cuts recordings into windows.
    pub fn new(recordings: Vec<Recording>, config: &IdentifyConfig) -> Data {
        let runs: Vec<_> = recordings
            .into_iter()
            .map(|mut recording| {
                if config.velocity_span > 0.0 {
                    recording.derive_velocities(config.velocity_span);
                }
                recording.drop_jumps(config.windows.fastest, 0.5 * config.velocity_span);
                let windows = predict::windows(&recording, &config.windows);
                (recording, windows)
            })
            .collect();
        let noise = config.noise.iter().map(|(role, sigma)| (*role, *sigma)).collect();
        let starts = Starts::measured(|role| {
            config.start_noise.as_ref().unwrap_or(&config.noise).get(&role).copied().unwrap_or(0.0)
        });
        Data {
            runs,
            options: config.windows,
            noise,
            huber: config.huber,
            starts,
            beyond: config.beyond,
            observe: config.observe.clone(),
            bands: [config.bands.clone(), config.observed_bands.clone()],
        }
    }

    /// A note for each quantity of the config that no recording has.
    pub fn unused_columns(all: &[Data; 2], config: &IdentifyConfig) -> Vec<Diagnostic> {
        let has = |role: Role| all.iter().flat_map(|data| &data.runs).any(|(recording, _)| recording.has(role));
        let is_there = |role: &Role| *role == Role::Time || has(*role);
        let missing = config.columns.keys().chain(config.noise.keys()).filter(|role| !is_there(role));
        let names: std::collections::BTreeSet<&str> = missing.map(|role| role.name()).collect();
        names.into_iter().map(|name| Diagnostic::of(format!("no recording has {name}: it is left out"))).collect()
    }

    /// Checks that a car takes the commands of each recording.
    ///
    /// # Errors
    /// The car does not take them, or cannot be loaded with these values.
    pub(crate) fn check_commands(&self, car: &Car, values: &[f64]) -> Result<(), IdentifyError> {
        let world = car.world(values)?;
        let refused = self.runs.iter().find(|(recording, _)| !predict::takes_commands(&world, recording));
        refused.map_or(Ok(()), |(recording, _)| {
            let accepted = world.scene().vehicles[0].accepts.names();
            let hint = "columns: command_speed and command_steering, command_speed and command_yaw_rate, command_left_wheel and command_right_wheel, or command_throttle and command_steering";
            let message = Diagnostic::new(recording.path.display(), "no commands that the class takes");
            Err(message.accepted(accepted).hint(hint).into())
        })
    }

    /// Duration of a window [s].
    pub(super) fn window_length(&self) -> f64 {
        self.options.length
    }

    /// Time since the start of its window at the row of a prediction [s].
    pub(super) fn since_start(&self, prediction: &Prediction) -> f64 {
        let (recording, windows) = &self.runs[prediction.run];
        recording.time[prediction.row] - windows[prediction.window].start
    }

    /// Count of windows of all recordings.
    pub fn count(&self) -> usize {
        self.runs.iter().map(|(_, windows)| windows.len()).sum()
    }

    /// Residuals of each window in standard deviations, for a car with these values and the start states that fit it
    /// best. Half the sum of their squares is the cost: large ones are reduced as Huber's function demands. Missing
    /// measurements count as 0.
    ///
    /// # Errors
    /// The car cannot be loaded with these values.
    pub(crate) fn residuals(&self, car: &Car, values: &[f64]) -> Result<Vec<Vec<f64>>, IdentifyError> {
        let windows = self.raw_residuals(car, values, &self.starts.corrections())?.into_iter().enumerate();
        let best = windows.map(|(window, residuals)| self.starts.with_best(window, residuals));
        Ok(best.map(|residuals| residuals.into_iter().map(|residual| self.robust(residual)).collect()).collect())
    }

    /// Residuals of each window in standard deviations, with these corrections of the start states; NaN if the
    /// simulation failed.
    ///
    /// # Errors
    /// The car cannot be loaded with these values.
    pub(super) fn raw_residuals(
        &self,
        car: &Car,
        values: &[f64],
        corrections: &[Correction],
    ) -> Result<Vec<Vec<f64>>, IdentifyError> {
        let roles: Vec<Role> = self.noise.iter().map(|(role, _)| *role).collect();
        let firsts = self.runs.iter().scan(0, |first, (_, windows)| {
            *first += windows.len();
            Some(*first - windows.len())
        });
        let runs: Vec<_> = self.runs.iter().zip(firsts).collect();
        let of_run = |((recording, windows), first): &(&(Recording, Vec<Window>), usize)| {
            let mut world = car.world(values)?;
            let mut residuals: Vec<Vec<f64>> =
                windows.iter().map(|w| Vec::with_capacity((w.rows[1] - w.rows[0]) * roles.len())).collect();
            let corrections = corrections.get(*first..first + windows.len()).unwrap_or_default();
            predict::predict(
                &mut world,
                recording,
                &Plan { windows, corrections, options: &self.options },
                &car.measurement_of(values, &recording.path),
                &roles,
                |window, row, role, predicted| {
                    let measured = recording.columns.get(&role).map_or(f64::NAN, |values| values[row]);
                    let sigma = self.noise.iter().find(|(known, _)| *known == role).map_or(1.0, |(_, sigma)| *sigma);
                    let is_missing = measured.is_nan();
                    residuals[window].push(if is_missing { 0.0 } else { error(role, predicted, measured) / sigma });
                },
            );
            Ok(residuals)
        };
        let of_runs: Result<Vec<Vec<Vec<f64>>>, IdentifyError> = runs.par_iter().map(of_run).collect();
        Ok(of_runs?.into_iter().flatten().collect())
    }

    /// Weight by which the square of a residual has the slope of Huber's function.
    pub(super) fn weight(&self, residual: f64) -> f64 {
        if residual.is_nan() { 0.0 } else { (self.huber / residual.abs()).min(1.0) }
    }

    /// The number whose square is twice Huber's function of the residual (P. J. Huber, Annals of Mathematical
    /// Statistics 35, 1964).
    pub(super) fn robust(&self, residual: f64) -> f64 {
        let size = residual.abs();
        if size.is_nan() {
            return WORST;
        }
        if size <= self.huber {
            residual
        } else {
            (2.0 * self.huber * size - self.huber * self.huber).sqrt().copysign(residual)
        }
    }

    /// Sum of the squares of the residuals of which these are [robust](Data::robust).
    pub(super) fn misfit(&self, robust: &[f64]) -> f64 {
        let square = |residual: &f64| match residual.abs() {
            size if size <= self.huber => size * size,
            size => (0.5 * (size * size / self.huber + self.huber)).powi(2),
        };
        robust.iter().map(square).sum()
    }

    /// Predictions of these quantities in all rows of all windows, for a car with these values.
    ///
    /// # Errors
    /// The car cannot be loaded with these values.
    pub fn predictions(&self, car: &Car, values: &[f64], roles: &[Role]) -> Result<Vec<Prediction>, IdentifyError> {
        self.predictions_by(car, |_| values, roles, None)
    }

    /// The same with the trims of the config that are observed before each window; none without such trims.
    ///
    /// # Errors
    /// The car cannot be loaded with these values.
    pub fn observed(
        &self,
        car: &Car,
        values: &[f64],
        roles: &[Role],
    ) -> Result<Option<Vec<Prediction>>, IdentifyError> {
        let observe = self.observe.as_ref();
        observe.map(|observe| self.predictions_by(car, |_| values, roles, Some(observe))).transpose()
    }

    /// Predictions for a car with values of its own for each recording, by its index, and with observed trims if there are
    /// any.
    pub(super) fn predictions_by<'a>(
        &self,
        car: &Car,
        values: impl Fn(usize) -> &'a [f64] + Sync,
        roles: &[Role],
        observe: Option<&Observe>,
    ) -> Result<Vec<Prediction>, IdentifyError> {
        let observer = observe.map(|observe| Observer { observe, options: &self.options, noise: &self.noise });
        let of_run = |(run, (recording, windows)): (usize, &(Recording, Vec<Window>))| {
            let values = values(run);
            let mut world = car.world(values)?;
            let measurement = car.measurement_of(values, &recording.path);
            let mut predictions = Vec::new();
            let mut predict = |world: &mut _, first: usize, windows: &[Window], measurement: &_| {
                let plan = Plan { windows, corrections: &[], options: &self.options };
                predict::predict(world, recording, &plan, measurement, roles, |window, row, role, predicted| {
                    let measured = recording.columns.get(&role).map_or(f64::NAN, |values| values[row]);
                    predictions.push(Prediction { run, window: first + window, row, role, predicted, measured });
                });
            };
            match &observer {
                None => predict(&mut world, 0, windows, &measurement),
                Some(observer) => windows.iter().enumerate().for_each(|(index, window)| {
                    let observed = observer.observed(&mut world, recording, window, &measurement);
                    predict(&mut world, index, std::slice::from_ref(window), &observed);
                }),
            }
            Ok(predictions)
        };
        let of_runs: Result<Vec<Vec<Prediction>>, IdentifyError> =
            self.runs.par_iter().enumerate().map(of_run).collect();
        Ok(of_runs?.into_iter().flatten().collect())
    }
}

impl Data {
    /// Predictions of these quantities in all rows of all windows where the state at the start of a window is held.
    pub fn held(&self, roles: &[Role]) -> Vec<Prediction> {
        let mut predictions = Vec::new();
        for (run, (recording, windows)) in self.runs.iter().enumerate() {
            predict::predict_held(
                recording,
                windows,
                self.options.longest_gap,
                roles,
                |window, row, role, predicted| {
                    let measured = recording.columns.get(&role).map_or(f64::NAN, |values| values[row]);
                    predictions.push(Prediction { run, window, row, role, predicted, measured });
                },
            );
        }
        predictions
    }
}

/// Predicted minus measured value; of headings the shorter way round.
pub fn error(role: Role, predicted: f64, measured: f64) -> f64 {
    if role == Role::Yaw { wrap_angle(predicted - measured) } else { predicted - measured }
}

/// A predicted value and the measured one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Index of the recording.
    pub run: usize,
    /// Index of the window within the recording.
    pub window: usize,
    /// Index of the row within the recording.
    pub row: usize,
    /// Quantity that is predicted.
    pub role: Role,
    /// Predicted value, in SI or radians; NaN after the simulation failed.
    pub predicted: f64,
    /// Measured value, in SI or radians; NaN if it is missing.
    pub measured: f64,
}
