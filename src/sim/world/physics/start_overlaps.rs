//! Finds bodies that stand inside others before the first step, for the warnings of a load.

use rapier2d_f64::parry::bounding_volume::{Aabb, BoundingVolume};
use rapier2d_f64::parry::query::{self, QueryDispatcher};
use rapier2d_f64::parry::shape::Shape;
use rapier2d_f64::prelude::{Collider, ColliderHandle, Pose, SharedShape, Vector};
use skidpad_math::Pose2;

use super::wall_shape::{Dispatcher, PieceShape, WallShape};
use super::{Body, BodyIndex, Physics, SceneryIndex, Touched, pose};

/// Outlines are reduced to this share about their middle [-], so that neighbours that touch are not inside each other.
const REDUCED: f64 = 0.95;
/// Largest cost of the search: pairs of bodies, and comparisons of shapes. A world with more loads without the rest of these warnings.
const MAX_COST: usize = 2_000_000;
/// A comparison of shapes counts as this many pairs: it takes about as long.
const COMPARISON: usize = 100;
/// Most overlaps that are reported.
const MAX_REPORTED: usize = 100;

/// A body as it stands, with its outlines reduced.
struct Standing {
    index: BodyIndex,
    world_from_body: Pose,
    pieces: Vec<SharedShape>,
}

impl Standing {
    fn meets(&self, other: &dyn Shape, world_from_other: &Pose) -> bool {
        let meets =
            |piece: &SharedShape| query::intersection_test(&self.world_from_body, &**piece, world_from_other, other);
        match other.as_shape::<WallShape>() {
            Some(wall) => self.is_in_walls(wall, world_from_other),
            None => self.pieces.iter().any(|piece| meets(piece).is_ok_and(|test| test.intersecting)),
        }
    }

    fn is_in_walls(&self, wall: &WallShape, world_from_map: &Pose) -> bool {
        let map_from_body = world_from_map.inv_mul(&self.world_from_body);
        self.pieces.iter().any(|piece| {
            let meets = Dispatcher { near: 0.0 }.intersection_test(&map_from_body, &**piece, wall);
            meets.is_ok_and(|test| test.intersecting)
                || piece
                    .as_convex_polygon()
                    .is_some_and(|polygon| wall.contains_corner_of(polygon.points(), &map_from_body))
        })
    }

    /// The box around it in the world; none without an outline.
    fn bounds(&self) -> Option<Aabb> {
        let boxes = self.pieces.iter().map(|piece| piece.compute_aabb(&self.world_from_body));
        boxes.reduce(|a, b| a.merged(&b))
    }
}

impl Physics {
    /// Each of `bodies` that stands inside another body or scenery, with one that it stands in; of two of `bodies` the
    /// one with the greater index.
    pub(in crate::world) fn overlaps_now(&self, bodies: &[BodyIndex]) -> Vec<(BodyIndex, Touched)> {
        let standing: Vec<Standing> = bodies.iter().map(|&index| self.standing(index)).collect();
        let mut overlaps = Vec::new();
        let mut cost = 0;
        self.overlaps_with_bodies(&standing, &mut cost, &mut overlaps);
        self.overlaps_with_scenery(&standing, &mut cost, &mut overlaps);
        overlaps
    }

    fn overlaps_with_bodies(&self, standing: &[Standing], cost: &mut usize, overlaps: &mut Vec<(BodyIndex, Touched)>) {
        let mut place_of = vec![None; self.bodies.len()];
        standing.iter().enumerate().for_each(|(place, body)| place_of[body.index] = Some(place));
        let left = |index: &usize| self.bodies[*index].center_in_world.x - self.bodies[*index].radius;
        let mut by_left: Vec<BodyIndex> = (0..self.bodies.len()).collect();
        by_left.sort_by(|a, b| left(a).total_cmp(&left(b)));
        for (place, &a) in by_left.iter().enumerate() {
            let right = self.bodies[a].center_in_world.x + self.bodies[a].radius;
            for &b in by_left[place + 1..].iter().take_while(|b| left(b) < right) {
                *cost += 1;
                if *cost > MAX_COST || overlaps.len() >= MAX_REPORTED {
                    return;
                }
                let (later, earlier) = (a.max(b), a.min(b));
                let (body, other) = match (place_of[later], place_of[earlier]) {
                    (Some(place), _) => (&standing[place], earlier),
                    (None, Some(place)) => (&standing[place], later),
                    (None, None) => continue,
                };
                if self.may_overlap(&self.bodies[body.index], &self.bodies[other]) {
                    *cost += COMPARISON;
                    let second = &self.bodies[other];
                    if self.pieces_of(second).any(|piece| body.meets(piece.shape(), &pose_of(second))) {
                        overlaps.push((body.index, Touched::Body(other)));
                    }
                }
            }
        }
    }

    fn overlaps_with_scenery(&self, standing: &[Standing], cost: &mut usize, overlaps: &mut Vec<(BodyIndex, Touched)>) {
        let present =
            self.scenery.iter().filter_map(|piece| Some((piece.number, self.engine.colliders.get(piece.handle?)?)));
        let scenery: Vec<(SceneryIndex, &Collider, Aabb)> =
            present.map(|(number, collider)| (number, collider, collider.compute_aabb())).collect();
        for body in standing {
            let Some(bounds) = body.bounds() else { continue };
            let storey = self.bodies[body.index].storey;
            for (number, collider, around) in &scenery {
                *cost += 1;
                if *cost > MAX_COST || overlaps.len() >= MAX_REPORTED {
                    return;
                }
                if !around.intersects(&bounds) || !self.collision_filter.may_touch(storey, *number) {
                    continue;
                }
                *cost += COMPARISON;
                if body.meets(collider.shape(), collider.position()) {
                    overlaps.push((body.index, Touched::Scenery(*number)));
                    break;
                }
            }
        }
    }

    fn standing(&self, index: BodyIndex) -> Standing {
        let body = &self.bodies[index];
        Standing { index, world_from_body: pose_of(body), pieces: self.pieces_of(body).filter_map(reduced).collect() }
    }

    /// Whether two bodies can collide, and the circles around them overlap.
    fn may_overlap(&self, a: &Body, b: &Body) -> bool {
        let apart = (b.center_in_world - a.center_in_world).norm();
        apart < a.radius + b.radius
            && !(a.is_prescribed && b.is_prescribed)
            && self.collision_filter.may_touch(a.storey, b.storey)
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

fn reduced(piece: &Collider) -> Option<SharedShape> {
    let corners = piece.shape().as_shape::<PieceShape>()?.polygon.points();
    let middle = corners.iter().fold(Vector::ZERO, |sum, &corner| sum + corner) / corners.len().max(1) as f64;
    let points: Vec<Vector> = corners.iter().map(|&corner| middle + REDUCED * (corner - middle)).collect();
    SharedShape::convex_hull(&points)
}
