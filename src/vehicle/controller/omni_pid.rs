//! A speed PID for each wheel of an omnidirectional drive, `<controller class="twist_pid">`.
//!
//! The commanded velocity (v_x, v_y, ω) gives each wheel the speed with which its rim rolls
//! ([`Wheel::rolling_speed`](crate::Wheel::rolling_speed)); what is measured is the speed of that rim (K. M. Lynch and
//! F. C. Park, "Modern Robotics", 2017, §13.2).
//!
//! ```xml
//! <controller class="twist_pid">
//!   <KP>10</KP> <KI>0</KI> <KD>0</KD> <N>0</N> <max_torque>100</max_torque> …   see the PID
//!   <zero_threshold>0.001</zero_threshold> <stop_threshold>0.05</stop_threshold>  [m/s]
//!   <V>0</V> <VY>0</VY> <W>0</W>      set-point at the start [m/s], [m/s], [deg/s]
//!   <max_speed>…</max_speed> <max_yaw_rate>…</max_yaw_rate>        of what is asked for [m/s], [deg/s], > 0; absent: none
//!   <max_acceleration>…</max_acceleration>                       of the set-point [m/s²], > 0; absent: none
//!   <max_yaw_acceleration>…</max_yaw_acceleration>               of the set-point [deg/s²], > 0; absent: none
//! </controller>
//! ```
//! Commands to single wheels are the speeds of their rims; limits do not act on them. Speed and acceleration are limited in any direction of the plane alike. The feed-forward against a slope acts along both axes, and in
//! full while the vehicle is to stop: unlike ordinary wheels, those with rollers do not hold it sideways.

use skidpad_math::{Twist2, Vec2};
use skidpad_xml::{Accept, Reader};

use super::differential_pid::TwistLimits;
use super::own_wheels::OwnWheels;
use super::{Actuation, ControlInput, Controller, Order, Pid, PidParameters, Steering, StopThresholds};
use crate::wheel_kinematics::WheelKinematics;
use crate::{Accepts, MAX_MOTORS, Setpoint, Wheel, Wrench};

/// One PID per wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct OmniPid {
    pids: [Pid; MAX_MOTORS],
    thresholds: StopThresholds,
    start: Twist2,
    limits: TwistLimits,
    /// Targets of single wheels since the last command for all.
    own: OwnWheels,
    /// Target of the set-point.
    target: Twist2,
    setpoint: Twist2,
}

impl OmniPid {
    /// A controller with the initial set-point `start` (body frame [m/s, rad/s]).
    pub fn new(parameters: PidParameters, thresholds: StopThresholds, start: Twist2, limits: TwistLimits) -> OmniPid {
        let pids = std::array::from_fn(|_| Pid::new(parameters));
        OmniPid { pids, thresholds, start, limits, own: OwnWheels::default(), target: start, setpoint: start }
    }

    /// The torque [N·m] of each wheel that holds the vehicle on its slope.
    fn holding_torque(input: &ControlInput<'_>) -> [f64; MAX_MOTORS] {
        if input.gravity_in_body == Vec2::ZERO {
            return [0.0; MAX_MOTORS];
        }
        let Some(kinematics) = WheelKinematics::new(input.wheels) else { return [0.0; MAX_MOTORS] };
        let mut pull = Wrench::default();
        pull.add(input.gravity_in_body, input.center_of_mass);
        let mut torque = kinematics.rim_forces_against(&pull);
        for (torque, wheel) in torque.iter_mut().zip(input.wheels) {
            *torque *= wheel.parameters.radius;
        }
        torque
    }
}

impl Controller for OmniPid {
    fn accepts(&self) -> Accepts {
        Accepts { twist: true, wheels: true, ..Accepts::default() }
    }

