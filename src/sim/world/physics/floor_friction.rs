//! Dry friction of the floor under a body: applied before the step if the body slides, after it if the body rests.
//!
//! Friction applied only before the contacts would let a block creep under a steady push that its grip could hold: each step
//! would end with the velocity that the push has just given. So the impulse that the floor did not need for a block at rest is
//! kept until contacts and joints have acted. If it cancels all of their impulse, the block stays where it was.

use skidpad_math::{Twist2, Vec2};

use super::{BodyIndex, Physics};

impl Physics {
    /// Applies floor friction to a body for a step. Half of the weight rests on each of the points (±`r`, 0) [m] of the body
    /// frame (MVSim's rule), where friction acts with impulses of at most `most` [N·s]; the two are solved one after the other
    /// with their exact effective mass.
    pub fn brake(&mut self, index: BodyIndex, r: f64, most: f64) {
        if self.bodies[index].is_prescribed || most <= 0.0 {
            return;
        }
        self.has_marks = true;
        let body = &mut self.bodies[index];
        if body.velocity_in_world == Vec2::ZERO && body.yaw_rate == 0.0 {
            body.grip = Some((r, [most; 2]));
            return;
        }
        let spent = self.impulses_to_stop(index, r);
        if spent.iter().all(|&impulse| impulse <= most) {
            let body = &mut self.bodies[index];
            body.move_with(Twist2::ZERO);
            body.grip = Some((r, spent.map(|impulse| most - impulse)));
        } else {
            self.stop_point(index, Vec2::new(r, 0.0), most);
            self.stop_point(index, Vec2::new(-r, 0.0), most);
        }
    }

    /// Magnitudes of the impulses [N·s] at (±`r`, 0) [m] that stop a body: equal along its x axis, and chosen so that both momentum
    /// and angular momentum vanish.
    fn impulses_to_stop(&self, index: BodyIndex, r: f64) -> [f64; 2] {
        let body = &self.bodies[index];
        let momentum = body.inertia.mass * (body.world_from_body.inverse() * body.velocity_in_world);
        let spin = body.inertia.yaw * body.yaw_rate + body.inertia.center_of_mass.cross(momentum);
        [1.0, -1.0].map(|side| Vec2::new(0.5 * momentum.x, 0.5 * momentum.y + side * 0.5 * spin / r).norm())
    }

    /// Cancels the impulses of contacts and joints on bodies at rest, as far as floor friction can.
    pub(super) fn hold_resting(&mut self) {
        for index in 0..self.bodies.len() {
            let body = &self.bodies[index];
            let Some((r, left)) = body.grip else { continue };
            if body.velocity_in_world == Vec2::ZERO && body.yaw_rate == 0.0 {
                continue;
            }
            let needed = self.impulses_to_stop(index, r);
            if needed.iter().zip(&left).all(|(needed, left)| needed <= left) {
                let body = &mut self.bodies[index];
                (body.center_in_world, body.yaw, body.world_from_body) = body.start;
                body.move_with(Twist2::ZERO);
                body.is_held = true;
            } else {
                self.stop_point(index, Vec2::new(r, 0.0), left[0]);
                self.stop_point(index, Vec2::new(-r, 0.0), left[1]);
            }
        }
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
