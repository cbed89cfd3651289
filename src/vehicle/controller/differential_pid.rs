//! A speed PID for each side of a differential drive, `<controller class="twist_pid">`.
//!
//! With the track w = y_left − y_right, a commanded v and ω ask v ∓ ω·w/2 of the left and right side; the measured side
//! speeds come from the axle estimate by the same formula (seed "Multiple Vehicle Simulator", §4.4.2).
//!
//! ```xml
//! <controller class="twist_pid">
//!   <KP>10</KP> <KI>0</KI> <KD>0</KD> <N>0</N> <max_torque>100</max_torque> …   see the PID
//!   <zero_threshold>0.001</zero_threshold> <stop_threshold>0.05</stop_threshold>  [m/s]
//!   <V>0</V> <W>0</W>      set-point at the start [m/s], [deg/s]
//! </controller>
//! ```

use super::{
    Actuation, ControlInput, Controller, Order, Pid, PidParameters, Steering, StopThresholds, Tunable, tunable,
};
use crate::math::Twist2;
use crate::vehicle::drive::velocity_from_axle;
use crate::world::{Accepts, Setpoint};
use crate::xml::{Accept, Reader};

/// One PID per side.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferentialPid {
    pids: [Pid; 2],
    thresholds: StopThresholds,
    start: Twist2,
    target: Twist2,
}

impl DifferentialPid {
    /// A controller that first aims at `start` (body frame [m/s, rad/s]).
    pub fn new(parameters: PidParameters, thresholds: StopThresholds, start: Twist2) -> DifferentialPid {
        DifferentialPid { pids: [Pid::new(parameters), Pid::new(parameters)], thresholds, start, target: start }
    }
}

/// Speeds of the left and right side [m/s] of a vehicle of this `track` [m].
#[inline]
fn side_speeds(twist: Twist2, track: f64) -> [f64; 2] {
    let half = 0.5 * twist.wz * track;
    [twist.vx - half, twist.vx + half]
}

impl Controller for DifferentialPid {
    fn accepts(&self) -> Accepts {
        Accepts { twist: true, ..Accepts::default() }
    }

    fn order(&mut self, order: Order) {
        if let Order::Twist(twist) = order {
            self.target = Twist2::new(twist.vx, 0.0, twist.wz);
        }
    }

    fn stop(&mut self) {
        self.target = Twist2::ZERO;
    }

    fn tunables(&self) -> Vec<Tunable> {
        tunable::of_pid(self.pids[0].parameters(), tunable::NOT_NEGATIVE)
    }

    fn tune(&mut self, name: &str, value: f64) -> bool {
        tunable::tune(&mut self.pids, name, value)
    }

    #[inline]
    fn update(&mut self, input: &ControlInput<'_>) -> Actuation {
        let track = input.wheels[0].parameters.position.y - input.wheels[1].parameters.position.y;
        let wanted = side_speeds(self.target, track);
        let measured = side_speeds(velocity_from_axle(input.wheels), track);
        // A castor is not driven.
        let driven = input.wheels.len() / 2 * 2;
        let (motor_torque, stand_below) = self.thresholds.drive(&mut self.pids, wanted, measured, driven, input);
        Actuation { motor_torque, stand_below, ..Actuation::default() }
    }

    fn setpoint(&self) -> Setpoint {
        Setpoint { velocity_in_body: self.target, steering_angle: 0.0 }
    }

    fn reset(&mut self) {
        self.pids.iter_mut().for_each(Pid::reset);
        self.target = self.start;
    }
}

pub(super) fn read(reader: &Reader<'_>, _steering: Option<Steering>) -> Box<dyn Controller> {
    let parameters = PidParameters::read(reader, PidParameters::new(10.0, 100.0));
    let start = Twist2::new(reader.f64("V", 0.0, Accept::any()), 0.0, reader.degrees("W", 0.0, Accept::any()));
    Box::new(DifferentialPid::new(parameters, StopThresholds::read(reader), start))
}
