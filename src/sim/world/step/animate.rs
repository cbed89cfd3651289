//! The phase of a step that moves animated vehicles, blocks, planes and actors along their prescribed motions, regardless of contacts.
//!
//! Time is that of the steps since the start or the last reset, so that a reset starts every motion anew.

use skidpad_math::{Twist2, wrap_angle};

use crate::world::World;
use crate::world::step::attitude::Attitude;

impl World {
    /// Moves everything with a prescribed motion to its pose at the end of this step of `dt` [s].
    // Not inlined, so that the step stays short where nothing is animated.
    #[inline(never)]
    pub(in crate::world) fn animate(&mut self, dt: f64) {
        let now = self.frame.step as f64 * dt;
        let end = (self.frame.step + 1) as f64 * dt;
        for (record, info) in self.vehicles.iter_mut().zip(&self.scene.vehicles) {
            let Some(motion) = &record.animation else { continue };
            let pose = info.world_from_start * motion.at(end);
            if motion.jumps(now, end) {
                self.physics.place(record.body, pose.planar(), Twist2::ZERO);
            } else {
                let from = info.world_from_start * motion.at(now);
                self.physics.move_to(record.body, from.planar(), pose.planar());
            }
            record.attitude = Attitude::of(pose);
        }
        for &index in &self.moving_blocks {
            let record = &mut self.blocks[index];
            let Some(motion) = &record.animation else { continue };
            let start = self.scene.blocks[index].world_from_start;
            let pose = start * motion.at(end);
            let Some(block) = &mut record.body else {
                let from = if motion.jumps(now, end) { pose } else { self.frame.blocks[index] };
                let moved = pose.planar().rotation().inverse() * (pose.planar().position() - from.planar().position());
                let velocity = Twist2::new(moved.x / dt, moved.y / dt, wrap_angle(pose.yaw - from.yaw) / dt);
                (self.frame.blocks[index], self.frame.block_velocities[index]) = (pose, velocity);
                continue;
            };
            if motion.jumps(now, end) {
                self.physics.place(block.body, pose.planar(), Twist2::ZERO);
            } else {
                self.physics.move_to(block.body, (start * motion.at(now)).planar(), pose.planar());
            }
            block.attitude = Attitude::of(pose);
        }
        for (index, motion) in &self.moving_planes {
            self.frame.planes[*index] = self.scene.planes[*index].world_from_start * motion.at(end);
        }
        self.advance_actors(dt);
    }

    /// Places everything with a prescribed motion at its pose before the first step.
    pub(in crate::world) fn animate_start(&mut self) {
        for (index, record) in self.vehicles.iter_mut().enumerate() {
            let Some(motion) = &record.animation else { continue };
            let pose = self.scene.vehicles[index].world_from_start * motion.at(0.0);
            self.physics.place(record.body, pose.planar(), Twist2::ZERO);
            record.attitude = Attitude::of(pose);
            record.velocity_in_body = Twist2::ZERO;
            let frame = &mut self.frame.vehicles[index];
            (frame.world_from_body, frame.velocity_in_body) = (pose, Twist2::ZERO);
        }
        for &index in &self.moving_blocks {
            let record = &mut self.blocks[index];
            let Some(motion) = &record.animation else { continue };
            let pose = self.scene.blocks[index].world_from_start * motion.at(0.0);
            self.frame.blocks[index] = pose;
            if let Some(block) = &mut record.body {
                self.physics.place(block.body, pose.planar(), Twist2::ZERO);
                block.attitude = Attitude::of(pose);
            }
        }
        for (index, motion) in &self.moving_planes {
            self.frame.planes[*index] = self.scene.planes[*index].world_from_start * motion.at(0.0);
        }
    }
}
