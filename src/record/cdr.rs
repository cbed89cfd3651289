//! CDR, the serialization of ROS 2 messages: little-endian, behind the four bytes that say so.

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Encapsulation of plain CDR in little-endian order.
const LITTLE_ENDIAN: [u8; 4] = [0, 1, 0, 0];

/// Why a message cannot be read or written.
#[derive(Debug, Error)]
pub enum CdrError {
    /// The bytes are none of this message.
    #[error("not a message of this type: {0}")]
    Content(#[from] cdr_encoding::Error),
    /// The first four bytes name another encoding.
    #[error("encoding {0:02x}{1:02x} is not plain CDR")]
    Encoding(u8, u8),
    /// A sequence is longer than CDR can say.
    #[error("a sequence of {0} is too long")]
    Length(usize),
}

/// Appends the message with its encapsulation to `bytes`.
///
/// # Errors
/// A type that CDR has no form for.
pub fn write<T: Serialize>(message: &T, bytes: &mut Vec<u8>) -> Result<(), CdrError> {
    bytes.extend_from_slice(&LITTLE_ENDIAN);
    Ok(cdr_encoding::to_writer::<T, byteorder::LittleEndian, _>(bytes, message)?)
}

/// Appends a sequence of floats at a place that is aligned for it.
///
/// # Errors
/// More of them than a message can hold.
pub(super) fn write_floats(values: &[f32], bytes: &mut Vec<u8>) -> Result<(), CdrError> {
    let count = u32::try_from(values.len()).map_err(|_| CdrError::Length(values.len()))?;
    bytes.extend_from_slice(&count.to_le_bytes());
    let start = bytes.len();
    bytes.resize(start + 4 * values.len(), 0);
    for (into, value) in bytes[start..].chunks_exact_mut(4).zip(values) {
        into.copy_from_slice(&value.to_le_bytes());
    }
    Ok(())
}

/// Reads a message from `bytes`, which begin with their encapsulation.
///
/// # Errors
/// Too few bytes, or others than this message has.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CdrError> {
    let (&[_, kind, ..], Some(content)) = (bytes, bytes.get(4..)) else { return Err(CdrError::Encoding(0, 0)) };
    let (message, _) = match (bytes[0], kind) {
        (0, 0) => cdr_encoding::from_bytes::<T, byteorder::BigEndian>(content)?,
        (0, 1) => cdr_encoding::from_bytes::<T, byteorder::LittleEndian>(content)?,
        (first, second) => return Err(CdrError::Encoding(first, second)),
    };
    Ok(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::message::{Float64MultiArray, Header, LaserScan, Message, MultiArrayLayout, Time};

    #[test]
    fn a_scan_in_pieces_is_the_scan_field_by_field() {
        for frame_id in ["", "a", "la", "las", "lase", "laser"] {
            let header = Header { stamp: Time { sec: 3, nanosec: 4 }, frame_id: frame_id.into() };
            let (ranges, intensities) = (vec![1.5, f32::INFINITY, 0.25], vec![7.0]);
            let scan =
                LaserScan { header, angle_min: -2.0, range_max: 9.0, ranges, intensities, ..LaserScan::default() };
            let (mut whole, mut pieces) = (Vec::new(), Vec::new());
            write(&scan, &mut whole).unwrap();
            scan.write(&mut pieces).unwrap();
            assert_eq!(whole, pieces, "{frame_id}");
            assert_eq!(read::<LaserScan>(&pieces).unwrap(), scan);
        }
    }

    #[test]
    fn numbers_are_aligned_from_the_end_of_the_encapsulation() {
        let header = Header { stamp: Time { sec: 1, nanosec: 2 }, frame_id: "odom".into() };
        let mut bytes = Vec::new();
        write(&header, &mut bytes).unwrap();
        assert_eq!(bytes, [&[0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0][..], b"odom\0"].concat());
        assert_eq!(read::<Header>(&bytes).unwrap(), header);
        let array = Float64MultiArray { layout: MultiArrayLayout::default(), data: vec![1.5, -2.0] };
        bytes.clear();
        write(&array, &mut bytes).unwrap();
        // dim: 0 entries, data_offset 0, two doubles behind their count and four bytes of padding.
        assert_eq!(bytes.len(), 4 + 4 + 4 + 4 + 4 + 16);
        assert_eq!(read::<Float64MultiArray>(&bytes).unwrap(), array);
        assert!(read::<Float64MultiArray>(&bytes[..20]).is_err());
        assert!(read::<Header>(&[]).is_err());
    }
}
