//! Contact sensor and bumper, `<sensor class="contact">`: what touches the vehicle, where, and how hard.
//!
//! ```xml
//! <sensor class="contact" name="bumper">         the name is the ROS topic and the frame
//!   <pose_3d>x y z yaw pitch roll</pose_3d>      mounting on the vehicle [m], [deg]; default 0; or
//!   <pose>x y yaw</pose>                         at z = 0
//!   <sector>-180 180</sector>                    directions of the contacts that count, from the sensor's origin, counter-clockwise from
//!                                                its x axis [deg]: from, to; from < to, at most 360 apart
//!   <least_force>0</least_force>                 contacts that never push harder are left out [N], ≥ 0
//!   <sensor_period>0.1</sensor_period>           [s], ≥ 1e-4
//! </sensor>
//! ```
//! A sample has all contacts since the sample before, of every step: a short blow is not missed. The points at which
//! one body touches from one side (within 30°) are one contact, at the mean of the points, weighted by how hard they
//! push. Chassis and wheels feel the same bodies that stop the vehicle: vehicles, blocks, walls, and maps; steps in the
//! ground are not felt. Actors are felt where they are run over, and push with nothing.
//!
//! Impulses are those of the collisions, with friction; the force is the greatest of any step, the impulse of a step
//! over its duration: a rigid blow gives more force the shorter the step is. Vehicles whose velocity is imposed
//! (`twist_ideal`, models of whole vehicles) push with the impulse of the blow, and with nothing while they are held
//! back. Not modelled: the travel of a bumper, heights within a storey.

use std::f64::consts::TAU;
use std::sync::Arc;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Accept, Reader};

use super::description::packed;
use super::mounting::read_mounting;
use super::{
    Column, Delivered, Measured, ReadingData, Sensor, SensorContext, SensorDescription, SensorEntry, SensorInfo,
    SensorKind, SensorSize, SensorTopic, Values, View,
};

/// Most contacts of a sample; what is more is added to those of the same body, or left out.
const MAX_CONTACTS: usize = 32;
/// Cosine of the largest angle between the normals of points that are one contact.
const SAME_SIDE: f64 = 0.866;
/// Weight of a point that does not push [N·s].
const RESTING: f64 = 1e-9;

/// Mounting and sector of a contact sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactParameters {
    /// Mounting on the vehicle [m, rad].
    pub body_from_sensor: Pose3,
    /// The directions that count.
    pub sector: ContactSector,
    /// Contacts that never push harder are left out [N].
    pub least_force: f64,
    /// Time between samples [ns].
    pub period: SimTime,
}

impl Default for ContactParameters {
    fn default() -> ContactParameters {
        ContactParameters {
            body_from_sensor: Pose3::default(),
            sector: ContactSector::default(),
            least_force: 0.0,
            period: SimTime(100_000_000),
        }
    }
}

/// Directions from a contact sensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSector {
    /// Its first direction [rad], counter-clockwise from the x axis.
    pub from: f64,
    /// How far it reaches counter-clockwise from there [rad], up to 2π.
    pub span: f64,
}

impl Default for ContactSector {
    /// All directions.
    fn default() -> ContactSector {
        ContactSector { from: -0.5 * TAU, span: TAU }
    }
}

impl ContactSector {
    /// Whether it has every direction.
    pub fn is_whole(&self) -> bool {
        self.span >= TAU
    }

    /// Whether a point [m] lies in one of its directions.
    fn contains(&self, point: Vec3) -> bool {
        self.is_whole() || (libm::atan2(point.y, point.x) - self.from).rem_euclid(TAU) <= self.span
    }
}

/// A point at which the vehicle touches another body in a step.
#[derive(Clone, Copy, Debug)]
pub struct Touch<'a> {
    /// Simulated time at the end of the step [ns].
    pub time: SimTime,
    /// Its duration [s].
    pub step: f64,
    /// Pose of the vehicle then [m, rad].
    pub world_from_body: Pose3,
    /// Name of the other body.
    pub other: &'a Arc<str>,
    /// The point in the world [m].
    pub position: Vec3,
    /// Unit vector in the world from the other body to the vehicle [-].
    pub normal: Vec3,
    /// Impulse on the vehicle along the normal [N·s], ≥ 0.
    pub push: f64,
    /// The whole impulse on the vehicle, in the world [N·s].
    pub impulse: Vec3,
}

/// A contact, in the frame of the sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// Name of the other body.
    pub other: Arc<str>,
    /// Where they touch [m].
    pub position: Vec3,
    /// Unit vector from the other body to the vehicle [-].
    pub normal: Vec3,
    /// Greatest force on the vehicle along the normal, of any step [N].
    pub force: f64,
    /// Impulse on the vehicle since the sample before [N·s].
    pub impulse: Vec3,
}

/// Its line of [`SENSORS`](super::SENSORS).
pub const ENTRY: SensorEntry = SensorEntry {
    name: "contact",
    help: "bumper: what touches the vehicle, where, and how hard",
    topics: &[
        SensorTopic { suffix: "", message: "skidpad/msg/Contacts" },
        SensorTopic { suffix: "/pressed", message: "std_msgs/msg/Bool" },
    ],
    casts_rays: false,
    interpolates: false,
    read: |reader, context| Box::new(ContactSensor::read(reader, context)),
};

impl SensorDescription for ContactSector {
    fn entry(&self) -> &'static SensorEntry {
        &ENTRY
    }

    fn in_words(&self, rate: &str) -> String {
        let [from, to] = [self.from, self.from + self.span].map(f64::to_degrees);
        let felt = if self.is_whole() { String::new() } else { format!(", {from:.1}° to {to:.1}°") };
        format!("contact sensor{felt}, {rate}")
    }

    fn columns(&self) -> Option<Vec<Column>> {
        None
    }

    fn values<'a>(&self, _: &str, _: Delivered<'a>) -> Option<Values<'a>> {
        None
    }
}

