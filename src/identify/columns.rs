//! The quantities that a recording can hold, and the columns of CSV files that hold them, with their units.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use skidpad_files::diagnostic::Diagnostic;

/// A quantity of a recording. Configs name it as in [`ROLES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Time of measurements [s].
    Time,
    /// Time of commands [s], if they have other times than the measurements.
    CommandTime,
    /// Commanded speed [m/s].
    CommandSpeed,
    /// Commanded yaw rate [rad/s].
    CommandYawRate,
    /// Commanded steering angle [rad], or another number by which the class is steered.
    CommandSteering,
    /// Commanded throttle pedal, 0 to 1 [-]; negative values brake.
    CommandThrottle,
    /// Commanded brake pedal, 0 to 1 [-].
    CommandBrake,
    /// Rate of the left wheels of a robot [rad/s], forward positive: commanded, or measured by encoders.
    CommandLeftWheel,
    /// Rate of the right wheels of a robot [rad/s], likewise.
    CommandRightWheel,
    /// Position of the marker along the x axis of the world [m].
    X,
    /// Position of the marker along the y axis of the world [m].
    Y,
    /// Heading of the marker [rad].
    Yaw,
    /// Velocity of the marker along the body's x axis [m/s].
    Vx,
    /// Velocity of the marker along the body's y axis [m/s].
    Vy,
    /// Yaw rate [rad/s], counter-clockwise positive.
    YawRate,
    /// Acceleration of the marker along the body's x axis [m/s²].
    Ax,
    /// Acceleration of the marker along the body's y axis [m/s²].
    Ay,
    /// Mean circumferential speed of the wheels [m/s]: spin times radius.
    WheelSpeed,
    /// Mean steering angle of the front wheels [rad].
    Steering,
    /// Mean slip angle of the front wheels [rad], positive if they move to their left.
    FrontSlip,
    /// Mean slip angle of the rear wheels [rad], positive if they move to their left.
    RearSlip,
    /// Sum of the lateral forces on the front wheels, along their axles [N].
    FrontForce,
    /// Sum of the lateral forces on the rear wheels, along their axles [N].
    RearForce,
}

/// All quantities: name in configs, quantity, and whether the simulation predicts it.
pub const ROLES: [(&str, Role, bool); 23] = [
    ("time", Role::Time, false),
    ("command_time", Role::CommandTime, false),
    ("command_speed", Role::CommandSpeed, false),
    ("command_yaw_rate", Role::CommandYawRate, false),
    ("command_steering", Role::CommandSteering, false),
    ("command_throttle", Role::CommandThrottle, false),
    ("command_brake", Role::CommandBrake, false),
    ("command_left_wheel", Role::CommandLeftWheel, false),
    ("command_right_wheel", Role::CommandRightWheel, false),
    ("x", Role::X, true),
    ("y", Role::Y, true),
    ("yaw", Role::Yaw, true),
    ("vx", Role::Vx, true),
    ("vy", Role::Vy, true),
    ("yaw_rate", Role::YawRate, true),
    ("ax", Role::Ax, true),
    ("ay", Role::Ay, true),
    ("wheel_speed", Role::WheelSpeed, true),
    ("steering", Role::Steering, true),
    ("front_slip", Role::FrontSlip, true),
    ("rear_slip", Role::RearSlip, true),
    ("front_force", Role::FrontForce, true),
    ("rear_force", Role::RearForce, true),
];

