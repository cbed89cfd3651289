//! What one load of a world shares: variables, random numbers, problems, and the evaluation of values with them.

use super::flow::FileText;
use super::place::Record;
use super::substitute::{self, Failure};
use super::{Generator, Place, Problem, Severity};
use crate::assets::{self, Assets, Author, Cancel, Progress};
use crate::input_file::FileProblem;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

/// Most text that one load reads and makes [bytes]; what substitution scans again counts again.
const MOST_TEXT: u64 = 512 << 20;

/// What a load may do and from which seed it starts.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Seed of `rand`, `unifrnd` and `randn` in `$f{…}`; 0 if none, so that a load is repeatable. A world that calls `randomize` overrides it.
    pub seed: Option<u64>,
    /// Whether `$(command)` runs the command in a shell. `$(ros2 pkg prefix …)` is answered without one, and always.
    pub allow_commands: bool,
    /// How meshes, textures and the like are come by.
    pub assets: assets::Settings,
    /// Variables that the user gave: they count instead of what `<variable>` says.
    pub variables: Vec<(String, String)>,
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
    /// By the name in lower case, since expressions do not tell cases apart, then by the name.
    variables: RefCell<BTreeMap<String, BTreeMap<String, String>>>,
    /// Names that a value, an included file or a `<variable>` asked for.
    asked: RefCell<BTreeSet<String>>,
    pub(super) generator: RefCell<Generator>,
    record: RefCell<Record>,
    /// Files being read, innermost last.
    pub(super) including: RefCell<Vec<PathBuf>>,
    /// Texts of files already read: a loop may include the same file many times.
    pub(super) texts: RefCell<HashMap<PathBuf, FileText>>,
    /// What commands already run gave, or why they failed.
    pub(super) commands: RefCell<HashMap<String, Result<String, String>>>,
    pub(super) assets: Assets,
    /// Depth of `for`, `if` and `include` being carried out.
    pub(super) depth: Cell<usize>,
    /// Loop rounds and includes carried out so far.
    pub(super) work: Cell<u64>,
    /// Elements handed out so far, and with all that is in them.
    pub(super) given: Cell<(u64, u64)>,
    /// Set once the world has gone beyond a bound: nothing more is carried out then.
    pub(super) halted: Cell<bool>,
    /// Text read and made so far [bytes].
    spent: Cell<u64>,
    /// Set once a caller over the network has given a variable a value: what is made of variables is that caller's then.
    has_foreign_variables: Cell<bool>,
}

impl Context {
    /// A load that has not read anything yet.
    pub fn new(options: Options) -> Context {
        let assets = Assets::new(options.assets.clone());
        Context::with_assets(options, assets)
    }

    /// A load that starts again: without variables and problems, with the random numbers from their start, but with the files, texts and outputs
    /// of commands of the load `before`. Nothing is read, fetched or run twice.
    pub fn again(before: Context) -> Context {
        let context = Context::with_assets(before.options, before.assets);
        Context { texts: before.texts, commands: before.commands, ..context }
    }

    fn with_assets(options: Options, assets: Assets) -> Context {
        let seed = options.seed.unwrap_or(0);
        // The generator takes 32 bits; seeds that fit are taken as they are, as `randomize` does.
        let folded = (seed ^ (seed >> 32)) & 0xFFFF_FFFF;
        let given = options.variables.clone();
        let context = Context {
            options,
            variables: RefCell::default(),
            asked: RefCell::default(),
            generator: RefCell::new(Generator::new(u32::try_from(folded).unwrap_or(0))),
            record: RefCell::default(),
            including: RefCell::default(),
            texts: RefCell::default(),
            commands: RefCell::default(),
            assets,
            depth: Cell::new(0),
            work: Cell::new(0),
            given: Cell::new((0, 0)),
            halted: Cell::new(false),
            spent: Cell::new(0),
            has_foreign_variables: Cell::new(false),
        };
        given.into_iter().for_each(|(name, value)| context.set_variable(name, value));
        context
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

    /// Who is told what takes long.
    pub fn progress(&self) -> &Progress {
        self.assets.progress()
    }

    /// What calls the load off.
    pub fn cancel(&self) -> &Cancel {
        self.assets.cancel()
    }

    /// Whether a caller over the network asked for the load.
    pub fn is_for_caller(&self) -> bool {
        self.assets.reach().is_some()
    }

    /// Who wrote a value that stands at `place`, with all that may have gone into it.
    pub(super) fn author_at(&self, place: &Place) -> Author {
        if self.has_foreign_variables.get() { Author::Remote } else { place.author }
    }

    /// Notes that what stands at `place` gives a variable its value.
    pub(super) fn note_assignment(&self, place: &Place) {
        if place.author == Author::Remote {
            self.has_foreign_variables.set(true);
        }
    }

    /// What is wrong with a file that the world names, in the words for whoever asked for the load: over the network none of the file's.
    pub fn file_problem(&self, problem: &dyn FileProblem) -> String {
        if self.is_for_caller() { problem.without_content() } else { problem.to_string() }
    }

    /// Whether what is wrong at `place` may be told in full: over the network what stands in files may not, but callers know their own texts.
    fn may_quote(&self, place: &Place) -> bool {
        let is_own_text = place.author == Author::Remote && place.included_from.is_none();
        !self.is_for_caller() || is_own_text || place.line == 0
    }

    /// Counts text that is read or made; an error once that is too much for one world.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Failure> {
        let spent = self.spent.get().saturating_add(bytes as u64);
        self.spent.set(spent);
        if spent > MOST_TEXT {
            return Err(Failure::new(format!(
                "more than {} MiB of text read and made for this world",
                MOST_TEXT >> 20
            )));
        }
        Ok(())
    }

