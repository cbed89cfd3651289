//! The parameters of the Magic Formula along one axis, given as B, C, D, E or as coefficients of the load.
//!
//! Coefficients: H. B. Pacejka's formula of 1989 (E. Bakker, H. B. Pacejka, L. Lidner, SAE 890087), as used in S. Colli,
//! M. Pagani, E. Panelli, "A Gazebo car simulator, analysis and comparison with a single-track model" (Politecnico di Milano,
//! 2022/23), §5.5.2, with F_z in kN and forces in N:
//! D = F_z·(b1·F_z + b2), B·C·D = (b3·F_z² + b4·F_z)·e^(−b5·F_z), E = (b6·F_z² + b7·F_z + b8)·(1 − b13·sign(slip)).
//! Their report swaps b1 and b2 between its formula and its text. Only one reading is consistent: D in N over F_z in kN is the
//! friction coefficient times 1000, so b2 is that coefficient at zero load and b1 [1/kN] its change with the load. Their
//! table agrees: with b1 = 0, b2 = 1390 and F_z = 0.01371 kN, D is 19.0569 N. The slope is per % of slip ratio longitudinally and
//! per degree of slip angle laterally. The horizontal shift H is zero here: a shift would push wheels that roll straight. A rough
//! estimate of C for a tyre of width L and radius R is (L + 2R)/(2R).

use skidpad_xml::{Accept, Reader};

use super::magic_table::{ShareTable, peak_argument};

/// The parameters along one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct MagicSet {
    c: f64,
    curve: MagicCurve,
    shape: MagicShape,
    /// B·μ [per unit of slip] of a proportional set.
    b_times_mu: f64,
}

/// Peak, slope and curvature as functions of the load.
#[derive(Clone, Copy, Debug, PartialEq)]
enum MagicCurve {
    /// Peak and slope are proportional to the load.
    Proportional {
        /// Slope at zero slip over load, B·C·D/N [per unit of slip].
        slope: f64,
        /// Peak as a share of μ·N [-].
        peak: f64,
        /// Curvature factor E [-] ≤ 1.
        e: f64,
    },
    /// The formula of 1989.
    Coefficients(Coefficients1989),
}

/// Force over D [-] as a function of B·slip, for any B and D.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MagicShape {
    /// Tabulated, for a constant curvature.
    Table(ShareTable),
    /// Evaluated directly, because the curvature depends on the load; the peak is where the argument of the outer arctangent
    /// is tan(π/(2C)).
    Formula { c: f64, peak_at: f64 },
}

/// The coefficients of 1989.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Coefficients1989 {
    /// b1 to b8: index 0 is b1.
    b: [f64; 8],
    /// b13 [-], from −1 to 1.
    b13: f64,
    /// Units of the formula's slip per unit: 100 % or 180/π degrees.
    per_slip: f64,
    /// The μ [-] at which the peak is that of the formula.
    mu: f64,
}

/// The formula at one load: slope at zero slip [N per unit of slip], B [per unit of slip], peak [N], and curvature [-]
/// for slips with and against the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Loaded {
    pub slope: f64,
    pub b: f64,
    pub d: f64,
    pub e: [f64; 2],
}

/// A set as written in a world file, before μ is known.
pub(super) struct MagicSetXml {
    c: f64,
    /// Peak coefficient D/N [-] where the set gives it.
    pub peak: Option<f64>,
    b: f64,
    e: f64,
    coefficients: Option<[f64; 9]>,
    per_slip: f64,
}

impl MagicSet {
    /// B [per unit of slip], C [-], D/(μ·N) [-] and E [-] of a tyre on ground of friction coefficient `mu` [-].
    pub fn new(b: f64, c: f64, peak: f64, e: f64, mu: f64) -> MagicSet {
        MagicSet::with(c, MagicCurve::Proportional { slope: b * c * peak * mu, peak, e })
    }

