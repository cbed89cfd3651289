//! The configuration of an identification in YAML; `config/identify/bicycle.yaml` explains every key.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::IdentifyError;
use super::class_file::NumberPath;
use super::columns::{Columns, ROLES, Role};
use crate::input_file;
use crate::xml::accepted_names;
use crate::yaml;

/// Longest config [bytes].
const LONGEST: u64 = 1 << 20;
/// Paths of the unknowns around the car begin with this.
pub(super) const MEASUREMENT: &str = "measurement/";

/// What to identify, from what, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdentifyConfig {
    /// Name of the class that is written.
    pub name: String,
    /// What the car is, in a sentence for the head of the class.
    #[serde(default)]
    pub description: String,
    /// The class to start from.
    pub vehicle: VehicleSource,
    /// Step of the simulation [s], > 0.
    #[serde(default = "default_timestep")]
    pub timestep: f64,
    /// Recordings, relative to the config; `*` stands for any part of a file's name.
    pub recordings: Vec<String>,
    /// What the columns of CSV files mean.
    #[serde(default)]
    pub columns: Columns,
    /// The topics of MCAP files and rosbag2 folders.
    #[serde(default)]
    pub topics: Topics,
    /// Recordings to predict, not to fit: those of `recordings` that match one of these, or every k-th.
    #[serde(default)]
    pub test: TestRuns,
    /// Windows of open-loop prediction.
    #[serde(default)]
    pub windows: Windows,
    /// Derives velocities from poses, over this time [s]; 0: not. The look into the future is half of it.
    #[serde(default)]
    pub velocity_span: f64,
    /// Noise of what is fitted [standard deviation in its unit]: what has none is not fitted.
    pub noise: std::collections::BTreeMap<Role, f64>,
    /// Noise of the measured states that windows start from; none: that of `noise`; what is not in it is taken for exact.
    #[serde(default)]
    pub start_noise: Option<std::collections::BTreeMap<Role, f64>>,
    /// Residuals beyond so many standard deviations count linearly (Huber), > 0.
    #[serde(default = "default_huber")]
    pub huber: f64,
    /// What is unknown.
    pub unknowns: Vec<Unknown>,
    /// Whether the whole ranges are searched first.
    #[serde(default)]
    pub search: Search,
    /// What is around the car, where it is known or where the search starts.
    #[serde(default)]
    pub measurement: Measurement,
    /// Other classes that are fitted to the same windows, for comparison: simpler ones.
    #[serde(default)]
    pub compare: Vec<Rung>,
    /// Predictions where the measured lateral acceleration, vx × yaw rate, is beyond this are also scored by themselves [m/s²]; 0: not.
    #[serde(default)]
    pub beyond: f64,
    /// Most evaluations of all windows, without those of profiles.
    #[serde(default = "default_budget")]
    pub budget: usize,
    /// Whether the likelihood of each unknown is profiled.
    #[serde(default)]
    pub profiles: bool,
}

/// A class to compare with, and what is unknown of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rung {
    /// Its name in tables.
    pub name: String,
    /// The class to start from.
    pub vehicle: VehicleSource,
    /// What is unknown.
    pub unknowns: Vec<Unknown>,
}

fn default_timestep() -> f64 {
    0.005
}

fn default_huber() -> f64 {
    3.0
}

fn default_budget() -> usize {
    2000
}

impl VehicleSource {
    /// The file in the first of these folders that has it.
    ///
    /// # Errors
    /// None has it.
    pub fn find(&self, folders: &[PathBuf]) -> Result<PathBuf, IdentifyError> {
        let found = folders.iter().map(|folder| folder.join(&self.file)).find(|path| path.is_file());
        found.ok_or_else(|| {
            IdentifyError::Config(format!(
                "{}: not found\n  accepted: a file beside the config, or one of worlds/vehicles",
                self.file.display()
            ))
        })
    }
}

