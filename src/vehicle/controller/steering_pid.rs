//! Speed PIDs of steered vehicles, `<controller class="twist_front_steer_pid|front_steer_pid">`.
//!
//! Both take velocity and Ackermann commands; the class says what the set-point in the world file is. With `ackermann`
//! there is a PID for each front wheel, on the speed of the commanded motion at that wheel along its own direction; the
//! measured speed is the axle estimate at the same place. With `ackermann_drivetrain` one PID acts on the vehicle's speed
//! (seed "Multiple Vehicle Simulator", §4.4.4 to §4.4.6).
//!
//! ```xml
//! <controller class="twist_front_steer_pid">
//!   <KP>100</KP> <KI>0</KI> <KD>0</KD> <N>0</N> <max_torque>100</max_torque> …   see the PID; drivetrain: 400 by default
//!   <zero_threshold>0.001</zero_threshold> <stop_threshold>0.05</stop_threshold>  [m/s]
//!   <V>0</V> <W>0</W>                  twist_front_steer_pid: set-point at the start [m/s], [deg/s]
//!   <V>0</V> <STEER_ANG>0</STEER_ANG>  front_steer_pid: set-point at the start [m/s], [deg]
//! </controller>
//! ```

use super::{Actuation, ControlInput, Controller, Order, Pid, PidParameters, SteeredOrder, Steering, StopThresholds};
use crate::math::{Twist2, Vec2};
use crate::vehicle::drive::velocity_from_axle;
use crate::vehicle::wheel::Wheel;
use crate::world::{Accepts, Setpoint};
use crate::xml::{Accept, Reader};

const BOTH: Accepts = Accepts { twist: true, ackermann: true };

/// A PID for each front wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontWheelPid {
    order: SteeredOrder,
    pids: [Pid; 2],
    thresholds: StopThresholds,
}

/// Speed [m/s] of the motion `twist` (body frame) at the wheel, along the direction it rolls.
#[inline]
fn speed_along(wheel: &Wheel, twist: Twist2) -> f64 {
    (wheel.body_from_wheel() * Vec2::new(1.0, 0.0)).dot(twist.at_point(wheel.parameters.position))
}

impl Controller for FrontWheelPid {
    fn accepts(&self) -> Accepts {
        BOTH
    }

    fn order(&mut self, order: Order) {
        self.order.take(order);
    }

    fn stop(&mut self) {
        self.order.stop();
    }

    fn steering_angle(&self) -> f64 {
        self.order.steering_angle
    }

    #[inline]
    fn update(&mut self, input: &ControlInput<'_>) -> Actuation {
        let (wanted, measured) = (self.order.twist(), velocity_from_axle(input.wheels));
        let front = [&input.wheels[2], &input.wheels[3]];
        let motor_torque = self.thresholds.drive(
            &mut self.pids,
            front.map(|wheel| speed_along(wheel, wanted)),
            front.map(|wheel| speed_along(wheel, measured)),
            input.dt,
        );
        Actuation { steering_angle: self.order.steering_angle, motor_torque, imposed_velocity: None }
    }

    fn setpoint(&self) -> Setpoint {
        self.order.setpoint()
    }

    fn reset(&mut self) {
        self.order.reset();
        self.pids.iter_mut().for_each(Pid::reset);
    }
}

/// One PID on the speed of the vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivetrainPid {
    order: SteeredOrder,
    pid: [Pid; 1],
    thresholds: StopThresholds,
}

impl Controller for DrivetrainPid {
    fn accepts(&self) -> Accepts {
        BOTH
    }

    fn order(&mut self, order: Order) {
        self.order.take(order);
    }

    fn stop(&mut self) {
        self.order.stop();
    }

    fn steering_angle(&self) -> f64 {
        self.order.steering_angle
    }

    #[inline]
    fn update(&mut self, input: &ControlInput<'_>) -> Actuation {
        let measured = velocity_from_axle(input.wheels).vx;
        let [torque] = self.thresholds.drive(&mut self.pid, [self.order.speed], [measured], input.dt);
        Actuation { steering_angle: self.order.steering_angle, motor_torque: [torque, 0.0], imposed_velocity: None }
    }

    fn setpoint(&self) -> Setpoint {
        self.order.setpoint()
    }

    fn reset(&mut self) {
        self.order.reset();
        self.pid.iter_mut().for_each(Pid::reset);
    }
}

fn twist_at_start(reader: &Reader<'_>) -> Order {
    Order::Twist(Twist2::new(reader.f64("V", 0.0, Accept::any()), 0.0, reader.degrees("W", 0.0, Accept::any())))
}

fn steer_at_start(reader: &Reader<'_>) -> Order {
    Order::Ackermann {
        speed: reader.f64("V", 0.0, Accept::any()),
        steering_angle: reader.degrees("STEER_ANG", 0.0, Accept::range(-90.0, 90.0)),
    }
}

fn front_wheels(reader: &Reader<'_>, steering: Option<Steering>, first: Order) -> Box<dyn Controller> {
    let pid = Pid::new(PidParameters::read(reader, PidParameters::new(100.0, 100.0)));
    Box::new(FrontWheelPid {
        order: SteeredOrder::new(steering.unwrap_or_default(), first),
        pids: [pid.clone(), pid],
        thresholds: StopThresholds::read(reader),
    })
}

fn drivetrain(reader: &Reader<'_>, steering: Option<Steering>, first: Order, max_torque: f64) -> Box<dyn Controller> {
    let pid = Pid::new(PidParameters::read(reader, PidParameters::new(100.0, max_torque)));
    Box::new(DrivetrainPid {
        order: SteeredOrder::new(steering.unwrap_or_default(), first),
        pid: [pid],
        thresholds: StopThresholds::read(reader),
    })
}

pub(super) fn read_front_wheels_twist(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    front_wheels(reader, steering, twist_at_start(reader))
}

pub(super) fn read_front_wheels_steer(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    front_wheels(reader, steering, steer_at_start(reader))
}

pub(super) fn read_drivetrain_twist(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    drivetrain(reader, steering, twist_at_start(reader), 400.0)
}

pub(super) fn read_drivetrain_steer(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    drivetrain(reader, steering, steer_at_start(reader), 100.0)
}
