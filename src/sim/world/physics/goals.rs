//! Bodies that a vehicle moves without forces, unless something is in the way: with a velocity that its controller imposes, or to the pose
//! of its model.

use skidpad_math::{Pose2, Twist2, Vec2, advance};

use super::{Body, BodyIndex, Physics};
use crate::vehicle::ForceFrame;

/// A velocity that is imposed on a body for a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Imposed {
    /// Velocity of the centre of mass in the world [m/s] and yaw rate [rad/s] with which the body moves.
    moves: (Vec2, f64),
    /// Velocity of the reference point at the end of the step, if nothing was in the way, in the body frame then [m/s, rad/s]; none: the
    /// vehicle's model sets it.
    at_end: Option<Twist2>,
}

impl Body {
    /// Sets the velocity that leads within `dt` [s] to the end of the arc on which the reference point has `velocity_in_body`
    /// [m/s, rad/s] all the time.
    fn move_along_arc(&mut self, velocity_in_body: Twist2, dt: f64) {
        let center = velocity_in_body.at_point(self.inertia.center_of_mass);
        let of_center = Twist2::new(center.x, center.y, velocity_in_body.wz);
        let displacement = advance(Pose2::IDENTITY, of_center, dt).position();
        self.velocity_in_world = self.world_from_body * ((1.0 / dt) * displacement);
        self.yaw_rate = velocity_in_body.wz;
    }

    /// Whether it moves with this velocity of the centre of mass [m/s] and yaw rate [rad/s], up to rounding.
    fn moves_with(&self, velocity_in_world: Vec2, yaw_rate: f64) -> bool {
        let off = (self.velocity_in_world - velocity_in_world).norm() + self.radius * (self.yaw_rate - yaw_rate).abs();
        off <= 1e-9 * (1.0 + velocity_in_world.norm())
    }

    /// Gives a body that nothing was in the way of the velocity that it is to have at the end of the step.
    pub(super) fn finish_imposed(&mut self) {
        if let Some(Imposed { moves: (velocity, yaw_rate), at_end: Some(velocity_in_body) }) = self.imposed.take()
            && self.moves_with(velocity, yaw_rate)
        {
            self.move_with(velocity_in_body);
        }
    }

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
    /// Moves a body for a step with this velocity of its reference point, in the frame that turns with the body [m/s, rad/s]. Scenery
    /// that the body touches removes the part that would carry it inside.
    pub fn impose_velocity(&mut self, index: BodyIndex, velocity_in_body: Twist2) {
        let body = &mut self.bodies[index];
        if body.is_prescribed {
            return;
        }
        let at_end = match self.force_frame {
            ForceFrame::AtStart => {
                body.move_with(velocity_in_body);
                None
            }
            ForceFrame::Turning => {
                body.move_along_arc(velocity_in_body, self.dt);
                Some(velocity_in_body)
            }
        };
        self.impose(index, at_end);
    }

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
        let displacement = body_from_next.transform_point(center) - center;
        body.velocity_in_world = (1.0 / dt) * (body.world_from_body * displacement);
        body.yaw_rate = body_from_next.yaw / dt;
        self.impose(index, None);
    }

    /// Imposes the velocity that a body has for a step, up to scenery that it touches, and this one at its end.
    fn impose(&mut self, index: BodyIndex, at_end: Option<Twist2>) {
        let body = &mut self.bodies[index];
        body.imposed = Some(Imposed { moves: (body.velocity_in_world, body.yaw_rate), at_end });
        self.has_marks = true;
        if body.contacts_are_current {
            self.bodies[index].pressed = self.stop_at_scenery(index);
        }
    }

    /// Whether a body is at `world_from_body` [m, rad].
    pub fn is_at(&self, index: BodyIndex, world_from_body: Pose2) -> bool {
        self.bodies[index].is_near(world_from_body, 0.0)
    }

    /// Sets the velocity of a body from that of its reference point, in the body frame [m/s, rad/s].
    pub fn set_velocity(&mut self, index: BodyIndex, velocity_in_body: Twist2) {
        let body = &mut self.bodies[index];
        body.seen_to_move = None;
        body.move_with(velocity_in_body);
    }
}
