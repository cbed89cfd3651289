//! A speed PID that operates the pedals, `<controller class="speed_pedals">`: drives vehicles with throttle and brake by speed commands.
//!
//! It takes velocity, Ackermann and pedal commands. For a commanded speed the PID gives a torque u within ±`max_torque`; the
//! throttle is u/`max_torque` if that is positive, the brake −u/`max_torque` if it is negative. With motors that is throttle ×
//! `max_torque` = u; engine and brakes respond to the pedals in their own way. The gear lever follows the sign of the
//! commanded speed, but only below `stop_threshold`: until then the vehicle brakes. When commanded to stand it never
//! accelerates, increases braking while it slows down by less than 0.1 m/s², as on a slope without KI, and brakes fully
//! below `stop_threshold`. Pedal commands are passed on unchanged until a speed is commanded again. When commands stop, the
//! commanded speed is zero.
//!
//! ```xml
//! <controller class="speed_pedals">
//!   <KP>100</KP> <KI>0</KI> <KD>0</KD> <N>0</N> …                  see the PID
//!   <max_torque>100</max_torque>                                   torque at full throttle [N·m], > 0; drivetrain: 400 by default
//!   <zero_threshold>0.001</zero_threshold> <stop_threshold>0.05</stop_threshold>  [m/s]
//!   <V>0</V> <STEER_ANG>0</STEER_ANG>                              set-point at the start [m/s], [deg]
//! </controller>
//! ```
//! Source of the two pedals from one output: R. Rajamani, "Vehicle Dynamics and Control", 2nd ed., §5.5 (chosen without its
//! dead band, so that there is one law). Measured speed: the axle of wheels 0 and 1.

use skidpad_math::Twist2;
use skidpad_xml::{Accept, Reader};

use super::pedals::{actuation, direction};
use super::{
    Actuation, ControlInput, Controller, Order, Pid, PidParameters, SteeredOrder, Steering, StopThresholds, Tunable,
    tunable,
};
use crate::command::{GearLever, Pedals};
use crate::drive::velocity_from_axle;
use crate::{Accepts, Setpoint};

/// Deceleration [m/s²] of a vehicle that is to stop, below which the brake is increased.
const MIN_DECELERATION: f64 = 0.1;
/// Rate of that increase [1/s].
const INSISTENCE: f64 = 0.5;

/// Source of the order in force.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Driver {
    /// The PID operates the pedals.
    Speed,
    /// A pedal command, with its steering angle [rad].
    Hand(Pedals, f64),
}

/// Converts a commanded speed to pedals.
#[derive(Clone, Debug)]
pub struct SpeedPedals {
    order: SteeredOrder,
    driver: Driver,
    pid: Pid,
    thresholds: StopThresholds,
    gear: GearLever,
    /// The pedals of the last step.
    pedals: Pedals,
    /// Brake [-] in addition to the PID in order to stop.
    insisting: f64,
    /// Speed [m/s] in the step before, while it is to stop.
    slowing_from: Option<f64>,
    /// Largest equivalent angle [rad].
    max_angle: f64,
    /// Torque of each motor at full throttle [N·m].
    max_torque: f64,
    /// Number of wheels that each get the torque of one motor, for the feed-forward.
    driven: usize,
}

impl SpeedPedals {
    /// A controller with the initial order `first`. The limit of the PID is the torque at full throttle [N·m], > 0, of each
    /// of `motors` motors.
    pub fn new(
        steering: Steering,
        first: Order,
        pid: PidParameters,
        thresholds: StopThresholds,
        motors: usize,
    ) -> SpeedPedals {
        SpeedPedals {
            order: SteeredOrder::new(steering, first),
            driver: Driver::Speed,
            pid: Pid::new(pid),
            thresholds,
            gear: GearLever::Drive,
            pedals: Pedals::default(),
            insisting: 0.0,
            slowing_from: None,
            max_angle: steering.max_angle,
            max_torque: pid.max_torque,
            driven: motors,
        }
    }

