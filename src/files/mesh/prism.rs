//! Upright prisms: the visual of a body of which only the outline is known.

use skidpad_math::{Vec2, Vec3};

use super::Mesh;
use super::polygon::triangulate;

/// The surface of the upright prism over `outline` [m] between two heights [m]; empty for fewer than three corners. Outward faces
/// run counter-clockwise, whichever way the outline does.
pub fn prism(outline: &[Vec2], z: [f64; 2]) -> Mesh {
    if outline.len() < 3 {
        return Mesh::default();
    }
    let count = outline.len() as u32;
    let next = |i: usize| (i + 1) % outline.len();
    let doubled_area: f64 = (0..outline.len()).map(|i| outline[i].cross(outline[next(i)])).sum();
    let mut corners = outline.to_vec();
    if doubled_area < 0.0 {
        corners.reverse();
    }
    let at = |height: f64| corners.iter().map(move |p| Vec3::new(p.x, p.y, height));
    let vertices: Vec<Vec3> = at(z[0]).chain(at(z[1])).collect();
    let mut triangles = Vec::new();
    for i in 0..count {
        let next = (i + 1) % count;
        triangles.extend([[i, next, count + next], [i, count + next, count + i]]);
    }
    let ring: Vec<u32> = (0..count).collect();
    for [a, b, c] in triangulate(&vertices, &ring) {
        let [p, q, r] = [a, b, c].map(|i| corners[i as usize]);
        let upward = if (q - p).cross(r - p) < 0.0 { [a, c, b] } else { [a, b, c] };
        triangles.push(upward.map(|i| count + i));
        triangles.push([upward[0], upward[2], upward[1]]);
    }
    Mesh { vertices, triangles, ..Mesh::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The divergence theorem: the volume is a third of the flux of the position through the surface.
    fn volume(mesh: &Mesh) -> f64 {
        let of = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| mesh.vertices[i as usize]);
            a.dot(&b.cross(&c)) / 6.0
        };
        mesh.triangles.iter().map(of).sum()
    }

    #[test]
    fn faces_of_a_notched_outline_face_outward_for_either_direction_of_rotation() {
        // A square of side 2 without a quarter: area 3.
        let mut outline: Vec<Vec2> = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)]
            .map(|(x, y)| Vec2::new(x, y))
            .into();
        for _ in 0..2 {
            let mesh = prism(&outline, [0.5, 2.5]);
            assert!((volume(&mesh) - 6.0).abs() < 1e-12, "{}", volume(&mesh));
            assert_eq!(mesh.triangles.len(), 2 * 6 + 2 * 4);
            outline.reverse();
        }
    }

    #[test]
    fn an_outline_without_area_has_no_faces() {
        assert_eq!(prism(&[Vec2::ZERO, Vec2::new(1.0, 0.0)], [0.0, 1.0]), Mesh::default());
    }
}
