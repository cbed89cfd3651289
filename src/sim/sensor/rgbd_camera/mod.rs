//! Camera for colour and depth, `<sensor class="rgbd_camera">`: two pictures of one instant, and the points that they show.
//!
//! ```xml
//! <sensor class="rgbd_camera" name="camera1">   topics camera1_rgb/image_raw, camera1_rgb/camera_info, camera1_depth/image_raw,
//!                                               camera1_depth/camera_info, camera1_points
//!   <pose_3d>x y z yaw pitch roll</pose_3d>     mounting of the depth camera [m], [deg], x ahead, z up; default 0 0 0.5 0 0 0
//!   <relativePoseIntensityWRTDepth>0 0 0 -90 0 -90</…>  of the colour camera there, in optical axes: z ahead, y down
//!   <sense_rgb>true</sense_rgb> <sense_depth>true</sense_depth>  whether there is each of the two
//!   <rgb_ncols>640</rgb_ncols> …                ncols, nrows, fx, fy, cx, cy, distortion_model, distortion, labels, exposure, noise_std,
//!                                               encoding, readout_time, jpeg_quality and samples as of class camera, after rgb_; all but the
//!                                               last six after depth_ too
//!   <rgb_clip_min>0.01</rgb_clip_min> <rgb_clip_max>1e4</rgb_clip_max>     [m], > 0
//!   <depth_clip_min>0.1</depth_clip_min> <depth_clip_max>15</depth_clip_max>  nearer is too near, farther is no return [m], > 0
//!   <depth_encoding>16UC1</depth_encoding>      in units, 0 for no return; or 32FC1, in metres, NaN for no return, −inf for too near (REP 118)
//!   <depth_resolution>1e-3</depth_resolution>   a unit [m], > 0
//!   <depth_noise_sigma>1e-3</depth_noise_sigma> standard deviation of depths [m], ≥ 0, of which
//!   <depth_noise_quadratic>0</…>                grows with the square of the depth [1/m], ≥ 0 (K. Khoshelham and S. Elberink 2012)
//!   <depth_drop_out>0</depth_drop_out>          share of pixels that are lost at random [-], 0 to 1
//!   <depth_…>                                   the other errors of module `errors`: biases that all pixels share, and outliers
//!   <depth_max_incidence_degrees>90</…>         no return from surfaces seen under a larger angle from their normal [deg], 0 to 90
//!   <depth_edge_shadow>0</depth_edge_shadow>    no return beside what is nearer by more than this [m], ≥ 0; 0: everywhere
//!   <depth_compressed>false</depth_compressed>  true: there is the topic camera1_depth/image_raw/compressedDepth too
//!   <depth_quantization>100</…>                 of compressed 32FC1: the depth at which a step is 1 m [m], 1 to 150; default 100, or the
//!                                               largest with which 16 bits hold depths from depth_clip_min on
//!   <publish_ros_depth_image>true</…>           whether the depth picture has topics
//!   <publish_ros_pointcloud>true</…>            whether the points have one
//!   <publish_ros_colored_pointcloud>false</…>   whether they have colours
//!   <ignore_parent_body>false</ignore_parent_body>  true: it does not see its own vehicle
//!   <sensor_period>0.1</sensor_period>          [s], ≥ 1e-4
//! </sensor>
//! ```
//! Depths are along the optical axis, exact to the rounding of the encoding where there is no noise. Frames: `camera1`,
//! of the points, x ahead; `camera1_rgb` and `camera1_depth`, of the pictures, z ahead, x to the right, y down. The
//! points have the order of the depth picture, NaN for no return. What is too near to be measured hides what is behind
//! it. Labels of colours are of the nearest surface, those of depths of the surface that returns, without regard to
//! errors; with them points have the fields class and body. Not modelled: patterns of light, multiple paths, materials,
//! and what cameras do not.

mod description;
mod unasked;

use rayon::prelude::*;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Accept, Reader};

