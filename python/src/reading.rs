//! What Python sees of a sensor's samples.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use skidpad::math::Vec3;
use skidpad::sensor::{Cloud, Contact, ReadingData, SensorKind};
use skidpad::world::label_boxes;

use crate::facts;
use crate::world::World;
use crate::worlds::Worlds;

#[doc = doc!(Reading)]
#[pyclass(frozen, module = "skidpad")]
pub(crate) struct Reading {
    pub(crate) world: Py<World>,
    /// `vehicle/sensor`.
    pub(crate) sensor: String,
}

#[pymethods]
impl Reading {
    #[doc = doc!(Reading.name)]
    #[getter]
    fn name(&self) -> &str {
        &self.sensor
    }

    #[doc = doc!(Reading.kind)]
    #[getter]
    fn kind(&self) -> PyResult<&'static str> {
        let simulations = self.world.get().lock()?;
        let (slot, _) = facts::sensor(simulations.scene(), &self.sensor)?;
        let reading = &simulations.slots[0].world.frame().readings[slot];
        Ok(simulations.scene().vehicles[reading.vehicle].sensors[reading.sensor].kind.entry().name)
    }

    #[doc = doc!(Reading.time)]
    #[getter]
    fn time(&self) -> PyResult<f64> {
        let simulations = self.world.get().lock()?;
        let (slot, _) = facts::sensor(simulations.scene(), &self.sensor)?;
        let time = simulations.slots[0].world.frame().readings[slot].time;
        Ok(if time.0 < 0 { f64::NAN } else { time.secs() })
    }

    #[doc = doc!(Reading.fresh)]
    #[getter]
    fn fresh(&self) -> PyResult<bool> {
        let simulations = self.world.get().lock()?;
        let (slot, _) = facts::sensor(simulations.scene(), &self.sensor)?;
        Ok(simulations.slots[0].is_fresh(slot))
    }

    #[doc = doc!(Reading.data)]
    #[getter]
    fn data<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut simulations = self.world.get().lock()?;
        let simulations = &mut *simulations;
        let (slot, _) = facts::sensor(simulations.scene(), &self.sensor)?;
        let scene = simulations.slots[0].world.scene().clone();
        if let Some(arrays) = simulations.arrays.sensor(python, &scene, slot)? {
            let views = arrays.views(python)?;
            simulations.write(0);
            return Ok(views);
        }
        let data = PyDict::new(python);
        match &simulations.slots[0].world.frame().readings[slot].data {
            ReadingData::Cloud(cloud) => data.set_item("points", points(python, cloud)?)?,
            ReadingData::Contacts(contacts) => data.set_item("contacts", of_contacts(python, contacts)?)?,
            _ => {}
        }
        Ok(data)
    }

    #[doc = doc!(Reading.boxes)]
    fn boxes<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let simulations = self.world.get().lock()?;
        let (scene, boxes) = (simulations.scene(), PyList::empty(python));
        let (slot, _) = facts::sensor(scene, &self.sensor)?;
        let reading = &simulations.slots[0].world.frame().readings[slot];
        let (labels, lens) = match (&reading.data, &scene.vehicles[reading.vehicle].sensors[reading.sensor].kind) {
            (ReadingData::Photograph(photograph), SensorKind::Camera(model)) => (&photograph.labels, Some(model.lens)),
            (ReadingData::Rgbd(both), SensorKind::Rgbd(model)) => (&both.labels, model.rgb.map(|rgb| rgb.lens)),
            _ => return Err(no_labels(&self.sensor)),
        };
        let Some(lens) = lens.filter(|_| !labels.is_empty()) else { return Err(no_labels(&self.sensor)) };
        for seen in label_boxes(labels, lens.columns) {
            let body = scene.labelled().find(|(_, label)| label.numbers == seen.label);
            let facts = PyDict::new(python);
            facts.set_item("name", body.map(|(name, _)| name))?;
            facts.set_item("class", scene.label_classes.get(usize::from(seen.label[0]) - 1))?;
            facts.set_item("columns", seen.columns)?;
            facts.set_item("rows", seen.rows)?;
            facts.set_item("pixels", seen.pixels)?;
            boxes.append(facts)?;
        }
        Ok(boxes)
    }

    fn __getattr__<'py>(&self, python: Python<'py>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        attribute(&self.data(python)?, &self.sensor, name)
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<skidpad.Reading {} ({}) at {} s>", self.sensor, self.kind()?, self.time()?))
    }
}

/// The error for boxes of a sensor without pictures of labels.
fn no_labels(sensor: &str) -> PyErr {
    crate::errors::refused(format!(
        "sensor \"{sensor}\": it has no pictures of labels\n  accepted: cameras with <labels> or <rgb_labels> true"
    ))
}

