//! Commands of viewers in JSON: `{"kind": "twist", "vx": 1, "vy": 0, "yaw_rate": 0}`, with the kinds and fields of [`COMMANDS`]. A kind is
//! one of `accepts` of [`VehicleView`](super::scene::VehicleView), or `steering_rate` for those that accept `ackermann`.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use skidpad_sim::vehicle::{
    Action, COMMANDS, CommandField, CommandKind, CommandNumbers, CommandRange, GearLever, Omitted,
};

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
        read(&Map::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Whether a command may lack the field.
fn is_optional(field: &CommandField) -> bool {
    field.omitted == Omitted::Open
}

fn read(object: &Map<String, Value>) -> Result<CommandView, String> {
    let accepted = || COMMANDS.each_ref().map(|kind| format!("`{}`", kind.name)).join(", ");
    let name = object.get("kind").ok_or("missing field `kind`")?;
    let name = name.as_str().ok_or_else(|| format!("invalid kind: {name}, expected one of {}", accepted()))?;
    let kind =
        CommandKind::named(name).ok_or_else(|| format!("unknown variant `{name}`, expected one of {}", accepted()))?;
    let is_known = |name: &str| name == "kind" || kind.knows(&[name]);
    if let Some(unknown) = object.keys().find(|name| !is_known(name)) {
        let fields: Vec<String> = kind.fields.iter().map(|field| format!("`{}`", field.name)).collect();
        return Err(format!("unknown field `{unknown}`, expected one of {}", fields.join(", ")));
    }
    let mut numbers = CommandNumbers::default();
    for (place, field) in kind.places() {
        match object.get(field.name) {
            None if is_optional(field) => {}
            None => return Err(format!("missing field `{}`", field.name)),
            Some(value) => values(field, value, &mut numbers[place..place + field.count])
                .ok_or_else(|| format!("{}: found {value}, expected {}", field.name, expected(field)))?,
        }
    }
    Ok(CommandView((kind.action)(&numbers)))
}

/// Reads the numbers of a field; none if the value is of another type.
fn values(field: &CommandField, value: &Value, numbers: &mut [Option<f64>]) -> Option<()> {
    let open = |value: &Value| match value {
        Value::Null if field.omitted == Omitted::Open => Some(None),
        value => value.as_f64().map(Some),
    };
    match numbers {
        [number] if field.range == CommandRange::Gear => *number = Some(GearLever::place_of(value.as_str()?)? as f64),
        [number] => *number = open(value)?,
        several => {
            let list = value.as_array().filter(|list| list.len() == several.len())?;
            for (number, value) in several.iter_mut().zip(list) {
                *number = open(value)?;
            }
        }
    }
    Some(())
}

/// What a field accepts, for messages.
fn expected(field: &CommandField) -> String {
    match field {
        CommandField { range: CommandRange::Gear, .. } => GearLever::names(),
        CommandField { count: 1, .. } => "a number".to_owned(),
        CommandField { count, .. } => format!("{count} numbers, null for one that stays"),
    }
}

/// The types `CommandView` and `GearView` of the page.
#[cfg(test)]
pub(super) fn typescript() -> String {
    let field = |field: &CommandField| {
        let number = if field.omitted == Omitted::Open && field.count > 1 { "number | null" } else { "number" };
        let kind = match (field.range, field.count) {
            (CommandRange::Gear, _) => "GearView".to_owned(),
            (_, 1) => number.to_owned(),
            (_, count) => format!("[{}]", vec![number; count].join(", ")),
        };
        let mark = if is_optional(field) { "?" } else { "" };
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
    use skidpad_sim::vehicle::{Pedals, RateLimits, WheelTargets};

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
    }

    #[test]
    fn bad_commands_are_refused_with_what_is_accepted() {
        let refusal = |text: &str| serde_json::from_str::<CommandView>(text).unwrap_err().to_string();
        for (text, reason) in [
            ("{}", "missing field `kind`"),
            (
                r#"{"kind": "fly"}"#,
                "unknown variant `fly`, expected one of `twist`, `steering_rate`, `ackermann`, `wheel_speeds`, `pedals`, `wheels`",
            ),
            (r#"{"kind": "twist", "vx": 1, "vy": 0}"#, "missing field `yaw_rate`"),
            (
                r#"{"kind": "twist", "vx": 1, "vy": 0, "yaw_rate": 0, "up": 1}"#,
                "unknown field `up`, expected one of `vx`, `vy`, `yaw_rate`",
            ),
            (r#"{"kind": "twist", "vx": null, "vy": 0, "yaw_rate": 0}"#, "vx: found null, expected a number"),
            (
                r#"{"kind": "wheels", "spin": [1], "hinge": [0, 0]}"#,
                "spin: found [1], expected 4 numbers, null for one that stays",
            ),
            (
                r#"{"kind": "pedals", "throttle": 1, "brake": 0, "gear": 1, "steering_angle": 0}"#,
                "gear: found 1, expected drive, neutral, reverse",
            ),
        ] {
            assert!(refusal(text).starts_with(reason), "{text}: {}", refusal(text));
        }
    }
}
