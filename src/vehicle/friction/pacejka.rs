//! The Magic Formula, `<friction class="pacejka">`.
//!
//! Source: H. B. Pacejka, "Tire and Vehicle Dynamics", 3rd ed., eq. 4.6: F = D·sin(C·atan(Bσ − E·(Bσ − atan Bσ))), longitudinally with
//! the slip ratio and laterally with the slip angle [rad], see [`super::slip`]. [`MagicSet`] defines the coefficients b1 … b13, and
//! [`super::tyre`] explains how the law holds a standing vehicle and drives light wheels at any step.
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
//! D and the slope B·C·D are proportional to the load, except with coefficients. The ground's own μ scales the peaks by its ratio to the
//! tyre's and leaves the slopes at zero slip (Pacejka's similarity method, §4.2: F = λ·F_0(slip/λ)).
//! Combined slip: with the ellipse F_y = F_y0·√(1 − (F_x/D_x)²); with similarity ρ = √((B_x·κ)² + (B_y·α)²) replaces
//! both slips, F_x = F_x0(ρ)·B_x·κ/ρ and F_y likewise. Either way (F_x/D_x)² + (F_y/D_y)² ≤ 1.
//! Not modelled: self-aligning and overturning torque, shifts, turn slip, the load's influence on C.

use skidpad_math::Vec2;
use skidpad_xml::{Accept, Reader};

use super::magic_set::{Loaded, MagicSet, MagicSetXml, MagicShape};
use super::magic_table::outer_argument;
use super::tyre::{Combined, Patch, Tyre, react_by_slip, react_locked_by_slip};
use super::{FrictionLaw, LawDefaults, Limit, WheelContact, WheelReaction, slip};

/// Parameters of the law.
#[derive(Clone, Debug, PartialEq)]
pub struct Pacejka {
    /// Parameters that all tyre laws share.
    pub tyre: Tyre,
    /// Force against slip ratio.
    pub longitudinal: MagicSet,
    /// Force against slip angle.
    pub lateral: MagicSet,
    /// How the slips along both axes combine.
    pub combined: Combined,
}

/// B, C, E along x. C is typical (Pacejka, §4.3); with this B the stiffness over load is that of common tyres.
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
        let longitudinal = MagicSetXml::read(along.as_ref(), ALONG, load, true);
        let lateral = MagicSetXml::read(across.as_ref(), ACROSS, load, false);
        let peak = [longitudinal.peak, lateral.peak].into_iter().flatten().reduce(f64::max);
        let mut tyre = Tyre::read(reader, peak.unwrap_or(Tyre::default().mu));
        if tyre.mu == 0.0 {
            reader
                .error_at("mu", format!("bad value \"0\" for <mu> in {}", reader.describe()))
                .accepted(["a finite number > 0".to_string()])
                .hint("mu belongs to the ground of the parameters; for slippery ground use a <property_region>");
            tyre.mu = Tyre::default().mu;
        }
        along.into_iter().chain(across).for_each(|reader| reader.finish());
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
        let combined = (self.tyre.limit == Limit::Circle).then_some(self.combined);
        if combined == Some(Combined::Similarity) {
            self.react_with(&self.patch::<true>(contact, combined), contact)
        } else {
            self.react_with(&self.patch::<false>(contact, combined), contact)
        }
    }
}

impl Pacejka {
    /// The law at this contact.
    #[inline]
    fn patch<const SIMILARITY: bool>(
        &self,
        contact: &WheelContact,
        combined: Option<Combined>,
    ) -> MagicPatch<'_, SIMILARITY> {
        let mu = contact.ground_mu.unwrap_or(self.tyre.mu);
        let (max, per_mu) = (mu * contact.load, 1.0 / mu);
        MagicPatch {
            longitudinal: Axis::new(&self.longitudinal, contact.load, mu, per_mu),
            lateral: Axis::new(&self.lateral, contact.load, mu, per_mu),
            max,
            combined,
        }
    }

    #[inline]
    fn react_with<const SIMILARITY: bool>(
        &self,
        patch: &MagicPatch<'_, SIMILARITY>,
        contact: &WheelContact,
    ) -> WheelReaction {
        if contact.locked {
            return react_locked_by_slip(contact, self.tyre.limit, patch.max, patch.sliding_ellipse());
        }
        react_by_slip(&self.tyre, contact, patch.max, patch)
    }
}

/// The formula along one axis at one load.
struct Axis<'a> {
    shape: &'a MagicShape,
    loaded: Loaded,
}

