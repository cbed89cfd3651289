//! The steering actuator between the steering angle of the controller and that of the wheels, `<steering_actuator>` in
//! `<dynamics>`.
//!
//! Commands, set-points and reported angles are always angles at the road wheels, of the equivalent single track. The
//! steering ratio (the angle of the road wheels is proportional to that of the steering wheel) converts values given at
//! the steering wheel: δ_road = δ_steering wheel / ratio.
//!
//! ```xml
//! <steering_actuator ratio="1"             steering wheel over road wheels [-], > 0
//!                    rate_deg="…"          fastest turning of the road wheels [deg/s], > 0; default: any
//!                    wheel_rate_deg="…"    or of the steering wheel [deg/s], > 0
//!                    max_deg="…"           largest angle of the road wheels [deg], > 0 to 90; default: the drive's alone
//!                    wheel_max_deg="…"     or of the steering wheel [deg], > 0
//!                    lag="0"               time constant [s], ≥ 0
//!                    interpolate="0"/>     longest time [s] over which a change of the wanted angle is spread, ≥ 0; 0: none
//! ```
//! The actuator turns with the rate (δ_wanted − δ)/lag, but never faster than the limit: a lag whose servo saturates (G.
//! Reimann, P. Brenner, H. Büring, "Steering Actuator Systems", in "Handbook of Driver Assistance Systems", 2015). The
//! solution combines a ramp and an exponential, and is exact at any step while the commanded angle is constant within the
//! step. Without lag it is the ramp alone.
//!
//! Commands arrive in steps. If the wheel jumps to each one and rests until the next, the contact sees steering pulses, and the lateral
//! force has a spectral line at the rate of the commands. Steering controllers therefore move from one set-point to the next in the time
//! between them (interpolated position mode of CiA 402, IEC 61800-7-201): with `interpolate` a change is spread over the time since the
//! last one, up to the given limit, so that the angle lags by one period of the commands.
//!
//! Not modelled: inertia and dead time of the actuator, backlash, and tyre forces on the steering.

use skidpad_xml::{Accept, Reader};

use super::drive::Steering;
use super::lag::remaining;

/// Tracks the commanded steering angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteeringActuator {
    /// Equivalent single-track angle of the wheels [rad].
    angle: f64,
    /// Largest angle of the road wheels [rad].
    max_angle: f64,
    /// Fastest turning of the road wheels [rad/s].
    max_rate: f64,
    /// Time constant [s]; 0: none.
    lag: f64,
    /// Interpolation between set-points; none: they are passed on directly.
    interpolation: Option<Interpolation>,
}

/// Interpolation from one set-point to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Interpolation {
    /// Longest duration [s].
    longest: f64,
    /// Current angle and target [rad].
    angle: f64,
    wanted: f64,
    /// Remaining time, and time since the last change of the set-point [s].
    left: f64,
    since: f64,
}

impl Interpolation {
    fn new(longest: f64) -> Interpolation {
        Interpolation { longest, angle: 0.0, wanted: 0.0, left: 0.0, since: longest }
    }

    /// The angle [rad] after `dt` [s] on the way to `wanted` [rad].
    fn follow(&mut self, wanted: f64, dt: f64) -> f64 {
        self.since = (self.since + dt).min(self.longest);
        if wanted != self.wanted {
            (self.wanted, self.left, self.since) = (wanted, self.since, 0.0);
        }
        // Within rounding of the target, use the target.
        if self.left > dt * (1.0 + 1e-9) {
            self.angle += (self.wanted - self.angle) * (dt / self.left);
            self.left -= dt;
        } else {
            (self.angle, self.left) = (self.wanted, 0.0);
        }
        self.angle
    }
}

impl Default for SteeringActuator {
    /// No limits: the wheels take the commanded angle at once.
    fn default() -> SteeringActuator {
        SteeringActuator::new(f64::INFINITY, f64::INFINITY, 0.0)
    }
}

impl SteeringActuator {
    /// An actuator that turns the road wheels up to `max_angle` [rad] at up to `max_rate` [rad/s] with the time constant `lag` [s].
    pub fn new(max_angle: f64, max_rate: f64, lag: f64) -> SteeringActuator {
        SteeringActuator { angle: 0.0, max_angle, max_rate, lag, interpolation: None }
    }

    /// Spreads each change of the commanded angle over the time since the last one, at most over `longest` [s].
    pub fn interpolate(mut self, longest: f64) -> SteeringActuator {
        self.interpolation = (longest > 0.0).then(|| Interpolation::new(longest));
        self
    }

    /// Reads the block from `<dynamics>`; without one the wheels take the commanded angle at once. If a limit is given at
    /// both the road wheels and the steering wheel, the smaller one counts. The block is an error on a drive without
    /// steering.
    pub fn read(dynamics: &Reader<'_>, steering: Option<Steering>) -> SteeringActuator {
        let Some(tag) = dynamics.child("steering_actuator") else { return SteeringActuator::default() };
        if steering.is_none() {
            tag.error("<steering_actuator> on a drive that does not steer");
        }
        let ratio = tag.attribute_f64("ratio", 1.0, Accept::positive());
        let smaller = |at_road: &str, at_steering_wheel: &str, road_accepts: Accept| {
            let road = tag.attribute_degrees(at_road, f64::INFINITY, road_accepts);
            road.min(tag.attribute_degrees(at_steering_wheel, f64::INFINITY, Accept::positive()) / ratio)
        };
        let max_rate = smaller("rate_deg", "wheel_rate_deg", Accept::positive());
        let max_angle = smaller("max_deg", "wheel_max_deg", Accept::range(1e-3, 90.0));
        let lag = tag.attribute_f64("lag", 0.0, Accept::non_negative());
        let longest = tag.attribute_f64("interpolate", 0.0, Accept::non_negative());
        tag.finish();
        SteeringActuator::new(max_angle, max_rate, lag).interpolate(longest)
    }

