//! Rotations in space by an axis and an angle, and between two rotations.

use nalgebra::{Matrix3, Vector4};

use super::Vec3;

/// The rotation about the axis of a vector by its length [rad] (O. Rodrigues 1840).
pub fn turned_by(turn: Vec3) -> Matrix3<f64> {
    let angle = turn.norm();
    if angle == 0.0 {
        return Matrix3::identity();
    }
    let (sin, cos) = libm::sincos(angle);
    let axis = turn / angle;
    Matrix3::identity() * cos + axis.cross_matrix() * sin + axis * axis.transpose() * (1.0 - cos)
}

/// The vector along the axis of a rotation whose length is its angle [rad], from 0 to π: of which [`turned_by`] gives the rotation. At half a
/// turn, whose axis is not known by this, it is zero.
pub fn turn_of(rotation: &Matrix3<f64>) -> Vec3 {
    let m = rotation;
    let twice = Vec3::new(m[(2, 1)] - m[(1, 2)], m[(0, 2)] - m[(2, 0)], m[(1, 0)] - m[(0, 1)]);
    let (sin, cos) = (0.5 * twice.norm(), 0.5 * (m.trace() - 1.0));
    // Rounding of a rotation that does not turn.
    if sin < 1e-12 { Vec3::zeros() } else { twice * (libm::atan2(sin, cos) / (2.0 * sin)) }
}

/// The rotation at a share [-] of the shorter arc from one to another, all as unit quaternions (x, y, z, w), up to rounding
/// (K. Shoemake, "Animating rotation with quaternion curves", SIGGRAPH 1985).
pub fn slerp(a: [f64; 4], b: [f64; 4], share: f64) -> [f64; 4] {
    let (a, mut b) = (Vector4::from(a), Vector4::from(b));
    let mut cos = a.dot(&b);
    if cos < 0.0 {
        (b, cos) = (-b, -cos);
    }
    // Between nearly equal rotations the chord equals the arc.
    let (from, to) = if cos > 1.0 - 1e-9 {
        (1.0 - share, share)
    } else {
        let angle = libm::acos(cos);
        let sin = libm::sin(angle);
        (libm::sin((1.0 - share) * angle) / sin, libm::sin(share * angle) / sin)
    };
    (a * from + b * to).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_is_that_by_its_turn() {
        for turn in [Vec3::new(0.3, -0.2, 0.9), Vec3::new(0.0, 3.0, 0.0), Vec3::new(1e-7, 0.0, 0.0), Vec3::zeros()] {
            assert!((turn_of(&turned_by(turn)) - turn).norm() < 1e-12, "{turn:?}");
        }
        let quarter = turned_by(Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
        assert!((quarter * Vec3::x() - Vec3::y()).norm() < 1e-15);
    }

    /// About z by 0.4 rad in three parts, also where the other sign of a quaternion says the same rotation.
    #[test]
    fn shares_of_an_arc_are_shares_of_its_angle() {
        let about_z = |angle: f64| [0.0, 0.0, libm::sin(0.5 * angle), libm::cos(0.5 * angle)];
        for end in [about_z(0.4), about_z(0.4).map(|part| -part)] {
            for share in [0.0, 0.25, 0.5, 1.0] {
                let actual = slerp(about_z(0.0), end, share);
                let off = actual.iter().zip(about_z(0.4 * share)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(off < 1e-15, "{actual:?}");
            }
        }
    }
}
