//! `<walls>`: straight walls between pairs of points, or along the lines of a mesh.
//!
//! ```xml
//! <walls>
//!   <model_uri>walls.dae</model_uri>              each line of the mesh a wall, seen from above; or
//!   <shape> <pt>x y</pt> … </shape>               points in pairs, each pair a wall [m]
//!   <transformation>[1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]</transformation>   applied to the points, row by row
//!   <wallThickness>0.10</wallThickness> <wallHeight>2.0</wallHeight>   [m], > 0
//!   <color>#323232</color>
//!   <label>wall</label>                           class in labels
//! </walls>
//! ```
//! `<scale>` is accepted without effect, as in MVSim.

use std::collections::BTreeMap;

use nalgebra::Matrix4;
use skidpad_files::counted::counted;
use skidpad_files::mesh::primitives::rectangle;
use skidpad_math::{Pose2, Pose3, Twist2, Vec2, Vec3};
use skidpad_xml::{Accept, Reader};

use super::label::read_label;
use super::matrix::read_matrix;
use super::{Builder, StartHeight, block};
use crate::world::label::{self, Label};
use crate::world::terrain::BlockTop;
use crate::world::{BlockInfo, EntityId};

/// Largest number of walls of one tag: a mesh may have very many lines.
const MAX_WALLS: usize = 20_000;

impl Builder<'_> {
    pub(super) fn walls(&mut self, reader: &Reader<'_>) {
        reader.ignore(&["scale"]);
        let thickness = reader.f64("wallThickness", 0.1, Accept::positive());
        let height = reader.f64("wallHeight", 2.0, Accept::positive());
        let color = reader.color("color", [0x32, 0x32, 0x32, 0xff]);
        let label = read_label(reader, label::WALL);
        let world_from_points = read_transformation(reader);
        let points = if reader.has("model_uri") { self.lines_of_model(reader) } else { read_pairs(reader) };
        if points.len() > 2 * MAX_WALLS {
            let tag = if reader.has("model_uri") { "model_uri" } else { "shape" };
            reader.error_at(tag, format!("{} walls", points.len() / 2)).accepted([format!("at most {MAX_WALLS}")]);
            return;
        }
        let points: Vec<Vec2> = points
            .iter()
            .map(|p| {
                let p = world_from_points.fixed_view::<3, 4>(0, 0) * p.push(1.0);
                Vec2::new(p.x, p.y)
            })
            .collect();
        let mut corners = Corners::new(1.01 * thickness);
        for pair in points.as_chunks::<2>().0 {
            let [mut from, mut to] = *pair;
            let length = (to - from).norm();
            if !(length >= 1e-9 && length.is_finite()) {
                reader.warn(format!("a wall of no length at ({}, {})", from.x, from.y));
                continue;
            }
            let along = (1.0 / length) * (to - from);
            // An end that meets an earlier one extends beyond it, which closes the corner.
            let (extend_from, extend_to) = (corners.has_near(from), corners.has_near(to));
            corners.add(from);
            corners.add(to);
            if extend_from {
                from = from - 0.5 * thickness * along;
            }
            if extend_to {
                to = to + 0.5 * thickness * along;
            }
            let name = self.names.numbered("wall", 1, |stem, number| format!("{stem}_{number:04}"));
            let wall = wall(name, from, to, thickness, height, color);
            self.add_block(block::Loaded { info: BlockInfo { label: label.clone(), ..wall.info }, ..wall });
        }
    }

    /// Both ends of each line of the mesh [m]; empty, with a warning, if there is none.
    fn lines_of_model(&self, reader: &Reader<'_>) -> Vec<Vec3> {
        if reader.has("shape") {
            reader.warn("<shape> of <walls> has no effect beside <model_uri>");
        }
        let Some(file) = reader.asset("model_uri") else { return Vec::new() };
        let place = reader.place_of("model_uri");
        match self.meshes.load(&file) {
            Ok(mesh) => {
                if mesh.lines.is_empty() {
                    self.context
                        .warn(place, "the model has no lines: no walls are made")
                        .hint("walls are made along lines (<lines> in COLLADA), not along triangles");
                }
                mesh.lines.iter().flatten().map(|&i| mesh.vertices[i as usize]).collect()
            }
            Err(error) => {
                let problem = self.context.file_problem(&*error);
                let message = format!("{}: no walls are made", problem.first_line());
                self.context.warn(place, message).parts_of(problem);
                Vec::new()
            }
        }
    }
}

