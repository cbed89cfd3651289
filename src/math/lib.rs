//! Planar and spatial poses, twists and the frame algebra between them.
//!
//! Frames follow REP 103: x forward, y left, z up, yaw counter-clockwise, all angles in radians.
//! A transform is named `a_from_b`: it takes coordinates in frame `b` to coordinates in frame `a`,
//! so that `a_from_c = a_from_b * b_from_c` composes.
//! Transcendental functions come from `libm`, which gives the same bits on every machine.

mod circle;
pub mod convex;
pub mod noise;
pub mod rng;
mod rotation;
pub mod time;

use std::ops::{Add, Mul, Neg, Sub};

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

pub use self::circle::Circle;
pub use self::rotation::{slerp, turn_of, turned_by};

/// A vector in space: a position [m] or a direction; the variable's name gives the quantity and the frame.
pub type Vec3 = Vector3<f64>;

/// A vector in the plane: a position [m], a velocity [m/s], a force [N]; the variable's name gives the quantity and the frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec2 {
    /// First component, forward or east.
    pub x: f64,
    /// Second component, left or north.
    pub y: f64,
}

impl Vec2 {
    /// The zero vector.
    pub const ZERO: Vec2 = Vec2 { x: 0.0, y: 0.0 };

    /// A vector from its components.
    #[inline]
    pub const fn new(x: f64, y: f64) -> Vec2 {
        Vec2 { x, y }
    }

    /// Scalar product.
    #[inline]
    pub fn dot(self, other: Vec2) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// z component of the vector product: positive when `other` lies counter-clockwise of `self`.
    #[inline]
    pub fn cross(self, other: Vec2) -> f64 {
        self.x * other.y - self.y * other.x
    }

    /// Euclidean length, in the unit of the components.
    #[inline]
    pub fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The vector rotated by 90° counter-clockwise.
    #[inline]
    pub fn perpendicular(self) -> Vec2 {
        Vec2::new(-self.y, self.x)
    }

    /// True when no component is NaN or infinite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl Add for Vec2 {
    type Output = Vec2;
    #[inline]
    fn add(self, other: Vec2) -> Vec2 {
        Vec2::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Vec2 {
    type Output = Vec2;
    #[inline]
    fn sub(self, other: Vec2) -> Vec2 {
        Vec2::new(self.x - other.x, self.y - other.y)
    }
}

impl Neg for Vec2 {
    type Output = Vec2;
    #[inline]
    fn neg(self) -> Vec2 {
        Vec2::new(-self.x, -self.y)
    }
}

impl Mul<Vec2> for f64 {
    type Output = Vec2;
    #[inline]
    fn mul(self, v: Vec2) -> Vec2 {
        Vec2::new(self * v.x, self * v.y)
    }
}

/// A rotation in the plane, kept as cosine and sine so that composing needs no trigonometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rot2 {
    /// Cosine of the angle [-].
    pub cos: f64,
    /// Sine of the angle [-].
    pub sin: f64,
}

impl Rot2 {
    /// No rotation.
    pub const IDENTITY: Rot2 = Rot2 { cos: 1.0, sin: 0.0 };

    /// The rotation by `angle` [rad], counter-clockwise.
    #[inline]
    pub fn new(angle: f64) -> Rot2 {
        if angle == 0.0 {
            return Rot2::IDENTITY;
        }
        let (sin, cos) = libm::sincos(angle);
        Rot2 { cos, sin }
    }

    /// The rotation by 2·atan(`angle`/2): for small angles [rad] that by `angle`, short of `angle`³/12, without a call of the library.
    #[inline]
    pub fn near(angle: f64) -> Rot2 {
        let half = 0.5 * angle;
        let scale = 1.0 / (1.0 + half * half);
        Rot2 { cos: (1.0 - half * half) * scale, sin: angle * scale }
    }

