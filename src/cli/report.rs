//! The one reporter of the program: what its commands say besides the data that they print.
//!
//! On stderr an error begins `error: ` and a warning `warning: `; what is going on, such as a file that was written, has no such word. With `--json`
//! errors and warnings are kept instead, for the document on stdout ([`super::answer`]). `--quiet` leaves errors and warnings alone.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::guard::lock;

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Args)]
pub(super) struct Verbosity {
    /// Report errors and warnings only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(super) quiet: bool,
    /// Report details too: what happens in the program, for its developers
    #[arg(short, long, global = true)]
    pub(super) verbose: bool,
}

/// How bad a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
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
pub(super) struct Message {
    pub(super) level: Level,
    /// File, line and column, or an option, or a name; none for the program as a whole.
    pub(super) place: Option<String>,
    /// What was found there.
    pub(super) found: String,
    /// What is accepted.
    pub(super) accepted: Option<String>,
    /// How to go on.
    pub(super) hint: Option<String>,
    /// Further lines, such as the folders that were searched.
    pub(super) notes: Vec<String>,
}

impl Message {
    /// The message that begins with this line, `place: found`.
    fn begins(level: Level, line: &str) -> Message {
        let (place, found) = match line.split_once(": ") {
            Some((place, found)) => (Some(place.to_owned()), found),
            None => (None, line),
        };
        Message { level, place, found: found.to_owned(), accepted: None, hint: None, notes: Vec::new() }
    }

    /// An error of the program as a whole.
    pub(super) fn whole(found: &str) -> Message {
        Message { place: None, found: found.to_owned(), ..Message::begins(Level::Error, "") }
    }

    /// Adds one of its further lines.
    fn add(&mut self, line: &str) {
        let slot = match line.split_once(": ") {
            Some(("accepted", text)) => Some((&mut self.accepted, text)),
            Some(("hint", text)) => Some((&mut self.hint, text)),
            _ => None,
        };
        match slot {
            Some((slot @ None, text)) => *slot = Some(text.to_owned()),
            _ => self.notes.push(line.to_owned()),
        }
    }

    /// The messages in a text: each begins in a line that is not indented.
    pub(super) fn all_in(level: Level, text: &str) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match messages.last_mut().filter(|_| line.starts_with(' ')) {
                Some(message) => message.add(line.trim()),
                None => messages.push(Message::begins(level, line.trim())),
            }
        }
        messages
    }
}

/// Whether errors and warnings alone are printed.
static IS_QUIET: AtomicBool = AtomicBool::new(false);
/// The errors and warnings of a command with `--json`; none without it.
static KEPT: Mutex<Option<Vec<Message>>> = Mutex::new(None);

/// Begins a command: one process may run several, one after the other.
pub(super) fn begin(verbosity: Verbosity, is_json: bool) {
    IS_QUIET.store(verbosity.quiet, Ordering::Relaxed);
    *lock(&KEPT) = is_json.then(Vec::new);
}

/// Reports the errors in a text: each begins in a line that is not indented.
pub(super) fn error(text: &str) {
    tell(Level::Error, text);
}

/// Reports the errors or warnings in a text.
pub(super) fn tell(level: Level, text: &str) {
    match &mut *lock(&KEPT) {
        Some(kept) => kept.extend(Message::all_in(level, text)),
        None => print(&with_word(level, text)),
    }
}

/// Says what is going on or what was done, in lines without a word in front of them.
pub(super) fn note(text: impl Display) {
    if !IS_QUIET.load(Ordering::Relaxed) {
        print(&text.to_string());
    }
}

/// Whether progress is drawn: on a terminal, unless `--quiet` is given.
pub(super) fn draws_progress() -> bool {
    !IS_QUIET.load(Ordering::Relaxed) && io::stderr().is_terminal()
}

/// The errors and warnings of a command with `--json`, which has ended.
pub(super) fn take() -> Vec<Message> {
    lock(&KEPT).take().unwrap_or_default()
}

/// The text with the word of its level in front of each message.
fn with_word(level: Level, text: &str) -> String {
    let lines = text.lines().map(|line| match line.starts_with(' ') || line.is_empty() {
        true => Cow::Borrowed(line),
        false => Cow::Owned(format!("{}{line}", level.word())),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Prints a text in one piece. What files contain cannot control the terminal: such characters are shown as escapes. Errors of stderr are
/// ignored.
pub(super) fn print(text: &str) {
    let mut line = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        match c.is_control() && !['\n', '\t'].contains(&c) {
            true => line.extend(c.escape_default()),
            false => line.push(c),
        }
    }
    line.push('\n');
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_by_their_parts() {
        let text = "w.xml:3:3: unknown tag \"blok\"\n  included from v.xml:1:2\n  accepted: block, vehicle\n  hint: did you mean \"block\"?\n\
                    the recording failed, see above";
        let [first, second] = &Message::all_in(Level::Error, text)[..] else { panic!("two messages") };
        assert_eq!(first.place.as_deref(), Some("w.xml:3:3"));
        assert_eq!(first.found, "unknown tag \"blok\"");
        assert_eq!(first.accepted.as_deref(), Some("block, vehicle"));
        assert_eq!(first.hint.as_deref(), Some("did you mean \"block\"?"));
        assert_eq!(first.notes, ["included from v.xml:1:2"]);
        assert_eq!((&second.place, second.found.as_str()), (&None, "the recording failed, see above"));
    }

    #[test]
    fn each_message_of_a_text_begins_with_the_word_of_its_level() {
        assert_eq!(with_word(Level::Error, "a: b\n  hint: c\nd: e"), "error: a: b\n  hint: c\nerror: d: e");
        assert_eq!(with_word(Level::Warning, "a: b"), "warning: a: b");
    }
}
