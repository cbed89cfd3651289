//! The publisher thread: turns snapshots into messages and hands them to the middleware, `/clock` first and transforms
//! before the data that needs them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use r2r::builtin_interfaces::msg::Time;
use r2r::nav_msgs::msg::{MapMetaData, OccupancyGrid, Odometry};
use r2r::rosgraph_msgs::msg::Clock;
use r2r::sensor_msgs::msg::{JointState, LaserScan};
use r2r::skidpad::msg::WheelStates;
use r2r::std_msgs::msg::Bool;
use r2r::tf2_msgs::msg::TFMessage;
use r2r::{Node, Publisher, QosProfile, WrappedTypesupport};

use super::convert;
use super::covariance::Drift;
use super::error::RosError;
use super::queue::Queue;
use super::snapshot::{Snapshot, VehicleSnapshot};
use super::throttle::Throttle;
use super::topics::{
    CLOCK_QOS, CLOCK_TOPIC, DATA_QOS, FOOTPRINT_FRAME, LATCHED_QOS, MAP_FRAME, ODOM_FRAME, TF_QOS, VehicleTopics,
    map_topics,
};
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

impl<T: WrappedTypesupport + 'static> Topic<T> {
    /// Announces `name` on the graph.
    pub fn new(node: &mut Node, name: &str, qos: QosProfile, message: T) -> Result<Topic<T>, RosError> {
        let publisher = node
            .create_publisher::<T>(name, qos)
            .map_err(|error| RosError::new(format!("topic \"{name}\""), format!("cannot publish: {error}")))?;
        Ok(Topic { name: name.to_owned(), publisher, message, complaint: Throttle::new(Duration::from_secs(5)) })
    }

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
    latched: bool,
}

impl Publishers {
    /// Announces every topic of the table on the graph.
    pub fn new(node: &mut Node, scene: &Arc<Scene>, topics: &[VehicleTopics]) -> Result<Publishers, RosError> {
        let mut maps = Vec::new();
        for index in 0..scene.maps.len() {
            let [map, metadata] = map_topics(index);
            maps.push((
                Topic::new(node, &map, LATCHED_QOS, OccupancyGrid::default())?,
                Topic::new(node, &metadata, LATCHED_QOS, MapMetaData::default())?,
            ));
        }
        let vehicles = scene
            .vehicles
            .iter()
            .zip(topics)
            .map(|(vehicle, topics)| VehiclePublishers::new(node, vehicle, topics))
            .collect::<Result<_, _>>()?;
        let clock = Topic::new(node, CLOCK_TOPIC, CLOCK_QOS, Clock::default())?;
        Ok(Publishers { scene: scene.clone(), clock, maps, vehicles, latched: false })
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
    fn new(node: &mut Node, vehicle: &VehicleInfo, topics: &VehicleTopics) -> Result<VehiclePublishers, RosError> {
        let mut scans = Vec::new();
        for (sensor, name) in vehicle.sensors.iter().zip(&topics.sensors) {
            scans.push(Topic::new(node, name, DATA_QOS, convert::new_scan(sensor))?);
        }
        Ok(VehiclePublishers {
            tf: Topic::new(node, &topics.name("tf"), TF_QOS, TFMessage::default())?,
            tf_static: Topic::new(node, &topics.name("tf_static"), LATCHED_QOS, TFMessage::default())?,
            odom: Topic::new(node, &topics.name("odom"), DATA_QOS, convert::new_odometry())?,
            ground_truth: Topic::new(node, &topics.name("ground_truth"), DATA_QOS, convert::new_ground_truth())?,
            joint_states: Topic::new(node, &topics.name("joint_states"), DATA_QOS, convert::new_joint_states(vehicle))?,
            wheel_states: Topic::new(node, &topics.name("wheel_states"), DATA_QOS, convert::new_wheel_states(vehicle))?,
            collision: Topic::new(node, &topics.name("collision"), DATA_QOS, Bool::default())?,
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
