//! Errors of a running world: refused commands, and numbers that are not finite.

use thiserror::Error;

use crate::time::SimTime;
use crate::vehicle::Action;

/// Why a step failed: a number is NaN or infinite, so that no later result would be valid.
#[derive(Clone, Debug, PartialEq, Error)]
#[error(
    "{kind} \"{vehicle}\": {quantity} is not finite at {time}\n  hint: a smaller <simul_timestep>, or check masses, inertias and gains"
)]
pub struct StepError {
    /// `vehicle` or `block`.
    pub kind: &'static str,
    /// Its name.
    pub vehicle: String,
    /// What is not finite.
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
    /// A number in it is NaN or infinite.
    #[error("command to \"{0}\" holds a number that is not finite\n  accepted: finite numbers")]
    NotFinite(String),
    /// A number in it exceeds [`Action::LARGEST`].
    #[error("command to \"{0}\" asks for more than any vehicle can do\n  accepted: up to {limit} m/s or rad/s", limit = Action::LARGEST)]
    Absurd(String),
    /// A pedal position is outside 0 to 1.
    #[error("command to \"{vehicle}\": {pedal} {position} is out of range\n  accepted: 0 to 1")]
    PedalRange {
        /// Name of the vehicle.
        vehicle: String,
        /// `throttle` or `brake`.
        pedal: &'static str,
        /// Commanded position [-].
        position: f64,
    },
    /// A rate limit of a set-point is negative.
    #[error("command to \"{vehicle}\": {limit} {value} is negative\n  accepted: 0 (as fast as possible) or more")]
    NegativeLimit {
        /// Name of the vehicle.
        vehicle: String,
        /// `acceleration` or `steering rate`.
        limit: &'static str,
        /// Its value [m/s²] or [rad/s].
        value: f64,
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
