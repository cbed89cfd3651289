//! Vehicles: chassis, wheels, drive, controller.
mod command;
pub use command::{Action, Command};
