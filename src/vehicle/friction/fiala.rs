//! Fiala's brush tyre, `<friction class="fiala">`.
//!
//! Source: E. Fiala, "Seitenkräfte am rollenden Luftreifen", VDI-Z 96 (1954); for combined slip the brush model of
//! H. B. Pacejka, "Tire and Vehicle Dynamics", 3rd ed., §3.2.3, and R. Hindiyeh and J. C. Gerdes, "A controller framework for
//! autonomous drifting", JDSMC 136 (2014). The bristles deflect by the slip velocity over the speed w = max(|ωR|, |vx|):
//! σ = (κ, vy/w), so that a wheel that only rolls has σ_y = tan α. With q = √((C_s·σ_x)² + (C_alpha·σ_y)²) the force is
//! F = q − q²/(3μN) + q³/(27μ²N²), and μN from q = 3μN on, where the whole contact patch slides. It points against
//! (C_s·σ_x, C_alpha·σ_y). See [`super::tyre`] for how the law holds a standing vehicle and drives light wheels at any step.
//!
//! ```xml
//! <friction class="fiala">
//!   <mu>0.8</mu>                     <!-- friction coefficient [-], ≥ 0 -->
//!   <C_damping>0.01</C_damping>      <!-- bearing damping [N·m·s/rad], ≥ 0 -->
//!   <C_rr>0</C_rr>                   <!-- rolling resistance [-] of C_rr·N·R, ≥ 0 -->
//!   <stiffness>per_load</stiffness>  <!-- per_load: C times the load on the wheel; absolute: C in newton, both to be given -->
//!   <C_alpha>10</C_alpha>            <!-- cornering stiffness [1/rad] or [N/rad], > 0 -->
//!   <C_s>12</C_s>                    <!-- longitudinal stiffness [-] or [N], > 0 -->
//!   <limit>circle</limit>            <!-- circle: |F| ≤ μN; axes: each axis ≤ μN by itself, without combined slip -->
//!   <relaxation_length>0</relaxation_length> <!-- over which slip builds up [m], one or two (x y), ≥ 0 -->
//!   <C_gamma>0</C_gamma>             <!-- camber thrust over load [1/rad], ≥ 0 -->
//! </friction>
//! ```
//! The μ of the ground replaces the tyre's and leaves the stiffness unchanged.
//! Not modelled: a difference between static and sliding friction, so that the force does not fall; self-aligning torque.

use skidpad_math::Vec2;
use skidpad_xml::Reader;

use super::tyre::{Patch, Stiffness, Tyre, react_by_slip, react_locked_by_slip};
use super::{FrictionLaw, LawDefaults, Limit, WheelContact, WheelReaction};

/// Parameters of the law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fiala {
    /// Parameters that all tyre laws share.
    pub tyre: Tyre,
    /// Force over slip at small slip.
    pub stiffness: Stiffness,
}

impl Fiala {
    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, _defaults: &LawDefaults) -> Fiala {
        Fiala { tyre: Tyre::read(reader, Tyre::default().mu), stiffness: Stiffness::read(reader) }
    }
}

impl FrictionLaw for Fiala {
    fn react(&self, contact: &WheelContact) -> WheelReaction {
        let max = self.tyre.max_force(contact);
        let patch =
            Brush { stiffness: self.stiffness.at_load(contact.load), max, combines: self.tyre.limit == Limit::Circle };
        if contact.locked {
            return react_locked_by_slip(contact, self.tyre.limit, max, patch.sliding_ellipse());
        }
        react_by_slip(&self.tyre, contact, max, &patch)
    }
}

struct Brush {
    stiffness: Vec2,
    max: f64,
    combines: bool,
}

impl Brush {
    /// Force [N] and its slope [-] at q [N] ≥ 0.
    #[inline]
    fn force(&self, q: f64) -> (f64, f64) {
        let limit = 3.0 * self.max;
        if q >= limit {
            return (self.max, 0.0);
        }
        let slides = q / limit;
        (q * (1.0 - slides + slides * slides / 3.0), (1.0 - slides) * (1.0 - slides))
    }

    /// C_alpha·σ_y [N] at this slip ratio, where a freely rolling wheel has `lateral_slip`.
    #[inline]
    fn lateral_deflection_force(&self, ratio: f64, lateral_slip: f64, drives: bool) -> f64 {
        match (self.combines, drives) {
            (false, _) => 0.0,
            // |vx| over the speed of the rim, which is the faster one.
            (true, true) => lateral_slip * (1.0 - ratio.min(1.0)),
            (true, false) => lateral_slip,
        }
    }
}

impl Patch for Brush {
    #[inline]
    fn stiffness(&self) -> Vec2 {
        self.stiffness
    }

    #[inline]
    fn max_longitudinal_force(&self) -> f64 {
        self.max
    }

    /// C_alpha·tan α [N].
    #[inline]
    fn scaled_lateral_slip(&self, tangent: f64) -> f64 {
        self.stiffness.y * tangent
    }

    #[inline]
    fn longitudinal_force(&self, ratio: f64, lateral_slip: f64, peak_share: f64, drives: bool) -> (f64, f64) {
        let (x, y) = (self.stiffness.x * ratio, self.lateral_deflection_force(ratio, lateral_slip, drives));
        let q = (x * x + y * y).sqrt();
        let (force, slope) = self.force(q);
        if y == 0.0 {
            return (peak_share * force, peak_share * slope * self.stiffness.x);
        }
        let cosine = x / q;
        let y_slope = if drives { -lateral_slip } else { 0.0 };
        let q_slope = cosine * self.stiffness.x + y / q * y_slope;
        let per_ratio = slope * q_slope * cosine + force / q * (self.stiffness.x - cosine * q_slope);
        (peak_share * force * cosine, peak_share * per_ratio)
    }

    #[inline]
    fn lateral_force(&self, lateral_slip: f64, ratio: f64, _longitudinal: f64, drives: bool) -> f64 {
        if !self.combines {
            return self.force(lateral_slip).0;
        }
        let (x, y) = (self.stiffness.x * ratio, self.lateral_deflection_force(ratio, lateral_slip, drives));
        let q = (x * x + y * y).sqrt();
        if q > 0.0 { self.force(q).0 * (y / q) } else { 0.0 }
    }

    fn sliding_ellipse(&self) -> Vec2 {
        // tan α grows without limit; the slip ratio does not.
        Vec2::new(self.force(self.stiffness.x).0, self.max)
    }
}
