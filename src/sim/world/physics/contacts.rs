//! Reads the engine's contacts: which bodies touch, how hard, and which part of a velocity is blocked by a wall.

use rapier2d_f64::parry::query;
use rapier2d_f64::prelude::{Collider, ColliderHandle, PhysicsWorld, Pose, RigidBodyHandle, Vector};
use skidpad_math::{Pose2, Twist2, Vec2};

use super::bounce::PointKey;
use super::rows::{Measure, Row};
use super::wall_mover::{Mover, StepMotion};
use super::wall_shape::{PieceShape, WallShape, is_ahead};
use super::{Body, BodyIndex, Physics, SceneryIndex, body_of, circle, pose, vector};

/// Bodies that are nearer than this [m] touch: the engine lets resting bodies overlap by as much.
pub(in crate::world) const TOUCHING: f64 = 1e-3;

/// What a body touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::world) enum Touched {
    /// A body that can move.
    Body(BodyIndex),
    /// A piece of scenery.
    Scenery(SceneryIndex),
}

/// A point at which a body touched another one in the last step.
#[derive(Clone, Copy, Debug)]
pub(in crate::world) struct TouchPoint {
    /// The other one.
    pub other: Touched,
    /// Its vertical extent in the world [m].
    pub heights: [f64; 2],
    /// The point in the world [m].
    pub position: Vec2,
    /// Unit vector in the world from the other body to this one [-].
    pub normal: Vec2,
    /// Impulse on this body along the normal [N·s], ≥ 0.
    pub push: f64,
    /// The whole impulse on this body, in the world [N·s], with friction.
    pub impulse: Vec2,
}

/// Visits the contacts of a body with obstacles that it cannot push: scenery and bodies with prescribed motion. Each contact is
/// the direction towards the obstacle [-], the lever arm of a force in this direction about the centre of mass [m], and how far
/// the body may move that way at the contact within a step of `dt` [s] [m].
///
/// Contacts date from the start of the last step, so the motion of the bodies since then is subtracted; those with the
/// walls of maps are found anew.
pub(super) fn scenery_in_touch(
    engine: &PhysicsWorld,
    bodies: &[Body],
    index: BodyIndex,
    dt: f64,
    mut visit: impl FnMut(Vec2, f64, f64),
) {
    let body = &bodies[index];
    let Some(rigid) = engine.bodies.get(body.handle).filter(|_| body.contacts_are_current) else { return };
    let near = engine.integration_parameters.normalized_prediction_distance;
    for &handle in rigid.colliders() {
        let Some(collider) = engine.colliders.get(handle) else { continue };
        for pair in engine.narrow_phase.contact_pairs_with(handle) {
            let is_first = pair.collider1 == handle;
            let other = engine.colliders.get(if is_first { pair.collider2 } else { pair.collider1 });
            if let Some(other) = other
                && let Some(wall) = other.shape().as_shape::<WallShape>()
            {
                walls_in_touch(body, collider, other.position(), wall, dt, near, &mut visit);
                continue;
            }
            for manifold in pair.manifolds() {
                let data = &manifold.data;
                let other = if is_first { data.rigid_body2 } else { data.rigid_body1 };
                let other = body_of(engine, other).map(|other| &bodies[other]);
                if other.is_some_and(|other| !other.is_prescribed) {
                    continue;
                }
                let sign = if is_first { 1.0 } else { -1.0 };
                let towards = Vec2::new(sign * data.normal.x, sign * data.normal.y);
                for point in &manifold.points {
                    let p = *collider.position() * if is_first { point.local_p1 } else { point.local_p2 };
                    let p = Vec2::new(p.x, p.y);
                    let lever = (p - body.center_in_world).cross(towards);
                    let mut gap = point.dist - body.last_displacement.dot(towards) - body.last_turn * lever;
                    let mut flees = 0.0;
                    if let Some(other) = other {
                        let lever = (p - other.center_in_world).cross(towards);
                        gap += other.last_displacement.dot(towards) + other.last_turn * lever;
                        flees = dt * (other.velocity_in_world.dot(towards) + other.yaw_rate * lever);
                    }
                    visit(towards, lever, gap.max(0.0) + flees);
                }
            }
        }
    }
}

