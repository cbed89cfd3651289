//! MCAP files, read from start to end: their index, which a killed recorder never wrote, is not needed.

use std::io::Read;
use std::path::Path;

use mcap::sans_io::LinearReaderOptions;

use super::{BagError, Contents};

/// How such a file begins.
pub(super) const MAGIC: &[u8] = b"\x89MCAP0\r\n";

/// Longest record that is believed in a small file [bytes].
const RECORD: u64 = 16 << 20;

/// Reads all that the file holds of use; where it breaks off or is broken the rest is left out with a note.
pub(super) fn read(path: &Path, file: impl Read, contents: &mut Contents) -> Result<(), BagError> {
    let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let options = LinearReaderOptions::default()
        .with_skip_end_magic(true)
        .with_validate_chunk_crcs(true)
        .with_record_length_limit(size.max(RECORD) as usize);
    let mut encodings = Vec::new();
    let mut count = 0_u64;
    for message in mcap::io::MessageReader::new_with_options(file, options) {
        let message = match message {
            Ok(message) => message,
            Err(error) => {
                contents.notes.push(format!("{}: ends early after {count} messages: {}", path.display(), said(&error)));
                break;
            }
        };
        count += 1;
        let channel = &message.channel;
        if channel.message_encoding != "cdr" {
            if !encodings.contains(&channel.message_encoding) {
                encodings.push(channel.message_encoding.clone());
            }
            continue;
        }
        let kind = channel.schema.as_ref().map_or("", |schema| schema.name.as_str());
        contents.topic(&channel.topic, kind).take(message.log_time as i64, &message.data);
    }
    for encoding in encodings {
        contents
            .notes
            .push(format!("{}: messages encoded as \"{encoding}\" are left out, only cdr is read", path.display()));
    }
    Ok(())
}

/// What is wrong, in one line with its cause.
fn said(error: &mcap::McapError) -> String {
    match error {
        mcap::McapError::UnexpectedEof | mcap::McapError::UnexpectedEoc => "the file is cut off".into(),
        mcap::McapError::Io(error) => error.to_string(),
        // Its text holds a listing of positions.
        mcap::McapError::Parse(_) => "a record is broken".into(),
        other => other.to_string(),
    }
}
