//! Runs that wait for their commanders.

use super::tests::{Notes, forward, settings, world};
use std::sync::Mutex;

use super::*;
use crate::sink::{Sink, SinkError};
use crate::vehicle::Action;
use crate::world::Frame;

/// Answers every frame of a grid from another thread, after a while of its own, with a speed that follows from the position.
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

/// The frames of a run of half a second that a commander of this patience drives.
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
fn results_depend_on_the_commands_and_not_on_when_they_come() {
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
    /// Answers the first frame alone.
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
fn pause_step_reset_and_going_on_work_while_it_waits() {
    let (outbox, inbox) = mailbox();
    let rules = Lockstep { when_late: WhenLate::KeepWaiting, ..Lockstep::every(SimTime(5_000_000)) };
    outbox.send(Request::SetLockstep(Some(rules)));
    let answers = Arc::new(Mutex::new(Vec::new()));
    /// Asks for the next thing whenever the run stands.
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

#[test]
fn a_teleport_is_no_answer_and_what_is_refused_is_none() {
    /// Does both after the first frame, and ends the run when it has stood for a while.
    struct Mover(Outbox, Arc<AtomicBool>, u32);
    impl Sink for Mover {
        fn name(&self) -> &str {
            "mover"
        }

        fn frame(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
            if frame.step == 1 {
                let teleport = Action::Teleport(crate::math::Pose2::IDENTITY);
                self.0.send(Request::Command(Command { vehicle: 0, action: teleport }));
                self.0.send(forward(f64::NAN));
            }
            Ok(())
        }

        fn idle(&mut self, _: &Arc<Scene>, _: &Frame) -> Result<(), SinkError> {
            self.2 += 1;
            self.1.store(self.2 >= 3, Ordering::Relaxed);
            Ok(())
        }
    }
    let (outbox, inbox) = mailbox();
    let rules = Lockstep { when_late: WhenLate::KeepWaiting, ..Lockstep::every(SimTime(5_000_000)) };
    outbox.send(Request::SetLockstep(Some(rules)));
    let settings = settings(Rate::Max, 0.05);
    let (notes, mut sinks) = (Notes::default(), Sinks::new());
    sinks.push(Box::new(notes.clone()));
    sinks.push(Box::new(Mover(outbox, Arc::clone(&settings.stop), 0)));
    run(&mut world(), &mut sinks, &inbox, settings).unwrap();
    assert_eq!(notes.frames().len(), 1);
}
