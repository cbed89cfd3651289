//! Folders for files that nobody keeps. They are gone at every end of their process: with their owner, or by [`remove_all`] where a process exits
//! without dropping it, as after a signal. After SIGKILL the next start removes them.
//!
//! The process holds a lock (`flock`) on the folder itself. A folder of the same kind and the same user without a lock has been left behind, and
//! whoever makes the next one beside it removes it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::io::Errno;

/// The folders of this process.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// How often a new folder may be mistaken for one that was left behind, before it has its lock.
const ATTEMPTS: usize = 8;
/// How often a folder is removed at the end of a process, at most.
const REMOVALS: usize = 100;

/// A folder that only this user can read, and that is removed with everything in it when this is dropped.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    /// Holds the lock.
    _lock: File,
}

impl Scratch {
    /// A folder of this kind, such as `skidpad-export-`, with which its name begins, among the temporary files of the system.
    ///
    /// # Errors
    /// That of the system.
    pub fn new(kind: &str) -> io::Result<Scratch> {
        Scratch::beside(&std::env::temp_dir(), kind)
    }

    /// A folder of this kind in `parent`, from where its content can be renamed to a place in the same file system.
    ///
    /// # Errors
    /// That of the system.
    pub fn beside(parent: &Path, kind: &str) -> io::Result<Scratch> {
        remove_abandoned(parent, kind);
        for _ in 0..ATTEMPTS {
            // Held until the folder is among them: a process that ends meanwhile finds it.
            let mut folders = all();
            let for_owner_only = fs::Permissions::from_mode(0o700);
            let folder = tempfile::Builder::new().prefix(kind).permissions(for_owner_only).tempdir_in(parent)?;
            let Ok(lock) = open_folder(folder.path()) else { continue };
            // Another process may have seen it before its lock. A file system without locks has none that looks for them.
            let is_taken = flock(&lock, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK);
            if !is_taken && lock.metadata()?.nlink() > 0 {
                let folder = folder.keep();
                folders.push(folder.clone());
                return Ok(Scratch { folder, _lock: lock });
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "another process removes each new folder"))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Whoever cannot remove it has said why, or leaves it for the next start.
        let _ = fs::remove_dir_all(&self.folder);
        all().retain(|folder| *folder != self.folder);
    }
}

/// Removes the folders of this process: for one that exits without dropping their owners. Nobody can make another one afterwards.
pub fn remove_all() {
    let folders = all();
    for folder in folders.iter() {
        // A thread may be writing into it: then an attempt finds it not empty.
        let _ = (0..REMOVALS).find(|_| fs::remove_dir_all(folder).is_ok());
    }
    // The process exits now.
    std::mem::forget(folders);
}

fn all() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a folder, and nothing that a link leads to.
fn open_folder(folder: &Path) -> Result<File, Errno> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::RDONLY | OFlags::CLOEXEC;
    rustix::fs::open(folder, flags, Mode::empty()).map(File::from)
}

/// Removes the folders of this kind in `parent` that processes of the same user have left behind.
fn remove_abandoned(parent: &Path, kind: &str) {
    let user = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if !entry.file_name().to_string_lossy().starts_with(kind) {
            continue;
        }
        let Ok(folder) = open_folder(&entry.path()) else { continue };
        let is_own = folder.metadata().is_ok_and(|data| data.uid() == user);
        // The lock is kept until the folder is gone.
        if is_own && flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_gone_with_its_owner_and_what_was_left_behind_with_the_next_one() {
        let parent = tempfile::tempdir().unwrap();
        let entry_count = || fs::read_dir(parent.path()).unwrap().count();
        let first = Scratch::beside(parent.path(), "kind-").unwrap();
        fs::create_dir(first.path().join("deep")).unwrap();
        fs::write(first.path().join("deep/a"), "a").unwrap();
        let mode = fs::metadata(first.path()).unwrap().mode() & 0o777;
        assert_eq!((mode, entry_count()), (0o700, 1));
        let second = Scratch::beside(parent.path(), "kind-").unwrap();
        assert!(first.path().join("deep/a").is_file() && first.path() != second.path(), "it has an owner");
        drop(second);
        assert_eq!(entry_count(), 1);
        // As a process leaves it that is killed: the lock is gone, the folder is not.
        let (left, other, link) =
            (parent.path().join("kind-left"), parent.path().join("other"), parent.path().join("kind-link"));
        fs::create_dir(&left).unwrap();
        fs::write(left.join("a"), "a").unwrap();
        fs::create_dir(&other).unwrap();
        std::os::unix::fs::symlink(&other, &link).unwrap();
        let third = Scratch::beside(parent.path(), "kind-").unwrap();
        assert!(!left.exists() && other.exists() && link.is_symlink() && first.path().exists());
        drop((first, third));
        assert_eq!(entry_count(), 2, "the other folder and the link");
    }
}
