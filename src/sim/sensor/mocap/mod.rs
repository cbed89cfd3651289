//! Marker body of a motion-capture system, `<sensor class="mocap">`: its pose in the world, as OptiTrack and Vicon give it.
//!
//! ```xml
//! <sensor class="mocap" name="mocap">            the name is that of the frame; the topic is <name>/pose
//!   <pose_3d>x y z yaw pitch roll</pose_3d>      the marker body on the vehicle [m], [deg]; default 0; or
//!   <pose>x y yaw</pose>                         at z = 0
//!   <position_std_noise>2e-4</…>                 of each sample, on each axis of the world [m]
//!   <orientation_std_noise>2e-3</…>              of each sample, about each axis of the marker body [rad]
//!   <position_…>, <orientation_…>                the other errors of module `errors`; steps of a resolution are those of yaw, pitch and roll
//!   <stamp>sample</stamp>                        what stamps say: when the sample was taken, or its `arrival`
//!   <stamp_std_noise>0</stamp_std_noise>         of the stamp [s], with `sample` alone, cut off at half of the period
//!   <sensor_period>0.01</sensor_period>          [s], ≥ 1e-4
//! </sensor>
//! ```
//! Latency, its jitter and drop-outs are those of module `delivery`. A vehicle with several marker bodies has several
//! sensors. The default noise is that of good systems: P. Merriaux et al., "A study of Vicon system positioning
//! performance", Sensors 17(7) 1591 (2017), found 0.15 mm at rest and less than 2 mm in motion. An orientation is as good as the
//! markers are far apart: 0.2 mm over 0.1 m are 2 mrad. Not modelled: the volume that cameras see, single markers, and bodies that are mistaken
//! for others.

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Accept, Reader};

use super::errors::{ErrorParameters, Errors};
use super::mounting::read_mounting;
use super::{
    Column, Delivered, Measured, NumberType, ReadingData, Sensor, SensorContext, SensorDescription, SensorEntry,
    SensorInfo, SensorKind, SensorSize, SensorTopic, Values, View, WhiteNoise,
};

/// What the stamps of a motion-capture system say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MocapStamp {
    /// When the sample was taken, as the cameras count it.
    #[default]
    Sample,
    /// When it arrived, as drivers stamp that do not know the clock of the cameras.
    Arrival,
}

impl MocapStamp {
    /// Their names in world files, in the order of the variants.
    pub const NAMES: [(&str, MocapStamp); 2] = [("sample", MocapStamp::Sample), ("arrival", MocapStamp::Arrival)];
}

/// Mounting and accuracy of a marker body.
#[derive(Clone, Debug, PartialEq)]
pub struct MocapParameters {
    /// The marker body on the vehicle [m, rad].
    pub body_from_sensor: Pose3,
    /// Errors on each axis of the world [m].
    pub position: ErrorParameters,
    /// Errors about each axis of the marker body [rad].
    pub orientation: ErrorParameters,
    /// What stamps say.
    pub stamp: MocapStamp,
    /// Standard deviation of the stamps [s].
    pub stamp_std: f64,
    /// Time between samples [ns].
    pub period: SimTime,
}

impl Default for MocapParameters {
    fn default() -> MocapParameters {
        MocapParameters {
            body_from_sensor: Pose3::default(),
            position: ErrorParameters::white(2e-4),
            orientation: ErrorParameters::white(2e-3),
            stamp: MocapStamp::Sample,
            stamp_std: 0.0,
            period: SimTime(10_000_000),
        }
    }
}

/// A sample of a motion-capture system.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MarkerPose {
    /// The marker body in the world [m, rad].
    pub world_from_marker: Pose3,
    /// What its stamp is late by [ns], negative: early.
    pub stamp_error: SimTime,
}

impl MarkerPose {
    /// The stamp [ns] of a sample that was taken at `time` and has arrived at `arrived` [ns].
    pub fn stamp(&self, stamp: MocapStamp, time: SimTime, arrived: SimTime) -> SimTime {
        let exact = match stamp {
            MocapStamp::Sample => time,
            MocapStamp::Arrival => arrived,
        };
        exact + self.stamp_error
    }
}

/// Its line of [`SENSORS`](super::SENSORS).
pub const ENTRY: SensorEntry = SensorEntry {
    name: "mocap",
    help: "motion capture: the pose of a marker body in the world",
    topics: &[SensorTopic { suffix: "/pose", message: "geometry_msgs/msg/PoseStamped" }],
    casts_rays: false,
    interpolates: true,
    read: |reader, context| Box::new(Mocap::read(reader, context)),
};

