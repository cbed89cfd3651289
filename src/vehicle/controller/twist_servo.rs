//! Motors that hold the speed of each wheel, `<controller class="twist_servo">` of differential and omnidirectional drives.
//!
//! As in Gazebo and ros2_control (`diff_drive_controller`, the plugins `DiffDrive`, `libgazebo_ros_skid_steer_drive` and their like, whose
//! joints have velocity interfaces), every driven wheel gets the speed with which it would roll if the vehicle moved as commanded, and its
//! motor holds that speed with whatever torque it takes, up to its largest one ([`SpinServo`] of infinite gain). No gain has to fit mass,
//! yaw inertia, damping or step. A step of the command is approached as 1 − e^(−t/T): within 5 % after 3·T, where torque and grip allow it.
//!
//! Wheels that skid hold their speeds, too, and the vehicle turns as slowly as their friction says. That is why drivers of such robots reckon
//! with wheels that are farther apart, `wheel_separation_multiplier` in ros2_control: commanded yaw rates are multiplied with it.
//!
//! Commands to single wheels are the speeds that their motors hold, or the torques that they give, up to the largest one; limits of velocity
//! and acceleration do not act on them.
//!
//! ```xml
//! <controller class="twist_servo">
//!   <time_constant>0.05</time_constant>      T with which the wheels approach their speeds [s], ≥ 0; 0: within a step
//!   <max_torque>100</max_torque>             of each motor [N·m], > 0
//!   <wheel_separation_multiplier>1</wheel_separation_multiplier>   yaw rate of the wheels per commanded one [-], > 0
//!   <zero_threshold>0.001</zero_threshold> <stop_threshold>0.05</stop_threshold>  [m/s]
//!   <V>0</V> <VY>0</VY> <W>0</W>      set-point at the start [m/s], [m/s], [deg/s]; VY: omnidirectional drives
//!   <max_speed>…</max_speed> <max_yaw_rate>…</max_yaw_rate>        of what is asked for [m/s], [deg/s], > 0; absent: none
//!   <max_acceleration>…</max_acceleration>                       of the set-point [m/s²], > 0; absent: none
//!   <max_yaw_acceleration>…</max_yaw_acceleration>               of the set-point [deg/s²], > 0; absent: none
//! </controller>
//! ```
//! Not modelled: motors and gears behind the torque limit, and the cycle of a driver.

use skidpad_math::Twist2;
use skidpad_xml::{Accept, Reader};

use super::differential_pid::TwistLimits;
use super::own_wheels::OwnWheels;
use super::tunable::{NOT_NEGATIVE, POSITIVE, Tunable};
use super::{Actuation, ControlInput, Controller, MAX_MOTORS, Order, Steering, StopThresholds};
use crate::servo::SpinServo;
use crate::{Accepts, Setpoint, Wheel};

/// Speeds for all driven wheels.
#[derive(Clone, Debug, PartialEq)]
pub struct TwistServo {
    /// [s]
    time_constant: f64,
    /// [N·m]
    max_torque: f64,
    /// Yaw rate that the wheels are driven for, per commanded one [-].
    separation_multiplier: f64,
    thresholds: StopThresholds,
    limits: TwistLimits,
    moves_sideways: bool,
    /// Targets of single wheels since the last command for all.
    own: OwnWheels,
    start: Twist2,
    /// Target of the set-point.
    target: Twist2,
    setpoint: Twist2,
}

impl TwistServo {
    /// Set-point of the spin of a wheel [rad/s].
    #[inline]
    fn wanted_spin(&self, index: usize, wheel: &Wheel) -> f64 {
        if let Some(spin) = self.own.spin(index) {
            return spin;
        }
        let Twist2 { vx, vy, wz } = self.setpoint;
        wheel.rolling_speed(Twist2::new(vx, vy, self.separation_multiplier * wz)) / wheel.parameters.radius
    }
}

impl Controller for TwistServo {
    fn accepts(&self) -> Accepts {
        Accepts { twist: true, wheels: true, wheel_torques: true, ..Accepts::default() }
    }

    fn order(&mut self, order: Order) {
        match order {
            Order::Twist(twist) => {
                self.setpoint = self.own.end().unwrap_or(self.setpoint);
                self.target =
                    if self.moves_sideways { self.limits.cut_in_plane(twist) } else { self.limits.cut(twist) };
            }
            Order::Wheels(targets) => self.own.take(targets),
            Order::Ackermann { .. } | Order::Steered { .. } | Order::Pedals { .. } => {}
        }
    }

    fn speed_demand(&self, velocity_in_body: Twist2, _wheels: &[Wheel]) -> f64 {
        let [v, w] = self.limits.velocity;
        (velocity_in_body.linear().norm() / v).max(velocity_in_body.wz.abs() / w)
    }

