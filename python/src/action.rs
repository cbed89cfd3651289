//! From keyword arguments to a command.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use skidpad::math::Twist2;
use skidpad::vehicle::{Action, GearLever, Pedals, RateLimits, WheelTargets};

use crate::errors::refused;
use crate::selection::Numbers;

/// The kinds of command, by the names of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Twist,
    Ackermann,
    SteeringRate,
    SideSpins,
    Pedals,
    Wheels,
}

/// All kinds with their names. Arguments are of the first kind that has all of them.
const KINDS: &[(Kind, &[&str])] = &[
    (Kind::Twist, &["vx", "vy", "yaw_rate"]),
    (Kind::SteeringRate, &["speed", "steering_rate"]),
    (Kind::Ackermann, &["speed", "steering_angle", "acceleration", "steering_rate"]),
    (Kind::SideSpins, &["left", "right"]),
    (Kind::Pedals, &["throttle", "brake", "steering_angle", "gear"]),
    (Kind::Wheels, &["spin", "hinge"]),
];

/// Gears in the order of their numbers.
const GEARS: [(&str, GearLever); 3] =
    [("drive", GearLever::Drive), ("neutral", GearLever::Neutral), ("reverse", GearLever::Reverse)];

/// Most numbers of a command: four spins and two hinges.
const MOST: usize = 6;

/// A command whose numbers may differ from world to world.
pub(crate) struct Orders {
    kind: Kind,
    numbers: [Option<Numbers>; MOST],
}

impl Orders {
    /// Reads keyword arguments for `rows` worlds and `columns` vehicles.
    pub(crate) fn read(arguments: Option<&Bound<'_, PyDict>>, rows: usize, columns: usize) -> PyResult<Orders> {
        let mut given: Vec<(Bound<'_, PyString>, Bound<'_, PyAny>)> = Vec::with_capacity(MOST);
        for (name, value) in arguments.into_iter().flatten() {
            if !value.is_none() {
                given.push((name.cast_into::<PyString>()?, value));
            }
        }
        let names = given.iter().map(|(name, _)| name.to_cow()).collect::<PyResult<Vec<_>>>()?;
        let has_all = |(_, known): &&(Kind, &[&str])| names.iter().all(|name| known.contains(&name.as_ref()));
        let Some((kind, known)) = KINDS.iter().find(has_all).filter(|_| !names.is_empty()) else {
            let accepted: Vec<String> = KINDS.iter().map(|(_, names)| names.join(" ")).collect();
            let found = if names.is_empty() { "nothing".to_owned() } else { names.join(" ") };
            return Err(refused(format!(
                "command: found {found}\n  accepted: names of one kind: {}",
                accepted.join(" · ")
            )));
        };
        let mut orders = Orders { kind: *kind, numbers: [const { None }; MOST] };
        for (name, (_, value)) in names.iter().zip(&given) {
            let place = known.iter().position(|known| *known == name.as_ref()).unwrap_or_default();
            match (kind, name.as_ref()) {
                (Kind::Wheels, "spin") => orders.read_several(value, "spin", 0..4)?,
                (Kind::Wheels, _) => orders.read_several(value, "hinge", 4..6)?,
                (Kind::Pedals, "gear") => orders.numbers[place] = Some(gear(value, rows, columns)?),
                (_, name) => orders.numbers[place] = Some(Numbers::read(value, name, rows, columns)?),
            }
        }
        if orders.kind == Kind::SideSpins && names.len() < 2 {
            return Err(refused(format!("command: found {} alone\n  accepted: left and right", names[0])));
        }
        Ok(orders)
    }

    /// Numbers for several wheels, the same in all worlds; None leaves a wheel as it is.
    fn read_several(&mut self, value: &Bound<'_, PyAny>, what: &str, places: std::ops::Range<usize>) -> PyResult<()> {
        let count = places.len();
        let numbers: Vec<Option<f64>> = value.extract().unwrap_or_default();
        if numbers.len() != count {
            return Err(refused(format!(
                "{what}: found {value}\n  accepted: {count} numbers, None for one that stays"
            )));
        }
        for (place, number) in places.zip(numbers) {
            self.numbers[place] = number.map(Numbers::scalar);
        }
        Ok(())
    }

    /// The command of a world and vehicle.
    pub(crate) fn action(&self, row: usize, column: usize) -> Action {
        let number = |place: usize| self.numbers[place].as_ref().map(|numbers| numbers.at(row, column));
        let [a, b, c, d] = [0, 1, 2, 3].map(|place| number(place).unwrap_or(0.0));
        match self.kind {
            Kind::Twist => Action::Twist(Twist2::new(a, b, c)),
            Kind::Ackermann if self.numbers[2].is_none() && self.numbers[3].is_none() => {
                Action::Ackermann { speed: a, steering_angle: b }
            }
            Kind::Ackermann => {
                let limits = RateLimits { acceleration: c, steering_rate: d };
                Action::LimitedAckermann { speed: a, steering_angle: b, limits }
            }
            Kind::SteeringRate if self.numbers[1].is_none() => Action::Ackermann { speed: a, steering_angle: 0.0 },
            Kind::SteeringRate => Action::SteeringRate { speed: a, steering_rate: b },
            Kind::SideSpins => Action::SideSpins([a, b]),
            Kind::Pedals => {
                let gear = GEARS.get(d as usize).map_or(GearLever::Drive, |(_, gear)| *gear);
                Action::Pedals { pedals: Pedals { throttle: a, brake: b, gear }, steering_angle: c }
            }
            Kind::Wheels => Action::Wheels(WheelTargets {
                spin: std::array::from_fn(number),
                hinge: std::array::from_fn(|hinge| number(4 + hinge)),
            }),
        }
    }
}

/// A gear by name, or the numbers 0, 1, 2 for each world.
fn gear(value: &Bound<'_, PyAny>, rows: usize, columns: usize) -> PyResult<Numbers> {
    let accepted = || {
        let names: Vec<&str> = GEARS.iter().map(|(name, _)| *name).collect();
        refused(format!("gear: found {value}\n  accepted: {}, or their numbers 0, 1, 2", names.join(", ")))
    };
    if let Ok(name) = value.cast::<PyString>() {
        let name = name.to_cow()?;
        let place = GEARS.iter().position(|(known, _)| *known == name.as_ref()).ok_or_else(accepted)?;
        return Ok(Numbers::scalar(place as f64));
    }
    let numbers = Numbers::read(value, "gear", rows, columns)?;
    if numbers.all(|number| [0.0, 1.0, 2.0].contains(&number)) { Ok(numbers) } else { Err(accepted()) }
}
