//! Listens to the topics of external trackers for a recording of the run, in a thread and with a node of its own for each.
//!
//! Nothing of them may be lost. r2r hands over one message of each subscription per spin, and keeps ten for whoever takes them; so each
//! thread does nothing but spin and take, and the middleware keeps thousands for it. A reliable subscription does not receive what a best-effort
//! publisher sends, while a best-effort one receives everything, but may lose it. So there is one of either kind: the recording takes the messages
//! of the reliable one until a best-effort publisher is there, and from then on those of the other. Up to then the latter's are kept as long as
//! the reliable one has not delivered them, and none is lost and none is recorded twice at the change. Where all publishers are transient local and nothing has
//! come yet, both subscriptions become so too, and get what was published before them.
//!
//! The runner is told when somebody publishes on a topic and when a message is recorded, for which [lockstep](OutsideTopic) waits.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use r2r::qos::{DurabilityPolicy, ReliabilityPolicy};
use r2r::{Context, Node, QosProfile};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::reported_once::ReportedOnce;
use skidpad_record::{EXTERNAL_TOPICS, ExternalInput};
use skidpad_ros_data::interface::names::token;
use skidpad_ros_data::message::{self, Message, cdr};
use skidpad_run::guard::Guard;
use skidpad_run::runner::{Outbox, PeerTopic, TopicNews};

use crate::error::{self, RosError};
use crate::graph::names::Resolver;
use crate::graph::peers;
use crate::shutdown::Progress;

/// Type of the messages.
pub(crate) const TRACKER_TYPE: &str = message::Float64MultiArray::TYPE;
/// Name of the nodes before the topic's; the underscore keeps them out of `ros2 node list`.
const NODE: &str = "_skidpad_record";
/// Messages that the middleware keeps for a thread that is late: a minute of a controller at 100 Hz.
const DEPTH: usize = 6000;
/// How long a thread waits for a message at a time, before there is a publisher; afterwards [`GRAPH_PERIOD`] bounds it.
const SPIN_TIMEOUT: Duration = Duration::from_millis(20);
/// Period of the looks for publishers, once there is one.
const GRAPH_PERIOD: Duration = Duration::from_millis(200);

/// The threads that listen.
pub(crate) struct TrackerListeners {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl TrackerListeners {
    /// Subscribes to the topics of external trackers, and passes their messages to `input` and the news of them to `outbox`.
    ///
    /// # Errors
    /// A topic that cannot be subscribed to.
    pub fn start(
        context: &Context,
        resolver: &Resolver,
        input: &ExternalInput,
        outbox: &Outbox,
        progress: &Progress,
    ) -> Result<TrackerListeners, RosError> {
        let mut listeners = TrackerListeners { stop: Arc::default(), threads: Vec::new() };
        let wanted = EXTERNAL_TOPICS.into_iter().enumerate().filter(|(index, _)| input.takes(*index));
        for (index, name) in wanted {
            let resolved = resolver.resolve(name);
            let listener = TopicListener {
                context: context.clone(),
                index,
                name,
                topic: PeerTopic::new(&resolved),
                input: input.clone(),
                outbox: outbox.clone(),
                is_latched: false,
                reported: ReportedOnce::default(),
                stop: Arc::clone(&listeners.stop),
                progress: progress.clone(),
            };
            let (sender, receiver) = mpsc::channel();
            let thread = std::thread::Builder::new().name("ros-record".to_owned()).spawn(move || listener.run(&sender));
            listeners.threads.push(thread.map_err(|cause| error::thread(&cause))?);
            receiver.recv().unwrap_or_else(|_| Err(RosError::new("ROS", "a thread that listens has ended")))?;
        }
        Ok(listeners)
    }
}

impl Drop for TrackerListeners {
    /// The nodes are gone afterwards, before the process takes the middleware down.
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // A panic has been reported already.
        self.threads.drain(..).for_each(|thread| drop(thread.join()));
    }
}

/// Listens to one topic.
struct TopicListener {
    context: Context,
    /// Its index in [`EXTERNAL_TOPICS`].
    index: usize,
    name: &'static str,
    topic: PeerTopic,
    input: ExternalInput,
    outbox: Outbox,
    /// Whether the subscriptions are transient local.
    is_latched: bool,
    /// Problems already reported.
    reported: ReportedOnce,
    stop: Arc<AtomicBool>,
    progress: Progress,
}

type Messages = BoxStream<'static, Vec<u8>>;

