//! Satellite receiver, `<sensor class="gnss">`: latitude, longitude and height of its antenna, and its velocity.
//!
//! ```xml
//! <sensor class="gnss" name="gps">               the name is the ROS topic and the frame
//!   <pose_3d>x y z yaw pitch roll</pose_3d>      the antenna on the vehicle [m], [deg]; default 0; or
//!   <pose>x y yaw</pose>                         at z = 0
//!   <horizontal_std_noise>2</…>                  of each fix, along east and north [m]
//!   <vertical_std_noise>4</…>                    of each fix, upwards [m]
//!   <horizontal_…>, <vertical_…>                 the other errors of module `drift`: density, random walk, wandering bias, turn-on bias
//!   <velocity_std_noise>0.05</…>                 of the velocity, on each axis [m/s]; and the others of `drift`
//!   <publish_no_fix>false</publish_no_fix>       true: without reception send messages that say so, instead of none
//!   <sensor_period>0.1</sensor_period>           [s], ≥ 1e-4
//! </sensor>
//! ```
//! The place is that of the antenna at the vehicle's attitude, converted by the world's `<georeference>` (WGS-84); heights are above the
//! ellipsoid. The velocity is towards east, north and up at the antenna, of driving on in the plane that the vehicle stands on. Errors are added along east, north and up at the antenna. There is no fix in worlds without a place on Earth, beyond the grid
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
    /// Errors of the velocity, on each axis [m/s].
    pub velocity: DriftParameters,
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
            velocity: DriftParameters::white(0.05),
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
    /// Variance of each axis of the velocity [m²/s²].
    pub velocity_variance: f64,
    /// Whether it sends messages that say that it has no fix.
    pub publishes_no_fix: bool,
}

/// A fix of a satellite receiver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GnssFix {
    /// The place of the antenna.
    pub place: Geodetic,
    /// Its velocity towards east, north and up [m/s].
    pub velocity_in_enu: Vec3,
}

/// Its line of [`SENSORS`](super::SENSORS).
pub const ENTRY: SensorEntry = SensorEntry {
    name: "gnss",
    help: "satellite receiver: latitude, longitude and height",
    topics: &[
        SensorTopic { suffix: "", message: "sensor_msgs/msg/NavSatFix" },
        SensorTopic { suffix: "/velocity", message: "geometry_msgs/msg/TwistWithCovarianceStamped" },
    ],
    read: |reader, context| Box::new(Gnss::read(reader, context)),
};

/// A satellite receiver.
#[derive(Clone, Debug)]
pub struct Gnss {
    info: SensorInfo,
    /// Along east, north and up.
    position: Drift,
    /// Along the same.
    velocity: Drift,
    /// Time of the sample before, with or without a fix.
    before: Option<SimTime>,
}

impl Gnss {
    /// A satellite receiver with the name in `context`.
    pub fn new(parameters: GnssParameters, context: &SensorContext) -> Gnss {
        let GnssParameters { body_from_sensor, horizontal, vertical, velocity, publishes_no_fix, period } = parameters;
        let accuracy = GnssAccuracy {
            horizontal_variance: horizontal.variance(),
            vertical_variance: vertical.variance(),
            velocity_variance: velocity.variance(),
            publishes_no_fix,
        };
        let stream = |what| format!("{}/{}/{what}", context.vehicle, context.name);
        Gnss {
            info: SensorInfo { name: context.name.clone(), period, body_from_sensor, kind: SensorKind::Gnss(accuracy) },
            position: Drift::new([horizontal, horizontal, vertical], context.seed, &stream("position")),
            velocity: Drift::new([velocity; 3], context.seed, &stream("velocity")),
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
            velocity: DriftParameters::read(reader, "velocity", d.velocity, period),
            publishes_no_fix: reader.bool("publish_no_fix", d.publishes_no_fix),
            period: SimTime::from_secs(period),
        };
        Gnss::new(parameters, context)
    }

    /// The true place and velocity of the antenna; none where no satellite is received or the world has no place.
    fn truth(&self, view: &View<'_>) -> Option<GnssFix> {
        let (georeference, lever) = (view.georeference?, self.info.body_from_sensor.position());
        let antenna = view.world_from_body.transform_point(lever);
        let place = georeference.geodetic_from_world(antenna);
        let is_on_earth = place.latitude.is_finite() && place.longitude.is_finite();
        if !is_on_earth || !(view.has_coverage)(antenna) {
            return None;
        }
        // The way of so short a time [s] is straight on the grid of a UTM world too.
        let moment = 0.01;
        let velocity = view.velocity_of(lever, view.rates_in_ground_plane());
        let ahead = georeference.geodetic_from_world(antenna + moment * velocity);
        Some(GnssFix { place, velocity_in_enu: place.enu_of(ahead) / moment })
    }
}

impl Sensor for Gnss {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn new_reading(&self) -> ReadingData {
        ReadingData::Gnss(None)
    }

    fn restart(&mut self) {
        self.position.restart();
        self.velocity.restart();
        self.before = None;
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        let ReadingData::Gnss(fix) = out else { return };
        let elapsed = self.before.map_or(self.info.period, |before| view.time - before).secs();
        self.before = Some(view.time);
        // The errors go on without reception.
        let [position, velocity] =
            [&mut self.position, &mut self.velocity].map(|drift| drift.disturb(Vec3::zeros(), elapsed));
        *fix = self.truth(view).map(|truth| GnssFix {
            place: truth.place.offset(position),
            velocity_in_enu: truth.velocity_in_enu + velocity,
        });
    }
}

#[cfg(test)]
mod tests;
