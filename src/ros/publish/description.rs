//! A vehicle's URDF, latched on `robot_description`.

use super::output::{MaybeOutput, VehicleOutput};
use super::publisher::{Announcer, RosTopic};
use super::snapshot::PublishSnapshot;
use crate::interface::copy::VehicleSnapshot;
use crate::message::{Quality, Text};
use crate::ros::error::RosError;
use crate::ros::graph::topics::VehicleTopics;
use crate::urdf::Robot;
use crate::world::VehicleInfo;

/// The publisher of one vehicle's description.
pub struct DescriptionPublisher {
    topic: RosTopic<Text>,
    is_published: bool,
}

impl DescriptionPublisher {
    /// Announces the vehicle's description, if it has a topic.
    pub fn make(on: &mut Announcer<'_>, vehicle: &VehicleInfo, topics: &VehicleTopics) -> MaybeOutput {
        let Some(name) = &topics.description else { return Ok(None) };
        let urdf = Robot::new(vehicle, &topics.names).to_xml();
        let data = urdf.map_err(|error| RosError::new(format!("topic \"{name}\""), error.to_string()))?;
        Ok(Some(Box::new(DescriptionPublisher {
            topic: on.topic(name, Quality::Latched, Text { data })?,
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
