//! Log time and simulated time: the same in recordings of skidpad, different where `ros2 bag record` used the wall clock.
//!
//! Where the wall clock is the only one, times are counted from the start of the recording: nobody reads 1700000010.34 s.

use skidpad_math::time::SimTime;

/// Log times and stamps that differ by no more than this belong to the same clock [ns].
const ONE_CLOCK: u64 = 10_000_000_000;

/// Converts log time to simulated time, and back.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LogClock {
    /// Pairs of log time and simulated time [ns], both increasing; empty if both are the same clock.
    pairs: Vec<(i64, i64)>,
    /// The time [ns] that is shown as 0.
    origin: i64,
}

/// Times from here on [ns] are of the wall clock: 1973, or three years of a simulation.
const WALL: i64 = 100_000_000_000_000_000;

impl LogClock {
    /// The clock by log time and stamp [ns] of messages, in the order of the log.
    pub(super) fn new(stamps: impl Iterator<Item = (i64, i64)> + Clone) -> LogClock {
        let all = stamps.clone().count();
        let apart = stamps.clone().filter(|(log, stamp)| log.abs_diff(*stamp) > ONE_CLOCK).count();
        let mut pairs: Vec<(i64, i64)> = Vec::new();
        if 2 * apart > all {
            for (log, stamp) in stamps {
                // A pair that goes back in time is skipped.
                if pairs.last().is_none_or(|last| log > last.0 && stamp > last.1) {
                    pairs.push((log, stamp));
                }
            }
        }
        LogClock { pairs, origin: 0 }
    }

    /// Counts times from the start of the log [ns], if they are of the wall clock.
    pub(super) fn count_from_start(&mut self, start: i64) {
        let start = carry(&self.pairs, start, |pair| *pair);
        self.origin = if start >= WALL { start } else { 0 };
    }

    /// The time that is shown as 0.
    pub(super) fn origin(&self) -> SimTime {
        SimTime(self.origin)
    }

    /// Whether log time is simulated time.
    #[cfg(test)]
    pub(super) fn is_simulated(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The simulated time [ns] of a message by its log time and its stamp [ns].
    pub(super) fn instant(&self, log: i64, stamp: i64) -> i64 {
        if self.pairs.is_empty() { log } else { stamp }.saturating_sub(self.origin)
    }

    /// The simulated time [ns] at a time of the log [ns].
    pub(super) fn simulated(&self, log: i64) -> i64 {
        carry(&self.pairs, log, |pair| *pair).saturating_sub(self.origin)
    }

    /// The time of the log [ns] at a simulated time [ns].
    pub(super) fn logged(&self, simulated: i64) -> i64 {
        carry(&self.pairs, simulated.saturating_add(self.origin), |(log, stamp)| (*stamp, *log))
    }
}

/// Interpolates between the pairs; beyond their ends both times advance equally.
fn carry(pairs: &[(i64, i64)], value: i64, order: impl Fn(&(i64, i64)) -> (i64, i64)) -> i64 {
    let (Some(first), Some(last)) = (pairs.first().map(&order), pairs.last().map(&order)) else { return value };
    let after = pairs.partition_point(|pair| order(pair).0 <= value);
    match (after.checked_sub(1).and_then(|before| pairs.get(before)).map(&order), pairs.get(after).map(&order)) {
        (Some(from), Some(to)) => {
            let share = (value - from.0) as f64 / (to.0 - from.0) as f64;
            from.1 + (share * (to.1 - from.1) as f64).round() as i64
        }
        (None, _) => first.1.saturating_add(value.saturating_sub(first.0)),
        (Some(_), None) => last.1.saturating_add(value.saturating_sub(last.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_time_and_simulated_time_are_converted_both_ways() {
        const WALL: i64 = 1_700_000_000_000_000_000;
        let pairs = [(WALL, 5_000), (WALL + 1_000, 7_000), (WALL + 1_500, 6_000), (WALL + 2_000, 8_000)];
        let clock = LogClock::new(pairs.into_iter());
        assert!(!clock.is_simulated());
        for (log, simulated) in [(-10, 4_990), (0, 5_000), (500, 6_000), (1_500, 7_500), (2_000, 8_000), (2_100, 8_100)]
        {
            assert_eq!(clock.simulated(WALL + log), simulated, "{log}");
            assert_eq!(clock.logged(simulated), WALL + log, "{simulated}");
        }
        // With stamps of the wall clock times are counted from the start.
        let mut wall_clock = LogClock::new([(WALL, WALL - 5), (WALL + 10, WALL + 5)].into_iter());
        wall_clock.count_from_start(WALL);
        assert_eq!(
            (wall_clock.simulated(WALL + 7), wall_clock.logged(7), wall_clock.instant(WALL + 7, WALL)),
            (7, WALL + 7, 7)
        );
        let mut simulated = clock.clone();
        simulated.count_from_start(WALL);
        assert_eq!(simulated, clock);
        let single_clock = LogClock::new([(20, 10), (40, 30)].into_iter());
        assert!(single_clock.is_simulated());
        assert_eq!((single_clock.simulated(7), single_clock.logged(7)), (7, 7));
    }
}
