//! How sure odometry and ground truth are said to be, as covariances.
//!
//! Row-major 6×6 in the order x, y, z, roll, pitch, yaw (REP 103). Odometry is integrated from the wheels, so its error
//! is a drift that grows with the way gone, not white noise about the truth:
//!
//! * position: standard deviation 2 % of the way driven,
//! * yaw: 2 % of the angle turned plus 0.01 rad per metre driven,
//! * velocities: 2 % of the value plus 5 mm/s or 5 mrad/s.
//!
//! These are the figures of a well-calibrated wheeled robot (they bound the systematic errors that UMBmark finds:
//! J. Borenstein, L. Feng, "Measurement and correction of systematic odometry errors in mobile robots", IEEE T-RA 12(6),
//! 1996), not a fit to the slip of the world at hand. What a planar vehicle does not measure has variance 10⁶.

use crate::math::Twist2;

/// Variance of what is not measured.
pub const UNKNOWN: f64 = 1e6;
/// Variance of what is known exactly: above zero, because filters take zero for an error.
pub const EXACT: f64 = 1e-9;

const WAY: f64 = 0.02;
const TURN: f64 = 0.02;
const TURN_PER_METRE: f64 = 0.01;
const SPEED_FLOOR: f64 = 0.005;

/// The way that an odometry has gone since it started, and so how far it may have drifted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drift {
    distance: f64,
    turned: f64,
}

impl Drift {
    /// Adds `seconds` [s] of motion with the velocity `twist` in the body frame.
    pub fn advance(&mut self, twist: Twist2, seconds: f64) {
        self.distance += twist.linear().norm() * seconds;
        self.turned += twist.wz.abs() * seconds;
    }

    /// Writes the covariance of the pose [m², m·rad, rad²] over the diagonal of `matrix`.
    pub fn write_pose(&self, matrix: &mut [f64]) {
        let position = (WAY * self.distance).powi(2).max(EXACT);
        let yaw = (TURN * self.turned + TURN_PER_METRE * self.distance).powi(2).max(EXACT);
        write_diagonal(matrix, [position, position, UNKNOWN, UNKNOWN, UNKNOWN, yaw]);
    }
}

/// Writes the covariance of a wheel-odometry velocity [m²/s², rad²/s²] over the diagonal of `matrix`.
pub fn write_odometry_twist(twist: Twist2, matrix: &mut [f64]) {
    let variance = |value: f64, part: f64| (part * value.abs() + SPEED_FLOOR).powi(2);
    let linear = twist.linear().norm();
    let (x, y, yaw) = (variance(linear, WAY), variance(linear, WAY), variance(twist.wz, TURN));
    write_diagonal(matrix, [x, y, UNKNOWN, UNKNOWN, UNKNOWN, yaw]);
}

/// Writes the covariance of the truth over the diagonal of `matrix`.
pub fn write_truth(matrix: &mut [f64]) {
    write_diagonal(matrix, [EXACT; 6]);
}

fn write_diagonal(matrix: &mut [f64], diagonal: [f64; 6]) {
    for (element, value) in matrix.iter_mut().step_by(7).zip(diagonal) {
        *element = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_metres_straight_on_leave_twenty_centimetres_and_a_tenth_of_a_radian() {
        let mut drift = Drift::default();
        for _ in 0..100 {
            drift.advance(Twist2::new(1.0, 0.0, 0.0), 0.1);
        }
        let mut matrix = [0.0; 36];
        drift.write_pose(&mut matrix);
        assert!((matrix[0].sqrt() - 0.2).abs() < 1e-9 && (matrix[7].sqrt() - 0.2).abs() < 1e-9);
        assert!((matrix[35].sqrt() - 0.1).abs() < 1e-9);
        assert_eq!([matrix[14], matrix[21], matrix[28]], [UNKNOWN; 3]);
        assert!(matrix.iter().enumerate().all(|(i, &value)| i % 7 == 0 || value == 0.0));
    }

    #[test]
    fn no_variance_is_zero() {
        let mut matrix = [0.0; 36];
        Drift::default().write_pose(&mut matrix);
        assert!(matrix.iter().step_by(7).all(|&value| value > 0.0));
        write_odometry_twist(Twist2::ZERO, &mut matrix);
        assert!(matrix.iter().step_by(7).all(|&value| value > 0.0));
        write_truth(&mut matrix);
        assert!(matrix.iter().step_by(7).all(|&value| value > 0.0));
    }
}
