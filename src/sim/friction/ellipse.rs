//! Saturating slip forces coupled by an ellipse, `<friction class="ellipse">`.
//!
//! Source: the ellipse curve method, with the parameter names of MVSim 1.2 (mvsimulator.readthedocs.io, "Physics models").
//! The largest force along each axis grows with its slip up to a saturation and shrinks with the other axis' slip:
//! F_x,max = N·C_s·sat(s)·√(1 − C_s_alpha·(sat(α)/α_s)²), F_y,max = N·C_alpha·sat(α)·√(1 − C_alpha_s·(sat(s)/s_s)²).
//! The force is the sticking demand within those limits. MVSim's own code subtracts the steering angle twice and lets the
//! limits carry the sign of the slip; here slips are taken in the wheel frame and limits are magnitudes.
//!
//! ```xml
//! <friction class="ellipse">
//!   <mu>1</mu>                                 <!-- upper bound of |F|/N [-], ≥ 0 -->
//!   <C_damping>0.01</C_damping>                <!-- bearing damping [N·m·s/rad], ≥ 0 -->
//!   <C_rr>0</C_rr>                             <!-- rolling resistance [-], ≥ 0 -->
//!   <C_alpha>8.5</C_alpha>                     <!-- cornering stiffness over load [1/rad], ≥ 0 -->
//!   <C_s>7.5</C_s>                             <!-- longitudinal stiffness over load [-], ≥ 0 -->
//!   <slip_angle_saturation>0.1</slip_angle_saturation> <!-- [rad], > 0 -->
//!   <slip_ratio_saturation>0.1</slip_ratio_saturation> <!-- [-], > 0 -->
//!   <C_alpha_s>0.5</C_alpha_s>                 <!-- loss of lateral by longitudinal slip [-], 0 to 1 -->
//!   <C_s_alpha>0.5</C_s_alpha>                 <!-- loss of longitudinal by lateral slip [-], 0 to 1 -->
//!   <limit>circle</limit>                      <!-- how μN bounds the vector: circle or axes -->
//! </friction>
//! ```
//! Force requires slip, so that a free wheel creeps slightly under any pull; a locked one sticks. Under MVSim's rules
//! this law ignores the ground's own μ.
//! Not modelled: the falling branch beyond the peak (see a Magic Formula for that).

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use super::{
    FrictionLaw, LawDefaults, Limit, WheelContact, WheelReaction, react, react_locked, resisting_torque, slip_angle,
    slip_ratio, sticking_force, within,
};

/// Parameters of the law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    /// Upper bound of force over load [-].
    pub mu: f64,
    /// Bearing damping [N·m·s/rad].
    pub damping: f64,
    /// Rolling resistance coefficient [-].
    pub rolling_resistance: f64,
    /// Cornering stiffness over load [1/rad].
    pub c_alpha: f64,
    /// Longitudinal stiffness over load [-].
    pub c_s: f64,
    /// Slip angle [rad] at which the lateral force stops growing.
    pub slip_angle_saturation: f64,
    /// Slip ratio [-] at which the longitudinal force stops growing.
    pub slip_ratio_saturation: f64,
    /// Share of the lateral limit lost at full longitudinal slip [-].
    pub c_alpha_s: f64,
    /// Share of the longitudinal limit lost at full lateral slip [-].
    pub c_s_alpha: f64,
    /// How the force is limited by μ·N.
    pub limit: Limit,
    /// Whether the ground's μ is ignored.
    pub ignores_ground: bool,
}

impl Default for Ellipse {
    fn default() -> Ellipse {
        Ellipse {
            mu: 1.0,
            damping: 0.01,
            rolling_resistance: 0.0,
            c_alpha: 8.5,
            c_s: 7.5,
            slip_angle_saturation: 0.1,
            slip_ratio_saturation: 0.1,
            c_alpha_s: 0.5,
            c_s_alpha: 0.5,
            limit: Limit::Circle,
            ignores_ground: false,
        }
    }
}

impl Ellipse {
    /// Reads the XML block above; `defaults` apply to missing tags.
    pub fn read(reader: &Reader<'_>, defaults: &LawDefaults) -> Ellipse {
        let d = Ellipse::default();
        let (mu, damping, rolling_resistance) = super::read_common(reader, d.mu, d.damping, d.rolling_resistance);
        let share = Accept::range(0.0, 1.0);
        Ellipse {
            mu,
            damping,
            rolling_resistance,
            c_alpha: reader.f64("C_alpha", d.c_alpha, Accept::non_negative()),
            c_s: reader.f64("C_s", d.c_s, Accept::non_negative()),
            slip_angle_saturation: reader.f64("slip_angle_saturation", d.slip_angle_saturation, Accept::positive()),
            slip_ratio_saturation: reader.f64("slip_ratio_saturation", d.slip_ratio_saturation, Accept::positive()),
            c_alpha_s: reader.f64("C_alpha_s", d.c_alpha_s, share),
            c_s_alpha: reader.f64("C_s_alpha", d.c_s_alpha, share),
            limit: Limit::read(reader, defaults.limit),
            ignores_ground: defaults.ellipse_ignores_ground,
        }
    }

    /// Largest force [N] along each axis at this slip angle [rad] and slip ratio [-] under `load` [N].
    pub fn limits(&self, load: f64, slip_angle: f64, slip_ratio: f64) -> Vec2 {
        let angle = slip_angle.abs().min(self.slip_angle_saturation);
        let ratio = slip_ratio.abs().min(self.slip_ratio_saturation);
        let (angle_share, ratio_share) = (angle / self.slip_angle_saturation, ratio / self.slip_ratio_saturation);
        Vec2::new(
            load * self.c_s * ratio * (1.0 - self.c_s_alpha * angle_share * angle_share).sqrt(),
            load * self.c_alpha * angle * (1.0 - self.c_alpha_s * ratio_share * ratio_share).sqrt(),
        )
    }
}

impl FrictionLaw for Ellipse {
    fn react(&self, contact: &WheelContact) -> WheelReaction {
        let ground_mu = contact.ground_mu.filter(|_| !self.ignores_ground);
        let max = ground_mu.unwrap_or(self.mu) * contact.load;
        if contact.locked {
            return react_locked(contact, self.limit, max);
        }
        let torque = resisting_torque(contact, self.damping, self.rolling_resistance);
        let demand = sticking_force(contact, torque);
        let angle = slip_angle(contact.velocity_in_wheel);
        let ratio = slip_ratio(contact.velocity_in_wheel, contact.spin * contact.radius);
        let most = self.limits(contact.load, angle, ratio);
        let force = Vec2::new(within(demand.x, most.x), within(demand.y, most.y));
        react(contact, torque, self.limit.apply(force, max), (self.limit, max), most.x, self.damping)
    }
}
