//! How far bodies may travel before any two can touch; until then steps need no collision engine.

use rapier2d_f64::prelude::{Collider, ColliderHandle, QueryFilter, Vector};

use super::{Body, BodyIndex, CROWDED_STEPS, MAX_CLEARANCE, MIN_CLEARANCE, Physics, vector};

impl Physics {
    /// Measures how far every body may travel before any two can touch. Two bodies that both move share their gap.
    pub(super) fn measure_clearance(&mut self) {
        let margin = self.collision_threshold + MIN_CLEARANCE;
        self.sort_by_x();
        let bodies = &self.bodies;
        let mut gap = 2.0 * MAX_CLEARANCE;
        'outer: for (i, &a) in self.by_x.iter().enumerate() {
            let body = &bodies[a as usize];
            let reach = body.center_in_world.x + body.radius;
            for &b in &self.by_x[i + 1..] {
                let other = &bodies[b as usize];
                if left_end(bodies, b) - reach >= gap {
                    break;
                }
                if (body.is_prescribed && other.is_prescribed)
                    || self.collision_filter.are_joined(body.storey, other.storey)
                {
                    continue;
                }
                let distance = (other.center_in_world - body.center_in_world).norm();
                gap = gap.min(distance - body.radius - other.radius);
                if gap <= margin {
                    break 'outer;
                }
            }
        }
        let mut clearance = 0.5 * (gap - self.collision_threshold);
        for index in 0..self.bodies.len() {
            clearance = self.clearance_from_scenery(index, clearance);
        }
        if clearance > MIN_CLEARANCE {
            self.clearance = clearance;
        } else {
            self.clearance = 0.0;
            self.crowded_steps = CROWDED_STEPS;
        }
    }

    /// Sorts the bodies by their left ends.
    pub(super) fn sort_by_x(&mut self) {
        let bodies = &self.bodies;
        // Nearly sorted from the last call, so insertion sort is cheapest.
        for i in 1..self.by_x.len() {
            let mut k = i;
            while k > 0 && left_end(bodies, self.by_x[k]) < left_end(bodies, self.by_x[k - 1]) {
                self.by_x.swap(k, k - 1);
                k -= 1;
            }
        }
    }

    /// The part of `clearance` [m] that a body may travel without touching scenery.
    pub(super) fn clearance_from_scenery(&self, index: BodyIndex, clearance: f64) -> f64 {
        let body = &self.bodies[index];
        if !self.has_static || body.is_prescribed || clearance <= MIN_CLEARANCE {
            return clearance;
        }
        let farthest = body.radius + self.collision_threshold + clearance;
        let center = vector(body.center_in_world);
        let Some(distance) = self.distance_from_scenery(body.storey, center, farthest) else { return clearance };
        let free = if distance > 0.0 { distance - body.radius - self.collision_threshold } else { 0.0 };
        clearance.min(free)
    }

    /// Distance [m] of a point `p` [m] in the world from scenery that `storey` can collide with, 0 inside; none beyond
    /// `farthest` [m].
    pub(super) fn distance_from_scenery(&self, storey: u32, p: Vector, farthest: f64) -> Option<f64> {
        let touches =
            |_: ColliderHandle, scenery: &Collider| !self.collision_filter.are_joined(storey, scenery.user_data as u32);
        let query = self.engine.broad_phase.as_query_pipeline(
            self.engine.narrow_phase.query_dispatcher(),
            &self.engine.bodies,
            &self.engine.colliders,
            QueryFilter::only_fixed().predicate(&touches),
        );
        let (_, hit) = query.project_point(p, farthest, true)?;
        Some(if hit.is_inside { 0.0 } else { (hit.point - p).length() })
    }

    /// How far a body and all others may travel before the body can touch anything [m].
    pub(super) fn clearance_of(&self, index: BodyIndex) -> f64 {
        let body = &self.bodies[index];
        let mut gap = 2.0 * MAX_CLEARANCE;
        for (_, other) in self.bodies.iter().enumerate().filter(|(other, _)| *other != index) {
            let are_both_carried = body.is_prescribed && other.is_prescribed;
            if !are_both_carried && !self.collision_filter.are_joined(body.storey, other.storey) {
                let distance = (other.center_in_world - body.center_in_world).norm();
                gap = gap.min(distance - body.radius - other.radius);
            }
        }
        self.clearance_from_scenery(index, 0.5 * (gap - self.collision_threshold))
    }
}

fn left_end(bodies: &[Body], index: u32) -> f64 {
    let body = &bodies[index as usize];
    body.center_in_world.x - body.radius
}
