//! Camera, `<sensor class="camera">`: a colour picture through a lens, at one instant.
//!
//! ```xml
//! <sensor class="camera" name="camera1">        topics camera1/image_raw, camera1/camera_info; frame camera1
//!   <pose_3d>x y z yaw pitch roll</pose_3d>     mounting [m], [deg], z ahead, x to the right, y down; default 0 0 0.5 −90 0 −90: ahead
//!   <ncols>640</ncols> <nrows>480</nrows>       size [pixels], each 1 to 8192, together up to 16 777 216
//!   <fx>500</fx> <fy>500</fy>                   focal lengths [pixels], > 0
//!   <cx>320</cx> <cy>240</cy>                   column and row of the optical axis [pixels]
//!   <distortion_model>plumb_bob</distortion_model>  or equidistant
//!   <distortion>0 0 0 0 0</distortion>          k1 k2 p1 p2 k3; of equidistant k1 k2 k3 k4
//!   <clip_min>0.01</clip_min> <clip_max>1e4</clip_max>  what is farther along the axis is not seen [m], > 0; what is nearer, is
//!   <exposure>1</exposure>                      factor of all colours, > 0
//!   <noise_std>0</noise_std>                    of each channel of each pixel, as a share of the full scale, 0 to 1
//!   <encoding>bgr8</encoding>                   or rgb8
//!   <readout_time>0</readout_time>              of a rolling shutter, from the first row to the last one [s], 0 to 1; 0: all rows at once
//!   <samples>1</samples>                        rays of each pixel, whose mean is its colour: 1, 4, 9 or 16
//!   <labels>false</labels>                      true: there are the topics camera1/labels and camera1/detections too
//!   <jpeg_quality>80</jpeg_quality>             1 to 100; with it there is the topic camera1/image_raw/compressed too
//!   <stereo_baseline>0</stereo_baseline>        of the right camera of a pair: how far it is to the right of the left one [m]
//!   <ignore_parent_body>false</ignore_parent_body>  true: it does not see its own vehicle
//!   <sensor_period>0.1</sensor_period>          [s], ≥ 1e-4
//! </sensor>
//! ```
//! With one sample every pixel is a ray through its middle, so that edges are as sharp as steps; with several they are smooth. It sees what
//! stands in the world as viewers show it, in the light of sun and sky of `<lights>` with shadows, pictures on surfaces, also those of mesh
//! files, and the sky. The same seed gives the same noise, on any number of threads. The tags but those of MVSim (`pose_3d`, `ncols` to `cy`,
//! `clip_…`) are skidpad's own.
//! A rolling shutter takes the middle row at the time of the message; meanwhile the camera and all bodies keep their velocities. Bodies move on
//! from row to row, or in steps of up to half a pixel of the middle of the picture; limbs of figures stand still while their actor moves on.
//! Labels are pictures with two numbers of 16 bits a pixel, of class and body as of a lidar in three dimensions, of the nearest surface
//! on the ray through the middle of each pixel, however many samples it has. Detections are the smallest boxes around the pixels of each body
//! but ground, walls and maps.
//! Not modelled: motion blur, depth of focus, vignetting, automatic exposure.

mod camera_motion;
mod eye;
mod lens;
mod samples;
mod tiles;

use std::iter;

use rand::RngCore;
use skidpad_math::Pose3;
use skidpad_math::rng::{Rng, stream};
use skidpad_math::time::SimTime;
use skidpad_xml::{Accept, Reader};

use super::description::{label_bits, packed};
use super::mounting::read_mounting;
use super::{
    Column, Delivered, Measured, NumberType, ReadingData, Sensor, SensorContext, SensorDescription, SensorEntry,
    SensorInfo, SensorKind, SensorSize, SensorTopic, Values, View,
};
use crate::raycast::space::{Hit, Ray, Space};
pub(super) use camera_motion::{CameraMotion, Place, Scratch};
pub use eye::{ColorOrder, Film};
pub(super) use eye::{Eye, PictureRequest, RowNoise};
pub use lens::{Distortion, Lens};

/// What a camera is, for its messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraModel {
    /// Size, camera matrix and distortion.
    pub lens: Lens,
    /// Nearest and farthest distance seen [m].
    pub clip: [f64; 2],
    /// How light becomes bytes.
    pub film: Film,
    /// Quality of compressed pictures, 1 to 100; none: they are not sent.
    pub jpeg_quality: Option<u8>,
    /// Distance to the right of the left camera of a pair [m]; 0: of a camera alone.
    pub baseline: f64,
    /// Whether there are pictures of what it sees.
    pub has_labels: bool,
}

/// Mounting, model and rate of a camera.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraParameters {
    /// Mounting on the vehicle [m, rad], in optical axes: z ahead, x to the right, y down.
    pub body_from_sensor: Pose3,
    /// What it is.
    pub model: CameraModel,
    /// Whether it does not see its own vehicle.
    pub ignores_parent: bool,
    /// Time between pictures [ns].
    pub period: SimTime,
}