    /// The text of a variable set by `<variable>`, `<for>` or [`Self::set_variable`].
    pub fn variable(&self, name: &str) -> Option<String> {
        self.ask_for(name);
        self.variables.borrow().get(&name.to_ascii_lowercase())?.get(name).cloned()
    }

    /// All variables with their texts, by name.
    pub fn variables(&self) -> Vec<(String, String)> {
        let variables = self.variables.borrow();
        variables.values().flatten().map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// Sets a variable. There is one table for the whole world.
    pub fn set_variable(&self, name: impl Into<String>, value: impl Into<String>) {
        let name = name.into();
        self.variables.borrow_mut().entry(name.to_ascii_lowercase()).or_default().insert(name, value.into());
    }

    /// Notes that the world asks for a variable.
    fn ask_for(&self, name: &str) {
        if !self.asked.borrow().contains(name) {
            self.asked.borrow_mut().insert(name.to_string());
        }
    }

    /// Sets a variable as `<variable>` does: what the user gave stays.
    pub(super) fn assign_variable(&self, name: &str, value: String) {
        self.ask_for(name);
        if !self.options.variables.iter().any(|(given, _)| given == name) {
            self.set_variable(name, value);
        }
    }

    /// Records an error for each variable that the user gave and nothing in the world asked for.
    pub fn check_given_variables(&self) {
        let asked: Vec<String> = self.asked.borrow().iter().cloned().collect();
        for (name, _) in &self.options.variables {
            if !asked.contains(name) {
                let place = Place::of_file(&format!("variable \"{name}\""));
                let report = self.error(&place, "this world has none of this name");
                if asked.is_empty() {
                    report.hint("a world names its variables in <variable name=\"…\" value=\"…\"/>");
                } else {
                    report.one_of(name, asked.iter().map(String::as_str));
                }
            }
        }
    }

    /// The variable of that name, or else the first in byte order that differs from it in case only.
    pub(super) fn variable_of_any_case(&self, name: &str) -> Option<String> {
        let variables = self.variables.borrow();
        let same = variables.get(&name.to_ascii_lowercase())?;
        let (found, value) = same.get_key_value(name).or_else(|| same.iter().next())?;
        self.ask_for(found);
        Some(value.clone())
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
        match substitute::evaluate(self, text, self.author_at(place), scope, names) {
            Ok(value) => Some(value),
            Err(failure) => {
                self.fail(place, failure);
                None
            }
        }
    }

    /// Records why a text could not be had.
    pub(super) fn fail(&self, place: &Place, failure: Failure) {
        let report = self.error(place, failure.message);
        if let Some(hint) = failure.hint {
            report.hint(hint);
        }
    }

    /// [`Self::evaluate`] without a record of what is wrong, and without drawing random numbers.
    pub(super) fn try_evaluate(
        &self,
        text: &str,
        place: &Place,
        scope: Scope,
        names: &[(String, String)],
    ) -> Result<String, Failure> {
        let before = self.generator.borrow().clone();
        let value = substitute::evaluate(self, text, self.author_at(place), scope, names);
        *self.generator.borrow_mut() = before;
        value
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
        if self.is_lost() {
            return self;
        }
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let guess = nearest(written, &names).map(|name| format!("did you mean \"{name}\"?"));
        let report = self.accepted(names);
        match guess {
            Some(guess) => report.hint(guess),
            None => report,
        }
    }

    /// Whether there are so many problems already that this one is only counted.
    fn is_lost(&self) -> bool {
        self.problem.as_ref().is_none_or(|problem| self.context.record.borrow().is_full(problem.severity))
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
pub fn nearest<'a>(written: &str, names: &'a [String]) -> Option<&'a str> {
    let small = written.to_lowercase();
    let (distance, name) = names
        .iter()
        .map(|name| (strsim::osa_distance(&small, &name.to_lowercase()), name))
        .min_by_key(|(distance, _)| *distance)?;
    let limit = (written.chars().count() / 4).max(1);
    (distance <= limit && distance < name.chars().count()).then_some(name)
}

/// Cuts what has been taken from a file and has no end.
fn shorten(text: &mut String) {
    /// Longest that is shown [bytes]: a terminal full.
    const LONGEST: usize = 2000;
    if text.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
}

/// Leaves of a problem where it is and what kind it is: all from the first thing on that may come from the file is left out.
fn hide_content(problem: &mut Problem) {
    let is_plain = |c: &char| c.is_ascii_lowercase() || *c == ' ';
    let kind: String = problem.message.chars().take_while(is_plain).collect();
    let kind = if kind.trim().is_empty() { "something is wrong here" } else { kind.trim() };
    problem.message = format!("{kind} …");
    problem.accepted.clear();
    problem.hint =
        Some("`skidpad check` on its machine tells more: what is in files is not told over the network".to_string());
}

impl Drop for Report<'_> {
    fn drop(&mut self) {
        if let Some(mut problem) = self.problem.take() {
            if !self.context.may_quote(&problem.place) {
                hide_content(&mut problem);
            }
            let hint = problem.hint.as_mut();
            for text in [&mut problem.message].into_iter().chain(&mut problem.accepted).chain(hint) {
                shorten(text);
            }
            self.context.record.borrow_mut().add(problem);
        }
    }
}
