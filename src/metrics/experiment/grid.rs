//! A matrix of the user's own: all combinations of the values of its axes, in parallel.
//!
//! | key | what it sets |
//! |---|---|
//! | `trajectory` | a name of [`TRAJECTORIES`], a CSV file of waypoints, or the trajectory of a YAML config |
//! | `speed` | the mean speed of the reference [m/s], by its `time_scale`; see [`time_scale_for`] |
//! | `world` | the world: a name of the installed ones, or a file |
//! | `vehicle`, `plant`, `tyre`, `feedback`, `latency`, `step`, `rate`, `sample_rate`, `duration`, `seed` | that key of the config |
//! | what [`ExperimentConfig::set`] takes | that key of the trajectory, the tracker or the linearizer |
//! | any other | a variable of the world |
//!
//! Of each combination the trajectory is set first and the speed last, because the one brings the shape whose time the other scales.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;
use skidpad_files::output_file::OutputFolder;
use skidpad_record::{Destination, Provenance};
use skidpad_run::meter::{Meter, Unit};
use skidpad_sim::trajectory::{TRAJECTORIES, TrajectoryParameters, check, time_scale_for};
use skidpad_sim::waypoint_file;
use skidpad_sim::world::LoadOptions;

use super::config::OWN_KEYS;
use super::mistakes::Plan;
use super::run::nanoseconds;
use super::{Axes, Axis, Experiment, ExperimentConfig, ExperimentError, trajectories};
use crate::Metrics;

/// Most runs of a matrix.
pub const MAX_RUNS: usize = 10_000;

/// Longest name of a recording without its ending [bytes]; file systems take 255.
const MAX_NAME_LENGTH: usize = 200;

/// How an axis begins in the words of a command line.
const AXIS_WORD: &str = "--vary=";

/// The keys of a matrix that are none of a config.
pub(super) const OF_MATRICES: [&str; 2] = ["trajectory", "speed"];

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct GridRun {
    /// Its numbers.
    pub metrics: Metrics,
    /// Warnings before it.
    pub warnings: Vec<Diagnostic>,
    /// How it was made; its command runs it alone. None: the config does not say where it is from.
    pub provenance: Option<Arc<Provenance>>,
    /// Its recording; none: it was not recorded.
    pub recording: Option<PathBuf>,
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
    /// How the whole was made: the command, the config with the axes, and what all runs have in common; none as for a run, or without runs.
    pub provenance: Option<Provenance>,
}

/// The keys that an axis may have, beside variables of the world.
pub fn axis_keys() -> Vec<String> {
    let of_grids = OF_MATRICES.iter().chain(&OWN_KEYS).map(ToString::to_string);
    of_grids.chain(ExperimentConfig::keys()).collect()
}

