//! A position in a file and the problem there: the common form of all messages about a world.

use std::collections::HashSet;
use std::fmt;
use std::iter;
use std::sync::Arc;

use skidpad_files::assets::Author;
use skidpad_files::counted::counted;
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::errors_by_parts;

/// A position in a world file, as the file is written (before any substitution).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Path of the file as shown to the user.
    pub file: Arc<str>,
    /// Line, from 1. 0 stands for the file as a whole.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// The `<include>` tag that brought the file in; none in the world file itself.
    pub included_from: Option<Arc<Place>>,
    /// Who wrote the text there, or had it included.
    pub author: Author,
}

impl Place {
    /// The file as a whole, for problems without a line (a file that cannot be read).
    pub fn of_file(file: &str) -> Place {
        Place { file: file.into(), line: 0, column: 0, included_from: None, author: Author::Local }
    }

    /// The file that contains this place.
    pub(super) fn whole(&self) -> Place {
        Place { line: 0, column: 0, ..self.clone() }
    }
}

impl fmt::Display for Place {
    /// `file:line:column`, or `file` alone for the file as a whole. The include chain is not part of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}", self.file)
        } else {
            write!(f, "{}:{}:{}", self.file, self.line, self.column)
        }
    }
}

/// How bad a [`Problem`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The world still loads.
    Warning,
    /// The world does not load.
    Error,
}

/// One problem of a world. Its `Display` is that of a [`Diagnostic`], which notes the files that included the place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    /// Where it is.
    pub place: Place,
    /// What was found: lower case, no full stop.
    pub message: String,
    /// Accepted values; may be empty.
    pub accepted: Vec<String>,
    /// Suggestion for fixing it.
    pub hint: Option<String>,
    /// Error or warning.
    pub severity: Severity,
}

impl From<&Problem> for Diagnostic {
    fn from(problem: &Problem) -> Diagnostic {
        let included_from =
            iter::successors(problem.place.included_from.as_deref(), |place| place.included_from.as_deref());
        Diagnostic {
            place: Some(problem.place.to_string()),
            found: problem.message.clone(),
            notes: included_from.map(|place| format!("included from {place}")).collect(),
            accepted: problem.accepted.clone(),
            hint: problem.hint.clone(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagnostic::from(self).fmt(f)
    }
}

/// All problems of one load. `Display` writes them one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl From<&Problems> for Diagnostics {
    fn from(problems: &Problems) -> Diagnostics {
        problems.0.iter().map(Diagnostic::from).collect()
    }
}

errors_by_parts!(Problems);

/// Why a value could not be evaluated.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

impl Failure {
    pub(super) fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), hint: None }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }
}

/// Problems in the order in which they were found, each once, however often a loop repeats it.
#[derive(Debug, Default)]
pub(super) struct Record {
    seen: HashSet<Problem>,
    errors: Vec<Problem>,
    warnings: Vec<Problem>,
    dropped: Option<(Place, usize)>,
}

impl Record {
    /// Most errors, and most warnings, kept from one load.
    const MAX_DIAGNOSTICS: usize = 1000;

    /// Whether further problems of this severity are only counted.
    pub(super) fn is_full(&self, severity: Severity) -> bool {
        match severity {
            Severity::Error => self.errors.len() >= Self::MAX_DIAGNOSTICS,
            Severity::Warning => self.warnings.len() >= Self::MAX_DIAGNOSTICS,
        }
    }

    pub(super) fn add(&mut self, problem: Problem) {
        if self.seen.contains(&problem) {
            return;
        }
        let list = match problem.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if list.len() < Self::MAX_DIAGNOSTICS {
            list.push(problem.clone());
            self.seen.insert(problem);
        } else {
            let count = self.dropped.take().map_or(0, |(_, count)| count);
            self.dropped = Some((problem.place, count + 1));
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    pub(super) fn finish(mut self) -> (Vec<Problem>, Vec<Problem>) {
        if let Some((place, count)) = self.dropped {
            self.warnings.push(Problem {
                place,
                message: format!("not shown: {} up to here", counted(count, "more problem")),
                accepted: Vec::new(),
                hint: None,
                severity: Severity::Warning,
            });
        }
        (self.errors, self.warnings)
    }
}
