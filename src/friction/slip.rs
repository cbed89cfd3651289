//! Slip ratio and slip angle, defined once for every law, model, sensor and plot.

use crate::math::Vec2;

/// Slip ratio (ωR − vx)/max(|ωR|, |vx|) in [-1, 1], positive when driving; 0 when both stand. Regular at rest: below
/// 1 mm/s the denominator stays at 1 mm/s.
#[inline]
pub fn slip_ratio(velocity_in_wheel: Vec2, spin: f64, radius: f64) -> f64 {
    let rim = spin * radius;
    let reference = rim.abs().max(velocity_in_wheel.x.abs()).max(1e-3);
    ((rim - velocity_in_wheel.x) / reference).clamp(-1.0, 1.0)
}

/// Slip angle [rad]: from the rolling direction to the velocity, atan2(vy, |vx|); 0 below 1 mm/s.
#[inline]
pub fn slip_angle(velocity_in_wheel: Vec2) -> f64 {
    if velocity_in_wheel.y == 0.0 || velocity_in_wheel.dot(velocity_in_wheel) < 1e-6 {
        return 0.0;
    }
    let (vx, vy) = (velocity_in_wheel.x.abs(), velocity_in_wheel.y);
    let tangent = vy / vx;
    if tangent.abs() < 1e-3 {
        // Two terms of the series: the error is below 1e-15 rad.
        return tangent * (1.0 - tangent * tangent / 3.0);
    }
    libm::atan2(vy, vx)
}
