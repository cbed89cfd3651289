//! The Magic Formula without its arctangents and sine: F/D over B·slip as piecewise cubics, built when a world is loaded.
//!
//! F/D = sin(C·atan(x − E·(x − atan x))) depends on x = B·slip, C and E alone. Over t = x/(1 + x), from 0 to 1, it is smooth up to
//! infinite slip. Cubic Hermite pieces with the true slopes differ from it by less than h⁴/384·max|d⁴/dt⁴|, with h = 1/512: by less
//! than 1e-7 for E from -1 to 1 up to x = 10, and 1e-5 beyond.

/// Number of pieces.
const PIECES: usize = 512;

/// Force over peak [-] against x = B·slip [-] ≥ 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShareTable {
    /// Coefficients of w⁰ to w³ on each piece, w from 0 to 1.
    pieces: Box<[[f64; 4]]>,
    /// x at the peak [-]; infinite for a curve without one.
    peak_at: f64,
}

/// tan(π/(2C)): the outer arctangent's argument at the peak [-]; infinite for C ≤ 1.
pub(super) fn peak_argument(c: f64) -> f64 {
    if c > 1.0 { libm::tan(std::f64::consts::FRAC_PI_2 / c) } else { f64::INFINITY }
}

/// The outer arctangent's argument y at x = B·slip ≥ 0, and dy/dx.
#[inline]
pub(super) fn outer_argument(x: f64, e: f64) -> (f64, f64) {
    if e == 0.0 { (x, 1.0) } else { (x - e * (x - libm::atan(x)), 1.0 - e * x * x / (1.0 + x * x)) }
}

impl ShareTable {
    /// The table of shape C and curvature E ≤ 1 [-].
    pub(super) fn new(c: f64, e: f64) -> ShareTable {
        let h = 1.0 / PIECES as f64;
        // Value, and slope over a whole piece.
        let node = |i: usize| {
            let t = i as f64 * h;
            let x = if i < PIECES { t / (1.0 - t) } else { 1e9 };
            let (y, slope) = outer_argument(x, e);
            let angle = c * libm::atan(y);
            (libm::sin(angle), libm::cos(angle) * c / (1.0 + y * y) * slope * (1.0 + x) * (1.0 + x) * h)
        };
        let pieces = (0..PIECES)
            .map(|i| {
                let ((from, slope), (to, end)) = (node(i), node(i + 1));
                let rise = to - from;
                // The last node lies at infinity, where the slope would be nothing but rounding.
                let end = if i + 1 < PIECES { end } else { 2.0 * rise - slope };
                [from, slope, 3.0 * rise - 2.0 * slope - end, slope + end - 2.0 * rise]
            })
            .collect();
        ShareTable { pieces, peak_at: peak(c, e) }
    }

    /// x at the peak [-].
    #[inline]
    pub(super) fn peak_at(&self) -> f64 {
        self.peak_at
    }

    /// Force over D [-], and its slope over x.
    #[inline]
    pub(super) fn at(&self, x: f64) -> (f64, f64) {
        let inverse = 1.0 / (1.0 + x);
        let place = PIECES as f64 * (x * inverse);
        let index = (place as usize).min(PIECES - 1);
        let w = place - index as f64;
        let [a, b, c, d] = self.pieces[index];
        let share = a + w * (b + w * (c + w * d));
        let slope = b + w * (2.0 * c + 3.0 * w * d);
        (share.min(1.0), slope * PIECES as f64 * inverse * inverse)
    }
}

/// x where x − E·(x − atan x) reaches the peak, by bisection; infinite where it never does.
fn peak(c: f64, e: f64) -> f64 {
    let wanted = peak_argument(c);
    let (mut low, mut high) = (0.0, 1e6);
    if outer_argument(high, e).0 <= wanted {
        return f64::INFINITY;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if outer_argument(middle, e).0 < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table against the formula, value and slope, for the C and E of common tyres and beyond.
    #[test]
    fn the_table_matches_the_formula() {
        for c in [0.5, 1.0, 1.3, 1.45, 1.65, 1.9, 2.0] {
            for e in [-10.0, -1.0, 0.0, 0.5, 0.97, 1.0] {
                let table = ShareTable::new(c, e);
                for i in 0..4_000 {
                    let x = 5e-4 * f64::from(i) * (1.0 + f64::from(i) / 100.0);
                    let (y, y_slope) = outer_argument(x, e);
                    let exact = libm::sin(c * libm::atan(y));
                    let slope = libm::cos(c * libm::atan(y)) * c / (1.0 + y * y) * y_slope;
                    let (actual, actual_slope) = table.at(x);
                    let bound = if e < -1.0 || x > 10.0 { 1e-5 } else { 1e-7 };
                    assert!((actual - exact).abs() <= bound, "C {c} E {e} x {x}: {actual} for {exact}");
                    assert!(
                        (actual_slope - slope).abs() <= 1e3 * bound,
                        "C {c} E {e} x {x}: slope {actual_slope} for {slope}"
                    );
                }
                if table.peak_at() < 1e3 {
                    assert!((table.at(table.peak_at()).0 - 1.0).abs() < 1e-6);
                }
            }
        }
    }
}
