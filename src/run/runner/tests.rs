//! Whole runs of a small world.

use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;

use skidpad_math::Twist2;
use skidpad_sim::raycast::space::Space;
use skidpad_sim::raycast::space::batch::{BatchCaster, BatchRequest, TriangleId};
use skidpad_sim::vehicle::Action;
use skidpad_sim::world::{EntityId, Frame, LoadOptions};

use super::*;
use crate::sink::{RunStatistics, Sink, SinkError, SinkLoad};

/// One robot that moves exactly as commanded, in steps of 5 ms.
pub(super) fn world() -> World {
    let text = "<mvsim_world version=\"1.0\"><simul_timestep>0.005</simul_timestep>\
                <vehicle name=\"r1\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\">\
                <controller class=\"twist_ideal\"/></dynamics></vehicle></mvsim_world>";
    World::load_text("test", Path::new("."), text, &LoadOptions::default()).unwrap().0
}

/// The id of the robot.
pub(super) const FIRST: EntityId = EntityId(0);

pub(super) fn forward(speed: f64) -> Request {
    Request::Command { id: FIRST, action: Action::Twist(Twist2::new(speed, 0.0, 0.0)) }
}

pub(super) fn settings(rate: Rate, seconds: f64) -> Settings {
    Settings { rate, duration: Some(SimTime::from_secs(seconds)), ..Settings::default() }
}

/// The calls that a sink received, shared with the test.
#[derive(Clone, Default)]
pub(super) struct Notes(Arc<Mutex<(Vec<Frame>, u32)>>);

impl Notes {
    pub(super) fn frames(&self) -> Vec<Frame> {
        self.0.lock().unwrap().0.clone()
    }

    fn finished(&self) -> u32 {
        self.0.lock().unwrap().1
    }
}

impl Sink for Notes {
    fn name(&self) -> &str {
        "notes"
    }

    fn frame(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        self.0.lock().unwrap().0.push(frame.clone());
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.0.lock().unwrap().1 += 1;
        Ok(())
    }
}

/// Runs a new world with these settings and the requests sent before.
fn run_world(inbox: &Inbox, settings: Settings) -> (Result<Summary, StepError>, Notes) {
    let notes = Notes::default();
    let mut sinks = Sinks::new();
    sinks.push(Box::new(notes.clone()));
    let result = run(&mut world(), &mut sinks, inbox, settings);
    (result, notes)
}

/// Sends requests and returns the list that collects their answers in order of arrival.
pub(super) fn ask_all(outbox: &Outbox, requests: impl IntoIterator<Item = Request>) -> Arc<Mutex<Vec<Answer>>> {
    let answers = Arc::new(Mutex::new(Vec::new()));
    for request in requests {
        let answers = Arc::clone(&answers);
        assert!(outbox.ask(request, move |answer| answers.lock().unwrap().push(answer)));
    }
    answers
}

#[test]
fn a_run_ends_after_its_duration_and_passes_every_step_to_the_sinks() {
    let (_outbox, inbox) = mailbox();
    let (result, notes) = run_world(&inbox, settings(Rate::Max, 1.0));
    let summary = result.unwrap();
    assert_eq!((summary.steps, summary.simulated), (200, SimTime::from_secs(1.0)));
    let times: Vec<i64> = notes.frames().iter().map(|frame| frame.time.0).collect();
    assert_eq!(times, (1..=200).map(|step| step * 5_000_000).collect::<Vec<_>>());
    assert_eq!(notes.finished(), 1);
}

#[test]
fn the_rate_does_not_change_results() {
    let (outbox, inbox) = mailbox();
    outbox.send(forward(1.0));
    let (_, fast) = run_world(&inbox, settings(Rate::Max, 0.5));
    outbox.send(forward(1.0));
    let (_, paced) = run_world(&inbox, settings(Rate::Factor(20.0), 0.5));
    assert_eq!(fast.frames(), paced.frames());
    assert!((fast.frames()[99].vehicles[0].world_from_body.x - 0.5).abs() < 1e-12);
}

#[test]
fn scheduled_commands_take_effect_at_their_time_and_hold() {
    let (_outbox, inbox) = mailbox();
    let text = "time,vehicle,v,omega\n0.1,,1,0\n0.2,r1,-2,0\n";
    let commands = CommandSchedule::parse("c.csv", text.as_bytes(), world().scene()).unwrap();
    let (_, notes) = run_world(&inbox, Settings { commands, ..settings(Rate::Max, 0.3) });
    for frame in notes.frames() {
        let time = frame.time.secs();
        let expected = (time - 0.1).max(0.0) - 3.0 * (time - 0.2).max(0.0);
        let x = frame.vehicles[0].world_from_body.x;
        assert!((x - expected).abs() < 1e-12, "{x} at {time}");
    }
}

