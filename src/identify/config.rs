//! The configuration of an identification in YAML; `config/identify/bicycle.yaml` explains every key.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use skidpad_analysis::yaml::{self, Refused};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;
use skidpad_sim::trajectory::check;

use super::IdentifyError;
use super::bands::Bands;
use super::class_file::NumberPath;
use super::columns::{Columns, ROLES, Role};
use super::observe::Observe;

/// Largest config [bytes].
const MAX_BYTES: u64 = 1 << 20;
/// The characters allowed in the name of a class, which also names its files.
const NAME_RULE: &str = "letters, digits, _, - and ., beginning with a letter, a digit or _";
/// Shortest step of the simulation [s].
const MIN_STEP: f64 = 1e-5;
/// Longest `velocity_span` [s].
const MAX_SPAN: f64 = 10.0;
/// Paths of unknowns in the measurement and command models begin with this.
const MEASUREMENT: &str = "measurement";

/// The configuration of an identification: vehicle class, recordings, unknowns, search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IdentifyConfig {
    /// Name of the class that is written, and of its files.
    pub name: String,
    /// Description of the car in a sentence, for the head of the class file.
    pub description: String,
    /// The class whose unknown numbers are fitted.
    pub vehicle: VehicleSource,
    /// Step of the simulation [s], > 0.
    pub timestep: f64,
    /// The recordings.
    pub recordings: Vec<Source>,
    /// The columns of CSV files that hold each quantity.
    pub columns: Columns,
    /// The topics of MCAP files and rosbag2 folders.
    pub topics: Topics,
    /// Which of the recordings are only predicted, not fitted.
    pub test: TestRuns,
    /// Windows of open-loop prediction.
    pub windows: Windows,
    /// Time over which velocities are derived from poses [s], half of it in the future; 0: they are not derived.
    pub velocity_span: f64,
    /// Standard deviation of the measurement noise of each quantity, in SI or radians: a quantity that is not listed is
    /// not fitted.
    pub noise: BTreeMap<Role, f64>,
    /// Standard deviation of the noise of the measured states that windows start from, in SI or radians; none: as
    /// `noise`. A quantity that is not listed counts as exact.
    pub start_noise: Option<BTreeMap<Role, f64>>,
    /// Residuals beyond this many standard deviations count linearly instead of squared (Huber's function), > 0.
    pub huber: f64,
    /// The numbers to find.
    pub unknowns: Vec<Unknown>,
    /// The global search before the local one.
    pub search: Search,
    /// The measurement and command models: known numbers, and start values of unknown ones.
    pub measurement: Measurement,
    /// Numbers of `measurement` that differ in some recordings, by a text in the path of these:
    /// `{monday: {steering_trim: 0.02}}`.
    pub measurement_in: MeasurementIn,
    /// Other, usually simpler, classes that are fitted to the same windows for comparison.
    pub compare: Vec<Rung>,
    /// Predictions at a measured lateral acceleration, vx × yaw rate, above this are also scored separately [m/s²]; 0:
    /// they are not.
    pub beyond: f64,
    /// Most evaluations of all windows by each search, not counting those of intervals and profiles.
    pub budget: usize,
    /// Whether to compute the profile likelihood of each unknown.
    pub profiles: bool,
    /// Length of the windows over which the error of dead reckoning is taken, to find the noise of odometry [s]; 0: it is
    /// not looked for.
    pub odometry_window: f64,
    /// Trims that are observed before each window, for a prediction beside that of the class; none: there is no such
    /// prediction. Searches do not depend on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observe: Option<Observe>,
    /// Bands of the errors of prediction, as an identification has found them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bands: Option<Bands>,
    /// The same with the trims that are observed before each window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_bands: Option<Bands>,
}

/// A class to compare with: a rung of the ladder of vehicle models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rung {
    /// Name in tables.
    pub name: String,
    /// The class whose unknown numbers are fitted.
    pub vehicle: VehicleSource,
    /// The numbers to find.
    pub unknowns: Vec<Unknown>,
}

