//! The commands of Autoware as commands of a vehicle (`autoware_simple_planning_simulator` of autowarefoundation/autoware_universe, 2025-12): who drives,
//! the last control of each of the two who may, their gears, and the lamps. A command follows from several messages, each of which stays in force until
//! the next one of its topic.
//!
//! | The vehicle | An acceleration a in a gear |
//! |---|---|
//! | takes accelerations, as the models of class `autoware` do | is a/`most` of the throttle or, if it is negative, of the brake; without gears a negative one is throttle in reverse |
//! | is another model of class `autoware` | has no effect, the speed is commanded, as there |
//! | takes speed and steering angle | changes the commanded speed at this rate: up to the speed of the same message, if that has the direction of the gear, or down to a stand |
//!
//! Out of gear (none, neutral, park) those stand that have gears or change their speed; all do that are not engaged.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::Pose2;
use skidpad_sim::vehicle::{AccelerationInput, Accepts, Action, CommandFault, GearLever, Pedals, RateLimits};
use skidpad_sim::world::VehicleInfo;

use super::Kind;
use super::autoware::{
    Control, Engage, GearCommand, HazardLightsCommand, TurnIndicatorsCommand, control_mode, gear, lamps,
};
use super::commands::message;

/// Class of the dynamics of Autoware's own models.
const OWN_CLASS: &str = "autoware";
/// Speed [m/s] towards which a speed is changed that has no other bound.
const ANY_SPEED: f64 = 1e3;
/// Rate [m/s²] of an acceleration of 0, for which 0 would be without a limit.
const HOLDING: f64 = 1e-9;

/// The topics by which Autoware commands a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutowareInput {
    /// Speed, acceleration and steering angle by who drives.
    Control(Seat),
    /// The gear, likewise.
    Gear(Seat),
    /// Turn indicators.
    TurnIndicators,
    /// Hazard lights.
    HazardLights,
    /// Whether it may move.
    Engage,
}

/// Who drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Seat {
    /// Autoware, in mode AUTONOMOUS.
    #[default]
    Autonomous,
    /// A driver, in mode MANUAL.
    Manual,
}

impl Seat {
    /// The mode in which it drives, as messages number it.
    pub fn mode(self) -> u8 {
        match self {
            Seat::Autonomous => control_mode::AUTONOMOUS,
            Seat::Manual => control_mode::MANUAL,
        }
    }

    /// The one that drives in this mode; none if nobody does.
    pub fn of_mode(mode: u8) -> Option<Seat> {
        [Seat::Autonomous, Seat::Manual].into_iter().find(|seat| seat.mode() == mode)
    }
}

impl AutowareInput {
    /// The type of its messages.
    pub fn message(self) -> Kind {
        match self {
            AutowareInput::Control(_) => Kind::of::<Control>(),
            AutowareInput::Gear(_) => Kind::of::<GearCommand>(),
            AutowareInput::TurnIndicators => Kind::of::<TurnIndicatorsCommand>(),
            AutowareInput::HazardLights => Kind::of::<HazardLightsCommand>(),
            AutowareInput::Engage => Kind::of::<Engage>(),
        }
    }

    /// What its messages do, for the manual.
    pub fn effect(self) -> &'static str {
        match self {
            AutowareInput::Control(Seat::Autonomous) => "acceleration in the gear, or speed, and steering angle",
            AutowareInput::Control(Seat::Manual) => "the same in mode MANUAL",
            AutowareInput::Gear(Seat::Autonomous) => "the gear; the car stands in none, neutral and park",
            AutowareInput::Gear(Seat::Manual) => "the same in mode MANUAL, park at the start",
            AutowareInput::TurnIndicators | AutowareInput::HazardLights => "is reported, nothing else",
            AutowareInput::Engage => "false: it stands, true: it goes on",
        }
    }

    /// Whether a vehicle takes its commands.
    pub fn is_accepted(accepts: &Accepts) -> bool {
        accepts.ackermann || accepts.pedals
    }
}

