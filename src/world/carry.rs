//! Phase 2 of a step: what moves by itself, whatever touches it — animated bodies, planes and actors.
//!
//! Time is that of the steps since the start or the last reset, so that a reset starts every motion anew.

use super::World;
use super::mover::Attitude;
use crate::math::{Twist2, Vec2};

impl World {
    /// Moves what has a prescribed motion to where it is at the end of this step of `dt` [s].
    pub(super) fn carry(&mut self, dt: f64) {
        let now = self.frame.step as f64 * dt;
        let end = (self.frame.step + 1) as f64 * dt;
        for (mover, info) in self.movers.iter_mut().zip(&self.scene.vehicles) {
            let Some(motion) = &mover.animation else { continue };
            let pose = info.world_from_start * motion.at(end);
            if motion.jumps(now, end) {
                self.physics.place(mover.body, pose.planar(), Twist2::ZERO);
            } else {
                let from = info.world_from_start * motion.at(now);
                self.physics.carry(mover.body, from.planar(), pose.planar());
            }
            mover.attitude = Attitude::of(pose);
        }
        for (index, motion) in &self.moving_blocks {
            let start = self.scene.blocks[*index].world_from_start;
            let pose = start * motion.at(end);
            match &mut self.blocks[*index] {
                None => self.frame.blocks[*index] = pose,
                Some(block) => {
                    if motion.jumps(now, end) {
                        self.physics.place(block.body, pose.planar(), Twist2::ZERO);
                    } else {
                        self.physics.carry(block.body, (start * motion.at(now)).planar(), pose.planar());
                    }
                    block.attitude = Attitude::of(pose);
                }
            }
        }
        for (index, motion) in &self.moving_planes {
            self.frame.planes[*index] = self.scene.planes[*index].world_from_start * motion.at(end);
        }
        self.walk(dt);
    }

    /// Puts what has a prescribed motion where it is before the first step.
    pub(super) fn carry_home(&mut self) {
        for (index, mover) in self.movers.iter_mut().enumerate() {
            let Some(motion) = &mover.animation else { continue };
            let pose = self.scene.vehicles[index].world_from_start * motion.at(0.0);
            self.physics.place(mover.body, pose.planar(), Twist2::ZERO);
            mover.attitude = Attitude::of(pose);
            mover.velocity_in_world = Vec2::ZERO;
            let frame = &mut self.frame.vehicles[index];
            (frame.world_from_body, frame.velocity_in_body) = (pose, Twist2::ZERO);
        }
        for (index, motion) in &self.moving_blocks {
            let pose = self.scene.blocks[*index].world_from_start * motion.at(0.0);
            self.frame.blocks[*index] = pose;
            if let Some(block) = &mut self.blocks[*index] {
                self.physics.place(block.body, pose.planar(), Twist2::ZERO);
                block.attitude = Attitude::of(pose);
            }
        }
        for (index, motion) in &self.moving_planes {
            self.frame.planes[*index] = self.scene.planes[*index].world_from_start * motion.at(0.0);
        }
    }

    /// Tells the engine how high the vehicles stand now.
    pub(super) fn set_vehicle_heights(&mut self) {
        for (mover, info) in self.movers.iter().zip(&self.scene.vehicles) {
            self.physics.set_heights(mover.body, vehicle_heights(mover.attitude.z, info.chassis_z));
        }
    }
}

/// Vertical extent [m] of a vehicle on ground of height `z` [m]: down to its wheels, up to the end of its chassis.
pub(super) fn vehicle_heights(z: f64, chassis_z: [f64; 2]) -> [f64; 2] {
    [z, z + chassis_z[1].max(0.0)]
}

/// Vertical extent [m] of a block whose reference point is at height `z` [m].
pub(super) fn block_heights(z: f64, ends: [f64; 2]) -> [f64; 2] {
    [z + ends[0].min(ends[1]), z + ends[0].max(ends[1])]
}
