//! Throttle, brake, gear lever and steering of a human driver, `<controller class="pedals">`.
//!
//! ```xml
//! <controller class="pedals">
//!   <throttle>0</throttle> <brake>0</brake>   pedals at the start [-], 0 to 1
//!   <gear>drive</gear>                        gear lever at the start: drive, neutral or reverse
//!   <STEER_ANG>0</STEER_ANG>                  equivalent single-track steering angle at the start [deg]
//!   <max_torque>100</max_torque>              torque of each motor at full throttle [N·m], ≥ 0
//! </controller>
//! ```
//! With motors the torque is throttle × `max_torque`, backwards in reverse and none in neutral: a linear map (S. Waslander
//! and J. Kelly, "Introduction to Self-Driving Cars", University of Toronto, Coursera, module 4). With a `<powertrain>` its engine takes
//! the pedals instead. The brake pedal acts on the service brakes. If commands stop, it brakes: throttle 0, brake 1, with the last
//! steering angle.
//!
//! Not modelled: motor torque that falls with speed, and regenerative braking.

use super::{Actuation, ControlInput, Controller, Order, Steering};
use crate::vehicle::command::{GearLever, Pedals};
use crate::vehicle::{Accepts, Setpoint};
use crate::xml::{Accept, Reader};

/// Passes pedal commands on to the drive.
#[derive(Clone, Debug, PartialEq)]
pub struct PedalsByHand {
    start: (Pedals, f64),
    pedals: Pedals,
    /// Equivalent angle [rad], within the drive's limit.
    steering_angle: f64,
    /// Largest equivalent angle [rad].
    max_angle: f64,
    /// Torque of each motor at full throttle [N·m].
    max_torque: f64,
}

impl PedalsByHand {
    /// A controller with the pedals at `pedals` and the steering at `steering_angle` [rad], whose motors give `max_torque`
    /// [N·m] each.
    pub fn new(steering: Steering, pedals: Pedals, steering_angle: f64, max_torque: f64) -> PedalsByHand {
        let max_angle = steering.max_angle;
        let angle = steering_angle.clamp(-max_angle, max_angle);
        PedalsByHand { start: (pedals, angle), pedals, steering_angle: angle, max_angle, max_torque }
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

    fn stop(&mut self) {
        self.pedals = Pedals { throttle: 0.0, brake: 1.0, ..self.pedals };
    }

    fn steering_angle(&self) -> f64 {
        self.steering_angle
    }

    #[inline]
    fn update(&mut self, _input: &ControlInput<'_>) -> Actuation {
        actuation(self.pedals, self.steering_angle, self.max_torque)
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
    let torque = pedals.throttle * max_torque * direction(pedals.gear);
    Actuation { steering_angle, motor_torque: [torque; 2], pedals, ..Actuation::default() }
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
    let levers = [("drive", GearLever::Drive), ("neutral", GearLever::Neutral), ("reverse", GearLever::Reverse)];
    reader.choice("gear", GearLever::Drive, &levers)
}

pub(super) fn read(reader: &Reader<'_>, steering: Option<Steering>) -> Box<dyn Controller> {
    let pedal = |name| reader.f64(name, 0.0, Accept::range(0.0, 1.0));
    let pedals = Pedals { throttle: pedal("throttle"), brake: pedal("brake"), gear: read_gear(reader) };
    let steering_angle = reader.degrees("STEER_ANG", 0.0, Accept::range(-90.0, 90.0));
    let max_torque = reader.f64("max_torque", 100.0, Accept::non_negative());
    Box::new(PedalsByHand::new(steering.unwrap_or_default(), pedals, steering_angle, max_torque))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;

    const STEERING: Steering =
        Steering { wheelbase: 2.6, track: 1.5, max_angle: 0.5, parallel: false, parallel_in_file: false };
    const INPUT: ControlInput<'_> = ControlInput { wheels: &[], gravity_in_body: Vec2::ZERO, dt: 0.005 };

    #[test]
    fn torque_is_the_throttle_times_the_largest_with_the_sign_of_the_lever() {
        for (gear, expected) in [(GearLever::Drive, 50.0), (GearLever::Neutral, 0.0), (GearLever::Reverse, -50.0)] {
            let pedals = Pedals { throttle: 0.25, brake: 0.5, gear };
            let mut by_hand = PedalsByHand::new(STEERING, Pedals::default(), 0.0, 200.0);
            by_hand.order(Order::Pedals { pedals, steering_angle: -0.9 });
            let found = by_hand.update(&INPUT);
            assert_eq!((found.motor_torque, found.pedals), ([expected; 2], pedals));
            assert_eq!((found.steering_angle, found.stand_below), (-0.5, None));
        }
    }

    #[test]
    fn without_commands_it_brakes_and_a_reset_restores_the_start() {
        let start = Pedals { throttle: 0.3, brake: 0.0, gear: GearLever::Reverse };
        let mut by_hand = PedalsByHand::new(STEERING, start, 0.2, 100.0);
        by_hand.order(Order::Pedals { pedals: Pedals { throttle: 1.0, ..start }, steering_angle: 0.1 });
        by_hand.stop();
        let found = by_hand.update(&INPUT);
        assert_eq!(found.pedals, Pedals { throttle: 0.0, brake: 1.0, gear: GearLever::Reverse });
        assert_eq!((found.motor_torque, found.steering_angle), ([0.0; 2], 0.1));
        by_hand.reset();
        let found = by_hand.update(&INPUT);
        assert_eq!((found.pedals, found.steering_angle), (start, 0.2));
    }
}
