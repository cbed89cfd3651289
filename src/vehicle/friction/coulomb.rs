//! Coulomb friction, `<friction class="default">`: the wheel grips up to μ·N.
//!
//! Source: MVSim's manual (B. Tymchenko, "Multiple Vehicle Simulator", 2020), §4.2.2, with the rolling resistance of MVSim 1.2.
//! While the demand stays below the limit the wheel sticks: no lateral motion, spin equal to vx/R one step later.
//! Beyond it the force is limited and the wheel slips.
//!
//! ```xml
//! <friction class="default">
//!   <mu>0.8</mu>                <!-- friction coefficient [-], ≥ 0 -->
//!   <C_damping>0.01</C_damping> <!-- bearing damping [N·m·s/rad], ≥ 0 -->
//!   <C_rr>0</C_rr>              <!-- rolling resistance [-] of C_rr·N·R, ≥ 0 -->
//!   <limit>circle</limit>       <!-- circle: |F| ≤ μN; axes: each axis ≤ μN, as MVSim -->
//! </friction>
//! ```
//! Not modelled: slip stiffness, speed dependence of μ, camber, the difference between static and sliding friction.

use skidpad_xml::Reader;

use super::{
    FrictionLaw, LawDefaults, Limit, Sticking, WheelContact, WheelReaction, react, react_locked, read_common,
    resisting_torque, sticking, sticking_force,
};

/// Parameters of the law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coulomb {
    /// Friction coefficient [-].
    pub mu: f64,
    /// Bearing damping [N·m·s/rad].
    pub damping: f64,
    /// Rolling resistance coefficient [-].
    pub rolling_resistance: f64,
    /// How the force is limited.
    pub limit: Limit,
}

impl Default for Coulomb {
    fn default() -> Coulomb {
        Coulomb { mu: 0.8, damping: 0.01, rolling_resistance: 0.0, limit: Limit::Circle }
    }
}

impl Coulomb {
    /// Reads the XML block above; `defaults` apply to missing tags.
    pub fn read(reader: &Reader<'_>, defaults: &LawDefaults) -> Coulomb {
        let default = Coulomb::default();
        let (mu, damping, rolling_resistance) =
            read_common(reader, default.mu, default.damping, default.rolling_resistance);
        Coulomb { mu, damping, rolling_resistance, limit: Limit::read(reader, defaults.limit) }
    }
}

impl FrictionLaw for Coulomb {
    #[inline]
    fn react(&self, contact: &WheelContact) -> WheelReaction {
        let max = contact.ground_mu.unwrap_or(self.mu) * contact.load;
        if contact.locked {
            return react_locked(contact, self.limit, max);
        }
        let torque = resisting_torque(contact, self.damping, self.rolling_resistance);
        let force = self.limit.apply(sticking_force(contact, torque), max);
        react(contact, torque, force, (self.limit, max), max, self.damping)
    }

    #[inline]
    fn sticking(&self, contact: &WheelContact, spin: f64) -> Option<Sticking> {
        Some(sticking(contact, spin, self.damping, self.rolling_resistance, self.limit, self.mu))
    }
}
