//! Poses, directions of friction and tensors of inertia as descriptions write them.

use std::f64::consts::FRAC_PI_2;

use nalgebra::Matrix3;
use skidpad_math::{Pose3, Vec3};
use skidpad_xml::Reader;

/// Angles this close to a right angle or a multiple of it are meant as such [rad]: descriptions write 1.57 and 3.14.
const NEARLY: f64 = 2e-3;

/// The angle, or the multiple of a right angle, other than 0, that is meant.
fn right_angle(angle: f64) -> f64 {
    let turns = (angle / FRAC_PI_2).round();
    let exact = turns * FRAC_PI_2;
    if turns != 0.0 && (angle - exact).abs() < NEARLY { exact } else { angle }
}

/// The pose with angles of exactly 90° where it has nearly such.
pub(super) fn right_angles(pose: Pose3) -> Pose3 {
    Pose3 { roll: right_angle(pose.roll), pitch: right_angle(pose.pitch), yaw: right_angle(pose.yaw), ..pose }
}

/// The pose in `<pose>` [m, rad], without what it is relative to; that of the frame itself where it is absent. Angles are in degrees with
/// `degrees="true"`, and `rotation_format="quat_xyzw"` gives a quaternion.
pub(super) fn read_pose(tag: &Reader<'_>) -> Pose3 {
    let Some(pose) = tag.child("pose") else { return Pose3::default() };
    if pose.own_text().is_none_or(|text| text.is_empty()) {
        return Pose3::default();
    }
    if pose.attribute("rotation_format").as_deref() == Some("quat_xyzw") {
        let Some(n) = pose.own_numbers(&[7]) else { return Pose3::default() };
        let quaternion = [n[3], n[4], n[5], n[6]];
        if quaternion.iter().map(|part| part * part).sum::<f64>() < 1e-18 {
            pose.error("a quaternion of length 0").accepted(["x y z qx qy qz qw, qw 1 for no rotation"]);
            return Pose3::default();
        }
        return Pose3::from_quaternion(Vec3::new(n[0], n[1], n[2]), quaternion);
    }
    let Some(n) = pose.own_numbers(&[6]) else { return Pose3::default() };
    let unit = if pose.attribute_bool("degrees", false) { 1.0_f64.to_radians() } else { 1.0 };
    right_angles(Pose3 { x: n[0], y: n[1], z: n[2], roll: unit * n[3], pitch: unit * n[4], yaw: unit * n[5] })
}

/// The frame in which a vector is given, if the description states one.
pub(super) fn expressed_in(tag: &Reader<'_>) -> Option<String> {
    let frame =
        ["gz:expressed_in", "ignition:expressed_in", "expressed_in"].iter().find_map(|name| tag.attribute(name));
    frame.filter(|frame| !frame.is_empty())
}

/// Friction across its direction at which a surface slides freely there, in parts of that along it [-].
const SLIDES: f64 = 0.1;

/// The direction, in the frame of the robot, along which alone a surface has grip: that of `<fdir1>`, where friction across it, `mu2`, is next to
/// none. None of a surface with grip in all directions; coefficients are 1 where they are not given.
pub(super) fn grip_along(robot_from_frame: &Pose3, along: &[f64], mu: Option<f64>, mu2: Option<f64>) -> Option<Vec3> {
    let direction = robot_from_frame.rotation() * Vec3::new(*along.first()?, *along.get(1)?, *along.get(2)?);
    let (mu, mu2) = (mu.unwrap_or(1.0), mu2.unwrap_or(1.0));
    direction.try_normalize(1e-9).filter(|_| mu2 <= SLIDES * mu)
}

/// The tensor with these xx, xy, xz, yy, yz, zz [kg·m²].
pub(super) fn tensor([xx, xy, xz, yy, yz, zz]: [f64; 6]) -> Matrix3<f64> {
    Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_written_for_right_angles_are_right_angles() {
        let written = ["1.57", "-3.1416", "1.5708", "3.14"].map(|text| text.parse().unwrap());
        assert_eq!(written.map(right_angle), [1.0, -2.0, 1.0, 2.0].map(|k| k * FRAC_PI_2));
        assert_eq!([0.0, 1e-3, 1.5, -0.3].map(right_angle), [0.0, 1e-3, 1.5, -0.3]);
    }
}
