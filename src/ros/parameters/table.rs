//! The parameters of a node: their declarations, their values, and the values that each accepts.
//!
//! r2r's own parameter handler has no ranges and no read-only parameters and accepts values of any type, so that the parameter services
//! are implemented here, in `services.rs`.

use std::sync::{Arc, Mutex, OnceLock};

use r2r::ParameterValue;
use skidpad_files::nearest::did_you_mean;
use skidpad_run::guard::lock;

use crate::error::RosError;

/// The type of a parameter, with its default and the values that it accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// True or false.
    Switch {
        /// Value when none is given.
        default: bool,
    },
    /// True or false; 0 and 1 are accepted too.
    Flag {
        /// Value when none is given.
        default: bool,
    },
    /// A number within a closed range.
    Number {
        /// Value when none is given.
        default: f64,
        /// Smallest and largest value.
        range: [f64; 2],
    },
    /// A number within a closed range that has a gap.
    Gapped {
        /// Value when none is given.
        default: f64,
        /// Smallest and largest value.
        range: [f64; 2],
        /// Largest value below the gap and smallest above it.
        gap: [f64; 2],
    },
    /// A whole number within a closed range.
    Whole {
        /// Value when none is given.
        default: i64,
        /// Smallest and largest value.
        range: [i64; 2],
    },
    /// One word of a list.
    Word {
        /// Value when none is given.
        default: &'static str,
        /// The list.
        of: &'static [&'static str],
    },
    /// One word of a list, or its number; kept as the word.
    Choice {
        /// Value when none is given.
        default: &'static str,
        /// The list, with the numbers of those that have one.
        of: &'static [(&'static str, Option<i64>)],
    },
    /// Any string, such as a frame or a file.
    Text {
        /// Value when none is given.
        default: &'static str,
    },
}

/// The declaration of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Declaration {
    /// Name of the parameter.
    pub name: &'static str,
    /// What it does, with its unit.
    pub description: &'static str,
    /// Its type and the values that it accepts.
    pub kind: Kind,
    /// True when it can only be set at the start.
    pub read_only: bool,
}

impl Declaration {
    /// A parameter that can be set at any time.
    pub const fn new(name: &'static str, kind: Kind, description: &'static str) -> Declaration {
        Declaration { name, description, kind, read_only: false }
    }

    /// The same parameter, but only to be set at the start.
    pub const fn at_start(mut self) -> Declaration {
        self.read_only = true;
        self
    }
}

/// A number that can be set at any time.
pub const fn number(name: &'static str, default: f64, range: [f64; 2], description: &'static str) -> Declaration {
    Declaration::new(name, Kind::Number { default, range }, description)
}

/// A number that can be set at any time, but not to a value within the gap, which lies between the two values of `gap`.
pub(crate) const fn gapped(
    name: &'static str,
    default: f64,
    range: [f64; 2],
    gap: [f64; 2],
    description: &'static str,
) -> Declaration {
    Declaration::new(name, Kind::Gapped { default, range, gap }, description)
}

/// A switch that can be set at any time.
pub const fn switch(name: &'static str, default: bool, description: &'static str) -> Declaration {
    Declaration::new(name, Kind::Switch { default }, description)
}

/// Called with every value at the start, and with every changed value before it can be read; the name is that of the declaration,
/// without a prefix.
pub type Watch = Box<dyn Fn(&'static str, &ParameterValue) + Send + Sync>;

/// A name and a value.
pub type Named = (String, ParameterValue);

/// A change of parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// Added parameters.
    pub new: Vec<Named>,
    /// Parameters with another value.
    pub changed: Vec<Named>,
    /// Removed parameters, with their last values.
    pub deleted: Vec<Named>,
}

/// Called after parameters have been added, changed or removed.
type Listener = Box<dyn Fn(&Event) + Send + Sync>;

/// One parameter.
struct Entry {
    name: String,
    declaration: Declaration,
    value: ParameterValue,
    /// Number of its changes.
    changes: u64,
    watch: Arc<Watch>,
}

/// The values of all parameters, in the order in which they were declared.
pub struct Parameters {
    entries: Mutex<Vec<Entry>>,
    /// The values given at the start, also of parameters that are declared later.
    overrides: Vec<Named>,
    listener: OnceLock<Listener>,
}

