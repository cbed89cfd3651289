//! Reads the records of MCAP files from start to end, without their index, which a killed recorder never wrote.
//!
//! The crate `mcap`, which writes recordings, is not used for this: of a file that ends within a chunk or has a broken
//! length, this reader returns as much as possible, and a broken length neither panics nor allocates that much memory.

use std::io::{self, Read};

use mcap::records::op;
use thiserror::Error;

/// Magic bytes at the start of such a file.
pub(crate) const MAGIC: &[u8] = b"\x89MCAP0\r\n";
/// Bytes before the content of a record: its kind and its length.
pub(crate) const RECORD_HEAD: u64 = 9;

/// Why records end before the end of their file.
#[derive(Debug, Error)]
pub(crate) enum FramingError {
    /// The file ends within a record.
    #[error("the file is cut off")]
    CutOff,
    /// A record is shorter than its length says, or its length is absurd.
    #[error("a record is broken")]
    BrokenRecord,
    /// A chunk does not unpack to what it says.
    #[error("a chunk is broken")]
    BrokenChunk,
    /// A chunk is not read, because it would fill the memory.
    #[error("a chunk is broken: it declares {size} unpacked bytes, more than {most}")]
    TooLarge {
        /// Its size as it says [bytes].
        size: u64,
        /// The largest that is read [bytes].
        most: u64,
    },
    /// A compression that is not known.
    #[error("chunks compressed as \"{0}\" are not supported")]
    Compression(String),
    /// A chunk has another content than it had when it was written.
    #[error("the checksum of a chunk does not match")]
    Checksum,
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The longest chunk that is unpacked [bytes]; recorders close theirs at a few MB.
pub(crate) const MAX_CHUNK: u64 = 64 << 20;

/// The longest record that is read from a file [bytes]: attachments with the meshes of large worlds are the longest.
const MAX_RECORD: u64 = 256 << 20;

/// Largest unpacked size of `packed` bytes [bytes]: recordings shrink to a tenth, those of a parked vehicle to a fiftieth.
pub(crate) fn most_unpacked(packed: u64) -> u64 {
    (64 << 20) + packed.saturating_mul(200)
}

/// Receives the records that [`walk`] finds.
pub(crate) trait RecordVisitor {
    /// A chunk, whose records follow: offset and length of its content in the file [bytes].
    fn chunk(&mut self, _place: u64, _length: u64) {}

    /// All complete records of the chunk have been passed.
    fn chunk_end(&mut self) {}

    /// A complete record other than a chunk. `place` is the offset of its content [bytes] in the file, or in the unpacked chunk. None if it
    /// is shorter than its length field states.
    fn record(&mut self, opcode: u8, data: &[u8], place: u64) -> Option<()>;
}

/// Passes all records of a file, after its magic, to the visitor. An error gives the reason if it ends before the end of its data.
pub(crate) fn walk(file: &mut impl Read, visitor: &mut impl RecordVisitor) -> Result<(), FramingError> {
    RecordWalker { visitor, packed: 0, unpacked: 0 }.file(file)
}

/// Shows the records of an unpacked chunk, or of a part of a file without one, to the visitor.
pub(crate) fn walk_content(content: &[u8], visitor: &mut impl RecordVisitor) -> Result<(), FramingError> {
    RecordWalker { visitor, packed: 0, unpacked: 0 }.content(content)
}

struct RecordWalker<'a, V> {
    visitor: &'a mut V,
    /// Bytes of chunks so far, as they are in the file.
    packed: u64,
    /// Bytes of chunks so far, unpacked.
    unpacked: u64,
}

