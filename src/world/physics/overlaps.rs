//! Bodies that are placed inside each other are moved apart before they collide.
//!
//! The engine pushes what overlaps apart by its contacts. Deep inside of another body these have no direction that means anything, they
//! grow with the square of the number of bodies in one place, and where dozens contradict each other their solution leaves the finite
//! numbers. So a body that is put down (at the start, by a spawn or a teleport) deep in others is lifted: it touches nothing, counts
//! as colliding, and is carried away at [`SPEED`] until it stands in nobody's way, where it comes down. What becomes deep by motion is
//! the engine's, as everything else.
//!
//! Of two the one that stays is the larger, or of the same size the earlier. A lifted body goes straight away from those it was put
//! into; from the very middle of others in the direction of its index times the golden angle, which spreads any number of bodies
//! evenly (H. Vogel, "A better way to construct the sunflower head", Mathematical Biosciences 44, 1979). Before scenery it turns by
//! that angle. All that depends on the state alone.

use rapier2d_f64::parry::query;
use rapier2d_f64::prelude::ColliderHandle;

use super::{Body, BodyIndex, Physics, vector};
use crate::math::{Pose2, Rot2, Vec2};

/// How fast lifted bodies are carried [m/s]. Chosen: a person's pace, and half a minute for a thousand blocks of half a metre.
const SPEED: f64 = 1.0;
/// Bodies nearer than this share [-] of where their cores would touch are deep in each other.
const DEEP: f64 = 0.8;
/// With so many others of at least its size near a body that is put down, by their bounding circles, it is lifted as well. Chosen: far
/// more than find room around one without being deep in it, unless they are thin bars in one bundle. It bounds the pairs of bodies that
/// the engine has to look at.
const MOST_NEAR: u32 = 256;
/// π·(3 − √5) [rad].
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// The largest circle about the middle of a body that lies within it.
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
        let distance = |(a, b): (Vec2, Vec2)| (b - a).cross(center - a) / (b - a).norm().max(f64::MIN_POSITIVE);
        Core { center, radius: edges().map(distance).fold(f64::INFINITY, f64::min).max(0.0) }
    }

    /// The larger of two; of equal ones the first.
    pub(super) fn larger(self, other: Core) -> Core {
        if other.radius > self.radius { other } else { self }
    }
}

/// Whether a body stands among others, or is carried away from them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Stand {
    /// It has stood for a while.
    #[default]
    Down,
    /// It was put where it is since it was last looked at.
    New,
    /// It is carried in this direction [-] of the world.
    Lifted(Vec2),
}

impl Stand {
    pub(super) fn is_lifted(self) -> bool {
        matches!(self, Stand::Lifted(_))
    }
}

/// What is in the way of a body of those that stay before it goes.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    near: u32,
    /// Whether it has to be lifted, or to stay so.
    is_deep: bool,
    /// Sum of the directions away from those it is deep in [-].
    away: Vec2,
}

/// Memory for looking at them.
#[derive(Debug, Default)]
pub(super) struct Overlaps {
    around: Vec<Around>,
    /// Something was put somewhere, or is lifted.
    pub(super) are_due: bool,
}

impl Body {
    fn middle(&self) -> Vec2 {
        self.position() + self.world_from_body * self.core.center
    }

    /// Whether it stays where it is and the other goes; the numbers are theirs.
    fn stays(&self, index: BodyIndex, other: &Body, other_index: BodyIndex) -> bool {
        let rank = |body: &Body| (body.is_prescribed, !body.stand.is_lifted());
        let (own, others) = (rank(self), rank(other));
        if own != others {
            return own > others;
        }
        if self.radius == other.radius { index < other_index } else { self.radius > other.radius }
    }
}

impl Physics {
    /// Lifts what was put down deep in others, and lets down what stands in nobody's way any more.
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
                if body.stand == Stand::Down && other.stand == Stand::Down {
                    continue;
                }
                let (stays, goes) = if body.stays(a as usize, other, b as usize) { (a, b) } else { (b, a) };
                self.look_around(stays as usize, goes as usize, &mut around[goes as usize]);
            }
        }
        let mut are_due = false;
        for (index, around) in around.iter().enumerate() {
            let must_go = around.is_deep || around.near > MOST_NEAR;
            let before = self.bodies[index].stand;
            let now = match before {
                _ if !must_go => Stand::Down,
                Stand::Lifted(_) => before,
                Stand::Down | Stand::New => Stand::Lifted(direction(around.away, index)),
            };
            self.bodies[index].stand = now;
            are_due |= now.is_lifted();
            if before.is_lifted() != now.is_lifted() {
                self.let_collide(index, !now.is_lifted());
            }
        }
        (self.overlaps.around, self.overlaps.are_due) = (around, are_due);
    }

    /// Adds to what is `around` the body `goes` the body `stays`.
    fn look_around(&self, stays: BodyIndex, goes: BodyIndex, around: &mut Around) {
        let (stays, goes) = (&self.bodies[stays], &self.bodies[goes]);
        let between = goes.center_in_world - stays.center_in_world;
        let reach = goes.radius + stays.radius;
        if goes.is_prescribed
            || between.dot(between) >= reach * reach
            || !self.storeys.may_touch(stays.storey, goes.storey)
        {
            return;
        }
        around.near += 1;
        if goes.stand.is_lifted() {
            around.is_deep = around.is_deep || self.overlap(stays, goes);
            return;
        }
        let between = goes.middle() - stays.middle();
        let (distance, reach) = (between.norm(), DEEP * (goes.core.radius + stays.core.radius));
        if distance < reach {
            around.is_deep = true;
            if distance > 1e-3 * reach {
                around.away = around.away + (1.0 / distance) * between;
            }
        }
    }

    /// Whether two bodies overlap as they stand, or are as near as counts for colliding.
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
        colliders(a).any(|one| {
            colliders(b).any(|other| {
                query::distance(&at_a, one.shape(), &at_b, other.shape())
                    .is_ok_and(|found| found.distance <= self.collision_threshold)
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

    /// Carries lifted bodies on by a step.
    pub(super) fn move_lifted(&mut self) {
        if !self.overlaps.are_due {
            return;
        }
        for index in 0..self.bodies.len() {
            let body = &self.bodies[index];
            let Stand::Lifted(direction) = body.stand else { continue };
            let way = (self.dt * SPEED) * direction;
            let (middle, radius) = (body.middle(), body.core.radius);
            let free = |p: Vec2| self.distance_from_scenery(body.storey, vector(p), radius).unwrap_or(radius);
            let after = free(middle + way);
            let is_free = after >= radius || after > free(middle);
            let body = &mut self.bodies[index];
            if is_free {
                body.center_in_world = body.center_in_world + way;
            } else {
                body.stand = Stand::Lifted(Rot2::new(GOLDEN_ANGLE) * direction);
            }
        }
    }
}

/// The direction of a body with this index that is to go away from others, given the sum of the directions away from each.
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
    fn who_stands_in_the_very_middle_goes_by_its_index_and_others_straight_away() {
        assert_eq!(direction(Vec2::new(0.0, -3.0), 7), Vec2::new(0.0, -1.0));
        let ways: Vec<Vec2> = (0..50).map(|index| direction(Vec2::ZERO, index)).collect();
        let nearest = |i: usize| ways[..i].iter().map(|way| (*way - ways[i]).norm()).fold(f64::INFINITY, f64::min);
        assert!((1..50).all(|i| nearest(i) > 2.0 / 50.0 && (ways[i].norm() - 1.0).abs() < 1e-12));
    }
}