/// Optical axes at 0.5 m on a vehicle, that look ahead. In MVSim the default is upside down.
pub(super) const AHEAD: Pose3 =
    Pose3 { x: 0.0, y: 0.0, z: 0.5, yaw: -std::f64::consts::FRAC_PI_2, pitch: 0.0, roll: -std::f64::consts::FRAC_PI_2 };

impl Default for CameraParameters {
    fn default() -> CameraParameters {
        let model = CameraModel {
            lens: Lens::default(),
            clip: [0.01, 1e4],
            film: Film::default(),
            jpeg_quality: None,
            baseline: 0.0,
            has_labels: false,
        };
        CameraParameters { body_from_sensor: AHEAD, model, ignores_parent: false, period: SimTime(100_000_000) }
    }
}

/// A colour picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Photograph {
    /// Three bytes a pixel, row by row from the top.
    pub pixels: Vec<u8>,
    /// Class and body of each pixel, as of a [`CloudPoint`](super::CloudPoint); empty: not sensed.
    pub labels: Vec<[u16; 2]>,
    /// Number of rays that were cast to see them, without those to the sun and behind glass.
    pub rays: u64,
}

/// Its line of [`SENSORS`](super::SENSORS).
pub const ENTRY: SensorEntry = SensorEntry {
    name: "camera",
    help: "colour pictures through a lens with distortion",
    topics: &[
        SensorTopic { suffix: "/image_raw", message: "sensor_msgs/msg/Image" },
        SensorTopic { suffix: "/camera_info", message: "sensor_msgs/msg/CameraInfo" },
        COMPRESSED,
        LABELS,
        DETECTIONS,
    ],
    casts_rays: true,
    interpolates: false,
    read: |reader, context| Box::new(Camera::read(reader, context)),
};

impl SensorDescription for CameraModel {
    fn entry(&self) -> &'static SensorEntry {
        &ENTRY
    }

    fn in_words(&self, rate: &str) -> String {
        format!("camera, {}, {rate}", self.lens.in_words())
    }

    fn columns(&self) -> Option<Vec<Column>> {
        let (rows, columns) = (self.lens.rows, self.lens.columns);
        let labels = self.has_labels.then(|| Column::new("labels", [rows, columns, 2], NumberType::U16));
        Some(iter::once(Column::new("pixels", [rows, columns, 3], NumberType::U8)).chain(labels).collect())
    }

    fn values<'a>(&self, column: &str, sample: Delivered<'a>) -> Option<Values<'a>> {
        let ReadingData::Photograph(photograph) = sample.data else { return None };
        Some(if column == "pixels" { Values::U8(&photograph.pixels) } else { Values::U16(&photograph.labels) })
    }

    fn has_topic(&self, topic: &SensorTopic) -> bool {
        match topic.suffix {
            suffix if suffix == COMPRESSED.suffix => self.jpeg_quality.is_some(),
            suffix if suffix == LABELS.suffix || suffix == DETECTIONS.suffix => self.has_labels,
            _ => true,
        }
    }

    fn has_labels(&self) -> bool {
        self.has_labels
    }
}

impl Measured for Photograph {
    fn append_bits(&self, bits: &mut Vec<u64>) {
        // Its rays follow from the camera.
        let Photograph { pixels, labels, rays: _ } = self;
        bits.extend(packed(pixels).chain(label_bits(labels)));
    }

    fn bytes(&self) -> usize {
        self.pixels.len() + size_of_val(&self.labels[..])
    }

    fn rays(&self) -> u64 {
        self.rays
    }
}

/// Compressed pictures, on request.
const COMPRESSED: SensorTopic =
    SensorTopic { suffix: "/image_raw/compressed", message: "sensor_msgs/msg/CompressedImage" };

/// Pictures of classes and bodies, on request.
const LABELS: SensorTopic = SensorTopic { suffix: "/labels", message: "sensor_msgs/msg/Image" };

/// Boxes around the bodies in these pictures, with them.
const DETECTIONS: SensorTopic = SensorTopic { suffix: "/detections", message: "vision_msgs/msg/Detection2DArray" };

impl CameraModel {
    /// Number of labels of a picture.
    fn labels(&self) -> usize {
        if self.has_labels { self.lens.columns * self.lens.rows } else { 0 }
    }
}

/// Reads `<prefix>jpeg_quality`: none if it is not given.
pub(super) fn read_jpeg_quality(reader: &Reader<'_>, prefix: &str) -> Option<u8> {
    let tag = format!("{prefix}jpeg_quality");
    let is_given = reader.text(&tag).is_some();
    let quality = reader.integer(&tag, 80, Accept::range(1.0, 100.0)) as u8;
    is_given.then_some(quality)
}

/// A camera.
#[derive(Clone, Debug)]
pub struct Camera {
    info: SensorInfo,
    eye: Eye,
    model: CameraModel,
    ignores_parent: bool,
    noise: PictureNoise,
    scratch: Scratch,
}

