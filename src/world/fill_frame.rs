//! The phase of a step in which the new state becomes a frame: truth and odometry of vehicles, and poses of blocks.

use super::{StepError, VehicleFrame, World};

impl World {
    /// Writes the new state into the frame. Every number must be finite.
    pub(super) fn fill_frame(&mut self, dt: f64) -> Result<(), StepError> {
        for (index, (record, frame)) in self.vehicles.iter_mut().zip(&mut self.frame.vehicles).enumerate() {
            let velocity_in_body = self.physics.velocity_in_body(record.body);
            let rotation = self.physics.rotation(record.body);
            let velocity_in_world = rotation * velocity_in_body.linear();
            record.acceleration_in_body =
                rotation.inverse() * ((1.0 / dt) * (velocity_in_world - record.velocity_in_world));
            record.velocity_in_world = velocity_in_world;
            record.vehicle.update_odometry(velocity_in_body, dt);
            frame.world_from_body = record.attitude.with(self.physics.world_from_body(record.body));
            frame.velocity_in_body = velocity_in_body;
            frame.acceleration_in_body = record.acceleration_in_body;
            let odometry = record.vehicle.odometry();
            frame.odom_from_body = odometry.odom_from_body;
            frame.odom_velocity_in_body = odometry.velocity_in_body;
            frame.odom_uncertainty = *odometry.uncertainty();
            frame.commands = *record.vehicle.command_counts();
            frame.colliding = self.physics.is_colliding(record.body) || record.ledge_guard.is_stopped;
            if let Some(quantity) = not_finite(frame) {
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

/// Name of the first quantity that is NaN or infinite.
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