    /// This rotation and a further one by `angle` [rad]; one up to 1/16 takes no call of the library.
    #[inline]
    pub fn turned(self, angle: f64) -> Rot2 {
        if angle.abs() > 0.0625 {
            return self * Rot2::new(angle);
        }
        // Taylor's series: the first term left out is below a rounding of the sum.
        let square = angle * angle;
        let series = |terms: [f64; 4]| terms.iter().rev().fold(0.0, |sum, term| term + square * sum);
        let sin = angle + angle * square * series([-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0]);
        let cos = 1.0 + square * series([-1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0]);
        self * Rot2 { cos, sin }
    }

    /// The unit vector [-] that it turns the x axis to.
    #[inline]
    pub fn forward(self) -> Vec2 {
        Vec2 { x: self.cos, y: self.sin }
    }

    /// The opposite rotation.
    #[inline]
    pub fn inverse(self) -> Rot2 {
        Rot2 { cos: self.cos, sin: -self.sin }
    }

    /// The angle [rad] in (-π, π].
    #[inline]
    pub fn angle(self) -> f64 {
        libm::atan2(self.sin, self.cos)
    }
}

impl Mul<Vec2> for Rot2 {
    type Output = Vec2;
    #[inline]
    fn mul(self, v: Vec2) -> Vec2 {
        Vec2::new(self.cos * v.x - self.sin * v.y, self.sin * v.x + self.cos * v.y)
    }
}

impl Mul for Rot2 {
    type Output = Rot2;
    #[inline]
    fn mul(self, other: Rot2) -> Rot2 {
        Rot2 { cos: self.cos * other.cos - self.sin * other.sin, sin: self.sin * other.cos + self.cos * other.sin }
    }
}

/// A pose in the plane: position [m] and yaw [rad]. As `a_from_b` it is the pose of frame b in frame a.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose2 {
    /// Position [m].
    pub x: f64,
    /// Position [m].
    pub y: f64,
    /// Heading [rad], counter-clockwise from the x axis of the outer frame; not wrapped.
    pub yaw: f64,
}

impl Pose2 {
    /// The frame itself.
    pub const IDENTITY: Pose2 = Pose2 { x: 0.0, y: 0.0, yaw: 0.0 };

    /// A pose from position [m] and yaw [rad].
    #[inline]
    pub const fn new(x: f64, y: f64, yaw: f64) -> Pose2 {
        Pose2 { x, y, yaw }
    }

    /// A turn about `pivot` [m] by `yaw` [rad].
    pub fn about(pivot: Vec2, yaw: f64) -> Pose2 {
        let origin = pivot - Rot2::new(yaw) * pivot;
        Pose2::new(origin.x, origin.y, yaw)
    }

    /// The position [m].
    #[inline]
    pub fn position(self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    /// The rotation part.
    #[inline]
    pub fn rotation(self) -> Rot2 {
        Rot2::new(self.yaw)
    }

    /// `b_from_a` of an `a_from_b`.
    pub fn inverse(self) -> Pose2 {
        let p = self.rotation().inverse() * -self.position();
        Pose2::new(p.x, p.y, -self.yaw)
    }

    /// Takes the coordinates of a point from the inner to the outer frame.
    #[inline]
    pub fn transform_point(self, p: Vec2) -> Vec2 {
        self.position() + self.rotation() * p
    }

    /// True when no component is NaN or infinite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.yaw.is_finite()
    }
}

impl Mul for Pose2 {
    type Output = Pose2;
    #[inline]
    #[expect(clippy::suspicious_arithmetic_impl, reason = "yaws add when poses compose")]
    fn mul(self, inner: Pose2) -> Pose2 {
        let p = self.transform_point(inner.position());
        Pose2::new(p.x, p.y, self.yaw + inner.yaw)
    }
}

/// A pose in space: position [m] and intrinsic z-y-x Euler angles [rad] (yaw, pitch, roll; positive pitch is nose down).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose3 {
    /// Position [m].
    pub x: f64,
    /// Position [m].
    pub y: f64,
    /// Height [m].
    pub z: f64,
    /// Rotation about z [rad].
    pub yaw: f64,
    /// Rotation about the turned y axis [rad].
    pub pitch: f64,
    /// Rotation about the turned x axis [rad].
    pub roll: f64,
}

