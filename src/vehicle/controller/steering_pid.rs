//! Speed PIDs of steered vehicles, `<controller class="twist_front_steer_pid|front_steer_pid">`.
//!
//! Both take velocity and Ackermann commands; the class determines the format of the set-point in the world file. With
//! `ackermann` there is a PID for each front wheel, on the speed of the commanded motion at that wheel along its
//! rolling direction; the measured speed comes from the axle speeds at the same place. With `tricycle` there is one,
//! for its only front wheel. With `ackermann_drivetrain` one PID acts on the vehicle's speed (MVSim's manual: B.
//! Tymchenko, "Multiple Vehicle Simulator", 2020, §4.4.4 to §4.4.6).
//!
//! ```xml
//! <controller class="twist_front_steer_pid">
//!   <KP>100</KP> <KI>0</KI> <KD>0</KD> <N>0</N> <max_torque>100</max_torque> …   see the PID; drivetrain: 400 by default
//!   <zero_threshold>0.001</zero_threshold> <stop_threshold>0.05</stop_threshold>  [m/s]
//!   <V>0</V> <W>0</W>                  twist_front_steer_pid: set-point at the start [m/s], [deg/s]
//!   <V>0</V> <STEER_ANG>0</STEER_ANG>  front_steer_pid: set-point at the start [m/s], [deg]
//! </controller>
//! ```

use skidpad_math::{Twist2, Vec2};
use skidpad_xml::{Accept, Reader};

use super::{
    Actuation, ControlInput, Controller, Droop, Order, Pid, PidParameters, SteeredOrder, Steering, StopThresholds,
};
use crate::drive::tricycle::FRONT;
use crate::drive::velocity_from_axle;
use crate::wheel::Wheel;
use crate::{Accepts, Setpoint};

/// Set-points [m/s] of the speeds of `N` motors, and measured speeds, from the order and the wheels.
type Speeds<const N: usize> = fn(&SteeredOrder, &[Wheel]) -> ([f64; N], [f64; N]);

/// A PID for each of `N` motors of a steered vehicle.
#[derive(Clone, Debug)]
pub struct SteeredPid<const N: usize> {
    order: SteeredOrder,
    pids: [Pid; N],
    thresholds: StopThresholds,
    speeds: Speeds<N>,
}

/// The commanded and the measured speed at each front wheel, along its rolling direction.
#[inline]
fn front_wheel_speeds(order: &SteeredOrder, wheels: &[Wheel]) -> ([f64; 2], [f64; 2]) {
    let (wanted, measured) = (order.twist(), velocity_from_axle(wheels));
    let front = [&wheels[2], &wheels[3]];
    (front.map(|wheel| speed_along(wheel, wanted)), front.map(|wheel| speed_along(wheel, measured)))
}

/// Speed [m/s] of the motion `twist` (body frame) at the wheel, along its rolling direction.
#[inline]
fn speed_along(wheel: &Wheel, twist: Twist2) -> f64 {
    (wheel.body_from_wheel() * Vec2::new(1.0, 0.0)).dot(twist.at_point(wheel.parameters.position))
}

/// The commanded and the measured speed at the front wheel of a tricycle, along its rolling direction.
#[inline]
fn single_front_wheel_speed(order: &SteeredOrder, wheels: &[Wheel]) -> ([f64; 1], [f64; 1]) {
    let front = &wheels[FRONT];
    ([speed_along(front, order.twist())], [speed_along(front, velocity_from_axle(wheels))])
}

/// The commanded and the measured speed of the vehicle.
#[inline]
fn vehicle_speed(order: &SteeredOrder, wheels: &[Wheel]) -> ([f64; 1], [f64; 1]) {
    ([order.speed], [velocity_from_axle(wheels).vx])
}

impl<const N: usize> Controller for SteeredPid<N> {
    fn accepts(&self) -> Accepts {
        Accepts { twist: true, ackermann: true, ..Accepts::default() }
    }

    fn order(&mut self, order: Order) {
        self.order.take(order);
    }

    fn steered(&self, velocity_in_body: Twist2) -> Option<[f64; 2]> {
        Some(self.order.steered(velocity_in_body))
    }

    fn stop(&mut self) {
        self.order.stop();
    }

    fn droop(&self) -> Droop {
        self.pids[0].droop(false)
    }

    fn pids(&self) -> &[Pid] {
        &self.pids
    }

    fn pids_mut(&mut self) -> &mut [Pid] {
        &mut self.pids
    }

    fn steering_angle(&self) -> f64 {
        self.order.steering_angle
    }

    #[inline]
    fn update(&mut self, input: &ControlInput<'_>) -> Actuation {
        let (wanted, measured) = (self.speeds)(&self.order, input.wheels);
        // Either one motor for each front wheel, or one whose torque is shared among all wheels.
        let driven = self.thresholds.drive(&mut self.pids, wanted, measured, N, input);
        Actuation { steering_angle: self.order.steering_angle, ..driven }
    }

    fn setpoint(&self) -> Setpoint {
        self.order.setpoint()
    }

    fn reset(&mut self) {
        self.order.reset();
        self.pids.iter_mut().for_each(Pid::reset);
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

/// Reads `N` PIDs with the same parameters; `max_torque` [N·m] is their default limit.
fn read<const N: usize>(
    reader: &Reader<'_>,
    steering: Option<Steering>,
    first: Order,
    max_torque: f64,
    speeds: Speeds<N>,
) -> Box<dyn Controller> {
    let parameters = PidParameters::read(reader, PidParameters::new(100.0, max_torque));
    Box::new(SteeredPid {
        order: SteeredOrder::new(steering.unwrap_or_default(), first),
        pids: std::array::from_fn(|_| Pid::new(parameters)),
        thresholds: StopThresholds::read(reader),
        speeds,
    })
}

pub(super) fn read_front_wheels_twist(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    read(reader, steering, twist_at_start(reader), 100.0, front_wheel_speeds)
}

pub(super) fn read_front_wheels_steer(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    read(reader, steering, steer_at_start(reader), 100.0, front_wheel_speeds)
}

pub(super) fn read_single_front_wheel_twist(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    read(reader, steering, twist_at_start(reader), 100.0, single_front_wheel_speed)
}

pub(super) fn read_single_front_wheel_steer(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    read(reader, steering, steer_at_start(reader), 100.0, single_front_wheel_speed)
}

pub(super) fn read_drivetrain_twist(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    read(reader, steering, twist_at_start(reader), 400.0, vehicle_speed)
}

pub(super) fn read_drivetrain_steer(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    read(reader, steering, steer_at_start(reader), 100.0, vehicle_speed)
}
