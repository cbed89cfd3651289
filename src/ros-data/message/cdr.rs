//! CDR, the serialization of ROS 2 messages: little-endian, after a header of four bytes.
//!
//! Strings of ROS end at their first NUL, and readers treat a longer one differently. Texts contain input from files and peers, such as a
//! line quoted in an error, so any of them may contain a NUL: every writer here replaces it by `REPLACEMENT`.

use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde::ser::{self, Serialize};
use thiserror::Error;

use super::{StampLine, Time};

/// Encapsulation of plain CDR in little-endian order.
const LITTLE_ENDIAN: [u8; 4] = [0, 1, 0, 0];
/// The substitute for a NUL: the replacement character, as for all invalid text.
pub(crate) const REPLACEMENT: &str = "\u{FFFD}";

/// Why a message cannot be read or written.
#[derive(Debug, Error)]
pub enum CdrError {
    /// The bytes do not form this message.
    #[error("not a message of this type: {0}")]
    Content(#[from] cdr_encoding::Error),
    /// The first four bytes name another encoding.
    #[error("encoding {0:02x}{1:02x} is not plain CDR")]
    Encoding(u8, u8),
    /// A sequence is longer than CDR can encode.
    #[error("a sequence of {0} is too long")]
    Length(usize),
    /// A type that ROS messages cannot represent.
    #[error("no message: {0}")]
    Form(String),
}

/// Appends the message with its encapsulation to `bytes`, with the stamps of `stamps`, if it is given, in place of its own.
///
/// # Errors
/// A type that ROS messages cannot represent, or a sequence of more than 2³² elements.
pub fn write<T: Serialize>(message: &T, stamps: Option<&StampLine>, bytes: &mut Vec<u8>) -> Result<(), CdrError> {
    write_noting(message, stamps, bytes).map(|_| ())
}

/// A copy of the message in which every NUL within a text is replaced; `None` if there is no NUL.
///
/// # Errors
/// As [`write`] and [`read`].
pub fn without_nul<T: Serialize + DeserializeOwned>(message: &T) -> Result<Option<T>, CdrError> {
    let mut bytes = Vec::new();
    if write_noting(message, None, &mut bytes)? { read(&bytes).map(Some) } else { Ok(None) }
}

/// As [`write`]; returns whether any text had a NUL.
fn write_noting<T: Serialize>(message: &T, stamps: Option<&StampLine>, bytes: &mut Vec<u8>) -> Result<bool, CdrError> {
    bytes.extend_from_slice(&LITTLE_ENDIAN);
    let start = bytes.len();
    let mut writer = Writer { bytes, start, had_nul: false, stamps, is_stamp: false };
    message.serialize(&mut writer)?;
    Ok(writer.had_nul)
}

/// Appends what comes before the [`Doubles`] of a message, with its encapsulation, and aligns the end for them.
///
/// # Errors
/// As [`write`].
pub(super) fn write_before_doubles<T: Serialize>(
    parts: &T,
    stamps: Option<&StampLine>,
    bytes: &mut Vec<u8>,
) -> Result<(), CdrError> {
    let start = bytes.len() + LITTLE_ENDIAN.len();
    write(parts, stamps, bytes)?;
    align::<8>(start, bytes);
    Ok(())
}

/// A part of messages of which all numbers are `f64`: their bytes follow each other without gaps, and need one alignment only.
pub(super) trait Doubles {
    /// Appends its bytes, at a position aligned for them.
    fn append_to(&self, bytes: &mut Vec<u8>);
}

impl<const N: usize> Doubles for [f64; N] {
    #[inline]
    fn append_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.map(f64::to_le_bytes).as_flattened());
    }
}

impl<const N: usize, const ROWS: usize> Doubles for [[f64; N]; ROWS] {
    #[inline]
    fn append_to(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self.map(|row| row.map(f64::to_le_bytes)).as_flattened().as_flattened());
    }
}

