//! The ROS 2 node around a running simulation. The only part of the crate that knows r2r.
//!
//! ```text
//!  simulation thread           publisher thread            tasks thread             spin thread
//!  RosSink::frame ── queue ──▶ Publishers::run ──▶ DDS     commands, services  ◀──  Node::spin_once ◀── DDS
//!        ▲                                                       │
//!        └────────────────────── Outbox ◀────────────────────────┘
//! ```
//!
//! Names are relative except `/clock` (and those of presets), so that namespaces and remapping rules work; everything that one step produced
//! carries the one stamp of its frame.
mod convert;
mod driver;
mod error;
mod hear;
mod lockstep;
mod names;
pub mod node;
mod parameter_services;
mod parameters;
mod publish;
mod qos_overrides;
mod queue;
mod services;
mod settings;
mod snapshot;
mod subscribe;
mod throttle;
mod topics;
mod vehicle;

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use r2r::{Context, Node};
use tokio::runtime::{Builder, Runtime};

pub use error::RosError;

use crate::interface::poses::{self, PoseWish};
use crate::preset::{Preset, racecar};
use crate::record::Listener;
use crate::runner::{Outbox, Rate, Request};
use crate::sink::Sink;
use crate::time::SimTime;
use crate::world::Scene;
use names::Resolver;
use node::SmallNode;
use node::mux::AckermannMux;
use parameters::Parameters;
use publish::{Announcer, Publishers};
use qos_overrides::QosOverrides;
use queue::Queue;
use settings::Settings;
use snapshot::{Now, RosSink, SharedSettings, Snapshot};
use subscribe::Commands;

/// Name of the node unless `__node` says otherwise.
const NODE: &str = "skidpad";
/// Instants that may wait for the publisher before the oldest gives way: a third of a second at 200 Hz.
const QUEUE_CAPACITY: usize = 64;
/// How long the spin thread waits at a time; also bounds how long a shutdown takes.
const SPIN: Duration = Duration::from_millis(20);
/// How often the graph is asked who publishes commands.
const LOOK: Duration = Duration::from_millis(200);

/// What the node needs to start.
pub struct Options {
    /// The arguments of the process. `--ros-args` are taken by the client library from the process itself; these tell
    /// what they do to names.
    pub ros_args: Vec<String>,
    /// The world that is simulated.
    pub scene: Arc<Scene>,
    /// Where commands and requests go.
    pub outbox: Outbox,
    /// The rate of the command line; the parameter `rate` overrides it.
    pub rate: Rate,
    /// The period of lockstep [ns] of the command line; the parameters `lockstep…` override it.
    pub lockstep: Option<SimTime>,
    /// Whether there is no viewer.
    pub headless: bool,
    /// The vehicle that follows a trajectory by itself; its driver's doings are published.
    pub driven: Option<usize>,
    /// Where a recording wants to hear what trackers outside say; none: it does not.
    pub listener: Option<Listener>,
}

/// A running node.
pub struct Bridge {
    queue: Arc<Queue<Snapshot>>,
    settings: SharedSettings,
    wishes: Vec<PoseWish>,
    now: Now,
    parameters: Arc<Parameters>,
    preset: &'static Preset,
    interface: Vec<String>,
    stop: Arc<AtomicBool>,
    finished: mpsc::Receiver<()>,
    spinner: Option<JoinHandle<()>>,
    publisher: Option<JoinHandle<()>>,
    tasks: Option<Runtime>,
}

