//! Forces proportional to slip up to the friction limit, `<friction class="linear">`.
//!
//! Source: the linear tyre of the single-track model (M. Mitschke and H. Wallentowitz, "Dynamik der Kraftfahrzeuge"; W. F. and
//! D. L. Milliken, "Race Car Vehicle Dynamics", ch. 2): F_x = C_s·κ and F_y = −C_alpha·α, each at most μ·N, with
//! [slip ratio κ and slip angle α](super::slip). [`Combined`] defines how the two share μ·N, and [`super::tyre`] how the
//! law holds a standing vehicle and drives light wheels at any step.
//!
//! ```xml
//! <friction class="linear">
//!   <mu>0.8</mu>                     <!-- friction coefficient [-], ≥ 0 -->
//!   <C_damping>0.01</C_damping>      <!-- bearing damping [N·m·s/rad], ≥ 0 -->
//!   <C_rr>0</C_rr>                   <!-- rolling resistance [-] of C_rr·N·R, ≥ 0 -->
//!   <stiffness>per_load</stiffness>  <!-- per_load: C times the load on the wheel; absolute: C in newton, both to be given -->
//!   <C_alpha>10</C_alpha>            <!-- cornering stiffness [1/rad] or [N/rad], > 0 -->
//!   <C_s>12</C_s>                    <!-- longitudinal stiffness [-] or [N], > 0 -->
//!   <combined>ellipse</combined>     <!-- ellipse: F_x first, F_y by what it leaves; similarity: by the resultant slip -->
//!   <limit>circle</limit>            <!-- circle: |F| ≤ μN; axes: each axis ≤ μN by itself, without combined slip -->
//!   <relaxation_length>0</relaxation_length> <!-- over which slip builds up [m], one or two (x y), ≥ 0 -->
//!   <C_gamma>0</C_gamma>             <!-- camber thrust over load [1/rad], ≥ 0 -->
//! </friction>
//! ```
//! The μ of the ground replaces the tyre's and leaves the stiffness unchanged.
//! Not modelled: the smooth transition to the limit (see `fiala`), the falling branch beyond it (see `pacejka`), self-aligning
//! torque.

use skidpad_math::Vec2;
use skidpad_xml::Reader;

use super::tyre::{Combined, Patch, Stiffness, Tyre, react_by_slip, react_locked_by_slip};
use super::{FrictionLaw, LawDefaults, Limit, WheelContact, WheelReaction, slip};

/// Parameters of the law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Linear {
    /// Parameters that all tyre laws share.
    pub tyre: Tyre,
    /// Force over slip.
    pub stiffness: Stiffness,
    /// How the slips along both axes combine.
    pub combined: Combined,
}

impl Linear {
    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, _defaults: &LawDefaults) -> Linear {
        Linear {
            tyre: Tyre::read(reader, Tyre::default().mu),
            stiffness: Stiffness::read(reader),
            combined: Combined::read(reader),
        }
    }
}

impl FrictionLaw for Linear {
    fn react(&self, contact: &WheelContact) -> WheelReaction {
        let max = self.tyre.max_force(contact);
        let combined = (self.tyre.limit == Limit::Circle).then_some(self.combined);
        let patch = LinearPatch { stiffness: self.stiffness.at_load(contact.load), max, combined };
        if contact.locked {
            return react_locked_by_slip(contact, self.tyre.limit, max, patch.sliding_ellipse());
        }
        react_by_slip(&self.tyre, contact, max, &patch)
    }
}

struct LinearPatch {
    stiffness: Vec2,
    max: f64,
    combined: Option<Combined>,
}

impl Patch for LinearPatch {
    #[inline]
    fn stiffness(&self) -> Vec2 {
        self.stiffness
    }

    #[inline]
    fn max_longitudinal_force(&self) -> f64 {
        self.max
    }

    /// The lateral force without limit [N].
    #[inline]
    fn scaled_lateral_slip(&self, tangent: f64) -> f64 {
        self.stiffness.y * slip::angle_of(tangent)
    }

    #[inline]
    fn longitudinal_force(&self, ratio: f64, lateral_slip: f64, peak_share: f64, _drives: bool) -> (f64, f64) {
        let (force, slope) = (self.stiffness.x * ratio, self.stiffness.x);
        if self.combined != Some(Combined::Similarity) {
            return if force < self.max {
                (peak_share * force, peak_share * slope)
            } else {
                (peak_share * self.max, 0.0)
            };
        }
        let resultant = (force * force + lateral_slip * lateral_slip).sqrt();
        if resultant <= self.max {
            return (peak_share * force, peak_share * slope);
        }
        let sine = lateral_slip / resultant;
        (peak_share * self.max * force / resultant, peak_share * self.max / resultant * sine * sine * slope)
    }

    #[inline]
    fn lateral_force(&self, lateral_slip: f64, ratio: f64, longitudinal: f64, _drives: bool) -> f64 {
        match self.combined {
            None => lateral_slip.min(self.max),
            Some(Combined::Ellipse) => {
                let used = if self.max > 0.0 { longitudinal / self.max } else { 0.0 };
                lateral_slip.min(self.max) * (1.0 - used * used).max(0.0).sqrt()
            }
            Some(Combined::Similarity) => {
                let force = self.stiffness.x * ratio;
                let resultant = (force * force + lateral_slip * lateral_slip).sqrt();
                if resultant <= self.max { lateral_slip } else { self.max * lateral_slip / resultant }
            }
        }
    }

    fn sliding_ellipse(&self) -> Vec2 {
        let across = self.stiffness.y * std::f64::consts::FRAC_PI_2;
        Vec2::new(self.stiffness.x.min(self.max), across.min(self.max))
    }
}
