//! Wheel encoders, `<sensor class="encoder">`: how far wheels have turned, in whole ticks.
//!
//! ```xml
//! <sensor class="encoder" name="encoders">       the name is the ROS topic and the frame
//!   <wheels>l_wheel r_wheel</wheels>             those that have an encoder, by their tags; default: all
//!   <ticks_per_revolution>1024</…>               of the wheel [-], 1 to 1e9
//!   <angle_std_noise>0</angle_std_noise>         of the angle of each wheel [rad], and its other errors of module `errors`
//!   <sensor_period>0.1</sensor_period>           [s], ≥ 1e-4
//! </sensor>
//! ```
//! Counts begin with 0 at a start or reset, increase forwards, and are exact but for the ticks and the errors given:
//! slip of the wheel on the ground is in them, as the wheel turns. None are counted while a vehicle is placed
//! elsewhere. The rate is the change of the count since the sample before. Not modelled: backlash, an index, counters
//! that overflow.

use std::f64::consts::TAU;

use skidpad_files::counted::counted;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, wrap_angle};
use skidpad_xml::{Accept, Reader};

use super::errors::{ErrorParameters, Errors};
use super::noise::whole_steps;
use super::{
    Column, Delivered, Measured, NumberType, ReadingData, Sensor, SensorContext, SensorDescription, SensorEntry,
    SensorInfo, SensorKind, SensorSize, SensorTopic, Values, View,
};

/// Wheels and resolution of encoders.
#[derive(Clone, Debug, PartialEq)]
pub struct EncoderParameters {
    /// Indices of the wheels that have one, in the vehicle.
    pub wheels: Vec<usize>,
    /// Ticks of a turn of the wheel.
    pub ticks_per_revolution: u32,
    /// Errors of the angle of each wheel [rad].
    pub errors: ErrorParameters,
    /// Time between samples [ns].
    pub period: SimTime,
}

/// What encoders are, for those who use their ticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncoderInfo {
    /// Names of the wheels, in the order of the counts.
    pub wheels: Vec<String>,
    /// Ticks of a turn of the wheel.
    pub ticks_per_revolution: u32,
}

impl EncoderInfo {
    /// Angle of a tick [rad].
    pub fn radians_per_tick(&self) -> f64 {
        TAU / f64::from(self.ticks_per_revolution)
    }
}

/// Counts of encoders.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EncoderTicks {
    /// Ticks of each wheel since the start, forwards.
    pub counts: Vec<i64>,
    /// Angular velocity of each wheel by its ticks since the sample before [rad/s].
    pub rates: Vec<f64>,
}

/// Its line of [`SENSORS`](super::SENSORS).
pub const ENTRY: SensorEntry = SensorEntry {
    name: "encoder",
    help: "how far wheels have turned, in whole ticks",
    topics: &[
        SensorTopic { suffix: "", message: "sensor_msgs/msg/JointState" },
        SensorTopic { suffix: "/ticks", message: "std_msgs/msg/Int64MultiArray" },
    ],
    casts_rays: false,
    interpolates: true,
    read: |reader, context| Box::new(Encoder::read(reader, context)),
};

impl SensorDescription for EncoderInfo {
    fn entry(&self) -> &'static SensorEntry {
        &ENTRY
    }

    fn in_words(&self, rate: &str) -> String {
        let ticks = counted(self.ticks_per_revolution as usize, "tick");
        let encoders = if self.wheels.len() == 1 { "encoder" } else { "encoders" };
        format!("{encoders} of {}, {ticks} per revolution, {rate}", self.wheels.join(", "))
    }

    fn columns(&self) -> Option<Vec<Column>> {
        let wheels = [self.wheels.len()];
        Some(vec![Column::new("counts", wheels, NumberType::I64), Column::new("rates", wheels, NumberType::F64)])
    }

    fn values<'a>(&self, column: &str, sample: Delivered<'a>) -> Option<Values<'a>> {
        let ReadingData::Ticks(ticks) = sample.data else { return None };
        Some(if column == "counts" { Values::I64(&ticks.counts) } else { Values::F64(&ticks.rates) })
    }
}

impl Measured for EncoderTicks {
    fn append_bits(&self, bits: &mut Vec<u64>) {
        let EncoderTicks { counts, rates } = self;
        bits.extend(counts.iter().map(|count| *count as u64));
        bits.extend(rates.iter().map(|rate| rate.to_bits()));
    }
}

/// A wheel with an encoder.
#[derive(Clone, Debug)]
struct Counter {
    wheel: usize,
    /// Angle of the wheel at the sample before, as the vehicle has it [rad].
    angle: f64,
    /// How far it has turned since the start [rad].
    turned: f64,
    count: i64,
    /// Errors of the angle, if there are any.
    errors: Option<Errors>,
}

/// Encoders of wheels.
#[derive(Clone, Debug)]
pub struct Encoder {
    info: SensorInfo,
    radians_per_tick: f64,
    counters: Vec<Counter>,
    /// Time of the sample before.
    before: Option<SimTime>,
}