/// How a vehicle takes a control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ControlTaking {
    /// As pedals of a model whose pedals are accelerations.
    Acceleration(AccelerationInput),
    /// As a speed, whatever the gear and the acceleration.
    Speed,
    /// As a speed that changes with the acceleration.
    ChangingSpeed,
}

impl ControlTaking {
    /// How this vehicle does.
    pub fn of(vehicle: &VehicleInfo) -> ControlTaking {
        match vehicle.acceleration_input {
            Some(input) => ControlTaking::Acceleration(input),
            None if vehicle.dynamics == OWN_CLASS => ControlTaking::Speed,
            None => ControlTaking::ChangingSpeed,
        }
    }
}

/// What Autoware and a driver have commanded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutowareDesk {
    /// Who drives.
    pub seat: Seat,
    is_engaged: bool,
    /// The last control of each [`Seat`].
    controls: [Control; 2],
    /// Its last gear.
    gears: [u8; 2],
    /// The last command of the turn indicators; none before the first.
    pub turn_indicators: Option<u8>,
    /// That of the hazard lights, likewise.
    pub hazard_lights: Option<u8>,
    /// The last pose at which the vehicle was put [m, rad]; none before the first.
    pub initial_pose: Option<Pose2>,
}

impl Default for AutowareDesk {
    /// Autoware drives, and has commanded nothing; a driver has the car in park.
    fn default() -> AutowareDesk {
        AutowareDesk {
            seat: Seat::default(),
            is_engaged: true,
            controls: [Control::default(); 2],
            gears: [gear::NONE, gear::PARK],
            turn_indicators: None,
            hazard_lights: None,
            initial_pose: None,
        }
    }
}

impl AutowareDesk {
    /// The same, which may move or not.
    pub fn engaged(self, is_engaged: bool) -> AutowareDesk {
        AutowareDesk { is_engaged, ..self }
    }

    /// Whether the one who drives has commanded anything.
    pub fn is_commanded(&self) -> bool {
        let untouched = AutowareDesk::default();
        let seat = self.seat as usize;
        (&self.controls[seat], self.gears[seat]) != (&untouched.controls[seat], untouched.gears[seat])
    }

    /// The gear of the one who drives.
    pub fn gear(&self) -> u8 {
        self.gears[self.seat as usize]
    }

    /// Takes a message. True if the command of the vehicle may have changed by it.
    ///
    /// # Errors
    /// Bytes that are not a message of the type.
    pub fn take(&mut self, input: AutowareInput, bytes: &[u8]) -> Result<bool, Diagnostic> {
        Ok(match input {
            AutowareInput::Control(seat) => {
                let control: Control = message(bytes)?;
                let Control { lateral, longitudinal, .. } = &control;
                let numbers = [lateral.steering_tire_angle, longitudinal.velocity, longitudinal.acceleration];
                if !numbers.iter().all(|number| number.is_finite()) {
                    return Err(CommandFault::NotFinite.explained());
                }
                self.controls[seat as usize] = control;
                seat == self.seat
            }
            AutowareInput::Gear(seat) => {
                let gear = message::<GearCommand>(bytes)?.command;
                // One that is only repeated does not renew the control.
                std::mem::replace(&mut self.gears[seat as usize], gear) != gear && seat == self.seat
            }
            AutowareInput::TurnIndicators => {
                let command = message::<TurnIndicatorsCommand>(bytes)?.command;
                // There is no report of no command.
                self.turn_indicators = Some(if command == lamps::NO_COMMAND { lamps::DISABLE } else { command });
                false
            }
            AutowareInput::HazardLights => {
                self.hazard_lights = Some(message::<HazardLightsCommand>(bytes)?.command);
                false
            }
            AutowareInput::Engage => {
                let engage = message::<Engage>(bytes)?.engage;
                std::mem::replace(&mut self.is_engaged, engage) != engage
            }
        })
    }

