//! Movable blocks: bodies that slide on the floor with dry friction.

use std::sync::Arc;

use super::carry::block_heights;
use super::mover::Attitude;
use super::{BodyIndex, Physics, SceneryIndex, World};
use crate::math::{Pose3, Twist2};
use crate::vehicle::Wrench;

/// The body of a movable block.
pub(super) struct BlockBody {
    /// Its rigid body.
    pub body: BodyIndex,
    /// Index of the shape that lidars see.
    pub shape: usize,
    /// Largest friction force of the floor [N]: μ·m·g.
    pub grip: f64,
    /// Largest distance of its outline from the reference point [m].
    pub radius: f64,
    /// Lower and upper end above its reference point [m].
    pub ends: [f64; 2],
    /// How it stands.
    pub attitude: Attitude,
    /// Whether it stands on what is below it.
    pub follows: bool,
    /// Velocity at the start, of the reference point in the body frame [m/s, rad/s].
    pub start_velocity_in_body: Twist2,
}

/// Where else a block is than among the bodies.
pub(super) struct BlockPlace {
    /// Its place in the order in which blocks came.
    pub order: u64,
    /// Whether it came while the world ran.
    pub is_spawned: bool,
    /// Its number as ground.
    pub ground: usize,
    /// Its number as scenery, and the shape that lidars see, if it never moves by itself.
    pub scenery: Option<(SceneryIndex, StillShape)>,
    /// Whether it keeps the height that it is given instead of standing on the ground.
    pub keeps_height: bool,
    /// Where it stood at first, if it never moves by itself and was put elsewhere; the scene says where it stands.
    pub stood_at: Option<Pose3>,
}

/// The shape of something that never moves.
#[derive(Clone, Copy)]
pub(super) enum StillShape {
    /// Of those that the world had at first.
    First(usize),
    /// Of those that may come and go.
    Later(usize),
}

impl BlockBody {
    /// Lets air and floor brake the block for one step of `dt` [s].
    pub(super) fn brake(&self, physics: &mut Physics, dt: f64) {
        physics.apply(self.body, Wrench::default());
        physics.brake(self.body, self.radius, 0.5 * self.grip * dt);
    }
}

impl World {
    /// Puts a block that never moves by itself elsewhere, between two steps: as scenery, ground, and for lidars.
    pub(super) fn put_still_block(&mut self, index: usize, world_from_block: Pose3) {
        let info = &self.scene.blocks[index];
        let start = info.world_from_start;
        if start == world_from_block {
            return;
        }
        let heights = block_heights(world_from_block.z, info.z);
        if let Some((number, shape)) = self.places[index].scenery {
            let pose = world_from_block.planar();
            self.physics.move_scenery(number, pose, heights);
            match shape {
                StillShape::First(shape) => self.obstacles.set_static_pose(shape, pose, heights),
                StillShape::Later(shape) => self.obstacles.set_mover_pose(shape, pose, heights),
            }
        }
        self.places[index].stood_at.get_or_insert(start);
        self.terrain.set_block_pose(self.places[index].ground, world_from_block);
        self.frame.blocks[index] = world_from_block;
        let scene = Arc::make_mut(&mut self.scene);
        scene.blocks[index].world_from_start = world_from_block;
        scene.revision += 1;
    }

    /// Puts a block that was put elsewhere back to where it stood at first.
    pub(super) fn put_back_still_block(&mut self, index: usize) {
        if let Some(first) = self.places[index].stood_at.take() {
            self.put_still_block(index, first);
            self.places[index].stood_at = None;
        }
    }

    /// Pairs of shapes that are near enough to touch, as the engine last saw them, for those who watch what worlds cost.
    pub fn contact_pair_count(&self) -> usize {
        self.physics.contact_pair_count()
    }

    /// Velocity of the reference point of the block with this index, in its frame [m/s, rad/s].
    pub fn block_velocity_in_body(&self, index: usize) -> Twist2 {
        let body = self.blocks.get(index).and_then(Option::as_ref);
        body.map_or(Twist2::ZERO, |block| self.physics.velocity_in_body(block.body))
    }
}
