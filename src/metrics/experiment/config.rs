//! The configuration of an experiment in YAML; `config/figure_eight.yaml` explains every key.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;
use skidpad_record::Provenance;
use skidpad_run::processes::{named_files, words};
use skidpad_sim::tracking::{self, LinearizerParameters, TrackerParameters};
use skidpad_sim::trajectory::{self, TrajectoryParameters, check};
use skidpad_sim::waypoint_file;

use super::controlled::RosRuns;
use super::{Axes, ExperimentError};
use crate::laps::LapParameters;
use crate::yaml::{self, Refused};

/// The controller that is the config's own tracker.
pub const BUILT_IN: &str = "builtin";

/// In place of a controller: nobody leads the vehicle.
pub const NOBODY: &str = "none";

/// The variable with the folders in which ROS finds packages.
const PREFIXES: &str = "AMENT_PREFIX_PATH";

/// How long a controller may take for an answer, unless the config says otherwise [wall s].
const CONTROLLER_TIMEOUT: f64 = 20.0;

fn is_built_in(controller: &str) -> bool {
    controller == BUILT_IN
}

fn is_usual_timeout(timeout: &f64) -> bool {
    timeout.to_bits() == CONTROLLER_TIMEOUT.to_bits()
}

/// Longest config [bytes].
const MAX_BYTES: u64 = 1 << 20;
/// Longest experiment [s]: a year.
const MAX_DURATION: f64 = 3.2e7;
/// Most samples of a run, which have some 200 bytes each with four wheels, together with its ticks, which have 64.
const MAX_SAMPLES: f64 = 1e7;
/// Most ticks or samples per second [Hz].
const MAX_RATE: f64 = 1e5;
/// Longest latency [s].
const MAX_LATENCY: f64 = 5.0;
/// Longest physics step [s].
const MAX_STEP: f64 = 0.1;

/// The keys beside the sections that a matrix can vary.
pub(super) const OWN_KEYS: [&str; 12] = [
    "world",
    "vehicle",
    "controller",
    "plant",
    "tyre",
    "feedback",
    "latency",
    "step",
    "rate",
    "sample_rate",
    "duration",
    "seed",
];

/// The plants that have tyres.
pub const PLANTS: [&str; 2] = ["rigid_body", "single_track"];

/// All plants: those with tyres, and the one that moves as commanded.
pub const ALL_PLANTS: [&str; 3] = ["rigid_body", "single_track", "kinematic"];

/// The laws of their tyres.
pub const TYRES: [&str; 4] = ["default", "linear", "fiala", "pacejka"];

/// An experiment: world, vehicle, trajectory, controller and duration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExperimentConfig {
    /// Its name in tables and files; empty: the name of the config file.
    pub name: String,
    /// The world file: relative to the config, or a name of the installed worlds.
    pub world: PathBuf,
    /// The vehicle that follows the trajectory; empty: the only one of the world.
    pub vehicle: String,
    /// Variable `plant` of the world; empty: the world's default.
    pub plant: String,
    /// Variable `tyre` of the world; empty: the world's default.
    pub tyre: String,
    /// Other variables of the world.
    pub variables: BTreeMap<String, String>,
    /// The reference of the vehicle.
    pub trajectory: TrajectoryParameters,
    /// The controller.
    pub tracker: TrackerParameters,
    /// The conversion to vehicle commands of a controller of point P; its vehicle and its limits are those of all controllers.
    pub linearizer: LinearizerParameters,
    /// Who leads the vehicle: [`BUILT_IN`], the tracker; [`NOBODY`]; or the command that starts a ROS controller.
    #[serde(skip_serializing_if = "is_built_in")]
    pub controller: String,
    /// How long that controller may take for an answer [wall s], 0.1 to 1e6.
    #[serde(skip_serializing_if = "is_usual_timeout")]
    pub controller_timeout: f64,
    /// How the vehicle starts.
    pub start: StartParameters,
    /// How laps along closed waypoints are timed.
    pub laps: LapParameters,
    /// Longest duration [s of simulated time], > 0: a run along a trajectory that ends is over when the vehicle stands after it.
    pub duration: f64,
    /// Ticks of tracker and linearizer per second [Hz], > 0.
    pub rate: f64,
    /// Sample rate of the pose for metrics, plots and recordings [Hz], > 0.
    pub sample_rate: f64,
    /// The pose that the tracker uses.
    pub feedback: Feedback,
    /// Seed of all noise.
    pub seed: u64,
    /// The program and the files that it is from, for what is said about its runs; none: they do not say how they were made.
    #[serde(skip)]
    pub origin: Option<Arc<Provenance>>,
    /// What controllers are run with; none: there is no ROS.
    #[serde(skip)]
    pub ros: Option<RosRuns>,
    /// From the sample of the pose to the command that acts [s], 0 to 5: rounded up to a step.
    pub latency: f64,
    /// Physics step [s], 0 to 0.1; 0: that of the world.
    pub step: f64,
    /// The files of the worlds that a matrix varies, by the names that it has for them; of others the name is the file.
    #[serde(skip)]
    pub world_files: BTreeMap<String, PathBuf>,
    /// What a matrix varies; empty: the config is of one run.
    #[serde(skip_serializing_if = "Axes::is_empty")]
    pub vary: Axes,
}