    /// The command that is in force, for a vehicle that takes it so.
    pub fn action(&self, taking: ControlTaking) -> Action {
        let Control { lateral, longitudinal, .. } = self.controls[self.seat as usize];
        let steering_angle = f64::from(lateral.steering_tire_angle);
        let [speed, asked] = [longitudinal.velocity, longitudinal.acceleration].map(f64::from);
        let gear = self.gear();
        match taking {
            ControlTaking::Acceleration(input) => {
                let pedals = if self.is_engaged {
                    pedals(asked, gear, input)
                } else {
                    Pedals { throttle: 0.0, brake: 1.0, gear: GearLever::Drive }
                };
                Action::Pedals { pedals, steering_angle }
            }
            _ if !self.is_engaged => Action::Ackermann { speed: 0.0, steering_angle },
            ControlTaking::Speed => Action::Ackermann { speed, steering_angle },
            ControlTaking::ChangingSpeed => changing_speed([speed, asked], steering_angle, gear),
        }
    }
}

/// 1 forwards, −1 backwards, 0 out of gear.
fn direction(number: u8) -> f64 {
    match number {
        gear::DRIVE..=gear::DRIVE_18 | gear::LOW..=gear::LOW_2 => 1.0,
        gear::REVERSE..=gear::REVERSE_2 => -1.0,
        _ => 0.0,
    }
}

/// The pedals for the acceleration `asked` [m/s²] in a gear.
fn pedals(asked: f64, number: u8, input: AccelerationInput) -> Pedals {
    let share = (asked / input.most).clamp(-1.0, 1.0);
    if input.passes_zero {
        // Without gears only no gear and those backwards differ from the rest.
        let along = match number {
            gear::NONE => 0.0,
            gear::REVERSE..=gear::REVERSE_2 => -share,
            _ => share,
        };
        let gear = if along < 0.0 { GearLever::Reverse } else { GearLever::Drive };
        return Pedals { throttle: along.abs(), brake: 0.0, gear };
    }
    // In neutral and park, what is asked for is under way when a gear is engaged; without any, nothing is.
    let share = if number == gear::NONE && input.stands_out_of_gear { 0.0 } else { share };
    let along = direction(number);
    let gear = if along > 0.0 {
        GearLever::Drive
    } else if along < 0.0 {
        GearLever::Reverse
    } else {
        GearLever::Neutral
    };
    Pedals { throttle: share.max(0.0), brake: (-share).max(0.0), gear }
}

/// The speed that changes at the rate `asked` [m/s²] in a gear, up to `speed` [m/s] if that has its direction.
fn changing_speed([speed, asked]: [f64; 2], steering_angle: f64, number: u8) -> Action {
    let along = direction(number);
    if along == 0.0 {
        return Action::Ackermann { speed: 0.0, steering_angle };
    }
    let target = if asked < 0.0 {
        0.0
    } else if speed * along > 0.0 {
        speed
    } else {
        along * ANY_SPEED
    };
    let limits = RateLimits { acceleration: asked.abs().max(HOLDING), steering_rate: 0.0 };
    Action::LimitedAckermann { speed: target, steering_angle, limits }
}

/// A desk that the threads share which hear commands, answer services and report.
#[derive(Clone, Debug, Default)]
pub struct SharedDesk(Arc<Mutex<AutowareDesk>>);

impl SharedDesk {
    /// One that begins as `desk`.
    pub fn new(desk: AutowareDesk) -> SharedDesk {
        SharedDesk(Arc::new(Mutex::new(desk)))
    }

