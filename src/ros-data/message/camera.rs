//! Messages of cameras: pictures, their models, compressed pictures, depths, and the points that depths show.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3};
use skidpad_sim::sensor::RgbdPhotograph;
use skidpad_sim::sensor::camera::{ColorOrder, Lens};
use skidpad_sim::sensor::rgbd_camera::{DepthEncoding, DepthModel, RgbModel, RgbdModel, SENSOR_FROM_DEPTH};

use super::cloud::{PointCloud2, field};
use super::{CameraInfo, CompressedImage, Image, fill};

/// Length of a pixel of colour pictures, and of pictures of labels [bytes].
pub(super) const COLOR: usize = 3;
pub(super) const LABEL: usize = 4;

/// An empty picture of this lens, with pixels of this encoding and length [bytes], in `frame`.
fn picture(frame: &str, lens: &Lens, encoding: &str, length: usize) -> Image {
    Image {
        header: fill::header(SimTime::ZERO, frame),
        height: lens.rows as u32,
        width: lens.columns as u32,
        encoding: encoding.to_owned(),
        is_bigendian: 0,
        step: (length * lens.columns) as u32,
        data: Vec::with_capacity(length * lens.columns * lens.rows),
    }
}

/// An empty colour picture in `frame`.
pub(super) fn color(frame: &str, lens: &Lens, order: ColorOrder) -> Image {
    picture(frame, lens, order.name(), COLOR)
}

/// The bytes of a picture.
pub(super) fn fill_color(time: SimTime, pixels: &[u8], message: &mut Image) {
    message.header.stamp = fill::stamp(time);
    message.data.clear();
    message.data.extend_from_slice(pixels);
}

/// An empty picture of labels in `frame`.
pub(super) fn labels(frame: &str, lens: &Lens) -> Image {
    picture(frame, lens, "16UC2", LABEL)
}

/// Class and body of each pixel.
pub(super) fn fill_labels(time: SimTime, labels: &[[u16; 2]], message: &mut Image) {
    message.header.stamp = fill::stamp(time);
    message.data.clear();
    message.data.extend(labels.iter().flatten().flat_map(|number| number.to_le_bytes()));
}

/// The model of a camera in `frame`, at this distance to the right of the other one of its pair [m].
pub(super) fn info(frame: &str, lens: &Lens, baseline: f64) -> CameraInfo {
    CameraInfo {
        header: fill::header(SimTime::ZERO, frame),
        height: lens.rows as u32,
        width: lens.columns as u32,
        distortion_model: lens.distortion.name().to_owned(),
        d: lens.distortion.parameters().to_vec(),
        k: lens.matrix(),
        r: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        p: lens.projection(baseline),
        ..CameraInfo::default()
    }
}

/// Compresses the pictures of a camera.
pub(super) struct Compressor {
    size: [u32; 2],
    order: ColorOrder,
    quality: u8,
    /// Red, green, blue.
    pixels: Vec<u8>,
}

impl Compressor {
    /// For pictures of this lens and order with this quality, and an empty message in `frame`.
    pub(super) fn new(frame: &str, lens: &Lens, order: ColorOrder, quality: u8) -> (Compressor, CompressedImage) {
        let size = [lens.columns as u32, lens.rows as u32];
        let message = CompressedImage {
            header: fill::header(SimTime::ZERO, frame),
            // As of image_transport.
            format: format!("{0}; jpeg compressed bgr8", order.name()),
            data: Vec::new(),
        };
        (Compressor { size, order, quality, pixels: Vec::new() }, message)
    }

    /// Compresses a picture; returns whether that has been possible.
    pub(super) fn fill(&mut self, time: SimTime, pixels: &[u8], message: &mut CompressedImage) -> bool {
        message.header.stamp = fill::stamp(time);
        message.data.clear();
        self.pixels.clear();
        self.pixels.extend_from_slice(pixels);
        if self.order == ColorOrder::Bgr8 {
            self.pixels.as_chunks_mut::<3>().0.iter_mut().for_each(|pixel| pixel.swap(0, 2));
        }
        let [width, height] = self.size;
        let mut encoder = JpegEncoder::new_with_quality(&mut message.data, self.quality);
        encoder.encode(&self.pixels, width, height, ExtendedColorType::Rgb8).is_ok()
    }
}

/// Length of a pixel of depth pictures [bytes].
pub(super) fn depth_length(model: &DepthModel) -> usize {
    match model.encoding {
        DepthEncoding::Units => 2,
        DepthEncoding::Metres => 4,
    }
}