impl Camera {
    /// A camera with the name in `context`.
    ///
    /// # Errors
    /// The first pixel, as column and row, at which the distortion has no inverse.
    pub fn new(parameters: CameraParameters, context: &SensorContext) -> Result<Camera, [usize; 2]> {
        let eye = Eye::new(parameters.model.lens, parameters.model.clip)?;
        Ok(Camera::with_eye(parameters, eye, context))
    }

    fn with_eye(parameters: CameraParameters, eye: Eye, context: &SensorContext) -> Camera {
        let CameraParameters { body_from_sensor, model, ignores_parent, period } = parameters;
        let name = context.name.clone();
        Camera {
            info: SensorInfo { name, period, body_from_sensor, kind: SensorKind::Camera(model) },
            eye,
            model,
            ignores_parent,
            noise: PictureNoise::new(context, "picture"),
            scratch: Scratch::default(),
        }
    }

    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, context: &SensorContext) -> Camera {
        let d = CameraParameters::default();
        reader.ignore(&["class", "name", "visual", "publish"]);
        let eye = Eye::read(reader, "", &d.model.lens, d.model.clip);
        let model = CameraModel {
            lens: eye.lens,
            clip: eye.clip,
            film: Film::read(reader, ""),
            jpeg_quality: read_jpeg_quality(reader, ""),
            baseline: reader.f64("stereo_baseline", d.model.baseline, Accept::any()),
            has_labels: reader.bool("labels", d.model.has_labels),
        };
        let parameters = CameraParameters {
            body_from_sensor: read_mounting(reader, d.body_from_sensor),
            model,
            ignores_parent: reader.bool("ignore_parent_body", d.ignores_parent),
            period: SimTime::from_secs(reader.f64("sensor_period", d.period.secs(), Accept::range(1e-4, 1e6))),
        };
        Camera::with_eye(parameters, eye, context)
    }
}

impl Sensor for Camera {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn needs_space(&self) -> bool {
        true
    }

    fn needs_colors(&self) -> bool {
        true
    }

    fn sees_motion(&self) -> bool {
        self.model.film.readout > 0.0
    }

    fn probes(&self) -> Vec<Ray> {
        if self.ignores_parent { Vec::new() } else { self.eye.probes(self.info.body_from_sensor).collect() }
    }

    fn size(&self) -> SensorSize {
        let pixels = self.eye.pixels() as u64;
        let sample = 3 * pixels + 4 * self.model.labels() as u64;
        let samples = self.model.film.samples;
        let scratch = self.eye.memory(samples);
        SensorSize { pixels: samples as u64 * pixels, sample, scratch, ..SensorSize::SMALL }
    }

    fn new_reading(&self) -> ReadingData {
        let labels = vec![[0; 2]; self.model.labels()];
        ReadingData::Photograph(Photograph { pixels: vec![0; 3 * self.eye.pixels()], labels, rays: 0 })
    }

    fn restart(&mut self) {
        self.noise.restart();
    }

    fn skip(&mut self, _time: SimTime, _world_from_body: Pose3) {
        self.noise.next();
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        let (ReadingData::Photograph(photograph), Some(space)) = (out, view.space) else { return };
        self.eye.open();
        let hidden = self.ignores_parent.then_some(view.vehicle);
        let film = &self.model.film;
        let motion = CameraMotion::new(view, self.info.body_from_sensor, film.readout, hidden);
        let Photograph { pixels, labels, rays } = photograph;
        *rays = self.eye.rays_of(film, self.model.has_labels);
        pixels.resize(3 * self.eye.pixels(), 0);
        labels.resize(self.model.labels(), [0; 2]);
        let request = PictureRequest { view, space, motion, film, noise: self.noise.next() };
        if self.model.has_labels {
            let label = |_, _: &Place, hit: Option<Hit>| label_of(space, hit);
            self.eye.photograph_and(&request, &mut self.scratch, pixels, labels, label);
        } else {
            self.eye.photograph(&request, &mut self.scratch, pixels);
        }
    }
}

/// Class and body of what a ray has met; 0 0 of nothing.
pub(super) fn label_of(space: &Space, hit: Option<Hit>) -> [u16; 2] {
    hit.map_or([0; 2], |hit| space.surface(&hit).label)
}

/// The source of each picture's noise.
#[derive(Clone, Debug)]
pub(super) struct PictureNoise {
    rng: Rng,
    /// As it was before the first picture.
    start: Rng,
}

impl PictureNoise {
    pub(super) fn new(context: &SensorContext, stream_name: &str) -> PictureNoise {
        let rng = stream(context.seed, &format!("{}/{}/{stream_name}", context.vehicle, context.name));
        PictureNoise { start: rng.clone(), rng }
    }

    pub(super) fn restart(&mut self) {
        self.rng.clone_from(&self.start);
    }

    /// That of the next picture.
    pub(super) fn next(&mut self) -> RowNoise {
        RowNoise(self.rng.next_u64())
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::space as test_space;
