//! The course of a trajectory: its path as points, for drawing.

use skidpad_math::{Vec2, wrap_angle};

use super::Trajectory;

/// Largest number of points of a course; an endless path is cut off there.
pub(super) const MAX_POINTS: usize = 2000;
/// Target spacing of the points: between two of them the path turns by at most [`TURN`] [rad] and runs at most [`SPACING`] [m].
const TURN: f64 = 0.06;
const SPACING: f64 = 1.0;
/// Bounds of the time between two points [s].
const MIN_INTERVAL: f64 = 1e-3;
const MAX_INTERVAL: f64 = 1.0;

/// Points [m] of the path from the start of the motion to its end; once around for a closed path.
pub fn course(trajectory: &dyn Trajectory) -> Vec<Vec2> {
    let start = trajectory.at(0.0);
    let end = trajectory.duration().unwrap_or(f64::INFINITY);
    let mut points = vec![start.position];
    let (mut time, mut last, mut farthest) = (0.0, start, 0.0_f64);
    while time < end && points.len() < MAX_POINTS {
        let (speed, turn_rate) = (last.speed(), last.turn_rate().abs());
        let dt = MAX_INTERVAL.min(SPACING / speed).min(TURN / turn_rate).max(MIN_INTERVAL);
        time = end.min(time + dt);
        last = trajectory.at(time);
        let (away, step) = ((last.position - start.position).norm(), speed * dt);
        farthest = farthest.max(away);
        let is_back = farthest > 2.0 * step && away <= step && {
            let to_start = start.position - last.position;
            wrap_angle(last.heading() - start.heading()).abs() <= 2.0 * TURN && to_start.dot(start.velocity) >= 0.0
        };
        if is_back {
            points.push(start.position);
            break;
        }
        points.push(last.position);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trajectory::{TRAJECTORIES, TrajectoryParameters, Waypoint, build};

    fn of(parameters: TrajectoryParameters) -> Vec<Vec2> {
        course(&*build(&parameters).unwrap())
    }

    fn length(points: &[Vec2]) -> f64 {
        points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum()
    }

    #[test]
    fn the_course_of_a_circle_is_one_lap() {
        let circle = TrajectoryParameters {
            trajectory_type: "circle".into(),
            circle_radius: 3.0,
            x0: 5.0,
            ..TrajectoryParameters::default()
        };
        let points = of(circle);
        assert_eq!(points.first(), points.last());
        // A polygon of chords that turn by 0.06 rad each is shorter by 0.06²/24.
        let around = std::f64::consts::TAU * 3.0;
        assert!(length(&points) < around && length(&points) > around * (1.0 - 2e-4), "{}", length(&points));
        let first = points[0];
        let farthest = points.iter().map(|p| (*p - first).norm()).fold(0.0, f64::max);
        assert!((farthest - 6.0).abs() < 1e-2, "{farthest}");
    }

    #[test]
    fn a_figure_of_eight_does_not_end_at_its_crossing() {
        let points = of(TrajectoryParameters::default());
        assert_eq!(points.first(), points.last());
        // Both halves are there, equally large.
        let (left, right) = points.iter().fold((0.0_f64, 0.0_f64), |(l, r), p| (l.min(p.x), r.max(p.x)));
        assert!(right > 1.9 && (right + left).abs() < 0.01, "{left} {right}");
        assert!(points.len() < 400, "{}", points.len());
    }

    #[test]
    fn waypoints_are_followed_to_their_end_and_endless_paths_are_cut_off() {
        let at = |x, y| Waypoint::at(x, y);
        let points = vec![at(0.0, 0.0), at(10.0, 0.0), at(20.0, 5.0)];
        let parameters =
            TrajectoryParameters { trajectory_type: "waypoints".into(), points, ..TrajectoryParameters::default() };
        let points = of(parameters);
        assert!((points[0]).norm() < 1e-9 && (*points.last().unwrap() - Vec2::new(20.0, 5.0)).norm() < 1e-6);
        for entry in TRAJECTORIES.iter().filter(|entry| entry.name != "waypoints") {
            let points = of(TrajectoryParameters {
                trajectory_type: entry.name.into(),
                phase: 2.0,
                ..TrajectoryParameters::default()
            });
            assert!((50..=MAX_POINTS).contains(&points.len()), "{}: {}", entry.name, points.len());
        }
    }
}
