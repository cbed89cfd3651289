//! Snapshots as messages: which topics there are, and what is written to them when.

use super::message::{
    AckermannDrive, AckermannDriveStamped, Float64MultiArray, Header, Message, Odometry, Pose, Quaternion, Time, Twist,
    Vector3,
};
use super::options::{RecordError, RecordOptions, TopicFilter};
use super::output::{Channel, Output, Quality};
use super::snapshot::{Snapshot, VehicleSnapshot};
use crate::interface::covariance::{self, Drift};
use crate::math::{Pose2, Pose3, Twist2};
use crate::preset::racecar;
use crate::time::SimTime;
use crate::tracking::TrackingFrame;
use crate::world::{Scene, VehicleInfo};

/// A topic and the message that is written to it again and again.
struct Topic<M> {
    channel: Channel,
    message: M,
}

impl<M: Message> Topic<M> {
    /// The topic, where the filter takes it.
    fn new(
        output: &mut Output,
        filter: &TopicFilter,
        name: &str,
        quality: Quality,
        message: M,
    ) -> Result<Option<Topic<M>>, RecordError> {
        if !filter.takes(name) {
            return Ok(None);
        }
        Ok(Some(Topic { channel: output.channel::<M>(name, quality)?, message }))
    }

    fn write(&mut self, output: &mut Output, time: SimTime) -> Result<(), RecordError> {
        output.write(&mut self.channel, time, &self.message)
    }
}

/// Everything that is recorded, with the file it goes to.
pub(super) struct Messages {
    output: Box<Output>,
    vehicles: Vec<VehicleMessages>,
}

impl Messages {
    pub(super) fn new(
        scene: &Scene,
        options: &RecordOptions,
        mut output: Box<Output>,
    ) -> Result<Messages, RecordError> {
        let mut vehicles = Vec::new();
        for vehicle in &scene.vehicles {
            let prefix = if scene.vehicles.len() > 1 { format!("/{}", vehicle.name) } else { String::new() };
            vehicles.push(VehicleMessages::new(vehicle, &prefix, &options.topics, &mut output)?);
        }
        output.commit()?;
        Ok(Messages { output, vehicles })
    }

    pub(super) fn output(&mut self) -> &mut Output {
        &mut self.output
    }

    pub(super) fn finish(self) -> Result<(), RecordError> {
        self.output.finish()
    }

    /// Writes everything that is due in the snapshot.
    pub(super) fn write(&mut self, snapshot: &Snapshot) -> Result<(), RecordError> {
        for (messages, vehicle) in self.vehicles.iter_mut().zip(&snapshot.vehicles) {
            if snapshot.states {
                messages.write_states(&mut self.output, snapshot.time, vehicle)?;
            }
            if let (true, Some(tracking)) = (vehicle.tracked, &vehicle.frame.tracking) {
                messages.write_tracking(&mut self.output, snapshot.time, tracking)?;
            }
        }
        Ok(())
    }
}

struct VehicleMessages {
    odom: Option<Topic<Odometry>>,
    ground_truth: Option<Topic<Odometry>>,
    reference: Option<Topic<Float64MultiArray>>,
    velocities: Option<Topic<Float64MultiArray>>,
    navigation: Option<Topic<AckermannDriveStamped>>,
    drift: Drift,
    written: Option<SimTime>,
}

impl VehicleMessages {
    fn new(
        _vehicle: &VehicleInfo,
        prefix: &str,
        filter: &TopicFilter,
        output: &mut Output,
    ) -> Result<VehicleMessages, RecordError> {
        let name = |name: &str| format!("{prefix}/{}", name.trim_start_matches('/'));
        let data = Quality::Data;
        let triple = || Float64MultiArray { data: vec![0.0; 3], ..Float64MultiArray::default() };
        Ok(VehicleMessages {
            odom: Topic::new(output, filter, &name("odom"), data, odometry("odom", "base_footprint"))?,
            ground_truth: Topic::new(output, filter, &name("ground_truth"), data, truth())?,
            reference: Topic::new(output, filter, &name(racecar::REFERENCE_TRAJECTORY), data, triple())?,
            velocities: Topic::new(output, filter, &name(racecar::VIRTUAL_VELOCITIES), data, triple())?,
            navigation: Topic::new(output, filter, &name(racecar::NAVIGATION), data, navigation())?,
            drift: Drift::default(),
            written: None,
        })
    }