#[doc = doc!(BatchReading)]
#[pyclass(frozen, module = "skidpad")]
pub(crate) struct BatchReading {
    pub(crate) worlds: Py<Worlds>,
    /// `vehicle/sensor`.
    pub(crate) sensor: String,
}

impl BatchReading {
    fn with_arrays<T>(
        &self,
        python: Python<'_>,
        get: impl FnOnce(&crate::sensor_arrays::SensorArrays) -> PyResult<T>,
    ) -> PyResult<T> {
        let mut simulations = self.worlds.get().lock()?;
        let simulations = &mut *simulations;
        let scene = simulations.slots[0].world.scene().clone();
        let (slot, _) = facts::sensor(&scene, &self.sensor)?;
        let Some(arrays) = simulations.arrays.sensor(python, &scene, slot)? else {
            return Err(crate::errors::refused(format!(
                "sensor \"{}\": the size of its samples differs between worlds\n  accepted: sensors of fixed size\n  hint: read this sensor from a single World",
                self.sensor
            )));
        };
        let got = get(arrays)?;
        simulations.write_all();
        Ok(got)
    }
}

#[pymethods]
impl BatchReading {
    #[doc = doc!(BatchReading.name)]
    #[getter]
    fn name(&self) -> &str {
        &self.sensor
    }

    #[doc = doc!(BatchReading.kind)]
    #[getter]
    fn kind(&self) -> PyResult<&'static str> {
        let simulations = self.worlds.get().lock()?;
        let (slot, _) = facts::sensor(simulations.scene(), &self.sensor)?;
        let sensor = simulations.scene().vehicles.iter().flat_map(|vehicle| &vehicle.sensors).nth(slot);
        Ok(sensor.map_or("", |sensor| sensor.kind.entry().name))
    }

    #[doc = doc!(BatchReading.time)]
    #[getter]
    fn time(&self, python: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.with_arrays(python, |arrays| Ok(arrays.times(python).map(|(times, _)| times)))
    }

    #[doc = doc!(BatchReading.fresh)]
    #[getter]
    fn fresh(&self, python: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.with_arrays(python, |arrays| Ok(arrays.times(python).map(|(_, fresh)| fresh)))
    }

    #[doc = doc!(BatchReading.data)]
    #[getter]
    fn data<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.with_arrays(python, |arrays| arrays.views(python))
    }

    fn __getattr__<'py>(&self, python: Python<'py>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        attribute(&self.data(python)?, &self.sensor, name)
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<skidpad.BatchReading {} ({})>", self.sensor, self.kind()?))
    }
}

fn attribute<'py>(data: &Bound<'py, PyDict>, sensor: &str, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    data.get_item(name)?.ok_or_else(|| {
        let names: Vec<String> = data.keys().iter().map(|key| key.to_string()).collect();
        let text = format!("sensor \"{sensor}\": it has no \"{name}\"\n  accepted: {}", names.join(", "));
        PyAttributeError::new_err(text)
    })
}

/// A cloud as an array of records.
fn points<'py>(python: Python<'py>, cloud: &Cloud) -> PyResult<Bound<'py, PyAny>> {
    const FIELDS: [(&str, &str); 8] = [
        ("x", "f4"),
        ("y", "f4"),
        ("z", "f4"),
        ("intensity", "f4"),
        ("time", "f4"),
        ("ring", "f4"),
        ("class_number", "f4"),
        ("body_number", "f4"),
    ];
    let number = |point: &skidpad::sensor::CloudPoint| {
        let [x, y, z] = point.position;
        let [class, body] = point.label.map(f32::from);
        [x, y, z, point.intensity, point.since_start as f32 * 1e-9, f32::from(point.ring), class, body]
    };
    let numbers: Vec<f32> = cloud.points.iter().flat_map(number).collect();
    let array: Bound<'_, PyArray2<f32>> =
        PyArray1::from_vec(python, numbers).reshape([cloud.points.len(), FIELDS.len()])?;
    let dtype = python.import("numpy")?.call_method1("dtype", (FIELDS.to_vec(),))?;
    array.as_any().call_method1("view", (dtype,))?.call_method1("reshape", (-1,))
}

fn of_contacts<'py>(python: Python<'py>, contacts: &[Contact]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(python);
    let vector = |vector: &Vec3| PyArray1::from_slice(python, vector.as_slice());
    for contact in contacts {
        let facts = PyDict::new(python);
        facts.set_item("other", &*contact.other)?;
        facts.set_item("position", vector(&contact.position))?;
        facts.set_item("normal", vector(&contact.normal))?;
        facts.set_item("force", contact.force)?;
        facts.set_item("impulse", vector(&contact.impulse))?;
        list.append(facts)?;
    }
    Ok(list)
}
