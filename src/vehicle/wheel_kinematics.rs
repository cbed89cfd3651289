//! The motion of a body from the speeds of wheels with rollers, and the forces at their rims that balance a wrench.
//!
//! The rims of rolling wheels have the speeds u = H·V, V = (v_x, v_y, ω) being the motion of the reference point, with a row of H for each
//! wheel. Measured speeds give V = P·u with the pseudoinverse P = (HᵀH)⁻¹Hᵀ: exact for three wheels, and for four the motion that fits
//! their speeds best, since they cannot all roll at any four speeds (K. M. Lynch and F. C. Park, "Modern Robotics", 2017, §13.2 and §13.4).
//! By virtual work, forces f along the motion of the rims are the wrench Hᵀ·f on the body, and f = Pᵀ·w is the least that balances −w.

use nalgebra::Matrix3;
use skidpad_math::Twist2;

use super::pairs::sum_by_pairs;
use super::wheel::Wheel;
use super::{MAX_MOTORS, Wrench};

/// Pseudoinverse of the matrix that gives the speeds of the rims.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelKinematics {
    /// P: a row each for v_x [-], v_y [-] and ω [1/m], a column for each wheel.
    velocity_from_rims: [[f64; MAX_MOTORS]; 3],
}

/// Determinant of HᵀH over the product of its diagonal, 0 to 1, below which the wheels do not determine the motion.
const MIN_DETERMINANT: f64 = 1e-9;

impl WheelKinematics {
    /// Of these wheels, each with a motor; none if there are more than [`MAX_MOTORS`], or if the body can move while all of them stand.
    pub fn new(wheels: &[Wheel]) -> Option<WheelKinematics> {
        if wheels.len() > MAX_MOTORS {
            return None;
        }
        let units = [Twist2::new(1.0, 0.0, 0.0), Twist2::new(0.0, 1.0, 0.0), Twist2::new(0.0, 0.0, 1.0)];
        let column = |k: usize| wheels.iter().map(move |wheel| wheel.rolling_speed(units[k]));
        let square = Matrix3::from_fn(|i, j| sum_by_pairs(column(i).zip(column(j)).map(|(a, b)| a * b)));
        let scale: f64 = square.diagonal().iter().product();
        if square.determinant() <= MIN_DETERMINANT * scale {
            return None;
        }
        let inverse = square.try_inverse()?;
        let mut velocity_from_rims = [[0.0; MAX_MOTORS]; 3];
        for (i, row) in velocity_from_rims.iter_mut().enumerate() {
            for (w, wheel) in wheels.iter().enumerate() {
                row[w] = (0..3).map(|k| inverse[(i, k)] * wheel.rolling_speed(units[k])).sum();
            }
        }
        Some(WheelKinematics { velocity_from_rims })
    }

    /// Velocity of the reference point [m/s, rad/s] from the spin of the wheels.
    #[inline]
    pub fn velocity(&self, wheels: &[Wheel]) -> Twist2 {
        let [vx, vy, wz] = self
            .velocity_from_rims
            .map(|row| sum_by_pairs(row.iter().zip(wheels).map(|(share, wheel)| share * wheel.rim_speed())));
        Twist2::new(vx, vy, wz)
    }

    /// The same from the speeds of their rims [m/s].
    pub fn velocity_of_rims(&self, rims: &[f64; MAX_MOTORS]) -> Twist2 {
        let [vx, vy, wz] =
            self.velocity_from_rims.map(|row| sum_by_pairs(row.iter().zip(rims).map(|(share, speed)| share * speed)));
        Twist2::new(vx, vy, wz)
    }

