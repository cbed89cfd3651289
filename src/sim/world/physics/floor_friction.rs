//! Dry friction of the floor under a body: applied before the step if the body slides, after it if the body rests.
//!
//! Friction applied only before the contacts would let a block creep under a steady push that its grip could hold: each step
//! would end with the velocity that the push has just given. So the impulse that the floor did not need for a block at rest is
//! kept until contacts and joints have acted. If it cancels all of their impulse, the block stays where it was.
//!
//! On an inclined floor gravity is one more impulse that friction has to cancel, and to which those of contacts and joints add as
//! vectors: a block on a slope takes a stronger push uphill than downhill before it moves.

use skidpad_math::{Twist2, Vec2};

use super::{BodyIndex, Physics};
use crate::vehicle::{Inertia, Wrench};

/// The two points at which the floor acts on a body, each with half of its weight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Feet {
    /// The point amid them [m], in the body's frame.
    middle: Vec2,
    /// Distance of either from there [m], along the body's x axis.
    reach: f64,
}

impl Feet {
    /// The points [m], in the body's frame.
    fn points(&self) -> [Vec2; 2] {
        [self.reach, -self.reach].map(|reach| self.middle + Vec2::new(reach, 0.0))
    }
}

/// What the floor can still do in this step for a body that rests on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grip {
    /// Impulse of gravity along the floor, in the world [N·s], which friction has cancelled; zero where it is level.
    pull: Vec2,
    /// Largest impulse of friction at each point [N·s].
    left: [f64; 2],
}

impl Physics {
    /// Lets a body rest on two points of its x axis, at `reach` [m] to both sides of `middle` [m], in its frame.
    pub fn rest_on(&mut self, index: BodyIndex, middle: Vec2, reach: f64) {
        self.bodies[index].feet = Feet { middle, reach };
    }

    /// Applies floor friction to a body for a step, with impulses of at most `most` [N·s] at each of the points on which it rests
    /// (MVSim's rule), and the impulse of gravity along the floor, `pull` [N·s] in the world. The two points are solved one after
    /// the other with their exact effective mass.
    pub fn brake(&mut self, index: BodyIndex, most: f64, pull: Vec2) {
        let is_level = pull == Vec2::ZERO;
        let body = &mut self.bodies[index];
        if body.is_prescribed || (most <= 0.0 && is_level) {
            return;
        }
        self.has_marks = true;
        if body.velocity_in_world == Vec2::ZERO && body.yaw_rate == 0.0 && is_level {
            body.grip = Some(Grip { pull, left: [most; 2] });
            return;
        }
        let moving = self.impulses_to_stop(index).map(Vec2::norm);
        let spent = if is_level {
            moving
        } else {
            self.push(index, pull);
            self.impulses_to_stop(index).map(Vec2::norm)
        };
        if spent.iter().all(|&impulse| impulse <= most) {
            let body = &mut self.bodies[index];
            body.move_with(Twist2::ZERO);
            body.grip = Some(Grip { pull, left: moving.map(|impulse| most - impulse) });
        } else {
            self.rub(index, [most; 2], is_level);
        }
    }

    /// Lets a wrench about the reference point act on a body for a step. Its damping is left to [`apply`](Physics::apply).
    pub fn push_by(&mut self, index: BodyIndex, wrench: Wrench) {
        let dt = self.dt;
        let body = &mut self.bodies[index];
        let Inertia { mass, center_of_mass, yaw } = body.inertia;
        let force = body.world_from_body * wrench.force_in_body;
        body.velocity_in_world = body.velocity_in_world + (dt / mass) * force;
        body.yaw_rate += dt / yaw * (wrench.torque - center_of_mass.cross(wrench.force_in_body));
    }

    /// Centre of mass of a body [m], in its frame.
    pub fn center_of_mass(&self, index: BodyIndex) -> Vec2 {
        self.bodies[index].inertia.center_of_mass
    }

    /// Gives a body an impulse at its centre of mass [N·s], in the world.
    fn push(&mut self, index: BodyIndex, impulse: Vec2) {
        let body = &mut self.bodies[index];
        body.velocity_in_world = body.velocity_in_world + (1.0 / body.inertia.mass) * impulse;
    }

    /// Impulses [N·s] at the two points that stop a body, in its frame and with the other sign: equal along its x axis, and chosen
    /// so that both momentum and angular momentum vanish.
    fn impulses_to_stop(&self, index: BodyIndex) -> [Vec2; 2] {
        let body = &self.bodies[index];
        let momentum = body.inertia.mass * (body.world_from_body.inverse() * body.velocity_in_world);
        let arm = body.inertia.center_of_mass - body.feet.middle;
        let spin = body.inertia.yaw * body.yaw_rate + arm.cross(momentum);
        [1.0, -1.0].map(|side| Vec2::new(0.5 * momentum.x, 0.5 * momentum.y + side * 0.5 * spin / body.feet.reach))
    }

