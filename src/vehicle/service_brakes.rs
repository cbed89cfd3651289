//! Service brakes: from the pedal to the torque at each wheel.

use super::wheel::WheelParameters;
use crate::friction::WheelContact;
use crate::xml::Reader;

/// Pedal to torque.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceBrakes {}

impl ServiceBrakes {
    /// Reads its block from `<dynamics>`; none where there is no such block.
    pub fn read(_dynamics: &Reader<'_>, _wheels: &[WheelParameters]) -> Option<ServiceBrakes> {
        None
    }

    /// Adds the torque capacity of the brake at each wheel [N·m], ≥ 0, for the pedal at `pedal` [-], 0 to 1.
    pub fn torques(&mut self, _pedal: f64, _contacts: &[WheelContact], _torque: &mut [f64]) {}

    /// Back to rest.
    pub fn reset(&mut self) {}
}
