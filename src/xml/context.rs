//! Shared state of one load of a world: variables, random numbers, problems, and the evaluation of values with them.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use skidpad_files::assets::{self, Assets, Author, Cancel, Progress};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::input_file::FileProblem;
use skidpad_files::nearest::did_you_mean;

use super::place::{Failure, Record};
use super::source::FileText;
use super::{Generator, Place, Problem, Severity};

/// Most text that one load reads and generates [bytes]; text that substitution rescans counts again.
const MAX_TEXT: u64 = 512 << 20;

/// Permissions and inputs of a load.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Seed of `rand`, `unifrnd` and `randn` in `$f{…}`; 0 if none, so that a load is repeatable. A world that calls
    /// `randomize` overrides it.
    pub seed: Option<u64>,
    /// Whether `$(command)` runs the command in a shell. `$(ros2 pkg prefix …)` is always answered, without a shell.
    pub allow_commands: bool,
    /// How meshes, textures and the like are located.
    pub assets: assets::Settings,
    /// Variables set by the user; they override `<variable>`.
    pub variables: Vec<(String, String)>,
    /// Names of variables that the world need not have.
    pub optional_variables: Vec<String>,
    /// Names that the world has a `<variable>` or a `<for>` of, where what is read belongs to a world that was read before.
    pub declared_variables: Vec<String>,
}

/// Which variables a value sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The variables of `<variable>` and `<for>`, and the names given to the reader.
    World,
    /// Only the names given to the reader.
    Constant,
}

/// The shared state of one load. Its methods take `&self`, so that readers and the visitor of [`Context::read_world`]
/// can use it at the same time.
#[derive(Debug)]
pub struct Context {
    pub(super) options: Options,
    /// Keyed by the name in lower case, since expressions ignore case, then by the exact name.
    variables: RefCell<BTreeMap<String, BTreeMap<String, String>>>,
    /// Names used by a value, an included file or a `<variable>`.
    used_names: RefCell<BTreeSet<String>>,
    /// Names of the variables of `<for>`.
    loop_names: RefCell<BTreeSet<String>>,
    /// Names of variables that values in the world's own file use.
    names_of_world: RefCell<BTreeSet<String>>,
    /// Names that a `<variable>` or a `<for>` has set.
    declared: RefCell<BTreeSet<String>>,
    /// Variables that included files took or did not take for what their includes do not give, by their places without the includes.
    taken: RefCell<BTreeMap<Place, Taken>>,
    pub(super) generator: RefCell<Generator>,
    record: RefCell<Record>,
    /// Files being read, innermost last.
    pub(super) including: RefCell<Vec<PathBuf>>,
    /// Texts of files already read: a loop may include the same file many times.
    pub(super) texts: RefCell<HashMap<PathBuf, FileText>>,
    /// Output of the commands run so far, or why they failed.
    pub(super) commands: RefCell<HashMap<String, Result<String, String>>>,
    pub(super) assets: Assets,
    /// Current nesting depth of `for`, `if` and `include`.
    pub(super) depth: Cell<usize>,
    /// Loop rounds and includes processed so far.
    pub(super) work: Cell<u64>,
    /// Number of elements passed to the visitor so far, and their weight with everything inside them.
    pub(super) emitted: Cell<(u64, u64)>,
    /// Set once the world has exceeded a limit: nothing more is processed then.
    pub(super) halted: Cell<bool>,
    /// Text read and generated so far [bytes].
    spent: Cell<u64>,
    /// Set once a caller over the network has set a variable: from then on every value that uses variables counts as
    /// written by that caller.
    has_foreign_variables: Cell<bool>,
}

/// A name in an included file that the world has a variable of.
#[derive(Debug)]
struct Taken {
    place: Place,
    name: String,
    default: String,
    /// Of the variable.
    value: String,
    /// Whether the name is one of the file's own, which has its default. Otherwise it is the variable.
    is_kept: bool,
}

impl Context {
    /// A load that has not read anything yet.
    pub fn new(options: Options) -> Context {
        let assets = Assets::new(options.assets.clone());
        Context::with_assets(options, assets)
    }