    fn with(c: f64, curve: MagicCurve) -> MagicSet {
        let shape = match curve {
            MagicCurve::Proportional { e, .. } => MagicShape::Table(ShareTable::new(c, e)),
            MagicCurve::Coefficients(_) => MagicShape::Formula { c, peak_at: peak_argument(c) },
        };
        let b_times_mu = match curve {
            MagicCurve::Proportional { slope, peak, .. } => slope / (c * peak),
            MagicCurve::Coefficients(_) => 0.0,
        };
        MagicSet { c, curve, shape, b_times_mu }
    }

    /// Force over D [-] against B·slip.
    #[inline]
    pub(super) fn shape(&self) -> &MagicShape {
        &self.shape
    }

    /// The set at `load` [N] on ground of friction coefficient `mu` [-], which scales the peak and leaves the slope;
    /// `per_mu` is 1/μ.
    #[inline]
    pub(super) fn at_load(&self, load: f64, mu: f64, per_mu: f64) -> Loaded {
        let loaded = match &self.curve {
            &MagicCurve::Proportional { slope, peak, e } => {
                Loaded { slope: slope * load, b: self.b_times_mu * per_mu, d: peak * mu * load, e: [e, e] }
            }
            MagicCurve::Coefficients(set) => {
                let (slope, d, e) = set.at_load(load, mu);
                Loaded { slope, b: slope / (self.c * d), d, e }
            }
        };
        // With a peak that is reached at next to no slip, B would overflow: no force then.
        if loaded.d > 1e-12 * loaded.slope { loaded } else { Loaded { b: 0.0, d: 0.0, ..loaded } }
    }
}

impl Coefficients1989 {
    #[inline(never)]
    fn at_load(&self, load: f64, mu: f64) -> (f64, f64, [f64; 2]) {
        let [b1, b2, b3, b4, b5, b6, b7, b8] = self.b;
        let kilo = 1e-3 * load;
        let slope = (b3 * kilo + b4) * kilo * libm::exp(-b5 * kilo) * self.per_slip;
        let peak = kilo * (b1 * kilo + b2) * (mu / self.mu);
        let e = (b6 * kilo + b7) * kilo + b8;
        (slope.max(0.0), peak.max(0.0), [(e * (1.0 - self.b13)).min(1.0), (e * (1.0 + self.b13)).min(1.0)])
    }
}

const NAMES: [&str; 8] = ["b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"];

