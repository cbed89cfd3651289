//! A vehicle that is driven for a figure.

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
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// It takes no commands of these kinds.
    #[error("{name}: {reason}\n  accepted: vehicles that take velocity or Ackermann commands")]
    Unfit {
        /// The vehicle.
        name: String,
        /// The reason.
        reason: &'static str,
    },
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
}