impl Role {
    /// The name in configs, tables and messages.
    pub fn name(self) -> &'static str {
        ROLES.iter().find(|(_, role, _)| *role == self).map_or("", |(name, _, _)| name)
    }

    /// Whether it is a command to the car, rather than a measurement.
    pub fn is_command(self) -> bool {
        self.name().starts_with("command_")
    }

    /// The accepted units of the quantity, each with its factor to SI or radians.
    fn dimension(self) -> &'static [(&'static str, f64)] {
        const TIME: &[(&str, f64)] = &[("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)];
        const LENGTH: &[(&str, f64)] = &[("m", 1.0), ("cm", 0.01), ("mm", 0.001)];
        const SPEED: &[(&str, f64)] = &[("m/s", 1.0), ("km/h", 1.0 / 3.6), ("mph", 0.44704)];
        const ANGLE: &[(&str, f64)] = &[("rad", 1.0), ("deg", std::f64::consts::PI / 180.0)];
        const RATE: &[(&str, f64)] = &[("rad/s", 1.0), ("deg/s", std::f64::consts::PI / 180.0)];
        const ACCELERATION: &[(&str, f64)] = &[("m/s2", 1.0), ("g", 9.80665)];
        const FORCE: &[(&str, f64)] = &[("N", 1.0), ("kN", 1e3)];
        const SHARE: &[(&str, f64)] = &[("1", 1.0), ("%", 0.01)];
        match self {
            Role::Time | Role::CommandTime => TIME,
            Role::CommandSpeed | Role::Vx | Role::Vy | Role::WheelSpeed => SPEED,
            Role::CommandSteering | Role::Yaw | Role::Steering | Role::FrontSlip | Role::RearSlip => ANGLE,
            Role::FrontForce | Role::RearForce => FORCE,
            Role::CommandThrottle | Role::CommandBrake => SHARE,
            Role::X | Role::Y => LENGTH,
            Role::YawRate | Role::CommandYawRate | Role::CommandLeftWheel | Role::CommandRightWheel => RATE,
            Role::Ax | Role::Ay => ACCELERATION,
        }
    }
}

/// The columns of a CSV file that hold a quantity.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Column {
    /// Names of columns, or their places from 1 on in a file without names; of several the mean is taken.
    pub column: Vec<String>,
    /// Unit of the numbers; empty: SI and radians.
    pub unit: String,
    /// Factor applied after the conversion of units [-], such as −1 for an axis that points the other way.
    pub scale: f64,
    /// Name of a column whose numbers multiply these, such as a safety switch of 0 or 1; empty: none.
    pub gate: String,
}

impl<'de> Deserialize<'de> for Column {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Column, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Name {
            Text(String),
            Place(u64),
        }
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Names {
            One(Name),
            Several(Vec<Name>),
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Full {
            column: Names,
            #[serde(default)]
            unit: String,
            #[serde(default = "unscaled")]
            scale: f64,
            #[serde(default)]
            gate: String,
        }
        fn unscaled() -> f64 {
            1.0
        }
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Either {
            Name(Name),
            Full(Full),
        }
        let text = |name| match name {
            Name::Text(name) => name,
            Name::Place(place) => place.to_string(),
        };
        let list = |names| match names {
            Names::One(name) => vec![text(name)],
            Names::Several(names) => names.into_iter().map(text).collect(),
        };
        Ok(match Either::deserialize(deserializer)? {
            Either::Name(name) => {
                Column { column: vec![text(name)], unit: String::new(), scale: 1.0, gate: String::new() }
            }
            Either::Full(Full { column, unit, scale, gate }) => Column { column: list(column), unit, scale, gate },
        })
    }
}

/// The columns of each quantity.
pub type Columns = BTreeMap<Role, Column>;

impl Column {
    /// Factor from the numbers of the file to SI and radians.
    ///
    /// # Errors
    /// The quantity cannot have this unit; the message lists the accepted ones.
    pub fn factor(&self, role: Role) -> Result<f64, Diagnostic> {
        let units = role.dimension();
        if self.unit.is_empty() {
            return Ok(self.scale);
        }
        let unit = units.iter().find(|(name, _)| *name == self.unit);
        unit.map(|(_, factor)| factor * self.scale).ok_or_else(|| {
            let names: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
            Diagnostic::new(role.name(), format!("found unit \"{}\"", self.unit)).one_of(&self.unit, &names)
        })
    }
}
