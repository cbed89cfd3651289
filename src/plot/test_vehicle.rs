//! A vehicle that is driven for a figure.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_sim::world::{StepError, World};

/// A vehicle of a world, to be driven.
pub struct TestVehicle<'a> {
    /// Its name in the legend.
    pub name: &'a str,
    /// The world of the vehicle.
    pub world: &'a mut World,
    /// Its index in the scene.
    pub vehicle: usize,
}

/// Why a vehicle has no figure.
#[derive(Debug)]
pub enum ModelError {
    /// It takes no commands of these kinds.
    Unfit {
        /// The vehicle.
        name: String,
        /// The reason.
        reason: &'static str,
    },
    /// A step failed.
    Step(StepError),
}

impl From<&ModelError> for Diagnostic {
    fn from(error: &ModelError) -> Diagnostic {
        match error {
            ModelError::Unfit { name, reason } => {
                Diagnostic::new(name, *reason).accepted("vehicles that take velocity or Ackermann commands")
            }
            ModelError::Step(error) => error.into(),
        }
    }
}

error_by_parts!(ModelError { Step(StepError) });
