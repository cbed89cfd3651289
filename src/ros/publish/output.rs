//! Outputs of the node and of vehicles beside the topics of the preset, published from snapshots.

use super::snapshot::PublishSnapshot;
use crate::interface::copy::VehicleSnapshot;
use crate::ros::error::RosError;

/// Publishes its own topics at each snapshot.
pub trait NodeOutput: Send {
    /// Publishes what is due, after the clock and the vehicles.
    fn publish(&mut self, snapshot: &PublishSnapshot);
}

/// Publishes topics of one vehicle other than those of its preset.
pub trait VehicleOutput: Send {
    /// Publishes what is due; `vehicle` is the state of its vehicle in the snapshot.
    fn publish(&mut self, snapshot: &PublishSnapshot, vehicle: &VehicleSnapshot);
}

/// An output of a vehicle; none where there is nothing to publish.
pub type MaybeOutput = Result<Option<Box<dyn VehicleOutput>>, RosError>;
