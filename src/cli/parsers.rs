//! Parsers for the values of command-line arguments.

use crate::preset::{self, PRESET_NAMES, Preset};
use crate::time::SimTime;
use crate::xml::accepted_names;

/// A name of `table`; `what` names its kind in messages.
pub(super) fn choice<T: Copy>(text: &str, what: &str, table: &[(&str, T)]) -> Result<T, String> {
    let names = || table.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    let found = table.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    found.ok_or_else(|| format!("unknown {what}{}", accepted_names(text, &names())))
}

/// A preset by its name.
pub(super) fn preset_name(text: &str) -> Result<&'static Preset, String> {
    preset::preset(text).ok_or_else(|| format!("unknown preset{}", accepted_names(text, &PRESET_NAMES)))
}

/// A variable of a world, `NAME=VALUE`.
pub(super) fn variable(text: &str) -> Result<(String, String), String> {
    let name_of = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && name.chars().all(name_of) => Ok((name.into(), value.into())),
        Some(_) | None => Err("not a variable\n  accepted: NAME=VALUE, the name of letters, digits and _".into()),
    }
}

/// A number for which `is_accepted` holds; otherwise `message`.
pub(super) fn number(text: &str, is_accepted: impl Fn(f64) -> bool, message: impl Into<String>) -> Result<f64, String> {
    text.parse().ok().filter(|&value| is_accepted(value)).ok_or_else(|| message.into())
}

/// A length or an angle, > 0.
pub(super) fn positive(text: &str) -> Result<f64, String> {
    number(text, |value| value > 0.0 && value.is_finite(), "not a size\n  accepted: a positive number")
}

/// A duration [s], > 0.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    number(text, |value| value > 0.0 && value <= 9e9, "not a time\n  accepted: a positive number of seconds")
}

/// A duration of simulated time, > 0.
pub(super) fn duration(text: &str) -> Result<SimTime, String> {
    // A positive duration never rounds to zero.
    seconds(text).map(|value| SimTime::from_secs(value).max(SimTime(1)))
}

/// A number of threads.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=1024) => Ok(count),
        Ok(_) | Err(_) => Err("not a number of threads\n  accepted: 1 to 1024".into()),
    }
}