impl Grid {
    /// Runs all combinations with the other settings of `base`, on all threads; their number does not change the results. `settings` have been
    /// set in `base`, and hold for trajectories of other configs, too. Each run is recorded into the folder `record`, which is created if missing,
    /// in a file that has the name of its values; without one, none is.
    ///
    /// # Errors
    /// Axes with mistakes, of which all are told; too many combinations; a world that cannot be loaded; a folder that cannot be created. Runs that
    /// fail are no error of the whole.
    pub fn run(
        base: &ExperimentConfig,
        load: &LoadOptions,
        axes: &Axes,
        settings: &[(String, String)],
        record: Option<&Path>,
    ) -> Result<Grid, ExperimentError> {
        let plan = Plan::check(base, load, axes, settings)?;
        let create = |folder: &Path| {
            let failed = |error| ExperimentError::Config(Diagnostic::from(FileError::create(folder, error)).into());
            OutputFolder::create(folder).map_err(failed)
        };
        // Without a run that can be made, none is left behind.
        let _folder = record.map(create).transpose()?;
        let all: Vec<(Vec<usize>, Option<PathBuf>)> = match record {
            Some(folder) => {
                let files = recordings(axes);
                files.map(|(indices, name)| (indices, Some(folder.join(name)))).collect()
            }
            None => combinations(axes).into_iter().map(|indices| (indices, None)).collect(),
        };
        let meter = Meter::current();
        let present = all.iter().filter(|(indices, _)| !plan.is_absent(indices));
        let durations = present.map(|(indices, _)| duration(base, axes, indices));
        meter.begin(Unit::SimulatedTime, durations.map(nanoseconds).fold(0, u64::saturating_add));
        let run = |(indices, record): (Vec<usize>, Option<PathBuf>)| {
            let is_absent = plan.is_absent(&indices);
            let run = (!is_absent).then(|| run_combination(base, load, axes, settings, &indices, record, &meter));
            GridCell { run, indices }
        };
        let cells: Vec<GridCell> = all.into_par_iter().map(run).collect();
        let provenance = common(base, axes, &cells);
        Ok(Grid { axes: axes.0.clone(), cells, provenance })
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

/// All combinations, each with the name of its recording: `speed=2,tyre=linear.mcap`. Letters that shells or file systems take for something else
/// are lines; a name that is too long or there already is a number.
fn recordings(axes: &Axes) -> impl Iterator<Item = (Vec<usize>, String)> {
    let mut known = BTreeSet::new();
    combinations(axes).into_iter().enumerate().map(move |(number, indices)| {
        let is_plain = |c: char| c.is_alphanumeric() || "=,.:+-_".contains(c);
        let label = label(&axes.0, &indices).replace(", ", ",");
        let name: String = label.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let name =
            if name.len() <= MAX_NAME_LENGTH && known.insert(name.clone()) { name } else { format!("run {number}") };
        (indices, name + ".mcap")
    })
}

/// The origin of the run with these values: its command runs it alone, and its files are those of the base, and those that were opened for the values.
fn origin_of(origin: &Provenance, axes: &[Axis], indices: &[usize], opened: &[PathBuf]) -> Provenance {
    let is_axis = |word: &String| word.starts_with(AXIS_WORD);
    let mut command: Vec<String> = origin.command.iter().filter(|word| !is_axis(word)).cloned().collect();
    let chosen = axes.iter().zip(indices);
    command.extend(chosen.map(|(axis, &index)| format!("{AXIS_WORD}{}={}", axis.name(), axis.label(index))));
    Provenance { command, ..origin.clone() }.with_files(opened)
}

/// What the runs of `cells` have in common, with the command and the config of the whole.
fn common(base: &ExperimentConfig, axes: &Axes, cells: &[GridCell]) -> Option<Provenance> {
    let command = base.origin.as_ref()?.command.clone();
    let mut made = cells.iter().filter_map(|cell| cell.run.as_ref()?.as_ref().ok()?.provenance.as_deref());
    let mut common = made.next()?.clone();
    made.for_each(|made| common.keep_common(made));
    let config = serde_json::to_value(ExperimentConfig { vary: axes.clone(), ..base.clone() }).ok();
    Some(Provenance { command, config, ..common })
}

/// The duration [s] of one combination, which an axis may vary.
fn duration(base: &ExperimentConfig, axes: &Axes, indices: &[usize]) -> f64 {
    let pairs = axes.0.iter().zip(indices).flat_map(|(axis, &index)| axis.keys.iter().zip(&axis.values[index]));
    let varied = pairs.filter(|(key, _)| *key == "duration").find_map(|(_, value)| value.parse().ok());
    varied.unwrap_or(base.duration)
}

/// Runs one combination, and records it into the file `record`.
fn run_combination(
    base: &ExperimentConfig,
    load: &LoadOptions,
    axes: &Axes,
    settings: &[(String, String)],
    indices: &[usize],
    record: Option<PathBuf>,
    meter: &Meter,
) -> Result<GridRun, Diagnostics> {
    let chosen = axes.0.iter().zip(indices).map(|(axis, &index)| (axis, index));
    let (config, opened) = input_file::noting_opened(|| with_values(base, chosen, settings));
    let origin = base.origin.as_deref().map(|origin| Arc::new(origin_of(origin, &axes.0, indices, &opened)));
    let label = label(&axes.0, indices);
    let config = ExperimentConfig { origin, ..config? };
    let (load, destination) = (load.clone(), record.clone().map(Destination::from));
    let experiment = Experiment { config, label: label.clone(), load, record: destination, meter: meter.clone() };
    let outcome = experiment.run().map_err(|error| Diagnostics::from(&error).at(&label))?;
    if outcome.recording_failed {
        return Err(Diagnostic::new(label, "the recording failed, see above").into());
    }
    let (metrics, provenance) = (outcome.analyzed.metrics, outcome.analyzed.run.provenance);
    Ok(GridRun { metrics, warnings: outcome.warnings, provenance, recording: record })
}

/// One combination that the world has.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The keys that are varied, with their values.
    pub varied: Vec<(String, String)>,
    /// The config with them.
    pub config: ExperimentConfig,
}

/// The configs of all combinations that the world has, the last axis changing fastest; `settings` as for [`Grid::run`].
///
/// # Errors
/// As [`Grid::run`].
pub fn variants(
    base: &ExperimentConfig,
    load: &LoadOptions,
    axes: &Axes,
    settings: &[(String, String)],
) -> Result<Vec<Variant>, ExperimentError> {
    let plan = Plan::check(base, load, axes, settings)?;
    let present = combinations(axes).into_iter().filter(|indices| !plan.is_absent(indices));
    let variant = |indices: Vec<usize>| {
        let chosen = || axes.0.iter().zip(indices.iter().copied());
        let config = with_values(base, chosen(), settings).map_err(ExperimentError::Config)?;
        let varied = chosen().map(|(axis, index)| (axis.name(), axis.label(index))).collect();
        Ok(Variant { varied, config })
    };
    present.map(variant).collect()
}

/// The config of the one run of a matrix whose axes have a single value each; `settings` as for [`Grid::run`].
///
/// # Errors
/// An axis has several values, or a value cannot be set.
pub fn only_run(
    base: &ExperimentConfig,
    axes: &Axes,
    settings: &[(String, String)],
) -> Result<ExperimentConfig, Diagnostics> {
    if let Some(several) = axes.0.iter().find(|axis| axis.values.len() > 1) {
        let found = format!("{} values", several.values.len());
        return Err(Diagnostic::new(several.placed(&several.name()), found).accepted("a single one").into());
    }
    with_values(base, axes.0.iter().map(|axis| (axis, 0)), settings)
}

/// `base` with one value of each of these axes.
///
/// # Errors
/// Each value that cannot be set, at `--vary KEY=VALUE`, or where the config has it.
pub(super) fn with_values<'a>(
    base: &ExperimentConfig,
    chosen: impl IntoIterator<Item = (&'a Axis, usize)>,
    settings: &[(String, String)],
) -> Result<ExperimentConfig, Diagnostics> {
    let pairs = |(axis, index): (&'a Axis, usize)| {
        let settings = axis.keys.iter().zip(&axis.values[index]);
        settings.map(move |(key, value)| (key, value, axis.place_of(index, &format!("{key}={value}"))))
    };
    let mut values: Vec<(&String, &String, String)> = chosen.into_iter().flat_map(pairs).collect();
    values.sort_by_key(|(key, ..)| match key.as_str() {
        "trajectory" => 0,
        "speed" => 2,
        _ => 1,
    });
    let mut config = ExperimentConfig { vary: Axes::default(), ..base.clone() };
    let mut wrong = Vec::new();
    for (key, value, place) in values {
        let set = set(&mut config, &place, key, value, settings);
        wrong.extend(set.err().into_iter().flatten().map(|problem| at_value(problem, &place)));
    }
    if wrong.is_empty() { Ok(config) } else { Err(Diagnostics(wrong)) }
}

/// The message at the place of a value of an axis, unless it is there already.
pub(super) fn at_value(problem: Diagnostic, place: &str) -> Diagnostic {
    if problem.place.as_deref() == Some(place) { problem } else { problem.at(place) }
}

/// Sets one key, which is written at `place`.
fn set(
    config: &mut ExperimentConfig,
    place: &str,
    key: &str,
    value: &str,
    settings: &[(String, String)],
) -> Result<(), Diagnostics> {
    match key {
        "trajectory" => config.trajectory = trajectory(&config.trajectory, value, settings)?,
        "speed" => {
            let accepted = || Diagnostic::of(format!("found \"{value}\"")).accepted("a number > 0 [m/s]");
            let speed: f64 = value.parse().map_err(|_| accepted())?;
            config.trajectory.time_scale = time_scale_for(&config.trajectory, speed, config.duration)?;
        }
        _ if OWN_KEYS.contains(&key) => config.set_own(place, key, value)?,
        _ => {
            let folder = config.trajectory.folder.clone();
            if !config.set_from(place, key, value)? {
                config.variables.insert(key.into(), value.into());
            } else if config.trajectory.points.is_empty() {
                // Waypoints are no keys: a key of the trajectory has them read again.
                waypoint_file::load(&mut config.trajectory, &folder)?;
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
    let ends = |ending: &str| Path::new(value).extension().is_some_and(|extension| extension == ending);
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
