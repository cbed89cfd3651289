//! The publisher thread: turns snapshots into messages and hands them to the middleware: transforms first, then `/clock`, then the
//! data of that instant. So a transform at the time of the newest clock, or of the newest data, can always be looked up.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use r2r::{Node, PublisherUntyped};

use super::clock_limit::ClockLimit;
use super::queue::Queue;
use super::snapshot::PublishSnapshot;
use super::transforms::TransformPublishers;
use super::vehicle::VehiclePublishers;
use crate::guard::Guard;
use crate::interface::names::TfTopics;
use crate::interface::poses::PosePublication;
use crate::message::{
    self, Announce, AnyMessage, Clock, Kind, MapMessages, Message, PoseMessages, Quality, TopicChannel, fill,
};
use crate::ros::error::RosError;
use crate::ros::graph::names::Resolver;
use crate::ros::graph::topic_layout::TopicLayout;
use crate::ros::graph::topics::{CLOCK_TOPIC, qos};
use crate::ros::parameters::qos_overrides::{End, QosOverrides};
use crate::ros::throttle::Throttle;
use crate::time::SimTime;
use crate::world::EntityId;

/// How often the subscribers of the clock are counted.
const LOOK: Duration = Duration::from_millis(100);

/// Sends the messages of one topic to the middleware, as the bytes that readers get.
#[derive(Debug)]
pub struct Publisher {
    name: String,
    untyped: PublisherUntyped,
    /// The last message, kept for its buffer.
    bytes: Vec<u8>,
    complaint: Throttle,
}

/// A topic of the node.
pub type RosTopic<M> = message::TopicWriter<Publisher, M>;

/// Larger buffers [bytes] are not kept: such messages are rare.
const LARGEST_BUFFER: usize = 1 << 20;

impl TopicChannel for Publisher {
    type Output = ();
    type Error = Infallible;

    /// A failure is reported, at most every five seconds.
    fn send(&mut self, (): &mut (), _: SimTime, message: &dyn AnyMessage) -> Result<(), Infallible> {
        self.bytes.clear();
        let written = message.append_to(&mut self.bytes).map_err(|error| error.to_string());
        let sent = written.and_then(|()| self.untyped.publish_raw(&self.bytes).map_err(|error| error.to_string()));
        if let Err(error) = sent
            && self.complaint.is_due(Instant::now())
        {
            tracing::warn!("topic \"{}\": could not publish: {error}", self.name);
        }
        if self.bytes.capacity() > LARGEST_BUFFER {
            self.bytes = Vec::new();
        }
        Ok(())
    }
}

impl<M: Message> RosTopic<M> {
    /// Whether the topic has subscribers, as far as is known.
    pub fn has_subscribers(&self) -> bool {
        self.channel.untyped.get_inter_process_subscription_count().unwrap_or(1) > 0
    }

    /// Publishes the current message.
    pub fn publish(&mut self) {
        let Ok(()) = self.send(&mut (), SimTime::ZERO);
    }
}

/// Whether this message type was available at build time.
pub fn is_known(kind: &str) -> bool {
    r2r::WrappedNativeMsgUntyped::new_from(kind).is_ok()
}

/// Destroys a publisher.
pub type Teardown = Box<dyn FnOnce(&mut Node) + Send>;

/// Creates publishers, with the quality of service that the parameters ask for.
pub struct Announcer<'a> {
    node: &'a mut Node,
    /// Gives the full names.
    pub resolver: &'a Resolver,
    /// What the parameters ask for.
    pub overrides: &'a QosOverrides,
    teardowns: Vec<Teardown>,
}

