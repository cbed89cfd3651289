//! What sensors deliver. Readings and kinds of sensor are enums, each matched on once, for what the sensor says of itself in its folder
//! ([`SensorDescription`], [`Measured`]). Only messages are made elsewhere, by whoever knows ROS.

use skidpad_math::Pose3;
use skidpad_math::time::SimTime;

use super::contact::{Contact, ContactSector};
use super::description::{Measured, SensorDescription};
use super::encoder::{EncoderInfo, EncoderTicks};
use super::gnss::{GnssAccuracy, GnssFix};
use super::imu::{ImuSample, ImuVariances};
use super::lidar2d::ScanMotion;
use super::magnetometer::{MagnetometerAccuracy, MagnetometerSample};
use super::mocap::{MarkerPose, MocapStamp};
use super::range::{RangeGeometry, RangeSample};
use super::{
    CameraModel, Cloud, CloudGeometry, Lidar2dParameters, Photograph, RgbdModel, RgbdPhotograph, Samples, Sensor,
    SensorEntry, SensorTopic,
};

/// The reading slot of one sensor. Its buffers are reused from sample to sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Index of the vehicle in [`Scene::vehicles`](crate::world::Scene).
    pub vehicle: usize,
    /// Index of the sensor in the vehicle's [`sensors`](crate::world::VehicleInfo).
    pub sensor: usize,
    /// Simulated time of the sample [ns].
    pub time: SimTime,
    /// Simulated time at which it was delivered [ns]: later than the sample if the sensor [delays](super::DeliveryParameters) it.
    pub arrived: SimTime,
    /// Simulated time at which a sample would have been delivered that was not [taken](crate::world::World::want), if that was later [ns].
    pub passed: SimTime,
    /// Pose of the vehicle in the world at the sample [m, rad].
    pub world_from_body: Pose3,
    /// The measured values.
    pub data: ReadingData,
    /// Samples that were delivered in the same step before it, of a sensor that [samples between steps](Sensor::interpolates).
    pub earlier: Samples,
}

/// A sample as it is delivered.
#[derive(Clone, Copy, Debug)]
pub struct Delivered<'a> {
    /// Simulated time of the sample [ns].
    pub time: SimTime,
    /// Simulated time at which it was delivered [ns].
    pub arrived: SimTime,
    /// The measured values.
    pub data: &'a ReadingData,
}

/// The time of a reading that has not been taken [ns].
const NEVER: SimTime = SimTime(-1);

impl Reading {
    /// The slot for the sensor with index `number` on the vehicle with index `vehicle`, before its first sample.
    pub fn empty(sensor: &dyn Sensor, vehicle: usize, number: usize) -> Reading {
        let (time, world_from_body) = (NEVER, Pose3::default());
        let (data, earlier) = (sensor.new_reading(), Samples::default());
        Reading { vehicle, sensor: number, time, arrived: time, passed: time, world_from_body, data, earlier }
    }

    /// Whether it was delivered at this simulated time [ns].
    #[inline]
    pub fn is_fresh(&self, now: SimTime) -> bool {
        self.arrived == now
    }

    /// Whether a sample was to be delivered at this simulated time [ns], taken or not: what goes with readings does not
    /// depend on who reads them.
    #[inline]
    pub fn was_due(&self, now: SimTime) -> bool {
        self.arrived == now || self.passed == now
    }

    /// All samples that were delivered together, in the order of their times, itself as the last one.
    pub fn samples(&self) -> impl Iterator<Item = Delivered<'_>> {
        let arrived = self.arrived;
        let earlier = self.earlier.as_slice().iter();
        let earlier = earlier.map(move |sample| Delivered { time: sample.time, arrived, data: &sample.data });
        earlier.chain(std::iter::once(Delivered { time: self.time, arrived, data: &self.data }))
    }

    /// Forgets when and where it was taken: it is not fresh in any frame.
    pub fn forget(&mut self) {
        self.world_from_body = Pose3::default();
        (self.time, self.arrived, self.passed) = (NEVER, NEVER, NEVER);
        self.earlier.clear();
    }

    /// Notes that the sample that would be delivered `now` [ns] was not taken: whoever looks finds none, rather than an old one.
    pub(crate) fn pass(&mut self, now: SimTime) {
        self.forget();
        self.passed = now;
    }

    /// Copies another reading into the buffers of this one.
    pub fn copy_from(&mut self, other: &Reading) {
        (self.vehicle, self.sensor) = (other.vehicle, other.sensor);
        (self.time, self.arrived, self.passed) = (other.time, other.arrived, other.passed);
        self.world_from_body = other.world_from_body;
        self.data.copy_from(&other.data);
        self.earlier.copy_from(&other.earlier);
    }
}