impl TopicListener {
    /// Listens until it is stopped; signals on `ready` that it has subscribed, or why it cannot.
    fn run(mut self, ready: &mpsc::Sender<Result<(), RosError>>) {
        let guard = Guard::new(format!("the recording of {}", self.topic.name()));
        let mut merged = Merged::default();
        while !self.stop.load(Ordering::Relaxed) {
            match self.open() {
                Ok((node, messages)) => {
                    drop(ready.send(Ok(())));
                    guard.run(|| self.listen(node, messages, &mut merged));
                    self.progress.note();
                }
                Err(problem) => {
                    if ready.send(Err(problem.clone())).is_err() {
                        self.complain(&problem.hint("skidpad keeps trying"));
                    }
                    std::thread::sleep(GRAPH_PERIOD);
                }
            }
        }
    }

    /// A node with the reliable and the best-effort subscription.
    fn open(&self) -> Result<(Node, [Messages; 2]), RosError> {
        let failed = |cause| error::subscription(self.topic.name(), &cause);
        let mut node =
            Node::create(self.context.clone(), &format!("{NODE}_{}", token(self.name)), "").map_err(failed)?;
        let deep = QosProfile::default().keep_last(DEPTH);
        let qos = if self.is_latched { deep.transient_local() } else { deep };
        let reliable = node.subscribe_raw(self.name, TRACKER_TYPE, qos.clone()).map_err(failed)?.boxed();
        let best_effort = node.subscribe_raw(self.name, TRACKER_TYPE, qos.best_effort()).map_err(failed)?.boxed();
        Ok((node, [reliable, best_effort]))
    }

    /// Listens until it is stopped or the subscriptions have to change.
    fn listen(&mut self, mut node: Node, [mut reliable, mut best_effort]: [Messages; 2], merged: &mut Merged) {
        let mut is_published = false;
        let mut looked: Option<Instant> = None;
        while !self.stop.load(Ordering::Relaxed) {
            node.spin_once(SPIN_TIMEOUT);
            while let Some(Some(message)) = reliable.next().now_or_never() {
                self.record(merged.reliable(message));
            }
            while let Some(Some(message)) = best_effort.next().now_or_never() {
                self.record(merged.best_effort(message));
            }
            let period = if is_published && merged.is_settled() { GRAPH_PERIOD } else { SPIN_TIMEOUT };
            if looked.is_some_and(|looked| looked.elapsed() < period) {
                continue;
            }
            looked = Some(Instant::now());
            let Some(offered) = self.offers(&node) else { continue };
            if std::mem::replace(&mut is_published, !offered.is_empty()) != is_published {
                self.sender(if is_published { TopicNews::Published } else { TopicNews::Gone });
            }
            if offered.iter().any(|offer| offer.is_best_effort) {
                merged.take_best_effort().into_iter().for_each(|message| self.record(Some(message)));
            }
            let are_latched = !offered.is_empty() && offered.iter().all(|offer| offer.is_latched);
            // After a first message, those from before would come twice.
            if are_latched != self.is_latched && !offered.is_empty() && !(are_latched && merged.has_heard) {
                self.is_latched = are_latched;
                return;
            }
        }
    }

    /// What the publishers of the topic offer, as far as it is heard; none: that is not known.
    fn offers(&mut self, node: &Node) -> Option<Vec<Offer>> {
        let ends = node.get_publishers_info_by_topic(self.topic.name(), false).ok()?;
        let mut offers = Vec::with_capacity(ends.len());
        for end in &ends {
            let is_heard = end.topic_type == TRACKER_TYPE;
            let is_best_effort = end.qos_profile.reliability == ReliabilityPolicy::BestEffort;
            let problem = match (is_heard, is_best_effort) {
                (false, _) => Some((format!("publishes {}, which is not recorded", end.topic_type), TRACKER_TYPE)),
                (true, true) => Some(("publishes best effort: lost messages are not recorded".to_owned(), "reliable")),
                (true, false) => None,
            };
            let node = peers::full_name(&end.node_namespace, &end.node_name);
            if let Some((node, (found, accepted))) = node.zip(problem) {
                let place = format!("topic \"{}\"", self.topic.name());
                self.complain(&Diagnostic::new(place, format!("node \"{node}\" {found}")).accepted(accepted));
            }
            if is_heard {
                let is_latched = end.qos_profile.durability == DurabilityPolicy::TransientLocal;
                offers.push(Offer { is_best_effort, is_latched });
            }
        }
        Some(offers)
    }

    fn sender(&self, news: TopicNews) {
        // A simulation that has ended needs none.
        let _ = self.outbox.tell(&self.topic, news);
    }

