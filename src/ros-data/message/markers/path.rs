//! The path that a vehicle has driven: a bounded line of points with a minimum spacing.

use std::collections::VecDeque;

use skidpad_math::Vec3;
use skidpad_math::time::SimTime;

/// Most points of a path; beyond that the oldest are dropped.
pub(super) const MAX_POINTS: usize = 1000;
/// A vehicle that seems faster than this [m/s] has been teleported.
const TELEPORT_SPEED: f64 = 100.0;
/// Shortest distance [m] that counts as a jump.
const MIN_JUMP: f64 = 0.5;

/// The path so far.
#[derive(Clone, Debug)]
pub(super) struct Path {
    spacing: f64,
    points: VecDeque<Vec3>,
    last: Option<(SimTime, Vec3)>,
}

impl Path {
    /// A path with at least `spacing` [m] between its points.
    pub(super) fn new(spacing: f64) -> Path {
        Path { spacing, points: VecDeque::with_capacity(MAX_POINTS + 1), last: None }
    }

    /// Extends the path to a point [m]. After a jump, or when time steps back, the path starts again.
    pub(super) fn follow(&mut self, time: SimTime, point: Vec3) {
        if let Some((before, from)) = self.last {
            let (dt, distance) = ((time - before).secs(), (point - from).norm());
            if dt < 0.0 || distance > (TELEPORT_SPEED * dt).max(MIN_JUMP) {
                self.points.clear();
            }
        }
        self.last = Some((time, point));
        if self.points.back().is_none_or(|back| (point - back).norm() >= self.spacing) {
            self.points.push_back(point);
        }
        if self.points.len() > MAX_POINTS {
            self.points.pop_front();
        }
    }

    /// The points so far, and the present one.
    pub(super) fn line(&self) -> impl Iterator<Item = Vec3> {
        let now = self.last.map(|(_, point)| point);
        self.points.iter().copied().chain(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64) -> Vec3 {
        Vec3::new(x, 0.0, 0.0)
    }

    #[test]
    fn a_path_is_bounded_and_ends_where_the_vehicle_is() {
        let mut path = Path::new(0.1);
        for step in 0..20_000 {
            path.follow(SimTime(step * 10_000_000), at(0.03 * step as f64));
        }
        let line: Vec<Vec3> = path.line().collect();
        assert_eq!(line.len(), MAX_POINTS + 1);
        assert_eq!(line.last(), Some(&at(0.03 * 19_999.0)));
        assert!(line.windows(2).take(MAX_POINTS - 1).all(|pair| (pair[1] - pair[0]).norm() >= 0.1));
    }

    #[test]
    fn a_jump_restarts_the_path() {
        let mut path = Path::new(0.1);
        path.follow(SimTime(0), at(0.0));
        path.follow(SimTime(100_000_000), at(1.0));
        assert_eq!(path.line().count(), 3);
        path.follow(SimTime(200_000_000), at(-30.0));
        assert_eq!(path.line().collect::<Vec<_>>(), [at(-30.0), at(-30.0)]);
        path.follow(SimTime(0), at(-30.0));
        assert_eq!(path.line().count(), 2);
    }
}
