//! The log of the library: on stderr as `warning: place: what was found`, on `/rosout`, and its warnings for viewers.

use std::fmt;
use std::io;
use std::sync::Arc;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::layer;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;

use super::ros_args::LogOptions;
use crate::web::warnings::WarningLog;

/// Starts the log; its level comes from the options, or else from `RUST_LOG`. Returns where its warnings are kept for viewers.
pub(super) fn start(options: &LogOptions) -> Arc<WarningLog> {
    let filter = match options.level {
        Some(level) => EnvFilter::new(format!("warn,skidpad={level}")),
        None => EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn,skidpad=info")),
    };
    let console = layer().with_writer(io::stderr).log_internal_errors(false).event_format(Plain);
    let registry = tracing_subscriber::registry().with(filter).with(options.to_console.then_some(console));
    let warnings = Arc::new(WarningLog::default());
    let registry = registry.with(warnings.layer());
    #[cfg(feature = "ros")]
    let registry = registry.with(options.to_rosout.then(crate::ros::rosout::layer));
    // Fails only when a log exists already, which is then used.
    let _ = registry.try_init();
    for remark in &options.remarks {
        tracing::warn!("{remark}");
    }
    warnings
}

/// The level as a word, then the message.
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
