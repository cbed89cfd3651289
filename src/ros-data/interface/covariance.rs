//! Covariances of odometry and ground truth in messages.
//!
//! Row-major 6×6 in the order x, y, z, roll, pitch, yaw (REP 103). Those of odometry follow from the parameters of its noise
//! ([`OdometryNoise`](skidpad_sim::vehicle::OdometryNoise)). Components that a planar vehicle does not measure have variance 10⁶, and no
//! variance is 0, which filters treat as an error.

use skidpad_math::PlanarCovariance;

/// Variance of components that are not measured.
pub const UNKNOWN: f64 = 1e6;
/// Variance of exactly known components, and the lower bound of all.
pub(crate) const EXACT: f64 = 1e-9;

/// Writes a planar covariance into `matrix`; the other off-diagonal elements are unchanged.
pub(crate) fn write_planar(covariance: &PlanarCovariance, matrix: &mut [[f64; 6]; 6]) {
    let PlanarCovariance { xx, xy, x_yaw, yy, y_yaw, yaw } = *covariance;
    // Added to all, so that the matrix stays positive definite.
    write_diagonal(matrix, [xx + EXACT, yy + EXACT, UNKNOWN, UNKNOWN, UNKNOWN, yaw + EXACT]);
    for (row, column, value) in [(0, 1, xy), (0, 5, x_yaw), (1, 5, y_yaw)] {
        (matrix[row][column], matrix[column][row]) = (value, value);
    }
}

/// Writes the variance of exactly known components to the diagonal of a row-major 3×3 `matrix`.
pub(crate) fn write_exact(matrix: &mut [f64]) {
    matrix.iter_mut().step_by(4).for_each(|element| *element = EXACT);
}

/// Writes the covariance of the ground truth to the diagonal of `matrix`.
pub(crate) fn write_truth(matrix: &mut [[f64; 6]; 6]) {
    write_diagonal(matrix, [EXACT; 6]);
}

fn write_diagonal(matrix: &mut [[f64; 6]; 6], diagonal: [f64; 6]) {
    for (index, value) in diagonal.into_iter().enumerate() {
        matrix[index][index] = value;
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Matrix6;

    use super::*;

    #[test]
    fn a_planar_covariance_fills_its_elements_of_the_6_by_6_matrix() {
        let covariance = PlanarCovariance { xx: 4.0, xy: 0.5, x_yaw: 0.25, yy: 3.0, y_yaw: -0.125, yaw: 2.0 };
        let mut matrix = [[0.0; 6]; 6];
        write_planar(&covariance, &mut matrix);
        let matrix = Matrix6::from_row_slice(matrix.as_flattened());
        assert_eq!(matrix, matrix.transpose());
        assert_eq!([matrix[(0, 1)], matrix[(0, 5)], matrix[(1, 5)]], [0.5, 0.25, -0.125]);
        assert_eq!([matrix[(2, 2)], matrix[(3, 3)], matrix[(4, 4)]], [UNKNOWN; 3]);
        assert!((matrix[(0, 0)] - 4.0).abs() < 1e-8 && (matrix[(5, 5)] - 2.0).abs() < 1e-8);
        assert_eq!([matrix[(0, 2)], matrix[(1, 3)], matrix[(4, 5)]], [0.0; 3]);
    }

    #[test]
    fn no_variance_is_zero_and_fully_correlated_covariances_are_invertible() {
        let mut matrix = [[0.0; 6]; 6];
        write_planar(&PlanarCovariance::default(), &mut matrix);
        assert!(matrix.as_flattened().iter().step_by(7).all(|&value| value > 0.0));
        let mut certain = PlanarCovariance::default();
        certain.add(1e-4, [3.0, 4.0, 0.5]);
        write_planar(&certain, &mut matrix);
        assert!(Matrix6::from_row_slice(matrix.as_flattened()).cholesky().is_some());
        write_truth(&mut matrix);
        assert!(matrix.as_flattened().iter().step_by(7).all(|&value| value > 0.0));
    }
}
