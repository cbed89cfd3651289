//! Output of a controller to a drive.

use skidpad_math::Twist2;

use super::command::Pedals;
use super::servo::SpinServo;

/// Largest number of motors of a drive.
pub const MAX_MOTORS: usize = 4;

/// Set-points of a controller for a drive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Actuation {
    /// Steering angle of the equivalent single track [rad].
    pub steering_angle: f64,
    /// Torque of each motor [N·m], forward positive; the drive defines its motors. Of a controller that acts implicitly
    /// ([`Controller::act_implicitly`](super::Controller::act_implicitly)): at the spins before the step, not limited.
    pub motor_torque: [f64; MAX_MOTORS],
    /// Throttle and brake, for a powertrain or service brakes.
    pub pedals: Pedals,
    /// A velocity of the reference point, in the body frame [m/s, rad/s], that is imposed in place of wheel torques.
    pub imposed_velocity: Option<Twist2>,
    /// Models only: the imposed speed is that of the model's `reference` along its path, not along the body's x axis.
    pub speed_along_path: bool,
    /// The vehicle is commanded to stand: its brakes hold it against a slope, and lock all wheels as soon as its speed is
    /// below this value [m/s]. They stay locked as long as this is set. None: no brake.
    pub stand_below: Option<f64>,
    /// Spin servos of the individual wheels, for drives with a motor at each wheel.
    pub servos: Option<[SpinServo; 4]>,
}
