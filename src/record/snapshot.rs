//! The data of one instant for a recording: the due topics, and a copy of the numbers. The simulation thread's side.

use std::sync::Arc;

use skidpad_math::Pose3;
use skidpad_math::time::{Periodic, SimTime};
use skidpad_ros_data::interface::copy::{SensorSnapshot, VehicleSnapshot};
use skidpad_ros_data::interface::poses::{PosePublication, PoseSnapshot};
use skidpad_ros_data::interface::sampler::{Due, FrameSampler, StateInstant};
use skidpad_ros_data::message::markers::Surroundings;
use skidpad_ros_data::message::{AutowareDesk, BodySnapshot, DiagnosticStatus, SharedDesk};
use skidpad_ros_data::preset::Pace;
use skidpad_run::diagnostics::health::Health;
use skidpad_run::diagnostics::status::Diagnostician;
use skidpad_run::diagnostics::{self, DIAGNOSTICS_PERIOD};
use skidpad_run::sink::RunStatistics;
use skidpad_sim::vehicle::Command;
use skidpad_sim::world::{Frame, Scene, pose_between};

use super::drawings::MARKER_RATE;
use super::external_messages::{ExternalMessage, ExternalReceiver};
use super::missing::{Missing, MissingMessages};
use super::moving_bodies;
use super::options::RecordOptions;

/// The data due at one instant, copied. Reused for later instants.
#[derive(Debug, Default)]
pub(super) struct RecordSnapshot {
    /// The stamp of everything but the commands.
    pub(super) time: SimTime,
    /// When the commands were taken: at the start of the step.
    pub(super) taken: SimTime,
    /// Offset of log times from these times [ns].
    pub(super) ahead: SimTime,
    /// Whether the topics of each [`Pace`](skidpad_ros_data::preset::Pace) are due.
    pub(super) states: [bool; 2],
    /// The commands taken.
    pub(super) commands: Vec<Command>,
    /// What Autoware has commanded.
    pub(super) desk: AutowareDesk,
    /// One entry per vehicle.
    pub(super) vehicles: Vec<VehicleSnapshot>,
    /// One entry per sensor, vehicles in order.
    pub(super) sensors: Vec<SensorSnapshot>,
    /// One entry per `<publish>` of the world.
    pub(super) poses: Vec<PoseSnapshot>,
    /// Poses of all bodies other than vehicles, when topics of the pace of odometry are due; see [`moving_bodies::poses`].
    pub(super) bodies: Vec<Pose3>,
    /// Whether markers are due.
    pub(super) markers: bool,
    /// Poses of everything that moves beside vehicles, if markers are due.
    pub(super) surroundings: Surroundings,
    /// Poses and velocities of all bodies, when markers are due.
    pub(super) truth: BodySnapshot,
    /// The lines of the diagnostics; empty: not due.
    pub(super) diagnostics: Vec<DiagnosticStatus>,
    /// External messages since the previous snapshot.
    pub(super) external: Vec<ExternalMessage>,
    /// External messages that are found to be missing since then.
    pub(super) missing: Vec<MissingMessages>,
}

impl RecordSnapshot {
    /// Its size in memory, but for small parts [bytes].
    pub(super) fn bytes(&self) -> usize {
        let vehicles = self.vehicles.iter().map(VehicleSnapshot::bytes);
        let sensors = self.sensors.iter().map(SensorSnapshot::bytes);
        let (poses, bodies) = (size_of_val(&self.poses[..]), size_of_val(&self.bodies[..]));
        size_of_val(self) + vehicles.chain(sensors).sum::<usize>() + poses + bodies
    }
}

/// Decides what is due.
pub(super) struct Sampler {
    frames: FrameSampler,
    due: Due,
    step: SimTime,
    /// Time of the last frame [ns].
    last: SimTime,
    /// Offset of log times from simulated time [ns]: the sum of all backward jumps.
    ahead: SimTime,
    desk: SharedDesk,
    outside: Option<ExternalReceiver>,
    external: Vec<ExternalMessage>,
    /// External messages that do not come or have no room.
    pub(super) missing: Missing,
    markers: Periodic,
    markers_are_due: bool,
    /// Whether the file has a topic for the truth about all bodies.
    records_bodies: bool,
    health: Health,
    diagnostician: Diagnostician,
    diagnostics: Vec<DiagnosticStatus>,
    /// Poses of all bodies other than vehicles after the frame before, if states are due between frames.
    bodies: Vec<Pose3>,
}

impl Sampler {
    pub(super) fn new(
        options: &RecordOptions,
        scene: &Scene,
        pose_publications: Vec<PosePublication>,
        outside: Option<ExternalReceiver>,
        records_bodies: bool,
    ) -> Sampler {
        let preset = options.preset;
        let rates = [options.odometry_rate.unwrap_or(preset.odometry_rate), preset.second_rate];
        let has_own_pace = preset.topics.iter().any(|topic| topic.pace == Pace::Second);
        Sampler {
            frames: FrameSampler::new(scene, rates, has_own_pace, pose_publications),
            due: Due::default(),
            step: scene.step,
            last: SimTime(-1),
            ahead: SimTime::ZERO,
            desk: options.desk.clone(),
            outside,
            external: Vec::new(),
            missing: Missing::default(),
            markers: Periodic::new(SimTime::from_secs(1.0 / MARKER_RATE)),
            markers_are_due: false,
            records_bodies,
            health: Health::default(),
            diagnostician: Diagnostician::default(),
            diagnostics: Vec::new(),
            bodies: Vec::new(),
        }
    }