impl Parameters {
    /// The defaults of the declarations, then the values `given` by the program itself, then those of `overrides` (from `--params-file` and
    /// `-p`). Fails on a value that is not accepted.
    pub fn new<'a>(
        declarations: &'static [Declaration],
        given: &[(&str, ParameterValue)],
        overrides: impl Iterator<Item = (&'a String, &'a ParameterValue)>,
        watch: Watch,
    ) -> Result<Arc<Parameters>, RosError> {
        let overrides = overrides.map(|(name, value)| (name.clone(), value.clone())).collect();
        let parameters = Arc::new(Parameters { entries: Mutex::new(Vec::new()), overrides, listener: OnceLock::new() });
        let with_given = declarations.iter().map(|declaration| {
            let value = match given.iter().find(|(name, _)| *name == declaration.name) {
                Some((name, value)) => check(declaration, value).map_err(|refusal| refusal.into_error(name))?,
                None => default_value(&declaration.kind),
            };
            Ok((*declaration, value))
        });
        let with_given = with_given.collect::<Result<Vec<_>, RosError>>()?;
        parameters.add("", with_given, watch)?;
        Ok(parameters)
    }

    /// Adds parameters with the names `<prefix>.<name>`, or their names alone if `prefix` is empty, and with the values given for them at the
    /// start. Fails, and adds none, on a value that is not accepted or a name that is taken.
    pub fn declare(&self, prefix: &str, declarations: &[Declaration], watch: Watch) -> Result<(), RosError> {
        let defaults =
            declarations.iter().map(|declaration| (*declaration, default_value(&declaration.kind))).collect();
        self.add(prefix, defaults, watch)
    }

    fn add(
        &self,
        prefix: &str,
        declarations: Vec<(Declaration, ParameterValue)>,
        watch: Watch,
    ) -> Result<(), RosError> {
        let watch = Arc::new(watch);
        let mut added = Vec::with_capacity(declarations.len());
        for (declaration, default) in declarations {
            let name = full_name(prefix, declaration.name);
            if self.declaration(&name).is_some() {
                return Err(RosError::new(format!("parameter \"{name}\""), "declared twice"));
            }
            let value = match self.overrides.iter().find(|(given, _)| *given == name) {
                Some((_, given)) => check(&declaration, given).map_err(|refusal| refusal.into_error(&name))?,
                None => default,
            };
            added.push(Entry { name, declaration, value, changes: 0, watch: watch.clone() });
        }
        for entry in &added {
            watch(entry.declaration.name, &entry.value);
        }
        let new = added.iter().map(|entry| (entry.name.clone(), entry.value.clone())).collect();
        lock(&self.entries).extend(added);
        self.notify(&Event { new, ..Event::default() });
        Ok(())
    }

    /// Removes all parameters with names `<prefix>.…`.
    pub(crate) fn undeclare(&self, prefix: &str) {
        let mut deleted = Vec::new();
        lock(&self.entries).retain(|entry| {
            let goes = is_below(&entry.name, prefix) && entry.name != prefix;
            if goes {
                deleted.push((entry.name.clone(), entry.value.clone()));
            }
            !goes
        });
        if !deleted.is_empty() {
            self.notify(&Event { deleted, ..Event::default() });
        }
    }

    /// The value given at the start for a parameter of this name, whether it is declared or not.
    pub fn given(&self, name: &str) -> Option<&ParameterValue> {
        self.overrides.iter().find(|(given, _)| given == name).map(|(_, value)| value)
    }

    /// Calls `listener` with all later changes; only the first listener counts.
    pub fn listen(&self, listener: impl Fn(&Event) + Send + Sync + 'static) {
        let _ = self.listener.set(Box::new(listener));
    }

    /// The names given at the start of parameters that are not declared.
    pub(crate) fn undeclared(&self) -> Vec<&str> {
        let names = self.names();
        let given = self.overrides.iter().map(|(name, _)| name);
        given.filter(|name| !names.contains(name)).map(String::as_str).collect()
    }

    /// The names of all, in order.
    pub fn names(&self) -> Vec<String> {
        lock(&self.entries).iter().map(|entry| entry.name.clone()).collect()
    }

    /// Names and values of all, in order.
    pub fn all(&self) -> Vec<Named> {
        lock(&self.entries).iter().map(|entry| (entry.name.clone(), entry.value.clone())).collect()
    }

    /// The declaration of the parameter with this name, if there is one.
    pub fn declaration(&self, name: &str) -> Option<Declaration> {
        self.with_entry(name, |entry| entry.declaration)
    }

    /// The value of the parameter with this name; not set if there is none.
    pub fn value(&self, name: &str) -> ParameterValue {
        self.with_entry(name, |entry| entry.value.clone()).unwrap_or(ParameterValue::NotSet)
    }

    /// The value of a number; 0 for anything else.
    pub fn number(&self, name: &str) -> f64 {
        match self.value(name) {
            ParameterValue::Double(value) => value,
            _ => 0.0,
        }
    }

    /// The value of a whole number; 0 for anything else.
    pub fn whole(&self, name: &str) -> i64 {
        match self.value(name) {
            ParameterValue::Integer(value) => value,
            _ => 0,
        }
    }

    /// The value of a switch or flag; false for anything else.
    pub fn flag(&self, name: &str) -> bool {
        self.value(name) == ParameterValue::Bool(true)
    }

    /// The value of a word or text; empty for anything else.
    pub fn word(&self, name: &str) -> String {
        match self.value(name) {
            ParameterValue::String(value) => value,
            _ => String::new(),
        }
    }

    /// Number of changes of this parameter since the start, which also reveals a change back and forth between two reads.
    pub fn changes(&self, name: &str) -> u64 {
        self.with_entry(name, |entry| entry.changes).unwrap_or(0)
    }

    /// The form in which a running node accepts `value` for `name`, or the reason why it does not.
    pub(crate) fn would_set(&self, name: &str, value: &ParameterValue) -> Result<ParameterValue, String> {
        let declaration = self.declaration(name).ok_or_else(|| self.unknown(name))?;
        let value = check(&declaration, value)
            .map_err(|refusal| format!("{name}: {}; accepted: {}", refusal.found, refusal.accepted))?;
        if declaration.read_only && value != self.value(name) {
            return Err(format!("{name}: can only be set at the start of the node"));
        }
        Ok(value)
    }

    /// Sets values that `would_set` has accepted. True if a value has changed.
    pub fn set(&self, values: Vec<Named>) -> bool {
        let mut changed = Vec::new();
        for (name, value) in values {
            let Some((watch, declared)) = self.with_entry(&name, |entry| (entry.watch.clone(), entry.declaration.name))
            else {
                continue;
            };
            if self.value(&name) == value {
                continue;
            }
            watch(declared, &value);
            if let Some(entry) = lock(&self.entries).iter_mut().find(|entry| entry.name == name) {
                entry.value = value.clone();
                entry.changes += 1;
            }
            changed.push((name, value));
        }
        let has_changed = !changed.is_empty();
        if has_changed {
            self.notify(&Event { changed, ..Event::default() });
        }
        has_changed
    }

    fn with_entry<T>(&self, name: &str, read: impl FnOnce(&Entry) -> T) -> Option<T> {
        lock(&self.entries).iter().find(|entry| entry.name == name).map(read)
    }

    fn notify(&self, event: &Event) {
        if let Some(listener) = self.listener.get() {
            listener(event);
        }
    }

    fn unknown(&self, name: &str) -> String {
        let names = self.names();
        let hint =
            did_you_mean(name, &names).unwrap_or_else(|| "accepted: the names that ros2 param list prints".to_owned());
        format!("{name}: unknown parameter; {hint}")
    }
}

