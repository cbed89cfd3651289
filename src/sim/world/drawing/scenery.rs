//! Walls, ground, regions and lines. Each has its own frame nearby, so that its coordinates stay small in worlds far from
//! their origin.

use skidpad_files::mesh::prism;
use skidpad_math::{Pose3, Vec2, Vec3};

use super::{Drawing, Picture, Shape, triangles};
use crate::world::region::Region;
use crate::world::terrain::{ElevationInfo, PlaneInfo};
use crate::world::viewer_scene::Marker;
use crate::world::visual::Texture;
use crate::world::wall::{OpeningKind, WallInfo};

/// Alpha of a region [0 to 255], so that its content is visible.
const REGION_ALPHA: u8 = 0x40;
/// Colour of regions.
const REGION_COLOR: [u8; 4] = [0x30, 0x80, 0xff, REGION_ALPHA];

/// A wall in the world: its pieces between doors, above doors, and above and below windows. Their frame starts at the
/// wall's start, with x along it.
pub fn wall(wall: &WallInfo) -> Vec<Drawing> {
    let length = wall.length();
    let axis = wall.ends[1] - wall.ends[0];
    let start = Pose3 { x: wall.ends[0].x, y: wall.ends[0].y, yaw: libm::atan2(axis.y, axis.x), ..Pose3::default() };
    let straight =
        WallInfo { ends: [Vec2::ZERO, Vec2::new(length, 0.0)], thickness: wall.thickness, ..WallInfo::default() };
    let piece = |span: [f64; 2], z: [f64; 2]| Drawing {
        is_lit: wall.is_lit,
        cull: wall.cull,
        ..Drawing::new(triangles(&prism(&straight.outline(span), z)), wall.color)
            .at(wall.world_from_wall * start)
            .papered(wall.texture.as_ref(), Vec3::new(0.0, 0.0, wall.z[0]), [length, wall.z[1] - wall.z[0]])
    };
    // Between openings of any kind the wall has its full height.
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
        // Doors can be driven through: there is no wall below them.
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

/// A region in the world, translucent.
pub fn region(region: &Region) -> Drawing {
    let size = region.high - region.low;
    let outline = [(0.0, 0.0), (size.x, 0.0), (size.x, size.y), (0.0, size.y)].map(|(x, y)| Vec2::new(x, y));
    Drawing::new(triangles(&prism(&outline, [0.0, size.z])), REGION_COLOR).at(place(region.low))
}

/// A line in the world.
pub fn line(marker: &Marker) -> Drawing {
    let start = marker.points.first().copied().unwrap_or_default();
    let points = marker.points.iter().map(|point| point - start).collect();
    Drawing::new(Shape::Line(points), marker.color).at(place(start))
}

/// A plane in its own frame.
pub fn plane(plane: &PlaneInfo) -> Drawing {
    let [[x0, x1], [y0, y1]] = [plane.x, plane.y];
    let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y0), (x1, y1), (x0, y1)];
    Drawing {
        is_lit: plane.is_lit,
        cull: plane.cull,
        ..Drawing::new(Shape::Triangles(corners.map(|(x, y)| Vec3::new(x, y, plane.z)).to_vec()), plane.color).papered(
            plane.texture.as_ref(),
            Vec3::new(x0, y0, plane.z),
            [x1 - x0, y1 - y0],
        )
    }
}

