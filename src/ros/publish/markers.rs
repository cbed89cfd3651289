//! The markers of the node: when those of [`skidpad_ros_data::message::markers`] are published.

use std::sync::Arc;

use skidpad_math::time::SimTime;
use skidpad_ros_data::interface::copy::VehicleSnapshot;
use skidpad_ros_data::message::markers;
use skidpad_sim::world::VehicleInfo;

use super::outputs::{MaybeOutput, NodeOutput, VehicleOutput};
use super::publisher::{Announcer, Publisher};
use super::snapshot::PublishSnapshot;
use crate::error::RosError;
use crate::graph::topics::VehicleTopics;

/// Messages of a vehicle from one with its paths to the next.
const PATHS_EVERY: u32 = 5;

/// The markers and the footprint of a vehicle.
pub struct VehicleMarkers(markers::VehicleMarkers<Publisher>);

impl VehicleMarkers {
    /// The markers of a vehicle, if markers are published.
    pub fn make(announcer: &mut Announcer<'_>, vehicle: &VehicleInfo, topics: &VehicleTopics) -> MaybeOutput {
        match topics.extras.markers {
            true => {
                let markers = markers::VehicleMarkers::new(announcer, vehicle, &topics.names, PATHS_EVERY)?;
                Ok(Some(Box::new(VehicleMarkers(markers))))
            }
            false => Ok(None),
        }
    }
}

impl VehicleOutput for VehicleMarkers {
    fn publish(&mut self, snapshot: &PublishSnapshot, vehicle: &VehicleSnapshot) {
        if snapshot.markers {
            let Ok(()) = self.0.send(&mut (), snapshot.time, &vehicle.frame, snapshot.settings.force_scale);
        }
    }
}

impl Drop for VehicleMarkers {
    /// Removes the markers of the vehicle from viewers.
    fn drop(&mut self) {
        let Ok(()) = self.0.remove(&mut (), SimTime::ZERO);
    }
}

/// The markers of the world.
pub struct WorldMarkers(markers::WorldMarkers<Publisher>);

impl WorldMarkers {
    /// Announces the topics, with markers in `frame`, that of the map.
    pub fn new(announcer: &mut Announcer<'_>, frame: &str) -> Result<WorldMarkers, RosError> {
        markers::WorldMarkers::new(announcer, frame).map(WorldMarkers)
    }
}

impl NodeOutput for WorldMarkers {
    fn publish(&mut self, snapshot: &PublishSnapshot) {
        let Some(layout) = &snapshot.layout else { return };
        let Ok(()) = self.0.follow(&mut (), snapshot.time, &Arc::clone(&layout.scene));
        if snapshot.markers {
            let scale = snapshot.settings.force_scale;
            let Ok(()) = self.0.send(&mut (), snapshot.time, &snapshot.vehicles, &snapshot.surroundings, scale);
        }
    }
}