fn full_name(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

/// Whether the name of a parameter is `prefix` or below it.
pub fn is_below(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|suffix| suffix.is_empty() || suffix.starts_with('.'))
}

fn default_value(kind: &Kind) -> ParameterValue {
    match *kind {
        Kind::Switch { default } | Kind::Flag { default } => ParameterValue::Bool(default),
        Kind::Number { default, .. } | Kind::Gapped { default, .. } => ParameterValue::Double(default),
        Kind::Whole { default, .. } => ParameterValue::Integer(default),
        Kind::Word { default, .. } | Kind::Choice { default, .. } | Kind::Text { default } => {
            ParameterValue::String(default.to_owned())
        }
    }
}

/// Why a value is refused.
#[derive(Debug, PartialEq)]
struct Refusal {
    found: String,
    accepted: String,
}

impl Refusal {
    fn into_error(self, name: &str) -> RosError {
        RosError::new(format!("parameter \"{name}\""), self.found).accepted(self.accepted)
    }
}

/// The value in the parameter's own type (integers are accepted as numbers), or why it is refused.
fn check(declaration: &Declaration, value: &ParameterValue) -> Result<ParameterValue, Refusal> {
    if *value == ParameterValue::NotSet {
        return Err(Refusal { found: "cannot be deleted".to_owned(), accepted: accepted(&declaration.kind) });
    }
    let converted = own_type(&declaration.kind, value);
    let fits = match (declaration.kind, &converted) {
        (Kind::Switch { .. } | Kind::Flag { .. }, ParameterValue::Bool(_)) => true,
        (Kind::Number { range: [from, to], .. }, ParameterValue::Double(number)) => (from..=to).contains(number),
        (Kind::Gapped { range: [from, to], gap: [below, above], .. }, ParameterValue::Double(number)) => {
            (from..=below).contains(number) || (above..=to).contains(number)
        }
        (Kind::Whole { range: [from, to], .. }, ParameterValue::Integer(number)) => (from..=to).contains(number),
        (Kind::Word { of, .. }, ParameterValue::String(word)) => of.contains(&word.as_str()),
        (Kind::Choice { of, .. }, ParameterValue::String(word)) => of.iter().any(|(name, _)| name == word),
        (Kind::Text { .. }, ParameterValue::String(_)) => true,
        _ => false,
    };
    if fits {
        Ok(converted)
    } else {
        Err(Refusal { found: format!("found {}", show(value)), accepted: accepted(&declaration.kind) })
    }
}