/// An empty depth picture in `frame`.
pub(super) fn depth(frame: &str, model: &DepthModel) -> Image {
    picture(frame, &model.lens, model.encoding.name(), depth_length(model))
}

/// Depths [m], NaN for no return, −inf for what is too near.
pub(super) fn fill_depth(time: SimTime, depths: &[f32], model: &DepthModel, message: &mut Image) {
    message.header.stamp = fill::stamp(time);
    message.data.clear();
    match model.encoding {
        DepthEncoding::Units => message.data.extend(in_units(depths, model).flat_map(u16::to_le_bytes)),
        DepthEncoding::Metres => message.data.extend(depths.iter().flat_map(|depth| depth.to_le_bytes())),
    }
}

/// Depths [m] as whole numbers of the model's units: 0 stands for no return, for what is too near, and for what 16 bits cannot hold.
fn in_units(depths: &[f32], model: &DepthModel) -> impl Iterator<Item = u16> {
    let per_metre = 1.0 / model.resolution;
    depths.iter().map(move |&depth| whole(f64::from(depth) * per_metre))
}

/// The nearest whole number of 16 bits; 0 of what these cannot hold.
fn whole(number: f64) -> u16 {
    let rounded = number.round();
    if rounded <= f64::from(u16::MAX) { rounded as u16 } else { 0 }
}

/// Compresses depth pictures as image_transport's plugin `compressedDepth` does, without loss in units.
///
/// Contract, from ros-perception/image_transport_plugins, `compressed_depth_image_transport/src/codec.cpp` and
/// `compression_common.h`: the format is `<encoding>; compressedDepth png`. The data are a header of 12 bytes, which is a
/// 0 of 32 bits and two floats A and B, and a PNG with one channel of 16 bits. Of 16UC1 that is the picture, and readers
/// do not look at A and B. Of 32FC1 its numbers n are those of A / depth + B, with A = q (q + 1) and B = 1 − A / farthest
/// depth; 0 is no return, and the depth of another one is A / (n − B). The plugin cuts n to a whole number; here it is
/// rounded, which halves the error to depth² / 2 A.
pub(super) struct DepthCompressor {
    model: DepthModel,
    /// A and B.
    steps: [f32; 2],
    /// Two bytes a pixel in the order of this machine.
    pixels: Vec<u8>,
}

impl DepthCompressor {
    /// For the depths of this camera with this [quantisation](DepthModel::quantization), and an empty message in `frame`.
    pub(super) fn new(frame: &str, model: &DepthModel, quantization: f64) -> (DepthCompressor, CompressedImage) {
        let steps = match model.encoding {
            DepthEncoding::Units => [0.0; 2],
            DepthEncoding::Metres => {
                let scale = quantization * (quantization + 1.0);
                [scale as f32, (1.0 - scale / model.clip[1]) as f32]
            }
        };
        let message = CompressedImage {
            header: fill::header(SimTime::ZERO, frame),
            format: format!("{}; compressedDepth png", model.encoding.name()),
            data: Vec::new(),
        };
        (DepthCompressor { model: *model, steps, pixels: Vec::new() }, message)
    }

    /// Compresses depths [m]; returns whether that has been possible.
    pub(super) fn fill(&mut self, time: SimTime, depths: &[f32], message: &mut CompressedImage) -> bool {
        let Lens { columns, rows, .. } = self.model.lens;
        if depths.len() != columns * rows {
            return false;
        }
        message.header.stamp = fill::stamp(time);
        message.data.clear();
        message.data.extend(0_u32.to_le_bytes());
        message.data.extend(self.steps.iter().flat_map(|number| number.to_le_bytes()));
        self.pixels.clear();
        match self.model.encoding {
            DepthEncoding::Units => {
                self.pixels.extend(in_units(depths, &self.model).flat_map(u16::to_ne_bytes));
            }
            DepthEncoding::Metres => {
                let [scale, offset] = self.steps.map(f64::from);
                let step = |&depth: &f32| {
                    // What is too near is −inf.
                    if depth.is_finite() { whole(scale / f64::from(depth) + offset) } else { 0 }
                };
                self.pixels.extend(depths.iter().map(step).flat_map(u16::to_ne_bytes));
            }
        }
        let encoder = PngEncoder::new(&mut message.data);
        encoder.write_image(&self.pixels, columns as u32, rows as u32, ExtendedColorType::L16).is_ok()
    }
}

