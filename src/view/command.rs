//! Commands of viewers in JSON: `{"kind": "twist", "vx": 1, "vy": 0, "yaw_rate": 0}`, with the kinds and fields of
//! [`COMMANDS`](skidpad_sim::vehicle::COMMANDS). A kind is one of `accepts` of [`VehicleView`](super::scene::VehicleView), or `steering_rate`
//! for those that accept `ackermann`.

use std::borrow::Cow;
use std::fmt::{self, Display};

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_sim::vehicle::{Action, FieldValue};

/// A command to a vehicle, of a kind that viewers may choose.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandView(Action);

impl CommandView {
    /// The command.
    pub fn action(&self) -> Action {
        self.0
    }

    /// The command that stops the vehicle; steering hinges stay.
    pub fn stop(&self) -> CommandView {
        CommandView(self.0.kind().map_or(self.0, |(kind, _)| kind.stop))
    }
}

impl<'de> Deserialize<'de> for CommandView {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CommandView, D::Error> {
        read(&Map::deserialize(deserializer)?).map_err(|refused| D::Error::custom(refused.in_one_line()))
    }
}

fn read(object: &Map<String, Value>) -> Result<CommandView, Diagnostic> {
    let kind = object.get("kind").map(|kind| kind.as_str().map_or_else(|| Cow::from(kind.to_string()), Cow::from));
    let written =
        object.iter().filter(|(name, _)| *name != "kind").map(|(name, value)| (name.as_str(), Written(value)));
    let written: Vec<(&str, Written<'_>)> = written.collect();
    let fields: Vec<(&str, &Written<'_>)> = written.iter().map(|(name, value)| (*name, value)).collect();
    Action::from_fields(kind.as_deref(), &fields).map(CommandView)
}

/// The value of a field.
struct Written<'a>(&'a Value);

impl Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FieldValue for Written<'_> {
    type Number = f64;
    type Error = Diagnostic;
    const NULL: &'static str = "null";

    fn is_null(&self) -> bool {
        self.0.is_null()
    }

    fn word(&self) -> Option<Cow<'_, str>> {
        self.0.as_str().map(Cow::from)
    }

    fn number(&self, _: &str) -> Result<Option<f64>, Diagnostic> {
        Ok(self.0.as_f64())
    }

    fn several(&self) -> Option<Vec<Option<f64>>> {
        let number = |value: &Value| if value.is_null() { Some(None) } else { value.as_f64().map(Some) };
        self.0.as_array()?.iter().map(number).collect()
    }
}

/// The types `CommandView` and `GearView` of the page.
#[cfg(test)]
pub(super) fn typescript() -> String {
    use skidpad_sim::vehicle::{COMMANDS, CommandField, CommandKind, CommandRange, GearLever, Omitted};

    let field = |field: &CommandField| {
        let number = if field.omitted == Omitted::Open && field.count > 1 { "number | null" } else { "number" };
        let kind = match (field.range, field.count) {
            (CommandRange::Gear, _) => "GearView".to_owned(),
            (_, 1) => number.to_owned(),
            (_, count) => format!("[{}]", vec![number; count].join(", ")),
        };
        let mark = if field.omitted == Omitted::Open { "?" } else { "" };
        format!("\n/**\n * {}.\n */\n{}{mark}: {kind}, ", field.help, field.name)
    };
    let kind = |kind: &CommandKind| {
        format!("{{ \"kind\": \"{}\", {}}}", kind.name, kind.fields.iter().map(field).collect::<String>())
    };
    let gears = GearLever::POSITIONS.map(|(name, _)| format!("\"{name}\""));
    format!(
        "export type CommandView = {};\nexport type GearView = {};\n",
        COMMANDS.each_ref().map(kind).join(" | "),
        gears.join(" | ")
    )
}

#[cfg(test)]
mod tests {
    use skidpad_math::Twist2;
    use skidpad_sim::vehicle::{GearLever, Pedals, RateLimits, WheelTargets};

    use super::*;

    #[test]
    fn every_kind_becomes_its_command() {
        let read = |text: &str| serde_json::from_str::<CommandView>(text).unwrap().action();
        assert_eq!(
            read(r#"{"kind": "twist", "vx": 1, "vy": 2, "yaw_rate": 3}"#),
            Action::Twist(Twist2::new(1.0, 2.0, 3.0))
        );
        assert_eq!(
            read(r#"{"kind": "ackermann", "speed": 1, "steering_angle": 0.5}"#),
            Action::Ackermann { speed: 1.0, steering_angle: 0.5 }
        );
        assert_eq!(
            read(
                r#"{"kind": "ackermann", "speed": 1, "steering_angle": 0.5, "acceleration": 2, "steering_rate": null}"#
            ),
            Action::LimitedAckermann {
                speed: 1.0,
                steering_angle: 0.5,
                limits: RateLimits { acceleration: 2.0, steering_rate: 0.0 }
            }
        );
        assert_eq!(
            read(r#"{"kind": "steering_rate", "speed": 1, "steering_rate": 0.5}"#),
            Action::SteeringRate { speed: 1.0, steering_rate: 0.5 }
        );
        assert_eq!(
            read(r#"{"kind": "pedals", "throttle": 1, "brake": 0, "gear": "reverse", "steering_angle": 0.1}"#),
            Action::Pedals {
                pedals: Pedals { throttle: 1.0, brake: 0.0, gear: GearLever::Reverse },
                steering_angle: 0.1
            }
        );
        assert_eq!(
            read(r#"{"kind": "wheels", "spin": [1, null, 2, null], "hinge": [null, 0.2]}"#),
            Action::Wheels(WheelTargets {
                spin: [Some(1.0), None, Some(2.0), None],
                hinge: [None, Some(0.2)],
                ..WheelTargets::default()
            })
        );
        assert_eq!(read(r#"{"kind": "wheel_speeds", "left": 1, "right": 2}"#), Action::SideSpins([1.0, 2.0]));
        assert_eq!(read(r#"{"vx": 1}"#), Action::Twist(Twist2::new(1.0, 0.0, 0.0)));
    }

    #[test]
    fn bad_commands_are_refused_with_what_is_accepted() {
        let refusal = |text: &str| serde_json::from_str::<CommandView>(text).unwrap_err().to_string();
        for (text, reason) in [
            ("{}", "command: found nothing; accepted: names of one kind: vx vy yaw_rate · "),
            (
                r#"{"kind": "fly"}"#,
                "kind: found \"fly\"; accepted: twist, steering_rate, ackermann, wheel_speeds, pedals, wheels",
            ),
            (r#"{"kind": 1}"#, "kind: found \"1\"; accepted: twist, "),
            (
                r#"{"kind": "steering_rate", "speed": 1}"#,
                "command: found speed alone; accepted: speed and steering_rate",
            ),
            (
                r#"{"kind": "twist", "vx": 1, "vy": 0, "yaw_rate": 0, "up": 1}"#,
                "twist: no field \"up\"; accepted: vx, vy, yaw_rate",
            ),
            (r#"{"kind": "twist", "vx": null, "vy": 0, "yaw_rate": 0}"#, "vx: found null; accepted: a number"),
            (
                r#"{"kind": "wheels", "spin": [1], "hinge": [0, 0]}"#,
                "spin: found [1]; accepted: 4 numbers, null to keep one",
            ),
            (
                r#"{"kind": "pedals", "throttle": 1, "brake": 0, "gear": "up", "steering_angle": 0}"#,
                "gear: found \"up\"; accepted: drive, neutral, reverse",
            ),
        ] {
            assert!(refusal(text).starts_with(reason), "{text}: {}", refusal(text));
        }
    }
}
