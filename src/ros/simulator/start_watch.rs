//! Lets a run begin once somebody commands its vehicles: parameter `start_when_commanded`; or once nodes and topics are there that a scenario waits for.
//!
//! A controller that begins later than the simulation misses the first messages, and how many depends on the machine. So time stands until each
//! vehicle that lockstep waits for has a node that publishes on one of its command topics, and all these nodes have answered a call. DDS announces
//! what a process offers in order: whoever answers the client of this watch, which came last, knows the publishers of the simulation, and
//! has made its own subscriptions, because it spins.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use futures::FutureExt;
use r2r::rcl_interfaces::srv::GetParameters;
use r2r::{Client, Context, Node, QosProfile};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_run::guard::Guard;
use skidpad_run::runner::{Outbox, Request};

use super::parameters::START_WHEN_COMMANDED;
use crate::error::{self, RosError};
use crate::graph::peers;

/// Name of its node; the underscore keeps it out of `ros2 node list`.
const NODE: &str = "_skidpad_start";
/// How long one turn waits.
const SPIN: Duration = Duration::from_millis(20);
/// Time after which a call that is not answered is repeated: calls to a service that is not known yet are lost.
const CALL_PERIOD: Duration = Duration::from_millis(400);
/// A node that has not answered for so long offers no such service.
const SILENCE: Duration = Duration::from_secs(4);
/// How long nothing may have changed before time begins: what a node has subscribed to comes on another way than its answers.
const SETTLING: Duration = Duration::from_millis(250);

/// What has to be there before time begins, besides commanders.
#[derive(Clone, Debug, Default)]
pub struct StartConditions {
    /// Nodes that answer calls, by their full names.
    pub nodes: Vec<String>,
    /// Topics that somebody publishes on, by their full names.
    pub published: Vec<String>,
    /// How long it waits for all of it.
    pub within: Duration,
    /// Gets the reason why time cannot begin, which whoever reads it ends the run for.
    pub unmet: Arc<OnceLock<Diagnostic>>,
}

/// A vehicle that is to be commanded: its name, and the full names of the topics that it takes commands on.
pub type Commanded = (String, Vec<String>);

/// What the watch needs.
pub(crate) struct StartWatch {
    /// The context of the client library in this process.
    pub context: Context,
    /// The vehicles.
    pub vehicles: Vec<Commanded>,
    /// What a scenario waits for.
    pub conditions: Option<StartConditions>,
    /// Where the request goes that lets time go on.
    pub outbox: Outbox,
    /// How long it waits at most.
    pub timeout: Duration,
    /// Ends it.
    pub stop: Arc<AtomicBool>,
}

impl StartWatch {
    /// Begins to watch in a thread of its own.
    ///
    /// # Errors
    /// The node cannot be created, or the thread not be started.
    pub fn start(self) -> Result<JoinHandle<()>, RosError> {
        let node =
            Node::create(self.context.clone(), NODE, "").map_err(|cause| RosError::new("ROS", cause.to_string()))?;
        let watch = move || Guard::new("the start of the run").run(|| self.watch(node)).unwrap_or_default();
        std::thread::Builder::new().name("ros-start".to_owned()).spawn(watch).map_err(|cause| error::thread(&cause))
    }

