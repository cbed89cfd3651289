//! What one instant has to say to a recording: what is due, and a copy of the numbers. The simulation thread's side.

use super::options::RecordOptions;
use crate::sensor::ReadingData;
use crate::time::{Periodic, SimTime};
use crate::vehicle::Command;
use crate::world::{Frame, Scene, VehicleFrame};

/// What is due at one instant, with a copy of the data. Kept and filled again.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    /// The stamp of everything but the commands.
    pub(super) time: SimTime,
    /// When the commands were taken: at the start of the step.
    pub(super) taken: SimTime,
    /// Whether odometry and states are due.
    pub(super) states: bool,
    /// The commands taken.
    pub(super) commands: Vec<Command>,
    /// One entry per vehicle.
    pub(super) vehicles: Vec<VehicleSnapshot>,
    /// One entry per sensor, vehicles in order.
    pub(super) sensors: Vec<SensorSnapshot>,
}

/// A copy of one vehicle's state.
#[derive(Debug, Default)]
pub(super) struct VehicleSnapshot {
    pub(super) frame: VehicleFrame,
    /// True when it collided since states were last due.
    pub(super) collided: bool,
    /// True when one of its sensors is in the snapshot.
    pub(super) senses: bool,
    /// True when its driver has acted.
    pub(super) tracked: bool,
}

/// A copy of one sensor's reading.
#[derive(Debug, Default)]
pub(super) struct SensorSnapshot {
    pub(super) fresh: bool,
    pub(super) vehicle: usize,
    pub(super) sensor: usize,
    /// Ranges of a scan [m].
    pub(super) ranges: Vec<f32>,
}

/// Decides what is due.
pub(super) struct Sampler {
    states: Periodic,
    step: SimTime,
    due: bool,
    collided: Vec<bool>,
    /// When each vehicle's driver last acted, as far as recorded.
    tracked: Vec<Option<SimTime>>,
}

impl Sampler {
    pub(super) fn new(options: &RecordOptions) -> Sampler {
        let states = Periodic::new(SimTime::from_secs(1.0 / options.state_rate));
        Sampler { states, step: SimTime::ZERO, due: false, collided: Vec::new(), tracked: Vec::new() }
    }

    pub(super) fn start(&mut self, scene: &Scene) {
        self.step = scene.step;
        self.collided = vec![false; scene.vehicles.len()];
        self.tracked = vec![None; scene.vehicles.len()];
    }

    /// Whether anything of the frame is to be recorded; to be called for each.
    pub(super) fn look(&mut self, frame: &Frame) -> bool {
        let mut tracks = false;
        for ((collided, last), vehicle) in self.collided.iter_mut().zip(&self.tracked).zip(&frame.vehicles) {
            *collided |= vehicle.colliding;
            tracks |= vehicle.tracking.is_some_and(|tracking| Some(tracking.time) != *last);
        }
        self.due = self.states.is_due(frame.time);
        self.due || tracks || !frame.commands.is_empty() || frame.fresh_readings().next().is_some()
    }

    /// Copies what [`Self::look`] found.
    pub(super) fn copy(&mut self, frame: &Frame, snapshot: &mut Snapshot) {
        snapshot.time = frame.time;
        snapshot.taken = frame.time - self.step;
        snapshot.states = self.due;
        snapshot.commands.clone_from(&frame.commands);
        snapshot.vehicles.resize_with(frame.vehicles.len(), VehicleSnapshot::default);
        let memory = self.collided.iter_mut().zip(&mut self.tracked);
        for ((copy, vehicle), (collided, last)) in snapshot.vehicles.iter_mut().zip(&frame.vehicles).zip(memory) {
            let mut wheels = std::mem::take(&mut copy.frame.wheels);
            wheels.clone_from(&vehicle.wheels);
            copy.frame = VehicleFrame { wheels, ..*vehicle };
            copy.collided = if self.due { std::mem::take(collided) } else { false };
            copy.senses = false;
            let tracked = vehicle.tracking.map(|tracking| tracking.time);
            copy.tracked = tracked.is_some() && tracked != *last;
            *last = tracked;
        }
        snapshot.sensors.resize_with(frame.readings.len(), SensorSnapshot::default);
        for (copy, reading) in snapshot.sensors.iter_mut().zip(&frame.readings) {
            copy.fresh = reading.time == frame.time;
            copy.vehicle = reading.vehicle;
            copy.sensor = reading.sensor;
            if !copy.fresh {
                continue;
            }
            match &reading.data {
                ReadingData::Scan(scan) => copy.ranges.clone_from(&scan.ranges),
            }
            if let Some(vehicle) = snapshot.vehicles.get_mut(reading.vehicle) {
                vehicle.senses = true;
            }
        }
    }
}