/// The measured values, by kind of sensor.
#[derive(Clone, Debug, PartialEq)]
pub enum ReadingData {
    /// A planar laser scan.
    Scan(Scan),
    /// The points of a lidar in three dimensions.
    Cloud(Cloud),
    /// The picture of a camera.
    Photograph(Photograph),
    /// The pictures of a camera for colour and depth.
    Rgbd(RgbdPhotograph),
    /// A sample of an inertial measurement unit.
    Imu(ImuSample),
    /// A fix of a satellite receiver; none without reception.
    Gnss(Option<GnssFix>),
    /// Ticks of wheel encoders.
    Ticks(EncoderTicks),
    /// A sample of a magnetometer.
    MagneticField(MagnetometerSample),
    /// What has touched a contact sensor since its last sample.
    Contacts(Vec<Contact>),
    /// The range of a range finder.
    Range(RangeSample),
    /// The pose of a marker body.
    MarkerPose(MarkerPose),
}

impl ReadingData {
    /// The scan of a planar lidar; none of another sensor.
    pub fn scan(&self) -> Option<&Scan> {
        if let ReadingData::Scan(scan) = self { Some(scan) } else { None }
    }

    /// The same, to write.
    pub fn scan_mut(&mut self) -> Option<&mut Scan> {
        if let ReadingData::Scan(scan) = self { Some(scan) } else { None }
    }

    /// What the sample says of itself.
    fn measured(&self) -> &dyn Measured {
        match self {
            ReadingData::Scan(sample) => sample,
            ReadingData::Cloud(sample) => sample,
            ReadingData::Photograph(sample) => sample,
            ReadingData::Rgbd(sample) => sample,
            ReadingData::Imu(sample) => sample,
            ReadingData::Gnss(sample) => sample,
            ReadingData::Ticks(sample) => sample,
            ReadingData::MagneticField(sample) => sample,
            ReadingData::Contacts(sample) => sample,
            ReadingData::Range(sample) => sample,
            ReadingData::MarkerPose(sample) => sample,
        }
    }

    /// Size of what it refers to [bytes], where that grows with the sensor.
    pub fn bytes(&self) -> usize {
        self.measured().bytes()
    }

    /// Number of rays that were cast for it.
    pub fn rays(&self) -> u64 {
        self.measured().rays()
    }

    /// Appends all its numbers as bits, for comparisons of runs.
    pub fn append_bits(&self, bits: &mut Vec<u64>) {
        self.measured().append_bits(bits);
    }

    /// Copies another reading into the buffers of this one.
    pub fn copy_from(&mut self, other: &ReadingData) {
        match (self, other) {
            (ReadingData::Scan(scan), ReadingData::Scan(Scan { ranges, intensities, labels, since_end })) => {
                scan.ranges.clone_from(ranges);
                scan.intensities.clone_from(intensities);
                scan.labels.clone_from(labels);
                scan.since_end = *since_end;
            }
            (ReadingData::Cloud(cloud), ReadingData::Cloud(other)) => cloud.copy_from(other),
            (ReadingData::Photograph(photograph), ReadingData::Photograph(other)) => {
                photograph.pixels.clone_from(&other.pixels);
                photograph.labels.clone_from(&other.labels);
                photograph.rays = other.rays;
            }
            (ReadingData::Rgbd(both), ReadingData::Rgbd(other)) => {
                both.pixels.clone_from(&other.pixels);
                both.depths.clone_from(&other.depths);
                both.labels.clone_from(&other.labels);
                both.depth_labels.clone_from(&other.depth_labels);
                both.rays = other.rays;
            }
            (ReadingData::Ticks(ticks), ReadingData::Ticks(other)) => {
                ticks.counts.clone_from(&other.counts);
                ticks.rates.clone_from(&other.rates);
            }
            (ReadingData::Contacts(contacts), ReadingData::Contacts(other)) => contacts.clone_from(other),
            (data, other) => *data = other.clone(),
        }
    }
}

/// One sweep of a planar lidar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scan {
    /// Range of each beam [m], in order of angle; +inf: no return, -inf: closer than `range_min`, NaN: invalid (REP 117).
    pub ranges: Vec<f32>,
    /// Intensity of each beam, 0 without a return; empty: not measured.
    pub intensities: Vec<f32>,
    /// Class and body of what each beam meets, as of a [`CloudPoint`](super::CloudPoint); empty: not sensed.
    pub labels: Vec<[u16; 2]>,
    /// Time from the last measurement of a rotating lidar to the reading [ns].
    pub since_end: SimTime,
}

/// What a sensor is, fixed when the world is loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorInfo {
    /// Name in the world file; the ROS topic and the frame.
    pub name: String,
    /// Time between samples [ns]: of a sensor by itself as its file says, on a vehicle of a world as it [is there](Self::in_steps_of).
    pub period: SimTime,
    /// Pose of the sensor in the vehicle's reference frame [m, rad].
    pub body_from_sensor: Pose3,
    /// What its readings look like.
    pub kind: SensorKind,
}

impl Default for SensorInfo {
    /// A planar lidar without a name, of which a file says nothing more.
    fn default() -> SensorInfo {
        let Lidar2dParameters { body_from_sensor, period, .. } = Lidar2dParameters::default();
        let kind = SensorKind::Lidar2d(ScanGeometry::default());
        SensorInfo { name: String::new(), period, body_from_sensor, kind }
    }
}

