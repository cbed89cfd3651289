//! Restitution: bodies that collide separate with a share of their approach velocity (Newton's law of impact).
//!
//! The engine stops colliding bodies; then all contact points that it has just stopped get −e times their earlier velocity,
//! solved together. Solved one after the other, as in the engine, the two corners of a face add up to too much or too little:
//! energy would change by up to a fifth. Without friction and with e = 1 energy is conserved to rounding.

use rapier2d_f64::prelude::ColliderHandle;
use skidpad_math::Vec2;

use super::rows::{Measure, Row};
use super::{Body, Physics, body_of};

/// Below this approach speed [m/s] bodies do not bounce, so that pushed bodies do not rattle.
const MIN_SPEED: f64 = 0.01;

/// A collision gives no body more than this many times the greatest speed before it: a light body that a heavy one hits
/// leaves with twice that speed, and its corner with little more. Where the equations give more they are too close to
/// dependent, as those of many points along a wall of a map may be; then the bodies keep what the engine gave them, and
/// do not bounce.
const MAX_SPEED: f64 = 4.0;

/// A contact point of the engine: its colliders, and its numbers of manifold and point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PointKey {
    pub(super) pair: [ColliderHandle; 2],
    pub(super) point: [usize; 2],
}

impl Physics {
    /// Separates bodies that the engine has stopped at each other in this step.
    pub(super) fn bounce(&mut self) {
        self.rows.clear(self.bodies.len());
        self.rebounds.clear();
        let (engine, bodies) = (&self.engine, &self.bodies);
        for pair in engine.narrow_phase.contact_pairs() {
            let number = |handle: ColliderHandle| engine.colliders.get(handle).map_or(u32::MAX, |c| c.user_data as u32);
            let restitution = self.collision_filter.restitution(number(pair.collider1), number(pair.collider2));
            if restitution <= 0.0 {
                continue;
            }
            let Some(collider) = engine.colliders.get(pair.collider1) else { continue };
            for (manifold_number, manifold) in pair.manifolds().iter().enumerate() {
                let data = &manifold.data;
                let [a, b] = [data.rigid_body1, data.rigid_body2].map(|handle| body_of(engine, handle));
                let normal = Vec2::new(data.normal.x, data.normal.y);
                let points = manifold.points.iter().enumerate();
                for (point_number, point) in points.filter(|(_, point)| point.data.impulse > 0.0) {
                    let p = *collider.position() * point.local_p1;
                    let p = a.map_or(Vec2::new(p.x, p.y), |a| at_start(&bodies[a], Vec2::new(p.x, p.y)));
                    let side = |index: Option<usize>, push: Vec2| {
                        index.map(|index| (index, push, (p - bodies[index].start.0).cross(push)))
                    };
                    let sides = [side(a, normal), side(b, -normal)];
                    let approach: f64 = sides
                        .iter()
                        .flatten()
                        .map(|&(index, push, turn)| bodies[index].before.0.dot(push) + bodies[index].before.1 * turn)
                        .sum();
                    let parting = restitution * approach;
                    if parting > MIN_SPEED {
                        self.rows.rows.push(Row::new(Measure::Wall(-self.dt * parting), sides, true));
                        let pair = [pair.collider1, pair.collider2];
                        self.rebounds.push(PointKey { pair, point: [manifold_number, point_number] });
                    }
                }
            }
        }
        if self.rows.rows.is_empty() {
            return;
        }
        let dt = self.dt;
        let mut fastest = 0.0_f64;
        self.stopped.clear();
        for &(index, _, _) in self.rows.rows.iter().flat_map(|row| row.sides.iter().flatten()) {
            let body = &self.bodies[index];
            let (velocity_in_world, yaw_rate) = body.before;
            fastest = fastest.max(body.top_speed_with(velocity_in_world, yaw_rate));
            self.stopped.push((index, (body.velocity_in_world, body.yaw_rate)));
        }
        self.rows.settle(&mut self.bodies, dt, true, |row, bodies| match row.measure {
            Measure::Wall(gap) => row.change(bodies, dt) - gap,
            _ => 0.0,
        });
        let is_sound = |index: usize| self.bodies[index].top_speed() <= MAX_SPEED * fastest;
        if !self.stopped.iter().all(|&(index, _)| is_sound(index)) {
            for &(index, (velocity_in_world, yaw_rate)) in &self.stopped {
                let body = &mut self.bodies[index];
                (body.velocity_in_world, body.yaw_rate) = (velocity_in_world, yaw_rate);
            }
            self.rebounds.clear();
        }
    }
}

/// Position at the start of the step [m] of the body point that is at `p` [m] at its end.
fn at_start(body: &Body, p: Vec2) -> Vec2 {
    let (center, _, rotation) = body.start;
    center + rotation * (body.world_from_body.inverse() * (p - body.center_in_world))
}
