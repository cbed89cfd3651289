//! Commands about runs: replays, repetitions and tests.

#[cfg(test)]
mod provenance_tests;
pub(super) mod replay;
pub(super) mod rerun;
pub mod scenarios;
pub(super) mod test;
