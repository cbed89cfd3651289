//! Runs one experiment: a world with a driver in it, stepped to the end, and analyzed.

use std::sync::Arc;

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Twist2};
use skidpad_record::{Destination, MessageCount, Provenance, RecordOptions, Recorder};
use skidpad_ros_data::preset::{RACECAR_GAZEBO, SKIDPAD};
use skidpad_run::meter::{Meter, Share};
use skidpad_run::runner::{NoHooks, RunHooks, TimedChange};
use skidpad_run::sink::Sinks;
use skidpad_sim::sensor::SensorKind;
use skidpad_sim::tracking::TrajectoryDriver;
use skidpad_sim::trajectory::{self, Track, TrajectoryParameters, VehicleLimits, feasibility};
use skidpad_sim::world::{LoadOptions, VehicleInfo, Wanted, World};

use super::{DriveLog, ExperimentConfig, ExperimentError, Feedback, StartAt};
use crate::laps::Course;
use crate::{AnalysisError, Analyzed, Finding, MetricsOptions, PoseSource, Run};

/// The result of equipping a world for an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Equipment {
    /// Index of the vehicle that follows the trajectory.
    pub vehicle: usize,
    /// Warnings about the trajectory's file, about keys that nothing reads, and about demands beyond the vehicle's limits.
    pub warnings: Vec<Diagnostic>,
    /// Options of its metrics.
    pub metrics: MetricsOptions,
    /// The trajectory in the frame of the poses that it is followed by: that of the world, or of the odometry, which begins where the vehicle starts.
    pub trajectory: TrajectoryParameters,
    /// The track around the trajectory, in its frame; none: no widths are known.
    pub track: Option<Track>,
    /// The course of its laps, in that frame; none: it has no closed path.
    pub course: Option<Arc<Course>>,
}

impl Equipment {
    /// Places the vehicle of `config` at its start in a world that has not been stepped, and adds its trajectory driver.
    ///
    /// # Errors
    /// There is no such vehicle, or it takes no Ackermann commands.
    pub fn fit(config: &ExperimentConfig, world: &mut World) -> Result<Equipment, ExperimentError> {
        let refused: Vec<Diagnostic> = config.check().into_iter().map(|(_, problem)| problem).collect();
        if !refused.is_empty() {
            return Err(ExperimentError::Config(Diagnostics(refused)));
        }
        let of_config = |problem: Diagnostic| ExperimentError::Config(problem.into());
        let names: Vec<String> = world.scene().vehicles.iter().map(|info| info.name.clone()).collect();
        let vehicle =
            config.find_vehicle(&names).map_err(|problem| ExperimentError::Keys(vec![("vehicle", problem)]))?;
        if !config.has_trajectory() {
            return Ok(Equipment::unled(config, vehicle, world));
        }
        let trajectory = trajectory::build(&config.trajectory).map_err(of_config)?;
        let first = trajectory.at(0.0);
        let info = &world.scene().vehicles[vehicle];
        let (in_world, max_steer) = (info.world_from_start.planar(), info.max_steer);
        let start = match config.start.at {
            StartAt::Aligned => Pose2::new(first.position.x, first.position.y, first.heading()),
            StartAt::Pose => Pose2::new(config.start.x, config.start.y, config.start.yaw),
            StartAt::World => in_world,
        };
        let speed = if config.start.moving { first.speed() } else { 0.0 };
        world.set_start(vehicle, start, Twist2::new(speed, 0.0, 0.0));
        let follows_odometry = config.feedback == Feedback::Odometry;
        let seen = if follows_odometry { from_start(&config.trajectory, start) } else { config.trajectory.clone() };
        let track = Track::of(&seen);
        let course =
            Course::of(&seen, &config.laps).map_err(|problem| ExperimentError::Keys(vec![("laps", problem)]))?;
        let follows_markers = config.feedback == Feedback::Mocap;
        if follows_markers {
            check_markers(&world.scene().vehicles[vehicle])?;
        }
        let (path, period) = (trajectory::build(&seen).map_err(of_config)?, SimTime::from_secs(1.0 / config.rate));
        let driver = match config.has_controller() {
            true => TrajectoryDriver::guide(path, period).holding(speed),
            false => TrajectoryDriver::with(path, &config.tracker, &config.linearizer, period).map_err(of_config)?,
        }
        .with_latency(SimTime::from_secs(config.latency));
        world.set_driver(
            vehicle,
            Some(driver.follow_odometry(follows_odometry).follow_markers(follows_markers).on_track(track.clone())),
        )?;
        let limit = config.linearizer.max_steering_angle;
        let limits = world.limits(vehicle).map(|limits| VehicleLimits {
            max_steering_angle: limits.max_steering_angle.min(limit),
            max_speed: config.linearizer.max_speed,
            ..limits
        });
        let asks = |limits| feasibility(&*trajectory, &limits, config.duration);
        let mut warnings = config.trajectory.notes.clone();
        warnings.extend(config.ignored());
        warnings.extend(limits.map(asks).unwrap_or_default().iter().map(Diagnostic::from));
        let max_steering_angle = Some(max_steer.map_or(limit, |most| most.min(limit)));
        let wheelbase = limits.map(|limits| limits.wheelbase);
        let metrics = MetricsOptions { max_steering_angle, wheelbase, ..MetricsOptions::default() };
        Ok(Equipment { vehicle, warnings, metrics, trajectory: seen, track, course })
    }

