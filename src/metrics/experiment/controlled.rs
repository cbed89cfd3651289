//! Runs an experiment with a ROS controller: the simulation (`skidpad run`) and the controller are processes of their own, in a ROS domain that
//! nobody else uses, and the recording is what is analyzed.
//!
//! ```text
//!  config ──▶ run.yaml ──▶ skidpad run --track ── reference, pose ──▶ controller
//!                             │      ▲──────────────── command ──────────┘   in lockstep: one command for each tick
//!                             └──▶ run.mcap ──▶ samples at sample_rate ──▶ metrics, as of a built-in tracker
//! ```
//! The driver of the config only gives the reference. Time begins once the controller knows the topics of the simulation (parameter
//! `start_when_commanded`), and the simulation ends itself where an answer does not come in time (`lockstep_when_late`).

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::Deserialize;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_files::scratch::Scratch;
use skidpad_math::time::SimTime;
use skidpad_record::Destination;
use skidpad_run::processes::{Document, Ended, Process, RosDomain, RunValues, words};
use skidpad_sim::trajectory::{self, TrajectoryParameters};
use skidpad_sim::world::Scene;

use super::controller_words::{ControllerTopics, reference_csv};
use super::run::{Equipment, Prepared};
use super::{Experiment, ExperimentConfig, ExperimentError, Outcome};
use crate::recording::{self, ReadOptions};
use crate::{Analyzed, Run};

/// How often it is looked whether a process has ended.
const POLL: Duration = Duration::from_millis(5);
/// How long the end of the simulation is awaited after that of its controller, which may follow it.
const TOGETHER: Duration = Duration::from_millis(500);
/// Lines of its output that a failure shows.
const SHOWN: usize = 8;

/// What runs with ROS controllers need.
#[derive(Clone, Debug)]
pub struct RosRuns {
    /// The program of the node, `skidpad-ros`.
    pub program: PathBuf,
    /// Variables of the environment that ROS needs.
    pub environment: Vec<(OsString, OsString)>,
    /// Set to end all runs, and their processes.
    pub stop: Arc<AtomicBool>,
    /// How much is kept of what each process says [bytes].
    pub log_limit: u64,
}

impl PartialEq for RosRuns {
    fn eq(&self, other: &RosRuns) -> bool {
        self.program == other.program
    }
}

/// Files of a run: beside its recording, if that is kept.
struct Files {
    /// The folder of those that are not.
    _scratch: Scratch,
    config: PathBuf,
    reference: PathBuf,
    recording: PathBuf,
    simulation_log: PathBuf,
    answer: PathBuf,
    controller_log: PathBuf,
}

/// The files that an experiment with a controller keeps beside its recording: the config of its run, and what the controller has said.
pub fn files_beside(recording: &Path) -> [PathBuf; 2] {
    ["run.yaml", "controller.log"].map(|ending| recording.with_extension(ending))
}

impl Files {
    fn new(record: Option<&Path>) -> Result<Files, Diagnostic> {
        let failed = |error| Diagnostic::from(FileError::create(std::env::temp_dir(), error));
        let scratch = Scratch::new("skidpad-experiment-").map_err(failed)?;
        let recording = record.map_or_else(|| scratch.path().join("run.mcap"), Path::to_path_buf);
        let [config, controller_log] = files_beside(&recording);
        Ok(Files {
            config,
            reference: scratch.path().join("reference.csv"),
            recording,
            simulation_log: scratch.path().join("simulation.log"),
            answer: scratch.path().join("answer.json"),
            controller_log,
            _scratch: scratch,
        })
    }
}

impl Experiment {
    /// As [`run_after`](Experiment::run_after), with the controller of the config.
    pub(super) fn run_beside(&self, tell: impl FnOnce(&[Diagnostic])) -> Result<Outcome, ExperimentError> {
        let config = &self.config;
        let ros = config.ros.as_ref().ok_or_else(|| ExperimentError::Controller(no_ros().into()))?;
        let Prepared { world, variables, equipment, mut warnings, provenance } = self.prepare()?;
        tell(&warnings);
        let topics = ControllerTopics::of(config, world.scene(), equipment.vehicle);
        let failed = |problem: Diagnostic| ExperimentError::Controller(problem.into());
        let files = Files::new(self.record.as_ref().map(Destination::path)).map_err(failed)?;
        let (reported, recorded) =
            drive(self, ros, world.scene(), &variables, &equipment, &topics, &files).map_err(failed)?;
        // What the run says of the config has been told.
        warnings.extend(reported.into_iter().filter(|warning| !equipment_says(&warnings, warning)).collect::<Vec<_>>());
        let options = ReadOptions {
            odometry: Some(topics.compared),
            reference: Some(topics.reference),
            command: Some(topics.command),
            ..ReadOptions::default()
        };
        let run = recording::read(&files.recording, &options).map_err(|error| ExperimentError::Read(error.into()))?;
        let run = Run { name: self.label.clone(), provenance, ..run };
        let mut analyzed = Analyzed::of(run, &equipment.metrics)?;
        if let Some(course) = &equipment.course {
            analyzed.time_laps(course, &equipment.metrics);
        }
        Ok(Outcome { analyzed, options: equipment.metrics, warnings, recording_failed: false, recorded })
    }
}

