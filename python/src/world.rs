//! The class `World`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use skidpad::assets::Cancel;
use skidpad::experiment::{Equipment, ExperimentConfig};
use skidpad::input_file;
use skidpad::math::{Pose3, Twist2, Vec3};
use skidpad::runner::Change;
use skidpad::vehicle::Command;
use skidpad::world::{ExternalChange, Photographer, SpawnRequest, SpawnSource, Spot, Viewpoint};

use crate::action::{self, Orders};
use crate::errors::{self, Class, refused};
use crate::facts;
use crate::interrupt;
use crate::outputs::Outputs;
use crate::provenance;
use crate::reading::Reading;
use crate::selection::whole;
use crate::simulations::Simulations;
use crate::slot::{Followed, Slot};
use crate::source::{self, Origin, Source};

#[doc = doc!(World)]
#[pyclass(frozen, module = "skidpad")]
pub(crate) struct World {
    simulations: Mutex<Simulations>,
    photographer: Mutex<Photographer>,
    warnings: Vec<String>,
}

/// The content of a lock that nobody waits for: a second thread gets an error.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    mutex.try_lock().map_err(|error| {
        Class::Skidpad.error(match error {
            TryLockError::WouldBlock => "another thread is using this world\n  hint: give each thread a world of its own, or take turns with a lock",
            TryLockError::Poisoned(_) => "this world failed in an earlier call\n  hint: load the world again",
        })
    })
}

