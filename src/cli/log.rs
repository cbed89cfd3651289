//! What the library reports while it works, on stderr: `warning: place: what was found`.

use std::fmt;
use std::io;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::{FmtContext, fmt as subscriber};
use tracing_subscriber::registry::LookupSpan;

/// Starts the log; `RUST_LOG` says how much of it there is.
pub(super) fn start() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,skidpad=info"));
    // Fails only when a log exists already, which then serves.
    let _ = subscriber()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .log_internal_errors(false)
        .event_format(Plain)
        .try_init();
}

/// The level as a word, then the message as it is.
struct Plain;

impl<S, N> FormatEvent<S, N> for Plain
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let word = match *event.metadata().level() {
            Level::ERROR => "error: ",
            Level::WARN => "warning: ",
            Level::INFO => "",
            Level::DEBUG => "debug: ",
            Level::TRACE => "trace: ",
        };
        writer.write_str(word)?;
        context.format_fields(writer.by_ref(), event)?;
        writeln!(writer)
    }
}
