//! Outputs of the node and of vehicles beside the topics of the preset, published from snapshots: what an output is, and three of them, for
//! the built-in driver of a vehicle, its description, and the columns of its logs.

use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::copy::VehicleSnapshot;
use skidpad_ros_data::message::{AckermannDriveStamped, DriverMessages, Float64, Quality, Text, fill};
use skidpad_ros_data::urdf::Robot;
use skidpad_run::sink::columns::{POSE, append_row, append_wheel_row};
use skidpad_sim::world::VehicleInfo;

use super::publisher::{Announcer, Publisher, RosTopic};
use super::snapshot::PublishSnapshot;
use crate::error::RosError;
use crate::graph::topics::{VehicleTopics, log_topics};

/// Publishes its own topics at each snapshot.
pub(crate) trait NodeOutput: Send {
    /// Publishes what is due, after the clock and the vehicles.
    fn publish(&mut self, snapshot: &PublishSnapshot);
}

/// Publishes topics of one vehicle other than those of its preset.
pub trait VehicleOutput: Send {
    /// Publishes what is due; `vehicle` is the state of its vehicle in the snapshot.
    fn publish(&mut self, snapshot: &PublishSnapshot, vehicle: &VehicleSnapshot);
}

/// An output of a vehicle; none where there is nothing to publish.
pub(crate) type MaybeOutput = Result<Option<Box<dyn VehicleOutput>>, RosError>;

/// The topics of a vehicle's built-in driver (`skidpad run --track`).
pub(crate) struct DriverPublishers(DriverMessages<Publisher>);

impl DriverPublishers {
    /// Announces the topics of the vehicle's driver; none where it has none.
    pub fn make(announcer: &mut Announcer<'_>, _vehicle: &VehicleInfo, topics: &VehicleTopics) -> MaybeOutput {
        let names: Vec<String> = topics.of_driver().map(|(name, _)| name).collect();
        let [reference, velocities, command] = names.as_slice() else { return Ok(None) };
        let header = fill::header(SimTime::ZERO, &topics.names.states_frame());
        let command_message = AckermannDriveStamped { header, ..AckermannDriveStamped::default() };
        Ok(Some(Box::new(DriverPublishers(DriverMessages::new(
            announcer,
            [reference, velocities, command],
            command_message,
        )?))))
    }
}

impl VehicleOutput for DriverPublishers {
    fn publish(&mut self, _snapshot: &PublishSnapshot, vehicle: &VehicleSnapshot) {
        let Ok(()) = self.0.send(&mut (), vehicle);
    }
}

/// A vehicle's URDF, latched on `robot_description`.
pub(crate) struct DescriptionPublisher {
    topic: RosTopic<Text>,
    is_published: bool,
}

impl DescriptionPublisher {
    /// Announces the vehicle's description, if it has a topic.
    pub fn make(announcer: &mut Announcer<'_>, vehicle: &VehicleInfo, topics: &VehicleTopics) -> MaybeOutput {
        let Some(name) = &topics.description else { return Ok(None) };
        let urdf = Robot::new(vehicle, &topics.names).to_xml();
        let data = urdf.map_err(|error| RosError::new(format!("topic \"{name}\""), error.to_string()))?;
        Ok(Some(Box::new(DescriptionPublisher {
            topic: announcer.topic(name, Quality::Latched, Text { data })?,
            is_published: false,
        })))
    }
}

impl VehicleOutput for DescriptionPublisher {
    /// Publishes it once; the middleware keeps it.
    fn publish(&mut self, _snapshot: &PublishSnapshot, _vehicle: &VehicleSnapshot) {
        if !std::mem::replace(&mut self.is_published, true) {
            self.topic.publish();
            self.topic.message = Text::default();
        }
    }
}

/// The columns of the CSV logs as topics, on request, in the order of [`log_topics`]: `log/pose/<column>` and `log/wheel_<n>/<column>`,
/// with MVSim's names and the wheels counted from 1. The columns are those of [`skidpad_run::sink::columns`], including the first one, for plots
/// against simulated time.
pub(crate) struct LogTopics {
    topics: Vec<RosTopic<Float64>>,
    /// The constant part of the vehicle, which some columns need.
    info: VehicleInfo,
    /// The values, kept from one publication to the next.
    row: Vec<f64>,
}

impl LogTopics {
    /// The topics of a vehicle, if log topics are published.
    pub fn make(announcer: &mut Announcer<'_>, vehicle: &VehicleInfo, topics: &VehicleTopics) -> MaybeOutput {
        if !topics.extras.log {
            return Ok(None);
        }
        let topic = |name: String| {
            announcer.topic(&topics.names.topic_beside(&vehicle.name, &name), Quality::Data, Float64::default())
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
            append_wheel_row(&mut self.row, time, wheel, &vehicle.frame, info);
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
    use skidpad_run::sink::columns::WHEEL;
    use skidpad_sim::world::WheelInfo;

    use super::*;

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
