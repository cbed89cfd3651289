//! Divides a run into windows, whose [`RunStatistics`] are passed to the sinks.

use std::time::Duration;

use skidpad_math::time::Rate;

use crate::sink::RunStatistics;

/// Divides a run into windows.
#[derive(Debug, Default)]
pub(super) struct RunWindows {
    pub(super) window: RunStatistics,
    /// Wall time at which the window began.
    begun: Duration,
    overruns: u64,
    /// Number of steps in earlier windows, the sum of their wall times and the longest.
    earlier: (u64, Duration, Duration),
}

impl RunWindows {
    /// Length of a window.
    const WINDOW: Duration = Duration::from_millis(100);

    /// Whether the window has ended at wall time `now`.
    #[inline]
    pub(super) fn is_due(&self, now: Duration) -> bool {
        now >= self.begun + Self::WINDOW
    }

    /// The window that ends now, with the overruns of the whole run until now.
    pub(super) fn close(&mut self, now: Duration, rate: Rate, paused: bool, overruns: u64) -> &mut RunStatistics {
        self.window.wall = now.saturating_sub(self.begun);
        (self.window.rate, self.window.paused) = (rate, paused);
        self.window.overruns = overruns - self.overruns;
        (self.begun, self.overruns) = (now, overruns);
        self.earlier = self.step_times_until_now();
        &mut self.window
    }

    /// Mean and longest wall time of a step of the whole run.
    pub(super) fn step_times(&self) -> (Duration, Duration) {
        let (count, sum, longest) = self.step_times_until_now();
        (sum.checked_div(u32::try_from(count).unwrap_or(u32::MAX)).unwrap_or_default(), longest)
    }

    fn step_times_until_now(&self) -> (u64, Duration, Duration) {
        let ((count, sum, longest), times) = (self.earlier, &self.window.step_times);
        (count + times.count(), sum + times.sum(), longest.max(times.longest()))
    }
}
