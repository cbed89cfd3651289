//! Structured damage to MCAP files: their records, and the CDR of their messages.

use std::ops::Range;

use rand::Rng as _;

use super::Rng;
use super::damage::{LENGTHS, choice, extreme_length, range};

const HEADER: usize = 8;
const SCHEMA: u8 = 3;
const CHANNEL: u8 = 4;
const MESSAGE: u8 = 5;
const CHUNK: u8 = 6;

/// Where the records are, each from its kind to its end; as far as the lengths make sense.
fn records(bytes: &[u8], start: usize) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut at = start;
    while let Some(length) = bytes.get(at + 1..at + 9) {
        let length = u64::from_le_bytes(length.try_into().unwrap_or_default());
        let Some(end) = usize::try_from(length).ok().and_then(|length| (at + 9).checked_add(length)) else { break };
        if end > bytes.len() {
            break;
        }
        ranges.push(at..end);
        at = end;
    }
    ranges
}

/// Changes something in the records of a file.
pub(crate) fn change(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    change_records(bytes, HEADER, other, rng);
}

fn change_records(bytes: &mut Vec<u8>, start: usize, other: &[u8], rng: &mut Rng) {
    let all = records(bytes, start);
    if all.is_empty() {
        return extreme_length(bytes, rng);
    }
    let record = choice(rng, &all).clone();
    match rng.random_range(0..12) {
        // How long it says it is.
        0 => {
            let length = (record.len() - 9) as u64;
            let value = match rng.random_range(0..3) {
                0 => length.wrapping_add(*choice(rng, &[1, 8, 9, 0u64.wrapping_sub(1), 0u64.wrapping_sub(9)])),
                1 => bytes.len() as u64,
                _ => *choice(rng, &LENGTHS),
            };
            bytes[record.start + 1..record.start + 9].copy_from_slice(&value.to_le_bytes());
        }
        1 => bytes[record.start] = rng.random_range(0..=16),
        2 => {
            let again = bytes[record.clone()].to_vec();
            let at = choice(rng, &all).start;
            bytes.splice(at..at, again);
        }
        3 => drop(bytes.drain(record)),
        4 => {
            let other_records = records(other, HEADER);
            if !other_records.is_empty() {
                let piece = other[choice(rng, &other_records).clone()].to_vec();
                bytes.splice(record.start..record.start, piece);
            }
        }
        _ => change_body(bytes, record, other, rng),
    }
}

fn change_body(bytes: &mut Vec<u8>, record: Range<usize>, other: &[u8], rng: &mut Rng) {
    let mut body = bytes[record.start + 9..record.end].to_vec();
    match bytes[record.start] {
        // Channel, sequence, when it was logged and published, data.
        MESSAGE if body.len() > 22 => match rng.random_range(0..4) {
            0 => body[6..14].copy_from_slice(&choice(rng, &LENGTHS).to_le_bytes()),
            1 => extreme_length(&mut body[..22], rng),
            _ => {
                let mut data = body.split_off(22);
                change_data(&mut data, rng);
                body.extend(data);
            }
        },
        CHUNK if rng.random_ratio(3, 4) => body = change_chunk(&body, other, rng).unwrap_or(body),
        SCHEMA | CHANNEL if rng.random() => {
            let hole = range(rng, body.len(), 8);
            rng.fill(&mut body[hole]);
        }
        _ => extreme_length(&mut body, rng),
    }
    let mut changed = vec![bytes[record.start]];
    changed.extend((body.len() as u64).to_le_bytes());
    changed.extend(body);
    bytes.splice(record, changed);
}

/// A chunk with other records in it, packed again; or one that is wrong about what is in it.
fn change_chunk(body: &[u8], other: &[u8], rng: &mut Rng) -> Option<Vec<u8>> {
    // From when, to when, length unpacked, checksum; compression and records with their lengths.
    let name_length = u32::from_le_bytes(body.get(28..32)?.try_into().ok()?) as usize;
    let name = body.get(32..)?.get(..name_length)?;
    let packed = body.get(32 + name_length + 8..)?;
    if rng.random_ratio(1, 4) {
        let mut changed = body.to_vec();
        let field = choice(rng, &[0..8, 8..16, 16..24, 28..32, 32 + name_length..40 + name_length]).clone();
        let value = choice(rng, &LENGTHS).to_le_bytes();
        changed[field.clone()].copy_from_slice(&value[..field.len()]);
        return Some(changed);
    }
    let mut inner = match name {
        b"zstd" => zstd::decode_all(packed).ok()?,
        b"" => packed.to_vec(),
        _ => return None,
    };
    for _ in 0..rng.random_range(1..4) {
        change_records(&mut inner, 0, other, rng);
    }
    let records = if name == b"zstd" { zstd::encode_all(&inner[..], 1).ok()? } else { inner.clone() };
    let mut changed = body[..16].to_vec();
    changed.extend((inner.len() as u64).to_le_bytes());
    // No checksum, or readers would look no further.
    changed.extend([0; 4]);
    changed.extend((name_length as u32).to_le_bytes());
    changed.extend(name);
    changed.extend((records.len() as u64).to_le_bytes());
    changed.extend(records);
    Some(changed)
}

/// Changes the CDR of a message: a length, a number, its end.
pub(crate) fn change_data(data: &mut Vec<u8>, rng: &mut Rng) {
    let length = data.len();
    match rng.random_range(0..6) {
        0 => data.truncate(rng.random_range(0..=length)),
        1 => data.resize(length + rng.random_range(0..100), 0xff),
        2 if length > 4 => data[..4].copy_from_slice(&rng.random::<u32>().to_le_bytes()),
        // Where they are aligned from the end of the encapsulation on.
        3 | 4 if length >= 8 => {
            let at = 4 + 4 * rng.random_range(0..(length - 4) / 4);
            data[at..at + 4].copy_from_slice(&(*choice(rng, &LENGTHS) as u32).to_le_bytes());
        }
        _ if length >= 12 => {
            let numbers = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE, -1e160, 1e12, 0.0];
            let at = 4 + 8 * rng.random_range(0..(length - 4) / 8);
            data[at..at + 8].copy_from_slice(&choice(rng, &numbers).to_le_bytes());
        }
        _ => data.push(0),
    }
}
