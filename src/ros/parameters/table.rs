//! The parameters of a node as one table, and what each accepts.
//!
//! r2r's own parameter handler has no ranges and no read-only parameters, and takes any value for anything; so the
//! services around this table are in `services.rs`.

use std::sync::{Arc, Mutex, OnceLock};

use r2r::ParameterValue;

use crate::guard::lock;
use crate::ros::error::RosError;
use crate::xml::nearest;

/// What a parameter is, and what it accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// True or false.
    Switch {
        /// Value when none is given.
        default: bool,
    },
    /// True or false, and 0 or 1 from those who have no truth values.
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
    /// Any text, such as a frame or a file.
    Text {
        /// Value when none is given.
        default: &'static str,
    },
}

/// One line of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Declaration {
    /// Name of the parameter.
    pub name: &'static str,
    /// What it does, with its unit.
    pub description: &'static str,
    /// What it accepts.
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

/// A number that can be set at any time: none of those within the gap, which lies between the two.
pub const fn gapped(
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

/// Told every value at the start, and every one that changes, before it is read back; the name is the declaration's own,
/// without what stands before it.
pub type Watch = Box<dyn Fn(&'static str, &ParameterValue) + Send + Sync>;

/// A name and a value.
pub type Named = (String, ParameterValue);

/// What has become of parameters, for those who tell others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Event {
    /// Those that are there from now on.
    pub new: Vec<Named>,
    /// Those that have another value.
    pub changed: Vec<Named>,
    /// Those that are gone, with their last value.
    pub deleted: Vec<Named>,
}

/// Called after parameters have come, changed or gone.
type Listener = Box<dyn Fn(&Event) + Send + Sync>;

/// One parameter.
struct Entry {
    name: String,
    declaration: Declaration,
    value: ParameterValue,
    /// How often it has changed.
    changes: u64,
    watch: Arc<Watch>,
}

/// The values of all parameters, in the order in which they were declared.
pub struct Parameters {
    entries: Mutex<Vec<Entry>>,
    /// What was given at the start, also to those that come later.
    overrides: Vec<Named>,
    listener: OnceLock<Listener>,
}

impl Parameters {
    /// The defaults of the table, over them `given` by the program itself, and over those what `overrides` (name and
    /// value, from `--params-file` and `-p`) says. Fails on a value that is not accepted.
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
                Some((name, value)) => check(declaration, value).map_err(|refusal| {
                    RosError::new(format!("parameter \"{name}\""), refusal.found).accepted(refusal.accepted)
                })?,
                None => default_value(&declaration.kind),
            };
            Ok((*declaration, value))
        });
        let with_given = with_given.collect::<Result<Vec<_>, RosError>>()?;
        parameters.add("", with_given, watch)?;
        Ok(parameters)
    }

    /// Adds parameters that are called `<prefix>.<name>`, or by their names alone where `prefix` is empty. What was given for
    /// them at the start counts. Fails, and adds none, on a value that is not accepted or a name that is taken.
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
            if self.has(&name) {
                return Err(RosError::new(format!("parameter \"{name}\""), "declared twice"));
            }
            let value = match self.overrides.iter().find(|(given, _)| *given == name) {
                Some((_, given)) => check(&declaration, given).map_err(|refusal| {
                    RosError::new(format!("parameter \"{name}\""), refusal.found).accepted(refusal.accepted)
                })?,
                None => default,
            };
            added.push(Entry { name, declaration, value, changes: 0, watch: watch.clone() });
        }
        for entry in &added {
            watch(entry.declaration.name, &entry.value);
        }
        let new = added.iter().map(|entry| (entry.name.clone(), entry.value.clone())).collect();
        lock(&self.entries).extend(added);
        self.tell(&Event { new, ..Event::default() });
        Ok(())
    }

    /// Takes away every parameter that is called `<prefix>.…`.
    pub fn undeclare(&self, prefix: &str) {
        let mut deleted = Vec::new();
        lock(&self.entries).retain(|entry| {
            let goes = is_below(&entry.name, prefix) && entry.name != prefix;
            if goes {
                deleted.push((entry.name.clone(), entry.value.clone()));
            }
            !goes
        });
        if !deleted.is_empty() {
            self.tell(&Event { deleted, ..Event::default() });
        }
    }

    /// What was given at the start for a parameter of this name, whether it is there or not.
    pub fn given(&self, name: &str) -> Option<&ParameterValue> {
        self.overrides.iter().find(|(given, _)| given == name).map(|(_, value)| value)
    }

    /// Has `listener` told of what comes, changes and goes from now on; the first one stays.
    pub fn listen(&self, listener: impl Fn(&Event) + Send + Sync + 'static) {
        let _ = self.listener.set(Box::new(listener));
    }

    /// Warns of values given at the start for parameters that are not declared but whose name is close to a declared one.
    pub fn tell_of_unknown(&self) {
        let names = self.names();
        for (name, _) in self.overrides.iter().filter(|(name, _)| !names.contains(name)) {
            // Files of parameters are shared between nodes, so that a foreign name alone is nothing to speak of.
            match nearest(name, &names) {
                Some(meant) => tracing::warn!("parameter \"{name}\": unknown\n  hint: did you mean \"{meant}\"?"),
                None => tracing::debug!("parameter \"{name}\": unknown, ignored"),
            }
        }
    }

    /// The names of all, in order.
    pub fn names(&self) -> Vec<String> {
        lock(&self.entries).iter().map(|entry| entry.name.clone()).collect()
    }

    /// Names and values of all, in order.
    pub fn all(&self) -> Vec<Named> {
        lock(&self.entries).iter().map(|entry| (entry.name.clone(), entry.value.clone())).collect()
    }

    /// What the parameter called so is, if there is one.
    pub fn declaration(&self, name: &str) -> Option<Declaration> {
        self.of(name, |entry| entry.declaration)
    }

    /// The value of the parameter called so; not set where there is none.
    pub fn value(&self, name: &str) -> ParameterValue {
        self.of(name, |entry| entry.value.clone()).unwrap_or(ParameterValue::NotSet)
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

    /// How often this parameter has changed since the start, so that one who looks now and then sees that it went back and forth.
    pub fn changes(&self, name: &str) -> u64 {
        self.of(name, |entry| entry.changes).unwrap_or(0)
    }

    /// Whether a running node would take `value` for `name`, and in which form; otherwise the reason why not.
    pub fn would_set(&self, name: &str, value: &ParameterValue) -> Result<ParameterValue, String> {
        let declaration = self.declaration(name).ok_or_else(|| self.unknown(name))?;
        let value = check(&declaration, value)
            .map_err(|refusal| format!("{name}: {}; accepted: {}", refusal.found, refusal.accepted))?;
        if declaration.read_only && value != self.value(name) {
            return Err(format!("{name}: can only be set at the start of the node"));
        }
        Ok(value)
    }

    /// Takes values that [`would_set`](Parameters::would_set) has let pass. True when they changed something.
    pub fn set(&self, values: Vec<Named>) -> bool {
        let mut changed = Vec::new();
        for (name, value) in values {
            let Some((watch, declared)) = self.of(&name, |entry| (entry.watch.clone(), entry.declaration.name)) else {
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
            self.tell(&Event { changed, ..Event::default() });
        }
        has_changed
    }

    fn has(&self, name: &str) -> bool {
        self.of(name, |_| ()).is_some()
    }

    fn of<T>(&self, name: &str, what: impl FnOnce(&Entry) -> T) -> Option<T> {
        lock(&self.entries).iter().find(|entry| entry.name == name).map(what)
    }

    fn tell(&self, event: &Event) {
        if let Some(listener) = self.listener.get() {
            listener(event);
        }
    }

    fn unknown(&self, name: &str) -> String {
        let names = self.names();
        match nearest(name, &names) {
            Some(meant) => format!("{name}: unknown parameter; did you mean {meant}?"),
            None => format!("{name}: unknown parameter; accepted: what ros2 param list names"),
        }
    }
}

fn full_name(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

/// Whether a parameter is called `prefix` or something below it.
pub fn is_below(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
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

/// The value in the parameter's own type (whole numbers pass for numbers), or why it is refused.
fn check(declaration: &Declaration, value: &ParameterValue) -> Result<ParameterValue, Refusal> {
    if *value == ParameterValue::NotSet {
        return Err(Refusal { found: "cannot be deleted".to_owned(), accepted: accepted(&declaration.kind) });
    }
    let own = own_type(&declaration.kind, value);
    let fits = match (declaration.kind, &own) {
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
        Ok(own)
    } else {
        Err(Refusal { found: format!("found {}", show(value)), accepted: accepted(&declaration.kind) })
    }
}

/// The value in the type that a parameter of this kind has, where it means the same; otherwise the value as it is.
fn own_type(kind: &Kind, value: &ParameterValue) -> ParameterValue {
    match (kind, value) {
        (Kind::Number { .. } | Kind::Gapped { .. }, ParameterValue::Integer(whole)) => {
            ParameterValue::Double(*whole as f64)
        }
        (Kind::Flag { .. }, ParameterValue::Integer(flag @ 0..=1)) => ParameterValue::Bool(*flag == 1),
        (Kind::Choice { of, .. }, ParameterValue::Integer(wanted)) => word_of(of, *wanted, value),
        // As launch arguments and shells hand numbers on.
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

/// What a parameter of this kind accepts, for people to read.
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
            let one = |(name, number): &(&str, Option<i64>)| match number {
                Some(number) => format!("{name} ({number})"),
                None => (*name).to_owned(),
            };
            of.iter().map(one).collect::<Vec<_>>().join(", ")
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
