//! The outline of a mesh on the ground: the collision polygon of a body with `<shape_from_visual/>`.
//!
//! MVSim's method: the triangles between two heights are drawn into a grid of 100 cells along the diagonal, the cells that cannot
//! be reached from outside are the shape, and its boundary is simplified until 14 corners are left. Differences, none larger than
//! a cell: the boundary runs along the sides of cells and is shrunk to the mesh's extent, so that a box keeps its exact size.
//! A shape in several parts becomes their common convex hull.

use skidpad_math::{Pose3, Vec2, Vec3};
use thiserror::Error;

use super::raster::Raster;
use super::reduce::reduce;
use super::{Mesh, extent};

/// Most corners of an outline.
pub const MAX_POINTS: usize = 14;
/// Triangles this far beyond a range of heights still count [m].
const HEIGHT_SLACK: f64 = 1e-3;
/// Largest distance of a shape's points from its origin [m].
const MAX_DISTANCE: f64 = 1e6;
/// Least volume of a shape [m³].
const MIN_VOLUME: f64 = 1e-8;

/// The area that a shape covers on the ground, and its vertical extent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    /// A simple polygon [m], counter-clockwise, not closed, of at most [`MAX_POINTS`] corners.
    pub points: Vec<Vec2>,
    /// Lower and upper end [m].
    pub z: [f64; 2],
}

/// Why a mesh has no outline. The texts follow the name of the body.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum OutlineError {
    /// No triangle at all.
    #[error("there is no triangle in its mesh")]
    Empty,
    /// None between these heights.
    #[error("its mesh has nothing between zmin = {0} and zmax = {1}")]
    OutOfRange(f64, f64),
    /// Less than 1e-8 m³.
    #[error("its shape has a volume of {0:.2e} m³, less than 1e-8 m³")]
    Flat(f64),
    /// Farther from its origin than 1e6 m.
    #[error("its shape reaches {0:.2e} m far, more than 1e6 m")]
    Huge(f64),
}

impl Outline {
    /// The outline of a mesh in the frame of a body; a point p of the mesh lies at `body_from_mesh`·(`scale`·p). With
    /// `z_range` [m] only the parts between these heights count.
    pub(crate) fn of_mesh(
        mesh: &Mesh,
        body_from_mesh: &Pose3,
        scale: f64,
        z_range: Option<[f64; 2]>,
    ) -> Result<Outline, OutlineError> {
        let (rotation, position) = (scale * body_from_mesh.rotation(), body_from_mesh.position());
        let vertices: Vec<Vec3> = mesh.vertices.iter().map(|v| position + rotation * v).collect();
        let counts = |triangle: &[Vec3; 3]| {
            z_range.is_none_or(|[low, high]| {
                let lowest = triangle.iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
                let highest = triangle.iter().map(|p| p.z).fold(f64::NEG_INFINITY, f64::max);
                highest >= low - HEIGHT_SLACK && lowest <= high + HEIGHT_SLACK
            })
        };
        let triangles = || mesh.triangles.iter().map(|triangle| triangle.map(|i| vertices[i as usize])).filter(counts);
        let [low, high] = extent(triangles().flatten()).ok_or(match z_range {
            Some([low, high]) => OutlineError::OutOfRange(low, high),
            None => OutlineError::Empty,
        })?;
        let z = match z_range {
            Some([zmin, zmax]) => [low.z.max(zmin).min(zmax), high.z.min(zmax).max(zmin)],
            None => [low.z, high.z],
        };
        let flat = |p: Vec3| Vec2::new(p.x, p.y);
        let edges = triangles().flat_map(|[a, b, c]| [(a, b), (b, c), (c, a)]).map(|(a, b)| (flat(a), flat(b)));
        around(flat(low), flat(high), edges, z)
    }

