//! The publisher thread: turns snapshots into messages and hands them to the middleware, `/clock` first and transforms
//! before the data that needs them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use r2r::builtin_interfaces::msg::Time;
use r2r::geometry_msgs::msg::{PoseStamped, TransformStamped};
use r2r::nav_msgs::msg::{MapMetaData, OccupancyGrid, Odometry};
use r2r::rosgraph_msgs::msg::Clock;
use r2r::sensor_msgs::msg::{JointState, LaserScan};
use r2r::skidpad::msg::WheelStates;
use r2r::std_msgs::msg::Bool;
use r2r::tf2_msgs::msg::TFMessage;
use r2r::{Node, Publisher, QosProfile, WrappedTypesupport};

use super::convert;
use super::error::RosError;
use super::names::Resolver;
use super::qos_overrides::QosOverrides;
use super::queue::Queue;
use super::snapshot::{Snapshot, VehicleSnapshot};
use super::throttle::Throttle;
use super::topics::{
    CLOCK_QOS, CLOCK_TOPIC, DATA_QOS, FOOTPRINT_FRAME, LATCHED_QOS, MAP_FRAME, ODOM_FRAME, TF_QOS, VehicleTopics,
    map_topics,
};
use crate::interface::covariance::Drift;
use crate::interface::poses::{PoseSnapshot, PoseWish};
use crate::math::Pose2;
use crate::time::SimTime;
use crate::world::{Scene, VehicleInfo};

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
        let qos = self.overrides.apply(&name, qos);
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

/// All publishers of the node.
pub struct Publishers {
    scene: Arc<Scene>,
    clock: Topic<Clock>,
    maps: Vec<(Topic<OccupancyGrid>, Topic<MapMetaData>)>,
    vehicles: Vec<VehiclePublishers>,
    poses: Vec<PosePublishers>,
    latched: bool,
}

impl Publishers {
    /// Announces every topic of the table on the graph.
    pub fn new(
        on: &mut Announcer<'_>,
        scene: &Arc<Scene>,
        topics: &[VehicleTopics],
        wishes: &[PoseWish],
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
            .collect::<Result<_, _>>()?;
        let clock = on.topic(CLOCK_TOPIC, CLOCK_QOS, Clock::default())?;
        let poses = wishes.iter().map(|wish| PosePublishers::new(on, wish)).collect::<Result<_, _>>()?;
        Ok(Publishers { scene: scene.clone(), clock, maps, vehicles, poses, latched: false })
    }

    /// Publishes what comes out of `queue` until it is closed.
    pub fn run(mut self, queue: &Queue<Snapshot>) {
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
        if snapshot.clock {
            self.clock.message.clock = stamp.clone();
            self.clock.publish();
        }
        if !std::mem::replace(&mut self.latched, true) {
            self.publish_latched(&stamp);
        }
        for (index, (vehicle, publishers)) in snapshot.vehicles.iter().zip(&mut self.vehicles).enumerate() {
            let Some(info) = self.scene.vehicles.get(index) else { continue };
            if snapshot.states || vehicle.senses {
                publishers.publish_transforms(&stamp, vehicle, snapshot.transforms);
            }
            if snapshot.states {
                publishers.publish_states(&stamp, snapshot.time, info, vehicle);
            }
        }
        for reading in snapshot.sensors.iter().filter(|reading| reading.fresh) {
            let scan = self.vehicles.get_mut(reading.vehicle).and_then(|v| v.scans.get_mut(reading.sensor));
            if let Some(scan) = scan {
                convert::write_scan(&stamp, &reading.ranges, &mut scan.message);
                scan.publish();
            }
        }
        for (poses, publishers) in snapshot.poses.iter().zip(&mut self.poses).filter(|(poses, _)| poses.fresh) {
            publishers.publish(&stamp, poses);
        }
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
            publishers.tf_static.message.transforms = convert::static_transforms(stamp, vehicle);
            publishers.tf_static.publish();
        }
    }
}

