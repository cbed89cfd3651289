//! The one reporter of the program: what its commands say besides the data that they print.
//!
//! On stderr an error begins `error: ` and a warning `warning: `; what is going on, such as a file that was written, has no such word. With `--json`
//! errors and warnings are kept instead, for the document on stdout ([`crate::answer`]). `--quiet` leaves errors and warnings alone.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::guard::lock;
use crate::legible::plain;
use crate::progress;

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Args)]
pub struct Verbosity {
    /// Report errors and warnings only
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 900)]
    pub quiet: bool,
    /// Report details too: what happens in the program, for its developers
    #[arg(short, long, global = true, display_order = 901)]
    pub verbose: bool,
}

/// How bad a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something was not done.
    Error,
    /// Everything was done, but perhaps not as it was meant.
    Warning,
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Level::Error => "error: ",
            Level::Warning => "warning: ",
        }
    }
}

/// A message by its parts, as programs read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// How bad it is.
    pub level: Level,
    /// File, line and column, or an option, or a name; none for the program as a whole.
    pub place: Option<String>,
    /// What was found there.
    pub found: String,
    /// What is accepted: names, or one phrase.
    pub accepted: Vec<String>,
    /// How to go on.
    pub hint: Option<String>,
    /// Further lines, such as the folders that were searched.
    pub notes: Vec<String>,
}

impl Message {
    fn new(level: Level, diagnostic: Diagnostic) -> Message {
        let Diagnostic { place, found, notes, accepted, hint } = diagnostic;
        Message { level, place, found, accepted, hint, notes }
    }

    /// An error for programs.
    pub fn error(diagnostic: Diagnostic) -> Message {
        Message::new(Level::Error, diagnostic)
    }
}

/// Whether errors and warnings alone are printed.
static IS_QUIET: AtomicBool = AtomicBool::new(false);
/// The errors and warnings of a command with `--json`; none without it.
static KEPT: Mutex<Option<Vec<Message>>> = Mutex::new(None);

/// Begins a command: one process may run several, one after the other.
pub fn begin(verbosity: Verbosity, is_json: bool) {
    IS_QUIET.store(verbosity.quiet, Ordering::Relaxed);
    *lock(&KEPT) = is_json.then(Vec::new);
}

/// Reports errors.
pub fn error(errors: impl Into<Diagnostics>) {
    tell(Level::Error, errors);
}

/// Reports errors or warnings.
pub fn tell(level: Level, all: impl Into<Diagnostics>) {
    let all = all.into().into_iter().map(Diagnostic::legible);
    match &mut *lock(&KEPT) {
        Some(kept) => kept.extend(all.map(|one| Message::new(level, one))),
        None => all.for_each(|one| print(&format!("{}{one}", level.word()))),
    }
}

/// Says what is going on or what was done, in lines without a word in front of them.
pub fn note(text: impl Display) {
    if !IS_QUIET.load(Ordering::Relaxed) {
        print(&text.to_string());
    }
}

/// Whether progress is drawn: on a terminal, unless `--quiet` is given.
pub(crate) fn draws_progress() -> bool {
    !IS_QUIET.load(Ordering::Relaxed) && io::stderr().is_terminal()
}

/// Whether somebody sees what is said in the letters of a terminal, bold and underlined: it is one that takes them (see no-color.org).
fn is_seen() -> bool {
    draws_progress() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// The errors and warnings of a command with `--json`, which has ended.
pub fn take() -> Vec<Message> {
    lock(&KEPT).take().unwrap_or_default()
}

/// Prints a text in one piece. What files contain cannot control the terminal ([`plain`]). Errors of stderr are ignored.
pub fn print(text: &str) {
    write(&(plain(text).into_owned() + "\n"));
}

/// As [`note`], of a text after these words that is to be seen: where the terminal takes such letters, bold and underlined between empty lines.
pub(crate) fn emphasise(words: &str, text: &str) {
    if is_seen() {
        write(&format!("\n    {words}\u{1b}[1;4m{}\u{1b}[0m\n\n", plain(text)));
    } else {
        note(format!("{words}{text}"));
    }
}

fn write(text: &str) {
    progress::aside(|| drop(io::stderr().lock().write_all(text.as_bytes())));
}
