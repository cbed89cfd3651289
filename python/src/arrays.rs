//! The arrays of one world or of several: made when Python first asks for them, written after every change of the worlds.

use std::sync::Arc;

use pyo3::prelude::*;
use skidpad::interface::numbers;
use skidpad::time::SimTime;
use skidpad::world::{Scene, World};

use crate::buffer::{Buffer, shape};
use crate::path::{Line, PROJECTION};
use crate::sensor_arrays::SensorArrays;
use crate::tables;

/// Numbers of a [`Place`].
pub(crate) const PLACE_FIELDS: usize = PROJECTION.len() + 1;

/// Where a vehicle is on a line: its projection, and its way along the line in the last call [m].
pub(crate) type Place = [f64; PLACE_FIELDS];

/// All arrays; none of those that nobody has asked for.
pub(crate) struct Arrays {
    /// Number of worlds, if they are an axis.
    count: Option<usize>,
    vehicles: usize,
    blocks: usize,
    /// Most wheels of a vehicle.
    wheels_per_vehicle: usize,
    state: Option<Buffer<f64>>,
    block_state: Option<Buffer<f64>>,
    wheels: Option<Buffer<f64>>,
    time: Option<Buffer<f64>>,
    collided: Option<Buffer<bool>>,
    on_path: Option<Buffer<f64>>,
    /// The line of `on_path`.
    line: Option<Arc<Line>>,
    /// In the order of the readings of a frame.
    sensors: Vec<Option<SensorArrays>>,
}

impl Arrays {
    /// None yet, for worlds with this scene.
    pub(crate) fn new(scene: &Scene, count: Option<usize>) -> Arrays {
        Arrays {
            count,
            vehicles: scene.vehicles.len(),
            blocks: scene.blocks.len(),
            wheels_per_vehicle: scene.vehicles.iter().map(|vehicle| vehicle.wheels.len()).max().unwrap_or(0),
            state: None,
            block_state: None,
            wheels: None,
            time: None,
            collided: None,
            on_path: None,
            line: None,
            sensors: scene.vehicles.iter().flat_map(|vehicle| &vehicle.sensors).map(|_| None).collect(),
        }
    }

    /// States of vehicles.
    pub(crate) fn state(&mut self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let axes = shape(self.count, &[self.vehicles, tables::STATE.len()]);
        view(&mut self.state, python, || {
            Buffer::viewed(python, &axes, |array| tables::as_records(array, tables::STATE))
        })
    }

    /// Poses of blocks.
    pub(crate) fn block_state(&mut self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let axes = shape(self.count, &[self.blocks, tables::POSE.len()]);
        view(&mut self.block_state, python, || {
            Buffer::viewed(python, &axes, |array| tables::as_records(array, tables::POSE))
        })
    }

    /// Wheels of vehicles.
    pub(crate) fn wheels(&mut self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let axes = shape(self.count, &[self.vehicles, self.wheels_per_vehicle, tables::WHEEL.len()]);
        view(&mut self.wheels, python, || {
            Buffer::viewed(python, &axes, |array| tables::as_records(array, tables::WHEEL))
        })
    }

    /// Simulated times.
    pub(crate) fn time(&mut self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let axes = shape(self.count, &[]);
        view(&mut self.time, python, || Buffer::zeros(python, &axes))
    }

    /// Which vehicles have touched something.
    pub(crate) fn collided(&mut self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let axes = shape(self.count, &[self.vehicles]);
        view(&mut self.collided, python, || Buffer::zeros(python, &axes))
    }

    /// Places of vehicles on a line, which replaces an earlier one.
    pub(crate) fn on_path(&mut self, python: Python<'_>, line: Arc<Line>) -> PyResult<Py<PyAny>> {
        let axes = shape(self.count, &[self.vehicles, PLACE_FIELDS]);
        let names: Vec<(&str, &str)> = PROJECTION.iter().chain(&["progress"]).map(|name| (*name, "f8")).collect();
        self.line = Some(line);
        let buffer = Buffer::viewed(python, &axes, |array| tables::as_records_of(array, names))?;
        Ok(self.on_path.insert(buffer).view(python))
    }

