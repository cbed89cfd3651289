//! What things of a scene look like, as simple shapes for viewers. Geometry is that of the scene: a mesh where the world file has one,
//! its solid, or the prism over its outline.

use std::path::PathBuf;

use crate::math::{Pose3, Vec2, Vec3};
use crate::mesh::{Mesh, prism};
use crate::world::BlockInfo;
use crate::world::region::Region;
use crate::world::terrain::{ElevationInfo, PlaneInfo};
use crate::world::visual::Visual;
use crate::world::wall::{OpeningKind, WallInfo};

/// A shape with its colour, in the frame of what it belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The shape.
    pub shape: Shape,
    /// Where the shape's own frame is [m, rad].
    pub pose: Pose3,
    /// Red green blue alpha; none: those that the file brings.
    pub color: Option<[u8; 4]>,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Three corners [m] of each triangle.
    Triangles(Vec<Vec3>),
    /// Points [m] of a line, in order.
    Line(Vec<Vec3>),
    /// A file on this machine, and the size of its content [-].
    File(PathBuf, f64),
}

impl Drawing {
    fn new(shape: Shape, color: [u8; 4]) -> Drawing {
        Drawing { shape, pose: Pose3::default(), color: Some(color) }
    }

    fn at(mut self, pose: Pose3) -> Drawing {
        self.pose = pose;
        self
    }
}

/// Most cells along a side of a height map as drawn: more than viewers show at once.
const MOST_CELLS: usize = 128;
/// How solid a region is drawn [0 to 255]: what is in it is seen.
const REGION_ALPHA: u8 = 0x40;
/// Colour of regions.
const REGION_COLOR: [u8; 4] = [0x30, 0x80, 0xff, REGION_ALPHA];

/// The triangles of a mesh, one after the other.
pub fn triangles(mesh: &Mesh) -> Shape {
    Shape::Triangles(mesh.triangles.iter().flatten().filter_map(|&i| mesh.vertices.get(i as usize).copied()).collect())
}

/// The closed line around an outline [m] at a height [m].
pub fn ring(outline: &[Vec2], z: f64) -> Shape {
    Shape::Line(outline.iter().chain(outline.first()).map(|p| Vec3::new(p.x, p.y, z)).collect())
}

/// The meshes of a body that are on this machine; empty where the body has none.
pub fn visuals(visuals: &[Visual]) -> impl Iterator<Item = Drawing> {
    visuals.iter().filter_map(|visual| {
        let shape = Shape::File(visual.file.clone()?, visual.scale);
        Some(Drawing { shape, pose: visual.body_from_mesh, color: visual.color })
    })
}

/// A body: its meshes, or else the prism over its outline.
pub fn body(meshes: &[Visual], outline: &[Vec2], z: [f64; 2], color: [u8; 4]) -> Vec<Drawing> {
    let mut drawings: Vec<Drawing> = visuals(meshes).collect();
    if drawings.is_empty() {
        drawings.push(Drawing::new(triangles(&prism(outline, z)), color));
    }
    drawings
}

/// A block in its own frame.
pub fn block(block: &BlockInfo) -> Vec<Drawing> {
    match &block.geometry {
        Some(solid) if block.visuals.is_empty() => vec![Drawing::new(triangles(&solid.mesh()), block.color)],
        _ => body(&block.visuals, &block.outline, block.z, block.color),
    }
}

/// A wall in the world: its stretches between doors, and what is left of it above and below doors and windows.
pub fn wall(wall: &WallInfo) -> Vec<Drawing> {
    let length = wall.length();
    let piece = |span: [f64; 2], z: [f64; 2]| {
        Drawing::new(triangles(&prism(&wall.outline(span), z)), wall.color).at(wall.world_from_wall)
    };
    // Between openings, whichever they are, the wall is whole.
    let mut spans: Vec<[f64; 2]> = wall.openings.iter().map(|opening| opening.span(length)).collect();
    spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut pieces = Vec::new();
    let mut start = 0.0;
    for [from, to] in spans.into_iter().chain([[length, length]]) {
        if from > start {
            pieces.push(piece([start, from], wall.z));
        }
        start = f64::max(start, to);
    }
    for opening in &wall.openings {
        let span = opening.span(length);
        let below = [wall.z[0], opening.z[0]];
        // One drives through doors: nothing is left of the wall below them.
        if below[1] > below[0] && opening.kind == OpeningKind::Window {
            pieces.push(piece(span, below));
        }
        let above = [opening.z[1], wall.z[1]];
        if above[1] > above[0] {
            pieces.push(piece(span, above));
        }
    }
    pieces
}

/// A region in the world, seen through.
pub fn region(region: &Region) -> Drawing {
    let (low, high) = (region.low, region.high);
    let outline = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)].map(|(x, y)| Vec2::new(x, y));
    Drawing::new(triangles(&prism(&outline, [low.z, high.z])), REGION_COLOR)
}

