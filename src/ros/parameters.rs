//! The parameters of a node as one table, and what each accepts.
//!
//! r2r's own parameter handler has no ranges and no read-only parameters, and takes any value for anything; so the
//! services around this table are in `parameter_services.rs`.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use r2r::ParameterValue;

use super::error::RosError;
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
        self.lock().extend(added);
        self.tell(&Event { new, ..Event::default() });
        Ok(())
    }

    /// Takes away every parameter that is called `<prefix>.…`.
    pub fn undeclare(&self, prefix: &str) {
        let mut deleted = Vec::new();
        self.lock().retain(|entry| {
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

    /// Warns of values given at the start for parameters that nobody has declared but whose name is close to one's.
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
        self.lock().iter().map(|entry| entry.name.clone()).collect()
    }

    /// Names and values of all, in order.
    pub fn all(&self) -> Vec<Named> {
        self.lock().iter().map(|entry| (entry.name.clone(), entry.value.clone())).collect()
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
            if let Some(entry) = self.lock().iter_mut().find(|entry| entry.name == name) {
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
        self.lock().iter().find(|entry| entry.name == name).map(what)
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

    fn lock(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
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
        Kind::Number { default, .. } => ParameterValue::Double(default),
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
        (Kind::Number { .. }, ParameterValue::Integer(whole)) => ParameterValue::Double(*whole as f64),
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
mod tests {
    use super::*;

    const TABLE: &[Declaration] = &[
        number("gain", 5.0, [0.0, 100.0], "proportional gain [1/s]"),
        switch("active", true, "whether it runs"),
        Declaration::new("FFWD", Kind::Flag { default: true }, "feed-forward"),
        Declaration::new("count", Kind::Whole { default: 2, range: [1, 9] }, "how many"),
        Declaration::new("frame", Kind::Text { default: "odom" }, "frame of the pose"),
        Declaration::new(
            "shape",
            Kind::Choice { default: "circle", of: &[("line", Some(0)), ("circle", Some(2)), ("csv", None)] },
            "which shape",
        )
        .at_start(),
    ];

    fn start(overrides: &[(&str, ParameterValue)]) -> Result<Arc<Parameters>, RosError> {
        let owned: Vec<(String, ParameterValue)> =
            overrides.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Parameters::new(TABLE, &[], owned.iter().map(|(name, value)| (name, value)), Box::new(|_, _| {}))
    }

    fn text(word: &str) -> ParameterValue {
        ParameterValue::String(word.into())
    }

    #[test]
    fn what_means_the_same_is_taken_in_the_type_of_the_parameter() {
        let parameters = start(&[
            ("gain", ParameterValue::Integer(3)),
            ("FFWD", ParameterValue::Integer(0)),
            ("shape", ParameterValue::Integer(0)),
        ])
        .unwrap();
        assert_eq!((parameters.number("gain"), parameters.flag("FFWD")), (3.0, false));
        assert_eq!(parameters.word("shape"), "line");
        for same in [text("circle"), text("2"), ParameterValue::Integer(2)] {
            assert_eq!(start(&[("shape", same)]).unwrap().word("shape"), "circle");
        }
        assert_eq!((start(&[]).unwrap().whole("count"), start(&[]).unwrap().word("frame")), (2, "odom".into()));
    }

    #[test]
    fn what_goes_back_and_forth_is_counted() {
        let parameters = start(&[]).unwrap();
        let set = |value| {
            let value = parameters.would_set("active", &ParameterValue::Bool(value)).unwrap();
            parameters.set(vec![("active".to_owned(), value)])
        };
        assert_eq!([set(true), set(false), set(true), set(true)], [false, true, true, false]);
        assert_eq!((parameters.flag("active"), parameters.changes("active"), parameters.changes("gain")), (true, 2, 0));
    }

    #[test]
    fn what_is_not_accepted_is_named_as_it_was_given() {
        let refusal = |name, value| start(&[(name, value)]).err().unwrap().to_string();
        assert_eq!(
            refusal("shape", ParameterValue::Integer(1)),
            "parameter \"shape\": found 1\n  accepted: line (0), circle (2), csv"
        );
        assert_eq!(
            refusal("shape", text("cricle")),
            "parameter \"shape\": found \"cricle\"\n  accepted: line (0), circle (2), csv"
        );
        assert_eq!(
            refusal("FFWD", ParameterValue::Integer(2)),
            "parameter \"FFWD\": found 2\n  accepted: true, false, 1, 0"
        );
        assert_eq!(
            refusal("count", ParameterValue::Integer(10)),
            "parameter \"count\": found 10\n  accepted: a whole number from 1 to 9"
        );
        assert_eq!(
            refusal("count", ParameterValue::Double(2.5)),
            "parameter \"count\": found 2.5\n  accepted: a whole number from 1 to 9"
        );
        assert_eq!(refusal("frame", ParameterValue::Bool(true)), "parameter \"frame\": found true\n  accepted: a text");
        // A switch of a node that never took numbers does not begin to.
        assert!(start(&[("active", ParameterValue::Integer(1))]).is_err());
    }

    #[test]
    fn a_running_node_refuses_with_a_reason() {
        let parameters = start(&[]).unwrap();
        let refused = |name: &str, value| parameters.would_set(name, &value).unwrap_err();
        assert_eq!(refused("gain", ParameterValue::Double(-1.0)), "gain: found -1; accepted: a number from 0 to 100");
        assert_eq!(refused("shape", text("line")), "shape: can only be set at the start of the node");
        // The value that it has is no change.
        assert!(parameters.would_set("shape", &ParameterValue::Integer(2)).is_ok());
        assert_eq!(refused("gian", ParameterValue::Double(1.0)), "gian: unknown parameter; did you mean gain?");
        assert_eq!(
            refused("colour", ParameterValue::Double(1.0)),
            "colour: unknown parameter; accepted: what ros2 param list names"
        );
        assert_eq!(
            refused("gain", ParameterValue::NotSet),
            "gain: cannot be deleted; accepted: a number from 0 to 100"
        );
    }

    #[test]
    fn a_change_is_told_once() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let watch = {
            let told = told.clone();
            Box::new(move |name: &'static str, value: &ParameterValue| told.lock().unwrap().push((name, value.clone())))
        };
        let parameters = Parameters::new(TABLE, &[], std::iter::empty(), watch).unwrap();
        assert_eq!(std::mem::take(&mut *told.lock().unwrap()).len(), TABLE.len());
        let value = parameters.would_set("gain", &ParameterValue::Integer(7)).unwrap();
        assert!(parameters.set(vec![("gain".to_owned(), value.clone())]));
        assert!(!parameters.set(vec![("gain".to_owned(), value)]));
        assert_eq!(*told.lock().unwrap(), [("gain", ParameterValue::Double(7.0))]);
    }

    #[test]
    fn parameters_come_and_go_under_a_prefix_with_what_was_given_for_them_at_the_start() {
        const OF_VEHICLE: &[Declaration] =
            &[number("gain", 1.0, [0.0, 9.0], "gain"), switch("active", true, "whether")];
        let parameters = start(&[("r1.gain", ParameterValue::Integer(3)), ("r2.gain", text("big"))]).unwrap();
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = told.clone();
        parameters.listen(move |event| heard.lock().unwrap().push(event.clone()));
        let declare = |prefix: &str| parameters.declare(prefix, OF_VEHICLE, Box::new(|_, _| {}));
        declare("r1").unwrap();
        declare("r10").unwrap();
        assert_eq!((parameters.number("r1.gain"), parameters.number("r10.gain")), (3.0, 1.0));
        assert_eq!(parameters.number("gain"), 5.0);
        assert_eq!(declare("r1").unwrap_err().to_string(), "parameter \"r1.gain\": declared twice");
        assert_eq!(
            declare("r2").unwrap_err().to_string(),
            "parameter \"r2.gain\": found \"big\"\n  accepted: a number from 0 to 9"
        );
        parameters.undeclare("r1");
        assert_eq!(parameters.value("r1.gain"), ParameterValue::NotSet);
        assert_eq!(parameters.number("r10.gain"), 1.0);
        declare("r1").unwrap();
        let named = |prefix: &str, gain| {
            let gain = (format!("{prefix}.gain"), ParameterValue::Double(gain));
            vec![gain, (format!("{prefix}.active"), ParameterValue::Bool(true))]
        };
        let new = |named| Event { new: named, ..Event::default() };
        let gone = Event { deleted: named("r1", 3.0), ..Event::default() };
        assert_eq!(*told.lock().unwrap(), [new(named("r1", 3.0)), new(named("r10", 1.0)), gone, new(named("r1", 3.0))]);
    }
}
