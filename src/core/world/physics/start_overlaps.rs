//! Finds bodies that stand inside others before the first step, for the warnings of a load.

use rapier2d_f64::parry::query;
use rapier2d_f64::parry::shape::Shape;
use rapier2d_f64::prelude::{Collider, ColliderHandle, Pose, SharedShape, Vector};

use super::{Body, BodyIndex, Physics, SceneryIndex, Touched, pose};
use crate::math::Pose2;

/// Outlines are reduced to this share about their middle [-], so that neighbours that touch are not inside each other.
const REDUCED: f64 = 0.95;
/// Most pairs that are looked at: a second in the slowest build. Worlds with more are hostile, or so big that nobody looks at each start.
const MOST_PAIRS: usize = 2_000_000;
/// Most overlaps that are told.
const MOST_TOLD: usize = 100;

impl Physics {
    /// Each of `bodies` that stands inside another body or scenery, with one that it stands in: of two of `bodies` the later one.
    pub(in crate::world) fn overlaps_now(&self, bodies: &[BodyIndex]) -> Vec<(BodyIndex, Touched)> {
        let left = |index: &usize| self.bodies[*index].center_in_world.x - self.bodies[*index].radius;
        let mut by_left: Vec<BodyIndex> = (0..self.bodies.len()).collect();
        by_left.sort_by(|a, b| left(a).total_cmp(&left(b)));
        let mut is_asked = vec![false; self.bodies.len()];
        bodies.iter().for_each(|&index| is_asked[index] = true);
        let mut found = Vec::new();
        let mut looks = 0;
        for (place, &a) in by_left.iter().enumerate() {
            let right = self.bodies[a].center_in_world.x + self.bodies[a].radius;
            for &b in by_left[place + 1..].iter().take_while(|b| left(b) < right) {
                looks += 1;
                if looks > MOST_PAIRS || found.len() >= MOST_TOLD {
                    return found;
                }
                let (one, other) = match (is_asked[a], is_asked[b]) {
                    (false, false) => continue,
                    (true, true) => (a.max(b), a.min(b)),
                    (true, false) => (a, b),
                    (false, true) => (b, a),
                };
                if self.stand_in_each_other(one, other) {
                    found.push((one, Touched::Body(other)));
                }
            }
        }
        let scenery: Vec<(SceneryIndex, &Collider)> = self
            .scenery
            .iter()
            .filter_map(|piece| Some((piece.number, self.engine.colliders.get(piece.handle?)?)))
            .collect();
        for &index in bodies {
            looks += scenery.len();
            if looks > MOST_PAIRS || found.len() >= MOST_TOLD {
                break;
            }
            let body = &self.bodies[index];
            let inside = scenery.iter().find(|(number, collider)| {
                self.collision_filter.may_touch(body.storey, *number)
                    && self.pieces_of(body).any(|piece| meet(piece, body, collider.shape(), collider.position()))
            });
            found.extend(inside.map(|(number, _)| (index, Touched::Scenery(*number))));
        }
        found
    }

    fn stand_in_each_other(&self, one: BodyIndex, other: BodyIndex) -> bool {
        let (one, other) = (&self.bodies[one], &self.bodies[other]);
        let apart = (other.center_in_world - one.center_in_world).norm();
        apart < one.radius + other.radius
            && !(one.is_prescribed && other.is_prescribed)
            && self.collision_filter.may_touch(one.storey, other.storey)
            && self
                .pieces_of(one)
                .any(|piece| self.pieces_of(other).any(|second| meet(piece, one, second.shape(), &pose_of(other))))
    }

    fn pieces_of(&self, body: &Body) -> impl Iterator<Item = &Collider> {
        let handles: &[ColliderHandle] = self.engine.bodies.get(body.handle).map_or(&[], |rigid| rigid.colliders());
        handles.iter().filter_map(|&handle| self.engine.colliders.get(handle))
    }
}

fn pose_of(body: &Body) -> Pose {
    let p = body.position();
    pose(Pose2::new(p.x, p.y, body.yaw))
}

/// Whether a piece of a body, reduced, meets another shape.
fn meet(piece: &Collider, body: &Body, other: &dyn Shape, world_from_other: &Pose) -> bool {
    let Some(reduced) = reduced(piece) else { return false };
    query::intersection_test(&pose_of(body), &*reduced, world_from_other, other).is_ok_and(|found| found.intersecting)
}

fn reduced(piece: &Collider) -> Option<SharedShape> {
    let corners = piece.shape().as_convex_polygon()?.points();
    let middle = corners.iter().fold(Vector::ZERO, |sum, &corner| sum + corner) / corners.len().max(1) as f64;
    let points: Vec<Vector> = corners.iter().map(|&corner| middle + REDUCED * (corner - middle)).collect();
    SharedShape::convex_hull(&points)
}
