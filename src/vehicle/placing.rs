//! What is wrong with a pose that comes from outside: of a world file, a spawn, a teleport, a state that is set.

use skidpad_math::Pose3;

/// Largest coordinate [m] and angle [rad] of a pose: beyond them a number has too few digits left for a vehicle to move.
pub const MAX_COORDINATE: f64 = 1e9;

/// What is wrong with a pose [m, rad], and what is accepted; none: a body can be placed there.
pub fn wrong_pose(pose: &Pose3) -> Option<(&'static str, &'static str)> {
    let Pose3 { x, y, z, yaw, pitch, roll } = *pose;
    if !pose.is_finite() {
        return Some(("a number in its pose is not finite", "finite numbers"));
    }
    if [x, y, z].iter().any(|coordinate| coordinate.abs() > MAX_COORDINATE) {
        return Some(("its position is too far away", "coordinates up to 1e9 m"));
    }
    let is_wound_up = [yaw, pitch, roll].iter().any(|angle| angle.abs() > MAX_COORDINATE);
    is_wound_up.then_some(("an angle in its pose is too large", "angles up to 1e9 rad"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_have_finite_coordinates_and_angles_of_some_digits() {
        let pose = Pose3 { x: 1e9, y: -1e9, z: 1e9, yaw: 1e9, pitch: -1e9, roll: 3.0 };
        assert_eq!(wrong_pose(&pose), None);
        for wrong in [f64::NAN, f64::INFINITY, 1.1e9, -1e308] {
            for place in 0..6 {
                let mut numbers = [0.0; 6];
                numbers[place] = wrong;
                let [x, y, z, yaw, pitch, roll] = numbers;
                assert!(wrong_pose(&Pose3 { x, y, z, yaw, pitch, roll }).is_some(), "{numbers:?}");
            }
        }
    }
}