impl Default for IdentifyConfig {
    fn default() -> IdentifyConfig {
        IdentifyConfig {
            name: String::new(),
            description: String::new(),
            vehicle: VehicleSource::default(),
            timestep: 0.005,
            recordings: Vec::new(),
            columns: Columns::default(),
            topics: Topics::default(),
            test: TestRuns::default(),
            windows: Windows::default(),
            velocity_span: 0.0,
            noise: BTreeMap::new(),
            start_noise: None,
            huber: 3.0,
            unknowns: Vec::new(),
            search: Search::default(),
            measurement: Measurement::default(),
            measurement_in: BTreeMap::new(),
            compare: Vec::new(),
            beyond: 0.0,
            budget: 2000,
            profiles: false,
            odometry_window: 0.0,
            observe: None,
            bands: None,
            observed_bands: None,
        }
    }
}

impl VehicleSource {
    /// The path of the file, in the first of these folders that has it.
    ///
    /// # Errors
    /// No folder has the file.
    pub fn find(&self, folders: &[PathBuf]) -> Result<PathBuf, IdentifyError> {
        let file = folders.iter().map(|folder| folder.join(&self.file)).find(|path| path.is_file());
        file.ok_or_else(|| {
            Diagnostic::new(self.file.display(), "not found")
                .accepted("a file beside the config, or one of worlds/vehicles")
                .into()
        })
    }
}

/// A vehicle class in a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VehicleSource {
    /// Path of the file, relative to the config or to the installed `worlds/vehicles`.
    pub file: PathBuf,
    /// Name of the class.
    pub class: String,
}

/// Paths of recordings, relative to the config; `*` matches any part of a file's name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a path, or {measurements: PATH, commands: PATH}")]
pub enum Source {
    /// Recordings in a file or folder each.
    Whole(String),
    /// Recordings whose measurements and commands are in two text tables.
    Parts(Parts),
}

/// Recordings in two text tables each: those that match two patterns with the same texts for `*`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parts {
    /// Paths of the tables with the measurements.
    pub measurements: String,
    /// Paths of the tables with the commands.
    pub commands: String,
}

/// Topics of MCAP files and rosbag2 folders.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Topics {
    /// Topic of odometry or poses; empty: the first of the usual ones, the ground truth before odometry.
    pub pose: String,
    /// Topic of Ackermann or velocity commands, or of pedals; empty: the first of the usual ones, or else the only
    /// topic of pedals.
    pub command: String,
    /// Topic of an inertial sensor whose axes are those of the body; empty: none.
    pub imu: String,
    /// Topic of joint states, for the speed of the wheels.
    pub joint_states: JointTopic,
}

/// A topic of joint states, of which some joints turn wheels.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JointTopic {
    /// Name of the topic; empty: none.
    pub topic: String,
    /// Names of the joints that turn wheels; the mean of their rates is taken.
    pub joints: Vec<String>,
    /// Radius of the wheels [m], > 0.
    pub wheel_radius: f64,
}

/// Which recordings are only predicted, not fitted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TestRuns {
    /// Recordings whose path contains one of these texts.
    pub files: Vec<String>,
    /// Every n-th recording; 0: none.
    pub every: usize,
    /// The part after this time of each of the other recordings [s], for a single long one; 0: nothing.
    pub after: f64,
}

/// How recordings are cut into windows of open-loop prediction, each of which starts at a measured state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Windows {
    /// Duration of a window [s], > 0.
    pub length: f64,
    /// Time between the starts of windows [s]; below `length` they overlap.
    pub every: f64,
    /// Time for which the car is driven by the recorded commands before a window, so that delays and lags have their
    /// history [s].
    pub settle: f64,
    /// Longest gap between two rows within a window [s].
    pub longest_gap: f64,
    /// Least speed at the start of a window; slower ones are left out [m/s].
    pub slowest: f64,
    /// Greatest speed of a row; faster ones are left out, as jumps of the marker [m/s].
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
    /// Path of the number in the class, or `measurement/…`, or `measurement[TEXT]/…` for recordings whose path contains
    /// this text. Several paths share one number; after a `-` a path of the class has
    /// it with the opposite sign.
    pub at: Paths,
    /// Smallest and largest value, in the unit of the number.
    pub range: [f64; 2],
    /// Start value of the search; default: the number in the class.
    #[serde(default)]
    pub start: Option<f64>,
    /// Prior knowledge of the number: mean and standard deviation.
    #[serde(default)]
    pub prior: Option<[f64; 2]>,
}

/// A global search over the whole ranges, before the local one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Search {
    /// Most evaluations of all windows; 0: no global search.
    pub evaluations: usize,
    /// Seed of its random numbers.
    pub seed: u64,
}

