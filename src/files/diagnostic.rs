//! What a message is made of: the one type for errors and warnings, from the place where they are found to the terminal, the log and the documents of
//! `--json`.
//!
//! ```text
//! place: what was found there
//!   further lines, such as `included from …`
//!   accepted: what could stand there
//!   hint: what to do
//! ```

use std::error::Error;
use std::fmt::{self, Display};
use std::io;

use skidpad_math::time::{Rate, RateError};

use crate::legible::{bounded, plain};
use crate::nearest::did_you_mean;

/// Longest part of a message that readers see [characters].
const MAX_PART: usize = 4000;
/// Most notes, and most accepted names, of a message that readers see.
const MAX_LINES: usize = 400;

/// One message by its parts. Its `Display` is the form of all messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// File, line and column, or an option, a parameter or a name, as the user wrote it; none for the program as a whole, or until
    /// [`at`](Diagnostic::at) adds it.
    pub place: Option<String>,
    /// What was found there: lower case, no full stop.
    pub found: String,
    /// Further lines, such as the file that included this one.
    pub notes: Vec<String>,
    /// What is accepted there: names, or one phrase; may be empty.
    pub accepted: Vec<String>,
    /// How to go on.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A message with its place and what was found there.
    pub fn new(place: impl Display, found: impl Into<String>) -> Diagnostic {
        Diagnostic { place: Some(place.to_string()), ..Diagnostic::of(found) }
    }

    /// A message without a place.
    pub fn of(found: impl Into<String>) -> Diagnostic {
        Diagnostic { found: found.into(), ..Diagnostic::default() }
    }

    /// Adds a line after what was found.
    pub fn note(mut self, line: impl Into<String>) -> Diagnostic {
        self.notes.push(line.into());
        self
    }

    /// Adds what is accepted, as a phrase.
    pub fn accepted(mut self, phrase: impl Into<String>) -> Diagnostic {
        self.accepted.push(phrase.into());
        self
    }

    /// Adds accepted names, as a list.
    pub fn accepted_all<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Diagnostic {
        self.accepted.extend(names.into_iter().map(Into::into));
        self
    }

    /// Adds the accepted names, and a hint at the one probably meant by `written`.
    pub fn one_of<S: AsRef<str>>(mut self, written: &str, names: &[S]) -> Diagnostic {
        self.hint = did_you_mean(written, names).or(self.hint);
        self.accepted_all(names.iter().map(AsRef::as_ref))
    }

    /// Sets how to go on.
    pub fn hint(mut self, hint: impl Into<String>) -> Diagnostic {
        self.hint = Some(hint.into());
        self
    }

    /// Puts a place in front. One that it has becomes part of what was found there: `Kp: found -1` at `e.yaml:4:3`.
    pub fn at(mut self, place: impl Display) -> Diagnostic {
        if let Some(within) = self.place.replace(place.to_string()) {
            self.found = format!("{within}: {}", self.found);
        }
        self
    }

    /// Puts a text in front of what was found, as the file that it is about.
    pub fn after(mut self, text: impl Display) -> Diagnostic {
        self.found = format!("{text}{}", self.found);
        self
    }

    /// `place: found`, for a message that stands in another one.
    pub fn first_line(&self) -> String {
        match &self.place {
            Some(place) => format!("{place}: {}", self.found),
            None => self.found.clone(),
        }
    }

    /// All of it in one line, for errors of libraries that hold no more.
    pub fn in_one_line(&self) -> String {
        self.to_string().replace("\n  ", "; ")
    }

    /// As readers may see it, whoever has said parts of it: each part [plain] and of bounded length, and of bounded number.
    pub fn legible(self) -> Diagnostic {
        let part = |text: String| bounded(&plain(&text), MAX_PART).into_owned();
        let parts = |mut texts: Vec<String>| {
            let left_out = texts.len().saturating_sub(MAX_LINES);
            texts.truncate(MAX_LINES);
            let last = (left_out > 0).then(|| format!("… {left_out} more"));
            texts.into_iter().map(part).chain(last).collect()
        };
        Diagnostic {
            place: self.place.map(part),
            found: part(self.found),
            notes: parts(self.notes),
            accepted: parts(self.accepted),
            hint: self.hint.map(part),
        }
    }

    /// As a value of an event of the log, which carries it by its parts: `tracing::warn!(diagnostic = problem.as_value())`.
    pub fn as_value(&self) -> &(dyn Error + 'static) {
        self
    }
}

impl Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first_line())?;
        for note in &self.notes {
            write!(f, "\n  {note}")?;
        }
        if !self.accepted.is_empty() {
            write!(f, "\n  accepted: {}", self.accepted.join(", "))?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl Error for Diagnostic {}

impl From<&Diagnostic> for Diagnostic {
    fn from(diagnostic: &Diagnostic) -> Diagnostic {
        diagnostic.clone()
    }
}

/// The system's error, or the parts of one that [`input_file`](crate::input_file) found.
impl From<&io::Error> for Diagnostic {
    fn from(error: &io::Error) -> Diagnostic {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<Diagnostic>()) {
            Some(inner) => inner.clone(),
            None => Diagnostic::of(error.to_string()),
        }
    }
}

