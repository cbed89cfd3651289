//! The commands of vehicles, from the message on a topic to the request to the simulation.

mod command_rate;
mod command_sender;
pub mod listener;
pub(crate) mod start_gate;
pub mod subscription;