/// Visits the contacts of one piece of a body with the walls of a map, as [`scenery_in_touch`] does.
fn walls_in_touch(
    body: &Body,
    collider: &Collider,
    world_from_map: &Pose,
    wall: &WallShape,
    dt: f64,
    near: f64,
    visit: &mut impl FnMut(Vec2, f64, f64),
) {
    let Some(piece) = collider.shape().as_shape::<PieceShape>() else { return };
    let p = body.position();
    let map_from_piece = world_from_map.inverse() * pose(Pose2::new(p.x, p.y, body.yaw));
    let linear = body.world_from_body.inverse() * (dt * body.velocity_in_world);
    let motion = StepMotion { linear, turn: dt * body.yaw_rate, center: body.inertia.center_of_mass };
    let mover = Mover::new(piece, &map_from_piece, &motion);
    wall.walls.each_meeting(&mover, near, |meeting| {
        let towards = -(world_from_map.rotation * vector(meeting.normal));
        let towards = Vec2::new(towards.x, towards.y);
        let p = *world_from_map * vector(meeting.on_piece);
        let lever = (Vec2::new(p.x, p.y) - body.center_in_world).cross(towards);
        visit(towards, lever, meeting.distance.max(0.0));
    });
}

impl Physics {
    /// Visits the points at which a body touched others in the last step.
    ///
    /// The impulses are those that stopped the bodies at each other, and those of their restitution. What
    /// [`stop_at_scenery`](Self::stop_at_scenery) takes from an imposed velocity never became momentum, and is not in them.
    pub(in crate::world) fn touch_points(&self, index: BodyIndex, mut visit: impl FnMut(TouchPoint)) {
        let (engine, body) = (&self.engine, &self.bodies[index]);
        let Some(rigid) = engine.bodies.get(body.handle).filter(|_| body.contacts_are_current) else { return };
        let dt = self.dt;
        for &handle in rigid.colliders() {
            for pair in engine.narrow_phase.contact_pairs_with(handle) {
                let is_first = pair.collider1 == handle;
                let other = if is_first { pair.collider2 } else { pair.collider1 };
                let colliders = [pair.collider1, other].map(|handle| engine.colliders.get(handle));
                let [Some(of_points), Some(other)] = colliders else { continue };
                let number = other.user_data as SceneryIndex;
                for (manifold_number, manifold) in pair.manifolds().iter().enumerate() {
                    let data = &manifold.data;
                    let away = if is_first { -data.normal } else { data.normal };
                    let normal = Vec2::new(away.x, away.y);
                    let of_other = if is_first { data.rigid_body2 } else { data.rigid_body1 };
                    let of_other = body_of(engine, of_other);
                    for (point_number, point) in manifold.points.iter().enumerate() {
                        let p = *of_points.position() * point.local_p1;
                        let position = Vec2::new(p.x, p.y);
                        let parting = self.velocity_at(index, position).dot(normal)
                            - of_other.map_or(0.0, |other| self.velocity_at(other, position).dot(normal));
                        let rebound = self.rebound([pair.collider1, pair.collider2], [manifold_number, point_number]);
                        let push = point.data.impulse + rebound;
                        if push <= 0.0 && point.dist + dt * parting.min(0.0) > TOUCHING {
                            continue;
                        }
                        let friction = point.data.tangent_impulse.x;
                        visit(TouchPoint {
                            other: of_other.map_or(Touched::Scenery(number), Touched::Body),
                            heights: self.collision_filter.heights(number),
                            position,
                            normal,
                            push,
                            impulse: push * normal + friction * normal.perpendicular(),
                        });
                    }
                }
            }
        }
    }

