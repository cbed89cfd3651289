//! Root of an increasing function of one variable, used by the powertrain to solve for consistent speeds and torques.

/// Largest number of iterations; smooth functions need a handful, kinks need bisections in between.
const MAX_ROUNDS: usize = 100;
/// Width of the bracket, relative to the root, at which the root is accepted.
const ACCURACY: f64 = 1e-14;
/// The same, relative to the range where the root may be.
const ACCURACY_IN_RANGE: f64 = 1e-17;

/// Root of the increasing `f` between `low` and `high`; the end where `f` is closer to zero if it does not change sign between
/// them. `f` is evaluated at the guess first, and then where the root is at most if `f` rises by `least` or more, which it mostly does.
///
/// T. R. Chandrupatla's method (Advances in Engineering Software 28, 1997): inverse quadratic interpolation where
/// three points lie well for it, else bisection.
pub(super) fn root_near(guess: f64, least: f64, [low, high]: [f64; 2], f: impl Fn(f64) -> f64) -> f64 {
    // The newest point, the other end of the bracket, and the one before.
    let mut b = guess.max(low).min(high);
    let mut at_b = f(b);
    if at_b == 0.0 {
        return b;
    }
    let mut a = (b - 1.25 * at_b / least).max(low).min(high);
    let mut at_a = f(a);
    if (at_a > 0.0) == (at_b > 0.0) {
        (b, at_b) = (a, at_a);
        a = if at_b > 0.0 { low } else { high };
        at_a = f(a);
        if (at_a > 0.0) == (at_b > 0.0) {
            return a;
        }
    }
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
        let least = (ACCURACY * best.abs()).max(ACCURACY_IN_RANGE * (high - low));
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
        for guess in [-60.0, 0.0, 0.9, 500.0] {
            for least in [1e-7, 1.0, 1e6] {
                assert!((root_near(guess, least, [-50.0, 900.0], kinked) - 1.0).abs() < 1e-11);
                assert!((root_near(guess, least, [-3.0, 8.0], |x| x * x * x - 2.0) - 2.0_f64.cbrt()).abs() < 1e-12);
                assert!((root_near(guess, least, [-1.0, 3e5], |x| 3.0 * x - 7.0) - 7.0 / 3.0).abs() < 1e-12);
                assert_eq!(root_near(guess, least, [1.0, 2.0], |x| x), 1.0);
                assert_eq!(root_near(guess, least, [-2.0, -1.0], |x| x), -1.0);
            }
        }
    }
}
