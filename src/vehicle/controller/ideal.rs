//! Imposes the commanded velocity, `<controller class="twist_ideal">`: no motors, no slip.
//!
//! The body moves with the set-point unless something blocks it; wheels roll along, and the ground does not act on the body.
//! (MVSim lets friction disturb each step before it overwrites the velocity; here it does not.) A steered vehicle turns its
//! wheels to atan(l·ω/v_x), below 1 mm/s to sign(ω)·min(l·|ω|, limit), as in MVSim. An Ackermann command on a steered vehicle
//! is v, ω = v·tan δ/l.
//!
//! Models of whole vehicles (`unicycle`, `kinematic_bicycle`, `single_track`, …) apply the set-point in their own way, and use
//! this controller by default.
//!
//! ```xml
//! <controller class="twist_ideal">
//!   <V>0</V> <W>0</W>      set-point at the start [m/s], [deg/s]
//! </controller>
//! ```

use skidpad_math::Twist2;
use skidpad_xml::{Accept, Reader};

use super::{Actuation, ControlInput, Controller, Order, Steering};
use crate::{Accepts, Setpoint};

/// Imposes a velocity.
#[derive(Clone, Debug, PartialEq)]
pub struct Ideal {
    steering: Option<Steering>,
    start: Twist2,
    target: Twist2,
    steering_angle: f64,
    is_along_path: bool,
}

impl Ideal {
    /// A controller with the initial set-point `start` (body frame [m/s, rad/s]).
    pub fn new(steering: Option<Steering>, start: Twist2) -> Ideal {
        let mut ideal = Ideal { steering, start, target: Twist2::ZERO, steering_angle: 0.0, is_along_path: false };
        ideal.order(Order::Twist(start));
        ideal
    }
}

/// Steering angle [rad] of a velocity (body frame [m/s, rad/s]).
fn angle_of(steering: &Steering, velocity_in_body: Twist2) -> f64 {
    let arc = steering.wheelbase * velocity_in_body.wz;
    let angle = if velocity_in_body.vx.abs() > 1e-3 { libm::atan(arc / velocity_in_body.vx) } else { arc };
    angle.clamp(-steering.max_angle, steering.max_angle)
}

impl Controller for Ideal {
    fn accepts(&self) -> Accepts {
        Accepts { twist: true, ackermann: self.steering.is_some(), ..Accepts::default() }
    }

    fn order(&mut self, order: Order) {
        self.is_along_path = matches!(order, Order::Ackermann { .. });
        match (order, self.steering) {
            (Order::Twist(twist), None) => self.target = twist,
            (Order::Twist(twist), Some(steering)) => {
                self.target = twist;
                self.steering_angle = angle_of(&steering, twist);
            }
            (Order::Ackermann { speed, steering_angle } | Order::Steered { speed, steering_angle }, Some(steering)) => {
                self.steering_angle = steering_angle.clamp(-steering.max_angle, steering.max_angle);
                self.target = Twist2::new(speed, 0.0, speed * libm::tan(self.steering_angle) / steering.wheelbase);
            }
            (Order::Ackermann { .. } | Order::Steered { .. }, None) | (Order::Pedals { .. } | Order::Wheels(_), _) => {}
        }
    }

    fn steered(&self, velocity_in_body: Twist2) -> Option<[f64; 2]> {
        Some([velocity_in_body.vx, angle_of(&self.steering?, velocity_in_body)])
    }

    fn moves_sideways(&self) -> bool {
        self.steering.is_none()
    }

    fn stop(&mut self) {
        self.target = Twist2::ZERO;
    }

    fn steering_angle(&self) -> f64 {
        self.steering_angle
    }

    fn imposes_velocity(&self) -> bool {
        true
    }

    fn update(&mut self, _input: &ControlInput<'_>) -> Actuation {
        Actuation {
            steering_angle: self.steering_angle,
            imposed_velocity: Some(self.target),
            speed_along_path: self.is_along_path,
            ..Actuation::default()
        }
    }

    fn setpoint(&self) -> Setpoint {
        Setpoint { velocity_in_body: self.target, steering_angle: self.steering_angle }
    }

    fn reset(&mut self) {
        self.steering_angle = 0.0;
        self.order(Order::Twist(self.start));
    }
}

pub(super) fn read(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    // Definition files switch between this class and a PID, whose parameters may then be present too.
    reader.ignore(&[
        "KP",
        "KI",
        "KD",
        "N",
        "I_MAX",
        "max_torque",
        "enable_antiwindup",
        "enable_feedforward",
        "feedforward_gain",
        "enable_reference_filter",
        "reference_filter_tau",
        "reference_filter_order",
        "zero_threshold",
        "stop_threshold",
    ]);
    let start = Twist2::new(reader.f64("V", 0.0, Accept::any()), 0.0, reader.degrees("W", 0.0, Accept::any()));
    Box::new(Ideal::new(steering, start))
}