    /// Records a message, if it is to be.
    fn record(&mut self, message: Option<Vec<u8>>) {
        let Some(message) = message else { return };
        match cdr::read::<message::Float64MultiArray>(&message) {
            Ok(array) => {
                self.input.record(self.index, array.data);
                self.sender(TopicNews::Heard(1));
            }
            Err(cause) => {
                let found = format!("a message is not recorded: {cause}");
                self.complain(
                    &Diagnostic::new(format!("topic \"{}\"", self.topic.name()), found).accepted(TRACKER_TYPE),
                );
            }
        }
    }

    /// Tells a problem once.
    fn complain(&mut self, problem: &Diagnostic) {
        if let Some(problem) = self.reported.first(&problem.to_string()) {
            tracing::warn!("{problem}");
        }
    }
}

/// What a publisher offers.
struct Offer {
    is_best_effort: bool,
    is_latched: bool,
}

/// The messages of a reliable and of a best-effort subscription to the same topic, each once.
#[derive(Default)]
struct Merged {
    /// Whether those of the best-effort one count.
    takes_best_effort: bool,
    /// Those that only the reliable one has delivered so far.
    reliable_only: VecDeque<Vec<u8>>,
    /// Those that only the best-effort one has delivered so far.
    best_effort_only: VecDeque<Vec<u8>>,
    /// Whether there has been any message.
    has_heard: bool,
}

impl Merged {
    /// A message of the reliable subscription; none if it counts elsewhere.
    fn reliable(&mut self, message: Vec<u8>) -> Option<Vec<u8>> {
        self.has_heard = true;
        if self.takes_best_effort {
            return None;
        }
        if !take(&mut self.best_effort_only, &message) {
            put(&mut self.reliable_only, message.clone());
        }
        Some(message)
    }

    /// A message of the best-effort subscription; none if it counts elsewhere, or not yet.
    fn best_effort(&mut self, message: Vec<u8>) -> Option<Vec<u8>> {
        self.has_heard = true;
        if take(&mut self.reliable_only, &message) {
            return None;
        }
        if self.takes_best_effort {
            return Some(message);
        }
        put(&mut self.best_effort_only, message);
        None
    }

    /// Whether the reliable subscription has delivered everything that the other one has.
    fn is_settled(&self) -> bool {
        self.best_effort_only.is_empty()
    }

    /// Takes the messages of the best-effort subscription from now on; returns those that only it has delivered.
    fn take_best_effort(&mut self) -> VecDeque<Vec<u8>> {
        self.takes_best_effort = true;
        std::mem::take(&mut self.best_effort_only)
    }
}

/// Takes out a message of the same bytes, if there is one.
fn take(messages: &mut VecDeque<Vec<u8>>, message: &[u8]) -> bool {
    let place = messages.iter().position(|other| *other == message);
    place.and_then(|place| messages.remove(place)).is_some()
}

/// Adds a message in place of the oldest if there are [`DEPTH`].
fn put(messages: &mut VecDeque<Vec<u8>>, message: Vec<u8>) {
    if messages.len() >= DEPTH {
        messages.pop_front();
    }
    messages.push_back(message);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The recorded letters of a course of events: `r` and `b` before a letter are the subscription that delivers it, `!` that a best-effort
    /// publisher is found.
    fn recorded(events: &str) -> String {
        let mut merged = Merged::default();
        let mut all = Vec::new();
        for event in events.split(' ') {
            let message = event.as_bytes()[1..].to_vec();
            match &event[..1] {
                "r" => all.extend(merged.reliable(message)),
                "b" => all.extend(merged.best_effort(message)),
                _ => all.extend(merged.take_best_effort()),
            }
        }
        String::from_utf8(all.concat()).unwrap()
    }

    #[test]
    fn each_message_is_recorded_once_whoever_publishes_it() {
        assert_eq!(recorded("r1 b1 b2 r2 r3 b3 r4"), "1234", "a reliable publisher, in either order");
        assert_eq!(recorded("b1 b2 ! b3 b4"), "1234", "a best-effort one, known after its second message");
        assert_eq!(
            recorded("r1 b1 b2 r3 b4 ! b3 b5 r5 r6 b6"),
            "132456",
            "a best-effort one that joins a reliable one"
        );
        assert_eq!(recorded("r1 b1 r1 b1 b1 ! b1"), "1111", "equal messages are as many as were sent");
        assert_eq!(recorded("r1 r2 b2 b1 r3 b3 !"), "123");
    }
}