    /// One outline around several, from the lowest to the highest end. None for an empty list.
    pub fn merged(outlines: &[Outline]) -> Option<Result<Outline, OutlineError>> {
        let [first, other_outlines @ ..] = outlines else { return None };
        if other_outlines.is_empty() {
            return Some(first.clone().checked());
        }
        let points = || outlines.iter().flat_map(|outline| &outline.points);
        let reach = |pick: fn(f64, f64) -> f64, far: f64| {
            points().fold(Vec2::new(far, far), |sum, p| Vec2::new(pick(sum.x, p.x), pick(sum.y, p.y)))
        };
        let (low, high) = (reach(f64::min, f64::INFINITY), reach(f64::max, f64::NEG_INFINITY));
        let z = outlines.iter().fold(first.z, |z, outline| [z[0].min(outline.z[0]), z[1].max(outline.z[1])]);
        let edges = outlines.iter().flat_map(|outline| {
            let next = outline.points.iter().cycle().skip(1);
            outline.points.iter().copied().zip(next.copied())
        });
        Some(around(low, high, edges, z))
    }

    /// The outline itself, unless it has next to no volume or exceeds the largest size.
    pub fn checked(self) -> Result<Outline, OutlineError> {
        let reach = self.points.iter().map(|p| p.norm()).fold(0.0, f64::max);
        if reach > MAX_DISTANCE {
            return Err(OutlineError::Huge(reach));
        }
        let volume = area(&self.points) * (self.z[1] - self.z[0]);
        if volume >= MIN_VOLUME { Ok(self) } else { Err(OutlineError::Flat(volume)) }
    }
}

/// The outline around edges [m] that lie between two corners of a box.
fn around(
    low: Vec2,
    high: Vec2,
    edges: impl Iterator<Item = (Vec2, Vec2)>,
    z: [f64; 2],
) -> Result<Outline, OutlineError> {
    let mut raster = Raster::new(low, high).ok_or(OutlineError::Flat(0.0))?;
    edges.for_each(|(from, to)| raster.draw(from, to));
    raster.close();
    let loops = raster.loops();
    let whole = match loops.as_slice() {
        [whole] => reduce(whole.clone(), MAX_POINTS, |from, to| raster.crosses(from, to)),
        _ => None,
    };
    let corners = match whole {
        Some(corners) => corners,
        None => {
            let all: Vec<Vec2> = loops.concat();
            reduce(convex_hull(&all), MAX_POINTS, |_, _| false).unwrap_or_default()
        }
    };
    // Shrunk to the mesh's extent, but a thin plate stays as thick as its cells.
    let keep = 3.0 * raster.cell_size();
    let pulled = |value: f64, low: f64, high: f64| if high - low < keep { value } else { value.clamp(low, high) };
    let points = corners.iter().map(|&corner| {
        let p = raster.position(corner);
        Vec2::new(pulled(p.x, low.x, high.x), pulled(p.y, low.y, high.y))
    });
    Outline { points: without_straight_corners(points.collect()), z }.checked()
}

/// Area of a polygon that runs counter-clockwise [m²].
pub fn area(points: &[Vec2]) -> f64 {
    let next = points.iter().cycle().skip(1);
    0.5 * points.iter().zip(next).map(|(a, b)| a.cross(*b)).sum::<f64>()
}

/// A polygon without the corners that lie on the line between their neighbours.
fn without_straight_corners(mut points: Vec<Vec2>) -> Vec<Vec2> {
    let mut i = 0;
    while points.len() > 2 && i < points.len() {
        let n = points.len();
        let (a, v, b) = (points[(i + n - 1) % n], points[i], points[(i + 1) % n]);
        if (v - a).cross(b - v).abs() <= 1e-12 * (v - a).norm() * (b - v).norm() {
            points.remove(i);
            i = i.saturating_sub(1);
        } else {
            i += 1;
        }
    }
    points
}

/// The convex hull of points [m], counter-clockwise, without corners on a straight line (Andrew's monotone chain).
pub fn convex_hull(points: &[Vec2]) -> Vec<Vec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let mut hull: Vec<Vec2> = Vec::new();
    let grow = |least: usize, hull: &mut Vec<Vec2>, p: Vec2| {
        while hull.len() > least && {
            let (a, b) = (hull[hull.len() - 2], hull[hull.len() - 1]);
            (b - a).cross(p - b) <= 0.0
        } {
            hull.pop();
        }
        hull.push(p);
    };
    sorted.iter().for_each(|&p| grow(1, &mut hull, p));
    let lower = hull.len();
    sorted.iter().rev().skip(1).for_each(|&p| grow(lower, &mut hull, p));
    hull.pop();
    hull
}

