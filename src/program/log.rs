//! The log of the library: on stderr as `warning: place: what was found`, on `/rosout`, and its warnings for viewers.

use std::sync::Arc;

use tracing::{Level, Metadata};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::diagnostic::Diagnostic;
use crate::log_lines::{Lines, Reader};
use crate::report::{self, Verbosity};
use crate::ros_args::LogOptions;
use crate::server::warnings::WarningLog;
use crate::{log_warnings, ros};

/// Starts the log; its level comes from the options, from `--quiet` or `--verbose`, or else from `RUST_LOG`. Returns where its warnings are kept
/// for viewers.
pub fn start(options: &LogOptions, verbosity: Verbosity) -> Arc<WarningLog> {
    let of_arguments = match verbosity {
        Verbosity { verbose: 1, .. } => Some("debug"),
        Verbosity { verbose: 2.., .. } => Some("trace"),
        Verbosity { quiet: true, .. } => Some("warn"),
        Verbosity { .. } => None,
    };
    let given = match options.level.or(of_arguments) {
        Some(level) => Some(format!("warn,{TAKES}=off,skidpad={level}")),
        None => std::env::var("RUST_LOG").ok(),
    };
    let filter = given.as_deref().and_then(levels);
    let misread = given.filter(|_| filter.is_none());
    let filter = filter.unwrap_or_else(by_default);
    let warnings = Arc::new(WarningLog::default());
    let mut readers = vec![warnings.reader()];
    readers.extend(options.to_console.then(|| -> Reader { Box::new(tell) }));
    readers.extend(ros::of_program().filter(|_| options.to_rosout).map(|ros| ros.rosout()));
    let lines = Lines::new(readers, module_path!().trim_end_matches("::log"));
    // Fails only when a log exists already, which is then used.
    let _ = tracing_subscriber::registry().with(filter).with(lines).try_init();
    if let Some(text) = misread {
        let found = format!("found \"{text}\", ignored");
        let accepted = "error, warn, info, debug, trace, off, also by module, as in warn,skidpad=debug";
        report::tell(report::Level::Warning, Diagnostic::new("RUST_LOG", found).accepted(accepted));
    }
    log_warnings(&options.remarks);
    warnings
}

/// The module of r2r whose errors are none: Cyclone DDS wakes a subscription also when a publisher has left, and then there is no message to take.
const TAKES: &str = "r2r::subscribers";

/// Levels where none are given.
fn by_default() -> Targets {
    let targets = Targets::new().with_default(LevelFilter::WARN);
    targets.with_target(TAKES, LevelFilter::OFF).with_target("skidpad", LevelFilter::INFO)
}

/// Levels by module, as `RUST_LOG` has them: `warn,skidpad=debug`.
fn levels(text: &str) -> Option<Targets> {
    let parts: Vec<&str> = text.split(',').filter(|part| !part.is_empty()).collect();
    parts.join(",").parse().ok()
}

/// Passes a line of the log on to the reporter.
fn tell(metadata: &Metadata<'_>, line: &Diagnostic) {
    match *metadata.level() {
        Level::ERROR => report::error(line.clone()),
        Level::WARN => report::tell(report::Level::Warning, line.clone()),
        Level::INFO => report::note(line),
        Level::DEBUG => report::print(&format!("debug: {line}")),
        Level::TRACE => report::print(&format!("trace: {line}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_those_of_modules() {
        let filter = levels("warn,,skidpad=debug").unwrap();
        assert!(filter.would_enable("skidpad_server::server", &Level::DEBUG));
        assert!(!filter.would_enable("hyper", &Level::INFO) && filter.would_enable("hyper", &Level::WARN));
        assert!(!filter.would_enable("skidpad", &Level::TRACE));
        let errors = levels("").unwrap();
        assert!(errors.would_enable("skidpad", &Level::ERROR) && !errors.would_enable("skidpad", &Level::WARN));
        assert!(levels("skidpad=loud").is_none());
    }

    #[test]
    fn a_publisher_that_leaves_is_no_error() {
        for filter in [by_default(), levels(&format!("warn,{TAKES}=off,skidpad=debug")).unwrap()] {
            assert!(!filter.would_enable("r2r::subscribers", &Level::ERROR));
            assert!(
                filter.would_enable("r2r::services", &Level::ERROR) && filter.would_enable("skidpad_ros", &Level::INFO)
            );
        }
    }
}
