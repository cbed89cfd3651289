//! Runs a world: the loop that steps it against the wall clock, the sinks that get its frames, the queue through which other threads
//! send requests, the multiplexer of commands, diagnostics, how far long work is, and the processes that are started beside a simulation.

pub mod diagnostics;
pub mod frame_bits;
pub mod guard;
pub mod log_lines;
mod log_text;
pub mod meter;
pub mod mux;
pub mod processes;
pub mod runner;
pub mod sink;
