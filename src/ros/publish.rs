//! The publisher thread: turns snapshots into messages and hands them to the middleware: transforms first, then `/clock`, then the
//! data of that instant. Whoever looks up a transform at the time of the newest clock, or of the newest data, finds it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use r2r::builtin_interfaces::msg::Time;
use r2r::geometry_msgs::msg::{PoseStamped, TransformStamped};
use r2r::nav_msgs::msg::{MapMetaData, OccupancyGrid};
use r2r::rosgraph_msgs::msg::Clock;
use r2r::{Node, Publisher, QosProfile, WrappedTypesupport};

use super::clock::ClockLimit;
use super::convert;
use super::error::RosError;
use super::fit;
use super::names::Resolver;
use super::qos_overrides::{End, QosOverrides};
use super::queue::Queue;
use super::snapshot::Snapshot;
use super::stage::Stage;
use super::throttle::Throttle;
use super::topics::{CLOCK_QOS, CLOCK_TOPIC, DATA_QOS, LATCHED_QOS};
use super::transforms::TransformPublishers;
use super::vehicle::VehiclePublishers;
use crate::guard::Guard;
use crate::interface::names::TfTopics;
use crate::interface::poses::{PoseSnapshot, PoseWish};
use crate::raycast;
use crate::time::SimTime;
use crate::world::EntityId;

/// How often it is looked whether anybody listens to the clock.
const LOOK: Duration = Duration::from_millis(100);

/// A publisher and the message that it sends again and again.
pub struct Topic<T: WrappedTypesupport> {
    name: String,
    publisher: Publisher<T>,
    /// The message, kept from one publication to the next.
    pub message: T,
    complaint: Throttle,
}

/// Takes a publisher off the graph again.
pub type TakeOff = Box<dyn FnOnce(&mut Node) + Send>;

/// Puts topics on the graph, with the quality of service that the parameters ask for.
pub struct Announcer<'a> {
    node: &'a mut Node,
    /// Gives the full names.
    pub resolver: &'a Resolver,
    /// What the parameters ask for.
    pub overrides: &'a QosOverrides,
    take_offs: Vec<TakeOff>,
}

impl<'a> Announcer<'a> {
    /// Announces on `node`, whose names `resolver` gives, with the qualities that `overrides` ask for.
    pub fn new(node: &'a mut Node, resolver: &'a Resolver, overrides: &'a QosOverrides) -> Announcer<'a> {
        Announcer { node, resolver, overrides, take_offs: Vec::new() }
    }

    /// The node, to subscribe to something.
    pub fn node(&mut self) -> &mut Node {
        self.node
    }

    /// What takes all that has been announced off the graph.
    pub fn into_take_offs(self) -> Vec<TakeOff> {
        self.take_offs
    }

    /// Announces a topic on which `message` is sent again and again.
    pub fn topic<T: WrappedTypesupport + 'static>(
        &mut self,
        name: &str,
        qos: QosProfile,
        message: T,
    ) -> Result<Topic<T>, RosError> {
        let relative = name;
        let name = self.resolver.resolve(relative);
        let qos = self.overrides.apply(&name, End::Publisher, qos);
        // The client library resolves names itself and would remap a full one once more.
        let publisher = self
            .node
            .create_publisher::<T>(relative, qos)
            .map_err(|error| RosError::new(format!("topic \"{name}\""), format!("cannot publish: {error}")))?;
        let same = publisher.clone();
        self.take_offs.push(Box::new(move |node| node.destroy_publisher(same)));
        Ok(Topic { name, publisher, message, complaint: Throttle::new(Duration::from_secs(5)) })
    }
}

impl<T: WrappedTypesupport + 'static> Topic<T> {
    /// Whether anybody listens, as far as is known.
    pub fn is_heard(&self) -> bool {
        self.publisher.get_inter_process_subscription_count().unwrap_or(1) > 0
    }

    /// Publishes the message as it stands. A failure is reported, at most every five seconds.
    pub fn publish(&mut self) {
        if let Err(error) = fit::publish(&self.publisher, &self.message)
            && self.complaint.is_due(Instant::now())
        {
            tracing::warn!("topic \"{}\": could not publish: {error}", self.name);
        }
    }
}

/// Publishes something of its own whenever a snapshot comes.
pub trait NodeOutput: Send {
    /// Publishes what is due, after the clock and the vehicles; `stamp` is the snapshot's time.
    fn publish(&mut self, stamp: &Time, snapshot: &Snapshot);
}

/// A part of what is on the graph, which comes and goes as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
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
pub fn pose_key(wish: &PoseWish) -> PoseKey {
    let topics = [wish.pose_topic.clone(), wish.relative_topic.clone()];
    (wish.name.clone(), topics, wish.others.iter().map(|(_, name)| name.clone()).collect())
}

