//! A first-order lag whose rate is limited, as of a servo that saturates.

/// What remains of `error` after `dt` [s] of an approach with the rate error/`lag`, at most `max_rate`. `lag` [s] ≥ 0,
/// 0: the rate limit alone; `max_rate` in units of the error per second, > 0, infinite: the lag alone. The solution
/// combines a ramp and an exponential, and is exact at any step.
#[inline]
pub(super) fn remaining(error: f64, lag: f64, max_rate: f64, dt: f64) -> f64 {
    // Beyond this distance the servo is saturated. Without a limit it never is.
    let linear = if max_rate == f64::INFINITY { f64::INFINITY } else { max_rate * lag };
    let distance = error.abs();
    let (ramp, after_ramp) = if distance > linear {
        let ramp = ((distance - linear) / max_rate).min(dt);
        (ramp, (distance - max_rate * ramp).max(0.0))
    } else {
        (0.0, distance)
    };
    let left = dt - ramp;
    let after = if lag > 0.0 {
        if left > 0.0 { after_ramp * libm::exp(-left / lag) } else { after_ramp }
    } else if max_rate == f64::INFINITY {
        0.0
    } else {
        after_ramp
    };
    after.copysign(error)
}
