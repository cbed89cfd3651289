//! The class `Worlds`.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use rayon::prelude::*;
use skidpad::assets::Cancel;
use skidpad::math::Twist2;
use skidpad::vehicle::{Command, FieldNumber};
use skidpad::world::Photographer;

use crate::action::Orders;
use crate::course::{Course, Episode};
use crate::drivers::{self, Drivers, Scale};
use crate::errors::refused;
use crate::facts;
use crate::fork;
use crate::interrupt;
use crate::path::Path;
use crate::reading::BatchReading;
use crate::selection::{FIRST, Numbers, Vehicle, floats, selected, whole};
use crate::simulations::Simulations;
use crate::slot::Slot;
use crate::source::{self, Origin, Source, world_error};
use crate::variants::{self, Variables};
use crate::world::{index_of, lock, maps, not_pickled, render};

#[doc = doc!(Worlds)]
#[pyclass(frozen, module = "skidpad")]
pub(crate) struct Worlds {
    simulations: Mutex<Simulations>,
    photographer: Mutex<(usize, Photographer)>,
}

/// Most worlds.
const MAX_WORLDS: usize = 1 << 20;
/// Most threads, far beyond the cores of a machine.
const MAX_THREADS: usize = 1024;

impl Worlds {
    /// The simulations, unless another thread has them.
    pub(crate) fn lock(&self) -> PyResult<MutexGuard<'_, Simulations>> {
        lock(&self.simulations)
    }

    fn load(
        python: Python<'_>,
        source: Source,
        seeds: Vec<u64>,
        variables: Variables,
        threads: usize,
    ) -> PyResult<Worlds> {
        let count = seeds.len();
        let cancel = Cancel::default();
        let cancelled = cancel.clone();
        let source_of = move |index: usize| {
            let mut source_of_world = source.clone();
            source_of_world.options.cancel = cancelled.clone();
            source_of_world.options.seed = Some(seeds[index]);
            source_of_world.options.variables = variables.of(index);
            source_of_world
        };
        let load = |source: Source| source.load().map(|(world, _)| Slot::new(world, source));
        let slots = interrupt::abandonable(python, &cancel, move || {
            fork::with_threads(|| {
                let mut first = load(source_of(0))?;
                // The others share its maps.
                let maps = first.world.prepared_maps().to_vec();
                first.source.options.maps.clone_from(&maps);
                let load_next = |index: usize| {
                    let mut source = source_of(index);
                    source.options.maps.clone_from(&maps);
                    load(source)
                };
                let other_slots: Vec<Slot> =
                    (1..count).into_par_iter().map(load_next).collect::<Result<_, Vec<String>>>()?;
                Ok(std::iter::once(first).chain(other_slots).collect())
            })
        })?;
        let simulations = Simulations::several(slots.map_err(world_error)?, threads)?;
        Ok(Worlds { simulations: Mutex::new(simulations), photographer: Mutex::default() })
    }
}

fn check_counts(count: usize, threads: usize) -> PyResult<()> {
    if !(1..=MAX_WORLDS).contains(&count) {
        return Err(refused(format!("count: found {count}\n  accepted: 1 to {MAX_WORLDS}")));
    }
    if threads > MAX_THREADS {
        return Err(refused(format!(
            "threads: found {threads}\n  accepted: 1 to {MAX_THREADS}, or 0 for one per core"
        )));
    }
    Ok(())
}

