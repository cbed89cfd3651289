//! Runs in lockstep with their commanders.

use std::sync::Mutex;

use skidpad_sim::vehicle::Action;
use skidpad_sim::world::{EntityId, Frame};

use super::tests::{FIRST, Notes, forward, settings, world};
use super::*;
use crate::sink::{Sink, SinkError};

/// Answers every frame of a grid from another thread, after a delay, with a speed that depends on the position.
struct Commander {
    outbox: Outbox,
    period: SimTime,
    patience: Duration,
    threads: Vec<std::thread::JoinHandle<()>>,
}

impl Sink for Commander {
    fn name(&self) -> &str {
        "commander"
    }

    fn frame(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        if frame.time.0 % self.period.0 == 0 {
            let (outbox, patience) = (self.outbox.clone(), self.patience);
            let speed = 1.0 + libm::sin(7.0 * frame.vehicles[0].world_from_body.x);
            self.threads.push(std::thread::spawn(move || {
                std::thread::sleep(patience);
                outbox.send(forward(speed));
            }));
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.threads.drain(..).for_each(|thread| thread.join().unwrap());
        Ok(())
    }
}

const PERIOD: SimTime = SimTime(20_000_000);

/// The frames of a run of half a second with a commander of this delay.
fn driven(rate: Rate, patience: Duration) -> Vec<Frame> {
    let (outbox, inbox) = mailbox();
    outbox.send(Request::SetLockstep(Some(Lockstep { timeout: Duration::from_secs(60), ..Lockstep::every(PERIOD) })));
    let (notes, mut sinks) = (Notes::default(), Sinks::new());
    sinks.push(Box::new(notes.clone()));
    sinks.push(Box::new(Commander { outbox, period: PERIOD, patience, threads: Vec::new() }));
    run(&mut world(), &mut sinks, &inbox, settings(rate, 0.5)).unwrap();
    notes.frames()
}

#[test]
fn results_depend_on_the_commands_and_not_on_their_delay() {
    let at_once = driven(Rate::Max, Duration::ZERO);
    assert_eq!(at_once.len(), 100);
    let x = at_once[99].vehicles[0].world_from_body.x;
    assert!(x > 0.5, "{x}");
    assert!(at_once == driven(Rate::Max, Duration::from_millis(3)));
    assert!(at_once == driven(Rate::Factor(5.0), Duration::from_millis(7)));
}

#[test]
fn a_command_answers_one_wait() {
    let (outbox, inbox) = mailbox();
    let rules = Lockstep { when_late: WhenLate::KeepWaiting, ..Lockstep::every(SimTime(5_000_000)) };
    /// Answers only the first frame.
    struct Hasty(Outbox);
    impl Sink for Hasty {
        fn name(&self) -> &str {
            "hasty"
        }

        fn frame(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
            if frame.step == 1 {
                self.0.send(forward(1.0));
            }
            Ok(())
        }
    }
    let (stop, end) = (Arc::new(AtomicBool::new(false)), outbox.clone());
    outbox.send(Request::SetLockstep(Some(rules)));
    let (notes, mut sinks) = (Notes::default(), Sinks::new());
    sinks.push(Box::new(notes.clone()));
    sinks.push(Box::new(Hasty(outbox)));
    let stopper = std::thread::spawn({
        let (stop, notes) = (stop.clone(), notes.clone());
        move || {
            while notes.frames().len() < 2 {
                std::thread::sleep(Duration::from_millis(1));
            }
            stop.store(true, Ordering::Relaxed);
            drop(end);
        }
    });
    let settings = Settings { stop, ..settings(Rate::Max, 1.0) };
    run(&mut world(), &mut sinks, &inbox, settings).unwrap();
    stopper.join().unwrap();
    assert_eq!(notes.frames().len(), 2);
}

#[test]
fn pause_step_reset_and_resume_work_during_a_wait() {
    let (outbox, inbox) = mailbox();
    let rules = Lockstep { when_late: WhenLate::KeepWaiting, ..Lockstep::every(SimTime(5_000_000)) };
    outbox.send(Request::SetLockstep(Some(rules)));
    let answers = Arc::new(Mutex::new(Vec::new()));
    /// Sends the next request whenever the run is waiting.
    struct Asker(Outbox, Arc<Mutex<Vec<Answer>>>, std::vec::IntoIter<Request>);
    impl Sink for Asker {
        fn name(&self) -> &str {
            "asker"
        }

        fn frame(&mut self, _: &Arc<Scene>, _: &Frame) -> Result<(), SinkError> {
            Ok(())
        }

        fn idle(&mut self, _: &Arc<Scene>, _: &Frame) -> Result<(), SinkError> {
            if let Some(request) = self.2.next() {
                let answers = self.1.clone();
                self.0.ask(request, move |answer| answers.lock().unwrap().push(answer));
            }
            Ok(())
        }
    }
    let requests = vec![
        Request::Pause(true),
        Request::Step(3),
        Request::Reset,
        Request::Pause(false),
        forward(1.0),
        Request::SetLockstep(None),
    ];
    let (notes, mut sinks) = (Notes::default(), Sinks::new());
    sinks.push(Box::new(notes.clone()));
    sinks.push(Box::new(Asker(outbox, answers.clone(), requests.into_iter())));
    run(&mut world(), &mut sinks, &inbox, settings(Rate::Max, 0.05)).unwrap();
    let times: Vec<i64> = answers.lock().unwrap().iter().map(|answer| answer.as_ref().unwrap().0 / 5_000_000).collect();
    // One step before the first wait, three by hand, one after the reset, which ends the wait, and one after the command.
    assert_eq!(times, [1, 4, 4, 4, 5, 6]);
    assert_eq!(notes.frames().len(), 10);
}

/// Sends a request after the first frame, and again whenever the run waits; ends the run when none are left.
struct Script {
    outbox: Outbox,
    stop: Arc<AtomicBool>,
    after_first_frame: Vec<Say>,
    while_it_stands: std::vec::IntoIter<Vec<Say>>,
    /// The number of frames at each of these requests.
    frames: Arc<Mutex<Vec<u64>>>,
}

type Say = Box<dyn FnOnce(&Outbox) + Send>;

fn say(request: Request) -> Say {
    Box::new(move |outbox| {
        outbox.send(request);
    })
}

fn teleport(x: f64) -> Request {
    let action = Action::Teleport(skidpad_math::Pose2::new(x, 0.0, 0.0));
    Request::Command { id: FIRST, action }
}

impl Sink for Script {
    fn name(&self) -> &str {
        "script"
    }