/// The message that a controller needs ROS.
fn no_ros() -> Diagnostic {
    Diagnostic::new("controller", "this skidpad runs without ROS").accepted("skidpad-ros in the same folder")
}

fn equipment_says(warnings: &[Diagnostic], warning: &Diagnostic) -> bool {
    warnings.iter().any(|known| known.first_line() == warning.first_line())
}

/// Runs simulation and controller to the end; gives the warnings of the simulation, and the number of messages that it has recorded.
fn drive(
    experiment: &Experiment,
    ros: &RosRuns,
    scene: &Arc<Scene>,
    variables: &[(String, String)],
    equipment: &Equipment,
    topics: &ControllerTopics,
    files: &Files,
) -> Result<(Vec<Diagnostic>, Option<u64>), Diagnostic> {
    let config = &experiment.config;
    let duration = write_reference(config, &equipment.trajectory, &files.reference)?;
    write(&files.config, &config_of(config)?)?;
    let domain = RosDomain::free(&ros.environment)?;
    let mut simulation = domain.command(&ros.program);
    let vehicle = &scene.vehicles[equipment.vehicle].name;
    simulation.args(simulation_words(experiment, variables, duration, vehicle, topics, files)?);
    let reported = topics.reported(config, &files.reference);
    let place = format!("controller \"{}\"", config.controller);
    let words = reported.fill(&words(&config.controller).map_err(|problem| problem.at("controller"))?);
    let mut controller = domain.command(Path::new(&words[0]));
    controller.args(&words[1..]).envs(reported.variables());
    let mut simulation = Process::start(simulation, &files.simulation_log, Some(&files.answer), ros.log_limit)?;
    let mut controller =
        Process::start(controller, &files.controller_log, None, ros.log_limit).map_err(|problem| problem.at(&place))?;
    let ended = wait(&mut simulation, &mut controller, &ros.stop);
    let answer = || Document::<RunResult>::read(&files.answer);
    match ended {
        First::Simulation(ended) if ended.status.success() => {
            controller.end();
            let answer = answer();
            let recorded = answer.result.as_ref().and_then(|run| run.recorded);
            Ok((answer.messages("warning").collect(), recorded))
        }
        First::Simulation(ended) => {
            let why = answer().messages("error").next();
            let message = why.unwrap_or_else(|| Diagnostic::of(format!("the simulation ended with {ended}")));
            let ending = match controller.ended() {
                Some(ended) => format!("the controller ended with {ended}"),
                None => format!(
                    "the controller was still running {:.1} s after its start, and was stopped",
                    controller.age().as_secs_f64()
                ),
            };
            controller.end();
            let explained = message.at(&place).note(ending).hint("controller_timeout limits the time for each answer");
            Err(controller.explain(explained, SHOWN))
        }
        First::Controller(ended) => {
            simulation.end();
            let simulated = answer().result.and_then(|run| run.simulated_s);
            let when = simulated
                .map_or_else(String::new, |time| format!(", at {} of simulated time", SimTime::from_secs(time)));
            Err(controller
                .explain(Diagnostic::new(&place, format!("ended before the run did, with {ended}{when}")), SHOWN))
        }
        First::Stop => Err(Diagnostic::new(&place, "the run was interrupted")),
    }
}

/// What has ended first.
enum First {
    Simulation(Ended),
    Controller(Ended),
    /// All are to end.
    Stop,
}

fn wait(simulation: &mut Process, controller: &mut Process, stop: &AtomicBool) -> First {
    let mut alone: Option<(Ended, Duration)> = None;
    loop {
        if let Some(ended) = simulation.ended() {
            return First::Simulation(ended);
        }
        if stop.load(Ordering::Relaxed) {
            return First::Stop;
        }
        match (alone, controller.ended()) {
            (Some((ended, since)), _) if simulation.age() - since >= TOGETHER => return First::Controller(ended),
            (None, Some(ended)) => alone = Some((ended, simulation.age())),
            _ => {}
        }
        std::thread::sleep(POLL);
    }
}

