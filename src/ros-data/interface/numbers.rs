//! The numbers of vehicles, wheels and actors for viewers, each in one row: name, unit, resolution, and its source in a frame.
//!
//! The page's channels follow from these tables, and for a vehicle also the columns of CSV files, and the message
//! `skidpad/msg/VehicleState` of recordings: its definition, its bytes, how it is filled and how replays use it.

use serde::Serialize;
use skidpad_math::Pose3;
use skidpad_sim::world::actor::ActorFrame;
use skidpad_sim::world::{VehicleFrame, WheelFrame};

use super::rules::{DriverState, Driving, driving};

/// A number of a state: sent to the page as the whole number nearest to value / `resolution`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Channel {
    /// Name, by which viewers find it.
    pub name: &'static str,
    /// SI unit, `-` for none.
    pub unit: &'static str,
    /// Value of one count.
    pub resolution: f64,
}

/// A number of a `T`.
#[derive(Debug)]
pub struct Number<T: 'static> {
    /// Its description for viewers.
    pub channel: Channel,
    /// The number, in its unit.
    pub value: fn(&T) -> f64,
}

/// A type that a number is stored as.
pub(crate) trait Scalar {
    /// Converts the value to a number.
    fn number(self) -> f64;

    /// Converts a number to the value.
    fn of(number: f64) -> Self;
}

macro_rules! scalars {
    ($($kind:ty),*) => {
        $(impl Scalar for $kind {
            fn number(self) -> f64 {
                self as f64
            }

            fn of(number: f64) -> $kind {
                number as $kind
            }
        })*
    };
}

scalars!(f64, i8, u8);

impl Scalar for bool {
    fn number(self) -> f64 {
        f64::from(u8::from(self))
    }

    fn of(number: f64) -> bool {
        number != 0.0
    }
}

impl Scalar for DriverState {
    fn number(self) -> f64 {
        f64::from(self as u8)
    }

    fn of(number: f64) -> DriverState {
        let known = [DriverState::None, DriverState::Drives].into_iter().find(|state| state.number() == number);
        known.unwrap_or(DriverState::Waits)
    }
}

/// Passes the numbers of a vehicle that are fields of `skidpad/msg/VehicleState` to a macro, in the order of the message; new ones are
/// appended. A row has the index among the page's channels, which increases without gaps, name, unit and resolution of the channel; field
/// and type in the message; its path in a `VehicleFrame` or in `rules::Driving`; and its comment.
macro_rules! vehicle_numbers {
    ($macro:ident) => {
        $macro! {
            11 "odom_x" "m" 1e-3, odometry_x: f64, frame odom_from_body.x, "pose estimated by wheel odometry, relative to its origin";
            12 "odom_y" "m" 1e-3, odometry_y: f64, frame odom_from_body.y, "";
            13 "odom_yaw" "rad" 1e-4, odometry_yaw: f64, frame odom_from_body.yaw, "";
            14 "wanted_vx" "m/s" 1e-3, wanted_speed: f64, frame setpoint.velocity_in_body.vx, "set-point after its limits, along the vehicle's heading";
            15 "wanted_yaw_rate" "rad/s" 1e-3, wanted_yaw_rate: f64, frame setpoint.velocity_in_body.wz, "set-point after its limits";
            16 "wanted_steer" "rad" 1e-4, wanted_steering_angle: f64, frame setpoint.steering_angle, "set-point after its limits, of the equivalent single track, positive to the left";
            18 "throttle" "-" 1e-2, throttle: f64, frame powertrain.throttle, "0 to 1";
            19 "brake" "-" 1e-2, brake: f64, frame powertrain.brake, "0 to 1";
            21 "engine_speed" "rad/s" 0.1, engine_speed: f64, frame powertrain.engine_speed, "0 without an engine";
            22 "engine_torque" "N·m" 0.1, engine_torque: f64, frame powertrain.engine_torque, "on the engine's shaft";
            24 "point_x" "m" 1e-3, point_x: f64, driving point.x, "the point that the driver guides, in the map; it and the reference are 0 without a driver";
            25 "point_y" "m" 1e-3, point_y: f64, driving point.y, "";
            26 "reference_x" "m" 1e-3, reference_x: f64, driving reference.x, "where that point shall be, in the map";
            27 "reference_y" "m" 1e-3, reference_y: f64, driving reference.y, "";
            28 "reference_yaw" "rad" 1e-4, reference_yaw: f64, driving reference.yaw, "heading of the path there";
            20 "gear" "-" 1.0, gear: i8, frame powertrain.gear, "engaged: 1 and up forward, 0 neutral, -1 reverse";
            17 "colliding" "-" 1.0, colliding: bool, frame colliding, "whether it touches something at this instant";
            23 "driver" "-" 1.0, driver: u8, driving state, "NO_DRIVER, DRIVER_WAITS or DRIVER_DRIVES";
            30 "wanted_vy" "m/s" 1e-3, wanted_lateral_speed: f64, frame setpoint.velocity_in_body.vy, "set-point after its limits, to the vehicle's left";
            31 "overturned" "-" 1.0, overturned: bool, frame is_overturned, "whether it has tipped over, and its body has touched the ground since";
        }
    };
}

