//! Runs a world: the loop that steps it against the wall clock, the sinks that get its frames, the queue through which other threads
//! send requests, the multiplexer of commands, diagnostics, and how far long work is.

pub mod diagnostics;
pub mod guard;
pub mod log_text;
pub mod meter;
pub mod mux;
pub mod runner;
pub mod sink;
