//! Root of an increasing function of one variable, used by the powertrain to solve for consistent speeds and torques.

/// Largest number of iterations; smooth functions need a handful, kinks need bisections in between.
const MAX_ROUNDS: usize = 100;
/// Relative width of the bracket at which the root is accepted.
const ACCURACY: f64 = 1e-14;

/// Root of the increasing `f` between `low` and `high`; the end where `f` is closer to zero if it does not change sign between
/// them. T. R. Chandrupatla's method (Advances in Engineering Software 28, 1997): inverse quadratic interpolation where
/// three points lie well for it, else bisection.
pub(super) fn root_of_increasing(low: f64, high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (at_low, at_high) = (f(low), f(high));
    if at_low >= 0.0 {
        return low;
    }
    if at_high <= 0.0 {
        return high;
    }
    // The newest point, the other end of the bracket, and the one before.
    let (mut a, mut at_a, mut b, mut at_b) = (high, at_high, low, at_low);
    // The first guess is the secant's.
    let mut t = at_a / (at_a - at_b);
    for _ in 0..MAX_ROUNDS {
        let x = a + t * (b - a);
        let at_x = f(x);
        let (c, at_c);
        if (at_x > 0.0) == (at_a > 0.0) {
            (c, at_c) = (a, at_a);
        } else {
            (c, at_c) = (b, at_b);
            (b, at_b) = (a, at_a);
        }
        (a, at_a) = (x, at_x);
        let (best, at_best) = if at_a.abs() < at_b.abs() { (a, at_a) } else { (b, at_b) };
        let least = ACCURACY * best.abs().max(1e-6 * (high - low));
        let share = least / (b - a).abs();
        if share > 0.5 || at_best == 0.0 || !at_x.is_finite() {
            return best;
        }
        let (xi, phi) = ((a - b) / (c - b), (at_a - at_b) / (at_c - at_b));
        t = if phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi {
            at_a / (at_b - at_a) * (at_c / (at_b - at_c))
                + (c - a) / (b - a) * (at_a / (at_c - at_a)) * (at_b / (at_c - at_b))
        } else {
            0.5
        };
        t = t.clamp(share, 1.0 - share);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_kinked_and_steep_functions_are_found() {
        let kinked = |x: f64| if x < 1.0 { 1e-6 * (x - 2.0) } else { 1e6 * (x - 1.0) - 1e-6 };
        assert!((root_of_increasing(-50.0, 900.0, kinked) - 1.0).abs() < 1e-11);
        assert!((root_of_increasing(-3.0, 8.0, |x| x * x * x - 2.0) - 2.0_f64.cbrt()).abs() < 1e-12);
        assert!((root_of_increasing(-1.0, 3e5, |x| 3.0 * x - 7.0) - 7.0 / 3.0).abs() < 1e-12);
        assert_eq!(root_of_increasing(1.0, 2.0, |x| x), 1.0);
        assert_eq!(root_of_increasing(-2.0, -1.0, |x| x), -1.0);
    }
}
