//! Convex polygons in the plane, and how far apart they are. What collides is convex: each piece of a body is its hull, or the circle that
//! its outline is meant as.

use skidpad_files::mesh::convex_hull;
use skidpad_math::{Circle, Pose2, Vec2, convex};

/// A convex polygon with an area, and the circle about its middle that holds it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Convex {
    /// Its corners [m], counter-clockwise.
    corners: Vec<Vec2>,
    center: Vec2,
    radius: f64,
    /// Whether the circle itself collides.
    is_round: bool,
}

impl Convex {
    /// The convex hull of points [m]; none without area.
    pub(super) fn hull(points: &[Vec2]) -> Option<Convex> {
        let corners = convex_hull(points);
        if corners.len() < 3 {
            return None;
        }
        if let Some(Circle { center, radius }) = Circle::of(&corners, None) {
            return Some(Convex { corners, center, radius, is_round: true });
        }
        let (low, high) = bounds(&corners);
        let center = 0.5 * (low + high);
        let radius = corners.iter().map(|&p| (p - center).norm()).fold(0.0, f64::max);
        Some(Convex { corners, center, radius, is_round: false })
    }

    /// The same polygon, whose coordinates were those of a frame, where that frame is.
    pub(super) fn placed(&self, world_from_frame: Pose2) -> Convex {
        let mut placed = Convex::default();
        placed.place(self, world_from_frame);
        placed
    }

    /// Becomes `shape` with its frame at this pose, without a new allocation.
    pub(super) fn place(&mut self, shape: &Convex, world_from_frame: Pose2) {
        let (turn, position) = (world_from_frame.rotation(), world_from_frame.position());
        self.corners.clear();
        self.corners.extend(shape.corners.iter().map(|&p| turn * p + position));
        (self.center, self.radius) = (turn * shape.center + position, shape.radius);
        self.is_round = shape.is_round;
    }

    /// Its corners [m], counter-clockwise.
    pub(super) fn corners(&self) -> &[Vec2] {
        &self.corners
    }

    /// The middle of the circle that holds it [m].
    pub(super) fn center(&self) -> Vec2 {
        self.center
    }

    /// The radius of that circle [m].
    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// Least and greatest coordinates [m].
    pub(super) fn bounds(&self) -> (Vec2, Vec2) {
        if self.is_round {
            let reach = Vec2::new(self.radius, self.radius);
            return (self.center - reach, self.center + reach);
        }
        bounds(&self.corners)
    }

    /// A distance [m] that two polygons certainly have.
    pub(super) fn least_distance(&self, other: &Convex) -> f64 {
        (self.center - other.center).norm() - self.radius - other.radius
    }

    /// Distance [m] of two polygons, 0 where they overlap or touch.
    pub(super) fn distance(&self, other: &Convex) -> f64 {
        match (self.is_round, other.is_round) {
            (true, true) => self.least_distance(other).max(0.0),
            (true, false) => (other.distance_to_point(self.center) - self.radius).max(0.0),
            (false, true) => (self.distance_to_point(other.center) - other.radius).max(0.0),
            (false, false) => convex::distance(&self.corners, &other.corners),
        }
    }

    /// Distance of a point [m], 0 inside.
    pub(super) fn distance_to_point(&self, p: Vec2) -> f64 {
        if self.is_round {
            ((p - self.center).norm() - self.radius).max(0.0)
        } else {
            convex::distance_to_point(&self.corners, p)
        }
    }

    /// Whether a point is inside or on the edge.
    pub(super) fn contains(&self, p: Vec2) -> bool {
        convex::contains(&self.corners, p)
    }
}

fn bounds(points: &[Vec2]) -> (Vec2, Vec2) {
    let corner = |start: f64, pick: fn(f64, f64) -> f64| {
        points.iter().fold(Vec2::new(start, start), |so_far, p| Vec2::new(pick(so_far.x, p.x), pick(so_far.y, p.y)))
    };
    (corner(f64::INFINITY, f64::min), corner(f64::NEG_INFINITY, f64::max))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{FRAC_PI_4, SQRT_2};

    use super::*;

    fn square(side: f64) -> Convex {
        let half = 0.5 * side;
        let corners = [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| Vec2::new(x, y));
        Convex::hull(&corners).unwrap()
    }

    #[track_caller]
    fn assert_distance(a: &Convex, b: &Convex, expected: f64) {
        for (a, b) in [(a, b), (b, a)] {
            assert!((a.distance(b) - expected).abs() < 1e-12, "{} for {expected}", a.distance(b));
            assert!(a.least_distance(b) <= expected + 1e-12);
        }
    }

    #[test]
    fn boxes_have_the_distances_of_geometry() {
        let still = square(2.0);
        let at = |x: f64, y: f64, yaw: f64| square(1.0).placed(Pose2::new(x, y, yaw));
        // Side to side, corner to corner, corner to side.
        assert_distance(&still, &at(3.0, 0.2, 0.0), 1.5);
        assert_distance(&still, &at(4.5, 5.5, 0.0), 5.0);
        assert_distance(&still, &at(3.0, 0.0, FRAC_PI_4), 2.0 - 0.5 * SQRT_2);
        // Overlapping, one within the other, across each other without a corner inside, and just touching.
        assert_distance(&still, &at(1.2, 1.2, 0.3), 0.0);
        assert_distance(&still, &at(0.1, 0.0, 0.3), 0.0);
        let bar =
            |x: f64, y: f64| Convex::hull(&[(-x, -y), (x, -y), (x, y), (-x, y)].map(|(x, y)| Vec2::new(x, y))).unwrap();
        assert_distance(&bar(3.0, 0.1), &bar(0.1, 3.0), 0.0);
        assert_distance(&still, &at(1.5, 0.0, 0.0), 0.0);
    }

    #[test]
    fn a_round_outline_has_the_distances_of_its_circle() {
        let corners: Vec<Vec2> = (0..12)
            .map(|k| f64::from(k) / 12.0 * std::f64::consts::TAU)
            .map(|angle| Vec2::new(angle.cos(), angle.sin()))
            .collect();
        let robot = Convex::hull(&corners).unwrap();
        for yaw in [0.0, 0.1, 0.26] {
            let at = |x: f64| robot.placed(Pose2::new(x, 0.0, yaw));
            assert_distance(&square(2.0), &at(2.5), 0.5);
            assert_distance(&square(2.0), &at(1.9), 0.0);
            assert_distance(&at(-1.5), &at(1.5), 1.0);
            assert!((at(2.5).distance_to_point(Vec2::ZERO) - 1.5).abs() < 1e-12);
        }
    }

    #[test]
    fn points_inside_have_no_distance() {
        let square = square(2.0);
        let distances = [(0.3, -0.9), (1.0, 1.0), (4.0, 5.0), (0.0, -1.25)];
        assert_eq!(distances.map(|(x, y)| square.distance_to_point(Vec2::new(x, y))), [0.0, 0.0, 5.0, 0.25]);
    }

    #[test]
    fn what_has_no_area_is_nothing() {
        assert_eq!(Convex::hull(&[Vec2::ZERO, Vec2::new(1.0, 1.0), Vec2::new(2.0, 2.0)]), None);
        assert_eq!(Convex::hull(&[]), None);
    }
}