/// A height map in the world, thinned out where it has more than `most_cells` along a side.
pub fn elevation(elevation: &ElevationInfo, most_cells: usize) -> Drawing {
    let map = &elevation.map;
    let (rows, columns) = (map.rows(), map.columns());
    let indices = |count: usize| -> Vec<usize> {
        let stride = count.div_ceil(most_cells).max(1);
        let last = count.saturating_sub(1);
        let mut indices: Vec<usize> = (0..last).step_by(stride).collect();
        indices.push(last);
        indices
    };
    let (along_x, along_y) = (indices(rows), indices(columns));
    let vertex = |row: usize, column: usize| row * columns + column;
    let mut vertices = Vec::new();
    for x in along_x.windows(2) {
        for y in along_y.windows(2) {
            let [a, b, c, d] = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])];
            vertices.extend([a, b, c, a, c, d]);
        }
    }
    let corner = |&(row, column): &(usize, usize)| {
        let height = map.heights().get(vertex(row, column)).copied().unwrap_or(0.0);
        Vec3::new(row as f64 * map.resolution(), column as f64 * map.resolution(), height)
    };
    let color =
        |&(row, column): &(usize, usize)| elevation.vertex_colors.get(vertex(row, column)).copied().unwrap_or_default();
    let corner_colors = match elevation.vertex_colors.is_empty() {
        true => Vec::new(),
        false => vertices.iter().map(color).collect(),
    };
    let size = [rows, columns].map(|count| count.saturating_sub(1) as f64 * map.resolution());
    let origin = map.corner();
    let mut drawing = Drawing::new(Shape::Triangles(vertices.iter().map(corner).collect()), elevation.color)
        .at(place(Vec3::new(origin.x, origin.y, 0.0)));
    drawing.corner_colors = corner_colors;
    let papered = elevation.texture.as_ref().and_then(|texture| {
        let seen_from_above = |p: &Vec3| on_picture(texture, [p.x, p.y], size);
        let Shape::Triangles(corners) = &drawing.shape else { return None };
        Some(Picture { file: texture.file.clone()?, corners: corners.iter().map(seen_from_above).collect() })
    });
    Drawing { picture: papered, ..drawing }
}

fn place(position: Vec3) -> Pose3 {
    Pose3 { x: position.x, y: position.y, z: position.z, ..Pose3::default() }
}

/// Texture coordinates [-] of a point of a surface: `at` [m] is its position right of and above the surface's lower left corner,
/// `size` [m] that of the surface.
fn on_picture(texture: &Texture, at: [f64; 2], size: [f64; 2]) -> [f64; 2] {
    let share = [0, 1].map(|axis: usize| {
        let tile = if texture.size[axis] > 0.0 { texture.size[axis] } else { size[axis] };
        if tile > 0.0 { at[axis] / tile } else { 0.0 }
    });
    if texture.turn == 0.0 {
        return share;
    }
    // The picture is rotated about its centre.
    let (sin, cos) = libm::sincos(texture.turn);
    let [u, v] = share.map(|share| share - 0.5);
    [cos * u + sin * v + 0.5, cos * v - sin * u + 0.5]
}

