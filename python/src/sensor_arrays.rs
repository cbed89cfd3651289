//! The samples of a sensor as arrays, one row for each world.

use numpy::Element;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use skidpad::sensor::{Column, Delivered, NumberType, SensorInfo, SensorKind, Values};
use skidpad::world::Frame;

use crate::buffer::{Buffer, shape};

/// An array of a sensor, by the type of its numbers.
enum Array {
    U8(Buffer<u8>),
    U16(Buffer<u16>),
    I64(Buffer<i64>),
    F32(Buffer<f32>),
    F64(Buffer<f64>),
}

impl Array {
    fn zeros(python: Python<'_>, shape: &[usize], numbers: NumberType) -> PyResult<Array> {
        Ok(match numbers {
            NumberType::U8 => Array::U8(Buffer::zeros(python, shape)?),
            NumberType::U16 => Array::U16(Buffer::zeros(python, shape)?),
            NumberType::I64 => Array::I64(Buffer::zeros(python, shape)?),
            NumberType::F32 => Array::F32(Buffer::zeros(python, shape)?),
            NumberType::F64 => Array::F64(Buffer::zeros(python, shape)?),
        })
    }

    fn view(&self, python: Python<'_>) -> Py<PyAny> {
        match self {
            Array::U8(array) => array.view(python),
            Array::U16(array) => array.view(python),
            Array::I64(array) => array.view(python),
            Array::F32(array) => array.view(python),
            Array::F64(array) => array.view(python),
        }
    }
}

/// The arrays of a sensor.
pub(crate) struct SensorArrays {
    kind: SensorKind,
    columns: Vec<(&'static str, Array)>,
    /// Time of the sample [s], and whether it is new: for several worlds.
    times: Option<(Buffer<f64>, Buffer<bool>)>,
}

impl SensorArrays {
    /// Arrays of a sensor in `count` worlds, or in one alone; none where samples differ in size.
    pub(crate) fn new(python: Python<'_>, info: &SensorInfo, count: Option<usize>) -> PyResult<Option<SensorArrays>> {
        let Some(columns) = info.kind.description().columns() else { return Ok(None) };
        let array = |column: Column| {
            let array = Array::zeros(python, &shape(count, &column.axes), column.numbers)?;
            Ok((column.name, array))
        };
        let columns = columns.into_iter().map(array).collect::<PyResult<Vec<_>>>()?;
        let times =
            count.map(|count| PyResult::Ok((Buffer::zeros(python, &[count])?, Buffer::zeros(python, &[count])?)));
        Ok(Some(SensorArrays { kind: info.kind.clone(), columns, times: times.transpose()? }))
    }

    /// Writes the sample of the world with this index; `is_fresh`: it arrived in the last call.
    ///
    /// # Safety
    /// No other thread writes this row.
    #[expect(unsafe_code, reason = "rows of different worlds are written by different threads")]
    pub(crate) unsafe fn write(&self, index: usize, frame: &Frame, slot: usize, is_fresh: bool) {
        let reading = &frame.readings[slot];
        // SAFETY: by the caller, this row is written by this thread alone.
        unsafe {
            if let Some((times, fresh)) = &self.times {
                times.row(index, 1)[0] = if reading.time.0 < 0 { f64::NAN } else { reading.time.secs() };
                fresh.row(index, 1)[0] = is_fresh;
            }
            let (time, arrived) = (reading.time, reading.arrived);
            let sample = Delivered { time, arrived, data: &reading.data };
            for (name, array) in &self.columns {
                match (array, self.kind.description().values(name, sample)) {
                    (Array::U8(array), Some(Values::U8(numbers))) => array.set(index, numbers),
                    (Array::U16(array), Some(Values::U16(labels))) => array.set(index, labels.as_flattened()),
                    (Array::I64(array), Some(Values::I64(numbers))) => array.set(index, numbers),
                    (Array::F32(array), Some(Values::F32(numbers))) => array.set(index, numbers),
                    (Array::F64(array), Some(Values::F64(numbers))) => array.set(index, numbers),
                    (Array::F64(array), Some(Values::Few(numbers, count))) => array.set(index, &numbers[..count]),
                    // A reading of another scene.
                    _ => {}
                }
            }
        }
    }

    /// The views by name.
    pub(crate) fn views<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let views = PyDict::new(python);
        for (name, array) in &self.columns {
            views.set_item(name, array.view(python))?;
        }
        Ok(views)
    }

    /// The views of times and of what is new.
    pub(crate) fn times(&self, python: Python<'_>) -> Option<(Py<PyAny>, Py<PyAny>)> {
        self.times.as_ref().map(|(times, fresh)| (times.view(python), fresh.view(python)))
    }
}

impl<T: Element + Copy + Send> Buffer<T> {
    /// Writes a row of an array whose rows are as long as `numbers`; a sample that has not been taken is shorter and leaves it as it is.
    ///
    /// # Safety
    /// As [`Buffer::row`].
    #[expect(unsafe_code, reason = "see Buffer::row")]
    unsafe fn set(&self, index: usize, numbers: &[T]) {
        if !numbers.is_empty() {
            // SAFETY: by the caller.
            unsafe { self.row(index, numbers.len()) }.copy_from_slice(numbers);
        }
    }
}