    /// Exclusive access. Whoever has panicked with it has left it whole.
    pub fn lock(&self) -> MutexGuard<'_, AutowareDesk> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a message, and returns the command that follows for a vehicle that takes it so, if it may have changed.
    ///
    /// # Errors
    /// As [`AutowareDesk::take`].
    pub fn take(
        &self,
        input: AutowareInput,
        bytes: &[u8],
        taking: ControlTaking,
    ) -> Result<Option<Action>, Diagnostic> {
        let mut desk = self.lock();
        Ok(desk.take(input, bytes)?.then(|| desk.action(taking)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Message;
    use super::super::autoware::{Lateral, Longitudinal};
    use super::*;

    const GEARED: ControlTaking = accelerated(false, true);
    const UNGUARDED: ControlTaking = accelerated(false, false);
    const PLAIN: ControlTaking = accelerated(true, false);

    const fn accelerated(passes_zero: bool, stands_out_of_gear: bool) -> ControlTaking {
        ControlTaking::Acceleration(AccelerationInput { most: 7.0, passes_zero, stands_out_of_gear })
    }

    fn bytes<M: Message>(message: &M) -> Vec<u8> {
        let mut bytes = Vec::new();
        message.write(None, &mut bytes).unwrap();
        bytes
    }

    fn control(velocity: f32, acceleration: f32) -> Vec<u8> {
        let longitudinal = Longitudinal { velocity, acceleration, ..Longitudinal::default() };
        let lateral = Lateral { steering_tire_angle: 0.25, ..Lateral::default() };
        bytes(&Control { lateral, longitudinal, ..Control::default() })
    }

    fn in_gear(command: u8) -> Vec<u8> {
        bytes(&GearCommand { command, ..GearCommand::default() })
    }

    /// What a vehicle is told after this control of Autoware in this gear.
    fn reported(taking: ControlTaking, [velocity, acceleration]: [f32; 2], gear: u8) -> Action {
        let desk = SharedDesk::default();
        desk.take(AutowareInput::Gear(Seat::Autonomous), &in_gear(gear), taking).unwrap();
        desk.take(AutowareInput::Control(Seat::Autonomous), &control(velocity, acceleration), taking).unwrap().unwrap()
    }

    fn pressed(throttle: f64, brake: f64, gear: GearLever) -> Action {
        Action::Pedals { pedals: Pedals { throttle, brake, gear }, steering_angle: 0.25 }
    }

    #[test]
    fn an_acceleration_is_pedals_in_the_direction_of_the_gear() {
        use GearLever::{Drive, Neutral, Reverse};
        for (number, lever) in [(2, Drive), (19, Drive), (23, Drive), (20, Reverse), (1, Neutral), (22, Neutral)] {
            assert_eq!(reported(GEARED, [0.0, 3.5], number), pressed(0.5, 0.0, lever), "{number}");
            assert_eq!(reported(GEARED, [0.0, -14.0], number), pressed(0.0, 1.0, lever), "{number}");
        }
        assert_eq!(reported(GEARED, [0.0, 3.5], 0), pressed(0.0, 0.0, Neutral));
        assert_eq!(reported(UNGUARDED, [0.0, 3.5], 0), pressed(0.5, 0.0, Neutral));
        for (number, acceleration, expected) in [
            (2, -3.5, pressed(0.5, 0.0, Reverse)),
            (20, 3.5, pressed(0.5, 0.0, Reverse)),
            (20, -3.5, pressed(0.5, 0.0, Drive)),
            (22, 3.5, pressed(0.5, 0.0, Drive)),
            (0, 3.5, pressed(0.0, 0.0, Drive)),
        ] {
            assert_eq!(reported(PLAIN, [0.0, acceleration], number), expected, "{number} {acceleration}");
        }
    }

    #[test]
    fn a_gear_that_is_repeated_renews_no_control_and_controls_are_finite() {
        let desk = SharedDesk::default();
        let gear = |number| desk.take(AutowareInput::Gear(Seat::Autonomous), &in_gear(number), GEARED).unwrap();
        assert!(gear(2).is_some() && gear(2).is_none() && gear(20).is_some());
        let refused = desk.take(AutowareInput::Control(Seat::Autonomous), &control(f32::NAN, 1.0), GEARED);
        assert_eq!(refused.unwrap_err().found, "holds a number that is not finite");
    }

    #[test]
    fn other_vehicles_change_their_speed_at_that_rate() {
        let reported = |control, gear| reported(ControlTaking::ChangingSpeed, control, gear);
        let changing = |speed, acceleration| Action::LimitedAckermann {
            speed,
            steering_angle: 0.25,
            limits: RateLimits { acceleration, steering_rate: 0.0 },
        };
        assert_eq!(reported([5.0, 1.5], 2), changing(5.0, 1.5));
        assert_eq!(reported([0.0, 1.5], 2), changing(ANY_SPEED, 1.5));
        assert_eq!(reported([5.0, -1.5], 2), changing(0.0, 1.5));
        assert_eq!(reported([5.0, 0.0], 2), changing(5.0, HOLDING));
        assert_eq!(reported([-5.0, 1.5], 20), changing(-5.0, 1.5));
        assert_eq!(reported([5.0, 1.5], 20), changing(-ANY_SPEED, 1.5));
        assert_eq!(reported([5.0, 1.5], 22), Action::Ackermann { speed: 0.0, steering_angle: 0.25 });
    }

    #[test]
    fn models_of_a_speed_take_that_of_the_message_in_any_gear() {
        let speed = Action::Ackermann { speed: 5.0, steering_angle: 0.25 };
        assert_eq!(reported(ControlTaking::Speed, [5.0, -1.0], 22), speed);
    }

    #[test]
    fn only_the_one_who_drives_is_heard_and_what_the_other_has_said_holds() {
        let desk = SharedDesk::default();
        let take = |input, bytes: &[u8]| desk.take(input, bytes, GEARED).unwrap();
        assert!(take(AutowareInput::Gear(Seat::Autonomous), &in_gear(2)).is_some());
        assert_eq!(take(AutowareInput::Control(Seat::Manual), &control(0.0, 7.0)), None);
        assert_eq!(desk.lock().action(GEARED), Action::Pedals { pedals: Pedals::default(), steering_angle: 0.0 });
        desk.lock().seat = Seat::of_mode(4).unwrap();
        assert_eq!(desk.lock().gear(), gear::PARK);
        assert_eq!(desk.lock().action(GEARED), pressed(1.0, 0.0, GearLever::Neutral));
        assert_eq!(take(AutowareInput::Gear(Seat::Manual), &in_gear(20)), Some(pressed(1.0, 0.0, GearLever::Reverse)));
        assert_eq!([0, 2, 3, 5].map(Seat::of_mode), [None; 4]);
    }

    #[test]
    fn a_vehicle_that_is_not_engaged_stands() {
        let desk = SharedDesk::new(AutowareDesk::default().engaged(false));
        let control = control(5.0, 3.5);
        let take = |taking| desk.take(AutowareInput::Control(Seat::Autonomous), &control, taking).unwrap().unwrap();
        assert_eq!(take(GEARED), pressed(0.0, 1.0, GearLever::Drive));
        for taking in [ControlTaking::Speed, ControlTaking::ChangingSpeed] {
            assert_eq!(take(taking), Action::Ackermann { speed: 0.0, steering_angle: 0.25 });
        }
        let engage = bytes(&Engage { engage: true, ..Engage::default() });
        let goes = desk.take(AutowareInput::Engage, &engage, ControlTaking::Speed).unwrap();
        assert_eq!(goes, Some(Action::Ackermann { speed: 5.0, steering_angle: 0.25 }));
    }

    #[test]
    fn lamps_are_kept_as_they_are_reported() {
        let mut desk = AutowareDesk::default();
        assert_eq!((desk.turn_indicators, desk.hazard_lights), (None, None));
        let turn = |command| bytes(&TurnIndicatorsCommand { command, ..TurnIndicatorsCommand::default() });
        for (command, reported) in [(3, 3), (0, 1)] {
            assert_eq!(desk.take(AutowareInput::TurnIndicators, &turn(command)), Ok(false));
            assert_eq!(desk.turn_indicators, Some(reported));
        }
        let hazard = bytes(&HazardLightsCommand { command: 2, ..HazardLightsCommand::default() });
        assert_eq!(desk.take(AutowareInput::HazardLights, &hazard), Ok(false));
        assert_eq!(desk.hazard_lights, Some(2));
        assert!(desk.take(AutowareInput::Engage, &[1]).is_err());
    }
}
