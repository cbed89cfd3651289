//! Forces proportional to slip up to the friction limit, `<friction class="linear">`.
//!
//! Source: the linear tyre of the single-track model (M. Mitschke and H. Wallentowitz, "Dynamik der Kraftfahrzeuge"; W. F. and
//! D. L. Milliken, "Race Car Vehicle Dynamics", ch. 2): F_x = C_s·κ and F_y = −C_alpha·α, each at most μ·N, with
//! [slip ratio κ and slip angle α](super::slip). How the two share μ·N, see [`Combined`]. How the law holds a standing
//! vehicle and drives light wheels at any step, see [`super::tyre`].
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
//! The μ of the ground replaces the tyre's and leaves the stiffness.
//! Not modelled: rounding towards the limit (see `fiala`), the fall beyond it (see `pacejka`), self-aligning torque.

use super::tyre::{Combined, Patch, Stiffness, Tyre, react_by_slip, react_locked_by_slip};
use super::{FrictionLaw, LawDefaults, Limit, WheelContact, WheelReaction, slip};
use crate::math::Vec2;
use crate::xml::Reader;

/// Parameters of the law.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Linear {
    /// What all tyre laws have.
    pub tyre: Tyre,
    /// Force over slip.
    pub stiffness: Stiffness,
    /// How slips along both axes work together.
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
        let max = self.tyre.most(contact);
        let combined = (self.tyre.limit == Limit::Circle).then_some(self.combined);
        let patch = LinearPatch { stiffness: self.stiffness.under(contact.load), max, combined };
        if contact.locked {
            return react_locked_by_slip(contact, self.tyre.limit, max, patch.sliding());
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
    fn most_along(&self) -> f64 {
        self.max
    }

    /// The lateral force without limit [N].
    #[inline]
    fn beside(&self, tangent: f64) -> f64 {
        self.stiffness.y * slip::angle_of(tangent)
    }

    #[inline]
    fn along(&self, ratio: f64, beside: f64, kept: f64, _drives: bool) -> (f64, f64) {
        let (force, slope) = (self.stiffness.x * ratio, self.stiffness.x);
        if self.combined != Some(Combined::Similarity) {
            return if force < self.max { (kept * force, kept * slope) } else { (kept * self.max, 0.0) };
        }
        let resultant = (force * force + beside * beside).sqrt();
        if resultant <= self.max {
            return (kept * force, kept * slope);
        }
        let sine = beside / resultant;
        (kept * self.max * force / resultant, kept * self.max / resultant * sine * sine * slope)
    }

    #[inline]
    fn across(&self, beside: f64, ratio: f64, along: f64, _drives: bool) -> f64 {
        match self.combined {
            None => beside.min(self.max),
            Some(Combined::Ellipse) => {
                let used = if self.max > 0.0 { along / self.max } else { 0.0 };
                beside.min(self.max) * (1.0 - used * used).max(0.0).sqrt()
            }
            Some(Combined::Similarity) => {
                let force = self.stiffness.x * ratio;
                let resultant = (force * force + beside * beside).sqrt();
                if resultant <= self.max { beside } else { self.max * beside / resultant }
            }
        }
    }

    fn sliding(&self) -> Vec2 {
        let across = self.stiffness.y * std::f64::consts::FRAC_PI_2;
        Vec2::new(self.stiffness.x.min(self.max), across.min(self.max))
    }
}