/// Turns depths into points in the frame of the sensor.
pub(super) struct Points {
    /// For each pixel what a point has of each metre of depth.
    per_depth: Vec<[f32; 3]>,
    columns: usize,
    /// The colour half of the camera and the pose of the sensor in its axes, if the points have colours.
    colors: Option<(RgbModel, Pose3)>,
    has_labels: bool,
}

/// Where the label of a point is [bytes]: after x, y, z, and a colour or nothing.
const LABEL_OF_POINT: usize = 16;

/// Length of a point [bytes].
pub(super) fn point_length(model: &DepthModel) -> usize {
    LABEL_OF_POINT + if model.has_labels { LABEL } else { 0 }
}

impl Points {
    /// For the depths of this camera, and an empty cloud in `frame`.
    pub(super) fn new(frame: &str, model: &RgbdModel, depth: &DepthModel) -> (Points, PointCloud2) {
        let rotation = SENSOR_FROM_DEPTH.rotation();
        let per_depth = |direction: [f32; 3]| {
            let direction = Vec3::from(direction.map(f64::from));
            let point = rotation * (direction / direction.z);
            [point.x, point.y, point.z].map(|share| share as f32)
        };
        let colors = model.rgb.filter(|_| depth.has_colors).map(|rgb| (rgb, rgb.sensor_from_rgb.inverse()));
        let coordinates = ["x", "y", "z"].iter().enumerate().map(|(axis, name)| field(name, 4 * axis, 7));
        let color = colors.map(|_| field("rgb", 12, 7));
        let label = ["class", "body"].iter().enumerate().map(|(at, name)| field(name, LABEL_OF_POINT + 2 * at, 4));
        let label = label.filter(|_| depth.has_labels);
        let message = PointCloud2 {
            header: fill::header(SimTime::ZERO, frame),
            height: depth.lens.rows as u32,
            width: depth.lens.columns as u32,
            fields: coordinates.chain(color).chain(label).collect(),
            point_step: point_length(depth) as u32,
            row_step: (point_length(depth) * depth.lens.columns) as u32,
            ..PointCloud2::default()
        };
        // A lens whose distortion has no inverse is refused when the world is loaded.
        let per_depth = depth.lens.directions().map(Option::unwrap_or_default).map(per_depth).collect();
        (Points { per_depth, columns: depth.lens.columns, colors, has_labels: depth.has_labels }, message)
    }

    /// The points of both pictures.
    pub(super) fn fill(&self, time: SimTime, both: &RgbdPhotograph, message: &mut PointCloud2) {
        message.header.stamp = fill::stamp(time);
        message.data.clear();
        let length = message.point_step as usize;
        message.data.resize(length * self.columns * message.height as usize, 0);
        let points = message.data.chunks_exact_mut(length);
        for (index, ((bytes, &depth), per_depth)) in points.zip(&both.depths).zip(&self.per_depth).enumerate() {
            let depth = if depth.is_finite() { depth } else { f32::NAN };
            let point = per_depth.map(|share| share * depth);
            for (to, coordinate) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(point) {
                *to = coordinate.to_le_bytes();
            }
            if self.has_labels && depth.is_finite() {
                let label = both.depth_labels.get(index).copied().unwrap_or_default();
                let [class, body] = label.map(u16::to_le_bytes);
                bytes[LABEL_OF_POINT..].copy_from_slice(&[class, body].concat());
            }
            if let Some((rgb, rgb_from_sensor)) = &self.colors {
                let at = rgb_from_sensor.transform_point(Vec3::from(point.map(f64::from)));
                let [red, green, blue] = seen_by(rgb, &both.pixels, at).unwrap_or_default();
                // As PCL packs them, in the bytes of a float.
                bytes[12..LABEL_OF_POINT].copy_from_slice(&[blue, green, red, 0]);
            }
        }
    }
}

/// The colour that a picture has of a point in camera axes [m]: red, green, blue; none outside of the picture.
fn seen_by(rgb: &RgbModel, pixels: &[u8], point: Vec3) -> Option<[u8; 3]> {
    let [column, row] = rgb.lens.project(point)?.map(f64::round);
    let is_inside = column >= 0.0 && row >= 0.0 && column < rgb.lens.columns as f64 && row < rgb.lens.rows as f64;
    let index = is_inside.then_some(row as usize * rgb.lens.columns + column as usize)?;
    let [first, green, last] = *pixels.as_chunks::<3>().0.get(index)?;
    Some(match rgb.film.order {
        ColorOrder::Bgr8 => [last, green, first],
        ColorOrder::Rgb8 => [first, green, last],
    })
}

