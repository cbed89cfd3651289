//! Experiments: simulates a car on a trajectory as fast as possible, and computes its metrics.
//!
//! ```text
//!  YAML ─▶ ExperimentConfig ─▶ equip: start, trajectory, tracker, linearizer into a World ─▶ run ─▶ Outcome: samples, metrics
//!                                          └─ `skidpad run --track` does the same with a world in real time
//! ```
//! [`Matrix`] is the comparison in "the study" (ch. 7; see [`crate`]): every plant on every tyre along every trajectory.

mod config;
mod error;
mod matrix;
mod run;
mod table;
mod watch;

pub use config::{ExperimentConfig, Feedback, PLANTS, StartAt, StartParameters, TYRES};
pub use error::ExperimentError;
pub use matrix::{Cell, Matrix, trajectories};
pub use run::{Equipment, Experiment, Outcome};
pub use watch::{TrackingReport, TrackingWatch};
