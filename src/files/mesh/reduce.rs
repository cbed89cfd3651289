//! Polygon simplification: fewer corners.

use skidpad_math::Vec2;

/// Whether two segments have a point in common.
fn cross(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let side = |p: Vec2, q: Vec2, r: Vec2| (q - p).cross(r - p);
    let meet = |low: f64, high: f64, p: f64, q: f64| low.min(high) <= p.max(q) && p.min(q) <= low.max(high);
    side(a, b, c) * side(a, b, d) <= 0.0
        && side(c, d, a) * side(c, d, b) <= 0.0
        && meet(a.x, b.x, c.x, d.x)
        && meet(a.y, b.y, c.y, d.y)
}

/// A polygon during simplification.
struct Shrinking {
    points: Vec<Vec2>,
    /// Corners that cannot be dropped until a neighbour is.
    kept: Vec<bool>,
}

impl Shrinking {
    fn around(&self, i: usize) -> (Vec2, Vec2, Vec2) {
        let n = self.points.len();
        (self.points[(i + n - 1) % n], self.points[i], self.points[(i + 1) % n])
    }

    /// Twice the area that the polygon loses without corner `i`.
    fn loss(&self, i: usize) -> f64 {
        let (a, v, b) = self.around(i);
        (v - a).cross(b - v)
    }

    /// Drops the corner with the least `cost` for which `may_go` holds, and returns whether there was one.
    fn drop_corner(&mut self, cost: fn(f64) -> Option<f64>, may_go: impl Fn(&Shrinking, usize) -> bool) -> bool {
        loop {
            let candidates = (0..self.points.len()).filter(|&i| !self.kept[i]);
            let costs = candidates.filter_map(|i| Some((cost(self.loss(i))?, i)));
            let Some((_, i)) = costs.min_by(|a, b| a.0.total_cmp(&b.0)) else { return false };
            if may_go(self, i) {
                self.points.remove(i);
                self.kept.remove(i);
                let n = self.points.len();
                self.kept[i % n] = false;
                self.kept[(i + n - 1) % n] = false;
                return true;
            }
            self.kept[i] = true;
        }
    }

    /// Whether the polygon without corner `i` intersects itself.
    fn would_cross(&self, i: usize) -> bool {
        let n = self.points.len();
        let (a, _, b) = self.around(i);
        // The edges that touch neither end of the new one.
        (2..n - 2).map(|k| (i + k) % n).any(|j| cross(a, b, self.points[j], self.points[(j + 1) % n]))
    }
}

/// Drops corners of a simple polygon, counter-clockwise, until at most `most` are left: first reflex corners, where
/// this adds the least area and `crosses` does not reject the new edge; then the corner that changes the area least.
/// None when the polygon would intersect itself.
pub(super) fn reduce(points: Vec<Vec2>, most: usize, crosses: impl Fn(Vec2, Vec2) -> bool) -> Option<Vec<Vec2>> {
    let mut polygon = Shrinking { kept: vec![false; points.len()], points };
    while polygon.points.len() > most {
        let gained = |loss: f64| (loss <= 0.0).then_some(-loss);
        let free = |polygon: &Shrinking, i| {
            let (a, _, b) = polygon.around(i);
            !crosses(a, b)
        };
        if !polygon.drop_corner(gained, free) {
            break;
        }
    }
    polygon.kept.fill(false);
    while polygon.points.len() > most {
        if !polygon.drop_corner(|loss| Some(loss.abs()), |polygon, i| !polygon.would_cross(i)) {
            return None;
        }
    }
    Some(polygon.points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::outline::area;

    #[test]
    fn a_circle_keeps_most_of_its_area_and_a_small_polygon_all_of_it() {
        let circle: Vec<Vec2> = (0..200)
            .map(|i| (f64::from(i) * std::f64::consts::TAU / 200.0).sin_cos())
            .map(|(y, x)| Vec2::new(x, y))
            .collect();
        let reduced = reduce(circle.clone(), 14, |_, _| true).unwrap();
        assert_eq!(reduced.len(), 14);
        assert!(area(&reduced) > 0.95 * area(&circle));
        assert_eq!(reduce(circle.clone(), 200, |_, _| false).unwrap(), circle);
    }

    #[test]
    fn reflex_corners_are_dropped_first() {
        // A square with a deep notch in one side and a corner cut off.
        let points = [(0, 0), (9, 0), (10, 1), (10, 10), (5, 6), (0, 10)];
        let points: Vec<Vec2> = points.map(|(x, y)| Vec2::new(f64::from(x), f64::from(y))).to_vec();
        let reduced = reduce(points.clone(), 5, |_, _| false).unwrap();
        assert!((area(&reduced) - 99.5).abs() < 1e-12, "{reduced:?}");
        // Where the new edge is rejected the corner with the least area is dropped.
        let reduced = reduce(points, 5, |_, _| true).unwrap();
        assert!((area(&reduced) - 75.0).abs() < 1e-12, "{reduced:?}");
    }
}
