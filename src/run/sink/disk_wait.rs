//! Waiting for a slow disk: for as long as it takes. No length of time loses data. An error of the system does, and so does a user who
//! presses Ctrl-C twice after being told what is waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use skidpad_files::diagnostic::Diagnostic;

/// Ctrl-C and other signals that end a run: counted by whoever handles signals, and read by whoever waits. Clones share their counts.
#[derive(Clone, Debug, Default)]
pub struct Interrupts(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// Whether anybody counts.
    is_counted: bool,
    /// Whether waits are told at once, for tests.
    is_loud: bool,
    /// Signals since the user was last told of a wait.
    signals: AtomicUsize,
    /// Those of them that are a Ctrl-C.
    interrupts: AtomicUsize,
    /// How often the user was told of a wait.
    reported: AtomicUsize,
    may_overfill: AtomicBool,
    has_overfilled: AtomicBool,
}

impl Interrupts {
    /// For somebody who handles signals and calls [`Self::add`]. By default nobody does.
    pub fn counted() -> Interrupts {
        Interrupts(Arc::new(Counts { is_counted: true, ..Counts::default() }))
    }

    /// Counts a signal. Returns how many have come since the start, or since the user was last told of a wait: what was pressed before
    /// that line was not an answer to it.
    pub fn add(&self, is_ctrl_c: bool) -> usize {
        if is_ctrl_c {
            self.0.interrupts.fetch_add(1, Ordering::Relaxed);
        }
        self.0.signals.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Whether what comes is queued beyond the limits of queues rather than waited for; also ends the waits for room
    /// that there are. For a program that must not wait at the moment, and waits later: see [`Self::take_overfilled`].
    pub fn let_overfill(&self, may: bool) {
        self.0.may_overfill.store(may, Ordering::Relaxed);
    }

    /// Whether what comes may be queued beyond the limits.
    pub fn may_overfill(&self) -> bool {
        self.0.may_overfill.load(Ordering::Relaxed)
    }

    /// Whether anything was queued beyond a limit since this was last asked.
    pub fn take_overfilled(&self) -> bool {
        self.0.has_overfilled.swap(false, Ordering::Relaxed)
    }

    fn tell(&self) {
        self.0.signals.store(0, Ordering::Relaxed);
        self.0.interrupts.store(0, Ordering::Relaxed);
        self.0.reported.fetch_add(1, Ordering::Release);
    }

    /// For tests of sinks: every wait is reported at once.
    pub fn reporting_at_once() -> Interrupts {
        Interrupts(Arc::new(Counts { is_counted: true, is_loud: true, ..Counts::default() }))
    }

    /// How often a wait was reported to the user.
    pub fn reports(&self) -> usize {
        self.0.reported.load(Ordering::Acquire)
    }
}

/// The waits of one sink for its disk.
#[derive(Debug)]
pub struct DiskWait {
    interrupts: Interrupts,
    is_reported: bool,
}

impl DiskWait {
    /// Shorter waits are not worth a line.
    const QUIET: Duration = Duration::from_secs(1);
    /// How often a wait looks for interrupts.
    const LOOK_EVERY: Duration = Duration::from_millis(50);
    /// A second Ctrl-C gives up.
    const GIVES_UP: usize = 2;

    /// Waits that end early only at these interrupts.
    pub fn new(interrupts: Interrupts) -> DiskWait {
        DiskWait { interrupts, is_reported: false }
    }

    /// Waits until there is room in the queue of a thread that writes, or it may be
    /// [overfilled](Interrupts::let_overfill), or the thread has ended, which the next look at it reports. Written
    /// batches come back through `used`, which closes when the thread ends, and are added to `spare`. `place` and
    /// `left` as in [`Self::until`].
    ///
    /// # Errors
    /// As of [`Self::until`].
    pub fn for_room<B>(
        &mut self,
        place: &str,
        left: impl Fn() -> String,
        used: &Receiver<B>,
        spare: &mut Vec<B>,
        has_room: impl Fn() -> bool,
    ) -> Result<(), Diagnostic> {
        let interrupts = self.interrupts.clone();
        self.until(place, left, |timeout| {
            if has_room() {
                return Some(());
            }
            if interrupts.may_overfill() {
                interrupts.0.has_overfilled.store(true, Ordering::Relaxed);
                return Some(());
            }
            match used.recv_timeout(timeout) {
                Ok(batch) => spare.push(batch),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Some(()),
            }
            None
        })
    }

