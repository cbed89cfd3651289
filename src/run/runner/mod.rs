//! Runs a world: pacing, commands, sinks. The only module that reads the wall clock.
//!
//! Between two steps the [`Inbox`] is emptied and the due commands of the schedule are applied; after each step the
//! frame is passed to every sink by reference. Nothing here changes the result of a step, so a run at full speed gives
//! the same bits as one in real time. Readings of sensors that cast rays are taken where a sink
//! [wants](crate::sink::Sink::wants) them; in lockstep all are, since whoever is waited for may need any.
mod commands;
mod external_change;
mod falls;
mod hooks;
mod inbox;
mod lockstep;
mod pacer;
mod pause;
mod peer_topics;
mod shutdown;
mod stepped;
mod summary;
mod timed_change;
mod windows;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::reported_once::ReportedOnce;
use skidpad_math::time::{Rate, SimTime};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{Scene, StepError, Wanted, World};

use crate::guard::Guard;
use crate::sink::Sinks;
pub use commands::{CommandFileError, CommandSchedule};
use falls::Falls;
pub use hooks::{NoHooks, RunHooks};
pub use inbox::{
    Answer, CommandSource, Inbox, MIN_COMMAND_TIMEOUT, Outbox, REMOVED, Request, SimulationAccess, mailbox,
};
use inbox::{Message, Reply, answer};
use lockstep::{CommandBarrier, NextStep};
pub use lockstep::{Lockstep, WhenLate};
use pacer::Pacer;
pub use pause::PauseState;
use peer_topics::Lapse;
pub use peer_topics::{PeerTopic, TopicNews};
pub use shutdown::GracefulShutdown;
pub use stepped::SteppedRun;
pub use summary::Summary;
pub use timed_change::{Change, TimedChange};
use windows::RunWindows;

/// How to run; by default in real time until stopped, with nothing scheduled.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Speed of time; a [`Request::SetRate`] changes it.
    pub rate: Rate,
    /// Ends after this much simulated time [ns]; none: runs until stopped.
    pub duration: Option<SimTime>,
    /// Waits for [`Request::Pause`]`(false)` or [`Request::Step`] before the first step.
    pub paused_at_start: bool,
    /// Ends the run when true; checked between steps, within steps whose sensors cast many rays, and at least ten times per wall second.
    pub stop: Arc<AtomicBool>,
    /// Ends the run once no other node follows its time.
    pub shutdown: GracefulShutdown,
    /// Commands by simulated time.
    pub commands: CommandSchedule,
    /// What acted on an earlier run of the world, and acts again before the same steps; in order.
    pub timed_changes: VecDeque<TimedChange>,
    /// Ends after so many steps; none: no number does.
    pub steps: Option<u64>,
}

/// Runs `world` until its duration is over, [`Settings::stop`] is set or a step fails.
///
/// The sinks are started before the first step and finished in every case, also after an error. Every pending
/// request gets an answer. Sensors that cast rays are read for the sinks that want them, and not at all without one.
pub fn run(world: &mut World, sinks: &mut Sinks, inbox: &Inbox, settings: Settings) -> Result<Summary, StepError> {
    run_with_hooks(world, sinks, inbox, settings, None)
}

/// As [`run`], with hooks that have begun already; the caller tells them of the end.
pub fn run_with_hooks(
    world: &mut World,
    sinks: &mut Sinks,
    inbox: &Inbox,
    settings: Settings,
    hooks: Option<&mut dyn RunHooks>,
) -> Result<Summary, StepError> {
    let scene = Arc::clone(world.scene());
    world.set_cancel(Arc::clone(&settings.stop).into());
    sinks.call_all(|sink| sink.start(&scene));
    let mut run = Run {
        started: Instant::now(),
        begin: world.frame().time,
        steps: 0,
        shutdown_began: None,
        pause: PauseState::new(settings.paused_at_start),
        pacer: Pacer::new(settings.rate),
        barrier: CommandBarrier::new(),
        windows: RunWindows::default(),
        backlog: VecDeque::new(),
        idled: Duration::ZERO,
        last_step_ended: None,
        single_steps: VecDeque::new(),
        refusals: ReportedOnce::default(),
        falls: Falls::default(),
        reported_rate: None,
        held: Vec::new(),
        late: None,
        hooks: hooks.map(|hooks| hooks as &mut dyn RunHooks),
        ended: None,
        wanted: Wanted::default(),
        visitors: Guard::new("a visitor of the simulation"),
        scene,
        world,
        sinks,
        inbox,
        settings,
    };
    let result = run.run();
    let (step_mean, step_longest) = run.windows.step_times();
    let summary = Summary {
        simulated: run.world.frame().time - run.begin,
        wall: run.started.elapsed(),
        steps: run.steps,
        overruns: run.pacer.overruns(),
        step_mean,
        step_longest,
        late: run.late.take(),
        hooks: run.ended.take(),
    };
    run.dismiss();
    sinks.finish();
    result?;
    Ok(summary)
}

