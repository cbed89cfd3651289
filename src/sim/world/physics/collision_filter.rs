//! Collision filter: only bodies that share a height and are not joined can touch. Also the restitution of each pair.

use rapier2d_f64::prelude::{ColliderHandle, PairFilterContext, PhysicsHooks, SolverFlags};

use crate::raycast::{ALL_HEIGHTS, share_heights};

/// The vertical extents and restitutions of all bodies and pieces of scenery, and which of them are joined.
#[derive(Debug)]
pub(super) struct CollisionFilter {
    /// By the number of each collider. The first is that of colliders without a number, which extend over all heights.
    heights: Vec<[f64; 2]>,
    /// Restitution [-], by the same number.
    restitution: Vec<f64>,
    /// Pairs of numbers that do not collide because they are joined, the smaller first, sorted.
    joined: Vec<[u32; 2]>,
    /// Free numbers.
    free: Vec<u32>,
    pub(super) are_ignored: bool,
}

impl Default for CollisionFilter {
    fn default() -> CollisionFilter {
        CollisionFilter {
            heights: vec![ALL_HEIGHTS],
            restitution: vec![0.0],
            joined: Vec::new(),
            free: Vec::new(),
            are_ignored: false,
        }
    }
}

impl CollisionFilter {
    /// A number for a new body or piece of scenery with these heights [m] and this restitution [-].
    pub(super) fn add(&mut self, heights: [f64; 2], restitution: f64) -> u32 {
        let heights = if self.are_ignored { ALL_HEIGHTS } else { heights };
        if let Some(number) = self.free.pop() {
            (self.heights[number as usize], self.restitution[number as usize]) = (heights, restitution);
            return number;
        }
        self.restitution.push(restitution);
        self.heights.push(heights);
        (self.heights.len() - 1) as u32
    }

    /// Frees a number.
    pub(super) fn free(&mut self, number: u32) {
        self.joined.retain(|pair| !pair.contains(&number));
        self.free.push(number);
    }

    /// Largest number of entries that were ever needed at a time.
    pub(super) fn len(&self) -> usize {
        self.heights.len()
    }

    #[inline]
    pub(super) fn set(&mut self, number: u32, heights: [f64; 2]) {
        if !self.are_ignored
            && let Some(slot) = self.heights.get_mut(number as usize)
        {
            *slot = heights;
        }
    }

    /// The vertical extent of a collider [m].
    pub(super) fn heights(&self, number: u32) -> [f64; 2] {
        self.heights.get(number as usize).copied().unwrap_or(ALL_HEIGHTS)
    }

    /// Lets two colliders pass through each other, whatever their heights.
    pub(super) fn join(&mut self, a: u32, b: u32) {
        let pair = [a.min(b), a.max(b)];
        if let Err(place) = self.joined.binary_search(&pair) {
            self.joined.insert(place, pair);
        }
    }

    pub(super) fn are_joined(&self, a: u32, b: u32) -> bool {
        !self.joined.is_empty() && self.joined.binary_search(&[a.min(b), a.max(b)]).is_ok()
    }

    /// Restitution [-] of two colliders that meet: the larger.
    pub(super) fn restitution(&self, a: u32, b: u32) -> f64 {
        let of = |number: u32| self.restitution.get(number as usize).copied().unwrap_or(0.0);
        of(a).max(of(b))
    }

    /// Whether two colliders may touch.
    pub(super) fn may_touch(&self, a: u32, b: u32) -> bool {
        if self.are_joined(a, b) {
            return false;
        }
        match (self.heights.get(a as usize), self.heights.get(b as usize)) {
            (Some(&a), Some(&b)) => share_heights(a, b),
            _ => true,
        }
    }
}

impl PhysicsHooks for CollisionFilter {
    fn filter_contact_pair(&self, context: &PairFilterContext<'_>) -> Option<SolverFlags> {
        let number = |handle: ColliderHandle| context.colliders.get(handle).map_or(u32::MAX, |c| c.user_data as u32);
        let may_touch = self.may_touch(number(context.collider1), number(context.collider2));
        may_touch.then_some(SolverFlags::COMPUTE_RIGID_IMPULSES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_pairs_pass_through_each_other() {
        let mut filter = CollisionFilter::default();
        let [a, b, c] = [[0.0, 1.0], [0.5, 2.0], [1.5, 3.0]].map(|heights| filter.add(heights, 0.0));
        assert!(filter.may_touch(a, b) && !filter.may_touch(a, c));
        filter.join(b, a);
        assert!(!filter.may_touch(a, b) && filter.may_touch(b, c) && filter.are_joined(a, b));
        filter.set(c, [0.0, 0.4]);
        assert!(filter.may_touch(a, c) && !filter.may_touch(b, c));
    }
}
