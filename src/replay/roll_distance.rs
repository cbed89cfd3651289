//! How far bodies have rolled: the way along their poses as they are recorded, which no message holds.
//!
//! The index of a recording has this way at the first pose of each block, so that an instant that is sought has the same as one that is played.

use skidpad_math::{Pose3, Vec3};
use skidpad_sim::world::MAX_MOTION_SPEED;

/// An actor that has not moved for this long is standing [ns].
pub(super) const ACTOR_TIMEOUT: i64 = 100_000_000;

/// A recorded pose of a body in the world, its log time [ns], and the way that the body has covered ahead since its first pose [m].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PoseWithRoll {
    pub(super) pose: Pose3,
    pub(super) time: i64,
    pub(super) distance: f64,
}

impl PoseWithRoll {
    /// The first pose that is recorded of a body.
    pub(super) fn first(pose: Pose3, time: i64) -> PoseWithRoll {
        PoseWithRoll { pose, time, distance: 0.0 }
    }

    /// The pose that is recorded after this one. Poses of bodies that stand are not written: who has stood for long has moved since shortly before.
    pub(super) fn followed_by(self, pose: Pose3, time: i64) -> PoseWithRoll {
        let displacement = pose.position() - self.pose.position();
        let ahead = pose.rotation() * Vec3::x();
        let length = displacement.norm();
        let most = MAX_MOTION_SPEED * 1e-9 * (time - self.time).clamp(0, ACTOR_TIMEOUT) as f64;
        let advance = if length <= most { length.copysign(displacement.dot(&ahead)) } else { 0.0 };
        PoseWithRoll { pose, time, distance: self.distance + advance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_ahead_and_back_count_and_being_placed_does_not() {
        let at = |x: f64| Pose3 { x, yaw: std::f64::consts::PI, ..Pose3::default() };
        let mut pose = PoseWithRoll::first(at(5.0), 0);
        let mut distances = Vec::new();
        // Ahead is towards lower x. It stands for a second, is placed at 5 m, and time is set back.
        for (x, time) in [(4.9, 20), (4.5, 40), (4.7, 60), (4.4, 1060), (5.0, 1061), (4.9, 900)] {
            pose = pose.followed_by(at(x), time * 1_000_000);
            distances.push(pose.distance);
        }
        for (actual, expected) in distances.iter().zip([0.1, 0.5, 0.3, 0.6, 0.6, 0.6]) {
            assert!((actual - expected).abs() < 1e-9, "{distances:?}");
        }
    }
}
