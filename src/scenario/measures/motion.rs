//! Acceleration and jerk from velocities, over a stated window.
//!
//! A velocity that is differenced from step to step tells more of the step than of the drive. Both are therefore differences over a
//! window T = [`WINDOW`], rounded to whole steps:
//! a = |v(t) − v(t−T)| / T and j = |v(t) − 2 v(t−T) + v(t−2T)| / T², with v the velocity in the world, so that a turn counts, too.
//! They are the mean acceleration over the window, and the change of that mean from one window to the next. What lasts less than
//! the window appears lower than it is.

use std::collections::VecDeque;

use skidpad_math::Vec2;

/// Length of the window [s].
pub const WINDOW: f64 = 0.1;

/// The velocities of the last two windows.
#[derive(Debug)]
pub(super) struct Motion {
    /// The window in steps, ≥ 1.
    steps: usize,
    /// Its true length [s].
    window: f64,
    /// Velocities in the world [m/s], the oldest first.
    velocities: VecDeque<Vec2>,
}

impl Motion {
    /// Of velocities that come every `step` [s].
    pub(super) fn new(step: f64) -> Motion {
        let steps = (WINDOW / step).round().clamp(1.0, 1e5) as usize;
        Motion { steps, window: steps as f64 * step, velocities: VecDeque::new() }
    }

    /// Forgets what was: the vehicle was placed elsewhere.
    pub(super) fn restart(&mut self) {
        self.velocities.clear();
    }

    /// Takes the next velocity; returns acceleration [m/s²] and jerk [m/s³], none until a window, or two, have passed.
    pub(super) fn push(&mut self, velocity_in_world: Vec2) -> (Option<f64>, Option<f64>) {
        if self.velocities.len() > 2 * self.steps {
            self.velocities.pop_front();
        }
        self.velocities.push_back(velocity_in_world);
        let last = self.velocities.len() - 1;
        let before = |windows: usize| Some(self.velocities[last.checked_sub(windows * self.steps)?]);
        let acceleration = before(1).map(|v1| (velocity_in_world - v1).norm() / self.window);
        let jerk = before(1)
            .zip(before(2))
            .map(|(v1, v2)| (velocity_in_world - 2.0 * v1 + v2).norm() / (self.window * self.window));
        (acceleration, jerk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// v = j t²/2 along a line: a is that in the middle of the window, and the jerk is exact.
    #[test]
    fn a_parabola_of_speed_has_its_jerk() {
        let (jerk, step) = (3.0, 0.005);
        let mut motion = Motion::new(step);
        for count in 0..200 {
            let t = f64::from(count) * step;
            let actual = motion.push(Vec2::new(0.5 * jerk * t * t, 1.0));
            assert_eq!((actual.0.is_some(), actual.1.is_some()), (count >= 20, count >= 40));
            let expected = jerk * (t - 0.05);
            assert!(
                actual.0.is_none_or(|a| (a - expected).abs() < 1e-9)
                    && actual.1.is_none_or(|j| (j - jerk).abs() < 1e-7)
            );
        }
    }

    /// On a circle at constant speed the acceleration is v ω sinc(ωT/2), towards the middle.
    #[test]
    fn a_turn_counts() {
        let (speed, rate, step) = (2.0_f64, 1.5_f64, 0.01);
        let mut motion = Motion::new(step);
        let actual = (0..100).map(|count| {
            let angle = rate * step * f64::from(count);
            motion.push(Vec2::new(speed * angle.cos(), speed * angle.sin()))
        });
        let half = 0.5 * rate * WINDOW;
        let expected = speed * rate * half.sin() / half;
        for (acceleration, jerk) in actual.skip(20) {
            assert!((acceleration.unwrap() - expected).abs() < 1e-9);
            assert!((jerk.unwrap() - expected * rate * half.sin() / half).abs() < 1e-9);
        }
    }

    #[test]
    fn what_was_before_a_placement_does_not_count() {
        let mut motion = Motion::new(0.1);
        assert_eq!(motion.push(Vec2::new(9.0, 0.0)), (None, None));
        motion.restart();
        assert_eq!(motion.push(Vec2::ZERO), (None, None));
        let (acceleration, jerk) = motion.push(Vec2::new(0.0, 0.5));
        assert!((acceleration.unwrap() - 5.0).abs() < 1e-12 && jerk.is_none());
    }
}