impl<V: RecordVisitor> RecordWalker<'_, V> {
    fn file(&mut self, file: &mut impl Read) -> Result<(), FramingError> {
        let (mut start, mut data) = (Vec::new(), Vec::new());
        let mut place = MAGIC.len() as u64;
        loop {
            next(file, RECORD_HEAD, &mut start)?;
            // A file ends with the end of its data.
            let [opcode, a, b, c, d, e, f, g, h] = start[..] else { return Err(FramingError::CutOff) };
            let length = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
            // Only the index follows.
            if opcode == op::DATA_END {
                return Ok(());
            }
            next(file, length.min(MAX_RECORD), &mut data)?;
            let cut_off = if length > MAX_RECORD { FramingError::BrokenRecord } else { FramingError::CutOff };
            place += RECORD_HEAD;
            let is_whole = data.len() as u64 == length;
            if opcode == op::CHUNK {
                self.packed += data.len() as u64;
                let left = most_unpacked(self.packed).saturating_sub(self.unpacked);
                let (bytes, is_all) = unpack_as_far(&data, is_whole, left.min(MAX_CHUNK))?;
                self.unpacked += bytes.len() as u64;
                self.visitor.chunk(place, data.len() as u64);
                let done = self.content(&bytes);
                self.visitor.chunk_end();
                match (is_whole, is_all) {
                    (false, _) => return Err(cut_off),
                    (true, false) => return Err(FramingError::BrokenChunk),
                    (true, true) => done?,
                }
            } else if is_whole {
                self.visitor.record(opcode, &data, place).ok_or(FramingError::BrokenRecord)?;
            } else {
                return Err(cut_off);
            }
            place = place.saturating_add(length);
        }
    }

    fn content(&mut self, content: &[u8]) -> Result<(), FramingError> {
        let mut remaining_bytes = content;
        while !remaining_bytes.is_empty() {
            let opcode = remaining_bytes[0];
            remaining_bytes = &remaining_bytes[1..];
            let length = u64::from_le_bytes(part(&mut remaining_bytes).ok_or(FramingError::CutOff)?);
            let place = (content.len() - remaining_bytes.len()) as u64;
            let (data, after) = usize::try_from(length)
                .ok()
                .and_then(|length| remaining_bytes.split_at_checked(length))
                .ok_or(FramingError::CutOff)?;
            remaining_bytes = after;
            self.visitor.record(opcode, data, place).ok_or(FramingError::BrokenRecord)?;
        }
        Ok(())
    }
}

/// Fills `bytes` with the next `length` bytes, or as many as are left. Memory grows with the data present, not with `length`.
fn next(file: &mut impl Read, length: u64, bytes: &mut Vec<u8>) -> Result<(), FramingError> {
    bytes.clear();
    file.take(length).read_to_end(bytes)?;
    Ok(())
}

/// The records in the content of a chunk, as far as they can be unpacked.
pub(crate) fn unpack(data: &[u8]) -> Result<Vec<u8>, FramingError> {
    unpack_as_far(data, false, MAX_CHUNK).map(|(bytes, _)| bytes)
}

/// The bytes of a chunk, unpacked as far as possible, and whether they are complete. At most `most` bytes are unpacked.
fn unpack_as_far(data: &[u8], is_whole: bool, most: u64) -> Result<(Vec<u8>, bool), FramingError> {
    let mut remaining_bytes = data;
    let header = (|| {
        let _times: [u8; 16] = part(&mut remaining_bytes)?;
        let size = u64::from_le_bytes(part(&mut remaining_bytes)?);
        let checksum = u32::from_le_bytes(part(&mut remaining_bytes)?);
        let compression = text(&mut remaining_bytes)?;
        let _packed: [u8; 8] = part(&mut remaining_bytes)?;
        Some((size, checksum, compression))
    })();
    let (size, checksum, compression) =
        header.ok_or(if is_whole { FramingError::BrokenRecord } else { FramingError::CutOff })?;
    if size > most && !compression.is_empty() {
        return Err(FramingError::TooLarge { size, most });
    }
    let mut bytes = Vec::new();
    let done = match compression.as_str() {
        "" => remaining_bytes.take(size).read_to_end(&mut bytes),
        "zstd" => zstd::Decoder::new(remaining_bytes).and_then(|decoder| decoder.take(size).read_to_end(&mut bytes)),
        "lz4" => lz4::Decoder::new(remaining_bytes).and_then(|decoder| decoder.take(size).read_to_end(&mut bytes)),
        other => return Err(FramingError::Compression(other.to_owned())),
    };
    let is_all = done.is_ok() && bytes.len() as u64 == size;
    if is_all && checksum != 0 && checksum != crc32fast::hash(&bytes) {
        return Err(FramingError::Checksum);
    }
    Ok((bytes, is_all))
}

