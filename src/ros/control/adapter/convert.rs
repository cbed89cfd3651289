//! Conversions between the messages of `simulation_interfaces` and the types of the control.

use r2r::builtin_interfaces::msg::Time;
use r2r::geometry_msgs::msg::{Point, Pose, PoseStamped, Quaternion, Twist, Vector3};
use r2r::simulation_interfaces::msg::{
    Bounds, EntityCategory, EntityFilters, EntityInfo, EntityState, NamedPose, Resource, Result, SpawnResult,
    TagsFilter, WorldResource,
};
use skidpad_math::Pose3;
use skidpad_ros_data::interface::rules;

use super::super::bounds::{self, Corners};
use super::super::entity::{Info, State};
use super::super::filter::{Filter, Tags};
use super::super::outcome::{Outcome, Refusal, code};
use super::super::pose::GivenPose;
use super::super::resource;
use super::super::spawn::EntityRequest;
use super::super::world_list::{self, Entry};

/// Code and reason of a refusal.
pub fn result<T>(outcome: &Outcome<T>) -> Result {
    let refused = |refusal: &Refusal| Result { result: refusal.code, error_message: refusal.reason.clone() };
    outcome.as_ref().map_or_else(refused, |_| Result { result: code::OK, error_message: String::new() })
}

pub fn tags(message: TagsFilter) -> Outcome<Tags> {
    Tags::read(message.tags, message.filter_mode)
}

pub fn filter(message: EntityFilters) -> Outcome<Filter> {
    let points: Vec<[f64; 3]> = message.bounds.points.iter().map(|p| [p.x, p.y, p.z]).collect();
    let bounds = bounds::Bounds::read(message.bounds.type_, &points)?;
    let categories: Vec<u8> = message.categories.iter().map(|category| category.category).collect();
    Filter::new(&message.filter, &categories, tags(message.tags)?, bounds)
}

pub(crate) fn given_pose(frame: String, pose: &Pose) -> GivenPose {
    let (at, turn) = (&pose.position, &pose.orientation);
    GivenPose { frame, position: [at.x, at.y, at.z], quaternion: [turn.x, turn.y, turn.z, turn.w] }
}

pub fn stamped_pose(message: PoseStamped) -> GivenPose {
    given_pose(message.header.frame_id, &message.pose)
}

fn pose(pose: Pose3) -> Pose {
    let [x, y, z, w] = pose.quaternion();
    Pose { position: Point { x: pose.x, y: pose.y, z: pose.z }, orientation: Quaternion { x, y, z, w } }
}

/// The state of an entity in the frame `map`.
pub fn state(state: State, map: &str) -> EntityState {
    let mut message = EntityState::default();
    let (sec, nanosec) = rules::stamp(state.time);
    message.header.stamp = Time { sec, nanosec };
    message.header.frame_id = map.to_owned();
    message.pose = pose(state.pose);
    let (linear, angular) = (state.velocity, Vector3 { x: 0.0, y: 0.0, z: state.yaw_rate });
    message.twist = Twist { linear: Vector3 { x: linear.x, y: linear.y, z: linear.z }, angular };
    message.acceleration.linear.x = state.acceleration.x;
    message.acceleration.linear.y = state.acceleration.y;
    message
}

pub fn info(info: Info) -> EntityInfo {
    let category = EntityCategory { category: info.category as u8 };
    EntityInfo { category, description: info.description, tags: info.tags }
}

/// A box, given by its lower and its upper corner.
pub fn corners([low, high]: Corners) -> Bounds {
    let point = |p: skidpad_math::Vec3| Vector3 { x: p.x, y: p.y, z: p.z };
    Bounds { type_: bounds::kind::BOX, points: vec![point(high), point(low)] }
}

pub(crate) fn named_pose(named: world_list::NamedPose) -> NamedPose {
    NamedPose { name: named.name, description: named.description, tags: named.tags, pose: pose(named.pose) }
}

pub fn resource(message: Resource) -> resource::Resource {
    resource::Resource { uri: message.uri, text: message.resource_string }
}

pub(crate) fn resource_message(resource: resource::Resource) -> Resource {
    Resource { uri: resource.uri, resource_string: resource.text }
}

pub fn world(entry: Entry) -> WorldResource {
    WorldResource {
        name: entry.name,
        world_resource: resource_message(entry.resource),
        description: entry.description,
        tags: Vec::new(),
    }
}

/// One of several entities to spawn.
pub(crate) fn entity_request(message: r2r::simulation_interfaces::msg::SpawnEntity) -> EntityRequest {
    EntityRequest {
        name: message.name,
        allow_renaming: message.allow_renaming,
        resource: resource(message.entity_resource),
        namespace: message.entity_namespace,
        pose: stamped_pose(message.initial_pose),
    }
}

pub(crate) fn spawn_result(outcome: Outcome<String>) -> SpawnResult {
    SpawnResult { result: result(&outcome), entity_name: outcome.unwrap_or_default() }
}
