//! Bodies without meshes, and what lidars see of bodies whose meshes cameras alone see: the same.

use std::f64::consts::FRAC_PI_2;

use skidpad_files::mesh::primitives::Geometry;
use skidpad_files::mesh::prism;
use skidpad_math::{Pose3, Vec2};

use super::{ACTOR_COLOR, Drawing, of_front_frame, triangles};
use crate::raycast::space::SeenBy;
use crate::world::actor::ActorInfo;
use crate::world::visual::Visual;
use crate::world::{BlockInfo, VehicleInfo, WheelInfo};

/// The prism over an outline.
pub(super) fn plain_body(outline: &[Vec2], z: [f64; 2], color: [u8; 4]) -> Vec<Drawing> {
    vec![Drawing::new(triangles(&prism(outline, z)), color)]
}

/// The solid of a block, or otherwise the prism over its outline.
pub(super) fn plain_block(block: &BlockInfo) -> Vec<Drawing> {
    match &block.geometry {
        Some(solid) => vec![Drawing::new(triangles(&solid.mesh()), block.color)],
        None => plain_body(&block.outline, block.z, block.color),
    }
}

/// A cylinder with a head, of an actor's height; nothing of no height.
pub(super) fn figure(actor: &ActorInfo) -> Vec<Drawing> {
    /// Radii of head and body per height, and the number of corners of either.
    const HEAD: f64 = 0.07;
    const MAX_WIDTH: f64 = 0.13;
    const CORNERS: usize = 12;
    let height = if actor.height > 0.0 { actor.height } else { actor.collision_height };
    if height <= 0.0 {
        return Vec::new();
    }
    let (head, widest) = (HEAD * height, MAX_WIDTH * height);
    let radius = if actor.collision_radius > 0.0 { actor.collision_radius.min(widest) } else { widest };
    let body = Geometry::Cylinder { radius, length: height - 2.0 * head, vertex_count: CORNERS };
    let neck = Pose3 { z: height - head, ..Pose3::default() };
    let head = Geometry::Sphere { radius: head, vertex_count: CORNERS };
    let drawn = |solid: Geometry| Drawing::new(triangles(&solid.mesh()), ACTOR_COLOR);
    vec![drawn(body), drawn(head).at(neck)]
}

/// The cylinder of a wheel; nothing of no size.
pub(super) fn tyre(wheel: &WheelInfo) -> Vec<Drawing> {
    /// Corners of the cylinder.
    const CORNERS: usize = 24;
    if wheel.radius <= 0.0 || wheel.width <= 0.0 {
        return Vec::new();
    }
    let tyre = Geometry::Cylinder { radius: wheel.radius, length: wheel.width, vertex_count: CORNERS };
    let lying = Pose3 { y: 0.5 * wheel.width, roll: FRAC_PI_2, ..Pose3::default() };
    vec![Drawing::new(triangles(&tyre.mesh()), wheel.color).at(lying)]
}

/// What lidars see of a body all of whose meshes on this machine cameras alone see: what it is without them. Nothing where they see
/// what cameras see.
fn without(meshes: &[Visual], plain: impl FnOnce() -> Vec<Drawing>) -> Vec<Drawing> {
    let available = || meshes.iter().filter(|mesh| mesh.file.is_some());
    if available().next().is_none() || available().any(Visual::is_seen_by_lidars) {
        return Vec::new();
    }
    plain().into_iter().map(|drawing| Drawing { seen_by: SeenBy::Lidars, ..drawing }).collect()
}

/// What lidars see of a vehicle's chassis and front frame instead of meshes that cameras alone see.
pub fn vehicle_without_meshes(info: &VehicleInfo) -> Vec<Drawing> {
    let mut drawings = without(&info.visuals, || plain_body(&info.outline, info.chassis_z, info.color));
    if let Some(front) = &info.front {
        drawings.extend(of_front_frame(without(&front.visuals, || plain_body(&front.outline, front.z, front.color))));
    }
    drawings
}

/// What lidars see of a wheel instead of meshes that cameras alone see.
pub fn wheel_without_meshes(wheel: &WheelInfo) -> Vec<Drawing> {
    without(&wheel.visuals, || tyre(wheel))
}

/// What lidars see of a block instead of meshes that cameras alone see.
pub fn block_without_meshes(block: &BlockInfo) -> Vec<Drawing> {
    without(&block.visuals, || plain_block(block))
}

/// What lidars see of an actor instead of meshes that cameras alone see.
pub fn actor_without_meshes(actor: &ActorInfo) -> Vec<Drawing> {
    without(&actor.visuals, || figure(actor))
}