    /// Takes statistics of the run, from which diagnostics become due.
    pub(super) fn judge(&mut self, scene: &Scene, frame: &Frame, window: &RunStatistics) {
        self.health.add(scene, frame, window);
        if self.health.statistics.wall >= DIAGNOSTICS_PERIOD {
            let health = self.health.take();
            self.diagnostics = self.diagnostician.statuses(&health).into_iter().map(diagnostics::message).collect();
        }
    }

    /// Applies a scene with other vehicles, blocks or `<publish>`es.
    pub(super) fn follow(&mut self, scene: &Scene, pose_publications: Vec<PosePublication>) {
        self.step = scene.step;
        self.bodies.clear();
        self.frames.follow(scene, pose_publications, self.last.max(SimTime::ZERO));
    }

    /// Log time of the last examined frame [ns]; negative before the first.
    pub(super) fn last_logged(&self) -> SimTime {
        self.last + self.ahead
    }

    /// Whether anything of the frame is to be recorded; to be called for each frame.
    pub(super) fn look(&mut self, frame: &Frame) -> bool {
        if frame.time <= self.last {
            // Simulated time was set back; log times continue, so that old and new messages can be told apart.
            self.ahead = self.last_logged() - frame.time + self.step;
            self.frames.restart(frame.time - self.step);
            self.markers.restart(frame.time - self.step);
            self.bodies.clear();
        }
        self.last = frame.time;
        self.due = self.frames.inspect(frame);
        if let Some(outside) = &mut self.outside {
            self.external.extend(outside.arrived());
            for (topic, count) in outside.left_out() {
                self.missing.add(&Arc::from(topic), frame.time, count);
            }
        }
        self.markers_are_due = self.markers.is_due(frame.time);
        let is_news = !self.external.is_empty() || !frame.commands.is_empty() || !self.diagnostics.is_empty();
        self.due.any() || self.markers_are_due || is_news || self.missing.has_news()
    }

    /// The instant with this index, before the last frame, at which states are due between two frames.
    pub(super) fn instant_between(&self, index: usize) -> Option<StateInstant> {
        self.frames.instant_between(index)
    }

    /// Copies the states of such an instant.
    pub(super) fn copy_between(&mut self, frame: &Frame, instant: &StateInstant, snapshot: &mut RecordSnapshot) {
        snapshot.time = instant.time;
        snapshot.taken = frame.time - self.step;
        snapshot.ahead = self.ahead;
        snapshot.desk = *self.desk.lock();
        snapshot.states = instant.states;
        snapshot.external.clear();
        snapshot.missing.clear();
        snapshot.commands.clear();
        snapshot.diagnostics.clear();
        snapshot.markers = false;
        snapshot.bodies.clear();
        if instant.states[Pace::Odometry as usize] {
            let share = self.frames.share(frame, instant);
            let before = self.bodies.iter().copied().map(Some).chain(std::iter::repeat(None));
            let pose_at = |(now, before): (Pose3, Option<Pose3>)| pose_between(before.unwrap_or(now), now, share);
            snapshot.bodies.extend(moving_bodies::poses(frame).zip(before).map(pose_at));
        }
        self.frames.copy_between(frame, instant, &mut snapshot.vehicles);
        snapshot.sensors.iter_mut().for_each(|sensor| sensor.fresh = false);
        snapshot.poses.iter_mut().for_each(|pose| pose.fresh = false);
    }

    /// To be called after [`Self::copy_between`] for each instant.
    pub(super) fn remember(&mut self, frame: &Frame) {
        self.frames.remember(frame);
        if self.frames.is_finer_than_steps() {
            self.bodies.clear();
            self.bodies.extend(moving_bodies::poses(frame));
        }
    }

    /// Copies what [`Self::look`] found.
    pub(super) fn copy(&mut self, scene: &Scene, frame: &Frame, snapshot: &mut RecordSnapshot) {
        snapshot.time = frame.time;
        snapshot.taken = frame.time - self.step;
        snapshot.ahead = self.ahead;
        snapshot.desk = *self.desk.lock();
        snapshot.states = self.due.states;
        snapshot.external.clear();
        snapshot.external.append(&mut self.external);
        self.missing.move_news(&mut snapshot.missing);
        snapshot.commands.clone_from(&frame.commands);
        snapshot.markers = self.markers_are_due;
        if snapshot.markers {
            snapshot.surroundings.copy_from(frame);
            if self.records_bodies {
                snapshot.truth.copy_from(scene, frame);
            }
        }
        snapshot.diagnostics.clear();
        snapshot.diagnostics.append(&mut self.diagnostics);
        snapshot.bodies.clear();
        if self.due.states[Pace::Odometry as usize] {
            snapshot.bodies.extend(moving_bodies::poses(frame));
        }
        self.frames.copy(frame, &self.due, &mut snapshot.vehicles, &mut snapshot.sensors, &mut snapshot.poses);
    }
}
