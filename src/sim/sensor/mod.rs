//! Sensors: what a vehicle perceives of the world, and when.
//!
//! A sensor is a folder with its manual page on top, a line in [`SENSORS`], a variant of [`SensorKind`] and of [`ReadingData`]. It sees the world through a [`View`] and
//! writes into a [`Reading`] whose buffers are reused. Noise comes from seeded streams of its own.

mod budget;
pub mod camera;
pub mod contact;
mod delivery;
pub mod description;
pub mod encoder;
mod errors;
pub mod gnss;
pub mod imu;
pub mod lidar2d;
pub mod lidar3d;
pub mod magnetometer;
pub mod mocap;
mod motion;
mod mounting;
pub mod naming;
mod noise;
mod probe;
pub mod range;
mod range_errors;
mod reading;
pub mod rgbd_camera;
mod samples;
mod triad;
mod turn;

use std::sync::Arc;

use skidpad_files::assets::Cancel;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Twist2, Vec3};
use skidpad_xml::Reader;

use crate::georeference::Georeference;
use crate::raycast::space::{Ray, Space};
use crate::raycast::{GridCaster, Obstacles};
use crate::vehicle::suspension::Lean;
pub use budget::{Claim, Excess, MAX_DATA_RATE, MAX_MEMORY, MAX_PIXELS, MAX_RAYS, SensorLoad, SensorSize};
pub use camera::{Camera, CameraModel, CameraParameters, Photograph};
pub use contact::{Contact, ContactParameters, ContactSector, ContactSensor, Touch};
pub use delivery::{DeliveredSensor, DeliveryParameters};
pub use description::{Column, Measured, NumberType, SensorDescription, Values};
pub use encoder::{Encoder, EncoderInfo, EncoderParameters, EncoderTicks};
pub use errors::ErrorParameters;
pub use gnss::{Gnss, GnssAccuracy, GnssFix, GnssParameters};
pub use imu::{Imu, ImuNoise, ImuParameters, ImuSample, ImuVariances};
pub use lidar2d::{Lidar2d, Lidar2dParameters, NoReturn, ScanMotion, ScanStamp};
pub use lidar3d::{Cloud, CloudGeometry, CloudLayout, CloudPoint, Lidar3d, Lidar3dParameters};
pub use magnetometer::{Magnetometer, MagnetometerAccuracy, MagnetometerParameters, MagnetometerSample};
pub use mocap::{MarkerPose, Mocap, MocapParameters, MocapStamp};
pub use range::{Radiation, RangeFinder, RangeGeometry, RangeParameters, RangeSample};
pub use range_errors::RangeErrorParameters;
pub use reading::{Delivered, Reading, ReadingData, Scan, ScanGeometry, SensorInfo, SensorKind};
pub use rgbd_camera::{RgbdCamera, RgbdModel, RgbdPhotograph};
pub use samples::{Sample, Samples};
pub(crate) use skidpad_math::noise::WhiteNoise;
pub use triad::TriadParameters;

/// How a wheel turns about its axle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelSpin {
    /// Angle [rad], increasing forwards; kept below 10 000 rad by leaving out whole turns.
    pub angle: f64,
    /// Its rate [rad/s].
    pub rate: f64,
}

/// What a sensor may look at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Simulated time of the sample [ns].
    pub time: SimTime,
    /// Pose of the vehicle that carries the sensor [m, rad].
    pub world_from_body: Pose3,
    /// Velocity of its reference point in the heading frame [m/s, rad/s]: x ahead, y to the left, level.
    pub velocity_in_body: Twist2,
    /// How springs carry its body; none: it follows the ground.
    pub lean: Option<Lean>,
    /// Time since it was last placed, other than by driving [ns].
    pub since_set_down: SimTime,
    /// Acceleration of free fall [m/s²].
    pub gravity: f64,
    /// Where the world lies on Earth; none if it does not.
    pub georeference: Option<&'a Georeference>,
    /// Whether satellites are received at a point of the world [m].
    pub has_coverage: &'a (dyn Fn(Vec3) -> bool + Sync),
    /// How a wheel of the vehicle turns, by its index.
    pub spin_of: &'a (dyn Fn(usize) -> WheelSpin + Sync),
    /// Vertical extent of that vehicle in the world [m]; of all heights where storeys do not count.
    pub heights: [f64; 2],
    /// Index of that vehicle, which does not see itself.
    pub vehicle: usize,
    /// Occupancy maps.
    pub grids: &'a [Arc<GridCaster>],
    /// Vehicles, blocks and walls.
    pub obstacles: &'a Obstacles,
    /// Everything in three dimensions, if a sensor of the world [needs it](Sensor::needs_space).
    pub space: Option<&'a Space>,
    /// Standard deviation of the range noise [m] instead of the sensor's own.
    pub range_noise_override: Option<f64>,
    /// What beams of planar lidars without a return read, instead of what the sensor's own do.
    pub no_return_override: Option<NoReturn>,
    /// Cancels the look, whose result is then of no use.
    pub cancel: Option<&'a Cancel>,
}

