//! Fixed torques and steering from the world file, `<controller class="raw">`: open loop.
//!
//! ```xml
//! <controller class="raw">
//!   <l_torque>0</l_torque> <r_torque>0</r_torque>        differential drives: torque of each wheel of a side; tracked: of each track [N·m]
//!   <fl_torque>0</fl_torque> <fr_torque>0</fr_torque>    ackermann: torque of each front wheel [N·m]
//!   <torque>0</torque>                                   ackermann_drivetrain, tricycle: torque of the motor [N·m]
//!   <torques>0 0 0 0</torques>                           omnidirectional drives: torque of each of the three or four wheels [N·m]
//!   <steer_ang_deg>0</steer_ang_deg>                     steering drives: equivalent angle [deg]
//! </controller>
//! ```
//! Source: MVSim's manual (B. Tymchenko, "Multiple Vehicle Simulator", 2020), §4.4.1 and §4.4.3. It takes no commands and never brakes:
//! without torque the vehicle is in neutral, and rolls downhill.

use skidpad_xml::{Accept, Reader};

use super::{Actuation, ControlInput, Controller, Order, Steering};
use crate::{Accepts, MAX_MOTORS, Setpoint};

/// Constant actuation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Raw {
    /// Torque of each motor [N·m], forward positive.
    pub motor_torque: [f64; MAX_MOTORS],
    /// Equivalent steering angle [rad].
    pub steering_angle: f64,
}

impl Controller for Raw {
    fn accepts(&self) -> Accepts {
        Accepts::default()
    }

    fn order(&mut self, _order: Order) {}

    fn stop(&mut self) {}

    fn steering_angle(&self) -> f64 {
        self.steering_angle
    }

    fn update(&mut self, _input: &ControlInput<'_>) -> Actuation {
        Actuation { steering_angle: self.steering_angle, motor_torque: self.motor_torque, ..Actuation::default() }
    }

    fn setpoint(&self) -> Setpoint {
        Setpoint { steering_angle: self.steering_angle, ..Setpoint::default() }
    }

    fn reset(&mut self) {}
}

fn torque(reader: &Reader<'_>, name: &str) -> f64 {
    reader.f64(name, 0.0, Accept::any())
}

pub(super) fn read_differential(reader: &Reader<'_>, _steering: Option<Steering>) -> Box<dyn Controller> {
    Box::new(Raw {
        motor_torque: [torque(reader, "l_torque"), torque(reader, "r_torque"), 0.0, 0.0],
        steering_angle: 0.0,
    })
}

pub(super) fn read_ackermann(reader: &Reader<'_>, _steering: Option<Steering>) -> Box<dyn Controller> {
    Box::new(Raw {
        motor_torque: [torque(reader, "fl_torque"), torque(reader, "fr_torque"), 0.0, 0.0],
        steering_angle: reader.degrees("steer_ang_deg", 0.0, Accept::range(-90.0, 90.0)),
    })
}

pub(super) fn read_drivetrain(reader: &Reader<'_>, _steering: Option<Steering>) -> Box<dyn Controller> {
    Box::new(Raw {
        motor_torque: [torque(reader, "torque"), 0.0, 0.0, 0.0],
        steering_angle: reader.degrees("steer_ang_deg", 0.0, Accept::range(-90.0, 90.0)),
    })
}

pub(super) fn read_omnidirectional(reader: &Reader<'_>, _steering: Option<Steering>) -> Box<dyn Controller> {
    let mut motor_torque = [0.0; MAX_MOTORS];
    if let Some(torques) = reader.numbers("torques", &[3, 4]) {
        motor_torque.iter_mut().zip(torques).for_each(|(motor, torque)| *motor = torque);
    }
    Box::new(Raw { motor_torque, steering_angle: 0.0 })
}
