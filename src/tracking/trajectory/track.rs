//! The track around waypoints whose free widths are known: where it ends to both sides.

use skidpad_math::Vec2;

use super::TrajectoryParameters;
use super::course::MAX_POINTS;

/// Where a position is across a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Across {
    /// Distance to the right border and to the left one [m]; negative beyond it.
    pub margins: [f64; 2],
    /// Direction of the track's line there [-], of length 1.
    pub direction: Vec2,
}

/// A track: a line of points, with the free widths to both sides of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// In the frame that the trajectory is given in [m].
    points: Vec<Vec2>,
    /// To the right and to the left [m].
    free: Vec<[f64; 2]>,
}

impl Track {
    /// The track of a trajectory: that of its own file, or that around its points. None where widths are not known of all points, of which there have
    /// to be two.
    pub fn of(parameters: &TrajectoryParameters) -> Option<Track> {
        let TrajectoryParameters { closed, track, .. } = parameters;
        let points = if track.is_empty() { &parameters.points } else { track };
        let place = parameters.place();
        let mut free: Vec<[f64; 2]> = points.iter().map(|point| point.free).collect::<Option<_>>()?;
        let mut points: Vec<Vec2> = points.iter().map(|point| place.transform_point(point.position)).collect();
        if *closed && points.len() > 2 {
            points.push(points[0]);
            free.push(free[0]);
        }
        (points.len() > 1).then_some(Track { points, free })
    }

    /// The right border and the left one as points [m], for drawing: at most as many as a course has, of longer tracks every n-th.
    pub fn borders(&self) -> [Vec<Vec2>; 2] {
        let last = self.points.len() - 1;
        let is_closed = self.points[0] == self.points[last];
        let direction = |from: usize, to: usize| {
            let along = self.points[to] - self.points[from];
            let length = along.norm();
            if length > 0.0 { (1.0 / length) * along } else { Vec2::ZERO }
        };
        let mut borders = [Vec::new(), Vec::new()];
        let every = last.div_ceil(MAX_POINTS - 1);
        for index in (0..last).step_by(every).chain([last]) {
            // Those of the pieces before and behind the point.
            let before = match index {
                0 if is_closed => direction(last - 1, last),
                0 => Vec2::ZERO,
                index => direction(index - 1, index),
            };
            let behind = match index {
                index if index < last => direction(index, index + 1),
                _ if is_closed => direction(0, 1),
                _ => Vec2::ZERO,
            };
            let along = before + behind;
            // Where the line turns back, the direction that it came in.
            let along = if along.norm() > 1e-9 { along } else { before };
            let Some(to_left) = (along.norm() > 0.0).then(|| (1.0 / along.norm()) * along.perpendicular()) else {
                continue;
            };
            let [right, left] = self.free[index];
            borders[0].push(self.points[index] - right * to_left);
            borders[1].push(self.points[index] + left * to_left);
        }
        borders
    }

    /// Its greatest width [m], from border to border.
    pub fn greatest_width(&self) -> f64 {
        self.free.iter().map(|[right, left]| right + left).fold(0.0, f64::max)
    }

    /// Distance of a position [m] to the nearer border [m], across the line where it is nearest; negative beyond the border.
    pub fn margin(&self, position: Vec2) -> f64 {
        let [right, left] = self.across(position).margins;
        left.min(right)
    }

    /// Where a position [m] is across the line, at the place where that is nearest.
    pub fn across(&self, position: Vec2) -> Across {
        let mut nearest = f64::INFINITY;
        let mut across = Across { margins: [f64::INFINITY; 2], direction: Vec2::ZERO };
        for (ends, free) in self.points.windows(2).zip(self.free.windows(2)) {
            let along = ends[1] - ends[0];
            let length = along.norm();
            if length <= 0.0 {
                continue;
            }
            let from = position - ends[0];
            let share = (from.dot(along) / (length * length)).clamp(0.0, 1.0);
            let away = (from - share * along).norm();
            if away < nearest {
                let left = along.cross(from) / length;
                let [right_free, left_free] =
                    [0, 1].map(|side| free[0][side] + share * (free[1][side] - free[0][side]));
                nearest = away;
                across = Across { margins: [right_free + left, left_free - left], direction: (1.0 / length) * along };
            }
        }
        across
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
            let actual = track.margin(Vec2::new(x, y));
            assert!((actual - margin).abs() < 1e-12, "({x}, {y}): {actual}");
        }
        assert_eq!(Track::of(&TrajectoryParameters::default()), None);
        let closed = Track::of(&TrajectoryParameters { closed: true, ..parameters }).unwrap();
        // On the way back from (10, 11) to (0, 1), a metre to its left.
        assert!(
            (closed.margin(Vec2::new(5.0, 6.0) + Vec2::new(0.5_f64.sqrt(), -(0.5_f64.sqrt()))) - 1.0).abs() < 1e-12
        );
    }

    #[test]
    fn the_borders_of_a_ring_are_circles_with_a_bounded_number_of_points() {
        for (count, drawn) in [(40, 41), (1999, 2000), (50_000, 1925)] {
            let at = |k: u32| f64::from(k) * std::f64::consts::TAU / f64::from(count);
            let point = |angle: f64| Waypoint {
                free: Some([1.0, 2.0]),
                ..Waypoint::at(10.0 * angle.cos(), 10.0 * angle.sin())
            };
            let points = (0..count).map(|k| point(at(k))).collect();
            let parameters = TrajectoryParameters { points, closed: true, x0: 3.0, ..TrajectoryParameters::default() };
            let borders = Track::of(&parameters).unwrap().borders();
            for (border, radius) in borders.iter().zip([11.0, 8.0]) {
                assert_eq!((border.len(), border[0]), (drawn, border[drawn - 1]));
                assert!(border.iter().all(|p| ((*p - Vec2::new(3.0, 0.0)).norm() - radius).abs() < 1e-6));
            }
        }
        // The ends of an open line are straight, and a point that is driven through twice has the direction of its way.
        let point = |time, x| Waypoint { time: Some(time), free: Some([1.0, 1.0]), ..Waypoint::at(x, 0.0) };
        let points = vec![point(0.0, 0.0), point(1.0, 4.0), point(2.0, 4.0), point(3.0, 8.0)];
        let parameters = TrajectoryParameters { points, ..TrajectoryParameters::default() };
        let [right, left] = Track::of(&parameters).unwrap().borders();
        assert_eq!(right, [0.0, 4.0, 4.0, 8.0].map(|x| Vec2::new(x, -1.0)));
        assert_eq!(left, [0.0, 4.0, 4.0, 8.0].map(|x| Vec2::new(x, 1.0)));
    }
}
