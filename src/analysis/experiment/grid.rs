//! A matrix of the user's own: all combinations of the values of its axes, in parallel.
//!
//! | key | what it sets |
//! |---|---|
//! | `trajectory` | a name of [`TRAJECTORIES`], a CSV file of waypoints, or the trajectory of a YAML config |
//! | `speed` | the mean speed of the reference [m/s], by its `time_scale`; see [`time_scale_for`] |
//! | `plant`, `tyre`, `feedback`, `latency`, `step`, `rate`, `sample_rate`, `duration`, `seed` | that key of the config |
//! | what [`ExperimentConfig::set`] takes | that key of the trajectory, the tracker or the linearizer |
//! | any other | a variable of the world |
//!
//! Of each combination the trajectory is set first and the speed last, because the one brings the shape whose time the other scales.

use std::path::Path;

use rayon::prelude::*;
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_sim::trajectory::{TRAJECTORIES, TrajectoryParameters, check, time_scale_for};
use skidpad_sim::waypoint_file;
use skidpad_sim::world::LoadOptions;

use super::config::OWN_KEYS;
use super::mistakes::Plan;
use super::{Axes, Axis, Experiment, ExperimentConfig, ExperimentError, trajectories};
use crate::Metrics;

/// Most runs of a matrix.
pub const MOST_RUNS: usize = 10_000;

/// The keys of a matrix that are none of a config.
pub(super) const OF_MATRICES: [&str; 2] = ["trajectory", "speed"];

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct GridRun {
    /// Its numbers.
    pub metrics: Metrics,
    /// Warnings before it.
    pub warnings: Vec<Diagnostic>,
}

/// One combination.
#[derive(Clone, Debug, PartialEq)]
pub struct GridCell {
    /// For each axis the index of its value.
    pub indices: Vec<usize>,
    /// Its run, or why it failed; none: the world does not have this combination.
    pub run: Option<Result<GridRun, Diagnostics>>,
}

impl GridCell {
    /// The numbers of its run, if there are any.
    pub fn metrics(&self) -> Option<&Metrics> {
        self.run.as_ref()?.as_ref().ok().map(|run| &run.metrics)
    }
}

/// All combinations, the last axis changing fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The axes.
    pub axes: Vec<Axis>,
    /// The combinations.
    pub cells: Vec<GridCell>,
}

impl Grid {
    /// Runs all combinations with the other settings of `base`, on all threads; their number does not change the results. `settings` have been
    /// set in `base`, and hold for trajectories of other configs, too.
    ///
    /// # Errors
    /// Axes with mistakes, of which all are told; too many combinations; a world that cannot be loaded. Runs that fail are no error of the whole.
    pub fn run(
        base: &ExperimentConfig,
        load: &LoadOptions,
        axes: &Axes,
        settings: &[(String, String)],
    ) -> Result<Grid, ExperimentError> {
        let plan = Plan::check(base, load, axes, settings)?;
        let run = |indices: Vec<usize>| {
            let is_absent = plan.is_absent(&indices);
            GridCell { run: (!is_absent).then(|| one(base, load, axes, settings, &indices)), indices }
        };
        let cells = combinations(axes).into_par_iter().map(run).collect();
        Ok(Grid { axes: axes.0.clone(), cells })
    }

    /// The values of a combination, as one text.
    pub fn label(&self, cell: &GridCell) -> String {
        label(&self.axes, &cell.indices)
    }
}

/// The values with these indices: `speed=2, tyre=linear`.
pub(super) fn label(axes: &[Axis], indices: &[usize]) -> String {
    let values = axes.iter().zip(indices).map(|(axis, &index)| format!("{}={}", axis.name(), axis.label(index)));
    values.collect::<Vec<_>>().join(", ")
}

/// The indices of all combinations, the last axis changing fastest.
pub(super) fn combinations(axes: &Axes) -> Vec<Vec<usize>> {
    axes.0.iter().fold(vec![Vec::new()], |combinations, axis| {
        let with = |head: &Vec<usize>, index| head.iter().copied().chain([index]).collect::<Vec<_>>();
        combinations.iter().flat_map(|head| (0..axis.values.len()).map(move |index| with(head, index))).collect()
    })
}