impl View<'_> {
    /// That of a vehicle at rest at the origin, among `obstacles` alone: to try a sensor by itself.
    pub fn at_rest(obstacles: &Obstacles) -> View<'_> {
        View {
            time: SimTime::ZERO,
            world_from_body: Pose3::default(),
            velocity_in_body: Twist2::default(),
            lean: None,
            since_set_down: SimTime::from_secs(1e3),
            gravity: 9.81,
            georeference: None,
            has_coverage: &|_| true,
            spin_of: &|_| WheelSpin::default(),
            heights: [0.0, 0.6],
            vehicle: 0,
            grids: &[],
            obstacles,
            space: None,
            range_noise_override: None,
            no_return_override: None,
            cancel: None,
        }
    }

    /// Whether the look has been cancelled. Sensors that cast many rays ask between batches of them, since a large picture takes seconds.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_cancelled)
    }

    /// Angle from east to the world's x axis [rad], to be added to a yaw; 0 where the world does not lie on Earth.
    pub fn enu_from_world(&self) -> f64 {
        self.georeference.map_or(0.0, Georeference::world_to_enu_rotation)
    }
}

/// A sensor on a vehicle.
pub trait Sensor: Send + Sync {
    /// What it is.
    fn info(&self) -> &SensorInfo;

    /// Whether it needs [`View::space`].
    fn needs_space(&self) -> bool {
        false
    }

    /// Whether it needs the pictures, the light and the sky of [`View::space`], as cameras do.
    fn needs_colors(&self) -> bool {
        false
    }

    /// Whether it needs how what is in [`View::space`] moves, as a rolling shutter does.
    fn sees_motion(&self) -> bool {
        false
    }

    /// A few of its rays in three dimensions, spread over its field of view, in the frame of the vehicle that carries
    /// it [m]; none of a sensor that does not see that vehicle.
    fn probes(&self) -> Vec<Ray> {
        Vec::new()
    }

    /// What a sample takes, for the budget of a world.
    fn size(&self) -> SensorSize;

    /// Whether it can sample between steps, where what it measures is known: the motion of a body is smooth, and what its surroundings look
    /// like is not.
    fn interpolates(&self) -> bool {
        self.info().kind.interpolates()
    }

    /// An empty reading with room for a sample.
    fn new_reading(&self) -> ReadingData;

    /// Whether it looks between its samples too, at every step, as a spinning lidar does.
    fn watches(&self) -> bool {
        false
    }

    /// Looks at a step without a sample, if it [watches](Self::watches).
    fn watch(&mut self, _view: &View<'_>) {}

    /// Whether it is told of [everything that touches](Self::feel) the vehicle, at every step.
    fn feels(&self) -> bool {
        false
    }

    /// Takes note of a point at which the vehicle touches another body, if it [feels](Self::feels) that.
    fn feel(&mut self, _touch: &Touch<'_>) {}

    /// How its samples are delivered; none if at once.
    fn delivery(&mut self) -> Option<&mut DeliveredSensor> {
        None
    }

    /// Starts its noise over.
    fn restart(&mut self);

    /// Passes over a sample at `time` [ns] that nobody wants, of a vehicle with this pose [m, rad]: later ones are as
    /// if it had been taken. To be written by those that [cast rays](SensorKind::casts_rays); the others are always
    /// sampled.
    fn skip(&mut self, _time: SimTime, _world_from_body: Pose3) {}

    /// Takes a sample. Writes all of `out`, which holds an earlier one.
    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData);
}

/// What a sensor needs to know of its surroundings when it is read from a file.
#[derive(Clone, Debug)]
pub struct SensorContext {
    /// Seed of the world.
    pub seed: u64,
    /// Name of the vehicle that carries it.
    pub vehicle: String,
    /// Name of the sensor.
    pub name: String,
    /// Names of the wheels of the vehicle.
    pub wheels: Vec<String>,
}

/// A topic of a class of sensors.
#[derive(Debug)]
pub struct SensorTopic {
    /// What its name has after that of the sensor, such as `/camera_info`; empty: the sensor's name alone.
    pub suffix: &'static str,
    /// Type of its messages.
    pub message: &'static str,
}

/// A line of [`SENSORS`].
#[derive(Debug)]
pub struct SensorEntry {
    /// Value of `class` in `<sensor class="…">`.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The topics that carry its readings: all that a sensor of this class can have.
    pub topics: &'static [SensorTopic],
    /// Whether it casts rays, which cost more than all else.
    pub casts_rays: bool,
    /// Whether it measures its own motion, which is known between steps too.
    pub interpolates: bool,
    /// Builds it from its XML block.
    pub read: fn(&Reader<'_>, &SensorContext) -> Box<dyn Sensor>,
}

/// All sensors by their name in world files.
pub const SENSORS: &[&SensorEntry] = &[
    &lidar2d::ENTRY,
    &lidar3d::ENTRY,
    &camera::ENTRY,
    &rgbd_camera::ENTRY,
    &imu::ENTRY,
    &gnss::ENTRY,
    &magnetometer::ENTRY,
    &encoder::ENTRY,
    &contact::ENTRY,
    &range::ENTRY,
    &mocap::ENTRY,
];
