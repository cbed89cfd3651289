//! The track around waypoints whose free widths are known: where it ends to both sides.

use super::TrajectoryParameters;
use crate::math::{Pose2, Vec2};

/// A track: a line of points, with the free widths to both sides of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// In the frame that the trajectory is given in [m].
    points: Vec<Vec2>,
    /// To the right and to the left [m].
    free: Vec<[f64; 2]>,
}

impl Track {
    /// The track of a trajectory; none where widths are not known of all its points, of which there have to be two.
    pub fn of(parameters: &TrajectoryParameters) -> Option<Track> {
        let TrajectoryParameters { points, closed, x0, y0, yaw0, .. } = parameters;
        let place = Pose2::new(*x0, *y0, *yaw0);
        let mut free: Vec<[f64; 2]> = points.iter().map(|point| point.free).collect::<Option<_>>()?;
        let mut points: Vec<Vec2> = points.iter().map(|point| place.transform_point(point.position)).collect();
        if *closed && points.len() > 2 {
            points.push(points[0]);
            free.push(free[0]);
        }
        (points.len() > 1).then_some(Track { points, free })
    }

    /// Distance of a position [m] to the nearer border [m], across the line where it is nearest; negative beyond the border.
    pub fn margin(&self, position: Vec2) -> f64 {
        let mut nearest = (f64::INFINITY, f64::INFINITY);
        for (ends, free) in self.points.windows(2).zip(self.free.windows(2)) {
            let along = ends[1] - ends[0];
            let length = along.norm();
            if length <= 0.0 {
                continue;
            }
            let from = position - ends[0];
            let share = (from.dot(along) / (length * length)).clamp(0.0, 1.0);
            let away = (from - share * along).norm();
            if away < nearest.0 {
                let left = along.cross(from) / length;
                let [right_free, left_free] =
                    [0, 1].map(|side| free[0][side] + share * (free[1][side] - free[0][side]));
                nearest = (away, (left_free - left).min(right_free + left));
            }
        }
        nearest.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trajectory::Waypoint;

    #[test]
    fn borders_are_the_widths_away_to_their_sides() {
        let point = |x, y, right, left| Waypoint { free: Some([right, left]), ..Waypoint::at(x, y) };
        let points = vec![point(0.0, 0.0, 1.0, 2.0), point(10.0, 0.0, 3.0, 2.0), point(10.0, 10.0, 3.0, 2.0)];
        let parameters = TrajectoryParameters { points, y0: 1.0, ..TrajectoryParameters::default() };
        let track = Track::of(&parameters).unwrap();
        for (x, y, margin) in [(5.0, 1.0, 2.0), (5.0, 2.5, 0.5), (5.0, -2.0, -1.0), (9.0, 6.0, 1.0), (14.0, 6.0, -1.0)]
        {
            let found = track.margin(Vec2::new(x, y));
            assert!((found - margin).abs() < 1e-12, "({x}, {y}): {found}");
        }
        assert_eq!(Track::of(&TrajectoryParameters::default()), None);
        let closed = Track::of(&TrajectoryParameters { closed: true, ..parameters }).unwrap();
        // On the way back from (10, 11) to (0, 1), a metre to its left.
        assert!(
            (closed.margin(Vec2::new(5.0, 6.0) + Vec2::new(0.5_f64.sqrt(), -(0.5_f64.sqrt()))) - 1.0).abs() < 1e-12
        );
    }
}
