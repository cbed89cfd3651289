//! Health of the run: what is measured, `/diagnostics` and `~/statistics`.

pub mod health;
pub mod output;
mod statistics;
mod status;