    /// A restarted load: without variables and problems, with the random numbers from their start, but with the files, texts and
    /// command outputs of the `previous` load. Nothing is read, fetched or run twice.
    pub fn restart(previous: Context) -> Context {
        let context = Context::with_assets(previous.options, previous.assets);
        Context { texts: previous.texts, commands: previous.commands, ..context }
    }

    fn with_assets(options: Options, assets: Assets) -> Context {
        let seed = options.seed.unwrap_or(0);
        // The generator takes 32 bits; seeds that fit are used unchanged, as in `randomize`.
        let folded = (seed ^ (seed >> 32)) & 0xFFFF_FFFF;
        let given = options.variables.clone();
        let context = Context {
            variables: RefCell::default(),
            used_names: RefCell::default(),
            loop_names: RefCell::default(),
            names_of_world: RefCell::default(),
            declared: RefCell::new(options.declared_variables.iter().cloned().collect()),
            taken: RefCell::default(),
            generator: RefCell::new(Generator::new(u32::try_from(folded).unwrap_or(0))),
            record: RefCell::default(),
            including: RefCell::default(),
            texts: RefCell::default(),
            commands: RefCell::default(),
            assets,
            depth: Cell::new(0),
            work: Cell::new(0),
            emitted: Cell::new((0, 0)),
            halted: Cell::new(false),
            spent: Cell::new(0),
            has_foreign_variables: Cell::new(false),
            options,
        };
        given.into_iter().for_each(|(name, value)| context.set_variable(name, value));
        context
    }

    /// Records an error. Add `.accepted([…])` and `.hint("…")` where they help; it is recorded at the end of the statement.
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

    /// Listener for slow work.
    pub fn progress(&self) -> &Progress {
        &self.assets.settings().progress
    }

    /// Cancellation of the load.
    pub fn cancel(&self) -> &Cancel {
        &self.assets.settings().cancel
    }

    /// Whether a caller over the network requested the load.
    pub fn is_for_caller(&self) -> bool {
        self.assets.settings().reach.is_some()
    }

    /// The author of a value at `place`, including everything that may have been substituted into it.
    pub(super) fn author_at(&self, place: &Place) -> Author {
        if self.has_foreign_variables.get() { Author::Remote } else { place.author }
    }

    /// Records that a variable gets its value from `place`.
    pub(super) fn note_assignment(&self, place: &Place) {
        if place.author == Author::Remote {
            self.has_foreign_variables.set(true);
        }
    }

    /// The problem of a file that the world names, as the requester of the load may see it: without the content for
    /// callers over the network.
    pub fn file_problem(&self, problem: &dyn FileProblem) -> Diagnostic {
        if self.is_for_caller() { problem.without_content() } else { problem.diagnostic() }
    }

    /// Whether a problem at `place` may be quoted in full. Callers over the network may not see the content of files,
    /// but know their own texts.
    fn may_quote(&self, place: &Place) -> bool {
        let is_own_text = place.author == Author::Remote && place.included_from.is_none();
        !self.is_for_caller() || is_own_text || place.line == 0
    }