#[test]
fn a_command_timeout_stops_silent_sources_and_not_the_schedule() {
    let (outbox, inbox) = mailbox();
    let timeout = Request::SetCommandTimeout(Some(SimTime::from_secs(0.1)));
    let end = |commands| {
        assert!(outbox.send(timeout.clone()));
        let (_, notes) = run_world(&inbox, Settings { commands, ..settings(Rate::Max, 0.5) });
        notes.frames().pop().map(|frame| frame.vehicles[0].world_from_body.x)
    };
    let schedule = "time,vehicle,v,omega\n0,r1,1,0\n";
    let x = end(CommandSchedule::parse("c.csv", schedule.as_bytes(), world().scene()).unwrap()).unwrap();
    assert!((x - 0.5).abs() < 1e-12, "{x}");
    outbox.send(forward(1.0));
    let x = end(CommandSchedule::default()).unwrap();
    assert!((x - 0.1).abs() < 0.011, "{x}");
}

#[test]
fn a_paused_simulation_makes_the_requested_steps() {
    let (outbox, inbox) = mailbox();
    let answers = ask_all(&outbox, [Request::Step(3), Request::Step(2), Request::Pause(false)]);
    let (result, notes) = run_world(&inbox, Settings { paused_at_start: true, ..settings(Rate::Max, 0.1) });
    assert_eq!(result.unwrap().steps, 20);
    // The steps are made one after the other; resuming is answered at once.
    let expected = [0, 15, 25].map(|ms| Ok(SimTime(ms * 1_000_000)));
    assert_eq!(*answers.lock().unwrap(), expected);
    assert_eq!(notes.frames().len(), 20);
}

/// The speeds of time that a sink was told, each with the frames before it.
#[derive(Clone, Default)]
struct RateNotes(Arc<Mutex<(Rates, u64)>>);

/// Each rate that was told, with the number of frames before it.
type Rates = Vec<(Rate, u64)>;

impl Sink for RateNotes {
    fn name(&self) -> &str {
        "rates"
    }

    fn rate_changed(&mut self, rate: Rate) -> Result<(), SinkError> {
        let (rates, frames) = &mut *self.0.lock().unwrap();
        rates.push((rate, *frames));
        Ok(())
    }

    fn frame(&mut self, _: &Arc<Scene>, _: &Frame) -> Result<(), SinkError> {
        self.0.lock().unwrap().1 += 1;
        Ok(())
    }
}

#[test]
fn sinks_know_the_speed_of_every_frame_before_it_comes() {
    let (outbox, inbox) = mailbox();
    // Single steps have no pace, and then time goes on at a rate, another, and without a pace.
    ask_all(&outbox, [Request::Step(3), Request::Pause(false)]);
    let notes = RateNotes::default();
    let mut sinks = Sinks::new();
    sinks.push(Box::new(notes.clone()));
    let asker = {
        let (outbox, notes) = (outbox.clone(), notes.clone());
        let reported = move |count| {
            while notes.0.lock().unwrap().0.len() < count {
                std::thread::yield_now();
            }
        };
        std::thread::spawn(move || {
            reported(2);
            outbox.send(Request::SetRate(Rate::Factor(7.0)));
            reported(3);
            outbox.send(Request::SetRate(Rate::Max));
        })
    };
    let settings = Settings { paused_at_start: true, ..settings(Rate::Factor(1.0), 1e4) };
    run(&mut world(), &mut sinks, &inbox, settings).unwrap();
    asker.join().unwrap();
    let (rates, _) = &*notes.0.lock().unwrap();
    assert_eq!(
        rates.iter().map(|(rate, _)| *rate).collect::<Vec<_>>(),
        [Rate::Max, Rate::Factor(1.0), Rate::Factor(7.0), Rate::Max]
    );
    assert_eq!([rates[0].1, rates[1].1], [0, 3]);
}