#[pymethods]
impl Worlds {
    #[new]
    #[pyo3(signature = (world, count, *, seeds=None, set=None, physics=None, threads=0, allow_commands=false, offline=false))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn new(
        python: Python<'_>,
        world: PathBuf,
        #[pyo3(from_py_with = whole)] count: usize,
        seeds: Option<&Bound<'_, PyAny>>,
        set: Option<&Bound<'_, PyDict>>,
        physics: Option<&str>,
        #[pyo3(from_py_with = whole)] threads: usize,
        allow_commands: bool,
        offline: bool,
    ) -> PyResult<Worlds> {
        check_counts(count, threads)?;
        let options = source::options(None, physics, allow_commands, offline)?;
        let source = Source::file(python, &world, options)?;
        let variables = Variables::read(set, count)?;
        Worlds::load(python, source, variants::seeds(seeds, count)?, variables, threads)
    }

    #[doc = doc!(Worlds.from_string)]
    #[staticmethod]
    #[pyo3(
        signature = (text, count, *, folder=PathBuf::from("."), name="world", seeds=None, set=None, physics=None, threads=0, allow_commands=false, offline=false),
        text_signature = "(text, count, *, folder='.', name='world', seeds=None, set=None, physics=None, threads=0, allow_commands=False, offline=False)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn from_string(
        python: Python<'_>,
        text: &str,
        #[pyo3(from_py_with = whole)] count: usize,
        folder: PathBuf,
        name: &str,
        seeds: Option<&Bound<'_, PyAny>>,
        set: Option<&Bound<'_, PyDict>>,
        physics: Option<&str>,
        #[pyo3(from_py_with = whole)] threads: usize,
        allow_commands: bool,
        offline: bool,
    ) -> PyResult<Worlds> {
        check_counts(count, threads)?;
        let options = source::options(None, physics, allow_commands, offline)?;
        let origin = Origin::Text { text: text.into(), name: name.into(), folder };
        let variables = Variables::read(set, count)?;
        Worlds::load(python, Source { origin, options }, variants::seeds(seeds, count)?, variables, threads)
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.lock()?.slots.len())
    }

    #[doc = doc!(Worlds.name)]
    #[getter]
    fn name(&self) -> PyResult<String> {
        Ok(self.lock()?.scene().name.clone())
    }

    #[doc = doc!(Worlds.timestep)]
    #[getter]
    fn timestep(&self) -> PyResult<f64> {
        Ok(self.lock()?.scene().step.secs())
    }

    #[doc = doc!(Worlds.threads)]
    #[getter]
    fn threads(&self) -> PyResult<usize> {
        Ok(self.lock()?.threads())
    }

    #[doc = doc!(Worlds.vehicles)]
    #[getter]
    fn vehicles(&self) -> PyResult<Vec<String>> {
        Ok(self.lock()?.scene().vehicles.iter().map(|vehicle| vehicle.name.clone()).collect())
    }

    #[doc = doc!(Worlds.blocks)]
    #[getter]
    fn blocks(&self) -> PyResult<Vec<String>> {
        Ok(self.lock()?.scene().blocks.iter().map(|block| block.name.clone()).collect())
    }

    #[doc = doc!(Worlds.sensors)]
    #[getter]
    fn sensors(&self) -> PyResult<Vec<String>> {
        Ok(facts::sensors(self.lock()?.scene()))
    }

    #[doc = doc!(Worlds.labels)]
    #[getter]
    fn labels<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        facts::labels(python, self.lock()?.scene())
    }

    #[doc = doc!(Worlds.maps)]
    #[getter]
    fn maps<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        maps(python, &*self.lock()?)
    }

    #[doc = doc!(Worlds.vehicle_info)]
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

    #[doc = doc!(Worlds.block_info)]
    fn block_info<'py>(&self, python: Python<'py>, block: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let simulations = self.lock()?;
        let index = facts::block(simulations.scene(), block)?;
        facts::of_block(python, &simulations.scene().blocks[index])
    }

    #[doc = doc!(Worlds.time)]
    #[getter]
    fn time(&self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut simulations = self.lock()?;
        let view = simulations.arrays.time(python)?;
        simulations.write_all();
        Ok(view)
    }

    #[doc = doc!(Worlds.state)]
    #[getter]
    fn state(&self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut simulations = self.lock()?;
        let view = simulations.arrays.state(python)?;
        simulations.write_all();
        Ok(view)
    }

    #[doc = doc!(Worlds.block_state)]
    #[getter]
    fn block_state(&self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut simulations = self.lock()?;
        let view = simulations.arrays.block_state(python)?;
        simulations.write_all();
        Ok(view)
    }

    #[doc = doc!(Worlds.wheels)]
    #[getter]
    fn wheels(&self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut simulations = self.lock()?;
        let view = simulations.arrays.wheels(python)?;
        simulations.write_all();
        Ok(view)
    }

    #[doc = doc!(Worlds.collided)]
    #[getter]
    fn collided(&self, python: Python<'_>) -> PyResult<Py<PyAny>> {
        let mut simulations = self.lock()?;
        let view = simulations.arrays.collided(python)?;
        simulations.write_all();
        Ok(view)
    }

    #[doc = doc!(Worlds.on_path)]
    fn on_path(&self, python: Python<'_>, path: &Bound<'_, Path>) -> PyResult<Py<PyAny>> {
        let mut simulations = self.lock()?;
        let view = simulations.arrays.on_path(python, path.get().line())?;
        simulations.slots.iter_mut().for_each(Slot::lose_places);
        simulations.write_all();
        Ok(view)
    }

    #[doc = doc!(Worlds.enlist)]
    #[pyo3(signature = (vehicles, *, action, seen, rewards, ends, period, goal_block=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn enlist<'py>(
        &self,
        python: Python<'py>,
        vehicles: Vec<usize>,
        action: (String, [f64; 2], [f64; 2]),
        seen: Vec<Bound<'py, PyTuple>>,
        rewards: Vec<Bound<'py, PyTuple>>,
        ends: Vec<Bound<'py, PyTuple>>,
        period: f64,
        goal_block: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut simulations = self.lock()?;
        let scene = simulations.scene();
        if vehicles.is_empty() || vehicles.iter().any(|&vehicle| vehicle >= scene.vehicles.len()) {
            return Err(refused(format!(
                "enlist: found vehicles {vehicles:?}\n  accepted: indices below {}",
                scene.vehicles.len()
            )));
        }
        let course = Course {
            seen: drivers::read_seen(scene, &seen, vehicles[0])?,
            rewards: drivers::read_rewards(&rewards)?,
            ends: drivers::read_ends(&ends)?,
            period,
            drivers: drivers::lidars(scene, &vehicles),
            goal_block: goal_block.map(|block| facts::block(scene, block)).transpose()?,
        };
        let (kind, low, high) = action;
        let count = simulations.slots.len();
        let drivers = Drivers::new(python, course, Scale::new(&kind, low, high), count)?;
        let views = drivers.views(python)?;
        for slot in &mut simulations.slots {
            slot.episodes = vec![Episode::default(); vehicles.len()];
        }
        // Ends and rewards want to know of collisions.
        simulations.arrays.collided(python)?;
        simulations.drivers = Some(drivers);
        simulations.judge(python, false);
        Ok(views)
    }

    #[doc = doc!(Worlds.drive)]
    #[pyo3(signature = (actions, n=1, *, resting=None))]
    fn drive(
        &self,
        python: Python<'_>,
        actions: &Bound<'_, PyArray2<f32>>,
        #[pyo3(from_py_with = whole)] n: u64,
        resting: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mut simulations = self.lock()?;
        let resting = match resting {
            Some(resting) => selected(Some(resting), simulations.slots.len())?,
            None => Vec::new(),
        };
        let rows =
            simulations.drivers.as_ref().map_or(0, |drivers| drivers.course.drivers.len()) * simulations.slots.len();
        let actions = actions.readonly();
        let array = actions.as_array();
        if array.shape() != [rows, 2] {
            return Err(refused(format!("action: found shape {:?}\n  accepted: [{rows}, 2]", array.shape())));
        }
        match array.as_slice() {
            Some(actions) => simulations.drive(python, actions, n, &resting),
            None => simulations.drive(python, &array.iter().copied().collect::<Vec<f32>>(), n, &resting),
        }
    }

    #[doc = doc!(Worlds.begin)]
    fn begin(&self, drivers: &Bound<'_, PyAny>, goals: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut simulations = self.lock()?;
        let drivers_per_simulation = simulations.drivers.as_ref().map_or(1, |drivers| drivers.course.drivers.len());
        let chosen = selected(Some(drivers), simulations.slots.len() * drivers_per_simulation)?;
        let goals = floats(goals, "goals")?;
        if goals.shape != [chosen.len(), 2] {
            return Err(refused(format!("goals: found shape {:?}\n  accepted: [{}, 2]", goals.shape, chosen.len())));
        }
        for (&row, goal) in chosen.iter().zip(goals.numbers.as_chunks::<2>().0) {
            if let Some(episode) =
                simulations.slots[row / drivers_per_simulation].episodes.get_mut(row % drivers_per_simulation)
            {
                *episode = Episode { goal: *goal, ..Episode::default() };
            }
        }
        simulations.see(&chosen.iter().map(|row| row / drivers_per_simulation).collect::<Vec<_>>());
        Ok(())
    }

    #[doc = doc!(Worlds.readings)]
    #[getter]
    fn readings<'py>(slf: &Bound<'py, Worlds>) -> PyResult<Bound<'py, PyDict>> {
        let readings = PyDict::new(slf.py());
        for sensor in facts::sensors(slf.get().lock()?.scene()) {
            readings.set_item(&sensor, BatchReading { worlds: slf.clone().unbind(), sensor: sensor.clone() })?;
        }
        Ok(readings)
    }

    #[doc = doc!(Worlds.reading)]
    fn reading(slf: &Bound<'_, Worlds>, sensor: &str) -> PyResult<BatchReading> {
        let (_, sensor) = facts::sensor(slf.get().lock()?.scene(), sensor)?;
        Ok(BatchReading { worlds: slf.clone().unbind(), sensor })
    }

    #[doc = doc!(Worlds.step)]
    #[pyo3(signature = (n=1))]
    fn step(&self, python: Python<'_>, #[pyo3(from_py_with = whole)] n: u64) -> PyResult<()> {
        self.lock()?.step(python, n)
    }

    #[doc = doc!(Worlds.command)]
    #[pyo3(signature = (vehicle=FIRST, *, r#where=None, **numbers), text_signature = "($self, vehicle=0, *, where=None, **numbers)")]
    fn command(
        &self,
        vehicle: Option<Vehicle<'_>>,
        r#where: Option<&Bound<'_, PyAny>>,
        numbers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let mut simulations = self.lock()?;
        let chosen = selected(r#where, simulations.slots.len())?;
        let scene = simulations.scene();
        let vehicles = match vehicle {
            None => 0..scene.vehicles.len(),
            Some(Vehicle::First) => index_of(scene, None).map(|index| index..index + 1)?,
            Some(Vehicle::Named(name)) => facts::vehicle(scene, &name).map(|index| index..index + 1)?,
        };
        let orders = Orders::read(numbers, chosen.len(), vehicles.len())?;
        let mut commands = Vec::with_capacity(chosen.len() * vehicles.len());
        for (row, &index) in chosen.iter().enumerate() {
            let command = |(column, vehicle)| (index, Command { vehicle, action: orders.action(row, column) });
            commands.extend(vehicles.clone().enumerate().map(command));
        }
        simulations.command(&commands)
    }

    #[doc = doc!(Worlds.place)]
    #[pyo3(
        signature = (name, x, y, yaw=None, *, vx=None, vy=None, yaw_rate=None, r#where=None),
        text_signature = "($self, name, x, y, yaw=0.0, *, vx=0.0, vy=0.0, yaw_rate=0.0, where=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn place(
        &self,
        name: &Bound<'_, PyAny>,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        yaw: Option<&Bound<'_, PyAny>>,
        vx: Option<&Bound<'_, PyAny>>,
        vy: Option<&Bound<'_, PyAny>>,
        yaw_rate: Option<&Bound<'_, PyAny>>,
        r#where: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mut simulations = self.lock()?;
        let chosen = selected(r#where, simulations.slots.len())?;
        let entity = facts::entity(simulations.scene(), name)?;
        let read = |value: Option<&Bound<'_, PyAny>>, argument: &str| match value {
            Some(value) => Numbers::read(value, argument, chosen.len(), 1),
            None => Ok(Numbers::scalar(0.0)),
        };
        let (x, y, yaw) = (read(Some(x), "x")?, read(Some(y), "y")?, read(yaw, "yaw")?);
        let (vx, vy, yaw_rate) = (read(vx, "vx")?, read(vy, "vy")?, read(yaw_rate, "yaw_rate")?);
        let given = [("x", &x), ("y", &y), ("yaw", &yaw), ("vx", &vx), ("vy", &vy), ("yaw_rate", &yaw_rate)];
        if let Some((argument, _)) = given.into_iter().find(|(_, numbers)| !numbers.all(f64::is_finite)) {
            return Err(refused(format!("{argument}: found a number that is not finite\n  accepted: finite numbers")));
        }
        for (row, &index) in chosen.iter().enumerate() {
            let velocity = Twist2::new(vx.at(row, 0), vy.at(row, 0), yaw_rate.at(row, 0));
            simulations.slots[index].place(entity, [x.at(row, 0), y.at(row, 0), yaw.at(row, 0)], None, velocity)?;
            simulations.write(index);
        }
        Ok(())
    }

    #[doc = doc!(Worlds.reset)]
    #[pyo3(signature = (r#where=None, *, seeds=None, time=true))]
    fn reset(
        &self,
        python: Python<'_>,
        r#where: Option<&Bound<'_, PyAny>>,
        seeds: Option<&Bound<'_, PyAny>>,
        time: bool,
    ) -> PyResult<()> {
        if seeds.is_some() {
            return self.reload(python, r#where, seeds, None);
        }
        let mut simulations = self.lock()?;
        for index in selected(r#where, simulations.slots.len())? {
            simulations.slots[index].reset(time);
            simulations.write(index);
        }
        Ok(())
    }

    #[doc = doc!(Worlds.reload)]
    #[pyo3(signature = (r#where=None, *, seeds=None, set=None))]
    fn reload(
        &self,
        python: Python<'_>,
        r#where: Option<&Bound<'_, PyAny>>,
        seeds: Option<&Bound<'_, PyAny>>,
        set: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let mut simulations = self.lock()?;
        let chosen = selected(r#where, simulations.slots.len())?;
        let seeds = seeds.map(|seeds| variants::seeds(Some(seeds), chosen.len())).transpose()?;
        let variables = Variables::read(set, chosen.len())?;
        let sources = chosen.iter().enumerate().map(|(row, &index)| {
            let mut source = simulations.slots[index].source.clone();
            source.set_variables(variables.of(row));
            source.options.seed = seeds.as_ref().map_or(source.options.seed, |seeds| Some(seeds[row]));
            (index, source)
        });
        let sources = sources.collect();
        simulations.reload(python, sources)
    }

    #[doc = doc!(Worlds.sense)]
    #[pyo3(signature = (r#where=None))]
    fn sense(&self, python: Python<'_>, r#where: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut simulations = self.lock()?;
        let chosen = selected(r#where, simulations.slots.len())?;
        simulations.sense(python, &chosen)
    }

    #[doc = doc!(Worlds.set_parameter)]
    #[pyo3(signature = (vehicle, name, value, *, r#where=None))]
    fn set_parameter(
        &self,
        vehicle: &Bound<'_, PyAny>,
        name: &str,
        value: &Bound<'_, PyAny>,
        r#where: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mut simulations = self.lock()?;
        let chosen = selected(r#where, simulations.slots.len())?;
        let vehicle = facts::vehicle(simulations.scene(), vehicle)?;
        let values = Numbers::read(value, name, chosen.len(), 1)?;
        let changes = || chosen.iter().enumerate().map(|(row, &index)| (index, values.at(row, 0)));
        // All or none are changed.
        for (index, value) in changes() {
            let world = &simulations.slots[index].world;
            let id = world.scene().vehicles[vehicle].id;
            world.check_tuning(id, name, value).map_err(|error| refused(format!("world {index}: {error}")))?;
        }
        for (index, value) in changes() {
            let world = &mut simulations.slots[index].world;
            let id = world.scene().vehicles[vehicle].id;
            world.tune(id, name, value).map_err(refused)?;
        }
        Ok(())
    }

    #[doc = doc!(Worlds.render)]
    #[pyo3(signature = (index=0, width=640, height=480, *, eye=None, target=None, field_of_view=1.0))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments")]
    fn render<'py>(
        &self,
        python: Python<'py>,
        #[pyo3(from_py_with = whole)] index: usize,
        #[pyo3(from_py_with = whole)] width: usize,
        #[pyo3(from_py_with = whole)] height: usize,
        eye: Option<[f64; 3]>,
        target: Option<[f64; 3]>,
        field_of_view: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut simulations = self.lock()?;
        let count = simulations.slots.len();
        let slot = simulations.slots.get_mut(index).ok_or_else(|| no_world(index, count))?;
        let mut photographer = lock(&self.photographer)?;
        if photographer.0 != index {
            *photographer = (index, Photographer::default());
        }
        render(python, &mut slot.world, &mut photographer.1, [width, height], eye, target, field_of_view)
    }

    #[doc = doc!(Worlds.serve)]
    #[pyo3(signature = (index=0, address="127.0.0.1:0", *, token=None))]
    fn serve(
        &self,
        #[pyo3(from_py_with = whole)] index: usize,
        address: &str,
        token: Option<String>,
    ) -> PyResult<String> {
        let mut simulations = self.lock()?;
        let count = simulations.slots.len();
        if index < count { simulations.serve(index, address, token) } else { Err(no_world(index, count)) }
    }

    #[doc = doc!(Worlds.close)]
    fn close(&self, python: Python<'_>) -> PyResult<()> {
        self.lock()?.close(python)
    }

    fn __enter__(slf: Bound<'_, Worlds>) -> Bound<'_, Worlds> {
        slf
    }

    #[pyo3(signature = (*error))]
    fn __exit__(&self, error: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.close(error.py())
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(not_pickled("Worlds"))
    }

    fn __repr__(&self) -> PyResult<String> {
        let simulations = self.lock()?;
        Ok(format!(
            "<skidpad.Worlds {} × {} on {} threads>",
            simulations.slots.len(),
            simulations.scene().name,
            simulations.threads()
        ))
    }
}

fn no_world(index: usize, count: usize) -> PyErr {
    refused(format!("world {index}: not found\n  accepted: 0 to {}", count - 1))
}
