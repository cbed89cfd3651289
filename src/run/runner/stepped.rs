//! A run that another program steps: requests of viewers between its steps, sinks after them. It has no pace of its
//! own, so requests that concern time are refused.

use std::sync::Arc;
use std::time::Instant;

use skidpad_math::time::{Rate, SimTime};
use skidpad_sim::world::{Scene, World};

use super::inbox::{Inbox, Message, Outbox, Request, mailbox};
use super::windows::RunWindows;
use super::{Change, PauseState, SimulationAccess, TimedChange, answer, change_world};
use crate::guard::Guard;
use crate::sink::{Sink, SinkError, Sinks};

/// The sinks and the inbox of such a run.
pub struct SteppedRun {
    sinks: Sinks,
    inbox: Inbox,
    outbox: Outbox,
    scene: Arc<Scene>,
    time: SimTime,
    /// Number of steps so far.
    steps: u64,
    /// The changes of the world from outside of which the sinks know, or that were before them; see [`World::changes`].
    changes: u64,
    windows: RunWindows,
    started: Instant,
    visitors: Guard,
}

impl SteppedRun {
    /// For a world as it is, without sinks.
    pub fn new(world: &World) -> SteppedRun {
        let (outbox, inbox) = mailbox();
        SteppedRun {
            sinks: Sinks::new(),
            inbox,
            outbox,
            scene: Arc::clone(world.scene()),
            time: world.frame().time,
            steps: 0,
            changes: world.changes(),
            windows: RunWindows::default(),
            started: Instant::now(),
            visitors: Guard::new("a visitor of the simulation"),
        }
    }

    /// Where requests are sent.
    pub fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Starts a sink and adds it.
    ///
    /// # Errors
    /// The sink cannot start; it is not added.
    pub fn add(&mut self, mut sink: Box<dyn Sink>) -> Result<(), SinkError> {
        sink.start(&self.scene)?;
        self.sinks.push(sink);
        Ok(())
    }

    /// Tells the sinks of the `changes` that have just been made of the world from outside, before its next step; of what is not among them as of something
    /// that cannot be made again.
    pub fn changed(&mut self, world: &World, changes: impl IntoIterator<Item = Change>) {
        let changes: Vec<Change> = changes.into_iter().collect();
        let unknown = world.changes().wrapping_sub(self.changes) != changes.len() as u64;
        self.changes = world.changes();
        if unknown {
            self.tell(Change::Other("the world was changed".to_owned()));
        } else {
            changes.into_iter().for_each(|change| self.tell(change));
        }
    }

    /// Tells the sinks that the world has been loaded again, with another seed or other variables: what follows is another run.
    pub fn reloaded(&mut self, world: &World) {
        self.tell(Change::Other("the world was loaded again".to_owned()));
        (self.steps, self.changes) = (0, world.changes());
    }

    /// Tells the sinks of a change that the world itself does not count.
    pub fn tell(&mut self, change: Change) {
        let timed_change = TimedChange { step: self.steps, change };
        self.sinks.call_all(|sink| sink.changed(&timed_change));
    }

    /// Carries out the requests that have arrived; to be called before a step.
    pub fn take_requests(&mut self, world: &mut World) {
        self.changed(world, []);
        while let Some(message) = self.inbox.next() {
            let mut changes: Vec<Change> = Vec::new();
            match message {
                Message::Request(request, reply) => {
                    let change = Change::of(&request, world.scene());
                    let result = self.carry_out(world, request).map(|()| world.frame().time);
                    changes.extend(change.filter(|_| world.changes() != self.changes));
                    answer(reply, result);
                }
                Message::Command(source, action) => {
                    let request = Request::Command { id: source.vehicle(), action };
                    let change = Change::of(&request, world.scene());
                    let result = change_world(world, request).map(|()| world.frame().time);
                    changes.extend(change.filter(|_| world.changes() != self.changes));
                    source.answer(result);
                }
                Message::News(..) => {}
                Message::Visitor(visitor) => {
                    world.record_changes();
                    let mut pause = PauseState::new(false);
                    let mut access = SimulationAccess { world: &mut *world, pause: &mut pause, rate: Rate::Max };
                    self.visitors.run(|| visitor(&mut access));
                    changes.extend(world.take_changes().into_iter().map(Change::from));
                }
            }
            self.changed(world, changes);
            self.follow(world);
        }
    }

    fn carry_out(&mut self, world: &mut World, request: Request) -> Result<(), String> {
        let refused = |name| {
            Err(format!(
                "{name}: the program that steps this world controls its time\n  accepted: orders to vehicles and bodies"
            ))
        };
        match request {
            Request::Pause(_) => refused("pause"),
            Request::Step(_) => refused("step"),
            Request::SetRate(_) => refused("rate"),
            Request::SetLockstep(_) => refused("lockstep"),
            Request::Log(request) => self.sinks.log(request).map_err(|error| error.to_string()),
            request => change_world(world, request),
        }
    }