/// A plane in its own frame.
pub fn plane(plane: &PlaneInfo) -> Drawing {
    let [[x0, x1], [y0, y1]] = [plane.x, plane.y];
    let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y0), (x1, y1), (x0, y1)];
    Drawing::new(Shape::Triangles(corners.map(|(x, y)| Vec3::new(x, y, plane.z)).to_vec()), plane.color)
}

/// A height map in the world, thinned out where it is finer than viewers need.
pub fn elevation(elevation: &ElevationInfo) -> Drawing {
    let map = &elevation.map;
    let (rows, columns) = (map.rows(), map.columns());
    let indices = |count: usize| -> Vec<usize> {
        let stride = count.div_ceil(MOST_CELLS).max(1);
        let last = count.saturating_sub(1);
        let mut indices: Vec<usize> = (0..last).step_by(stride).collect();
        indices.push(last);
        indices
    };
    let (along_x, along_y) = (indices(rows), indices(columns));
    let point = |row: usize, column: usize| {
        let (corner, resolution) = (map.corner(), map.resolution());
        let height = map.heights().get(row * columns + column).copied().unwrap_or(0.0);
        Vec3::new(corner.x + row as f64 * resolution, corner.y + column as f64 * resolution, height)
    };
    let mut corners = Vec::new();
    for x in along_x.windows(2) {
        for y in along_y.windows(2) {
            let [a, b, c, d] = [point(x[0], y[0]), point(x[1], y[0]), point(x[1], y[1]), point(x[0], y[1])];
            corners.extend([a, b, c, a, c, d]);
        }
    }
    Drawing::new(Shape::Triangles(corners), elevation.color)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::world::terrain::HeightMap;
    use crate::world::wall::Opening;

    fn area_of_side(drawings: &[Drawing]) -> f64 {
        // Triangles of the side that looks to +y, of a wall along x.
        let mut area = 0.0;
        for drawing in drawings {
            let Shape::Triangles(corners) = &drawing.shape else { panic!("{drawing:?}") };
            for t in corners.chunks_exact(3) {
                let normal = (t[1] - t[0]).cross(&(t[2] - t[0]));
                area += 0.5 * normal.y.max(0.0);
            }
        }
        area
    }

    #[test]
    fn a_wall_is_drawn_with_its_openings_cut_out() {
        let opening = |kind, position, z| Opening { kind, name: String::new(), position, width: 1.0, z };
        let wall_info = WallInfo {
            ends: [Vec2::ZERO, Vec2::new(10.0, 0.0)],
            z: [0.0, 3.0],
            thickness: 0.2,
            openings: vec![opening(OpeningKind::Door, 0.5, [0.0, 2.0]), opening(OpeningKind::Window, 0.2, [1.0, 2.0])],
            ..WallInfo::default()
        };
        // 10·3 less a door of 1·2 and a window of 1·1.
        assert!((area_of_side(&wall(&wall_info)) - 27.0).abs() < 1e-9, "{}", area_of_side(&wall(&wall_info)));
    }

    #[test]
    fn a_fine_height_map_is_thinned_out_to_its_ends() {
        let (rows, columns) = (1000, 3);
        let heights = (0..rows * columns).map(|i| (i / columns) as f64).collect();
        let map = HeightMap::new(Vec2::new(-1.0, 2.0), 0.5, columns, heights).unwrap();
        let drawn = elevation(&ElevationInfo { map: Arc::new(map), ..ElevationInfo::default() });
        let Shape::Triangles(corners) = drawn.shape else { panic!() };
        assert!(corners.len() <= 6 * (MOST_CELLS + 1) * 2, "{}", corners.len());
        let (low, high) = corners.iter().fold((f64::MAX, f64::MIN), |(l, h), p| (l.min(p.x), h.max(p.x)));
        assert_eq!((low, high), (-1.0, -1.0 + 999.0 * 0.5));
        assert!(corners.iter().all(|p| (p.z - (p.x + 1.0) / 0.5).abs() < 1e-9));
    }

    #[test]
    fn a_body_without_a_mesh_on_this_machine_is_its_prism() {
        let outline: Vec<Vec2> = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)].map(|(x, y)| Vec2::new(x, y)).into();
        let drawn = body(&[], &outline, [0.0, 1.0], [1, 2, 3, 4]);
        assert!(
            matches!(&drawn[..], [Drawing { shape: Shape::Triangles(corners), color: Some([1, 2, 3, 4]), .. }] if corners.len() == 24)
        );
        let Shape::Line(points) = ring(&outline, 0.5) else { panic!() };
        assert_eq!((points.len(), points[0], points[0].z), (4, points[3], 0.5));
    }
}
