//! Magnetometer, `<sensor class="magnetometer">`: the magnetic field of the Earth in the sensor's axes.
//!
//! ```xml
//! <sensor class="magnetometer" name="mag">       the name is the ROS topic and the frame
//!   <pose_3d>x y z yaw pitch roll</pose_3d>      mounting on the vehicle [m], [deg]; default 0; or
//!   <pose>x y yaw</pose>                         at z = 0
//!   <declination_deg>0</declination_deg>         of the field, from north towards east [deg], −180 to 180
//!   <inclination_deg>60</inclination_deg>        of the field, below the horizontal [deg], −90 to 90
//!   <field_strength>5e-5</field_strength>        [T], ≥ 0
//!   <magnetic_field_std_noise>3e-7</…>           of each sample [T]
//!   <magnetic_field_…>                           the other errors of modules `errors` and `triad`; soft iron is scale and cross-axis shares
//!   <hard_iron>0 0 0</hard_iron>                 field of the vehicle itself, in the sensor's axes [T]
//!   <sensor_period>0.1</sensor_period>           [s], ≥ 1e-4
//! </sensor>
//! ```
//! The field is the same everywhere. East and north are those of the world's `<georeference>`; without one x is east
//! and y north, and in a UTM world north is that of the grid. The default field is that of middle northern latitudes.
//! Not modelled: the fields of motors, currents and iron in the surroundings, and daily variations.

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Accept, Reader};

use super::mounting::read_mounting;
use super::triad::{Triad, TriadParameters};
use super::{
    Column, Delivered, Measured, NumberType, ReadingData, Sensor, SensorContext, SensorDescription, SensorEntry,
    SensorInfo, SensorKind, SensorSize, SensorTopic, Values, View,
};

/// Mounting, field and accuracy of a magnetometer.
#[derive(Clone, Debug, PartialEq)]
pub struct MagnetometerParameters {
    /// Mounting on the vehicle [m, rad].
    pub body_from_sensor: Pose3,
    /// Angle of the field's horizontal part from north towards east [rad].
    pub declination: f64,
    /// Angle of the field below the horizontal [rad].
    pub inclination: f64,
    /// Strength of the field [T].
    pub strength: f64,
    /// Errors of the field [T].
    pub magnetic_field: TriadParameters,
    /// Field of the vehicle itself, in the sensor's axes [T].
    pub hard_iron: Vec3,
    /// Time between samples [ns].
    pub period: SimTime,
}

impl Default for MagnetometerParameters {
    fn default() -> MagnetometerParameters {
        MagnetometerParameters {
            body_from_sensor: Pose3::default(),
            declination: 0.0,
            inclination: 60.0_f64.to_radians(),
            strength: 5e-5,
            magnetic_field: TriadParameters::white(3e-7),
            hard_iron: Vec3::zeros(),
            period: SimTime(100_000_000),
        }
    }
}

impl MagnetometerParameters {
    /// The field towards east, north and up [T].
    pub fn field_in_enu(&self) -> Vec3 {
        let (down, level) = libm::sincos(self.inclination);
        let (east, north) = libm::sincos(self.declination);
        self.strength * Vec3::new(level * east, level * north, -down)
    }
}

/// Its line of [`SENSORS`](super::SENSORS).
pub const ENTRY: SensorEntry = SensorEntry {
    name: "magnetometer",
    help: "the magnetic field of the Earth in three dimensions",
    topics: &[SensorTopic { suffix: "", message: "sensor_msgs/msg/MagneticField" }],
    casts_rays: false,
    interpolates: true,
    read: |reader, context| Box::new(Magnetometer::read(reader, context)),
};

/// How accurate a magnetometer is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MagnetometerAccuracy {
    /// Variance of one axis [T²].
    pub variance: f64,
}