#[test]
fn a_panicking_visitor_does_not_end_the_run() {
    let (outbox, inbox) = mailbox();
    assert!(outbox.visit(|_| panic!("on purpose")));
    let visited = Arc::new(AtomicBool::new(false));
    let note = visited.clone();
    assert!(outbox.visit(move |_| note.store(true, Ordering::Relaxed)));
    let (result, notes) = run_world(&inbox, settings(Rate::Max, 0.05));
    assert_eq!((result.unwrap().steps, notes.frames().len(), notes.finished()), (10, 10, 1));
    assert!(visited.load(Ordering::Relaxed));
}

#[test]
fn invalid_requests_are_refused_with_the_accepted_values() {
    let (outbox, inbox) = mailbox();
    let answers = ask_all(
        &outbox,
        [
            Request::Step(1),
            Request::SetRate(Rate::Factor(0.0)),
            Request::SetCommandTimeout(Some(SimTime::ZERO)),
            Request::SetRangeNoise(Some(-1.0)),
            forward(f64::NAN),
            forward(1.0),
        ],
    );
    run_world(&inbox, settings(Rate::Max, 0.005)).0.unwrap();
    let expected = [
        Err("step: the simulation is running\n  hint: pause it first"),
        Err("rate: 0 is out of range\n  accepted: a number from 0.001 to 1000000, max"),
        Err("command timeout: found 0.000 s\n  accepted: at least 0.001 s, none"),
        Err("range noise: -1 is not a standard deviation\n  accepted: a number ≥ 0 [m], none"),
        Err("command to \"r1\" holds a number that is not finite\n  accepted: finite numbers"),
        Ok(SimTime::ZERO),
    ];
    assert_eq!(*answers.lock().unwrap(), expected.map(|answer| answer.map_err(String::from)));
}

#[test]
fn a_stopped_run_makes_no_step_and_answers_pending_requests() {
    let (outbox, inbox) = mailbox();
    let answers = ask_all(&outbox, [Request::Reset]);
    let source = CommandSource::new(FIRST, |answer| panic!("a command at the end is not refused: {answer:?}"));
    assert!(outbox.command(&source, Action::Twist(skidpad_math::Twist2::ZERO)));
    let stop = Arc::new(AtomicBool::new(true));
    let (result, notes) = run_world(&inbox, Settings { stop, ..Settings::default() });
    assert_eq!(result.unwrap().steps, 0);
    assert_eq!(notes.finished(), 1);
    assert_eq!(*answers.lock().unwrap(), [Err("the simulation has ended".to_string())]);
}

#[test]
fn time_continues_after_a_reset() {
    let (outbox, inbox) = mailbox();
    let notes = Notes::default();
    let mut sinks = Sinks::new();
    sinks.push(Box::new(notes.clone()));
    let mut world = world();
    outbox.send(forward(1.0));
    run(&mut world, &mut sinks, &inbox, settings(Rate::Max, 1.0)).unwrap();
    outbox.send(Request::Reset);
    sinks.push(Box::new(notes.clone()));
    run(&mut world, &mut sinks, &inbox, settings(Rate::Max, 0.5)).unwrap();
    let last = notes.frames().pop().unwrap();
    assert_eq!((last.time, last.vehicles[0].world_from_body.x), (SimTime::from_secs(1.5), 0.0));
}

/// Records all calls other than frames.
#[derive(Clone, Default)]
struct Watcher(Arc<Mutex<(Vec<SimTime>, RunStatistics, u32)>>);

impl Sink for Watcher {
    fn name(&self) -> &str {
        "watcher"
    }

    fn frame(&mut self, _: &Arc<Scene>, _: &Frame) -> Result<(), SinkError> {
        Ok(())
    }

    fn time_reset(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        self.0.lock().unwrap().0.push(frame.time);
        Ok(())
    }

    fn statistics(&mut self, _: &Arc<Scene>, _: &Frame, statistics: &RunStatistics) -> Result<(), SinkError> {
        let mut notes = self.0.lock().unwrap();
        notes.1.add(statistics);
        notes.2 += 1;
        Ok(())
    }

    fn load(&self) -> SinkLoad {
        SinkLoad { waiting: 1, dropped: 2 }
    }
}