use self::unasked::{warn_of_colors, warn_of_depths};
use super::camera::{
    CameraMotion, Eye, Film, Lens, PictureNoise, PictureRequest, Place, RowNoise, Scratch, label_of, read_jpeg_quality,
};
use super::mounting::read_mounting;
use super::range_errors::RangeErrors;
use super::{
    RangeErrorParameters, ReadingData, Sensor, SensorContext, SensorEntry, SensorInfo, SensorKind, SensorSize,
    SensorTopic, View,
};
use crate::raycast::space::{Hit, Ray, Space};

/// Its line of [`SENSORS`](super::SENSORS).
pub const ENTRY: SensorEntry = SensorEntry {
    name: "rgbd_camera",
    help: "colour and depth pictures, and a cloud of points",
    topics: &[
        SensorTopic { suffix: "_rgb/image_raw", message: "sensor_msgs/msg/Image" },
        SensorTopic { suffix: "_rgb/camera_info", message: "sensor_msgs/msg/CameraInfo" },
        SensorTopic { suffix: "_depth/image_raw", message: "sensor_msgs/msg/Image" },
        SensorTopic { suffix: "_depth/camera_info", message: "sensor_msgs/msg/CameraInfo" },
        SensorTopic { suffix: "_points", message: "sensor_msgs/msg/PointCloud2" },
        COMPRESSED,
        COMPRESSED_DEPTH,
        LABELS,
        DETECTIONS,
        DEPTH_LABELS,
    ],
    casts_rays: true,
    interpolates: false,
    read: |reader, context| Box::new(RgbdCamera::read(reader, context)),
};

/// Compressed colour pictures, on request.
const COMPRESSED: SensorTopic =
    SensorTopic { suffix: "_rgb/image_raw/compressed", message: "sensor_msgs/msg/CompressedImage" };
/// Compressed depth pictures, on request.
const COMPRESSED_DEPTH: SensorTopic =
    SensorTopic { suffix: "_depth/image_raw/compressedDepth", message: "sensor_msgs/msg/CompressedImage" };
/// Classes and bodies of the pixels of colour pictures, on request.
const LABELS: SensorTopic = SensorTopic { suffix: "_rgb/labels", message: "sensor_msgs/msg/Image" };
/// Boxes around the bodies in these pictures, with them.
const DETECTIONS: SensorTopic = SensorTopic { suffix: "_rgb/detections", message: "vision_msgs/msg/Detection2DArray" };
/// The same of depth pictures, on request.
const DEPTH_LABELS: SensorTopic = SensorTopic { suffix: "_depth/labels", message: "sensor_msgs/msg/Image" };

/// What the frame of the colour picture has after the name of the sensor's.
pub const RGB_FRAME: &str = "_rgb";
/// What the frame of the depth picture has after the name of the sensor's.
pub const DEPTH_FRAME: &str = "_depth";

/// Optical axes of the depth camera in its frame.
pub const SENSOR_FROM_DEPTH: Pose3 = Pose3 { z: 0.0, ..super::camera::AHEAD };

/// A pixel of a depth picture in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthEncoding {
    /// Unsigned numbers of 16 bits, in units of the resolution; 0: no return.
    #[default]
    Units,
    /// Floats in metres; NaN: no return.
    Metres,
}

impl DepthEncoding {
    /// Their names in world files and in messages.
    pub const NAMES: &[(&str, DepthEncoding)] = &[("16UC1", DepthEncoding::Units), ("32FC1", DepthEncoding::Metres)];

    /// Its name there.
    pub fn name(self) -> &'static str {
        DepthEncoding::NAMES[self as usize].0
    }
}

/// The colour half of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RgbModel {
    /// Size, camera matrix and distortion.
    pub lens: Lens,
    /// Nearest and farthest distance seen [m].
    pub clip: [f64; 2],
    /// How light becomes bytes.
    pub film: Film,
    /// Its optical axes in the frame of the sensor [m, rad].
    pub sensor_from_rgb: Pose3,
    /// Quality of compressed pictures, 1 to 100; none: they are not sent.
    pub jpeg_quality: Option<u8>,
    /// Whether there are pictures of what it sees.
    pub has_labels: bool,
}

