//! The true motion of a vehicle, at any time of a recording.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use skidpad_math::Pose3;

/// A pose in f64.
pub(super) type Pose = Isometry3<f64>;

/// The state of a vehicle at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    /// [ns].
    pub(super) time: i64,
    pub(super) world_from_body: Pose,
    /// Along the axes of the body [m/s].
    pub(super) velocity: Vector3<f64>,
    /// About them [rad/s].
    pub(super) angular_velocity: Vector3<f64>,
}

/// States in the order of time, at least one.
pub(super) struct Motion(Vec<State>);

/// The same pose as an isometry.
pub(super) fn isometry(pose: Pose3) -> Pose {
    let rotation = nalgebra::Rotation3::from_matrix_unchecked(pose.rotation());
    Isometry3::from_parts(Translation3::from(pose.position()), UnitQuaternion::from_rotation_matrix(&rotation))
}

impl Motion {
    /// Motion through these states, in any order.
    pub(super) fn new(mut states: Vec<State>) -> Motion {
        states.sort_by_key(|state| state.time);
        states.dedup_by_key(|state| state.time);
        Motion(states)
    }

    /// The recorded states.
    pub(super) fn states(&self) -> &[State] {
        &self.0
    }

    /// The state at a time [ns], evenly between the recorded ones; none before the first and after the last one.
    pub(super) fn at(&self, time: i64) -> Option<State> {
        let after = self.0.partition_point(|state| state.time < time);
        let next = self.0.get(after)?;
        if next.time == time {
            return Some(*next);
        }
        let before = self.0.get(after.checked_sub(1)?)?;
        let share = (time - before.time) as f64 / (next.time - before.time) as f64;
        let rotation = before.world_from_body.rotation.slerp(&next.world_from_body.rotation, share);
        let position = before.world_from_body.translation.vector.lerp(&next.world_from_body.translation.vector, share);
        Some(State {
            time,
            world_from_body: Isometry3::from_parts(position.into(), rotation),
            velocity: before.velocity.lerp(&next.velocity, share),
            angular_velocity: before.angular_velocity.lerp(&next.angular_velocity, share),
        })
    }
}

/// The upper three rows of the matrix of a pose, row by row.
pub(super) fn rows(pose: &Pose) -> [f64; 12] {
    let matrix = pose.to_homogeneous();
    std::array::from_fn(|k| matrix[(k / 4, k % 4)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(time: i64, x: f64, yaw: f64) -> State {
        State {
            time,
            world_from_body: isometry(Pose3 { x, yaw, ..Pose3::default() }),
            velocity: Vector3::new(x, 0.0, 0.0),
            angular_velocity: Vector3::zeros(),
        }
    }

    #[test]
    fn states_between_are_interpolated_and_none_is_invented() {
        let motion = Motion::new(vec![state(300, 3.0, 0.4), state(100, 1.0, 0.2)]);
        let middle = motion.at(200).unwrap();
        assert!((middle.world_from_body.translation.x - 2.0).abs() < 1e-12);
        assert!((middle.world_from_body.rotation.euler_angles().2 - 0.3).abs() < 1e-12);
        assert_eq!((motion.at(300).unwrap().velocity.x, motion.at(100).unwrap().velocity.x), (3.0, 1.0));
        assert!(motion.at(99).is_none() && motion.at(301).is_none());
        let rows = rows(&motion.at(100).unwrap().world_from_body);
        assert!(
            (rows[3] - 1.0).abs() < 1e-12 && (rows[0] - 0.2_f64.cos()).abs() < 1e-12 && (rows[10] - 1.0).abs() < 1e-12
        );
    }
}
