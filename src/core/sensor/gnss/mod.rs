//! Satellite receiver, `<sensor class="gnss">`: latitude, longitude and height of its antenna.
//!
//! ```xml
//! <sensor class="gnss" name="gps">               the name is the ROS topic and the frame
//!   <pose_3d>x y z yaw pitch roll</pose_3d>      the antenna on the vehicle [m], [deg]; default 0; or
//!   <pose>x y yaw</pose>                         at z = 0
//!   <horizontal_std_noise>2</…>                  of each fix, along east and north [m]
//!   <vertical_std_noise>4</…>                    of each fix, upwards [m]
//!   <horizontal_…>, <vertical_…>                 the other errors of module `drift`: density, random walk, wandering bias, turn-on bias
//!   <publish_no_fix>false</publish_no_fix>       true: without reception send messages that say so, instead of none
//!   <sensor_period>0.1</sensor_period>           [s], ≥ 1e-4
//! </sensor>
//! ```
//! The place is that of the antenna at the vehicle's attitude, converted by the world's `<georeference>` (WGS-84); heights are above the
//! ellipsoid. Errors are added along east, north and up at the antenna. There is no fix in worlds without a place on Earth, beyond the grid
//! of a UTM world, and where the antenna is in a region with `gps_no_coverage`. Not modelled: satellites, multipath, latency, the geoid.

use super::drift::{Drift, DriftParameters};
use super::mounting::read_mounting;
use super::{ReadingData, Sensor, SensorContext, SensorEntry, SensorInfo, SensorKind, SensorTopic, View};
use crate::georeference::Geodetic;
use crate::math::{Pose3, Vec3};
use crate::time::SimTime;
use crate::xml::{Accept, Reader};

/// Mounting and accuracy of a satellite receiver.
#[derive(Clone, Debug, PartialEq)]
pub struct GnssParameters {
    /// The antenna on the vehicle [m, rad].
    pub body_from_sensor: Pose3,
    /// Errors along east, and along north [m].
    pub horizontal: DriftParameters,
    /// Errors upwards [m].
    pub vertical: DriftParameters,
    /// Whether it sends messages that say that it has no fix.
    pub publishes_no_fix: bool,
    /// Time between fixes [ns].
    pub period: SimTime,
}

impl Default for GnssParameters {
    fn default() -> GnssParameters {
        GnssParameters {
            body_from_sensor: Pose3::default(),
            horizontal: DriftParameters::white(2.0),
            vertical: DriftParameters::white(4.0),
            publishes_no_fix: false,
            period: SimTime(100_000_000),
        }
    }
}

/// How accurate a satellite receiver is, and what it says without a fix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GnssAccuracy {
    /// Variance along east, and along north [m²].
    pub horizontal_variance: f64,
    /// Variance upwards [m²].
    pub vertical_variance: f64,
    /// Whether it sends messages that say that it has no fix.
    pub publishes_no_fix: bool,
}

/// A fix of a satellite receiver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GnssFix {
    /// The measured place of the antenna; none without a fix.
    pub place: Option<Geodetic>,
}

/// Its line of [`SENSORS`](super::SENSORS).
pub const ENTRY: SensorEntry = SensorEntry {
    name: "gnss",
    help: "satellite receiver: latitude, longitude and height",
    topics: &[SensorTopic { suffix: "", message: "sensor_msgs/msg/NavSatFix" }],
    read: |reader, context| Box::new(Gnss::read(reader, context)),
};

/// A satellite receiver.
#[derive(Clone, Debug)]
pub struct Gnss {
    info: SensorInfo,
    /// Along east, north and up.
    position: Drift,
    /// Time of the sample before, with or without a fix.
    before: Option<SimTime>,
}

impl Gnss {
    /// A satellite receiver with the name in `context`.
    pub fn new(parameters: GnssParameters, context: &SensorContext) -> Gnss {
        let GnssParameters { body_from_sensor, horizontal, vertical, publishes_no_fix, period } = parameters;
        let accuracy = GnssAccuracy {
            horizontal_variance: horizontal.variance(),
            vertical_variance: vertical.variance(),
            publishes_no_fix,
        };
        let stream = format!("{}/{}/position", context.vehicle, context.name);
        Gnss {
            info: SensorInfo { name: context.name.clone(), period, body_from_sensor, kind: SensorKind::Gnss(accuracy) },
            position: Drift::new([horizontal, horizontal, vertical], context.seed, &stream),
            before: None,
        }
    }

    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, context: &SensorContext) -> Gnss {
        let d = GnssParameters::default();
        reader.ignore(&["class", "name", "visual", "publish"]);
        let period = reader.f64("sensor_period", d.period.secs(), Accept::range(1e-4, 1e6));
        let parameters = GnssParameters {
            body_from_sensor: read_mounting(reader, d.body_from_sensor),
            horizontal: DriftParameters::read(reader, "horizontal", d.horizontal, period),
            vertical: DriftParameters::read(reader, "vertical", d.vertical, period),
            publishes_no_fix: reader.bool("publish_no_fix", d.publishes_no_fix),
            period: SimTime::from_secs(period),
        };
        Gnss::new(parameters, context)
    }

    /// The true place of the antenna; none where no satellite is received or the world has no place.
    fn true_place(&self, view: &View<'_>) -> Option<Geodetic> {
        let antenna = view.world_from_body.transform_point(self.info.body_from_sensor.position());
        let place = view.georeference?.geodetic_from_world(antenna);
        let is_on_earth = place.latitude.is_finite() && place.longitude.is_finite();
        (is_on_earth && (view.has_coverage)(antenna)).then_some(place)
    }
}

impl Sensor for Gnss {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn new_reading(&self) -> ReadingData {
        ReadingData::Gnss(GnssFix::default())
    }

    fn restart(&mut self) {
        self.position.restart();
        self.before = None;
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        let ReadingData::Gnss(fix) = out else { return };
        let elapsed = self.before.map_or(self.info.period, |before| view.time - before).secs();
        self.before = Some(view.time);
        // The errors go on without reception.
        let error = self.position.disturb(Vec3::zeros(), elapsed);
        fix.place = self.true_place(view).map(|place| place.offset(error));
    }
}

#[cfg(test)]
mod tests;
