//! The error of an identification.

use thiserror::Error;

/// Why a car cannot be identified, or a class not be validated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IdentifyError {
    /// The config is invalid; the message has the place, what was found and what is accepted.
    #[error("{0}")]
    Config(String),
    /// A recording cannot be read or used.
    #[error("{0}")]
    Recording(String),
    /// The class cannot be read or loaded.
    #[error("{0}")]
    Vehicle(String),
    /// A result cannot be written.
    #[error("{0}")]
    Output(String),
}
