//! What each kind of sensor says of itself and of its samples, beside its code: whoever describes, draws, hands over or compares readings
//! asks here, and knows no kinds.

use skidpad_math::Pose3;

use super::{Delivered, SensorEntry, SensorTopic};

/// What is fixed about a sensor when its world is loaded.
pub trait SensorDescription {
    /// Its line of [`SENSORS`](super::SENSORS).
    fn entry(&self) -> &'static SensorEntry;

    /// A line for people, after its name; `rate` is the number of samples a second with its unit.
    fn in_words(&self, rate: &str) -> String;

    /// The arrays of a sample, in the order in which users see them; none where samples differ in size.
    fn columns(&self) -> Option<Vec<Column>>;

    /// The numbers of a sample for one of these arrays, row by row; none of a sample of another kind.
    fn values<'a>(&self, column: &str, sample: Delivered<'a>) -> Option<Values<'a>>;

    /// Whether it has this topic of its class.
    fn has_topic(&self, _topic: &SensorTopic) -> bool {
        true
    }

    /// The frames that it has beside its own: what their names have after that, and their poses there [m, rad].
    fn frames(&self) -> Vec<(&'static str, Pose3)> {
        Vec::new()
    }

    /// Whether its readings have labels.
    fn has_labels(&self) -> bool {
        false
    }

    /// How far it measures [m], of a sensor that measures ranges.
    fn range_max(&self) -> Option<f64> {
        None
    }
}

/// An array of a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name, by which users ask for it.
    pub name: &'static str,
    /// The lengths of its axes; none of a single number.
    pub axes: Vec<usize>,
    /// The type of its numbers.
    pub numbers: NumberType,
}

impl Column {
    /// An array with this name, of axes with these lengths.
    pub fn new(name: &'static str, axes: impl Into<Vec<usize>>, numbers: NumberType) -> Column {
        Column { name, axes: axes.into(), numbers }
    }
}

/// The type of the numbers of a [`Column`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberType {
    /// Bytes of pictures.
    U8,
    /// Pairs of class and body.
    U16,
    /// Counts.
    I64,
    /// Measurements in single precision.
    F32,
    /// Measurements in double precision.
    F64,
}

/// The numbers of a [`Column`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values<'a> {
    /// Bytes of pictures.
    U8(&'a [u8]),
    /// Class and body.
    U16(&'a [[u16; 2]]),
    /// Counts.
    I64(&'a [i64]),
    /// Measurements in single precision.
    F32(&'a [f32]),
    /// Measurements in double precision.
    F64(&'a [f64]),
    /// The first so many of these.
    Few([f64; 4], usize),
}

impl Values<'_> {
    /// At most four numbers that no sample holds as they are.
    pub fn few<const N: usize>(numbers: [f64; N]) -> Self {
        const { assert!(N <= 4) };
        let mut all = [0.0; 4];
        all[..N].copy_from_slice(&numbers);
        Values::Few(all, N)
    }
}

/// What a sample says of itself.
pub trait Measured {
    /// Appends all its numbers as bits, for comparisons of runs.
    fn append_bits(&self, bits: &mut Vec<u64>);

    /// Size of what it refers to [bytes], where that grows with the sensor.
    fn bytes(&self) -> usize {
        0
    }

    /// Number of rays that were cast for it.
    fn rays(&self) -> u64 {
        0
    }
}

/// Labels as bits.
pub(super) fn label_bits(labels: &[[u16; 2]]) -> impl Iterator<Item = u64> {
    labels.iter().map(|[class, body]| u64::from(*class) << 16 | u64::from(*body))
}

/// Numbers in single precision as bits.
pub(super) fn single_bits(numbers: &[f32]) -> impl Iterator<Item = u64> {
    numbers.iter().map(|number| u64::from(number.to_bits()))
}

/// Bytes, eight at a time.
pub(super) fn packed(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks(8).map(|chunk| {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(eight)
    })
}
