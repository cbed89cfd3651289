//! Force against slip of one tyre, along one axis: Fiala's brush, Magic Formula.
//!
//! Each is an odd, stateless function of the slip: a positive slip gives a positive force, and the caller determines its
//! direction. The laws of rigid-body vehicles and the single-track models share them. `max_force` is μ·N, the largest force that
//! friction allows.
//!
//! * Fiala (E. Fiala, "Seitenkräfte am rollenden Luftreifen", VDI-Z 96, 1954; the cubic as in R. Hindiyeh and J. C. Gerdes, DSCC
//!   2009, eq. 4), with z = tan α: F = C·z − C²·|z|·z/(3·μN) + C³·z³/(27·μ²N²) up to the sliding limit |z| = 3·μN/C, and μN
//!   beyond. "Fiala without saturation" (S. Colli et al., see the [crate's conventions](crate)) follows the cubic beyond the limit.
//! * Magic Formula (H. B. Pacejka, "Tire and Vehicle Dynamics", 3rd ed., eq. 4.6): F = D·sin(C·atan(B·σ − E·(B·σ − atan B·σ))).
//!   Its slope at zero is B·C·D, its peak D for C ≥ 1.

/// The Magic Formula along one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MagicFormula {
    /// Stiffness factor B, per unit of slip ([1/rad] for a slip angle).
    pub b: f64,
    /// Shape factor C [-].
    pub c: f64,
    /// Peak D [N].
    pub d: f64,
    /// Curvature factor E [-], ≤ 1.
    pub e: f64,
}

impl MagicFormula {
    /// The formula with this slope at zero [N per unit of slip], which is B·C·D, shape C [-], peak D [N] and curvature E [-].
    pub fn from_stiffness(stiffness: f64, c: f64, d: f64, e: f64) -> MagicFormula {
        let b = if c * d > 0.0 { stiffness / (c * d) } else { 0.0 };
        MagicFormula { b, c, d, e }
    }

    /// Force [N] at this slip.
    #[inline]
    pub fn force(&self, slip: f64) -> f64 {
        let x = self.b * slip;
        self.d * libm::sin(self.c * libm::atan(x - self.e * (x - libm::atan(x))))
    }

    /// Slope at zero slip [N per unit of slip]: B·C·D.
    pub fn stiffness(&self) -> f64 {
        self.b * self.c * self.d
    }
}

/// Force against slip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SlipCurve {
    /// Fiala's brush.
    Fiala {
        /// C [N/rad].
        stiffness: f64,
        /// Whether the force stays at μ·N beyond the sliding limit; otherwise it follows the cubic.
        saturates: bool,
    },
    /// The Magic Formula, limited by its own peak instead of μ·N.
    Magic(MagicFormula),
}

impl SlipCurve {
    /// Force [N] at a slip ratio [-] or slip angle [rad]; `max_force` [N] is μ·N.
    #[inline]
    pub fn force(&self, slip: f64, max_force: f64) -> f64 {
        match *self {
            SlipCurve::Fiala { stiffness, saturates } => fiala(stiffness, libm::tan(slip), max_force, saturates),
            SlipCurve::Magic(formula) => formula.force(slip),
        }
    }

    /// Slope at zero slip [N per unit of slip].
    pub fn stiffness(&self) -> f64 {
        match *self {
            SlipCurve::Fiala { stiffness, .. } => stiffness,
            SlipCurve::Magic(formula) => formula.stiffness(),
        }
    }
}

/// Fiala's force [N] at the tangent of a slip angle [-], for a `stiffness` [N/rad] and the friction limit `max_force` [N].
#[inline]
pub fn fiala(stiffness: f64, tangent: f64, max_force: f64, saturates: bool) -> f64 {
    if max_force <= 0.0 {
        return 0.0;
    }
    // The share of the contact patch that slides; 1 at the sliding limit.
    let sliding = stiffness * tangent / (3.0 * max_force);
    if saturates && sliding.abs() >= 1.0 {
        return max_force.copysign(tangent);
    }
    3.0 * max_force * sliding * (1.0 - sliding.abs() + sliding * sliding / 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fiala_meets_the_friction_limit_with_a_level_tangent() {
        let (stiffness, max_force): (f64, f64) = (80e3, 3e3);
        let limit = 3.0 * max_force / stiffness;
        assert!((fiala(stiffness, limit, max_force, true) - max_force).abs() < 1e-9);
        let just_below = fiala(stiffness, limit * (1.0 - 1e-4), max_force, true);
        assert!((max_force - just_below) / max_force < 1e-11, "{just_below}");
        assert!((fiala(stiffness, 1e-6, max_force, true) / (stiffness * 1e-6) - 1.0).abs() < 1e-4);
        assert_eq!(fiala(stiffness, -1.0, max_force, true), -max_force);
        assert!(fiala(stiffness, 2.0 * limit, max_force, false) > 1.9 * max_force);
    }

    #[test]
    fn the_magic_formula_has_slope_bcd_and_peak_d() {
        let formula = MagicFormula { b: 10.0, c: 1.45, d: 1000.0, e: 0.5 };
        let slope = formula.force(1e-7) / 1e-7;
        assert!((slope / formula.stiffness() - 1.0).abs() < 1e-9 && formula.stiffness() == 14_500.0);
        let peak = (0..10_000).map(|i| formula.force(1e-4 * f64::from(i))).fold(0.0, f64::max);
        assert!((peak - 1000.0).abs() < 1e-3, "{peak}");
        let same = MagicFormula::from_stiffness(14_500.0, 1.45, 1000.0, 0.5);
        assert!((same.b - 10.0).abs() < 1e-12);
    }
}
