//! Messages of cameras: pictures, their models, compressed pictures, depths, and the points that depths show.

use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3};
use skidpad_sim::sensor::camera::{ColorOrder, Lens};
use skidpad_sim::sensor::rgbd_camera::{DepthEncoding, DepthModel, RgbModel, RgbdModel, SENSOR_FROM_DEPTH};
use skidpad_sim::sensor::{CameraModel, RgbdPhotograph};

use super::cloud::{PointCloud2, PointField};
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
    /// For the pictures of this camera with this quality, and an empty message in `frame`.
    pub(super) fn new(frame: &str, model: &CameraModel, quality: u8) -> (Compressor, CompressedImage) {
        let size = [model.lens.columns as u32, model.lens.rows as u32];
        let order = model.film.order;
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
        DepthEncoding::Units => {
            let per_metre = 1.0 / model.resolution;
            let units = depths.iter().map(|&depth| (f64::from(depth) * per_metre).round());
            // 0 stands for no return, for what is too near, and for what 16 bits cannot hold.
            let held = units.map(|units| if units <= f64::from(u16::MAX) { units as u16 } else { 0 });
            message.data.extend(held.flat_map(u16::to_le_bytes));
        }
        DepthEncoding::Metres => message.data.extend(depths.iter().flat_map(|depth| depth.to_le_bytes())),
    }
}

/// Turns depths into points in the frame of the sensor.
pub(super) struct Points {
    /// For each pixel what a point has of each metre of depth.
    per_depth: Vec<[f32; 3]>,
    columns: usize,
    /// The colour half of the camera and the pose of the sensor in its axes, if the points have colours.
    colors: Option<(RgbModel, Pose3)>,
}

/// Length of a point [bytes]: x, y, z, and a colour or nothing.
pub(super) const POINT: usize = 16;

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
        let names = ["x", "y", "z", "rgb"];
        let field = |(number, name): (usize, &&str)| PointField {
            name: (*name).to_owned(),
            offset: 4 * number as u32,
            datatype: 7,
            count: 1,
        };
        let message = PointCloud2 {
            header: fill::header(SimTime::ZERO, frame),
            height: depth.lens.rows as u32,
            width: depth.lens.columns as u32,
            fields: names[..if colors.is_some() { 4 } else { 3 }].iter().enumerate().map(field).collect(),
            point_step: POINT as u32,
            row_step: (POINT * depth.lens.columns) as u32,
            ..PointCloud2::default()
        };
        // A lens whose distortion has no inverse is refused when the world is loaded.
        let per_depth = depth.lens.directions().map(Option::unwrap_or_default).map(per_depth).collect();
        (Points { per_depth, columns: depth.lens.columns, colors }, message)
    }

    /// The points of both pictures.
    pub(super) fn fill(&self, time: SimTime, both: &RgbdPhotograph, message: &mut PointCloud2) {
        message.header.stamp = fill::stamp(time);
        message.data.clear();
        message.data.resize(POINT * self.columns * message.height as usize, 0);
        let points = message.data.as_chunks_mut::<POINT>().0.iter_mut();
        for ((bytes, &depth), per_depth) in points.zip(&both.depths).zip(&self.per_depth) {
            let depth = if depth.is_finite() { depth } else { f32::NAN };
            let point = per_depth.map(|share| share * depth);
            for (to, coordinate) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(point) {
                *to = coordinate.to_le_bytes();
            }
            if let Some((rgb, rgb_from_sensor)) = &self.colors {
                let at = rgb_from_sensor.transform_point(Vec3::from(point.map(f64::from)));
                let [red, green, blue] = seen_by(rgb, &both.pixels, at).unwrap_or_default();
                // As PCL packs them, in the bytes of a float.
                bytes[12..].copy_from_slice(&[blue, green, red, 0]);
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
        let rgb = RgbModel { lens: LENS, clip: [0.1, 100.0], film: Film::default(), sensor_from_rgb };
        let both = RgbdModel { rgb: Some(rgb), depth: Some(model()) };
        let (points, mut cloud) = Points::new("sensor", &both, &model());
        let pixels = (0..18).collect();
        let depths = vec![1.0, 1.0, 2.0, f32::NEG_INFINITY, f32::NAN, 1.0];
        points.fill(SimTime(5), &RgbdPhotograph { pixels, depths, rays: 0 }, &mut cloud);
        let number = |point: usize, field: usize| {
            f32::from_le_bytes(cloud.data[POINT * point + 4 * field..][..4].try_into().unwrap())
        };
        let point = |index| [0, 1, 2].map(|axis| number(index, axis));
        let near = |found: [f32; 3], expected: [f32; 3]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
        };
        near(point(0), [1.0, 0.1, 0.0]);
        near(point(1), [1.0, 0.0, 0.0]);
        near(point(2), [2.0, -0.2, 0.0]);
        near(point(5), [1.0, -0.1, -0.1]);
        assert!([3, 4].iter().all(|&index| point(index).iter().all(|coordinate| coordinate.is_nan())));
        // What the middle pixel shows at 1 m is one column further right for the colour camera: bytes 6, 7, 8 in order blue, green, red.
        assert_eq!(cloud.data[POINT + 12..][..4], [6, 7, 8, 0]);
        assert_eq!((cloud.fields.len(), cloud.width, cloud.height, cloud.is_dense), (4, 3, 2, false));
    }

    #[test]
    fn a_compressed_picture_has_the_colours_of_the_picture() {
        let lens = Lens { columns: 16, rows: 16, ..LENS };
        let model = CameraModel {
            lens,
            clip: [0.1, 1.0],
            film: Film::default(),
            jpeg_quality: Some(95),
            baseline: 0.0,
            has_labels: false,
        };
        let (mut compressor, mut message) = Compressor::new("camera", &model, 95);
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
