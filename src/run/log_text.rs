//! What an event of the log says, for [`Lines`](crate::log_lines::Lines).

use std::error::Error;
use std::fmt::{self, Write as _};

use skidpad_files::diagnostic::Diagnostic;
use tracing::Event;
use tracing::field::{Field, Visit};

/// The message of an event by its parts: the [`Diagnostic`] that it carries, or its text, followed by ` name=value` for each of its fields.
pub(crate) fn diagnostic_of(event: &Event<'_>) -> Diagnostic {
    let mut seen = Seen::default();
    event.record(&mut seen);
    seen.diagnostic.unwrap_or_else(|| Diagnostic::of(seen.message + &seen.fields))
}

/// The field of a library's line that holds the file of its source.
const FILE: &str = "log.file";

/// A file of a library's source from the folder of the library on: what is before it is a folder of the machine on which this program was built.
fn in_crate(path: &str) -> &str {
    // Cargo keeps libraries at registry/src/INDEX/NAME-VERSION.
    if let Some((_, kept)) = path.split_once("/registry/src/").and_then(|(_, path)| path.split_once('/')) {
        return kept;
    }
    let before = path.rfind("/src/").and_then(|source| path[..source].rfind('/'));
    before.map_or(path, |folder| &path[folder + 1..])
}

#[derive(Default)]
struct Seen {
    diagnostic: Option<Diagnostic>,
    message: String,
    fields: String,
}

impl Visit for Seen {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            FILE => self.record_debug(field, &in_crate(value)),
            _ => self.record_debug(field, &value),
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_libraries_name_no_folder_of_the_build() {
        assert_eq!(
            in_crate("/home/me/.cargo/registry/src/index.crates.io-1949/wgpu-28.0/src/a/b.rs"),
            "wgpu-28.0/src/a/b.rs"
        );
        assert_eq!(in_crate("/home/me/.cargo/registry/src/index.crates.io-1949/sys-1.0/lib.rs"), "sys-1.0/lib.rs");
        assert_eq!(in_crate("/home/me/.cargo/git/checkouts/tool-1f/2e/tool/src/lib.rs"), "tool/src/lib.rs");
        assert_eq!(in_crate("src/run/log_text.rs"), "src/run/log_text.rs");
    }
}
