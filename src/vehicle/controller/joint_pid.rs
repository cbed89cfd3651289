//! A controller for each joint of a car, `<controller class="joint_pid">` of `ackermann_joints`: a velocity controller for
//! each wheel and a position controller for each steering hinge, as ros_control has them (`effort_controllers/`
//! `JointVelocityController` and `JointPositionController`).
//!
//! Wheels: τ = clamp(KP·(ω_wanted − ω), ±max_torque), see [`SpinServo`]. Hinges: J·δ̈ = clamp(KP·e + KD·Δe/h, ±max_torque) with
//! e = δ_wanted − δ, once in every period h. The derivative acts on the error, so that a step of the set-point causes a kick:
//! without a torque limit the pole of the damping and the zero of the kick nearly cancel, and the hinge reaches its target at
//! once; with a limit, the remainder of a step decays with the time constant KD/KP.
//!
//! It takes commands for individual joints, of wheels a spin or a torque, and velocity and Ackermann commands. The latter are converted to the spins and
//! angles of the motion about one centre; with `<parallel_steer>` to one angle and one spin for all, speed/R.
//!
//! ```xml
//! <controller class="joint_pid">
//!   <KP_rear>1.0</KP_rear> <KP_front>0.5</KP_front>     [N·m·s/rad], ≥ 0
//!   <max_torque>10</max_torque>                         of each wheel [N·m], > 0
//!   <max_spin>100</max_spin>                            largest set-point [rad/s], > 0
//!   <hinge_KP>1.0</hinge_KP> <hinge_KD>0.5</hinge_KD>   [N·m/rad], > 0; [N·m·s/rad], ≥ 0
//!   <hinge_max_torque>10</hinge_max_torque>             [N·m], > 0
//!   <hinge_max_rate>100</hinge_max_rate>                no torque beyond this rate [rad/s], > 0
//!   <hinge_inertia>4.37e-4</hinge_inertia>              hinge and wheel about the vertical axis [kg·m²], > 0
//!   <hinge_period>0.001</hinge_period>                  of the hinges' controllers [s], > 0
//!   <V>0</V> <STEER_ANG>0</STEER_ANG>                   set-point at the start [m/s], [deg]
//! </controller>
//! ```
//! The defaults are those of mit-racecar/racecar_gazebo (`racecar_control.yaml`, `racecar.xacro`). Not modelled: tyre forces on
//! the hinges, and joints that overshoot their limit.

use skidpad_math::{Twist2, Vec2};
use skidpad_xml::{Accept, Reader};

use super::tunable::{NOT_NEGATIVE, POSITIVE, Tunable};
use super::{Actuation, ControlInput, Controller, Order, SteeredOrder, Steering};
use crate::command::WheelTargets;
use crate::drive::REAR_WHEELS;
use crate::servo::SpinServo;
use crate::wheel::Wheel;
use crate::{Accepts, Setpoint};

/// A proportional controller for each wheel, a PD for each hinge.
#[derive(Clone, Debug)]
pub struct JointPid {
    order: SteeredOrder,
    /// Targets of individual joints since the last command for the whole car; none: no such target.
    own: Option<WheelTargets>,
    /// Gain [N·m·s/rad] of each wheel.
    gain: [f64; 4],
    /// Torque limit of each wheel [N·m].
    max_torque: f64,
    /// Largest set-point [rad/s].
    max_spin: f64,
    hinge: HingeParameters,
    hinges: [Hinge; 2],
    /// Set-points of the last step [rad/s].
    spins: [f64; 4],
    /// Radius of the rear wheels and their track [m], from the first update on.
    rear: [f64; 2],
}

/// Parameters of a position controller and of its hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
struct HingeParameters {
    kp: f64,
    kd: f64,
    max_torque: f64,
    max_rate: f64,
    inertia: f64,
    period: f64,
}

/// State of a hinge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Hinge {
    /// Angle [rad].
    angle: f64,
    /// Rate [rad/s].
    rate: f64,
    /// Error in the last period [rad].
    last_error: f64,
    /// Angle at the start of the last period [rad].
    before: f64,
    /// How long after the step the last period ends [s].
    ahead: f64,
}