/// Source of the vehicle's pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feedback {
    /// The true pose in the world, like the study's odometry from Gazebo.
    #[default]
    Truth,
    /// The vehicle's own odometry, which drifts with slip; so do the metrics.
    Odometry,
    /// What the first motion-capture sensor of the vehicle sees of it; the metrics use the true pose.
    Mocap,
}

impl Feedback {
    /// All by their names in a config.
    pub const NAMES: [(&str, Feedback); 3] =
        [("truth", Feedback::Truth), ("odometry", Feedback::Odometry), ("mocap", Feedback::Mocap)];

    /// Its name in a config.
    pub fn name(self) -> &'static str {
        match self {
            Feedback::Truth => "truth",
            Feedback::Odometry => "odometry",
            Feedback::Mocap => "mocap",
        }
    }
}

/// How the vehicle starts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StartParameters {
    /// The place.
    pub at: StartAt,
    /// At `pose`: along x [m].
    pub x: f64,
    /// At `pose`: along y [m].
    pub y: f64,
    /// At `pose`: heading [rad].
    pub yaw: f64,
    /// Whether it starts at the reference's speed with rolling wheels, or from rest.
    pub moving: bool,
}

impl Default for StartParameters {
    fn default() -> StartParameters {
        StartParameters { at: StartAt::Aligned, x: 0.0, y: 0.0, yaw: 0.0, moving: true }
    }
}

/// Where the vehicle starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartAt {
    /// Where the trajectory begins, heading along it.
    #[default]
    Aligned,
    /// At `x`, `y`, `yaw`; by default the origin, as in the study.
    Pose,
    /// At its pose in the world file.
    World,
}

impl Default for ExperimentConfig {
    fn default() -> ExperimentConfig {
        ExperimentConfig {
            name: String::new(),
            world: "tracking".into(),
            vehicle: String::new(),
            plant: String::new(),
            tyre: String::new(),
            variables: BTreeMap::new(),
            trajectory: TrajectoryParameters::default(),
            tracker: TrackerParameters::default(),
            linearizer: LinearizerParameters::default(),
            controller: BUILT_IN.to_owned(),
            controller_timeout: CONTROLLER_TIMEOUT,
            start: StartParameters::default(),
            laps: LapParameters::default(),
            duration: 60.0,
            rate: 100.0,
            sample_rate: 20.0,
            feedback: Feedback::Truth,
            seed: 0,
            origin: None,
            ros: None,
            latency: 0.0,
            step: 0.0,
            world_files: BTreeMap::new(),
            vary: Axes::default(),
        }
    }
}

impl ExperimentConfig {
    /// Reads the config at `path`, and the waypoints that it names.
    ///
    /// # Errors
    /// It cannot be read, is not YAML, has unknown keys or values out of range; the text names all of them with their lines.
    pub fn load(path: &Path) -> Result<ExperimentConfig, ExperimentError> {
        ExperimentConfig::load_with(path, &[])
    }

