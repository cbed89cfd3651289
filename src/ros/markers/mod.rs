//! Markers for RViz and Foxglove: each vehicle in its own frame, and the whole world in `map`.
//!
//! | topic | content | when |
//! |---|---|---|
//! | `chassis_markers` of a vehicle | chassis, wheels, forces, paths | at `marker_rate` |
//! | `chassis_polygon` of a vehicle | its footprint | at `marker_rate` |
//! | `/world_markers` | static things: walls, blocks, regions, ground | latched; again when the scene changes |
//! | `/moving_markers` | vehicles, blocks that move, planes, actors | at `marker_rate` |
//!
//! No message is built for a topic without subscribers. Stamps of markers are 0, so viewers use the newest transform: a marker that moves
//! with its frame needs no other.

mod figure;
mod marker;
mod path;
mod vehicle;
mod world;

pub use vehicle::VehicleMarkers;
pub use world::WorldMarkers;

use crate::message::{MarkerArray, Message, PolygonStamped};

/// Name and type of a vehicle's topics.
pub const VEHICLE_TOPICS: [(&str, &str); 2] =
    [("chassis_markers", MarkerArray::TYPE), ("chassis_polygon", PolygonStamped::TYPE)];
/// Name and type of the world's topics.
pub const WORLD_TOPICS: [(&str, &str); 2] =
    [("world_markers", MarkerArray::TYPE), ("moving_markers", MarkerArray::TYPE)];
