//! sqlite3 bags of rosbag2: a table of topics and one of messages. Rows of about [`LOOSE_BLOCK`](super::LOOSE_BLOCK) bytes make a block.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::input_file;
use skidpad_run::meter::Meter;

use super::{BagError, FileRange, LOOSE_BLOCK, Visitor};

/// First bytes of such a file.
pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";

/// A topic of the file.
pub(super) struct SqliteTopic {
    id: i64,
    name: String,
    kind: String,
    encoding: String,
}

/// Opens a bag for reading. Topics and messages have to be tables: a view computes its rows, possibly without end. The library opens
/// the file itself, and the journal files that an interrupted writer has left beside it.
///
/// # Errors
/// One of these is not a regular file, cannot be opened, or is not a bag.
pub(super) fn open(path: &Path) -> Result<(Connection, Vec<SqliteTopic>), BagError> {
    input_file::check(path).map_err(|error| BagError::file(path, error))?;
    for ending in ["-journal", "-wal", "-shm"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(ending);
        let beside = PathBuf::from(beside);
        match input_file::check(&beside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(BagError::file(&beside, error));
            }
            _ => {}
        }
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let format = |error| format(path, &error);
    let connection = Connection::open_with_flags(path, flags).map_err(format)?;
    let views = "SELECT name FROM sqlite_schema WHERE type = 'view' AND lower(name) IN ('topics', 'messages')";
    let view = connection.query_row(views, (), |row| row.get::<_, String>(0)).optional().map_err(format)?;
    if let Some(name) = view {
        let found = format!("is not a bag: {name} is a view, not a table");
        return Err(BagError::Format { path: path.into(), found, hint: None });
    }
    let topics = topics(&connection).map_err(format)?;
    Ok((connection, topics))
}

/// Why a file is not a bag, in the words of sqlite3.
fn format(path: &Path, error: &rusqlite::Error) -> BagError {
    let is_broken = error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt);
    let (fault, hint) = match is_broken {
        true => ("is broken", Some("recover its data with the command .recover of sqlite3")),
        false => ("is not a bag", None),
    };
    BagError::Format { path: path.into(), found: format!("{fault}: {error}"), hint }
}

fn topics(connection: &Connection) -> rusqlite::Result<Vec<SqliteTopic>> {
    let topic = |row: &Row<'_>| {
        Ok(SqliteTopic { id: row.get(0)?, name: row.get(1)?, kind: row.get(2)?, encoding: row.get(3)? })
    };
    let mut query = connection.prepare("SELECT id, name, type, serialization_format FROM topics")?;
    query.query_map([], topic)?.collect()
}

/// Announces the topics to the visitor, and returns the ids of those that it wants.
pub(super) fn wanted(
    path: &Path,
    topics: &[SqliteTopic],
    visitor: &mut impl Visitor,
    notes: &mut Vec<Diagnostic>,
) -> String {
    let mut wanted: Vec<String> = Vec::new();
    for SqliteTopic { id, name, kind, encoding } in topics {
        if encoding != "cdr" {
            let found = format!("{name} is left out, with the encoding \"{encoding}\": only cdr is read");
            notes.push(Diagnostic::new(path.display(), found));
        } else if visitor.topic(*id as u64, name, kind) {
            wanted.push(id.to_string());
        }
    }
    wanted.join(",")
}

/// Passes the messages of the wanted topics to the visitor, in the order of the file; other topics, such as images, are not read. Returns
/// their number, and why the file ends early, if it does.
/// there are, and why the file ends early, if it does.
pub(super) fn scan(
    connection: &Connection,
    wanted: &str,
    visitor: &mut impl Visitor,
    meter: &Meter,
) -> (usize, Result<(), String>) {
    let (mut count, mut size) = (0, 0);
    let mut block: Option<FileRange> = None;
    let ended = messages(connection, wanted, "", [], |row, id, time, data| {
        count += 1;
        size += data.len() as u64;
        meter.add(data.len() as u64);
        visitor.message(id, time, data);
        let start = row as u64;
        let place = block.get_or_insert(FileRange { start, length: 0, is_chunk: false });
        // Row numbers may be negative.
        place.length = start.wrapping_sub(place.start);
        if size >= LOOSE_BLOCK {
            size = 0;
            block.take().into_iter().for_each(|place| visitor.block(place));
        }
    });
    block.into_iter().for_each(|place| visitor.block(place));
    (count, ended.map_err(|error| error.to_string()))
}

/// See [`BagReader::read`](super::BagReader::read).
pub(super) fn read(
    connection: &Connection,
    wanted: &str,
    place: &FileRange,
    mut take: impl FnMut(u64, i64, usize, &[u8]),
) -> rusqlite::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let rows = [place.start as i64, place.start.wrapping_add(place.length) as i64];
    messages(connection, wanted, "AND rowid BETWEEN ? AND ?", rows, |_, id, time, data| {
        take(id, time, bytes.len(), data);
        bytes.extend_from_slice(data);
    })?;
    Ok(bytes)
}

/// Passes row, topic, time [ns] and bytes of each message to `take`.
fn messages(
    connection: &Connection,
    wanted: &str,
    range: &str,
    parameters: impl rusqlite::Params,
    mut take: impl FnMut(i64, u64, i64, &[u8]),
) -> rusqlite::Result<()> {
    let mut query = connection.prepare_cached(&format!(
        "SELECT rowid, topic_id, timestamp, data FROM messages WHERE topic_id IN ({wanted}) {range} ORDER BY rowid"
    ))?;
    let mut rows = query.query(parameters)?;
    while let Some(row) = rows.next()? {
        if let ValueRef::Blob(data) = row.get_ref(3)? {
            take(row.get(0)?, row.get::<_, i64>(1)? as u64, row.get(2)?, data);
        }
    }
    Ok(())
}
