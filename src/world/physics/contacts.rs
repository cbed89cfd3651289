//! What the engine's contacts say: who touches, and which part of a velocity a wall takes.

use rapier2d_f64::prelude::{ColliderHandle, PhysicsWorld, RigidBodyHandle, Vector};

use super::Body;
use crate::math::Vec2;

/// Takes from a body's velocity what would carry it into scenery that never moves within a step of `dt` [s].
///
/// The engine's contacts are soft, and a velocity that is imposed anew at every step would press a body into them. They are
/// as old as the last step, in which the body moved with `moved_with`: velocity of its centre [m/s] and yaw rate [rad/s].
/// Returns whether there was something to take.
pub(super) fn stop_at_scenery(engine: &PhysicsWorld, body: &mut Body, moved_with: (Vec2, f64), dt: f64) -> bool {
    let Some(rigid) = engine.bodies.get(body.handle) else { return false };
    let mut pressed = false;
    let moves = |handle: Option<RigidBodyHandle>| {
        handle.and_then(|h| engine.bodies.get(h)).is_some_and(|other| other.is_dynamic())
    };
    // A corner has two walls, and giving way to one may press against the other.
    for _ in 0..4 {
        for &handle in rigid.colliders() {
            let Some(collider) = engine.colliders.get(handle) else { continue };
            for pair in engine.narrow_phase.contact_pairs_with(handle) {
                let is_first = pair.collider1 == handle;
                for manifold in pair.manifolds() {
                    let data = &manifold.data;
                    if moves(if is_first { data.rigid_body2 } else { data.rigid_body1 }) {
                        continue;
                    }
                    let sign = if is_first { 1.0 } else { -1.0 };
                    let towards = Vec2::new(sign * data.normal.x, sign * data.normal.y);
                    for point in &manifold.points {
                        let p = *collider.position() * if is_first { point.local_p1 } else { point.local_p2 };
                        let arm = Vec2::new(p.x, p.y) - body.center_in_world;
                        let lever = arm.cross(towards);
                        let gap = point.dist - dt * (moved_with.0.dot(towards) + moved_with.1 * lever);
                        let approach = body.velocity_in_world.dot(towards) + body.yaw_rate * lever;
                        let excess = approach - gap.max(0.0) / dt;
                        if excess > 0.0 {
                            pressed = true;
                            let mobility = 1.0 / body.inertia.mass + lever * lever / body.inertia.yaw;
                            let impulse = excess / mobility;
                            body.velocity_in_world = body.velocity_in_world - (impulse / body.inertia.mass) * towards;
                            body.yaw_rate -= impulse * lever / body.inertia.yaw;
                        }
                    }
                }
            }
        }
    }
    pressed
}

/// Whether a collider is nearer than `threshold` [m] to another now. Contacts are as old as the start of the step, so the
/// approach during it is taken off.
pub(super) fn is_touching(engine: &PhysicsWorld, colliders: &[ColliderHandle], threshold: f64) -> bool {
    let dt = engine.integration_parameters.dt;
    colliders.iter().any(|&handle| {
        engine.narrow_phase.contact_pairs_with(handle).any(|pair| {
            let Some(collider) = engine.colliders.get(pair.collider1) else { return false };
            pair.manifolds().iter().any(|manifold| {
                let data = &manifold.data;
                let velocity = |body: Option<RigidBodyHandle>, p: Vector| {
                    body.and_then(|b| engine.bodies.get(b)).map_or(Vector::ZERO, |b| b.velocity_at_point(p))
                };
                manifold.points.iter().any(|point| {
                    let p = *collider.position() * point.local_p1;
                    let approach = (velocity(data.rigid_body1, p) - velocity(data.rigid_body2, p)).dot(data.normal);
                    point.dist - dt * approach.max(0.0) < threshold
                })
            })
        })
    })
}
