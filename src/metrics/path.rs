//! The distance of points from a path, which is a polyline.

use rstar::primitives::Line;
use rstar::{PointDistance, RTree};
use skidpad_math::Vec2;

/// A polyline through positions.
pub(super) struct Path(RTree<Line<[f64; 2]>>);

impl Path {
    /// The path through these positions [m], which are finite; none without any.
    pub(super) fn through(positions: impl Iterator<Item = Vec2>) -> Option<Path> {
        let mut points: Vec<[f64; 2]> = positions.map(|p| [p.x, p.y]).collect();
        points.dedup();
        // A single position becomes a path of negligible length, since a segment without length has no direction.
        if let [only] = points[..] {
            points.push([only[0] + f64::EPSILON * only[0].abs().max(1.0), only[1]]);
        }
        let lines: Vec<_> = points.windows(2).map(|pair| Line::new(pair[0], pair[1])).collect();
        (!lines.is_empty()).then(|| Path(RTree::bulk_load(lines)))
    }

    /// Distance of `point` [m] from the path [m].
    pub(super) fn distance(&self, point: Vec2) -> f64 {
        let point = [point.x, point.y];
        self.0.nearest_neighbor(&point).map_or(0.0, |line| libm::sqrt(line.distance_2(&point)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_to_the_nearest_place_not_the_nearest_corner() {
        let corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 0.0), (4.0, 4.0)].map(|(x, y)| Vec2::new(x, y));
        let path = Path::through(corners.into_iter()).unwrap();
        for (x, y, expected) in [(2.0, 1.0, 1.0), (2.0, -3.0, 3.0), (7.0, 8.0, 5.0), (3.5, 3.0, 0.5), (-1.0, 0.0, 1.0)]
        {
            assert_eq!(path.distance(Vec2::new(x, y)), expected, "{x} {y}");
        }
        let point = Path::through([Vec2::new(1.0, 1.0); 3].into_iter()).unwrap();
        assert!((point.distance(Vec2::new(4.0, 5.0)) - 5.0).abs() < 1e-12);
        assert!(Path::through(std::iter::empty()).is_none());
    }
}
