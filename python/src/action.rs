//! From keyword arguments to a command or a wrench.

use std::borrow::Cow;
use std::fmt::{self, Display};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use skidpad::diagnostic::Diagnostic;
use skidpad::math::Vec2;
use skidpad::math::time::SimTime;
use skidpad::vehicle::{Action, CommandKind, CommandRange, FieldValue, GearLever, MAX_NUMBERS};
use skidpad::world::AppliedWrench;

use crate::errors::refused;
use crate::selection::Numbers;

/// A command whose numbers may differ from world to world.
pub(crate) struct Orders {
    kind: &'static CommandKind,
    numbers: [Option<Numbers>; MAX_NUMBERS],
}

impl Orders {
    /// Reads keyword arguments for `rows` worlds and `columns` vehicles.
    pub(crate) fn read(arguments: Option<&Bound<'_, PyDict>>, rows: usize, columns: usize) -> PyResult<Orders> {
        let mut given: Vec<(Bound<'_, PyString>, Written<'_>)> = Vec::with_capacity(MAX_NUMBERS);
        for (name, value) in arguments.into_iter().flatten() {
            if !value.is_none() {
                given.push((name.cast_into::<PyString>()?, Written { value, rows, columns }));
            }
        }
        let names = given.iter().map(|(name, _)| name.to_cow()).collect::<PyResult<Vec<_>>>()?;
        let fields: Vec<(&str, &Written<'_>)> =
            names.iter().map(AsRef::as_ref).zip(given.iter().map(|(_, value)| value)).collect();
        let (kind, numbers) = CommandKind::read(None, &fields)?;
        Ok(Orders { kind, numbers })
    }

    /// The command of a world and vehicle.
    pub(crate) fn action(&self, row: usize, column: usize) -> Action {
        (self.kind.action)(&self.numbers.each_ref().map(|numbers| numbers.as_ref().map(|all| all.at(row, column))))
    }
}

/// A keyword argument for `rows` worlds and `columns` vehicles.
struct Written<'py> {
    value: Bound<'py, PyAny>,
    rows: usize,
    columns: usize,
}

/// Why a command is refused.
struct Refused(PyErr);

impl From<Diagnostic> for Refused {
    fn from(message: Diagnostic) -> Refused {
        Refused(refused(message))
    }
}

impl From<Refused> for PyErr {
    fn from(Refused(error): Refused) -> PyErr {
        error
    }
}

impl FieldValue for Written<'_> {
    type Number = Numbers;
    type Error = Refused;
    const NULL: &'static str = "None";

    fn is_null(&self) -> bool {
        self.value.is_none()
    }

    fn word(&self) -> Option<Cow<'_, str>> {
        self.value.cast::<PyString>().ok()?.to_cow().ok()
    }

    fn number(&self, name: &str) -> Result<Option<Numbers>, Refused> {
        Numbers::read(&self.value, name, self.rows, self.columns).map(Some).map_err(Refused)
    }

    /// The same in all worlds.
    fn several(&self) -> Option<Vec<Option<f64>>> {
        self.value.extract().ok()
    }
}

impl Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// A force along x and y [N] and a torque [N·m] that act for a time [s]. The force acts at a point [m] of the body, or at its centre of
/// mass.
pub(crate) fn wrench(
    [x, y, torque]: [f64; 3],
    duration: f64,
    point: Option<[f64; 2]>,
    turns_with_body: bool,
) -> AppliedWrench {
    AppliedWrench {
        force: Vec2::new(x, y),
        torque,
        turns_with_body,
        point_in_body: point.map(|[x, y]| Vec2::new(x, y)),
        // One that is not finite becomes a duration that is refused.
        duration: if duration.is_finite() { SimTime::from_secs(duration) } else { SimTime(-1) },
    }
}

/// The command with the numbers of `World.command` as viewers send it, and the one that stops the vehicle; steering hinges stay. Raises CommandError.
#[pyfunction]
pub(crate) fn viewer_command<'py>(numbers: &Bound<'py, PyDict>) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
    let orders = Orders::read(Some(numbers), 1, 1)?;
    let action = orders.action(0, 0);
    if let Some(fault) = action.fault() {
        return Err(refused(fault.explained().after("command: ")));
    }
    Ok((view(numbers.py(), &action)?, view(numbers.py(), &orders.kind.stop)?))
}

/// A command as viewers send it.
fn view<'py>(py: Python<'py>, action: &Action) -> PyResult<Bound<'py, PyDict>> {
    let command = PyDict::new(py);
    let Some((kind, numbers)) = action.kind() else { return Ok(command) };
    command.set_item("kind", kind.name)?;
    for (place, field) in kind.places() {
        let given = &numbers[place..place + field.count];
        match (field.range, given) {
            (CommandRange::Gear, [gear]) => {
                let (name, _) = GearLever::POSITIONS[gear.unwrap_or_default() as usize];
                command.set_item(field.name, name)?;
            }
            (_, [number]) => command.set_item(field.name, *number)?,
            (_, several) => command.set_item(field.name, several.to_vec())?,
        }
    }
    Ok(command)
}