    /// Waits until the thread has ended that gives batches back through `used`. `place` and `left` as in [`Self::until`].
    ///
    /// # Errors
    /// As of [`Self::until`].
    pub fn for_end<B>(&mut self, place: &str, left: impl Fn() -> String, used: &Receiver<B>) -> Result<(), Diagnostic> {
        let ended = |timeout| matches!(used.recv_timeout(timeout), Err(RecvTimeoutError::Disconnected)).then_some(());
        self.until(place, left, ended)
    }

    /// Waits until `look` finds something; `look` waits for the next event itself, up to the time that it is given. `left` is what is
    /// not written yet. The user is told once per sink, in a line that begins with `place`.
    ///
    /// # Errors
    /// The user has given up; the message says what was not written.
    pub fn until<T>(
        &mut self,
        place: &str,
        left: impl Fn() -> String,
        mut look: impl FnMut(Duration) -> Option<T>,
    ) -> Result<T, Diagnostic> {
        let began = Instant::now();
        loop {
            if let Some(result) = look(Self::LOOK_EVERY) {
                return Ok(result);
            }
            if !self.is_reported && (began.elapsed() >= Self::QUIET || self.interrupts.0.is_loud) {
                self.is_reported = true;
                let hint = match self.interrupts.0.is_counted {
                    true => "nothing is lost unless you press Ctrl-C twice",
                    false => "nothing is lost unless the program is ended before",
                };
                let reported = Diagnostic::new(place, format!("waiting until all is written, {} are left", left()));
                tracing::warn!(diagnostic = reported.hint(hint).as_value());
                self.interrupts.tell();
            }
            if self.is_reported && self.interrupts.0.interrupts.load(Ordering::Relaxed) >= Self::GIVES_UP {
                let found = format!("given up at the second Ctrl-C, {} were not written", left());
                return Err(Diagnostic::new(place, found));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_of_vain_looks_ends_a_wait_and_the_user_is_told_once() {
        let interrupts = Interrupts::reporting_at_once();
        let mut wait = DiskWait::new(interrupts.clone());
        let mut attempts = 0;
        // As many looks as there are in a week.
        let actual = wait.until(
            "x",
            || "7 values".into(),
            |_| {
                attempts += 1;
                (attempts == 12_096_000).then_some("room")
            },
        );
        assert_eq!((actual, interrupts.reports()), (Ok("room"), 1));
        assert_eq!(wait.until("x", String::new, |_| Some(1)), Ok(1));
        assert_eq!(interrupts.reports(), 1);
    }

    #[test]
    fn a_queue_is_overfilled_where_that_is_allowed_and_said_afterwards() {
        let interrupts = Interrupts::reporting_at_once();
        let mut wait = DiskWait::new(interrupts.clone());
        let (give_back, used) = std::sync::mpsc::channel::<u8>();
        let mut spare = Vec::new();
        let mut room = |has_room: bool| wait.for_room("x", String::new, &used, &mut spare, || has_room);
        interrupts.let_overfill(true);
        room(true).unwrap();
        assert!(!interrupts.take_overfilled());
        room(false).unwrap();
        assert!(interrupts.take_overfilled() && !interrupts.take_overfilled());
        // A wait that has begun ends when it becomes allowed.
        interrupts.let_overfill(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while interrupts.reports() == 0 {
                    std::thread::yield_now();
                }
                interrupts.let_overfill(true);
            });
            room(false).unwrap();
        });
        assert!(interrupts.take_overfilled() && interrupts.reports() == 1);
        // The thread has ended: nothing comes back any more.
        interrupts.let_overfill(false);
        drop(give_back);
        wait.for_room("x", String::new, &used, &mut spare, || false).unwrap();
        wait.for_end("x", String::new, &used).unwrap();
    }

    #[test]
    fn only_a_second_ctrl_c_after_the_line_gives_up() {
        let interrupts = Interrupts::reporting_at_once();
        let mut wait = DiskWait::new(interrupts.clone());
        // Two before the line: the run ends at the first, and the second was not an answer to it.
        assert_eq!((interrupts.add(true), interrupts.add(true)), (1, 2));
        let mut attempts = 0;
        let given_up = wait.until(
            "x",
            || "7 values".into(),
            |_| {
                attempts += 1;
                match attempts {
                    // A signal of another kind, as launchers send after a while, does not count.
                    100 => assert_eq!(interrupts.add(false), 1),
                    200 => assert_eq!(interrupts.add(true), 2),
                    10_000 => assert_eq!(interrupts.add(true), 3),
                    _ => assert!(attempts < 10_001),
                }
                None::<()>
            },
        );
        let reported = Diagnostic::new("x", "given up at the second Ctrl-C, 7 values were not written");
        assert_eq!(given_up, Err(reported));
        assert_eq!(attempts, 10_000);
    }
}