impl Pose3 {
    /// The pose given by x y z [m] and yaw pitch roll [deg], as world files write it.
    pub fn from_degrees([x, y, z, yaw, pitch, roll]: [f64; 6]) -> Pose3 {
        let [yaw, pitch, roll] = [yaw, pitch, roll].map(f64::to_radians);
        Pose3 { x, y, z, yaw, pitch, roll }
    }

    /// The pose on the ground plane with this planar part.
    pub const fn from_planar(p: Pose2) -> Pose3 {
        Pose3 { x: p.x, y: p.y, z: 0.0, yaw: p.yaw, pitch: 0.0, roll: 0.0 }
    }

    /// The planar part: x, y [m] and yaw [rad].
    pub const fn planar(self) -> Pose2 {
        Pose2 { x: self.x, y: self.y, yaw: self.yaw }
    }

    /// The position [m].
    #[inline]
    pub fn position(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }

    /// The rotation as a matrix [-]: Rz(yaw)·Ry(pitch)·Rx(roll).
    pub fn rotation(self) -> Matrix3<f64> {
        let (sy, cy) = libm::sincos(self.yaw);
        let (sp, cp) = libm::sincos(self.pitch);
        let (sr, cr) = libm::sincos(self.roll);
        Matrix3::new(
            cy * cp,
            cy * sp * sr - sy * cr,
            cy * sp * cr + sy * sr,
            sy * cp,
            sy * sp * sr + cy * cr,
            sy * sp * cr - cy * sr,
            -sp,
            cp * sr,
            cp * cr,
        )
    }

    /// The pose with this position [m] and rotation matrix [-]; at a pitch of ±π/2 roll is taken as 0.
    pub fn from_parts(position: Vec3, rotation: &Matrix3<f64>) -> Pose3 {
        let r = rotation;
        let cos_pitch = libm::hypot(r[(0, 0)], r[(1, 0)]);
        let pitch = libm::atan2(-r[(2, 0)], cos_pitch);
        let (yaw, roll) = if cos_pitch > 1e-9 {
            (libm::atan2(r[(1, 0)], r[(0, 0)]), libm::atan2(r[(2, 1)], r[(2, 2)]))
        } else {
            (libm::atan2(-r[(0, 1)], r[(1, 1)]), 0.0)
        };
        Pose3 { x: position.x, y: position.y, z: position.z, yaw, pitch, roll }
    }

    /// The pose with this position [m] and rotation as a quaternion (x, y, z, w) of any length but zero, the inverse of
    /// [`Pose3::quaternion`].
    pub fn from_quaternion(position: Vec3, [x, y, z, w]: [f64; 4]) -> Pose3 {
        let rotation = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z)).to_rotation_matrix();
        Pose3::from_parts(position, rotation.matrix())
    }

    /// Takes the coordinates of a point [m] from the inner to the outer frame.
    pub fn transform_point(self, p: Vec3) -> Vec3 {
        self.position() + self.rotation() * p
    }

    /// `b_from_a` of an `a_from_b`.
    pub fn inverse(self) -> Pose3 {
        let back = self.rotation().transpose();
        Pose3::from_parts(-(back * self.position()), &back)
    }

    /// True when no component is NaN or infinite.
    pub fn is_finite(self) -> bool {
        [self.x, self.y, self.z, self.yaw, self.pitch, self.roll].iter().all(|c| c.is_finite())
    }

    /// The rotation as a unit quaternion [-] (x, y, z, w), the order of ROS messages.
    pub fn quaternion(self) -> [f64; 4] {
        let (sy, cy) = libm::sincos(0.5 * self.yaw);
        let (sp, cp) = libm::sincos(0.5 * self.pitch);
        let (sr, cr) = libm::sincos(0.5 * self.roll);
        [
            cy * cp * sr - sy * sp * cr,
            cy * sp * cr + sy * cp * sr,
            sy * cp * cr - cy * sp * sr,
            cy * cp * cr + sy * sp * sr,
        ]
    }
}

