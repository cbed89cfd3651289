//! The limit of messages on `/clock`.
//!
//! Every message but transforms is preceded by a clock message with its stamp. In between there are `clock_rate` clock messages per
//! simulated second at any rate of time, so that no node sees a jump of more than 1 / `clock_rate`. Only at rate 0 (as fast as the
//! processor allows), where their number per wall second is unbounded, messages that only advance the clock are thinned out.

use std::time::{Duration, Instant};

use crate::ros::throttle::Throttle;

/// Thins out the messages of a clock that runs as fast as it can.
#[derive(Debug)]
pub struct ClockLimit(Throttle);

impl Default for ClockLimit {
    fn default() -> ClockLimit {
        ClockLimit(Throttle::new(ClockLimit::SPACING))
    }
}

impl ClockLimit {
    /// Least wall time between messages that only advance the clock: at most 250 of them per wall second.
    pub const SPACING: Duration = Duration::from_millis(4);

    /// Whether a message is sent at wall time `now`; one that `may_wait` is soon followed by another.
    pub fn allows(&mut self, may_wait: bool, now: Instant) -> bool {
        if may_wait {
            return self.0.is_due(now);
        }
        self.0.restart(now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_messages_that_may_wait_are_thinned_out() {
        let start = Instant::now();
        let mut limit = ClockLimit::default();
        let mut sent = |may_wait| {
            let at = |k: u32| start + k * Duration::from_micros(10);
            (0..40_000).filter(|k| limit.allows(may_wait, at(*k))).count()
        };
        assert_eq!(sent(true), 100);
        assert_eq!(sent(false), 40_000);
    }
}