/// A run under way.
struct Run<'a> {
    world: &'a mut World,
    scene: Arc<Scene>,
    sinks: &'a mut Sinks,
    inbox: &'a Inbox,
    settings: Settings,
    started: Instant,
    begin: SimTime,
    steps: u64,
    /// Wall time at which the run was asked to end.
    shutdown_began: Option<Duration>,
    pause: PauseState,
    pacer: Pacer,
    barrier: CommandBarrier,
    windows: RunWindows,
    /// Messages that arrived before the frame whose commands are awaited; commands among them do not answer it.
    backlog: VecDeque<Message>,
    /// Wall time of the last idle call.
    idled: Duration,
    /// Wall time at which the last step and its sinks ended; none: something else has been done since.
    last_step_ended: Option<Duration>,
    /// Steps still to make, without pacing, for each [`Request::Step`].
    single_steps: VecDeque<(u64, Reply)>,
    refusals: ReportedOnce,
    falls: Falls,
    /// The speed of time that the sinks know.
    reported_rate: Option<Rate>,
    /// The last scheduled command of each vehicle that has had no other command since.
    held: Vec<Command>,
    /// Why lockstep ends the run; none: it does not.
    late: Option<Diagnostic>,
    hooks: Option<&'a mut dyn RunHooks>,
    /// How the hooks have ended the run; none: they have not.
    ended: Option<Result<(), Diagnostics>>,
    /// Buffer of the sensors that the sinks want.
    wanted: Wanted,
    /// Catches panics of visitors.
    visitors: Guard,
}

