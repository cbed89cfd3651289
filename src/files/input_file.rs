//! Opens files for reading: the only way in which files named by users, worlds and callers are opened.
//!
//! Only regular files are opened, because reading a pipe, a device or a socket may block forever or never end. Opening does not
//! block either: the type of the path is checked before, because opening a device may already have side effects, and again after,
//! because the path may have been replaced meanwhile; `O_NONBLOCK` keeps the open of a pipe from waiting for a writer.

use std::cell::RefCell;
use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use crate::diagnostic::Diagnostic;
use crate::file_error::FileError;
use crate::file_set;

/// A problem with a file. Its message may quote the file; the second form does not, for callers who may name a file without
/// being allowed to read it.
pub trait FileProblem {
    /// The whole message.
    fn diagnostic(&self) -> Diagnostic;

    /// File, line and problem, without quoting the content.
    fn without_content(&self) -> Diagnostic;
}

thread_local! {
    /// The files that this thread has opened since [`noting_opened`] was called; none: nobody asked.
    static OPENED: RefCell<Option<Vec<PathBuf>>> = const { RefCell::new(None) };
}

/// Does `work`, and returns with its result the regular files that it has opened on this thread, each once, in the order of the first time
/// and under the path that it was opened by. So what something was made from is known without every reader keeping account of it.
pub fn noting_opened<T>(work: impl FnOnce() -> T) -> (T, Vec<PathBuf>) {
    let before = OPENED.replace(Some(Vec::new()));
    let done = work();
    let opened = OPENED.replace(before).unwrap_or_default();
    opened.iter().for_each(|path| note(path));
    (done, opened)
}

/// Notes an opened file for those who asked.
fn note(path: &Path) {
    OPENED.with_borrow_mut(|opened| {
        if let Some(opened) = opened.as_mut().filter(|opened| opened.iter().all(|known| known != path)) {
            opened.push(path.to_path_buf());
        }
    });
}

/// Opens the regular file at `path`, or that of the [set of files](file_set) in force.
///
/// # Errors
/// The system's error, or for another type of file a [`Diagnostic`]: its type, and what is accepted. That the set does not hold it.
pub fn open(path: &Path) -> io::Result<File> {
    if let Some(set) = file_set::in_force() {
        return set.open(path).inspect(|_| note(path));
    }
    require_regular(&std::fs::metadata(path)?)?;
    let file = open_at_once(path)?;
    require_regular(&file.metadata()?)?;
    note(path);
    Ok(file)
}

