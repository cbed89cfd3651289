//! Arguments that select worlds, arguments that are numbers for each of them, and whole numbers.

use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};
use skidpad::vehicle::FieldNumber;

use crate::errors::refused;

/// A count, an index or a seed, or None where it may be left out. For `from_py_with`.
pub(crate) fn whole<'py, T>(argument: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    argument.extract::<T>().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(argument.py()) {
            refused(format!(
                "{argument}: not a valid count, index or seed\n  accepted: whole numbers from 0 to {}",
                u64::MAX
            ))
        } else {
            error
        }
    })
}

/// Numbers of an argument, with their shape.
pub(crate) struct Floats {
    pub(crate) numbers: Vec<f64>,
    pub(crate) shape: Vec<usize>,
}

/// An argument as numbers; `argument` names it in messages.
pub(crate) fn floats(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<Floats> {
    if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
        && let Ok(array) = array.try_readonly()
    {
        let array = array.as_array();
        return Ok(Floats { numbers: array.iter().copied().collect(), shape: array.shape().to_vec() });
    }
    if let Ok(array) = value.cast::<PyArrayDyn<f32>>()
        && let Ok(array) = array.try_readonly()
    {
        let array = array.as_array();
        return Ok(Floats {
            numbers: array.iter().map(|&number| f64::from(number)).collect(),
            shape: array.shape().to_vec(),
        });
    }
    let made = value.py().import("numpy")?.call_method1("array", (value, "f8"));
    let made =
        made.map_err(|error| refused(format!("{argument}: {}\n  accepted: numbers", error.value(value.py()))))?;
    let array = made.cast_into::<PyArrayDyn<f64>>()?;
    let array = array.readonly();
    let array = array.as_array();
    Ok(Floats { numbers: array.iter().copied().collect(), shape: array.shape().to_vec() })
}

/// One number for each of `rows` worlds, or for each of `rows` worlds and `columns` vehicles.
pub(crate) struct Numbers {
    values: Vec<f64>,
    row: usize,
    column: usize,
}

impl Numbers {
    /// From a scalar for all, an array (rows,), or, with several columns, (rows, columns).
    pub(crate) fn read(value: &Bound<'_, PyAny>, argument: &str, rows: usize, columns: usize) -> PyResult<Numbers> {
        // An array of one number is not a scalar, though Python would convert it.
        if (value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>())
            && let Ok(number) = value.extract::<f64>()
        {
            return Ok(Numbers::scalar(number));
        }
        let given = floats(value, argument)?;
        let (row, column) = match &given.shape[..] {
            [] => (0, 0),
            [count] if *count == rows => (1, 0),
            [first_axis, other] if (*first_axis, *other) == (rows, columns) => (columns, 1),
            shape => {
                let several = if columns > 1 { format!(", ({rows}, {columns})") } else { String::new() };
                return Err(refused(format!(
                    "{argument}: found an array of shape {shape:?}\n  accepted: a number, or shape ({rows},){several}"
                )));
            }
        };
        Ok(Numbers { values: given.numbers, row, column })
    }

    /// The same number everywhere.
    pub(crate) fn scalar(number: f64) -> Numbers {
        Numbers { values: vec![number], row: 0, column: 0 }
    }

    /// The number at a place.
    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.row + column * self.column]
    }
}

impl From<f64> for Numbers {
    fn from(number: f64) -> Numbers {
        Numbers::scalar(number)
    }
}

impl FieldNumber for Numbers {
    fn all(&self, condition: impl Fn(f64) -> bool) -> bool {
        self.values.iter().all(|&number| condition(number))
    }
}

/// The worlds that an argument selects: a mask, indices, or all without one.
pub(crate) fn selected(argument: Option<&Bound<'_, PyAny>>, count: usize) -> PyResult<Vec<usize>> {
    let Some(argument) = argument else { return Ok((0..count).collect()) };
    let numpy = argument.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (argument,))?;
    let kind: char = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let accepted = format!("accepted: a mask of shape ({count},), or indices from 0 to {}", count.saturating_sub(1));
    let wrong = |found: &dyn std::fmt::Display| refused(format!("where: found {found}\n  {accepted}"));
    match (kind, &shape[..]) {
        ('b', [length]) if *length == count => {
            let mask: Vec<bool> = array.extract()?;
            Ok((0..count).filter(|&index| mask[index]).collect())
        }
        ('i' | 'u', []) | ('i' | 'u', [_]) => {
            let indices: Vec<i64> = array.call_method0("ravel")?.extract()?;
            let index =
                |&index: &i64| usize::try_from(index).ok().filter(|index| *index < count).ok_or_else(|| wrong(&index));
            let indices = indices.iter().map(index).collect::<PyResult<Vec<usize>>>()?;
            let mut sorted = indices.clone();
            sorted.sort_unstable();
            match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                Some(pair) => Err(wrong(&format!("index {} twice", pair[0]))),
                None => Ok(indices),
            }
        }
        (_, [0]) => Ok(Vec::new()),
        _ => Err(wrong(&format!("an array of shape {shape:?} and type {}", array.getattr("dtype")?))),
    }
}

/// The argument `vehicle`, which is the first one by default, and all of them if it is None.
pub(crate) enum Vehicle<'py> {
    First,
    Named(Bound<'py, PyAny>),
}

/// The selection that is used without an argument: the first vehicle.
pub(crate) const FIRST: Option<Vehicle<'static>> = Some(Vehicle::First);

impl<'a, 'py> FromPyObject<'a, 'py> for Vehicle<'py> {
    type Error = PyErr;

    fn extract(argument: Borrowed<'a, 'py, PyAny>) -> PyResult<Vehicle<'py>> {
        Ok(Vehicle::Named(argument.to_owned()))
    }
}