/// The value converted to the type of a parameter of this kind, or unchanged if it cannot be converted.
fn own_type(kind: &Kind, value: &ParameterValue) -> ParameterValue {
    match (kind, value) {
        (Kind::Number { .. } | Kind::Gapped { .. }, ParameterValue::Integer(whole)) => {
            ParameterValue::Double(*whole as f64)
        }
        (Kind::Flag { .. }, ParameterValue::Integer(flag @ 0..=1)) => ParameterValue::Bool(*flag == 1),
        (Kind::Choice { of, .. }, ParameterValue::Integer(wanted)) => word_of(of, *wanted, value),
        // Launch arguments and shells pass numbers as text.
        (Kind::Choice { of, .. }, ParameterValue::String(text)) => match text.parse() {
            Ok(wanted) => word_of(of, wanted, value),
            Err(_) => value.clone(),
        },
        _ => value.clone(),
    }
}

fn word_of(of: &[(&str, Option<i64>)], wanted: i64, value: &ParameterValue) -> ParameterValue {
    match of.iter().find(|(_, number)| *number == Some(wanted)) {
        Some((name, _)) => ParameterValue::String((*name).to_owned()),
        None => value.clone(),
    }
}

/// The values that a parameter of this kind accepts, for display.
pub fn accepted(kind: &Kind) -> String {
    match *kind {
        Kind::Switch { .. } => "true, false".to_owned(),
        Kind::Flag { .. } => "true, false, 1, 0".to_owned(),
        Kind::Number { range: [from, to], .. } => format!("a number from {from} to {to}"),
        Kind::Gapped { range: [from, to], gap: [below, above], .. } if from == below => {
            format!("{from}, or a number from {above} to {to}")
        }
        Kind::Gapped { range: [from, to], gap: [below, above], .. } => {
            format!("a number from {from} to {below}, or from {above} to {to}")
        }
        Kind::Whole { range: [from, to], .. } => format!("a whole number from {from} to {to}"),
        Kind::Word { of, .. } => of.join(", "),
        Kind::Choice { of, .. } => {
            let choice = |(name, number): &(&str, Option<i64>)| match number {
                Some(number) => format!("{name} ({number})"),
                None => (*name).to_owned(),
            };
            of.iter().map(choice).collect::<Vec<_>>().join(", ")
        }
        Kind::Text { .. } => "a text".to_owned(),
    }
}

fn show(value: &ParameterValue) -> String {
    match value {
        ParameterValue::Bool(value) => value.to_string(),
        ParameterValue::Integer(value) => value.to_string(),
        ParameterValue::Double(value) => value.to_string(),
        ParameterValue::String(value) => format!("\"{value}\""),
        other => format!("a value of type {}", other.type_name()),
    }
}

#[cfg(test)]
mod tests;