impl SensorDescription for MagnetometerAccuracy {
    fn entry(&self) -> &'static SensorEntry {
        &ENTRY
    }

    fn in_words(&self, rate: &str) -> String {
        format!("magnetometer, {rate}")
    }

    fn columns(&self) -> Option<Vec<Column>> {
        Some(vec![Column::new("field", [3], NumberType::F64)])
    }

    fn values<'a>(&self, _: &str, sample: Delivered<'a>) -> Option<Values<'a>> {
        let ReadingData::MagneticField(sample) = sample.data else { return None };
        Some(Values::F64(sample.field.as_slice()))
    }
}

/// A sample of a magnetometer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MagnetometerSample {
    /// The field in the axes of the sensor [T].
    pub field: Vec3,
}

impl Measured for MagnetometerSample {
    fn append_bits(&self, bits: &mut Vec<u64>) {
        bits.extend(self.field.iter().map(|n| n.to_bits()));
    }
}

/// A magnetometer.
#[derive(Clone, Debug)]
pub struct Magnetometer {
    info: SensorInfo,
    field_in_enu: Vec3,
    hard_iron: Vec3,
    triad: Triad,
    /// Time of the sample before.
    before: Option<SimTime>,
}

impl Magnetometer {
    /// A magnetometer with the name in `context`.
    pub fn new(parameters: MagnetometerParameters, context: &SensorContext) -> Magnetometer {
        let field_in_enu = parameters.field_in_enu();
        let MagnetometerParameters { body_from_sensor, magnetic_field, hard_iron, period, .. } = parameters;
        let kind = SensorKind::Magnetometer(MagnetometerAccuracy { variance: magnetic_field.variance() });
        let stream = format!("{}/{}/magnetic_field", context.vehicle, context.name);
        Magnetometer {
            info: SensorInfo { name: context.name.clone(), period, body_from_sensor, kind },
            field_in_enu,
            hard_iron,
            triad: Triad::new(magnetic_field, context.seed, &stream),
            before: None,
        }
    }

    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, context: &SensorContext) -> Magnetometer {
        let d = MagnetometerParameters::default();
        reader.ignore(&["class", "name", "visual", "publish"]);
        let period = reader.f64("sensor_period", d.period.secs(), Accept::range(1e-4, 1e6));
        let parameters = MagnetometerParameters {
            body_from_sensor: read_mounting(reader, d.body_from_sensor),
            declination: reader.degrees("declination_deg", d.declination, Accept::range(-180.0, 180.0)),
            inclination: reader.degrees("inclination_deg", d.inclination, Accept::range(-90.0, 90.0)),
            strength: reader.f64("field_strength", d.strength, Accept::range(0.0, 1.0)),
            magnetic_field: TriadParameters::read(reader, "magnetic_field", d.magnetic_field, period),
            hard_iron: reader.numbers("hard_iron", &[3]).map_or(d.hard_iron, |b| Vec3::new(b[0], b[1], b[2])),
            period: SimTime::from_secs(period),
        };
        Magnetometer::new(parameters, context)
    }
}

impl Sensor for Magnetometer {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn size(&self) -> SensorSize {
        SensorSize::SMALL
    }

    fn new_reading(&self) -> ReadingData {
        ReadingData::MagneticField(MagnetometerSample::default())
    }

    fn restart(&mut self) {
        self.triad.restart();
        self.before = None;
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        let ReadingData::MagneticField(sample) = out else { return };
        let elapsed = self.before.map_or(self.info.period, |before| view.time - before).secs();
        self.before = Some(view.time);
        let enu_from_world = Pose3 { yaw: view.enu_from_world(), ..Pose3::default() }.rotation();
        let world_from_sensor = view.world_from_body.rotation() * self.info.body_from_sensor.rotation();
        let field = (enu_from_world * world_from_sensor).transpose() * self.field_in_enu;
        sample.field = self.triad.measure(field + self.hard_iron, elapsed);
    }
}

#[cfg(test)]
mod tests;
