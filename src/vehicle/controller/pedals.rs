//! Throttle, brake, gear lever and steering of a human driver, `<controller class="pedals">`.
//!
//! ```xml
//! <controller class="pedals">
//!   <throttle>0</throttle> <brake>0</brake>   pedals at the start [-], 0 to 1
//!   <gear>drive</gear>                        gear lever at the start: drive, neutral or reverse
//!   <STEER_ANG>0</STEER_ANG>                  equivalent single-track steering angle at the start [deg]
//!   <max_torque>100</max_torque>              torque of each motor at full throttle and rest [N·m], ≥ 0
//!   <no_load_speed>…</no_load_speed>          of the wheels at full voltage, where the torque is gone [rad/s], > 0; default: any
//!   <voltage>1</voltage>                      of the battery, over that at which both were measured [-], > 0
//!   <motor_brake>0</motor_brake>              share of the time without current in which the motor is short-circuited and brakes [-], 0 to 1
//! </controller>
//! ```
//! With motors the torque is throttle × `max_torque`, backwards in reverse and none in neutral: a linear map (S.
//! Waslander and J. Kelly, "Introduction to Self-Driving Cars", University of Toronto, Coursera, module 4). With
//! `no_load_speed` ω₀ it falls with the mean speed ω of the wheels: t·T·(U − ω/ω₀) − (1 − t)·b·T·ω/ω₀ with the throttle
//! t, `max_torque` T, `voltage` U and `motor_brake` b, the first part never below zero. A DC or brushless motor whose
//! controller lets the current flow for the share t of each period of its pulse-width modulation; for the rest the
//! motor coasts (b = 0) or is short-circuited (b = 1), as with synchronous rectification (R. Krishnan, "Electric Motor
//! Drives", 2001, §4.4, with the torque proportional to the mean current). With a `<powertrain>` its engine takes the
//! pedals instead. The brake pedal acts on the service brakes. If commands stop, it brakes: throttle 0, brake 1, with
//! the last steering angle.
//!
//! Not modelled: inductance, saturation and heat of the motor, and the sag of the battery.

use skidpad_xml::{Accept, Reader};

use super::{Actuation, ControlInput, Controller, Order, Steering};
use crate::command::{GearLever, Pedals};
use crate::pairs::sum_by_pairs;
use crate::{Accepts, MAX_MOTORS, Setpoint};

/// Passes pedal commands on to the drive.
#[derive(Clone, Debug, PartialEq)]
pub struct PedalsByHand {
    start: (Pedals, f64),
    pedals: Pedals,
    /// Equivalent angle [rad], within the drive's limit.
    steering_angle: f64,
    /// Largest equivalent angle [rad].
    max_angle: f64,
    motor: Motor,
}

/// An electric motor at the wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// Torque at full throttle and rest [N·m].
    pub max_torque: f64,
    /// Speed of the wheels at which the torque is gone at full voltage [rad/s]; infinite: the torque does not fall.
    pub no_load_speed: f64,
    /// Voltage over that of the two numbers above [-].
    pub voltage: f64,
    /// Share of the time without current in which it brakes [-], 0 to 1.
    pub brake: f64,
}

impl Motor {
    /// A motor whose torque [N·m] does not depend on its speed.
    pub fn constant(max_torque: f64) -> Motor {
        Motor { max_torque, no_load_speed: f64::INFINITY, voltage: 1.0, brake: 0.0 }
    }

    /// Torque [N·m] at this throttle [-] and speed [rad/s], both in the direction of drive.
    #[inline]
    fn torque(&self, throttle: f64, speed: f64) -> f64 {
        let share = speed / self.no_load_speed;
        let driving = throttle * (self.voltage - share.max(0.0)).max(0.0);
        self.max_torque * (driving - (1.0 - throttle) * self.brake * share)
    }
}

impl PedalsByHand {
    /// A controller with the pedals at `pedals` and the steering at `steering_angle` [rad], with these
    /// motors.
    pub fn new(steering: Steering, pedals: Pedals, steering_angle: f64, motor: Motor) -> PedalsByHand {
        let max_angle = steering.max_angle;
        let angle = steering_angle.clamp(-max_angle, max_angle);
        PedalsByHand { start: (pedals, angle), pedals, steering_angle: angle, max_angle, motor }
    }
}

impl Controller for PedalsByHand {
    fn accepts(&self) -> Accepts {
        Accepts { pedals: true, ..Accepts::default() }
    }

    fn order(&mut self, order: Order) {
        if let Order::Pedals { pedals, steering_angle } = order {
            self.pedals = pedals;
            self.steering_angle = steering_angle.clamp(-self.max_angle, self.max_angle);
        }
    }

    fn pedals(&self) -> Pedals {
        self.pedals
    }

    fn stop(&mut self) {
        self.pedals = Pedals { throttle: 0.0, brake: 1.0, ..self.pedals };
    }

    fn steering_angle(&self) -> f64 {
        self.steering_angle
    }

    #[inline]
    fn update(&mut self, input: &ControlInput<'_>) -> Actuation {
        let spin = if input.wheels.is_empty() {
            0.0
        } else {
            sum_by_pairs(input.wheels.iter().map(|wheel| wheel.spin)) / input.wheels.len() as f64
        };
        let direction = direction(self.pedals.gear);
        let torque = direction * self.motor.torque(self.pedals.throttle, spin * direction);
        driven(self.pedals, self.steering_angle, torque)
    }

    fn setpoint(&self) -> Setpoint {
        Setpoint { steering_angle: self.steering_angle, ..Setpoint::default() }
    }

    fn reset(&mut self) {
        (self.pedals, self.steering_angle) = self.start;
    }
}