    fn frame(&mut self, _: &Arc<Scene>, _: &Frame) -> Result<(), SinkError> {
        self.after_first_frame.drain(..).for_each(|say| say(&self.outbox));
        Ok(())
    }

    fn idle(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        self.frames.lock().unwrap().push(frame.step);
        match self.while_it_stands.next() {
            Some(all) => all.into_iter().for_each(|say| say(&self.outbox)),
            None => self.stop.store(true, Ordering::Relaxed),
        }
        Ok(())
    }
}

/// A run that waits after each frame, for at most `timeout` before late vehicles are reported: its frames, and their number at each wait.
fn played(
    when_late: WhenLate,
    timeout: Duration,
    after_first_frame: Vec<Say>,
    while_it_stands: Vec<Vec<Say>>,
) -> (Vec<Frame>, Vec<u64>) {
    let (outbox, inbox) = mailbox();
    outbox.send(Request::SetLockstep(Some(Lockstep { when_late, timeout, ..Lockstep::every(SimTime(5_000_000)) })));
    let settings = settings(Rate::Max, 60.0);
    let (stop, frames) = (Arc::clone(&settings.stop), Arc::default());
    let (notes, mut sinks) = (Notes::default(), Sinks::new());
    sinks.push(Box::new(notes.clone()));
    let while_it_stands = while_it_stands.into_iter();
    sinks.push(Box::new(Script { outbox, stop, after_first_frame, while_it_stands, frames: Arc::clone(&frames) }));
    run(&mut world(), &mut sinks, &inbox, settings).unwrap();
    let stood = frames.lock().unwrap().clone();
    (notes.frames(), stood)
}

const LONG: Duration = Duration::from_secs(3600);

#[test]
fn a_teleport_does_not_answer_a_frame_but_the_command_after_it_does() {
    let (frames, stood) =
        played(WhenLate::KeepWaiting, LONG, vec![say(teleport(5.0))], vec![vec![], vec![say(forward(1.0))], vec![]]);
    assert_eq!(stood[..2], [1, 1], "it waits for a command as if nothing had come");
    assert_eq!(frames.len(), 2, "the command takes it to the next wait");
    let taken: Vec<bool> = frames[1].commands.iter().map(|c| matches!(c.action, Action::Teleport(_))).collect();
    assert_eq!(taken, [true, false], "both are taken, in their order");
    let x = frames[1].vehicles[0].world_from_body.x;
    assert!((x - 5.005).abs() < 1e-9, "{x}");
}

#[test]
fn a_refused_command_does_not_answer_a_frame() {
    let refused = || vec![say(forward(f64::NAN)), say(Request::Command { id: EntityId(77), action: COMMAND.action })];
    let (frames, stood) = played(WhenLate::KeepWaiting, LONG, refused(), vec![vec![], refused(), vec![]]);
    assert_eq!((frames.len(), stood), (1, vec![1; 4]));
}

const COMMAND: Command = Command { vehicle: 0, action: Action::Twist(skidpad_math::Twist2::ZERO) };

#[test]
fn a_commander_that_waits_after_a_teleport_does_not_block_the_run_forever() {
    let set_state: Say = Box::new(|outbox| {
        outbox.visit(|visit| {
            let id = visit.world.scene().vehicles[0].id;
            visit.world.set_state(id, Some(skidpad_math::Pose3 { x: 5.0, ..Default::default() }), None).unwrap();
        });
    });
    for set_down in [say(teleport(5.0)), set_state] {
        let (frames, _) =
            played(WhenLate::KeepWaiting, Duration::from_millis(1), vec![set_down], vec![vec![], vec![], vec![]]);
        assert_eq!(frames.len(), 2, "once the time-out is over it goes on to the next wait");
        let x = frames[1].vehicles[0].world_from_body.x;
        assert!((x - 5.0).abs() < 1e-9, "{x}");
    }
}

#[test]
fn a_reset_of_the_state_alone_also_ends_the_wait() {
    let reset: Say = Box::new(|outbox| {
        let state_alone = skidpad_sim::world::ResetScope { state: true, ..Default::default() };
        outbox.visit(move |visit| visit.world.reset_with(state_alone));
    });
    let (frames, _) = played(WhenLate::KeepWaiting, LONG, vec![reset], vec![vec![], vec![]]);
    let instants: Vec<(i64, u64)> = frames.iter().map(|frame| (frame.time.0 / 5_000_000, frame.step)).collect();
    assert_eq!(instants, [(1, 1), (2, 1)]);
}
