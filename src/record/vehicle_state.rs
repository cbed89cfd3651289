//! `skidpad/msg/VehicleState`: what viewers of recordings see of a vehicle. Besides its geometry it holds the numbers of [`VEHICLE`] that have a
//! field, so that a row there is all that a new one takes; `SKIDPAD_UPDATE=1 cargo test --lib vehicle_state` writes it to `msg/` too.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeTuple, Serializer};

use super::message::{Header, Message, Pose, Twist, Vector3};
use crate::interface::numbers::{FIELDS, FieldKind, VEHICLE, fields};
use crate::interface::rules::{Driving, set_driving};
use crate::world::VehicleFrame;

/// `skidpad/msg/VehicleState`.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct VehicleState {
    /// When, and the map.
    pub header: Header,
    /// The vehicle's base frame.
    pub child_frame_id: String,
    /// Of the base frame in the map [m].
    pub pose: Pose,
    /// Along the axes of the base frame [m/s, rad/s].
    pub twist: Twist,
    /// Along the same axes [m/s²].
    pub acceleration: Vector3,
    /// All else.
    pub numbers: Numbers,
}

impl Message for VehicleState {
    const TYPE: &'static str = "skidpad/msg/VehicleState";
}

/// The numbers of a vehicle that have a field, in the order of [`FIELDS`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Numbers([f64; FIELDS.len()]);

impl Numbers {
    /// Fields that all recordings have; older ones end before those that came later, which then are 0.
    const OLDEST: usize = 18;

    /// The numbers of this vehicle.
    pub fn of(vehicle: &VehicleFrame) -> Numbers {
        let mut numbers = Numbers::default();
        for (into, (number, _)) in numbers.0.iter_mut().zip(fields()) {
            *into = (number.value)(vehicle);
        }
        numbers
    }

    /// Puts them back into a vehicle.
    pub fn apply(&self, vehicle: &mut VehicleFrame) {
        let mut driving = Driving::default();
        for ((_, field), value) in fields().zip(self.0) {
            (field.set)(vehicle, &mut driving, value);
        }
        set_driving(vehicle, driving);
    }

    /// The number in this field; none where there is no such field.
    pub fn get(&self, name: &str) -> Option<f64> {
        fields().zip(self.0).find(|((_, field), _)| field.name == name).map(|(_, value)| value)
    }
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(FIELDS.len())?;
        for ((_, field), value) in fields().zip(self.0) {
            match field.kind {
                FieldKind::Float64 => tuple.serialize_element(&value)?,
                FieldKind::Int8 => tuple.serialize_element(&(value as i8))?,
                FieldKind::Uint8 => tuple.serialize_element(&(value as u8))?,
                FieldKind::Bool => tuple.serialize_element(&(value != 0.0))?,
            }
        }
        tuple.end()
    }
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Numbers, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Numbers;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} numbers", FIELDS.len())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut fields_of: A) -> Result<Numbers, A::Error> {
                let mut numbers = Numbers::default();
                for (value, (_, field)) in numbers.0.iter_mut().zip(fields()) {
                    let read = match field.kind {
                        FieldKind::Float64 => fields_of.next_element(),
                        FieldKind::Int8 => fields_of.next_element().map(|value| value.map(<f64 as From<i8>>::from)),
                        FieldKind::Uint8 => fields_of.next_element().map(|value| value.map(<f64 as From<u8>>::from)),
                        FieldKind::Bool => {
                            fields_of.next_element().map(|value| value.map(|is: bool| f64::from(u8::from(is))))
                        }
                    };
                    *value = match read {
                        Err(error) if field.place < Numbers::OLDEST => return Err(error),
                        Ok(None) if field.place < Numbers::OLDEST => {
                            return Err(A::Error::invalid_length(field.place, &self));
                        }
                        read => read.ok().flatten().unwrap_or_default(),
                    };
                }
                Ok(numbers)
            }
        }

        deserializer.deserialize_tuple(FIELDS.len(), Reader)
    }
}

/// Longest definition [bytes].
const LONGEST: usize = 4096;

