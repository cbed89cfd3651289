//! Solids of a block's `<geometry>`, as outlines for collisions and as meshes for viewers.

use std::f64::consts::{PI, TAU};

use skidpad_math::{Vec2, Vec3};

use super::{MAX_POINTS, Mesh, Outline};

/// A solid in the frame of its block. All lengths are in m and > 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// Upright, its foot on the ground: z from 0 to `length`.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Height [m].
        length: f64,
        /// Corners of its outline, ≥ 3.
        vertex_count: usize,
    },
    /// Its centre at the origin.
    Sphere {
        /// Radius [m].
        radius: f64,
        /// Corners of its outline, ≥ 3.
        vertex_count: usize,
    },
    /// A corner at the origin: x, y and z from 0 to `size`.
    Box {
        /// Extent along x, y, z [m].
        size: [f64; 3],
    },
    /// A wedge: x from 0 to `size[0]`, y to both sides, its upper side rising from z = 0 to `size[2]`.
    Ramp {
        /// Extent along x, y, z [m].
        size: [f64; 3],
    },
    /// Half a lying cylinder of elliptic section: its axis along x, x and y to both sides, z from 0 to `size[2]`.
    Bump {
        /// Extent along x, y, z [m].
        size: [f64; 3],
        /// Edges of the section's arc, ≥ 3.
        vertex_count: usize,
    },
}

/// A regular polygon [m] around the origin, its first corner on the x axis, counter-clockwise.
fn regular(radius: f64, corners: usize) -> Vec<Vec2> {
    let at = |i: usize| libm::sincos(TAU * i as f64 / corners as f64);
    (0..corners).map(at).map(|(sin, cos)| Vec2::new(radius * cos, radius * sin)).collect()
}

/// A rectangle [m], counter-clockwise.
pub fn rectangle(x: [f64; 2], y: [f64; 2]) -> Vec<Vec2> {
    [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])].map(|(x, y)| Vec2::new(x, y)).to_vec()
}

/// The outline of a round solid: the polygon with `vertex_count` corners, or, if that exceeds the limit, a polygon around the
/// circle with the most corners allowed.
fn round(radius: f64, vertex_count: usize) -> Vec<Vec2> {
    if vertex_count > MAX_POINTS {
        regular(radius / libm::cos(PI / MAX_POINTS as f64), MAX_POINTS)
    } else {
        regular(radius, vertex_count)
    }
}

impl Geometry {
    /// The area that it covers on the ground, and its vertical extent.
    pub fn outline(&self) -> Outline {
        let half = |extent: f64| [-0.5 * extent, 0.5 * extent];
        let (points, z) = match *self {
            Geometry::Cylinder { radius, length, vertex_count } => (round(radius, vertex_count), [0.0, length]),
            Geometry::Sphere { radius, vertex_count } => (round(radius, vertex_count), [-radius, radius]),
            Geometry::Box { size: [x, y, z] } => (rectangle([0.0, x], [0.0, y]), [0.0, z]),
            Geometry::Ramp { size: [x, y, z] } => (rectangle([0.0, x], half(y)), [0.0, z]),
            Geometry::Bump { size: [x, y, z], .. } => (rectangle(half(x), half(y)), [0.0, z]),
        };
        Outline { points, z }
    }

    /// Its surface, for viewers and sensors that use triangles; outward faces run counter-clockwise.
    pub fn mesh(&self) -> Mesh {
        match *self {
            Geometry::Cylinder { radius, length, vertex_count } => {
                let section = regular(radius, vertex_count);
                extruded(&section, |p, end| Vec3::new(p.x, p.y, length * end))
            }
            Geometry::Sphere { radius, vertex_count } => sphere(radius, vertex_count),
            Geometry::Box { size: [x, y, z] } => {
                extruded(&rectangle([0.0, x], [0.0, y]), |p, end| Vec3::new(p.x, p.y, z * end))
            }
            Geometry::Ramp { size: [x, y, z] } => {
                // The section lies in x and z, and is extruded from the left side to the right.
                let section = [Vec2::ZERO, Vec2::new(x, 0.0), Vec2::new(x, z)];
                extruded(&section, |p, end| Vec3::new(p.x, (0.5 - end) * y, p.y))
            }
            Geometry::Bump { size: [x, y, z], vertex_count } => {
                let angle = |i: usize| libm::sincos(PI * i as f64 / vertex_count as f64);
                let section: Vec<Vec2> =
                    (0..=vertex_count).map(angle).map(|(sin, cos)| Vec2::new(0.5 * y * cos, z * sin)).collect();
                extruded(&section, |p, end| Vec3::new((end - 0.5) * x, p.x, p.y))
            }
        }
    }
}