impl Drawing {
    /// Puts a picture on each of its level and upright faces, tiles beginning at `origin` [m]; `size` [m]: size of the surface.
    fn papered(mut self, texture: Option<&Texture>, origin: Vec3, size: [f64; 2]) -> Drawing {
        let Some((texture, file)) = texture.and_then(|texture| Some((texture, texture.file.clone()?))) else {
            return self;
        };
        let Shape::Triangles(corners) = &self.shape else { return self };
        let mut on = Vec::with_capacity(corners.len());
        for triangle in corners.chunks_exact(3) {
            let normal = (triangle[1] - triangle[0]).cross(&(triangle[2] - triangle[0]));
            let [x, y, z] = [normal.x, normal.y, normal.z];
            on.extend(triangle.iter().map(|corner| {
                let p = corner - origin;
                // Pictures on upright faces run to the right as seen from outside.
                let at = if z.abs() >= x.abs() && z.abs() >= y.abs() {
                    [p.x, p.y]
                } else if y.abs() >= x.abs() {
                    [-y.signum() * p.x, p.z]
                } else {
                    [x.signum() * p.y, p.z]
                };
                on_picture(texture, at, size)
            }));
        }
        self.picture = Some(Picture { file, corners: on });
        self
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;
    use std::sync::Arc;

    use super::*;
    use crate::world::terrain::HeightMap;
    use crate::world::visual::CullFaces;
    use crate::world::wall::Opening;

    fn corners(drawing: &Drawing) -> &[Vec3] {
        let Shape::Triangles(corners) = &drawing.shape else { panic!("{drawing:?}") };
        corners
    }

    fn in_world(drawing: &Drawing) -> Vec<Vec3> {
        corners(drawing).iter().map(|corner| drawing.pose.transform_point(*corner)).collect()
    }

    fn bounds(points: impl IntoIterator<Item = Vec3>) -> [[f64; 3]; 2] {
        let mut ends = [[f64::MAX; 3], [f64::MIN; 3]];
        for p in points {
            for axis in 0..3 {
                ends[0][axis] = ends[0][axis].min(p[axis]);
                ends[1][axis] = ends[1][axis].max(p[axis]);
            }
        }
        ends
    }

    #[track_caller]
    fn assert_close(actual: [[f64; 3]; 2], wanted: [[f64; 3]; 2]) {
        let off = actual.iter().flatten().zip(wanted.iter().flatten()).any(|(a, b)| (a - b).abs() > 1e-9);
        assert!(!off, "{actual:?} for {wanted:?}");
    }

    fn area_of_side(drawings: &[Drawing]) -> f64 {
        // Triangles of the side that looks to +y, of a wall along x.
        let sides = drawings.iter().flat_map(|drawing| corners(drawing).chunks_exact(3));
        sides.map(|t| 0.5 * (t[1] - t[0]).cross(&(t[2] - t[0])).y.max(0.0)).sum()
    }

    fn texture(size: [f64; 2], turn: f64) -> Option<Texture> {
        Some(Texture { uri: "brick.png".into(), file: Some("brick.png".into()), size, turn })
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
    fn a_wall_stands_between_its_ends_with_an_unmirrored_picture_on_both_sides() {
        let info = WallInfo {
            world_from_wall: Pose3 { x: 100.0, z: 1.0, ..Pose3::default() },
            ends: [Vec2::new(0.0, 2.0), Vec2::new(0.0, 6.0)],
            z: [0.5, 3.5],
            thickness: 0.2,
            texture: texture([2.0, 1.5], 0.0),
            cull: CullFaces::Back,
            ..WallInfo::default()
        };
        let [drawing] = &wall(&info)[..] else { panic!() };
        assert_close(bounds(in_world(drawing)), [[99.9, 2.0, 1.5], [100.1, 6.0, 4.5]]);
        assert!(!drawing.is_lit && drawing.cull == CullFaces::Back);
        let picture = drawing.picture.as_ref().unwrap();
        assert_eq!(picture.file.to_str(), Some("brick.png"));
        // 4 m and 3 m are two tiles each. Seen from -y of its frame the picture runs with x, from the other side against it.
        for (triangle, on) in corners(drawing).chunks_exact(3).zip(picture.corners.chunks_exact(3)) {
            let normal = (triangle[1] - triangle[0]).cross(&(triangle[2] - triangle[0])).normalize();
            for (p, [u, v]) in triangle.iter().zip(on) {
                if normal.y.abs() > 0.5 {
                    assert!((u + normal.y * 0.5 * p.x).abs() < 1e-12 && (v - (p.z - 0.5) / 1.5).abs() < 1e-12);
                }
            }
            // On an upright face the picture is not mirrored as seen from outside.
            if normal.z.abs() < 0.5 {
                let (d, e) = ([on[1][0] - on[0][0], on[1][1] - on[0][1]], [on[2][0] - on[0][0], on[2][1] - on[0][1]]);
                assert!(d[0] * e[1] - d[1] * e[0] > 0.0, "{triangle:?} {on:?}");
            }
        }
    }

    #[test]
    fn the_tiles_of_a_plane_begin_at_its_corner() {
        let info = PlaneInfo {
            x: [-1.0, 3.0],
            y: [2.0, 5.0],
            z: 0.7,
            texture: texture([2.0, 3.0], 0.0),
            is_lit: true,
            ..PlaneInfo::default()
        };
        let drawing = plane(&info);
        assert_close(bounds(corners(&drawing).iter().copied()), [[-1.0, 2.0, 0.7], [3.0, 5.0, 0.7]]);
        for (p, [u, v]) in corners(&drawing).iter().zip(&drawing.picture.as_ref().unwrap().corners) {
            assert_eq!([*u, *v], [(p.x + 1.0) / 2.0, (p.y - 2.0) / 3.0]);
        }
        assert!(drawing.is_lit);
        let missing = Some(Texture { file: None, ..texture([2.0, 3.0], 0.0).unwrap() });
        assert_eq!(plane(&PlaneInfo { texture: missing, ..info }).picture, None, "its colour is drawn");
    }

    #[test]
    fn a_region_and_a_line_are_at_their_positions_with_small_coordinates() {
        let (low, high) = (Vec3::new(4e6, -5.0, 0.0), Vec3::new(4e6 + 2.0, 1.0, 3.0));
        let drawing = region(&Region { low, high, ..Region::default() });
        assert_close(bounds(in_world(&drawing)), [[4e6, -5.0, 0.0], [4e6 + 2.0, 1.0, 3.0]]);
        assert!(corners(&drawing).iter().all(|p| p.norm() < 10.0));
        let points = vec![Vec3::new(4e6, 0.0, 1.0), Vec3::new(4e6 + 1.0, 0.0, 1.0)];
        let drawing = line(&Marker { points, color: [1, 2, 3, 4], ..Marker::default() });
        assert_eq!(drawing.shape, Shape::Line(vec![Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0)]));
        assert_eq!((drawing.pose.x, drawing.pose.z, drawing.color), (4e6, 1.0, Some([1, 2, 3, 4])));
        assert_eq!(line(&Marker::default()).shape, Shape::Line(vec![]));
    }

    #[test]
    fn a_fine_height_map_is_thinned_out_over_its_whole_extent() {
        let (rows, columns) = (1000, 3);
        let heights = (0..rows * columns).map(|i| (i / columns) as f64).collect();
        let map = HeightMap::new(Vec2::new(-1.0, 2.0), 0.5, columns, heights).unwrap();
        let drawn = elevation(&ElevationInfo { map: Arc::new(map), ..ElevationInfo::default() }, 128);
        assert!(corners(&drawn).len() <= 6 * (128 + 1) * 2, "{}", corners(&drawn).len());
        assert_close(bounds(in_world(&drawn)), [[-1.0, 2.0, 0.0], [-1.0 + 999.0 * 0.5, 3.0, 999.0]]);
        assert!(in_world(&drawn).iter().all(|p| (p.z - (p.x + 1.0) / 0.5).abs() < 1e-9));
    }

    #[test]
    fn ground_has_the_colours_of_its_vertices_and_its_rotated_picture() {
        // Vertices (0, 0) (0, 1) | (1, 0) (1, 1), rows along x.
        let map = HeightMap::new(Vec2::ZERO, 2.0, 2, vec![0.0, 1.0, 2.0, 3.0]).unwrap();
        let colors = [[1, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0]];
        let info = ElevationInfo {
            map: Arc::new(map),
            vertex_colors: colors.to_vec(),
            texture: texture([0.0, 0.0], FRAC_PI_2),
            ..ElevationInfo::default()
        };
        let drawing = elevation(&info, 128);
        for (p, color) in corners(&drawing).iter().zip(&drawing.corner_colors) {
            assert_eq!(f64::from(color[0]), p.z + 1.0);
        }
        // Turned to the left by 90°, its lower left corner is at the greatest x, its right along y.
        for (p, [u, v]) in corners(&drawing).iter().zip(&drawing.picture.as_ref().unwrap().corners) {
            assert!((u - p.y / 2.0).abs() < 1e-12 && (v - (1.0 - p.x / 2.0)).abs() < 1e-12, "{p:?} {u} {v}");
        }
    }
}
