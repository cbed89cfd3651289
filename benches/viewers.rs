//! The cost of viewers: 100 robots with lidars in real time and as fast as possible, without a viewer, with one, and with
//! three, one of them stalled. `cargo bench --bench viewers [-- SECONDS]` prints a line for each, the runs taking turns so that a busy
//! machine slows all of them alike; each rate is the median over the rounds, and its change that of rounds with their own rate without
//! viewers. Simulation, server and viewers share the machine's cores, all of which the simulation would take as fast as it can.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::{SinkExt, StreamExt};
use skidpad::math::Twist2;
use skidpad::runner::{self, Settings, mailbox};
use skidpad::server::hub::Hub;
use skidpad::server::{Listen, LivePilot, Options, Rights, Server, WebSink};
use skidpad::sink::{RunStatistics, Sink, SinkError, Sinks};
use skidpad::time::Rate;
use skidpad::vehicle::{Action, Command};
use skidpad::view::messages::Mode;
use skidpad::world::{Frame, LoadOptions, Scene, World};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

const ROBOTS: usize = 100;
const ROUNDS: usize = 7;
/// Viewers that look, and those that have stalled.
const AUDIENCES: [(usize, usize); 3] = [(0, 0), (1, 0), (2, 1)];

fn world() -> World {
    let robot = |index: usize| {
        let (x, y) = (index % 10 * 4, index / 10 * 4);
        format!(
            "<vehicle name=\"r{index}\"><init_pose>{x} {y} {}</init_pose><dynamics class=\"differential\">\
             <controller class=\"twist_pid\"><KP>20</KP><KI>10</KI></controller></dynamics>\
             <sensor class=\"laser\" name=\"scan\"><pose_3d>0 0 0.3 0 0 0</pose_3d><nrays>361</nrays>\
             <sensor_period>0.1</sensor_period></sensor></vehicle>",
            index * 20
        )
    };
    let robots: String = (0..ROBOTS).map(robot).collect();
    let text = format!("<mvsim_world><simul_timestep>0.005</simul_timestep>{robots}</mvsim_world>");
    let loaded = World::load_text("viewers", Path::new("."), &text, &LoadOptions::default());
    let (mut world, _) = loaded.expect("a good world");
    for vehicle in 0..ROBOTS {
        let action = Action::Twist(Twist2::new(0.5, 0.0, 0.5));
        world.command(Command { vehicle, action }).expect("takes velocities");
    }
    world
}

/// Adds up what the sinks took.
struct Watch(Arc<Mutex<RunStatistics>>);

impl Sink for Watch {
    fn name(&self) -> &str {
        "watch"
    }

    fn frame(&mut self, _: &Arc<Scene>, _: &Frame) -> Result<(), SinkError> {
        Ok(())
    }

    fn statistics(&mut self, _: &Arc<Scene>, _: &Frame, statistics: &RunStatistics) -> Result<(), SinkError> {
        self.0.lock().expect("nobody panics").add(statistics);
        Ok(())
    }
}

/// A viewer that takes what comes, or nothing.
async fn view(address: SocketAddr, takes: bool, stop: Arc<AtomicBool>, bytes: Arc<AtomicU64>) {
    let stream = TcpStream::connect(address).await.expect("a server");
    let mut request = format!("ws://{address}/api/socket").into_client_request().expect("an address");
    request.headers_mut().insert("sec-websocket-protocol", "skidpad.v1".parse().expect("a name"));
    let (mut socket, _) = tokio_tungstenite::client_async(request, stream).await.expect("a socket");
    let watch = r#"{"id": 1, "order": {"do": "watch", "rate": 30, "points": "all", "stride": 1}}"#;
    socket.send(Message::text(watch)).await.expect("it takes orders");
    while !stop.load(Ordering::Relaxed) {
        if !takes {
            tokio::time::sleep(Duration::from_millis(50)).await;
        } else if let Ok(Some(Ok(message))) = tokio::time::timeout(Duration::from_millis(50), socket.next()).await {
            bytes.fetch_add(message.len() as u64, Ordering::Relaxed);
        }
    }
}

/// Steps per wall second, the share of wall time in sinks [-], and bytes to viewers per second.
fn measure((looking, stalled): (usize, usize), wall: Duration, rate: Rate) -> [f64; 3] {
    let mut world = world();
    let scene = Arc::clone(world.scene());
    let (outbox, inbox) = mailbox();
    let hub = Arc::new(Hub::new());
    let (sink, scenes) = WebSink::new(Arc::clone(&hub), &scene);
    let options = Options { listen: Listen { host: None, port: Some(0) }, ..Options::default() };
    let pilot = Arc::new(LivePilot::new(outbox, scenes, Rights::default()));
    let server = Server::start(&options, hub, pilot, Mode::Live).expect("a free port");
    let statistics = Arc::new(Mutex::new(RunStatistics::default()));
    let mut sinks = Sinks::new();
    sinks.push(Box::new(sink));
    sinks.push(Box::new(Watch(Arc::clone(&statistics))));
    let (stop, bytes) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let viewers = {
        let (address, stop, bytes) = (server.address(), Arc::clone(&stop), Arc::clone(&bytes));
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            let all = (0..looking + stalled)
                .map(|index| view(address, index < looking, Arc::clone(&stop), Arc::clone(&bytes)));
            runtime.block_on(futures::future::join_all(all));
        })
    };
    let ends = {
        let stop = Arc::clone(&stop);
        std::thread::spawn(move || {
            std::thread::sleep(wall);
            stop.store(true, Ordering::Relaxed);
        })
    };
    let (began, settings) = (Instant::now(), Settings { rate, stop, ..Settings::default() });
    let summary = runner::run(&mut world, &mut sinks, &inbox, settings).expect("finite numbers");
    let took = began.elapsed().as_secs_f64();
    viewers.join().expect("no panic");
    ends.join().expect("no panic");
    server.shutdown("the end");
    let in_sinks = statistics.lock().expect("nobody panics").in_sinks.as_secs_f64();
    [summary.steps as f64 / took, in_sinks / took, bytes.load(Ordering::Relaxed) as f64 / took]
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let seconds = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(3.0);
    let wall = Duration::from_secs_f64(seconds);
    measure(AUDIENCES[0], wall, Rate::Max);
    for (name, rate) in [("real time", Rate::Factor(1.0)), ("full speed", Rate::Max)] {
        println!("{name}");
        compare(wall, rate);
    }
}

fn compare(wall: Duration, rate: Rate) {
    let round = |_| AUDIENCES.map(|audience| measure(audience, wall, rate));
    let rounds: Vec<[[f64; 3]; 3]> = (0..ROUNDS).map(round).collect();
    for (index, (looking, stalled)) in AUDIENCES.into_iter().enumerate() {
        let of = |number: usize| median(rounds.iter().map(|round| round[index][number]).collect());
        let change = median(rounds.iter().map(|round| 100.0 * (round[index][0] / round[0][0] - 1.0)).collect());
        println!(
            "  {looking} looking, {stalled} stalled: {:.0} steps/s ({change:+.2} %), {:.2} % in sinks, {:.0} kB/s",
            of(0),
            100.0 * of(1),
            of(2) / 1e3
        );
    }
}
