//! The numbers that viewers see of vehicles, wheels and actors, each in one row: name, unit, resolution, and where a frame has it.
//!
//! The page's channels follow from these tables, and of a vehicle also the columns of CSV files, and the message `skidpad/msg/VehicleState` that
//! recordings hold: its definition, its bytes, how it is filled and what replays make of it.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use self::FieldKind::{Bool, Float64, Int8, Uint8};
use super::rules::{DriverState, Driving, driving};
use crate::math::Pose3;
use crate::world::actor::ActorFrame;
use crate::world::{VehicleFrame, WheelFrame};

/// A number of a state: sent to the page as the whole number nearest to value / `resolution`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Channel {
    /// Name, by which viewers find it.
    pub name: &'static str,
    /// SI unit, `-` for none.
    pub unit: &'static str,
    /// Value of one count.
    pub resolution: f64,
}

/// A number of a `T`.
#[derive(Clone, Copy, Debug)]
pub struct Number<T: 'static> {
    /// What viewers are told of it.
    pub channel: Channel,
    /// The number, in its unit.
    pub value: fn(&T) -> f64,
    /// Its field in `skidpad/msg/VehicleState`; none where pose, twist or acceleration there say it, or others that it follows from.
    pub field: Option<Field>,
}

/// A field of `skidpad/msg/VehicleState`.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its place among these fields. New ones go to the end.
    pub place: usize,
    /// Its type.
    pub kind: FieldKind,
    /// Its name.
    pub name: &'static str,
    /// What the file of the definition says of it, besides its unit.
    pub comment: &'static str,
    /// Puts the number back where it was read from.
    pub set: fn(&mut VehicleFrame, &mut Driving, f64),
}

/// Types of such fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// `float64`.
    Float64,
    /// `int8`.
    Int8,
    /// `uint8`.
    Uint8,
    /// `bool`.
    Bool,
}

impl FieldKind {
    /// Its name in definitions.
    pub const fn name(self) -> &'static str {
        match self {
            FieldKind::Float64 => "float64",
            FieldKind::Int8 => "int8",
            FieldKind::Uint8 => "uint8",
            FieldKind::Bool => "bool",
        }
    }
}

const fn channel(name: &'static str, unit: &'static str, resolution: f64) -> Channel {
    Channel { name, unit, resolution }
}

const fn of<T>(channel: Channel, value: fn(&T) -> f64) -> Number<T> {
    Number { channel, value, field: None }
}

const fn number<T>(name: &'static str, unit: &'static str, resolution: f64, value: fn(&T) -> f64) -> Number<T> {
    of(channel(name, unit, resolution), value)
}

const fn of_vehicle(
    name: &'static str,
    unit: &'static str,
    resolution: f64,
    value: fn(&VehicleFrame) -> f64,
) -> Number<VehicleFrame> {
    number(name, unit, resolution, value)
}

