//! The node's subscriptions: commands for vehicles, from the message to the simulation, and the topics of external trackers.

mod command_sender;
pub mod external_tracker;
pub mod listener;
pub mod start_gate;
pub mod subscription;