impl World {
    /// The simulation, unless another thread has it.
    pub(crate) fn lock(&self) -> PyResult<MutexGuard<'_, Simulations>> {
        lock(&self.simulations)
    }

    fn load(python: Python<'_>, source: Source) -> PyResult<World> {
        let (world, warnings) = source.load_or_raise(python)?;
        let simulations = Simulations::single(Slot::new(world, source));
        Ok(World { simulations: Mutex::new(simulations), photographer: Mutex::default(), warnings })
    }

    /// Changes the world from outside: `change`, then arrays and outputs follow.
    fn change<T>(&self, change: impl FnOnce(&mut Simulations) -> PyResult<T>) -> PyResult<T> {
        let mut simulations = self.lock()?;
        simulations.slots[0].world.record_changes();
        let result = change(&mut simulations);
        let changes = simulations.slots[0].world.take_changes();
        let result = result?;
        simulations.follow_bodies();
        let Simulations { slots, outputs, .. } = &mut *simulations;
        if let Some((index, outputs)) = outputs {
            outputs.changed(&slots[*index].world, changes.into_iter().map(Change::from));
            outputs.follow(&slots[*index].world);
        }
        Ok(result)
    }
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (world, *, seed=None, set=None, physics=None, allow_commands=false, offline=false))]
    fn new(
        python: Python<'_>,
        world: PathBuf,
        #[pyo3(from_py_with = whole)] seed: Option<u64>,
        set: Option<&Bound<'_, PyDict>>,
        physics: Option<&str>,
        allow_commands: bool,
        offline: bool,
    ) -> PyResult<World> {
        let mut options = source::options(seed, physics, allow_commands, offline)?;
        options.variables = source::variables(set)?;
        World::load(python, Source::file(python, &world, options)?)
    }

    #[doc = doc!(World.from_string)]
    #[staticmethod]
    #[pyo3(
        signature = (text, *, folder=PathBuf::from("."), name="world", seed=None, set=None, physics=None, allow_commands=false, offline=false),
        text_signature = "(text, *, folder='.', name='world', seed=None, set=None, physics=None, allow_commands=False, offline=False)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn from_string(
        python: Python<'_>,
        text: &str,
        folder: PathBuf,
        name: &str,
        #[pyo3(from_py_with = whole)] seed: Option<u64>,
        set: Option<&Bound<'_, PyDict>>,
        physics: Option<&str>,
        allow_commands: bool,
        offline: bool,
    ) -> PyResult<World> {
        let mut options = source::options(seed, physics, allow_commands, offline)?;
        options.variables = source::variables(set)?;
        let origin = Origin::Text { text: text.into(), name: name.into(), folder };
        World::load(python, Source { origin, options })
    }

    #[doc = doc!(World.name)]
    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(self.lock()?.scene().name.clone())
    }

    #[doc = doc!(World.seed)]
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        Ok(self.lock()?.scene().seed)
    }

    #[doc = doc!(World.timestep)]
    #[getter]
    fn timestep(&self) -> PyResult<f64> {
        Ok(self.lock()?.scene().step.secs())
    }

    #[doc = doc!(World.warnings)]
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    #[doc = doc!(World.vehicles)]
    #[getter]
    fn vehicles(&self) -> PyResult<Vec<String>> {
        Ok(self.lock()?.scene().vehicles.iter().map(|vehicle| vehicle.name.clone()).collect())
    }

    #[doc = doc!(World.blocks)]
    #[getter]
    fn blocks(&self) -> PyResult<Vec<String>> {
        Ok(self.lock()?.scene().blocks.iter().map(|block| block.name.clone()).collect())
    }

    #[doc = doc!(World.sensors)]
    #[getter]
    fn sensors(&self) -> PyResult<Vec<String>> {
        Ok(facts::sensors(self.lock()?.scene()))
    }

    #[doc = doc!(World.classes)]
    #[getter]
    fn classes(&self) -> PyResult<Vec<String>> {
        Ok(self.lock()?.slots[0].world.catalogue().classes().into_iter().map(|class| class.name).collect())
    }

    #[doc = doc!(World.vehicle_info)]
    #[pyo3(signature = (vehicle=None), text_signature = "($self, vehicle=0)")]
    fn vehicle_info<'py>(
        &self,
        python: Python<'py>,
        vehicle: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let simulations = self.lock()?;
        let index = index_of(simulations.scene(), vehicle)?;
        facts::of_vehicle(python, &simulations.scene().vehicles[index])
    }

    #[doc = doc!(World.block_info)]
    fn block_info<'py>(&self, python: Python<'py>, block: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let simulations = self.lock()?;
        let index = facts::block(simulations.scene(), block)?;
        facts::of_block(python, &simulations.scene().blocks[index])
    }

    #[doc = doc!(World.labels)]
    #[getter]
    fn labels<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        facts::labels(python, self.lock()?.scene())
    }

    #[doc = doc!(World.maps)]
    #[getter]
    fn maps<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        maps(python, &*self.lock()?)
    }

    #[doc = doc!(World.time)]
    #[getter]
    fn time(&self) -> PyResult<f64> {
        Ok(self.lock()?.slots[0].world.frame().time.secs())
    }

    #[doc = doc!(World.time_ns)]
    #[getter]
    fn time_ns(&self) -> PyResult<i64> {
        Ok(self.lock()?.slots[0].world.frame().time.0)
    }

    #[doc = doc!(World.step_count)]
    #[getter]
    fn step_count(&self) -> PyResult<u64> {
        Ok(self.lock()?.slots[0].world.frame().step)
    }

    #[doc = doc!(World.step)]
    #[pyo3(signature = (n=1))]
    fn step(&self, python: Python<'_>, #[pyo3(from_py_with = whole)] n: u64) -> PyResult<()> {
        self.lock()?.step(python, n)
    }

    #[doc = doc!(World.state)]
    #[getter]
    fn state(&self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut simulations = self.lock()?;
        let view = simulations.arrays.state(python)?;
        simulations.write(0);
        Ok(view)
    }

    #[doc = doc!(World.block_state)]
    #[getter]
    fn block_state(&self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut simulations = self.lock()?;
        let view = simulations.arrays.block_state(python)?;
        simulations.write(0);
        Ok(view)
    }

    #[doc = doc!(World.wheels)]
    #[getter]
    fn wheels(&self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut simulations = self.lock()?;
        let view = simulations.arrays.wheels(python)?;
        simulations.write(0);
        Ok(view)
    }

    #[doc = doc!(World.readings)]
    #[getter]
    fn readings<'py>(slf: &Bound<'py, World>) -> PyResult<Bound<'py, PyDict>> {
        let readings = PyDict::new(slf.py());
        for sensor in facts::sensors(slf.get().lock()?.scene()) {
            readings.set_item(&sensor, Reading { world: slf.clone().unbind(), sensor: sensor.clone() })?;
        }
        Ok(readings)
    }

    #[doc = doc!(World.reading)]
    fn reading(slf: &Bound<'_, World>, sensor: &str) -> PyResult<Reading> {
        let (_, sensor) = facts::sensor(slf.get().lock()?.scene(), sensor)?;
        Ok(Reading { world: slf.clone().unbind(), sensor })
    }

    #[doc = doc!(World.command)]
    #[pyo3(signature = (vehicle=None, **numbers), text_signature = "($self, vehicle=0, **numbers)")]
    fn command(&self, vehicle: Option<&Bound<'_, PyAny>>, numbers: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let mut simulations = self.lock()?;
        let vehicle = index_of(simulations.scene(), vehicle)?;
        let action = Orders::read(numbers, 1, 1)?.action(0, 0);
        simulations.command(&[(0, Command { vehicle, action })])?;
        let Simulations { slots, outputs, .. } = &mut *simulations;
        if let Some((index, outputs)) = outputs {
            let world = &slots[*index].world;
            outputs.changed(
                world,
                [Change::World(ExternalChange::Command(world.scene().vehicles[vehicle].name.clone(), action))],
            );
        }
        Ok(())
    }

    #[doc = doc!(World.place)]
    #[pyo3(signature = (name, x, y, yaw=0.0, *, z=None, vx=0.0, vy=0.0, yaw_rate=0.0))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn place(
        &self,
        name: &Bound<'_, PyAny>,
        x: f64,
        y: f64,
        yaw: f64,
        z: Option<f64>,
        vx: f64,
        vy: f64,
        yaw_rate: f64,
    ) -> PyResult<()> {
        self.change(|simulations| {
            let entity = facts::entity(simulations.scene(), name)?;
            simulations.slots[0].place(entity, [x, y, yaw], z, Twist2::new(vx, vy, yaw_rate))
        })
    }

    #[doc = doc!(World.reset)]
    #[pyo3(signature = (seed=None, *, time=true))]
    fn reset(&self, python: Python<'_>, #[pyo3(from_py_with = whole)] seed: Option<u64>, time: bool) -> PyResult<()> {
        if seed.is_some() {
            return self.reload(python, seed, None);
        }
        self.change(|simulations| {
            simulations.slots[0].reset(time);
            Ok(())
        })
    }

    #[doc = doc!(World.reload)]
    #[pyo3(signature = (*, seed=None, set=None))]
    fn reload(
        &self,
        python: Python<'_>,
        #[pyo3(from_py_with = whole)] seed: Option<u64>,
        set: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let variables = source::variables(set)?;
        self.change(|simulations| {
            let mut source = simulations.slots[0].source.clone();
            source.set_variables(variables);
            source.options.seed = seed.or(source.options.seed);
            simulations.reload(python, vec![(0, source)])
        })
    }

    #[doc = doc!(World.sense)]
    fn sense(&self, python: Python<'_>) -> PyResult<()> {
        self.lock()?.sense(python, &[0])
    }

    #[doc = doc!(World.spawn)]
    #[pyo3(signature = (what, name="", x=0.0, y=0.0, yaw=0.0, *, z=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn spawn(
        &self,
        python: Python<'_>,
        what: &str,
        name: &str,
        x: f64,
        y: f64,
        yaw: f64,
        z: Option<f64>,
    ) -> PyResult<String> {
        self.change(|simulations| {
            let world = &mut simulations.slots[0].world;
            let is_class = world.catalogue().classes().iter().any(|class| class.name == what);
            let name = if name.is_empty() && is_class { world.free_name(what) } else { name.to_owned() };
            let spawned = match what.trim_start() {
                text if text.starts_with('<') => {
                    SpawnSource::Xml { text: text.to_owned(), directory: ".".into(), label: "spawn".into() }
                }
                _ if is_class || !what.contains('.') => SpawnSource::Class(what.to_owned()),
                file => SpawnSource::File(file.into()),
            };
            let pose = Pose3 { x, y, z: z.unwrap_or(0.0), yaw, ..Pose3::default() };
            let pose = Some(Spot { pose, gives_z: z.is_some() });
            let (catalogue, cancel) = (Arc::clone(world.catalogue()), Cancel::default());
            let (request, cancelled) = (SpawnRequest { name, source: spawned, pose }, cancel.clone());
            let recipe =
                interrupt::abandonable(python, &cancel, move || catalogue.recipe_for(&request, None, cancelled))?;
            let recipe = recipe.map_err(refused)?;
            let name = recipe.name().to_owned();
            world.spawn(recipe).map_err(refused)?;
            Ok(name)
        })
    }

    #[doc = doc!(World.remove)]
    fn remove(&self, name: &Bound<'_, PyAny>) -> PyResult<()> {
        self.change(|simulations| {
            let id = simulations.scene().entity_id(facts::entity(simulations.scene(), name)?);
            simulations.slots[0].world.remove(id).map_err(refused)
        })
    }

    #[doc = doc!(World.apply_wrench)]
    #[pyo3(signature = (name, fx=0.0, fy=0.0, torque=0.0, *, duration, point=None, turns_with_body=false))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn apply_wrench(
        &self,
        name: &Bound<'_, PyAny>,
        fx: f64,
        fy: f64,
        torque: f64,
        duration: f64,
        point: Option<[f64; 2]>,
        turns_with_body: bool,
    ) -> PyResult<()> {
        self.change(|simulations| {
            let id = simulations.scene().entity_id(facts::entity(simulations.scene(), name)?);
            let wrench = action::wrench([fx, fy, torque], duration, point, turns_with_body);
            simulations.slots[0].world.apply_wrench(id, wrench).map_err(refused)
        })
    }

    #[doc = doc!(World.bodies)]
    fn bodies<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let simulations = self.lock()?;
        facts::bodies(python, simulations.scene(), simulations.slots[0].world.frame())
    }

    #[doc = doc!(World.parameters)]
    #[pyo3(signature = (vehicle=None), text_signature = "($self, vehicle=0)")]
    fn parameters<'py>(
        &self,
        python: Python<'py>,
        vehicle: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let simulations = self.lock()?;
        let index = index_of(simulations.scene(), vehicle)?;
        let values = PyDict::new(python);
        if let Some(vehicle) = simulations.slots[0].world.vehicle(index) {
            for tunable in vehicle.controller().tunables() {
                values.set_item(tunable.name, tunable.value)?;
            }
        }
        Ok(values)
    }

    #[doc = doc!(World.set_parameter)]
    fn set_parameter(&self, vehicle: &Bound<'_, PyAny>, name: &str, value: f64) -> PyResult<()> {
        self.change(|simulations| {
            let index = facts::vehicle(simulations.scene(), vehicle)?;
            let world = &mut simulations.slots[0].world;
            let id = world.scene().vehicles[index].id;
            world.tune(id, name, value).map_err(refused)
        })
    }

    #[doc = doc!(World.follow)]
    fn follow(&self, python: Python<'_>, config: PathBuf) -> PyResult<()> {
        let equipment = self.change(|simulations| {
            let is_recorded = simulations.outputs.is_some();
            let slot = &mut simulations.slots[0];
            let is_new = slot.is_new() && slot.followed.is_none() && !is_recorded;
            let (loaded, files) = input_file::noting_opened(|| ExperimentConfig::load(&config));
            let (path, mut config) = (config, loaded.map_err(refused)?);
            config.world = slot.world.scene().name.clone().into();
            let equipment = Equipment::fit(&config, &mut slot.world).map_err(refused)?;
            if is_new {
                slot.note_followed(Followed { path, files });
            }
            Ok(equipment)
        })?;
        errors::warn(python, &equipment.warnings)
    }

    #[doc = doc!(World.record)]
    #[pyo3(
        signature = (path, *, topics=Vec::new(), preset="skidpad"),
        text_signature = "($self, path, *, topics=(), preset='skidpad')"
    )]
    fn record(&self, python: Python<'_>, path: PathBuf, topics: Vec<String>, preset: &str) -> PyResult<()> {
        let mut simulations = self.lock()?;
        let Simulations { slots, outputs, .. } = &mut *simulations;
        let (made, is_from_start) = (provenance::of(python, &slots[0], &topics)?, slots[0].is_new());
        let (_, outputs) = outputs.get_or_insert_with(|| (0, Outputs::new(&slots[0].world)));
        outputs.record(&path, &topics, preset, made, is_from_start)
    }

    #[doc = doc!(World.stop_recording)]
    fn stop_recording(&self, python: Python<'_>) -> PyResult<()> {
        self.lock()?.stop_recording(python)
    }

    #[doc = doc!(World.render)]
    #[pyo3(signature = (width=640, height=480, *, eye=None, target=None, field_of_view=1.0))]
    fn render<'py>(
        &self,
        python: Python<'py>,
        #[pyo3(from_py_with = whole)] width: usize,
        #[pyo3(from_py_with = whole)] height: usize,
        eye: Option<[f64; 3]>,
        target: Option<[f64; 3]>,
        field_of_view: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut simulations = self.lock()?;
        render(
            python,
            &mut simulations.slots[0].world,
            &mut *lock(&self.photographer)?,
            [width, height],
            eye,
            target,
            field_of_view,
        )
    }

    #[doc = doc!(World.serve)]
    #[pyo3(signature = (address="127.0.0.1:0", *, token=None))]
    fn serve(&self, address: &str, token: Option<String>) -> PyResult<String> {
        self.lock()?.serve(0, address, token)
    }

    #[doc = doc!(World.close)]
    fn close(&self, python: Python<'_>) -> PyResult<()> {
        self.lock()?.close(python)
    }

    fn __enter__(slf: Bound<'_, World>) -> Bound<'_, World> {
        slf
    }

    #[pyo3(signature = (*error))]
    fn __exit__(&self, error: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.close(error.py())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("World"))
    }

    fn __repr__(&self) -> PyResult<String> {
        let simulations = self.lock()?;
        Ok(format!(
            "<skidpad.World {} at {} s>",
            simulations.scene().name,
            simulations.slots[0].world.frame().time.secs()
        ))
    }
}

