//! Reads recordings: MCAP files, sqlite3 bags of rosbag2, and the folders that `ros2 bag record` makes.
//!
//! ```text
//!  visit_files ── a file or the parts of a folder ──▶ BagReader
//!  BagReader::scan ── once, from start to end: topics, messages, attachments, and where they are ──▶ Visitor
//!  BagReader::read ── the messages of one block again ──▶ bytes
//! ```
//! The format follows from the first bytes of a file, not from its name. Files that end early, as after a kill, are read as far as
//! possible, with a note. Memory does not grow with the file.

mod folder;
pub(crate) mod framing;
mod mcap;
mod sqlite;
mod stamped;
mod vehicle_name;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::errors_by_parts;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;
use skidpad_files::scratch::Scratch;
use skidpad_run::meter::{Meter, Unit};

pub use stamped::{
    ACKERMANN_DRIVE, PATH, POSE_WITH_COVARIANCE_STAMPED, Path as NavPath, Stamped, TWIST_STAMPED, nanoseconds,
};
pub use vehicle_name::{PLANS, is_command, is_fixed_frame, namespace, vehicle_name};

/// Size of a block of messages outside of chunks [bytes].
const LOOSE_BLOCK: u64 = 1 << 20;
/// Bytes read from a file at once.
const BUFFER: usize = 1 << 18;

/// Why a recording cannot be read.
#[derive(Debug)]
pub enum BagError {
    /// A file cannot be opened or read.
    File(FileError),
    /// A file has none of the formats, or is too damaged to be read.
    Format {
        /// The file.
        path: PathBuf,
        /// What was found instead.
        found: String,
        /// How to resolve it.
        hint: Option<&'static str>,
    },
    /// No part of a folder can be read.
    Parts(Vec<BagError>),
}

impl BagError {
    /// For a file that cannot be opened or read.
    fn file(path: &Path, error: io::Error) -> BagError {
        BagError::File(FileError::read(path, error))
    }
}

impl From<&BagError> for Diagnostics {
    fn from(error: &BagError) -> Diagnostics {
        match error {
            BagError::File(error) => error.into(),
            BagError::Format { path, found, hint } => Diagnostic {
                hint: hint.map(str::to_owned),
                ..Diagnostic::new(path.display(), found).accepted_all([
                    "MCAP files",
                    "sqlite3 bags (.db3)",
                    "folders of ros2 bag record",
                ])
            }
            .into(),
            BagError::Parts(parts) => parts.iter().map(Diagnostics::from).collect(),
        }
    }
}

errors_by_parts!(BagError);

/// A part of a file that is read as a whole.
#[derive(Clone, Copy, Debug)]
pub struct FileRange {
    /// Its first byte, or its first row.
    pub start: u64,
    /// Its length [bytes], or how many rows follow the first.
    pub length: u64,
    /// Whether it is the content of a chunk, which may be compressed.
    pub is_chunk: bool,
}

/// Receives the contents of a file from [`BagReader::scan`].
pub trait Visitor {
    /// A topic of CDR messages, by its id in this file; it may be repeated. Returns whether its messages are wanted.
    fn topic(&mut self, id: u64, name: &str, kind: &str) -> bool;

    /// The definition of a type of messages in the text of ROS 2, before the topics of that type; may be empty, and repeated.
    fn definition(&mut self, _kind: &str, _text: &str) {}

    /// A message of a wanted topic, logged at `time` [ns].
    fn message(&mut self, id: u64, time: i64, data: &[u8]);

    /// All messages since the last block are at `place`.
    fn block(&mut self, _place: FileRange) {}

    /// An attachment, logged at `time` [ns].
    fn attachment(&mut self, _time: u64, _name: &str, _place: FileRange) {}
}

/// An open file of a recording.
pub struct BagReader {
    /// See [`path`](Self::path).
    path: PathBuf,
    storage: Storage,
    /// The folder of the unpacked file, if this one is compressed as a whole.
    _unpacked: Option<Scratch>,
}

enum Storage {
    Mcap(File),
    Sqlite {
        connection: Connection,
        topics: Vec<sqlite::SqliteTopic>,
        /// Ids of the topics that the visitor wants, separated by commas.
        wanted: String,
    },
}

/// A file that counts what is read of it.
struct Counted<'a> {
    file: &'a mut File,
    meter: Meter,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.meter.add(count as u64);
        Ok(count)
    }
}

/// Opens the file, or the files of a folder, and passes them to `take` one by one. Files that cannot be opened become notes, of which
/// a line states that the others `are read`.
///
/// # Errors
/// No file can be opened.
pub fn visit_files(
    path: &Path,
    are_read: &str,
    notes: &mut Vec<Diagnostic>,
    mut take: impl FnMut(BagReader, &mut Vec<Diagnostic>),
) -> Result<(), BagError> {
    let files = if path.is_dir() { folder::files(path, notes)? } else { vec![path.to_path_buf()] };
    let mut failed = Vec::new();
    for file in &files {
        match BagReader::open(file, notes) {
            Ok(file) => take(file, notes),
            Err(error) => failed.push(error),
        }
    }
    if failed.len() == files.len() {
        return Err(BagError::Parts(failed));
    }
    let reported = failed.into_iter().flat_map(Diagnostics::from);
    notes.extend(reported.map(|diagnostic| diagnostic.note(format!("the other files {are_read}"))));
    Ok(())
}