impl<'a> Announcer<'a> {
    /// Announces on `node`, whose names `resolver` gives, with the qualities that `overrides` ask for.
    pub fn new(node: &'a mut Node, resolver: &'a Resolver, overrides: &'a QosOverrides) -> Announcer<'a> {
        Announcer { node, resolver, overrides, teardowns: Vec::new() }
    }

    /// The node, to subscribe to something.
    pub fn node(&mut self) -> &mut Node {
        self.node
    }

    /// The closures that destroy all publishers created here.
    pub fn into_teardowns(self) -> Vec<Teardown> {
        self.teardowns
    }

    /// Announces a topic of a type that is always known, on which `message` is sent again and again.
    pub fn topic<M: Message>(&mut self, name: &str, quality: Quality, message: M) -> Result<RosTopic<M>, RosError> {
        Ok(RosTopic { channel: self.publisher(name, M::TYPE, quality)?, message })
    }

    fn publisher(&mut self, relative: &str, kind: &str, quality: Quality) -> Result<Publisher, RosError> {
        let name = self.resolver.resolve(relative);
        let qos = self.overrides.apply(&name, End::Publisher, qos(quality));
        // The client library resolves names itself and would remap a full one once more.
        let untyped = self
            .node
            .create_publisher_untyped(relative, kind, qos)
            .map_err(|error| RosError::new(format!("topic \"{name}\""), format!("cannot publish: {error}")))?;
        let same = untyped.clone();
        self.teardowns.push(Box::new(move |node| node.destroy_publisher_untyped(same)));
        Ok(Publisher { name, untyped, bytes: Vec::new(), complaint: Throttle::new(Duration::from_secs(5)) })
    }
}

impl Announce for Announcer<'_> {
    type Channel = Publisher;
    type Error = RosError;

    /// None, with a warning, for message types that were not available at build time.
    fn channel(&mut self, name: &str, kind: Kind, quality: Quality) -> Result<Option<Publisher>, RosError> {
        let kind = kind.name;
        if is_known(kind) {
            return self.publisher(name, kind, quality).map(Some);
        }
        let package = kind.split('/').next().unwrap_or_default();
        tracing::warn!(
            "topic \"{name}\": off, this skidpad was built without {kind}\n  hint: install {package}, source it, and build again"
        );
        Ok(None)
    }
}

/// Publishes its own topics at each snapshot.
pub trait NodeOutput: Send {
    /// Publishes what is due, after the clock and the vehicles.
    fn publish(&mut self, snapshot: &PublishSnapshot);
}

/// Publishers that are created and destroyed together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PublisherGroup {
    /// The map with this index.
    Map(usize),
    /// The transforms on these topics.
    Transforms(TfTopics),
    /// A vehicle's topics.
    Vehicle(EntityId),
    /// The topics of one `<publish>`: pose, relative poses, and the names of the others.
    Poses(PoseKey),
}

/// What tells the topics of one `<publish>` from others: the body's name, its topics, and the names of the others.
pub type PoseKey = (String, [Option<String>; 2], Vec<String>);

/// The key of a wish of the world.
pub fn pose_key(wish: &PosePublication) -> PoseKey {
    let topics = [wish.pose_topic.clone(), wish.relative_topic.clone()];
    (wish.name.clone(), topics, wish.others.iter().map(|(_, name)| name.clone()).collect())
}

/// A group of publishers that has been created, for the publisher thread.
pub enum CreatedPublishers {
    /// The publishers of a map.
    Map(usize, Box<MapMessages<Publisher>>),
    /// The publishers of transforms.
    Transforms(TfTopics, Box<TransformPublishers>),
    /// The publishers of a vehicle.
    Vehicle(EntityId, Box<VehiclePublishers>),
    /// The publishers of one `<publish>`.
    Poses(PoseKey, Box<PoseMessages<Publisher>>),
}

/// A request of the publisher thread to the thread that owns the node.
pub enum Job {
    /// Create the publishers of this layout that are missing.
    Follow(Arc<TopicLayout>),
    /// Destroy these publishers: nothing more is published on them.
    Retire(PublisherGroup),
}

