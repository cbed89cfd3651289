//! Satellite receiver, `<sensor class="gnss">`: latitude, longitude and height of its antenna, and its velocity.
//!
//! ```xml
//! <sensor class="gnss" name="gps">               the name is the ROS topic and the frame
//!   <pose_3d>x y z yaw pitch roll</pose_3d>      the antenna on the vehicle [m], [deg]; default 0; or
//!   <pose>x y yaw</pose>                         at z = 0
//!   <horizontal_std_noise>2</…>                  of each fix, along east and north [m]
//!   <vertical_std_noise>4</…>                    of each fix, upwards [m]
//!   <horizontal_…>, <vertical_…>                 the other errors of module `errors`; steps of a resolution are those from the place of the world
//!   <velocity_std_noise>0.05</…>                 of the velocity, on each axis [m/s]; and the others of `errors`
//!   <publish_no_fix>false</publish_no_fix>       true: without reception send messages that say so, instead of none
//!   <sensor_period>0.1</sensor_period>           [s], ≥ 1e-4
//! </sensor>
//! ```
//! The place is that of the antenna at the vehicle's attitude, converted by the world's `<georeference>` (WGS-84);
//! heights are above the ellipsoid. The velocity is towards east, north and up at the antenna, of driving on in the
//! plane that the vehicle stands on. Errors are added along east, north and up at the antenna. There is no fix in
//! worlds without a place on Earth, beyond the grid of a UTM world, and where the antenna is in a region with
//! `gps_no_coverage`. Not modelled: satellites, multipath, latency, the geoid.

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Accept, Reader};

use super::errors::{ErrorParameters, Errors};
use super::mounting::read_mounting;
use super::noise::whole_steps;
use super::{
    Column, Delivered, Measured, NumberType, ReadingData, Sensor, SensorContext, SensorDescription, SensorEntry,
    SensorInfo, SensorKind, SensorSize, SensorTopic, Values, View,
};
use crate::georeference::Geodetic;

/// Mounting and accuracy of a satellite receiver.
#[derive(Clone, Debug, PartialEq)]
pub struct GnssParameters {
    /// The antenna on the vehicle [m, rad].
    pub body_from_sensor: Pose3,
    /// Errors along east, and along north [m].
    pub horizontal: ErrorParameters,
    /// Errors upwards [m].
    pub vertical: ErrorParameters,
    /// Errors of the velocity, on each axis [m/s].
    pub velocity: ErrorParameters,
    /// Whether it sends messages that say that it has no fix.
    pub publishes_no_fix: bool,
    /// Time between fixes [ns].
    pub period: SimTime,
}

impl Default for GnssParameters {
    fn default() -> GnssParameters {
        GnssParameters {
            body_from_sensor: Pose3::default(),
            horizontal: ErrorParameters::white(2.0),
            vertical: ErrorParameters::white(4.0),
            velocity: ErrorParameters::white(0.05),
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
    casts_rays: false,
    interpolates: true,
    read: |reader, context| Box::new(Gnss::read(reader, context)),
};

impl SensorDescription for GnssAccuracy {
    fn entry(&self) -> &'static SensorEntry {
        &ENTRY
    }

    fn in_words(&self, rate: &str) -> String {
        let [horizontal, vertical] = [self.horizontal_variance, self.vertical_variance].map(f64::sqrt);
        format!("satellite receiver, {rate}, {horizontal:.3} m across and {vertical:.3} m up (1 σ)")
    }

    fn columns(&self) -> Option<Vec<Column>> {
        Some(["position", "velocity_in_enu"].map(|name| Column::new(name, [3], NumberType::F64)).into())
    }

    fn values<'a>(&self, column: &str, sample: Delivered<'a>) -> Option<Values<'a>> {
        let ReadingData::Gnss(fix) = sample.data else { return None };
        let numbers = fix.map(|GnssFix { place, velocity_in_enu }| match column {
            "position" => [place.latitude, place.longitude, place.height],
            _ => velocity_in_enu.into(),
        });
        Some(Values::few(numbers.unwrap_or([f64::NAN; 3])))
    }
}

impl Measured for Option<GnssFix> {
    fn append_bits(&self, bits: &mut Vec<u64>) {
        if let Some(GnssFix { place, velocity_in_enu: v }) = self {
            let Geodetic { latitude, longitude, height } = place;
            bits.extend([*latitude, *longitude, *height, v.x, v.y, v.z].map(f64::to_bits));
        }
    }
}

/// A satellite receiver.
#[derive(Clone, Debug)]
pub struct Gnss {
    info: SensorInfo,
    /// Along east, north and up.
    position: Errors,
    /// Quantisation steps of positions and velocities along these axes [m], [m/s]; 0: none.
    resolutions: [Vec3; 2],
    /// Along the same.
    velocity: Errors,
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
        let stream = |name| format!("{}/{}/{name}", context.vehicle, context.name);
        let along_axes = [horizontal, horizontal, vertical];
        // The reported value is quantised, not its error.
        let without_steps =
            |axes: [ErrorParameters; 3]| axes.map(|errors| ErrorParameters { resolution: 0.0, ..errors });
        Gnss {
            info: SensorInfo { name: context.name.clone(), period, body_from_sensor, kind: SensorKind::Gnss(accuracy) },
            position: Errors::new(without_steps(along_axes), context.seed, &stream("position")),
            velocity: Errors::new(without_steps([velocity; 3]), context.seed, &stream("velocity")),
            resolutions: [along_axes, [velocity; 3]].map(|axes| Vec3::from(axes.map(|errors| errors.resolution))),
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
            horizontal: ErrorParameters::read(reader, "horizontal", d.horizontal, period),
            vertical: ErrorParameters::read(reader, "vertical", d.vertical, period),
            velocity: ErrorParameters::read(reader, "velocity", d.velocity, period),
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
        let velocity = view.velocity_of(lever, view.rates());
        let ahead = georeference.geodetic_from_world(antenna + moment * velocity);
        Some(GnssFix { place, velocity_in_enu: place.enu_of(ahead) / moment })
    }
}

/// The nearest values in whole steps, where these are not 0.
fn in_steps(values: Vec3, steps: Vec3) -> Vec3 {
    values.zip_map(&steps, |value, step| if step > 0.0 { step * whole_steps(value, step) } else { value })
}

impl Gnss {
    /// What the steps of a resolution [m] add to a position that is off by `error` [m], both along east, north and up. They count from the
    /// origin of the world.
    fn rounding(&self, view: &View<'_>, error: Vec3, steps: Vec3) -> Vec3 {
        if steps == Vec3::zeros() {
            return steps;
        }
        let antenna = view.world_from_body.transform_point(self.info.body_from_sensor.position());
        let enu_from_world = Pose3 { yaw: view.enu_from_world(), ..Pose3::default() };
        let reported = enu_from_world.transform_point(antenna) + error;
        in_steps(reported, steps) - reported
    }
}

impl Sensor for Gnss {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn size(&self) -> SensorSize {
        SensorSize::SMALL
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
            [&mut self.position, &mut self.velocity].map(|errors| errors.disturb(Vec3::zeros(), elapsed));
        let [of_position, of_velocity] = self.resolutions;
        *fix = self.truth(view).map(|truth| GnssFix {
            place: truth.place.offset(position + self.rounding(view, position, of_position)),
            velocity_in_enu: in_steps(truth.velocity_in_enu + velocity, of_velocity),
        });
    }
}

#[cfg(test)]
mod tests;