/// Runs one combination.
fn one(
    base: &ExperimentConfig,
    load: &LoadOptions,
    axes: &Axes,
    settings: &[(String, String)],
    indices: &[usize],
) -> Result<GridRun, Diagnostics> {
    let chosen = axes.0.iter().zip(indices).map(|(axis, &index)| (axis, index));
    let config = with_values(base, chosen, settings)?;
    let label = label(&axes.0, indices);
    let experiment = Experiment { config, label: label.clone(), load: load.clone(), record: None };
    let outcome = experiment.run().map_err(|error| Diagnostics::from(&error).at(&label))?;
    Ok(GridRun { metrics: outcome.analyzed.metrics, warnings: outcome.warnings })
}

/// `base` with one value of each of these axes.
///
/// # Errors
/// Each value that cannot be set, at `--vary KEY=VALUE`.
pub(super) fn with_values<'a>(
    base: &ExperimentConfig,
    chosen: impl IntoIterator<Item = (&'a Axis, usize)>,
    settings: &[(String, String)],
) -> Result<ExperimentConfig, Diagnostics> {
    let pairs = |(axis, index): (&'a Axis, usize)| axis.keys.iter().zip(&axis.values[index]);
    let mut values: Vec<(&String, &String)> = chosen.into_iter().flat_map(pairs).collect();
    values.sort_by_key(|(key, _)| match key.as_str() {
        "trajectory" => 0,
        "speed" => 2,
        _ => 1,
    });
    // What a matrix writes has no provenance, whose files would be read again for each run.
    let mut config = ExperimentConfig { vary: Axes::default(), origin: None, ..base.clone() };
    let mut wrong = Vec::new();
    for (key, value) in values {
        let set = set(&mut config, key, value, settings);
        wrong.extend(set.err().into_iter().flatten().map(|problem| at_value(problem, key, value)));
    }
    if wrong.is_empty() { Ok(config) } else { Err(Diagnostics(wrong)) }
}

/// The message at the value of an axis, unless it is there already.
pub(super) fn at_value(problem: Diagnostic, key: &str, value: &str) -> Diagnostic {
    let place = format!("--vary {key}={value}");
    if problem.place.as_ref() == Some(&place) { problem } else { problem.at(place) }
}

/// Sets one key.
fn set(
    config: &mut ExperimentConfig,
    key: &str,
    value: &str,
    settings: &[(String, String)],
) -> Result<(), Diagnostics> {
    let place = format!("--vary {key}={value}");
    match key {
        "trajectory" => config.trajectory = trajectory(&config.trajectory, value, settings)?,
        "speed" => {
            let accepted = || Diagnostic::of(format!("found \"{value}\"")).accepted("a number > 0 [m/s]");
            let speed: f64 = value.parse().map_err(|_| accepted())?;
            config.trajectory.time_scale = time_scale_for(&config.trajectory, speed, config.duration)?;
        }
        _ if OWN_KEYS.contains(&key) => config.set_own(&place, key, value)?,
        _ => {
            if !config.set_from(&place, key, value)? {
                config.variables.insert(key.into(), value.into());
            }
        }
    }
    Ok(())
}

/// The trajectory that `value` names: one of the known kinds with the parameters of `base`, waypoints, or that of another config.
fn trajectory(
    base: &TrajectoryParameters,
    value: &str,
    settings: &[(String, String)],
) -> Result<TrajectoryParameters, Diagnostics> {
    let ends = |ending: &str| Path::new(value).extension().is_some_and(|found| found == ending);
    if ends("yaml") || ends("yml") {
        let config =
            ExperimentConfig::load_with(Path::new(value), settings).map_err(|error| Diagnostics::from(&error))?;
        return Ok(config.trajectory);
    }
    if ends("csv") {
        let file = value.to_owned();
        let mut parameters = TrajectoryParameters { trajectory_type: "waypoints".into(), file, ..base.clone() };
        waypoint_file::load(&mut parameters, Path::new(""))?;
        return Ok(parameters);
    }
    let number = |entry: &&skidpad_sim::trajectory::TrajectoryEntry| {
        entry.name == value || entry.number.is_some_and(|number| value.parse() == Ok(number))
    };
    let named = TRAJECTORIES.iter().find(number).map(|entry| entry.name);
    let known = trajectories(base).into_iter().find(|(name, _)| Some(*name) == named);
    match known {
        Some((_, parameters)) => Ok(parameters),
        None if named == Some(base.trajectory_type.as_str()) => Ok(base.clone()),
        None => {
            let mut names: Vec<&str> = trajectories(base).into_iter().map(|(name, _)| name).collect();
            names.extend(["FILE.csv", "FILE.yaml"]);
            Err(check::unknown("trajectory", value, &names).into())
        }
    }
}