    /// Counts text that is read or generated; an error once it exceeds the limit of a world.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Failure> {
        let spent = self.spent.get().saturating_add(bytes as u64);
        self.spent.set(spent);
        if spent > MAX_TEXT {
            return Err(Failure::new(format!(
                "more than {} MiB of text in the files and expansions of this world",
                MAX_TEXT >> 20
            )));
        }
        Ok(())
    }

    /// The text of a variable set by `<variable>`, `<for>` or [`Self::set_variable`].
    pub fn variable(&self, name: &str) -> Option<String> {
        self.mark_used(name);
        self.variables.borrow().get(&name.to_ascii_lowercase())?.get(name).cloned()
    }

    /// The same, for a value at `place`.
    pub(super) fn variable_for(&self, name: &str, place: &Place) -> Option<String> {
        self.note_use(name, place);
        self.variable(name)
    }

    /// Records the name of a variable that a value at `place` uses.
    fn note_use(&self, name: &str, place: &Place) {
        if place.included_from.is_none() && !self.names_of_world.borrow().contains(name) {
            self.names_of_world.borrow_mut().insert(name.to_string());
        }
    }

    /// Records that `${name|default}` at this place of an included file is replaced by a variable, if there is one: its include does not give it.
    pub(super) fn note_taken(&self, place: Place, name: &str, default: &str) {
        let Some(value) = self.variable(name) else { return };
        self.note_name(
            &place,
            Taken { place: place.clone(), name: name.into(), default: default.into(), value, is_kept: false },
        );
    }

    /// Records that a name of an included file's own, declared at this place, has its default although there may be a variable of that name.
    pub(super) fn note_kept(&self, place: &Place, name: &str, default: &str) {
        let variables = self.variables.borrow();
        let Some(value) = variables.get(&name.to_ascii_lowercase()).and_then(|same| same.get(name)) else { return };
        let value = value.clone();
        // Of what the user sets in vain an error tells.
        if value == default || !self.declared.borrow().contains(name) {
            return;
        }
        self.note_name(
            place,
            Taken { place: place.clone(), name: name.into(), default: default.into(), value, is_kept: true },
        );
    }

    fn note_name(&self, place: &Place, name: Taken) {
        let in_file = Place { included_from: None, ..place.clone() };
        self.taken.borrow_mut().entry(in_file).or_insert(name);
    }

    /// Warns of two kinds of variables, which most often meet a name in an included file by chance. The world uses a variable itself, and the file
    /// takes it too. Or the world does not use it, and the file has such a name of its own. Call it once all values have been read.
    pub fn check_taken_variables(&self) {
        let names_of_world = self.names_of_world.borrow();
        for Taken { place, name, default, value, is_kept } in
            self.taken.take().into_values().filter(|taken| names_of_world.contains(&taken.name) != taken.is_kept)
        {
            let (found, hint) = if is_kept {
                (
                    format!(
                        "\"{name}\" has its default {default}, not {value}, the value of the world's variable of that name"
                    ),
                    format!("{name}=\"${{{name}}}\" in the <include …> uses the variable"),
                )
            } else {
                (
                    format!(
                        "\"${{{name}|{default}}}\" is {value}, from the world's variable of that name, not its default"
                    ),
                    format!("{name}=\"{default}\" in the <include …> keeps the default; or rename the variable"),
                )
            };
            self.warn(&place, found).hint(hint);
        }
    }

    /// What the user sets a name to that the world itself has no variable of.
    pub(super) fn setting(&self, name: &str) -> Option<String> {
        self.mark_used(name);
        let set = self.options.variables.iter().find(|(known, _)| known == name);
        set.filter(|_| !self.declared.borrow().contains(name)).map(|(_, value)| value.clone())
    }

    /// Records that the world has a variable of its own of this name.
    pub(super) fn declare(&self, name: &str) {
        if !self.declared.borrow().contains(name) {
            self.declared.borrow_mut().insert(name.to_string());
        }
    }

    /// Records that a loop sets this variable.
    pub(super) fn declare_loop(&self, name: &str) {
        self.declare(name);
        self.loop_names.borrow_mut().insert(name.to_string());
    }

    /// Names of the variables that the world has of its own, as `<variable>` or `<for>`.
    pub fn declared_variables(&self) -> Vec<String> {
        self.declared.borrow().iter().cloned().collect()
    }

    /// Names of the variables that the world or a file of it uses and a caller can set: all but those of loops.
    pub fn settable_variables(&self) -> Vec<String> {
        self.used_names.borrow().difference(&self.loop_names.borrow()).cloned().collect()
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

    /// Records that the world uses a variable.
    fn mark_used(&self, name: &str) {
        if !self.used_names.borrow().contains(name) {
            self.used_names.borrow_mut().insert(name.to_string());
        }
    }

    /// Sets a variable as `<variable>` does: values set by the user take precedence.
    pub(super) fn assign_variable(&self, name: &str, value: String) {
        self.mark_used(name);
        self.declare(name);
        if !self.options.variables.iter().any(|(given, _)| given == name) {
            self.set_variable(name, value);
        }
    }

    /// The optional variables that the world does not use.
    pub fn unused_variables(&self) -> Vec<String> {
        let used = self.used_names.borrow();
        self.options.optional_variables.iter().filter(|name| !used.contains(*name)).cloned().collect()
    }

    /// Records an error for each variable that the user set and the world does not use, unless it is optional.
    pub fn check_user_variables(&self) {
        let used_names: Vec<String> = self.used_names.borrow().iter().cloned().collect();
        for (name, _) in &self.options.variables {
            if !used_names.contains(name) && !self.options.optional_variables.contains(name) {
                let place = Place::of_file(&format!("variable \"{name}\""));
                let report = self.error(&place, "this world has no such variable");
                if used_names.is_empty() {
                    report.hint("a world declares its variables with <variable name=\"…\" value=\"…\"/>");
                } else {
                    report.one_of(name, used_names.iter().map(String::as_str));
                }
            }
        }
    }

    /// The variable of that name, or else the first in byte order that differs only in case.
    pub(super) fn variable_of_any_case(&self, name: &str, place: &Place) -> Option<String> {
        let variables = self.variables.borrow();
        let same = variables.get(&name.to_ascii_lowercase())?;
        let (defined_name, value) = same.get_key_value(name).or_else(|| same.iter().next())?;
        self.mark_used(defined_name);
        self.note_use(defined_name, place);
        Some(value.clone())
    }

    /// Whether an error has been recorded so far.
    pub fn has_errors(&self) -> bool {
        self.record.borrow().has_errors()
    }

    /// The errors and the warnings of the load, in the order found and each once, however often a loop repeats it.
    pub fn finish(self) -> (Vec<Problem>, Vec<Problem>) {
        self.record.into_inner().finish()
    }

    /// Records why a text could not be evaluated.
    pub(super) fn fail(&self, place: &Place, failure: Failure) {
        let report = self.error(place, failure.message);
        if let Some(hint) = failure.hint {
            report.hint(hint);
        }
    }
}

