//! The Magic Formula, `<friction class="pacejka">`.
//!
//! Source: H. B. Pacejka, "Tire and Vehicle Dynamics", 3rd ed., eq. 4.6: F = D·sin(C·atan(Bσ − E·(Bσ − atan Bσ))), once along with the
//! slip ratio and once across with the slip angle [rad], see [`super::slip`]. Where a set is given as coefficients b1 … b13 and how
//! they are to be read, see [`MagicSet`]. How the law holds a standing vehicle and drives light wheels at any step, see
//! [`super::tyre`].
//!
//! ```xml
//! <friction class="pacejka">
//!   <mu>0.8</mu>                     <!-- of the ground that the sets describe [-], > 0; the larger of the sets' peaks if they say it -->
//!   <C_damping>0.01</C_damping>      <!-- bearing damping [N·m·s/rad], ≥ 0 -->
//!   <C_rr>0</C_rr>                   <!-- rolling resistance [-] of C_rr·N·R, ≥ 0 -->
//!   <nominal_load>3000</nominal_load> <!-- load [N] at which the peak is D, > 0; no default, only needed with D -->
//!   <longitudinal>
//!     <B>10</B>                      <!-- stiffness factor [-], > 0 -->
//!     <C>1.65</C>                    <!-- shape factor [-], 0.1 to 2; or <tyre_width>, <tyre_radius> [m] -->
//!     <mu>0.8</mu>                   <!-- peak over load [-], > 0, default that of the tyre; or <D> [N] at the nominal load -->
//!     <E>0.5</E>                     <!-- curvature factor [-], -100 to 1 -->
//!   </longitudinal>                  <!-- or, for B, D and E: <b1> … <b8>, <b13> (default 0; b2, b4 > 0 needed) -->
//!   <lateral>
//!     <B>10</B> <C>1.3</C> <mu>0.8</mu> <E>0</E>  <!-- as above, B [1/rad]; without b13 -->
//!   </lateral>
//!   <combined>ellipse</combined>     <!-- ellipse: F_x first, F_y by what it leaves; similarity: by the resultant of B·slip -->
//!   <limit>circle</limit>            <!-- circle: |F| ≤ μN; axes: each axis ≤ μN by itself, without combined slip -->
//!   <relaxation_length>0</relaxation_length> <!-- over which slip builds up [m], one or two (x y), ≥ 0 -->
//!   <C_gamma>0</C_gamma>             <!-- camber thrust over load [1/rad], ≥ 0 -->
//! </friction>
//! ```
//! D and the slope B·C·D are proportional to the load, but for coefficients. The ground's own μ scales the peaks by its ratio to the
//! tyre's and leaves the slopes at zero slip (Pacejka's similarity method, §4.2: F = λ·F_0(slip/λ)).
//! Combined slip: with the ellipse F_y = F_y0·√(1 − (F_x/D_x)²); with similarity ρ = √((B_x·κ)² + (B_y·α)²) takes the place of
//! either, F_x = F_x0(ρ)·B_x·κ/ρ and F_y likewise. (F_x/D_x)² + (F_y/D_y)² ≤ 1 both ways.
//! Not modelled: self-aligning and overturning torque, shifts, turn slip, the load's influence on C.

use super::magic_set::{Loaded, MagicSet, MagicShape, Written};
use super::magic_table::bent;
use super::tyre::{Combined, Patch, Tyre, react_by_slip, react_locked_by_slip};
use super::{FrictionLaw, LawDefaults, Limit, WheelContact, WheelReaction, slip};
use crate::math::Vec2;
use crate::xml::{Accept, Reader};

/// Parameters of the law.
#[derive(Clone, Debug, PartialEq)]
pub struct Pacejka {
    /// What all tyre laws have.
    pub tyre: Tyre,
    /// Force against slip ratio.
    pub longitudinal: MagicSet,
    /// Force against slip angle.
    pub lateral: MagicSet,
    /// How slips along both axes work together.
    pub combined: Combined,
}