    /// The line that vehicles are projected onto, if there is one.
    pub(crate) fn line(&self) -> Option<&Line> {
        self.line.as_deref()
    }

    /// Whether somebody wants to know of collisions.
    pub(crate) fn wants_collisions(&self) -> bool {
        self.collided.is_some()
    }

    /// The arrays of the sensor with this place among the readings; none if its samples differ in size.
    pub(crate) fn sensor(&mut self, python: Python<'_>, scene: &Scene, slot: usize) -> PyResult<Option<&SensorArrays>> {
        let Some(place) = self.sensors.get_mut(slot) else { return Ok(None) };
        if place.is_none() {
            let info = scene.vehicles.iter().flat_map(|vehicle| &vehicle.sensors).nth(slot);
            *place = info.map(|info| SensorArrays::new(python, info, self.count)).transpose()?.flatten();
        }
        Ok(place.as_ref())
    }

    /// Writes the row of a world. Readings that arrived after `since` are new; `collided` and `places` are those of each vehicle.
    ///
    /// # Safety
    /// No other thread writes the row of this index.
    #[expect(unsafe_code, reason = "rows of different worlds are written by different threads")]
    pub(crate) unsafe fn write(
        &self,
        index: usize,
        world: &World,
        since: SimTime,
        collided: &[bool],
        places: &[Place],
    ) {
        let frame = world.frame();
        // SAFETY: by the caller, this row is written by this thread alone.
        unsafe {
            if let Some(array) = &self.state {
                let fields = tables::STATE.len();
                let row = array.row(index, self.vehicles * fields);
                for (numbers, vehicle) in row.chunks_exact_mut(fields).zip(&frame.vehicles) {
                    numbers.iter_mut().zip(&numbers::VEHICLE).for_each(|(number, of)| *number = (of.value)(vehicle));
                }
            }
            if let Some(array) = &self.block_state {
                let row = array.row(index, self.blocks * tables::POSE.len());
                for (numbers, pose) in row.chunks_exact_mut(tables::POSE.len()).zip(&frame.blocks) {
                    numbers.copy_from_slice(&numbers::pose(*pose));
                }
            }
            if let Some(array) = &self.wheels {
                let fields = tables::WHEEL.len();
                let row = array.row(index, self.vehicles * self.wheels_per_vehicle * fields);
                for (numbers, vehicle) in
                    row.chunks_exact_mut((self.wheels_per_vehicle * fields).max(1)).zip(&frame.vehicles)
                {
                    for (numbers, wheel) in numbers.chunks_exact_mut(fields).zip(&vehicle.wheels) {
                        numbers.iter_mut().zip(&numbers::WHEEL).for_each(|(number, of)| *number = (of.value)(wheel));
                    }
                }
            }
            if let Some(array) = &self.time {
                array.row(index, 1)[0] = frame.time.secs();
            }
            if let Some(array) = &self.collided {
                array.row(index, self.vehicles).copy_from_slice(collided);
            }
            if let Some(array) = &self.on_path {
                array.row(index, self.vehicles * PLACE_FIELDS).copy_from_slice(places.as_flattened());
            }
            for (slot, arrays) in self.sensors.iter().enumerate() {
                if let Some(arrays) = arrays {
                    arrays.write(index, frame, slot, frame.readings[slot].arrived > since);
                }
            }
        }
    }
}

/// The view of an array, which is made if there is none.
fn view<T: numpy::Element + Send>(
    place: &mut Option<Buffer<T>>,
    python: Python<'_>,
    make: impl FnOnce() -> PyResult<Buffer<T>>,
) -> PyResult<Py<PyAny>> {
    let buffer = match place {
        Some(buffer) => buffer,
        None => place.insert(make()?),
    };
    Ok(buffer.view(python))
}