    fn write_states(
        &mut self,
        output: &mut Output,
        time: SimTime,
        vehicle: &VehicleSnapshot,
    ) -> Result<(), RecordError> {
        let seconds = self.written.map_or(0.0, |last| (time - last).secs());
        self.written = Some(time);
        let frame = &vehicle.frame;
        if frame.odom_from_body == Pose2::default() {
            self.drift = Drift::default();
        }
        self.drift.advance(frame.odom_velocity_in_body, seconds);
        if let Some(topic) = &mut self.odom {
            let message = &mut topic.message;
            message.header.stamp = stamp(time);
            message.pose.pose = pose(Pose3::from_planar(frame.odom_from_body));
            message.twist.twist = twist(frame.odom_velocity_in_body);
            self.drift.write_pose(message.pose.covariance.as_flattened_mut());
            let matrix = message.twist.covariance.as_flattened_mut();
            covariance::write_odometry_twist(frame.odom_velocity_in_body, matrix);
            topic.write(output, time)?;
        }
        if let Some(topic) = &mut self.ground_truth {
            topic.message.header.stamp = stamp(time);
            topic.message.pose.pose = pose(frame.world_from_body);
            topic.message.twist.twist = twist(frame.velocity_in_body);
            topic.write(output, time)?;
        }
        Ok(())
    }

    fn write_tracking(
        &mut self,
        output: &mut Output,
        time: SimTime,
        tracking: &TrackingFrame,
    ) -> Result<(), RecordError> {
        let seconds = tracking.time.secs();
        if let Some(topic) = &mut self.reference {
            let position = tracking.reference.position;
            topic.message.data.copy_from_slice(&[position.x, position.y, seconds]);
            topic.write(output, time)?;
        }
        if let Some(topic) = &mut self.velocities {
            let velocity = tracking.point_velocity;
            topic.message.data.copy_from_slice(&[velocity.x, velocity.y, seconds]);
            topic.write(output, time)?;
        }
        if let Some(topic) = &mut self.navigation {
            topic.message.header.stamp = stamp(tracking.time);
            topic.message.drive.speed = tracking.steer.speed as f32;
            topic.message.drive.steering_angle = tracking.steer.steering_angle as f32;
            topic.write(output, time)?;
        }
        Ok(())
    }
}

/// Never 0, which ROS takes for "no time".
fn stamp(time: SimTime) -> Time {
    let (sec, nanosec) = time.max(SimTime(1)).split();
    Time { sec, nanosec }
}

fn pose(pose: Pose3) -> Pose {
    let [x, y, z, w] = pose.quaternion();
    Pose { position: Vector3 { x: pose.x, y: pose.y, z: pose.z }, orientation: Quaternion { x, y, z, w } }
}

fn twist(twist: Twist2) -> Twist {
    Twist { linear: Vector3 { x: twist.vx, y: twist.vy, z: 0.0 }, angular: Vector3 { x: 0.0, y: 0.0, z: twist.wz } }
}

fn header(frame: &str) -> Header {
    Header { frame_id: frame.to_owned(), ..Header::default() }
}

fn odometry(parent: &str, child: &str) -> Odometry {
    Odometry { header: header(parent), child_frame_id: child.to_owned(), ..Odometry::default() }
}

fn truth() -> Odometry {
    let mut message = odometry("map", "base_footprint");
    covariance::write_truth(message.pose.covariance.as_flattened_mut());
    covariance::write_truth(message.twist.covariance.as_flattened_mut());
    message
}

/// What the study's linearizers say beside speed and steering angle.
fn navigation() -> AckermannDriveStamped {
    let drive = AckermannDrive { acceleration: 1.0, jerk: 1.0, ..AckermannDrive::default() };
    AckermannDriveStamped { header: header("base_link"), drive }
}
