//! Movable blocks: bodies that slide on the floor with dry friction.

use super::mover::Attitude;
use super::{BodyIndex, Physics};
use crate::math::{Twist2, Vec2};

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
    /// How it stands.
    pub attitude: Attitude,
    /// Velocity at the start, of the reference point in the body frame [m/s, rad/s].
    pub start_velocity_in_body: Twist2,
}

impl BlockBody {
    /// Lets the floor brake the block for one step of `dt` [s].
    ///
    /// MVSim's rule: half of the weight rests on each of the points (±r, 0), where friction stops the motion or acts with
    /// its limit. Both points are solved one after the other with their exact effective mass.
    pub(super) fn brake(&self, physics: &mut Physics, dt: f64) {
        if physics.velocity_in_body(self.body) == Twist2::ZERO {
            return;
        }
        let most = 0.5 * self.grip * dt;
        for x in [self.radius, -self.radius] {
            physics.stop_point(self.body, Vec2::new(x, 0.0), most);
        }
    }
}
