//! The publisher thread: turns snapshots into messages and hands them to the middleware, `/clock` first and transforms
//! before the data that needs them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use r2r::builtin_interfaces::msg::Time;
use r2r::geometry_msgs::msg::{PoseStamped, TransformStamped};
use r2r::nav_msgs::msg::{MapMetaData, OccupancyGrid};
use r2r::rosgraph_msgs::msg::Clock;
use r2r::{Node, Publisher, QosProfile, WrappedTypesupport};

use super::clock::ClockLimit;
use super::convert;
use super::error::RosError;
use super::names::Resolver;
use super::qos_overrides::{End, QosOverrides};
use super::queue::Queue;
use super::snapshot::Snapshot;
use super::throttle::Throttle;
use super::topics::{CLOCK_QOS, CLOCK_TOPIC, DATA_QOS, LATCHED_QOS, VehicleTopics, map_topics};
use super::vehicle::VehiclePublishers;
use crate::interface::poses::{PoseSnapshot, PoseWish};
use crate::preset::Pace;
use crate::world::Scene;

/// A publisher and the message that it sends again and again.
pub struct Topic<T: WrappedTypesupport> {
    name: String,
    publisher: Publisher<T>,
    /// The message, kept from one publication to the next.
    pub message: T,
    complaint: Throttle,
}

/// Puts topics on the graph, with the quality of service that the parameters ask for.
pub struct Announcer<'a> {
    /// The node that publishes.
    pub node: &'a mut Node,
    /// Gives the full names.
    pub resolver: &'a Resolver,
    /// What the parameters ask for.
    pub overrides: &'a QosOverrides,
}

impl Announcer<'_> {
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
        Ok(Topic { name, publisher, message, complaint: Throttle::new(Duration::from_secs(5)) })
    }
}

impl<T: WrappedTypesupport + 'static> Topic<T> {
    /// Publishes the message as it stands. A failure is reported, at most every five seconds.
    pub fn publish(&mut self) {
        if let Err(error) = self.publisher.publish(&self.message)
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

/// All publishers of the node.
pub struct Publishers {
    scene: Arc<Scene>,
    clock: Topic<Clock>,
    clock_limit: ClockLimit,
    maps: Vec<(Topic<OccupancyGrid>, Topic<MapMetaData>)>,
    vehicles: Vec<VehiclePublishers>,
    poses: Vec<PosePublishers>,
    outputs: Vec<Box<dyn NodeOutput>>,
    latched: bool,
}

impl Publishers {
    /// Announces every topic of the table on the graph.
    pub fn new(
        on: &mut Announcer<'_>,
        scene: &Arc<Scene>,
        topics: &[VehicleTopics],
        wishes: &[PoseWish],
        outputs: Vec<Box<dyn NodeOutput>>,
    ) -> Result<Publishers, RosError> {
        let mut maps = Vec::new();
        for index in 0..scene.maps.len() {
            let [map, metadata] = map_topics(index);
            maps.push((
                on.topic(&map, LATCHED_QOS, OccupancyGrid::default())?,
                on.topic(&metadata, LATCHED_QOS, MapMetaData::default())?,
            ));
        }
        let vehicles = scene
            .vehicles
            .iter()
            .zip(topics)
            .map(|(vehicle, topics)| VehiclePublishers::new(on, vehicle, topics))
            .collect::<Result<_, RosError>>()?;
        let clock = on.topic(CLOCK_TOPIC, CLOCK_QOS, Clock::default())?;
        let poses = wishes.iter().map(|wish| PosePublishers::new(on, wish)).collect::<Result<_, _>>()?;
        Ok(Publishers {
            scene: scene.clone(),
            clock_limit: ClockLimit::default(),
            clock,
            maps,
            vehicles,
            poses,
            outputs,
            latched: false,
        })
    }

    /// Publishes what comes out of `queue` until it is closed. However this ends, the queue is closed afterwards.
    pub fn run(mut self, queue: &Queue<Snapshot>) {
        let _close = CloseOnDrop(queue);
        let mut lost = 0;
        let mut complaint = Throttle::new(Duration::from_secs(5));
        while let Some(snapshot) = queue.pop() {
            self.publish(&snapshot);
            queue.recycle(snapshot);
            let dropped = queue.dropped();
            if dropped > lost && complaint.is_due(Instant::now()) {
                tracing::warn!("publishing does not keep up: {} instants skipped", dropped - lost);
                lost = dropped;
            }
        }
    }

    fn publish(&mut self, snapshot: &Snapshot) {
        let stamp = convert::stamp(snapshot.time);
        if snapshot.clock && self.clock_limit.lets(snapshot.may_wait, Instant::now()) {
            self.clock.message.clock = stamp.clone();
            self.clock.publish();
        }
        if !std::mem::replace(&mut self.latched, true) {
            self.publish_latched(&stamp);
        }
        for (vehicle, publishers) in snapshot.vehicles.iter().zip(&mut self.vehicles) {
            if snapshot.states[Pace::Odometry as usize] || vehicle.senses {
                publishers.publish_transforms(&stamp, vehicle, snapshot.transforms);
            }
            if vehicle.tracked {
                publishers.publish_driver(&vehicle.frame);
            }
            publishers.publish_states(&stamp, snapshot.time, snapshot.states, vehicle);
        }
        for reading in snapshot.sensors.iter().filter(|reading| reading.fresh) {
            if let Some(vehicle) = self.vehicles.get_mut(reading.vehicle) {
                vehicle.publish_scan(&stamp, reading.sensor, &reading.ranges);
            }
        }
        for (poses, publishers) in snapshot.poses.iter().zip(&mut self.poses).filter(|(poses, _)| poses.fresh) {
            publishers.publish(&stamp, poses);
        }
        self.outputs.iter_mut().for_each(|output| output.publish(&stamp, snapshot));
    }

    fn publish_latched(&mut self, stamp: &Time) {
        for ((grid, metadata), map) in self.maps.iter_mut().zip(&self.scene.maps) {
            grid.message = convert::occupancy_grid(stamp, map);
            grid.publish();
            metadata.message = convert::metadata(stamp, map);
            metadata.publish();
            // The middleware keeps what is latched; a map is too big to hold twice.
            grid.message = OccupancyGrid::default();
        }
        for (vehicle, publishers) in self.scene.vehicles.iter().zip(&mut self.vehicles) {
            publishers.publish_fixed(stamp, vehicle);
        }
    }
}

struct CloseOnDrop<'a>(&'a Queue<Snapshot>);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// The topics of one `<publish>` of the world.
struct PosePublishers {
    pose: Option<Topic<PoseStamped>>,
    relative: Option<(Topic<TransformStamped>, Vec<String>)>,
}

impl PosePublishers {
    fn new(on: &mut Announcer<'_>, wish: &PoseWish) -> Result<PosePublishers, RosError> {
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
