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

/// The floor under a body during a step.
#[derive(Clone, Copy, Debug)]
pub struct Floor {
    /// The point amid the two on which the body rests [m], in its frame.
    pub middle: Vec2,
    /// Distance of either from there [m], along the body's x axis.
    pub reach: f64,
    /// Largest impulse of friction at each [N·s].
    pub most: f64,
    /// Impulse of gravity along the floor, in the world [N·s]; zero where it is level.
    pub pull: Vec2,
}

/// What the floor can still do in this step for a body that rests on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grip {
    /// The floor; its friction cancels the pull.
    floor: Floor,
    /// Largest impulse of friction at each point [N·s].
    left: [f64; 2],
}

impl Floor {
    /// The points on which the body rests [m], in its frame.
    fn points(&self) -> [Vec2; 2] {
        [self.reach, -self.reach].map(|reach| self.middle + Vec2::new(reach, 0.0))
    }
}

impl Physics {
    /// Applies gravity along the floor and friction of the floor to a body for a step. Half of the weight rests on each of two
    /// points of the body's x axis (MVSim's rule), where friction acts with impulses up to the floor's limit; the two are
    /// solved one after the other with their exact effective mass.
    pub fn brake(&mut self, index: BodyIndex, floor: Floor) {
        let Floor { most, pull, .. } = floor;
        let is_level = pull == Vec2::ZERO;
        if self.bodies[index].is_prescribed || (most <= 0.0 && is_level) {
            return;
        }
        self.has_marks = true;
        let body = &self.bodies[index];
        if body.velocity_in_world == Vec2::ZERO && body.yaw_rate == 0.0 && is_level {
            self.bodies[index].grip = Some(Grip { floor, left: [most; 2] });
            return;
        }
        let moving = self.impulses_to_stop(index, &floor).map(Vec2::norm);
        if !is_level {
            self.push(index, pull);
        }
        let spent = if is_level { moving } else { self.impulses_to_stop(index, &floor).map(Vec2::norm) };
        if spent.iter().all(|&impulse| impulse <= most) {
            let body = &mut self.bodies[index];
            body.move_with(Twist2::ZERO);
            body.grip = Some(Grip { floor, left: moving.map(|impulse| most - impulse) });
        } else {
            self.rub(index, &floor, [most; 2]);
        }
    }

    /// Gives a body an impulse at its centre of mass [N·s], in the world.
    fn push(&mut self, index: BodyIndex, impulse: Vec2) {
        let body = &mut self.bodies[index];
        body.velocity_in_world = body.velocity_in_world + (1.0 / body.inertia.mass) * impulse;
    }

    /// Impulses [N·s] at the two points that stop a body, in its frame and with the other sign: equal along its x axis, and chosen
    /// so that both momentum and angular momentum vanish.
    fn impulses_to_stop(&self, index: BodyIndex, floor: &Floor) -> [Vec2; 2] {
        let body = &self.bodies[index];
        let momentum = body.inertia.mass * (body.world_from_body.inverse() * body.velocity_in_world);
        let arm = body.inertia.center_of_mass - floor.middle;
        let spin = body.inertia.yaw * body.yaw_rate + arm.cross(momentum);
        [1.0, -1.0].map(|side| Vec2::new(0.5 * momentum.x, 0.5 * momentum.y + side * 0.5 * spin / floor.reach))
    }

    /// Cancels the impulses of contacts and joints on bodies at rest, as far as floor friction can.
    pub(super) fn hold_resting(&mut self) {
        for index in 0..self.bodies.len() {
            let body = &self.bodies[index];
            let Some(Grip { floor, left }) = body.grip else { continue };
            if body.velocity_in_world == Vec2::ZERO && body.yaw_rate == 0.0 {
                continue;
            }
            let needed = self.impulses_to_stop(index, &floor);
            let pull = 0.5 * (body.world_from_body.inverse() * floor.pull);
            if needed.iter().zip(&left).all(|(&needed, &left)| (needed + pull).norm() <= left) {
                let body = &mut self.bodies[index];
                (body.center_in_world, body.yaw, body.world_from_body) = body.start;
                body.move_with(Twist2::ZERO);
                body.is_held = true;
            } else {
                if floor.pull != Vec2::ZERO {
                    self.push(index, floor.pull);
                }
                self.rub(index, &floor, left);
            }
        }
    }

    /// Brakes a sliding body with impulses of at most `most` [N·s] at the two points.
    fn rub(&mut self, index: BodyIndex, floor: &Floor, most: [f64; 2]) {
        let [ahead, behind] = floor.points();
        // The point that is braked first turns the body a little, which adds up where a body slides for long.
        if floor.pull != Vec2::ZERO && self.rub_at_once(index, [ahead, behind], most) {
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
