//! Inertial measurement unit, `<sensor class="imu">`: angular velocity, acceleration with gravity, and on request attitude.
//!
//! ```xml
//! <sensor class="imu" name="imu">                the name is the ROS topic and the frame
//!   <pose_3d>x y z yaw pitch roll</pose_3d>      mounting on the vehicle [m], [deg]; default 0; or
//!   <pose>x y yaw</pose>                         at z = 0
//!   <angular_velocity_white_noise_std_noise>0.0002</…>   of each sample [rad/s]
//!   <linear_acceleration_white_noise_std_noise>0.017</…> of each sample [m/s²]
//!   <angular_velocity_…>, <linear_acceleration_…>        the other errors of modules `errors` and `triad`: density, random walk,
//!                                                biases, scale, axes that are not square
//!   <measure_orientation>false</measure_orientation>
//!   <orientation_std_noise>0.005</orientation_std_noise> about each axis [rad], ≥ 0
//!   <sensor_period>0.1</sensor_period>           [s], ≥ 1e-4
//! </sensor>
//! ```
//! All values are in the sensor's frame, and follow REP 145. The acceleration is the mean over the time since the sample before, in the
//! axes as they turn, of the sensor's own place, away from the vehicle's reference point: it has the centripetal part and that of turning
//! faster. At rest it measures 1 g upwards. What uneven ground adds to roll and pitch rates is a mean over the same time. The attitude is
//! that in the world, x east where the world lies on Earth. Not modelled: vibration, saturation, temperature.

use serde::{Deserialize, Serialize};
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Accept, Reader};

use self::felt::Felt;
use super::mounting::read_mounting;
use super::triad::{Triad, TriadParameters};
use super::{
    Column, Delivered, Measured, NumberType, ReadingData, Sensor, SensorContext, SensorDescription, SensorEntry,
    SensorInfo, SensorKind, SensorSize, SensorTopic, Values, View, WhiteNoise,
};

/// Mounting and accuracy of an inertial measurement unit.
#[derive(Clone, Debug, PartialEq)]
pub struct ImuParameters {
    /// Mounting on the vehicle [m, rad].
    pub body_from_sensor: Pose3,
    /// Errors of the angular velocity [rad/s].
    pub angular_velocity: TriadParameters,
    /// Errors of the acceleration [m/s²].
    pub linear_acceleration: TriadParameters,
    /// Standard deviation of the attitude about each axis [rad]; none: it is not measured.
    pub orientation_std: Option<f64>,
    /// Time between samples [ns].
    pub period: SimTime,
}

impl Default for ImuParameters {
    fn default() -> ImuParameters {
        ImuParameters {
            body_from_sensor: Pose3::default(),
            angular_velocity: TriadParameters::white(2e-4),
            linear_acceleration: TriadParameters::white(0.017),
            orientation_std: None,
            period: SimTime(100_000_000),
        }
    }
}

/// Variances of what an inertial measurement unit measures, of one axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImuVariances {
    /// Of the attitude [rad²]; none if it is not measured.
    pub orientation: Option<f64>,
    /// Of the angular velocity [rad²/s²].
    pub angular_velocity: f64,
    /// Of the acceleration [m²/s⁴].
    pub linear_acceleration: f64,
    /// How its errors develop.
    pub noise: ImuNoise,
}

/// The errors of an inertial measurement unit as filters are configured with them, of one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ImuNoise {
    /// Density of the white noise of the angular velocity [rad/s/√Hz].
    pub gyroscope_noise_density: f64,
    /// Random walk of its bias [rad/s/√s].
    pub gyroscope_random_walk: f64,
    /// Density of the white noise of the acceleration [m/s²/√Hz].
    pub accelerometer_noise_density: f64,
    /// Random walk of its bias [m/s²/√s].
    pub accelerometer_random_walk: f64,
}

impl ImuNoise {
    /// The densities of white noise: gyroscope [rad/s/√Hz] and accelerometer [m/s²/√Hz].
    pub fn densities(&self) -> [f64; 2] {
        [self.gyroscope_noise_density, self.accelerometer_noise_density]
    }

    /// The random walks of the biases: gyroscope [rad/s/√s] and accelerometer [m/s²/√s].
    pub fn random_walks(&self) -> [f64; 2] {
        [self.gyroscope_random_walk, self.accelerometer_random_walk]
    }
}

/// One sample of an inertial measurement unit, in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImuSample {
    /// Attitude in the world as a unit quaternion x, y, z, w [-]; that of no turn if it is not measured.
    pub orientation: [f64; 4],
    /// Angular velocity [rad/s].
    pub angular_velocity: Vec3,
    /// Acceleration with that against gravity [m/s²].
    pub linear_acceleration: Vec3,
}

impl Default for ImuSample {
    fn default() -> ImuSample {
        ImuSample {
            orientation: [0.0, 0.0, 0.0, 1.0],
            angular_velocity: Vec3::zeros(),
            linear_acceleration: Vec3::zeros(),
        }
    }
}

/// Its line of [`SENSORS`](super::SENSORS).
pub const ENTRY: SensorEntry = SensorEntry {
    name: "imu",
    help: "angular velocity, acceleration and attitude in three dimensions",
    topics: &[SensorTopic { suffix: "", message: "sensor_msgs/msg/Imu" }],
    casts_rays: false,
    interpolates: true,
    read: |reader, context| Box::new(Imu::read(reader, context)),
};

