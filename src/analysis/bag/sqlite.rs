//! sqlite3 bags of rosbag2: a table of topics and one of messages.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};

use super::decode::Topic;
use super::{BagError, Contents};
use crate::input_file;

/// How such a file begins.
pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";

/// Opens a bag for reading. What it calls topics and messages has to be tables: a view computes its rows, which need not end. The library opens
/// the file by itself, and beside it what a writer that was interrupted has left.
///
/// # Errors
/// One of these is no regular file, cannot be opened, or is no bag.
pub(crate) fn open(path: &Path) -> Result<Connection, BagError> {
    input_file::check(path).map_err(|error| BagError::File { path: path.into(), error })?;
    for ending in ["-journal", "-wal", "-shm"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(ending);
        let beside = PathBuf::from(beside);
        match input_file::check(&beside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(BagError::File { path: beside, error });
            }
            _ => {}
        }
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let format = |error| format(path, &error);
    let connection = Connection::open_with_flags(path, flags).map_err(format)?;
    let views = "SELECT name FROM sqlite_schema WHERE type = 'view' AND lower(name) IN ('topics', 'messages')";
    let view = connection.query_row(views, (), |row| row.get::<_, String>(0)).optional().map_err(format)?;
    match view {
        Some(name) => Err(BagError::Format {
            path: path.into(),
            found: format!("is no bag: {name} is a view, no table"),
            hint: None,
        }),
        None => Ok(connection),
    }
}

/// Why a file is no bag, as sqlite3 has it.
pub(crate) fn format(path: &Path, error: &rusqlite::Error) -> BagError {
    let is_broken = error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt);
    let (what, hint) = match is_broken {
        true => ("is broken", Some("the program sqlite3 saves what can be saved: .recover")),
        false => ("is no bag", None),
    };
    BagError::Format { path: path.into(), found: format!("{what}: {error}"), hint }
}

/// Reads all that the file holds of use; where it is broken the rest is left out with a note.
pub(super) fn read(path: &Path, contents: &mut Contents) -> Result<(), BagError> {
    let connection = open(path)?;
    let topics = topics(&connection).map_err(|error| format(path, &error))?;
    for (name, kind, encoding) in topics.values() {
        if encoding == "cdr" {
            contents.topic(name, kind);
        } else {
            contents.notes.push(format!(
                "{}: {name} is encoded as \"{encoding}\" and left out, only cdr is read",
                path.display()
            ));
        }
    }
    // The messages of interest alone: bags are large for their images.
    let wanted = |name: &str, kind: &str, encoding: &str| {
        encoding == "cdr" && Topic::is_read(kind) && contents.topics.contains_key(name)
    };
    let ids: Vec<String> = topics
        .iter()
        .filter(|(_, (name, kind, encoding))| wanted(name, kind, encoding))
        .map(|(id, _)| id.to_string())
        .collect();
    let mut count = 0_u64;
    let mut take = |id: i64, time: i64, data: &[u8]| {
        count += 1;
        if let Some((name, kind, _)) = topics.get(&id) {
            contents.topic(name, kind).take(time, data);
        }
    };
    if let Err(error) = messages(&connection, &ids.join(","), &mut take) {
        contents.notes.push(format!("{}: ends early after {count} messages: {error}", path.display()));
    }
    Ok(())
}

/// Name, type and serialization of the topics by their ids.
fn topics(connection: &Connection) -> rusqlite::Result<BTreeMap<i64, (String, String, String)>> {
    let mut query = connection.prepare("SELECT id, name, type, serialization_format FROM topics")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?))))?;
    rows.collect()
}

/// Hands topic, time [ns] and bytes of the messages of these topics to `take`, in the order of the file.
fn messages(connection: &Connection, ids: &str, take: &mut dyn FnMut(i64, i64, &[u8])) -> rusqlite::Result<()> {
    let mut query =
        connection.prepare(&format!("SELECT topic_id, timestamp, data FROM messages WHERE topic_id IN ({ids})"))?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        if let ValueRef::Blob(data) = row.get_ref(2)? {
            take(row.get(0)?, row.get(1)?, data);
        }
    }
    Ok(())
}