impl Hinge {
    /// Turns towards `wanted` [rad] for `dt` [s], in periods of the controller, and returns the angle after that [rad], evenly within a
    /// period. Each is an implicit step, stable at any gain: with e' = e − h·ω' the torque is KP·e' + KD·(e' − e_last)/h, and
    /// ω' = ω + h/J·τ.
    fn follow(&mut self, wanted: f64, limit: f64, p: &HingeParameters, dt: f64) -> f64 {
        let h = p.period;
        self.ahead -= dt;
        while self.ahead < -1e-6 * h {
            self.ahead += h;
            self.before = self.angle;
            let error = wanted - self.angle;
            let free = p.kp * error + p.kd * (error - self.last_error) / h;
            let stiffness = p.kp * h + p.kd;
            let rate = (self.rate + h / p.inertia * free) / (1.0 + h / p.inertia * stiffness);
            let least = if self.rate <= -p.max_rate { 0.0 } else { -p.max_torque };
            let most = if self.rate >= p.max_rate { 0.0 } else { p.max_torque };
            let torque = (free - stiffness * rate).clamp(least, most);
            self.rate += h / p.inertia * torque;
            let angle = self.angle + h * self.rate;
            self.angle = angle.clamp(-limit, limit);
            if self.angle != angle {
                self.rate = 0.0;
            }
            self.last_error = wanted - self.angle;
        }
        self.angle + self.ahead.max(0.0) / h * (self.before - self.angle)
    }
}

impl JointPid {
    /// Set-points of the hinges [rad].
    fn wanted_angles(&self) -> [f64; 2] {
        let steering = self.order.steering();
        let motion = steering.wheel_angles(self.order.steering_angle);
        let own = self.own.unwrap_or_default().hinge;
        std::array::from_fn(|i| own[i].unwrap_or(motion[i]).clamp(-steering.max_angle, steering.max_angle))
    }

    /// Set-points of the wheels [rad/s]; of one with a torque of its own its spin.
    fn wanted_spins(&self, input: &ControlInput<'_>) -> [f64; 4] {
        let WheelTargets { spin: own, torque, .. } = self.own.unwrap_or_default();
        let twist = self.order.twist();
        std::array::from_fn(|i| {
            if torque[i].is_some() {
                return input.wheels[i].spin;
            }
            let motion = || {
                let wheel = &input.wheels[i];
                let speed = if self.order.steering().parallel {
                    self.order.speed
                } else {
                    (wheel.body_from_wheel() * Vec2::new(1.0, 0.0)).dot(twist.at_point(wheel.parameters.position))
                };
                speed / wheel.parameters.radius
            };
            own[i].unwrap_or_else(motion).clamp(-self.max_spin, self.max_spin)
        })
    }
}

/// The motion of a body on two wheels of this radius [m] and track [m] with these spins [rad/s], left and right. With zero track the yaw
/// rate is zero.
fn rolling_motion([radius, track]: [f64; 2], [left, right]: [f64; 2]) -> Twist2 {
    let turn = if track > 0.0 { radius * (right - left) / track } else { 0.0 };
    Twist2::new(0.5 * radius * (left + right), 0.0, turn)
}

impl Controller for JointPid {
    fn accepts(&self) -> Accepts {
        Accepts { twist: true, ackermann: true, wheels: true, wheel_torques: true, ..Accepts::default() }
    }

    fn order(&mut self, order: Order) {
        match order {
            Order::Wheels(targets) => self.own = Some(targets.over(self.own.unwrap_or_default())),
            Order::Twist(_) | Order::Ackermann { .. } | Order::Steered { .. } => {
                self.own = None;
                self.order.take(order);
            }
            Order::Pedals { .. } => {}
        }
    }

    fn steered(&self, velocity_in_body: Twist2) -> Option<[f64; 2]> {
        Some(self.order.steered(velocity_in_body))
    }

