//! Why a command ends with an error status, and the warnings that it logs.

use std::io;

use crate::diagnostic::{Diagnostic, Diagnostics};

/// Exit status of a process that has finished its work, but could not shut down the middleware.
const STUCK: i32 = 3;

/// Why the program ends with an error status, or early.
#[derive(Debug, PartialEq)]
pub enum Failure {
    /// Its output is no longer read, as with `| head`; not an error.
    Unread,
    /// With messages to the user.
    Because(Diagnostics),
    /// With messages to the user, which may have had their answer already, and a status of its own.
    Ended {
        /// The messages; may be empty.
        errors: Diagnostics,
        /// The exit status.
        status: u8,
    },
    /// With messages to the user and a status, to exit at once: remaining threads must not run into static destructors.
    Stuck {
        /// The messages; may be empty.
        errors: Diagnostics,
        /// The exit status.
        status: i32,
    },
}

impl Failure {
    /// A failure with these messages.
    pub fn because(messages: impl Into<Diagnostics>) -> Failure {
        Failure::Because(messages.into())
    }

    /// The failure when an option names something that is not there.
    pub fn unknown(option: &str, found: &str, known: &[impl AsRef<str>]) -> Failure {
        let message = Diagnostic::new(option, format!("found \"{found}\""));
        Failure::because(match known {
            [] => message.accepted("nothing, since there are none"),
            _ => message.one_of(found, known),
        })
    }

    /// This outcome, after a node that has shut down in order, was still about to (false), or does not.
    pub fn after(node: Result<bool, Diagnostic>, outcome: Result<(), Failure>) -> Result<(), Failure> {
        match node {
            Ok(true) => outcome,
            Ok(false) => Err(Failure::unfinished(outcome)),
            Err(problem) => Err(Failure::stuck(outcome, problem)),
        }
    }

    /// This outcome, for a process that has to exit before the middleware has shut down.
    pub fn unfinished(outcome: Result<(), Failure>) -> Failure {
        match outcome {
            Ok(()) | Err(Failure::Unread) => Failure::Stuck { errors: Diagnostics::default(), status: 0 },
            Err(Failure::Because(errors)) => Failure::Stuck { errors, status: 1 },
            Err(Failure::Ended { errors, status }) => Failure::Stuck { errors, status: status.into() },
            Err(stuck @ Failure::Stuck { .. }) => stuck,
        }
    }

    /// The failure when the middleware does not shut down after this outcome.
    pub fn stuck(outcome: Result<(), Failure>, problem: Diagnostic) -> Failure {
        match outcome {
            Ok(()) | Err(Failure::Unread) => Failure::Stuck { errors: problem.into(), status: STUCK },
            Err(Failure::Ended { mut errors, status }) => {
                errors.0.push(problem);
                Failure::Stuck { errors, status: status.into() }
            }
            Err(Failure::Because(mut errors) | Failure::Stuck { mut errors, .. }) => {
                errors.0.push(problem);
                Failure::Stuck { errors, status: 1 }
            }
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Unread,
            _ => Failure::because(Diagnostic::from(error)),
        }
    }
}

/// Logs warnings.
pub fn log_warnings(warnings: impl IntoIterator<Item: Into<Diagnostic>>) {
    for warning in warnings {
        tracing::warn!(diagnostic = warning.into().as_value());
    }
}

/// Sets the number of ray-casting threads; none: that of the machine.
pub fn set_threads(threads: Option<usize>) -> Result<(), Failure> {
    let Some(count) = threads else { return Ok(()) };
    rayon::ThreadPoolBuilder::new().num_threads(count).build_global().map_err(|error| {
        Failure::because(Diagnostic::new(format!("--threads {count}"), format!("cannot start the threads: {error}")))
    })
}
