//! The linear single track: lateral motion at constant speed as a state space, and the handling figures that follow from it.
//!
//! Sources: R. Rajamani, "Vehicle Dynamics and Control", 2nd ed. (2011), §2.3 (state space, in y, β, ψ, r) and §3.1 (steady
//! state); M. Mitschke and H. Wallentowitz, "Dynamik der Kraftfahrzeuge", 5th ed., ch. 20 (gains, characteristic and critical
//! speed, natural frequency). With tyre forces −Cf·α_f and −Cr·α_r, small angles and V > 0:
//!
//! * β̇ = −(Cf + Cr)/(m·V)·β + ((b·Cr − a·Cf)/(m·V²) − 1)·r + Cf/(m·V)·δ
//! * ṙ = (b·Cr − a·Cf)/Iz·β − (a²·Cf + b²·Cr)/(Iz·V)·r + a·Cf/Iz·δ
//! * ψ̇ = r, ẏ = V·(β + ψ)
//!
//! Understeer gradient K = (m/L)·(b/Cf − a/Cr): a circle of radius R requires the steering angle δ = L/R + K·V²/R. A car with
//! K > 0 understeers and has the characteristic speed √(L/K), where the yaw-rate gain is greatest; one with K < 0 oversteers,
//! and is unstable above the critical speed √(−L/K). Stiffnesses are those of a whole axle.

use nalgebra::{Complex, Matrix2, Matrix4, Vector2, Vector4};

/// Parameters of the linear single track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LateralDynamics {
    /// m [kg], > 0.
    pub mass: f64,
    /// Iz [kg·m²] about the centre of gravity, > 0.
    pub yaw_inertia: f64,
    /// a [m]: from the centre of gravity to the front axle.
    pub cog_to_front: f64,
    /// b [m]: from the centre of gravity to the rear axle.
    pub cog_to_rear: f64,
    /// Cf [N/rad] of the front axle, > 0.
    pub front_stiffness: f64,
    /// Cr [N/rad] of the rear axle, > 0.
    pub rear_stiffness: f64,
}

/// Steady-state circular motion per steering angle of 1 rad, in the linear range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteadyState {
    /// Yaw-rate gain r/δ [1/s]: V/(L + K·V²).
    pub yaw_rate: f64,
    /// Side-slip gain β/δ [-]: (b − m·a·V²/(Cr·L))/(L + K·V²).
    pub sideslip: f64,
    /// Gain of the lateral acceleration a_y/δ [m/s² per rad]: V²/(L + K·V²).
    pub lateral_acceleration: f64,
}

impl LateralDynamics {
    /// L = a + b [m].
    pub fn wheelbase(&self) -> f64 {
        self.cog_to_front + self.cog_to_rear
    }

    /// A and B of ẋ = A·x + B·δ for x = (β [rad], r [rad/s]) at `speed` V [m/s] > 0.
    pub fn state_space(&self, speed: f64) -> (Matrix2<f64>, Vector2<f64>) {
        let &LateralDynamics { mass: m, yaw_inertia: iz, cog_to_front: a, cog_to_rear: b, .. } = self;
        let (cf, cr, v) = (self.front_stiffness, self.rear_stiffness, speed);
        let moment = b * cr - a * cf;
        let system = Matrix2::new(
            -(cf + cr) / (m * v),
            moment / (m * v * v) - 1.0,
            moment / iz,
            -(a * a * cf + b * b * cr) / (iz * v),
        );
        (system, Vector2::new(cf / (m * v), a * cf / iz))
    }

    /// A and B for x = (y [m], β [rad], ψ [rad], r [rad/s]), the lateral offset from a line and the heading against it, at
    /// `speed` V [m/s] > 0.
    pub fn state_space_on_line(&self, speed: f64) -> (Matrix4<f64>, Vector4<f64>) {
        let (a, b) = self.state_space(speed);
        #[rustfmt::skip]
        let system = Matrix4::new(
            0.0, speed, speed, 0.0,
            0.0, a[(0, 0)], 0.0, a[(0, 1)],
            0.0, 0.0, 0.0, 1.0,
            0.0, a[(1, 0)], 0.0, a[(1, 1)],
        );
        (system, Vector4::new(0.0, b.x, 0.0, b.y))
    }

    /// Understeer gradient K [rad·s²/m].
    pub fn understeer_gradient(&self) -> f64 {
        let &LateralDynamics { mass, cog_to_front: a, cog_to_rear: b, .. } = self;
        mass / self.wheelbase() * (b / self.front_stiffness - a / self.rear_stiffness)
    }

    /// Speed [m/s] of the greatest yaw-rate gain; none for a car that does not understeer.
    pub fn characteristic_speed(&self) -> Option<f64> {
        let gradient = self.understeer_gradient();
        (gradient > 0.0).then(|| (self.wheelbase() / gradient).sqrt())
    }

    /// Speed [m/s] above which an oversteering car is unstable; none for others.
    pub fn critical_speed(&self) -> Option<f64> {
        let gradient = self.understeer_gradient();
        (gradient < 0.0).then(|| (-self.wheelbase() / gradient).sqrt())
    }

