//! The viewer's server from outside: data of viewers, their orders, and protection of the simulation.

mod changes;
mod editing;
mod files;
mod hostile;
mod orders;
#[allow(dead_code, reason = "the tests of limits need the rest")]
mod peer;
mod program;
mod sensor_data;
mod stage;
#[allow(dead_code, reason = "other tests need the other answers")]
#[path = "../support/mod.rs"]
mod support;
mod watching;
