//! The phase of a step in which the new state becomes a frame: truth and odometry of vehicles, and poses of blocks.

use super::physics::BodyState;
use super::{StepError, VehicleFrame, World};

impl World {
    /// Writes the new state into the frame. Every number must be finite.
    pub(super) fn fill_frame(&mut self, dt: f64) -> Result<(), StepError> {
        let (step, per_dt) = (self.scene.step, 1.0 / dt);
        for (index, (record, frame)) in self.vehicles.iter_mut().zip(&mut self.frame.vehicles).enumerate() {
            let BodyState { world_from_body, rotation, velocity_in_body, is_colliding } =
                self.physics.state(record.body);
            let velocity_in_world = rotation * velocity_in_body.linear();
            record.acceleration_in_body =
                rotation.inverse() * (per_dt * (velocity_in_world - record.velocity_in_world));
            record.velocity_in_world = velocity_in_world;
            record.vehicle.update_odometry(velocity_in_body, dt);
            frame.world_from_body = record.attitude.with(world_from_body);
            frame.velocity_in_body = velocity_in_body;
            frame.acceleration_in_body = record.acceleration_in_body;
            let odometry = record.vehicle.odometry();
            frame.odom_from_body = odometry.odom_from_body;
            frame.odom_velocity_in_body = odometry.velocity_in_body;
            frame.odom_uncertainty.copy_from(odometry.uncertainty());
            frame.colliding = is_colliding || record.ledge_guard.is_stopped;
            frame.since_set_down += step;
            if !is_surely_finite(frame)
                && let Some(quantity) = not_finite(frame)
            {
                return Err(StepError {
                    kind: "vehicle",
                    vehicle: self.scene.vehicles[index].name.clone(),
                    quantity,
                    time: self.frame.time,
                });
            }
        }
        for &index in &self.moving_blocks {
            let Some(body) = &self.blocks[index].body else { continue };
            let pose = body.pose(&self.physics);
            self.frame.blocks[index] = pose;
            if !pose.is_finite() {
                let vehicle = self.scene.blocks[index].name.clone();
                return Err(StepError { kind: "block", vehicle, quantity: "pose", time: self.frame.time });
            }
        }
        Ok(())
    }
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