impl SensorDescription for ImuVariances {
    fn entry(&self) -> &'static SensorEntry {
        &ENTRY
    }

    fn in_words(&self, rate: &str) -> String {
        let attitude = if self.orientation.is_some() { " with attitude" } else { "" };
        format!("inertial measurement unit{attitude}, {rate}")
    }

    fn columns(&self) -> Option<Vec<Column>> {
        let axes = [("angular_velocity", 3), ("linear_acceleration", 3), ("orientation", 4)];
        Some(axes.map(|(name, count)| Column::new(name, [count], NumberType::F64)).into())
    }

    fn values<'a>(&self, column: &str, sample: Delivered<'a>) -> Option<Values<'a>> {
        let ReadingData::Imu(sample) = sample.data else { return None };
        Some(Values::F64(match column {
            "angular_velocity" => sample.angular_velocity.as_slice(),
            "linear_acceleration" => sample.linear_acceleration.as_slice(),
            _ => &sample.orientation,
        }))
    }
}

impl Measured for ImuSample {
    fn append_bits(&self, bits: &mut Vec<u64>) {
        let ImuSample { orientation, angular_velocity, linear_acceleration } = self;
        let vectors = angular_velocity.iter().chain(linear_acceleration);
        bits.extend(orientation.iter().chain(vectors).map(|n| n.to_bits()));
    }
}

/// An inertial measurement unit.
#[derive(Clone, Debug)]
pub struct Imu {
    info: SensorInfo,
    orientation_std: Option<f64>,
    angular_velocity: Triad,
    linear_acceleration: Triad,
    orientation_noise: WhiteNoise,
    felt: Felt,
    /// Time of the sample before.
    before: Option<SimTime>,
}

impl Imu {
    /// An inertial measurement unit with the name in `context`.
    pub fn new(parameters: ImuParameters, context: &SensorContext) -> Imu {
        let ImuParameters { body_from_sensor, angular_velocity, linear_acceleration, orientation_std, period } =
            parameters;
        let variances = ImuVariances {
            orientation: orientation_std.map(|std| std * std),
            angular_velocity: angular_velocity.variance(),
            linear_acceleration: linear_acceleration.variance(),
            noise: ImuNoise {
                gyroscope_noise_density: angular_velocity.errors.noise_density(period.secs()),
                gyroscope_random_walk: angular_velocity.errors.bias_random_walk(),
                accelerometer_noise_density: linear_acceleration.errors.noise_density(period.secs()),
                accelerometer_random_walk: linear_acceleration.errors.bias_random_walk(),
            },
        };
        let stream = |name| format!("{}/{}/{name}", context.vehicle, context.name);
        Imu {
            info: SensorInfo { name: context.name.clone(), period, body_from_sensor, kind: SensorKind::Imu(variances) },
            orientation_std,
            angular_velocity: Triad::new(angular_velocity, context.seed, &stream("angular_velocity")),
            linear_acceleration: Triad::new(linear_acceleration, context.seed, &stream("linear_acceleration")),
            orientation_noise: WhiteNoise::new(context.seed, &stream("orientation")),
            felt: Felt::new(body_from_sensor.position()),
            before: None,
        }
    }

    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, context: &SensorContext) -> Imu {
        let d = ImuParameters::default();
        reader.ignore(&["class", "name", "visual", "publish"]);
        let period = reader.f64("sensor_period", d.period.secs(), Accept::range(1e-4, 1e6));
        let orientation_std = reader.f64("orientation_std_noise", 0.005, Accept::non_negative());
        let parameters = ImuParameters {
            body_from_sensor: read_mounting(reader, d.body_from_sensor),
            angular_velocity: TriadParameters::read(reader, "angular_velocity", d.angular_velocity, period),
            linear_acceleration: TriadParameters::read(reader, "linear_acceleration", d.linear_acceleration, period),
            orientation_std: reader.bool("measure_orientation", false).then_some(orientation_std),
            period: SimTime::from_secs(period),
        };
        Imu::new(parameters, context)
    }
}

impl Sensor for Imu {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn size(&self) -> SensorSize {
        SensorSize::SMALL
    }

    fn new_reading(&self) -> ReadingData {
        ReadingData::Imu(ImuSample::default())
    }

    fn restart(&mut self) {
        self.angular_velocity.restart();
        self.linear_acceleration.restart();
        self.orientation_noise.restart();
        self.felt.restart();
        self.before = None;
    }

    fn watches(&self) -> bool {
        true
    }

    fn watch(&mut self, view: &View<'_>) {
        self.felt.look(view);
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        let ReadingData::Imu(sample) = out else { return };
        let (force, angular_velocity) = self.felt.sample(view);
        // The errors go on while the vehicle is placed elsewhere.
        let elapsed = self.before.map_or(self.info.period, |before| view.time - before).secs();
        self.before = Some(view.time);
        let body_from_sensor = self.info.body_from_sensor.rotation();
        let sensor_from_body = body_from_sensor.transpose();
        sample.angular_velocity = self.angular_velocity.measure(sensor_from_body * angular_velocity, elapsed);
        sample.linear_acceleration = self.linear_acceleration.measure(sensor_from_body * force, elapsed);
        if let Some(std) = self.orientation_std {
            let mut turn = [0.0; 3];
            self.orientation_noise.fill(&mut turn);
            let [roll, pitch, yaw] = turn.map(|draw| std * draw);
            let error = Pose3 { yaw, pitch, roll, ..Pose3::default() };
            let enu_from_world = Pose3 { yaw: view.enu_from_world(), ..Pose3::default() };
            let world_from_sensor = view.world_from_body.rotation() * body_from_sensor;
            let rotation = enu_from_world.rotation() * world_from_sensor * error.rotation();
            sample.orientation = Pose3::from_parts(Vec3::zeros(), &rotation).quaternion();
        }
    }
}

mod felt;
#[cfg(test)]
mod tests;