/// All publishers of the node.
pub struct Publishers {
    clock: RosTopic<Clock>,
    clock_limit: ClockLimit,
    /// Whether anybody listens to the clock, for those who ask, and when that was last looked at.
    is_followed: (Arc<AtomicBool>, Throttle),
    layout: Arc<TopicLayout>,
    maps: BTreeMap<usize, Box<MapMessages<Publisher>>>,
    transforms: BTreeMap<TfTopics, Box<TransformPublishers>>,
    vehicles: BTreeMap<EntityId, Box<VehiclePublishers>>,
    poses: BTreeMap<PoseKey, Box<PoseMessages<Publisher>>>,
    /// The keys of the layout's `<publish>` entries.
    pose_keys: Vec<PoseKey>,
    outputs: Vec<Box<dyn NodeOutput>>,
    made: mpsc::Receiver<CreatedPublishers>,
    jobs: mpsc::Sender<Job>,
}

impl Publishers {
    /// Publishes the clock and `outputs`, and what comes in by `made`, which is asked for by `jobs` whenever the stage is another
    /// than it was, at first `stage`.
    pub fn new(
        on: &mut Announcer<'_>,
        layout: &Arc<TopicLayout>,
        outputs: Vec<Box<dyn NodeOutput>>,
        (made, jobs): (mpsc::Receiver<CreatedPublishers>, mpsc::Sender<Job>),
    ) -> Result<Publishers, RosError> {
        Ok(Publishers {
            clock: on.topic(CLOCK_TOPIC, Quality::Data, Clock::default())?,
            clock_limit: ClockLimit::default(),
            is_followed: (Arc::default(), Throttle::new(LOOK)),
            layout: layout.clone(),
            maps: BTreeMap::new(),
            transforms: BTreeMap::new(),
            vehicles: BTreeMap::new(),
            poses: BTreeMap::new(),
            pose_keys: layout.wishes.iter().map(pose_key).collect(),
            outputs,
            made,
            jobs,
        })
    }

    /// Whether any other node listens to the clock, kept up to date as long as that is published.
    pub fn is_followed(&self) -> Arc<AtomicBool> {
        self.is_followed.0.clone()
    }

    /// Publishes what comes out of `queue` until it is closed. However this ends, the queue is closed afterwards.
    pub fn run(mut self, queue: &Queue<PublishSnapshot>) {
        let _close = CloseOnDrop(queue);
        let mut lost = 0;
        let mut complaint = Throttle::new(Duration::from_secs(5));
        let guard = Guard::new("publishing");
        while let Some(snapshot) = queue.pop() {
            guard.run(|| self.publish(&snapshot));
            queue.recycle(snapshot);
            let dropped = queue.dropped();
            if dropped > lost && complaint.is_due(Instant::now()) {
                tracing::warn!("publishing does not keep up: {} instants skipped", dropped - lost);
                lost = dropped;
            }
        }
    }

    fn publish(&mut self, snapshot: &PublishSnapshot) {
        if let Some(layout) = snapshot.layout.as_ref().filter(|layout| !Arc::ptr_eq(layout, &self.layout)) {
            self.follow(layout);
        }
        self.take_made();
        let time = snapshot.time;
        let clock = snapshot.clock && self.clock_limit.lets(snapshot.may_wait, Instant::now());
        // The start itself is not published.
        let has_begun = snapshot.time > SimTime::ZERO;
        if has_begun && snapshot.static_transforms {
            self.transforms.values_mut().for_each(|transforms| transforms.publish_fixed(time, &self.layout));
        }
        // Transforms of a skipped clock would be of no use.
        if clock || !snapshot.may_wait {
            self.transforms.values_mut().for_each(|transforms| transforms.publish(snapshot));
        }
        if clock {
            self.clock.message.clock = fill::stamp(time);
            self.clock.publish();
            let (is_followed, looks) = &mut self.is_followed;
            if looks.is_due(Instant::now()) {
                is_followed.store(self.clock.has_subscribers(), Ordering::Relaxed);
            }
        }
        if has_begun {
            self.publish_maps(time);
        }
        let vehicles = &self.layout.scene.vehicles;
        for (index, info) in vehicles.iter().enumerate() {
            if let Some(publishers) = self.vehicles.get_mut(&info.id) {
                publishers.publish(snapshot, index);
            }
        }
        for reading in snapshot.sensors.iter().filter(|reading| reading.fresh) {
            let id = vehicles.get(reading.reading.vehicle).map(|info| info.id);
            if let Some(publishers) = id.and_then(|id| self.vehicles.get_mut(&id)) {
                publishers.publish_reading(&reading.reading);
            }
        }
        for (poses, key) in snapshot.poses.iter().zip(&self.pose_keys).filter(|(poses, _)| poses.fresh) {
            if let Some(publishers) = self.poses.get_mut(key) {
                let Ok(()) = publishers.send(&mut (), time, poses);
            }
        }
        self.outputs.iter_mut().for_each(|output| output.publish(snapshot));
    }

