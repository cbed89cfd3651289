//! SIGINT, SIGTERM and SIGHUP end a run cleanly; the third signal ends it at once. The second one does not, because a
//! terminal and a launcher may each send one. While a sink waits for its disk, the second Ctrl-C after the line that
//! says so gives up.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Once, OnceLock};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::{flag, low_level};

use super::progress;
use crate::input_file;
use crate::processes::kill_all;
use crate::runner::GracefulShutdown;
use crate::scratch;
use crate::sink::Interrupts;

/// Number of signals that end the process at once.
const AT_ONCE: usize = 3;

/// Whether [`Signals`] handle them.
static ARE_HANDLED: AtomicBool = AtomicBool::new(false);
/// The signal that has come while a line of progress was on the screen; 0: none.
static WHILE_DRAWN: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// Lets SIGINT and SIGTERM end a command as ever, but for the time that a line of progress is on the screen: then
/// [`end_if_interrupted`] does, once the line is gone. Not where [`Signals`] handle them.
pub(super) fn listen_while_drawn(is_clear: &Arc<AtomicBool>) {
    static ONCE: Once = Once::new();
    if ARE_HANDLED.load(Ordering::Relaxed) {
        return;
    }
    ONCE.call_once(|| {
        for signal in [SIGINT, SIGTERM] {
            // Without them the line stays behind.
            let _ = flag::register_conditional_default(signal, Arc::clone(is_clear));
            let _ = flag::register_usize(signal, Arc::clone(&*WHILE_DRAWN), signal.unsigned_abs() as usize);
        }
    });
}

/// Ends the process by the signal that has come while a line was on the screen, if one has.
pub(super) fn end_if_interrupted() {
    let signal = WHILE_DRAWN.load(Ordering::Relaxed);
    if signal != 0 {
        progress::clear();
        let _ = low_level::emulate_default_handler(if signal == SIGTERM as usize { SIGTERM } else { SIGINT });
    }
}

/// Flags set by signals.
pub(super) struct Signals {
    /// True once a signal has arrived; SIGINT only counts unless it is handled separately, see [`Signals::interrupted`].
    pub(super) stop: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
    tells_apart: Arc<AtomicBool>,
    loading: Arc<AtomicBool>,
    interrupts: Interrupts,
    /// How a run ends after a SIGINT that is told apart.
    shutdown: Arc<OnceLock<GracefulShutdown>>,
}

/// How often a thread looks whether a run with followers is over.
const POLL: Duration = Duration::from_millis(20);

impl Signals {
    /// Starts a thread that handles signals. Until [`Signals::loaded`] there is nothing to finish, so a signal ends the
    /// process at once with status 0.
    pub(super) fn listen() -> io::Result<Signals> {
        ARE_HANDLED.store(true, Ordering::Relaxed);
        let [stop, interrupted, tells_apart]: [Arc<AtomicBool>; 3] = Default::default();
        let loading = Arc::new(AtomicBool::new(true));
        // A file beyond the size limit is an error of its writer, and must not end the process.
        flag::register(SIGXFSZ, Arc::default())?;
        let shutdown: Arc<OnceLock<GracefulShutdown>> = Arc::default();
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
        if !hang_ups_are_ignored() {
            signals.add_signal(SIGHUP)?;
        }
        let interrupts = Interrupts::counted();
        let listener = {
            let interrupts = interrupts.clone();
            let (stop, interrupted) = (Arc::clone(&stop), Arc::clone(&interrupted));
            let (tells_apart, loading) = (Arc::clone(&tells_apart), Arc::clone(&loading));
            let shutdown = Arc::clone(&shutdown);
            move || {
                for signal in signals.forever() {
                    if loading.load(Ordering::Relaxed) {
                        end_at_once(0);
                    }
                    let is_apart = signal == SIGINT && tells_apart.load(Ordering::Relaxed);
                    if is_apart { &interrupted } else { &stop }.store(true, Ordering::Relaxed);
                    let count = interrupts.add(signal == SIGINT);
                    if let Some(shutdown) = shutdown.get().filter(|_| is_apart && count == 1) {
                        stop_when_over(shutdown.clone(), Arc::clone(&stop));
                    }
                    if count >= AT_ONCE {
                        end_at_once(128 + signal);
                    }
                }
            }
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(listener)?;
        Ok(Signals { stop, interrupted, tells_apart, loading, interrupts, shutdown })
    }

    /// The signals that have come, for those who wait for a disk.
    pub(super) fn interrupts(&self) -> Interrupts {
        self.interrupts.clone()
    }

    /// True once a SIGINT has arrived. From this call on SIGINT no longer sets `stop`: a launcher or a terminal sends it to all programs
    /// at once, and others may still need the clock of this one for a while.
    pub(super) fn interrupted(&self) -> Arc<AtomicBool> {
        self.tells_apart.store(true, Ordering::Relaxed);
        Arc::clone(&self.interrupted)
    }

    /// Sets `stop` when a run that ends in this way is over, even if it is within a long step then.
    pub(super) fn end_by(&self, shutdown: &GracefulShutdown) {
        drop(self.shutdown.set(shutdown.clone()));
    }

    /// From here on the run checks `stop`.
    pub(super) fn loaded(&self) {
        self.loading.store(false, Ordering::Relaxed);
    }
}

/// Sets `stop` once a run that is asked to end now is over.
fn stop_when_over(shutdown: GracefulShutdown, stop: Arc<AtomicBool>) {
    let asked = Instant::now();
    let wait = move || {
        while !shutdown.is_over(asked.elapsed()) {
            std::thread::sleep(POLL);
        }
        stop.store(true, Ordering::Relaxed);
    };
    // Without a thread the run ends after its step.
    drop(std::thread::Builder::new().name("stop".to_owned()).spawn(wait));
}

/// Whether this process was started to survive the end of its terminal, as `nohup` does it: a handler would undo that.
fn hang_ups_are_ignored() -> bool {
    let status = input_file::read_text(Path::new("/proc/self/status"), 1 << 16).unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & (1 << (SIGHUP - 1)) != 0
}

/// Exits without running the destructors of libraries: those of ROS crash while other threads still use them.
pub(super) fn end_at_once(status: i32) -> ! {
    progress::clear();
    kill_all();
    scratch::remove_all();
    restore_terminal();
    // A failed flush makes no difference.
    let _ = io::stdout().flush();
    low_level::exit(status)
}

/// Restores the terminal, which no destructor does in this case.
fn restore_terminal() {
    #[cfg(feature = "ros")]
    crate::ros::node::restore_terminal();
}
