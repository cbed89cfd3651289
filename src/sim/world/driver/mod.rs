//! Vehicles that follow trajectories: their drivers read each new state and command the next step.
//!
//! Any command from outside overrides the driver until no command has come for the command timeout, or for [`SILENCE`] without
//! one. Meanwhile the reference stays where it was. A driver that only gives the reference cannot be overridden.

mod markers;

use std::sync::Arc;

use skidpad_math::Vec2;
use skidpad_math::time::SimTime;

use self::markers::MarkerEstimator;
use super::{CommandError, ExternalChange, World};
use crate::tracking::{Steer, TrajectoryDriver, VehicleState};
use crate::trajectory::VehicleLimits;
use crate::vehicle::{Action, Command};

/// Time without a command from outside after which the driver continues, if there is no command timeout.
const SILENCE: SimTime = SimTime(1_000_000_000);

/// The driver of a vehicle, and how long commands from outside have overridden it.
pub(super) struct Driver {
    pub(super) follower: TrajectoryDriver,
    /// Estimates the state by motion capture; none: the follower does not use that.
    markers: Option<MarkerEstimator>,
    /// Overridden until this time [ns]; none: it drives.
    overridden_until: Option<SimTime>,
    /// When it was last overridden, and for how long in all before [ns].
    overridden_since: SimTime,
    waited: SimTime,
}

impl Driver {
    fn new(follower: TrajectoryDriver, markers: Option<MarkerEstimator>) -> Driver {
        let (overridden_since, waited) = (SimTime::ZERO, SimTime::ZERO);
        Driver { follower, markers, overridden_until: None, overridden_since, waited }
    }

    /// Starts over.
    pub(super) fn reset(&mut self) {
        (self.overridden_until, self.waited) = (None, SimTime::ZERO);
        self.follower.reset();
        self.markers.iter_mut().for_each(MarkerEstimator::reset);
    }
}

impl World {
    /// Sets or removes (none) the driver with which the vehicle with this index follows a trajectory. A new driver replaces the old
    /// one.
    ///
    /// # Errors
    /// There is no such vehicle, it takes no Ackermann commands, or it has no marker body that its driver follows.
    pub fn set_driver(&mut self, vehicle: usize, driver: Option<TrajectoryDriver>) -> Result<(), CommandError> {
        let info = self.scene.vehicles.get(vehicle).ok_or(CommandError::NoVehicle(vehicle))?;
        if driver.is_some() && !info.accepts.ackermann {
            let (vehicle, accepted) = (info.name.clone(), info.accepts.names());
            return Err(CommandError::NotAccepted { vehicle, kind: "Ackermann", accepted });
        }
        let follows_markers = driver.as_ref().is_some_and(TrajectoryDriver::follows_markers);
        let markers = MarkerEstimator::of(&info.sensors).filter(|_| follows_markers);
        if follows_markers && markers.is_none() {
            return Err(CommandError::NoMarkerBody(info.name.clone()));
        }
        // The odometry begins where the vehicle starts.
        let start = info.world_from_start.planar();
        self.note(|_| ExternalChange::Other("a trajectory to follow was set or removed"));
        let follows_odometry = driver.as_ref().is_some_and(TrajectoryDriver::follows_odometry);
        let to_world = |line: Vec<Vec2>| -> Vec<Vec2> {
            line.into_iter().map(|point| if follows_odometry { start.transform_point(point) } else { point }).collect()
        };
        let drawn = &mut Arc::make_mut(&mut self.scene).vehicles[vehicle];
        drawn.reference_path = driver.as_ref().map(TrajectoryDriver::course).map(to_world).unwrap_or_default();
        drawn.track_borders = driver.as_ref().and_then(TrajectoryDriver::borders).map(|borders| borders.map(to_world));
        let has_driver = driver.as_ref().is_some_and(|driver| !driver.is_guide());
        self.vehicles[vehicle].driver = driver.map(|follower| Driver::new(follower, markers));
        self.renew_phases();
        let frame = &mut self.frame.vehicles[vehicle];
        (frame.has_driver, frame.tracking) = (has_driver, None);
        self.follow_trajectories();
        Ok(())
    }

    /// Overrides the driver of this vehicle, if it has one, after a command from outside.
    pub(super) fn override_driver(&mut self, vehicle: usize) {
        let record = &mut self.vehicles[vehicle];
        let Some(driver) = record.driver.as_mut().filter(|driver| !driver.follower.is_guide()) else { return };
        let now = self.frame.time;
        if driver.overridden_until.is_none() {
            driver.overridden_since = now;
            driver.follower.drop_commands();
        }
        let timeout = record.settings.command_timeout.unwrap_or(self.settings.command_timeout);
        driver.overridden_until = Some(now + timeout.unwrap_or(SILENCE));
        self.frame.vehicles[vehicle].tracking = None;
    }

    /// Restarts all drivers.
    pub(super) fn reset_drivers(&mut self) {
        self.vehicles.iter_mut().filter_map(|record| record.driver.as_mut()).for_each(Driver::reset);
        self.follow_trajectories();
    }

    /// Limits of the vehicle with this index on a trajectory on level ground, with the grip of its own tyres; none for a vehicle that
    /// does not steer. Worlds set no top speed.
    pub fn limits(&self, vehicle: usize) -> Option<VehicleLimits> {
        let info = self.scene.vehicles.get(vehicle)?;
        Some(VehicleLimits {
            wheelbase: info.wheelbase?,
            max_steering_angle: info.max_steer?,
            max_speed: f64::INFINITY,
            max_lateral_acceleration: self.vehicle(vehicle)?.max_lateral_acceleration(),
        })
    }

    /// Runs the drivers that are due; each queues a command for the next step.
    pub(super) fn follow_trajectories(&mut self) {
        let now = self.frame.time;
        for index in 0..self.vehicles.len() {
            let Some(driver) = &mut self.vehicles[index].driver else { continue };
            let frame = &mut self.frame.vehicles[index];
            if let Some(markers) = &mut driver.markers {
                markers.read(&self.frame.readings, index, now, frame.since_set_down);
            }
            match driver.overridden_until {
                Some(until) if now < until => continue,
                Some(_) => {
                    driver.overridden_until = None;
                    driver.waited += now - driver.overridden_since;
                }
                None => {}
            }
            let state = if driver.follower.follows_odometry() {
                VehicleState { world_from_body: frame.odom_from_body, velocity_in_body: frame.odom_velocity_in_body }
            } else {
                let truth = VehicleState {
                    world_from_body: frame.world_from_body.planar(),
                    velocity_in_body: frame.velocity_in_body,
                };
                driver.markers.as_mut().map_or(truth, |markers| markers.state_from(truth))
            };
            // For the driver time stands still while it is overridden.
            let time = now - driver.waited;
            if let Some(mut tracking) = driver.follower.tick(time, &state) {
                tracking.time = now;
                frame.tracking = Some(tracking);
            }
            let Some(Steer { speed, steering_angle, .. }) = driver.follower.arrived(time) else { continue };
            // A driver commands finite numbers that its vehicle accepts; an absurd command is refused and not driven.
            let _ = self.queue_command(Command { vehicle: index, action: Action::Ackermann { speed, steering_angle } });
        }
    }
}
