//! Cancellation of a load that takes too long, or whose caller has gone, and of a step when the run ends.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The error of a cancelled load.
pub const CANCELLED: &str = "loading was cancelled";

/// Cancels a load or a step in another thread; all clones refer to the same one.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Cancels it: it ends at the next place where it checks.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it has been cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// # Errors
    /// The load has been cancelled.
    pub fn check(&self) -> io::Result<()> {
        if self.is_cancelled() { Err(io::Error::other(CANCELLED)) } else { Ok(()) }
    }

    /// Wraps `reader` so that it fails once the load has been cancelled.
    pub fn reader<R: Read>(&self, reader: R) -> impl Read + use<R> {
        Watched { reader, cancel: self.clone() }
    }
}

/// Cancels when the flag is set, for whatever reason.
impl From<Arc<AtomicBool>> for Cancel {
    fn from(flag: Arc<AtomicBool>) -> Cancel {
        Cancel(flag)
    }
}

struct Watched<R> {
    reader: R,
    cancel: Cancel,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.cancel.check()?;
        self.reader.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_fails_after_cancellation() {
        let cancel = Cancel::default();
        let mut reader = cancel.clone().reader(io::repeat(1));
        let mut buffer = [0; 4];
        assert_eq!(reader.read(&mut buffer).unwrap(), 4);
        cancel.cancel();
        assert_eq!(reader.read(&mut buffer).unwrap_err().to_string(), CANCELLED);
    }
}
