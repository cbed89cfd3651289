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
}

/// Appends the message with its encapsulation to `bytes`.
///
/// # Errors
/// A type that CDR has no form for.
pub fn write<T: Serialize>(message: &T, bytes: &mut Vec<u8>) -> Result<(), CdrError> {
    bytes.extend_from_slice(&LITTLE_ENDIAN);
    Ok(cdr_encoding::to_writer::<T, byteorder::LittleEndian, _>(bytes, message)?)
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
    use crate::record::message::{Float64MultiArray, Header, MultiArrayLayout, Time};

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
