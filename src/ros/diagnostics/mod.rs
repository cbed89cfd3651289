//! Health of the run: its collection, and the topics `/diagnostics` and `~/statistics`.

pub mod health;
pub mod output;
mod statistics;
mod status;
