//! Lets an event, such as a warning, pass at most once in a period of wall time.

use std::time::{Duration, Instant};

/// True at most once in every period of wall time.
#[derive(Clone, Copy, Debug)]
pub struct Throttle {
    period: Duration,
    last: Option<Instant>,
}

impl Throttle {
    /// A throttle whose first call passes.
    pub const fn new(period: Duration) -> Throttle {
        Throttle { period, last: None }
    }

    /// Whether the period has passed at `now`; if so, it starts again.
    pub fn is_due(&mut self, now: Instant) -> bool {
        if self.last.is_some_and(|last| now.duration_since(last) < self.period) {
            return false;
        }
        self.restart(now);
        true
    }

    /// Starts the period again at `now`.
    pub fn restart(&mut self, now: Instant) {
        self.last = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_event_within_a_period_is_suppressed() {
        let start = Instant::now();
        let mut throttle = Throttle::new(Duration::from_secs(1));
        let due: Vec<bool> =
            [0, 500, 999, 1000, 1500, 2000].map(|ms| throttle.is_due(start + Duration::from_millis(ms))).into();
        assert_eq!(due, [true, false, false, true, false, true]);
    }
}