/// The depth half of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DepthModel {
    /// Size, camera matrix and distortion.
    pub lens: Lens,
    /// Nearest and farthest depth measured [m].
    pub clip: [f64; 2],
    /// What its pixels are.
    pub encoding: DepthEncoding,
    /// A unit of [`DepthEncoding::Units`] [m].
    pub resolution: f64,
    /// Standard deviation of depths [m], and its part that grows with the square of the depth [1/m].
    pub noise: [f64; 2],
    /// Cosine of the largest angle between a ray and the normal of what returns it [-].
    pub least_cosine: f64,
    /// No return beside what is nearer by more than this [m]; 0: everywhere.
    pub edge_shadow: f64,
    /// The depth at which a step of compressed [`DepthEncoding::Metres`] is 1 m [m]; none: compressed pictures are not sent.
    pub quantization: Option<f64>,
    /// Whether there are pictures of what the depths are of, and points with that.
    pub has_labels: bool,
    /// Whether the picture is published.
    pub has_image: bool,
    /// Whether the points are published.
    pub has_points: bool,
    /// Whether the points have colours.
    pub has_colors: bool,
}

/// What a camera for colour and depth is, for its messages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RgbdModel {
    /// Its colour half, if it has one.
    pub rgb: Option<RgbModel>,
    /// Its depth half, if it has one.
    pub depth: Option<DepthModel>,
}

/// The pictures of one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RgbdPhotograph {
    /// Three bytes a pixel, row by row from the top; empty: not sensed.
    pub pixels: Vec<u8>,
    /// Depths [m], row by row from the top; NaN: no return, −inf: too near; empty: not sensed.
    pub depths: Vec<f32>,
    /// Class and body of each pixel, as of a [`CloudPoint`](super::CloudPoint); empty: not sensed.
    pub labels: Vec<[u16; 2]>,
    /// Class and body of what each depth is of; empty: not sensed.
    pub depth_labels: Vec<[u16; 2]>,
    /// Number of rays that were cast to see them; one may serve both.
    pub rays: u64,
}

/// A camera for colour and depth.
#[derive(Clone, Debug)]
pub struct RgbdCamera {
    info: SensorInfo,
    rgb: Option<(RgbModel, Eye)>,
    depth: Option<(DepthModel, Eye)>,
    ignores_parent: bool,
    rgb_noise: PictureNoise,
    depth_noise: PictureNoise,
    depth_errors: RangeErrors,
    /// Depths without errors [m].
    exact: Vec<f32>,
    /// What shared rays see; empty without labels.
    seen: Vec<Seen>,
    scratch: Scratch,
}

/// What a ray sees beside a colour.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Without errors [m].
    depth: f32,
    /// Of the colour and of the depth.
    labels: [[u16; 2]; 2],
}

impl RgbdCamera {
    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, context: &SensorContext) -> RgbdCamera {
        reader.ignore(&["class", "name", "visual", "publish", "show_3d_pointcloud"]);
        let [sense_rgb, sense_depth] = ["sense_rgb", "sense_depth"].map(|tag| reader.bool(tag, true));
        if !(sense_rgb || sense_depth) {
            reader.error("sense_rgb and sense_depth are both false").hint("remove one of them");
        }
        let period = reader.f64("sensor_period", 0.1, Accept::range(1e-4, 1e6));
        let (rgb, (depth, errors)) = (read_rgb(reader), read_depth(reader, period));
        if sense_depth && !sense_rgb {
            warn_of_colors(reader, &rgb.0, depth.0.has_colors);
        }
        if sense_rgb && !sense_depth {
            warn_of_depths(reader, &depth.0);
        }
        let rgb = sense_rgb.then_some(rgb);
        let depth = sense_depth.then_some(depth);
        let model = RgbdModel { rgb: rgb.as_ref().map(|rgb| rgb.0), depth: depth.as_ref().map(|depth| depth.0) };
        let forward = Pose3 { z: 0.5, ..Pose3::default() };
        RgbdCamera {
            info: SensorInfo {
                name: context.name.clone(),
                period: SimTime::from_secs(period),
                body_from_sensor: read_mounting(reader, forward),
                kind: SensorKind::Rgbd(Box::new(model)),
            },
            ignores_parent: reader.bool("ignore_parent_body", false),
            scratch: Scratch::default(),
            rgb_noise: PictureNoise::new(context, "rgb"),
            depth_noise: PictureNoise::new(context, "depth"),
            depth_errors: RangeErrors::new(errors, "depth", SimTime::from_secs(period), context),
            exact: Vec::new(),
            seen: Vec::new(),
            rgb,
            depth,
        }
    }
}