/// The source of such a number: the vehicle's frame, or its driver.
macro_rules! place {
    ($frame:expr, $driving:expr, frame $($path:ident).+) => {
        $frame.$($path).+
    };
    ($frame:expr, $driving:expr, driving $($path:ident).+) => {
        $driving.$($path).+
    };
}

pub(crate) use {place, vehicle_numbers};

const fn channel(name: &'static str, unit: &'static str, resolution: f64) -> Channel {
    Channel { name, unit, resolution }
}

const fn of<T>(channel: Channel, value: fn(&T) -> f64) -> Number<T> {
    Number { channel, value }
}

/// Declares tables, each with a function that reads all of its numbers at once. Rows are the description and the value.
macro_rules! tables {
    ($(
        $(#[$about:meta])*
        $visible:vis $table:ident, $all:ident($from:ident: $kind:ty) {
            $($channel:expr => $value:expr;)*
        }
    )*) => {
        $(
            $(#[$about])*
            $visible const $table: [Number<$kind>; [$($channel),*].len()] = [$(of($channel, |$from| $value)),*];

            #[doc = concat!("The numbers of [`", stringify!($table), "`] in their order.")]
            #[inline]
            $visible fn $all($from: &$kind) -> [f64; $table.len()] {
                [$($value),*]
            }
        )*
    };
}

/// A body's pose in the world.
pub const POSE: [Channel; 6] = [
    channel("x", "m", 1e-3),
    channel("y", "m", 1e-3),
    channel("z", "m", 1e-3),
    channel("yaw", "rad", 1e-4),
    channel("pitch", "rad", 1e-4),
    channel("roll", "rad", 1e-4),
];

/// The numbers of a pose, in the order of [`POSE`].
pub fn pose(pose: Pose3) -> [f64; POSE.len()] {
    [pose.x, pose.y, pose.z, pose.yaw, pose.pitch, pose.roll]
}

tables! {
    /// Numbers with message fields of their own: pose, twist and acceleration.
    MOTION, motion(v: VehicleFrame) {
        POSE[0] => v.world_from_body.x;
        POSE[1] => v.world_from_body.y;
        POSE[2] => v.world_from_body.z;
        POSE[3] => v.world_from_body.yaw;
        POSE[4] => v.world_from_body.pitch;
        POSE[5] => v.world_from_body.roll;
        channel("vx", "m/s", 1e-3) => v.velocity_in_body.vx;
        channel("vy", "m/s", 1e-3) => v.velocity_in_body.vy;
        channel("yaw_rate", "rad/s", 1e-3) => v.velocity_in_body.wz;
        channel("ax", "m/s²", 1e-2) => v.acceleration_in_body.x;
        channel("ay", "m/s²", 1e-2) => v.acceleration_in_body.y;
    }

    /// A wheel of a vehicle. Its angle is within one turn, so that counts stay small however far it rolls.
    pub WHEEL, wheel(w: WheelFrame) {
        channel("steer", "rad", 1e-4) => w.steer;
        channel("spin_angle", "rad", 1e-2) => w.spin_angle.rem_euclid(std::f64::consts::TAU);
        channel("spin", "rad/s", 1e-2) => w.spin;
        channel("torque", "N·m", 1e-2) => w.torque;
        channel("load", "N", 0.1) => w.load;
        channel("lifted", "-", 1.0) => f64::from(u8::from(w.lifted));
        channel("wheel_vx", "m/s", 1e-3) => w.velocity_in_wheel.x;
        channel("wheel_vy", "m/s", 1e-3) => w.velocity_in_wheel.y;
        channel("force_x", "N", 0.1) => w.force_in_wheel.x;
        channel("force_y", "N", 0.1) => w.force_in_wheel.y;
        channel("slip_ratio", "-", 1e-4) => w.slip_ratio();
        channel("slip_angle", "rad", 1e-4) => w.slip_angle();
        channel("travel", "m", 1e-3) => w.travel;
    }

    /// An actor: its pose, its gait (0 standing, 1 walking, 2 running), the time within its clip, and the way that its wheels have rolled.
    pub ACTOR, actor(a: ActorFrame) {
        POSE[0] => a.world_from_actor.x;
        POSE[1] => a.world_from_actor.y;
        POSE[2] => a.world_from_actor.z;
        POSE[3] => a.world_from_actor.yaw;
        POSE[4] => a.world_from_actor.pitch;
        POSE[5] => a.world_from_actor.roll;
        channel("gait", "-", 1.0) => f64::from(a.gait as u8);
        channel("clip_time", "s", 1e-2) => a.clip_time;
        channel("distance", "m", 1e-3) => a.distance;
    }
}

/// Distance between the driver's reference point on the vehicle and its reference.
const TRACKING_ERROR: Number<VehicleFrame> = of(channel("tracking_error", "m", 1e-4), |v| tracking_error(&driving(v)));

fn tracking_error(Driving { point, reference, .. }: &Driving) -> f64 {
    (reference.position() - *point).norm()
}

macro_rules! table {
    ($($place:literal $name:literal $unit:literal $resolution:literal, $field:ident: $kind:ident, $of:ident $($path:ident).+, $says:literal;)*) => {
        /// A vehicle, before its wheels: its motion, then the numbers of `vehicle_numbers`, and the tracking error at place 29.
        pub const VEHICLE: [Number<VehicleFrame>; MOTION.len() + 1 + [$($place),*].len()] = {
            let mut table = [TRACKING_ERROR; MOTION.len() + 1 + [$($place),*].len()];
            let mut index = 0;
            while index < MOTION.len() {
                table[index] = of(MOTION[index].channel, MOTION[index].value);
                index += 1;
            }
            $(table[$place] = of(channel($name, $unit, $resolution), |v| place!(v, driving(v), $of $($path).+).number());)*
            table
        };

        /// The numbers of [`VEHICLE`] in their order.
        #[inline]
        pub fn vehicle(v: &VehicleFrame) -> [f64; VEHICLE.len()] {
            let driving = driving(v);
            let mut values = [tracking_error(&driving); VEHICLE.len()];
            values[..MOTION.len()].copy_from_slice(&motion(v));
            $(values[$place] = place!(v, driving, $of $($path).+).number();)*
            values
        }
    };
}

vehicle_numbers!(table);

/// The descriptions of a table's numbers for viewers.
pub const fn channels<T, const N: usize>(table: &[Number<T>; N]) -> [Channel; N] {
    let mut channels = [POSE[0]; N];
    let mut index = 0;
    while index < N {
        channels[index] = table[index].channel;
        index += 1;
    }
    channels
}

/// The function that reads the number of this name, which has to be in the table.
pub const fn value<T, const N: usize>(table: &[Number<T>; N], name: &str) -> fn(&T) -> f64 {
    let mut index = 0;
    while index < N && !is_same(table[index].channel.name.as_bytes(), name.as_bytes()) {
        index += 1;
    }
    table[index].value
}

/// `==`, which is not available in constants.
const fn is_same(a: &[u8], b: &[u8]) -> bool {
    match (a, b) {
        ([], []) => true,
        ([a, a_rest @ ..], [b, b_rest @ ..]) => *a == *b && is_same(a_rest, b_rest),
        _ => false,
    }
}