/// A class in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VehicleSource {
    /// The file, relative to the config, or one of the installed worlds' folder.
    pub file: PathBuf,
    /// Name of the class.
    pub class: String,
}

/// Topics of a recording with messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Topics {
    /// Odometry or poses; empty: the first of the usual ones, the ground truth before odometry.
    pub pose: String,
    /// Ackermann commands; empty: the first of the usual ones.
    pub command: String,
}

/// Which recordings are predicted only.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TestRuns {
    /// Parts of file names.
    pub files: Vec<String>,
    /// Every so many-th recording; 0: none.
    pub every: usize,
    /// What comes after this time in each of the others [s], for a single long recording; 0: nothing.
    pub after: f64,
}

/// Windows of open-loop prediction: each starts at a measured state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Windows {
    /// Duration [s], > 0.
    pub length: f64,
    /// A window starts every so many seconds; below `length` they overlap.
    pub every: f64,
    /// For so long the first commands are in force before a recording starts [s].
    pub settle: f64,
    /// Longest gap between two rows within a window [s].
    pub longest_gap: f64,
    /// Windows that start slower than this are left out [m/s].
    pub slowest: f64,
    /// Rows where the recording says a faster speed than this are left out: a marker that jumps [m/s].
    pub fastest: f64,
}

impl Default for Windows {
    fn default() -> Windows {
        Windows { length: 1.0, every: 1.0, settle: 1.0, longest_gap: 0.2, slowest: 0.0, fastest: 200.0 }
    }
}

/// A number to find.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unknown {
    /// Its path in the class, or `measurement/…`; several: the same number at each.
    pub at: Paths,
    /// Smallest and largest value.
    pub range: [f64; 2],
    /// Where the search starts; default: the number of the class.
    #[serde(default)]
    pub start: Option<f64>,
    /// Mean and standard deviation of what is known beforehand.
    #[serde(default)]
    pub prior: Option<[f64; 2]>,
}

/// A search over the whole ranges, before the one from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Search {
    /// Most evaluations of all windows; 0: no such search.
    pub evaluations: usize,
    /// Of its random numbers.
    pub seed: u64,
}

/// One path or several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Paths {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Unknown {
    /// The paths.
    pub fn paths(&self) -> &[String] {
        match &self.at {
            Paths::One(path) => std::slice::from_ref(path),
            Paths::Several(paths) => paths,
        }
    }

    /// Its name in tables: the first path.
    pub fn name(&self) -> &str {
        self.paths().first().map_or("", String::as_str)
    }

    /// Whether it shifts something in time.
    pub(super) fn is_delay(&self) -> bool {
        self.name().ends_with("@delay") || self.name().ends_with("clock_offset")
    }
}

/// What lies between the car and its recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Measurement {
    /// Position of the marker or antenna in the body frame [m].
    pub marker_x: f64,
    /// The same, to the left.
    pub marker_y: f64,
    /// Measured heading less that of the body [rad].
    pub heading_offset: f64,
    /// Time of the measurements less that of the commands [s]: what was commanded at t shows at t plus this.
    pub clock_offset: f64,
    /// Measured speed of the wheels less 1, over the true one [-].
    pub wheel_speed_scale: f64,
    /// Measured yaw rate at rest [rad/s].
    pub yaw_rate_offset: f64,
}

/// Access to a number of a measurement.
pub(super) type Field = fn(&mut Measurement) -> &mut f64;

/// The names of `Measurement`, each with access to it.
pub(super) const MEASUREMENTS: [(&str, Field); 6] = [
    ("marker_x", |m| &mut m.marker_x),
    ("marker_y", |m| &mut m.marker_y),
    ("heading_offset", |m| &mut m.heading_offset),
    ("clock_offset", |m| &mut m.clock_offset),
    ("wheel_speed_scale", |m| &mut m.wheel_speed_scale),
    ("yaw_rate_offset", |m| &mut m.yaw_rate_offset),
];

