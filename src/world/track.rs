//! Vehicles that follow trajectories: their drivers look at each new state, and command the next step.
//!
//! Who commands such a vehicle from outside takes it over: its driver is silent until no command has come for the command timeout,
//! or for [`SILENCE`] where there is none. The reference waits meanwhile where it was.

use std::sync::Arc;

use super::{CommandError, World};
use crate::time::SimTime;
use crate::tracking::{TrajectoryDriver, VehicleState};
use crate::trajectory::VehicleLimits;
use crate::vehicle::{Action, Command};

/// After so long without a command from outside the driver goes on, where no command timeout says so.
const SILENCE: SimTime = SimTime(1_000_000_000);

/// A driver and how long it has been kept from driving.
pub(super) struct Seat {
    pub(super) driver: TrajectoryDriver,
    /// Somebody else drives until this time [ns]; none: nobody.
    taken_until: Option<SimTime>,
    /// When somebody else began to, and for how long they did before [ns].
    taken_since: SimTime,
    waited: SimTime,
}

impl Seat {
    pub(super) fn reset(&mut self) {
        (self.taken_until, self.waited) = (None, SimTime::ZERO);
        self.driver.reset();
    }
}

impl World {
    /// Has the vehicle with this index follow a trajectory from now on; none: no longer. A driver replaces the one before.
    ///
    /// # Errors
    /// There is no such vehicle, or it takes no Ackermann commands.
    pub fn set_driver(&mut self, vehicle: usize, driver: Option<TrajectoryDriver>) -> Result<(), CommandError> {
        let info = self.scene.vehicles.get(vehicle).ok_or(CommandError::NoVehicle(vehicle))?;
        if driver.is_some() && !info.accepts.ackermann {
            let (vehicle, accepted) = (info.name.clone(), info.accepts.names());
            return Err(CommandError::NotAccepted { vehicle, kind: "Ackermann", accepted });
        }
        // The odometry begins where the vehicle starts.
        let start = info.world_from_start.planar();
        let to_world = |driver: &TrajectoryDriver| {
            let course = driver.course().into_iter();
            course.map(|point| if driver.follows_odometry() { start.transform_point(point) } else { point }).collect()
        };
        Arc::make_mut(&mut self.scene).vehicles[vehicle].reference_path =
            driver.as_ref().map(to_world).unwrap_or_default();
        self.drivers.resize_with(self.scene.vehicles.len(), || None);
        let seat = |driver| Seat { driver, taken_until: None, taken_since: SimTime::ZERO, waited: SimTime::ZERO };
        self.drivers[vehicle] = driver.map(seat);
        let frame = &mut self.frame.vehicles[vehicle];
        (frame.has_driver, frame.tracking) = (self.drivers[vehicle].is_some(), None);
        self.follow_trajectories();
        Ok(())
    }

    /// Somebody commands this vehicle from outside: its driver, if it has one, gives way.
    pub(super) fn take_over(&mut self, vehicle: usize) {
        let Some(Some(seat)) = self.drivers.get_mut(vehicle) else { return };
        let now = self.frame.time;
        if seat.taken_until.is_none() {
            seat.taken_since = now;
        }
        let id = self.scene.vehicles[vehicle].id;
        let timeout = self.own.command_timeout(id, self.command_timeout);
        seat.taken_until = Some(now + timeout.unwrap_or(SILENCE));
        self.frame.vehicles[vehicle].tracking = None;
    }

    /// Every driver begins anew.
    pub(super) fn reset_drivers(&mut self) {
        self.drivers.iter_mut().flatten().for_each(Seat::reset);
        self.follow_trajectories();
    }

    /// What the vehicle with this index can do on a trajectory on level ground, as far as its own tyres give; none for one that does
    /// not steer. Worlds set no top speed.
    pub fn limits(&self, vehicle: usize) -> Option<VehicleLimits> {
        let info = self.scene.vehicles.get(vehicle)?;
        Some(VehicleLimits {
            wheelbase: info.wheelbase?,
            max_steering_angle: info.max_steer?,
            max_speed: f64::INFINITY,
            max_lateral_acceleration: self.vehicle(vehicle)?.max_lateral_acceleration(),
        })
    }

    /// Phase 9: the drivers whose tick it is say what the vehicles shall do in the next step.
    pub(super) fn follow_trajectories(&mut self) {
        let now = self.frame.time;
        for index in 0..self.drivers.len() {
            let (Some(seat), Some(frame)) = (&mut self.drivers[index], self.frame.vehicles.get_mut(index)) else {
                continue;
            };
            match seat.taken_until {
                Some(until) if now < until => continue,
                Some(_) => {
                    seat.taken_until = None;
                    seat.waited += now - seat.taken_since;
                }
                None => {}
            }
            let driver = &mut seat.driver;
            let state = if driver.follows_odometry() {
                VehicleState { world_from_body: frame.odom_from_body, velocity_in_body: frame.odom_velocity_in_body }
            } else {
                VehicleState {
                    world_from_body: frame.world_from_body.planar(),
                    velocity_in_body: frame.velocity_in_body,
                }
            };
            // For the driver time stands still while somebody else drives.
            let Some(mut tracking) = driver.tick(now - seat.waited, &state) else { continue };
            tracking.time = now;
            frame.tracking = Some(tracking);
            let (speed, steering_angle) = (tracking.steer.speed, tracking.steer.steering_angle);
            // A driver asks for finite numbers of a vehicle that takes them; what is absurd all the same is not driven.
            let _ = self.hand_over(Command { vehicle: index, action: Action::Ackermann { speed, steering_angle } });
        }
    }
}