impl RgbdCamera {
    /// Number of labels of a colour picture and of a depth picture.
    fn labels(&self) -> [usize; 2] {
        let of = |has_labels, eye: &Eye| if has_labels { eye.pixels() } else { 0 };
        let rgb = self.rgb.as_ref().map_or(0, |(model, eye)| of(model.has_labels, eye));
        [rgb, self.depth.as_ref().map_or(0, |(model, eye)| of(model.has_labels, eye))]
    }
}

fn read_rgb(reader: &Reader<'_>) -> (RgbModel, Eye) {
    let eye = Eye::read(reader, "rgb_", &Lens::default(), [0.01, 1e4]);
    let given = reader.numbers("relativePoseIntensityWRTDepth", &[6]);
    let sensor_from_rgb = match given.as_deref() {
        Some(&[x, y, z, yaw, pitch, roll]) => Pose3::from_degrees([x, y, z, yaw, pitch, roll]),
        _ => SENSOR_FROM_DEPTH,
    };
    let model = RgbModel {
        lens: eye.lens,
        clip: eye.clip,
        film: Film::read(reader, "rgb_"),
        sensor_from_rgb,
        jpeg_quality: read_jpeg_quality(reader, "rgb_"),
        has_labels: reader.bool("rgb_labels", false),
    };
    (model, eye)
}

/// Reads `depth_compressed` and `depth_quantization` of depths between these limits [m]: the [quantisation](DepthModel::quantization).
fn read_quantization(reader: &Reader<'_>, [near, far]: [f64; 2], encoding: DepthEncoding) -> Option<f64> {
    /// Largest number of 16 bits, and image_transport's default [m].
    const MAX_RANGE: f64 = 65535.0;
    const USUAL: f64 = 100.0;
    const TAG: &str = "depth_quantization";
    let is_compressed = reader.bool("depth_compressed", false);
    let given = reader.optional_f64(TAG, Accept::range(1.0, 150.0));
    if given.is_some() && !(is_compressed && encoding == DepthEncoding::Metres) {
        reader.warn_at(TAG, "depth_quantization has no effect: it is for depth_compressed with depth_encoding 32FC1");
    }
    // Depths become whole numbers q (q + 1) (1/depth − 1/far) + 1.
    let steps = (MAX_RANGE - 1.0) / (1.0 / near - 1.0 / far);
    let largest = 0.5 * ((1.0 + 4.0 * steps).sqrt() - 1.0);
    if let Some(q) = given.filter(|q| *q > largest && is_compressed && encoding == DepthEncoding::Metres) {
        let nearest = 1.0 / ((MAX_RANGE - 1.0) / (q * (q + 1.0)) + 1.0 / far);
        let message = format!("depths below {nearest:.3} m cannot be compressed, though depth_clip_min is {near} m");
        let largest = (10.0 * largest).floor() / 10.0;
        reader.warn_at(TAG, message).hint(if largest < 1.0 {
            "give a larger depth_clip_min".to_owned()
        } else {
            format!("give a depth_quantization of at most {largest:.1}")
        });
    } else if given.is_none() && largest < 0.5 * USUAL && is_compressed && encoding == DepthEncoding::Metres {
        let error = 0.5 * far * far / (largest * (largest + 1.0));
        let message = format!("compressed depths are off by up to {error:.3} m at depth_clip_max");
        reader.warn_at("depth_compressed", message).hint("give a larger depth_clip_min, or depth_quantization");
    }
    is_compressed.then_some(given.unwrap_or(USUAL.min(largest)))
}