impl Run<'_> {
    /// Longest wait: bounds the delay until the stop flag is noticed, and the interval between calls of sinks while paused.
    const PATIENCE: Duration = Duration::from_millis(100);
    /// Most [`Request::Step`]s that may be pending.
    const MAX_STEPS: usize = 1000;

    fn run(&mut self) -> Result<(), StepError> {
        self.restart_pacer();
        while !self.is_over() {
            while let Some(message) = self.backlog.pop_front() {
                self.receive(message, false);
            }
            while let Some(message) = self.inbox.next() {
                self.last_step_ended = None;
                self.receive(message, true);
            }
            if self.single_steps.is_empty() {
                if self.pause.is_stopped() {
                    let waited = self.wait(Self::PATIENCE);
                    self.windows.window.in_pause += waited;
                    self.idle();
                    continue;
                }
                if self.barrier.is_waiting() {
                    self.wait_for_commands();
                    continue;
                }
                if self.pacer.rate() != Rate::Max {
                    let step_end = self.world.frame().time + self.scene.step;
                    if let Some(wait) = self.pacer.wait(self.started.elapsed(), step_end) {
                        self.wait(wait.min(Self::PATIENCE));
                        continue;
                    }
                }
            }
            self.step()?;
        }
        Ok(())
    }

    /// Waits for the commands that the barrier awaits, and calls the sinks meanwhile.
    fn wait_for_commands(&mut self) {
        self.barrier.refuse(self.inbox.take_refused());
        match self.barrier.next_step(&self.scene, self.started.elapsed()) {
            NextStep::Make => {}
            NextStep::Wait(left) => {
                let waited = self.wait(left.min(Self::PATIENCE));
                self.windows.window.waiting += waited;
                self.idle();
            }
            NextStep::End(reason) => self.late = Some(reason),
            NextStep::Late(complaint) => tracing::warn!(diagnostic = complaint.as_value()),
            NextStep::Missing(instant, lapses) => {
                for Lapse { topic, complaint } in lapses {
                    complaint.iter().for_each(|complaint| tracing::warn!(diagnostic = complaint.as_value()));
                    self.sinks.call_all(|sink| sink.message_missing(&topic, instant));
                }
            }
        }
        if !self.barrier.is_waiting() {
            // The commanders were slow, not the simulation.
            self.pacer.forgive(self.started.elapsed(), self.world.frame().time);
        }
    }

    /// Calls the sinks while time is stopped, about ten times per second at any rate of messages.
    fn idle(&mut self) {
        let now = self.started.elapsed();
        if now >= self.idled + Self::PATIENCE {
            self.idled = now;
            self.sinks.call_all(|sink| sink.idle(&self.scene, self.world.frame()));
            self.hooks_while_idle();
        }
        self.report_if_due(self.started.elapsed());
    }

    /// Passes statistics to the sinks, ten times per second.
    #[inline]
    fn report_if_due(&mut self, now: Duration) {
        if self.windows.is_due(now) {
            let window = self.windows.close(now, self.pacer.rate(), self.pause.is_stopped(), self.pacer.overruns());
            self.sinks.statistics(&self.scene, self.world.frame(), window);
            window.clear();
        }
    }

    fn is_over(&mut self) -> bool {
        let simulated = self.world.frame().time - self.begin;
        self.settings.stop.load(Ordering::Relaxed)
            || self.late.is_some()
            || self.ended.is_some()
            || self.shutdown_is_over()
            || self.settings.duration.is_some_and(|duration| simulated >= duration)
            || self.settings.steps.is_some_and(|steps| self.steps >= steps)
    }

    /// Whether the run was asked to end, and has no followers left or their grace period is over.
    fn shutdown_is_over(&mut self) -> bool {
        if !self.settings.shutdown.is_requested.load(Ordering::Relaxed) {
            return false;
        }
        let now = self.started.elapsed();
        let began = *self.shutdown_began.get_or_insert(now);
        self.settings.shutdown.is_over(now - began)
    }

    /// Tells the sinks the speed of the next step, if it is another one. Single steps have no pace.
    #[inline]
    fn tell_rate(&mut self) {
        let rate = if self.single_steps.is_empty() { self.pacer.rate() } else { Rate::Max };
        if self.reported_rate != Some(rate) {
            self.reported_rate = Some(rate);
            self.sinks.call_all(|sink| sink.rate_changed(rate));
        }
    }

    fn step(&mut self) -> Result<(), StepError> {
        self.tell_rate();
        self.repeat_changes();
        if !self.hooks_before_step() {
            return Ok(());
        }
        let now = self.world.frame().time;
        while let Some(command) = self.settings.commands.take_due(now) {
            self.held.retain(|held| held.vehicle != command.vehicle);
            match self.world.command(command) {
                Ok(()) => self.held.push(command),
                Err(refusal) => tracing::warn!("scheduled command at {now}: {refusal}"),
            }
        }
        if !self.held.is_empty() && self.world.has_command_timeout() {
            // A schedule never times out: its commands hold until the next. They were accepted before.
            self.held.iter().for_each(|command| drop(self.world.command(*command)));
        }
        if self.barrier.is_set() {
            self.world.want(&Wanted::everything());
        } else {
            self.sinks.choose_readings(self.world, &mut self.wanted);
        }
        // To ask for the time costs as much as a wheel. Without a pace, a step begins where the last one ended, unless something came between.
        let is_next = self.pacer.rate() == Rate::Max && self.hooks.is_none() && self.settings.timed_changes.is_empty();
        let began = self.last_step_ended.take().filter(|_| is_next).unwrap_or_else(|| self.started.elapsed());
        self.world.step()?;
        if self.world.is_cut_short() {
            // Nobody sees the frame, so its time does not count either.
            self.begin += self.scene.step;
            return Ok(());
        }
        let frame = self.world.frame();
        let computed = self.started.elapsed();
        self.steps += 1;
        self.windows.window.step_times.record(computed - began);
        self.windows.window.simulated += self.scene.step;
        self.windows.window.count(frame);
        if self.world.has_springs() {
            self.falls.look(&self.scene, frame);
        }
        let time = frame.time;
        let commands_are_due = self.barrier.is_due(time);
        if commands_are_due {
            self.backlog.extend(std::iter::from_fn(|| self.inbox.next()));
        }
        let mut shown = computed;
        if self.sinks.frame(&self.scene, frame) {
            shown = self.started.elapsed();
            self.windows.window.in_sinks += shown - computed;
        }
        if commands_are_due {
            let scheduled = |vehicle| self.settings.commands.commands_vehicle(vehicle);
            self.barrier.expect(&self.scene, frame, scheduled, shown);
        }
        self.hooks_after_step();
        self.report_if_due(shown);
        self.last_step_ended = Some(shown);
        let Some((left, _)) = self.single_steps.front_mut() else { return Ok(()) };
        *left = left.saturating_sub(1);
        if *left == 0 {
            if let Some((_, reply)) = self.single_steps.pop_front() {
                answer(reply, Ok(time));
            }
            self.restart_pacer();
        }
        Ok(())
    }

    /// Waits for a message and handles it; returns how long it waited.
    fn wait(&mut self, patience: Duration) -> Duration {
        self.last_step_ended = None;
        let began = self.started.elapsed();
        let message = self.inbox.wait(patience);
        let waited = self.started.elapsed() - began;
        if let Some(message) = message {
            self.receive(message, true);
        }
        waited
    }

    /// Handles a message; `answers`: a command in it counts as an answer to the last frame.
    fn receive(&mut self, message: Message, answers: bool) {
        match message {
            Message::Request(request, reply) => self.handle(request, reply, answers),
            Message::Command(source, action) => {
                let result = self.carry_out(Request::Command { id: source.vehicle(), action }, answers);
                source.answer(result.map(|()| self.world.frame().time));
            }
            Message::News(topic, news) => self.barrier.take_news(&topic, news, answers),
            Message::Visitor(visitor) => {
                let (before, step) = (self.world.frame().time, self.world.frame().step);
                self.world.record_changes();
                let was_still = self.pause.is_stopped();
                let mut visit = SimulationAccess { world: self.world, pause: &mut self.pause, rate: self.pacer.rate() };
                // A panic of a visitor does not end the simulation.
                self.visitors.run(|| visitor(&mut visit));
                if self.pause.is_stopped() != was_still {
                    self.resume();
                }
                let changes = self.world.take_changes();
                changes.into_iter().for_each(|change| self.tell(change.into()));
                self.follow_scene();
                self.follow_time(before);
                if self.world.frame().step < step {
                    self.forget_orders();
                }
                self.follow_set_downs();
            }
        }
    }

    /// Notifies the sinks of added and removed vehicles and blocks.
    fn follow_scene(&mut self) {
        if self.world.scene().revision != self.scene.revision {
            let before = std::mem::replace(&mut self.scene, Arc::clone(self.world.scene()));
            let scene = &self.scene;
            self.held.retain_mut(|held| {
                let index = before.vehicles.get(held.vehicle).and_then(|vehicle| scene.vehicle_of(vehicle.id));
                index.map(|index| held.vehicle = index).is_some()
            });
            self.settings.commands.follow(&self.scene);
            self.barrier.follow(&self.scene);
            self.sinks.call_all(|sink| sink.scene_changed(&self.scene));
        }
    }

    /// After a reset no vehicle has commands and none is awaited: a client that resets instead of commanding waits for the result.
    fn forget_orders(&mut self) {
        self.held.clear();
        self.inbox.note_reset();
        self.barrier.restart(self.world.frame().time);
    }

    /// Reports the vehicles that a visitor has just moved to the barrier.
    fn follow_set_downs(&mut self) {
        if !self.barrier.is_waiting() {
            return;
        }
        for (vehicle, info) in self.world.frame().vehicles.iter().zip(&self.scene.vehicles) {
            if vehicle.since_set_down == SimTime::ZERO {
                self.barrier.set_down(info.id, self.started.elapsed());
            }
        }
    }

    /// Restarts everything that depends on simulated time after a visitor has set it back from `before`.
    fn follow_time(&mut self, before: SimTime) {
        let now = self.world.frame().time;
        if now >= before {
            return;
        }
        tracing::info!("simulated time set back from {before} to {now}");
        // The time that has passed still counts for the duration of the run and its summary.
        self.begin = self.begin + now - before;
        self.settings.commands.rewind(now);
        self.held.clear();
        self.barrier.restart(now);
        self.restart_pacer();
        self.sinks.call_all(|sink| sink.time_reset(&self.scene, self.world.frame()));
    }

    fn handle(&mut self, request: Request, reply: Reply, answers: bool) {
        if let Request::Step(count @ 1..) = request
            && self.pause.is_stopped()
            && self.pause.require_free("step").is_ok()
        {
            if self.single_steps.len() >= Self::MAX_STEPS {
                answer(reply, Err("step: too many steps wait already\n  hint: wait for their answers".into()));
                return;
            }
            self.single_steps.push_back((count, reply));
            return;
        }
        let result = self.carry_out(request, answers);
        if let (Err(refusal), None) = (&result, &reply) {
            // The request has no reply channel. A source that repeats its mistakes a thousand times is reported once.
            self.refusals.first(refusal).into_iter().for_each(|refusal| tracing::warn!("{refusal}"));
        }
        answer(reply, result.map(|()| self.world.frame().time));
    }

    fn carry_out(&mut self, request: Request, answers: bool) -> Result<(), String> {
        let change = Change::of(&request, &self.scene);
        self.carry_out_silently(request, answers)?;
        change.into_iter().for_each(|change| self.tell(change));
        Ok(())
    }

    fn carry_out_silently(&mut self, request: Request, answers: bool) -> Result<(), String> {
        match request {
            Request::Command { id, action } => {
                change_world(self.world, Request::Command { id, action })
                    .inspect_err(|reason| self.barrier.refuse_command(id, reason))?;
                let vehicle = self.world.scene().vehicle_of(id).ok_or(REMOVED)?;
                self.held.retain(|held| held.vehicle != vehicle);
                if matches!(action, Action::Teleport(_)) {
                    self.barrier.set_down(id, self.started.elapsed());
                } else if answers && let Some(name) = self.barrier.answered(&self.scene, vehicle) {
                    tracing::info!("lockstep: \"{name}\" is in time again");
                }
            }
            Request::Pause(pause) => {
                if !pause {
                    self.pause.require_free("pause")?;
                }
                self.pause.set_paused(pause);
                self.resume();
            }
            Request::Step(_) if !self.pause.is_stopped() => {
                return Err("step: the simulation is running\n  hint: pause it first".into());
            }
            Request::Step(_) => self.pause.require_free("step")?,
            Request::Reset => {
                change_world(self.world, Request::Reset)?;
                self.forget_orders();
            }
            Request::SetRate(rate) => {
                let now = self.started.elapsed();
                let rate = rate.check().map_err(|refusal| Diagnostic::from(refusal).to_string())?;
                self.pacer.set_rate(rate, now, self.world.frame().time);
            }
            Request::SetLockstep(rules) => {
                self.barrier.set(
                    rules.map(Lockstep::check).transpose().map_err(|refusal| refusal.to_string())?,
                    self.world.frame().time,
                );
            }
            Request::Log(request) => self.sinks.log(request).map_err(|error| error.to_string())?,
            request => change_world(self.world, request)?,
        }
        Ok(())
    }

    /// To be called when time was paused or resumed: the time before counts as no delay.
    fn resume(&mut self) {
        self.barrier.resume(self.started.elapsed());
        self.restart_pacer();
    }

    fn restart_pacer(&mut self) {
        self.pacer.restart(self.started.elapsed(), self.world.frame().time);
    }

    /// Answers all pending requests with the end of the simulation.
    fn dismiss(&mut self) {
        let ended = || Err("the simulation has ended".to_string());
        for (_, reply) in self.single_steps.drain(..) {
            answer(reply, ended());
        }
        for message in self.backlog.drain(..).chain(std::iter::from_fn(|| self.inbox.next())) {
            match message {
                Message::Request(_, reply) => answer(reply, ended()),
                // They expect no answer.
                Message::Command(..) | Message::News(..) | Message::Visitor(_) => {}
            }
        }
    }
}