    fn moves_sideways(&self) -> bool {
        self.moves_sideways
    }

    fn start_at(&mut self, velocity_in_body: Twist2) {
        if self.limits.limit_rates() {
            let vy = if self.moves_sideways { velocity_in_body.vy } else { 0.0 };
            self.setpoint = Twist2 { vy, ..velocity_in_body };
        }
    }

    fn stop(&mut self) {
        self.setpoint = self.own.end().unwrap_or(self.setpoint);
        self.target = Twist2::ZERO;
    }

    fn holds_spins(&self) -> bool {
        true
    }

    fn tunables(&self) -> Vec<Tunable> {
        let tunable = |name, help, range, value| Tunable { name, help, range, value };
        vec![
            tunable(
                "time_constant",
                "with which the wheels approach their speeds [s]; 0: at once",
                NOT_NEGATIVE,
                self.time_constant,
            ),
            tunable("max_torque", "largest torque of each motor [N·m]", POSITIVE, self.max_torque),
            tunable(
                "wheel_separation_multiplier",
                "yaw rate that the wheels are driven for, per commanded one [-]",
                POSITIVE,
                self.separation_multiplier,
            ),
        ]
    }

    fn tune(&mut self, name: &str, value: f64) -> bool {
        match name {
            "time_constant" => self.time_constant = value,
            "max_torque" => self.max_torque = value,
            "wheel_separation_multiplier" => self.separation_multiplier = value,
            _ => return false,
        }
        true
    }

    fn update(&mut self, input: &ControlInput<'_>) -> Actuation {
        let (from, to) = (self.setpoint, self.target);
        self.setpoint = if self.moves_sideways {
            self.limits.approach_in_plane(from, to, input.dt)
        } else {
            self.limits.approach(from, to, input.dt)
        };
        let share = if self.time_constant > 0.0 { -libm::expm1(-input.dt / self.time_constant) } else { 1.0 };
        // A castor is not driven.
        let driven = if self.moves_sideways { input.wheels.len() } else { input.wheels.len() / 2 * 2 };
        let mut to_stand = true;
        let mut rims = [0.0; MAX_MOTORS];
        let servos = std::array::from_fn(|index| {
            let Some(wheel) = input.wheels[..driven].get(index) else {
                return SpinServo { gain: f64::INFINITY, ..SpinServo::default() };
            };
            if let Some(torque) = self.own.torque(index) {
                (to_stand, rims[index]) = (false, wheel.rim_speed());
                return SpinServo::of_torque(torque, self.max_torque);
            }
            let wanted = self.wanted_spin(index, wheel);
            rims[index] = wanted * wheel.parameters.radius;
            to_stand &= rims[index].abs() < self.thresholds.zero;
            let spin = wheel.spin + share * (wanted - wheel.spin);
            SpinServo { spin, gain: f64::INFINITY, torque: 0.0, max_torque: self.max_torque }
        });
        self.own.note(input.wheels, &rims);
        let stand_below = self.thresholds.stand_below(to_stand, input);
        Actuation { servos: Some(servos), stand_below, ..Actuation::default() }
    }

    fn setpoint(&self) -> Setpoint {
        Setpoint { velocity_in_body: self.own.motion().unwrap_or(self.setpoint), steering_angle: 0.0 }
    }

    fn reset(&mut self) {
        (self.target, self.setpoint, self.own) = (self.start, self.start, OwnWheels::default());
    }
}

fn read(reader: &Reader<'_>, moves_sideways: bool) -> Box<dyn Controller> {
    let speed = |name: &str| reader.f64(name, 0.0, Accept::any());
    let sideways = if moves_sideways { speed("VY") } else { 0.0 };
    let start = Twist2::new(speed("V"), sideways, reader.degrees("W", 0.0, Accept::any()));
    Box::new(TwistServo {
        time_constant: reader.f64("time_constant", 0.05, Accept::non_negative()),
        max_torque: reader.f64("max_torque", 100.0, Accept::positive()),
        separation_multiplier: reader.f64("wheel_separation_multiplier", 1.0, Accept::positive()),
        thresholds: StopThresholds::read(reader),
        limits: TwistLimits::read(reader),
        moves_sideways,
        own: OwnWheels::default(),
        start,
        target: start,
        setpoint: start,
    })
}

pub(super) fn read_differential(reader: &Reader<'_>, _steering: Option<Steering>) -> Box<dyn Controller> {
    read(reader, false)
}

pub(super) fn read_omnidirectional(reader: &Reader<'_>, _steering: Option<Steering>) -> Box<dyn Controller> {
    read(reader, true)
}
