//! The viewer's server from outside: what viewers get, what they may do, and what they cannot do to the simulation.

mod files;
mod hostile;
mod orders;
#[allow(dead_code, reason = "the tests of limits need the rest")]
mod peer;
mod program;
mod stage;
#[allow(dead_code, reason = "other tests need the other answers")]
#[path = "../support/mod.rs"]
mod support;
mod watching;
