//! What a command prints on stdout: its text, or with `--json` one document with everything that it has to say. `docs/json.md` describes the
//! document.

use std::io::{self, IsTerminal, StdoutLock, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use serde::Serialize;
use serde_json::Value;

use crate::file_error::FileError;
use crate::legible::plain;
use crate::report::{self, Message};
use crate::{Failure, arguments, signals, usage};

/// Version of the documents: incremented when a field goes or changes its meaning, not when one is added.
const SCHEMA: u32 = 1;

/// The commands that have such a document.
pub const COMMANDS: [&str; 10] =
    ["run", "check", "list", "plot", "experiment", "test", "identify", "validate", "analyze", "rerun"];

/// The option of these commands.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct JsonArgs {
    /// Print one JSON document with the result, errors and warnings
    ///
    /// docs/json.md describes the document.
    #[arg(long, group = "format")]
    pub json: bool,
}

/// A document.
#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    command: &'a str,
    /// Exit status.
    status: u8,
    messages: Vec<Message>,
    result: Value,
}

impl Document<'_> {
    fn print(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, self)?;
        writeln!(out)?;
        out.flush()
    }
}

/// The standard output. Names of files, worlds and recordings, which others have given, cannot control a terminal ([`plain`]); into a pipe or a file
/// they go as they are.
pub struct Stdout {
    lock: StdoutLock<'static>,
    is_terminal: bool,
}

impl Stdout {
    /// Nobody else writes on it meanwhile.
    pub fn lock() -> Stdout {
        let lock = io::stdout().lock();
        Stdout { is_terminal: lock.is_terminal(), lock }
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_terminal {
            self.lock.write_all(plain(&String::from_utf8_lossy(bytes)).as_bytes())?;
        } else {
            self.lock.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.lock.flush()
    }
}

/// The answer of a command.
pub struct Answer {
    /// The command, if it is to answer with a document.
    command: Option<&'static str>,
    result: Value,
}

impl Answer {
    /// That of the command with this name, as a document; none: as text.
    pub fn new(command: Option<&'static str>) -> Answer {
        Answer { command, result: Value::Null }
    }

    /// The command, if it answers with a document.
    pub fn command(&self) -> Option<&'static str> {
        self.command
    }

    /// Answers: with the value in a document, or with the text at once.
    pub fn give(
        &mut self,
        value: impl FnOnce() -> Value,
        text: impl FnOnce(&mut Stdout) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.command.is_some() {
            self.result = value();
            return Ok(());
        }
        text(&mut Stdout::lock())
    }

    /// Reports why a command failed, and prints its document; returns the status of the process, which it may end at once.
    pub fn end(self, done: Result<(), Failure>) -> ExitCode {
        let status = match done {
            Ok(()) | Err(Failure::Unread) => 0,
            Err(Failure::Because(errors)) => {
                report::error(errors);
                1
            }
            Err(Failure::Ended { errors, status }) => {
                report::error(errors);
                status
            }
            Err(Failure::Stuck { errors, status }) => {
                report::error(errors);
                signals::end_at_once(self.finish(u8::try_from(status).unwrap_or(1)).into())
            }
        };
        ExitCode::from(self.finish(status))
    }

    /// Prints the document of a command that has ended with this status, if there is to be one; returns the status of the process.
    pub fn finish(self, status: u8) -> u8 {
        let Some(command) = self.command else { return status };
        let document = Document { schema: SCHEMA, command, status, messages: report::take(), result: self.result };
        match document.print() {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                report::error(FileError::write("the standard output", error));
                status.max(1)
            }
            Ok(()) | Err(_) => status,
        }
    }
}

/// Answers a wrong use of the program, or a question for help; returns the exit status.
pub fn wrong_usage(error: &clap::Error, words: &[String]) -> ExitCode {
    let used = words.iter().skip(1).find(|word| !word.starts_with('-'));
    let command = COMMANDS.into_iter().find(|name| used.is_some_and(|used| used == name));
    match command.filter(|_| error.use_stderr() && words.iter().any(|word| word == "--json")) {
        Some(command) => {
            let messages = vec![Message::error(usage::message(error, &arguments(), words))];
            let document = Document { schema: SCHEMA, command, status: 2, messages, result: Value::Null };
            // The status says enough where nobody reads.
            let _ = document.print();
            ExitCode::from(2)
        }
        None if error.use_stderr() && error.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            report::error(usage::message(error, &arguments(), words));
            ExitCode::from(2)
        }
        None => {
            // The status says enough where nobody reads.
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
    }
}