/// Starts the node in threads of its own. Fails on parameters that are not accepted, names that clash, and whatever
/// the client library refuses.
pub fn start(options: Options) -> Result<Bridge, RosError> {
    let Options { ros_args, scene, outbox, rate, lockstep, headless: _, driven, listener } = options;
    check_domain(std::env::var("ROS_DOMAIN_ID").ok().as_deref())?;
    let context = create_context()?;
    let mut node = Node::create(context.clone(), NODE, "").map_err(|error| {
        RosError::new("ROS node", format!("cannot be created: {error}"))
            .hint("check the node name (__node) and the namespace (__ns) in --ros-args")
    })?;
    let identity = |error: r2r::Error| RosError::new("ROS node", format!("has no name: {error}"));
    let name = node.name().map_err(identity)?;
    let namespace = node.namespace().map_err(identity)?;
    let resolver = Resolver::new(&name, &namespace, &ros_args);

    let overrides: Vec<_> = {
        let given = node.params.lock().unwrap_or_else(PoisonError::into_inner);
        given.iter().map(|(name, parameter)| (name.clone(), parameter.value.clone())).collect()
    };
    let parameters =
        settings::parameters((rate, lockstep), outbox.clone(), overrides.iter().map(|(name, value)| (name, value)))?;
    let preset = settings::preset_of(&parameters);
    let settings: SharedSettings = Arc::new(Mutex::new(Settings::new(&parameters, preset)));

    let thread_failed = |error: std::io::Error| RosError::new("ROS", format!("cannot start a thread: {error}"));
    let tasks = Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("ros-tasks")
        .enable_time()
        .build()
        .map_err(thread_failed)?;
    let on_change = {
        let (parameters, settings) = (parameters.clone(), settings.clone());
        Arc::new(move || *settings.lock().unwrap_or_else(PoisonError::into_inner) = Settings::new(&parameters, preset))
    };
    parameter_services::serve(&mut node, &parameters, on_change, tasks.handle())
        .map_err(|error| RosError::new("ROS parameters", format!("cannot be offered: {error}")))?;
    services::serve(&mut node, preset, &outbox, tasks.handle())?;
    let topics = topics::vehicle_topics(&scene, preset, parameters.flag("force_vehicle_namespace"), driven)?;
    let taken: Vec<String> = topics::published(&scene, &topics, &[]).into_iter().map(|(name, _)| name).collect();
    let wishes = poses::wishes(&scene, &taken);
    let overrides = QosOverrides::new(overrides.iter().map(|(name, value)| (name, value)))?;
    let publishers = {
        let mut announcer = Announcer { node: &mut node, resolver: &resolver, overrides: &overrides };
        Publishers::new(&mut announcer, &scene, &topics, &wishes)?
    };
    let quirk = |name: &str| preset.with_quirks && parameters.flag(name);
    if quirk("quirks.parallel_steer") {
        outbox.send(Request::SetParallelSteer(Some(true)));
    }
    let speed_factor = if quirk("quirks.half_speed") { racecar::HALF_SPEED } else { 1.0 };
    let cmd_vel_type = parameters.word("cmd_vel_type");
    let tasks_handle = tasks.handle();
    let to_simulation = (outbox, tasks_handle.clone());
    let commands =
        Commands::new(context, &mut node, (&scene, &topics), &resolver, (&cmd_vel_type, speed_factor), to_simulation)?;
    let (mux, mux_lines) = match preset.has_mux && parameters.flag("builtin_mux") {
        true => {
            let config = node::mux::configuration("mux_config", &parameters.word("mux_config"))?;
            let mut setup = node::Setup::new(&mut node, &resolver, &overrides, parameters.clone());
            (Some(AckermannMux::new(&config, &mut setup)?), setup.into_lines())
        }
        false => (None, Vec::new()),
    };
    if let Some(listener) = &listener {
        hear::subscribe(&mut node, listener, tasks_handle)?;
    }
    let published = topics::published(&scene, &topics, &wishes);
    let interface = interface_lines(&node, &resolver, preset, published, &commands, listener.is_some(), mux_lines);

    let queue = Arc::new(Queue::new(QUEUE_CAPACITY));
    let stop = Arc::new(AtomicBool::new(false));
    let now: Now = Arc::default();
    let (finish, finished) = mpsc::channel::<()>();
    let publisher = std::thread::Builder::new().name("ros-publish".to_owned()).spawn({
        let (queue, finish) = (queue.clone(), finish.clone());
        move || {
            // However the thread ends, the sink is told, and `shutdown` too.
            let _close = CloseOnDrop(queue.clone());
            let _finish = finish;
            publishers.run(&queue);
        }
    });
    let publisher = publisher.map_err(thread_failed)?;
    let spinner = std::thread::Builder::new().name("ros-spin".to_owned()).spawn({
        let (stop, parameters, now) = (stop.clone(), parameters.clone(), now.clone());
        move || {
            let _finish = finish;
            spin(node, commands, mux.map(|mux| (mux, now)), &parameters, &stop);
        }
    });
    let spinner = spinner.map_err(thread_failed)?;
    Ok(Bridge {
        queue,
        settings,
        wishes,
        now,
        parameters,
        preset,
        interface,
        stop,
        finished,
        spinner: Some(spinner),
        publisher: Some(publisher),
        tasks: Some(tasks),
    })
}