/// Appends a sequence of floats at a position aligned for it.
///
/// # Errors
/// More elements than a message can hold.
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

/// Appends zeros up to a multiple of `SIZE`, from `start` on.
#[inline]
fn align<const SIZE: usize>(start: usize, bytes: &mut Vec<u8>) {
    let past = (bytes.len() - start) % SIZE;
    if past > 0 {
        bytes.extend_from_slice(&[0; 8][..SIZE - past]);
    }
}

/// Reads a message from `bytes`, which begin with their encapsulation.
///
/// # Errors
/// Too few bytes, or invalid ones for this message.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CdrError> {
    let (&[_, kind, ..], Some(content)) = (bytes, bytes.get(4..)) else { return Err(CdrError::Encoding(0, 0)) };
    let (message, _) = match (bytes[0], kind) {
        (0, 0) => cdr_encoding::from_bytes::<T, byteorder::BigEndian>(content)?,
        (0, 1) => cdr_encoding::from_bytes::<T, byteorder::LittleEndian>(content)?,
        (first, second) => return Err(CdrError::Encoding(first, second)),
    };
    Ok(message)
}

/// Writes the parts of a message one after the other, each number aligned to its size.
struct Writer<'a> {
    bytes: &'a mut Vec<u8>,
    /// Offset of the message, after its encapsulation.
    start: usize,
    /// Whether any text had a NUL.
    had_nul: bool,
    /// The stamps in place of those of the message.
    stamps: Option<&'a StampLine>,
    /// Whether what is being written is a stamp that has another in its place.
    is_stamp: bool,
}

/// Name of the stamp among the parts of messages.
const STAMP: &str = "Time";

impl Writer<'_> {
    /// Puts another stamp in the place of the one that has just been written, two numbers of four bytes.
    fn replace_stamp(&mut self) {
        let (Some(stamps), Some(last)) = (self.stamps, self.bytes.last_chunk_mut::<8>()) else { return };
        let [a, b, c, d, e, f, g, h] = *last;
        let written = Time { sec: i32::from_le_bytes([a, b, c, d]), nanosec: u32::from_le_bytes([e, f, g, h]) };
        let Time { sec, nanosec } = stamps.replace(written);
        last[..4].copy_from_slice(&sec.to_le_bytes());
        last[4..].copy_from_slice(&nanosec.to_le_bytes());
    }

    fn put<const SIZE: usize>(&mut self, number: [u8; SIZE]) -> Result<(), CdrError> {
        align::<SIZE>(self.start, self.bytes);
        self.bytes.extend_from_slice(&number);
        Ok(())
    }

    fn put_length(&mut self, length: usize) -> Result<(), CdrError> {
        self.put(u32::try_from(length).map_err(|_| CdrError::Length(length))?.to_le_bytes())
    }
}

impl ser::Error for CdrError {
    fn custom<T: Display>(reason: T) -> CdrError {
        CdrError::Form(reason.to_string())
    }
}

macro_rules! numbers {
    ($($method:ident($number:ty)),*) => {
        $(fn $method(self, number: $number) -> Result<(), CdrError> {
            self.put(number.to_le_bytes())
        })*
    };
}

/// Types that ROS messages lack.
macro_rules! refused {
    ($($method:ident$(<$generic:ident>)?($($kind:ty),*) -> $done:ty;)*) => {
        $(fn $method$(<$generic: Serialize + ?Sized>)?(self, $(_: $kind),*) -> Result<$done, CdrError> {
            Err(ser::Error::custom(stringify!($method)))
        })*
    };
}

impl<'a, 'b> ser::Serializer for &'b mut Writer<'a> {
    type Ok = ();
    type Error = CdrError;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = ser::Impossible<(), CdrError>;
    type SerializeMap = ser::Impossible<(), CdrError>;
    type SerializeStruct = Self;
    type SerializeStructVariant = ser::Impossible<(), CdrError>;

