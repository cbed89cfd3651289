//! Commands to vehicles in a scenario: the fields of one of the kinds of [`COMMANDS`], or `stop`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Display};

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_sim::vehicle::{Accepts, Action, COMMANDS, FieldValue};

/// The word that stops any vehicle.
const STOP: &str = "stop";

/// A command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CommandWords {
    /// Whatever stops the vehicle.
    Stop,
    /// This one.
    Action(Action),
}

impl CommandWords {
    /// The command to a vehicle that accepts these kinds.
    pub(super) fn action(&self, accepts: &Accepts) -> Action {
        match self {
            CommandWords::Action(action) => *action,
            CommandWords::Stop => {
                let kind = COMMANDS.iter().find(|kind| kind.is_offered && (kind.accepted)(accepts));
                kind.map_or(COMMANDS[0].stop, |kind| kind.stop)
            }
        }
    }
}

/// The value of a field.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a number, a word, or a list of numbers")]
enum Written {
    Number(f64),
    Word(String),
    List(Vec<Option<f64>>),
    Nothing,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "stop, or the fields of a command")]
enum StopOrFields {
    Word(String),
    Fields(BTreeMap<String, Written>),
}

impl<'de> Deserialize<'de> for CommandWords {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CommandWords, D::Error> {
        let read = match StopOrFields::deserialize(deserializer)? {
            StopOrFields::Word(word) if word == STOP => Ok(CommandWords::Stop),
            StopOrFields::Word(word) => {
                Err(Diagnostic::of(format!("found \"{word}\"")).accepted("stop, or the fields of a command"))
            }
            StopOrFields::Fields(fields) => action(fields).map(CommandWords::Action),
        };
        read.map_err(|refused| D::Error::custom(refused.in_one_line()))
    }
}

/// The command with these fields; its kind is that of the field `kind`, or the first that has all of them.
fn action(mut fields: BTreeMap<String, Written>) -> Result<Action, Diagnostic> {
    let kind = fields.remove("kind").map(|kind| kind.to_string());
    let fields: Vec<(&str, &Written)> = fields.iter().map(|(name, value)| (name.as_str(), value)).collect();
    Action::from_fields(kind.as_deref(), &fields)
}

impl Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |number: &Option<f64>| number.map_or_else(|| Self::NULL.to_owned(), |number| number.to_string());
        match self {
            Written::Number(number) => number.fmt(f),
            Written::Word(word) => word.fmt(f),
            Written::List(list) => write!(f, "[{}]", list.iter().map(shown).collect::<Vec<_>>().join(", ")),
            Written::Nothing => Self::NULL.fmt(f),
        }
    }
}

impl FieldValue for Written {
    type Number = f64;
    type Error = Diagnostic;
    const NULL: &'static str = "null";

    fn is_null(&self) -> bool {
        matches!(self, Written::Nothing)
    }

    fn word(&self) -> Option<Cow<'_, str>> {
        if let Written::Word(word) = self { Some(word.into()) } else { None }
    }

    fn number(&self, _: &str) -> Result<Option<f64>, Diagnostic> {
        Ok(if let Written::Number(number) = self { Some(*number) } else { None })
    }

    fn several(&self) -> Option<Vec<Option<f64>>> {
        if let Written::List(list) = self { Some(list.clone()) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Twist2;
    use skidpad_sim::vehicle::{GearLever, Pedals, RateLimits, WheelTargets};

    use super::*;

    fn read(text: &str) -> Result<CommandWords, String> {
        serde_saphyr::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn the_kind_follows_from_the_fields() {
        assert_eq!(read("stop").unwrap(), CommandWords::Stop);
        let action = |text: &str| match read(text).unwrap() {
            CommandWords::Action(action) => action,
            CommandWords::Stop => panic!("{text}"),
        };
        assert_eq!(action("{vx: 1, yaw_rate: 0.5}"), Action::Twist(Twist2::new(1.0, 0.0, 0.5)));
        assert_eq!(action("{speed: 1}"), Action::Ackermann { speed: 1.0, steering_angle: 0.0 });
        assert_eq!(action("{kind: twist}"), Action::Twist(Twist2::ZERO));
        let pedals = Pedals { throttle: 0.0, brake: 1.0, gear: GearLever::Reverse };
        assert_eq!(action("{brake: 1, gear: reverse}"), Action::Pedals { pedals, steering_angle: 0.0 });
        assert_eq!(action("{left: 1, right: 2}"), Action::SideSpins([1.0, 2.0]));
        let neutral = Pedals { throttle: 0.0, brake: 0.0, gear: GearLever::Neutral };
        assert_eq!(action("{gear: 1}"), Action::Pedals { pedals: neutral, steering_angle: 0.0 });
        let limits = RateLimits { acceleration: 2.0, steering_rate: 0.0 };
        assert_eq!(
            action("{kind: ackermann, speed: 1, acceleration: 2, steering_rate: null}"),
            Action::LimitedAckermann { speed: 1.0, steering_angle: 0.0, limits }
        );
        let hinge = [None, Some(0.2)];
        let wheels = Action::Wheels(WheelTargets { hinge, ..WheelTargets::default() });
        assert_eq!(action("{hinge: [null, 0.2], torque: null}"), wheels);
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for (text, reason) in [
            ("halt", "found \"halt\"; accepted: stop, or the fields of a command"),
            ("{sped: 1}", "command: found sped; accepted: names of one kind: vx vy yaw_rate · "),
            ("{sped: 1}", "; hint: did you mean \"speed\"?"),
            ("{kind: fly}", "kind: found \"fly\"; accepted: twist"),
            ("{kind: twist, speed: 1}", "twist: no field \"speed\"; accepted: vx, vy, yaw_rate"),
            ("{brake: 1, gear: up}", "gear: found up; accepted: drive"),
            ("{gear: 0.5}", "gear: found 0.5; accepted: drive, neutral, reverse, or their numbers 0, 1, 2"),
            ("{left: 1}", "command: found left alone; accepted: left and right"),
            ("{vx: 1, gear: 1}", "command: found gear vx; accepted: names of one kind: "),
            ("{kind: steering_rate}", "command: found nothing; accepted: speed and steering_rate"),
            ("{vx: fast}", "vx: found fast; accepted: a number"),
            ("{vx: null}", "vx: found null; accepted: a number"),
            ("{brake: 2}", "command: brake 2 is out of range; accepted: 0 to 1"),
            ("{spin: [1, null]}", "spin: found [1, null]; accepted: 4 numbers, null to keep one"),
            ("{vx: 1e9}", "command: asks for more than any vehicle can do; accepted: up to 1000000 m/s"),
        ] {
            let reported = read(text).unwrap_err();
            assert!(reported.contains(reason), "{text}: {reported}");
        }
    }

    #[test]
    fn stop_is_a_command_that_the_vehicle_takes() {
        let accepts = Accepts { pedals: true, ..Accepts::default() };
        assert!(matches!(CommandWords::Stop.action(&accepts), Action::Pedals { .. }));
    }
}
