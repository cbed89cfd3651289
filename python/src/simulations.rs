//! Worlds that are stepped together: what `World` (one) and `Worlds` (several) have in common.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use skidpad::assets::Cancel;
use skidpad::runner::Change;
use skidpad::sink::Interrupts;
use skidpad::time::SimTime;
use skidpad::vehicle::Command;
use skidpad::world::{CommandError, Scene, StepError};

use crate::arrays::{Arrays, PLACE_FIELDS};
use crate::drivers::{DriverFacts, Drivers};
use crate::errors::{Class, refused};
use crate::fork;
use crate::interrupt::{self, PATIENCE};
use crate::outputs::Outputs;
use crate::shape::Shape;
use crate::slot::Slot;
use crate::source::{Source, world_error};

/// Rays and pixels of a step or a look that takes so long that Ctrl-C has to end it in its midst.
const HEAVY: u64 = 100_000;
/// A step that takes less than this does not let other Python threads run meanwhile: changing threads would cost more.
const SHORT: Duration = Duration::from_micros(100);

/// Fewest worlds that are worth another thread.
const MIN_WORLDS: usize = 4;

/// The worlds with their arrays.
pub(crate) struct Simulations {
    pub(crate) slots: Vec<Slot>,
    pub(crate) arrays: Arrays,
    pool: Option<Arc<ThreadPool>>,
    /// The drivers of environments.
    pub(crate) drivers: Option<Drivers>,
    /// Recording and page, of the world with this index.
    pub(crate) outputs: Option<(usize, Outputs)>,
    /// How long a step took in the last call.
    last_step: Duration,
    /// Ends the steps and looks of all worlds.
    cancel: Cancel,
}

impl Simulations {
    /// One world, whose arrays have no axis for worlds.
    pub(crate) fn single(slot: Slot) -> Simulations {
        let arrays = Arrays::new(slot.world.scene(), None);
        Simulations::new(vec![slot], arrays, None)
    }

