//! Reads YAML into a config, with errors in the form of all messages: `file:line:column: found`, accepted, hint.

use serde::de::DeserializeOwned;
use serde_saphyr::{Error, Location};

use crate::xml::accepted_names;

/// Reads `text`; `name` is the file name in messages.
pub(crate) fn read<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, String> {
    serde_saphyr::from_str(text).map_err(|error| describe(name, error.without_snippet()))
}

/// As [`read`], for files with names such as `y`, which are no booleans there: only `true` and `false` are.
pub(crate) fn read_with_names<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, String> {
    let mut options = serde_saphyr::Options::default();
    options.strict_booleans = true;
    serde_saphyr::from_str_with_options(text, options).map_err(|error| describe(name, error.without_snippet()))
}

fn describe(name: &str, error: &Error) -> String {
    let at = place(name, error.location());
    match error {
        Error::SerdeUnknownField { field, expected, .. } => {
            format!("{at}: unknown key \"{field}\"{}", accepted_names(field, expected))
        }
        Error::SerdeUnknownVariant { variant, expected, .. } => {
            format!("{at}: found \"{variant}\"{}", accepted_names(variant, expected))
        }
        Error::SerdeInvalidType { unexpected, expected, .. }
        | Error::SerdeInvalidValue { unexpected, expected, .. } => {
            format!("{at}: found {unexpected}\n  accepted: {expected}")
        }
        Error::SerdeMissingField { field, .. } => format!("{at}: missing key \"{field}\""),
        other => {
            let text = other.to_string();
            // The place is already at the front.
            let end = text.find(" at line ").or_else(|| text.find("\n")).unwrap_or(text.len());
            format!("{at}: {}", &text[..end])
        }
    }
}

fn place(name: &str, location: Option<Location>) -> String {
    match location {
        Some(location) if location.line() > 0 => format!("{name}:{}:{}", location.line(), location.column()),
        _ => name.to_string(),
    }
}

/// The place `name:line:column` of a key, within a section where it is in one; the section's or the file's where it is not written
/// in a line of its own, as a default is not.
pub(crate) fn place_of(name: &str, text: &str, section: &str, key: &str) -> String {
    let key_in = |line: &str, key: &str| {
        let rest = line.trim_start().strip_prefix(key)?;
        rest.trim_start().starts_with(':').then(|| line.chars().take_while(|c| c.is_whitespace()).count())
    };
    let mut found = None;
    let mut is_inside = section.is_empty();
    for (index, line) in text.lines().enumerate() {
        let at_root = line.starts_with(|c: char| !c.is_whitespace() && c != '#');
        if at_root && !section.is_empty() {
            is_inside = key_in(line, section) == Some(0);
            if is_inside {
                found = Some((index, 0));
            }
        }
        if is_inside
            && let Some(indent) = key_in(line, key)
            && (indent > 0) != section.is_empty()
        {
            found = Some((index, indent));
            break;
        }
    }
    match found {
        Some((index, column)) => format!("{name}:{}:{}", index + 1, column + 1),
        None => name.to_string(),
    }
}