/// One path or several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Paths {
    /// A single path.
    One(String),
    /// Paths that share one number.
    Several(Vec<String>),
}

impl Unknown {
    /// The paths of the number.
    pub fn paths(&self) -> &[String] {
        match &self.at {
            Paths::One(path) => std::slice::from_ref(path),
            Paths::Several(paths) => paths,
        }
    }

    /// The name of the unknown in tables: its first path.
    pub fn name(&self) -> &str {
        self.paths().first().map_or("", String::as_str)
    }

    /// Whether it is a time by which commands or measurements are shifted.
    pub(super) fn is_delay(&self) -> bool {
        self.name().ends_with("@delay") || self.name().ends_with("clock_offset")
    }
}

/// The measurement model, which relates the motion of the car to what is recorded, and the command model, which relates
/// recorded commands to those that the car receives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Measurement {
    /// Position of the marker or antenna along the body's x axis [m].
    pub marker_x: f64,
    /// Position of the marker or antenna along the body's y axis, to the left [m].
    pub marker_y: f64,
    /// Measured heading minus the heading of the body [rad].
    pub heading_offset: f64,
    /// Clock of the measurements minus that of the commands [s]: positive if measurements show a command late.
    pub clock_offset: f64,
    /// Relative error of the measured wheel speed [-]: measured = (1 + scale) × true.
    pub wheel_speed_scale: f64,
    /// Measured yaw rate of a car at rest [rad/s].
    pub yaw_rate_offset: f64,
    /// Command model: added to the recorded steering command, in its unit.
    pub steering_trim: f64,
    /// Command model: relative change of the recorded throttle [-], such as by the charge of the battery: applied = (1
    /// + scale) × recorded.
    pub throttle_scale: f64,
    /// Command model: relative change of the recorded speed [-], likewise, for classes that take a speed.
    pub speed_scale: f64,
    /// Command model: relative change of the recorded yaw rate [-], likewise, for robots that take one.
    pub yaw_rate_scale: f64,
    /// Command model: yaw rate that is added per speed of velocity commands [rad/m], counter-clockwise positive, as of a
    /// robot that veers to its left.
    pub curvature: f64,
    /// Acceleration of the body's reference point along its x axis by what the class lacks [m/s²].
    pub push_x: f64,
    /// The same along its y axis, to the left [m/s²].
    pub push_y: f64,
    /// Yaw acceleration by what the class lacks [rad/s²], counter-clockwise positive.
    pub push_yaw: f64,
}

/// Numbers of [`Measurement`] that differ in some recordings: by a text in the paths of these, then by name.
pub type MeasurementIn = BTreeMap<String, BTreeMap<String, f64>>;

/// Access to a number of the measurement or command model.
pub(super) type Field = fn(&mut Measurement) -> &mut f64;

/// The numbers of `Measurement` by name.
const MEASUREMENTS: [(&str, Field); 14] = [
    ("marker_x", |m| &mut m.marker_x),
    ("marker_y", |m| &mut m.marker_y),
    ("heading_offset", |m| &mut m.heading_offset),
    ("clock_offset", |m| &mut m.clock_offset),
    ("wheel_speed_scale", |m| &mut m.wheel_speed_scale),
    ("yaw_rate_offset", |m| &mut m.yaw_rate_offset),
    ("steering_trim", |m| &mut m.steering_trim),
    ("throttle_scale", |m| &mut m.throttle_scale),
    ("speed_scale", |m| &mut m.speed_scale),
    ("yaw_rate_scale", |m| &mut m.yaw_rate_scale),
    ("curvature", |m| &mut m.curvature),
    ("push_x", |m| &mut m.push_x),
    ("push_y", |m| &mut m.push_y),
    ("push_yaw", |m| &mut m.push_yaw),
];

impl Measurement {
    /// Whether something that the class lacks accelerates the body.
    pub(super) fn pushes(&self) -> bool {
        [self.push_x, self.push_y, self.push_yaw].iter().any(|push| *push != 0.0)
    }

