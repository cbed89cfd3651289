//! Errors of the ROS node at its start, with the parts of every error message: place, what was found, what is accepted, a hint.

use std::fmt;

/// Why the ROS side could not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RosError {
    /// What failed: a parameter, a topic, the ROS client library.
    pub place: String,
    /// What was found there.
    pub found: String,
    /// What would have been accepted.
    pub accepted: Option<String>,
    /// What to try.
    pub hint: Option<String>,
}

impl RosError {
    /// An error with only its place and what was found.
    pub fn new(place: impl Into<String>, found: impl Into<String>) -> RosError {
        RosError { place: place.into(), found: found.into(), accepted: None, hint: None }
    }

    /// A subscription that the client library refuses; `topic` is the full name.
    pub fn subscription(topic: &str, error: &r2r::Error) -> RosError {
        RosError::new(format!("topic \"{topic}\""), format!("cannot subscribe: {error}"))
    }

    /// A thread that the operating system fails to start.
    pub fn thread(error: &std::io::Error) -> RosError {
        RosError::new("ROS", format!("cannot start a thread: {error}"))
    }

    /// Adds what would have been accepted.
    pub fn accepted(mut self, accepted: impl Into<String>) -> RosError {
        self.accepted = Some(accepted.into());
        self
    }

    /// Adds a hint what to try.
    pub fn hint(mut self, hint: impl Into<String>) -> RosError {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for RosError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.found)?;
        if let Some(accepted) = &self.accepted {
            write!(f, "\n  accepted: {accepted}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for RosError {}
