//! The columns of the CSV logs as topics, on request: `log/pose/<column>` and `log/wheel_<n>/<column>`, with MVSim's names and the wheels
//! counted from 1. The columns are those of `sink::csv::columns`, including the first one, for plots against simulated time.

use super::output::{MaybeOutput, VehicleOutput};
use super::publisher::{Announcer, RosTopic};
use super::snapshot::PublishSnapshot;
use crate::interface::copy::VehicleSnapshot;
use crate::message::{Float64, Quality};
use crate::ros::graph::topics::{VehicleTopics, log_topics};
use crate::sink::columns::{POSE, WHEEL, append_row};
use crate::world::VehicleInfo;

/// The topics of one vehicle, in the order of [`log_topics`].
pub struct LogTopics {
    topics: Vec<RosTopic<Float64>>,
    /// The constant part of the vehicle, which some columns need.
    info: VehicleInfo,
    /// The values, kept from one publication to the next.
    row: Vec<f64>,
}

impl LogTopics {
    /// The topics of a vehicle, if log topics are published.
    pub fn make(on: &mut Announcer<'_>, vehicle: &VehicleInfo, topics: &VehicleTopics) -> MaybeOutput {
        if !topics.extras.log {
            return Ok(None);
        }
        let topic = |name: String| {
            on.topic(&topics.names.topic_beside(&vehicle.name, &name), Quality::Data, Float64::default())
        };
        let topics = log_topics(vehicle).map(topic).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(Box::new(LogTopics { topics, info: vehicle.clone(), row: Vec::new() })))
    }
}

impl VehicleOutput for LogTopics {
    fn publish(&mut self, snapshot: &PublishSnapshot, vehicle: &VehicleSnapshot) {
        if !snapshot.logs {
            return;
        }
        self.row.clear();
        let time = snapshot.time.0 as f64 / 1e9;
        append_row(&mut self.row, POSE, time, &vehicle.frame, &self.info);
        for (wheel, info) in vehicle.frame.wheels.iter().zip(&self.info.wheels) {
            append_row(&mut self.row, WHEEL, time, wheel, info);
        }
        for (topic, value) in self.topics.iter_mut().zip(&self.row).filter(|(topic, _)| topic.channel.has_subscribers())
        {
            topic.message.data = *value;
            topic.publish();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::WheelInfo;

    #[test]
    fn every_column_of_every_log_file_has_a_topic() {
        let vehicle = VehicleInfo { wheels: vec![WheelInfo::default(); 2], ..VehicleInfo::default() };
        let names: Vec<String> = log_topics(&vehicle).collect();
        assert_eq!(names.len(), 1 + POSE.len() + 2 * (1 + WHEEL.len()));
        for known in ["log/pose/Timestamp", "log/pose/q3yaw", "log/wheel_1/friction_x", "log/wheel_2/torque"] {
            assert!(names.iter().any(|name| name == known), "{known}");
        }
        assert!(!names.iter().any(|name| name.starts_with("log/wheel_0")));
    }
}
