//! Vehicles that follow trajectories: their drivers look at each new state, and command the next step.

use super::{CommandError, World};
use crate::tracking::{TrajectoryDriver, VehicleState};
use crate::trajectory::VehicleLimits;
use crate::vehicle::{Action, Command};

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
        self.drivers.resize_with(self.scene.vehicles.len(), || None);
        self.drivers[vehicle] = driver;
        self.frame.vehicles[vehicle].tracking = None;
        self.follow_trajectories();
        Ok(())
    }

    /// The driver of the vehicle with this index, to change its gains.
    pub fn driver_mut(&mut self, vehicle: usize) -> Option<&mut TrajectoryDriver> {
        self.drivers.get_mut(vehicle)?.as_mut()
    }

    /// What the vehicle with this index can do on a trajectory, with tyres that give this lateral acceleration [m/s²], μ·g; none for
    /// one that does not steer. Worlds set no top speed.
    pub fn limits(&self, vehicle: usize, max_lateral_acceleration: f64) -> Option<VehicleLimits> {
        let info = self.scene.vehicles.get(vehicle)?;
        Some(VehicleLimits {
            wheelbase: info.wheelbase?,
            max_steering_angle: info.max_steer?,
            max_speed: f64::INFINITY,
            max_lateral_acceleration,
        })
    }

    /// Phase 9: the drivers whose tick it is say what the vehicles shall do in the next step.
    pub(super) fn follow_trajectories(&mut self) {
        let now = self.frame.time;
        for index in 0..self.drivers.len() {
            let (Some(driver), Some(frame)) = (&mut self.drivers[index], self.frame.vehicles.get_mut(index)) else {
                continue;
            };
            let state = if driver.follows_odometry() {
                VehicleState { world_from_body: frame.odom_from_body, velocity_in_body: frame.odom_velocity_in_body }
            } else {
                VehicleState {
                    world_from_body: frame.world_from_body.planar(),
                    velocity_in_body: frame.velocity_in_body,
                }
            };
            let Some(tracking) = driver.tick(now, &state) else { continue };
            frame.tracking = Some(tracking);
            let (speed, steering_angle) = (tracking.steer.speed, tracking.steer.steering_angle);
            // A driver asks for finite numbers of a vehicle that takes them; what is absurd all the same is not driven.
            let _ = self.command(Command { vehicle: index, action: Action::Ackermann { speed, steering_angle } });
        }
    }
}
