//! Errors of a running world: refused commands, and numbers that are not finite.

use skidpad_math::time::SimTime;
use thiserror::Error;

use crate::vehicle::CommandFault;

/// Why a step failed: a number is NaN or infinite, so that no later result would be valid.
#[derive(Clone, Debug, PartialEq, Error)]
#[error(
    "{kind} \"{vehicle}\": {quantity} is not finite at {time}\n  hint: a smaller <simul_timestep>, or check masses, inertias and gains"
)]
pub struct StepError {
    /// `vehicle` or `block`.
    pub kind: &'static str,
    /// Name of the vehicle.
    pub vehicle: String,
    /// The quantity that is not finite.
    pub quantity: &'static str,
    /// Simulated time after the step [ns].
    pub time: SimTime,
}

/// Why a command was refused.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CommandError {
    /// There is no vehicle with this index.
    #[error("no vehicle with index {0}")]
    NoVehicle(usize),
    /// No vehicle can execute it.
    #[error("command to \"{vehicle}\"{} {}", if fault.is_of_whole() { "" } else { ":" }, fault.explained())]
    Fault {
        /// Name of the vehicle.
        vehicle: String,
        /// The fault.
        fault: CommandFault,
    },
    /// Its controller does not take commands of this kind.
    #[error("vehicle \"{vehicle}\" takes no {kind} commands\n  accepted: {accepted}")]
    NotAccepted {
        /// Name of the vehicle.
        vehicle: String,
        /// Kind of the command.
        kind: &'static str,
        /// Kinds that it takes.
        accepted: String,
    },
}