/// The convex hull of `points` [m], counter-clockwise, with at most [`MAX_POINTS`] corners: those whose loss changes
/// its area least are left out.
pub fn convex_outline(points: &[Vec2]) -> Vec<Vec2> {
    let hull = convex_hull(points);
    // A convex polygon cannot come to intersect itself.
    reduce(hull.clone(), MAX_POINTS, |_, _| false).unwrap_or(hull)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_convex_outline_keeps_few_corners_and_most_of_the_area() {
        let circle: Vec<Vec2> = (0..60)
            .map(|k| libm::sincos(std::f64::consts::TAU * f64::from(k) / 60.0))
            .map(|(sin, cos)| Vec2::new(cos, sin))
            .collect();
        let outline = convex_outline(&circle);
        assert_eq!(outline.len(), MAX_POINTS);
        assert!(area(&outline) > 0.95 * area(&circle) && area(&outline) < area(&circle));
        let square = [(0.0, 0.0), (1.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec2::new(x, y));
        assert_eq!(convex_outline(&square).len(), 4);
    }
    use crate::mesh::primitives::Geometry;

    fn boxed(size: [f64; 3], at: [f64; 3]) -> Mesh {
        let mut mesh = Geometry::Box { size }.mesh();
        mesh.vertices.iter_mut().for_each(|v| *v += Vec3::from(at));
        mesh
    }

    fn joined(meshes: &[Mesh]) -> Mesh {
        let mut whole = Mesh::default();
        for mesh in meshes {
            let first = whole.vertices.len() as u32;
            whole.vertices.extend(&mesh.vertices);
            whole.triangles.extend(mesh.triangles.iter().map(|t| t.map(|i| first + i)));
        }
        whole
    }

    fn outline(mesh: &Mesh, z_range: Option<[f64; 2]>) -> Outline {
        Outline::of_mesh(mesh, &Pose3::default(), 1.0, z_range).unwrap()
    }

    fn same_corners(actual: &[Vec2], expected: &[(f64, f64)]) -> bool {
        let near = |p: &Vec2| expected.iter().any(|&(x, y)| (*p - Vec2::new(x, y)).norm() < 1e-9);
        actual.len() == expected.len() && actual.iter().all(near)
    }

    #[test]
    fn a_box_keeps_its_size_in_any_pose() {
        let mesh = boxed([0.5, 0.4, 0.3], [-0.1, 0.2, 0.05]);
        let actual = outline(&mesh, None);
        assert!(same_corners(&actual.points, &[(-0.1, 0.2), (0.4, 0.2), (0.4, 0.6), (-0.1, 0.6)]), "{actual:?}");
        assert!((actual.z[0] - 0.05).abs() < 1e-12 && (actual.z[1] - 0.35).abs() < 1e-12, "{actual:?}");
        assert!(area(&actual.points) > 0.0);
        // Rotated by 90° about x and twice as large: y becomes z.
        let pose = Pose3 { roll: std::f64::consts::FRAC_PI_2, z: 1.0, ..Pose3::default() };
        let actual = Outline::of_mesh(&mesh, &pose, 2.0, None).unwrap();
        assert!(same_corners(&actual.points, &[(-0.2, -0.7), (0.8, -0.7), (0.8, -0.1), (-0.2, -0.1)]), "{actual:?}");
        assert!((actual.z[0] - 1.4).abs() < 1e-9 && (actual.z[1] - 2.2).abs() < 1e-9, "{actual:?}");
    }

    #[test]
    fn a_round_mesh_becomes_a_polygon_of_fourteen_corners_about_as_large() {
        let mesh = Geometry::Cylinder { radius: 0.5, length: 1.0, vertex_count: 64 }.mesh();
        let actual = outline(&mesh, None);
        assert!((4..=14).contains(&actual.points.len()), "{actual:?}");
        let exact = std::f64::consts::PI * 0.25;
        assert!((0.96..1.04).contains(&(area(&actual.points) / exact)), "{}", area(&actual.points) / exact);
    }

    #[test]
    fn only_triangles_between_the_heights_count() {
        // A trunk under a crown.
        let trunk = boxed([0.2, 0.2, 2.0], [-0.1, -0.1, 0.0]);
        let tree = joined(&[trunk, boxed([3.0, 3.0, 1.0], [-1.5, -1.5, 2.1])]);
        let actual = outline(&tree, Some([0.0, 0.5]));
        assert!(same_corners(&actual.points, &[(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)]), "{actual:?}");
        assert_eq!(actual.z, [0.0, 0.5]);
        assert!((area(&outline(&tree, None).points) - 9.0).abs() < 1e-9);
        let out_of_range = Outline::of_mesh(&tree, &Pose3::default(), 1.0, Some([4.0, 5.0]));
        assert_eq!(out_of_range, Err(OutlineError::OutOfRange(4.0, 5.0)));
    }

    #[test]
    fn a_notch_is_kept_and_separate_parts_get_one_hull() {
        let bracket = joined(&[boxed([2.0, 0.5, 1.0], [0.0; 3]), boxed([0.5, 2.0, 1.0], [0.0; 3])]);
        let actual = outline(&bracket, None);
        assert!(actual.points.len() == 6 && (area(&actual.points) - 1.75).abs() < 0.1, "{actual:?}");
        let feet = joined(&[boxed([0.1, 0.1, 1.0], [0.0; 3]), boxed([0.1, 0.1, 1.0], [0.9, 0.9, 0.0])]);
        let actual = outline(&feet, None);
        assert!((area(&actual.points) - 0.19).abs() < 0.03, "{actual:?}");
    }

    #[test]
    fn several_outlines_become_one_around_them_all() {
        let parts = [boxed([1.0, 1.0, 1.0], [0.0; 3]), boxed([1.0, 0.5, 2.0], [0.9, 0.0, -0.5])];
        let outlines = parts.map(|mesh| outline(&mesh, None));
        let merged = Outline::merged(&outlines).unwrap().unwrap();
        assert!((area(&merged.points) - 1.45).abs() < 0.03, "{merged:?}");
        assert_eq!(merged.z, [-0.5, 1.5]);
        assert_eq!(Outline::merged(&outlines[..1]).unwrap().unwrap(), outlines[0]);
        assert!(Outline::merged(&[]).is_none());
    }

    #[test]
    fn a_shape_without_volume_has_no_outline() {
        let flat = Mesh { triangles: vec![[0, 1, 2]], ..boxed([1.0, 1.0, 1.0], [0.0; 3]) };
        let actual = Outline::of_mesh(&flat, &Pose3::default(), 1.0, None);
        assert!(matches!(actual, Err(OutlineError::Flat(_))), "{actual:?}");
        assert_eq!(Outline::of_mesh(&Mesh::default(), &Pose3::default(), 1.0, None), Err(OutlineError::Empty));
        let dust = Outline::of_mesh(&boxed([1.0, 1.0, 1.0], [0.0; 3]), &Pose3::default(), 1e-3, None);
        assert!(matches!(dust, Err(OutlineError::Flat(v)) if v < 1e-8), "{dust:?}");
        let huge = Outline::of_mesh(&boxed([1.0, 1.0, 1.0], [0.0; 3]), &Pose3::default(), 1e7, None);
        assert!(matches!(huge, Err(OutlineError::Huge(_))), "{huge:?}");
        // An upright sheet has the thickness of its cells.
        let sheet = Mesh {
            vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::x() + Vec3::z()],
            triangles: vec![[0, 1, 2]],
            ..Mesh::default()
        };
        assert!((0.005..0.03).contains(&area(&outline(&sheet, None).points)));
    }

    #[test]
    fn hulls_have_no_collinear_corners() {
        let points = [(0, 0), (2, 0), (1, 0), (1, 1), (2, 2), (0, 2), (0, 1)]
            .map(|(x, y)| Vec2::new(f64::from(x), f64::from(y)));
        assert!(same_corners(&convex_hull(&points), &[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]));
    }
}