#[cfg(test)]
mod tests {
    use skidpad_sim::sensor::camera::{Distortion, Film};

    use super::*;

    const LENS: Lens = Lens {
        columns: 3,
        rows: 2,
        focal: [10.0, 10.0],
        centre: [1.0, 0.0],
        distortion: Distortion::PlumbBob([0.0; 5]),
    };

    fn model() -> DepthModel {
        DepthModel {
            lens: LENS,
            clip: [0.1, 100.0],
            encoding: DepthEncoding::Units,
            resolution: 0.002,
            noise: [0.0; 2],
            least_cosine: 0.0,
            edge_shadow: 0.0,
            quantization: None,
            has_labels: false,
            has_image: true,
            has_points: true,
            has_colors: true,
        }
    }

    #[test]
    fn depths_are_rounded_to_units_and_0_without_a_return() {
        let mut message = depth("d", &model());
        fill_depth(SimTime(5), &[1.0009, 1.0011, f32::NAN, 131.07, 131.08, f32::NEG_INFINITY], &model(), &mut message);
        let units: Vec<u16> = message.data.as_chunks::<2>().0.iter().map(|two| u16::from_le_bytes(*two)).collect();
        assert_eq!(units, [500, 501, 0, 65535, 0, 0]);
        assert_eq!((message.encoding.as_str(), message.step, message.height), ("16UC1", 6, 2));
        let metres = DepthModel { encoding: DepthEncoding::Metres, ..model() };
        let mut message = depth("d", &metres);
        fill_depth(SimTime(5), &[1.5, f32::NAN], &metres, &mut message);
        assert_eq!(message.data, [1.5_f32.to_le_bytes(), f32::NAN.to_le_bytes()].concat());
        assert_eq!((message.encoding.as_str(), message.step), ("32FC1", 12));
    }

