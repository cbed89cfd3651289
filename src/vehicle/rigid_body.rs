//! A rigid body in the plane: its mass properties, its shape, and the forces on it.

use crate::math::Vec2;

/// Mass properties of a movable body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia {
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass [m] in the body frame.
    pub center_of_mass: Vec2,
    /// Yaw inertia about the centre of mass [kg·m²].
    pub yaw: f64,
}

/// A convex piece of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Outline [m] in the body frame; its convex hull collides.
    pub outline: Vec<Vec2>,
    /// Coulomb friction against other bodies [-]; two meet with the geometric mean.
    pub friction: f64,
    /// Restitution [-]; of two the larger counts. Of a body with several pieces, that of the first.
    pub restitution: f64,
}

/// The force [N] and torque [N·m] on a body about its reference point, in the body frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Force [N].
    pub force_in_body: Vec2,
    /// Torque about the reference point [N·m].
    pub torque: f64,
}

impl Wrench {
    /// Adds a force [N] at the point `at` [m], both in the body frame.
    #[inline]
    pub fn add(&mut self, force_in_body: Vec2, at: Vec2) {
        self.force_in_body = self.force_in_body + force_in_body;
        self.torque += at.cross(force_in_body);
    }
}