/// Extrudes a convex section, counter-clockwise when seen against the direction of extrusion; `place` maps a point of it
/// to the start (0) and to the end (1).
fn extruded(section: &[Vec2], place: impl Fn(Vec2, f64) -> Vec3) -> Mesh {
    let count = section.len() as u32;
    let mut mesh = Mesh::default();
    mesh.vertices.extend(section.iter().map(|&p| place(p, 0.0)));
    mesh.vertices.extend(section.iter().map(|&p| place(p, 1.0)));
    for i in 0..count {
        let next = (i + 1) % count;
        mesh.triangles.extend([[i, next, count + next], [i, count + next, count + i]]);
    }
    for i in 2..count {
        mesh.triangles.extend([[0, i, i - 1], [count, count + i - 1, count + i]]);
    }
    mesh
}

fn sphere(radius: f64, vertex_count: usize) -> Mesh {
    let (around, rings) = (vertex_count as u32, (vertex_count / 2).max(2) as u32);
    let mut mesh = Mesh { vertices: vec![Vec3::new(0.0, 0.0, -radius)], ..Mesh::default() };
    for ring in 1..rings {
        let (sin, cos) = libm::sincos(PI * f64::from(ring) / f64::from(rings));
        mesh.vertices.extend(regular(radius * sin, vertex_count).iter().map(|p| Vec3::new(p.x, p.y, -radius * cos)));
    }
    let top = mesh.vertices.len() as u32;
    mesh.vertices.push(Vec3::new(0.0, 0.0, radius));
    let at = |ring: u32, i: u32| 1 + (ring - 1) * around + i % around;
    for i in 0..around {
        mesh.triangles.push([0, at(1, i + 1), at(1, i)]);
        for ring in 1..rings - 1 {
            let corners = [at(ring, i), at(ring, i + 1), at(ring + 1, i + 1), at(ring + 1, i)];
            mesh.triangles.extend([[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]);
        }
        mesh.triangles.push([at(rings - 1, i), at(rings - 1, i + 1), top]);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use skidpad_math::Pose3;

    use super::*;
    use crate::mesh::outline::area as area_of;

    fn all() -> [Geometry; 5] {
        [
            Geometry::Cylinder { radius: 0.5, length: 2.0, vertex_count: 200 },
            Geometry::Sphere { radius: 0.5, vertex_count: 200 },
            Geometry::Box { size: [1.0, 2.0, 3.0] },
            Geometry::Ramp { size: [1.0, 2.0, 3.0] },
            Geometry::Bump { size: [1.0, 2.0, 3.0], vertex_count: 200 },
        ]
    }

    /// Volume within a closed surface whose faces run counter-clockwise, by the divergence theorem.
    fn volume(mesh: &Mesh) -> f64 {
        let corner = |i: u32| mesh.vertices[i as usize];
        mesh.triangles.iter().map(|t| corner(t[0]).dot(&corner(t[1]).cross(&corner(t[2]))) / 6.0).sum()
    }

    #[test]
    fn surfaces_are_closed_and_have_the_textbook_volumes() {
        let expected = [PI * 0.25 * 2.0, 4.0 / 3.0 * PI * 0.125, 6.0, 3.0, 0.5 * PI * 1.0 * 3.0];
        for (geometry, expected) in all().iter().zip(expected) {
            let mesh = geometry.mesh();
            assert!((volume(&mesh) / expected - 1.0).abs() < 1e-3, "{geometry:?}: {}", volume(&mesh));
            let mut edges: Vec<[u32; 2]> =
                mesh.triangles.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]).collect();
            edges.sort_unstable();
            for [a, b] in &edges {
                assert!(edges.binary_search(&[*b, *a]).is_ok(), "{geometry:?}: {a} to {b} has one face");
            }
        }
    }

    #[test]
    fn outlines_lie_around_their_meshes() {
        for geometry in all() {
            let (outline, mesh) = (geometry.outline(), geometry.mesh());
            let [low, high] = mesh.bounds(&Pose3::default(), 1.0).unwrap();
            assert!((outline.z[0] - low.z).abs() < 1e-9 && (outline.z[1] - high.z).abs() < 1e-9, "{geometry:?}");
            let most = |f: fn(&Vec2) -> f64| outline.points.iter().map(f).fold(f64::MIN, f64::max);
            for (actual, mesh) in [(most(|p| p.x), high.x), (most(|p| -p.x), -low.x), (most(|p| p.y), high.y)] {
                assert!((0.0..0.03).contains(&(actual - mesh + 1e-9)), "{geometry:?}: {actual} and {mesh}");
            }
        }
    }

    #[test]
    fn a_circle_of_many_corners_becomes_a_polygon_of_fourteen_around_it() {
        let area = |vertex_count| {
            let outline = Geometry::Cylinder { radius: 1.0, length: 1.0, vertex_count }.outline().points;
            (outline.len(), area_of(&outline))
        };
        let (corners, inside) = area(10);
        assert!(corners == 10 && (inside - 5.0 * (TAU / 10.0).sin()).abs() < 1e-12);
        let (corners, around) = area(15);
        assert!(corners == 14 && (around - 14.0 * (PI / 14.0).tan()).abs() < 1e-12);
    }
}