impl Mul for Pose3 {
    type Output = Pose3;
    fn mul(self, inner: Pose3) -> Pose3 {
        Pose3::from_parts(self.transform_point(inner.position()), &(self.rotation() * inner.rotation()))
    }
}

/// The yaw [rad] in [-π, π] of a rotation as a quaternion (x, y, z, w), of any length but zero.
pub fn yaw_of([x, y, z, w]: [f64; 4]) -> f64 {
    libm::atan2(2.0 * (w * z + x * y), w * w + x * x - y * y - z * z)
}

/// A planar velocity: linear [m/s] and yaw rate [rad/s], in the frame that the name of the variable gives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist2 {
    /// Forward velocity [m/s].
    pub vx: f64,
    /// Leftward velocity [m/s].
    pub vy: f64,
    /// Yaw rate [rad/s], counter-clockwise.
    pub wz: f64,
}

impl Twist2 {
    /// Standing still.
    pub const ZERO: Twist2 = Twist2 { vx: 0.0, vy: 0.0, wz: 0.0 };

    /// A twist from linear [m/s] and angular [rad/s] parts.
    #[inline]
    pub const fn new(vx: f64, vy: f64, wz: f64) -> Twist2 {
        Twist2 { vx, vy, wz }
    }

    /// The linear part [m/s].
    #[inline]
    pub fn linear(self) -> Vec2 {
        Vec2::new(self.vx, self.vy)
    }

    /// Velocity [m/s] of the point `p` [m] fixed to the body, both in the body's frame: v + ω × p.
    #[inline]
    pub fn at_point(self, p: Vec2) -> Vec2 {
        Vec2::new(self.vx - self.wz * p.y, self.vy + self.wz * p.x)
    }

    /// True when no component is NaN or infinite.
    pub fn is_finite(self) -> bool {
        self.vx.is_finite() && self.vy.is_finite() && self.wz.is_finite()
    }
}

/// Covariance of x, y and yaw of a pose [m, rad] or of a velocity [m/s, rad/s].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanarCovariance {
    /// Variance of x.
    pub xx: f64,
    /// Covariance of x and y.
    pub xy: f64,
    /// Covariance of x and yaw.
    pub x_yaw: f64,
    /// Variance of y.
    pub yy: f64,
    /// Covariance of y and yaw.
    pub y_yaw: f64,
    /// Variance of yaw.
    pub yaw: f64,
}

impl PlanarCovariance {
    /// Adds `variance` times v·vᵀ.
    #[inline]
    pub fn add(&mut self, variance: f64, [x, y, yaw]: [f64; 3]) {
        self.xx += variance * x * x;
        self.xy += variance * x * y;
        self.x_yaw += variance * x * yaw;
        self.yy += variance * y * y;
        self.y_yaw += variance * y * yaw;
        self.yaw += variance * yaw * yaw;
    }

    /// As a matrix.
    pub fn matrix(&self) -> Matrix3<f64> {
        let PlanarCovariance { xx, xy, x_yaw, yy, y_yaw, yaw } = *self;
        Matrix3::new(xx, xy, x_yaw, xy, yy, y_yaw, x_yaw, y_yaw, yaw)
    }
}

