//! Clouds, pictures and readings of sensors as messages, small enough for a slow line: thinned out, in few bits.
//!
//! A cloud is: kind (1 byte, 8), what the two bytes of its points are (1 byte, [`Tint`], plus `LABELLED` if labels follow), topic (u16), revision (u32),
//! time (i64, ns), vehicle (u16), sensor (u16), pose of the sensor in the world as x y z [m] yaw pitch roll [rad] (6 × f32), extent (f32, m), then for each
//! point x y z in the frame of the sensor (3 × i16, value / 32767 · extent): all points first, after them two bytes for each point, and after these its label,
//! the numbers of class and body (2 × u16).
//!
//! A picture is: kind (1 byte, 9), one byte 0, topic, revision, time, vehicle and sensor as above, depth of black (f32, m; 0: a picture in
//! colours), then a JPEG.
//!
//! A reading is: kind (1 byte, 10), one byte 0, topic, revision, time, vehicle and sensor as above, then a [`ReadingView`] as JSON. All numbers are
//! little-endian.

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, GrayImage, RgbImage};
use serde::Serialize;
use skidpad_math::Pose3;
use skidpad_math::time::SimTime;
#[cfg(test)]
use ts_rs::TS;

use super::channels;
use super::scene::PoseView;

/// First byte of a cloud.
pub const CLOUD: u8 = 8;
/// First byte of a picture.
pub const PICTURE: u8 = 9;
/// First byte of a reading.
pub const READING: u8 = 10;
/// Added to the second byte of a cloud that has labels.
pub(crate) const LABELLED: u8 = 4;
/// Most points of a cloud.
pub const MAX_POINTS: usize = 20_000;
/// Most columns and rows of a picture.
pub const MAX_PIXELS: [usize; 2] = [320, 240];
/// Quality of pictures, 1 to 100.
const JPEG_QUALITY: u8 = 70;
/// Number of an i16 at the extent of a cloud.
const FULL: f32 = i16::MAX as f32;

/// A topic of a sensor in a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct TopicKey {
    /// Revision of the scene.
    pub revision: u32,
    /// Index of the vehicle.
    pub vehicle: usize,
    /// Index of the sensor on it.
    pub sensor: usize,
    /// Index of the topic in [`SensorView::topics`](super::scene::SensorView).
    pub topic: usize,
}

/// What the two bytes of each point of a cloud are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Tint {
    /// Nothing.
    #[default]
    None = 0,
    /// Intensity, 0 to 255, and ring.
    IntensityAndRing = 1,
    /// A colour, little-endian: red in the upper 5 bits, green in 6, blue in 5.
    Color = 2,
}

/// The points that a sensor measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewCloud {
    /// Pose of the sensor in the world [m, rad].
    pub world_from_sensor: Pose3,
    /// What `tints` are.
    pub tint: Tint,
    /// Points in the frame of the sensor [m], all finite.
    pub points: Vec<[f32; 3]>,
    /// Two bytes for each point.
    pub tints: Vec<[u8; 2]>,
    /// The numbers of class and body that each point is of, little-endian; empty: the cloud has no labels.
    pub labels: Vec<[u8; 4]>,
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewPicture {
    /// Colours.
    Color(RgbImage),
    /// Depths: 255 at the camera, 1 at this depth [m] and beyond, 0 where nothing returned.
    Depth(GrayImage, f32),
}

/// What a sensor measured, if it is a few numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReadingView {
    /// The numbers, in the order in which they are shown.
    pub values: Vec<ValueView>,
    /// The pose in the world that it measured; missing: it measures none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub pose: Option<PoseView>,
}

/// A number that a sensor measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ValueView {
    /// What it is.
    pub name: String,
    /// Its unit; empty: it has none.
    pub unit: String,
    /// The number; none: out of range, or not known.
    pub value: Option<f64>,
    /// Decimals that mean something.
    pub digits: u32,
}

/// What all kinds of messages begin with.
fn header(kind: u8, second: u8, key: &TopicKey, time: SimTime) -> Vec<u8> {
    let mut out = vec![kind, second];
    out.extend((key.topic as u16).to_le_bytes());
    out.extend(key.revision.to_le_bytes());
    out.extend(time.0.to_le_bytes());
    out.extend((key.vehicle as u16).to_le_bytes());
    out.extend((key.sensor as u16).to_le_bytes());
    out
}

/// Indices of at most `most` of `count` items, spread evenly. The steps between them vary, so that points in the order of a pattern, such as
/// ring by ring, keep points of all its parts.
pub fn thinned(count: usize, most: usize) -> impl Iterator<Item = usize> {
    // Fractions of the multiples of the golden ratio are spread evenly (D. E. Knuth, The Art of Computer Programming, 6.4).
    const GOLDEN: f64 = 0.618_033_988_749_895;
    let kept = count.min(most);
    let step = count as f64 / kept.max(1) as f64;
    let spread = if count > most { 1.0 } else { 0.0 };
    (0..kept).map(move |number| {
        let share = spread * (number as f64 * GOLDEN).fract();
        (((number as f64 + share) * step) as usize).min(count.saturating_sub(1))
    })
}

