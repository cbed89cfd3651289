//! Unstructured damage: bytes, truncation, positions.

use rand::Rng as _;
use rand::seq::IndexedRandom;

use super::Rng;

/// Lengths and counts that readers trip over.
pub(crate) const LENGTHS: [u64; 16] = [
    0,
    1,
    2,
    0x7f,
    0xff,
    0x7fff,
    0xffff,
    0x00ff_ffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_fffe,
    0xffff_ffff,
    0x0000_0001_0000_0000,
    i64::MAX as u64,
    u64::MAX - 8,
    u64::MAX,
];

/// One of these.
pub(crate) fn choice<'a, T>(rng: &mut Rng, of: &'a [T]) -> &'a T {
    of.choose(rng).expect("nothing to choose from")
}

/// A place in something of this length, or its end.
pub(crate) fn place(rng: &mut Rng, length: usize) -> usize {
    rng.random_range(0..=length)
}

/// A range of up to `most` in something of this length.
pub(crate) fn range(rng: &mut Rng, length: usize, most: usize) -> std::ops::Range<usize> {
    let start = place(rng, length);
    start..(start + rng.random_range(0..=most)).min(length)
}

/// Writes over, cuts off, takes out, repeats or puts in some bytes; `other` gives some too.
pub(crate) fn damage(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let length = bytes.len();
    match rng.random_range(0..9) {
        0 => bytes.truncate(place(rng, length)),
        1 => {
            for _ in 0..rng.random_range(1..20) {
                let at = rng.random_range(0..length.max(1));
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << rng.random_range(0..8);
                }
            }
        }
        2 => {
            let hole = range(rng, length, 2000);
            bytes.drain(hole);
        }
        3 => {
            let again = bytes[range(rng, length, 2000)].to_vec();
            let at = place(rng, length);
            bytes.splice(at..at, again);
        }
        // The beginning of one, the end of another.
        4 => {
            bytes.truncate(place(rng, length));
            bytes.extend_from_slice(&other[place(rng, other.len())..]);
        }
        5 => {
            let piece = other[range(rng, other.len(), 2000)].to_vec();
            let over = range(rng, length, 2000);
            bytes.splice(over, piece);
        }
        6 => {
            let over = range(rng, length, 64);
            rng.fill(&mut bytes[over]);
        }
        7 => {
            let over = range(rng, length, 4000);
            bytes[over].fill(0);
        }
        _ => extreme_length(bytes, rng),
    }
}

/// Puts an extreme number over some bytes, as wide as lengths and counts are.
pub(crate) fn extreme_length(bytes: &mut [u8], rng: &mut Rng) {
    let width = *choice(rng, &[1, 2, 4, 4, 4, 8, 8]);
    if bytes.len() >= width {
        let at = rng.random_range(0..=bytes.len() - width);
        let value = choice(rng, &LENGTHS).to_le_bytes();
        bytes[at..at + width].copy_from_slice(&value[..width]);
    }
}