impl From<io::Error> for Diagnostic {
    fn from(error: io::Error) -> Diagnostic {
        Diagnostic::from(&error)
    }
}

impl From<RateError> for Diagnostic {
    fn from(error: RateError) -> Diagnostic {
        let numbers = format!("a number from {} to {}", Rate::MIN_FACTOR, Rate::MAX_FACTOR);
        Diagnostic::new("rate", error.to_string()).accepted(numbers).accepted("max")
    }
}

/// Several messages, as a config with several mistakes has. `Display` writes them one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
    /// Puts a place in front of those of all.
    pub fn at(self, place: impl Display) -> Diagnostics {
        self.into_iter().map(|diagnostic| diagnostic.at(&place)).collect()
    }
}

impl Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            diagnostic.fmt(f)?;
        }
        Ok(())
    }
}

impl Error for Diagnostics {}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        Diagnostics(vec![diagnostic])
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(all: I) -> Diagnostics {
        Diagnostics(all.into_iter().collect())
    }
}

impl FromIterator<Diagnostics> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostics>>(all: I) -> Diagnostics {
        all.into_iter().flatten().collect()
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Makes errors of types that say by `impl From<&Type> for Diagnostic` what their message is made of: their `Display` is that of the message. Errors
/// that a variant holds become that variant: `error_by_parts!(ReportError { File(FileError) })`.
#[macro_export]
macro_rules! error_by_parts {
    ($($type:ident $({ $($variant:ident($inner:ty)),+ $(,)? })?),+ $(,)?) => {$(
        impl From<$type> for $crate::diagnostic::Diagnostic {
            fn from(error: $type) -> $crate::diagnostic::Diagnostic {
                (&error).into()
            }
        }

        impl From<&$type> for $crate::diagnostic::Diagnostics {
            fn from(error: &$type) -> $crate::diagnostic::Diagnostics {
                $crate::diagnostic::Diagnostic::from(error).into()
            }
        }

        $crate::errors_by_parts!($type $({ $($variant($inner)),+ })?);
    )+};
}

/// As [`error_by_parts`], of types with several messages, which have `impl From<&Type> for Diagnostics`.
#[macro_export]
macro_rules! errors_by_parts {
    ($($type:ident $({ $($variant:ident($inner:ty)),+ $(,)? })?),+ $(,)?) => {$(
        impl ::std::fmt::Display for $type {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&$crate::diagnostic::Diagnostics::from(self), f)
            }
        }

        impl ::std::error::Error for $type {}

        impl From<$type> for $crate::diagnostic::Diagnostics {
            fn from(error: $type) -> $crate::diagnostic::Diagnostics {
                (&error).into()
            }
        }

        $($(
            impl From<$inner> for $type {
                fn from(error: $inner) -> $type {
                    $type::$variant(error)
                }
            }
        )+)?
    )+};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_written_in_the_form_of_all_messages() {
        let message = Diagnostic::new("w.xml:3:3", "unknown tag \"blok\"")
            .one_of("blok", &["block", "vehicle"])
            .note("included from v.xml:1:2")
            .at("run");
        let text = "run: w.xml:3:3: unknown tag \"blok\"\n  included from v.xml:1:2\n  accepted: block, vehicle\n  hint: did you mean \"block\"?";
        assert_eq!(message.to_string(), text);
        let diagnostics: Diagnostics =
            [Diagnostic::of("has no vehicle").at("w.xml"), Diagnostic::of("failed")].into_iter().collect();
        assert_eq!(diagnostics.to_string(), "w.xml: has no vehicle\nfailed");
        assert_eq!(diagnostics.at("a").to_string(), "a: w.xml: has no vehicle\na: failed");
    }

    #[test]
    fn what_readers_see_is_plain_and_bounded() {
        let long = Diagnostic::new("a\u{1b}[31m", "x".repeat(100_000)).accepted_all(vec!["name\0"; 1000]).hint("go on");
        let seen = long.legible();
        assert_eq!((seen.place.as_deref(), seen.hint.as_deref()), (Some("a"), Some("go on")));
        assert!(seen.found.len() < MAX_PART + 50 && seen.found.contains("96000 characters are left out"));
        let [first, .., last] = &seen.accepted[..] else { panic!("nothing is accepted") };
        assert_eq!((first.as_str(), last.as_str(), seen.accepted.len()), ("name\\u{0}", "… 600 more", MAX_LINES + 1));
        let short = Diagnostic::new("w.xml:3:3", "has no vehicle").note("a").accepted("one").hint("add it");
        assert_eq!(short.clone().legible(), short);
    }

    #[test]
    fn an_error_of_the_system_keeps_the_parts_that_it_was_made_of() {
        let parts = Diagnostic::of("it is a folder").accepted("a regular file");
        assert_eq!(Diagnostic::from(io::Error::new(io::ErrorKind::InvalidInput, parts.clone())), parts);
        assert_eq!(Diagnostic::from(io::Error::other("full")), Diagnostic::of("full"));
    }
}