    /// Largest angle of the road wheels [rad]; infinite: only the drive limits it.
    pub fn max_angle(&self) -> f64 {
        self.max_angle
    }

    /// Fastest turning of the road wheels [rad/s]; infinite: any.
    pub fn max_rate(&self) -> f64 {
        self.max_rate
    }

    /// The angle [rad] after `dt` [s] of following `wanted` [rad].
    #[inline]
    pub fn follow(&mut self, wanted: f64, dt: f64) -> f64 {
        let wanted = if wanted.abs() <= self.max_angle { wanted } else { self.max_angle.copysign(wanted) };
        let wanted = self.interpolation.as_mut().map_or(wanted, |interpolation| interpolation.follow(wanted, dt));
        if self.lag == 0.0 && self.max_rate == f64::INFINITY {
            self.angle = wanted;
        } else {
            self.angle = wanted - remaining(wanted - self.angle, self.lag, self.max_rate, dt);
        }
        self.angle
    }

    /// Back to straight ahead.
    pub fn reset(&mut self) {
        self.angle = 0.0;
        self.interpolation = self.interpolation.map(|interpolation| Interpolation::new(interpolation.longest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: [f64; 3] = [0.001, 0.005, 0.02];

    /// The angle at each full 20 ms on the way to `wanted`.
    fn path(mut actuator: SteeringActuator, wanted: f64, dt: f64, samples: usize) -> Vec<f64> {
        let per_sample = (0.02 / dt).round() as usize;
        (0..samples).map(|_| (0..per_sample).map(|_| actuator.follow(wanted, dt)).last().unwrap_or(0.0)).collect()
    }

    #[test]
    fn without_limits_the_wanted_angle_is_reached_at_once() {
        assert_eq!(SteeringActuator::default().follow(0.3, 0.005), 0.3);
        assert_eq!(SteeringActuator::new(0.2, f64::INFINITY, 0.0).follow(-0.3, 0.005), -0.2);
    }

    /// δ = min(rate·t, δ_wanted).
    #[test]
    fn a_limited_rate_is_a_ramp_at_any_step() {
        for dt in STEPS {
            for (i, angle) in path(SteeringActuator::new(1.0, 0.7, 0.0), -0.3, dt, 40).into_iter().enumerate() {
                let expected = -(0.7 * 0.02 * (i + 1) as f64).min(0.3);
                assert!((angle - expected).abs() < 1e-12, "{angle} for {expected} at {dt}");
            }
        }
    }

    /// δ = δ_wanted·(1 − e^(−t/τ)).
    #[test]
    fn a_lag_is_an_exponential_at_any_step() {
        for dt in STEPS {
            let actuator = SteeringActuator::new(1.0, f64::INFINITY, 0.1);
            for (i, angle) in path(actuator, 0.3, dt, 40).into_iter().enumerate() {
                let expected = 0.3 * (1.0 - (-0.2 * (i + 1) as f64).exp());
                assert!((angle - expected).abs() < 1e-12, "{angle} for {expected} at {dt}");
            }
        }
    }

    /// Rate 0.7 and lag 0.1 s from 0 to 0.3: a ramp until 0.07 are left, at t₁ = 0.23/0.7, then 0.07·e^(−(t − t₁)/τ).
    #[test]
    fn a_saturated_lag_is_a_ramp_and_then_an_exponential() {
        for dt in STEPS {
            for (i, angle) in path(SteeringActuator::new(1.0, 0.7, 0.1), 0.3, dt, 60).into_iter().enumerate() {
                let (t, turn) = (0.02 * (i + 1) as f64, 0.23 / 0.7);
                let expected = if t < turn { 0.7 * t } else { 0.3 - 0.07 * (-(t - turn) / 0.1_f64).exp() };
                assert!((angle - expected).abs() < 1e-12, "{angle} for {expected} at {dt}");
            }
        }
    }

    /// Set-points every 20 ms on a ramp come out as the ramp itself, one period later, at any step.
    #[test]
    fn set_points_on_a_ramp_give_the_ramp_one_period_later() {
        for dt in STEPS {
            let mut actuator = SteeringActuator::new(1.0, f64::INFINITY, 0.0).interpolate(0.05);
            let per_period = (0.02 / dt).round() as usize;
            for step in 0..10 * per_period {
                let wanted = 0.01 * (step / per_period + 1) as f64;
                let angle = actuator.follow(wanted, dt);
                let expected = 0.01 * (step + 1) as f64 / per_period as f64;
                // The first change comes after a long time, so that the longest duration applies.
                assert!(step < 5 * per_period || (angle - expected).abs() < 1e-12, "{angle} for {expected} at {dt}");
            }
        }
    }

    #[test]
    fn a_set_point_after_a_long_time_is_reached_in_the_longest_duration_and_kept() {
        let mut actuator = SteeringActuator::new(1.0, f64::INFINITY, 0.0).interpolate(0.05);
        let angles: Vec<f64> = (0..8).map(|_| actuator.follow(0.2, 0.01)).collect();
        for (angle, expected) in angles.iter().zip([0.04, 0.08, 0.12, 0.16, 0.2, 0.2, 0.2, 0.2]) {
            assert!((angle - expected).abs() < 1e-12, "{angles:?}");
        }
        actuator.reset();
        assert!((actuator.follow(0.2, 0.01) - 0.04).abs() < 1e-12);
    }
}
