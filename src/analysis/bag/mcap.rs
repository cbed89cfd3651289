//! MCAP files, of which the framing is taken apart by [`framing`].

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use mcap::records::op;

use super::decode::Topic;
use super::{BagError, Contents};
pub(super) use crate::record::framing::MAGIC;
use crate::record::framing::{self, Visitor};

/// Reads all that the file holds of use; where it breaks off or is broken the rest is left out with a note.
pub(super) fn read(path: &Path, mut file: impl Read, contents: &mut Contents) -> Result<(), BagError> {
    framing::skip_magic(&mut file).map_err(|error| BagError::File { path: path.into(), error })?;
    let mut records = Records { contents, schemas: BTreeMap::new(), channels: BTreeMap::new(), count: 0 };
    let ended = framing::walk(&mut file, &mut records);
    let Records { channels, count, .. } = records;
    if let Err(error) = ended {
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

impl Visitor for Records<'_> {
    fn record(&mut self, opcode: u8, data: &[u8], _place: u64) -> Option<()> {
        match opcode {
            op::SCHEMA => {
                let (id, name) = framing::schema(data)?;
                self.schemas.insert(id, name);
            }
            op::CHANNEL => {
                let record = framing::channel(data)?;
                let kind = self.schemas.get(&record.schema).cloned().unwrap_or_default();
                let channel = Channel { topic: record.topic, kind, encoding: record.encoding };
                // A topic without messages is one all the same.
                if channel.is_cdr() {
                    self.contents.topic(&channel.topic, &channel.kind);
                }
                self.channels.insert(record.id, channel);
            }
            op::MESSAGE => {
                let (channel, log_time, data) = framing::message(data)?;
                let channel = self.channels.get(&channel)?;
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

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    /// A file with `count` chunks, each of `size` zeros that say to be `claimed`, and where it ends.
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
        let mut contents = Contents::default();
        read(Path::new("a.mcap"), &file[..], &mut contents).unwrap();
        contents.notes.concat()
    }

    /// Zeros are records of no kind and no length: read as such, and nothing is kept of them.
    #[test]
    fn chunks_that_grow_beyond_all_measure_are_broken() {
        const MIB: usize = 1 << 20;
        assert_eq!(ends(1, 9 * MIB, 9 << 20), "");
        assert_eq!(
            ends(1, 65 * MIB, 65 << 20),
            "a.mcap: ends early after 0 messages: a chunk is broken: it is to unpack to 68157440 bytes, 67108864 at most are read"
        );
        // One by one they would do.
        let many = ends(20, 9 * MIB, 9 << 20);
        assert!(many.contains("a chunk is broken: it is to unpack to 9437184 bytes, "), "{many}");
    }
}
