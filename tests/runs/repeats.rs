//! Whole runs with lidars and noise: same world, seed and commands give the same bits, for any number of threads and any
//! sinks.

use std::path::Path;
use std::sync::{Arc, Mutex};

use skidpad::frame_bits::bits;
use skidpad::runner::{self, CommandSchedule, Settings, mailbox};
use skidpad::sink::{CsvSink, Sink, SinkError, Sinks};
use skidpad::time::{Rate, SimTime};
use skidpad::world::{Frame, LoadOptions, Scene, World};

/// Keeps the bits of every frame.
struct Tape(Arc<Mutex<Vec<Vec<u64>>>>);

impl Sink for Tape {
    fn name(&self) -> &str {
        "tape"
    }

    fn frame(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        self.0.lock().unwrap().push(bits(frame));
        Ok(())
    }
}

fn load(name: &str, seed: u64) -> World {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds").join(format!("{name}.world.xml"));
    let options = LoadOptions { seed: Some(seed), ..LoadOptions::default() };
    World::load(&path, &options).unwrap_or_else(|problems| panic!("{name}: {problems}")).0
}

/// Every vehicle on a curve of its own, changed after a second.
fn schedule(scene: &Scene) -> CommandSchedule {
    let mut text = String::from("time,vehicle,v,omega\n");
    for (index, vehicle) in scene.vehicles.iter().enumerate() {
        for (time, turn) in [(0.0, 0.4), (1.0, -0.6)] {
            text += &format!("{time},{},{},{}\n", vehicle.name, 0.8 + 0.01 * index as f64, turn);
        }
    }
    CommandSchedule::parse("commands.csv", text.as_bytes(), scene).unwrap()
}

/// The bits of a run of 2 s.
fn run(name: &str, seed: u64, csv: bool) -> Vec<Vec<u64>> {
    let mut world = load(name, seed);
    let frames = Arc::default();
    let logs = tempfile::tempdir().unwrap();
    let mut sinks = Sinks::new();
    if csv {
        sinks.push(Box::new(CsvSink::in_directory(logs.path()).unwrap()));
    }
    sinks.push(Box::new(Tape(Arc::clone(&frames))));
    let commands = schedule(world.scene());
    let duration = Some(SimTime::from_secs(2.0));
    let settings = Settings { rate: Rate::Max, duration, commands, ..Settings::default() };
    runner::run(&mut world, &mut sinks, &mailbox().1, settings).unwrap();
    assert!(sinks.failed().is_empty());
    assert_eq!(logs.path().join("session_001").exists(), csv);
    let frames = frames.lock().unwrap();
    frames.clone()
}

#[test]
fn noisy_lidars_repeat_to_the_bit_with_any_number_of_threads_and_sinks() {
    for name in ["two_robots", "racecar", "for_loop_fleet"] {
        let first = run(name, 7, false);
        for threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for csv in [false, true] {
                let again = pool.install(|| run(name, 7, csv));
                assert_eq!(again.len(), first.len(), "{name}");
                let differs = again.iter().zip(&first).position(|(a, b)| a != b);
                assert_eq!(differs, None, "{name}: first frame that differs, {threads} threads, csv {csv}");
            }
        }
        assert_ne!(run(name, 8, false), first, "{name}: the seed reaches the noise");
    }
}

/// The runs above are worth comparing: they scan, several lidars at a time, and see something.
#[test]
fn the_compared_worlds_scan() {
    for (name, lidars) in [("two_robots", 2), ("racecar", 1), ("for_loop_fleet", 25)] {
        let mut world = load(name, 7);
        let (mut most, mut returns) = (0, 0);
        for _ in 0..200 {
            let frame = world.step().unwrap();
            most = most.max(frame.fresh_readings().count());
            for reading in frame.fresh_readings() {
                let scan = reading.data.scan().unwrap();
                returns += scan.ranges.iter().filter(|range| range.is_finite()).count();
            }
        }
        assert!(most >= lidars && returns > 100, "{name}: {most} lidars at once, {returns} returns");
    }
}
