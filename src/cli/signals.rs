//! SIGINT and SIGTERM end a run cleanly; a second one ends it at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// What signals set.
pub(super) struct Signals {
    /// True once a signal has come.
    pub(super) stop: Arc<AtomicBool>,
    loading: Arc<AtomicBool>,
}

impl Signals {
    /// Starts to listen. Until [`Signals::loaded`] there is nothing to finish, so a signal ends the process at once with
    /// status 0.
    pub(super) fn listen() -> io::Result<Signals> {
        let (stop, loading) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(true)));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal meets a false `stop`, sets it, and only the second finds it true.
            flag::register_conditional_shutdown(signal, 0, Arc::clone(&loading))?;
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))?;
            flag::register(signal, Arc::clone(&stop))?;
        }
        Ok(Signals { stop, loading })
    }

    /// From here on the run looks at `stop`.
    pub(super) fn loaded(&self) {
        self.loading.store(false, Ordering::Relaxed);
    }
}
