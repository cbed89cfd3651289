//! The end of a run whose time other nodes follow.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A shutdown that lets other nodes end first: nodes that sleep in simulated time wake up only while the run continues.
#[derive(Clone, Debug, Default)]
pub struct GracefulShutdown {
    /// Set to end the run.
    pub is_requested: Arc<AtomicBool>,
    /// Whether any node follows its time, kept up to date by the publisher of the clock.
    pub is_followed: Arc<AtomicBool>,
    /// Longest wall time that the run continues for them.
    pub longest: Duration,
}

impl GracefulShutdown {
    /// Whether the run is over so long after it was asked to end.
    pub fn is_over(&self, since: Duration) -> bool {
        !self.is_followed.load(Ordering::Relaxed) || since >= self.longest
    }
}