    /// Places a vehicle that nobody leads: where the world has it, unless the config gives a pose.
    fn unled(config: &ExperimentConfig, vehicle: usize, world: &mut World) -> Equipment {
        let start = &config.start;
        if start.at == StartAt::Pose {
            world.set_start(vehicle, Pose2::new(start.x, start.y, start.yaw), Twist2::ZERO);
        }
        let (max_steering_angle, wheelbase) = {
            let info = &world.scene().vehicles[vehicle];
            (info.max_steer, info.wheelbase)
        };
        let metrics = MetricsOptions { max_steering_angle, wheelbase, ..MetricsOptions::default() };
        let (warnings, trajectory) = (config.ignored().collect(), config.trajectory.clone());
        Equipment { vehicle, warnings, metrics, trajectory, track: None, course: None }
    }
}

impl ExperimentConfig {
    /// Warnings about what a single run does not read of it.
    fn ignored(&self) -> impl Iterator<Item = Diagnostic> {
        let vary = || Diagnostic::new("vary", "ignored").hint("skidpad experiment runs all combinations");
        self.unread().into_iter().chain((!self.vary.is_empty()).then(vary))
    }
}

/// A tracker that follows motion capture needs a marker body on its vehicle.
fn check_markers(vehicle: &VehicleInfo) -> Result<(), ExperimentError> {
    if vehicle.sensors.iter().any(|sensor| matches!(sensor.kind, SensorKind::Mocap(_))) {
        return Ok(());
    }
    let found = format!("found mocap, but {} has no sensor of this class", vehicle.name);
    let message =
        Diagnostic::new("feedback", found).hint("include sensors/mocap.sensor.xml, as the world motion_capture does");
    Err(ExperimentError::Keys(vec![("feedback", message)]))
}

/// The same trajectory in the frame of an odometry that starts at `world_from_start`.
fn from_start(trajectory: &TrajectoryParameters, world_from_start: Pose2) -> TrajectoryParameters {
    let seen = world_from_start.inverse() * trajectory.place();
    TrajectoryParameters { x0: seen.x, y0: seen.y, yaw0: seen.yaw, ..trajectory.clone() }
}

/// The world of an experiment, ready to be stepped.
pub(super) struct Prepared {
    pub(super) world: World,
    /// The variables that were set in it.
    pub(super) variables: Vec<(String, String)>,
    /// Its warnings are among the others.
    pub(super) equipment: Equipment,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) provenance: Option<Arc<Provenance>>,
}

/// One experiment, ready to run.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Configuration of the experiment.
    pub config: ExperimentConfig,
    /// Its name in legends and tables.
    pub label: String,
    /// Load options of its world, in addition to the seed and the variables of the config.
    pub load: LoadOptions,
    /// Where it is recorded; none: nowhere.
    pub record: Option<Destination>,
    /// Counts the simulated time.
    pub meter: Meter,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// The motion of its reference was over, and the vehicle stood.
    Reference,
    /// Its hooks ended it.
    RunHooks,
    /// The duration of its config was over.
    Duration,
}

/// A run that has been stepped to its end, and has not been analyzed.
#[derive(Clone, Debug, PartialEq)]
pub struct Driven {
    /// Its samples.
    pub run: Run,
    /// How its world was equipped.
    pub equipment: Equipment,
    /// Warnings before the run.
    pub warnings: Vec<Diagnostic>,
    /// Whether the recording failed; the reason has been logged.
    pub recording_failed: bool,
    /// Number of messages of the recording; none: there is none, or it failed.
    pub recorded: Option<u64>,
    /// Why it ended.
    pub end: RunEnd,
    /// Ticks of the tracker, and at how many of them an earlier plan held.
    pub(super) ticks: (u32, u32),
}

