//! Moves apart bodies that are placed inside each other, before they collide.
//!
//! The engine separates overlapping bodies by contacts. Deep inside another body the direction of a contact is arbitrary, the
//! number of contacts grows with the square of the number of bodies in one place, and with dozens of contradictory contacts the
//! solution overflows. So a body placed deep inside others (at the start, by a spawn or a teleport) is lifted: it touches nothing,
//! counts as colliding, and is carried away at [`SPEED`] until it overlaps no other body, where it is set down. Deep overlaps that
//! arise from motion are left to the engine.
//!
//! Of two bodies the larger one stays, or the earlier one if they have the same size. A lifted body moves straight away from those
//! it was placed in. From the exact centre of others it moves in the direction of its index times the golden angle, which spreads
//! any number of bodies evenly (H. Vogel, "A better way to construct the sunflower head", Mathematical Biosciences 44, 1979). At
//! scenery it turns by that angle. All of this depends on the state alone.

use rapier2d_f64::parry::query;
use rapier2d_f64::prelude::ColliderHandle;
use skidpad_math::{Pose2, Rot2, Vec2};

use super::{Body, BodyIndex, Physics, circle, vector};

/// Speed at which lifted bodies are carried [m/s]. Chosen: walking pace, half a minute for a thousand blocks of half a metre.
const SPEED: f64 = 1.0;
/// Bodies overlap deeply when closer than this share [-] of the distance at which their cores would touch.
const DEEP: f64 = 0.8;
/// A newly placed body is lifted as well when the bounding circles of this many others of at least its size overlap its own. Chosen:
/// far more than fit around a body without overlapping it deeply, except thin bars in a bundle. It bounds the pairs of bodies that
/// the engine has to check.
const MAX_NEAR: u32 = 256;
/// π·(3 − √5) [rad].
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// The largest circle about the middle of a body that lies inside the body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Core {
    /// Its centre [m] in the body frame.
    pub(super) center: Vec2,
    /// Its radius [m].
    pub(super) radius: f64,
}

impl Core {
    /// Of a convex outline [m], counter-clockwise.
    pub(super) fn of(outline: &[Vec2]) -> Core {
        let edges = || (0..outline.len()).map(|i| (outline[i], outline[(i + 1) % outline.len()]));
        let (mut twice_area, mut moment) = (0.0, Vec2::ZERO);
        for (a, b) in edges() {
            twice_area += a.cross(b);
            moment = moment + a.cross(b) * (a + b);
        }
        if twice_area <= 0.0 {
            return Core::default();
        }
        let center = (1.0 / (3.0 * twice_area)) * moment;
        let distance = |a: Vec2, b: Vec2| (b - a).cross(center - a) / (b - a).norm().max(f64::MIN_POSITIVE);
        let distances = edges().map(|(a, b)| distance(a, b));
        Core { center, radius: distances.fold(f64::INFINITY, f64::min).max(0.0) }
    }

    /// The larger of two; the first if they are equal.
    pub(super) fn larger(self, other: Core) -> Core {
        if other.radius > self.radius { other } else { self }
    }
}

/// Whether a body is settled among others, newly placed, or carried away from them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Placement {
    /// It has been checked since it was placed.
    #[default]
    Settled,
    /// It was placed since the last check.
    New,
    /// It is carried in this direction [-] in the world.
    Lifted(Vec2),
}

impl Placement {
    pub(super) fn is_lifted(self) -> bool {
        matches!(self, Placement::Lifted(_))
    }
}

/// Summary of the bodies that stay around one that may have to be lifted.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    near: u32,
    /// Whether it has to be lifted, or to stay lifted.
    is_deep: bool,
    /// Sum of the directions away from those it overlaps deeply [-].
    away: Vec2,
}

/// Workspace of the checks.
#[derive(Debug, Default)]
pub(super) struct Overlaps {
    around: Vec<Around>,
    /// Whether any body was newly placed, or is lifted.
    pub(super) are_due: bool,
}

impl Body {
    fn middle(&self) -> Vec2 {
        self.position() + self.world_from_body * self.core.center
    }

    /// Whether the first of two bodies stays and the other goes; the numbers are their indices.
    fn stays(&self, index: BodyIndex, other: &Body, other_index: BodyIndex) -> bool {
        let rank = |body: &Body| (body.is_prescribed, !body.placement.is_lifted());
        let (own_rank, other_rank) = (rank(self), rank(other));
        if own_rank != other_rank {
            return own_rank > other_rank;
        }
        if self.radius == other.radius { index < other_index } else { self.radius > other.radius }
    }
}

impl Physics {
    /// Lifts bodies that were placed deep inside others, and sets down those that overlap no other body any more.
    pub(super) fn separate_overlaps(&mut self) {
        self.sort_by_x();
        let mut around = std::mem::take(&mut self.overlaps.around);
        around.clear();
        around.resize(self.bodies.len(), Around::default());
        for (place, &a) in self.by_x.iter().enumerate() {
            let body = &self.bodies[a as usize];
            let right_end = body.center_in_world.x + body.radius;
            for &b in &self.by_x[place + 1..] {
                let other = &self.bodies[b as usize];
                if other.center_in_world.x - other.radius >= right_end {
                    break;
                }
                if body.placement == Placement::Settled && other.placement == Placement::Settled {
                    continue;
                }
                let (stays, goes) = if body.stays(a as usize, other, b as usize) { (a, b) } else { (b, a) };
                self.look_around(stays as usize, goes as usize, &mut around[goes as usize]);
            }
        }
        let mut are_due = false;
        for (index, around) in around.iter().enumerate() {
            let must_go = around.is_deep || around.near > MAX_NEAR;
            let before = self.bodies[index].placement;
            let now = match before {
                _ if !must_go => Placement::Settled,
                Placement::Lifted(_) => before,
                Placement::Settled | Placement::New => Placement::Lifted(direction(around.away, index)),
            };
            self.bodies[index].placement = now;
            are_due |= now.is_lifted();
            if before.is_lifted() != now.is_lifted() {
                self.let_collide(index, !now.is_lifted());
            }
        }
        (self.overlaps.around, self.overlaps.are_due) = (around, are_due);
    }