/// Reads the depth half of a camera with this period [s], and the errors of its depths beside the white noise.
fn read_depth(reader: &Reader<'_>, period: f64) -> ((DepthModel, Eye), RangeErrorParameters) {
    let eye = Eye::read(reader, "depth_", &Lens::default(), [0.1, 15.0]);
    let [sigma, quadratic] = [("depth_noise_sigma", 1e-3), ("depth_noise_quadratic", 0.0)]
        .map(|(tag, default)| reader.f64(tag, default, Accept::non_negative()));
    let mut errors = RangeErrorParameters::read(reader, "depth", RangeErrorParameters::white(sigma), period);
    // The resolution is that of the encoding.
    errors.errors.resolution = 0.0;
    let encoding = reader.choice("depth_encoding", DepthEncoding::default(), DepthEncoding::NAMES);
    let steepest = reader.f64("depth_max_incidence_degrees", 90.0, Accept::range(0.0, 90.0));
    let has_image = reader.bool("publish_ros_depth_image", true);
    let quantization = read_quantization(reader, eye.clip, encoding);
    if quantization.is_some() && !has_image {
        let message = "depth_compressed has no effect: publish_ros_depth_image is false";
        reader.warn_at("depth_compressed", message);
    }
    let has_labels = reader.bool("depth_labels", false);
    if has_labels && !has_image {
        let message = "depth_labels has no effect: publish_ros_depth_image is false";
        reader.warn_at("depth_labels", message);
    }
    let model = DepthModel {
        lens: eye.lens,
        clip: eye.clip,
        encoding,
        resolution: reader.f64("depth_resolution", 1e-3, Accept::positive()),
        noise: [errors.errors.white, quadratic],
        least_cosine: if steepest < 90.0 { libm::cos(steepest.to_radians()) } else { 0.0 },
        edge_shadow: reader.f64("depth_edge_shadow", 0.0, Accept::non_negative()),
        quantization,
        has_labels,
        has_image,
        has_points: reader.bool("publish_ros_pointcloud", true),
        has_colors: reader.bool("publish_ros_colored_pointcloud", false),
    };
    ((model, eye), errors)
}

impl Sensor for RgbdCamera {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn needs_space(&self) -> bool {
        true
    }

    fn needs_colors(&self) -> bool {
        self.rgb.is_some()
    }

    fn sees_motion(&self) -> bool {
        self.rgb.as_ref().is_some_and(|(model, _)| model.film.readout > 0.0)
    }

    fn probes(&self) -> Vec<Ray> {
        if self.ignores_parent {
            return Vec::new();
        }
        let body_from_sensor = self.info.body_from_sensor;
        let rgb = self.rgb.iter().flat_map(|(model, eye)| eye.probes(body_from_sensor * model.sensor_from_rgb));
        let depth = self.depth.iter().flat_map(|(_, eye)| eye.probes(body_from_sensor * SENSOR_FROM_DEPTH));
        rgb.chain(depth).collect()
    }

    fn size(&self) -> SensorSize {
        let rgb = self.rgb.as_ref().map_or(0, |(_, eye)| eye.pixels() as u64);
        let depth = self.depth.as_ref().map_or(0, |(_, eye)| eye.pixels() as u64);
        let [labels, depth_labels] = self.labels().map(|count| count as u64);
        let seen = if labels + depth_labels > 0 { size_of::<Seen>() as u64 * depth } else { 0 };
        let samples = self.rgb.as_ref().map_or(1, |(model, _)| model.film.samples as u64);
        let of_rgb = self.rgb.as_ref().map_or(0, |(model, eye)| eye.memory(model.film.samples));
        let of_depth = self.depth.as_ref().map_or(0, |(_, eye)| eye.memory(1));
        SensorSize {
            pixels: samples * rgb + depth,
            sample: 3 * rgb + 4 * depth + 4 * (labels + depth_labels),
            scratch: of_rgb + of_depth + 4 * depth + seen,
            ..SensorSize::SMALL
        }
    }

    fn new_reading(&self) -> ReadingData {
        let pixels = self.rgb.as_ref().map_or(0, |(_, eye)| 3 * eye.pixels());
        let depths = self.depth.as_ref().map_or(0, |(_, eye)| eye.pixels());
        let [labels, depth_labels] = self.labels().map(|count| vec![[0; 2]; count]);
        let depths = vec![f32::NAN; depths];
        ReadingData::Rgbd(RgbdPhotograph { pixels: vec![0; pixels], depths, labels, depth_labels, rays: 0 })
    }

