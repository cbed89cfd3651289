//! A recorder whose disk takes no data until the test lets it: what waits, what does not, and that nothing is lost.

use std::path::Path;
use std::sync::Arc;

use mcap::MessageStream;
use skidpad_run::sink::Interrupts;
use skidpad_sim::world::{LoadOptions, World};

use super::disk::Control;
use super::*;

/// A simulation with a recorder.
struct Run {
    world: World,
    recorder: Recorder,
    interrupts: Interrupts,
    folder: tempfile::TempDir,
}

impl Run {
    fn start() -> (Run, Arc<Control>) {
        let text = "<mvsim_world><simul_timestep>0.005</simul_timestep><vehicle name=\"car\"><init_pose>0 0 0</init_pose>\
                    <dynamics class=\"differential\"/></vehicle></mvsim_world>";
        let world = World::load_text("w.xml", Path::new("."), text, &LoadOptions::default()).unwrap().0;
        let (folder, interrupts) = (tempfile::tempdir().unwrap(), Interrupts::reporting_at_once());
        let (topics, interrupts) = (TopicFilter::only(["/odom"]), interrupts);
        let options = RecordOptions { topics, interrupts: interrupts.clone(), ..RecordOptions::default() };
        let mut recorder = Recorder::create(&folder.path().join("x.mcap"), options).unwrap();
        let RecorderState::Ready(output) = &recorder.state else { panic!("has begun") };
        let control = output.control();
        recorder.start(world.scene()).unwrap();
        (Run { world, recorder, interrupts, folder }, control)
    }

    fn steps(&mut self, count: usize) -> Result<(), String> {
        for _ in 0..count {
            self.world.step().unwrap();
            self.recorder.frame(self.world.scene(), self.world.frame()).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn until_reported(interrupts: &Interrupts) {
        while interrupts.reports() == 0 {
            std::thread::yield_now();
        }
    }

    /// The number of messages in the file.
    fn messages(&self) -> usize {
        let bytes = std::fs::read(self.folder.path().join("x.mcap")).unwrap();
        MessageStream::new(&bytes).unwrap().map(Result::unwrap).count()
    }

    fn writer(&mut self) -> &mut Writer {
        let RecorderState::Running(running) = &mut self.recorder.state else { panic!("does not run") };
        &mut running.writer
    }
}

/// More steps than the queue holds while the simulation may wait: every fourth has odometry.
const MANY: usize = 8000;

#[test]
fn a_run_without_a_pace_waits_for_the_disk_and_loses_nothing() {
    let (mut run, disk) = Run::start();
    let interrupts = run.interrupts.clone();
    let held = disk.hold();
    let running = std::thread::spawn(move || {
        run.steps(MANY).unwrap();
        run.recorder.finish().unwrap();
        run
    });
    Run::until_reported(&interrupts);
    // The first Ctrl-C ends the run, not the wait.
    interrupts.add(true);
    assert!(!running.is_finished());
    drop(held);
    let run = running.join().unwrap();
    assert_eq!((run.messages(), interrupts.reports()), (MANY / 4, 1));
}

#[test]
fn a_second_ctrl_c_gives_up_the_disk() {
    let (mut run, disk) = Run::start();
    let interrupts = run.interrupts.clone();
    let held = disk.hold();
    let running = std::thread::spawn(move || (run.steps(usize::MAX), run));
    Run::until_reported(&interrupts);
    interrupts.add(true);
    interrupts.add(true);
    let (done, mut run) = running.join().unwrap();
    let error = done.unwrap_err();
    assert!(
        error.contains("x.mcap: given up at the second Ctrl-C, ") && error.ends_with(" instants were not written"),
        "{error}"
    );
    run.recorder.finish().unwrap();
    drop(held);
}

#[test]
fn a_paced_run_does_not_wait_and_loses_nothing_when_its_pace_ends() {
    let (mut run, disk) = Run::start();
    let interrupts = run.interrupts.clone();
    run.recorder.rate_changed(Rate::Factor(1.0)).unwrap();
    let held = disk.hold();
    run.steps(MANY).unwrap();
    assert_eq!(interrupts.reports(), 0);
    run.recorder.rate_changed(Rate::Max).unwrap();
    let running = std::thread::spawn(move || {
        run.steps(MANY).unwrap();
        run.recorder.finish().unwrap();
        run
    });
    Run::until_reported(&interrupts);
    assert!(!running.is_finished());
    drop(held);
    assert_eq!(running.join().unwrap().messages(), 2 * MANY / 4);
}

#[test]
fn a_paced_run_leaves_out_what_the_queue_has_no_room_for_and_counts_it() {
    let (mut run, disk) = Run::start();
    run.recorder.rate_changed(Rate::Factor(1.0)).unwrap();
    run.writer().longest_paced = 64 << 10;
    let held = disk.hold();
    run.steps(MANY).unwrap();
    drop(held);
    let left_out = run.recorder.load().dropped as usize;
    assert!(left_out > 0 && left_out < MANY / 4, "{left_out}");
    run.recorder.finish().unwrap();
    assert_eq!(run.messages() + left_out, MANY / 4);
}

#[test]
fn a_program_that_must_not_wait_overfills_the_queue_and_loses_nothing() {
    let (mut run, disk) = Run::start();
    let interrupts = run.interrupts.clone();
    let held = disk.hold();
    interrupts.let_overfill(true);
    let mut taken = 0;
    // The writer takes batches until it commits.
    while !interrupts.take_overfilled() {
        run.steps(MANY).unwrap();
        taken += MANY;
    }
    assert_eq!(interrupts.reports(), 0);
    drop(held);
    run.recorder.finish().unwrap();
    assert_eq!(run.messages(), taken / 4);
}
