//! Circles in the plane, and which polygons are meant as circles.

use std::f64::consts::PI;

use crate::Vec2;

/// Fewest corners of a circle, and how much longer than in a regular polygon of so many corners a side may be [-].
const MIN_CORNERS: usize = 12;
const LONGER: f64 = 1.05;
/// So far from the circle its corners may be, as a share of the radius [-]: files give a robot of 17 cm to the millimetre.
const OUT_OF_ROUND: f64 = 5e-3;

/// A circle in some frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Its middle [m].
    pub center: Vec2,
    /// Its radius [m].
    pub radius: f64,
}

impl Circle {
    /// The circle around a convex outline with these `corners` [m], in their order, of which it is an image: twelve corners or more at one
    /// distance from their middle. That is `middle` [m] if it fits, or else the mean of the corners. None for another outline.
    pub fn of(corners: &[Vec2], middle: Option<Vec2>) -> Option<Circle> {
        if corners.len() < MIN_CORNERS {
            return None;
        }
        let mean = (1.0 / corners.len() as f64) * corners.iter().fold(Vec2::ZERO, |sum, &p| sum + p);
        let around = |center: Vec2| {
            let distances = || corners.iter().map(|&p| (p - center).norm());
            let radius = distances().fold(0.0, f64::max);
            let least = distances().fold(f64::INFINITY, f64::min);
            let longest = LONGER * 2.0 * radius * libm::sin(PI / MIN_CORNERS as f64);
            let is_round = radius - least <= OUT_OF_ROUND * radius
                && crate::convex::edges(corners).all(|(from, to)| (to - from).norm() <= longest);
            is_round.then_some(Circle { center, radius })
        };
        middle.and_then(around).or_else(|| around(mean))
    }

    /// Distance of its farthest point from `p` [m].
    pub fn reach_from(&self, p: Vec2) -> f64 {
        (self.center - p).norm() + self.radius
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;

    fn regular(count: usize, radius: f64) -> Vec<Vec2> {
        let at = |k: usize| libm::sincos(TAU * k as f64 / count as f64);
        (0..count).map(at).map(|(sin, cos)| Vec2::new(radius * cos, radius * sin)).collect()
    }

    #[test]
    fn a_regular_polygon_of_twelve_corners_is_a_circle_and_one_of_eleven_is_not() {
        assert_eq!(Circle::of(&regular(11, 1.0), None), None);
        for count in [12, 13, 24, 60] {
            let circle = Circle::of(&regular(count, 0.5), None).unwrap();
            assert!(circle.center.norm() < 1e-15 && (circle.radius - 0.5).abs() < 1e-15, "{count}: {circle:?}");
        }
    }

    #[test]
    fn corners_in_whole_millimetres_are_a_circle_and_an_oval_is_not() {
        let rounded: Vec<Vec2> =
            regular(16, 0.17).iter().map(|p| Vec2::new((1e3 * p.x).round() / 1e3, (1e3 * p.y).round() / 1e3)).collect();
        let circle = Circle::of(&rounded, Some(Vec2::new(2e-5, 0.0))).unwrap();
        assert_eq!(circle.center, Vec2::new(2e-5, 0.0));
        let oval: Vec<Vec2> = regular(16, 0.165).iter().map(|p| Vec2::new(1.02 * p.x, p.y)).collect();
        assert_eq!(Circle::of(&oval, None), None);
        let half: Vec<Vec2> = regular(30, 0.165).into_iter().filter(|p| p.y >= 0.0).collect();
        assert_eq!(Circle::of(&half, Some(Vec2::ZERO)), None);
    }

    #[test]
    fn a_circle_beside_the_given_middle_keeps_its_own() {
        let shifted: Vec<Vec2> = regular(24, 0.2).iter().map(|&p| p + Vec2::new(0.1, 0.0)).collect();
        let circle = Circle::of(&shifted, Some(Vec2::ZERO)).unwrap();
        assert!((circle.center - Vec2::new(0.1, 0.0)).norm() < 1e-12);
        assert!((circle.reach_from(Vec2::ZERO) - 0.3).abs() < 1e-12);
    }
}
