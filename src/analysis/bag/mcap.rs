//! MCAP files, read from start to end: their index, which a killed recorder never wrote, is not needed.
//!
//! The framing is taken apart here and not by the crate `mcap`, which recordings are written with: of a file that breaks off within a
//! chunk or has a broken length, as much as possible shall be read, no broken length may end the process, and none may take the memory
//! that it asks for.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use mcap::records::op;

use super::decode::Topic;
use super::{BagError, Contents, most_unpacked};

/// How such a file begins.
pub(super) const MAGIC: &[u8] = b"\x89MCAP0\r\n";

const CUT_OFF: &str = "the file is cut off";
const BROKEN: &str = "a record is broken";

/// The longest chunk that is unpacked [bytes]; recorders close theirs at a few MB.
const LONGEST_CHUNK: u64 = 64 << 20;

/// Reads all that the file holds of use; where it breaks off or is broken the rest is left out with a note.
pub(super) fn read(path: &Path, mut file: impl Read, contents: &mut Contents) -> Result<(), BagError> {
    let failed = |error| BagError::File { path: path.into(), error };
    io::copy(&mut file.by_ref().take(MAGIC.len() as u64), &mut io::sink()).map_err(failed)?;
    let (schemas, channels) = (BTreeMap::new(), BTreeMap::new());
    let mut records = Records { contents, schemas, channels, count: 0, packed: 0, unpacked: 0 };
    let ended = records.read(&mut file, true);
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

/// Fills `bytes` with the next `length` bytes, or what is left of them. Memory grows with what is there, not with the length.
fn next(file: &mut impl Read, length: u64, bytes: &mut Vec<u8>) -> Result<(), String> {
    bytes.clear();
    file.take(length).read_to_end(bytes).map(|_| ()).map_err(|error| error.to_string())
}

/// The bytes of a chunk, unpacked as far as they go, and whether they are all that were packed. It may hold `most` bytes.
fn unpack(data: &[u8], is_whole: bool, most: u64) -> Result<(Vec<u8>, bool), String> {
    let mut rest = data;
    let header = (|| {
        let _times: [u8; 16] = part(&mut rest)?;
        let size = u64::from_le_bytes(part(&mut rest)?);
        let checksum = u32::from_le_bytes(part(&mut rest)?);
        let compression = text(&mut rest)?;
        let _packed: [u8; 8] = part(&mut rest)?;
        Some((size, checksum, compression))
    })();
    let (size, checksum, compression) = header.ok_or(if is_whole { BROKEN } else { CUT_OFF })?;
    if size > most && !compression.is_empty() {
        return Err(format!("a chunk is broken: it is to unpack to {size} bytes, {most} at most are read"));
    }
    let mut bytes = Vec::new();
    let done = match compression.as_str() {
        "" => rest.take(size).read_to_end(&mut bytes),
        "zstd" => zstd::Decoder::new(rest).and_then(|decoder| decoder.take(size).read_to_end(&mut bytes)),
        "lz4" => lz4::Decoder::new(rest).and_then(|decoder| decoder.take(size).read_to_end(&mut bytes)),
        other => return Err(format!("chunks compressed as \"{other}\" are not known")),
    };
    let is_all = done.is_ok() && bytes.len() as u64 == size;
    if is_all && checksum != 0 && checksum != crc32fast::hash(&bytes) {
        return Err("the checksum of a chunk is another".into());
    }
    Ok((bytes, is_all))
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
    /// Bytes of chunks so far, as they are in the file.
    packed: u64,
    /// Bytes of chunks so far, unpacked.
    unpacked: u64,
}

impl Records<'_> {
    /// Takes in records up to the end of the data; the text says why it ends before.
    fn read(&mut self, file: &mut impl Read, is_file: bool) -> Result<(), String> {
        let (mut start, mut data) = (Vec::new(), Vec::new());
        loop {
            next(file, 9, &mut start)?;
            let (opcode, length) = match start[..] {
                // A file ends with the end of its data.
                [] if !is_file => return Ok(()),
                [opcode, a, b, c, d, e, f, g, h] => (opcode, u64::from_le_bytes([a, b, c, d, e, f, g, h])),
                _ => return Err(CUT_OFF.into()),
            };
            // Only the index follows.
            if opcode == op::DATA_END && is_file {
                return Ok(());
            }
            next(file, length, &mut data)?;
            let is_whole = data.len() as u64 == length;
            if opcode == op::CHUNK && is_file {
                self.packed += data.len() as u64;
                let left = most_unpacked(self.packed).saturating_sub(self.unpacked);
                let (bytes, is_all) = unpack(&data, is_whole, left.min(LONGEST_CHUNK))?;
                self.unpacked += bytes.len() as u64;
                let done = self.read(&mut &bytes[..], false);
                match (is_whole, is_all) {
                    (false, _) => return Err(CUT_OFF.into()),
                    (true, false) => return Err("a chunk is broken".into()),
                    (true, true) => done?,
                }
            } else if is_whole {
                self.take(opcode, &data).ok_or(BROKEN)?;
            } else {
                return Err(CUT_OFF.into());
            }
        }
    }

    /// Takes in a record that is no chunk; none where it is shorter than it says.
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

#[cfg(test)]
mod tests {
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