    /// Impulse of the restitution at a contact point in the last step [N·s].
    fn rebound(&self, pair: [ColliderHandle; 2], point: [usize; 2]) -> f64 {
        let key = PointKey { pair, point };
        let place = self.rebounds.iter().position(|rebound| *rebound == key);
        place.and_then(|place| self.rows.rows.get(place)).map_or(0.0, |row| row.impulse)
    }

    /// Removes from a body's velocity the part that would carry it within a step into something that it cannot push, by impulses
    /// at all contacts together.
    ///
    /// The engine's contacts are soft, so a velocity imposed at every step would press a body into them. Returns whether any
    /// velocity was removed.
    pub(super) fn stop_at_scenery(&mut self, index: BodyIndex) -> bool {
        let dt = self.dt;
        self.rows.clear(self.bodies.len());
        let rows = &mut self.rows.rows;
        scenery_in_touch(&self.engine, &self.bodies, index, dt, |towards, lever, room| {
            rows.push(Row::new(Measure::Wall(room), [None, Some((index, towards, lever))], true));
        });
        if rows.is_empty() {
            return false;
        }
        let is_settled = self.rows.settle(&mut self.bodies, dt, true, |row, bodies| match row.measure {
            Measure::Wall(room) => row.change(bodies, dt) - room,
            _ => 0.0,
        });
        if !is_settled {
            self.bodies[index].move_with(Twist2::ZERO);
            return true;
        }
        self.rows.rows.iter().any(|row| row.impulse > 0.0)
    }
}

/// Whether the engine has pushed a body (`is_pushed`) or one of its colliders is closer than `threshold` [m] to another. Contacts date
/// from the start of the step, so the approach during the step is subtracted; what only that says is measured, because a fast body may
/// come nearer to the plane of a contact and pass beside the other body.
pub(super) fn is_touching(
    engine: &PhysicsWorld,
    colliders: &[ColliderHandle],
    is_pushed: bool,
    threshold: f64,
) -> bool {
    let dt = engine.integration_parameters.dt;
    colliders.iter().any(|&handle| {
        engine.narrow_phase.contact_pairs_with(handle).any(|pair| {
            let (Some(collider), Some(other)) =
                (engine.colliders.get(pair.collider1), engine.colliders.get(pair.collider2))
            else {
                return false;
            };
            let mut may_touch = false;
            let touches = pair.manifolds().iter().any(|manifold| {
                let data = &manifold.data;
                let velocity = |body: Option<RigidBodyHandle>, p: Vector| {
                    body.and_then(|b| engine.bodies.get(b)).map_or(Vector::ZERO, |b| b.velocity_at_point(p))
                };
                manifold.points.iter().any(|point| {
                    let p = *collider.position() * point.local_p1;
                    let approach = (velocity(data.rigid_body1, p) - velocity(data.rigid_body2, p)).dot(data.normal);
                    may_touch |= point.dist - dt * approach.max(0.0) < threshold;
                    is_pushed || (point.dist < threshold && !is_ahead(point))
                })
            });
            touches || may_touch && are_near([collider, other], threshold)
        })
    })
}

/// Whether two colliders are nearer to each other than `threshold` [m].
fn are_near([a, b]: [&Collider; 2], threshold: f64) -> bool {
    for (wall, piece) in [(a, b), (b, a)] {
        if let (Some(wall_shape), Some(piece_shape)) = (wall.shape().as_shape(), piece.shape().as_shape()) {
            let wall_shape: &WallShape = wall_shape;
            return wall_shape.is_near(piece_shape, &wall.position().inv_mul(piece.position()), threshold);
        }
    }
    if let Some(distance) = circle::distance(&a.position().inv_mul(b.position()), a.shape(), b.shape()) {
        return distance < threshold;
    }
    query::distance(a.position(), a.shape(), b.position(), b.shape()).is_ok_and(|nearest| nearest.distance < threshold)
}