    /// The pedals for the commanded speed.
    fn drive(&mut self, input: &ControlInput<'_>) -> Pedals {
        let measured = velocity_from_axle(input.wheels).vx;
        let wanted = self.order.speed;
        let to_stand = wanted.abs() < self.thresholds.zero;
        let stands = measured.abs() < self.thresholds.stop;
        let wanted_gear = if wanted < 0.0 { GearLever::Reverse } else { GearLever::Drive };
        if stands && (to_stand || wanted_gear != self.gear) {
            self.pid.reset();
            if !to_stand {
                self.gear = wanted_gear;
            }
        }
        if stands || !to_stand && wanted_gear == self.gear {
            (self.insisting, self.slowing_from) = (0.0, None);
        }
        if stands && to_stand {
            return Pedals { throttle: 0.0, brake: 1.0, gear: self.gear };
        }
        // In the direction of the engaged gear, so that a positive torque is throttle in either direction.
        let ahead = direction(self.gear);
        let turns_round = !to_stand && wanted_gear != self.gear;
        let feedforward = super::feedforward(self.pid.parameters().feedforward, self.driven, input);
        let setpoint = if turns_round { 0.0 } else { ahead * wanted };
        let torque = self.pid.update(setpoint, ahead * measured, ahead * feedforward, input.dt);
        let pressed = torque / self.max_torque;
        // With the wrong gear engaged, or when commanded to stand, only the brake stops the vehicle, whichever way it rolls.
        if to_stand || turns_round {
            let enough = MIN_DECELERATION * input.dt;
            if self.slowing_from.is_some_and(|before| before - measured.abs() < enough) {
                self.insisting = (self.insisting + INSISTENCE * input.dt).min(1.0);
            }
            self.slowing_from = Some(measured.abs());
            let against = -pressed * (ahead * measured).signum() + self.insisting;
            return Pedals { throttle: 0.0, brake: against.clamp(0.0, 1.0), gear: self.gear };
        }
        Pedals { throttle: pressed.clamp(0.0, 1.0), brake: (-pressed).clamp(0.0, 1.0), gear: self.gear }
    }
}

impl Controller for SpeedPedals {
    fn accepts(&self) -> Accepts {
        Accepts { twist: true, ackermann: true, pedals: true, ..Accepts::default() }
    }

    fn order(&mut self, order: Order) {
        if let Order::Pedals { pedals, steering_angle } = order {
            self.driver = Driver::Hand(pedals, steering_angle.clamp(-self.max_angle, self.max_angle));
            return;
        }
        if matches!(self.driver, Driver::Hand(..)) {
            self.pid.reset();
        }
        self.driver = Driver::Speed;
        self.order.take(order);
    }

    fn steered(&self, velocity_in_body: Twist2) -> Option<[f64; 2]> {
        Some(self.order.steered(velocity_in_body))
    }

    fn pedals(&self) -> Pedals {
        self.pedals
    }

    fn stop(&mut self) {
        match &mut self.driver {
            Driver::Speed => self.order.stop(),
            Driver::Hand(pedals, _) => *pedals = Pedals { throttle: 0.0, brake: 1.0, ..*pedals },
        }
    }

    fn steering_angle(&self) -> f64 {
        match self.driver {
            Driver::Speed => self.order.steering_angle,
            Driver::Hand(_, angle) => angle,
        }
    }

    fn tunables(&self) -> Vec<Tunable> {
        tunable::of_pid(self.pid.parameters(), tunable::POSITIVE)
    }

    fn tune(&mut self, name: &str, value: f64) -> bool {
        let is_known = self.pid.tune(name, value);
        self.max_torque = self.pid.parameters().max_torque;
        is_known
    }

    #[inline]
    fn update(&mut self, input: &ControlInput<'_>) -> Actuation {
        let pedals = match self.driver {
            Driver::Speed => self.drive(input),
            Driver::Hand(pedals, _) => pedals,
        };
        if pedals.gear != GearLever::Neutral {
            self.gear = pedals.gear;
        }
        self.pedals = pedals;
        actuation(pedals, self.steering_angle(), self.max_torque)
    }

    fn setpoint(&self) -> Setpoint {
        match self.driver {
            Driver::Speed => self.order.setpoint(),
            Driver::Hand(_, steering_angle) => Setpoint { steering_angle, ..Setpoint::default() },
        }
    }

    fn reset(&mut self) {
        self.order.reset();
        self.driver = Driver::Speed;
        self.pid.reset();
        (self.gear, self.pedals) = (GearLever::Drive, Pedals::default());
        (self.insisting, self.slowing_from) = (0.0, None);
    }
}

/// Reads the controller for `motors` motors; `max_torque` is the default torque at full throttle [N·m].
fn read(reader: &Reader<'_>, steering: Option<Steering>, motors: usize, max_torque: f64) -> Box<dyn Controller> {
    let mut parameters = PidParameters::read(reader, PidParameters::new(100.0, max_torque));
    if parameters.max_torque <= 0.0 {
        reader.error_at("max_torque", "<max_torque> is the torque at full throttle").accepted(["a positive number"]);
        parameters.max_torque = max_torque;
    }
    let first = Order::Ackermann {
        speed: reader.f64("V", 0.0, Accept::any()),
        steering_angle: reader.degrees("STEER_ANG", 0.0, Accept::range(-90.0, 90.0)),
    };
    let thresholds = StopThresholds::read(reader);
    Box::new(SpeedPedals::new(steering.unwrap_or_default(), first, parameters, thresholds, motors))
}

