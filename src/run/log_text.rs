//! What an event of the log says, for those that pass it on.

use std::error::Error;
use std::fmt::{self, Write as _};

use skidpad_files::diagnostic::Diagnostic;
use tracing::Event;
use tracing::field::{Field, Visit};

/// The message of an event by its parts: the [`Diagnostic`] that it carries, or its text, followed by ` name=value` for each of its fields.
pub fn diagnostic_of(event: &Event<'_>) -> Diagnostic {
    let mut seen = Seen::default();
    event.record(&mut seen);
    seen.diagnostic.unwrap_or_else(|| Diagnostic::of(seen.message + &seen.fields))
}

/// The text of [`diagnostic_of`].
pub fn text_of(event: &Event<'_>) -> String {
    diagnostic_of(event).to_string()
}

#[derive(Default)]
struct Seen {
    diagnostic: Option<Diagnostic>,
    message: String,
    fields: String,
}

impl Visit for Seen {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a string does not fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }

    fn record_error(&mut self, field: &Field, value: &(dyn Error + 'static)) {
        match value.downcast_ref::<Diagnostic>() {
            Some(diagnostic) => self.diagnostic = Some(diagnostic.clone()),
            None => self.record_debug(field, &format_args!("{value}")),
        }
    }
}