/// Pose after moving with a constant `velocity_in_body` for `dt` [s]: an exact arc.
pub fn advance(world_from_body: Pose2, velocity_in_body: Twist2, dt: f64) -> Pose2 {
    let turn = velocity_in_body.wz * dt;
    // sin(a)/a and (1 - cos(a))/a. Small turns take Taylor's series: the quotients would lose digits, and the first term left out is below a
    // rounding of the sum.
    let (along, across) = if turn.abs() < 1e-8 {
        (1.0, 0.5 * turn)
    } else if turn.abs() < 0.0625 {
        let square = turn * turn;
        let series = |terms: [f64; 4]| terms.iter().rev().fold(0.0, |sum, term| term + square * sum);
        let along = 1.0 + square * series([-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0]);
        (along, turn * series([1.0 / 2.0, -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40_320.0]))
    } else {
        let (sin, cos) = libm::sincos(turn);
        (sin / turn, (1.0 - cos) / turn)
    };
    let v = dt * velocity_in_body.linear();
    let displacement = Vec2::new(along * v.x - across * v.y, across * v.x + along * v.y);
    world_from_body * Pose2::new(displacement.x, displacement.y, turn)
}

/// The pose at a share of the way between two on the arc of constant twist, less than half a turn: the inverse of [`advance`].
pub fn arc_between(start: Pose2, end: Pose2, share: f64) -> Pose2 {
    if start == end {
        return end;
    }
    let step = start.inverse() * end;
    let half = 0.5 * wrap_angle(end.yaw - start.yaw);
    // a/tan(a), by series where the quotient would lose digits.
    let along = if half.abs() < 1e-4 { 1.0 - half * half / 3.0 } else { half / libm::tan(half) };
    let twist = Twist2::new(along * step.x + half * step.y, along * step.y - half * step.x, 2.0 * half);
    advance(start, twist, share)
}

