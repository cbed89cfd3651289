//! Saturating slip forces coupled by an ellipse, `<friction class="ellipse">`.
//!
//! Source: the ellipse curve method, with the parameter names of MVSim 1.2 (mvsimulator.readthedocs.io, "Physics models").
//! The largest force along each axis grows with its slip up to a saturation and shrinks with the other axis' slip:
//! F_x,max = N·C_s·sat(s)·√(1 − C_s_alpha·(sat(α)/α_s)²), F_y,max = N·C_alpha·sat(α)·√(1 − C_alpha_s·(sat(s)/s_s)²).
//! Those limits are the force here, up to what stops the wheel: [`super::tyre`] finds the slip with which a step ends, and how
//! the law holds a standing vehicle. MVSim's own code subtracts the steering angle twice and lets the limits carry the sign of the
//! slip; here slips are taken in the wheel frame and limits are magnitudes.
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

use super::tyre::{Patch, Tyre, react_by_slip};
use super::{FrictionLaw, LawDefaults, Limit, WheelContact, WheelReaction, react_locked, slip};

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
}

impl FrictionLaw for Ellipse {
    fn react(&self, contact: &WheelContact) -> WheelReaction {
        let ground_mu = contact.ground_mu.filter(|_| !self.ignores_ground);
        let max = ground_mu.unwrap_or(self.mu) * contact.load;
        if contact.locked {
            return react_locked(contact, self.limit, max);
        }
        let &Ellipse { mu, damping, rolling_resistance, limit, .. } = self;
        let tyre = Tyre { mu, damping, rolling_resistance, limit, ..Tyre::default() };
        react_by_slip(&tyre, contact, max, &EllipsePatch { law: self, load: contact.load, max })
    }
}

struct EllipsePatch<'a> {
    law: &'a Ellipse,
    /// [N]
    load: f64,
    /// μ·N [N].
    max: f64,
}

impl EllipsePatch<'_> {
    /// What is left of the force along one axis [-] when the other one has this slip, over its saturation, and loses `share` by it.
    #[inline]
    fn left(share: f64, slip: f64, saturation: f64) -> f64 {
        let slip = slip.abs().min(saturation) / saturation;
        (1.0 - share * slip * slip).sqrt()
    }
}

impl Patch for EllipsePatch<'_> {
    #[inline]
    fn stiffness(&self) -> Vec2 {
        self.load * Vec2::new(self.law.c_s, self.law.c_alpha)
    }

    #[inline]
    fn max_longitudinal_force(&self) -> f64 {
        self.max.min(self.load * self.law.c_s * self.law.slip_ratio_saturation)
    }

    /// The slip angle [rad].
    #[inline]
    fn scaled_lateral_slip(&self, tangent: f64) -> f64 {
        slip::angle_of(tangent)
    }

    #[inline]
    fn longitudinal_force(&self, ratio: f64, angle: f64, peak_share: f64, _drives: bool) -> (f64, f64) {
        let &Ellipse { c_s, slip_ratio_saturation, slip_angle_saturation, c_s_alpha, .. } = self.law;
        let slope = peak_share * self.load * c_s * EllipsePatch::left(c_s_alpha, angle, slip_angle_saturation);
        let force = slope * ratio.min(slip_ratio_saturation);
        if force >= self.max {
            (self.max, 0.0)
        } else if ratio >= slip_ratio_saturation {
            (force, 0.0)
        } else {
            (force, slope)
        }
    }

    #[inline]
    fn lateral_force(&self, angle: f64, ratio: f64, _longitudinal: f64, _drives: bool) -> f64 {
        let &Ellipse { c_alpha, slip_ratio_saturation, slip_angle_saturation, c_alpha_s, .. } = self.law;
        let left = EllipsePatch::left(c_alpha_s, ratio, slip_ratio_saturation);
        (self.load * c_alpha * angle.min(slip_angle_saturation) * left).min(self.max)
    }

    /// A locked wheel sticks up to μ·N along both axes.
    fn sliding_ellipse(&self) -> Vec2 {
        Vec2::new(self.max, self.max)
    }
}
