//! Safeguards of the linearizing laws where they are singular: standing, turning on the spot, reversing, limits.
//!
//! The law of a car that rolls without side slip, with the commanded velocity (u, w) of P in the body frame and P `lever` ahead of
//! the rear axle, is V = u, θ̇ = w/lever, φ = atan(l·θ̇/V). It is undefined at u = 0, where the car would have to turn on the
//! spot. The safeguards are:
//!
//! | condition | action |
//! |---|---|
//! | the commanded velocity is less than `min_speed` | V = u, and the steering angle is kept: there is no direction to steer to |
//! | \|u\| < `min_speed`, w is not small | the car creeps at `min_speed` in its last direction of travel, steering towards P |
//! | u ≤ −`min_speed`, `reverse` | the law itself: the car reverses, and φ changes its sign with V |
//! | u < `min_speed`, not `reverse` | forward at \|u\|, at least `min_speed`, on the smallest circle towards P |
//! | \|u\| > `max_speed` | the commanded velocity is shortened, φ is kept |
//! | \|φ\| > `max_steering_angle` | φ is limited |
//!
//! Reversing is unstable: P ahead of the axle is pushed like the end of a rod, so that the car turns
//! round within about lever/|V| seconds, until P is ahead in the direction of motion.

use skidpad_math::Vec2;

use super::{LinearizerParameters, Steer};
use skidpad_vehicle::friction::within;

/// Limits, and the state kept through a standstill.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    wheelbase: f64,
    min_speed: f64,
    max_speed: f64,
    max_steering_angle: f64,
    reverse: bool,
    last_angle: f64,
    is_backward: bool,
}

impl Guard {
    /// The guard with the limits of the (already checked) parameters, for this `wheelbase` [m].
    pub(super) fn new(parameters: &LinearizerParameters, wheelbase: f64) -> Guard {
        let &LinearizerParameters { min_speed, max_speed, max_steering_angle, reverse, .. } = parameters;
        Guard { wheelbase, min_speed, max_speed, max_steering_angle, reverse, last_angle: 0.0, is_backward: false }
    }

    /// Resets the steering angle and the direction of travel.
    pub(super) fn reset(&mut self) {
        (self.last_angle, self.is_backward) = (0.0, false);
    }

    /// Speed of the rear axle and steering angle that move the point `lever` [m] ahead of it at the velocity `wanted_in_body` [m/s].
    pub(super) fn roll(&mut self, wanted_in_body: Vec2, lever: f64) -> Steer {
        let Vec2 { x: u, y: w } = wanted_in_body;
        if !wanted_in_body.is_finite() {
            return self.limit(0.0, self.last_angle);
        }
        if u.abs().max(w.abs()) < self.min_speed {
            let speed = if self.reverse { u } else { u.max(0.0) };
            return self.limit(speed, self.last_angle);
        }
        if !self.reverse && u < self.min_speed {
            return self.limit(u.abs().max(self.min_speed), f64::INFINITY.copysign(w));
        }
        if u.abs() >= self.min_speed {
            self.is_backward = u < 0.0;
        }
        let direction = if self.is_backward { -1.0 } else { 1.0 };
        let speed = direction * (direction * u).max(self.min_speed);
        self.limit(speed, libm::atan(self.wheelbase * (w / lever) / speed))
    }

    /// The command within the limits; it is stored for the next call.
    pub(super) fn limit(&mut self, speed: f64, steering_angle: f64) -> Steer {
        let steer = Steer {
            speed: within(speed, self.max_speed),
            steering_angle: within(steering_angle, self.max_steering_angle),
            turn_rate: 0.0,
            plan_is_held: false,
            speed_is_cut: speed.abs() > self.max_speed,
            steering_is_cut: steering_angle.abs() > self.max_steering_angle,
        };
        self.last_angle = steer.steering_angle;
        Steer { turn_rate: steer.speed * libm::tan(steer.steering_angle) / self.wheelbase, ..steer }
    }
}
