//! The attitude of a body on the ground: its height, pitch and roll.

use skidpad_math::{Pose2, Pose3, Rot2, Vec3};

use crate::world::terrain::GroundPoint;

/// The part of a pose that is not in the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::world) struct Attitude {
    /// Height of the reference point [m].
    pub z: f64,
    /// Rotation about the yawed y axis [rad], positive nose down.
    pub pitch: f64,
    /// Rotation about the yawed and pitched x axis [rad].
    pub roll: f64,
}

impl Attitude {
    /// The attitude in a pose.
    pub(in crate::world) fn of(pose: Pose3) -> Attitude {
        Attitude { z: pose.z, pitch: pose.pitch, roll: pose.roll }
    }

    /// The attitude of a body with this heading on inclined ground.
    pub(in crate::world) fn on_slope(ground: GroundPoint, heading: Rot2) -> Attitude {
        let along = heading.inverse() * ground.gradient;
        let pitch = -libm::atan(along.x);
        Attitude { z: ground.height, pitch, roll: libm::atan(along.y * libm::cos(pitch)) }
    }

    /// The pose with this attitude over a planar one.
    pub(in crate::world) fn with(self, planar: Pose2) -> Pose3 {
        Pose3 { x: planar.x, y: planar.y, z: self.z, yaw: planar.yaw, pitch: self.pitch, roll: self.roll }
    }

    /// Slope [-] of the body's xy plane along its x and y axes: metres up per metre along the body.
    pub(in crate::world) fn rise(self) -> [f64; 2] {
        if self.is_level() {
            return [0.0, 0.0];
        }
        [-libm::sin(self.pitch), libm::cos(self.pitch) * libm::sin(self.roll)]
    }

    /// Unit vector [-] along gravity, in the body frame; none: the body is level.
    pub(in crate::world) fn down_in_body(self) -> Option<Vec3> {
        if self.is_level() {
            return None;
        }
        let [along_x, along_y] = self.rise();
        Some(Vec3::new(-along_x, -along_y, -libm::cos(self.pitch) * libm::cos(self.roll)))
    }

    fn is_level(self) -> bool {
        self.pitch == 0.0 && self.roll == 0.0
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec2;

    use super::*;

    #[test]
    fn a_body_on_a_slope_is_as_inclined_as_the_slope() {
        for yaw in [0.0, 0.8, -2.3, 3.1] {
            let ground = GroundPoint { height: 0.4, gradient: Vec2::new(0.3, -0.7) };
            let attitude = Attitude::on_slope(ground, Rot2::new(yaw));
            let pose = attitude.with(Pose2::new(0.0, 0.0, yaw));
            for local in [Vec3::new(2.0, 0.0, 0.0), Vec3::new(-1.0, 3.0, 0.0)] {
                let p = pose.transform_point(local);
                let height = ground.height + ground.gradient.dot(Vec2::new(p.x, p.y));
                assert!((p.z - height).abs() < 1e-12, "{yaw}: {p:?}");
            }
        }
    }

    #[test]
    fn gravity_and_rise_are_those_of_the_pose() {
        assert_eq!(Attitude::default().down_in_body(), None);
        for (pitch, roll) in [(0.3, 0.0), (0.0, -0.2), (-0.5, 0.4)] {
            let attitude = Attitude { z: 1.0, pitch, roll };
            let rotation = attitude.with(Pose2::new(3.0, 2.0, 1.1)).rotation();
            let down = rotation.transpose() * Vec3::new(0.0, 0.0, -1.0);
            assert!((attitude.down_in_body().unwrap() - down).norm() < 1e-15);
            let [along_x, along_y] = attitude.rise();
            assert!((along_x - rotation[(2, 0)]).abs() < 1e-15 && (along_y - rotation[(2, 1)]).abs() < 1e-15);
        }
    }
}