    fn speed_demand(&self, velocity_in_body: Twist2, wheels: &[Wheel]) -> f64 {
        let spin = |wheel: &Wheel| {
            let velocity = velocity_in_body.at_point(wheel.parameters.position);
            libm::hypot(velocity.x, velocity.y) / wheel.parameters.radius
        };
        wheels.iter().map(spin).fold(0.0, f64::max) / self.max_spin
    }

    fn stop(&mut self) {
        self.order.stop();
        if let Some(own) = &mut self.own {
            (own.spin, own.torque) = ([Some(0.0); 4], [None; 4]);
        }
    }

    fn steering_angle(&self) -> f64 {
        self.order.steering_angle
    }

    fn turns_hinges(&self) -> bool {
        true
    }

    fn hinge_angles(&mut self, dt: f64) -> [f64; 2] {
        let (wanted, limit) = (self.wanted_angles(), self.order.steering().max_angle);
        std::array::from_fn(|i| self.hinges[i].follow(wanted[i], limit, &self.hinge, dt))
    }

    fn set_parallel_steer(&mut self, parallel: Option<bool>) {
        self.order.set_parallel(parallel);
    }

    fn tunables(&self) -> Vec<Tunable> {
        let tunable = |name, help, range, value| Tunable { name, help, range, value };
        let [rear, _, front, _] = self.gain;
        vec![
            tunable("kp_rear", "gain of the rear wheels' controllers [N·m·s/rad]", NOT_NEGATIVE, rear),
            tunable("kp_front", "gain of the front wheels' controllers [N·m·s/rad]", NOT_NEGATIVE, front),
            tunable("max_torque", "largest torque of each wheel [N·m]", POSITIVE, self.max_torque),
            tunable("max_spin", "largest set-point of a wheel [rad/s]", POSITIVE, self.max_spin),
            tunable("hinge_kp", "proportional gain of the steering hinges [N·m/rad]", POSITIVE, self.hinge.kp),
            tunable("hinge_kd", "derivative gain of the steering hinges [N·m·s/rad]", NOT_NEGATIVE, self.hinge.kd),
            tunable("hinge_max_torque", "largest torque of each hinge [N·m]", POSITIVE, self.hinge.max_torque),
        ]
    }

    fn tune(&mut self, name: &str, value: f64) -> bool {
        match name {
            "kp_rear" => self.gain[..REAR_WHEELS].fill(value),
            "kp_front" => self.gain[REAR_WHEELS..].fill(value),
            "max_torque" => self.max_torque = value,
            "max_spin" => self.max_spin = value,
            "hinge_kp" => self.hinge.kp = value,
            "hinge_kd" => self.hinge.kd = value,
            "hinge_max_torque" => self.hinge.max_torque = value,
            _ => return false,
        }
        true
    }

    fn update(&mut self, input: &ControlInput<'_>) -> Actuation {
        self.spins = self.wanted_spins(input);
        let [left, right] = [&input.wheels[0], &input.wheels[1]].map(|wheel| &wheel.parameters);
        self.rear = [0.5 * (left.radius + right.radius), (left.position.y - right.position.y).abs()];
        let torque = self.own.unwrap_or_default().torque;
        let servo = |i: usize| match torque[i] {
            Some(torque) => SpinServo::of_torque(torque, self.max_torque),
            None => SpinServo { spin: self.spins[i], gain: self.gain[i], torque: 0.0, max_torque: self.max_torque },
        };
        Actuation {
            steering_angle: self.order.steering_angle,
            servos: Some(std::array::from_fn(servo)),
            ..Actuation::default()
        }
    }

    fn setpoint(&self) -> Setpoint {
        if self.own.is_none() {
            return self.order.setpoint();
        }
        // Set-points of the rear wheels and the hinges, as a motion of the body.
        let [left, right] = self.wanted_angles();
        let velocity_in_body = rolling_motion(self.rear, [self.spins[0], self.spins[1]]);
        Setpoint { velocity_in_body, steering_angle: 0.5 * (left + right) }
    }

    fn reset(&mut self) {
        self.order.reset();
        self.own = None;
        self.hinges = [Hinge::default(); 2];
        self.spins = [0.0; 4];
    }
}

