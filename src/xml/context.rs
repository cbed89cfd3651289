//! What one load of a world shares: variables, random numbers, problems, and the evaluation of values with them.

use super::place::Record;
use super::{Generator, Place, Problem, Severity, substitute};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// What a load may do and from which seed it starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Seed of `rand`, `unifrnd` and `randn` in `$f{…}`; 0 if none, so that a load is repeatable. A world that calls `randomize` overrides it.
    pub seed: Option<u64>,
    /// Whether `$(command)` runs the command in a shell. `$(ros2 pkg prefix …)` is answered without one, and always.
    pub allow_commands: bool,
}

/// Which variables a value sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Those of `<variable>` and `<for>`, and the names given to the reader.
    World,
    /// Only the names given to the reader.
    Constant,
}

/// The shared state of one load. Its methods take `&self`, so that readers and the visitor of [`Context::read_world`] can use it at the same time.
#[derive(Debug)]
pub struct Context {
    pub(super) options: Options,
    variables: RefCell<BTreeMap<String, String>>,
    pub(super) generator: RefCell<Generator>,
    record: RefCell<Record>,
    /// Files being read, innermost last.
    pub(super) including: RefCell<Vec<PathBuf>>,
    /// Texts of files already read: a loop may include the same file many times.
    pub(super) texts: RefCell<HashMap<PathBuf, Arc<str>>>,
    /// Depth of `for`, `if` and `include` being carried out.
    pub(super) depth: Cell<usize>,
    /// Loop rounds and includes carried out so far.
    pub(super) work: Cell<u64>,
}

impl Context {
    /// A load that has not read anything yet.
    pub fn new(options: Options) -> Context {
        let seed = options.seed.unwrap_or(0);
        // The generator takes 32 bits; seeds that fit are taken as they are, as `randomize` does.
        let folded = (seed ^ (seed >> 32)) & 0xFFFF_FFFF;
        Context {
            options,
            variables: RefCell::default(),
            generator: RefCell::new(Generator::new(u32::try_from(folded).unwrap_or(0))),
            record: RefCell::default(),
            including: RefCell::default(),
            texts: RefCell::default(),
            depth: Cell::new(0),
            work: Cell::new(0),
        }
    }

    /// Records an error. Add `.accepted([…])` and `.hint("…")` as they help; the statement's end records it.
    pub fn error(&self, place: &Place, message: impl Into<String>) -> Report<'_> {
        self.report(place, message.into(), Severity::Error)
    }

    /// Records a warning, as [`Self::error`] does an error.
    pub fn warn(&self, place: &Place, message: impl Into<String>) -> Report<'_> {
        self.report(place, message.into(), Severity::Warning)
    }

    fn report(&self, place: &Place, message: String, severity: Severity) -> Report<'_> {
        Report {
            context: self,
            problem: Some(Problem { place: place.clone(), message, accepted: Vec::new(), hint: None, severity }),
        }
    }

    /// The text of a variable set by `<variable>`, `<for>` or [`Self::set_variable`].
    pub fn variable(&self, name: &str) -> Option<String> {
        self.variables.borrow().get(name).cloned()
    }

    /// Sets a variable. There is one table for the whole world.
    pub fn set_variable(&self, name: impl Into<String>, value: impl Into<String>) {
        self.variables.borrow_mut().insert(name.into(), value.into());
    }

    /// The first variable that `found` takes, in byte order of names.
    pub(super) fn find_variable(&self, found: impl Fn(&str) -> bool) -> Option<String> {
        let variables = self.variables.borrow();
        let mut all = variables.iter();
        all.find(|(name, _)| found(name)).map(|(_, v)| v.clone())
    }

    /// Whether an error has been recorded so far.
    pub fn has_errors(&self) -> bool {
        self.record.borrow().has_errors()
    }

    /// The errors and the warnings of the load, each in the order found and each once, however often a loop ran over it.
    pub fn finish(self) -> (Vec<Problem>, Vec<Problem>) {
        self.record.into_inner().finish()
    }

    /// `text` with `${…}`, `$env{…}`, `$(…)` and `$f{…}` replaced. None if that fails: the error is recorded at `place` then.
    pub fn evaluate(&self, text: &str, place: &Place, scope: Scope, names: &[(String, String)]) -> Option<String> {
        if !text.contains('$') {
            return Some(text.to_string());
        }
        match substitute::evaluate(self, text, scope, names) {
            Ok(value) => Some(value),
            Err(failure) => {
                let report = self.error(place, failure.message);
                if let Some(hint) = failure.hint {
                    report.hint(hint);
                }
                None
            }
        }
    }
}

/// A problem being written; recorded when it goes out of scope.
#[derive(Debug)]
pub struct Report<'a> {
    context: &'a Context,
    problem: Option<Problem>,
}

impl Report<'_> {
    /// Adds what would have been accepted.
    pub fn accepted<I>(mut self, accepted: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        if let Some(problem) = &mut self.problem {
            problem.accepted.extend(accepted.into_iter().map(Into::into));
        }
        self
    }

    /// Adds the names that would have been accepted, and which of them was probably meant by `written`.
    pub fn one_of<S: Into<String>>(self, written: &str, names: impl IntoIterator<Item = S>) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let guess = nearest(written, &names).map(|name| format!("did you mean \"{name}\"?"));
        let report = self.accepted(names);
        match guess {
            Some(guess) => report.hint(guess),
            None => report,
        }
    }

    /// Adds what to do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        if let Some(problem) = &mut self.problem {
            problem.hint = Some(hint.into());
        }
        self
    }
}

/// The one of `names` that is so close to `written` that it was probably meant.
fn nearest<'a>(written: &str, names: &'a [String]) -> Option<&'a str> {
    let small = written.to_lowercase();
    let (distance, name) = names
        .iter()
        .map(|name| (strsim::osa_distance(&small, &name.to_lowercase()), name))
        .min_by_key(|(distance, _)| *distance)?;
    let limit = (written.chars().count() / 4).max(1);
    (distance <= limit && distance < name.chars().count()).then_some(name)
}

impl Drop for Report<'_> {
    fn drop(&mut self) {
        if let Some(problem) = self.problem.take() {
            self.context.record.borrow_mut().add(problem);
        }
    }
}
