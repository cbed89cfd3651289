//! MCAP files: their records (`framing`) as topics, messages and blocks. A chunk is a block; messages outside of
//! chunks make blocks of about [`LOOSE_BLOCK`](super::LOOSE_BLOCK) bytes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::Path;

use mcap::records::op;
use skidpad_files::diagnostic::Diagnostic;

use super::framing::{self, FramingError, RECORD_HEAD, RecordVisitor};
use super::{FileRange, LOOSE_BLOCK, Visitor};

/// Passes the content of the file to the visitor. Returns the number of messages, and why the file ends early, if it does.
pub(super) fn scan(
    path: &Path,
    mut file: impl Read,
    visitor: &mut impl Visitor,
    notes: &mut Vec<Diagnostic>,
) -> (usize, Result<(), String>) {
    let mut records = Records { visitor, schemas: BTreeMap::new(), channels: BTreeMap::new(), block: None, count: 0 };
    let magic = framing::skip_magic(&mut file).map_err(FramingError::from);
    let ended = magic.and_then(|()| framing::walk(&mut file, &mut records)).map_err(|error| error.to_string());
    records.close();
    let Records { channels, count, .. } = records;
    let foreign: Vec<&String> = channels.values().filter_map(|channel| channel.as_ref().err()).collect();
    if let Some(encoding) = foreign.first() {
        let count = foreign.len();
        let found = format!("{count} topics are left out, with encodings such as \"{encoding}\": only cdr is read");
        notes.push(Diagnostic::new(path.display(), found));
    }
    (count, ended)
}

/// The state of a scan.
struct Records<'a, V> {
    visitor: &'a mut V,
    /// Names of message types.
    schemas: BTreeMap<u16, String>,
    /// Whether a channel is wanted, or its encoding if that is not CDR.
    channels: BTreeMap<u16, Result<bool, String>>,
    /// The extent of the open block so far.
    block: Option<FileRange>,
    /// Messages so far.
    count: usize,
}

impl<V: Visitor> Records<'_, V> {
    fn close(&mut self) {
        if let Some(place) = self.block.take() {
            self.visitor.block(place);
        }
    }
}

impl<V: Visitor> RecordVisitor for Records<'_, V> {
    fn chunk(&mut self, place: u64, length: u64) {
        self.close();
        self.block = Some(FileRange { start: place, length, is_chunk: true });
    }

    fn chunk_end(&mut self) {
        self.close();
    }

    fn record(&mut self, opcode: u8, data: &[u8], place: u64) -> Option<()> {
        match opcode {
            op::SCHEMA => {
                let (id, name) = framing::schema(data)?;
                if let Some(text) = framing::definition(data) {
                    self.visitor.definition(&name, &text);
                }
                self.schemas.insert(id, name);
            }
            op::CHANNEL => {
                let record = framing::channel(data)?;
                let kind = self.schemas.get(&record.schema).map_or("", String::as_str);
                let channel = match record.encoding.as_str() {
                    "cdr" => Ok(self.visitor.topic(u64::from(record.id), &record.topic, kind)),
                    _ => Err(record.encoding),
                };
                self.channels.insert(record.id, channel);
            }
            op::MESSAGE => {
                let (id, time, content) = framing::message(data)?;
                let is_wanted = matches!(self.channels.get(&id)?, Ok(true));
                self.count += 1;
                if is_wanted {
                    self.visitor.message(u64::from(id), time as i64, content);
                }
                let loose = FileRange { start: place.saturating_sub(RECORD_HEAD), length: 0, is_chunk: false };
                let block = self.block.get_or_insert(loose);
                if !block.is_chunk {
                    block.length = place + data.len() as u64 - block.start;
                }
                if !block.is_chunk && block.length >= LOOSE_BLOCK {
                    self.close();
                }
            }
            op::ATTACHMENT => {
                // Long records are kept out of blocks of messages.
                self.close();
                let (time, name, _) = framing::attachment(data)?;
                let place = FileRange { start: place, length: data.len() as u64, is_chunk: false };
                self.visitor.attachment(time, &name, place);
            }
            _ => {}
        }
        Some(())
    }
}

/// The messages of a block.
struct Messages<F>(F);

impl<F: FnMut(u64, i64, usize, &[u8])> RecordVisitor for Messages<F> {
    fn record(&mut self, opcode: u8, data: &[u8], place: u64) -> Option<()> {
        if opcode == op::MESSAGE {
            let (id, time, content) = framing::message(data)?;
            let start = usize::try_from(place).ok()? + (data.len() - content.len());
            (self.0)(u64::from(id), time as i64, start, content);
        }
        Some(())
    }
}

/// See [`BagReader::read`](super::BagReader::read).
pub(super) fn read(file: &File, place: &FileRange, take: impl FnMut(u64, i64, usize, &[u8])) -> Option<Vec<u8>> {
    let bytes = read_at(file, place)?;
    let bytes = if place.is_chunk { framing::unpack(&bytes).ok()? } else { bytes };
    // The scan has reported where the file breaks off.
    let _ = framing::walk_content(&bytes, &mut Messages(take));
    Some(bytes)
}

/// The content of an attachment.
pub(super) fn attachment(file: &File, place: &FileRange) -> Option<Vec<u8>> {
    let record = read_at(file, place)?;
    framing::attachment(&record).map(|(_, _, content)| content.to_vec())
}

fn read_at(file: &File, place: &FileRange) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(place.length).ok()?];
    file.read_exact_at(&mut bytes, place.start).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::framing::MAGIC;
    use super::*;

    struct Nobody;

    impl Visitor for Nobody {
        fn topic(&mut self, _: u64, _: &str, _: &str) -> bool {
            false
        }

        fn message(&mut self, _: u64, _: i64, _: &[u8]) {}
    }

    /// A file with `count` chunks, each of `size` zeros with the stated size `claimed`, and why it ends early.
    fn ends(count: usize, size: usize, claimed: u64) -> String {
        let packed = zstd::encode_all(io::repeat(0).take(size as u64), 3).unwrap();
        let mut chunk = [&[0; 16][..], &claimed.to_le_bytes(), &[0; 4], &4_u32.to_le_bytes(), b"zstd"].concat();
        chunk.extend((packed.len() as u64).to_le_bytes());
        chunk.extend(packed);
        let mut file = MAGIC.to_vec();
        for _ in 0..count {
            file.push(op::CHUNK);
            file.extend((chunk.len() as u64).to_le_bytes());
            file.extend(&chunk);
        }
        file.push(op::DATA_END);
        file.extend(0_u64.to_le_bytes());
        let (messages, ended) = scan(Path::new("a.mcap"), &file[..], &mut Nobody, &mut Vec::new());
        assert_eq!(messages, 0);
        ended.err().unwrap_or_default()
    }

    /// Zeros are records of no kind and no length: they are parsed as such and discarded.
    #[test]
    fn chunks_with_extreme_compression_are_treated_as_broken() {
        const MIB: usize = 1 << 20;
        assert_eq!(ends(1, 9 * MIB, 9 << 20), "");
        assert_eq!(
            ends(1, 65 * MIB, 65 << 20),
            "a chunk is broken: it declares 68157440 unpacked bytes, more than 67108864"
        );
        // Each of them alone would be accepted.
        let many = ends(20, 9 * MIB, 9 << 20);
        assert!(many.contains("a chunk is broken: it declares 9437184 unpacked bytes, "), "{many}");
    }
}