    #[test]
    fn points_lie_ahead_of_the_sensor_where_the_pixels_look_and_have_their_colours() {
        // The colour camera sits 0.1 m to the left, of the sensor's x axis, which is one column at 1 m.
        let sensor_from_rgb = Pose3 { y: 0.1, ..SENSOR_FROM_DEPTH };
        let film = Film::default();
        let rgb =
            RgbModel { lens: LENS, clip: [0.1, 100.0], film, sensor_from_rgb, jpeg_quality: None, has_labels: false };
        let depth = DepthModel { has_labels: true, ..model() };
        let both = RgbdModel { rgb: Some(rgb), depth: Some(depth) };
        let (points, mut cloud) = Points::new("sensor", &both, &depth);
        let pixels = (0..18).collect();
        let depths = vec![1.0, 1.0, 2.0, f32::NEG_INFINITY, f32::NAN, 1.0];
        let depth_labels = (0..6).map(|number| [number, 300]).collect();
        points.fill(
            SimTime(5),
            &RgbdPhotograph { pixels, depths, depth_labels, ..RgbdPhotograph::default() },
            &mut cloud,
        );
        let number = |point: usize, field: usize| {
            f32::from_le_bytes(cloud.data[20 * point + 4 * field..][..4].try_into().unwrap())
        };
        let point = |index| [0, 1, 2].map(|axis| number(index, axis));
        let near = |actual: [f32; 3], expected: [f32; 3]| {
            assert!(actual.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{actual:?} {expected:?}");
        };
        near(point(0), [1.0, 0.1, 0.0]);
        near(point(1), [1.0, 0.0, 0.0]);
        near(point(2), [2.0, -0.2, 0.0]);
        near(point(5), [1.0, -0.1, -0.1]);
        assert!([3, 4].iter().all(|&index| point(index).iter().all(|coordinate| coordinate.is_nan())));
        // What the middle pixel shows at 1 m is one column further right for the colour camera: bytes 6, 7, 8 in order blue, green, red.
        assert_eq!(cloud.data[20 + 12..][..4], [6, 7, 8, 0]);
        // What has no point has no label.
        let label = |point: usize| <[u8; 4]>::try_from(&cloud.data[20 * point + 16..][..4]).unwrap();
        assert_eq!([1, 3, 5].map(label), [[1, 0, 44, 1], [0; 4], [5, 0, 44, 1]]);
        let fields: Vec<_> =
            cloud.fields.iter().map(|field| (field.name.as_str(), field.offset, field.datatype)).collect();
        let expected = [("x", 0, 7), ("y", 4, 7), ("z", 8, 7), ("rgb", 12, 7), ("class", 16, 4), ("body", 18, 4)];
        assert_eq!((&fields[..], cloud.point_step, cloud.row_step), (&expected[..], 20, 60));
        assert_eq!((cloud.width, cloud.height, cloud.is_dense), (3, 2, false));
        let (_, plain) = Points::new("sensor", &RgbdModel { rgb: None, depth: Some(model()) }, &model());
        assert_eq!((plain.fields.len(), plain.point_step), (3, 16));
    }

    /// The two numbers of the header, and the numbers of the PNG, read by the rules of the reader.
    fn decompressed(message: &CompressedImage) -> ([f32; 2], Vec<u16>) {
        let number = |at: usize| <[u8; 4]>::try_from(&message.data[at..at + 4]).unwrap();
        assert_eq!(number(0), [0; 4]);
        let picture = image::load_from_memory_with_format(&message.data[12..], image::ImageFormat::Png).unwrap();
        (([4, 8].map(|at| f32::from_le_bytes(number(at)))), picture.as_luma16().unwrap().as_raw().clone())
    }

    #[test]
    fn compressed_depths_in_units_are_those_of_the_picture() {
        let (mut compressor, mut message) = DepthCompressor::new("d", &model(), 100.0);
        let depths = [1.0009, 1.0011, f32::NAN, 131.07, 131.08, f32::NEG_INFINITY];
        assert!(compressor.fill(SimTime(5), &depths, &mut message));
        assert_eq!((message.format.as_str(), message.header.stamp.nanosec), ("16UC1; compressedDepth png", 5));
        assert_eq!(decompressed(&message).1, [500, 501, 0, 65535, 0, 0]);
        assert!(!compressor.fill(SimTime(6), &depths[1..], &mut message), "of another size");
    }

    #[test]
    fn compressed_depths_in_metres_come_back_within_half_a_step() {
        let metres = DepthModel { encoding: DepthEncoding::Metres, clip: [0.2, 15.0], ..model() };
        let (mut compressor, mut message) = DepthCompressor::new("d", &metres, 100.0);
        let depths = [0.2, 3.0, 15.0, f32::NAN, f32::NEG_INFINITY, 0.12];
        assert!(compressor.fill(SimTime(5), &depths, &mut message));
        let ([a, b], steps) = decompressed(&message);
        assert_eq!((message.format.as_str(), a, b), ("32FC1; compressedDepth png", 10100.0, 1.0 - 10100.0 / 15.0));
        assert_eq!(steps[3..], [0, 0, 0], "no return, too near, and nearer than 16 bits hold");
        for (depth, step) in depths.into_iter().zip(steps).take(3) {
            let read = a / (f32::from(step) - b);
            assert!((read - depth).abs() <= 1.001 * depth * depth / (2.0 * a) + 1e-5, "{read} {depth}");
        }
    }

    #[test]
    fn a_compressed_picture_has_the_colours_of_the_picture() {
        let lens = Lens { columns: 16, rows: 16, ..LENS };
        let (mut compressor, mut message) = Compressor::new("camera", &lens, ColorOrder::Bgr8, 95);
        assert!(compressor.fill(SimTime(5), &[30, 60, 200].repeat(256), &mut message));
        assert_eq!(message.format, "bgr8; jpeg compressed bgr8");
        let picture = image::load_from_memory(&message.data).unwrap().into_rgb8();
        let pixel = picture.get_pixel(8, 8).0.map(i32::from);
        assert!(pixel.iter().zip([200, 60, 30]).all(|(a, b)| (a - b).abs() <= 3), "{pixel:?}");
    }

    #[test]
    fn the_model_of_a_camera_is_complete() {
        let lens = Lens { distortion: Distortion::Equidistant([0.1, 0.2, 0.3, 0.4]), ..LENS };
        let info = info("camera", &lens, 0.12);
        assert_eq!((info.distortion_model.as_str(), &info.d[..]), ("equidistant", &[0.1, 0.2, 0.3, 0.4][..]));
        assert_eq!(info.k, [10.0, 0.0, 1.0, 0.0, 10.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(info.r, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(info.p, [10.0, 0.0, 1.0, -1.2, 0.0, 10.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        assert_eq!((info.width, info.height, info.header.frame_id.as_str()), (3, 2, "camera"));
    }
}