/// A part that has been put on the graph, for the publisher thread.
pub enum Made {
    /// The publishers of a map.
    Map(usize, Box<MapPublishers>),
    /// The publishers of transforms.
    Transforms(TfTopics, Box<TransformPublishers>),
    /// The publishers of a vehicle.
    Vehicle(EntityId, Box<VehiclePublishers>),
    /// The publishers of one `<publish>`.
    Poses(PoseKey, Box<PosePublishers>),
}

/// What the publisher thread asks of the thread that owns the node.
pub enum Job {
    /// Put on the graph what of this is not there yet.
    Follow(Arc<Stage>),
    /// Take this off the graph: nothing is published on it any more.
    Retire(Part),
}

/// All publishers of the node.
pub struct Publishers {
    clock: Topic<Clock>,
    clock_limit: ClockLimit,
    /// Whether anybody listens to the clock, for those who ask, and when that was last looked at.
    is_followed: (Arc<AtomicBool>, Throttle),
    stage: Arc<Stage>,
    maps: BTreeMap<usize, Box<MapPublishers>>,
    transforms: BTreeMap<TfTopics, Box<TransformPublishers>>,
    vehicles: BTreeMap<EntityId, Box<VehiclePublishers>>,
    poses: BTreeMap<PoseKey, Box<PosePublishers>>,
    /// The keys of the stage's wishes.
    pose_keys: Vec<PoseKey>,
    outputs: Vec<Box<dyn NodeOutput>>,
    made: mpsc::Receiver<Made>,
    jobs: mpsc::Sender<Job>,
}

