//! Files that are all that a process reads: those that a recording holds, for a run that is made from them alone.
//!
//! While a set is in force, [`input_file`](crate::input_file) opens its files under their paths and no others, whoever names them: options of a
//! command line, includes of worlds, `file://` and `package://`, links, bodies that are spawned. So nothing has to be unpacked, and no path leads
//! out of the set. A file that is not in it is not there.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use crate::diagnostic::Diagnostic;

/// The set that is in force in this process.
static IN_FORCE: RwLock<Option<Arc<FileSet>>> = RwLock::new(None);

/// Files with their content, by the paths that they are opened by.
#[derive(Clone, Debug, Default)]
pub struct FileSet {
    owner: String,
    files: BTreeMap<PathBuf, Arc<[u8]>>,
}

/// Ends the force of a set when it is dropped.
#[derive(Debug)]
#[must_use = "the set is in force as long as this is there"]
pub struct InForce(());

impl FileSet {
    /// An empty set of `owner`, which messages name.
    pub fn of(owner: impl Into<String>) -> FileSet {
        FileSet { owner: owner.into(), files: BTreeMap::new() }
    }

    /// Adds a file.
    pub fn add(&mut self, path: &Path, content: Arc<[u8]>) {
        self.files.insert(key(path), content);
    }

    /// Whether it has a file of this path.
    pub fn has(&self, path: &Path) -> bool {
        self.files.contains_key(&key(path))
    }

    /// Makes its files the only ones that are read in this process, by any thread.
    pub fn enforce(self) -> InForce {
        *IN_FORCE.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(self));
        InForce(())
    }

    /// Opens a file of this path.
    pub(crate) fn open(&self, path: &Path) -> io::Result<File> {
        match self.files.get(&key(path)) {
            Some(content) => in_memory(content),
            None => Err(self.refusal(io::ErrorKind::NotFound, "does not contain it")),
        }
    }

    /// The message that it lacks a file or folder, which `missing` describes.
    #[cfg(feature = "network")]
    pub(crate) fn without(&self, missing: &str) -> Diagnostic {
        Diagnostic::of(format!("{} does not contain {missing}", self.owner))
    }

    /// The error that a library opens a file by its path, where no file is.
    pub(crate) fn refuse_library(&self) -> io::Error {
        self.refusal(io::ErrorKind::Unsupported, "contains it, but this kind of file is read only from a disk")
    }

    fn refusal(&self, kind: io::ErrorKind, why: &str) -> io::Error {
        io::Error::new(kind, Diagnostic::of(format!("{} {why}", self.owner)))
    }
}

impl Drop for InForce {
    fn drop(&mut self) {
        *IN_FORCE.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// The set that is in force; none: all files of the system are there.
pub fn in_force() -> Option<Arc<FileSet>> {
    IN_FORCE.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// A path in one spelling. `..` stays: without the folders of the disk nobody knows where a link leads to.
fn key(path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    Path::new(&*text).components().filter(|part| *part != Component::CurDir).collect()
}

/// A file without a name with this content, to be read from its start.
#[cfg(target_os = "linux")]
fn in_memory(content: &[u8]) -> io::Result<File> {
    use std::io::{Seek, Write};
    let mut file = File::from(rustix::fs::memfd_create("skidpad", rustix::fs::MemfdFlags::CLOEXEC)?);
    file.write_all(content)?;
    file.rewind()?;
    Ok(file)
}

#[cfg(not(target_os = "linux"))]
fn in_memory(_content: &[u8]) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn files_are_found_under_their_paths_and_no_others() {
        let mut set = FileSet::of("a.mcap");
        set.add(Path::new("worlds/a.xml"), Arc::from(*b"one"));
        set.add(Path::new("../b.xml"), Arc::from(*b"two"));
        set.add(Path::new("/etc/hosts"), Arc::from(*b"three"));
        let read = |path: &str| {
            let mut text = String::new();
            set.open(Path::new(path)).and_then(|mut file| file.read_to_string(&mut text)).map(|_| text)
        };
        for (path, text) in
            [("worlds/a.xml", "one"), ("./worlds//./a.xml", "one"), ("../b.xml", "two"), ("/etc/hosts", "three")]
        {
            assert_eq!(read(path).unwrap(), text, "{path}");
        }
        for path in ["b.xml", "worlds/../../b.xml", "/etc/passwd", "Cargo.toml", "/proc/self/fd/0", "worlds", ""] {
            assert!(!set.has(Path::new(path)), "{path}");
            let refused = read(path).unwrap_err();
            assert_eq!(
                (refused.kind(), refused.to_string().as_str()),
                (io::ErrorKind::NotFound, "a.mcap does not contain it")
            );
        }
    }
}
