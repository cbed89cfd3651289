//! The section of a mesh at one height: what a vehicle in the plane meets of it.

use std::collections::BTreeSet;

use skidpad_files::mesh::{area, convex_hull};
use skidpad_math::{Vec2, Vec3};

/// Segments shorter than this are left out [m].
const MIN_LENGTH: f64 = 1e-4;
/// A mesh whose section fills more than this share of its hull is convex enough to be one block.
const FILLS: f64 = 0.75;

/// The lines in which a plane at one height cuts triangles.
pub(super) struct Section {
    /// [m], each once.
    lines: Vec<[Vec2; 2]>,
    /// Area to the left of all lines [m²], as they follow from the triangles, whose faces run counter-clockwise outside: that of a solid is
    /// positive, a sheet with two sides has none.
    area: f64,
}

impl Section {
    /// Cuts these triangles [m] at height `z` [m].
    pub(super) fn of(triangles: impl Iterator<Item = [Vec3; 3]>, z: f64) -> Section {
        let (mut lines, mut area) = (Vec::new(), 0.0);
        // The same edge drawn twice, as by two faces back to back, is one wall.
        let mut seen: BTreeSet<[i64; 4]> = BTreeSet::new();
        for corners in triangles {
            let mut ends = [None, None];
            for k in 0..3 {
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                // Exactly two of the three edges have their ends on different sides.
                if (a.z >= z) != (b.z >= z) {
                    let p = a + (b - a) * ((z - a.z) / (b.z - a.z));
                    ends[usize::from(a.z < z)] = Some(Vec2::new(p.x, p.y));
                }
            }
            let [Some(from), Some(to)] = ends else { continue };
            let key = [from.x, from.y, to.x, to.y].map(|c| (c / MIN_LENGTH).round() as i64);
            let back = [key[2], key[3], key[0], key[1]];
            area += 0.5 * from.cross(to);
            if (to - from).norm() > MIN_LENGTH && seen.insert(key.min(back)) {
                lines.push([from, to]);
            }
        }
        Section { lines, area }
    }

    pub(super) fn lines(&self) -> &[[Vec2; 2]] {
        &self.lines
    }

    /// Whether the section fills its own convex hull, so that one convex block stands for it.
    pub(super) fn fills_its_hull(&self) -> bool {
        let ends: Vec<Vec2> = self.lines.iter().flatten().copied().collect();
        self.area > FILLS * area(&convex_hull(&ends))
    }
}

#[cfg(test)]
mod tests {
    use skidpad_files::mesh::primitives::Geometry;

    use super::*;

    fn triangles(size: [f64; 3], inward: bool) -> Vec<[Vec3; 3]> {
        let mesh = Geometry::Box { size }.mesh();
        let middle = 0.5 * Vec3::from(size);
        let turn = |[a, b, c]: [u32; 3]| if inward { [a, c, b] } else { [a, b, c] };
        mesh.triangles.iter().map(|t| turn(*t).map(|k| mesh.vertices[k as usize] - middle)).collect()
    }

    #[test]
    fn a_box_fills_its_hull_and_a_ring_of_walls_does_not() {
        let solid = Section::of(triangles([4.0, 2.0, 1.0], false).into_iter(), 0.2);
        assert!(solid.fills_its_hull());
        let length: f64 = solid.lines().iter().map(|[a, b]| (*b - *a).norm()).sum();
        assert!((length - 12.0).abs() < 1e-9, "{length}");
        let ring = triangles([4.0, 2.0, 1.0], false).into_iter().chain(triangles([3.8, 1.8, 1.0], true));
        let ring = Section::of(ring, 0.2);
        assert!(!ring.fills_its_hull());
        assert_eq!(ring.lines().len(), 16);
        assert!(Section::of(triangles([1.0; 3], false).into_iter(), 0.6).lines().is_empty());
    }
}