    /// Access to the number of this name.
    ///
    /// # Errors
    /// There is no number of this name; the message lists the accepted names.
    pub(super) fn field(name: &str) -> Result<Field, Diagnostic> {
        let names: Vec<&str> = MEASUREMENTS.iter().map(|(name, _)| *name).collect();
        let known = MEASUREMENTS.iter().find(|(known, _)| *known == name);
        known.map(|(_, field)| *field).ok_or_else(|| Diagnostic::of(format!("no \"{name}\"")).one_of(name, &names))
    }
}

/// Splits the path of an unknown of the measurement model into the text that selects recordings, empty for all, and the
/// name of the number. None for a path in the class.
pub(super) fn measurement_path(path: &str) -> Option<(&str, &str)> {
    let after_measurement = path.strip_prefix(MEASUREMENT)?;
    match after_measurement.strip_prefix('[') {
        Some(selector) => selector.split_once("]/"),
        None => after_measurement.strip_prefix('/').map(|name| ("", name)),
    }
}

impl IdentifyConfig {
    /// Reads a config.
    ///
    /// # Errors
    /// The file cannot be read or is invalid; the message lists all mistakes with their lines.
    pub fn load(path: &Path) -> Result<IdentifyConfig, IdentifyError> {
        let name = path.display().to_string();
        let text = input_file::read_text(path, MAX_BYTES).map_err(|error| FileError::read(path, error))?;
        IdentifyConfig::parse(&name, &text)
    }

    /// Reads a config from `text`; `name` is the file name in messages.
    ///
    /// # Errors
    /// As [`load`](IdentifyConfig::load).
    pub(super) fn parse(name: &str, text: &str) -> Result<IdentifyConfig, IdentifyError> {
        let is_written = |key: &str| yaml::place_of(name, text, key) != name;
        let check = |config: &mut IdentifyConfig| {
            let empty = config.needed().into_iter().filter(|(_, is_empty, _)| *is_empty);
            let refused = empty.filter_map(|(key, _, accepted)| match (is_written(key), accepted) {
                (false, _) => Some(Refused::Elsewhere(Diagnostic::new(name, format!("missing key \"{key}\"")).into())),
                (true, "") => None,
                (true, _) => {
                    let problem = Diagnostic::new(key, "it is empty").accepted(accepted);
                    Some(Refused::Value { section: "", problem })
                }
            });
            refused.chain(config.check()).collect()
        };
        yaml::read_all_with_names(name, text, check)
    }

    /// The required keys, whether each is empty, and what is accepted where that is not allowed.
    fn needed(&self) -> [(&'static str, bool, &'static str); 5] {
        [
            ("name", self.name.is_empty(), "a name of files and of the class"),
            ("vehicle", self.vehicle == VehicleSource::default(), "the file and the name of a class"),
            ("recordings", self.recordings.is_empty(), "names of files, relative to the config"),
            ("noise", self.noise.is_empty(), "a standard deviation of each quantity to fit"),
            ("unknowns", self.unknowns.is_empty(), ""),
        ]
    }