/// A problem under construction; recorded when it is dropped.
#[derive(Debug)]
pub struct Report<'a> {
    context: &'a Context,
    problem: Option<Problem>,
}

impl Report<'_> {
    /// Adds the accepted values.
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

    /// Adds the accepted names, and a hint at the one probably meant by `written`.
    pub fn one_of<S: Into<String>>(self, written: &str, names: impl IntoIterator<Item = S>) -> Self {
        if self.is_lost() {
            return self;
        }
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let guess = did_you_mean(written, &names);
        let report = self.accepted(names);
        match guess {
            Some(guess) => report.hint(guess),
            None => report,
        }
    }

    /// Adds what else a message has: its accepted values and its hint.
    pub fn parts_of(self, message: Diagnostic) -> Self {
        let report = self.accepted(message.accepted);
        match message.hint {
            Some(hint) => report.hint(hint),
            None => report,
        }
    }

    /// Whether the record is full, so that this problem is only counted.
    fn is_lost(&self) -> bool {
        self.problem.as_ref().is_none_or(|problem| self.context.record.borrow().is_full(problem.severity))
    }

    /// Adds a suggestion for fixing it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        if let Some(problem) = &mut self.problem {
            problem.hint = Some(hint.into());
        }
        self
    }
}

/// Truncates a long quotation from a file.
fn shorten(text: &mut String) {
    /// Longest text shown [bytes]: about one terminal screen.
    const MAX_BYTES: usize = 2000;
    if text.len() > MAX_BYTES {
        let end = (0..=MAX_BYTES).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
}

/// Reduces a problem to its place and kind: removes everything from the first text that may be quoted from the file.
fn hide_content(problem: &mut Problem) {
    let is_plain = |c: &char| c.is_ascii_lowercase() || *c == ' ';
    let kind: String = problem.message.chars().take_while(is_plain).collect();
    let kind = match kind.trim() {
        // It may begin with the name of the file.
        _ if problem.message.contains(" cannot be read") => "a file cannot be read:",
        "" => "an error here",
        kind => kind,
    };
    problem.message = format!("{kind} …");
    problem.accepted.clear();
    problem.hint =
        Some("run `skidpad check` on its machine: contents of files are not sent over the network".to_string());
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