impl ViewCloud {
    /// The message.
    pub fn encode(&self, key: &TopicKey, time: SimTime) -> Vec<u8> {
        let labelled = if self.labels.is_empty() { 0 } else { LABELLED };
        let mut out = header(CLOUD, self.tint as u8 + labelled, key, time);
        let extent = self.points.iter().flatten().fold(1e-3_f32, |extent, value| extent.max(value.abs()));
        for value in channels::pose(self.world_from_sensor) {
            out.extend((value as f32).to_le_bytes());
        }
        out.extend(extent.to_le_bytes());
        let numbers = self.points.iter().flatten().map(|value| (value / extent * FULL).round() as i16);
        out.extend(numbers.flat_map(i16::to_le_bytes));
        out.extend(self.tints.iter().flatten());
        out.extend(self.labels.iter().flatten());
        out
    }
}

impl ReadingView {
    /// The message.
    pub fn encode(&self, key: &TopicKey, time: SimTime) -> Vec<u8> {
        let mut out = header(READING, 0, key, time);
        // All keys are strings, so serialization cannot fail.
        let _ = serde_json::to_writer(&mut out, self);
        out
    }
}

impl ViewPicture {
    /// The message; none if the picture cannot be compressed.
    pub fn encode(&self, key: &TopicKey, time: SimTime) -> Option<Vec<u8>> {
        let mut out = header(PICTURE, 0, key, time);
        let (picture, depth): (DynamicImage, f32) = match self {
            ViewPicture::Color(picture) => (picture.clone().into(), 0.0),
            ViewPicture::Depth(picture, depth) => (picture.clone().into(), *depth),
        };
        out.extend(depth.to_le_bytes());
        picture.write_with_encoder(JpegEncoder::new_with_quality(&mut out, JPEG_QUALITY)).ok()?;
        Some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_at_most_so_many_and_every_ring() {
        assert!(thinned(5, 5).eq(0..5) && thinned(0, 5).next().is_none() && thinned(3, 0).next().is_none());
        let rings = 16;
        let kept: Vec<usize> = thinned(rings * 1800, 3600).collect();
        assert!(kept.len() == 3600 && kept.is_sorted() && kept[3599] < rings * 1800);
        let mut of_ring = vec![0; rings];
        kept.iter().for_each(|index| of_ring[index % rings] += 1);
        assert!(of_ring.iter().all(|&count| (150..300).contains(&count)), "{of_ring:?}");
    }

    #[test]
    fn points_come_back_within_half_a_step_and_pictures_are_small() {
        let key = TopicKey { revision: 7, vehicle: 1, sensor: 2, topic: 3 };
        let cloud = ViewCloud {
            tint: Tint::IntensityAndRing,
            points: vec![[1.0, -50.0, 0.25], [100.0, 0.0, 3.0]],
            tints: vec![[9, 1], [255, 15]],
            ..ViewCloud::default()
        };
        let message = cloud.encode(&key, SimTime(5));
        assert_eq!(
            (message.len(), &message[..4], &message[16..20]),
            (48 + 2 * 8, &[8, 1, 3, 0][..], &[1, 0, 2, 0][..])
        );
        let extent = f32::from_le_bytes(message[44..48].try_into().unwrap());
        let read = |at: usize| f32::from(i16::from_le_bytes([message[at], message[at + 1]])) / FULL * extent;
        for (index, wanted) in cloud.points.iter().flatten().enumerate() {
            assert!((read(48 + 2 * index) - wanted).abs() <= 0.51 * extent / FULL, "{wanted}");
        }
        assert_eq!(message[60..], [9, 1, 255, 15]);
        let labels = vec![[3, 0, 1, 0], [0; 4]];
        let labelled = ViewCloud { labels, ..cloud }.encode(&key, SimTime(5));
        assert_eq!(
            (labelled[1], &labelled[44..64], &labelled[64..]),
            (5, &message[44..], &[3, 0, 1, 0, 0, 0, 0, 0][..])
        );
        let [columns, rows] = MAX_PIXELS.map(|pixels| pixels as u32);
        let picture = RgbImage::from_fn(columns, rows, |x, y| image::Rgb([x as u8, y as u8, (x ^ y) as u8]));
        let message = ViewPicture::Color(picture).encode(&key, SimTime(5)).unwrap();
        assert!(message.len() < 60_000, "{}", message.len());
        let read = image::load_from_memory(&message[24..]).unwrap();
        assert_eq!((read.width(), read.height()), (columns, rows));
    }
}
