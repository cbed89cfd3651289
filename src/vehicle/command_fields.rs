//! From named fields, as viewers, scenarios and Python write a command, to its kind and numbers: one rule on what may be left out, and the
//! same messages for all of them.

use std::borrow::Cow;
use std::fmt::Display;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::nearest::did_you_mean;

use super::command::{Action, GearLever};
use super::command_kinds::{COMMANDS, CommandField, CommandKind, CommandRange, MAX_NUMBERS, Omitted};

/// A number of a command: `f64`, or one for each of several vehicles.
pub trait FieldNumber: From<f64> {
    /// Whether a condition holds for all of them.
    fn all(&self, condition: impl Fn(f64) -> bool) -> bool;
}

impl FieldNumber for f64 {
    fn all(&self, condition: impl Fn(f64) -> bool) -> bool {
        condition(*self)
    }
}

/// The value of a field in the words of its sender, which its `Display` shows in messages.
pub trait FieldValue: Display {
    /// What a number is.
    type Number: FieldNumber;
    /// Why a value is refused.
    type Error: From<Diagnostic>;
    /// How the sender writes that there is no number.
    const NULL: &'static str;

    /// Whether it is [`NULL`](Self::NULL).
    fn is_null(&self) -> bool;

    /// The value as a word; none if it is none.
    fn word(&self) -> Option<Cow<'_, str>>;

    /// The value as the number of the field of this name; none if it is of another type.
    ///
    /// # Errors
    /// A reason that only its sender can tell, as the shape of an array.
    fn number(&self, field: &str) -> Result<Option<Self::Number>, Self::Error>;

    /// The value as several numbers, none for one that is [`NULL`](Self::NULL); none if it is of another type.
    fn several(&self) -> Option<Vec<Option<f64>>>;
}

/// A kind of command with its numbers in the order of its fields; none where one is left out.
type ReadFields<N> = (&'static CommandKind, [Option<N>; MAX_NUMBERS]);

impl CommandKind {
    /// The kind of a command with these fields, and its numbers; `kind` is the name of the kind, where it is given.
    ///
    /// # Errors
    /// The fields are not those of one kind, one that must be given is missing, or a value is of another type than its field.
    pub fn read<V: FieldValue>(kind: Option<&str>, fields: &[(&str, &V)]) -> Result<ReadFields<V::Number>, V::Error> {
        let given: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
        let kind = CommandKind::chosen(kind, &given)?;
        let mut numbers = [const { None }; MAX_NUMBERS];
        for (place, field) in kind.places() {
            if let Some((_, value)) = fields.iter().find(|(name, _)| *name == field.name) {
                fill(field, *value, &mut numbers[place..place + field.count])?;
            }
        }
        Ok((kind, numbers))
    }

    /// The kind with this name, or else the first that has all of these fields and lacks none.
    fn chosen(name: Option<&str>, given: &[&str]) -> Result<&'static CommandKind, Diagnostic> {
        let known = name.map(|name| {
            let refused = || {
                let names = COMMANDS.each_ref().map(|kind| kind.name);
                Diagnostic::new("kind", format!("found \"{name}\"")).one_of(name, &names)
            };
            CommandKind::named(name).ok_or_else(refused)
        });
        let kind = match known.transpose()? {
            Some(kind) => kind,
            None => CommandKind::with_fields(given).map_or_else(|| CommandKind::almost(given), Ok)?,
        };
        if let Some(unknown) = given.iter().find(|name| !kind.knows(&[name])) {
            return Err(Diagnostic::new(kind.name, format!("no field \"{unknown}\"")).one_of(unknown, &kind.names()));
        }
        if kind.lacks(given).next().is_some() {
            let found = if given.is_empty() { "nothing".to_owned() } else { format!("{} alone", given.join(" ")) };
            return Err(Diagnostic::new("command", format!("found {found}")).accepted(kind.names().join(" and ")));
        }
        Ok(kind)
    }

    /// The first kind that has all of these fields, though it lacks others.
    fn almost(given: &[&str]) -> Result<&'static CommandKind, Diagnostic> {
        if let Some(kind) = COMMANDS.iter().find(|kind| !given.is_empty() && kind.knows(given)) {
            return Ok(kind);
        }
        let found = if given.is_empty() { "nothing".to_owned() } else { given.join(" ") };
        let kinds = COMMANDS.each_ref().map(|kind| kind.names().join(" "));
        let all: Vec<&str> = COMMANDS.iter().flat_map(CommandKind::names).collect();
        let hint = given.iter().find(|name| !all.contains(name)).and_then(|unknown| did_you_mean(unknown, &all));
        let message = Diagnostic::new("command", format!("found {found}"));
        Err(Diagnostic { hint, ..message.accepted(format!("names of one kind: {}", kinds.join(" · "))) })
    }

    /// The names of its fields.
    fn names(&self) -> Vec<&'static str> {
        self.fields.iter().map(|field| field.name).collect()
    }
}

/// Writes the numbers of a field in their places.
fn fill<V: FieldValue>(field: &CommandField, value: &V, places: &mut [Option<V::Number>]) -> Result<(), V::Error> {
    let refused = || Diagnostic::new(field.name, format!("found {value}")).accepted(accepted::<V>(field));
    if value.is_null() && field.omitted == Omitted::Open {
        return Ok(());
    }
    match places {
        [number] if field.range == CommandRange::Gear => {
            let gear = match value.word() {
                Some(name) => GearLever::place_of(&name).map(|place| V::Number::from(place as f64)),
                None => value.number(field.name)?.filter(|numbers| numbers.all(GearLever::is_place)),
            };
            *number = Some(gear.ok_or_else(refused)?);
        }
        [number] => *number = Some(value.number(field.name)?.ok_or_else(refused)?),
        several => {
            let list = value.several().filter(|list| list.len() == several.len()).ok_or_else(refused)?;
            for (number, given) in several.iter_mut().zip(list) {
                *number = given.map(V::Number::from);
            }
        }
    }
    Ok(())
}

/// What a field accepts, for messages.
fn accepted<V: FieldValue>(field: &CommandField) -> String {
    match field {
        CommandField { range: CommandRange::Gear, .. } => format!("{}, or their numbers 0, 1, 2", GearLever::names()),
        CommandField { count: 1, .. } => "a number".to_owned(),
        CommandField { count, .. } => format!("{count} numbers, {} to keep one", V::NULL),
    }
}

impl Action {
    /// The command with these fields of one kind, see [`CommandKind::read`].
    ///
    /// # Errors
    /// As there, or a number is of no command.
    pub fn from_fields<V: FieldValue<Number = f64, Error = Diagnostic>>(
        kind: Option<&str>,
        fields: &[(&str, &V)],
    ) -> Result<Action, Diagnostic> {
        let (kind, numbers) = CommandKind::read(kind, fields)?;
        let action = (kind.action)(&numbers);
        match action.fault() {
            Some(fault) => Err(fault.explained().after("command: ")),
            None => Ok(action),
        }
    }
}