impl IdentifyConfig {
    /// Reads a config.
    ///
    /// # Errors
    /// It cannot be read or is invalid.
    pub fn load(path: &Path) -> Result<IdentifyConfig, IdentifyError> {
        let name = path.display().to_string();
        let text =
            input_file::read_text(path, LONGEST).map_err(|error| IdentifyError::Config(format!("{name}: {error}")))?;
        let config: IdentifyConfig = yaml::read_with_names(&name, &text).map_err(IdentifyError::Config)?;
        config
            .check()
            .map_err(|(key, found)| IdentifyError::Config(format!("{}: {found}", yaml::place_of(&name, &text, key))))?;
        Ok(config)
    }

    /// The first key that does not make sense, and why.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let positive = |key: &'static str, value: f64| {
            let fine = value.is_finite() && value > 0.0;
            fine.then_some(()).ok_or_else(|| (key, format!("{key}: found {value}\n  accepted: a positive number")))
        };
        positive("timestep", self.timestep)?;
        positive("huber", self.huber)?;
        positive("windows", self.windows.length)?;
        positive("windows", self.windows.every)?;
        if self.timestep > 0.1 {
            return Err(("timestep", format!("timestep: found {}\n  accepted: up to 0.1 s", self.timestep)));
        }
        if self.windows.length > 600.0 || self.windows.every < 0.01 || !(0.0..=60.0).contains(&self.windows.settle) {
            return Err((
                "windows",
                "windows: a length up to 600 s, every from 0.01 s, settle from 0 to 60 s are accepted".into(),
            ));
        }
        for (role, sigma) in &self.noise {
            let predicted = ROLES.iter().filter(|(.., predicted)| *predicted).map(|(name, ..)| *name);
            if !predicted.clone().any(|name| name == role.name()) {
                let names: Vec<&str> = predicted.collect();
                return Err((
                    "noise",
                    format!("noise: {} is not predicted{}", role.name(), accepted_names(role.name(), &names)),
                ));
            }
            if !(sigma.is_finite() && *sigma > 0.0) {
                return Err(("noise", format!("noise: {}: found {sigma}\n  accepted: a positive number", role.name())));
            }
        }
        if self.noise.is_empty() {
            return Err((
                "noise",
                "noise: nothing is fitted\n  accepted: a standard deviation of each quantity to fit".into(),
            ));
        }
        if !(self.beyond.is_finite() && self.beyond >= 0.0) {
            return Err(("beyond", format!("beyond: found {}\n  accepted: a number of m/s², or 0", self.beyond)));
        }
        for unknown in self.compare.iter().flat_map(|rung| &rung.unknowns).chain(&self.unknowns) {
            for path in unknown.paths() {
                match path.strip_prefix(MEASUREMENT) {
                    Some(name) if MEASUREMENTS.iter().any(|(known, _)| *known == name) => {}
                    Some(name) => {
                        let names: Vec<&str> = MEASUREMENTS.iter().map(|(name, _)| *name).collect();
                        return Err(("unknowns", format!("unknowns: no \"{path}\"{}", accepted_names(name, &names))));
                    }
                    None => drop(NumberPath::parse(path).map_err(|wrong| ("unknowns", format!("unknowns: {wrong}")))?),
                }
            }
            let [low, high] = unknown.range;
            if !(low.is_finite() && high.is_finite() && low < high) {
                return Err((
                    "unknowns",
                    format!(
                        "unknowns: {}: range [{low}, {high}]\n  accepted: a smaller and a larger number",
                        unknown.name()
                    ),
                ));
            }
            if unknown.prior.is_some_and(|[mean, sigma]| !(mean.is_finite() && sigma > 0.0)) {
                return Err((
                    "unknowns",
                    format!(
                        "unknowns: {}: prior\n  accepted: a mean and a positive standard deviation",
                        unknown.name()
                    ),
                ));
            }
        }
        Ok(())
    }
}
