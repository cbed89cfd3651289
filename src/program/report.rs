//! The one reporter of the program: what its commands say besides the data that they print.
//!
//! On stderr an error begins `error: ` and a warning `warning: `; what is going on, such as a file that was written, has no such word. With `--json`
//! errors and warnings are kept instead, for the document on stdout ([`crate::answer`]). `--quiet` leaves errors and warnings alone.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use clap::ColorChoice;
use serde::Serialize;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::guard::lock;
use crate::legible::plain;
use crate::progress;

/// How much is reported, and how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Args)]
pub struct Verbosity {
    /// Report errors and warnings only
    #[arg(short, long, global = true, conflicts_with = "verbose", display_order = 900)]
    pub quiet: bool,
    /// Report details of the program too; -vv reports more
    #[arg(short, long, global = true, action = clap::ArgAction::Count, display_order = 901)]
    pub verbose: u8,
    /// Color messages and help; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 902)]
    pub color: clap::ColorChoice,
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
    /// The word in front of a message, and how a terminal shows it: bold, in red or in yellow.
    fn word(self) -> (&'static str, &'static str) {
        match self {
            Level::Error => ("error:", "\u{1b}[1;31m"),
            Level::Warning => ("warning:", "\u{1b}[1;33m"),
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

/// Whether messages and help are coloured: the position of a [`ColorChoice`] in [`COLORS`].
static COLOR: AtomicUsize = AtomicUsize::new(0);
const COLORS: [ColorChoice; 3] = [ColorChoice::Auto, ColorChoice::Always, ColorChoice::Never];

/// Chooses whether messages and help are coloured.
pub fn set_color(choice: ColorChoice) {
    COLOR.store(COLORS.iter().position(|color| *color == choice).unwrap_or(0), Ordering::Relaxed);
}

/// Whether messages and help are coloured.
pub(crate) fn color() -> ColorChoice {
    COLORS[COLOR.load(Ordering::Relaxed)]
}

/// Whether messages on stderr are coloured: by choice, or on a terminal (see no-color.org).
fn is_colored() -> bool {
    match color() {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
            io::stderr().is_terminal() && !is_set("NO_COLOR") && !is_dumb
        }
    }
}

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
        Some(kept) => kept.extend(all.map(|diagnostic| Message::new(level, diagnostic))),
        None => all.for_each(|diagnostic| write(&form(level, &diagnostic, is_colored()))),
    }
}

/// A message as lines. Colours mark its level and what names its parts.
fn form(level: Level, message: &Diagnostic, is_colored: bool) -> String {
    let (word, style) = level.word();
    if !is_colored {
        return format!("{word} {message}\n");
    }
    let text = message.to_string();
    let line = |line: &str| match line.split_once(": ") {
        Some((part @ ("  accepted" | "  hint"), content)) => format!("\u{1b}[32m{part}:\u{1b}[0m {content}\n"),
        Some(_) | None => format!("{line}\n"),
    };
    let lines: String = text.lines().map(line).collect();
    format!("{style}{word}\u{1b}[0m {lines}")
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
    if is_colored() && !IS_QUIET.load(Ordering::Relaxed) {
        write(&format!("\n    {words}\u{1b}[1;4m{}\u{1b}[0m\n\n", plain(text)));
    } else {
        note(format!("{words}{text}"));
    }
}

fn write(text: &str) {
    progress::aside(|| drop(io::stderr().lock().write_all(text.as_bytes())));
}
