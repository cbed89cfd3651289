//! How far a long piece of work is: counted by those who work, and read by whoever shows it. Nothing here knows a clock.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::guard::lock;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of a file.
    Bytes,
    /// Nanoseconds of simulated time.
    SimulatedTime,
    /// Evaluations of a search.
    Evaluations,
}

/// The amount of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// What is counted.
    pub unit: Unit,
    /// All of it, > 0.
    pub total: u64,
    /// The number of pieces of work begun so far: another one when it changes.
    pub piece: u64,
}

/// Counts the work of those that it is given to, or nothing: counting costs them one addition.
#[derive(Clone, Debug, Default)]
pub struct Meter(Option<Arc<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    amount: Mutex<Option<Amount>>,
    done: AtomicU64,
}

thread_local! {
    /// The meter of the work that this thread does.
    static CURRENT: RefCell<Meter> = const { RefCell::new(Meter(None)) };
}

impl Meter {
    /// One that counts.
    pub fn new() -> Meter {
        Meter(Some(Arc::default()))
    }

    /// The one whose work this thread [does](Meter::watch), otherwise one that counts nothing. So readers of files need not be told who watches.
    pub fn current() -> Meter {
        CURRENT.with_borrow(Meter::clone)
    }

    /// Does `work` on this thread as the work of this meter.
    pub fn watch<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = CURRENT.replace(self.clone());
        let done = work();
        CURRENT.replace(before);
        done
    }

    /// Begins a piece of work of this amount.
    pub fn begin(&self, unit: Unit, total: u64) {
        let Some(counts) = &self.0 else { return };
        let mut amount = lock(&counts.amount);
        let piece = amount.map_or(1, |before| before.piece + 1);
        *amount = (total > 0).then_some(Amount { unit, total, piece });
        counts.done.store(0, Ordering::Relaxed);
    }

    /// Counts more of it.
    pub fn add(&self, more: u64) {
        if let Some(counts) = &self.0 {
            counts.done.fetch_add(more, Ordering::Relaxed);
        }
    }

    /// Counts it up to here.
    pub fn set(&self, done: u64) {
        if let Some(counts) = &self.0 {
            counts.done.store(done, Ordering::Relaxed);
        }
    }

    /// The work and how much of it is done, at most all; none: it has no amount, or none was begun.
    pub fn state(&self) -> Option<(Amount, u64)> {
        let counts = self.0.as_deref()?;
        let amount = (*lock(&counts.amount))?;
        Some((amount, counts.done.load(Ordering::Relaxed).min(amount.total)))
    }
}

/// A share of a piece of work, of which the rest counts as done at its end, however that comes.
#[derive(Debug)]
pub struct Share {
    meter: Meter,
    left: u64,
}

impl Share {
    /// So much of the work of a meter.
    pub fn of(meter: Meter, amount: u64) -> Share {
        Share { meter, left: amount }
    }

    /// Counts more of it.
    pub fn add(&mut self, more: u64) {
        let more = more.min(self.left);
        self.left -= more;
        self.meter.add(more);
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.meter.add(self.left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_that_ends_early_is_done() {
        let meter = Meter::new();
        assert_eq!(meter.state(), None);
        meter.begin(Unit::SimulatedTime, 10);
        let mut share = Share::of(meter.clone(), 6);
        share.add(2);
        assert_eq!(meter.state().map(|(_, done)| done), Some(2));
        share.add(100);
        assert_eq!(meter.state().map(|(_, done)| done), Some(6));
        drop(share);
        drop(Share::of(meter.clone(), 3));
        let amount = Amount { unit: Unit::SimulatedTime, total: 10, piece: 1 };
        assert_eq!(meter.state(), Some((amount, 9)));
        meter.begin(Unit::Bytes, 5);
        meter.add(7);
        assert_eq!(meter.state(), Some((Amount { unit: Unit::Bytes, total: 5, piece: 2 }, 5)));
    }

    #[test]
    fn only_work_that_is_watched_is_counted() {
        let meter = Meter::new();
        Meter::current().begin(Unit::Bytes, 3);
        meter.watch(|| Meter::current().begin(Unit::Bytes, 4));
        Meter::current().add(1);
        assert_eq!(meter.state().map(|(amount, done)| (amount.total, done)), Some((4, 0)));
    }
}
