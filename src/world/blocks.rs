//! Movable blocks: bodies that slide on the floor with dry friction.

use super::mover::Attitude;
use super::{BodyIndex, Physics, SceneryIndex, World, Wrench};
use crate::math::Twist2;

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
    /// Its number as scenery, and the shape that lidars see, if it never moves.
    pub scenery: Option<(SceneryIndex, StillShape)>,
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
    /// Velocity of the reference point of the block with this index, in its frame [m/s, rad/s].
    pub fn block_velocity_in_body(&self, index: usize) -> Twist2 {
        let body = self.blocks.get(index).and_then(Option::as_ref);
        body.map_or(Twist2::ZERO, |block| self.physics.velocity_in_body(block.body))
    }
}