/// The index of the vehicle that an argument names; the first without one.
pub(crate) fn index_of(scene: &skidpad::world::Scene, vehicle: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    match vehicle {
        Some(vehicle) => facts::vehicle(scene, vehicle),
        None if scene.vehicles.is_empty() => Err(refused("vehicle 0: not found\n  accepted: a world with vehicles")),
        None => Ok(0),
    }
}

/// The maps of the first world.
pub(crate) fn maps<'py>(python: Python<'py>, simulations: &Simulations) -> PyResult<Bound<'py, PyList>> {
    let maps = simulations.scene().maps.iter().map(|map| facts::of_map(python, map));
    PyList::new(python, maps.collect::<PyResult<Vec<_>>>()?)
}

/// The error of an attempt to pickle.
pub(crate) fn not_pickled(class: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "a {class} cannot be pickled: it holds a running simulation\n  hint: pickle the file, the seed and the variables, and load it again in the other process"
    ))
}

/// Largest side of a picture [pixels].
const MAX_SIDE: usize = 8192;

/// A picture of a world.
pub(crate) fn render<'py>(
    python: Python<'py>,
    world: &mut skidpad::world::World,
    photographer: &mut Photographer,
    [width, height]: [usize; 2],
    eye: Option<[f64; 3]>,
    target: Option<[f64; 3]>,
    field_of_view: f64,
) -> PyResult<Bound<'py, PyAny>> {
    if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
        return Err(refused(format!("picture: found {width} x {height}\n  accepted: 1 to {MAX_SIDE} pixels a side")));
    }
    if !(0.01..=3.0).contains(&field_of_view) {
        return Err(refused(format!("field_of_view: found {field_of_view}\n  accepted: 0.01 to 3 rad")));
    }
    let given = eye.into_iter().chain(target).flatten();
    if let Some(number) = given.into_iter().find(|number| !number.is_finite()) {
        return Err(refused(format!("eye or target: found {number}\n  accepted: finite numbers [m]")));
    }
    let above = Viewpoint::above(world, [width, height]);
    let viewpoint = match eye {
        Some(eye) => {
            Viewpoint { eye: Vec3::from(eye), target: target.map_or(above.target, Vec3::from), field_of_view, ..above }
        }
        None => above,
    };
    let cancel = Cancel::default();
    let cancelled = cancel.clone();
    let picture = interrupt::attend(
        python,
        || (),
        &cancel,
        move || {
            // Moved, because a world can be sent but not shared.
            crate::fork::with_threads(move || photographer.picture(world, &viewpoint, Some(&cancelled)))
        },
    )?;
    let pixels = picture.raised.map_or(Ok(picture.value), Err)?;
    Ok(PyArray1::from_vec(python, pixels).reshape([height, width, 3])?.into_any())
}
