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
        &mut self.window
    }
}