/// Actuation by pedals of a drive whose motors give `max_torque` [N·m] each at full throttle. `steering_angle` in rad.
#[inline]
pub(super) fn actuation(pedals: Pedals, steering_angle: f64, max_torque: f64) -> Actuation {
    driven(pedals, steering_angle, pedals.throttle * max_torque * direction(pedals.gear))
}

/// Actuation with this torque of each motor [N·m], forward positive.
#[inline]
fn driven(pedals: Pedals, steering_angle: f64, torque: f64) -> Actuation {
    Actuation { steering_angle, motor_torque: [torque; MAX_MOTORS], pedals, ..Actuation::default() }
}

/// Sign of the drive direction: 1 forwards, -1 backwards, 0 neutral.
#[inline]
pub(super) fn direction(gear: GearLever) -> f64 {
    match gear {
        GearLever::Drive => 1.0,
        GearLever::Neutral => 0.0,
        GearLever::Reverse => -1.0,
    }
}

/// Reads `<gear>`; default drive.
pub(super) fn read_gear(reader: &Reader<'_>) -> GearLever {
    reader.choice("gear", GearLever::Drive, &GearLever::POSITIONS)
}

pub(super) fn read(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    let pedal = |name| reader.f64(name, 0.0, Accept::range(0.0, 1.0));
    let pedals = Pedals { throttle: pedal("throttle"), brake: pedal("brake"), gear: read_gear(reader) };
    let steering_angle = reader.degrees("STEER_ANG", 0.0, Accept::range(-90.0, 90.0));
    let motor = Motor {
        max_torque: reader.f64("max_torque", 100.0, Accept::non_negative()),
        no_load_speed: reader.f64("no_load_speed", f64::INFINITY, Accept::positive()),
        voltage: reader.f64("voltage", 1.0, Accept::positive()),
        brake: reader.f64("motor_brake", 0.0, Accept::range(0.0, 1.0)),
    };
    Box::new(PedalsByHand::new(steering.unwrap_or_default(), pedals, steering_angle, motor))
}

#[cfg(test)]
mod tests {
    use skidpad_math::Vec2;

    use super::*;

    const STEERING: Steering =
        Steering { wheelbase: 2.6, track: 1.5, max_angle: 0.5, parallel: false, parallel_in_file: false, hinge: None };
    const INPUT: ControlInput<'_> =
        ControlInput { wheels: &[], gravity_in_body: Vec2::ZERO, center_of_mass: Vec2::ZERO, dt: 0.005 };

    #[test]
    fn torque_is_the_throttle_times_the_largest_with_the_sign_of_the_lever() {
        for (gear, expected) in [(GearLever::Drive, 50.0), (GearLever::Neutral, 0.0), (GearLever::Reverse, -50.0)] {
            let pedals = Pedals { throttle: 0.25, brake: 0.5, gear };
            let mut by_hand = PedalsByHand::new(STEERING, Pedals::default(), 0.0, Motor::constant(200.0));
            by_hand.order(Order::Pedals { pedals, steering_angle: -0.9 });
            let actual = by_hand.update(&INPUT);
            assert_eq!((actual.motor_torque, actual.pedals), ([expected; MAX_MOTORS], pedals));
            assert_eq!((actual.steering_angle, actual.stand_below), (-0.5, None));
        }
    }

    /// throttle·T·(U − ω/ω₀), of the mean speed of the wheels; no torque beyond it, and all of it while the car still rolls the other way.
    #[test]
    fn the_torque_of_a_motor_falls_with_the_speed_of_the_wheels() {
        use crate::{Wheel, WheelParameters};
        let motor = |brake| Motor { max_torque: 2.0, no_load_speed: 100.0, voltage: 0.9, brake };
        for (gear, sign) in [(GearLever::Drive, 1.0), (GearLever::Reverse, -1.0)] {
            for (spin, brake, expected) in [
                (0.0, 0.0, 0.9),
                (40.0, 0.0, 0.5),
                (90.0, 0.0, 0.0),
                (200.0, 0.0, 0.0),
                (-50.0, 0.0, 0.9),
                (40.0, 1.0, 0.1),
                (90.0, 0.5, -0.45),
                (-50.0, 1.0, 1.4),
            ] {
                let wheels = [-10.0, 10.0].map(|more| {
                    let mut wheel = Wheel::new(WheelParameters::new("w", Vec2::ZERO));
                    wheel.spin = sign * spin + more;
                    wheel
                });
                let pedals = Pedals { throttle: 0.5, brake: 0.0, gear };
                let mut by_hand = PedalsByHand::new(STEERING, pedals, 0.0, motor(brake));
                let actual = by_hand.update(&ControlInput { wheels: &wheels, ..INPUT }).motor_torque[0];
                assert!((actual - sign * expected).abs() < 1e-12, "{actual} for {expected} at {spin}");
            }
        }
    }

    #[test]
    fn without_commands_it_brakes_and_a_reset_restores_the_start() {
        let start = Pedals { throttle: 0.3, brake: 0.0, gear: GearLever::Reverse };
        let mut by_hand = PedalsByHand::new(STEERING, start, 0.2, Motor::constant(100.0));
        by_hand.order(Order::Pedals { pedals: Pedals { throttle: 1.0, ..start }, steering_angle: 0.1 });
        by_hand.stop();
        let actual = by_hand.update(&INPUT);
        assert_eq!(actual.pedals, Pedals { throttle: 0.0, brake: 1.0, gear: GearLever::Reverse });
        assert_eq!((actual.motor_torque, actual.steering_angle), ([0.0; MAX_MOTORS], 0.1));
        by_hand.reset();
        let actual = by_hand.update(&INPUT);
        assert_eq!((actual.pedals, actual.steering_angle), (start, 0.2));
    }
}