    fn order(&mut self, order: Order) {
        match order {
            Order::Twist(twist) => {
                self.setpoint = self.own.end().unwrap_or(self.setpoint);
                self.target = self.limits.cut_in_plane(twist);
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
        true
    }

    fn start_at(&mut self, velocity_in_body: Twist2) {
        if self.limits.limit_rates() {
            self.setpoint = velocity_in_body;
        }
    }

    fn stop(&mut self) {
        self.setpoint = self.own.end().unwrap_or(self.setpoint);
        self.target = Twist2::ZERO;
    }

    fn pids(&self) -> &[Pid] {
        &self.pids
    }

    fn pids_mut(&mut self) -> &mut [Pid] {
        &mut self.pids
    }

    fn update(&mut self, input: &ControlInput<'_>) -> Actuation {
        self.setpoint = self.limits.approach_in_plane(self.setpoint, self.target, input.dt);
        let (mut wanted, mut measured) = ([0.0; MAX_MOTORS], [0.0; MAX_MOTORS]);
        for (i, wheel) in input.wheels.iter().enumerate().take(MAX_MOTORS) {
            let own = self.own.spin(i).map(|spin| spin * wheel.parameters.radius);
            (wanted[i], measured[i]) = (own.unwrap_or_else(|| wheel.rolling_speed(self.setpoint)), wheel.rim_speed());
        }
        self.own.note(input.wheels, &wanted);
        let StopThresholds { zero, stop } = self.thresholds;
        let to_stand = wanted.iter().all(|v| v.abs() < zero);
        let stand_below = self.thresholds.stand_below(to_stand, input);
        let is_level = input.gravity_in_body == Vec2::ZERO;
        // The rims are slower than the vehicle: on a slope the motors act until its brakes hold it.
        if to_stand && is_level && measured.iter().all(|v| v.abs() < stop) {
            self.pids.iter_mut().for_each(Pid::reset);
            return Actuation { stand_below, ..Actuation::default() };
        }
        let holding = OmniPid::holding_torque(input);
        let mut motor_torque = [0.0; MAX_MOTORS];
        for (i, pid) in self.pids.iter_mut().enumerate() {
            let gain = pid.parameters().feedforward;
            let against_slope = if to_stand { gain.max(1.0) } else { gain } * holding[i];
            motor_torque[i] = pid.update(wanted[i], measured[i], against_slope, input.dt);
            // On a slope one wheel may have to push on for the others to hold.
            if to_stand && is_level && motor_torque[i] * measured[i] > 0.0 {
                motor_torque[i] = 0.0;
            }
        }
        Actuation { motor_torque, stand_below, ..Actuation::default() }
    }

    fn setpoint(&self) -> Setpoint {
        Setpoint { velocity_in_body: self.own.motion().unwrap_or(self.setpoint), steering_angle: 0.0 }
    }

    fn reset(&mut self) {
        self.pids.iter_mut().for_each(Pid::reset);
        (self.target, self.setpoint, self.own) = (self.start, self.start, OwnWheels::default());
    }
}

pub(super) fn read(reader: &Reader<'_>, _steering: Option<Steering>) -> Box<dyn Controller> {
    let parameters = PidParameters::read(reader, PidParameters::new(10.0, 100.0));
    let speed = |name: &str| reader.f64(name, 0.0, Accept::any());
    let start = Twist2::new(speed("V"), speed("VY"), reader.degrees("W", 0.0, Accept::any()));
    let limits = TwistLimits::read(reader);
    Box::new(OmniPid::new(parameters, StopThresholds::read(reader), start, limits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::rollers::Rollers;
    use crate::wheel::WheelParameters;

    const LIMITS: TwistLimits = TwistLimits { velocity: [1.0, 2.0], acceleration: [0.5, f64::INFINITY] };

    fn controller(limits: TwistLimits) -> OmniPid {
        OmniPid::new(PidParameters::new(2.0, 0.0), StopThresholds::default(), Twist2::ZERO, limits)
    }

    /// Of a mecanum robot: rear left, rear right, front left, front right.
    fn wheels() -> Vec<Wheel> {
        [(-0.3, 0.2, 45.0_f64), (-0.3, -0.2, -45.0), (0.3, 0.2, -45.0), (0.3, -0.2, 45.0)]
            .map(|(x, y, degrees)| {
                let rollers = Rollers::new(degrees.to_radians());
                Wheel::new(WheelParameters { rollers, ..WheelParameters::new("w", Vec2::new(x, y)) })
            })
            .into()
    }

    /// KP·u on standing wheels, with u = v_x ± v_y ± (l + w)·ω.
    #[test]
    fn each_wheel_is_driven_towards_the_speed_at_which_it_rolls() {
        let mut controller = controller(TwistLimits::NONE);
        controller.order(Order::Twist(Twist2::new(1.0, 0.3, 0.4)));
        let actual = controller.update(&ControlInput {
            wheels: &wheels(),
            gravity_in_body: Vec2::ZERO,
            center_of_mass: Vec2::ZERO,
            dt: 0.01,
        });
        let expected = [1.0 + 0.3 - 0.2, 1.0 - 0.3 + 0.2, 1.0 - 0.3 - 0.2, 1.0 + 0.3 + 0.2].map(|u: f64| 2.0 * u);
        for (actual, expected) in actual.motor_torque.iter().zip(expected) {
            assert!((actual - expected).abs() < 1e-12, "{actual} {expected}");
        }
        assert_eq!(actual.stand_below, None);
    }

    #[test]
    fn limits_hold_for_every_direction_of_the_plane() {
        let mut controller = controller(LIMITS);
        controller.order(Order::Twist(Twist2::new(3.0, -4.0, 9.0)));
        assert!((controller.speed_demand(Twist2::new(3.0, -4.0, 9.0), &[]) - 5.0).abs() < 1e-12);
        assert_eq!(controller.target.wz, 2.0);
        let wheels = wheels();
        for step in 1..=300 {
            controller.update(&ControlInput {
                wheels: &wheels,
                gravity_in_body: Vec2::ZERO,
                center_of_mass: Vec2::ZERO,
                dt: 0.01,
            });
            let Twist2 { vx, vy, .. } = controller.setpoint;
            assert!((vx - -0.75 * vy).abs() < 1e-12, "straight towards it: {vx} {vy}");
            assert!((vx.hypot(vy) - (0.005 * f64::from(step)).min(1.0)).abs() < 1e-9, "step {step}");
        }
    }

    /// A pull of −20 N along y: the four forces f along the rims' motion add up to it with Σ ±f = 20 N.
    #[test]
    fn it_is_held_against_a_pull_to_the_side_while_it_stops() {
        let mut controller = controller(TwistLimits::NONE);
        let mut wheels = wheels();
        // Rolling down: −0.1 m/s sideways.
        for wheel in &mut wheels {
            wheel.spin = wheel.rolling_speed(Twist2::new(0.0, -0.1, 0.0)) / wheel.parameters.radius;
        }
        let input = ControlInput {
            wheels: &wheels,
            gravity_in_body: Vec2::new(0.0, -20.0),
            center_of_mass: Vec2::ZERO,
            dt: 0.01,
        };
        let actual = controller.update(&input).motor_torque;
        let holding = 0.2 * 20.0 / 4.0;
        for (actual, sign) in actual.iter().zip([1.0, -1.0, -1.0, 1.0]) {
            assert!((actual - sign * (holding + 2.0 * 0.1)).abs() < 1e-12, "{actual}");
        }
    }
}
