//! Orders that wait for somebody who is not there yet: an action server, a node, or somebody who listens.

use std::time::{Duration, Instant};

use r2r::Node;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_scenario::peers::{Absent, Heard, Order};

use crate::graph::peers;
use crate::throttle::Throttle;

/// How often it is looked who else is there.
const LOOK_PERIOD: Duration = Duration::from_millis(500);
/// How long an order waits before whoever it is for is called absent [wall time]: the middleware tells in some milliseconds that they are there.
const GRACE: Duration = Duration::from_millis(100);
/// How long an order waits before the user is told [wall time].
const PATIENCE: Duration = Duration::from_secs(5);
/// The topic on which every node publishes.
const TOPIC_OF_ALL: &str = "/rosout";
/// The end of a topic on which each action server publishes.
const TOPIC_OF_ACTIONS: &str = "/_action/status";

/// Whom an order is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Addressee {
    /// The action server of this full name.
    ActionServer(String),
    /// The node of this full name.
    Node(String),
    /// Whoever subscribes to the topic of this full name.
    Subscriber(String),
}

/// An order that may have to wait.
pub(super) struct Waiting {
    number: usize,
    action: &'static str,
    place: String,
    addressee: Addressee,
    since: Instant,
    throttle: Throttle,
    reported: Option<Absent>,
    is_reported: bool,
}

impl Waiting {
    /// Of an order for these.
    pub(super) fn of(order: &Order, addressee: Addressee) -> Waiting {
        Waiting {
            number: order.number,
            action: order.action,
            place: order.place.clone(),
            addressee,
            since: Instant::now(),
            throttle: Throttle::new(LOOK_PERIOD),
            reported: None,
            is_reported: false,
        }
    }

    /// The place of a problem with the order, in front of what was found.
    pub(super) fn refused(&self, diagnostic: Diagnostic) -> Heard {
        Heard::Refused(diagnostic.at(self.action).at(&self.place))
    }

    /// Tells that they are not there, and who is.
    pub(super) fn goes_on(&mut self, node: &Node, heard: &mut Vec<Heard>) {
        let now = Instant::now();
        if now - self.since < GRACE || !self.throttle.is_due(now) {
            return;
        }
        let absent = self.addressee.absent(node);
        if !self.is_reported && now - self.since >= PATIENCE {
            self.is_reported = true;
            let report = Diagnostic::new(self.action, absent.words((now - self.since).as_secs_f64())).at(&self.place);
            tracing::warn!(diagnostic = report.as_value());
        }
        if self.reported.as_ref() != Some(&absent) {
            self.reported = Some(absent.clone());
            heard.push(Heard::Absent { order: self.number, absent: Some(absent) });
        }
    }

    /// Tells that they are there, or that nobody waits for them any more.
    pub(super) fn is_over(&self, heard: &mut Vec<Heard>) {
        heard.push(Heard::Absent { order: self.number, absent: None });
    }

    /// Goes on where `other`, an earlier order for the same, has waited so far.
    pub(super) fn goes_on_from(&mut self, other: Waiting) {
        (self.since, self.throttle, self.is_reported) = (other.since, other.throttle, other.is_reported);
    }
}

impl Addressee {
    fn absent(&self, node: &Node) -> Absent {
        let nodes = || -> Vec<String> {
            let names = peers::publishers_of(node, TOPIC_OF_ALL).names;
            // Those of this program are hidden.
            names.into_iter().filter(|name| !name.contains("/_")).collect()
        };
        match self {
            Addressee::ActionServer(name) => Absent {
                missing: format!("no action server {name}"),
                kind: "action servers",
                seen: action_servers(node),
            },
            Addressee::Node(name) => {
                let seen = nodes();
                let is_there = seen.contains(name);
                let missing =
                    if is_there { format!("no such service of node node {name}") } else { format!("no node {name}") };
                Absent { missing, kind: "nodes", seen }
            }
            Addressee::Subscriber(topic) => {
                Absent { missing: format!("no subscriber of {topic}"), kind: "nodes", seen: nodes() }
            }
        }
    }
}

/// The full names of all action servers.
fn action_servers(node: &Node) -> Vec<String> {
    let topics = node.get_topic_names_and_types().unwrap_or_default();
    let is_served = |topic: &&String| peers::publishers_of(node, topic).count > 0;
    let with_status = topics.keys().filter(|topic| topic.ends_with(TOPIC_OF_ACTIONS)).filter(is_served);
    let mut names: Vec<String> = with_status.map(|topic| topic.trim_end_matches(TOPIC_OF_ACTIONS).to_owned()).collect();
    names.sort_unstable();
    names
}
