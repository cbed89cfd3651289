//! Worlds under experiments, and under the runner with sinks: what follows of the simulation for those who run it.

mod experiment;
mod repeats;
mod spectrum;
mod start;