    /// Several worlds of the same shape, at least one, on this number of threads (0: one per core).
    pub(crate) fn several(slots: Vec<Slot>, threads: usize) -> PyResult<Simulations> {
        let Some(first) = slots.first() else { return Err(refused("count: found 0\n  accepted: 1 or more")) };
        let arrays = Arrays::new(first.world.scene(), Some(slots.len()));
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Class::Skidpad.error(format!("threads: {error}")))?;
        let shape = Shape::of(&first.world);
        slots.iter().enumerate().skip(1).try_for_each(|(index, slot)| shape.check(index, &slot.world))?;
        Ok(Simulations::new(slots, arrays, Some(Arc::new(pool))))
    }

    fn new(slots: Vec<Slot>, arrays: Arrays, pool: Option<Arc<ThreadPool>>) -> Simulations {
        let (last_step, cancel) = (Duration::MAX, Cancel::default());
        let mut new = Simulations { slots, arrays, pool, drivers: None, outputs: None, last_step, cancel };
        new.renew_cancel();
        new
    }

    /// Gives all worlds a flag of their own that nobody has set.
    fn renew_cancel(&mut self) {
        self.cancel = Cancel::default();
        self.slots.iter_mut().for_each(|slot| slot.world.set_cancel(self.cancel.clone()));
    }

    /// Whether the sensors of these worlds look so long that Ctrl-C has to end a look in its midst.
    fn is_heavy<'a>(mut slots: impl Iterator<Item = &'a Slot>) -> bool {
        slots.try_fold(0, |sum: u64, slot| Some(sum.saturating_add(slot.rays)).filter(|sum| *sum < HEAVY)).is_none()
    }

    /// Does work on the worlds that Ctrl-C ends: in its midst if it is heavy, or if the recording `waits` for the disk meanwhile.
    fn attend<T: Send>(
        &mut self,
        python: Python<'_>,
        is_heavy: bool,
        waits: Option<&Interrupts>,
        work: impl FnOnce(&mut Self) -> T + Send,
    ) -> PyResult<T> {
        if !is_heavy && waits.is_none() {
            let value = python.detach(|| work(self));
            return python.check_signals().map(|()| value);
        }
        let cancel = self.cancel.clone();
        let let_overfill = |may| waits.into_iter().for_each(|interrupts| interrupts.let_overfill(may));
        let_overfill(false);
        let attended = interrupt::attend(python, || let_overfill(true), &cancel, || work(self));
        let_overfill(true);
        let attended = attended?;
        if attended.is_cancelled {
            self.slots.iter_mut().for_each(|slot| slot.is_cut_short = true);
            self.renew_cancel();
        }
        attended.raised.map_or(Ok(attended.value), Err)
    }

    /// # Errors
    /// Ctrl-C has ended a step of one of these worlds, which has to be reset first.
    fn check_whole(&self, mut chosen: impl Iterator<Item = usize>) -> PyResult<()> {
        let Some(index) = chosen.find(|&index| self.slots[index].is_cut_short) else { return Ok(()) };
        let world = if self.pool.is_some() { format!("world {index}") } else { "this world".to_owned() };
        Err(Class::Skidpad.error(format!(
            "{world}: Ctrl-C has interrupted a step before all sensors had sampled\n  hint: call reset()"
        )))
    }

    /// Number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// The scene of the first world.
    pub(crate) fn scene(&self) -> &Scene {
        self.slots[0].world.scene()
    }

    /// Runs work that may use many threads.
    fn run<T: Send>(pool: Option<&ThreadPool>, work: impl FnOnce() -> T + Send) -> T {
        match pool {
            Some(pool) if !fork::is_child() => pool.install(work),
            _ => fork::with_threads(work),
        }
    }

    /// Makes steps of all worlds, and writes the arrays.
    pub(crate) fn step(&mut self, python: Python<'_>, steps: u64) -> PyResult<()> {
        for slot in &mut self.slots {
            slot.since = slot.world.frame().time;
            slot.collided.fill(false);
            slot.places.iter_mut().for_each(|place| place[PLACE_FIELDS - 1] = 0.0);
        }
        self.check_whole(0..self.slots.len())?;
        let begin = Instant::now();
        let is_heavy = Self::is_heavy(self.slots.iter());
        let alone = self.slots.len() == 1 && self.outputs.is_none() && !is_heavy && !fork::is_child();
        if alone && self.last_step.saturating_mul(u32::try_from(steps).unwrap_or(u32::MAX)) < SHORT {
            let stepped = self.slots[0].advance(steps, &self.arrays, &self.cancel);
            self.write(0);
            self.note_step_time(begin, steps);
            return stepped.map_err(|error| step_error(&error, self.index_of_one()));
        }
        let mut left = steps;
        let mut batch = 1;
        let mut stepped = Ok(());
        while left > 0 {
            let now = batch.min(left);
            let started = Instant::now();
            // A world that has failed says so in every batch, and the others go on.
            left -= now;
            let ends = left == 0;
            let waits = self.outputs.as_ref().and_then(|(_, outputs)| outputs.waits(now, is_heavy));
            let waits = waits.as_ref();
            stepped = match self.attend(python, is_heavy, waits, |worlds| worlds.advance(now, ends, waits)) {
                Ok(stepped) => stepped,
                Err(raised) => {
                    self.write_all();
                    return Err(raised);
                }
            };
            if stepped.is_err() && self.slots.len() == 1 {
                break;
            }
            if started.elapsed() < PATIENCE / 2 {
                batch *= 2;
            }
        }
        self.note_step_time(begin, steps);
        if self.outputs.is_some() {
            self.follow_bodies();
        }
        stepped
    }

    fn note_step_time(&mut self, begin: Instant, steps: u64) {
        self.last_step = begin.elapsed() / u32::try_from(steps.max(1)).unwrap_or(u32::MAX);
    }

    /// The index of the only world for errors; none if this is not a list.
    fn index_of_one(&self) -> Option<usize> {
        self.pool.as_ref().map(|_| 0)
    }

    /// Makes steps of all worlds on all threads, with outputs one at a time; `ends`: the last ones of a call. The error is that of the first world that has failed.
    /// If its recording `waits` for the disk, the world with outputs makes no more steps after a signal.
    fn advance(&mut self, steps: u64, ends: bool, waits: Option<&Interrupts>) -> PyResult<()> {
        let (arrays, cancel) = (&self.arrays, &self.cancel);
        let mut shown = None;
        if let Some((index, outputs)) = &mut self.outputs {
            let slot = &mut self.slots[*index];
            let is_over = || waits.is_some_and(Interrupts::may_overfill);
            let stepped = (0..steps).take_while(|_| !is_over()).try_for_each(|_| {
                outputs.take_orders(&mut slot.world);
                slot.advance(1, arrays, cancel)?;
                outputs.show(&slot.world);
                Ok(())
            });
            shown = Some((*index, stepped));
        }
        let alone = self.slots.len() == 1;
        let advance = |(index, slot): (usize, &mut Slot)| {
            let stepped = match &shown {
                Some((made, stepped)) if *made == index => stepped.clone(),
                _ => slot.advance(steps, arrays, cancel),
            };
            if let Some(line) = arrays.line()
                && ends
            {
                slot.follow(line, 0.0);
            }
            if slot.fits() {
                #[expect(unsafe_code, reason = "each world has one thread")]
                // SAFETY: see the reason.
                unsafe {
                    arrays.write(index, &slot.world, slot.since, &slot.collided, &slot.places);
                }
            }
            stepped.err().map(|error| (index, error))
        };
        let slots = &mut self.slots;
        let failed = if alone {
            fork::with_threads(|| slots.iter_mut().enumerate().find_map(advance))
        } else {
            Self::run(self.pool.as_deref(), || {
                slots
                    .par_iter_mut()
                    .with_min_len(MIN_WORLDS)
                    .enumerate()
                    .filter_map(advance)
                    .min_by_key(|(index, _)| *index)
            })
        };
        let several = self.pool.is_some();
        failed.map_or(Ok(()), |(index, error)| Err(step_error(&error, several.then_some(index))))
    }

    /// Writes the arrays of a world after a change from outside.
    pub(crate) fn write(&mut self, index: usize) {
        if let Some(line) = self.arrays.line() {
            self.slots[index].follow(line, 0.0);
        }
        self.write_row(index);
    }

    /// Writes the row of a world, unless bodies have come or gone on its page, so that it no longer fits.
    fn write_row(&mut self, index: usize) {
        let slot = &self.slots[index];
        if !slot.fits() {
            return;
        }
        #[expect(unsafe_code, reason = "there is one thread")]
        // SAFETY: see the reason.
        unsafe {
            self.arrays.write(index, &slot.world, slot.since, &slot.collided, &slot.places);
        }
    }

    /// Writes all arrays.
    pub(crate) fn write_all(&mut self) {
        (0..self.slots.len()).for_each(|index| self.write(index));
    }

    /// Makes new arrays where vehicles or blocks have come or gone; those that Python has stay as they are.
    pub(crate) fn follow_bodies(&mut self) {
        if self.pool.is_none() && !self.slots[0].fits() {
            self.arrays = Arrays::new(self.scene(), None);
            self.slots[0].fitting = self.scene().revision;
            self.slots[0].restart();
        }
        self.write_all();
    }

    /// Commands vehicles; all commands are checked before one is given.
    pub(crate) fn command(&mut self, commands: &[(usize, Command)]) -> PyResult<()> {
        let several = self.pool.is_some();
        let error = |index: usize, text: String| refused(if several { format!("world {index}: {text}") } else { text });
        for (index, command) in commands {
            if let Some(fault) = command.action.fault() {
                let vehicle = self.slots[*index].world.scene().vehicles[command.vehicle].name.clone();
                return Err(error(*index, CommandError::Fault { vehicle, fault }.to_string()));
            }
        }
        for (index, command) in commands {
            self.slots[*index].world.command(*command).map_err(|refusal| error(*index, refusal.to_string()))?;
        }
        Ok(())
    }

    /// One step of an environment: limited actions (drivers, 2), then steps of the worlds, then rewards, ends and observations. The worlds that rest are left as they are.
    pub(crate) fn drive(&mut self, python: Python<'_>, actions: &[f32], steps: u64, resting: &[usize]) -> PyResult<()> {
        let Some(drivers) = &self.drivers else {
            return Err(refused("drive: there are no drivers\n  hint: call enlist() first"));
        };
        let drivers_per_simulation = drivers.course.drivers.len();
        self.slots.iter_mut().for_each(|slot| slot.rests = false);
        resting.iter().for_each(|&index| self.slots[index].rests = true);
        let mut commands = Vec::with_capacity(actions.len() / 2);
        for (row, action) in actions.as_chunks::<2>().0.iter().enumerate() {
            let (index, number) = (row / drivers_per_simulation, row % drivers_per_simulation);
            if self.slots[index].rests {
                continue;
            }
            // NaN stays NaN, and is refused as a command.
            let limited = action.map(|number| number.clamp(-1.0, 1.0));
            let vehicle = drivers.course.drivers[number].0;
            commands.push((index, Command { vehicle, action: drivers.scale.command(limited) }));
        }
        let commanded = self.command(&commands);
        let driven = commanded.and_then(|()| {
            for (row, action) in actions.as_chunks::<2>().0.iter().enumerate() {
                let slot = &mut self.slots[row / drivers_per_simulation];
                if !slot.rests {
                    let episode = &mut slot.episodes[row % drivers_per_simulation];
                    episode.last_action = episode.action;
                    episode.action = action.map(|number| number.clamp(-1.0, 1.0));
                }
            }
            let stepped = self.step(python, steps);
            self.judge(python, true);
            stepped
        });
        self.slots.iter_mut().for_each(|slot| slot.rests = false);
        driven
    }

    /// Writes what the drivers of these worlds see, after a change from outside.
    pub(crate) fn see(&mut self, chosen: &[usize]) {
        let Some(drivers) = &self.drivers else { return };
        for &index in chosen {
            let slot = &mut self.slots[index];
            let facts = DriverFacts { places: &slot.places, line: self.arrays.line(), collided: &slot.collided };
            #[expect(unsafe_code, reason = "there is one thread")]
            // SAFETY: see the reason.
            unsafe {
                drivers.write(index, &slot.world, &mut slot.episodes, facts, false);
            }
        }
    }

    /// Writes what drivers see, and with `has_stepped` their rewards and ends.
    pub(crate) fn judge(&mut self, python: Python<'_>, has_stepped: bool) {
        let Some(drivers) = &self.drivers else { return };
        let (arrays, pool) = (&self.arrays, self.pool.as_deref());
        let write = |(index, slot): (usize, &mut Slot)| {
            if slot.rests {
                return;
            }
            let facts = DriverFacts { places: &slot.places, line: arrays.line(), collided: &slot.collided };
            #[expect(unsafe_code, reason = "each world has one thread")]
            // SAFETY: see the reason.
            unsafe {
                drivers.write(index, &slot.world, &mut slot.episodes, facts, has_stepped);
            }
        };
        let slots = &mut self.slots;
        if let [only] = &mut slots[..] {
            write((0, only));
        } else {
            python.detach(|| {
                Self::run(pool, || slots.par_iter_mut().with_min_len(MIN_WORLDS).enumerate().for_each(write))
            });
        }
    }

    /// Loads the worlds with these indices again, from these sources and in parallel. With an error, or if one no longer fits the arrays, all stay as they were.
    pub(crate) fn reload(&mut self, python: Python<'_>, sources: Vec<(usize, Source)>) -> PyResult<()> {
        let cancel = Cancel::default();
        let (pool, cancelled) = (self.pool.clone(), cancel.clone());
        let load = move |(index, mut source): (usize, Source)| {
            source.options.cancel = cancelled.clone();
            source.load().map(|(world, _)| (index, source, world))
        };
        let loaded: Vec<_> = interrupt::abandonable(python, &cancel, move || {
            Self::run(pool.as_deref(), || sources.into_par_iter().map(load).collect())
        })?;
        // The error of the first of them, whichever thread has found one first.
        let loaded = loaded.into_iter().collect::<Result<Vec<_>, _>>().map_err(world_error)?;
        if self.pool.is_some() {
            let shape = Shape::of(&self.slots[0].world);
            loaded.iter().try_for_each(|(index, _, world)| shape.check(*index, world))?;
        }
        for (index, source, mut world) in loaded {
            let slot = &mut self.slots[index];
            world.succeed(&slot.world);
            if self.pool.is_some() {
                // Several worlds of one shape: the arrays still fit.
                slot.fitting = world.scene().revision;
            }
            world.set_cancel(self.cancel.clone());
            slot.replace(world, source);
            if let Some((shown, outputs)) = &mut self.outputs
                && *shown == index
            {
                outputs.reloaded(&slot.world);
            }
        }
        self.follow_bodies();
        Ok(())
    }

    /// Ends the recording; the page stays.
    pub(crate) fn stop_recording(&mut self, python: Python<'_>) -> PyResult<()> {
        self.outputs.as_mut().map_or(Ok(()), |(_, outputs)| outputs.stop_recording(python))
    }

    /// Shows the world with this index on a page; gives its address.
    pub(crate) fn serve(&mut self, index: usize, address: &str, token: Option<String>) -> PyResult<String> {
        if let Some((shown, _)) = &self.outputs
            && *shown != index
        {
            return Err(refused(format!("serve: world {shown} is shown already\n  hint: call close() first")));
        }
        let world = &self.slots[index].world;
        let (_, outputs) = self.outputs.get_or_insert_with(|| (index, Outputs::new(world)));
        outputs.serve(world, self.pool.is_some(), address, token)
    }

    /// Ends recording and page.
    pub(crate) fn close(&mut self, python: Python<'_>) -> PyResult<()> {
        self.outputs.take().map_or(Ok(()), |(_, outputs)| outputs.close(python))
    }

    /// Takes a sample with every sensor of these worlds.
    pub(crate) fn sense(&mut self, python: Python<'_>, chosen: &[usize]) -> PyResult<()> {
        self.check_whole(chosen.iter().copied())?;
        if let Some((shown, outputs)) = &mut self.outputs
            && chosen.contains(shown)
        {
            outputs.tell(Change::Other("all sensors took a sample, by sense()".to_owned()));
        }
        let mut is_chosen = vec![false; self.slots.len()];
        chosen.iter().for_each(|&index| is_chosen[index] = true);
        let is_heavy = Self::is_heavy(chosen.iter().map(|&index| &self.slots[index]));
        self.attend(python, is_heavy, None, |worlds| {
            let (slots, pool) = (&mut worlds.slots, worlds.pool.as_deref());
            Self::run(pool, || {
                let chosen = slots.par_iter_mut().zip(&is_chosen).filter(|(_, chosen)| **chosen);
                chosen.for_each(|(slot, _)| {
                    slot.since = SimTime(slot.world.frame().time.0 - 1);
                    slot.world.sense();
                });
            });
        })?;
        chosen.iter().for_each(|&index| self.write(index));
        Ok(())
    }
}

fn step_error(error: &StepError, index: Option<usize>) -> PyErr {
    let text = index.map_or_else(|| error.to_string(), |index| format!("world {index}: {error}"));
    Class::Step.error_with(&text, index)
}
