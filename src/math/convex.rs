//! Convex polygons in the plane, by their corners in counter-clockwise order [m], as the hull of points has them: what is inside, and how far
//! away others are. A hull without area has one or two corners.

use crate::Vec2;

/// The edges, from corner to corner.
pub fn edges(corners: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// Whether a point is inside or on an edge; never where there is no area.
pub fn contains(corners: &[Vec2], p: Vec2) -> bool {
    corners.len() > 2 && edges(corners).all(|(from, to)| (to - from).cross(p - from) >= 0.0)
}

/// Whether two polygons share no point; touching is sharing.
///
/// They are apart exactly if an edge of one has the other on its outside (theorem of the separating axis).
pub fn are_apart(a: &[Vec2], b: &[Vec2]) -> bool {
    let has_outside =
        |a: &[Vec2], b: &[Vec2]| edges(a).any(|(from, to)| b.iter().all(|&p| (to - from).cross(p - from) < 0.0));
    has_outside(a, b) || has_outside(b, a)
}

/// Distance of two polygons [m], 0 where they overlap or touch. Where they are apart, a corner of one is nearest to the other.
pub fn distance(a: &[Vec2], b: &[Vec2]) -> f64 {
    if !are_apart(a, b) {
        return 0.0;
    }
    let of = |corners: &[Vec2], other: &[Vec2]| {
        corners.iter().map(|&p| distance_to_edges(other, p)).fold(f64::INFINITY, f64::min)
    };
    of(a, b).min(of(b, a))
}

/// Distance of a point [m], 0 inside.
pub fn distance_to_point(corners: &[Vec2], p: Vec2) -> f64 {
    if contains(corners, p) { 0.0 } else { distance_to_edges(corners, p) }
}

fn distance_to_edges(corners: &[Vec2], p: Vec2) -> f64 {
    edges(corners).map(|(from, to)| distance_to_edge(p, from, to)).fold(f64::INFINITY, f64::min)
}

fn distance_to_edge(p: Vec2, from: Vec2, to: Vec2) -> f64 {
    let along = to - from;
    let squared = along.dot(along);
    let share = if squared > 0.0 { ((p - from).dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (p - (from + share * along)).norm()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hulls_without_area_have_distances_but_no_inside() {
        let (a, b) = (Vec2::new(0.0, 0.0), Vec2::new(2.0, 0.0));
        assert!(!contains(&[a, b], Vec2::new(1.0, 0.0)) && !contains(&[a], a));
        assert_eq!(distance_to_point(&[a, b], Vec2::new(1.0, 3.0)), 3.0);
        assert_eq!(distance_to_point(&[a], Vec2::new(3.0, 4.0)), 5.0);
    }

    #[test]
    fn polygons_that_touch_are_not_apart() {
        let square = |x: f64| [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(dx, y)| Vec2::new(x + dx, y));
        assert!(!are_apart(&square(0.0), &square(1.0)) && are_apart(&square(0.0), &square(1.5)));
        assert_eq!([1.0, 1.5].map(|x| distance(&square(0.0), &square(x))), [0.0, 0.5]);
        assert!(contains(&square(0.0), Vec2::new(1.0, 0.5)) && !contains(&square(0.0), Vec2::new(1.1, 0.5)));
    }
}