/// Like [`open`], for a file that is read once from its start: a path that names a descriptor of this process (`/dev/stdin`,
/// `/dev/fd/63` as shells expand `<(…)`) may also be a pipe or a terminal, since the user connected it.
///
/// # Errors
/// See [`open`].
pub fn open_stream(path: &Path) -> io::Result<File> {
    if !is_own_descriptor(path) || file_set::in_force().is_some() {
        return open(path);
    }
    let file = open_at_once(path)?;
    let kind = file.metadata()?.file_type();
    if !(kind.is_fifo() || kind.is_char_device()) {
        require_regular(&file.metadata()?)?;
    }
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

/// Fails unless there is a regular file at `path`; for libraries that open files themselves.
///
/// # Errors
/// See [`open`]; or a [set of files](file_set) is in force, whose files such libraries do not find.
pub fn check(path: &Path) -> io::Result<()> {
    open(path)?;
    file_set::in_force().map_or(Ok(()), |set| Err(set.refuse_library()))
}

/// Whether there is a regular file at `path`, which may still not be readable.
pub fn is_file(path: &Path) -> bool {
    file_set::in_force().map_or_else(|| path.is_file(), |set| set.has(path))
}

/// All bytes of a regular file of at most `longest` bytes.
///
/// # Errors
/// See [`open`]; or it is longer.
pub fn read(path: &Path, longest: u64) -> io::Result<Vec<u8>> {
    read_to_end(open(path)?, longest)
}

/// The text of a regular file of at most `longest` bytes.
///
/// # Errors
/// See [`open`]; or it is longer, or not UTF-8.
pub fn read_text(path: &Path, longest: u64) -> io::Result<String> {
    let wrong = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8");
    String::from_utf8(read(path, longest)?).map_err(wrong)
}

/// All bytes of an open file, at most `longest`.
///
/// # Errors
/// It cannot be read, or is longer.
pub fn read_to_end(from: impl Read, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more than allowed reveals a file that is too long.
    from.take(longest.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is longer than {} MiB", longest >> 20)));
    }
    Ok(bytes)
}

/// The problem without the list of what is accepted, for callers that have a more precise one.
pub fn problem_of(error: io::Error) -> String {
    Diagnostic::from(error).found
}

/// Opens any type of file without blocking; a terminal does not become the controlling one.
fn open_at_once(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

fn require_regular(data: &Metadata) -> io::Result<()> {
    if data.is_file() {
        return Ok(());
    }
    let problem = Diagnostic::of(format!("it is {}", kind(data.file_type()))).accepted("a regular file");
    Err(io::Error::new(io::ErrorKind::InvalidInput, problem))
}

fn kind(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a folder"
    } else if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_char_device() || kind.is_block_device() {
        "a device"
    } else {
        "no file"
    }
}

fn is_own_descriptor(path: &Path) -> bool {
    let Some(path) = path.to_str() else { return false };
    let number = path.strip_prefix("/dev/fd/").or_else(|| path.strip_prefix("/proc/self/fd/"));
    let is_number = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    path == "/dev/stdin" || number.is_some_and(is_number)
}

/// The line of a file in which the record begins, from 1.
pub fn csv_line(record: &csv::StringRecord) -> u64 {
    record.position().map_or(1, csv::Position::line)
}

/// The error of a file that is not valid CSV, with its line if that is known; `name` is the file's name in it.
pub fn csv_error(name: &str, error: &csv::Error) -> FileError {
    let place = error.position().map(|position| position.line().to_string());
    FileError::read(name, Diagnostic { place, ..Diagnostic::of(error.to_string()) })
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;
    use skidpad_test_support::fifo::make_fifo;

    #[test]
    fn other_types_of_files_are_refused_without_blocking() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        make_fifo(&fifo);
        let socket = folder.path().join("socket");
        let _listener = UnixListener::bind(&socket).unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&fifo, &link).unwrap();
        let error = |path: &Path| open(path).unwrap_err();
        for (path, kind) in [
            (fifo.as_path(), "a FIFO"),
            (&link, "a FIFO"),
            (&socket, "a socket"),
            (folder.path(), "a folder"),
            (Path::new("/dev/zero"), "a device"),
        ] {
            assert_eq!(error(path).to_string(), format!("it is {kind}\n  accepted: a regular file"));
            assert_eq!(problem_of(error(path)), format!("it is {kind}"));
            // Streams are accepted only if this process already has them open.
            assert!(open_stream(path).is_err() && check(path).is_err());
        }
        assert_eq!(error(&folder.path().join("none")).kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn opened_files_are_noted_once_for_all_who_ask() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| folder.path().join(name));
        [&a, &b, &c].iter().for_each(|path| std::fs::write(path, "text").unwrap());
        let read = |path: &Path| read(path, 9).unwrap().len();
        assert_eq!(read(&c), 4);
        let (lengths, all) = noting_opened(|| {
            let outer = read(&b) + read(&a) + read(&b);
            let (inner, opened) = noting_opened(|| read(&c) + read(&a));
            assert_eq!(opened, [c.clone(), a.clone()]);
            assert!(open(&folder.path().join("none")).is_err());
            outer + inner
        });
        assert_eq!((lengths, all), (20, vec![b, a, c]));
        assert_eq!(noting_opened(|| ()).1, Vec::<PathBuf>::new());
    }

    #[test]
    fn files_are_read_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, vec![b'a'; 2 << 20]).unwrap();
        assert_eq!(read_text(&path, 2 << 20).unwrap().len(), 2 << 20);
        assert_eq!(read(&path, 1 << 20).unwrap_err().to_string(), "it is longer than 1 MiB");
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_text(&path, 9).unwrap_err().to_string(), "it is not UTF-8");
    }

    #[test]
    fn an_inherited_pipe_is_read_to_its_end() {
        let (reader, mut writer) = io::pipe().unwrap();
        let path = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&reader));
        let file = open_stream(Path::new(&path)).unwrap();
        let write = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(20));
            io::Write::write_all(&mut writer, b"late").unwrap();
        });
        assert_eq!(read_to_end(file, 9).unwrap(), b"late");
        write.join().unwrap();
        assert!(open(Path::new(&path)).is_err());
    }

    #[test]
    fn descriptors_are_recognised_by_their_paths() {
        for own in ["/dev/stdin", "/dev/fd/63", "/proc/self/fd/0"] {
            assert!(is_own_descriptor(Path::new(own)), "{own}");
        }
        for other in ["/dev/fd/", "/dev/fd/x", "/proc/1/fd/0", "stdin", "/dev/zero"] {
            assert!(!is_own_descriptor(Path::new(other)), "{other}");
        }
    }
}
