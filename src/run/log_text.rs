//! The text of an event of the log, for those that pass it on elsewhere than to the terminal.

use std::fmt::{self, Write as _};

use tracing::Event;
use tracing::field::{Field, Visit};

/// The message of an event, followed by ` name=value` for each of its fields.
pub fn text_of(event: &Event<'_>) -> String {
    let mut text = Text::default();
    event.record(&mut text);
    text.message + &text.fields
}

#[derive(Default)]
struct Text {
    message: String,
    fields: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to a string does not fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}
