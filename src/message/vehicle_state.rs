//! `skidpad/msg/VehicleState`: the state of a vehicle for viewers of recordings. Besides its motion it has a field for each row of [`vehicle_numbers`];
//! `SKIDPAD_UPDATE=1 cargo test --lib vehicle_state` writes new ones to `msg/` too.

use serde::{Deserialize, Serialize};

use super::{Header, Message, Pose, Twist, Vector3};
use crate::interface::numbers::{Scalar, place, vehicle_numbers};
use crate::interface::rules::{Driving, driving, set_driving};
use crate::world::VehicleFrame;

/// The name of a type in definitions.
macro_rules! ros_name {
    (f64) => {
        "float64"
    };
    (i8) => {
        "int8"
    };
    (u8) => {
        "uint8"
    };
    (bool) => {
        "bool"
    };
}

macro_rules! message {
    ($($place:literal $name:literal $unit:literal $resolution:literal, $field:ident: $kind:ident, $of:ident $($path:ident).+, $says:literal;)*) => {
        /// `skidpad/msg/VehicleState`.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
            $(#[doc = concat!($says, " [", $unit, "]")]
            pub $field: $kind,)*
        }

        impl VehicleState {
            /// Its fields, one a line, as in the file of its definition.
            pub const FIELDS: &str = concat!(
                "uint8 NO_DRIVER=0\nuint8 DRIVER_WAITS=1\nuint8 DRIVER_DRIVES=2\nstd_msgs/Header header\nstring child_frame_id\n",
                "geometry_msgs/Pose pose\ngeometry_msgs/Twist twist\ngeometry_msgs/Vector3 acceleration\n",
                $(ros_name!($kind), " ", stringify!($field), "\n"),*
            );

            /// Takes over the numbers of a vehicle, all but its motion.
            pub fn take_numbers(&mut self, vehicle: &VehicleFrame) {
                let driving = driving(vehicle);
                $(self.$field = Scalar::of(place!(vehicle, driving, $of $($path).+).number());)*
            }

            /// Puts them back into a vehicle.
            pub fn put_numbers(&self, vehicle: &mut VehicleFrame) {
                let mut driving = Driving::default();
                $(place!(vehicle, driving, $of $($path).+) = Scalar::of(self.$field.number());)*
                set_driving(vehicle, driving);
            }
        }

        /// Name, comment and unit of its numbers, for the file of its definition.
        #[cfg(test)]
        const NUMBERS: &[(&str, &str, &str)] =
            &[$((concat!(ros_name!($kind), " ", stringify!($field)), $says, $unit)),*];
    };
}

vehicle_numbers!(message);

impl Message for VehicleState {
    const TYPE: &'static str = "skidpad/msg/VehicleState";
    const DEFINITION: &'static str = VehicleState::FIELDS;
}

impl VehicleState {
    /// It has none.
    pub const NO_DRIVER: u8 = 0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Pose2, Twist2, Vec2};
    use crate::message::cdr;
    use crate::tracking::TrackingFrame;
    use crate::world::{PowertrainFrame, Setpoint};

    #[test]
    fn the_file_of_the_definition_has_the_same_fields() {
        let text = include_str!("../../msg/VehicleState.msg");
        let head = text.find("geometry_msgs/Vector3 acceleration").and_then(|at| Some(at + text[at..].find('\n')? + 1));
        let mut wanted = text[..head.unwrap()].to_owned();
        for (field, says, unit) in NUMBERS {
            let unit = if *unit == "-" { String::new() } else { format!("[{}]", unit.replace('·', "*")) };
            wanted += &format!("{field:<30} # {}\n", format!("{says} {unit}").trim());
        }
        if std::env::var_os("SKIDPAD_UPDATE").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/msg/VehicleState.msg");
            return std::fs::write(path, &wanted).unwrap();
        }
        assert_eq!(text, wanted);
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
        let mut state = VehicleState::default();
        state.take_numbers(&vehicle);
        let mut bytes = Vec::new();
        cdr::write(&state, &mut bytes).unwrap();
        // 15 doubles, then gear, collision and driver.
        assert_eq!((state.wanted_speed, &bytes[bytes.len() - 3..]), (2.0, &[255, 1, 2][..]));
        let read: VehicleState = cdr::read(&bytes).unwrap();
        assert_eq!(read, state);
        let (mut found, mut again) = (VehicleFrame::default(), VehicleState::default());
        read.put_numbers(&mut found);
        again.take_numbers(&found);
        assert_eq!(again, state);
        assert_eq!((found.powertrain, found.setpoint, found.colliding), (vehicle.powertrain, vehicle.setpoint, true));
        assert!(cdr::read::<VehicleState>(&bytes[..bytes.len() - 1]).is_err(), "cut off");
    }
}
