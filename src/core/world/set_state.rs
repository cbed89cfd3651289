//! Sets the pose and velocity of a vehicle or a block from outside.

use super::attitude::Attitude;
use super::catalogue::wrong_pose;
use super::teleport::AfterTeleport;
use super::{BodyIndex, EntityId, StateError, World};
use crate::math::{Pose2, Pose3, Twist2};
use crate::vehicle::Action;

impl World {
    /// Sets the pose, the velocity, or both, of a vehicle or a block; omitted values stay. `velocity_in_body` is that of its reference
    /// point [m/s, rad/s]; the wheels roll along. Height, pitch and roll follow from the ground: the highest that is not above half of
    /// the body, counted from z.
    ///
    /// # Errors
    /// Nothing has this id, its motion is prescribed, it is static but is given a velocity, or a number is not finite or absurd.
    pub fn set_state(
        &mut self,
        id: EntityId,
        pose: Option<Pose3>,
        velocity_in_body: Option<Twist2>,
    ) -> Result<(), StateError> {
        let (vehicle, block) = (self.scene.vehicle_of(id), self.scene.block_of(id));
        let name = match (vehicle, block) {
            (Some(index), _) => &self.scene.vehicles[index].name,
            (None, Some(index)) => &self.scene.blocks[index].name,
            (None, None) => return Err(StateError::Unknown(id.0)),
        };
        let invalid = |(what, accepted)| Err(StateError::Invalid { name: name.clone(), what, accepted });
        if let Some(wrong) = pose.as_ref().and_then(wrong_pose) {
            return invalid(wrong);
        }
        if let Some(v) = velocity_in_body {
            if !v.is_finite() {
                return invalid(("a number in its velocity is not finite", "finite numbers"));
            }
            if v.vx.abs().max(v.vy.abs()).max(v.wz.abs()) > Action::LARGEST {
                return invalid(("it would move too fast", "up to 1e6 m/s or rad/s"));
            }
        }
        if let Some(index) = vehicle {
            if self.vehicles[index].animation.is_some() {
                return Err(StateError::Fixed(name.clone()));
            }
            self.set_vehicle_state(index, pose, velocity_in_body);
        } else if let Some(index) = block {
            let info = &self.scene.blocks[index];
            if info.is_static {
                if velocity_in_body.is_some_and(|velocity| velocity != Twist2::ZERO) {
                    return invalid(("it never moves by itself", "no velocity"));
                }
                if let Some(pose) = pose {
                    self.put_still_block(index, self.on_ground(index, pose));
                }
                return Ok(());
            }
            if self.blocks[index].body.is_none() || !info.is_pushed() {
                return Err(StateError::Fixed(name.clone()));
            }
            self.set_block_state(index, pose, velocity_in_body);
        }
        Ok(())
    }

    /// Places a body, together with the bodies joined to it, at a pose if one is given, and sets its velocity, if one is given. Returns
    /// its pose [m, rad] and its velocity in its own frame [m/s, rad/s].
    fn set_body_state(&mut self, body: BodyIndex, pose: Option<Pose3>, velocity: Option<Twist2>) -> (Pose2, Twist2) {
        let velocity = velocity.unwrap_or_else(|| self.physics.velocity_in_body(body));
        let planar = pose.map_or_else(|| self.physics.world_from_body(body), |pose| pose.planar());
        if pose.is_some() {
            self.teleport(body, planar, AfterTeleport::Continue);
        }
        self.physics.place(body, planar, velocity);
        (planar, velocity)
    }

    fn set_vehicle_state(&mut self, index: usize, pose: Option<Pose3>, velocity_in_body: Option<Twist2>) {
        let (planar, velocity) = self.set_body_state(self.vehicles[index].body, pose, velocity_in_body);
        let record = &mut self.vehicles[index];
        record.vehicle.halt();
        record.vehicle.roll(velocity);
        record.vehicle.correct_velocity(velocity);
        record.vehicle.continue_from(velocity.vx);
        record.velocity_in_world = planar.rotation() * velocity.linear();
        if let Some(pose) = pose {
            record.attitude = Attitude::of(pose);
            record.set_down(&self.terrain, planar);
            self.set_vehicle_on_ground(index);
        }
        let record = &self.vehicles[index];
        let frame = &mut self.frame.vehicles[index];
        (frame.world_from_body, frame.velocity_in_body) = (record.attitude.with(planar), velocity);
        for (frame, wheel) in frame.wheels.iter_mut().zip(record.vehicle.wheels()) {
            frame.spin = wheel.spin;
        }
    }

    /// The pose [m, rad] of a block that never moves by itself and is placed at `pose`: it keeps its tilt, and stays on the ground if it
    /// was on the ground.
    fn on_ground(&self, index: usize, pose: Pose3) -> Pose3 {
        let (info, record) = (&self.scene.blocks[index], &self.blocks[index]);
        let start = info.world_from_start;
        let (pitch, roll) = (start.pitch, start.roll);
        if record.keeps_height {
            return Pose3 { pitch, roll, ..pose };
        }
        let z = self.terrain.ground_under(pose.planar().position(), pose.z + 0.5 * info.z[1], Some(record.ground));
        Pose3 { z, pitch, roll, ..pose }
    }

    fn set_block_state(&mut self, index: usize, pose: Option<Pose3>, velocity_in_body: Option<Twist2>) {
        let Some(block) = &self.blocks[index].body else { return };
        let (planar, _) = self.set_body_state(block.body, pose, velocity_in_body);
        let record = &mut self.blocks[index];
        let Some(block) = &mut record.body else { return };
        if let Some(pose) = pose {
            block.attitude = Attitude::of(pose);
            if block.follows {
                let reach = 0.5 * self.scene.blocks[index].z[1];
                let position = planar.position();
                block.attitude.z = self.terrain.ground_under(position, pose.z + reach, Some(record.ground));
            }
            self.terrain.set_block_pose(record.ground, block.attitude.with(planar));
        }
        self.frame.blocks[index] = block.attitude.with(planar);
    }
}