    fn restart(&mut self) {
        self.rgb_noise.restart();
        self.depth_noise.restart();
        self.depth_errors.restart();
    }

    fn skip(&mut self, time: SimTime, _world_from_body: Pose3) {
        self.rgb_noise.next();
        self.depth_noise.next();
        self.depth_errors.skip(time);
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        let (ReadingData::Rgbd(out), Some(space)) = (out, view.space) else { return };
        self.rgb.iter_mut().for_each(|(_, eye)| eye.open());
        if let Some((_, eye)) = &mut self.depth {
            eye.open();
            self.exact.resize(eye.pixels(), f32::NAN);
        }
        let hidden = self.ignores_parent.then_some(view.vehicle);
        let (scratch, exact) = (&mut self.scratch, &mut self.exact);
        let mut is_measured = false;
        out.rays = 0;
        let (noise, depth_noise) = (self.rgb_noise.next(), self.depth_noise.next());
        self.depth_errors.begin(view.time);
        if let Some((model, eye)) = &self.rgb {
            let motion =
                CameraMotion::new(view, self.info.body_from_sensor * model.sensor_from_rgb, model.film.readout, hidden);
            out.pixels.resize(3 * eye.pixels(), 0);
            // Labels are those of the middles of pixels.
            let of_labels = usize::from(model.has_labels && model.film.samples > 1);
            out.rays += ((model.film.samples + of_labels) * eye.pixels()) as u64;
            let request = PictureRequest { view, space, motion, film: &model.film, noise };
            let label = |_, _: &Place, nearest| label_of(space, nearest);
            match &self.depth {
                Some((depth, of_depth)) if looks_along(model, depth) => {
                    is_measured = true;
                    if model.has_labels || depth.has_labels {
                        let look = |index, place: &Place, nearest| {
                            let (ray, along) = of_depth.ray(index, place);
                            let returned = depth.returned(space, ray, along, nearest);
                            let labels = [nearest, returned].map(|hit| label_of(space, hit));
                            Seen { depth: depth_of(returned, along), labels }
                        };
                        self.seen.resize(eye.pixels(), Seen::default());
                        eye.photograph_and(&request, scratch, &mut out.pixels, &mut self.seen, look);
                        keep(&self.seen, [model.has_labels, depth.has_labels], exact, out);
                    } else {
                        let measure = |index, place: &Place, nearest| {
                            let (ray, along) = of_depth.ray(index, place);
                            depth_of(depth.returned(space, ray, along, nearest), along)
                        };
                        eye.photograph_and(&request, scratch, &mut out.pixels, exact, measure);
                    }
                }
                _ if model.has_labels => {
                    out.labels.resize(eye.pixels(), [0; 2]);
                    eye.photograph_and(&request, scratch, &mut out.pixels, &mut out.labels, label);
                }
                _ => eye.photograph(&request, scratch, &mut out.pixels),
            }
        }
        if let Some((model, eye)) = &self.depth {
            if !is_measured {
                let place = Place::new(view.world_from_body * self.info.body_from_sensor * SENSOR_FROM_DEPTH, hidden);
                out.rays += eye.pixels() as u64;
                let returned = |pixel, ray: &Ray, nearest| model.returned(space, *ray, eye.along(pixel), nearest);
                if model.has_labels {
                    let look = |pixel, _: &Place, ray: &Ray, nearest| {
                        let returned = returned(pixel, ray, nearest);
                        let labels = [[0; 2], label_of(space, returned)];
                        Seen { depth: depth_of(returned, eye.along(pixel)), labels }
                    };
                    self.seen.resize(eye.pixels(), Seen::default());
                    eye.measure(view, space, &mut self.scratch, |_| place, &mut self.seen, look);
                    keep(&self.seen, [false, true], exact, out);
                } else {
                    let depth = |pixel, _: &Place, ray: &Ray, nearest| {
                        depth_of(returned(pixel, ray, nearest), eye.along(pixel))
                    };
                    eye.measure(view, space, &mut self.scratch, |_| place, exact, depth);
                }
            }
            out.depths.resize(eye.pixels(), f32::NAN);
            add_noise(model, exact, &depth_noise, &mut out.depths);
            if self.depth_errors.any() {
                out.depths.iter_mut().for_each(|depth| *depth = self.depth_errors.disturb(f64::from(*depth)) as f32);
            }
            out.depths.iter_mut().for_each(|depth| *depth = model.reported(*depth));
        }
    }
}