/// B, C, E along x. C is typical (Pacejka, §4.3); B chosen because the stiffness is then that of common tyres over their load.
const ALONG: [f64; 3] = [10.0, 1.65, 0.5];
/// B, C, E along y.
const ACROSS: [f64; 3] = [10.0, 1.3, 0.0];

impl Default for Pacejka {
    fn default() -> Pacejka {
        let tyre = Tyre::default();
        let set = |[b, c, e]: [f64; 3]| MagicSet::new(b, c, 1.0, e, tyre.mu);
        Pacejka { tyre, longitudinal: set(ALONG), lateral: set(ACROSS), combined: Combined::Ellipse }
    }
}

impl Pacejka {
    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, _defaults: &LawDefaults) -> Pacejka {
        let load = reader.optional_f64("nominal_load", Accept::positive());
        let (along, across) = (reader.child("longitudinal"), reader.child("lateral"));
        let longitudinal = Written::read(along.as_ref(), ALONG, load, true);
        let lateral = Written::read(across.as_ref(), ACROSS, load, false);
        let peak = [longitudinal.peak, lateral.peak].into_iter().flatten().reduce(f64::max);
        let mut tyre = Tyre::read(reader, peak.unwrap_or(Tyre::default().mu));
        if tyre.mu == 0.0 {
            reader
                .error_at("mu", format!("bad value \"0\" for <mu> in {}", reader.describe()))
                .accepted(["a finite number > 0".to_string()])
                .hint("it says for which ground the sets hold; slippery ground is a <property_region>");
            tyre.mu = Tyre::default().mu;
        }
        along.into_iter().chain(across).for_each(Reader::finish);
        Pacejka {
            tyre,
            longitudinal: longitudinal.finish(tyre.mu),
            lateral: lateral.finish(tyre.mu),
            combined: Combined::read(reader),
        }
    }
}

impl FrictionLaw for Pacejka {
    fn react(&self, contact: &WheelContact) -> WheelReaction {
        let mu = contact.ground_mu.unwrap_or(self.tyre.mu);
        let (max, per_mu) = (mu * contact.load, 1.0 / mu);
        let patch = MagicPatch {
            along: Axis::new(&self.longitudinal, contact.load, mu, per_mu),
            across: Axis::new(&self.lateral, contact.load, mu, per_mu),
            max,
            combined: (self.tyre.limit == Limit::Circle).then_some(self.combined),
        };
        if contact.locked {
            return react_locked_by_slip(contact, self.tyre.limit, max, patch.sliding());
        }
        react_by_slip(&self.tyre, contact, max, &patch)
    }
}

/// The formula along one axis under one load.
struct Axis<'a> {
    shape: &'a MagicShape,
    loaded: Loaded,
}

impl<'a> Axis<'a> {
    #[inline]
    fn new(set: &'a MagicSet, load: f64, mu: f64, per_mu: f64) -> Axis<'a> {
        Axis { shape: set.shape(), loaded: set.under(load, mu, per_mu) }
    }

    /// Curvature [-] of slips with or against the motion.
    #[inline]
    fn e(&self, drives: bool) -> f64 {
        self.loaded.e[usize::from(!drives)]
    }

    /// Force over D [-] at x = B·slip ≥ 0 and its slope, with the peak kept beyond it.
    #[inline]
    fn rise(&self, x: f64, drives: bool) -> (f64, f64) {
        match self.shape {
            MagicShape::Table(table) if x >= table.peak_at() => (1.0, 0.0),
            MagicShape::Table(table) => {
                let (share, slope) = table.at(x);
                (share, slope.max(0.0))
            }
            &MagicShape::Formula { c, peak_at } => {
                let (y, y_slope) = bent(x, self.e(drives));
                if y >= peak_at {
                    return (1.0, 0.0);
                }
                let sine = libm::sin(c * libm::atan(y));
                // Below the peak the angle is less than a quarter turn.
                let cosine = ((1.0 - sine) * (1.0 + sine)).max(0.0).sqrt();
                (sine, cosine * c / (1.0 + y * y) * y_slope)
            }
        }
    }

    /// Force over D [-] at x = B·slip ≥ 0.
    #[inline]
    fn share(&self, x: f64, drives: bool) -> f64 {
        match self.shape {
            MagicShape::Table(table) => table.at(x).0,
            &MagicShape::Formula { c, .. } => libm::sin(c * libm::atan(bent(x, self.e(drives)).0)),
        }
    }

    /// Whether x = B·slip ≥ 0 lies beyond the peak.
    #[inline]
    fn falls(&self, x: f64, drives: bool) -> bool {
        match self.shape {
            MagicShape::Table(table) => x > table.peak_at(),
            &MagicShape::Formula { peak_at, .. } => bent(x, self.e(drives)).0 > peak_at,
        }
    }
}

struct MagicPatch<'a> {
    along: Axis<'a>,
    across: Axis<'a>,
    max: f64,
    combined: Option<Combined>,
}