#[derive(Deserialize)]
struct RunResult {
    recorded: Option<u64>,
    simulated_s: Option<f64>,
}

/// The words of the simulation.
fn simulation_words(
    experiment: &Experiment,
    variables: &[(String, String)],
    duration: f64,
    vehicle: &str,
    topics: &ControllerTopics,
    files: &Files,
) -> Result<Vec<String>, Diagnostic> {
    let config = &experiment.config;
    let mut words: Vec<String> = vec!["run".into(), config.world.display().to_string()];
    for (name, value) in variables {
        if ExperimentConfig::has_key(name) {
            let message = Diagnostic::new(format!("variable {name}"), "has the name of a key of the config");
            return Err(message.hint("rename the variable of the world to use it with a controller"));
        }
        words.push(format!("--set={name}={value}"));
    }
    words.extend(["--headless", "--json", "--rate=max"].map(str::to_owned));
    let period = 1.0 / config.rate;
    let with = |name: &str, value: &dyn ToString| format!("--{name}={}", value.to_string());
    words.extend([
        with("seed", &config.seed),
        with("duration", &duration),
        with("lockstep", &period),
        with("track", &files.config.display()),
        with("record", &files.recording.display()),
    ]);
    if experiment.record.is_none() {
        let needed = [&topics.compared, &topics.reference, &topics.command, &topics.wheels].map(String::as_str);
        words.push(with("record-topics", &needed.join(",")));
    }
    words.push("--ros-args".into());
    words.extend(config.controller_parameters(vehicle).into_iter().flat_map(|parameter| ["-p".to_owned(), parameter]));
    Ok(words)
}

impl ExperimentConfig {
    /// The parameters, `name:=value`, of the node of a simulation that a controller leads this vehicle of.
    pub fn controller_parameters(&self, vehicle: &str) -> Vec<String> {
        let mut parameters = vec![format!("odom_rate:={:?}", self.rate)];
        parameters.extend(self.commander_parameters(vehicle));
        parameters
    }

    /// Those of the node of a simulation in lockstep with whoever commands this vehicle; empty: all of them.
    pub fn commander_parameters(&self, vehicle: &str) -> impl Iterator<Item = String> {
        let vehicles = (!vehicle.is_empty()).then(|| format!("lockstep_vehicles:={vehicle}"));
        let rules = [
            format!("lockstep_timeout:={:?}", self.controller_timeout),
            "lockstep_when_late:=end".to_owned(),
            "start_when_commanded:=true".to_owned(),
        ];
        rules.into_iter().chain(vehicles)
    }
}

impl Experiment {
    /// What its ROS controller is told, whoever starts that; writes the reference to the file at `reference`.
    ///
    /// # Errors
    /// The world cannot be loaded or its vehicle not be driven so, or the file cannot be written.
    pub fn reported(&self, reference: &Path) -> Result<RunValues, ExperimentError> {
        let Prepared { world, equipment, .. } = self.prepare()?;
        let failed = |problem: Diagnostic| ExperimentError::Controller(problem.into());
        write_reference(&self.config, &equipment.trajectory, reference).map_err(failed)?;
        Ok(ControllerTopics::of(&self.config, world.scene(), equipment.vehicle).reported(&self.config, reference))
    }
}

/// Writes the whole reference to a file, in the frame that the topics of pose and reference are in; returns the duration of the run [s].
fn write_reference(
    config: &ExperimentConfig,
    trajectory: &TrajectoryParameters,
    file: &Path,
) -> Result<f64, Diagnostic> {
    let path = trajectory::build(trajectory)?;
    // One more sample, so that the metrics end with the path.
    let end = path.duration().map(|end| end + 1.0 / config.sample_rate.min(config.rate));
    let duration = config.duration.min(end.unwrap_or(f64::INFINITY));
    write(file, &reference_csv(&*path, config.rate, duration))?;
    Ok(duration)
}

/// The config for the driver of the simulation, as YAML: JSON with the names of files in full.
fn config_of(config: &ExperimentConfig) -> Result<String, Diagnostic> {
    let mut config = config.clone();
    config.vary = Default::default();
    let folder = config.trajectory.folder.clone();
    for file in [&mut config.trajectory.file, &mut config.trajectory.track_file] {
        if !file.is_empty() {
            let path = folder.join(&*file);
            *file = absolute(&path).unwrap_or(path).display().to_string();
        }
    }
    serde_json::to_string_pretty(&config).map_err(|error| Diagnostic::of(error.to_string()))
}