/// The equivalent angle [rad] in [-π, π).
pub fn wrap_angle(angle: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    if (-PI..PI).contains(&angle) {
        return angle;
    }
    let wrapped = angle - TAU * libm::floor((angle + PI) / TAU);
    if wrapped >= PI { wrapped - TAU } else { wrapped }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    #[test]
    fn a_pose_times_its_inverse_is_the_identity() {
        let a = Pose2::new(1.0, -2.0, 0.7);
        let id = a * a.inverse();
        assert!(id.x.abs() < 1e-15 && id.y.abs() < 1e-15 && id.yaw == 0.0);
    }

    #[test]
    fn composition_rotates_the_inner_translation() {
        let p = Pose2::new(1.0, 2.0, FRAC_PI_2) * Pose2::new(3.0, 0.0, 0.1);
        assert!((p.x - 1.0).abs() < 1e-15 && (p.y - 5.0).abs() < 1e-15);
    }

    #[test]
    fn further_rotations_are_those_of_the_sum_of_the_angles() {
        for from in [0.0, 0.7, -2.5] {
            for angle in [0.0, 1e-9, -1e-3, 0.03, -0.0625, 0.0626, 1.0, -3.0] {
                let (turned, expected) = (Rot2::new(from).turned(angle), Rot2::new(from + angle));
                let off = (turned.cos - expected.cos).abs().max((turned.sin - expected.sin).abs());
                assert!(off < 4e-16, "{off} at {from} and {angle}");
            }
        }
        assert_eq!(Rot2::IDENTITY.turned(-0.05).sin, -Rot2::IDENTITY.turned(0.05).sin);
    }

    #[test]
    fn near_rotations_keep_lengths_and_are_near_for_small_angles() {
        for angle in [-3.0, -0.2, 0.0, 0.01, 1.0, 50.0] {
            let near = Rot2::near(angle);
            assert!((near.cos.hypot(near.sin) - 1.0).abs() < 1e-15, "{angle}");
            assert!((near.angle() - 2.0 * (0.5 * angle).atan()).abs() < 1e-15, "{angle}");
            assert!((near.angle() - angle).abs() <= angle.abs().powi(3) / 12.0, "{angle}");
        }
    }

    #[test]
    fn a_point_to_the_left_of_a_turning_body_moves_backwards() {
        let v = Twist2::new(0.0, 0.0, 2.0).at_point(Vec2::new(0.0, 1.0));
        assert_eq!(v, Vec2::new(-2.0, 0.0));
    }

    #[test]
    fn a_quarter_turn_arc_ends_at_the_geometric_end_point() {
        let quarter = std::f64::consts::FRAC_PI_2;
        let end = advance(Pose2::IDENTITY, Twist2::new(2.0 * quarter, 0.0, quarter), 1.0);
        assert!((end.x - 2.0).abs() < 1e-14 && (end.y - 2.0).abs() < 1e-14, "{end:?}");
    }

    /// Against half angles, which lose no digits at any turn.
    #[test]
    fn arcs_end_where_they_should_on_both_sides_of_the_series() {
        for turn in [0.0, 1e-9, 1e-4, 0.01, 0.0624, 0.0626, -0.05, 1.0] {
            let end = advance(Pose2::IDENTITY, Twist2::new(1.0, 0.0, turn), 1.0);
            let (sin, cos) = libm::sincos(0.5 * turn);
            let (x, y) = if turn == 0.0 { (1.0, 0.0) } else { (2.0 * sin * cos / turn, 2.0 * sin * sin / turn) };
            assert!((end.x - x).abs() < 3e-16 && (end.y - y).abs() < 4e-15 * y.abs().max(1e-3), "{turn}: {end:?}");
        }
    }

    #[test]
    fn angles_wrap_into_the_half_open_circle() {
        assert_eq!(wrap_angle(PI), -PI);
        assert!((wrap_angle(-3.5 * PI) - 0.5 * PI).abs() < 1e-14);
        assert!((wrap_angle(100.0) - libm::atan2(libm::sin(100.0), libm::cos(100.0))).abs() < 1e-12);
    }

    #[test]
    fn spatial_poses_compose_and_invert_like_their_matrices() {
        let a = Pose3 { x: 1.0, y: -2.0, z: 0.5, yaw: 2.5, pitch: -0.4, roll: 0.3 };
        let b = Pose3 { x: 0.3, y: 0.2, z: -1.0, yaw: -1.0, pitch: 0.9, roll: -2.0 };
        let p = Vec3::new(0.7, -0.1, 2.0);
        assert!(((a * b).transform_point(p) - a.transform_point(b.transform_point(p))).norm() < 1e-14);
        let id = a * a.inverse();
        assert!([id.x, id.y, id.z, id.yaw, id.pitch, id.roll].iter().all(|c| c.abs() < 1e-15));
        // Positive pitch lowers the nose.
        let nose = Pose3 { pitch: 0.1, ..Pose3::default() }.transform_point(Vec3::new(1.0, 0.0, 0.0));
        assert!((nose.z + 0.1_f64.sin()).abs() < 1e-15);
        let up = Pose3 { pitch: FRAC_PI_2, yaw: 0.3, ..Pose3::default() };
        assert!((Pose3::from_parts(Vec3::zeros(), &up.rotation()).yaw - 0.3).abs() < 1e-9);
    }

    #[test]
    fn the_quaternion_of_a_yaw_is_about_z() {
        let q = Pose3 { yaw: FRAC_PI_2, ..Pose3::default() }.quaternion();
        let h = 0.5_f64.sqrt();
        assert!((q[2] - h).abs() < 1e-15 && (q[3] - h).abs() < 1e-15 && q[0] == 0.0);
    }

    #[test]
    fn angles_come_back_from_quaternions_of_any_length() {
        for [yaw, pitch, roll] in [[2.5, -0.3, 0.2], [-3.0, 0.0, 0.0], [0.0, 1.2, -3.0], [3.1, 0.5, 1.0]] {
            let pose = Pose3 { x: 1.0, y: -2.0, z: 0.5, yaw, pitch, roll };
            let q = pose.quaternion().map(|part| 3.0 * part);
            assert!((yaw_of(q) - yaw).abs() < 1e-12, "{yaw}");
            let back = Pose3::from_quaternion(pose.position(), q);
            assert_eq!(back.position(), pose.position());
            for (actual, given) in [(back.yaw, yaw), (back.pitch, pitch), (back.roll, roll)] {
                assert!((actual - given).abs() < 1e-12, "{back:?}");
            }
        }
        assert_eq!(yaw_of([0.0; 4]), 0.0);
    }
}
