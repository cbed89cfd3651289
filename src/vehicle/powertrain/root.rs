//! The root of an increasing function of one variable: how a powertrain finds speeds and torques that fit together.

/// Rounds at most; piecewise straight functions need a handful.
const MOST_ROUNDS: usize = 100;
/// Width of the bracket, in parts of its ends, at which it is found.
const ACCURACY: f64 = 1e-13;

/// Where the increasing `f` is zero between `low` and `high`; the end that is nearer to zero where its sign does not change
/// between them. Regula falsi with the Illinois rule (M. Dowell and P. Jarratt, BIT 11, 1971), which keeps the bracket.
pub(super) fn root_of_increasing(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let (mut at_low, mut at_high) = (f(low), f(high));
    if at_low >= 0.0 {
        return low;
    }
    if at_high <= 0.0 {
        return high;
    }
    let mut side = 0;
    let mut width = high - low;
    for round in 0..MOST_ROUNDS {
        let secant = (low * at_high - high * at_low) / (at_high - at_low);
        let mut middle = if secant > low && secant < high { secant } else { 0.5 * (low + high) };
        if round % 3 == 2 {
            // A kink may keep the secant near one end.
            if high - low > 0.5 * width {
                middle = 0.5 * (low + high);
            }
            width = high - low;
        }
        let value = f(middle);
        if value == 0.0 || !value.is_finite() || high - low <= ACCURACY * (low.abs() + high.abs()) {
            return middle;
        }
        if value < 0.0 {
            (low, at_low) = (middle, value);
            if side == -1 {
                at_high *= 0.5;
            }
            side = -1;
        } else {
            (high, at_high) = (middle, value);
            if side == 1 {
                at_low *= 0.5;
            }
            side = 1;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_kinked_and_steep_functions_are_found() {
        let kinked = |x: f64| if x < 1.0 { 1e-3 * (x - 2.0) } else { 1e3 * (x - 1.0) - 1e-3 };
        assert!((root_of_increasing(-50.0, 900.0, kinked) - 1.0 - 1e-6).abs() < 1e-12);
        assert!((root_of_increasing(-3.0, 8.0, |x| x * x * x - 2.0) - 2.0_f64.cbrt()).abs() < 1e-12);
        assert_eq!(root_of_increasing(1.0, 2.0, |x| x), 1.0);
        assert_eq!(root_of_increasing(-2.0, -1.0, |x| x), -1.0);
    }
}