pub(super) fn read_front_wheels(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    read(reader, steering, 2, 100.0)
}

pub(super) fn read_tricycle(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    read(reader, steering, 1, 100.0)
}

pub(super) fn read_drivetrain(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    read(reader, steering, 1, 400.0)
}

#[cfg(test)]
mod tests {
    use skidpad_math::{Twist2, Vec2};

    use super::*;
    use crate::wheel::{Wheel, WheelParameters};

    const STEERING: Steering =
        Steering { wheelbase: 2.6, track: 1.5, max_angle: 0.5, parallel: false, parallel_in_file: false, hinge: None };

    fn controller(speed: f64) -> SpeedPedals {
        let first = Order::Ackermann { speed, steering_angle: 0.1 };
        SpeedPedals::new(STEERING, first, PidParameters::new(50.0, 200.0), StopThresholds::default(), 1)
    }

    /// The pedals at this measured speed [m/s].
    fn pedals(controller: &mut SpeedPedals, speed: f64) -> Pedals {
        let mut wheels: Vec<Wheel> =
            [0.7, -0.7].map(|y| Wheel::new(WheelParameters::new("w", Vec2::new(0.0, y)))).into();
        for wheel in &mut wheels {
            wheel.spin = speed / wheel.parameters.radius;
        }
        controller
            .update(&ControlInput {
                wheels: &wheels,
                gravity_in_body: Vec2::ZERO,
                center_of_mass: Vec2::ZERO,
                dt: 0.005,
            })
            .pedals
    }

    /// KP·e/max_torque = 50·(3 − v)/200 in either gear.
    #[test]
    fn too_slow_is_throttle_and_too_fast_is_brake_in_either_gear() {
        for (sign, gear) in [(1.0, GearLever::Drive), (-1.0, GearLever::Reverse)] {
            let mut controller = controller(sign * 3.0);
            assert_eq!(pedals(&mut controller, 0.0), Pedals { throttle: 0.75, brake: 0.0, gear });
            let slow = pedals(&mut controller, sign * 2.0);
            assert!((slow.throttle - 0.25).abs() < 1e-12 && slow.brake == 0.0, "{slow:?}");
            let fast = pedals(&mut controller, sign * 5.0);
            assert!((fast.brake - 0.5).abs() < 1e-12 && fast.throttle == 0.0, "{fast:?}");
            assert_eq!(pedals(&mut controller, sign * 50.0), Pedals { throttle: 0.0, brake: 1.0, gear });
        }
    }

    #[test]
    fn the_gear_changes_only_near_standstill() {
        let mut controller = controller(3.0);
        assert_eq!(pedals(&mut controller, 3.0).gear, GearLever::Drive);
        controller.order(Order::Twist(Twist2::new(-1.0, 0.0, 0.0)));
        for speed in [3.0, 1.0, 0.06] {
            let actual = pedals(&mut controller, speed);
            assert_eq!((actual.gear, actual.throttle), (GearLever::Drive, 0.0), "{speed}");
            assert!(actual.brake > 0.0);
        }
        assert_eq!(pedals(&mut controller, 0.04).gear, GearLever::Reverse);
        assert!(pedals(&mut controller, 0.0).throttle > 0.0);
    }

    #[test]
    fn commanded_to_stand_it_brakes_in_either_direction_and_then_holds() {
        for speed in [2.0, -2.0] {
            let mut controller = controller(3.0);
            controller.stop();
            let actual = pedals(&mut controller, speed);
            assert!((actual.brake - 0.5).abs() < 1e-12 && actual.throttle == 0.0, "{actual:?} at {speed}");
            assert_eq!(pedals(&mut controller, 0.01).brake, 1.0);
            assert_eq!(controller.steering_angle(), 0.1);
        }
    }

    #[test]
    fn pedal_commands_pass_through_until_a_speed_is_commanded() {
        let mut controller = controller(3.0);
        let by_hand = Pedals { throttle: 0.9, brake: 0.2, gear: GearLever::Neutral };
        controller.order(Order::Pedals { pedals: by_hand, steering_angle: -2.0 });
        assert_eq!((pedals(&mut controller, 1.0), controller.steering_angle()), (by_hand, -0.5));
        controller.stop();
        let silent = Pedals { throttle: 0.0, brake: 1.0, gear: GearLever::Neutral };
        assert_eq!(pedals(&mut controller, 1.0), silent);
        controller.order(Order::Ackermann { speed: 2.0, steering_angle: 0.0 });
        assert_eq!(pedals(&mut controller, 1.0), Pedals { throttle: 0.25, brake: 0.0, gear: GearLever::Drive });
    }
}
