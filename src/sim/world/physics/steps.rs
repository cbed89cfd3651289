//! Impulses of steps in the ground: a step removes the velocity towards it, as in an inelastic impact without friction. The
//! engine is not involved.

use skidpad_math::{Pose2, Rot2, Twist2, Vec2};

use super::{BodyIndex, Physics};

impl Physics {
    /// Velocity in the world [m/s] of the point of a body that is at `p` [m] in the world.
    pub(in crate::world) fn velocity_at(&self, index: BodyIndex, p: Vec2) -> Vec2 {
        let body = &self.bodies[index];
        body.velocity_in_world + body.yaw_rate * (p - body.center_in_world).perpendicular()
    }

    /// Position [m] and rotation of a body's reference frame in the world after the next step, if nothing touches it.
    pub(in crate::world) fn after_step(&self, index: BodyIndex) -> (Vec2, Rot2) {
        let body = &self.bodies[index];
        let rotation = Rot2::new(body.yaw + self.dt * body.yaw_rate);
        let center = body.center_in_world + self.dt * body.velocity_in_world;
        (center - rotation * body.inertia.center_of_mass, rotation)
    }

    /// Removes the velocity `excess` [m/s] along the unit vector `into` from the point of a body at `p` [m], all in the world,
    /// by an impulse there.
    pub(in crate::world) fn take_velocity_at(&mut self, index: BodyIndex, p: Vec2, into: Vec2, excess: f64) {
        let body = &mut self.bodies[index];
        let lever = (p - body.center_in_world).cross(into);
        let impulse = excess / (1.0 / body.inertia.mass + lever * lever / body.inertia.yaw);
        body.velocity_in_world = body.velocity_in_world - (impulse / body.inertia.mass) * into;
        body.yaw_rate -= impulse * lever / body.inertia.yaw;
    }

    /// Stops a body.
    pub(in crate::world) fn halt(&mut self, index: BodyIndex) {
        self.bodies[index].move_with(Twist2::ZERO);
    }

    /// Stops a body and moves it back to where this step started [m, rad].
    pub(in crate::world) fn put_back(&mut self, index: BodyIndex, world_from_body: Pose2) {
        let body = &mut self.bodies[index];
        let center = world_from_body.transform_point(body.inertia.center_of_mass);
        let travel = (center - body.center_in_world).norm() + (world_from_body.yaw - body.yaw).abs() * body.radius;
        body.yaw = world_from_body.yaw;
        body.world_from_body = world_from_body.rotation();
        body.center_in_world = center;
        body.contacts_are_current = false;
        body.move_with(Twist2::ZERO);
        self.clearance = (self.clearance - travel).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vehicle::Inertia;

    fn body() -> (Physics, BodyIndex) {
        let mut physics = Physics::new(0.01, 0.03);
        let inertia = Inertia { mass: 10.0, center_of_mass: Vec2::new(0.4, -0.1), yaw: 3.0 };
        let index = physics.add_body(&[], inertia, Pose2::new(2.0, 1.0, 0.7), [0.0; 2]);
        physics.place(index, Pose2::new(2.0, 1.0, 0.7), Twist2::new(1.0, -0.5, 0.8));
        (physics, index)
    }

    #[test]
    fn the_given_velocity_is_removed_and_momentum_across_it_is_kept() {
        let (mut physics, index) = body();
        let (p, into) = (Vec2::new(2.9, 1.4), Vec2::new(0.6, 0.8));
        let before = physics.velocity_at(index, p);
        physics.take_velocity_at(index, p, into, before.dot(into));
        assert!(physics.velocity_at(index, p).dot(into).abs() < 1e-12);
        let center = physics.world_from_body(index).transform_point(Vec2::new(0.4, -0.1));
        let (mut twin, _) = body();
        let change = physics.velocity_at(index, center) - twin.velocity_at(index, center);
        assert!(change.cross(into).abs() < 1e-12, "no friction");
        twin.halt(index);
        assert_eq!(twin.velocity_in_body(index), Twist2::ZERO);
    }

    #[test]
    fn the_pose_after_a_step_is_predicted_and_can_be_restored() {
        let (mut physics, index) = body();
        let before = physics.world_from_body(index);
        let (position, rotation) = physics.after_step(index);
        physics.step();
        let now = physics.world_from_body(index);
        assert!((now.position() - position).norm() < 1e-7, "{now:?} {position:?}");
        assert!((now.position() - before.position()).norm() > 5e-3);
        assert!((rotation.angle() - now.yaw).abs() < 1e-7);
        physics.put_back(index, before);
        let back = physics.world_from_body(index);
        assert!((back.position() - before.position()).norm() < 1e-12 && back.yaw == before.yaw);
    }
}
