//! The peculiarities of version 2 of the messages: a resource is a message, and the parts of a state can be set one by one.

use r2r::simulation_interfaces::msg::{Bounds, Spawnable};
use r2r::simulation_interfaces::srv::{LoadWorld, SetEntityState, SpawnEntity};

use super::super::resource::Resource;
use super::convert;

/// The version.
pub const NUMBER: u8 = 2;

/// What to spawn.
pub(crate) fn spawn_resource(request: &mut SpawnEntity::Request) -> Resource {
    convert::resource(std::mem::take(&mut request.entity_resource))
}

/// What to load.
pub(crate) fn world_resource(request: LoadWorld::Request) -> Resource {
    convert::resource(request.world_resource)
}

/// Whether to set the pose, the twist and the acceleration.
pub(crate) fn parts_to_set(request: &SetEntityState::Request) -> [bool; 3] {
    [request.set_pose, request.set_twist, request.set_acceleration]
}

/// Something that can be spawned.
pub(crate) fn spawnable(uri: String, description: String) -> Spawnable {
    let resource = Resource { uri, text: String::new() };
    Spawnable { entity_resource: convert::resource_message(resource), description, spawn_bounds: Bounds::default() }
}