impl Encoder {
    /// Encoders with the name in `context`.
    pub fn new(parameters: EncoderParameters, context: &SensorContext) -> Encoder {
        let EncoderParameters { wheels, ticks_per_revolution, errors, period } = parameters;
        let name_of = |wheel: &usize| context.wheels.get(*wheel).cloned().unwrap_or_default();
        let encoder = EncoderInfo { wheels: wheels.iter().map(name_of).collect(), ticks_per_revolution };
        let counter = |wheel: usize| {
            let stream = format!("{}/{}/angle/{}", context.vehicle, context.name, name_of(&wheel));
            let errors = (!errors.is_none()).then(|| Errors::new([errors; 3], context.seed, &stream));
            Counter { wheel, angle: 0.0, turned: 0.0, count: 0, errors }
        };
        Encoder {
            radians_per_tick: encoder.radians_per_tick(),
            counters: wheels.into_iter().map(counter).collect(),
            before: None,
            info: SensorInfo {
                name: context.name.clone(),
                period,
                body_from_sensor: Pose3::default(),
                kind: SensorKind::Encoder(encoder),
            },
        }
    }

    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, context: &SensorContext) -> Encoder {
        reader.ignore(&["class", "name", "visual", "publish"]);
        let mut wheels = Vec::new();
        for name in reader.text("wheels").unwrap_or_default().split_whitespace() {
            match context.wheels.iter().position(|wheel| wheel == name) {
                Some(wheel) if !wheels.contains(&wheel) => wheels.push(wheel),
                Some(_) => {
                    reader.error_at("wheels", format!("the wheel \"{name}\" twice in <wheels>"));
                }
                None => {
                    let report = reader.error_at("wheels", format!("no wheel \"{name}\" for <wheels>"));
                    report.one_of(name, context.wheels.iter().cloned());
                }
            }
        }
        if wheels.is_empty() {
            wheels = (0..context.wheels.len()).collect();
        }
        let ticks = reader.f64("ticks_per_revolution", 1024.0, Accept::range(1.0, 1e9));
        if ticks.fract() != 0.0 {
            reader
                .error_at("ticks_per_revolution", "<ticks_per_revolution> with a fraction")
                .accepted(["whole numbers"]);
        }
        let period = reader.f64("sensor_period", 0.1, Accept::range(1e-4, 1e6));
        let ticks_per_revolution = ticks as u32;
        let errors = ErrorParameters::read(reader, "angle", ErrorParameters::white(0.0), period);
        let period = SimTime::from_secs(period);
        Encoder::new(EncoderParameters { wheels, ticks_per_revolution, errors, period }, context)
    }
}

/// How far a wheel has turned [rad] whose angle changed by `change` [rad] while its rate would have turned it by `about` [rad]. The vehicle
/// leaves out whole turns of large angles.
fn turn(change: f64, about: f64) -> f64 {
    about + wrap_angle(change - about)
}

impl Sensor for Encoder {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn size(&self) -> SensorSize {
        let wheels = self.counters.len() as u64;
        let counters = wheels * size_of::<Counter>() as u64;
        SensorSize { sample: SensorSize::SMALL.sample + 16 * wheels, scratch: counters, ..SensorSize::SMALL }
    }

    fn new_reading(&self) -> ReadingData {
        let wheels = self.counters.len();
        ReadingData::Ticks(EncoderTicks { counts: vec![0; wheels], rates: vec![0.0; wheels] })
    }

    fn restart(&mut self) {
        self.before = None;
        for counter in &mut self.counters {
            (counter.angle, counter.turned, counter.count) = (0.0, 0.0, 0);
            counter.errors.iter_mut().for_each(Errors::restart);
        }
    }

    fn sense(&mut self, view: &View<'_>, out: &mut ReadingData) {
        let ReadingData::Ticks(ticks) = out else { return };
        let interval = self.before.map_or(self.info.period, |before| view.time - before);
        let (is_first, elapsed) = (self.before.is_none(), interval.secs());
        // At the instant of a sample that is after it.
        let was_set_down = view.since_set_down <= interval;
        self.before = Some(view.time);
        ticks.counts.clear();
        ticks.rates.clear();
        for counter in &mut self.counters {
            let spin = (view.spin_of)(counter.wheel);
            let angle_before = match (is_first, was_set_down) {
                (false, false) => counter.angle,
                // Carried to another place, without turning its wheels.
                (false, true) => spin.angle,
                // The time was set back, and the wheels turn on.
                (true, _) if view.since_set_down > interval => spin.angle - spin.rate * elapsed,
                (true, _) => 0.0,
            };
            let change = spin.angle - angle_before;
            // Half a large angle cannot be reached within a sample: a jump is a turn that was left out.
            let jumped = change.abs() > LARGE_JUMP;
            counter.turned += if jumped { turn(change, spin.rate * elapsed) } else { change };
            counter.angle = spin.angle;
            let turned = counter.turned;
            let reported = counter.errors.as_mut().map_or(turned, |errors| errors.disturb_one(turned, elapsed));
            let count = whole_steps(reported, self.radians_per_tick) as i64;
            ticks.rates.push((count - counter.count) as f64 * self.radians_per_tick / elapsed);
            ticks.counts.push(count);
            counter.count = count;
        }
    }
}

/// Wheel angles are kept below 10 000 rad; a larger change [rad] than this comes of that.
const LARGE_JUMP: f64 = 5e3;

#[cfg(test)]
mod tests;
