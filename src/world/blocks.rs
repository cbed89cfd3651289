//! Movable blocks: bodies that slide on the floor with dry friction.

use super::mover::Attitude;
use super::{BodyIndex, Physics, Wrench};
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
    /// Velocity at the start, of the reference point in the body frame [m/s, rad/s].
    pub start_velocity_in_body: Twist2,
}

impl BlockBody {
    /// Lets air and floor brake the block for one step of `dt` [s].
    pub(super) fn brake(&self, physics: &mut Physics, dt: f64) {
        physics.apply(self.body, Wrench::default());
        physics.brake(self.body, self.radius, 0.5 * self.grip * dt);
    }
}
