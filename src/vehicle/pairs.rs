//! Sums over wheels whose mirror image has the same bits. Drives list their wheels in pairs of left and right, and one amid them last. A
//! sum of two numbers does not depend on their order, one of more does: so the two of a pair are added first.

use std::ops::Add;

use skidpad_math::Vec2;

use super::Wrench;

/// The sum of terms in the order of the wheels.
#[inline]
pub(super) fn sum_by_pairs<T: Copy + Default + Add<Output = T>>(terms: impl IntoIterator<Item = T>) -> T {
    let mut terms = terms.into_iter();
    let mut sum = T::default();
    while let Some(left) = terms.next() {
        sum = sum + terms.next().map_or(left, |right| left + right);
    }
    sum
}

/// A wrench to which the forces at wheels are added in the order of the wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PairedWrench {
    whole: Wrench,
    pair: Wrench,
}

impl PairedWrench {
    /// What acts besides the forces at the wheels.
    #[inline]
    pub(super) fn new(besides: Wrench) -> PairedWrench {
        PairedWrench { whole: besides, pair: Wrench::default() }
    }

    /// Adds a force [N] at the wheel `index`, which stands at the point `at` [m], both in the body frame.
    #[inline(always)]
    pub(super) fn add(&mut self, index: usize, force_in_body: Vec2, at: Vec2) {
        if index.is_multiple_of(2) {
            self.pair = Wrench { force_in_body, torque: at.cross(force_in_body) };
        } else {
            self.pair.add(force_in_body, at);
            self.whole = self.sum();
            self.pair = Wrench::default();
        }
    }

    /// All of it.
    #[inline]
    pub(super) fn sum(&self) -> Wrench {
        let Wrench { force_in_body, torque } = self.pair;
        Wrench { force_in_body: self.whole.force_in_body + force_in_body, torque: self.whole.torque + torque }
    }
}