impl MagicSetXml {
    /// Reads a set; `b`, `c` and `e` are the defaults, and `per_slip` the units of slip in the coefficients.
    pub(super) fn read(
        reader: Option<&Reader<'_>>,
        [b, c, e]: [f64; 3],
        nominal_load: Option<f64>,
        along: bool,
    ) -> MagicSetXml {
        let per_slip = if along { 100.0 } else { 180.0 / std::f64::consts::PI };
        let Some(reader) = reader else {
            return MagicSetXml { c, peak: None, b, e, coefficients: None, per_slip };
        };
        let given = NAMES.iter().find(|name| reader.has(name));
        let width = reader.optional_f64("tyre_width", Accept::positive());
        let radius = reader.optional_f64("tyre_radius", Accept::positive());
        let c = match (width, radius, reader.has("C")) {
            (Some(width), Some(radius), false) => ((width + 2.0 * radius) / (2.0 * radius)).clamp(0.1, 2.0),
            (None, None, _) => reader.f64("C", c, Accept::range(0.1, 2.0)),
            (_, _, true) => {
                reader.error(format!("both <C> and the tyre's size in {}", reader.describe())).accepted(sources_of_c());
                c
            }
            _ => {
                reader.error(format!("only half of the tyre's size in {}", reader.describe())).accepted(sources_of_c());
                c
            }
        };
        let Some(first) = given else {
            let (mu, d) = (reader.optional_f64("mu", Accept::positive()), reader.optional_f64("D", Accept::positive()));
            let peak = match (mu, d, nominal_load) {
                (Some(_), Some(_), _) => {
                    reader
                        .error_at("D", format!("both <mu> and <D> in {}", reader.describe()))
                        .accepted(["<mu> over the load, or <D> [N] at <nominal_load>".to_string()]);
                    mu
                }
                (None, Some(_), None) => {
                    reader
                        .error_at("D", format!("<D> in {} without <nominal_load>", reader.describe()))
                        .hint("say in <friction> at which load [N] the peak is D, or give <mu> instead");
                    None
                }
                (None, Some(d), Some(load)) => Some(d / load),
                (mu, None, _) => mu,
            };
            return MagicSetXml {
                c,
                peak,
                b: reader.f64("B", b, Accept::positive()),
                e: reader.f64("E", e, Accept::range(-100.0, 1.0)),
                coefficients: None,
                per_slip,
            };
        };
        for name in ["B", "D", "E", "mu"].into_iter().filter(|name| reader.has(name)) {
            reader
                .error_at(name, format!("both <{name}> and <{first}> in {}", reader.describe()))
                .accepted(["<B>, <C>, <D> or <mu>, <E>".to_string(), "<C> and <b1> to <b8>, <b13>".to_string()]);
        }
        let mut values = [0.0; 9];
        for (name, value) in NAMES.iter().zip(&mut values) {
            let accept = if matches!(*name, "b2" | "b4") { Accept::positive() } else { Accept::any() };
            *value = reader.f64(name, 0.0, accept);
        }
        for name in ["b2", "b4"].into_iter().filter(|name| !reader.has(name)) {
            reader.missing(&format!("<{name}>"));
        }
        if along {
            values[8] = reader.f64("b13", 0.0, Accept::range(-1.0, 1.0));
        }
        MagicSetXml { c, peak: Some(1e-3 * values[1]), b, e, coefficients: Some(values), per_slip }
    }

    /// The set of a tyre that was measured on ground of friction coefficient `mu` [-].
    pub(super) fn finish(self, mu: f64) -> MagicSet {
        let curve = match self.coefficients {
            Some([b1, b2, b3, b4, b5, b6, b7, b8, b13]) => MagicCurve::Coefficients(Coefficients1989 {
                b: [b1, b2, b3, b4, b5, b6, b7, b8],
                b13,
                per_slip: self.per_slip,
                mu,
            }),
            None => {
                let peak = self.peak.unwrap_or(mu);
                MagicCurve::Proportional { slope: self.b * self.c * peak, peak: peak / mu, e: self.e }
            }
        };
        MagicSet::with(self.c, curve)
    }
}

fn sources_of_c() -> [String; 2] {
    ["<C>".to_string(), "<tyre_width> and <tyre_radius>".to_string()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 2 kN: slope (b3·F² + b4·F)·exp(−b5·F) per %, peak b1·F² + b2·F, curvature b6·F² + b7·F + b8 and b13 of it less and more.
    #[test]
    fn the_formula_of_1989_gives_slope_peak_and_curvature_at_a_load() {
        let b = [-20.0, 1000.0, 3.0, 200.0, 0.1, 0.01, 0.03, -1.5];
        let set = Coefficients1989 { b, b13: 0.2, per_slip: 100.0, mu: 0.8 };
        let (slope, peak, e) = set.at_load(2000.0, 0.4);
        assert!((slope - 412.0 * libm::exp(-0.2) * 100.0).abs() < 1e-9, "{slope}");
        // On ground with half of the friction.
        assert!((peak - 0.5 * 1920.0).abs() < 1e-9, "{peak}");
        assert!((e[0] + 1.4 * 0.8).abs() < 1e-12 && (e[1] + 1.4 * 1.2).abs() < 1e-12, "{e:?}");
        let beyond = Coefficients1989 { b: [-2000.0, 1000.0, -300.0, 200.0, 0.1, 0.0, 0.0, 3.0], ..set };
        assert_eq!(beyond.at_load(2000.0, 0.8), (0.0, 0.0, [1.0, 1.0]), "no force against the slip, and no E above 1");
    }
}
