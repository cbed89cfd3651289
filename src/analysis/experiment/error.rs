//! Why an experiment cannot be run.

use skidpad_record::RecordError;
use skidpad_sim::world::{CommandError, StepError};
use skidpad_xml::Problems;
use thiserror::Error;

use crate::AnalysisError;

/// Why an experiment cannot be run, or not to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// An invalid config; the text has place, what was found, what is accepted.
    #[error("{0}")]
    Config(String),
    /// Keys of the config with values that the world does not have, each with a text that begins with the key.
    #[error("{}", .0.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n"))]
    Keys(Vec<(&'static str, String)>),
    /// The world cannot be loaded.
    #[error("{0}")]
    World(Problems),
    /// The vehicle cannot be driven along a trajectory.
    #[error(transparent)]
    Vehicle(#[from] CommandError),
    /// The simulation failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A run of a matrix failed.
    #[error("{run}: {error}")]
    Run {
        /// Trajectory, plant and tyre of the run.
        run: String,
        /// Why.
        error: Box<ExperimentError>,
    },
    /// The recording cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The run has nothing to analyze.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
}