    /// Cancels the impulses of contacts and joints on bodies at rest, as far as floor friction can.
    pub(super) fn hold_resting(&mut self) {
        for index in 0..self.bodies.len() {
            let body = &self.bodies[index];
            let Some(Grip { pull, left }) = body.grip else { continue };
            if body.velocity_in_world == Vec2::ZERO && body.yaw_rate == 0.0 {
                continue;
            }
            let needed = self.impulses_to_stop(index);
            let pull_in_body = 0.5 * (body.world_from_body.inverse() * pull);
            if needed.iter().zip(&left).all(|(&needed, &left)| (needed + pull_in_body).norm() <= left) {
                let body = &mut self.bodies[index];
                (body.center_in_world, body.yaw, body.world_from_body) = body.start;
                body.move_with(Twist2::ZERO);
                body.is_held = true;
            } else {
                let is_level = pull == Vec2::ZERO;
                if !is_level {
                    self.push(index, pull);
                }
                self.rub(index, left, is_level);
            }
        }
    }

    /// Brakes a sliding body with impulses of at most `most` [N·s] at the two points.
    fn rub(&mut self, index: BodyIndex, most: [f64; 2], is_level: bool) {
        let [ahead, behind] = self.bodies[index].feet.points();
        // The point that is braked first turns the body a little, which adds up where a body slides for long.
        if !is_level && self.rub_at_once(index, [ahead, behind], most) {
            return;
        }
        self.stop_point(index, ahead, most[0]);
        self.stop_point(index, behind, most[1]);
    }

    /// Brakes a sliding body at both points at once, against the motion that each has. Does nothing and returns false if that
    /// might reverse the motion.
    fn rub_at_once(&mut self, index: BodyIndex, points: [Vec2; 2], most: [f64; 2]) -> bool {
        let body = &self.bodies[index];
        let velocity_in_body = body.velocity_in_body();
        let is_straight = body.yaw_rate == 0.0 && most[0] == most[1];
        let (mut force, mut turn) = (Vec2::ZERO, 0.0);
        for (point, most) in points.into_iter().zip(most) {
            let (velocity, arm) = (velocity_in_body.at_point(point), point - body.inertia.center_of_mass);
            let speed = velocity.norm();
            // With half of the impulse that stops either point alone no energy is gained, whatever the other one does.
            let stopping = speed / (1.0 / body.inertia.mass + arm.dot(arm) / body.inertia.yaw);
            if speed == 0.0 || (most > 0.5 * stopping && !is_straight) {
                return false;
            }
            let impulse = (-most / speed) * velocity;
            force = force + impulse;
            turn += arm.cross(impulse);
        }
        let body = &mut self.bodies[index];
        body.velocity_in_world = body.velocity_in_world + (1.0 / body.inertia.mass) * (body.world_from_body * force);
        if !is_straight {
            body.yaw_rate += turn / body.inertia.yaw;
        }
        true
    }

    /// Brakes the motion of the point `p` [m] of a body (body frame) with an impulse of at most `most` [N·s]. If that cannot stop
    /// the point, the impulse acts against the motion, as dry friction does.
    fn stop_point(&mut self, index: BodyIndex, p: Vec2, most: f64) {
        let body = &mut self.bodies[index];
        let velocity = body.velocity_in_body().at_point(p);
        let arm = p - body.inertia.center_of_mass;
        let (m, i) = (1.0 / body.inertia.mass, 1.0 / body.inertia.yaw);
        // The point's mobility J·M⁻¹·Jᵀ is [[m + i·y², −i·x·y], [−i·x·y, m + i·x²]]; its inverse stops the point.
        let (a, b, c) = (m + i * arm.y * arm.y, -i * arm.x * arm.y, m + i * arm.x * arm.x);
        let determinant = a * c - b * b;
        let mut impulse =
            (-1.0 / determinant) * Vec2::new(c * velocity.x - b * velocity.y, a * velocity.y - b * velocity.x);
        if impulse.norm() > most {
            let speed = velocity.norm();
            // Along the motion the point has the mobility vᵀ·(J·M⁻¹·Jᵀ)·v/v²; a larger impulse would reverse the motion.
            let (x, y) = (velocity.x / speed, velocity.y / speed);
            let mobility = a * x * x + 2.0 * b * x * y + c * y * y;
            impulse = (-most.min(speed / mobility) / speed) * velocity;
        }
        body.velocity_in_world = body.velocity_in_world + m * (body.world_from_body * impulse);
        body.yaw_rate += i * arm.cross(impulse);
    }
}