/// The points of `<shape>` [m].
fn read_pairs(reader: &Reader<'_>) -> Vec<Vec3> {
    let Some(shape) = reader.child("shape") else {
        reader.missing("<shape>");
        return Vec::new();
    };
    let mut points = Vec::new();
    for point in shape.children("pt") {
        if let Some(p) = point.own_numbers(&[2]) {
            points.push(Vec3::new(p[0], p[1], 0.0));
        }
    }
    if points.len() < 2 || points.len() % 2 != 0 {
        shape
            .error(format!("<shape> of <walls> has {}", counted(points.len(), "point")))
            .accepted(["pairs of points, one pair for each wall"]);
    }
    shape.finish();
    points
}

/// The matrix in `<transformation>`, or the identity if it is missing or invalid.
fn read_transformation(reader: &Reader<'_>) -> Matrix4<f64> {
    if reader.text("transformation").is_none_or(|text| text.is_empty()) {
        return Matrix4::identity();
    }
    match read_matrix(reader, "transformation") {
        Some((4, numbers)) if numbers.len() == 16 => Matrix4::from_row_slice(&numbers),
        Some((columns, numbers)) => {
            let rows = numbers.len() / columns;
            reader
                .error_at("transformation", format!("<transformation> in <walls> has {rows} x {columns} numbers"))
                .accepted(["4 rows of 4 numbers: [1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]"]);
            Matrix4::identity()
        }
        None => Matrix4::identity(),
    }
}

/// Ends of walls, in cells of a grid so that neighbours are found quickly.
struct Corners {
    /// Distance within which ends meet [m]; also the side length of a cell.
    reach: f64,
    cells: BTreeMap<[i64; 2], Vec<Vec2>>,
}

impl Corners {
    fn new(reach: f64) -> Corners {
        Corners { reach, cells: BTreeMap::new() }
    }

    fn cell(&self, p: Vec2) -> [i64; 2] {
        [p.x, p.y].map(|c| (c / self.reach).floor() as i64)
    }

    fn add(&mut self, p: Vec2) {
        self.cells.entry(self.cell(p)).or_default().push(p);
    }

    fn has_near(&self, p: Vec2) -> bool {
        let [x, y] = self.cell(p);
        let near = |cell: [i64; 2]| {
            let ends = self.cells.get(&cell);
            ends.is_some_and(|ends| ends.iter().any(|&end| (end - p).norm() < self.reach))
        };
        (-1..=1).any(|dx| (-1..=1).any(|dy| near([x.saturating_add(dx), y.saturating_add(dy)])))
    }
}

/// A wall from one point to another [m] as a block that never moves.
fn wall(name: String, from: Vec2, to: Vec2, thickness: f64, height: f64, color: [u8; 4]) -> block::Loaded {
    let middle = 0.5 * (from + to);
    let along = to - from;
    let (a, b) = (0.5 * along.norm(), 0.5 * thickness);
    block::Loaded {
        info: BlockInfo {
            id: EntityId::default(),
            name,
            label: Label::default(),
            outline: rectangle([-a, a], [-b, b]),
            z: [0.0, height],
            color,
            is_static: true,
            is_intangible: false,
            is_animated: false,
            top: BlockTop::Flat,
            world_from_start: Pose3::from_planar(Pose2::new(middle.x, middle.y, libm::atan2(along.y, along.x))),
            visuals: Vec::new(),
            geometry: None,
            publish: None,
        },
        height: StartHeight::Kept,
        animation: None,
        mass: 1e5,
        ground_friction: 1e5,
        friction: 0.5,
        restitution: 0.01,
        damping: [0.1, 0.1],
        start_velocity_in_body: Twist2::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_found_across_cells() {
        let mut corners = Corners::new(0.1);
        corners.add(Vec2::new(0.099, -0.001));
        assert!(corners.has_near(Vec2::new(0.101, 0.09)) && corners.has_near(Vec2::new(0.01, 0.01)));
        assert!(!corners.has_near(Vec2::new(0.3, 0.0)) && !corners.has_near(Vec2::new(0.099, 0.1)));
    }
}