impl Driven {
    /// Its samples with its metrics.
    ///
    /// # Errors
    /// It is too short to have any.
    pub fn analyzed(self) -> Result<Analyzed, AnalysisError> {
        let (ticks, held) = self.ticks;
        let mut analyzed = Analyzed::of(self.run, &self.equipment.metrics)?;
        // No recording says so.
        analyzed.metrics.findings.extend((held > 0).then(|| plan_held(held, ticks)));
        if let Some(course) = &self.equipment.course {
            analyzed.time_laps(course, &self.equipment.metrics);
        }
        Ok(analyzed)
    }
}

/// Result of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Its samples and metrics.
    pub analyzed: Analyzed,
    /// Options of its metrics.
    pub options: MetricsOptions,
    /// Warnings before the run.
    pub warnings: Vec<Diagnostic>,
    /// Whether the recording failed; the reason has been logged.
    pub recording_failed: bool,
    /// Number of messages of the recording; none: there is none, or it failed.
    pub recorded: Option<u64>,
}

impl Experiment {
    /// An experiment that has the name of its config and is not recorded.
    pub fn new(config: ExperimentConfig) -> Experiment {
        let label = config.name.clone();
        Experiment { config, label, load: LoadOptions::default(), record: None, meter: Meter::current() }
    }

    /// Runs it.
    ///
    /// # Errors
    /// The world cannot be loaded or stepped, its vehicle cannot be driven so, or the recording cannot be made.
    pub fn run(&self) -> Result<Outcome, ExperimentError> {
        self.run_after(|_| {})
    }

    /// Runs it after passing the warnings to `tell`.
    ///
    /// # Errors
    /// As [`run`](Experiment::run).
    pub fn run_after(&self, tell: impl FnOnce(&[Diagnostic])) -> Result<Outcome, ExperimentError> {
        if self.config.has_controller() {
            return self.run_beside(tell);
        }
        let driven = self.run_with_hooks(&mut NoHooks, tell)?;
        let (options, recording_failed, recorded) =
            (driven.equipment.metrics, driven.recording_failed, driven.recorded);
        let warnings = driven.warnings.clone();
        Ok(Outcome { analyzed: driven.analyzed()?, options, warnings, recording_failed, recorded })
    }

    /// Steps it to its end in this process with these hooks, after passing the warnings to `tell`. The controller is the config's own
    /// tracker, or nobody.
    ///
    /// # Errors
    /// As [`run`](Experiment::run), or the hooks end it with a failure.
    pub fn run_with_hooks(
        &self,
        hooks: &mut dyn RunHooks,
        tell: impl FnOnce(&[Diagnostic]),
    ) -> Result<Driven, ExperimentError> {
        let mut share = Share::of(self.meter.clone(), nanoseconds(self.config.duration));
        let Prepared { mut world, equipment, warnings, provenance, .. } = self.prepare()?;
        tell(&warnings);
        hooks.begin(&mut world, equipment.vehicle).map_err(ExperimentError::RunHooks)?;
        let config = &self.config;
        let mut log = DriveLog::new(&self.label, config, equipment, world.scene());
        let mut sinks = Sinks::new();
        let mut count = MessageCount::default();
        if let Some(destination) = &self.record {
            let is_alone = world.scene().vehicles.len() == 1 && !hooks.may_spawn();
            let options = RecordOptions { provenance: provenance.clone(), ..record_options(config, is_alone) };
            let recorder = Recorder::at(destination, options)?;
            count = recorder.count();
            sinks.push(Box::new(recorder));
        }
        let mut scene = Arc::clone(world.scene());
        sinks.call_all(|sink| sink.start(&scene));
        let end = SimTime::from_secs(config.duration);
        let mut steps = 0_u64;
        // Analyses read no sensor, recordings do.
        let mut wanted = Wanted::default();
        let mut step_to_end = || {
            while world.frame().time < end {
                for change in hooks.before_step(&mut world).map_err(ExperimentError::RunHooks)? {
                    let timed_change = TimedChange { step: steps, change };
                    sinks.call_all(|sink| sink.changed(&timed_change));
                }
                if world.scene().revision != scene.revision {
                    scene = Arc::clone(world.scene());
                    sinks.call_all(|sink| sink.scene_changed(&scene));
                }
                sinks.choose_readings(&mut world, &mut wanted);
                let frame = world.step()?;
                steps += 1;
                let at_its_end = log.note(&scene, frame);
                sinks.frame(&scene, frame);
                if steps.is_multiple_of(COUNTED_STEPS) {
                    share.add(COUNTED_STEPS * scene.step.0.unsigned_abs());
                }
                if !hooks.after_step(&scene, frame).map_err(ExperimentError::RunHooks)? {
                    return Ok(RunEnd::RunHooks);
                }
                if self.record.as_ref().is_some_and(Destination::is_over) {
                    return Ok(RunEnd::Duration);
                }
                if at_its_end && !hooks.outlasts_reference() {
                    return Ok(RunEnd::Reference);
                }
            }
            Ok::<RunEnd, ExperimentError>(RunEnd::Duration)
        };
        let stepped = step_to_end();
        sinks.finish();
        let end = stepped?;
        hooks.end(world.scene(), world.frame());
        let driven = log.finish(end);
        let run = Run { provenance, ..driven.run };
        let recording_failed = !sinks.failed().is_empty();
        Ok(Driven { run, warnings, recording_failed, recorded: count.get(), ..driven })
    }