impl Bridge {
    /// A sink for the runner. It fails once the bridge has been shut down.
    pub fn sink(&mut self) -> Box<dyn Sink> {
        Box::new(RosSink::new(self.queue.clone(), self.settings.clone(), self.wishes.clone(), self.now.clone()))
    }

    /// The rate that the parameters ask for at the start. The requests for the command timeout and the range noise are
    /// in the outbox already.
    pub fn initial_rate(&self) -> Rate {
        settings::rate(&self.parameters)
    }

    /// The names that it publishes under, with the quirks that the parameters ask for.
    pub fn preset(&self) -> &'static Preset {
        self.preset
    }

    /// How often it publishes odometry, as its parameters have it at the start [Hz].
    pub fn odometry_rate(&self) -> f64 {
        self.parameters.number("odom_rate")
    }

    /// What it publishes, what it listens to and how to drive it, for people to read.
    pub fn interface_lines(&self) -> Vec<String> {
        self.interface.clone()
    }

    /// Ends the node's threads, within half a second even if the middleware hangs.
    pub fn shutdown(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.queue.close();
        let deadline = Instant::now() + Duration::from_millis(400);
        // Both ends of the channel are dropped when both threads have returned.
        let ended = loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.finished.recv_timeout(left) {
                Ok(()) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break true,
                Err(mpsc::RecvTimeoutError::Timeout) => break false,
            }
        };
        for thread in [self.publisher.take(), self.spinner.take()].into_iter().flatten() {
            if ended && thread.join().is_err() {
                tracing::warn!("ROS: a thread of the node has panicked");
            }
        }
        if let Some(tasks) = self.tasks.take() {
            tasks.shutdown_background();
        }
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        if self.tasks.is_some() {
            self.end();
        }
    }
}

struct CloseOnDrop(Arc<Queue<Snapshot>>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn spin(
    mut node: Node,
    mut commands: Commands,
    mut mux: Option<(AckermannMux, Now)>,
    parameters: &Parameters,
    stop: &AtomicBool,
) {
    let mut looked: Option<Instant> = None;
    let mut told_of_clocks = false;
    while !stop.load(Ordering::Relaxed) {
        node.spin_once(SPIN);
        if let Some((mux, now)) = &mut mux {
            let time = SimTime(now.time.load(Ordering::Acquire));
            // Before the first frame nobody knows of drivers, and no car moves.
            mux.hold_default(time <= SimTime::ZERO || now.has_driver.load(Ordering::Relaxed));
            mux.turn(time);
        }
        if looked.is_none_or(|at| at.elapsed() >= LOOK) {
            looked = Some(Instant::now());
            commands.follow_graph(&node);
            if !told_of_clocks && parameters.flag("publish_clock") {
                told_of_clocks = tell_of_other_clocks(&node);
            }
        }
    }
}

/// Warns when somebody else publishes `/clock` too: every listener's time would jump back and forth. True when it did.
fn tell_of_other_clocks(node: &Node) -> bool {
    let Ok(publishers) = node.get_publishers_info_by_topic(topics::CLOCK_TOPIC, false) else { return false };
    if publishers.len() < 2 {
        return false;
    }
    tracing::warn!(
        "topic \"{}\": {} nodes of this ROS domain publish it\n  accepted: one clock\n  hint: end the other simulation, give \
         this one a ROS_DOMAIN_ID of its own, or set the parameter publish_clock to false",
        topics::CLOCK_TOPIC,
        publishers.len()
    );
    true
}

/// r2r panics when rcl refuses to start; this says the same as an error.
fn create_context() -> Result<Context, RosError> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(Context::create));
    std::panic::set_hook(hook);
    let reason = match outcome {
        Ok(Ok(context)) => return Ok(context),
        Ok(Err(error)) => error.to_string(),
        Err(panic) => panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_else(|| "no reason given".to_owned()),
    };
    Err(RosError::new("ROS client library", format!("cannot start: {}", without_source_lines(&reason)))
        .hint("check --ros-args and the environment variables ROS_… and RMW_…"))
}

