//! Decides which data of a frame is due and copies it, for the threads that publish or record it later. States that are due more often than
//! the world steps are those between two frames, each with a time of its own.
//!
//! The node and the recorder each have a [`FrameSampler`] on the simulation thread, and add their own data.

use skidpad_math::time::{Periodic, SimTime};
use skidpad_sim::world::{EntityId, Frame, Scene, VehicleFrame};

use super::copy::{SensorSnapshot, VehicleSnapshot, copy_readings, copy_vehicles};
use super::poses::{PoseClock, PosePublication, PoseSnapshot};
use crate::preset::Pace;

/// Decides frame by frame what is due.
pub struct FrameSampler {
    /// The clock of each [`Pace`].
    paces: [Periodic; 2],
    /// Whether any topic has the pace [`Pace::Second`].
    has_own_pace: bool,
    poses: PoseClock,
    vehicles: Vec<Pending>,
    /// Step of the world [ns].
    step: SimTime,
    /// Instants before the last inspected frame at which states are due.
    instants_between: Vec<StateInstant>,
    /// The vehicles of the frame before, if states are due between frames.
    before: Vec<VehicleSnapshot>,
}

/// An instant between two frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateInstant {
    /// Simulated time [ns].
    pub time: SimTime,
    /// Whether the topics of each [`Pace`] are due.
    pub states: [bool; 2],
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
    /// Whether a sensor has a new reading, or would have one if anybody wanted it.
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

