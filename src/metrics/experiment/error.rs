//! Why an experiment cannot be run.

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::errors_by_parts;
use skidpad_record::RecordError;
use skidpad_sim::world::{CommandError, StepError};
use skidpad_xml::Problems;

use crate::AnalysisError;

/// Why an experiment cannot be run, or not to its end.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExperimentError {
    /// An invalid config, or one that cannot be read.
    Config(Diagnostics),
    /// Keys of the config with values that the world does not have, each with a message at the key.
    Keys(Vec<(&'static str, Diagnostic)>),
    /// The world cannot be loaded.
    World(Problems),
    /// The vehicle cannot be driven along a trajectory.
    Vehicle(CommandError),
    /// The simulation failed.
    Step(StepError),
    /// A run of a matrix failed.
    Run {
        /// Trajectory, plant and tyre of the run.
        run: String,
        /// Why.
        error: Box<ExperimentError>,
    },
    /// The hooks of the run have ended it.
    RunHooks(Diagnostics),
    /// The recording cannot be written.
    Record(RecordError),
    /// The run has nothing to analyze.
    Analysis(AnalysisError),
    /// A ROS controller or the simulation beside it has failed.
    Controller(Diagnostics),
    /// The recording of such a run cannot be read.
    Read(Diagnostics),
}

impl From<&ExperimentError> for Diagnostics {
    fn from(error: &ExperimentError) -> Diagnostics {
        match error {
            ExperimentError::Config(problems) => problems.clone(),
            ExperimentError::Keys(keys) => keys.iter().map(|(_, problem)| problem.clone()).collect(),
            ExperimentError::World(problems) => problems.into(),
            ExperimentError::Vehicle(error) => error.into(),
            ExperimentError::Step(error) => error.into(),
            ExperimentError::Run { run, error } => Diagnostics::from(&**error).at(run),
            ExperimentError::RunHooks(problems) => problems.clone(),
            ExperimentError::Record(error) => error.clone().into(),
            ExperimentError::Analysis(error) => error.into(),
            ExperimentError::Controller(problems) => problems.clone(),
            ExperimentError::Read(problems) => problems.clone(),
        }
    }
}

errors_by_parts!(ExperimentError { Vehicle(CommandError), Step(StepError), Record(RecordError), Analysis(AnalysisError) });