#[test]
fn everything_that_depends_on_time_restarts_when_time_is_set_back() {
    let (outbox, inbox) = mailbox();
    // A visitor in the middle of the run replaces the current world with the initial one.
    struct Rewinder(Outbox);
    impl Sink for Rewinder {
        fn name(&self) -> &str {
            "rewinder"
        }

        fn frame(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
            if frame.time == SimTime::from_secs(0.25) {
                self.0.visit(|visit| *visit.world = world());
            }
            Ok(())
        }
    }
    let text = "time,vehicle,v,omega\n0.1,,1,0\n";
    let commands = CommandSchedule::parse("c.csv", text.as_bytes(), world().scene()).unwrap();
    let (notes, watcher, mut sinks) = (Notes::default(), Watcher::default(), Sinks::new());
    sinks.push(Box::new(notes.clone()));
    sinks.push(Box::new(watcher.clone()));
    sinks.push(Box::new(Rewinder(outbox)));
    let settings = Settings { commands, ..settings(Rate::Max, 0.45) };
    let summary = run(&mut world(), &mut sinks, &inbox, settings).unwrap();
    assert_eq!((summary.steps, summary.simulated), (90, SimTime::from_secs(0.45)));
    let last = notes.frames().pop().unwrap();
    assert_eq!(last.time, SimTime::from_secs(0.2));
    let x = last.vehicles[0].world_from_body.x;
    assert!((x - 0.1).abs() < 1e-12, "the schedule has not come again: {x}");
    assert_eq!(watcher.0.lock().unwrap().0, [SimTime::ZERO]);
}

#[test]
fn sinks_receive_statistics_during_a_pause_too() {
    let (outbox, inbox) = mailbox();
    let stop = Arc::new(AtomicBool::new(false));
    let (watcher, mut sinks) = (Watcher::default(), Sinks::new());
    sinks.push(Box::new(watcher.clone()));
    let ender = std::thread::spawn({
        let (stop, watcher) = (stop.clone(), watcher.clone());
        move || {
            let seen = || watcher.0.lock().unwrap().2;
            while seen() < 3 {
                std::thread::sleep(Duration::from_millis(5));
            }
            outbox.send(Request::Pause(true));
            while seen() < 6 {
                std::thread::sleep(Duration::from_millis(5));
            }
            stop.store(true, Ordering::Relaxed);
        }
    });
    let settings = Settings { stop, rate: Rate::Factor(1.0), ..Settings::default() };
    let summary = run(&mut world(), &mut sinks, &inbox, settings).unwrap();
    ender.join().unwrap();
    let (_, sum, windows) = watcher.0.lock().unwrap().clone();
    assert!(windows >= 6 && sum.paused && sum.in_pause > Duration::from_millis(100), "{sum:?}");
    // The last window has not ended when the run ends.
    assert!(sum.step_times.count() <= summary.steps && sum.step_times.count() > 0);
    assert_eq!(sum.simulated, SimTime(sum.step_times.count() as i64 * 5_000_000));
    assert!(sum.wall <= summary.wall && sum.step_times.longest() <= summary.step_longest);
    assert_eq!(sum.sinks, [("watcher".to_owned(), Some(SinkLoad { waiting: 1, dropped: 2 }))]);
}

#[test]
fn an_error_of_the_simulation_ends_the_run_after_the_sinks_are_finished() {
    let (outbox, inbox) = mailbox();
    outbox.send(forward(1.0));
    // With such a gain the torque is finite at first, but not for long.
    let controller = "<controller class=\"twist_pid\"><KD>1e300</KD><max_torque>0</max_torque></controller>";
    let text = format!(
        "<mvsim_world><vehicle name=\"r1\"><init_pose>0 0 0</init_pose>\
         <dynamics class=\"differential\">{controller}</dynamics></vehicle></mvsim_world>"
    );
    let (mut world, _) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).unwrap();
    let (notes, mut sinks) = (Notes::default(), Sinks::new());
    sinks.push(Box::new(notes.clone()));
    let error = run(&mut world, &mut sinks, &inbox, settings(Rate::Max, 10.0)).unwrap_err();
    assert!(error.to_string().starts_with("vehicle \"r1\": "), "{error}");
    assert_eq!(notes.finished(), 1);
}

