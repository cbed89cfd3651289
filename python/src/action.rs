//! From keyword arguments to a command.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyList, PyString};
use skidpad::vehicle::{Action, COMMANDS, CommandField, CommandKind, CommandRange, GearLever, MOST_NUMBERS, Omitted};

use crate::errors::refused;
use crate::selection::Numbers;

/// A command whose numbers may differ from world to world.
pub(crate) struct Orders {
    kind: &'static CommandKind,
    numbers: [Option<Numbers>; MOST_NUMBERS],
}

impl Orders {
    /// Reads keyword arguments for `rows` worlds and `columns` vehicles.
    pub(crate) fn read(arguments: Option<&Bound<'_, PyDict>>, rows: usize, columns: usize) -> PyResult<Orders> {
        let mut given: Vec<(Bound<'_, PyString>, Bound<'_, PyAny>)> = Vec::with_capacity(MOST_NUMBERS);
        for (name, value) in arguments.into_iter().flatten() {
            if !value.is_none() {
                given.push((name.cast_into::<PyString>()?, value));
            }
        }
        let names = given.iter().map(|(name, _)| name.to_cow()).collect::<PyResult<Vec<_>>>()?;
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        let kind = CommandKind::with_fields(&names).ok_or_else(|| unknown(&names))?;
        let mut orders = Orders { kind, numbers: [const { None }; MOST_NUMBERS] };
        for (place, field) in kind.places() {
            let Some((_, value)) =
                names.iter().zip(&given).find(|(name, _)| **name == field.name).map(|(_, given)| given)
            else {
                continue;
            };
            match (field.range, field.count) {
                (CommandRange::Gear, _) => orders.numbers[place] = Some(gear(value, rows, columns)?),
                (_, 1) => orders.numbers[place] = Some(Numbers::read(value, field.name, rows, columns)?),
                (_, count) => orders.read_several(value, field.name, place..place + count)?,
            }
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
        (self.kind.action)(&self.numbers.each_ref().map(|numbers| numbers.as_ref().map(|all| all.at(row, column))))
    }
}

/// Why no kind of command has these arguments.
fn unknown(names: &[&str]) -> PyErr {
    let lacking = COMMANDS.iter().find(|kind| !names.is_empty() && kind.knows(names));
    if let Some(kind) = lacking {
        let all: Vec<&str> = kind.fields.iter().map(|field| field.name).collect();
        return refused(format!("command: found {} alone\n  accepted: {}", names.join(" "), all.join(" and ")));
    }
    let accepted =
        COMMANDS.each_ref().map(|kind| kind.fields.iter().map(|field| field.name).collect::<Vec<_>>().join(" "));
    let found = if names.is_empty() { "nothing".to_owned() } else { names.join(" ") };
    refused(format!("command: found {found}\n  accepted: names of one kind: {}", accepted.join(" · ")))
}

/// The kinds of command, each with its name `kind`, its `fields` with the values of omitted ones, the `required` fields, and the command that stops a vehicle, `stop`.
#[pyfunction]
pub(crate) fn command_kinds(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for kind in &COMMANDS {
        let row = PyDict::new(py);
        row.set_item("kind", kind.name)?;
        let fields = PyDict::new(py);
        for field in kind.fields {
            fields.set_item(field.name, omitted(py, field)?)?;
        }
        row.set_item("fields", fields)?;
        row.set_item("required", kind.lacks(&[]).collect::<Vec<_>>())?;
        row.set_item("stop", stop(py, kind)?)?;
        list.append(row)?;
    }
    Ok(list)
}

/// What an omitted field is.
fn omitted<'py>(py: Python<'py>, field: &CommandField) -> PyResult<Bound<'py, PyAny>> {
    match (field.range, field.omitted, field.count) {
        (CommandRange::Gear, ..) => {
            Ok(PyString::new(py, GearLever::POSITIONS[GearLever::default().place()].0).into_any())
        }
        (_, Omitted::Open, 1) => Ok(py.None().into_bound(py)),
        (_, Omitted::Open, count) => Ok(PyList::new(py, vec![None::<f64>; count])?.into_any()),
        _ => Ok(PyFloat::new(py, 0.0).into_any()),
    }
}

/// The command that stops a vehicle, as viewers send it.
fn stop<'py>(py: Python<'py>, kind: &CommandKind) -> PyResult<Bound<'py, PyDict>> {
    let command = PyDict::new(py);
    let Some((kind, numbers)) = kind.stop.kind() else { return Ok(command) };
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

/// A gear by name, or the numbers 0, 1, 2 for each world.
fn gear(value: &Bound<'_, PyAny>, rows: usize, columns: usize) -> PyResult<Numbers> {
    let accepted =
        || refused(format!("gear: found {value}\n  accepted: {}, or their numbers 0, 1, 2", GearLever::names()));
    if let Ok(name) = value.cast::<PyString>() {
        let place = GearLever::place_of(name.to_cow()?.as_ref()).ok_or_else(accepted)?;
        return Ok(Numbers::scalar(place as f64));
    }
    let numbers = Numbers::read(value, "gear", rows, columns)?;
    let is_place = |number: f64| (0..GearLever::POSITIONS.len()).any(|place| place as f64 == number);
    if numbers.all(is_place) { Ok(numbers) } else { Err(accepted()) }
}