    /// Adds the body `stays` to the summary `around` of the body `goes`.
    fn look_around(&self, stays: BodyIndex, goes: BodyIndex, around: &mut Around) {
        let (stays, goes) = (&self.bodies[stays], &self.bodies[goes]);
        let between_centers = goes.center_in_world - stays.center_in_world;
        let reach = goes.radius + stays.radius;
        if goes.is_prescribed
            || between_centers.dot(between_centers) >= reach * reach
            || !self.collision_filter.may_touch(stays.storey, goes.storey)
        {
            return;
        }
        around.near += 1;
        if goes.placement.is_lifted() {
            around.is_deep = around.is_deep || self.overlap(stays, goes);
            return;
        }
        let between_middles = goes.middle() - stays.middle();
        let (distance, reach) = (between_middles.norm(), DEEP * (goes.core.radius + stays.core.radius));
        if distance < reach {
            around.is_deep = true;
            if distance > 1e-3 * reach {
                around.away = around.away + (1.0 / distance) * between_middles;
            }
        }
    }

    /// Whether two bodies overlap, or are closer than the collision threshold.
    fn overlap(&self, a: &Body, b: &Body) -> bool {
        let colliders = |body: &Body| {
            let rigid = self.engine.bodies.get(body.handle);
            let handles: &[ColliderHandle] = rigid.map_or(&[], |rigid| rigid.colliders());
            handles.iter().filter_map(|&handle| self.engine.colliders.get(handle))
        };
        let pose = |body: &Body| {
            let p = body.position();
            super::pose(Pose2::new(p.x, p.y, body.yaw))
        };
        let (at_a, at_b) = (pose(a), pose(b));
        colliders(a).any(|piece_of_a| {
            colliders(b).any(|piece_of_b| {
                let [a, b] = [piece_of_a.shape(), piece_of_b.shape()];
                match circle::distance(&at_a.inv_mul(&at_b), a, b) {
                    Some(distance) => distance <= self.collision_threshold,
                    None => query::distance(&at_a, a, &at_b, b)
                        .is_ok_and(|nearest| nearest.distance <= self.collision_threshold),
                }
            })
        })
    }

    fn let_collide(&mut self, index: BodyIndex, collides: bool) {
        let body = &mut self.bodies[index];
        body.contacts_are_current &= collides;
        let Some(rigid) = self.engine.bodies.get(body.handle) else { return };
        for &handle in rigid.colliders() {
            if let Some(collider) = self.engine.colliders.get_mut(handle) {
                collider.set_enabled(collides);
            }
        }
    }

    /// Carries lifted bodies on for a step.
    pub(super) fn move_lifted(&mut self) {
        if !self.overlaps.are_due {
            return;
        }
        for index in 0..self.bodies.len() {
            let body = &self.bodies[index];
            let Placement::Lifted(direction) = body.placement else { continue };
            let displacement = (self.dt * SPEED) * direction;
            let (middle, radius) = (body.middle(), body.core.radius);
            let free = |p: Vec2| self.distance_from_scenery(body.storey, vector(p), radius).unwrap_or(radius);
            let after = free(middle + displacement);
            let is_free = after >= radius || after > free(middle);
            let body = &mut self.bodies[index];
            if is_free {
                body.center_in_world = body.center_in_world + displacement;
            } else {
                body.placement = Placement::Lifted(Rot2::new(GOLDEN_ANGLE) * direction);
            }
        }
    }
}

/// The direction in which the body with this index is carried away, given the sum of the directions away from each other body.
fn direction(away: Vec2, index: BodyIndex) -> Vec2 {
    let length = away.norm();
    if length > 1e-6 { (1.0 / length) * away } else { Rot2::new(GOLDEN_ANGLE * index as f64) * Vec2::new(1.0, 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_core_of_an_outline_is_the_circle_in_its_middle() {
        let outline = [(1.0, 1.0), (5.0, 1.0), (5.0, 3.0), (1.0, 3.0)].map(|(x, y)| Vec2::new(x, y));
        assert_eq!(Core::of(&outline), Core { center: Vec2::new(3.0, 2.0), radius: 1.0 });
        assert_eq!(Core::of(&outline[..2]).radius, 0.0);
    }

    #[test]
    fn from_the_exact_centre_the_index_gives_the_direction_and_otherwise_it_is_straight_away() {
        assert_eq!(direction(Vec2::new(0.0, -3.0), 7), Vec2::new(0.0, -1.0));
        let ways: Vec<Vec2> = (0..50).map(|index| direction(Vec2::ZERO, index)).collect();
        let nearest = |i: usize| ways[..i].iter().map(|way| (*way - ways[i]).norm()).fold(f64::INFINITY, f64::min);
        assert!((1..50).all(|i| nearest(i) > 2.0 / 50.0 && (ways[i].norm() - 1.0).abs() < 1e-12));
    }
}
