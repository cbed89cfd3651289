//! MCAP files, read from start to end: their index, which a killed recorder never wrote, is not needed.
//!
//! The library finds and unpacks the records. The three kinds that count are taken apart here: the library would take the memory that a
//! broken length asks for.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use mcap::McapError;
use mcap::records::op;
use mcap::sans_io::{LinearReadEvent, LinearReader, LinearReaderOptions};

use super::decode::Topic;
use super::{BagError, Contents};

/// How such a file begins.
pub(super) const MAGIC: &[u8] = b"\x89MCAP0\r\n";

/// Longest record that is believed in a small file [bytes].
const RECORD: u64 = 16 << 20;

/// Reads all that the file holds of use; where it breaks off or is broken the rest is left out with a note.
pub(super) fn read(path: &Path, mut file: impl Read, contents: &mut Contents) -> Result<(), BagError> {
    let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let mut records = Records { contents, schemas: BTreeMap::new(), channels: BTreeMap::new(), count: 0 };
    let failed = read_records(&mut file, size.max(RECORD) as usize, &mut records).err();
    let Records { channels, count, .. } = records;
    if let Some(error) = failed {
        contents.notes.push(format!("{}: ends early after {count} messages: {error}", path.display()));
    }
    let foreign: Vec<&str> = channels.values().filter(|c| !c.is_cdr()).map(|c| c.encoding.as_str()).collect();
    if let Some(encoding) = foreign.first() {
        contents.notes.push(format!(
            "{}: {} topics encoded as \"{encoding}\" or so are left out, only cdr is read",
            path.display(),
            foreign.len()
        ));
    }
    Ok(())
}

fn read_records(file: &mut impl Read, longest: usize, records: &mut Records) -> Result<(), String> {
    let options = LinearReaderOptions::default()
        .with_skip_end_magic(true)
        .with_validate_chunk_crcs(true)
        .with_record_length_limit(longest);
    let mut reader = LinearReader::new_with_options(options);
    while let Some(event) = reader.next_event() {
        match event.map_err(|error| said(&error))? {
            LinearReadEvent::ReadRequest(count) => {
                let read = file.read(reader.insert(count)).map_err(|error| error.to_string())?;
                reader.notify_read(read);
            }
            // Only the index follows.
            LinearReadEvent::Record { opcode: op::DATA_END, .. } => return Ok(()),
            LinearReadEvent::Record { opcode, data } => {
                records.take(opcode, data).ok_or("a record is broken")?;
            }
        }
    }
    Ok(())
}

/// A channel of the file.
struct Channel {
    topic: String,
    kind: String,
    encoding: String,
}

impl Channel {
    fn is_cdr(&self) -> bool {
        self.encoding == "cdr"
    }
}

/// What the records so far said.
struct Records<'a> {
    contents: &'a mut Contents,
    /// Names of types.
    schemas: BTreeMap<u16, String>,
    channels: BTreeMap<u16, Channel>,
    /// Messages so far.
    count: usize,
}

impl Records<'_> {
    /// Takes in a record; none where it is shorter than it says.
    fn take(&mut self, opcode: u8, mut data: &[u8]) -> Option<()> {
        match opcode {
            op::SCHEMA => {
                let id = u16::from_le_bytes(part(&mut data)?);
                self.schemas.insert(id, text(&mut data)?);
            }
            op::CHANNEL => {
                let id = u16::from_le_bytes(part(&mut data)?);
                let kind = self.schemas.get(&u16::from_le_bytes(part(&mut data)?)).cloned().unwrap_or_default();
                let channel = Channel { topic: text(&mut data)?, kind, encoding: text(&mut data)? };
                // A topic without messages is one all the same.
                if channel.is_cdr() {
                    self.contents.topic(&channel.topic, &channel.kind);
                }
                self.channels.insert(id, channel);
            }
            op::MESSAGE => {
                let channel = self.channels.get(&u16::from_le_bytes(part(&mut data)?))?;
                let _sequence: [u8; 4] = part(&mut data)?;
                let log_time = u64::from_le_bytes(part(&mut data)?);
                let _publish_time: [u8; 8] = part(&mut data)?;
                self.count += 1;
                if channel.is_cdr() && Topic::is_read(&channel.kind) {
                    self.contents.topic(&channel.topic, &channel.kind).take(log_time as i64, data);
                }
            }
            _ => {}
        }
        Some(())
    }
}

/// The next bytes of a record.
fn part<const N: usize>(data: &mut &[u8]) -> Option<[u8; N]> {
    let (part, rest) = data.split_first_chunk()?;
    *data = rest;
    Some(*part)
}

/// The next text of a record, behind its length.
fn text(data: &mut &[u8]) -> Option<String> {
    let length = u32::from_le_bytes(part(data)?) as usize;
    let (text, rest) = data.split_at_checked(length)?;
    *data = rest;
    String::from_utf8(text.to_vec()).ok()
}

/// What is wrong, in one line with its cause.
fn said(error: &McapError) -> String {
    match error {
        McapError::UnexpectedEof | McapError::UnexpectedEoc => "the file is cut off".into(),
        McapError::Io(error) => error.to_string(),
        // Its text is a listing of positions.
        McapError::Parse(_) => "a record is broken".into(),
        other => other.to_string(),
    }
}
