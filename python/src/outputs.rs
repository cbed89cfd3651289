//! Recording and page of a world.

use std::path::Path;
use std::sync::Arc;

use pyo3::prelude::*;
use skidpad::diagnostic::Diagnostic;
use skidpad::preset::PRESETS;
use skidpad::record::{Provenance, RecordOptions, Recorder, TopicFilter};
use skidpad::runner::{Change, SteppedRun};
use skidpad::server::hub::{Hub, OrderCallback, Pilot};
use skidpad::server::{LivePilot, Options, Rights, Server, WebSink};
use skidpad::sink::Interrupts;
use skidpad::view::messages::{Mode, Order};
use skidpad::world::World;

use crate::errors::{Class, refused};
use crate::interrupt;

/// Steps that record so much that they wait for a slow disk.
const LONG: u64 = 8;

/// What follows the steps of a world.
pub(crate) struct Outputs {
    run: SteppedRun,
    is_recording: bool,
    /// Whether the recording waits for the disk: during calls only that Ctrl-C ends, see [`Self::waits`].
    interrupts: Interrupts,
    server: Option<Server>,
}

/// Carries out the orders of viewers of one of several worlds, except those that change its vehicles and blocks: its arrays have room for no others.
struct FixedBodies(LivePilot);

impl Pilot for FixedBodies {
    fn carry_out(&self, order: Order, reply: OrderCallback) {
        let name = match order {
            Order::Spawn { .. } => "spawn",
            Order::Remove { .. } => "remove",
            other => return self.0.carry_out(other, reply),
        };
        reply(Err(format!(
            "{name}: all worlds of Worlds keep the same vehicles and blocks\n  accepted: a single World"
        )));
    }
}

impl Outputs {
    /// Nothing yet.
    pub(crate) fn new(world: &World) -> Outputs {
        let interrupts = Interrupts::default();
        interrupts.let_overfill(true);
        Outputs { run: SteppedRun::new(world), is_recording: false, interrupts, server: None }
    }

    /// Starts a recording, which is made so; `is_from_start`: it has the whole run.
    pub(crate) fn record(
        &mut self,
        path: &Path,
        topics: &[String],
        preset: &str,
        made: Provenance,
        is_from_start: bool,
    ) -> PyResult<()> {
        if self.is_recording {
            return Err(refused("record: a recording is under way\n  hint: call stop_recording() first"));
        }
        let Some(preset) = PRESETS.iter().find(|known| known.name == preset) else {
            let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
            return Err(refused(format!("preset: found \"{preset}\"\n  accepted: {}", names.join(", "))));
        };
        let interrupts = self.interrupts.clone();
        let (topics, provenance) = (TopicFilter::only(topics), Some(Arc::new(made)));
        let options = RecordOptions { topics, preset, interrupts, provenance, ..RecordOptions::default() };
        let recorder = Recorder::create(path, options).map_err(|error| Class::Skidpad.error(error))?;
        self.run.add(Box::new(recorder)).map_err(|error| Class::Skidpad.error(error))?;
        self.is_recording = true;
        if !is_from_start {
            let why = "the world had been stepped, reset or changed before the recording began";
            self.tell(Change::Other(why.to_owned()));
        }
        Ok(())
    }

    /// Shows the world on a page; returns its address. `is_one_of_several`: viewers can change no bodies.
    pub(crate) fn serve(
        &mut self,
        world: &World,
        is_one_of_several: bool,
        address: &str,
        token: Option<String>,
    ) -> PyResult<String> {
        if let Some(server) = &self.server {
            return Ok(server.link());
        }
        let listen = address.parse().map_err(|error: Diagnostic| refused(format!("address \"{address}\": {error}")))?;
        let options = Options { listen, token, ..Options::default() };
        let hub = Arc::new(Hub::new());
        let (sink, scenes) = WebSink::new(Arc::clone(&hub), world.scene());
        let pilot = LivePilot::new(self.run.outbox().clone(), scenes, Rights::default());
        let pilot: Arc<dyn Pilot> = if is_one_of_several { Arc::new(FixedBodies(pilot)) } else { Arc::new(pilot) };
        let server = Server::start(&options, hub, pilot, Mode::Live).map_err(|error| {
            refused(error.to_string().replacen("--web-token", "token", 1).replacen("--web", "address", 1))
        })?;
        self.run.add(Box::new(sink)).map_err(|error| Class::Skidpad.error(error))?;
        let link = server.link();
        self.server = Some(server);
        Ok(link)
    }

    /// Who decides whether the recording waits for the disk in a call of so many steps, heavy ones or not: a call that is short puts what it records into the queue,
    /// and the next one waits until there is room again. None: it does not wait.
    pub(crate) fn waits(&self, steps: u64, is_heavy: bool) -> Option<Interrupts> {
        let is_long = is_heavy || steps >= LONG;
        let waits = self.is_recording && (self.interrupts.take_overfilled() || is_long);
        waits.then(|| self.interrupts.clone())
    }

    /// Carries out what viewers have ordered.
    pub(crate) fn take_orders(&mut self, world: &mut World) {
        self.run.take_requests(world);
    }

    /// Shows a step.
    pub(crate) fn show(&mut self, world: &World) {
        self.run.show(world);
    }

    /// Tells the recording what has just been changed from outside.
    pub(crate) fn changed(&mut self, world: &World, changes: impl IntoIterator<Item = Change>) {
        self.run.changed(world, changes);
    }

    /// Tells the recording that the world was loaded again.
    pub(crate) fn reloaded(&mut self, world: &World) {
        self.run.reloaded(world);
    }

    /// Tells the recording of a change that worlds do not count.
    pub(crate) fn tell(&mut self, change: Change) {
        self.run.tell(change);
    }

    /// Shows a change from outside.
    pub(crate) fn follow(&mut self, world: &World) {
        self.run.follow(world);
    }

    /// Completes the recording.
    pub(crate) fn stop_recording(&mut self, python: Python<'_>) -> PyResult<()> {
        self.is_recording = false;
        let Some(mut recording) = self.run.take("recording") else { return Ok(()) };
        let finished = interrupt::complete(python, move || recording.finish().map_err(|error| error.to_string()))?;
        finished.map_err(|error| Class::Skidpad.error(error))
    }

    /// Ends everything; what failed is raised.
    pub(crate) fn close(mut self, python: Python<'_>) -> PyResult<()> {
        let failed = interrupt::complete(python, move || {
            self.run.finish();
            if let Some(server) = self.server.take() {
                server.shutdown("the program has closed the world");
            }
            self.run.failed().join(", ")
        })?;
        if failed.is_empty() { Ok(()) } else { Err(Class::Skidpad.error(format!("{failed} failed"))) }
    }
}