    /// Gains in steady state at `speed` V [m/s] ≥ 0. Those of an oversteering car grow without bound at its critical speed.
    pub fn steady_state(&self, speed: f64) -> SteadyState {
        let &LateralDynamics { mass, cog_to_front: a, cog_to_rear: b, .. } = self;
        let squared = speed * speed;
        // R/δ: the radius per steering angle of 1 rad.
        let radius = self.wheelbase() + self.understeer_gradient() * squared;
        SteadyState {
            yaw_rate: speed / radius,
            sideslip: (b - mass * a * squared / (self.rear_stiffness * self.wheelbase())) / radius,
            lateral_acceleration: squared / radius,
        }
    }

    /// Eigenvalues of A for (β, r) [1/s] at `speed` V [m/s] > 0.
    pub fn eigenvalues(&self, speed: f64) -> [Complex<f64>; 2] {
        let (a, _) = self.state_space(speed);
        let (half, determinant) = (0.5 * a.trace(), a.determinant());
        let square = half * half - determinant;
        let root = square.abs().sqrt();
        if square >= 0.0 {
            [Complex::new(half + root, 0.0), Complex::new(half - root, 0.0)]
        } else {
            [Complex::new(half, root), Complex::new(half, -root)]
        }
    }

    /// Natural frequency [rad/s] and damping ratio [-] of (β, r) at `speed` V [m/s] > 0; none above the critical speed.
    pub fn natural_frequency_and_damping(&self, speed: f64) -> Option<(f64, f64)> {
        let (a, _) = self.state_space(speed);
        let determinant = a.determinant();
        (determinant > 0.0).then(|| {
            let frequency = determinant.sqrt();
            (frequency, -0.5 * a.trace() / frequency)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) const CAR: LateralDynamics = LateralDynamics {
        mass: 1500.0,
        yaw_inertia: 2500.0,
        cog_to_front: 1.2,
        cog_to_rear: 1.5,
        front_stiffness: 80e3,
        rear_stiffness: 90e3,
    };

    #[test]
    fn the_gains_solve_the_state_space() {
        for speed in [2.0, 15.0, 40.0] {
            let (a, b) = CAR.state_space(speed);
            let x = -(a.try_inverse().unwrap() * b);
            let steady = CAR.steady_state(speed);
            assert!((x.x - steady.sideslip).abs() < 1e-11, "{speed}: {} {}", x.x, steady.sideslip);
            assert!((x.y - steady.yaw_rate).abs() < 1e-11);
            assert!((steady.lateral_acceleration - speed * steady.yaw_rate).abs() < 1e-11);
        }
    }

    #[test]
    fn the_yaw_rate_gain_is_greatest_at_the_characteristic_speed_and_half_the_neutral_cars() {
        let speed = CAR.characteristic_speed().unwrap();
        let gain = |v: f64| CAR.steady_state(v).yaw_rate;
        assert!(gain(speed) > gain(0.99 * speed) && gain(speed) > gain(1.01 * speed));
        assert!((gain(speed) - 0.5 * speed / CAR.wheelbase()).abs() < 1e-12);
        assert!(CAR.critical_speed().is_none());
    }

    #[test]
    fn an_eigenvalue_crosses_zero_at_the_critical_speed() {
        let tail_heavy = LateralDynamics { cog_to_front: 1.6, cog_to_rear: 1.1, ..CAR };
        let critical = tail_heavy.critical_speed().unwrap();
        let worst = |v: f64| tail_heavy.eigenvalues(v)[0].re;
        assert!(worst(0.99 * critical) < 0.0 && worst(1.01 * critical) > 0.0 && worst(critical).abs() < 1e-9);
        assert!(tail_heavy.natural_frequency_and_damping(1.1 * critical).is_none());
    }

    #[test]
    fn eigenvalues_multiply_to_the_squared_frequency_and_are_those_of_nalgebra() {
        for speed in [3.0, 30.0] {
            let (a, _) = CAR.state_space(speed);
            let eigenvalues = CAR.eigenvalues(speed);
            let (frequency, damping) = CAR.natural_frequency_and_damping(speed).unwrap();
            assert!(((eigenvalues[0] * eigenvalues[1]).re / (frequency * frequency) - 1.0).abs() < 1e-12);
            assert!((eigenvalues[0].re + eigenvalues[1].re + 2.0 * damping * frequency).abs() < 1e-9);
            for expected in a.complex_eigenvalues().iter() {
                assert!(
                    eigenvalues.iter().any(|eigenvalue| (eigenvalue - expected).norm() < 1e-9),
                    "{eigenvalues:?} {expected}"
                );
            }
        }
    }

    #[test]
    fn the_offset_from_a_line_grows_with_course_and_heading() {
        let (a, b) = CAR.state_space_on_line(20.0);
        let rate = a * Vector4::new(5.0, 0.01, 0.02, 0.0) + b * 0.0;
        assert!((rate[0] - 20.0 * 0.03).abs() < 1e-12 && rate[2] == 0.0);
        let (a2, _) = CAR.state_space(20.0);
        assert_eq!((a[(1, 1)], a[(3, 3)], a[(1, 3)]), (a2[(0, 0)], a2[(1, 1)], a2[(0, 1)]));
    }
}
