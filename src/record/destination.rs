//! Where a recording goes: into a file with a name, or into one without, which is gone with its process, however that ends. And where one that
//! is made again ends by itself, whatever the first one says about its length.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use skidpad_math::time::SimTime;

/// Bytes of a message or an attachment beside its content, at most: its head, and its place in the index.
const HEAD: u64 = 64;

/// Where a recording goes.
#[derive(Clone, Debug)]
pub struct Destination {
    path: PathBuf,
    file: Option<Arc<File>>,
    /// Where it ends by itself; none: nowhere.
    pub(super) bounds: Option<Bounds>,
}

impl Destination {
    /// A file without a name among the temporary files of the system, which this process alone can read.
    ///
    /// # Errors
    /// That of the system.
    pub fn unnamed() -> io::Result<Destination> {
        let file = tempfile::tempfile()?;
        let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
        Ok(Destination { path, file: Some(Arc::new(file)), bounds: None })
    }

    /// The same, within these bounds.
    #[must_use]
    pub fn within(self, bounds: &Bounds) -> Destination {
        Destination { bounds: Some(bounds.clone()), ..self }
    }

    /// Where this process finds it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file, if it has no name.
    pub(super) fn file(&self) -> Option<&File> {
        self.file.as_deref()
    }

    /// Whether its run has no more to give.
    pub fn is_over(&self) -> bool {
        self.bounds.as_ref().is_some_and(Bounds::is_over)
    }
}

impl From<PathBuf> for Destination {
    /// A new file of this name.
    fn from(path: PathBuf) -> Destination {
        Destination { path, file: None, bounds: None }
    }
}

/// Where a recording ends by itself. All clones refer to the same one.
#[derive(Clone, Debug)]
pub struct Bounds {
    until: SimTime,
    most: u64,
    held: Arc<AtomicU64>,
    over: Arc<AtomicBool>,
}

impl Bounds {
    /// It ends at the log time `until` [ns], or before it holds more than `most` [bytes] with the heads of messages.
    pub fn new(until: SimTime, most: u64) -> Bounds {
        Bounds { until, most, held: Arc::default(), over: Arc::default() }
    }

    /// Set once it has ended.
    pub fn over(&self) -> &Arc<AtomicBool> {
        &self.over
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// Whether it has ended early, since it would hold too much.
    pub fn is_full(&self) -> bool {
        self.held.load(Ordering::Relaxed) > self.most
    }

    /// Ends it at its time.
    pub(super) fn reach(&self, time: SimTime) {
        if time >= self.until {
            self.over.store(true, Ordering::Relaxed);
        }
    }

    /// Whether there is room for so many bytes of content more; without room it has ended.
    pub(super) fn takes(&self, bytes: usize) -> bool {
        let before = self.held.fetch_add(size(bytes), Ordering::Relaxed);
        let has_room = before.saturating_add(size(bytes)) <= self.most;
        if !has_room {
            self.over.store(true, Ordering::Relaxed);
        }
        has_room
    }
}

/// What a message or an attachment with so many bytes of content takes in a file, about [bytes].
pub(crate) fn size(content: usize) -> u64 {
    content as u64 + HEAD
}

/// The name of the file or folder of a recording, without those above it.
pub fn file_name(path: &Path) -> String {
    // `.` and the like have none.
    let name =
        path.file_name().map(ToOwned::to_owned).or_else(|| Some(path.canonicalize().ok()?.file_name()?.to_owned()));
    name.map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_ends_at_its_time_or_when_it_is_full() {
        let bounds = Bounds::new(SimTime(100), 3 * size(10));
        bounds.reach(SimTime(99));
        assert!(bounds.takes(10) && bounds.takes(10) && !bounds.is_over());
        bounds.reach(SimTime(100));
        assert!(bounds.is_over() && !bounds.is_full());
        assert!(bounds.takes(10) && !bounds.clone().takes(0) && bounds.is_full());
        let full = Bounds::new(SimTime(100), 9);
        assert!(!full.takes(10) && full.is_over());
    }
}
