//! Health of the run: what is measured, `/diagnostics` and `~/statistics`.

pub mod health;
mod statistics;
mod status;
