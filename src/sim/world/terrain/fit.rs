//! Attitude of a rigid body on contact points: the least-squares rotation that takes points of a plane to points in space.
//!
//! B. K. P. Horn, "Closed-form solution of absolute orientation using unit quaternions", J. Opt. Soc. Am. A 4 (1987) 629. For
//! points of a plane z = 0 his solution needs no eigenvalues: with M = Σ b·aᵀ (3 × 2, both sets about their centroids) the
//! first two columns of the rotation are the polar factor M·(MᵀM)^(−½), as in B. K. P. Horn, H. M. Hilden and
//! S. Negahdaripour, "… using orthonormal matrices", J. Opt. Soc. Am. A 5 (1988) 1127.

use skidpad_math::{Vec2, Vec3};

/// Points count as collinear when the smaller second moment is below this share of the larger [-].
const THINNEST: f64 = 1e-9;

/// Running sums over pairs of points.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::world) struct PlaneFit {
    count: f64,
    sum_local: Vec2,
    sum: Vec3,
    /// Σ b·aₓ and Σ b·a_y.
    products: [Vec3; 2],
}

impl PlaneFit {
    /// Adds the point `local` [m] of the plane and its target [m], relative to any fixed point nearby.
    pub(in crate::world) fn add(&mut self, local: Vec2, target: Vec3) {
        self.count += 1.0;
        self.sum_local = self.sum_local + local;
        self.sum += target;
        self.products[0] += local.x * target;
        self.products[1] += local.y * target;
    }

    /// Pitch and roll [rad] of the rotation that brings the plane's points closest to their targets. None when the points do not
    /// determine it because they are collinear.
    pub(in crate::world) fn pitch_and_roll(&self) -> Option<(f64, f64)> {
        let mean = (1.0 / self.count) * self.sum_local;
        let [m0, m1] = [self.products[0] - mean.x * self.sum, self.products[1] - mean.y * self.sum];
        // The square root of a symmetric 2 × 2 matrix S is (S + √det·1) / √(tr + 2·√det).
        let (a, b, c) = (m0.dot(&m0), m0.dot(&m1), m1.dot(&m1));
        let determinant = a * c - b * b;
        if determinant.is_nan() || determinant <= THINNEST * (a + c) * (a + c) {
            return None;
        }
        let root = determinant.sqrt();
        // Its inverse is [[c + √det, −b], [−b, a + √det]] up to a factor, which the normalisation removes.
        let x = ((c + root) * m0 - b * m1).normalize();
        let y = ((a + root) * m1 - b * m0).normalize();
        let z = x.cross(&y);
        let pitch = libm::atan2(-x.z, libm::hypot(y.z, z.z));
        Some((pitch, libm::atan2(y.z, z.z)))
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix3, Matrix4, SymmetricEigen, UnitQuaternion};
    use skidpad_math::Pose3;

    use super::*;

    const WHEELS: [(f64, f64); 4] = [(-0.3, 0.5), (-0.3, -0.5), (1.3, 0.6), (1.3, -0.6)];

    #[test]
    fn pitch_and_roll_of_a_tilted_plane_are_recovered_at_any_yaw() {
        for yaw in [-3.0, -1.2, 0.0, 0.4, 2.2] {
            for (pitch, roll) in [(0.0, 0.0), (0.3, -0.2), (-1.1, 0.9), (0.0, 0.5)] {
                let pose = Pose3 { x: 0.2, y: -0.4, z: 5.0, yaw, pitch, roll };
                let mut fit = PlaneFit::default();
                for (x, y) in WHEELS {
                    fit.add(Vec2::new(x, y), pose.transform_point(Vec3::new(x, y, 0.0)));
                }
                let actual = fit.pitch_and_roll().unwrap();
                assert!((actual.0 - pitch).abs() < 1e-12 && (actual.1 - roll).abs() < 1e-12, "{pose:?}: {actual:?}");
            }
        }
    }

    /// The same by the quaternion of the paper of 1987: the eigenvector of N for its greatest eigenvalue.
    fn quaternion_method(pairs: &[(Vec3, Vec3)]) -> Matrix3<f64> {
        let n = pairs.len() as f64;
        let centre = |take: fn(&(Vec3, Vec3)) -> Vec3| pairs.iter().map(take).sum::<Vec3>() / n;
        let (ca, cb) = (centre(|p| p.0), centre(|p| p.1));
        let s: Matrix3<f64> = pairs.iter().map(|(a, b)| (a - ca) * (b - cb).transpose()).sum();
        let d = Vec3::new(s[(1, 2)] - s[(2, 1)], s[(2, 0)] - s[(0, 2)], s[(0, 1)] - s[(1, 0)]);
        let mut big = Matrix4::zeros();
        big[(0, 0)] = s.trace();
        for i in 0..3 {
            big[(0, i + 1)] = d[i];
            big[(i + 1, 0)] = d[i];
            for k in 0..3 {
                big[(i + 1, k + 1)] = s[(i, k)] + s[(k, i)] - if i == k { s.trace() } else { 0.0 };
            }
        }
        let eigen = SymmetricEigen::new(big);
        let q = eigen.eigenvectors.column(eigen.eigenvalues.imax()).into_owned();
        UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q[0], q[1], q[2], q[3]))
            .to_rotation_matrix()
            .into_inner()
    }

    #[test]
    fn uneven_ground_gives_the_same_as_horns_quaternion() {
        let heights = [[0.0, 0.1, 0.35, -0.2], [0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.0, 0.4], [1.5, -1.0, 0.3, 0.2]];
        for heights in heights {
            let mut fit = PlaneFit::default();
            let mut pairs = Vec::new();
            for ((x, y), z) in WHEELS.into_iter().zip(heights) {
                let target = Vec3::new(0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y, z);
                fit.add(Vec2::new(x, y), target);
                pairs.push((Vec3::new(x, y, 0.0), target));
            }
            let expected = Pose3::from_parts(Vec3::zeros(), &quaternion_method(&pairs));
            let (pitch, roll) = fit.pitch_and_roll().unwrap();
            assert!((pitch - expected.pitch).abs() < 1e-9 && (roll - expected.roll).abs() < 1e-9, "{heights:?}");
        }
    }

    #[test]
    fn collinear_points_do_not_determine_a_tilt() {
        let mut fit = PlaneFit::default();
        for k in 0..3 {
            let k = f64::from(k);
            fit.add(Vec2::new(k, 2.0 * k), Vec3::new(k, 2.0 * k, 0.1 * k * k));
        }
        assert_eq!(fit.pitch_and_roll(), None);
        assert_eq!(PlaneFit::default().pitch_and_roll(), None);
    }
}
