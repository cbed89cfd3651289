//! The publishers of one vehicle: the topics of its preset, its sensors, and the further outputs of `OUTPUTS`.

use skidpad_ros_data::message::{Moment, VehicleMessages};
use skidpad_sim::sensor::Reading;
use skidpad_sim::world::VehicleInfo;

use super::markers::VehicleMarkers;
use super::outputs::{DescriptionPublisher, DriverPublishers, LogTopics, MaybeOutput, VehicleOutput};
use super::publisher::{Announcer, Publisher};
use super::snapshot::PublishSnapshot;
use crate::error::RosError;
use crate::graph::topics::VehicleTopics;

/// Constructors of the outputs of an added vehicle.
const OUTPUTS: &[fn(&mut Announcer<'_>, &VehicleInfo, &VehicleTopics) -> MaybeOutput] =
    &[DriverPublishers::make, DescriptionPublisher::make, VehicleMarkers::make, LogTopics::make];

/// The publishers of one vehicle.
pub(crate) struct VehiclePublishers {
    messages: VehicleMessages<Publisher>,
    outputs: Vec<Box<dyn VehicleOutput>>,
}

impl VehiclePublishers {
    /// Announces every topic of the vehicle.
    pub fn new(
        announcer: &mut Announcer<'_>,
        vehicle: &VehicleInfo,
        topics: &VehicleTopics,
    ) -> Result<VehiclePublishers, RosError> {
        let names = &topics.names;
        let of_preset = names.preset.topics.iter().filter(|topic| topic.condition.holds(&topics.now));
        let of_preset = of_preset.map(|topic| (names.topic(topic.name), *topic));
        let messages = VehicleMessages::new(announcer, vehicle, names, of_preset, topics.sensors.iter().cloned())?;
        let mut outputs = Vec::new();
        for make in OUTPUTS {
            outputs.extend(make(announcer, vehicle, topics)?);
        }
        Ok(VehiclePublishers { messages, outputs })
    }

    /// Publishes the topics and outputs that are due, for the vehicle with this index in the snapshot.
    pub fn publish(&mut self, snapshot: &PublishSnapshot, index: usize) {
        let Some(vehicle) = snapshot.vehicles.get(index) else { return };
        let opponents = snapshot.layout.as_ref().map(|layout| layout.opponents.as_slice()).unwrap_or_default();
        let opponent = opponents.get(index).copied().flatten().and_then(|opponent| snapshot.vehicles.get(opponent));
        let moment = Moment { time: snapshot.time, due: snapshot.states };
        let opponent = opponent.map(|opponent| &opponent.frame);
        let Ok(()) = self.messages.send(&mut (), moment, vehicle, opponent, &snapshot.desk);
        self.outputs.iter_mut().for_each(|output| output.publish(snapshot, vehicle));
    }

    /// Publishes a reading of one of its sensors.
    pub(crate) fn publish_reading(&mut self, reading: &Reading) {
        let Ok(()) = self.messages.send_reading(&mut (), reading);
    }
}
