//! Coulomb friction with speed-dependent rolling resistance, `<friction class="wardiagnemma">`.
//!
//! Source: C. C. Ward and K. Iagnemma, "A dynamic-model-based wheel slip detector for mobile robots on outdoor terrain",
//! IEEE Transactions on Robotics 24 (2008); MVSim's manual (B. Tymchenko, "Multiple Vehicle Simulator", 2020), §4.2.3:
//! F_rr = −sign(vx)·N·(R1·(1 − e^(−A_roll·|vx|)) + R2·|vx|). On a rolling wheel it acts as the torque F_rr·R about the axle.
//! MVSim adds it to the force of the contact instead: that spins the wheel up by the same amount, and the sticking demand of the
//! next step cancels it, so that MVSim's vehicles coast as if R1 and R2 were zero.
//!
//! ```xml
//! <friction class="wardiagnemma">
//!   <mu>0.8</mu>                <!-- friction coefficient [-], ≥ 0 -->
//!   <C_damping>0.01</C_damping> <!-- bearing damping [N·m·s/rad], ≥ 0 -->
//!   <C_rr>0</C_rr>              <!-- further constant rolling resistance [-], ≥ 0 -->
//!   <A_roll>50</A_roll>         <!-- how fast the static part rises [s/m], ≥ 0 -->
//!   <R1>0.0075</R1>             <!-- static part [-], ≥ 0 -->
//!   <R2>0.02</R2>               <!-- part proportional to speed [s/m], ≥ 0 -->
//!   <limit>circle</limit>       <!-- circle: |F| ≤ μN; axes: each axis ≤ μN, as MVSim -->
//!   <resistance>axle</resistance> <!-- axle: F_rr·R brakes the wheel; contact: as MVSim, and the default under its rules -->
//! </friction>
//! ```
//! Not modelled: the same effects as under the default law.

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use super::{
    FrictionLaw, LawDefaults, Limit, Sticking, WheelContact, WheelReaction, react, react_locked, read_common,
    resisting_torque, sticking, sticking_force,
};

/// Where the law's own rolling resistance acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResistanceAt {
    /// As a torque about the axle.
    #[default]
    Axle,
    /// As a force at the contact: MVSim's rule, without effect on a rolling wheel.
    Contact,
}

/// Parameters of the law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WardIagnemma {
    /// Friction coefficient [-].
    pub mu: f64,
    /// Bearing damping [N·m·s/rad].
    pub damping: f64,
    /// Constant rolling resistance coefficient [-], in addition to the law's own.
    pub rolling_resistance: f64,
    /// Rise of the static part over speed [s/m].
    pub a_roll: f64,
    /// Static part [-].
    pub r1: f64,
    /// Part proportional to speed [s/m].
    pub r2: f64,
    /// How the force is limited.
    pub limit: Limit,
    /// Where R1 and R2 act.
    pub resistance_at: ResistanceAt,
}

impl Default for WardIagnemma {
    fn default() -> WardIagnemma {
        WardIagnemma {
            mu: 0.8,
            damping: 0.01,
            rolling_resistance: 0.0,
            a_roll: 50.0,
            r1: 0.0075,
            r2: 0.02,
            limit: Limit::Circle,
            resistance_at: ResistanceAt::Axle,
        }
    }
}

impl WardIagnemma {
    /// Reads the XML block above; `defaults` apply to missing tags.
    pub fn read(reader: &Reader<'_>, defaults: &LawDefaults) -> WardIagnemma {
        let default = WardIagnemma::default();
        let (mu, damping, rolling_resistance) =
            read_common(reader, default.mu, default.damping, default.rolling_resistance);
        WardIagnemma {
            mu,
            damping,
            rolling_resistance,
            a_roll: reader.f64("A_roll", default.a_roll, Accept::non_negative()),
            r1: reader.f64("R1", default.r1, Accept::non_negative()),
            r2: reader.f64("R2", default.r2, Accept::non_negative()),
            limit: Limit::read(reader, defaults.limit),
            resistance_at: reader.choice(
                "resistance",
                defaults.resistance_at,
                &[("axle", ResistanceAt::Axle), ("contact", ResistanceAt::Contact)],
            ),
        }
    }

    /// The law's rolling resistance [N] along x under `load` [N] at `speed` [m/s].
    #[inline]
    pub fn resistance(&self, load: f64, speed: f64) -> f64 {
        if speed == 0.0 {
            return 0.0;
        }
        let magnitude = speed.abs();
        -speed.signum() * load * (self.r1 * (1.0 - libm::exp(-self.a_roll * magnitude)) + self.r2 * magnitude)
    }
}

impl FrictionLaw for WardIagnemma {
    #[inline]
    fn react(&self, contact: &WheelContact) -> WheelReaction {
        let max = contact.ground_mu.unwrap_or(self.mu) * contact.load;
        if contact.locked {
            return react_locked(contact, self.limit, max);
        }
        let mut torque = resisting_torque(contact, self.damping, self.rolling_resistance);
        let resistance = self.resistance(contact.load, contact.velocity_in_wheel.x);
        let demand = match self.resistance_at {
            ResistanceAt::Axle => {
                torque += resistance * contact.radius;
                sticking_force(contact, torque)
            }
            ResistanceAt::Contact => sticking_force(contact, torque) + Vec2::new(resistance, 0.0),
        };
        let force = self.limit.apply(demand, max);
        react(contact, torque, force, (self.limit, max), max, self.damping)
    }

    fn sticking(&self, contact: &WheelContact, spin: f64) -> Option<Sticking> {
        let sticking = sticking(contact, spin, self.damping, self.rolling_resistance, self.limit, self.mu);
        let resistance = self.resistance(contact.load, contact.velocity_in_wheel.x) * contact.radius;
        Some(Sticking { losses: sticking.losses + resistance, ..sticking })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At a·v = ln 2 the static part has risen to one half; the part proportional to speed adds to it.
    #[test]
    fn the_static_part_rises_exponentially() {
        let law = WardIagnemma { r1: 0.2, r2: 0.03, a_roll: 5.0, ..WardIagnemma::default() };
        let speed = std::f64::consts::LN_2 / 5.0;
        let expected = 100.0 * (0.1 + 0.03 * speed);
        assert!((law.resistance(100.0, speed) + expected).abs() < 1e-12);
        assert!((law.resistance(100.0, -speed) - expected).abs() < 1e-12, "against the motion");
        assert_eq!(law.resistance(100.0, 0.0), 0.0);
    }
}
