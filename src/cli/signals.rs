//! SIGINT and SIGTERM end a run cleanly; the third one ends it at once. (A terminal and a launcher above the process send one
//! each, so the second is not impatience.)

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};

/// How many signals it takes to end the process at once.
const AT_ONCE: usize = 3;

/// What signals set.
pub(super) struct Signals {
    /// True once a signal has come.
    pub(super) stop: Arc<AtomicBool>,
    loading: Arc<AtomicBool>,
}

impl Signals {
    /// Starts to listen, in a thread of its own. Until [`Signals::loaded`] there is nothing to finish, so a signal ends the
    /// process at once with status 0.
    pub(super) fn listen() -> io::Result<Signals> {
        let (stop, loading) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(true)));
        // A file that may not grow any more is an error of whoever writes it, and no reason to end.
        signal_hook::flag::register(SIGXFSZ, Arc::default())?;
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
        let listener = {
            let (stop, loading) = (Arc::clone(&stop), Arc::clone(&loading));
            move || {
                for (count, signal) in (1..).zip(signals.forever()) {
                    if loading.load(Ordering::Relaxed) {
                        std::process::exit(0);
                    }
                    stop.store(true, Ordering::Relaxed);
                    if count >= AT_ONCE {
                        restore_terminal();
                        std::process::exit(128 + signal);
                    }
                }
            }
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(listener)?;
        Ok(Signals { stop, loading })
    }

    /// From here on the run looks at `stop`.
    pub(super) fn loaded(&self) {
        self.loading.store(false, Ordering::Relaxed);
    }
}

/// Nobody else does it when the process ends at once.
fn restore_terminal() {
    #[cfg(feature = "ros")]
    crate::ros::node::restore_terminal();
}