pub(super) fn read(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    let positive = |name: &str, default: f64| reader.f64(name, default, Accept::positive());
    let rear = reader.f64("KP_rear", 1.0, Accept::non_negative());
    let front = reader.f64("KP_front", 0.5, Accept::non_negative());
    let first = Order::Ackermann {
        speed: reader.f64("V", 0.0, Accept::any()),
        steering_angle: reader.degrees("STEER_ANG", 0.0, Accept::range(-90.0, 90.0)),
    };
    Box::new(JointPid {
        order: SteeredOrder::new(steering.unwrap_or_default(), first),
        own: None,
        gain: std::array::from_fn(|wheel| if wheel < REAR_WHEELS { rear } else { front }),
        max_torque: positive("max_torque", 10.0),
        max_spin: positive("max_spin", 100.0),
        hinge: HingeParameters {
            kp: positive("hinge_KP", 1.0),
            kd: reader.f64("hinge_KD", 0.5, Accept::non_negative()),
            max_torque: positive("hinge_max_torque", 10.0),
            max_rate: positive("hinge_max_rate", 100.0),
            inertia: positive("hinge_inertia", 4.37e-4),
            // Shorter periods would cost more and change nothing.
            period: reader.f64("hinge_period", 0.001, Accept::range(1e-4, 1.0)),
        },
        hinges: [Hinge::default(); 2],
        spins: [0.0; 4],
        rear: [0.0, 1.0],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAZEBO: HingeParameters =
        HingeParameters { kp: 1.0, kd: 0.5, max_torque: 10.0, max_rate: 100.0, inertia: 4.37e-4, period: 0.001 };

    /// Two wheels in one place cannot determine a yaw rate, and the set-point has no NaN.
    #[test]
    fn a_track_of_zero_gives_no_yaw_rate() {
        assert_eq!(rolling_motion([0.05, 0.0], [3.0, 5.0]), Twist2::new(0.2, 0.0, 0.0));
        assert_eq!(rolling_motion([0.05, 0.5], [3.0, 5.0]), Twist2::new(0.2, 0.0, 0.2));
    }

    fn after(parameters: &HingeParameters, wanted: f64, time: f64, dt: f64) -> f64 {
        let mut hinge = Hinge::default();
        for _ in 0..(time / dt).round() as usize {
            hinge.follow(wanted, 1.0, parameters, dt);
        }
        hinge.angle
    }

    /// After the kick the remainder decays as e^(−t·KP/KD), a time constant of 0.5 s.
    #[test]
    fn with_limited_torque_the_rest_of_a_step_decays_with_kd_over_kp() {
        for dt in [0.001, 0.005, 0.02] {
            let (early, late) = (0.5 - after(&GAZEBO, 0.5, 0.5, dt), 0.5 - after(&GAZEBO, 0.5, 1.0, dt));
            assert!(early > 0.05, "{early}");
            assert!((late / early - (-1.0_f64).exp()).abs() < 0.02, "{} at {dt}", late / early);
        }
    }

    /// The study of the racecar raised the limit from 10 N·m to 1000 N·m, "drastically reducing the steering time".
    #[test]
    fn a_hundredfold_torque_limit_steers_at_once() {
        let strong = HingeParameters { max_torque: 1000.0, ..GAZEBO };
        let angle = after(&strong, 0.25, 0.02, 0.005);
        assert!((angle - 0.25).abs() < 0.01, "{angle}");
    }

    #[test]
    fn a_smooth_set_point_is_followed_without_lag() {
        let mut hinge = Hinge::default();
        for k in 1..=200 {
            hinge.follow(0.001 * f64::from(k), 1.0, &GAZEBO, 0.005);
        }
        assert!((hinge.angle - 0.2).abs() < 0.002, "{}", hinge.angle);
    }

    #[test]
    fn a_hinge_stops_at_its_limit() {
        assert!(after(&HingeParameters { max_torque: 1000.0, ..GAZEBO }, 3.0, 3.0, 0.005) <= 1.0);
    }
}