    numbers! {
        serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64), serialize_u8(u8), serialize_u16(u16),
        serialize_u32(u32), serialize_u64(u64), serialize_f32(f32), serialize_f64(f64)
    }

    refused! {
        serialize_char(char) -> ();
        serialize_none() -> ();
        serialize_some<T>(&T) -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_newtype_variant<T>(&'static str, u32, &'static str, &T) -> ();
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_bool(self, value: bool) -> Result<(), CdrError> {
        self.put([u8::from(value)])
    }

    fn serialize_str(self, text: &str) -> Result<(), CdrError> {
        if text.contains('\0') {
            self.had_nul = true;
            return self.serialize_str(&text.replace('\0', REPLACEMENT));
        }
        self.put_length(text.len() + 1)?;
        self.bytes.extend_from_slice(text.as_bytes());
        self.put([0])
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), CdrError> {
        self.put_length(bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), CdrError> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), CdrError> {
        value.serialize(self)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self, CdrError> {
        self.put_length(length.ok_or_else(|| CdrError::Form("a sequence of unknown length".to_owned()))?)?;
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, CdrError> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, CdrError> {
        Ok(self)
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Self, CdrError> {
        self.is_stamp = self.stamps.is_some() && name == STAMP;
        Ok(self)
    }
}

/// Containers: their parts follow one another.
macro_rules! holds {
    ($($kind:ident: $method:ident($($name:ty)?);)*) => {
        $(impl ser::$kind for &mut Writer<'_> {
            type Ok = ();
            type Error = CdrError;

            fn $method<T: Serialize + ?Sized>(&mut self, $(_: $name,)? part: &T) -> Result<(), CdrError> {
                part.serialize(&mut **self)
            }

            fn end(self) -> Result<(), CdrError> {
                if std::mem::take(&mut self.is_stamp) {
                    self.replace_stamp();
                }
                Ok(())
            }
        })*
    };
}

holds! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeStruct: serialize_field(&'static str);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{
        AccelWithCovarianceStamped, Float64MultiArray, Header, Imu, LaserScan, Message, MultiArrayLayout, Odometry,
        PoseStamped, PoseWithCovarianceStamped, Time, TwistStamped, TwistWithCovarianceStamped,
    };

    /// A message of this type whose numbers are 0.5, 1.5, 2.5…, from `count` of them, after texts of these lengths.
    fn numbered<M: DeserializeOwned>(texts: &[usize], count: usize) -> M {
        let mut bytes = [&LITTLE_ENDIAN[..], &3_i32.to_le_bytes(), &4_u32.to_le_bytes()].concat();
        let mut writer = Writer { start: 4, bytes: &mut bytes, had_nul: false, stamps: None, is_stamp: false };
        for &length in texts {
            ser::Serializer::serialize_str(&mut writer, &"x".repeat(length)).unwrap();
        }
        for number in 0..count {
            writer.put((number as f64 + 0.5).to_le_bytes()).unwrap();
        }
        read(&bytes).unwrap()
    }

    /// Compares the bytes of a message with those of its numbers one by one, after `before` bytes of others.
    fn compare<M: Message + DeserializeOwned + PartialEq + std::fmt::Debug>(before: usize, message: &M) {
        let (mut blocks, mut single) = (vec![7; before], vec![7; before]);
        message.write(None, &mut blocks).unwrap();
        write(message, None, &mut single).unwrap();
        assert_eq!(blocks, single, "{} after {before} bytes", M::TYPE);
        assert_eq!(read::<M>(&blocks[before..]).unwrap(), *message);
    }

    #[test]
    fn numbers_written_in_blocks_equal_those_one_by_one_at_every_alignment() {
        for before in 0..9 {
            for length in 0..9 {
                for child in 0..9 {
                    compare::<Odometry>(before, &numbered(&[length, child], 86));
                }
                compare::<Imu>(before, &numbered(&[length], 37));
                compare::<PoseStamped>(before, &numbered(&[length], 7));
                compare::<TwistStamped>(before, &numbered(&[length], 6));
                compare::<PoseWithCovarianceStamped>(before, &numbered(&[length], 43));
                compare::<TwistWithCovarianceStamped>(before, &numbered(&[length], 42));
                compare::<AccelWithCovarianceStamped>(before, &numbered(&[length], 42));
            }
        }
    }

    #[test]
    fn a_scan_written_in_blocks_equals_the_scan_field_by_field() {
        for frame_id in ["", "a", "la", "las", "lase", "laser"] {
            let header = Header { stamp: Time { sec: 3, nanosec: 4 }, frame_id: frame_id.into() };
            let (ranges, intensities) = (vec![1.5, f32::INFINITY, 0.25], vec![7.0]);
            let scan =
                LaserScan { header, angle_min: -2.0, range_max: 9.0, ranges, intensities, ..LaserScan::default() };
            let (mut whole, mut pieces) = (Vec::new(), Vec::new());
            write(&scan, None, &mut whole).unwrap();
            scan.write(None, &mut pieces).unwrap();
            assert_eq!(whole, pieces, "{frame_id}");
            assert_eq!(read::<LaserScan>(&pieces).unwrap(), scan);
        }
    }

    #[test]
    fn numbers_are_aligned_relative_to_the_end_of_the_encapsulation() {
        let header = Header { stamp: Time { sec: 1, nanosec: 2 }, frame_id: "odom".into() };
        let mut bytes = Vec::new();
        write(&header, None, &mut bytes).unwrap();
        assert_eq!(bytes, [&[0, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0][..], b"odom\0"].concat());
        assert_eq!(read::<Header>(&bytes).unwrap(), header);
        let array = Float64MultiArray { layout: MultiArrayLayout::default(), data: vec![1.5, -2.0] };
        bytes.clear();
        write(&array, None, &mut bytes).unwrap();
        // dim: 0 entries, data_offset 0, two doubles after their count and four bytes of padding.
        assert_eq!(bytes.len(), 4 + 4 + 4 + 4 + 4 + 16);
        assert_eq!(read::<Float64MultiArray>(&bytes).unwrap(), array);
        assert!(read::<Float64MultiArray>(&bytes[..20]).is_err());
        assert!(read::<Header>(&[]).is_err());
    }

    #[test]
    fn every_type_is_written_as_by_the_library() {
        let message = (
            (true, -1_i8, -2_i16, -3_i32, -4_i64, 1.5_f32),
            ("text".to_owned(), 2_u8, 3_u16, 4_u32, String::new(), 5_u64, 0.25_f64),
            (vec![1_u8, 2, 3], [1.0_f64, 2.0], Vec::<f64>::new(), vec!["a".to_owned(), "bcd".to_owned()], vec![7_i64]),
        );
        let (mut own, mut library) = (Vec::new(), LITTLE_ENDIAN.to_vec());
        write(&message, None, &mut own).unwrap();
        cdr_encoding::to_writer::<_, byteorder::LittleEndian, _>(&mut library, &message).unwrap();
        assert_eq!(own, library);
        assert!(matches!(write(&Some(1_u8), None, &mut own), Err(CdrError::Form(_))));
    }

    #[test]
    fn no_text_contains_a_nul_at_any_depth() {
        let label = "\0a\0".to_owned();
        let dim = vec![crate::message::MultiArrayDimension { label, size: 1, stride: 1 }];
        let array = Float64MultiArray { layout: MultiArrayLayout { dim, data_offset: 0 }, data: vec![f64::NAN] };
        let mut bytes = Vec::new();
        write(&array, None, &mut bytes).unwrap();
        assert_eq!(read::<Float64MultiArray>(&bytes).unwrap().layout.dim[0].label, "\u{FFFD}a\u{FFFD}");
    }
}