impl Measured for Vec<Contact> {
    fn append_bits(&self, bits: &mut Vec<u64>) {
        for Contact { other, position, normal, force, impulse } in self {
            bits.extend(packed(other.as_bytes()));
            let numbers = [position, normal, impulse].into_iter().flatten().chain([force]);
            bits.extend(numbers.map(|n| n.to_bits()));
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&self[..])
    }
}

/// A contact while a sample is gathered.
#[derive(Clone, Debug)]
struct Gathered {
    contact: Contact,
    /// Sums over its points: of the weights [N·s], and of positions and normals times weight.
    weight: f64,
    position: Vec3,
    normal: Vec3,
    /// The last step in which it pushed [ns], and the impulse along the normal of that step [N·s].
    last: (SimTime, f64),
}

/// A contact sensor.
#[derive(Clone, Debug)]
pub struct ContactSensor {
    info: SensorInfo,
    sector: ContactSector,
    least_force: f64,
    gathered: Vec<Gathered>,
}

impl ContactSensor {
    /// A contact sensor with the name in `context`.
    pub fn new(parameters: ContactParameters, context: &SensorContext) -> ContactSensor {
        let ContactParameters { body_from_sensor, sector, least_force, period } = parameters;
        let kind = SensorKind::Contact(sector);
        ContactSensor {
            info: SensorInfo { name: context.name.clone(), period, body_from_sensor, kind },
            sector,
            least_force,
            gathered: Vec::with_capacity(MAX_CONTACTS),
        }
    }

    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>, context: &SensorContext) -> ContactSensor {
        let d = ContactParameters::default();
        reader.ignore(&["class", "name", "visual", "publish"]);
        let parameters = ContactParameters {
            body_from_sensor: read_mounting(reader, d.body_from_sensor),
            sector: read_sector(reader).unwrap_or(d.sector),
            least_force: reader.f64("least_force", d.least_force, Accept::non_negative()),
            period: SimTime::from_secs(reader.f64("sensor_period", d.period.secs(), Accept::range(1e-4, 1e6))),
        };
        ContactSensor::new(parameters, context)
    }
}

fn read_sector(reader: &Reader<'_>) -> Option<ContactSector> {
    let ends = reader.numbers("sector", &[2])?;
    let (from, to) = (ends[0], ends[1]);
    if !(from < to && to - from <= 360.0 && from.abs() <= 360.0) {
        let report = reader.error_at("sector", format!("<sector> from {from} to {to} degrees"));
        report.accepted(["from < to, at most 360 apart, from -360 to 360"]);
        return None;
    }
    Some(ContactSector { from: from.to_radians(), span: (to - from).to_radians().min(TAU) })
}

impl Sensor for ContactSensor {
    fn info(&self) -> &SensorInfo {
        &self.info
    }

    fn size(&self) -> SensorSize {
        let sample = (MAX_CONTACTS * size_of::<Contact>()) as u64;
        SensorSize { sample, scratch: sample, ..SensorSize::SMALL }
    }

    fn new_reading(&self) -> ReadingData {
        ReadingData::Contacts(Vec::with_capacity(MAX_CONTACTS))
    }

    fn restart(&mut self) {
        self.gathered.clear();
    }

    fn feels(&self) -> bool {
        true
    }

    fn feel(&mut self, touch: &Touch<'_>) {
        let world_from_sensor = touch.world_from_body * self.info.body_from_sensor;
        let sensor_from_world = world_from_sensor.rotation().transpose();
        let position = sensor_from_world * (touch.position - world_from_sensor.position());
        if !self.sector.contains(position) {
            return;
        }
        let (normal, impulse) = (sensor_from_world * touch.normal, sensor_from_world * touch.impulse);
        let is_same = |known: &Gathered| Arc::ptr_eq(&known.contact.other, touch.other);
        let is_same_side = |known: &Gathered| is_same(known) && known.contact.normal.dot(&normal) > SAME_SIDE;
        let known = self.gathered.iter().position(is_same_side);
        let is_full = self.gathered.len() >= MAX_CONTACTS;
        let place = match known.or_else(|| self.gathered.iter().position(is_same).filter(|_| is_full)) {
            Some(place) => place,
            None if is_full => return,
            None => {
                let zero = Vec3::zeros();
                let contact = Contact { other: touch.other.clone(), position, normal, force: 0.0, impulse: zero };
                let last = (touch.time, 0.0);
                self.gathered.push(Gathered { contact, weight: 0.0, position: zero, normal: zero, last });
                self.gathered.len() - 1
            }
        };
        let known = &mut self.gathered[place];
        let weight = touch.push + RESTING;
        known.weight += weight;
        known.position += weight * position;
        known.normal += weight * normal;
        let before = if known.last.0 == touch.time { known.last.1 } else { 0.0 };
        known.last = (touch.time, before + touch.push);
        let contact = &mut known.contact;
        contact.position = known.position / known.weight;
        contact.normal = known.normal.try_normalize(0.0).unwrap_or(normal);
        contact.force = contact.force.max(known.last.1 / touch.step);
        contact.impulse += impulse;
    }

    fn sense(&mut self, _view: &View<'_>, out: &mut ReadingData) {
        let ReadingData::Contacts(contacts) = out else { return };
        contacts.clear();
        let least_force = self.least_force;
        let felt = self.gathered.drain(..).map(|known| known.contact);
        contacts.extend(felt.filter(|contact| contact.force >= least_force));
    }
}

#[cfg(test)]
mod tests;