    /// The force along the motion of each rim [N] that is needed against `wrench` on the body.
    pub fn rim_forces_against(&self, wrench: &Wrench) -> [f64; MAX_MOTORS] {
        let [x, y, turn] = &self.velocity_from_rims;
        let Wrench { force_in_body, torque } = wrench;
        std::array::from_fn(|w| -(x[w] * force_in_body.x + y[w] * force_in_body.y + turn[w] * torque))
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec2;

    use super::*;
    use crate::friction::rollers::Rollers;
    use crate::wheel::WheelParameters;

    /// Wheels at x, y [m] with a mounting yaw and a roller angle [deg].
    fn wheels(rows: &[[f64; 4]]) -> Vec<Wheel> {
        let wheel = |&[x, y, yaw, angle]: &[f64; 4]| {
            let plain = WheelParameters::new("w", Vec2::new(x, y));
            let rollers = Rollers::new(angle.to_radians());
            Wheel::new(WheelParameters { mount_yaw: yaw.to_radians(), rollers, ..plain })
        };
        rows.iter().map(wheel).collect()
    }

    /// Lynch and Park, eq. 13.10: a mecanum robot with 2l between its axles and 2w between its sides turns its wheels front left, front
    /// right, rear right and rear left with v_x ∓ v_y ∓ (l + w)·ω.
    #[test]
    fn mecanum_wheels_turn_as_in_the_textbook() {
        let (l, w) = (0.3, 0.2);
        let four = wheels(&[[l, w, 0.0, -45.0], [l, -w, 0.0, 45.0], [-l, -w, 0.0, -45.0], [-l, w, 0.0, 45.0]]);
        let Twist2 { vx, vy, wz } = Twist2::new(0.9, -0.4, 1.3);
        let turn = (l + w) * wz;
        let expected = [vx - vy - turn, vx + vy + turn, vx - vy + turn, vx + vy - turn];
        for (wheel, expected) in four.iter().zip(expected) {
            assert!((wheel.rolling_speed(Twist2::new(vx, vy, wz)) - expected).abs() < 1e-12);
        }
    }

    /// Eq. 13.8 for three omni wheels at the distance d from the middle that roll at right angles to it: v_x·(−sin φ) + v_y·cos φ + d·ω.
    #[test]
    fn three_omni_wheels_turn_as_in_the_textbook() {
        let d = 0.25;
        for degrees in [0.0_f64, 120.0, 240.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let wheel = &wheels(&[[d * cos, d * sin, degrees + 90.0, 90.0]])[0];
            let expected = -0.9 * sin - 0.4 * cos + d * 1.3;
            assert!((wheel.rolling_speed(Twist2::new(0.9, -0.4, 1.3)) - expected).abs() < 1e-12, "{degrees}");
        }
    }

    #[test]
    fn the_motion_is_recovered_from_the_speeds_of_three_and_of_four_wheels() {
        let three = wheels(&[[0.2, 0.1, 120.0, 90.0], [0.1, -0.3, 10.0, 90.0], [-0.3, 0.0, 260.0, 60.0]]);
        let four =
            wheels(&[[0.3, 0.2, 0.0, -45.0], [0.3, -0.2, 0.0, 45.0], [-0.3, -0.2, 0.0, -45.0], [-0.3, 0.2, 0.0, 45.0]]);
        for mut wheels in [three, four] {
            let truth = Twist2::new(0.9, -0.4, 1.3);
            for wheel in &mut wheels {
                wheel.spin = wheel.rolling_speed(truth) / wheel.parameters.radius;
            }
            let actual = WheelKinematics::new(&wheels).expect("wheels that determine the motion").velocity(&wheels);
            let errors = [actual.vx - truth.vx, actual.vy - truth.vy, actual.wz - truth.wz];
            assert!(errors.iter().all(|error| error.abs() < 1e-12), "{actual:?}");
        }
    }

    #[test]
    fn wheels_that_leave_the_body_free_have_no_kinematics() {
        assert_eq!(WheelKinematics::new(&wheels(&[[0.0, 0.5, 0.0, 90.0], [0.0, -0.5, 0.0, 90.0]])), None, "sideways");
        assert_eq!(
            WheelKinematics::new(&wheels(&[[0.3, 0.0, 0.0, 90.0], [0.0, 0.3, 90.0, 90.0], [-0.3, 0.0, 0.0, 90.0]])),
            None,
            "all roll towards the middle, so that none turns the body"
        );
    }

    #[test]
    fn the_forces_at_the_rims_balance_a_wrench() {
        let wheels =
            wheels(&[[0.3, 0.2, 0.0, -45.0], [0.3, -0.2, 0.0, 45.0], [-0.3, -0.2, 0.0, -45.0], [-0.3, 0.2, 0.0, 45.0]]);
        let kinematics = WheelKinematics::new(&wheels).expect("wheels that determine the motion");
        let wrench = Wrench { force_in_body: Vec2::new(-10.0, 4.0), torque: 2.0 };
        let forces = kinematics.rim_forces_against(&wrench);
        let mut sum = wrench;
        for (wheel, force) in wheels.iter().zip(forces) {
            let rollers = wheel.parameters.rollers.expect("rollers");
            let force_in_wheel = force * Vec2::new(1.0, rollers.axis().y / rollers.axis().x);
            sum.add(wheel.body_from_wheel() * force_in_wheel, wheel.parameters.position);
        }
        assert!(sum.force_in_body.norm() < 1e-12 && sum.torque.abs() < 1e-12, "{sum:?}");
    }
}