/// What rcl says, less the places in its own sources.
fn without_source_lines(reason: &str) -> &str {
    let line = reason.lines().next().unwrap_or_default();
    line.split(", at /").next().unwrap_or_default().trim_end_matches('.')
}

/// Fast DDS ends the whole process when the domain is so high that it has no ports.
fn check_domain(domain: Option<&str>) -> Result<(), RosError> {
    let Some(domain) = domain.filter(|domain| !domain.is_empty()) else { return Ok(()) };
    match domain.parse::<u32>() {
        Ok(0..=232) => Ok(()),
        _ => Err(RosError::new("ROS_DOMAIN_ID", format!("found \"{domain}\""))
            .accepted("a whole number from 0 to 232")
            .hint("0 to 101 are safe on every system")),
    }
}

/// Distribution, full name and domain of a node, for people to read.
fn identity_line(node: &Node) -> String {
    let domain = std::env::var("ROS_DOMAIN_ID").unwrap_or_else(|_| "0".to_owned());
    format!("ROS 2 {}: node {}, domain {domain}", r2r::ROS_DISTRO, node.fully_qualified_name().unwrap_or_default())
}

/// Appends names and their types under a title.
fn append_section(lines: &mut Vec<String>, title: &str, entries: Vec<(String, String)>) {
    let width = entries.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (index, (name, kind)) in entries.iter().enumerate() {
        let title = if index == 0 { title } else { "" };
        lines.push(format!("  {title:<10} {name:<width$}  {kind}"));
    }
}

fn interface_lines(
    node: &Node,
    resolver: &Resolver,
    preset: &Preset,
    published: Vec<(String, &'static str)>,
    commands: &Commands,
    hears_trackers: bool,
    mux_lines: Vec<String>,
) -> Vec<String> {
    let mut lines = vec![identity_line(node)];
    let mut section = |title: &str, entries| append_section(&mut lines, title, entries);
    section(
        "publishes",
        published.into_iter().map(|(name, kind)| (resolver.resolve(&name), kind.to_owned())).collect(),
    );
    let heard = commands.interface();
    let recorded = hear::HEARD.iter().filter(|_| hears_trackers).map(|(name, kind)| (resolver.resolve(name), *kind));
    let listens = heard.iter().map(|(_, topic, kind)| (topic.clone(), *kind)).chain(recorded);
    section("listens to", listens.map(|(topic, kind)| (topic, kind.to_owned())).collect());
    let offered = services::offered(preset).map(|(name, kind)| (resolver.resolve(name), kind.to_owned()));
    section("offers", offered.collect());
    let has_mux = !mux_lines.is_empty();
    if has_mux {
        lines.push("  command multiplexer".to_owned());
        lines.extend(mux_lines);
    }
    if let Some((_, topic, kind)) = heard.first() {
        let topic = if has_mux { resolver.resolve(racecar::NAVIGATION) } else { topic.clone() };
        let values = match *kind {
            subscribe::ACKERMANN_TYPE => "{drive: {speed: 1.0, steering_angle: 0.2}}",
            "geometry_msgs/msg/TwistStamped" => "{twist: {linear: {x: 0.5}, angular: {z: 0.2}}}",
            _ => "{linear: {x: 0.5}, angular: {z: 0.2}}",
        };
        lines.push(format!("  drive it   ros2 topic pub -r 10 {topic} {kind} '{values}'"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_without_ports_are_refused() {
        assert_eq!(check_domain(None), Ok(()));
        assert_eq!(check_domain(Some("")), Ok(()));
        assert_eq!(check_domain(Some("232")), Ok(()));
        for bad in ["233", "-1", "abc", "1.5"] {
            let error = check_domain(Some(bad)).unwrap_err();
            assert_eq!(error.place, "ROS_DOMAIN_ID");
            assert_eq!(error.found, format!("found \"{bad}\""));
        }
    }

    #[test]
    fn reasons_come_without_places_in_foreign_sources() {
        let reason = "Couldn't parse remap rule: '-r x'. Error: no, at /project/a.c:239, at /project/b.c:380\nmore";
        assert_eq!(without_source_lines(reason), "Couldn't parse remap rule: '-r x'. Error: no");
    }
}
