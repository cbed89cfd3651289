//! The phase of a step in which the new state becomes a frame: truth and odometry of vehicles, and poses of blocks.

use rayon::prelude::*;
use skidpad_math::time::SimTime;
use skidpad_math::{Twist2, Vec2};

use crate::world::physics::BodyState;
use crate::world::vehicles::{MIN_FLEET, VehicleRecord, share};
use crate::world::{Physics, StepError, VehicleFrame, World};

impl World {
    /// Writes the new state into the frame. Every number must be finite.
    #[inline(always)]
    pub(in crate::world) fn fill_frame(&mut self, dt: f64) -> Result<(), StepError> {
        let (physics, step) = (&self.physics, self.scene.step);
        let fault = if self.vehicles.len() < MIN_FLEET {
            let mut fault = None;
            // A loop, which the compiler inlines: the closure of an iterator it would not, at 1 % of a step.
            for (index, (record, frame)) in self.vehicles.iter_mut().zip(&mut self.frame.vehicles).enumerate() {
                if let Some(quantity) = record.fill(physics, step, frame, dt) {
                    fault = Some((index, quantity));
                    break;
                }
            }
            fault
        } else {
            let share = share(self.vehicles.len());
            let vehicles = self.vehicles.par_iter_mut().zip(&mut self.frame.vehicles).with_min_len(share);
            vehicles
                .enumerate()
                .find_map_first(|(index, (record, frame))| Some((index, record.fill(physics, step, frame, dt)?)))
        };
        if let Some((index, quantity)) = fault {
            let vehicle = self.scene.vehicles[index].name.clone();
            return Err(StepError { kind: "vehicle", vehicle, quantity, time: self.frame.time });
        }
        for &index in &self.moving_blocks {
            let Some(body) = &self.blocks[index].body else { continue };
            let BodyState { world_from_body, velocity_in_body, .. } = self.physics.state(body.body);
            let pose = body.attitude.with(world_from_body);
            (self.frame.blocks[index], self.frame.block_velocities[index]) = (pose, velocity_in_body);
            if !pose.is_finite() {
                let vehicle = self.scene.blocks[index].name.clone();
                return Err(StepError { kind: "block", vehicle, quantity: "pose", time: self.frame.time });
            }
        }
        Ok(())
    }
}

impl VehicleRecord {
    /// Writes the state after a step of `dt` [s] into the frame. Returns the name of a quantity that is not finite, if any.
    // Always inlined: with two callers the compiler would not, at 2 % of a step.
    #[inline(always)]
    fn fill(&mut self, physics: &Physics, step: SimTime, frame: &mut VehicleFrame, dt: f64) -> Option<&'static str> {
        let BodyState { world_from_body, velocity_in_body, is_colliding } = physics.state(self.body);
        let before = std::mem::replace(&mut self.velocity_in_body, velocity_in_body);
        self.acceleration_in_body = mean_acceleration(before, velocity_in_body, dt);
        self.vehicle.update_odometry(velocity_in_body, dt);
        frame.world_from_body = self.attitude.with(world_from_body);
        frame.velocity_in_body = velocity_in_body;
        frame.acceleration_in_body = self.acceleration_in_body;
        let odometry = self.vehicle.odometry();
        frame.odom_from_body = odometry.odom_from_body;
        frame.odom_velocity_in_body = odometry.velocity_in_body;
        frame.odom_uncertainty.copy_from(odometry.uncertainty());
        frame.colliding = is_colliding || self.ledge_guard.is_stopped;
        frame.since_set_down += step;
        if is_surely_finite(frame) { None } else { not_finite(frame) }
    }
}

/// Mean acceleration of the reference point [m/s²] between two velocities of it in the body frame [m/s, rad/s] that are `dt` [s] apart:
/// dv/dt + ω × v, in the frame that turns with the body, where the forces of the step acted.
#[inline]
fn mean_acceleration(before: Twist2, after: Twist2, dt: f64) -> Vec2 {
    let turning = 0.25 * (before.wz + after.wz) * (before.linear() + after.linear()).perpendicular();
    (1.0 / dt) * (after.linear() - before.linear()) + turning
}

/// Whether the sum of all quantities is finite: then each of them is. The sum of large finite numbers may overflow.
#[inline]
fn is_surely_finite(frame: &VehicleFrame) -> bool {
    let VehicleFrame { world_from_body: pose, velocity_in_body: velocity, odom_from_body: odom, .. } = frame;
    let poses = (pose.x + pose.y + pose.z) + (pose.yaw + pose.pitch + pose.roll) + (odom.x + odom.y + odom.yaw);
    let spins: f64 = frame.wheels.iter().map(|wheel| wheel.spin).sum();
    (poses + (velocity.vx + velocity.vy + velocity.wz) + spins).is_finite()
}

/// Name of the first quantity that is NaN or infinite.
#[cold]
fn not_finite(frame: &VehicleFrame) -> Option<&'static str> {
    if !frame.world_from_body.is_finite() {
        return Some("pose");
    }
    if !frame.velocity_in_body.is_finite() {
        return Some("velocity");
    }
    if !frame.odom_from_body.is_finite() {
        return Some("odometry");
    }
    let spins: f64 = frame.wheels.iter().map(|wheel| wheel.spin).sum();
    if !spins.is_finite() {
        return Some("wheel spin");
    }
    None
}
