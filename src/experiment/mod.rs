//! Experiments: a car on a trajectory in this process, as fast as the processor allows, and what came of it.
//!
//! ```text
//!  YAML ─▶ ExperimentConfig ─▶ equip: start, trajectory, tracker, linearizer into a World ─▶ run ─▶ Outcome: samples, metrics
//!                                          └─ `skidpad run --track` does the same with a world in real time
//! ```
//! [`Matrix`] is the study's comparison (ch. 7): every plant on every tyre along every trajectory.

mod config;
mod error;
mod matrix;
mod run;
mod table;
mod watch;
mod yaml;

pub use config::{ExperimentConfig, Feedback, StartAt, StartParameters};
pub use error::ExperimentError;
pub use matrix::{Cell, Matrix, PLANTS, TYRES, trajectories};
pub use run::{Equipment, Experiment, Outcome};
pub use watch::{TrackingReport, TrackingWatch};