impl SensorInfo {
    /// Time between its samples [ns] in a world with this step.
    pub fn interval(&self, step: SimTime) -> SimTime {
        if self.kind.interpolates() { self.period } else { self.period.max(step) }
    }

    /// The same with the period that it has in a world with this step [ns].
    pub fn in_steps_of(&self, step: SimTime) -> SensorInfo {
        SensorInfo { period: self.interval(step), ..self.clone() }
    }
}

/// The fixed description of a sensor, by kind.
#[derive(Clone, Debug, PartialEq)]
pub enum SensorKind {
    /// A planar lidar.
    Lidar2d(ScanGeometry),
    /// A lidar in three dimensions.
    Lidar3d(CloudGeometry),
    /// A camera.
    Camera(CameraModel),
    /// A camera for colour and depth.
    Rgbd(Box<RgbdModel>),
    /// An inertial measurement unit.
    Imu(ImuVariances),
    /// A satellite receiver.
    Gnss(GnssAccuracy),
    /// Wheel encoders.
    Encoder(EncoderInfo),
    /// A magnetometer.
    Magnetometer(MagnetometerAccuracy),
    /// A contact sensor, which feels the contacts in these directions.
    Contact(ContactSector),
    /// A range finder.
    Range(RangeGeometry),
    /// A marker body of a motion-capture system, with what its stamps say.
    Mocap(MocapStamp),
}

impl SensorKind {
    /// What the kind says of itself.
    pub fn description(&self) -> &dyn SensorDescription {
        match self {
            SensorKind::Lidar2d(geometry) => geometry,
            SensorKind::Lidar3d(geometry) => geometry,
            SensorKind::Camera(model) => model,
            SensorKind::Rgbd(model) => &**model,
            SensorKind::Imu(variances) => variances,
            SensorKind::Gnss(accuracy) => accuracy,
            SensorKind::Encoder(encoder) => encoder,
            SensorKind::Magnetometer(accuracy) => accuracy,
            SensorKind::Contact(sector) => sector,
            SensorKind::Range(geometry) => geometry,
            SensorKind::Mocap(stamp) => stamp,
        }
    }

    /// The line of [`SENSORS`](super::SENSORS) that makes it.
    pub fn entry(&self) -> &'static SensorEntry {
        self.description().entry()
    }

    /// Whether it casts rays, which cost more than all else: readings that nobody wants are not taken then.
    pub fn casts_rays(&self) -> bool {
        self.entry().casts_rays
    }

    /// Whether it measures distances whose noise a run can [set](crate::world::World::set_range_noise_of).
    pub fn has_range_noise(&self) -> bool {
        matches!(self, SensorKind::Lidar2d(_) | SensorKind::Lidar3d(_) | SensorKind::Range(_))
    }

    /// Whether it measures its own motion, which is known between steps too: then it samples at the instants of its
    /// period whatever the step is. The others look at their surroundings, which are known at steps alone.
    pub fn interpolates(&self) -> bool {
        self.entry().interpolates
    }

    /// The topics that this sensor has, in the order of its class.
    pub fn topics(&self) -> impl Iterator<Item = &'static SensorTopic> + use<'_> {
        let description = self.description();
        description.entry().topics.iter().filter(move |topic| description.has_topic(topic))
    }

    /// The frames that it has beside its own: what their names have after that, and their poses there [m, rad].
    pub fn frames(&self) -> Vec<(&'static str, Pose3)> {
        self.description().frames()
    }

    /// Whether its readings have labels.
    pub fn has_labels(&self) -> bool {
        self.description().has_labels()
    }

    /// The beams of a planar lidar; none of another sensor.
    pub fn lidar(&self) -> Option<&ScanGeometry> {
        if let SensorKind::Lidar2d(geometry) = self { Some(geometry) } else { None }
    }
}

/// The beams of a planar lidar: `count` of them from `angle_min` in steps of `angle_increment`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScanGeometry {
    /// Number of beams, at least 1.
    pub count: usize,
    /// Angle of the first beam [rad], about the sensor's z axis from its x axis.
    pub angle_min: f64,
    /// Angle between neighbours [rad]; 0 with a single beam.
    pub angle_increment: f64,
    /// Closer objects read -inf [m].
    pub range_min: f64,
    /// Farther objects read +inf [m].
    pub range_max: f64,
    /// Standard deviation of the range noise [m], for consumers that want it.
    pub range_std: f64,
    /// Whether the scan is published as points too.
    pub has_points: bool,
    /// Whether these have what they belong to.
    pub has_labels: bool,
    /// Intensity of a white surface at a right angle; none: there are no intensities.
    pub white: Option<f64>,
    /// When the beams are measured; none: all at one instant.
    pub motion: Option<ScanMotion>,
}

impl ScanGeometry {
    /// Angle of a beam about the sensor's z axis [rad], from its x axis.
    pub fn angle(&self, beam: usize) -> f64 {
        self.angle_min + beam as f64 * self.angle_increment
    }
}
