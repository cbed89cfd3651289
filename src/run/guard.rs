//! Contains panics: the thread continues, and the panic is logged once.

use std::any::Any;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use futures::FutureExt;
use skidpad_files::diagnostic::Diagnostic;

/// Catches the panics of a piece of code and logs the first.
pub struct Guard {
    place: String,
    has_logged: AtomicBool,
}

impl Guard {
    /// A guard around the code called `place` in the log.
    pub fn new(place: impl Into<String>) -> Guard {
        Guard { place: place.into(), has_logged: AtomicBool::new(false) }
    }

    /// The result of `body`; none when it panics.
    pub fn run<T>(&self, body: impl FnOnce() -> T) -> Option<T> {
        // Only the body's own data can be left half-modified; this crate's locks are taken even when poisoned (see [`lock`]).
        catch_unwind(AssertUnwindSafe(body)).map_err(|panic| self.log_panic(panic.as_ref())).ok()
    }

    /// As [`run`](Self::run), for a future.
    pub async fn run_async<T>(&self, body: impl Future<Output = T>) -> Option<T> {
        AssertUnwindSafe(body).catch_unwind().await.map_err(|panic| self.log_panic(panic.as_ref())).ok()
    }

    fn log_panic(&self, panic: &(dyn Any + Send)) {
        if !self.has_logged.swap(true, Ordering::Relaxed) {
            let reported = Diagnostic::new(&self.place, format!("panicked: {}", reason(panic))).hint(
                "a bug in skidpad, please report it; other parts keep running, and further panics here are not logged",
            );
            tracing::error!(diagnostic = reported.as_value());
        }
    }
}

/// Locks a mutex, even one that a panic has poisoned: every change made under a lock of this crate leaves its data valid.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// As [`lock`], without waiting: none while another thread holds it.
pub fn try_lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(guard)) => Some(guard.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

/// Message of a panic.
pub fn reason(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no reason given")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_only_the_code_that_panicked() {
        let guard = Guard::new("test");
        assert_eq!(guard.run(|| 1), Some(1));
        assert_eq!(guard.run(|| -> u8 { panic!("no {}", 2) }), None);
        assert!(guard.has_logged.load(Ordering::Relaxed));
        assert_eq!(guard.run(|| 3), Some(3));
        assert_eq!(futures::executor::block_on(guard.run_async(async { panic!("later") })), None::<u8>);
    }

    #[test]
    fn the_reason_of_a_panic_is_read_from_literals_and_formatted_messages() {
        assert_eq!(reason(&"plain"), "plain");
        assert_eq!(reason(&"formatted".to_owned()), "formatted");
        assert_eq!(reason(&7), "no reason given");
    }
}