/// The definition and its length.
const BYTES: ([u8; LONGEST], usize) = {
    let mut built = ([0; LONGEST], 0);
    append(
        &mut built,
        "uint8 NO_DRIVER=0\nuint8 DRIVER_WAITS=1\nuint8 DRIVER_DRIVES=2\nstd_msgs/Header header\nstring child_frame_id\n\
         geometry_msgs/Pose pose\ngeometry_msgs/Twist twist\ngeometry_msgs/Vector3 acceleration\n",
    );
    let mut place = 0;
    while place < FIELDS.len() {
        if let Some(field) = VEHICLE[FIELDS[place]].field {
            append(&mut built, field.kind.name());
            append(&mut built, " ");
            append(&mut built, field.name);
            append(&mut built, "\n");
        }
        place += 1;
    }
    built
};

const fn append(built: &mut ([u8; LONGEST], usize), text: &str) {
    let mut index = 0;
    while index < text.len() {
        built.0[built.1] = text.as_bytes()[index];
        built.1 += 1;
        index += 1;
    }
}

impl VehicleState {
    /// Its fields, one a line, as in the file of its definition.
    pub const FIELDS: &str = match std::str::from_utf8(BYTES.0.split_at(BYTES.1).0) {
        Ok(text) => text,
        Err(_) => "",
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose2, Twist2, Vec2};
    use crate::record::cdr;
    use crate::tracking::TrackingFrame;
    use crate::world::{PowertrainFrame, Setpoint};

    #[test]
    fn the_file_of_the_definition_has_the_same_fields() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/msg/VehicleState.msg");
        let text = std::fs::read_to_string(path).unwrap();
        let head = text.find("geometry_msgs/Vector3 acceleration").and_then(|at| Some(at + text[at..].find('\n')? + 1));
        let mut wanted = text[..head.unwrap()].to_owned();
        for (number, field) in fields() {
            let unit = match number.channel.unit {
                "-" => String::new(),
                unit => format!("[{}]", unit.replace('·', "*")),
            };
            let comment = format!("{} {unit}", field.comment);
            wanted += &format!("{:<30} # {}\n", format!("{} {}", field.kind.name(), field.name), comment.trim());
        }
        if std::env::var_os("SKIDPAD_UPDATE").is_some() {
            std::fs::write(path, &wanted).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), wanted);
    }

    #[test]
    fn numbers_come_back_from_their_bytes_to_where_they_were() {
        let tracking = TrackingFrame {
            point: Vec2::new(1.5, 2.5),
            point_reference: Vec2::new(3.5, 4.5),
            active: true,
            ..TrackingFrame::default()
        };
        let vehicle = VehicleFrame {
            odom_from_body: Pose2::new(0.25, -0.5, 0.75),
            setpoint: Setpoint { velocity_in_body: Twist2::new(2.0, 0.0, 0.5), steering_angle: -0.125 },
            powertrain: PowertrainFrame {
                engine_speed: 99.0,
                engine_torque: -7.0,
                gear: -1,
                throttle: 0.5,
                brake: 0.25,
            },
            colliding: true,
            has_driver: true,
            tracking: Some(tracking),
            ..VehicleFrame::default()
        };
        let mut bytes = Vec::new();
        cdr::write(&Numbers::of(&vehicle), &mut bytes).unwrap();
        // 15 doubles, then gear, collision and driver.
        assert_eq!((bytes.len(), &bytes[4 + 15 * 8..]), (4 + 15 * 8 + 3, &[255, 1, 2][..]));
        let read: Numbers = cdr::read(&bytes).unwrap();
        let mut found = VehicleFrame::default();
        read.apply(&mut found);
        assert_eq!(Numbers::of(&found), Numbers::of(&vehicle));
        assert_eq!((found.powertrain, found.setpoint, found.colliding), (vehicle.powertrain, vehicle.setpoint, true));
        assert_eq!((read.get("wanted_speed"), read.get("gear"), read.get("speed")), (Some(2.0), Some(-1.0), None));
        assert!(cdr::read::<Numbers>(&bytes[..bytes.len() - 1]).is_err(), "cut off");
    }
}