/// The contents of a channel record.
pub(crate) struct ChannelRecord {
    /// Number by which messages name the channel.
    pub id: u16,
    /// Id of the schema of its messages; 0 if they have none.
    pub schema: u16,
    /// Name of the topic.
    pub topic: String,
    /// Encoding of its messages, `cdr` for those of ROS 2.
    pub encoding: String,
}

/// Id and name of a schema.
pub(crate) fn schema(mut data: &[u8]) -> Option<(u16, String)> {
    Some((u16::from_le_bytes(part(&mut data)?), text(&mut data)?))
}

/// The definition in a schema, if that is one of ROS 2 in its own text.
pub(crate) fn definition(mut data: &[u8]) -> Option<String> {
    let _id: [u8; 2] = part(&mut data)?;
    let (_name, encoding) = (text(&mut data)?, text(&mut data)?);
    (encoding == "ros2msg").then(|| text(&mut data)).flatten()
}

/// A channel.
pub(crate) fn channel(mut data: &[u8]) -> Option<ChannelRecord> {
    let id = u16::from_le_bytes(part(&mut data)?);
    let schema = u16::from_le_bytes(part(&mut data)?);
    Some(ChannelRecord { id, schema, topic: text(&mut data)?, encoding: text(&mut data)? })
}

/// Channel, log time [ns] and content of a message.
pub(crate) fn message(mut data: &[u8]) -> Option<(u16, u64, &[u8])> {
    let channel = u16::from_le_bytes(part(&mut data)?);
    let _sequence: [u8; 4] = part(&mut data)?;
    let log_time = u64::from_le_bytes(part(&mut data)?);
    let _publish_time: [u8; 8] = part(&mut data)?;
    Some((channel, log_time, data))
}

/// Log time [ns], name and content of an attachment.
pub(crate) fn attachment(mut data: &[u8]) -> Option<(u64, String, &[u8])> {
    let log_time = u64::from_le_bytes(part(&mut data)?);
    let _create_time: [u8; 8] = part(&mut data)?;
    let name = text(&mut data)?;
    let _media_type = text(&mut data)?;
    let length = usize::try_from(u64::from_le_bytes(part(&mut data)?)).ok()?;
    Some((log_time, name, data.get(..length)?))
}

/// The next bytes of a record.
fn part<const N: usize>(data: &mut &[u8]) -> Option<[u8; N]> {
    let (part, remaining_bytes) = data.split_first_chunk()?;
    *data = remaining_bytes;
    Some(*part)
}

/// The next text of a record, after its length.
fn text(data: &mut &[u8]) -> Option<String> {
    let length = u32::from_le_bytes(part(data)?) as usize;
    let (text, remaining_bytes) = data.split_at_checked(length)?;
    *data = remaining_bytes;
    String::from_utf8(text.to_vec()).ok()
}

/// Skips the magic of a file.
pub(crate) fn skip_magic(file: &mut impl Read) -> io::Result<()> {
    io::copy(&mut file.take(MAGIC.len() as u64), &mut io::sink()).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nobody;

    impl RecordVisitor for Nobody {
        fn record(&mut self, _: u8, _: &[u8], _: u64) -> Option<()> {
            Some(())
        }
    }

    /// An endless source of zeros that counts the bytes read.
    struct Endless(u64);

    impl Read for Endless {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            bytes.fill(0);
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }
    }

    #[test]
    fn a_broken_length_takes_no_more_memory_than_the_longest_record() {
        let head = [&[op::MESSAGE][..], &(1_u64 << 40).to_le_bytes()].concat();
        let mut file = head.as_slice().chain(Endless(0));
        assert!(matches!(walk(&mut file, &mut Nobody), Err(FramingError::BrokenRecord)));
        assert!(file.get_ref().1.0 <= MAX_RECORD, "{}", file.get_ref().1.0);
    }
}
