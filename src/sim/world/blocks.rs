//! The blocks of a world, one record each: scenery, and bodies that slide on the floor with dry friction.

use std::sync::Arc;

use skidpad_math::{Pose3, Twist2, Vec2};

use super::animation::Keyframes;
use super::load::StartHeight;
use super::load::block::Loaded;
use super::step::attitude::Attitude;
use super::step::block_slope::BlockSlope;
use super::{BodyIndex, Physics, SceneryIndex, World};
use crate::vehicle::Wrench;

/// State of a block besides its [`BlockInfo`](super::BlockInfo) in the scene and its pose in the frame.
pub(super) struct BlockRecord {
    /// Its arrival number, which rises along the list.
    pub order: u64,
    /// Whether it was spawned while the world ran.
    pub is_spawned: bool,
    /// Its number as ground.
    pub ground: usize,
    /// Scenery number and lidar shape of a block that never moves by itself.
    pub scenery: Option<(SceneryIndex, StillShape)>,
    /// Its body; none for scenery and for intangible blocks.
    pub body: Option<BlockBody>,
    /// Its prescribed motion, if any, which nothing disturbs.
    pub animation: Option<Keyframes>,
    /// Whether it keeps its given height instead of standing on the ground.
    pub keeps_height: bool,
    /// Original pose of a block that never moves by itself but was placed elsewhere; the scene has its present pose.
    pub stood_at: Option<Pose3>,
}

impl BlockRecord {
    /// Whether its pose changes by itself, by an animation, or by a push.
    pub(super) fn can_move(&self) -> bool {
        self.body.is_some() || self.animation.is_some()
    }

    /// Its body, if others can push it.
    pub(super) fn pushed_body(&mut self) -> Option<&mut BlockBody> {
        self.body.as_mut().filter(|_| self.animation.is_none())
    }
}

/// The body of a block that is not scenery.
pub(super) struct BlockBody {
    /// Rigid body of the block.
    pub body: BodyIndex,
    /// The body's arrival number in the physics, which stays when its index shifts.
    pub arrival: u64,
    /// Index of the shape that lidars see.
    pub shape: usize,
    /// Its weight [N]: m·g.
    pub weight: f64,
    /// Largest friction force of a level floor [N]: μ·m·g.
    pub grip: f64,
    /// The point amid the two at which the floor acts on it [m], in its frame.
    pub middle: Vec2,
    /// Largest distance of its outline from there [m].
    pub radius: f64,
    /// Lower and upper end above its reference point [m].
    pub ends: [f64; 2],
    /// Height, pitch and roll of the block.
    pub attitude: Attitude,
    /// Whether it follows the height of the ground below it.
    pub follows: bool,
    /// Slope of the ground below it; none where it is level.
    pub slope: Option<BlockSlope>,
    /// Velocity at the start, of the reference point in the body frame [m/s, rad/s].
    pub start_velocity_in_body: Twist2,
}

/// The shape of a block that never moves.
#[derive(Clone, Copy)]
pub(super) enum StillShape {
    /// Index among the shapes of the loaded world.
    First(usize),
    /// Index among the shapes that may come and go.
    Later(usize),
}

impl BlockBody {
    /// Lets air and floor brake the block for one step of `dt` [s], and gravity pull it down the slope of the floor.
    fn brake(&self, physics: &mut Physics, dt: f64) {
        physics.apply(self.body, Wrench::default());
        match self.slope {
            None => physics.brake(self.body, 0.5 * self.grip * dt, Vec2::ZERO),
            Some(BlockSlope { downhill, upright }) => {
                physics.brake(self.body, 0.5 * self.grip * upright * dt, self.weight * dt * downhill);
            }
        }
    }

    /// Its pose in the world [m, rad].
    pub(super) fn pose(&self, physics: &Physics) -> Pose3 {
        self.attitude.with(physics.world_from_body(self.body))
    }
}

impl World {
    /// Adds a block as the last one: its body or scenery, its shape for lidars, and its entries in scene and frame. `ground` is its
    /// number as ground, `order` its place in the order of arrival. Indices of bodies and blocks before it stay.
    pub(super) fn place_block(&mut self, loaded: Loaded, ground: usize, order: u64, is_spawned: bool) {
        let scalars = &self.registry.catalogue.scalars;
        let (body, scenery) = loaded.place(&mut self.physics, &mut self.obstacles, scalars, !is_spawned);
        let Loaded { info, height, animation, .. } = loaded;
        let keeps_height = height == StartHeight::Kept;
        let record = BlockRecord { order, is_spawned, ground, scenery, body, animation, keeps_height, stood_at: None };
        if record.can_move() {
            self.moving_blocks.push(self.blocks.len());
        }
        self.blocks.push(record);
        self.frame.blocks.push(info.world_from_start);
        self.frame.block_velocities.push(Twist2::ZERO);
        Arc::make_mut(&mut self.scene).blocks.push(info);
    }

    /// Applies air, floor friction and gravity along the floor to the blocks, and passes their heights to the physics.
    pub(super) fn brake_blocks(&mut self, dt: f64) {
        for &index in &self.moving_blocks {
            if let Some(body) = &self.blocks[index].body {
                body.brake(&mut self.physics, dt);
                self.physics.set_heights(body.body, block_heights(body.attitude.z, body.ends));
            }
        }
    }

    /// Moves a static block between two steps: in the scenery, as ground, and in the shapes for lidars.
    pub(super) fn put_still_block(&mut self, index: usize, world_from_block: Pose3) {
        let info = &self.scene.blocks[index];
        let start = info.world_from_start;
        if start == world_from_block {
            return;
        }
        let heights = block_heights(world_from_block.z, info.z);
        if let Some((number, shape)) = self.blocks[index].scenery {
            let pose = world_from_block.planar();
            self.physics.move_scenery(number, pose, heights);
            match shape {
                StillShape::First(shape) => self.obstacles.set_static_pose(shape, pose, heights),
                StillShape::Later(shape) => self.obstacles.set_mover_pose(shape, pose, heights),
            }
        }
        self.blocks[index].stood_at.get_or_insert(start);
        self.terrain.set_block_pose(self.blocks[index].ground, world_from_block);
        self.frame.blocks[index] = world_from_block;
        let scene = Arc::make_mut(&mut self.scene);
        scene.blocks[index].world_from_start = world_from_block;
        scene.revision += 1;
        self.renew_surroundings();
    }

    /// Moves a static block back to its original pose.
    pub(super) fn put_back_still_block(&mut self, index: usize) {
        if let Some(first) = self.blocks[index].stood_at.take() {
            self.put_still_block(index, first);
            self.blocks[index].stood_at = None;
        }
    }

    /// Pairs of shapes that were close enough to touch at the engine's last step, a measure of the cost of a world.
    pub fn contact_pair_count(&self) -> usize {
        self.physics.contact_pair_count()
    }

    /// Velocity of the reference point of the block with this index, in its frame [m/s, rad/s].
    pub fn block_velocity_in_body(&self, index: usize) -> Twist2 {
        self.frame.block_velocities.get(index).copied().unwrap_or_default()
    }
}

/// Vertical extent [m] of a block whose reference point is at height `z` [m].
pub(super) fn block_heights(z: f64, ends: [f64; 2]) -> [f64; 2] {
    [z + ends[0].min(ends[1]), z + ends[0].max(ends[1])]
}
