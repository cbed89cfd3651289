//! `skidpad/msg/VehicleState`: the state of a vehicle for viewers of recordings. Besides its motion it has a field for each row of [`vehicle_numbers`];
//! `SKIDPAD_UPDATE=1 cargo test -p skidpad-ros-data vehicle_state` writes new ones to `msg/` too.

use skidpad_sim::world::VehicleFrame;

use super::cdr::{self, CdrError};
use super::{Header, Pose, Twist, Vector3};
use crate::interface::numbers::{Scalar, place, vehicle_numbers};
use crate::interface::rules::{Driving, driving, set_driving};

macro_rules! message {
    ($($place:literal $name:literal $unit:literal $resolution:literal, $field:ident: $kind:ident, $of:ident $($path:ident).+, $says:literal;)*) => {
        messages! {
            VehicleState = "skidpad/msg/VehicleState" + "uint8 NO_DRIVER=0\nuint8 DRIVER_WAITS=1\nuint8 DRIVER_DRIVES=2\n" {
                /// Time stamp, and the frame of the map.
                header: Header,
                /// The vehicle's base frame.
                child_frame_id: String,
                /// Pose of the base frame in the map [m].
                pose: Pose,
                /// Velocity along the axes of the base frame [m/s, rad/s].
                twist: Twist,
                /// Acceleration along the same axes [m/s²].
                acceleration: Vector3,
                $(#[doc = concat!($says, " [", $unit, "]")]
                $field: $kind,)*
            }
        }

        impl VehicleState {
            /// Copies the numbers of a vehicle, all but its motion.
            pub(crate) fn take_numbers(&mut self, vehicle: &VehicleFrame) {
                let driving = driving(vehicle);
                $(self.$field = Scalar::of(place!(vehicle, driving, $of $($path).+).number());)*
            }

            /// Copies them back into a vehicle.
            pub fn put_numbers(&self, vehicle: &mut VehicleFrame) {
                let mut driving = Driving::default();
                $(place!(vehicle, driving, $of $($path).+) = Scalar::of(self.$field.number());)*
                set_driving(vehicle, driving);
            }
        }

        /// Comment and unit of its numbers, for the file of its definition.
        #[cfg(test)]
        const NUMBERS: &[(&str, &str)] = &[$(($says, $unit)),*];
    };
}

vehicle_numbers!(message);

impl VehicleState {
    /// No driver of the simulation guides the vehicle.
    pub const NO_DRIVER: u8 = 0;

    /// Reads a message of this version or of an earlier one, which lacks the last numbers: they are 0.
    ///
    /// # Errors
    /// As [`cdr::read`].
    pub fn read(bytes: &[u8]) -> Result<VehicleState, CdrError> {
        /// Sizes of the numbers that were added later, with their alignment: the last one, and the last two.
        const ADDED: [usize; 2] = [1, 16];
        let with = |added: usize| cdr::read(&[bytes, &vec![0; added]].concat());
        ADDED.into_iter().fold(cdr::read(bytes), |read, added| read.or_else(|_| with(added)))
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::{Pose2, Twist2, Vec2};
    use skidpad_sim::tracking::TrackingFrame;
    use skidpad_sim::world::{PowertrainFrame, Setpoint};

    use super::*;
    use crate::message::Message;

    #[test]
    fn the_file_of_the_definition_has_the_same_fields() {
        let text = include_str!("../../../msg/VehicleState.msg");
        let head = text.find("geometry_msgs/Vector3 acceleration").and_then(|at| Some(at + text[at..].find('\n')? + 1));
        let mut wanted = text[..head.unwrap()].to_owned();
        let definition = VehicleState::definition();
        let fields = definition.lines().skip_while(|line| !line.ends_with(" acceleration")).skip(1);
        for (field, (says, unit)) in fields.zip(NUMBERS) {
            let unit = if *unit == "-" { String::new() } else { format!("[{}]", unit.replace('·', "*")) };
            wanted += &format!("{field:<30} # {}\n", format!("{says} {unit}").trim());
        }
        if std::env::var_os("SKIDPAD_UPDATE").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../msg/VehicleState.msg");
            return std::fs::write(path, &wanted).unwrap();
        }
        assert_eq!(text, wanted);
    }

    #[test]
    fn numbers_survive_serialization() {
        let tracking = TrackingFrame {
            point: Vec2::new(1.5, 2.5),
            point_reference: Vec2::new(3.5, 4.5),
            active: true,
            ..TrackingFrame::default()
        };
        let vehicle = VehicleFrame {
            odom_from_body: Pose2::new(0.25, -0.5, 0.75),
            setpoint: Setpoint { velocity_in_body: Twist2::new(2.0, -0.75, 0.5), steering_angle: -0.125 },
            powertrain: PowertrainFrame {
                engine_speed: 99.0,
                engine_torque: -7.0,
                gear: -1,
                throttle: 0.5,
                brake: 0.25,
            },
            colliding: true,
            is_overturned: true,
            has_driver: true,
            tracking: Some(tracking),
            ..VehicleFrame::default()
        };
        let mut state = VehicleState::default();
        state.take_numbers(&vehicle);
        let mut bytes = Vec::new();
        cdr::write(&state, None, &mut bytes).unwrap();
        // Gear, collision and driver, and what aligns the double after them.
        let first = bytes.len() - 17;
        assert_eq!((state.wanted_speed, &bytes[first..first + 8]), (2.0, &[255, 1, 2, 0, 0, 0, 0, 0][..]));
        // What earlier versions wrote, and less than that.
        let earlier = VehicleState { overturned: false, ..state.clone() };
        assert_eq!(VehicleState::read(&bytes[..bytes.len() - 1]).unwrap(), earlier);
        let earlier = VehicleState { wanted_lateral_speed: 0.0, ..earlier };
        assert_eq!(VehicleState::read(&bytes[..first + 3]).unwrap(), earlier);
        assert!(VehicleState::read(&bytes[..first]).is_err());
        let read: VehicleState = cdr::read(&bytes).unwrap();
        assert_eq!(read, state);
        let (mut actual, mut again) = (VehicleFrame::default(), VehicleState::default());
        read.put_numbers(&mut actual);
        again.take_numbers(&actual);
        assert_eq!(again, state);
        assert_eq!(
            (actual.powertrain, actual.setpoint, actual.colliding, actual.is_overturned),
            (vehicle.powertrain, vehicle.setpoint, true, true)
        );
        assert!(cdr::read::<VehicleState>(&bytes[..bytes.len() - 1]).is_err(), "cut off");
    }
}
