//! A running simulation with its server, in this process.

use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Instant;

use skidpad::runner::{self, Outbox, Settings, Summary, mailbox};
use skidpad::server::hub::Hub;
use skidpad::server::warnings::WarningLog;
use skidpad::server::{EditRights, Listen, LivePilot, Options, Rights, Server, WebSink};
use skidpad::sink::{Sink, SinkError, Sinks};
use skidpad::time::{Rate, SimTime};
use skidpad::view::messages::Mode;
use skidpad::world::{Frame, LoadOptions, Scene, World};

/// What the simulation did, as a sink beside the viewer's saw it.
#[derive(Default)]
pub struct Seen {
    pub frame: Frame,
    /// Of all numbers of all frames.
    pub bits: u64,
    /// Longest wall time between two frames [s].
    pub longest: f64,
}

struct Probe {
    seen: Arc<Mutex<Seen>>,
    hasher: DefaultHasher,
    last: Instant,
}

impl Sink for Probe {
    fn name(&self) -> &str {
        "probe"
    }

    fn frame(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        // The shortest text that gives the same number tells numbers apart as their bits do.
        self.hasher.write(format!("{frame:?}").as_bytes());
        let mut seen = self.seen.lock().unwrap();
        seen.longest = seen.longest.max(self.last.elapsed().as_secs_f64());
        self.last = Instant::now();
        seen.bits = self.hasher.finish();
        seen.frame.clone_from(frame);
        Ok(())
    }

    fn idle(&mut self, _: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        self.seen.lock().unwrap().frame.clone_from(frame);
        self.last = Instant::now();
        Ok(())
    }
}

pub struct Stage {
    pub address: SocketAddr,
    pub outbox: Outbox,
    pub seen: Arc<Mutex<Seen>>,
    stop: Arc<AtomicBool>,
    server: Server,
    thread: JoinHandle<Summary>,
}

/// Options of a run.
pub struct Plan {
    pub options: Options,
    pub rate: Rate,
    pub duration: Option<SimTime>,
    pub paused: bool,
    pub edit: Option<EditRights>,
    /// What viewers see as warnings of the run.
    pub log: Arc<WarningLog>,
}

impl Default for Plan {
    fn default() -> Plan {
        let options = Options { listen: Listen { host: None, port: Some(0) }, ..Options::default() };
        Plan { options, rate: Rate::Factor(1.0), duration: None, paused: false, edit: None, log: Arc::default() }
    }
}

pub fn world(text: &str) -> World {
    World::load_text("w.xml", Path::new("."), text, &LoadOptions::default()).unwrap().0
}

/// So many robots with lidars in a walled yard.
pub fn yard(robots: usize, sensor: &str) -> String {
    let robot = |index: usize| {
        let (x, y) = (index % 10 * 3, index / 10 * 3);
        format!(
            "<vehicle name=\"r{index}\"><init_pose>{x} {y} {}</init_pose><dynamics class=\"differential\">\
             <controller class=\"twist_pid\"><KP>20</KP><KI>10</KI></controller></dynamics>{sensor}</vehicle>",
            index * 20
        )
    };
    let robots: String = (0..robots).map(robot).collect();
    format!(
        "<mvsim_world><simul_timestep>0.005</simul_timestep>{robots}<block name=\"box\"><init_pose>-3 0 0</init_pose></block></mvsim_world>"
    )
}

pub const LIDAR: &str = "<sensor class=\"laser\" name=\"scan\"><pose_3d>0 0 0.3 0 0 0</pose_3d><nrays>361</nrays>\
                         <sensor_period>0.05</sensor_period></sensor>";

/// Whether time has gone on at about its rate while `work` was done, on machines that have other work too; one that is held up stands.
pub async fn keeps_pace<T>(stage: &Stage, rate: f64, work: impl Future<Output = T>) -> T {
    // So much at once is made up for by the pacer, and may have been missed before or after.
    const CAUGHT_UP: f64 = 0.25;
    let (before, began) = (stage.time(), Instant::now());
    let done = work.await;
    let (simulated, wall) = (stage.time() - before, began.elapsed().as_secs_f64());
    let (least, most) = (0.5 * rate * (wall - CAUGHT_UP), rate * (wall + CAUGHT_UP) + 0.02);
    assert!((least..most).contains(&simulated), "{simulated} s in {wall} s");
    done
}

impl Stage {
    pub fn set(text: &str) -> Stage {
        Stage::with(world(text), Plan::default())
    }

    pub fn with(mut world: World, plan: Plan) -> Stage {
        let scene = Arc::clone(world.scene());
        let (outbox, inbox) = mailbox();
        let hub = Arc::new(Hub::with_warnings(plan.log));
        let (sink, scenes) = WebSink::new(Arc::clone(&hub), &scene);
        let stop = Arc::new(AtomicBool::new(false));
        let rights = Rights { stop: Some(Arc::clone(&stop)), edit: plan.edit, ..Rights::default() };
        let pilot = LivePilot::new(outbox.clone(), scenes, rights);
        let server = Server::start(&plan.options, hub, Arc::new(pilot), Mode::Live).unwrap();
        let seen = Arc::new(Mutex::new(Seen::default()));
        let probe = Probe { seen: Arc::clone(&seen), hasher: DefaultHasher::new(), last: Instant::now() };
        let mut sinks = Sinks::new();
        sinks.push(Box::new(sink));
        sinks.push(Box::new(probe));
        let settings = Settings {
            rate: plan.rate,
            duration: plan.duration,
            paused_at_start: plan.paused,
            stop: Arc::clone(&stop),
            ..Settings::default()
        };
        let thread = std::thread::spawn(move || runner::run(&mut world, &mut sinks, &inbox, settings).unwrap());
        Stage { address: server.address(), outbox, seen, stop, server, thread }
    }

    /// Pose and speed of the first vehicle: x, y, yaw, vx.
    pub fn first(&self) -> [f64; 4] {
        let seen = self.seen.lock().unwrap();
        seen.frame.vehicles.first().map_or([f64::NAN; 4], |vehicle| {
            let pose = vehicle.world_from_body;
            [pose.x, pose.y, pose.yaw, vehicle.velocity_in_body.vx]
        })
    }

    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.seen.lock().unwrap().frame.time.secs()
    }

    /// Waits for the run to come to its end by itself.
    pub fn wait(self) -> (Summary, u64) {
        let summary = self.thread.join().unwrap();
        self.server.shutdown("the simulation has ended");
        let bits = self.seen.lock().unwrap().bits;
        (summary, bits)
    }

    /// Ends the run.
    pub fn end(self) -> (Summary, u64) {
        self.stop.store(true, Ordering::Relaxed);
        self.wait()
    }
}
