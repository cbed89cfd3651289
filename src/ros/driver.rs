//! What the driver of a vehicle does (`skidpad run --track`), as topics.

use r2r::ackermann_msgs::msg::AckermannDriveStamped;
use r2r::builtin_interfaces::msg::Time;
use r2r::std_msgs::msg::Float64MultiArray;

use super::convert;
use super::error::RosError;
use super::publish::{Announcer, Topic};
use super::snapshot::Snapshot;
use super::subscribe::ACKERMANN_TYPE;
use super::topics::{ARRAY_TYPE, BASE_FRAME, DATA_QOS, VehicleTopics};
use super::vehicle::VehicleOutput;
use crate::interface::copy::VehicleSnapshot;
use crate::math::Vec2;
use crate::preset::racecar;
use crate::time::SimTime;
use crate::world::VehicleInfo;

/// Name and type of the topics of a driver. The command is not on a topic that the vehicle listens to: it would take its own driver
/// for somebody else.
pub const DRIVER_TOPICS: [(&str, &str); 3] = [
    (racecar::REFERENCE_TRAJECTORY, ARRAY_TYPE),
    (racecar::VIRTUAL_VELOCITIES, ARRAY_TYPE),
    ("driver_cmd", ACKERMANN_TYPE),
];

/// The publishers of one driver.
pub struct DriverPublishers {
    reference: Topic<Float64MultiArray>,
    velocities: Topic<Float64MultiArray>,
    command: Topic<AckermannDriveStamped>,
}

impl DriverPublishers {
    /// Announces the topics of the vehicle's driver; none where it has none.
    pub fn make(
        on: &mut Announcer<'_>,
        _vehicle: &VehicleInfo,
        topics: &VehicleTopics,
    ) -> Result<Option<Box<dyn VehicleOutput>>, RosError> {
        let names: Vec<String> = topics.of_driver().map(|(name, _)| name).collect();
        let [reference, velocities, command] = names.as_slice() else { return Ok(None) };
        let array = || Float64MultiArray { data: vec![0.0; 3], ..Float64MultiArray::default() };
        let mut told = AckermannDriveStamped::default();
        told.header.frame_id = topics.names.frame(BASE_FRAME);
        Ok(Some(Box::new(DriverPublishers {
            reference: on.topic(reference, DATA_QOS, array())?,
            velocities: on.topic(velocities, DATA_QOS, array())?,
            command: on.topic(command, DATA_QOS, told)?,
        })))
    }
}

impl VehicleOutput for DriverPublishers {
    /// Publishes what the driver did at its last tick, under the time of that, unless its tracker waits.
    fn publish(&mut self, _stamp: &Time, _snapshot: &Snapshot, vehicle: &VehicleSnapshot) {
        let Some(tracking) = vehicle.frame.tracking.filter(|tracking| vehicle.tracked && tracking.active) else {
            return;
        };
        send(&mut self.reference, tracking.reference.position, tracking.time);
        send(&mut self.velocities, tracking.point_velocity, tracking.time);
        let message = &mut self.command.message;
        message.header.stamp = convert::stamp(tracking.time);
        message.drive.speed = tracking.steer.speed as f32;
        message.drive.steering_angle = tracking.steer.steering_angle as f32;
        self.command.publish();
    }
}

/// Publishes a vector of the plane with its time, as the study's nodes do.
pub fn send(topic: &mut Topic<Float64MultiArray>, vector: Vec2, now: SimTime) {
    topic.message.data.clear();
    topic.message.data.extend([vector.x, vector.y, now.secs()]);
    topic.publish();
}
