//! Bodies moved by a vehicle's model: they move to the pose of the model, unless something is in the way.

use skidpad_math::{Pose2, Twist2};

use super::{Body, BodyIndex, Physics};

impl Body {
    /// Whether the body is at `world_from_body` [m, rad] up to rounding and the engine's error of a turn [rad]: the engine follows the
    /// tangent in four parts, which is turn³/48 too little.
    pub(super) fn is_near(&self, world_from_body: Pose2, turn: f64) -> bool {
        let rounding = |size: f64| 1e-9 + 1e-14 * size;
        let position = self.position();
        let turn = turn.abs();
        let angle = rounding(self.yaw.abs()) + turn * turn * turn / 24.0;
        let off_yaw = (self.yaw - world_from_body.yaw).abs();
        // The reference point rotates about the centre of mass.
        let reach = off_yaw * self.inertia.center_of_mass.norm();
        (position - world_from_body.position()).norm() < rounding(position.norm()) + reach && off_yaw < angle
    }
}

impl Physics {
    /// Moves a body within the next step by `body_from_next` [m, rad], its next pose relative to its present one. Scenery that it
    /// touches removes the part of the motion that would carry it inside.
    pub fn move_by(&mut self, index: BodyIndex, body_from_next: Pose2) {
        let dt = self.dt;
        let body = &mut self.bodies[index];
        if body.is_prescribed {
            return;
        }
        let stands_at = Pose2 { x: body.position().x, y: body.position().y, yaw: body.yaw };
        body.goal = Some(stands_at * body_from_next);
        let center = body.inertia.center_of_mass;
        let moved = body_from_next.transform_point(center) - center;
        body.is_imposed = true;
        body.velocity_in_world = (1.0 / dt) * (body.world_from_body * moved);
        body.yaw_rate = body_from_next.yaw / dt;
        self.has_marks = true;
        if self.bodies[index].contacts_are_current {
            self.bodies[index].pressed = self.stop_at_scenery(index);
        }
    }

    /// Whether a body is at `world_from_body` [m, rad].
    pub fn is_at(&self, index: BodyIndex, world_from_body: Pose2) -> bool {
        self.bodies[index].is_near(world_from_body, 0.0)
    }

    /// Sets the velocity of a body from that of its reference point, in the body frame [m/s, rad/s].
    pub fn set_velocity(&mut self, index: BodyIndex, velocity_in_body: Twist2) {
        self.bodies[index].move_with(velocity_in_body);
    }
}