impl BagReader {
    /// Opens a file; its first bytes decide the format.
    ///
    /// # Errors
    /// It cannot be read, or is not a recording.
    fn open(path: &Path, notes: &mut Vec<Diagnostic>) -> Result<BagReader, BagError> {
        let failed = |error| BagError::file(path, error);
        let mut start = Vec::new();
        input_file::open(path).and_then(|file| file.take(16).read_to_end(&mut start)).map_err(failed)?;
        let format = |found: &str, hint| Err(BagError::Format { path: path.into(), found: found.into(), hint });
        let storage = match &start[..] {
            [] => return format("is empty", None),
            _ if start.starts_with(framing::MAGIC) => Storage::Mcap(input_file::open(path).map_err(failed)?),
            _ if start.starts_with(sqlite::MAGIC) => {
                let (connection, topics) = sqlite::open(path)?;
                Storage::Sqlite { connection, topics, wanted: String::new() }
            }
            _ if start.starts_with(folder::ZSTD) => {
                let (plain, scratch) = folder::unpacked(path, notes)?;
                let plain = BagReader::open(&plain, notes).map_err(|error| match error {
                    BagError::Format { found, hint, .. } => {
                        BagError::Format { path: path.into(), found: format!("uncompressed, it {found}"), hint }
                    }
                    other => other,
                })?;
                return Ok(BagReader { path: path.into(), _unpacked: Some(scratch), ..plain });
            }
            _ if start.starts_with(b"#ROSBAG V") => {
                let hint = "convert it to ROS 2 with rosbags-convert, of the Python package rosbags";
                return format("is a bag of ROS 1", Some(hint));
            }
            _ => return format("is not a recording", None),
        };
        Ok(BagReader { path: path.into(), storage, _unpacked: None })
    }

    /// The path given by the user: this file, or the folder that contains it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Passes everything to the visitor, in the order of the file. The rest of a truncated or broken file is skipped with a note.
    pub fn scan(&mut self, visitor: &mut impl Visitor, notes: &mut Vec<Diagnostic>) {
        let meter = Meter::current();
        let (count, ended) = match &mut self.storage {
            Storage::Mcap(file) => {
                meter.begin(Unit::Bytes, file.metadata().map_or(0, |data| data.len()));
                let counted = Counted { file, meter };
                mcap::scan(&self.path, BufReader::with_capacity(BUFFER, counted), visitor, notes)
            }
            Storage::Sqlite { connection, topics, wanted } => {
                *wanted = sqlite::wanted(&self.path, topics, visitor, notes);
                meter.begin(Unit::Bytes, std::fs::metadata(&self.path).map_or(0, |data| data.len()));
                sqlite::scan(connection, wanted, visitor, &meter)
            }
        };
        if let Err(reason) = ended {
            let found = format!("ends early after {count} messages: {reason}");
            notes.push(Diagnostic::new(self.path.display(), found));
        }
    }

    /// The bytes of a block, unpacked. `take` receives id, log time [ns], offset in these bytes and content of each message; of sqlite3
    /// bags only those of wanted topics. None if it has become unreadable.
    pub fn read(&self, place: &FileRange, take: impl FnMut(u64, i64, usize, &[u8])) -> Option<Vec<u8>> {
        match &self.storage {
            Storage::Mcap(file) => mcap::read(file, place, take),
            Storage::Sqlite { connection, wanted, .. } => sqlite::read(connection, wanted, place, take).ok(),
        }
    }

    /// The content of an attachment; none if it has become unreadable.
    pub fn attachment(&self, place: &FileRange) -> Option<Vec<u8>> {
        match &self.storage {
            Storage::Mcap(file) => mcap::attachment(file, place),
            Storage::Sqlite { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn message(path: &Path) -> String {
        visit_files(path, "are read", &mut Vec::new(), |_, _| {}).unwrap_err().to_string()
    }

    #[test]
    fn a_file_with_extreme_compression_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mcap.zstd");
        fs::write(&path, zstd::encode_all(io::repeat(0).take(100 << 20), 3).unwrap()).unwrap();
        let error = message(&path);
        let most = framing::most_unpacked(fs::metadata(&path).unwrap().len());
        assert!(
            most < 100 << 20
                && error.contains(&format!(": is broken: it unpacks to more than {most} bytes\n  accepted: ")),
            "{error}"
        );
    }

    #[test]
    fn pipes_are_refused_also_beside_a_database() {
        let folder = tempfile::tempdir().unwrap();
        let fifo = folder.path().join("fifo");
        skidpad_test_support::fifo::make_fifo(&fifo);
        assert!(message(&fifo).ends_with("fifo: cannot be read: it is a FIFO\n  accepted: a regular file"));
        let database = folder.path().join("a.db3");
        fs::write(&database, [sqlite::MAGIC, &[0; 100]].concat()).unwrap();
        skidpad_test_support::fifo::make_fifo(&folder.path().join("a.db3-wal"));
        let reported = message(&database);
        assert!(
            reported.ends_with("a.db3-wal: cannot be read: it is a FIFO\n  accepted: a regular file"),
            "{reported}"
        );
    }

    #[test]
    fn every_unreadable_part_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.mcap"), "").unwrap();
        fs::write(folder.path().join("b.db3"), "nothing").unwrap();
        let error = message(folder.path());
        assert!(
            error.contains("a.mcap: is empty\n  accepted: ") && error.contains("b.db3: is not a recording\n"),
            "{error}"
        );
    }
}