impl MagicPatch<'_> {
    /// B·κ and the resultant that counts in its place.
    #[inline]
    fn resultant(&self, ratio: f64, beside: f64) -> (f64, f64) {
        let x = self.along.loaded.b * ratio;
        if self.combined == Some(Combined::Similarity) && beside > 0.0 {
            (x, (x * x + beside * beside).sqrt())
        } else {
            (x, x)
        }
    }
}

impl Patch for MagicPatch<'_> {
    #[inline]
    fn stiffness(&self) -> Vec2 {
        Vec2::new(self.along.loaded.slope, self.across.loaded.slope)
    }

    #[inline]
    fn most_along(&self) -> f64 {
        self.along.loaded.d.min(self.max)
    }

    /// B·α.
    #[inline]
    fn beside(&self, tangent: f64) -> f64 {
        self.across.loaded.b * slip::angle_of(tangent)
    }

    #[inline]
    fn kept(&self, ratio: f64, beside: f64, drives: bool) -> f64 {
        let (_, resultant) = self.resultant(ratio, beside);
        if self.along.falls(resultant, drives) { self.along.share(resultant, drives).max(0.0) } else { 1.0 }
    }

    #[inline]
    fn along(&self, ratio: f64, beside: f64, kept: f64, drives: bool) -> (f64, f64) {
        let (x, resultant) = self.resultant(ratio, beside);
        let (share, slope) = self.along.rise(resultant, drives);
        let Loaded { b, d, .. } = self.along.loaded;
        let (share, slope) = if resultant == x {
            (share, slope)
        } else {
            let (cosine, sine) = (x / resultant, beside / resultant);
            (share * cosine, slope * cosine * cosine + share / resultant * sine * sine)
        };
        let force = kept * d * share;
        if force < self.max { (force, kept * d * b * slope) } else { (self.max, 0.0) }
    }

    #[inline]
    fn across(&self, beside: f64, ratio: f64, along: f64, _drives: bool) -> f64 {
        let d = self.across.loaded.d;
        let Some(combined) = self.combined else {
            return (d * self.across.share(beside, true)).min(self.max);
        };
        let (_, resultant) = self.resultant(ratio, beside);
        let force = match combined {
            Combined::Similarity if resultant > beside => d * self.across.share(resultant, true) * (beside / resultant),
            Combined::Similarity | Combined::Ellipse => d * self.across.share(beside, true),
        };
        let used = if along != 0.0 { along / self.along.loaded.d } else { 0.0 };
        let left = (1.0 - used * used).max(0.0).sqrt();
        match combined {
            Combined::Ellipse => force * left,
            Combined::Similarity => force.min(d * left),
        }
    }

    fn sliding(&self) -> Vec2 {
        let across = self.across.loaded.b * std::f64::consts::FRAC_PI_2;
        Vec2::new(
            self.along.loaded.d * self.along.share(self.along.loaded.b, false),
            self.across.loaded.d * self.across.share(across, true),
        )
    }
}