    fn watch(&self, mut node: Node) {
        let began = Instant::now();
        let mut peers: BTreeMap<String, Peer> = BTreeMap::new();
        let mut required: BTreeMap<&str, Peer> = BTreeMap::new();
        for name in self.conditions.iter().flat_map(|conditions| &conditions.nodes) {
            required.insert(name, Peer::new(&mut node, name));
        }
        let timeout = self.conditions.as_ref().map_or(self.timeout, |conditions| conditions.within);
        let mut changed = began;
        while !self.stop.load(Ordering::Relaxed) {
            node.spin_once(SPIN);
            let now = Instant::now();
            let missing = self.follow(&mut node, &mut peers, &mut changed);
            let waits = peers.values_mut().filter_map(|peer| (!peer.is_ready(now)).then_some(())).count();
            let absent = self.absent(&node, &mut required, now);
            let is_there = missing.is_empty() && waits == 0 && absent.is_empty();
            if is_there {
                if now - changed >= SETTLING {
                    match self.conditions {
                        Some(_) => tracing::info!("time starts: everything it waits for is ready"),
                        None => {
                            tracing::info!("time starts: commanded by {}", peers::listed(&peers.into_keys().collect()))
                        }
                    }
                    break;
                }
            } else {
                changed = now;
            }
            if now - began >= timeout && !is_there {
                if let Some(conditions) = &self.conditions {
                    let nobody = missing.iter().map(|vehicle| format!("nobody commands {vehicle}"));
                    let silent = (waits > 0).then(|| "no answer from the commanding nodes".to_owned());
                    let all: Vec<String> = absent.into_iter().chain(nobody).chain(silent).collect();
                    let found = format!("{} after {} s", all.join(", "), timeout.as_secs_f64());
                    // Only this thread sets it.
                    let _ = conditions.unmet.set(Diagnostic::new("ready", found).hint("give it more time with within"));
                    return;
                }
                let found = format!(
                    "nobody commands {} after {} s, time starts anyway",
                    missing.join(", "),
                    timeout.as_secs_f64()
                );
                let topics: Vec<&str> =
                    self.vehicles.iter().flat_map(|(_, topics)| topics).map(String::as_str).collect();
                let reported = Diagnostic::new(START_WHEN_COMMANDED, found)
                    .accepted(format!("a publisher on {}", topics.join(" or ")));
                tracing::warn!(diagnostic = reported.as_value());
                break;
            }
        }
        self.outbox.send(Request::Pause(false));
    }

    /// What a scenario waits for and is not there, in words.
    fn absent(&self, node: &Node, required: &mut BTreeMap<&str, Peer>, now: Instant) -> Vec<String> {
        let mut absent: Vec<String> = Vec::new();
        for (name, peer) in required {
            peer.is_ready(now);
            if !peer.is_known {
                absent.push(format!("no answer from node {name}"));
            }
        }
        let topics = self.conditions.iter().flat_map(|conditions| &conditions.published);
        let silent = topics.filter(|topic| peers::publishers_of(node, topic).count == 0);
        absent.extend(silent.map(|topic| format!("no publisher on {topic}")));
        absent
    }

    /// Follows who publishes commands; gives the names of the vehicles that nobody does for.
    fn follow(&self, node: &mut Node, peers: &mut BTreeMap<String, Peer>, changed: &mut Instant) -> Vec<String> {
        let mut missing = Vec::new();
        for (vehicle, topics) in &self.vehicles {
            let all: Vec<_> = topics.iter().map(|topic| peers::publishers_of(node, topic)).collect();
            if all.iter().all(|of_topic| of_topic.names.is_empty()) || all.iter().any(|of_topic| of_topic.unnamed > 0) {
                missing.push(format!("\"{vehicle}\""));
            }
            for name in all.into_iter().flat_map(|of_topic| of_topic.names) {
                peers.entry(name).or_insert_with_key(|name| {
                    *changed = Instant::now();
                    Peer::new(node, name)
                });
            }
        }
        missing
    }
}

type Answer = Pin<Box<dyn Future<Output = r2r::Result<GetParameters::Response>> + Send>>;

/// A node that commands, and a call to it that changes nothing.
struct Peer {
    client: Option<Client<GetParameters::Service>>,
    call: Option<Answer>,
    called: Instant,
    seen: Instant,
    is_known: bool,
}

impl Peer {
    fn new(node: &mut Node, name: &str) -> Peer {
        let client = node.create_client(&format!("{name}/get_parameters"), QosProfile::services_default()).ok();
        let now = Instant::now();
        Peer { client, call: None, called: now, seen: now, is_known: false }
    }

    /// Whether it has answered, or never will.
    fn is_ready(&mut self, now: Instant) -> bool {
        if self.call.as_mut().is_some_and(|call| call.now_or_never().is_some_and(|answer| answer.is_ok())) {
            self.is_known = true;
            self.call = None;
        }
        if !self.is_known && (self.call.is_none() || now - self.called >= CALL_PERIOD) {
            self.called = now;
            let request =
                self.client.as_ref().and_then(|client| client.request(&GetParameters::Request::default()).ok());
            self.call = request.map(|answer| -> Answer { Box::pin(answer) });
        }
        self.is_known || now - self.seen >= SILENCE
    }
}
