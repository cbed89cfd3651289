//! `skidpad run --track`: a vehicle of a running world follows a trajectory, and a line per second reports the error.

use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::Diagnostics;
use crate::experiment::{Equipment, ExperimentConfig, Feedback, TrackingWatch};
use crate::runner::CommandSchedule;
use crate::sink::{Sink, SinkError};
use crate::time::SimTime;
use crate::trajectory;
use crate::world::{EntityId, Frame, Scene, Wanted, World};
use crate::xml::Problem;
use crate::{Failure, log_warnings, report};

/// Interval of the lines [ns of simulated time].
const PERIOD: SimTime = SimTime(1_000_000_000);

/// How long trajectories are looked at for their speeds, at most [s].
const LOOK: f64 = 60.0;

/// Reports how well a vehicle follows its trajectory.
pub struct TrackingLines {
    vehicle: usize,
    id: EntityId,
    name: String,
    /// Whether it was there when the scene changed last.
    is_there: bool,
    watch: TrackingWatch,
    config: ExperimentConfig,
}

/// Makes a vehicle of the world follow the trajectory of the config at `path`, in which `settings` override keys. The config's own world is
/// ignored.
pub fn fit(path: &Path, settings: &[(String, String)], world: &mut World) -> Result<TrackingLines, Failure> {
    let mut config = ExperimentConfig::load_with(path, settings).map_err(Failure::because)?;
    config.world = world.scene().name.clone().into();
    let equipment = Equipment::fit(&config, world)
        .map_err(|error| Failure::Because(Diagnostics::from(error).at(format!("--track {}", path.display()))))?;
    log_warnings(&equipment.warnings);
    Ok(lines(config, equipment, world))
}

/// The lines of a vehicle that follows the trajectory of this config in a world that has been equipped so.
pub fn lines(config: ExperimentConfig, equipment: Equipment, world: &World) -> TrackingLines {
    let info = &world.scene().vehicles[equipment.vehicle];
    let (vehicle, id) = (&info.name, info.id);
    let name = vehicle.clone();
    let kind = match config.trajectory.trajectory_type.as_str() {
        kind if kind == config.name => String::new(),
        kind => format!(" ({kind})"),
    };
    report::note(match config.has_controller() {
        true => format!("{vehicle} gets {}{kind} as its reference; {} drives it", config.name, config.controller),
        false => format!(
            "{vehicle} follows {}{kind}; any command takes over, and it resumes when the commands stop",
            config.name
        ),
    });
    let follows_odometry = config.feedback == Feedback::Odometry;
    let watch = TrackingWatch::new(equipment.vehicle, follows_odometry, PERIOD).on_track(equipment.track);
    let watch = watch.timed_on(equipment.course);
    TrackingLines { vehicle: equipment.vehicle, id, name, is_there: true, watch, config }
}

/// Tries the step of a world at the speeds that its commands and its track ask for; returns the warnings.
pub fn try_steps(world: &World, commands: &CommandSchedule, track: Option<&TrackingLines>) -> Vec<Problem> {
    let led = track.map(|lines| (lines.vehicle, lines.largest_speed()));
    world.try_steps(&|name| {
        let vehicle = world.scene().vehicle_index(name)?;
        let along = led.filter(|(led, _)| *led == vehicle).map(|(_, speed)| speed);
        commands.largest_speed(vehicle).into_iter().chain(along).reduce(f64::max)
    })
}

impl TrackingLines {
    /// The config, with what was set over it.
    pub fn config(&self) -> &ExperimentConfig {
        &self.config
    }

    /// The largest speed of the trajectory within a minute, or until its end [m/s].
    pub fn largest_speed(&self) -> f64 {
        let Ok(trajectory) = trajectory::build(&self.config.trajectory) else { return 0.0 };
        let end = trajectory.duration().unwrap_or(LOOK).min(LOOK);
        let samples = (0..=100).map(|k| trajectory.at(0.01 * f64::from(k) * end).speed());
        samples.filter(|speed| speed.is_finite()).fold(0.0, f64::max)
    }

    /// Index of the vehicle at the start.
    pub fn vehicle(&self) -> usize {
        self.vehicle
    }
}

impl Sink for TrackingLines {
    fn name(&self) -> &str {
        "the tracking report"
    }

    fn scene_changed(&mut self, scene: &Arc<Scene>) -> Result<(), SinkError> {
        // One that comes back, or that an edit has built anew, has another id.
        let has_path = |index: &usize| !scene.vehicles[*index].reference_path.is_empty();
        let again = || scene.vehicle_index(&self.name).filter(has_path);
        let vehicle = scene.vehicle_of(self.id).or_else(again);
        self.watch.follow(vehicle);
        if self.is_there && vehicle.is_none() {
            report::note(format!("{} was removed, and nothing follows {} any more", self.name, self.config.name));
        }
        self.is_there = vehicle.is_some();
        self.id = vehicle.map_or(self.id, |index| scene.vehicles[index].id);
        Ok(())
    }

    fn wants(&mut self, _scene: &Arc<Scene>, _wanted: &mut Wanted) {}

    fn frame(&mut self, _scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        let report = self.watch.look(frame);
        if let Some(lap) = self.watch.take_lap() {
            report::note(lap);
        }
        if let Some(report) = report {
            report::note(report);
        }
        Ok(())
    }
}
