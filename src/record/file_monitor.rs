//! Detects changes to the file of a recording by other processes: truncation, renaming, removal or overwriting while it grows.
//!
//! The system reports the length and the name, and the end left by each write reveals whether another process has written there. This is
//! checked before each write, which costs three system calls a few times per second. A change before the end that keeps the length goes
//! unnoticed.

use std::fs::{self, File, Metadata};
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::disk::END;

/// A change to the file by another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileDamage {
    /// Its name was removed; the file disappears when it is closed.
    Removed,
    /// It was renamed.
    Moved,
    /// It was truncated to this length [bytes].
    Cut(u64),
    /// Its end was overwritten with other bytes.
    Overwritten,
}

/// Monitors the file of a recording.
#[derive(Debug)]
pub(super) struct FileMonitor {
    file: File,
    path: PathBuf,
    /// Whether it has a name; one without cannot lose it.
    is_named: bool,
    /// Whether its renaming has been reported.
    has_moved: bool,
}

impl FileMonitor {
    /// Monitors the open `file`, which was created at `path`, or has no name.
    pub(super) fn new(file: File, path: &Path) -> FileMonitor {
        let is_named = file.metadata().map_or(true, |data| data.nlink() > 0);
        FileMonitor { file, path: path.to_owned(), is_named, has_moved: false }
    }

    /// The change to the file, whose end begins after `length` bytes. Renaming is reported once.
    pub(super) fn check(&mut self, length: u64) -> io::Result<Option<FileDamage>> {
        let file = self.file.metadata()?;
        let whole = length + END.len() as u64;
        if file.len() < whole {
            return Ok(Some(FileDamage::Cut(file.len())));
        }
        let mut end = [0; END.len()];
        self.file.read_exact_at(&mut end, length)?;
        if end != END || file.len() > whole {
            return Ok(Some(FileDamage::Overwritten));
        }
        if !self.is_named {
            return Ok(None);
        }
        if file.nlink() == 0 {
            return Ok(Some(FileDamage::Removed));
        }
        let is_same = |metadata: Metadata| (metadata.dev(), metadata.ino()) == (file.dev(), file.ino());
        let is_there = fs::metadata(&self.path).is_ok_and(is_same);
        let moves = !is_there && !self.has_moved;
        self.has_moved |= moves;
        Ok(moves.then_some(FileDamage::Moved))
    }

    /// The file, opened for reading.
    pub(super) fn file(&self) -> &File {
        &self.file
    }
}

/// Creates a file with this content at `path`, or beside it if that exists: `x_1.mcap` for `x.mcap`. A missing folder is created again.
pub(super) fn create_beside(path: &Path, content: &[u8]) -> io::Result<(File, PathBuf)> {
    /// Far more than any recording needs.
    const MAX_FILES: u32 = 100;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let numbered = (1..MAX_FILES).map(|number| path.with_file_name(format!("{stem}_{number}.{ending}")));
    for candidate in std::iter::once(path.to_owned()).chain(numbered) {
        match create(&candidate, content) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            done => return done.map(|file| (file, candidate)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Creates a new file with this content, for writing and reading; fails if it exists. Nobody sees it without its content, on all file
/// systems that can make a file before it has a name.
pub(super) fn create(path: &Path, content: &[u8]) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    if let Some(file) = create_unnamed(path, content) {
        return file;
    }
    let file = File::options().read(true).write(true).create_new(true).open(path)?;
    file.write_all_at(content, 0)?;
    Ok(file)
}

/// Makes a file without a name, and gives it its name when it has its content. None if the system cannot do that here.
#[cfg(target_os = "linux")]
fn create_unnamed(path: &Path, content: &[u8]) -> Option<io::Result<File>> {
    use rustix::fs::{AtFlags, CWD, Mode, OFlags};
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(folder, flags, Mode::from_raw_mode(0o666)).ok()?);
    if let Err(error) = file.write_all_at(content, 0) {
        return Some(Err(error));
    }
    let open = format!("/proc/self/fd/{}", file.as_raw_fd());
    match rustix::fs::linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW) {
        Ok(()) => Some(Ok(file)),
        Err(error) if error == rustix::io::Errno::EXIST => Some(Err(error.into())),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guarded(content: &[u8]) -> (tempfile::TempDir, PathBuf, FileMonitor) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.mcap");
        let file = create(&path, &[content, &END].concat()).unwrap();
        let monitor = FileMonitor::new(file, &path);
        (folder, path, monitor)
    }

    #[test]
    fn changes_by_other_processes_are_detected() {
        let (_folder, path, mut monitor) = guarded(b"abc");
        assert_eq!(monitor.check(3).unwrap(), None);
        let other = path.with_file_name("y.mcap");
        fs::rename(&path, &other).unwrap();
        assert_eq!(monitor.check(3).unwrap(), Some(FileDamage::Moved));
        assert_eq!(monitor.check(3).unwrap(), None, "once is enough");
        fs::write(&path, [&b"abc"[..], &END].concat()).unwrap();
        fs::rename(&path, &other).unwrap();
        assert_eq!(monitor.check(3).unwrap(), Some(FileDamage::Removed), "another has its place");
        let (_folder, path, mut monitor) = guarded(b"abc");
        fs::write(&path, [&b"xyz"[..], &[7; END.len()]].concat()).unwrap();
        assert_eq!(monitor.check(3).unwrap(), Some(FileDamage::Overwritten));
        fs::write(&path, [&b"abc"[..], &END, b"more"].concat()).unwrap();
        assert_eq!(monitor.check(3).unwrap(), Some(FileDamage::Overwritten));
        fs::write(&path, "a").unwrap();
        assert_eq!(monitor.check(3).unwrap(), Some(FileDamage::Cut(1)));
    }

    #[test]
    fn a_substitute_file_takes_the_first_free_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone/x.mcap");
        let names: Vec<_> = (0..3).map(|_| create_beside(&path, b"abc").unwrap().1).collect();
        assert_eq!(names, ["x.mcap", "x_1.mcap", "x_2.mcap"].map(|name| path.with_file_name(name)));
        assert!(names.iter().all(|name| fs::read(name).unwrap() == b"abc"));
        let mode = fs::metadata(&names[0]).unwrap().mode();
        let plain = folder.path().join("plain");
        File::create(&plain).unwrap();
        assert_eq!(mode, fs::metadata(plain).unwrap().mode(), "whatever the umask");
    }
}