impl Number<VehicleFrame> {
    const fn field(
        mut self,
        (place, kind): (usize, FieldKind),
        name: &'static str,
        comment: &'static str,
        set: fn(&mut VehicleFrame, &mut Driving, f64),
    ) -> Number<VehicleFrame> {
        self.field = Some(Field { place, kind, name, comment, set });
        self
    }
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

/// A vehicle, before its wheels.
pub const VEHICLE: [Number<VehicleFrame>; 30] = [
    of(POSE[0], |v| v.world_from_body.x),
    of(POSE[1], |v| v.world_from_body.y),
    of(POSE[2], |v| v.world_from_body.z),
    of(POSE[3], |v| v.world_from_body.yaw),
    of(POSE[4], |v| v.world_from_body.pitch),
    of(POSE[5], |v| v.world_from_body.roll),
    of_vehicle("vx", "m/s", 1e-3, |v| v.velocity_in_body.vx),
    of_vehicle("vy", "m/s", 1e-3, |v| v.velocity_in_body.vy),
    of_vehicle("yaw_rate", "rad/s", 1e-3, |v| v.velocity_in_body.wz),
    of_vehicle("ax", "m/s²", 1e-2, |v| v.acceleration_in_body.x),
    of_vehicle("ay", "m/s²", 1e-2, |v| v.acceleration_in_body.y),
    of_vehicle("odom_x", "m", 1e-3, |v| v.odom_from_body.x).field(
        (0, Float64),
        "odometry_x",
        "where the wheels' odometry believes to be, from where it began",
        |v, _, value| v.odom_from_body.x = value,
    ),
    of_vehicle("odom_y", "m", 1e-3, |v| v.odom_from_body.y)
        .field((1, Float64), "odometry_y", "", |v, _, value| v.odom_from_body.y = value),
    of_vehicle("odom_yaw", "rad", 1e-4, |v| v.odom_from_body.yaw).field(
        (2, Float64),
        "odometry_yaw",
        "",
        |v, _, value| v.odom_from_body.yaw = value,
    ),
    of_vehicle("wanted_vx", "m/s", 1e-3, |v| v.setpoint.velocity_in_body.vx).field(
        (3, Float64),
        "wanted_speed",
        "set-point after its limits, along the vehicle's heading",
        |v, _, value| v.setpoint.velocity_in_body.vx = value,
    ),
    of_vehicle("wanted_yaw_rate", "rad/s", 1e-3, |v| v.setpoint.velocity_in_body.wz).field(
        (4, Float64),
        "wanted_yaw_rate",
        "set-point after its limits",
        |v, _, value| v.setpoint.velocity_in_body.wz = value,
    ),
    of_vehicle("wanted_steer", "rad", 1e-4, |v| v.setpoint.steering_angle).field(
        (5, Float64),
        "wanted_steering_angle",
        "set-point after its limits, of the equivalent single track, positive to the left",
        |v, _, value| v.setpoint.steering_angle = value,
    ),
    of_vehicle("colliding", "-", 1.0, |v| f64::from(u8::from(v.colliding))).field(
        (16, Bool),
        "colliding",
        "whether it touches something at this instant",
        |v, _, value| v.colliding = value != 0.0,
    ),
    of_vehicle("throttle", "-", 1e-2, |v| v.powertrain.throttle).field(
        (6, Float64),
        "throttle",
        "0 to 1",
        |v, _, value| v.powertrain.throttle = value,
    ),
    of_vehicle("brake", "-", 1e-2, |v| v.powertrain.brake)
        .field((7, Float64), "brake", "0 to 1", |v, _, value| v.powertrain.brake = value),
    of_vehicle("gear", "-", 1.0, |v| f64::from(v.powertrain.gear)).field(
        (15, Int8),
        "gear",
        "engaged: 1 and up forward, 0 neutral, -1 reverse",
        |v, _, value| v.powertrain.gear = value as i8,
    ),
    of_vehicle("engine_speed", "rad/s", 0.1, |v| v.powertrain.engine_speed).field(
        (8, Float64),
        "engine_speed",
        "0 without an engine",
        |v, _, value| v.powertrain.engine_speed = value,
    ),
    of_vehicle("engine_torque", "N·m", 0.1, |v| v.powertrain.engine_torque).field(
        (9, Float64),
        "engine_torque",
        "on the engine's shaft",
        |v, _, value| {
            v.powertrain.engine_torque = value;
        },
    ),
    of_vehicle("driver", "-", 1.0, |v| f64::from(driving(v).state as u8)).field(
        (17, Uint8),
        "driver",
        "NO_DRIVER, DRIVER_WAITS or DRIVER_DRIVES",
        |_, driving, value| {
            driving.state = match value as u8 {
                0 => DriverState::None,
                2 => DriverState::Drives,
                _ => DriverState::Waits,
            };
        },
    ),
    of_vehicle("point_x", "m", 1e-3, |v| driving(v).point.x).field(
        (10, Float64),
        "point_x",
        "the point that the driver guides, in the map; it and the reference are 0 without a driver",
        |_, driving, value| driving.point.x = value,
    ),
    of_vehicle("point_y", "m", 1e-3, |v| driving(v).point.y).field(
        (11, Float64),
        "point_y",
        "",
        |_, driving, value| driving.point.y = value,
    ),
    of_vehicle("reference_x", "m", 1e-3, |v| driving(v).reference.x).field(
        (12, Float64),
        "reference_x",
        "where that point shall be, in the map",
        |_, driving, value| {
            driving.reference.x = value;
        },
    ),
    of_vehicle("reference_y", "m", 1e-3, |v| driving(v).reference.y).field(
        (13, Float64),
        "reference_y",
        "",
        |_, driving, value| driving.reference.y = value,
    ),
    of_vehicle("reference_yaw", "rad", 1e-4, |v| driving(v).reference.yaw).field(
        (14, Float64),
        "reference_yaw",
        "heading of the path there",
        |_, driving, value| {
            driving.reference.yaw = value;
        },
    ),
    of_vehicle("tracking_error", "m", 1e-4, |v| {
        let Driving { point, reference, .. } = driving(v);
        (reference.position() - point).norm()
    }),
];

/// A wheel of a vehicle. Its angle is within one turn, so that counts stay small however far it rolls.
pub const WHEEL: [Number<WheelFrame>; 12] = [
    number("steer", "rad", 1e-4, |w| w.steer),
    number("spin_angle", "rad", 1e-2, |w| w.spin_angle.rem_euclid(std::f64::consts::TAU)),
    number("spin", "rad/s", 1e-2, |w| w.spin),
    number("torque", "N·m", 1e-2, |w| w.torque),
    number("load", "N", 0.1, |w| w.load),
    number("lifted", "-", 1.0, |w| f64::from(u8::from(w.lifted))),
    number("wheel_vx", "m/s", 1e-3, |w| w.velocity_in_wheel.x),
    number("wheel_vy", "m/s", 1e-3, |w| w.velocity_in_wheel.y),
    number("force_x", "N", 0.1, |w| w.force_in_wheel.x),
    number("force_y", "N", 0.1, |w| w.force_in_wheel.y),
    number("slip_ratio", "-", 1e-4, |w| w.slip_ratio),
    number("slip_angle", "rad", 1e-4, |w| w.slip_angle),
];

/// An actor: its pose, then how it moves: 0 stands, 1 walks, 2 runs, and where its clip is.
pub const ACTOR: [Number<ActorFrame>; 8] = [
    of(POSE[0], |a| a.world_from_actor.x),
    of(POSE[1], |a| a.world_from_actor.y),
    of(POSE[2], |a| a.world_from_actor.z),
    of(POSE[3], |a| a.world_from_actor.yaw),
    of(POSE[4], |a| a.world_from_actor.pitch),
    of(POSE[5], |a| a.world_from_actor.roll),
    number("gait", "-", 1.0, |a| f64::from(a.gait as u8)),
    number("clip_time", "s", 1e-2, |a| a.clip_time),
];

/// The numbers of `from` by a table.
pub fn values<T, const N: usize>(table: &'static [Number<T>; N], from: &T) -> [f64; N] {
    std::array::from_fn(|index| (table[index].value)(from))
}

/// What viewers are told of the numbers of a table.
pub const fn channels<T, const N: usize>(table: &[Number<T>; N]) -> [Channel; N] {
    let mut channels = [POSE[0]; N];
    let mut index = 0;
    while index < N {
        channels[index] = table[index].channel;
        index += 1;
    }
    channels
}

/// Where a frame has the number of this name, which has to be in the table.
pub const fn value<T, const N: usize>(table: &[Number<T>; N], name: &str) -> fn(&T) -> f64 {
    let mut index = 0;
    while index < N && !is_same(table[index].channel.name.as_bytes(), name.as_bytes()) {
        index += 1;
    }
    table[index].value
}

/// `==`, which constants cannot use.
const fn is_same(a: &[u8], b: &[u8]) -> bool {
    match (a, b) {
        ([], []) => true,
        ([a, a_rest @ ..], [b, b_rest @ ..]) => *a == *b && is_same(a_rest, b_rest),
        _ => false,
    }
}

const fn field_count() -> usize {
    let (mut count, mut index) = (0, 0);
    while index < VEHICLE.len() {
        if VEHICLE[index].field.is_some() {
            count += 1;
        }
        index += 1;
    }
    count
}

/// The fields of `skidpad/msg/VehicleState` in their order there, each as its place in [`VEHICLE`].
pub const FIELDS: [usize; field_count()] = {
    let mut places = [usize::MAX; field_count()];
    let mut index = 0;
    while index < VEHICLE.len() {
        if let Some(field) = VEHICLE[index].field {
            assert!(places[field.place] == usize::MAX, "two fields have one place");
            places[field.place] = index;
        }
        index += 1;
    }
    places
};

/// These fields with their numbers.
pub fn fields() -> impl Iterator<Item = (&'static Number<VehicleFrame>, Field)> {
    let table: &'static [Number<VehicleFrame>; _] = &VEHICLE;
    FIELDS.iter().filter_map(|index| table[*index].field.map(|field| (&table[*index], field)))
}
