//! Triangulation of polygons in space.

use earcut::{Earcut, utils3d::project3d_to_2d};
use skidpad_math::Vec3;

/// Polygons with more corners become a fan: ear clipping is quadratic.
const MAX_CORNERS: usize = 10_000;

/// Triangulates the polygon with these corners, indices into `points`, by ear clipping. A polygon that is degenerate, cannot be
/// clipped, has an index out of range or very many corners becomes a fan.
pub(super) fn triangulate(points: &[Vec3], corners: &[u32]) -> Vec<[u32; 3]> {
    places(points, corners).into_iter().map(|triangle| triangle.map(|place| corners[place as usize])).collect()
}

/// The same triangles, of the places of their corners in `corners`.
pub(super) fn places(points: &[Vec3], corners: &[u32]) -> Vec<[u32; 3]> {
    let fan = || (2..corners.len() as u32).map(|i| [0, i - 1, i]).collect();
    if corners.len() <= 3 || corners.len() > MAX_CORNERS {
        return fan();
    }
    let Some(positions) =
        corners.iter().map(|&i| points.get(i as usize).map(|p| [p.x, p.y, p.z])).collect::<Option<Vec<_>>>()
    else {
        // The invalid index is refused where the triangle is added.
        return fan();
    };
    let mut flat = Vec::new();
    if !project3d_to_2d(&positions, positions.len(), &mut flat) {
        return fan();
    }
    let mut cut: Vec<u32> = Vec::new();
    Earcut::new().earcut(flat, &[], &mut cut);
    if cut.is_empty() {
        return fan();
    }
    cut.as_chunks::<3>().0.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_triangle_of_a_notched_polygon_covers_the_notch() {
        // An upright arrow head in the plane x = 2, notched at (2, 0, 1).
        let points = [(-2.0, 0.0), (0.0, 1.0), (2.0, 0.0), (0.0, 4.0)].map(|(y, z)| Vec3::new(2.0, y, z));
        let triangles = triangulate(&points, &[0, 1, 2, 3]);
        assert_eq!(triangles.len(), 2);
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| points[i as usize]);
            0.5 * (b - a).cross(&(c - a)).norm()
        };
        assert!((triangles.iter().map(area).sum::<f64>() - 6.0).abs() < 1e-12, "{triangles:?}");
    }

    #[test]
    fn a_square_gives_two_triangles_and_a_degenerate_one_a_fan() {
        let points = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, y)| Vec3::new(x, y, 0.0));
        assert_eq!(triangulate(&points, &[0, 1, 2, 3]).len(), 2);
        assert_eq!(triangulate(&[Vec3::zeros(); 4], &[0, 1, 2, 3]), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(triangulate(&points, &[0, 1, 2, 9]), [[0, 1, 2], [0, 2, 9]]);
        assert!(triangulate(&points, &[0, 1]).is_empty());
    }
}
