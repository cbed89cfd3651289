//! What resists a vehicle's motion beside its tyres: air.

use crate::math::Vec2;
use crate::xml::Reader;

/// Resistance laws of the vehicle as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Resistance {}

impl Resistance {
    /// Reads its block from `<dynamics>`; without one nothing resists.
    pub fn read(_dynamics: &Reader<'_>) -> Resistance {
        Resistance::default()
    }

    /// Force of the air on the body [N] at the centre of mass, which moves with `velocity_in_body` [m/s].
    #[inline]
    pub fn air(&self, _velocity_in_body: Vec2) -> Vec2 {
        Vec2::ZERO
    }

    /// Adds to the rolling resistance coefficient [-] at `speed` [m/s].
    #[inline]
    pub fn rolling(&self, _speed: f64) -> f64 {
        0.0
    }
}