    /// As [`load`](ExperimentConfig::load), and sets what [`set`](ExperimentConfig::set) takes: each a name and a value.
    ///
    /// # Errors
    /// As [`load`](ExperimentConfig::load) and [`set`](ExperimentConfig::set).
    pub fn load_with(path: &Path, settings: &[(String, String)]) -> Result<ExperimentConfig, ExperimentError> {
        let name = path.display().to_string();
        let text = input_file::read_text(path, MAX_BYTES)
            .map_err(|error| ExperimentError::Config(Diagnostic::from(FileError::read(path, error)).into()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut config = ExperimentConfig::parse(&name, folder, &text, settings)?;
        if config.name.is_empty() {
            config.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        }
        Ok(config)
    }

    /// Reads a config from `text`, with `settings` over it; `name` is the file name in messages, other files are relative to `folder`.
    ///
    /// # Errors
    /// As [`load_with`](ExperimentConfig::load_with).
    pub fn parse(
        name: &str,
        folder: &Path,
        text: &str,
        settings: &[(String, String)],
    ) -> Result<ExperimentConfig, ExperimentError> {
        let mut config = yaml::read_all(name, text, |config: &mut ExperimentConfig| config.complete(folder, settings))
            .map_err(ExperimentError::Config)?;
        config.find_files(name, folder);
        Ok(config)
    }

    /// Sets `settings` in a config that has just been read, and reads the waypoints that it names, relative to `folder`; returns what it refuses.
    pub fn complete(&mut self, folder: &Path, settings: &[(String, String)]) -> Vec<Refused> {
        let set = settings.iter().map(|(key, value)| self.set(key, value).map(drop));
        let mut refused: Vec<Refused> =
            set.filter_map(Result::err).map(|problem| Refused::Elsewhere(problem.into())).collect();
        refused.extend(self.vary.refused());
        match waypoint_file::load(&mut self.trajectory, folder) {
            // Without its waypoints the trajectory would be refused as well.
            Err(problems) => refused.push(Refused::Elsewhere(problems)),
            Ok(()) => refused.extend(self.check().into_iter().map(|(section, problem)| {
                match settings.iter().find(|(key, _)| problem.place.as_ref() == Some(key)) {
                    Some((key, value)) => Refused::Elsewhere(problem.at(format!("--set {key}={value}")).into()),
                    None => Refused::Value { section, problem },
                }
            })),
        }
        refused
    }

    /// Makes the names of its world and of the files that it varies relative to `folder`, where they are there; `name` is its own file in messages.
    pub fn find_files(&mut self, name: &str, folder: &Path) {
        let beside = folder.join(&self.world);
        if input_file::is_file(&beside) {
            self.world = beside;
        }
        self.vary.find_files(name, folder);
    }

    /// Sets a key of the trajectory, the tracker or the linearizer, such as `Kp`; false if none of them has it.
    ///
    /// # Errors
    /// The value does not fit the key, or the key is in two of the three sections.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, Diagnostic> {
        self.set_from(&format!("--set {key}={value}"), key, value)
    }

    /// As [`set`](ExperimentConfig::set), from another place.
    pub(super) fn set_from(&mut self, place: &str, key: &str, value: &str) -> Result<bool, Diagnostic> {
        let (mut trajectory, mut tracker, mut linearizer) =
            (self.trajectory.clone(), self.tracker, self.linearizer.clone());
        let taken_by = [
            ("trajectory", set_key(&mut trajectory, place, key, value)?),
            ("tracker", set_key(&mut tracker, place, key, value)?),
            ("linearizer", set_key(&mut linearizer, place, key, value)?),
        ];
        let sections: Vec<&str> = taken_by.iter().filter(|(_, is_taken)| *is_taken).map(|(name, _)| *name).collect();
        if let [first, second, ..] = sections[..] {
            let found = format!("{key} is a key of {first} and of {second}");
            return Err(Diagnostic::new(place, found).hint("set it in the config"));
        }
        (self.trajectory, self.tracker, self.linearizer) = (trajectory, tracker, linearizer);
        Ok(!sections.is_empty())
    }

    /// Sets one of [`OWN_KEYS`].
    pub(super) fn set_own(&mut self, place: &str, key: &str, value: &str) -> Result<(), Diagnostic> {
        match key {
            // They are no YAML.
            "controller" => value.clone_into(&mut self.controller),
            "world" => self.world = self.world_of(value),
            "vehicle" => value.clone_into(&mut self.vehicle),
            _ => return self.set_value(place, key, value),
        }
        Ok(())
    }

    fn set_value(&mut self, place: &str, key: &str, value: &str) -> Result<(), Diagnostic> {
        // Points and notes of waypoints are no keys and would be lost on the way, as would what is no part of the text.
        let (trajectory, origin, ros) = (std::mem::take(&mut self.trajectory), self.origin.take(), self.ros.take());
        let world_files = std::mem::take(&mut self.world_files);
        let set = set_key(self, place, key, value);
        (self.trajectory, self.origin, self.ros, self.world_files) = (trajectory, origin, ros, world_files);
        set.map(drop)
    }

    /// The file of the world that a matrix calls so.
    pub(super) fn world_of(&self, name: &str) -> PathBuf {
        self.world_files.get(name).cloned().unwrap_or_else(|| name.into())
    }

    /// Finds the files of the worlds that these axes vary, by `find`, which is given a name or a file.
    ///
    /// # Errors
    /// All worlds that are not found, each at its value.
    pub fn find_worlds(
        &mut self,
        axes: &Axes,
        find: impl Fn(&Path) -> Result<PathBuf, Diagnostic>,
    ) -> Result<(), Diagnostics> {
        let mut wrong = Vec::new();
        for (name, place) in axes.values_of("world") {
            match find(Path::new(name)) {
                Ok(file) => drop(self.world_files.insert(name.to_owned(), file)),
                Err(problem) => wrong.push(Diagnostic { place: Some(place), ..problem }),
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(Diagnostics(wrong)) }
    }

    /// The keys that [`set`](ExperimentConfig::set) knows, by section.
    pub fn sections() -> [(&'static str, Vec<String>); 3] {
        let default = ExperimentConfig::default();
        let sections = [
            ("trajectory", serde_json::to_value(default.trajectory)),
            ("tracker", serde_json::to_value(default.tracker)),
            ("linearizer", serde_json::to_value(default.linearizer)),
        ];
        sections.map(|(name, section)| {
            let object = section.as_ref().ok().and_then(serde_json::Value::as_object);
            (name, object.map_or_else(Vec::new, |keys| keys.keys().cloned().collect()))
        })
    }

    /// The keys that [`set`](ExperimentConfig::set) knows.
    pub fn keys() -> Vec<String> {
        ExperimentConfig::sections().into_iter().flat_map(|(_, keys)| keys).collect()
    }

    /// Whether [`set`](ExperimentConfig::set) knows the key.
    pub fn has_key(key: &str) -> bool {
        ExperimentConfig::keys().iter().any(|known| known == key)
    }

    /// What is out of range: of each part of the config the first, with its section.
    pub(super) fn check(&self) -> Vec<(&'static str, Diagnostic)> {
        let positive = |key: &str, value: f64, most: f64, unit: &str| {
            let accepted = format!("a number > 0 and at most {most} [{unit}]");
            check::require(key, value, value > 0.0 && value <= most, &accepted)
        };
        let of_start =
            |key: &str, value: f64| check::require(key, value, value.abs() <= 1e6, "a number from -1e6 to 1e6");
        let within = |key: &str, value: f64, most: f64| {
            check::require(key, value, (0.0..=most).contains(&value), &format!("a number from 0 to {most} [s]"))
        };
        let start = &self.start;
        let checked = [
            ("", positive("duration", self.duration, MAX_DURATION, "s").and_then(|()| self.check_samples())),
            ("", positive("rate", self.rate, MAX_RATE, "Hz")),
            ("", positive("sample_rate", self.sample_rate, MAX_RATE, "Hz")),
            ("", within("latency", self.latency, MAX_LATENCY)),
            ("", within("step", self.step, MAX_STEP)),
            ("", self.check_controller()),
            ("", self.check_name()),
            ("start", of_start("x", start.x)),
            ("start", of_start("y", start.y)),
            ("start", of_start("yaw", start.yaw)),
            ("laps", self.laps.check()),
            ("trajectory", trajectory::build(&self.trajectory).map(drop)),
            ("tracker", self.tracker.check()),
            (
                "linearizer",
                tracking::build(&self.linearizer)
                    .and_then(|_| tracking::check_vehicle(&self.tracker, &self.linearizer)),
            ),
        ];
        checked.into_iter().filter_map(|(section, checked)| Some((section, checked.err()?))).collect()
    }

    /// A warning that names the keys which are set, though its tracker does not read them.
    pub(super) fn unread(&self) -> Option<Diagnostic> {
        let (tracker, model) = (self.tracker.tracker.entry(), self.tracker.model);
        let reads = |key: &str| match self.has_controller() {
            // They limit what the vehicle is told to be able to follow.
            true => ["active", "max_steering_angle", "max_speed"].contains(&key),
            false => self.has_trajectory() && tracker.reads(key, model),
        };
        let default = ExperimentConfig::default();
        let trajectory = (serde_json::to_value(&self.trajectory), serde_json::to_value(&default.trajectory));
        let sections = [
            (serde_json::to_value(self.tracker), serde_json::to_value(default.tracker)),
            (serde_json::to_value(&self.linearizer), serde_json::to_value(default.linearizer)),
        ];
        let sections = sections.into_iter().chain((!self.has_trajectory()).then_some(trajectory));
        let (mut unread, mut read) = (Vec::new(), Vec::new());
        for (section, defaults) in sections {
            let (Ok(serde_json::Value::Object(section)), Ok(defaults)) = (section, defaults) else { continue };
            for (key, value) in section {
                if reads(&key) {
                    read.push(key);
                } else if defaults.get(&key) != Some(&value) {
                    unread.push(key);
                }
            }
        }
        (!unread.is_empty()).then(|| {
            let with =
                if tracker.reads("model", model) { format!(", model {}", model.as_str()) } else { String::new() };
            let found = format!("does not use {}, but the config sets it", unread.join(", "));
            match self.has_controller() {
                true => {
                    Diagnostic::new("controller", found).hint("put the controller's own parameters into its command")
                }
                false if !self.has_trajectory() => Diagnostic::new(format!("controller {NOBODY}"), found),
                false => Diagnostic::new(format!("tracker {}{with}", tracker.name), found).accepted_all(read),
            }
        })
    }

    /// Whether a ROS controller leads the vehicle, instead of the tracker.
    pub fn has_controller(&self) -> bool {
        !is_built_in(&self.controller) && self.has_trajectory()
    }

    /// The files that the command of its ROS controller names; empty without one.
    pub fn controller_files(&self) -> Vec<PathBuf> {
        let words = if self.has_controller() { words(&self.controller).unwrap_or_default() } else { Vec::new() };
        let of_ros = self.ros.iter().flat_map(|ros| &ros.environment).find(|(name, _)| name == PREFIXES);
        let prefixes = of_ros.map(|(_, value)| value.clone()).or_else(|| std::env::var_os(PREFIXES));
        named_files(&words, prefixes.as_deref())
    }

    /// Whether the vehicle has a trajectory to follow: whether anybody leads it.
    pub fn has_trajectory(&self) -> bool {
        self.controller != NOBODY
    }

    /// What a ROS controller cannot be given is refused beside one.
    fn check_controller(&self) -> Result<(), Diagnostic> {
        let timeout = self.controller_timeout;
        let accepted = "a number from 0.1 to 1e6 [s]";
        check::require("controller_timeout", timeout, (0.1..=1e6).contains(&timeout), accepted)?;
        if !self.has_controller() {
            return Ok(());
        }
        words(&self.controller).map_err(|problem| problem.at("controller"))?;
        let only_zero = |key: &str, value: f64, hint: &str| {
            check::require(key, value, value == 0.0, "0 with a controller").map_err(|problem| problem.hint(hint))
        };
        only_zero("latency", self.latency, "a controller has its own latency")?;
        only_zero("step", self.step, "the step of the world is used")
    }

    /// Samples are taken at the end of each period, not at the start of the world; all are in memory until the run is analyzed, and so are the
    /// references and commands of each tick.
    fn check_samples(&self) -> Result<(), Diagnostic> {
        let ticks = if self.has_trajectory() { self.rate } else { 0.0 };
        let longest = MAX_SAMPLES / (self.sample_rate + ticks);
        if self.duration > longest && longest > 0.0 {
            let of = if ticks > 0.0 { "samples and ticks" } else { "samples" };
            let message = Diagnostic::new("duration", format!("found {}", self.duration));
            let accepted = format!("at most {MAX_SAMPLES} {of} in memory, {longest:.0} s at these rates");
            let hint = if ticks > 0.0 { "see sample_rate and rate" } else { "see sample_rate" };
            return Err(message.accepted(accepted).hint(hint));
        }
        let least = 1.0 / self.sample_rate;
        if self.duration * self.sample_rate < 1.0 && least.is_finite() && least > 0.0 {
            let message = Diagnostic::new("duration", format!("found {}", self.duration));
            return Err(message.accepted(format!("at least one sample, {least} [s]")).hint("see sample_rate"));
        }
        Ok(())
    }

    fn check_name(&self) -> Result<(), Diagnostic> {
        if self.name.contains(['/', '\\']) || [".", ".."].contains(&self.name.as_str()) {
            let message = Diagnostic::new("name", format!("found \"{}\"", self.name));
            return Err(message.accepted("a name of files, without / and \\"));
        }
        Ok(())
    }

    /// The error for an unknown plant or tyre, with which the world cannot load.
    pub(super) fn unknown_plant(&self) -> Option<ExperimentError> {
        let tyres = if self.plant == "kinematic" { &TYRES[..1] } else { &TYRES[..] };
        let unknown = |key: &'static str, found: &str, names: &[&str]| {
            (!found.is_empty() && !names.contains(&found)).then(|| (key, check::unknown(key, found, names)))
        };
        let wrong = [unknown("plant", &self.plant, &ALL_PLANTS), unknown("tyre", &self.tyre, tyres)];
        let wrong: Vec<_> = wrong.into_iter().flatten().collect();
        (!wrong.is_empty()).then_some(ExperimentError::Keys(wrong))
    }

    /// The messages of an error, with the places in the config at `path` of the keys that it names.
    pub fn explain(path: &Path, error: &ExperimentError) -> Diagnostics {
        let ExperimentError::Keys(keys) = error else { return error.into() };
        let (name, text) = (path.display().to_string(), input_file::read_text(path, MAX_BYTES).unwrap_or_default());
        let placed = keys.iter().map(|(key, problem)| match yaml::place_of(&name, &text, key) {
            // It was given on the command line.
            place if place == name => problem.clone(),
            place => problem.clone().at(place),
        });
        placed.collect()
    }

    /// The variables of the world that it sets.
    pub fn world_variables(&self) -> Vec<(String, String)> {
        let plant_and_tyre = [("plant", &self.plant), ("tyre", &self.tyre)];
        let plant_and_tyre = plant_and_tyre.into_iter().filter(|(_, value)| !value.is_empty());
        let plant_and_tyre = plant_and_tyre.map(|(name, value)| (name.to_string(), value.clone()));
        plant_and_tyre.chain(self.variables.clone()).collect()
    }

    /// The index of its vehicle among these.
    pub(super) fn find_vehicle(&self, names: &[String]) -> Result<usize, Diagnostic> {
        let world = self.world.display();
        let wrong = |found: String| Diagnostic::new("vehicle", found).one_of(&self.vehicle, names);
        match (self.vehicle.as_str(), names) {
            ("", [_]) => Ok(0),
            ("", []) => Err(Diagnostic::new(world, "has no vehicle")),
            ("", _) => Err(wrong(format!("{world} has several, none is named"))),
            (wanted, _) => names
                .iter()
                .position(|name| name == wanted)
                .ok_or_else(|| wrong(format!("{world} has none called \"{wanted}\""))),
        }
    }
}

/// Sets one key of a section; false if the section has none of that name.
fn set_key<T: Serialize + DeserializeOwned>(
    section: &mut T,
    place: &str,
    key: &str,
    value: &str,
) -> Result<bool, Diagnostic> {
    let refused = |problem: Diagnostic| problem.at(place);
    let of_json = |error: serde_json::Error| refused(Diagnostic::of(error.to_string()));
    let tree = |section: &T| serde_json::to_value(section).map_err(of_json);
    let mut merged = tree(section)?;
    let Some(slot) = merged.get_mut(key) else { return Ok(false) };
    let mut given = tree(&yaml::read_key(key, value).map_err(refused)?)?;
    *slot = given.get_mut(key).map(serde_json::Value::take).unwrap_or_default();
    *section = serde_json::from_value(merged).map_err(of_json)?;
    Ok(true)
}
