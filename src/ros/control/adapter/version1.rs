//! The peculiarities of version 1 of the messages: a resource is two fields, and a state is always set as a whole.

use r2r::simulation_interfaces::msg::{Bounds, Spawnable};
use r2r::simulation_interfaces::srv::{LoadWorld, SetEntityState, SpawnEntity};

use super::super::resource::Resource;

/// The version.
pub const NUMBER: u8 = 1;

/// What to spawn.
pub(crate) fn spawn_resource(request: &mut SpawnEntity::Request) -> Resource {
    Resource { uri: std::mem::take(&mut request.uri), text: std::mem::take(&mut request.resource_string) }
}

/// What to load.
pub(crate) fn world_resource(request: LoadWorld::Request) -> Resource {
    Resource { uri: request.uri, text: request.resource_string }
}

/// Whether to set the pose, the twist and the acceleration.
pub(crate) fn parts_to_set(_request: &SetEntityState::Request) -> [bool; 3] {
    [true; 3]
}

/// Something that can be spawned.
pub(crate) fn spawnable(uri: String, description: String) -> Spawnable {
    Spawnable { uri, description, spawn_bounds: Bounds::default() }
}
