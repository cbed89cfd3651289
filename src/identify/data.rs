//! The recordings of an identification, cut into windows, and how far predictions are from them.

use rayon::prelude::*;

use super::IdentifyError;
use super::car::Car;
use super::columns::Role;
use super::config::{IdentifyConfig, Windows};
use super::predict::{self, Plan, Window};
use super::recording::Recording;
use super::starts::{Correction, Starts};
use crate::math::wrap_angle;

/// Recordings with their windows.
#[derive(Clone, Debug, Default)]
pub struct Data {
    /// The recordings, each with its windows.
    pub(super) runs: Vec<(Recording, Vec<Window>)>,
    options: Windows,
    /// What is fitted, with its noise.
    noise: Vec<(Role, f64)>,
    huber: f64,
    /// Where the windows start in a fit; predictions that are shown start as measured.
    pub(super) starts: Starts,
    /// Lateral acceleration beyond which predictions are also scored by themselves [m/s²]; 0: not.
    pub(super) beyond: f64,
}

/// A residual that cannot be computed counts as this many standard deviations.
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
        Data { runs, options: config.windows, noise, huber: config.huber, starts, beyond: config.beyond }
    }

    /// Quantities of the config that no recording has.
    pub fn unused_columns(&self, config: &IdentifyConfig) -> Vec<String> {
        let is_there = |role: &Role| *role == Role::Time || self.runs.iter().any(|(recording, _)| recording.has(*role));
        let missing = config.columns.keys().chain(config.noise.keys()).filter(|role| !is_there(role));
        let names: std::collections::BTreeSet<&str> = missing.map(|role| role.name()).collect();
        names.into_iter().map(|name| format!("no recording has {name}: it is left out")).collect()
    }

    /// Checks that a car takes the commands of each recording.
    ///
    /// # Errors
    /// It does not, or cannot be loaded with these values.
    pub fn check_commands(&self, car: &Car, values: &[f64]) -> Result<(), IdentifyError> {
        let world = car.world(values)?;
        let refused = self.runs.iter().find(|(recording, _)| !predict::takes_commands(&world, recording));
        refused.map_or(Ok(()), |(recording, _)| {
            let accepted = world.scene().vehicles[0].accepts.names();
            Err(IdentifyError::Recording(format!(
                "{}: no commands that the class takes\n  accepted: {accepted}\n  hint: columns: command_speed and command_steering, command_speed and command_yaw_rate, or command_throttle and command_steering",
                recording.path.display()
            )))
        })
    }

    /// Count of windows.
    pub fn count(&self) -> usize {
        self.runs.iter().map(|(_, windows)| windows.len()).sum()
    }

    /// Residuals of each window in standard deviations, after Huber's function, for a car with these values and the starts that go best with it. Missing measurements count as 0.
    ///
    /// # Errors
    /// The car cannot be loaded with them.
    pub fn residuals(&self, car: &Car, values: &[f64]) -> Result<Vec<Vec<f64>>, IdentifyError> {
        let windows = self.raw_residuals(car, values, &self.starts.corrections())?.into_iter().enumerate();
        let best = windows.map(|(window, residuals)| self.starts.with_best(window, residuals));
        Ok(best.map(|residuals| residuals.into_iter().map(|residual| self.robust(residual)).collect()).collect())
    }

    /// Residuals of each window in standard deviations, from corrected starts; NaN where the simulation has failed.
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
                    let found = recording.columns.get(&role).map_or(f64::NAN, |values| values[row]);
                    let sigma = self.noise.iter().find(|(there, _)| *there == role).map_or(1.0, |(_, sigma)| *sigma);
                    residuals[window].push(if found.is_nan() { 0.0 } else { error(role, predicted, found) / sigma });
                },
            );
            Ok(residuals)
        };
        let found: Result<Vec<Vec<Vec<f64>>>, IdentifyError> = runs.par_iter().map(of_run).collect();
        Ok(found?.into_iter().flatten().collect())
    }

    /// The weight of a residual in a sum of squares that has the slope of Huber's function there.
    pub(super) fn weight(&self, residual: f64) -> f64 {
        if residual.is_nan() { 0.0 } else { (self.huber / residual.abs()).min(1.0) }
    }

    /// The number whose square is twice Huber's function (P. J. Huber, Annals of Mathematical Statistics 35, 1964).
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

    /// Predictions of all windows for a car with these values: run, window, row, quantity, predicted, measured.
    ///
    /// # Errors
    /// The car cannot be loaded with them.
    pub fn predictions(&self, car: &Car, values: &[f64], roles: &[Role]) -> Result<Vec<Prediction>, IdentifyError> {
        let of_run = |(run, (recording, windows)): (usize, &(Recording, Vec<Window>))| {
            let mut world = car.world(values)?;
            let mut found = Vec::new();
            predict::predict(
                &mut world,
                recording,
                &Plan { windows, corrections: &[], options: &self.options },
                &car.measurement_of(values, &recording.path),
                roles,
                |window, row, role, predicted| {
                    let measured = recording.columns.get(&role).map_or(f64::NAN, |values| values[row]);
                    found.push(Prediction { run, window, row, role, predicted, measured });
                },
            );
            Ok(found)
        };
        let found: Result<Vec<Vec<Prediction>>, IdentifyError> = self.runs.par_iter().enumerate().map(of_run).collect();
        Ok(found?.into_iter().flatten().collect())
    }
}

/// Predicted less measured; angles the shorter way round.
pub fn error(role: Role, predicted: f64, measured: f64) -> f64 {
    if role == Role::Yaw { wrap_angle(predicted - measured) } else { predicted - measured }
}

/// A predicted number beside the measured one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Index of the recording.
    pub run: usize,
    /// Index of the window in it.
    pub window: usize,
    /// Row of the recording.
    pub row: usize,
    /// The quantity.
    pub role: Role,
    /// What the simulation says; NaN after it has failed.
    pub predicted: f64,
    /// What the recording says; NaN where it says nothing.
    pub measured: f64,
}
