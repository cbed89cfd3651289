//! Simulated telemetry of an F1TENTH car's motor controller (VESC).

use skidpad_sim::world::VehicleFrame;

use super::rules;
use crate::preset::vesc;

/// Counts of the tachometer for each electrical revolution: six commutations.
const COUNTS: f64 = 6.0;

/// The motor's state as measured by the controller.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MotorState {
    /// Electrical speed [1/min].
    pub revolutions: f64,
    /// Duty cycle [-], -1 to 1: the speed over the largest speed.
    pub duty_cycle: f64,
    /// Forward counts minus backward counts.
    pub displacement: f64,
    /// All counts.
    pub distance: f64,
}

impl MotorState {
    /// Advances by `seconds` [s] to the current motion of the wheels.
    pub(crate) fn advance(&mut self, vehicle: &VehicleFrame, seconds: f64) {
        let before = self.revolutions;
        self.revolutions = vesc::revolutions(vehicle.odom_velocity_in_body.vx);
        self.duty_cycle = (self.revolutions / vesc::SPEED_LIMIT).clamp(-1.0, 1.0);
        let counts = COUNTS * 0.5 * (before + self.revolutions) * seconds / 60.0;
        self.displacement += counts;
        self.distance += counts.abs();
    }

    /// The tachometers as integers, which wrap as in the controller.
    pub(crate) fn tachometers(&self) -> [i32; 2] {
        [self.displacement, self.distance].map(|counts| counts as i64 as i32)
    }
}

/// Angles about x, y and z [deg], specific force [g] and turn rates [deg/s], along the axes of the body.
pub fn inertial(vehicle: &VehicleFrame) -> [[f64; 3]; 3] {
    let pose = vehicle.world_from_body;
    let force = rules::specific_force(vehicle).map(|force| force / rules::GRAVITY);
    [
        [pose.roll, pose.pitch, pose.yaw].map(f64::to_degrees),
        force,
        [0.0, 0.0, vehicle.velocity_in_body.wz.to_degrees()],
    ]
}

/// Position of the steering servo for the commanded steering angle.
pub fn servo(vehicle: &VehicleFrame) -> f64 {
    vesc::servo(vehicle.setpoint.steering_angle)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use skidpad_math::{Pose3, Twist2, Vec2};

    use super::*;

    #[test]
    fn the_displacement_decreases_backwards_and_the_distance_does_not() {
        let car = |vx| VehicleFrame { odom_velocity_in_body: Twist2::new(vx, 0.0, 0.0), ..VehicleFrame::default() };
        let mut motor = MotorState::default();
        motor.advance(&car(1.0), 0.0);
        (0..100).for_each(|_| motor.advance(&car(1.0), 0.1));
        assert!((motor.displacement - 4614.0).abs() < 1e-6, "10 m are 769 revolutions: {motor:?}");
        motor.advance(&car(-1.0), 0.0);
        (0..50).for_each(|_| motor.advance(&car(-1.0), 0.1));
        assert_eq!(motor.tachometers(), [2307, 6921]);
        assert!((motor.duty_cycle + 0.19845).abs() < 1e-4);
    }

    #[test]
    fn a_standing_vehicle_measures_one_g_upwards_and_a_turning_one_its_rate() {
        let still = inertial(&VehicleFrame::default());
        assert_eq!(still[1], [0.0, 0.0, 1.0]);
        let turning = VehicleFrame {
            world_from_body: Pose3 { yaw: FRAC_PI_2, ..Pose3::default() },
            velocity_in_body: Twist2::new(0.0, 0.0, 1.0),
            acceleration_in_body: Vec2::new(0.0, rules::GRAVITY),
            ..VehicleFrame::default()
        };
        let felt = inertial(&turning);
        assert!((felt[0][2] - 90.0).abs() < 1e-9 && (felt[2][2] - 57.29578).abs() < 1e-4, "{felt:?}");
        assert!((felt[1][1] - 1.0).abs() < 1e-12 && (felt[1][2] - 1.0).abs() < 1e-12, "{felt:?}");
    }
}
