//! What SIGINT, SIGTERM and SIGHUP do to each command, from its first moment on.
//!
//! A command ends by them, as it would without this module, once it has put away what would stay behind: the line of
//! progress, scratch folders, and processes. A run ends cleanly, with status 0. The third signal ends either at once; the
//! second one does not, because a terminal and a launcher may each send one. While a sink waits for its disk, the second
//! Ctrl-C after the line that says so gives up.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::{Handle, Signals as Arriving};
use signal_hook::{flag, low_level};

use crate::answer::Answer;
use crate::guard::lock;
use crate::input_file;
use crate::processes::kill_all;
use crate::progress;
use crate::ros;
use crate::runner::GracefulShutdown;
use crate::scratch;
use crate::sink::Interrupts;

/// The signals that end a command.
const ENDING: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];
/// Number of signals that end the process at once.
const AT_ONCE: usize = 3;

/// What takes the signals of this process, or why nothing does: then they do as ever.
static TAKEN: OnceLock<io::Result<Handle>> = OnceLock::new();
/// What signals end.
static ENDED: Mutex<Ended> = Mutex::new(Ended::Undecided(Vec::new()));

enum Ended {
    /// What the arguments will say; until then these have come.
    Undecided(Vec<i32>),
    Command,
    Run(Signals),
}

/// Sets what signals end, also those that have come before.
fn decide(ended: Ended) {
    let before = std::mem::replace(&mut *lock(&ENDED), ended);
    if let Ended::Undecided(signals) = before {
        // It fails for numbers that are no signals.
        signals.into_iter().for_each(|signal| drop(low_level::raise(signal)));
    }
}

/// Signals end the process, before a run as after it.
pub fn end_command() {
    decide(Ended::Command);
}

/// Begins to take the signals: to be called before anything that takes time. Those that the process was started to ignore, or
/// that a program around this one takes, stay as they are. Calls after the first change nothing.
pub fn set_up() -> &'static io::Result<Handle> {
    TAKEN.get_or_init(take)
}

/// Lets in the signals that have been held back until they are taken.
pub fn let_in() {
    set_mask(libc::SIG_UNBLOCK);
}

/// Holds the signals back, also from the program that this one becomes, which lets them in once it takes them.
pub fn hold_back() {
    set_mask(libc::SIG_BLOCK);
}

fn set_mask(how: i32) {
    // SAFETY: `sigemptyset` initializes the set, and the other calls take nothing but it and numbers of signals.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        for signal in ENDING {
            libc::sigaddset(&raw mut set, signal);
        }
        // Without it a signal that comes now ends the process as it ends one that handles none.
        let _ = libc::pthread_sigmask(how, &raw const set, std::ptr::null_mut());
    }
}