impl<'a> Axis<'a> {
    #[inline]
    fn new(set: &'a MagicSet, load: f64, mu: f64, per_mu: f64) -> Axis<'a> {
        Axis { shape: set.shape(), loaded: set.at_load(load, mu, per_mu) }
    }

    /// Curvature [-] for slip with or against the motion.
    #[inline]
    fn e(&self, drives: bool) -> f64 {
        self.loaded.e[usize::from(!drives)]
    }

    /// Force over D [-] at x = B·slip ≥ 0 and its slope; beyond the peak it stays at the peak.
    #[inline]
    fn rise(&self, x: f64, drives: bool) -> (f64, f64) {
        match self.shape {
            MagicShape::Table(table) if x >= table.peak_at() => (1.0, 0.0),
            MagicShape::Table(table) => {
                let (share, slope) = table.at(x);
                (share, slope.max(0.0))
            }
            &MagicShape::Formula { c, peak_at } => {
                let (y, y_slope) = outer_argument(x, self.e(drives));
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
            &MagicShape::Formula { c, .. } => libm::sin(c * libm::atan(outer_argument(x, self.e(drives)).0)),
        }
    }

    /// Whether x = B·slip ≥ 0 lies beyond the peak.
    #[inline]
    fn falls(&self, x: f64, drives: bool) -> bool {
        match self.shape {
            MagicShape::Table(table) => x > table.peak_at(),
            &MagicShape::Formula { peak_at, .. } => outer_argument(x, self.e(drives)).0 > peak_at,
        }
    }
}

/// The law at one contact. `SIMILARITY`: slips combine by similarity; a type parameter, so that there is no branch in each round of the
/// solver.
struct MagicPatch<'a, const SIMILARITY: bool> {
    longitudinal: Axis<'a>,
    lateral: Axis<'a>,
    max: f64,
    combined: Option<Combined>,
}

impl<const SIMILARITY: bool> MagicPatch<'_, SIMILARITY> {
    /// B·κ, and the resultant slip that replaces it.
    #[inline]
    fn resultant(&self, ratio: f64, lateral_slip: f64) -> (f64, f64) {
        let x = self.longitudinal.loaded.b * ratio;
        if SIMILARITY && lateral_slip > 0.0 { (x, (x * x + lateral_slip * lateral_slip).sqrt()) } else { (x, x) }
    }
}

impl<const SIMILARITY: bool> Patch for MagicPatch<'_, SIMILARITY> {
    #[inline]
    fn stiffness(&self) -> Vec2 {
        Vec2::new(self.longitudinal.loaded.slope, self.lateral.loaded.slope)
    }

    #[inline]
    fn max_longitudinal_force(&self) -> f64 {
        self.longitudinal.loaded.d.min(self.max)
    }

    /// B·α.
    #[inline]
    fn scaled_lateral_slip(&self, tangent: f64) -> f64 {
        self.lateral.loaded.b * slip::angle_of(tangent)
    }

    #[inline]
    fn peak_share(&self, ratio: f64, lateral_slip: f64, drives: bool) -> f64 {
        let (_, resultant) = self.resultant(ratio, lateral_slip);
        if self.longitudinal.falls(resultant, drives) {
            self.longitudinal.share(resultant, drives).max(0.0)
        } else {
            1.0
        }
    }

    #[inline]
    fn longitudinal_force(&self, ratio: f64, lateral_slip: f64, peak_share: f64, drives: bool) -> (f64, f64) {
        let (x, resultant) = self.resultant(ratio, lateral_slip);
        let (share, slope) = self.longitudinal.rise(resultant, drives);
        let Loaded { b, d, .. } = self.longitudinal.loaded;
        let (share, slope) = if !SIMILARITY || resultant == x {
            (share, slope)
        } else {
            let (cosine, sine) = (x / resultant, lateral_slip / resultant);
            (share * cosine, slope * cosine * cosine + share / resultant * sine * sine)
        };
        let force = peak_share * d * share;
        if force < self.max { (force, peak_share * d * b * slope) } else { (self.max, 0.0) }
    }

    #[inline]
    fn lateral_force(&self, lateral_slip: f64, ratio: f64, longitudinal: f64, _drives: bool) -> f64 {
        let d = self.lateral.loaded.d;
        let Some(combined) = self.combined else {
            return (d * self.lateral.share(lateral_slip, true)).min(self.max);
        };
        let (_, resultant) = self.resultant(ratio, lateral_slip);
        let force = match combined {
            Combined::Similarity if resultant > lateral_slip => {
                d * self.lateral.share(resultant, true) * (lateral_slip / resultant)
            }
            Combined::Similarity | Combined::Ellipse => d * self.lateral.share(lateral_slip, true),
        };
        let used = if longitudinal != 0.0 { longitudinal / self.longitudinal.loaded.d } else { 0.0 };
        let left = (1.0 - used * used).max(0.0).sqrt();
        match combined {
            Combined::Ellipse => force * left,
            Combined::Similarity => force.min(d * left),
        }
    }

    fn sliding_ellipse(&self) -> Vec2 {
        let across = self.lateral.loaded.b * std::f64::consts::FRAC_PI_2;
        Vec2::new(
            self.longitudinal.loaded.d * self.longitudinal.share(self.longitudinal.loaded.b, false),
            self.lateral.loaded.d * self.lateral.share(across, true),
        )
    }
}