impl Publishers {
    /// Publishes the clock and `outputs`, and what comes in by `made`, which is asked for by `jobs` whenever the stage is another
    /// than it was, at first `stage`.
    pub fn new(
        on: &mut Announcer<'_>,
        stage: &Arc<Stage>,
        outputs: Vec<Box<dyn NodeOutput>>,
        (made, jobs): (mpsc::Receiver<Made>, mpsc::Sender<Job>),
    ) -> Result<Publishers, RosError> {
        Ok(Publishers {
            clock: on.topic(CLOCK_TOPIC, CLOCK_QOS, Clock::default())?,
            clock_limit: ClockLimit::default(),
            is_followed: (Arc::default(), Throttle::new(LOOK)),
            stage: stage.clone(),
            maps: BTreeMap::new(),
            transforms: BTreeMap::new(),
            vehicles: BTreeMap::new(),
            poses: BTreeMap::new(),
            pose_keys: stage.wishes.iter().map(pose_key).collect(),
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
    pub fn run(mut self, queue: &Queue<Snapshot>) {
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

    fn publish(&mut self, snapshot: &Snapshot) {
        if let Some(stage) = snapshot.stage.as_ref().filter(|stage| !Arc::ptr_eq(stage, &self.stage)) {
            self.follow(stage);
        }
        self.take_made();
        let stamp = convert::stamp(snapshot.time);
        let clock = snapshot.clock && self.clock_limit.lets(snapshot.may_wait, Instant::now());
        // The start itself is not published.
        let has_begun = snapshot.time > SimTime::ZERO;
        if has_begun && snapshot.static_transforms {
            self.transforms.values_mut().for_each(|transforms| transforms.publish_fixed(&stamp, &self.stage));
        }
        // Those of a clock that is left out would be for nobody.
        if clock || !snapshot.may_wait {
            self.transforms.values_mut().for_each(|transforms| transforms.publish(&stamp, snapshot));
        }
        if clock {
            self.clock.message.clock = stamp.clone();
            self.clock.publish();
            let (is_followed, looks) = &mut self.is_followed;
            if looks.is_due(Instant::now()) {
                is_followed.store(self.clock.is_heard(), Ordering::Relaxed);
            }
        }
        if has_begun {
            self.publish_maps(&stamp);
        }
        let vehicles = &self.stage.scene.vehicles;
        for (index, info) in vehicles.iter().enumerate() {
            if let Some(publishers) = self.vehicles.get_mut(&info.id) {
                publishers.publish(&stamp, snapshot, index);
            }
        }
        for reading in snapshot.sensors.iter().filter(|reading| reading.fresh) {
            let id = vehicles.get(reading.reading.vehicle).map(|info| info.id);
            if let Some(publishers) = id.and_then(|id| self.vehicles.get_mut(&id)) {
                publishers.publish_reading(&stamp, &reading.reading);
            }
        }
        for (poses, key) in snapshot.poses.iter().zip(&self.pose_keys).filter(|(poses, _)| poses.fresh) {
            if let Some(publishers) = self.poses.get_mut(key) {
                publishers.publish(&stamp, poses);
            }
        }
        self.outputs.iter_mut().for_each(|output| output.publish(&stamp, snapshot));
    }

    fn publish_maps(&mut self, stamp: &Time) {
        for (index, map) in self.stage.scene.maps.iter().enumerate() {
            if let Some(publishers) = self.maps.get_mut(&index) {
                publishers.publish(stamp, map);
            }
        }
    }

    /// Lets go of what the stage does not have any more, and asks for what it has that was not there.
    fn follow(&mut self, stage: &Arc<Stage>) {
        self.stage = stage.clone();
        self.pose_keys = stage.wishes.iter().map(pose_key).collect();
        let wanted = stage.parts();
        retire(&mut self.maps, Part::Map, &wanted, &self.jobs);
        retire(&mut self.transforms, Part::Transforms, &wanted, &self.jobs);
        retire(&mut self.vehicles, Part::Vehicle, &wanted, &self.jobs);
        retire(&mut self.poses, Part::Poses, &wanted, &self.jobs);
        self.transforms.iter_mut().for_each(|(topics, transforms)| transforms.follow(topics, stage));
        // When nobody listens any more, the node is about to end.
        drop(self.jobs.send(Job::Follow(stage.clone())));
    }

    /// Takes what has been put on the graph, unless it has become superfluous meanwhile.
    fn take_made(&mut self) {
        let mut wanted = None;
        while let Ok(made) = self.made.try_recv() {
            let part = made.part();
            if !wanted.get_or_insert_with(|| self.stage.parts()).contains(&part) {
                drop(self.jobs.send(Job::Retire(part)));
                continue;
            }
            match made {
                Made::Map(index, map) => drop(self.maps.insert(index, map)),
                Made::Vehicle(id, vehicle) => drop(self.vehicles.insert(id, vehicle)),
                Made::Poses(key, poses) => drop(self.poses.insert(key, poses)),
                Made::Transforms(topics, mut transforms) => {
                    transforms.follow(&topics, &self.stage);
                    self.transforms.insert(topics, transforms);
                }
            }
        }
    }
}

impl Made {
    fn part(&self) -> Part {
        match self {
            Made::Map(index, _) => Part::Map(*index),
            Made::Transforms(topics, _) => Part::Transforms(topics.clone()),
            Made::Vehicle(id, _) => Part::Vehicle(*id),
            Made::Poses(key, _) => Part::Poses(key.clone()),
        }
    }
}

/// Drops the publishers of the parts that are not wanted, and has them taken off the graph.
fn retire<K: Clone + Ord, T>(
    have: &mut BTreeMap<K, T>,
    part: fn(K) -> Part,
    wanted: &BTreeSet<Part>,
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

/// The publishers of a map, which is published once, and again when it has become another.
pub struct MapPublishers {
    grid: Topic<OccupancyGrid>,
    metadata: Topic<MapMetaData>,
    shown: Option<Arc<raycast::OccupancyGrid>>,
}

impl MapPublishers {
    /// Announces the topics of a map and of its metadata.
    pub fn new(on: &mut Announcer<'_>, [map, metadata]: &[String; 2]) -> Result<MapPublishers, RosError> {
        Ok(MapPublishers {
            grid: on.topic(map, LATCHED_QOS, OccupancyGrid::default())?,
            metadata: on.topic(metadata, LATCHED_QOS, MapMetaData::default())?,
            shown: None,
        })
    }

    fn publish(&mut self, stamp: &Time, map: &Arc<raycast::OccupancyGrid>) {
        if self.shown.as_ref().is_some_and(|shown| Arc::ptr_eq(shown, map)) {
            return;
        }
        self.shown = Some(map.clone());
        self.grid.message = convert::occupancy_grid(stamp, map);
        self.grid.publish();
        self.metadata.message = convert::metadata(stamp, map);
        self.metadata.publish();
        // The middleware keeps what is latched; a map is too big to hold twice.
        self.grid.message = OccupancyGrid::default();
    }
}

struct CloseOnDrop<'a>(&'a Queue<Snapshot>);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The topics of one `<publish>` of the world.
pub struct PosePublishers {
    pose: Option<Topic<PoseStamped>>,
    relative: Option<(Topic<TransformStamped>, Vec<String>)>,
}

impl PosePublishers {
    /// Announces the topics of the wish.
    pub fn new(on: &mut Announcer<'_>, wish: &PoseWish) -> Result<PosePublishers, RosError> {
        let pose = match &wish.pose_topic {
            Some(name) => Some(on.topic(name, DATA_QOS, convert::new_pose())?),
            None => None,
        };
        let relative = match &wish.relative_topic {
            Some(name) => {
                let others: Vec<String> = wish.others.iter().map(|(_, name)| name.clone()).collect();
                Some((on.topic(name, DATA_QOS, convert::new_transform(&wish.name, ""))?, others))
            }
            None => None,
        };
        Ok(PosePublishers { pose, relative })
    }

    fn publish(&mut self, stamp: &Time, poses: &PoseSnapshot) {
        if let Some(topic) = &mut self.pose {
            convert::write_stamped_pose(stamp, poses.world_from_body, &mut topic.message);
            topic.publish();
        }
        if let Some((topic, others)) = &mut self.relative {
            for (name, pose) in others.iter().zip(&poses.body_from_others) {
                topic.message.child_frame_id.clone_from(name);
                convert::write_transform(stamp, *pose, &mut topic.message);
                topic.publish();
            }
        }
    }
}