/// Whether a sample of a sensor was due in this frame.
fn is_sensed(frame: &Frame) -> bool {
    frame.readings.iter().any(|reading| reading.was_due(frame.time))
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
        FrameSampler {
            paces: rates.map(every),
            has_own_pace,
            poses: PoseClock::new(pose_publications),
            vehicles,
            step: scene.step,
            instants_between: Vec::new(),
            before: Vec::new(),
        }
    }

    /// Changes the rate [Hz] of a pace.
    pub fn set_rate(&mut self, pace: Pace, rate: f64) {
        self.paces[pace as usize] = every(rate);
    }

    /// Applies a scene with other vehicles or other `<publish>`es; data that was due until `now` [ns] is not due again.
    pub fn follow(&mut self, scene: &Scene, pose_publications: Vec<PosePublication>, now: SimTime) {
        self.step = scene.step;
        self.before.clear();
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
        self.before.clear();
        self.vehicles.iter_mut().for_each(|pending| pending.tracked = None);
    }

    /// To be called when a collision of the vehicle with this id was copied but never sent: it is sent with the next states.
    pub fn restore_collision(&mut self, id: EntityId) {
        self.vehicles.iter_mut().filter(|pending| pending.id == id).for_each(|pending| pending.collided = true);
    }

    /// Determines the data due in a frame; to be called once for each frame.
    pub fn inspect(&mut self, frame: &Frame) -> Due {
        let mut due = Due { senses: is_sensed(frame), ..Due::default() };
        for (pending, vehicle) in self.vehicles.iter_mut().zip(&frame.vehicles) {
            pending.collided |= vehicle.colliding;
            let acted = acted(vehicle);
            due.tracks |= acted.is_some() && acted != pending.tracked;
        }
        self.instants_between.clear();
        for (index, pace) in self.paces.iter_mut().enumerate() {
            if index == Pace::Second as usize && !self.has_own_pace {
                continue;
            }
            if pace.period() >= self.step {
                due.states[index] = pace.is_due(frame.time);
                continue;
            }
            let (first, count) = pace.instants(frame.time - self.step, frame.time);
            for time in (0..count).map(|k| first + SimTime(k * pace.period().0)) {
                match self.instants_between.iter_mut().find(|instant| instant.time == time) {
                    _ if time == frame.time => due.states[index] = true,
                    Some(instant) => instant.states[index] = true,
                    None => {
                        let mut states = [false; 2];
                        states[index] = true;
                        self.instants_between.push(StateInstant { time, states });
                    }
                }
            }
        }
        self.instants_between.sort_unstable_by_key(|instant| instant.time);
        due.poses = self.poses.tick(frame.time);
        due
    }

    /// The instant with this index among those between the last inspected frame and the one before at which states are due, in order.
    pub fn instant_between(&self, index: usize) -> Option<StateInstant> {
        self.instants_between.get(index).copied()
    }

    /// Copies the vehicles as they were at such an instant before `frame`.
    pub fn copy_between(&mut self, frame: &Frame, instant: &StateInstant, vehicles: &mut Vec<VehicleSnapshot>) {
        copy_vehicles(frame, vehicles);
        let share = self.share(frame, instant);
        for (index, (copy, pending)) in vehicles.iter_mut().zip(&mut self.vehicles).enumerate() {
            copy.frame.move_back(self.before.get(index).map(|before| &before.frame), share, self.step);
            copy.collided = instant.states[Pace::Odometry as usize] && std::mem::take(&mut pending.collided);
        }
    }

    /// The share of the step to `frame` that has passed at such an instant [-].
    pub fn share(&self, frame: &Frame, instant: &StateInstant) -> f64 {
        1.0 - (frame.time - instant.time).secs() / self.step.secs()
    }

    /// Whether states are due more often than the world steps.
    pub fn is_finer_than_steps(&self) -> bool {
        let [odometry, second] = self.paces.map(|pace| pace.period() < self.step);
        odometry || second && self.has_own_pace
    }

    /// To be called when the instants between frames have been copied: keeps what the next ones need of the last inspected frame.
    pub fn remember(&mut self, frame: &Frame) {
        if self.is_finer_than_steps() {
            copy_vehicles(frame, &mut self.before);
        }
    }

    /// Copies the vehicles of the last inspected frame, with the due sensors and poses.
    pub fn copy(
        &mut self,
        frame: &Frame,
        due: &Due,
        vehicles: &mut Vec<VehicleSnapshot>,
        sensors: &mut Vec<SensorSnapshot>,
        poses: &mut Vec<PoseSnapshot>,
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

#[cfg(test)]
mod tests {
    use skidpad_math::{Pose2, Twist2, advance};
    use skidpad_sim::world::VehicleInfo;

    use super::*;

    const STEP: SimTime = SimTime(5_000_000);
    const CIRCLE: Twist2 = Twist2 { vx: 3.0, vy: 0.0, wz: 2.0 };

    /// The state of a vehicle on a circle.
    fn on_circle(time: SimTime) -> VehicleFrame {
        let place = advance(Pose2::new(1.0, 2.0, 3.0), CIRCLE, time.secs());
        VehicleFrame {
            odom_from_body: place,
            odom_velocity_in_body: CIRCLE,
            world_from_body: skidpad_math::Pose3::from_planar(place),
            velocity_in_body: CIRCLE,
            since_set_down: time,
            ..VehicleFrame::default()
        }
    }

    /// The times of the odometry of a second at this rate [Hz] and its greatest error [m], from frames at steps of 5 ms.
    fn odometry(rate: f64) -> (Vec<SimTime>, f64) {
        let scene = Scene { vehicles: vec![VehicleInfo::default()], step: STEP, ..Scene::default() };
        let mut sampler = FrameSampler::new(&scene, [rate, 50.0], false, Vec::new());
        let (mut times, mut error) = (Vec::new(), 0.0_f64);
        let mut note = |time: SimTime, vehicles: &[VehicleSnapshot]| {
            let actual = vehicles[0].frame.odom_from_body.position();
            error = error.max((actual - on_circle(time).odom_from_body.position()).norm());
            times.push(time);
        };
        let mut vehicles = Vec::new();
        for step in 1..=200 {
            let time = SimTime(step * STEP.0);
            let frame = Frame { time, vehicles: vec![on_circle(time)], ..Frame::default() };
            let due = sampler.inspect(&frame);
            for index in 0.. {
                let Some(instant) = sampler.instant_between(index) else { break };
                sampler.copy_between(&frame, &instant, &mut vehicles);
                note(instant.time, &vehicles);
            }
            sampler.remember(&frame);
            if due.states[Pace::Odometry as usize] {
                sampler.copy(&frame, &due, &mut vehicles, &mut Vec::new(), &mut Vec::new());
                note(time, &vehicles);
            }
        }
        (times, error)
    }

    #[test]
    fn odometry_above_the_rate_of_steps_has_times_of_its_own_on_the_arc() {
        for (rate, period) in [(1000.0, 1_000_000), (400.0, 2_500_000), (300.0, 3_333_333)] {
            let (times, error) = odometry(rate);
            let count = 1_000_000_000 / period;
            let expected: Vec<SimTime> = (1..=count).map(|k| SimTime(k * period)).collect();
            assert_eq!(times, expected, "{rate}");
            assert!(error < 1e-12, "{rate}: {error}");
        }
    }

    #[test]
    fn slower_odometry_is_due_at_steps() {
        let (times, error) = odometry(80.0);
        assert_eq!(times.len(), 80);
        assert!(times.iter().all(|time| time.0 % STEP.0 == 0));
        assert_eq!(error, 0.0);
    }
}
