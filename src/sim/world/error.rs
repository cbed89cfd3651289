//! Errors of a running world: refused commands, and numbers that are not finite.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_math::time::SimTime;

use crate::vehicle::CommandFault;

/// Why a step failed: a number is NaN or infinite, so that no later result would be valid.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
pub enum CommandError {
    /// There is no vehicle with this index.
    NoVehicle(usize),
    /// No vehicle can execute it.
    Fault {
        /// Name of the vehicle.
        vehicle: String,
        /// The fault.
        fault: CommandFault,
    },
    /// Its controller does not take commands of this kind.
    NotAccepted {
        /// Name of the vehicle.
        vehicle: String,
        /// Kind of the command.
        kind: &'static str,
        /// Kinds that it takes.
        accepted: String,
    },
    /// Its driver follows motion capture, and the vehicle of this name has no marker body.
    NoMarkerBody(String),
}

impl From<&StepError> for Diagnostic {
    fn from(error: &StepError) -> Diagnostic {
        let StepError { kind, vehicle, quantity, time } = error;
        Diagnostic::new(format!("{kind} \"{vehicle}\""), format!("{quantity} is not finite at {time}"))
            .hint("a smaller <simul_timestep>, or check masses, inertias and gains")
    }
}

impl From<&CommandError> for Diagnostic {
    fn from(error: &CommandError) -> Diagnostic {
        match error {
            CommandError::NoVehicle(index) => Diagnostic::of(format!("no vehicle with index {index}")),
            CommandError::Fault { vehicle, fault } => {
                let command = format!("command to \"{vehicle}\"");
                match fault.is_of_whole() {
                    true => fault.explained().after(format!("{command} ")),
                    false => fault.explained().at(command),
                }
            }
            CommandError::NotAccepted { vehicle, kind, accepted } => {
                Diagnostic::of(format!("vehicle \"{vehicle}\" takes no {kind} commands")).accepted(accepted)
            }
            CommandError::NoMarkerBody(vehicle) => {
                Diagnostic::of(format!("vehicle \"{vehicle}\" has no sensor of class mocap, which its driver follows"))
            }
        }
    }
}

error_by_parts!(StepError, CommandError);