    /// The values that are not accepted.
    fn check(&self) -> Vec<Refused> {
        let seconds = |key: &str, value: f64, low: f64, high: f64| {
            let accepted = format!("a number from {low} to {high} [s]");
            check::require(key, value, (low..=high).contains(&value), &accepted)
        };
        let Windows { length, every, settle, .. } = self.windows;
        let is_length = length > 0.0 && length <= 600.0;
        let checked = [
            ("", check::positive("huber", self.huber, "-")),
            ("windows", check::require("length", length, is_length, "a number > 0 and at most 600 [s]")),
            ("", seconds("timestep", self.timestep, MIN_STEP, 0.1)),
            ("", seconds("velocity_span", self.velocity_span, 0.0, MAX_SPAN)),
            ("", seconds("odometry_window", self.odometry_window, 0.0, 600.0)),
            ("windows", check::require("every", every, every >= 0.01, "a number from 0.01 [s] on")),
            ("windows", seconds("settle", settle, 0.0, 60.0)),
            ("", check::require("beyond", self.beyond, self.beyond >= 0.0, "a number of m/s², or 0")),
            ("", self.check_name()),
        ];
        let refuse =
            |section, checked: Result<(), Diagnostic>| checked.err().map(|problem| Refused::Value { section, problem });
        let mut refused: Vec<Refused> =
            checked.into_iter().filter_map(|(section, checked)| refuse(section, checked)).collect();
        let predicted = || ROLES.iter().filter(|(.., predicted)| *predicted).map(|(name, ..)| *name);
        for (role, sigma) in &self.noise {
            let name = role.name();
            if !predicted().any(|predicted| predicted == name) {
                let names: Vec<&str> = predicted().collect();
                let problem = Diagnostic::new(name, "not a predicted quantity").one_of(name, &names);
                refused.push(Refused::Value { section: "noise", problem });
            } else {
                let checked = check::require(name, *sigma, *sigma > 0.0, "a positive number");
                refused.extend(refuse("noise", checked));
            }
        }
        for (part, name, value) in
            self.measurement_in.iter().flat_map(|(part, m)| m.iter().map(move |(n, v)| (part, n, v)))
        {
            let checked = Measurement::field(name).and_then(|_| check::require(name, *value, true, "a number"));
            refused.extend(refuse("measurement_in", checked.map_err(|problem| problem.at(part))));
        }
        let observe = self.observe.iter().flat_map(Observe::check);
        refused.extend(observe.map(|problem| Refused::Value { section: "observe", problem }));
        let JointTopic { topic, joints, wheel_radius } = &self.topics.joint_states;
        if !topic.is_empty() && (joints.is_empty() || !(*wheel_radius > 0.0 && wheel_radius.is_finite())) {
            let accepted = "{topic: NAME, joints: [NAMES of the wheels' joints], wheel_radius: a positive number of m}";
            let problem = Diagnostic::new("joint_states", "joints or wheel_radius is missing").accepted(accepted);
            refused.push(Refused::Value { section: "topics", problem });
        }
        for (role, column) in &self.columns {
            if let Err(problem) = column.factor(*role) {
                refused.push(Refused::Value { section: "columns", problem });
            }
        }
        let of_rungs = self.compare.iter().flat_map(|rung| &rung.unknowns).map(|unknown| ("compare", unknown));
        for (section, unknown) in self.unknowns.iter().map(|unknown| ("unknowns", unknown)).chain(of_rungs) {
            let problems = unknown.check().into_iter();
            refused.extend(problems.map(|(item, problem)| {
                let problem = problem.at("unknowns");
                Refused::Item { section, item, problem }
            }));
        }
        refused
    }

    fn check_name(&self) -> Result<(), Diagnostic> {
        let is_plain = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        match self.name.chars().all(is_plain) && !self.name.starts_with(['.', '-']) {
            true => Ok(()),
            false => {
                Err(Diagnostic::new("name", format!("found \"{}\"", self.name.escape_debug())).accepted(NAME_RULE))
            }
        }
    }
}

impl Unknown {
    /// The values that are not accepted, each after a text by which its line is found.
    fn check(&self) -> Vec<(String, Diagnostic)> {
        if self.paths().is_empty() {
            return vec![("at".to_owned(), Diagnostic::new("at", "no path").accepted("one or several"))];
        }
        let mut wrong = Vec::new();
        for path in self.paths() {
            let problem = match measurement_path(path) {
                Some((part, _)) if part.contains(['|', '`']) || part.contains(char::is_control) => {
                    Diagnostic::of(format!("\"{}\"", part.escape_debug()))
                        .accepted("a part of a path without |, ` and control characters")
                }
                Some((_, name)) => match Measurement::field(name) {
                    Ok(_) => continue,
                    Err(problem) => Diagnostic { found: format!("no \"{path}\""), ..problem },
                },
                None => match NumberPath::parse(path.strip_prefix('-').unwrap_or(path)) {
                    Ok(_) => continue,
                    Err(problem) => problem,
                },
            };
            wrong.push((path.clone(), problem));
        }
        let name = self.name();
        let mut refuse = |found: String, accepted: &str| {
            wrong.push((name.to_owned(), Diagnostic::new(name, found).accepted(accepted)));
        };
        let [low, high] = self.range;
        if !(low.is_finite() && high.is_finite() && low < high) {
            refuse(format!("range [{low}, {high}]"), "a smaller and a larger number");
        } else if let Some(start) = self.start.filter(|start| !(low..=high).contains(start)) {
            refuse(format!("start {start} is out of range"), &format!("from {low} to {high}"));
        }
        if self.prior.is_some_and(|[mean, sigma]| !(mean.is_finite() && sigma > 0.0)) {
            refuse("prior".to_owned(), "a mean and a positive standard deviation");
        }
        wrong
    }
}
