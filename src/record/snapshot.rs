//! What one instant has to say to a recording: what is due, and a copy of the numbers. The simulation thread's side.

use std::sync::mpsc::Receiver;

use super::external_messages::ExternalMessage;
use super::moving_bodies;
use super::options::RecordOptions;
use crate::interface::copy::{SensorSnapshot, VehicleSnapshot, copy_readings};
use crate::interface::poses::{PoseClock, PoseSnapshot, PoseWish};
use crate::math::Pose3;
use crate::preset::Pace;
use crate::time::{Periodic, SimTime};
use crate::vehicle::Command;
use crate::world::{EntityId, Frame, Scene};

/// What is due at one instant, with a copy of the data. Kept and filled again.
#[derive(Debug, Default)]
pub(super) struct RecordSnapshot {
    /// The stamp of everything but the commands.
    pub(super) time: SimTime,
    /// When the commands were taken: at the start of the step.
    pub(super) taken: SimTime,
    /// What log times are more than these [ns].
    pub(super) ahead: SimTime,
    /// Whether the topics of each [`Pace`](crate::preset::Pace) are due.
    pub(super) states: [bool; 2],
    /// The commands taken.
    pub(super) commands: Vec<Command>,
    /// One entry per vehicle.
    pub(super) vehicles: Vec<VehicleSnapshot>,
    /// One entry per sensor, vehicles in order.
    pub(super) sensors: Vec<SensorSnapshot>,
    /// One entry per wish of the world for poses.
    pub(super) poses: Vec<PoseSnapshot>,
    /// Where what is no vehicle is, when topics of the pace of odometry are due; see [`moving_bodies::poses`].
    pub(super) bodies: Vec<Pose3>,
    /// What was said outside since the snapshot before.
    pub(super) external: Vec<ExternalMessage>,
}

/// Decides what is due.
pub(super) struct Sampler {
    paces: [Periodic; 2],
    /// Whether any topic has the pace of joints.
    has_joint_pace: bool,
    poses: PoseClock,
    step: SimTime,
    due: [bool; 2],
    /// What is kept of each vehicle.
    vehicles: Vec<Kept>,
    /// Time of the last frame [ns].
    last: SimTime,
    /// What log times are more than simulated time [ns]: how far that was set back.
    ahead: SimTime,
    outside: Option<Receiver<ExternalMessage>>,
    external: Vec<ExternalMessage>,
}

/// What a vehicle did since it was last recorded.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    id: EntityId,
    collided: bool,
    /// When its driver last acted, as far as recorded.
    tracked: Option<SimTime>,
}

impl Sampler {
    pub(super) fn new(
        options: &RecordOptions,
        scene: &Scene,
        wishes: Vec<PoseWish>,
        outside: Option<Receiver<ExternalMessage>>,
    ) -> Sampler {
        let every = |rate: f64| Periodic::new(SimTime::from_secs(1.0 / rate));
        let preset = options.preset;
        let odometry_rate = options.odometry_rate.unwrap_or(preset.odometry_rate);
        Sampler {
            paces: [every(odometry_rate), every(preset.own_rate)],
            has_joint_pace: preset.topics.iter().any(|topic| topic.pace == Pace::Own),
            poses: PoseClock::new(wishes),
            step: scene.step,
            due: [false; 2],
            vehicles: scene.vehicles.iter().map(|vehicle| Kept { id: vehicle.id, ..Kept::default() }).collect(),
            last: SimTime(-1),
            ahead: SimTime::ZERO,
            outside,
            external: Vec::new(),
        }
    }

    /// Other vehicles and blocks are there, and other poses are wished for.
    pub(super) fn follow(&mut self, scene: &Scene, wishes: Vec<PoseWish>) {
        let before = std::mem::take(&mut self.vehicles);
        self.vehicles.extend(scene.vehicles.iter().map(|vehicle| {
            let kept = before.iter().find(|kept| kept.id == vehicle.id).copied();
            kept.unwrap_or(Kept { id: vehicle.id, ..Kept::default() })
        }));
        self.step = scene.step;
        self.poses = PoseClock::new(wishes);
        self.poses.restart(self.last.max(SimTime::ZERO));
    }

    /// Log time of the last frame that was looked at [ns]; below zero before the first.
    pub(super) fn last_logged(&self) -> SimTime {
        self.last + self.ahead
    }

    /// Whether anything of the frame is to be recorded; to be called for each.
    pub(super) fn look(&mut self, frame: &Frame) -> bool {
        if frame.time <= self.last {
            // Time has gone back; the log goes on, or what was before could not be told from what comes.
            self.ahead = self.last_logged() - frame.time + self.step;
            self.paces.iter_mut().for_each(|pace| pace.restart(frame.time - self.step));
            self.poses.restart(frame.time - self.step);
        }
        self.last = frame.time;
        let mut tracks = false;
        for (kept, vehicle) in self.vehicles.iter_mut().zip(&frame.vehicles) {
            kept.collided |= vehicle.colliding;
            tracks |= vehicle.tracking.is_some_and(|tracking| Some(tracking.time) != kept.tracked);
        }
        self.due = self.paces.each_mut().map(|pace| pace.is_due(frame.time));
        self.due[Pace::Own as usize] &= self.has_joint_pace;
        let poses = self.poses.tick(frame.time);
        self.external.extend(self.outside.iter().flat_map(Receiver::try_iter));
        self.due != [false; 2]
            || poses
            || tracks
            || !self.external.is_empty()
            || !frame.commands.is_empty()
            || frame.fresh_readings().next().is_some()
    }

    /// Copies what [`Self::look`] found.
    pub(super) fn copy(&mut self, frame: &Frame, snapshot: &mut RecordSnapshot) {
        snapshot.time = frame.time;
        snapshot.taken = frame.time - self.step;
        snapshot.ahead = self.ahead;
        snapshot.states = self.due;
        snapshot.external.clear();
        snapshot.external.append(&mut self.external);
        snapshot.commands.clone_from(&frame.commands);
        snapshot.vehicles.resize_with(frame.vehicles.len(), VehicleSnapshot::default);
        for ((copy, vehicle), kept) in snapshot.vehicles.iter_mut().zip(&frame.vehicles).zip(&mut self.vehicles) {
            copy.copy_from(vehicle);
            copy.collided = self.due[Pace::Odometry as usize] && std::mem::take(&mut kept.collided);
            let tracked = vehicle.tracking.map(|tracking| tracking.time);
            copy.tracked = tracked.is_some() && tracked != kept.tracked;
            kept.tracked = tracked;
        }
        self.poses.copy(frame, &mut snapshot.poses);
        snapshot.bodies.clear();
        if self.due[Pace::Odometry as usize] {
            snapshot.bodies.extend(moving_bodies::poses(frame));
        }
        copy_readings(frame, &mut snapshot.sensors, &mut snapshot.vehicles);
    }
}