impl SensorDescription for MocapStamp {
    fn entry(&self) -> &'static SensorEntry {
        &ENTRY
    }

    fn in_words(&self, rate: &str) -> String {
        let stamped = match self {
            MocapStamp::Sample => "",
            MocapStamp::Arrival => ", stamped on arrival",
        };
        format!("marker body of a motion capture, {rate}{stamped}")
    }

    fn columns(&self) -> Option<Vec<Column>> {
        Some(vec![
            Column::new("position", [3], NumberType::F64),
            Column::new("orientation", [4], NumberType::F64),
            Column::new("stamp", [], NumberType::F64),
        ])
    }

    fn values<'a>(&self, column: &str, Delivered { time, arrived, data }: Delivered<'a>) -> Option<Values<'a>> {
        let ReadingData::MarkerPose(sample) = data else { return None };
        Some(match column {
            "position" => Values::few(sample.world_from_marker.position().into()),
            "orientation" => Values::few(sample.world_from_marker.quaternion()),
            _ => Values::few([sample.stamp(*self, time, arrived).secs()]),
        })
    }
}

impl Measured for MarkerPose {
    fn append_bits(&self, bits: &mut Vec<u64>) {
        let MarkerPose { world_from_marker: p, stamp_error } = self;
        bits.extend([p.x, p.y, p.z, p.yaw, p.pitch, p.roll].map(f64::to_bits));
        bits.push(stamp_error.0 as u64);
    }
}

/// A marker body, with the cameras that see it.
#[derive(Clone, Debug)]
pub struct Mocap {
    info: SensorInfo,
    position: Errors,
    orientation: Errors,
    /// For the quantisation steps of the angles.
    of_orientation: ErrorParameters,
    stamps: WhiteNoise,
    stamp_std: f64,
    /// Time of the sample before.
    before: Option<SimTime>,
}

impl Mocap {
    /// A marker body with the name in `context`.
    pub fn new(parameters: MocapParameters, context: &SensorContext) -> Mocap {
        let MocapParameters { body_from_sensor, position, orientation, stamp, stamp_std, period } = parameters;
        let stream = |name| format!("{}/{}/{name}", context.vehicle, context.name);
        let kind = SensorKind::Mocap(stamp);
        Mocap {
            info: SensorInfo { name: context.name.clone(), period, body_from_sensor, kind },
            position: Errors::new([position; 3], context.seed, &stream("position")),
            // The reported angles are quantised, not their errors.
            orientation: Errors::new(
                [ErrorParameters { resolution: 0.0, ..orientation }; 3],
                context.seed,
                &stream("orientation"),
            ),
            of_orientation: orientation,
            stamps: WhiteNoise::new(context.seed, &stream("stamp")),
            stamp_std,
            before: None,
        }
    }

    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, context: &SensorContext) -> Mocap {
        let d = MocapParameters::default();
        reader.ignore(&["class", "name", "visual", "publish"]);
        let period = reader.f64("sensor_period", d.period.secs(), Accept::range(1e-4, 1e6));
        let parameters = MocapParameters {
            body_from_sensor: read_mounting(reader, d.body_from_sensor),
            position: ErrorParameters::read(reader, "position", d.position, period),
            orientation: ErrorParameters::read(reader, "orientation", d.orientation, period),
            stamp: reader.choice("stamp", d.stamp, &MocapStamp::NAMES),
            stamp_std: reader.f64("stamp_std_noise", d.stamp_std, Accept::range(0.0, 10.0)),
            period: SimTime::from_secs(period),
        };
        if parameters.stamp == MocapStamp::Arrival && parameters.stamp_std > 0.0 {
            reader
                .error_at("stamp_std_noise", "stamps of the arrival have no noise of their own")
                .accepted(["sample_delay_std_noise, which varies the arrival"]);
        }
        Mocap::new(parameters, context)
    }

    /// What the stamp of the next sample is late by [ns]: less than half of the period, so that stamps keep their order.
    fn stamp_error(&mut self) -> SimTime {
        let most = (self.info.period.0 - 1) / 2;
        let error = SimTime::from_secs(self.stamp_std * self.stamps.sample());
        SimTime(error.0.clamp(-most, most))
    }
}

impl Sensor for Mocap {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn size(&self) -> SensorSize {
        SensorSize::SMALL
    }

    fn new_reading(&self) -> ReadingData {
        ReadingData::MarkerPose(MarkerPose::default())
    }

    fn restart(&mut self) {
        self.position.restart();
        self.orientation.restart();
        self.stamps.restart();
        self.before = None;
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        let ReadingData::MarkerPose(sample) = out else { return };
        let elapsed = self.before.map_or(self.info.period, |before| view.time - before).secs();
        self.before = Some(view.time);
        let truth = view.world_from_body * self.info.body_from_sensor;
        let position = self.position.disturb(truth.position(), elapsed);
        let turn = self.orientation.disturb(Vec3::zeros(), elapsed);
        let error = Pose3 { roll: turn.x, pitch: turn.y, yaw: turn.z, ..Pose3::default() };
        let reported = Pose3::from_parts(position, &(truth.rotation() * error.rotation()));
        let [yaw, pitch, roll] =
            [reported.yaw, reported.pitch, reported.roll].map(|angle| self.of_orientation.quantised(angle));
        let world_from_marker = Pose3 { yaw, pitch, roll, ..reported };
        *sample = MarkerPose { world_from_marker, stamp_error: self.stamp_error() };
    }
}

#[cfg(test)]
mod tests;