#[test]
fn a_run_asked_to_end_continues_only_while_it_has_followers() {
    /// Stops following at a frame.
    struct Follower(GracefulShutdown, u64);
    impl Sink for Follower {
        fn name(&self) -> &str {
            "follower"
        }

        fn frame(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
            self.0.is_requested.store(frame.step >= 3, Ordering::Relaxed);
            self.0.is_followed.store(frame.step < self.1, Ordering::Relaxed);
            Ok(())
        }
    }
    let frames = |last_followed, longest| {
        let shutdown = GracefulShutdown { longest, ..GracefulShutdown::default() };
        let settings = Settings { shutdown: shutdown.clone(), ..settings(Rate::Max, 1.0) };
        let (notes, mut sinks) = (Notes::default(), Sinks::new());
        sinks.push(Box::new(notes.clone()));
        sinks.push(Box::new(Follower(shutdown, last_followed)));
        run(&mut world(), &mut sinks, &mailbox().1, settings).unwrap();
        notes.frames().len()
    };
    assert_eq!(frames(2, Duration::from_secs(3600)), 3, "nobody follows it");
    assert_eq!(frames(40, Duration::from_secs(3600)), 40);
    assert_eq!(frames(u64::MAX, Duration::ZERO), 3, "the time for them is up");
}

/// Casts no ray; sets the flag that ends the run when it is first asked, as a signal in the middle of a picture does.
#[derive(Debug)]
struct StopsTheRun(Arc<AtomicBool>);

impl BatchCaster for StopsTheRun {
    fn find(&self, _: &Space, _: &BatchRequest<'_>, _: &mut Vec<TriangleId>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_run_that_is_stopped_within_a_picture_ends_with_the_step_before() {
    for sensor in
        ["<sensor class=\"camera\"/>", "<sensor class=\"lidar3d\"><instantaneous>true</instantaneous></sensor>"]
    {
        let text = format!(
            "<mvsim_world version=\"1.0\"><simul_timestep>0.005</simul_timestep><vehicle name=\"r1\"><init_pose>0 0 0</init_pose>\
             <dynamics class=\"differential\"/>{sensor}</vehicle></mvsim_world>"
        );
        let stop: Arc<AtomicBool> = Arc::default();
        let options =
            LoadOptions { batch_caster: Some(Arc::new(StopsTheRun(Arc::clone(&stop)))), ..LoadOptions::default() };
        let mut world = World::load_text("test", Path::new("."), &text, &options).unwrap().0;
        let notes = Notes::default();
        let mut sinks = Sinks::new();
        sinks.push(Box::new(notes.clone()));
        let settings = Settings { stop, ..settings(Rate::Max, 10.0) };
        let summary = run(&mut world, &mut sinks, &mailbox().1, settings).unwrap();
        // The first sample is due at 0.1 s, in the 20th step.
        assert!(world.is_cut_short());
        assert_eq!((summary.steps, summary.simulated), (19, SimTime::from_secs(0.095)));
        let frames = notes.frames();
        assert_eq!((frames.len(), notes.finished()), (19, 1));
        assert_eq!(frames[18].time, SimTime::from_secs(0.095));
        assert!(world.frame().fresh_readings().next().is_none());
    }
}

#[test]
fn readings_are_taken_for_those_who_want_them_and_for_all_in_lockstep() {
    /// A sink that reads no sensor.
    struct Deaf(Notes);

    impl Sink for Deaf {
        fn name(&self) -> &str {
            "deaf"
        }

        fn wants(&mut self, _: &Arc<Scene>, _: &mut Wanted) {}

        fn frame(&mut self, scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
            self.0.frame(scene, frame)
        }
    }

    let scans = |sink: &dyn Fn(Notes) -> Box<dyn Sink>, lockstep: bool| {
        let text = r#"<mvsim_world><simul_timestep>0.01</simul_timestep><vehicle name="r1"><init_pose>0 0 0</init_pose>
            <dynamics class="differential"><controller class="twist_ideal"/></dynamics>
            <sensor class="laser" name="scan"><sensor_period>0.02</sensor_period></sensor></vehicle></mvsim_world>"#;
        let mut world = World::load_text("w", Path::new("."), text, &LoadOptions::default()).unwrap().0;
        let (outbox, inbox) = mailbox();
        if lockstep {
            let period = SimTime::from_secs(10.0);
            outbox.send(Request::SetLockstep(Some(Lockstep::every(period))));
        }
        let notes = Notes::default();
        let mut sinks = Sinks::new();
        sinks.push(sink(notes.clone()));
        run(&mut world, &mut sinks, &inbox, settings(Rate::Max, 0.2)).unwrap();
        notes.frames().iter().map(|frame| frame.fresh_readings().count()).sum::<usize>()
    };
    let deaf = |notes| Box::new(Deaf(notes)) as Box<dyn Sink>;
    assert_eq!(scans(&|notes| Box::new(notes), false), 10);
    assert_eq!(scans(&deaf, false), 0);
    assert_eq!(scans(&deaf, true), 10);
}