fn write(path: &Path, text: &str) -> Result<(), Diagnostic> {
    fs::write(path, text).map_err(|error| FileError::write(path, error).into())
}

#[cfg(test)]
mod tests {
    use skidpad_run::processes::LOG_LIMIT;

    use super::*;
    use crate::experiment::Feedback;

    /// A vehicle that starts on its path is there by its pose, by the reference and by the file of the reference, whatever the feedback.
    #[test]
    fn a_controller_gets_everything_in_one_frame() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("reference.csv");
        for (feedback, world) in
            [(Feedback::Truth, "tracking"), (Feedback::Odometry, "tracking"), (Feedback::Mocap, "motion_capture")]
        {
            let world = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../worlds/{world}.world.xml"));
            let trajectory_type = "figure_eight".to_owned();
            let trajectory = TrajectoryParameters {
                trajectory_type,
                x0: 3.0,
                y0: -1.0,
                yaw0: 0.5,
                ..TrajectoryParameters::default()
            };
            let controller = "a_node".to_owned();
            let config = ExperimentConfig { world, trajectory, controller, feedback, ..ExperimentConfig::default() };
            let experiment = Experiment::new(config);
            experiment.reported(&file).unwrap();
            let text = fs::read_to_string(&file).unwrap();
            let row = |time: f64| -> [f64; 5] {
                let row = text.lines().nth(1 + (100.0 * time).round() as usize).unwrap();
                let cells: Vec<f64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
                cells.try_into().unwrap()
            };
            let Prepared { mut world, .. } = experiment.prepare().unwrap();
            let start = &world.frame().vehicles[0];
            let pose =
                if feedback == Feedback::Odometry { start.odom_from_body } else { start.world_from_body.planar() };
            let [_, x, y, yaw, _] = row(0.0);
            let off = [x - pose.x, y - pose.y, yaw - pose.yaw];
            assert!(off.iter().all(|off| off.abs() < 1e-9), "{feedback:?}: {off:?}");
            for _ in 0..100 {
                let tracking = world.step().unwrap().vehicles[0].tracking.unwrap();
                let ([_, x, y, ..], reference) = (row(tracking.time.secs()), tracking.reference.position);
                assert!((x - reference.x).hypot(y - reference.y) < 1e-9, "{feedback:?}: {reference:?} in ({x}, {y})");
            }
        }
    }

    /// What comes of a run whose simulation is this script.
    fn failure(script: &str, controller: &str) -> String {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("simulation");
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let world = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/tracking.world.xml");
        let ros = Some(RosRuns { program, environment: Vec::new(), stop: Arc::default(), log_limit: LOG_LIMIT });
        let config = ExperimentConfig { world, controller: controller.to_owned(), ros, ..ExperimentConfig::default() };
        Experiment::new(config).run().unwrap_err().to_string()
    }

    #[test]
    fn a_controller_that_ends_is_told_with_its_last_words() {
        let reported = failure("exec sleep 600", "sh -c 'echo $SKIDPAD_REFERENCE {period} {x}; exit 3'");
        assert!(reported.starts_with("controller \"sh -c 'echo $SKIDPAD_REFERENCE {period} {x}; exit 3'\": ended before the run did, with status 3 after "), "{reported}");
        assert!(reported.ends_with("\n  last lines of its output:\n  | /reference_trajectory 0.01 {x}"), "{reported}");
        let absent = failure("exec sleep 600", "no_such_program --x");
        assert!(
            absent.starts_with("controller \"no_such_program --x\": no_such_program: cannot be started: "),
            "{absent}"
        );
    }

    #[test]
    fn a_simulation_that_fails_is_told_with_what_the_controller_did() {
        let late = r#"echo '{"messages": [{"level": "error", "place": "lockstep", "found": "no command within 20 s", "accepted": [], "hint": null, "notes": []}]}'; exit 1"#;
        let reported = failure(late, "sleep 600");
        assert!(
            reported.starts_with(
                "controller \"sleep 600\": lockstep: no command within 20 s\n  the controller was still running "
            ),
            "{reported}"
        );
        assert!(reported.contains("\n  no output\n  hint: controller_timeout limits"), "{reported}");
        let dead = failure("kill -9 $$", "sleep 600");
        assert!(dead.contains("the simulation ended with signal 9 after "), "{dead}");
    }
}
