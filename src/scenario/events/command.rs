//! Commands to vehicles in a scenario: the fields of one of the kinds of [`COMMANDS`], or `stop`.

use std::collections::BTreeMap;

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use skidpad_files::nearest::did_you_mean;
use skidpad_sim::vehicle::{
    Accepts, Action, COMMANDS, CommandKind, CommandNumbers, CommandRange, GearLever, MOST_NUMBERS,
};

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

#[derive(Deserialize)]
#[serde(untagged, expecting = "a number, a word, or a list of numbers")]
enum FieldValue {
    Number(f64),
    Word(String),
    List(Vec<Option<f64>>),
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "stop, or the fields of a command")]
enum Written {
    Word(String),
    Fields(BTreeMap<String, FieldValue>),
}

impl<'de> Deserialize<'de> for CommandWords {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CommandWords, D::Error> {
        let read = match Written::deserialize(deserializer)? {
            Written::Word(word) if word == STOP => Ok(CommandWords::Stop),
            Written::Word(word) => Err(format!("found \"{word}\", expected stop, or the fields of a command")),
            Written::Fields(fields) => action(fields).map(CommandWords::Action),
        };
        read.map_err(D::Error::custom)
    }
}

/// The command with these fields; its kind is that of the field `kind`, or the first that has all of them.
fn action(mut fields: BTreeMap<String, FieldValue>) -> Result<Action, String> {
    let kind = match fields.remove("kind") {
        Some(FieldValue::Word(name)) => Some(CommandKind::named(&name).ok_or_else(|| {
            let names: Vec<&str> = COMMANDS.iter().map(|kind| kind.name).collect();
            format!("unknown kind \"{name}\", expected {}", names.join(", "))
        })?),
        Some(_) => return Err("kind: expected a name".to_owned()),
        None => None,
    };
    let given: Vec<&str> = fields.keys().map(String::as_str).collect();
    let kind = kind.or_else(|| CommandKind::with_fields(&given)).ok_or_else(|| {
        let known: Vec<&str> = COMMANDS.iter().flat_map(|kind| kind.fields).map(|field| field.name).collect();
        let unknown = given.iter().find(|name| !known.contains(name));
        match unknown {
            Some(name) => {
                let hint = did_you_mean(name, &known).map_or_else(String::new, |hint| format!(", {hint}"));
                format!("no command has a field \"{name}\"{hint}")
            }
            None => format!("no command has the fields {} alone", given.join(", ")),
        }
    })?;
    if let Some(unknown) = given.iter().find(|name| !kind.knows(&[name])) {
        let known: Vec<&str> = kind.fields.iter().map(|field| field.name).collect();
        return Err(format!("{} has no field \"{unknown}\", expected {}", kind.name, known.join(", ")));
    }
    if let Some(missing) = kind.lacks(&given).next() {
        return Err(format!("{} lacks the field {missing}", kind.name));
    }
    let mut numbers: CommandNumbers = [None; MOST_NUMBERS];
    for (place, field) in kind.places() {
        let slots = &mut numbers[place..place + field.count];
        match (fields.get(field.name), slots) {
            (None, _) => {}
            (Some(FieldValue::Word(word)), [slot]) if field.range == CommandRange::Gear => {
                let gear = GearLever::place_of(word);
                *slot = Some(
                    gear.ok_or_else(|| format!("gear: found \"{word}\", expected {}", GearLever::names()))? as f64
                );
            }
            (Some(FieldValue::Number(number)), [slot]) if field.range != CommandRange::Gear => *slot = Some(*number),
            (Some(FieldValue::List(list)), several) if list.len() == several.len() && several.len() > 1 => {
                several.copy_from_slice(list);
            }
            (Some(_), several) => {
                return Err(format!(
                    "{}: expected {}",
                    field.name,
                    match several.len() {
                        1 => "a number".to_owned(),
                        count => format!("a list of {count} numbers"),
                    }
                ));
            }
        }
    }
    Ok((kind.action)(&numbers))
}

#[cfg(test)]
mod tests {
    use skidpad_math::Twist2;
    use skidpad_sim::vehicle::Pedals;

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
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for (text, reason) in [
            ("halt", "found \"halt\", expected stop"),
            ("{sped: 1}", "no command has a field \"sped\", did you mean \"speed\"?"),
            ("{kind: fly}", "unknown kind \"fly\", expected twist"),
            ("{kind: twist, speed: 1}", "twist has no field \"speed\", expected vx, vy, yaw_rate"),
            ("{brake: 1, gear: up}", "gear: found \"up\", expected drive"),
        ] {
            let told = read(text).unwrap_err();
            assert!(told.contains(reason), "{text}: {told}");
        }
    }

    #[test]
    fn stop_is_a_command_that_the_vehicle_takes() {
        let accepts = Accepts { pedals: true, ..Accepts::default() };
        assert!(matches!(CommandWords::Stop.action(&accepts), Action::Pedals { .. }));
    }
}
