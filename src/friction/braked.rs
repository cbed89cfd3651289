//! A wheel under a service brake: a torque that opposes its turning, and holds it when it stands.

use super::{FrictionLaw, WheelContact, WheelReaction};

/// What the contact does while a brake of the capacity `brake_torque` [N·m] ≥ 0 acts on the wheel.
#[inline]
pub fn react_braked(law: &dyn FrictionLaw, contact: &WheelContact, brake_torque: f64) -> WheelReaction {
    if brake_torque <= 0.0 {
        return law.react(contact);
    }
    let turning = WheelContact { torque: contact.torque - brake_torque.copysign(contact.spin), ..*contact };
    let reaction = law.react(&turning);
    let next = contact.spin + reaction.spin_acceleration * contact.dt;
    if contact.spin != 0.0 && next * contact.spin > 0.0 {
        return reaction;
    }
    law.react(&WheelContact { locked: true, ..*contact })
}
