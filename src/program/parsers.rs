//! Parsers for the values of command-line arguments.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PathBufValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use crate::diagnostic::Diagnostic;
use crate::find;
use crate::preset::{self, PRESET_NAMES, Preset};
use crate::time::{Rate, SimTime};

/// A name of `table`; `what` names its kind in messages.
pub fn choice<T: Copy>(text: &str, what: &str, table: &[(&str, T)]) -> Result<T, Diagnostic> {
    let names = || table.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    let found = table.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    found.ok_or_else(|| Diagnostic::of(format!("unknown {what}")).one_of(text, &names()))
}

/// The parser of [`choice`]: help, manual pages and completions know its names.
#[derive(Clone)]
pub struct Choice<T: 'static> {
    what: &'static str,
    table: &'static [(&'static str, T)],
}

impl<T> Choice<T> {
    /// Of the names of `table`; `what` names their kind in messages.
    pub fn of(what: &'static str, table: &'static [(&'static str, T)]) -> Choice<T> {
        Choice { what, table }
    }
}

impl<T: Copy + Send + Sync + 'static> TypedValueParser for Choice<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        let Choice { what, table } = *self;
        (move |text: &str| choice(text, what, table)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.table.iter().map(|(name, _)| PossibleValue::new(*name))))
    }
}

/// A file, also one that comes with the program by its path in the manual.
pub fn shipped_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(find::shipped)
}

/// A preset by its name.
pub(crate) fn preset_name(text: &str) -> Result<&'static Preset, Diagnostic> {
    preset::preset(text).ok_or_else(|| Diagnostic::of("unknown preset").one_of(text, &PRESET_NAMES))
}

/// A variable of a world, `NAME=VALUE`.
pub fn variable(text: &str) -> Result<(String, String), Diagnostic> {
    let name_of = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && name.chars().all(name_of) => Ok((name.into(), value.into())),
        Some(_) | None => {
            Err(Diagnostic::of("not a variable").accepted("NAME=VALUE, the name of letters, digits and _"))
        }
    }
}

/// A number for which `is_accepted` holds; otherwise `found` is not one of `accepted`.
pub fn number(text: &str, is_accepted: impl Fn(f64) -> bool, found: &str, accepted: &str) -> Result<f64, Diagnostic> {
    let number = text.parse().ok().filter(|&value| is_accepted(value));
    number.ok_or_else(|| Diagnostic::of(found).accepted(accepted))
}

/// A length or an angle, > 0.
pub fn positive(text: &str) -> Result<f64, Diagnostic> {
    number(text, |value| value > 0.0 && value.is_finite(), "not a size", "a positive number")
}

/// A duration [s], > 0.
pub fn seconds(text: &str) -> Result<f64, Diagnostic> {
    number(text, |value| value > 0.0 && value <= 9e9, "not a time", "a positive number of seconds")
}

/// A duration of simulated time, > 0.
pub fn duration(text: &str) -> Result<SimTime, Diagnostic> {
    // A positive duration never rounds to zero.
    seconds(text).map(|value| SimTime::from_secs(value).max(SimTime(1)))
}

/// A rate of simulated time.
pub fn rate(text: &str) -> Result<Rate, Diagnostic> {
    Ok(text.parse()?)
}

/// A number of threads.
pub fn threads(text: &str) -> Result<usize, Diagnostic> {
    match text.parse() {
        Ok(count @ 1..=1024) => Ok(count),
        Ok(_) | Err(_) => Err(Diagnostic::of("not a number of threads").accepted("1 to 1024")),
    }
}