struct VehiclePublishers {
    tf: Topic<TFMessage>,
    tf_static: Topic<TFMessage>,
    odom: Topic<Odometry>,
    ground_truth: Topic<Odometry>,
    joint_states: Topic<JointState>,
    wheel_states: Topic<WheelStates>,
    collision: Topic<Bool>,
    scans: Vec<Topic<LaserScan>>,
    drift: Drift,
    published: Option<SimTime>,
}

impl VehiclePublishers {
    fn new(
        on: &mut Announcer<'_>,
        vehicle: &VehicleInfo,
        topics: &VehicleTopics,
    ) -> Result<VehiclePublishers, RosError> {
        let mut scans = Vec::new();
        for (sensor, name) in vehicle.sensors.iter().zip(&topics.sensors) {
            scans.push(on.topic(name, DATA_QOS, convert::new_scan(sensor))?);
        }
        Ok(VehiclePublishers {
            tf: on.topic(&topics.name("tf"), TF_QOS, TFMessage::default())?,
            tf_static: on.topic(&topics.name("tf_static"), LATCHED_QOS, TFMessage::default())?,
            odom: on.topic(&topics.name("odom"), DATA_QOS, convert::new_odometry())?,
            ground_truth: on.topic(&topics.name("ground_truth"), DATA_QOS, convert::new_ground_truth())?,
            joint_states: on.topic(&topics.name("joint_states"), DATA_QOS, convert::new_joint_states(vehicle))?,
            wheel_states: on.topic(&topics.name("wheel_states"), DATA_QOS, convert::new_wheel_states(vehicle))?,
            collision: on.topic(&topics.name("collision"), DATA_QOS, Bool::default())?,
            scans,
            drift: Drift::default(),
            published: None,
        })
    }

    fn publish_transforms(&mut self, stamp: &Time, vehicle: &VehicleSnapshot, [odom, map]: [bool; 2]) {
        if !(odom || map) {
            return;
        }
        let transforms = &mut self.tf.message.transforms;
        let wanted = usize::from(odom) + usize::from(map);
        if transforms.len() != wanted || (odom && transforms[0].child_frame_id != FOOTPRINT_FRAME) {
            transforms.clear();
            transforms.extend(odom.then(|| convert::new_transform(ODOM_FRAME, FOOTPRINT_FRAME)));
            transforms.extend(map.then(|| convert::new_transform(MAP_FRAME, ODOM_FRAME)));
        }
        if odom && let Some(message) = transforms.first_mut() {
            convert::write_odom_transform(stamp, &vehicle.frame, message);
        }
        if map && let Some(message) = transforms.last_mut() {
            convert::write_map_transform(stamp, &vehicle.frame, message);
        }
        self.tf.publish();
    }

    fn publish_states(&mut self, stamp: &Time, time: SimTime, info: &VehicleInfo, vehicle: &VehicleSnapshot) {
        let seconds = self.published.map_or(0.0, |last| (time - last).secs());
        self.published = Some(time);
        if vehicle.frame.odom_from_body == Pose2::default() {
            // Odometry stands at its own start: nothing has been driven since, or a reset put it there.
            self.drift = Drift::default();
        }
        self.drift.advance(vehicle.frame.odom_velocity_in_body, seconds);
        convert::write_odometry(stamp, &vehicle.frame, &self.drift, &mut self.odom.message);
        self.odom.publish();
        convert::write_ground_truth(stamp, &vehicle.frame, &mut self.ground_truth.message);
        self.ground_truth.publish();
        convert::write_joint_states(stamp, info, &vehicle.frame, seconds, &mut self.joint_states.message);
        self.joint_states.publish();
        convert::write_wheel_states(stamp, &vehicle.frame, &mut self.wheel_states.message);
        self.wheel_states.publish();
        self.collision.message.data = vehicle.collided;
        self.collision.publish();
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
