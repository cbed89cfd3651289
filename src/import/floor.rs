//! Floors above the level ground: low and wide slabs, and the floors of houses. A plane on each is ground, on which vehicles start.

use skidpad_files::mesh::{area, convex_outline};
use skidpad_math::{Pose3, Vec2, Vec3};

use super::scenery::{MIN_HEIGHT, SceneBlock, Thing};
use super::shape::{Shape, Solid};

/// Least side of a floor [m], largest thickness of a slab in parts of its sides [-], and least share of a rectangle that it fills [-]. They are
/// chosen, so that boxes, pallets and steps are no floors.
const MIN_SIDE: f64 = 2.0;
const THIN: f64 = 0.1;
const RECTANGLE: f64 = 0.95;
/// Largest height of the floor of a mesh [m], and least share of the area around the mesh that it covers [-]: chosen.
const MAX_HEIGHT: f64 = 0.5;
const COVERS: f64 = 0.5;
/// Heights that differ by less are one floor [m], and least vertical part of the direction that its faces look in [-].
const LEVEL: f64 = 0.01;
const UPRIGHT: f64 = 0.999;

/// The ground on a block that is a floor: a low and wide slab on the ground, with the corners of a rectangle. On the block alone a vehicle without a
/// start height would be in it.
pub(super) fn on_block(block: &SceneBlock) -> Option<Thing> {
    let (low, high) = corners(block.outline.iter().copied())?;
    let size = [high.x - low.x, high.y - low.y];
    let is_wide = size.iter().all(|side| *side >= MIN_SIDE && block.height <= THIN * side);
    let is_low = block.pose.z <= MIN_HEIGHT && block.pose.z + block.height > MIN_HEIGHT;
    let is_rectangle = area(&block.outline) > RECTANGLE * size[0] * size[1];
    let floor = Floor { frame: block.pose, low, high, height: block.pose.z + block.height };
    (is_wide && is_low && is_rectangle).then(|| floor.plane(block.color))
}

/// The floor of a house: its height and the rectangle around it.
pub(super) struct Floor {
    /// Upright.
    frame: Pose3,
    /// Corners in this frame [m].
    low: Vec2,
    high: Vec2,
    /// In the world [m].
    pub height: f64,
}

impl Floor {
    /// It as ground.
    pub(super) fn plane(&self, color: [u8; 4]) -> Thing {
        let middle = 0.5 * (self.low + self.high);
        let middle = Pose3 { x: middle.x, y: middle.y, ..Pose3::default() };
        let pose = Pose3 { z: self.height, ..self.frame * middle };
        Thing::Plane { pose, size: [self.high.x - self.low.x, self.high.y - self.low.y], color }
    }
}

/// The floor of a mesh: level faces at one height above the ground, which look up and cover most of the mesh. None of other solids.
pub(super) fn of_mesh(shape: &Shape, world_from_link: &Pose3) -> Option<Floor> {
    let Solid::Mesh { file, .. } = &shape.solid else { return None };
    let frame = Pose3 { x: world_from_link.x, y: world_from_link.y, yaw: world_from_link.yaw, ..Pose3::default() };
    let points = shape.points(&(frame.inverse() * *world_from_link));
    let faces = file.mesh.triangles.iter().map(|triangle| triangle.map(|corner| points[corner as usize]));
    let mut levels: Vec<([Vec3; 3], f64)> = faces.filter_map(|face| Some((face, level_area(&face)?))).collect();
    levels.sort_by(|(a, _), (b, _)| a[0].z.total_cmp(&b[0].z));
    let height = |of: &([Vec3; 3], f64)| of.0[0].z;
    let mut widest: &[([Vec3; 3], f64)] = &[];
    let covered = |faces: &[([Vec3; 3], f64)]| faces.iter().map(|(_, area)| area).sum::<f64>();
    for faces in levels.chunk_by(|a, b| height(b) - height(a) < LEVEL) {
        if covered(faces) > covered(widest) {
            widest = faces;
        }
    }
    let flat: Vec<Vec2> = points.iter().map(|point| Vec2::new(point.x, point.y)).collect();
    let corner_points = widest.iter().flat_map(|(face, _)| face).map(|point| Vec2::new(point.x, point.y));
    let (low, high) = corners(corner_points)?;
    let is_wide = high.x - low.x >= MIN_SIDE && high.y - low.y >= MIN_SIDE;
    let covers = covered(widest) > COVERS * area(&convex_outline(&flat));
    let height = height(widest.first()?);
    (is_wide && covers).then_some(Floor { frame, low, high, height })
}

/// Area from above of a face that is level, looks up, and is at the height of a floor [m²]; none of others.
fn level_area([a, b, c]: &[Vec3; 3]) -> Option<f64> {
    let normal = (b - a).cross(&(c - a));
    let is_level = normal.z > UPRIGHT * normal.norm() && (MIN_HEIGHT..=MAX_HEIGHT).contains(&a.z);
    is_level.then_some(0.5 * normal.z)
}

/// The corners of the rectangle around points.
fn corners(points: impl Iterator<Item = Vec2>) -> Option<(Vec2, Vec2)> {
    let both = points.map(|point| (point, point));
    both.reduce(|(low, high), (point, _)| {
        (Vec2::new(low.x.min(point.x), low.y.min(point.y)), Vec2::new(high.x.max(point.x), high.y.max(point.y)))
    })
}
