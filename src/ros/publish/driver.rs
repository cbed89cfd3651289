//! The topics of a vehicle's built-in driver (`skidpad run --track`).

use super::output::{MaybeOutput, VehicleOutput};
use super::publisher::{Announcer, Publisher};
use super::snapshot::PublishSnapshot;
use crate::interface::copy::VehicleSnapshot;
use crate::message::{AckermannDriveStamped, DriverMessages, fill};
use crate::ros::graph::topics::VehicleTopics;
use crate::time::SimTime;
use crate::world::VehicleInfo;

/// The publishers of one driver.
pub struct DriverPublishers(DriverMessages<Publisher>);

impl DriverPublishers {
    /// Announces the topics of the vehicle's driver; none where it has none.
    pub fn make(on: &mut Announcer<'_>, _vehicle: &VehicleInfo, topics: &VehicleTopics) -> MaybeOutput {
        let names: Vec<String> = topics.of_driver().map(|(name, _)| name).collect();
        let [reference, velocities, command] = names.as_slice() else { return Ok(None) };
        let header = fill::header(SimTime::ZERO, &topics.names.states_frame());
        let command_message = AckermannDriveStamped { header, ..AckermannDriveStamped::default() };
        Ok(Some(Box::new(DriverPublishers(DriverMessages::new(
            on,
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