fn take() -> io::Result<Handle> {
    // A file beyond the size limit is an error of its writer, and must not end the process.
    flag::register(SIGXFSZ, Arc::default())?;
    let handled = signals_of("SigIgn:") | signals_of("SigCgt:");
    let ending_signals: Vec<i32> = ENDING.into_iter().filter(|signal| handled & bit(*signal) == 0).collect();
    let mut arriving = Arriving::new(&ending_signals)?;
    let handle = arriving.handle();
    let listener = move || {
        let mut count = 0;
        for signal in arriving.forever() {
            match &mut *lock(&ENDED) {
                Ended::Run(run) => run.note(signal),
                _ if !ending_signals.contains(&signal) => {}
                Ended::Undecided(signals) if signals.len() + 1 < AT_ONCE => signals.push(signal),
                Ended::Undecided(_) => End::Signal(signal).now(),
                Ended::Command => {
                    count += 1;
                    End::Signal(signal).count(count, 1);
                }
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(listener)?;
    Ok(handle)
}

/// How the process ends.
#[derive(Clone, Copy)]
enum End {
    Signal(i32),
    Status(i32),
    /// With status 0, before a run with this answer has begun.
    Early(Option<&'static str>),
}

impl End {
    /// Ends the process at the `count`th signal if this is the `first` that does; two signals later it waits for nothing.
    fn count(self, count: usize, first: usize) {
        // What is put away may be on a disk that does not answer: further signals are heard meanwhile.
        let ending = || thread::Builder::new().name("end".to_owned()).spawn(move || self.end());
        if count == first && ending().is_err() {
            self.end();
        }
        if count >= first + AT_ONCE - 1 {
            self.now();
        }
    }

    fn end(self) {
        put_away();
        self.now();
    }

    fn now(self) -> ! {
        let status = match self {
            End::Signal(signal) => {
                // It returns only if it fails.
                let _ = low_level::emulate_default_handler(signal);
                128 + signal
            }
            End::Status(status) => status,
            End::Early(command) => Answer::new(command).finish(0).into(),
        };
        low_level::exit(status)
    }
}

/// Ends what this process shows and has started, and removes what it keeps for itself.
fn put_away() {
    progress::clear();
    kill_all();
    scratch::remove_all();
    restore_terminal();
}

/// Flags set by signals, and what else they do to a run.
#[derive(Clone)]
pub struct Signals {
    /// True once a signal has arrived; SIGINT only counts unless it is handled separately, see [`Signals::interrupted`].
    pub stop: Arc<AtomicBool>,
    interrupted: Arc<AtomicBool>,
    tells_apart: Arc<AtomicBool>,
    loading: Arc<AtomicBool>,
    interrupts: Interrupts,
    /// How a run ends after a SIGINT that is told apart.
    shutdown: Arc<OnceLock<GracefulShutdown>>,
    /// The command, if it answers with a document.
    answers: Option<&'static str>,
}

/// How often a thread looks whether a run with followers is over.
const POLL: Duration = Duration::from_millis(20);

impl Signals {
    /// Lets signals end a run, whose command answers with a document of this name; also those that ended no command. Until
    /// [`Signals::loaded`] there is nothing to finish, so a signal ends the process at once with status 0.
    pub fn listen(answers: Option<&'static str>) -> io::Result<Signals> {
        let handle = set_up().as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
        let [stop, interrupted, tells_apart]: [Arc<AtomicBool>; 3] = Default::default();
        let loading = Arc::new(AtomicBool::new(true));
        let (interrupts, shutdown) = (Interrupts::counted(), Arc::default());
        let signals = Signals { stop, interrupted, tells_apart, loading, interrupts, shutdown, answers };
        // A process that is to survive the end of its terminal, as with `nohup`, ignores SIGHUP.
        let hang_up = (signals_of("SigIgn:") & bit(SIGHUP) == 0).then_some(SIGHUP);
        [SIGINT, SIGTERM].into_iter().chain(hang_up).try_for_each(|signal| handle.add_signal(signal))?;
        decide(Ended::Run(signals.clone()));
        Ok(signals)
    }

    fn note(&self, signal: i32) {
        let count = self.interrupts.add(signal == SIGINT);
        if self.loading.load(Ordering::Relaxed) {
            return End::Early(self.answers).count(count, 1);
        }
        let is_apart = signal == SIGINT && self.tells_apart.load(Ordering::Relaxed);
        if is_apart { &self.interrupted } else { &self.stop }.store(true, Ordering::Relaxed);
        if let Some(shutdown) = self.shutdown.get().filter(|_| is_apart && count == 1) {
            stop_when_over(shutdown.clone(), Arc::clone(&self.stop));
        }
        End::Status(128 + signal).count(count, AT_ONCE);
    }

    /// The signals that have come, for those who wait for a disk.
    pub fn interrupts(&self) -> Interrupts {
        self.interrupts.clone()
    }

    /// True once a SIGINT has arrived. From this call on SIGINT no longer sets `stop`: a launcher or a terminal sends it to all programs
    /// at once, and others may still need the clock of this one for a while.
    pub fn interrupted(&self) -> Arc<AtomicBool> {
        self.tells_apart.store(true, Ordering::Relaxed);
        Arc::clone(&self.interrupted)
    }

    /// Sets `stop` when a run that ends in this way is over, even if it is within a long step then.
    pub(crate) fn end_by(&self, shutdown: &GracefulShutdown) {
        drop(self.shutdown.set(shutdown.clone()));
    }

    /// From here on the run checks `stop`.
    pub fn loaded(&self) {
        self.loading.store(false, Ordering::Relaxed);
    }
}

/// Sets `stop` once a run that is asked to end now is over.
fn stop_when_over(shutdown: GracefulShutdown, stop: Arc<AtomicBool>) {
    let requested_at = Instant::now();
    let wait = move || {
        while !shutdown.is_over(requested_at.elapsed()) {
            thread::sleep(POLL);
        }
        stop.store(true, Ordering::Relaxed);
    };
    // Without a thread the run ends after its step.
    drop(thread::Builder::new().name("stop".to_owned()).spawn(wait));
}

/// The signals in this set of the process: those that it ignores, or handles.
fn signals_of(set: &str) -> u64 {
    let status = input_file::read_text(Path::new("/proc/self/status"), 1 << 16).unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix(set));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

/// Exits without running the destructors of libraries: those of ROS crash while other threads still use them.
pub(crate) fn end_at_once(status: i32) -> ! {
    put_away();
    // A failed flush makes no difference.
    let _ = io::stdout().flush();
    low_level::exit(status)
}

/// Restores the terminal, which no destructor does in this case.
fn restore_terminal() {
    if let Some(ros) = ros::of_program() {
        ros.restore_terminal();
    }
}
