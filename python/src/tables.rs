//! Numbers of vehicles, wheels and bodies as records, from the tables that viewers' numbers come from.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use skidpad::interface::numbers::{self, Channel};

const STATE_CHANNELS: [Channel; numbers::VEHICLE.len()] = numbers::channels(&numbers::VEHICLE);
const WHEEL_CHANNELS: [Channel; numbers::WHEEL.len()] = numbers::channels(&numbers::WHEEL);

/// Fields of a vehicle's state.
pub(crate) const STATE: &[Channel] = &STATE_CHANNELS;
/// Fields of a wheel.
pub(crate) const WHEEL: &[Channel] = &WHEEL_CHANNELS;
/// Fields of a pose.
pub(crate) const POSE: &[Channel] = &numbers::POSE;

/// The data type of a record with these fields, all float64.
pub(crate) fn dtype<'py>(python: Python<'py>, fields: &[Channel]) -> PyResult<Bound<'py, PyAny>> {
    let fields: Vec<(&str, &str)> = fields.iter().map(|channel| (channel.name, "f8")).collect();
    python.import("numpy")?.call_method1("dtype", (fields,))
}

/// An array of float64 with a last axis for the fields, seen as one of records.
pub(crate) fn as_records<'py>(array: &Bound<'py, PyAny>, fields: &[Channel]) -> PyResult<Bound<'py, PyAny>> {
    as_records_of(array, fields.iter().map(|channel| (channel.name, "f8")).collect())
}

/// The same with fields by name and type.
pub(crate) fn as_records_of<'py>(array: &Bound<'py, PyAny>, fields: Vec<(&str, &str)>) -> PyResult<Bound<'py, PyAny>> {
    let python = array.py();
    let dtype = python.import("numpy")?.call_method1("dtype", (fields,))?;
    let arguments = PyDict::new(python);
    arguments.set_item("axis", -1)?;
    array.call_method1("view", (dtype,))?.call_method("squeeze", (), Some(&arguments))
}