/// Whether the pixels of both halves look along the same rays, so that one ray serves both.
fn looks_along(rgb: &RgbModel, depth: &DepthModel) -> bool {
    rgb.lens == depth.lens
        && rgb.sensor_from_rgb == SENSOR_FROM_DEPTH
        && rgb.film.readout == 0.0
        && rgb.film.samples == 1
        && rgb.clip[1] >= depth.clip[1]
}

impl DepthModel {
    /// What returns a ray, however near. `along` is how far the ray gets along the axis with each metre [-]. `nearest` is
    /// what is nearest on the ray, even beyond where the ray ends.
    fn returned(&self, space: &Space, ray: Ray, along: f64, nearest: Option<Hit>) -> Option<Hit> {
        let nearest = nearest.filter(|hit| hit.range <= ray.far);
        let returns = |normal: &Vec3| -normal.dot(&ray.direction) >= self.least_cosine;
        space.pass_glass(&ray, nearest).filter(|hit| along > 0.0 && returns(&hit.normal))
    }

    /// A measured depth [m] as it is reported: by REP 117, except that a depth beyond the range is no return.
    fn reported(&self, depth: f32) -> f32 {
        let [near, far] = self.clip.map(|limit| limit as f32);
        let within = if depth <= far { depth } else { f32::NAN };
        if depth < near { f32::NEG_INFINITY } else { within }
    }
}

/// The depth without noise [m] of what a ray has met, with so much along the axis with each metre of it; NaN of nothing.
fn depth_of(hit: Option<Hit>, along: f64) -> f32 {
    hit.map_or(f32::NAN, |hit| (hit.range * along) as f32)
}

/// Takes apart what shared rays have seen: depths [m], and of colours and depths the labels that are wanted.
fn keep(seen: &[Seen], [of_colors, of_depths]: [bool; 2], exact: &mut [f32], out: &mut RgbdPhotograph) {
    exact.iter_mut().zip(seen).for_each(|(depth, seen)| *depth = seen.depth);
    for (half, (is_wanted, labels)) in
        [(of_colors, &mut out.labels), (of_depths, &mut out.depth_labels)].into_iter().enumerate()
    {
        if is_wanted {
            labels.clear();
            labels.extend(seen.iter().map(|seen| seen.labels[half]));
        }
    }
}

/// Writes the depths [m] with their noise, and NaN for those beside something nearer. Rows in parallel.
fn add_noise(model: &DepthModel, exact: &[f32], noise: &RowNoise, out: &mut [f32]) {
    let columns = model.lens.columns;
    let [sigma, quadratic] = model.noise;
    out.par_chunks_exact_mut(columns).enumerate().for_each(|(row, depths)| {
        let mut noise = noise.of_row(row);
        let rows = [row.checked_sub(1), Some(row), Some(row + 1)];
        let [above, current, below] = rows.map(|row| row.and_then(|row| exact.get(row * columns..(row + 1) * columns)));
        let current = current.unwrap_or_default();
        for (column, depth) in depths.iter_mut().enumerate() {
            let pixel_depth = current[column];
            let is_beside_nearer = || {
                let beside = [column.checked_sub(1), Some(column + 1)].map(|at| at.and_then(|at| current.get(at)));
                let across = [above, below].map(|row| row.and_then(|row| row.get(column)));
                let mut around = beside.into_iter().chain(across).flatten();
                around.any(|other| f64::from(pixel_depth - other) > model.edge_shadow)
            };
            *depth = if model.edge_shadow > 0.0 && is_beside_nearer() { f32::NAN } else { pixel_depth };
            if sigma > 0.0 || quadratic > 0.0 {
                // One draw for every pixel, whatever it sees.
                let exact = f64::from(pixel_depth);
                *depth = (f64::from(*depth) + (sigma + quadratic * exact * exact) * noise.sample()) as f32;
            }
        }
    });
}

#[cfg(test)]
mod tests;