    fn publish_maps(&mut self, time: SimTime) {
        for (index, map) in self.layout.scene.maps.iter().enumerate() {
            if let Some(publishers) = self.maps.get_mut(&index) {
                let Ok(()) = publishers.send(&mut (), time, map);
            }
        }
    }

    /// Lets go of what the stage does not have any more, and asks for what it has that was not there.
    fn follow(&mut self, layout: &Arc<TopicLayout>) {
        self.layout = layout.clone();
        self.pose_keys = layout.wishes.iter().map(pose_key).collect();
        let wanted = layout.parts();
        retire(&mut self.maps, PublisherGroup::Map, &wanted, &self.jobs);
        retire(&mut self.transforms, PublisherGroup::Transforms, &wanted, &self.jobs);
        retire(&mut self.vehicles, PublisherGroup::Vehicle, &wanted, &self.jobs);
        retire(&mut self.poses, PublisherGroup::Poses, &wanted, &self.jobs);
        self.transforms.iter_mut().for_each(|(topics, transforms)| transforms.follow(topics, layout));
        // Without a receiver the node is about to end.
        drop(self.jobs.send(Job::Follow(layout.clone())));
    }

    /// Takes what has been put on the graph, unless it has become superfluous meanwhile.
    fn take_made(&mut self) {
        let mut wanted = None;
        while let Ok(made) = self.made.try_recv() {
            let part = made.part();
            if !wanted.get_or_insert_with(|| self.layout.parts()).contains(&part) {
                drop(self.jobs.send(Job::Retire(part)));
                continue;
            }
            match made {
                CreatedPublishers::Map(index, map) => drop(self.maps.insert(index, map)),
                CreatedPublishers::Vehicle(id, vehicle) => drop(self.vehicles.insert(id, vehicle)),
                CreatedPublishers::Poses(key, poses) => drop(self.poses.insert(key, poses)),
                CreatedPublishers::Transforms(topics, mut transforms) => {
                    transforms.follow(&topics, &self.layout);
                    self.transforms.insert(topics, transforms);
                }
            }
        }
    }
}

impl CreatedPublishers {
    fn part(&self) -> PublisherGroup {
        match self {
            CreatedPublishers::Map(index, _) => PublisherGroup::Map(*index),
            CreatedPublishers::Transforms(topics, _) => PublisherGroup::Transforms(topics.clone()),
            CreatedPublishers::Vehicle(id, _) => PublisherGroup::Vehicle(*id),
            CreatedPublishers::Poses(key, _) => PublisherGroup::Poses(key.clone()),
        }
    }
}

/// Drops the publishers of the parts that are not wanted, and has them taken off the graph.
fn retire<K: Clone + Ord, T>(
    have: &mut BTreeMap<K, T>,
    part: fn(K) -> PublisherGroup,
    wanted: &BTreeSet<PublisherGroup>,
    jobs: &mpsc::Sender<Job>,
) {
    have.retain(|key, _| {
        let part = part(key.clone());
        let stays = wanted.contains(&part);
        if !stays {
            drop(jobs.send(Job::Retire(part)));
        }
        stays
    });
}

struct CloseOnDrop<'a>(&'a Queue<PublishSnapshot>);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}
