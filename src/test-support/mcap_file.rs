//! Chunks of MCAP files by their indexes, from which other readers find the messages.

/// Kinds of records: a chunk, the index of one of its channels, the index of a chunk at the end, and the footer.
const CHUNK: u8 = 0x06;
const MESSAGE_INDEX: u8 = 0x07;
const CHUNK_INDEX: u8 = 0x08;
const FOOTER: u8 = 0x02;

/// Checks that each chunk holds messages, by the indexes behind it and by its index at the end of the file, if there is one.
/// Returns the number of messages in chunks.
///
/// # Panics
/// A chunk holds no message, or the file is not whole.
pub fn messages_in_chunks(file: &[u8]) -> usize {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, byte| (sum << 8) | usize::from(*byte));
    let (mut chunks, mut indexed) = (Vec::new(), 0);
    // Behind the magic.
    let mut remaining_bytes = &file[8..];
    loop {
        let (kind, length) = (remaining_bytes[0], number(&remaining_bytes[1..9]));
        let content = &remaining_bytes[9..][..length];
        remaining_bytes = &remaining_bytes[9 + length..];
        match kind {
            CHUNK => chunks.push(0),
            // A channel, the size of the list, and a list of times and places.
            MESSAGE_INDEX => *chunks.last_mut().expect("an index is behind its chunk") += number(&content[2..6]) / 16,
            CHUNK_INDEX => {
                // Four times and places, the size of the list of indexes, this list, and the size of the indexes.
                let list = number(&content[32..36]);
                assert!(list > 0 && number(&content[36 + list..][..8]) > 0, "chunk {indexed} has no message index");
                indexed += 1;
            }
            FOOTER => {
                let is_whole = indexed == 0 || indexed == chunks.len();
                assert!(is_whole, "{} chunks, of which {indexed} are in the index", chunks.len());
                assert!(chunks.iter().all(|messages| *messages > 0), "messages by chunk: {chunks:?}");
                return chunks.iter().sum();
            }
            _ => {}
        }
    }
}
