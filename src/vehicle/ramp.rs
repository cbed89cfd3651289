//! Ramps of speed and steering angle towards the set-points of a command, within its rate limits.
//!
//! Set-points start from those in force, the speed from that of the vehicle if no command is in force or the vehicle has been set to a
//! state, and run at constant rates: v̇ = ±a, δ̇ = ±φ, as `acceleration` and `steering_angle_velocity` of
//! `ackermann_msgs/AckermannDrive` ask ("a desired absolute rate of change", zero being "as quickly as possible"). A commanded steering
//! rate is a steering angle at the lock, approached with that rate: the input φ of the kinematic bicycle
//! ([`kinematic`](crate::drive::kinematic::law)).

use super::RateLimits;

/// Set-points that follow a ramp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ramp {
    /// Targets: speed [m/s] and steering angle [rad].
    pub(super) to: [f64; 2],
    /// Current values.
    pub(super) at: [f64; 2],
    /// Rates of change [m/s²], [rad/s]; infinite: at once.
    pub(super) rate: [f64; 2],
    /// Whether the speed has yet to start at that of the vehicle.
    pub(super) starts: bool,
}

impl Ramp {
    /// From `at` to `to`, each a speed [m/s] and a steering angle [rad], within limits.
    pub(super) fn new(at: [f64; 2], to: [f64; 2], limits: RateLimits) -> Ramp {
        let rate =
            [limits.acceleration, limits.steering_rate].map(|most| if most > 0.0 { most } else { f64::INFINITY });
        Ramp { to, at, rate, starts: false }
    }

    /// Turns the steering with `rate` [rad/s] until it is at the `lock` [rad], and drives at `speed` [m/s] at once.
    pub(super) fn turning(angle: f64, speed: f64, rate: f64, lock: f64) -> Ramp {
        let to = if rate == 0.0 { angle } else { lock.copysign(rate) };
        Ramp { to: [speed, to], at: [speed, angle], rate: [f64::INFINITY, rate.abs()], starts: false }
    }

    /// Speed [m/s] and steering angle [rad] after `dt` [s]; `speed` is that of the vehicle [m/s].
    pub(super) fn advance(&mut self, speed: f64, dt: f64) -> [f64; 2] {
        if std::mem::take(&mut self.starts) {
            self.at[0] = speed;
        }
        for ((at, to), rate) in self.at.iter_mut().zip(self.to).zip(self.rate) {
            let left = to - *at;
            *at = if left.abs() <= rate * dt { to } else { *at + (rate * dt).copysign(left) };
        }
        self.at
    }

    /// Whether both targets have been reached.
    pub(super) fn is_done(&self) -> bool {
        self.at == self.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_set_point_changes_at_its_own_rate_and_stops_at_its_target() {
        let limits = RateLimits { acceleration: 2.0, steering_rate: 0.5 };
        let mut ramp = Ramp::new([1.0, 0.1], [0.0, 0.2], limits);
        for _ in 0..10 {
            ramp.advance(0.0, 0.01);
        }
        assert!((ramp.at[0] - 0.8).abs() < 1e-12 && (ramp.at[1] - 0.15).abs() < 1e-12 && !ramp.is_done(), "{ramp:?}");
        for _ in 0..45 {
            ramp.advance(0.0, 0.01);
        }
        assert!(ramp.is_done() && ramp.at == [0.0, 0.2]);
    }

    #[test]
    fn zero_is_as_fast_as_possible() {
        let mut ramp = Ramp::new([1.0, 0.1], [-3.0, 0.2], RateLimits::default());
        assert_eq!(ramp.advance(0.0, 1e-3), [-3.0, 0.2]);
    }

    #[test]
    fn a_steering_rate_ends_at_the_lock_and_none_keeps_the_angle() {
        let mut ramp = Ramp::turning(0.1, 2.0, -0.5, 0.4);
        assert_eq!(ramp.advance(0.0, 0.1)[0], 2.0);
        assert!((ramp.at[1] - 0.05).abs() < 1e-12);
        for _ in 0..100 {
            ramp.advance(0.0, 0.1);
        }
        assert_eq!(ramp.at[1], -0.4);
        assert_eq!(Ramp::turning(0.1, 2.0, 0.0, 0.4).advance(0.0, 1.0), [2.0, 0.1]);
    }
}