    /// Loads its world and equips that.
    pub(super) fn prepare(&self) -> Result<Prepared, ExperimentError> {
        let config = &self.config;
        let mut variables = config.world_variables();
        variables.extend(self.load.variables.clone());
        let step = if config.step > 0.0 { Some(config.step) } else { self.load.step };
        let options = LoadOptions { seed: Some(config.seed), variables, step, ..self.load.clone() };
        let unknown = |problems| config.unknown_plant().unwrap_or(ExperimentError::World(problems));
        let (mut world, problems) = World::load(&config.world, &options).map_err(unknown)?;
        let provenance = self.provenance(&world, &options.variables).map(Arc::new);
        let mut equipment = Equipment::fit(config, &mut world)?;
        let mut warnings: Vec<Diagnostic> = problems.iter().map(Diagnostic::from).collect();
        warnings.append(&mut equipment.warnings);
        Ok(Prepared { world, variables: options.variables, equipment, warnings, provenance })
    }

    /// How it is made in this world, in which these variables were set; none: the config does not say where it is from.
    fn provenance(&self, world: &World, set: &[(String, String)]) -> Option<Provenance> {
        let origin = self.config.origin.as_deref()?.clone();
        // Keys that are not finite have no place in JSON, but a checked config has none.
        let config = serde_json::to_value(&self.config).ok();
        let made = origin.with_world(world, &self.config.world, set).with_files(self.config.controller_files());
        Some(Provenance { config, ..made })
    }
}

/// Steps after which simulated time is counted: threads share the count.
const COUNTED_STEPS: u64 = 64;

/// A duration [s] as it is counted.
pub(super) fn nanoseconds(duration: f64) -> u64 {
    SimTime::from_secs(duration).0.unsigned_abs()
}

impl ExperimentConfig {
    /// The pose that its metrics compare.
    pub(super) fn pose_source(&self) -> PoseSource {
        match self.feedback {
            Feedback::Truth | Feedback::Mocap => PoseSource::Truth,
            Feedback::Odometry => PoseSource::Odometry,
        }
    }
}

fn plan_held(held: u32, ticks: u32) -> Finding {
    let share = 100.0 * f64::from(held) / f64::from(ticks);
    let text = format!(
        "no new plan at {held} of {ticks} ticks ({share:.1} %): the solver reached max_iterations, and the previous plan was used"
    );
    Finding { kind: "plan_held", text, aligned_rmse_m: None }
}

/// Everything that the node publishes, at the rate of the samples: under the racecar's names, whose odometry is the truth and what the metrics
/// compare, or under skidpad's own, whose odometry is that of the wheels. The racecar's have room for a vehicle that `is_alone`.
fn record_options(config: &ExperimentConfig, is_alone: bool) -> RecordOptions {
    let preset = match config.feedback {
        Feedback::Truth | Feedback::Mocap if is_alone => &RACECAR_GAZEBO,
        _ => &SKIDPAD,
    };
    RecordOptions { preset, odometry_rate: Some(config.sample_rate), ..RecordOptions::default() }
}
