//! The end of a node: its threads are joined in order before the process takes the middleware down, within a bound.
//!
//! Fast DDS crashes or hangs when a thread destroys a node while the process runs the middleware's static destructors. So `main` does not
//! return before every thread that owns a node has ended. If that takes too long, the process has to exit without those destructors, which
//! [`Ended::Stuck`] and [`Ended::Unfinished`] request. Each publisher that is destroyed makes the middleware tell all peers what is left, so
//! the time grows with the square of the number of publishers: the user is told after a second, and the wait ends before `ros2 launch` kills
//! the process.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use skidpad_run::guard::lock;

use crate::error::RosError;

/// How long the middleware may take from one publisher or node to the next before it is considered stuck: less than the 10 s after which
/// `ros2 launch` kills a process, and many times the duration of one on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long the middleware may take in all, even with progress: less than those 10 s.
const MAX_DURATION: Duration = Duration::from_secs(8);
/// Shorter waits are not worth a line.
const QUIET: Duration = Duration::from_secs(1);
/// How often the end of a thread is checked.
const POLL_PERIOD: Duration = Duration::from_millis(2);

/// Counts the publishers and nodes that the middleware has destroyed.
#[derive(Clone, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Counts one more.
    pub fn note(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// Threads that begin while a node runs, on behalf of others. They are joined with those of the node, within the same bound: whoever has begun one
/// asks it to end, and waits for nothing.
#[derive(Clone, Default)]
pub struct Guests(Arc<Mutex<Vec<JoinHandle<()>>>>);

impl Guests {
    /// Takes one in.
    pub fn admit(&self, thread: JoinHandle<()>) {
        lock(&self.0).push(thread);
    }

    /// All of them, which are to be joined.
    pub fn take(&self) -> Vec<JoinHandle<()>> {
        std::mem::take(&mut lock(&self.0))
    }
}

/// How a node has ended.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a process whose middleware is stuck must not run its static destructors"]
pub enum Ended {
    /// All its threads have returned, and nothing of it is left.
    InOrder,
    /// The middleware was still letting go, one by one, of what the node had: the process has to exit at once, and nothing else is wrong.
    Unfinished,
    /// A thread has not returned, or the client library has panicked: the process has to exit at once.
    Stuck(RosError),
}

/// Joins threads, one after the other.
pub struct Ending {
    progress: Progress,
    began: Instant,
    is_reported: bool,
    timeout: Duration,
    longest: Duration,
    is_unfinished: bool,
    problem: Option<RosError>,
}

impl Ending {
    /// For threads that note their progress.
    pub fn begin(progress: Progress) -> Ending {
        let (began, timeout, longest) = (Instant::now(), TIMEOUT, MAX_DURATION);
        Ending { progress, began, is_reported: false, timeout, longest, is_unfinished: false, problem: None }
    }

    /// Waits for a thread as long as there is progress. After a failure, threads that still run are not waited for.
    pub fn join<T>(&mut self, thread: JoinHandle<T>) -> Option<T> {
        let mut last = (self.progress.0.load(Ordering::Relaxed), Instant::now());
        while !thread.is_finished() {
            let count = self.progress.0.load(Ordering::Relaxed);
            if count != last.0 {
                last = (count, Instant::now());
            }
            if self.is_unfinished {
                return None;
            }
            if !self.is_reported && self.began.elapsed() >= QUIET {
                self.is_reported = true;
                tracing::info!(
                    "waiting for the middleware to remove the publishers ({count} so far)\n  hint: recordings are complete"
                );
            }
            if self.problem.is_none() && count > 0 && self.began.elapsed() >= self.longest {
                tracing::info!("the process ends before the middleware has shut down; other nodes will notice late");
                self.is_unfinished = true;
                return None;
            }
            if self.problem.is_some() || last.1.elapsed() >= self.timeout {
                self.problem.get_or_insert_with(|| {
                    RosError::new("ROS", format!("the middleware did not shut down within {} s", TIMEOUT.as_secs()))
                        .hint("the process ends anyway, with complete recordings; other nodes will notice late")
                });
                return None;
            }
            std::thread::sleep(POLL_PERIOD);
        }
        let result = thread.join();
        if result.is_err() {
            self.problem.get_or_insert_with(|| RosError::new("ROS", "a thread of the node has panicked"));
        }
        result.ok()
    }

    /// The result of all joins.
    pub fn ended(self) -> Ended {
        match self.problem {
            Some(problem) => Ended::Stuck(problem),
            None if self.is_unfinished => Ended::Unfinished,
            None => Ended::InOrder,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn threads_that_return_are_joined() {
        let mut ending = Ending::begin(Progress::default());
        assert_eq!(ending.join(std::thread::spawn(|| 3)), Some(3));
        assert_eq!(ending.ended(), Ended::InOrder);
    }

    #[test]
    fn a_thread_that_does_not_return_is_reported_and_left() {
        let (hold, held) = mpsc::channel::<()>();
        let mut ending = Ending { timeout: Duration::ZERO, ..Ending::begin(Progress::default()) };
        assert_eq!(ending.join(std::thread::spawn(move || held.recv().is_ok())), None);
        drop(hold);
        let Ended::Stuck(problem) = ending.ended() else { panic!("in order") };
        assert!(
            problem.to_string().starts_with("ROS: the middleware did not shut down within 5 s\n  hint: "),
            "{problem}"
        );
    }

    #[test]
    fn guests_are_left_within_the_same_bound() {
        let (guests, (hold, held)) = (Guests::default(), mpsc::channel::<()>());
        guests.admit(std::thread::spawn(move || assert!(held.recv().is_err())));
        let mut ending = Ending { timeout: Duration::ZERO, ..Ending::begin(Progress::default()) };
        guests.take().into_iter().for_each(|guest| assert_eq!(ending.join(guest), None));
        drop(hold);
        assert!(matches!(ending.ended(), Ended::Stuck(_)) && guests.take().is_empty());
    }

    #[test]
    fn a_middleware_that_makes_progress_is_left_in_the_end_too() {
        let (hold, held) = mpsc::channel::<()>();
        let mut ending = Ending { longest: Duration::ZERO, ..Ending::begin(Progress::default()) };
        ending.progress.note();
        assert_eq!(ending.join(std::thread::spawn(move || held.recv().is_ok())), None);
        assert_eq!(ending.join(std::thread::spawn(|| std::thread::sleep(Duration::from_secs(3600)))), None);
        drop(hold);
        assert_eq!(ending.ended(), Ended::Unfinished);
    }

    #[test]
    fn a_thread_that_panics_is_reported() {
        let mut ending = Ending::begin(Progress::default());
        assert_eq!(ending.join(std::thread::spawn(|| -> u8 { panic!("on purpose") })), None);
        assert_eq!(ending.ended(), Ended::Stuck(RosError::new("ROS", "a thread of the node has panicked")));
    }
}
