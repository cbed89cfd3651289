//! What a controller asks of a drive.

use super::command::Pedals;
use super::servo::SpinServo;
use crate::math::Twist2;

/// Output of a controller to a drive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Actuation {
    /// Steering angle of the equivalent single track [rad].
    pub steering_angle: f64,
    /// Torque of each motor [N·m], forward positive; the drive says what its motors are.
    pub motor_torque: [f64; 2],
    /// Throttle and brake, where there is a powertrain or there are service brakes.
    pub pedals: Pedals,
    /// A velocity of the reference point, in the body frame [m/s, rad/s], that is imposed instead of driving the wheels.
    pub imposed_velocity: Option<Twist2>,
    /// Models only: the imposed speed is that of the model's `reference` along its path, not along the body's x axis.
    pub speed_along_path: bool,
    /// The vehicle is to stand: its brakes hold it against a slope, and lock all wheels as soon as it is slower than this
    /// [m/s]. They stay locked while this asks for it. None: no brake.
    pub stand_below: Option<f64>,
    /// Motors that hold each wheel at a spin, on drives with one at each.
    pub servos: Option<[SpinServo; 4]>,
}
