//! Slip ratio and slip angle, defined once for every law, model, sensor and plot.
//!
//! The ratio relates the motion of the contact to the larger of rolling speed and speed over ground, the angle to the speed along
//! the wheel. Both are bounded, and symmetric between left and right, forwards and backwards. No slip is defined for a wheel at
//! rest; the reported values fade to zero below [`MIN_SPEED`]. Laws need no such fade laterally, because at low speed they hold
//! the contact instead.

use skidpad_math::Vec2;

/// Lower bound of the reference speed [m/s] in the slip formulas.
pub const MIN_SPEED: f64 = 1e-3;

/// Reciprocal of the largest tangent of a slip angle [-] that laws use, 0.06° short of 90°.
const MIN_COTANGENT: f64 = 1e-3;

/// Slip ratio (ωR − vx)/max(|ωR|, |vx|) in [-1, 1] for the speed ωR of the rim [m/s], positive when driving; 0 when both are zero. Regular
/// at rest: below 1 mm/s the denominator stays at 1 mm/s.
#[inline]
pub fn slip_ratio(velocity_in_wheel: Vec2, rim_speed: f64) -> f64 {
    let reference = rim_speed.abs().max(velocity_in_wheel.x.abs()).max(MIN_SPEED);
    ((rim_speed - velocity_in_wheel.x) / reference).clamp(-1.0, 1.0)
}

/// Slip angle [rad] in [-π/2, π/2]: from the rolling direction to the velocity, atan2(vy, |vx|), positive when the wheel
/// moves to its left. Below 1 mm/s it fades as asin(vy/(1 mm/s)).
#[inline]
pub fn slip_angle(velocity_in_wheel: Vec2) -> f64 {
    let (vx, vy) = (velocity_in_wheel.x.abs(), velocity_in_wheel.y);
    if vy == 0.0 {
        return 0.0;
    }
    let squared = velocity_in_wheel.dot(velocity_in_wheel);
    if squared < MIN_SPEED * MIN_SPEED {
        return libm::asin(vy / MIN_SPEED);
    }
    let tangent = vy / vx;
    if tangent.abs() < 1.0 { angle_of(tangent) } else { libm::atan2(vy, vx) }
}

/// Tangent [-] of the slip angle, vy/|vx|, at most 1000 in magnitude; 0 without lateral motion.
#[inline]
pub fn slip_tangent(vx: f64, vy: f64) -> f64 {
    let reference = vx.abs().max(vy.abs() * MIN_COTANGENT);
    if reference > 0.0 { vy / reference } else { 0.0 }
}

/// The slip angle [rad] of this tangent [-].
#[inline]
pub fn angle_of(tangent: f64) -> f64 {
    let square = tangent * tangent;
    if square < 1e-3 {
        // Five terms of the series: the relative error is below 1e-16.
        return tangent * (1.0 - square * (1.0 / 3.0 - square * (0.2 - square * (1.0 / 7.0 - square / 9.0))));
    }
    libm::atan(tangent)
}