/// Carries out a request that concerns the world alone; others have no effect.
fn change_world(world: &mut World, request: Request) -> Result<(), String> {
    match request {
        Request::Command { id, action } => {
            let vehicle = world.scene().vehicle_of(id).ok_or(REMOVED)?;
            world.command(Command { vehicle, action }).map_err(|refusal| refusal.to_string())?;
        }
        Request::Reset => world.reset(),
        Request::SetCommandTimeout(timeout) => match timeout {
            Some(short) if short < MIN_COMMAND_TIMEOUT => {
                let found = format!("command timeout: found {short}");
                return Err(format!("{found}\n  accepted: at least {MIN_COMMAND_TIMEOUT}, none"));
            }
            Some(_) | None => world.set_command_timeout(timeout),
        },
        Request::SetRangeNoise(std) => match std {
            Some(std) if !(std.is_finite() && std >= 0.0) => {
                let found = format!("range noise: {std} is not a standard deviation");
                return Err(found + "\n  accepted: a number ≥ 0 [m], none");
            }
            Some(_) | None => world.set_range_noise(std),
        },
        Request::SetNoReturn(no_return) => world.set_no_return(no_return),
        Request::SetParallelSteer(parallel) => world.set_parallel_steer(parallel),
        Request::Tune(vehicle, name, value) => {
            world.tune(vehicle, name, value).map_err(|refusal| refusal.to_string())?;
        }
        Request::SetTracker(vehicle, parameters) => {
            world.set_tracker(vehicle, parameters).map_err(|refusal| refusal.to_string())?;
        }
        Request::Pause(_) | Request::Step(_) | Request::SetRate(_) | Request::SetLockstep(_) | Request::Log(_) => {}
    }
    Ok(())
}

#[cfg(test)]
mod lockstep_tests;
#[cfg(test)]
mod tests;