    /// Tells the sinks of bodies that have come or gone, and of time that has been set back; to be called after changes from outside.
    pub fn follow(&mut self, world: &World) {
        if world.scene().revision != self.scene.revision {
            self.scene = Arc::clone(world.scene());
            self.sinks.call_all(|sink| sink.scene_changed(&self.scene));
        }
        if world.frame().time < self.time {
            self.sinks.call_all(|sink| sink.time_reset(&self.scene, world.frame()));
        }
        self.time = world.frame().time;
    }

    /// Passes the result of a step to the sinks.
    pub fn show(&mut self, world: &World) {
        self.changed(world, []);
        self.follow(world);
        self.steps += 1;
        self.sinks.frame(&self.scene, world.frame());
        self.windows.window.simulated += self.scene.step;
        self.windows.window.count(world.frame());
        let now = self.started.elapsed();
        if self.windows.is_due(now) {
            let window = self.windows.close(now, Rate::Max, false, 0);
            self.sinks.statistics(&self.scene, world.frame(), window);
            window.clear();
        }
    }

    /// Takes out the sink of this name, if there is one; the caller finishes it.
    pub fn take(&mut self, name: &str) -> Option<Box<dyn Sink>> {
        self.sinks.take(name)
    }

    /// Names of the sinks that have failed.
    pub fn failed(&self) -> &[String] {
        self.sinks.failed()
    }

    /// Ends all sinks.
    pub fn finish(&mut self) {
        self.sinks.finish();
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::{Arc, Mutex};

    use skidpad_math::Twist2;
    use skidpad_sim::vehicle::Action;
    use skidpad_sim::world::{ExternalChange, Frame, LoadOptions, ResetScope};

    use super::*;

    /// Notes what it is told.
    struct Probe(Arc<Mutex<Vec<String>>>);

    impl Sink for Probe {
        fn name(&self) -> &str {
            "probe"
        }

        fn scene_changed(&mut self, scene: &Arc<Scene>) -> Result<(), SinkError> {
            self.0.lock().unwrap().push(format!("{} vehicles", scene.vehicles.len()));
            Ok(())
        }

        fn frame(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
            self.0.lock().unwrap().push(format!("step {}", frame.step));
            Ok(())
        }

        fn time_reset(&mut self, _: &Arc<Scene>, _: &Frame) -> Result<(), SinkError> {
            self.0.lock().unwrap().push("back".into());
            Ok(())
        }

        fn changed(&mut self, timed_change: &TimedChange) -> Result<(), SinkError> {
            self.0.lock().unwrap().push(timed_change.line());
            Ok(())
        }
    }

    #[test]
    fn requests_change_the_world_but_not_its_time() {
        let text = "<mvsim_world><vehicle name=\"r1\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\">\
                    <controller class=\"twist_ideal\"/></dynamics></vehicle></mvsim_world>";
        let (mut world, _) = World::load_text("w", Path::new("."), text, &LoadOptions::default()).unwrap();
        let reported = Arc::new(Mutex::new(Vec::new()));
        let mut run = SteppedRun::new(&world);
        run.add(Box::new(Probe(Arc::clone(&reported)))).unwrap();
        let id = world.scene().vehicles[0].id;
        let (answers, answered) = std::sync::mpsc::channel();
        let ask = |run: &SteppedRun, request| {
            let answers = answers.clone();
            assert!(run.outbox().ask(request, move |answer| answers.send(answer).unwrap()));
        };
        ask(&run, Request::Command { id, action: Action::Twist(Twist2::new(1.0, 0.0, 0.0)) });
        ask(&run, Request::Pause(true));
        run.take_requests(&mut world);
        assert!(answered.recv().unwrap().is_ok());
        assert_eq!(
            answered.recv().unwrap().unwrap_err(),
            "pause: the program that steps this world controls its time\n  accepted: orders to vehicles and bodies"
        );
        world.step().unwrap();
        run.show(&world);
        assert!(world.frame().vehicles[0].world_from_body.x > 0.0);
        world.reset_with(ResetScope::ALL);
        run.changed(&world, [ExternalChange::Reset(ResetScope::ALL).into()]);
        run.follow(&world);
        world.remove(id).unwrap();
        run.changed(&world, []);
        run.follow(&world);
        run.changed(&world, []);
        run.finish();
        let (reset, other) = ("1,reset_parts,,true,true,true", "1,other,,the world was changed");
        let all = ["0,twist,r1,1,0,0", "step 1", reset, "back", other, "0 vehicles"];
        assert_eq!(*reported.lock().unwrap(), all, "what has not happened is not told");
    }
}
