//! Markers for RViz and Foxglove: each vehicle in its own frame, and the whole world in that of the map.
//!
//! | topic | content | when |
//! |---|---|---|
//! | `chassis_markers` of a vehicle | chassis, wheels, forces, paths | periodically |
//! | `chassis_polygon` of a vehicle | its footprint | periodically |
//! | `/world_markers` | static things: walls, blocks, regions, ground | latched; again when the scene changes |
//! | `/moving_markers` | vehicles, blocks that move, planes, actors | periodically |
//!
//! No message is built for a topic without receivers. Stamps of markers are 0, so viewers use the newest transform: a marker that moves
//! with its frame needs no other.

mod figure;
mod group;
mod path;
mod vehicle;
mod world;

pub use vehicle::VehicleMarkers;
pub use world::{Surroundings, WorldMarkers};

use super::{MarkerArray, Message, PolygonStamped};
use crate::preset::Preset;

/// Name and type of a vehicle's topics.
pub const VEHICLE_TOPICS: [(&str, &str); 2] =
    [("chassis_markers", MarkerArray::TYPE), ("chassis_polygon", PolygonStamped::TYPE)];
/// Name and type of the world's topics.
pub const WORLD_TOPICS: [(&str, &str); 2] =
    [("world_markers", MarkerArray::TYPE), ("moving_markers", MarkerArray::TYPE)];

/// Whether vehicles have these topics under this preset: a system with markers of its own uses the names itself.
pub fn are_free(preset: &Preset) -> bool {
    preset.topics.iter().all(|topic| VEHICLE_TOPICS.iter().all(|(name, _)| topic.name != *name))
}
