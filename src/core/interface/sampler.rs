//! Decides which data of a frame is due and copies it, for the threads that publish or record it later.
//!
//! The node and the recorder each have a [`FrameSampler`] on the simulation thread, and add their own data.

use super::copy::{SensorSnapshot, VehicleSnapshot, copy_readings, copy_vehicles};
use super::poses::{PoseClock, PosePublication, PoseSnapshot};
use crate::preset::Pace;
use crate::time::{Periodic, SimTime};
use crate::world::{EntityId, Frame, Scene, VehicleFrame};

/// Decides frame by frame what is due.
pub struct FrameSampler {
    /// The clock of each [`Pace`].
    paces: [Periodic; 2],
    /// Whether any topic has the pace [`Pace::Second`].
    has_own_pace: bool,
    poses: PoseClock,
    vehicles: Vec<Pending>,
}

/// The data due in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// Whether the topics of each [`Pace`] are due.
    pub states: [bool; 2],
    /// Whether a pose of a `<publish>` is due.
    pub poses: bool,
    /// Whether a driver has acted.
    pub tracks: bool,
    /// Whether a sensor has a new reading.
    pub senses: bool,
}

impl Due {
    /// Whether any data is due.
    pub fn any(&self) -> bool {
        self.states != [false; 2] || self.poses || self.tracks || self.senses
    }
}

/// Events of a vehicle that have not been sent yet.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    id: EntityId,
    /// Whether it has collided.
    collided: bool,
    /// Time of the driver's last tick that was sent.
    tracked: Option<SimTime>,
}

impl Pending {
    fn new(id: EntityId) -> Pending {
        Pending { id, ..Pending::default() }
    }
}

/// Time of the last tick of a vehicle's driver.
fn acted(vehicle: &VehicleFrame) -> Option<SimTime> {
    vehicle.tracking.map(|tracking| tracking.time)
}

/// A clock of `rate` [Hz].
fn every(rate: f64) -> Periodic {
    Periodic::new(SimTime::from_secs(1.0 / rate))
}

impl FrameSampler {
    /// A sampler of the vehicles of `scene` and of the poses of `pose_publications`, with the rate [Hz] of each [`Pace`].
    pub fn new(
        scene: &Scene,
        rates: [f64; 2],
        has_own_pace: bool,
        pose_publications: Vec<PosePublication>,
    ) -> FrameSampler {
        let vehicles = scene.vehicles.iter().map(|vehicle| Pending::new(vehicle.id)).collect();
        FrameSampler { paces: rates.map(every), has_own_pace, poses: PoseClock::new(pose_publications), vehicles }
    }

    /// Changes the rate [Hz] of a pace.
    pub fn set_rate(&mut self, pace: Pace, rate: f64) {
        self.paces[pace as usize] = every(rate);
    }

    /// Applies a scene with other vehicles or other `<publish>`es; data that was due until `now` [ns] is not due again.
    pub fn follow(&mut self, scene: &Scene, pose_publications: Vec<PosePublication>, now: SimTime) {
        let before = std::mem::take(&mut self.vehicles);
        let pending = |id: EntityId| before.iter().find(|pending| pending.id == id).copied();
        self.vehicles.extend(scene.vehicles.iter().map(|info| pending(info.id).unwrap_or(Pending::new(info.id))));
        self.poses = PoseClock::new(pose_publications);
        self.poses.restart(now);
    }

    /// Restarts the clocks after time has gone back: nothing is due until after `now` [ns].
    pub fn restart(&mut self, now: SimTime) {
        self.paces.iter_mut().for_each(|pace| pace.restart(now));
        self.poses.restart(now);
        self.vehicles.iter_mut().for_each(|pending| pending.tracked = None);
    }

    /// To be called when a collision of the vehicle with this id was copied but never sent: it is sent with the next states.
    pub fn restore_collision(&mut self, id: EntityId) {
        self.vehicles.iter_mut().filter(|pending| pending.id == id).for_each(|pending| pending.collided = true);
    }

    /// Determines the data due in a frame; to be called once for each frame.
    pub fn inspect(&mut self, frame: &Frame) -> Due {
        let mut due = Due { senses: frame.fresh_readings().next().is_some(), ..Due::default() };
        for (pending, vehicle) in self.vehicles.iter_mut().zip(&frame.vehicles) {
            pending.collided |= vehicle.colliding;
            let acted = acted(vehicle);
            due.tracks |= acted.is_some() && acted != pending.tracked;
        }
        due.states = self.paces.each_mut().map(|pace| pace.is_due(frame.time));
        due.states[Pace::Second as usize] &= self.has_own_pace;
        due.poses = self.poses.tick(frame.time);
        due
    }

    /// Copies the vehicles of the last inspected frame, with the due sensors and poses.
    pub fn copy(
        &mut self,
        frame: &Frame,
        due: &Due,
        vehicles: &mut Vec<VehicleSnapshot>,
        (sensors, poses): (&mut Vec<SensorSnapshot>, &mut Vec<PoseSnapshot>),
    ) {
        copy_vehicles(frame, vehicles);
        for ((copy, vehicle), pending) in vehicles.iter_mut().zip(&frame.vehicles).zip(&mut self.vehicles) {
            copy.collided = due.states[Pace::Odometry as usize] && std::mem::take(&mut pending.collided);
            let acted = acted(vehicle);
            copy.tracked = acted.is_some() && acted != pending.tracked;
            pending.tracked = acted;
        }
        self.poses.copy(frame, poses);
        copy_readings(frame, sensors, vehicles);
    }
}
