//! Experiments: simulates a car on a trajectory as fast as possible, and computes its metrics.
//!
//! ```text
//!  YAML ─▶ ExperimentConfig ─▶ equip: start, trajectory, tracker, linearizer into a World ─▶ run ─▶ Outcome: samples, metrics
//!                                          └─ `skidpad run --track` does the same with a world in real time
//! ```
//! [`Matrix`] is the comparison in "the study" (ch. 7; see [`crate`]): every plant on every tyre along every trajectory. [`Grid`] is one of the
//! user's own: all combinations of the values of any keys. A controller of the user's own, which is a ROS node, takes the place of the tracker in
//! `controlled`: the simulation is another process then, whose recording is analyzed.

mod axis;
mod config;
mod controlled;
mod controller_words;
mod drive_log;
mod error;
mod grid;
mod matrix;
mod mistakes;
mod run;
mod table;
mod watch;

pub use axis::{Axes, Axis};
pub use config::{ALL_PLANTS, BUILT_IN, ExperimentConfig, Feedback, NOBODY, PLANTS, StartAt, StartParameters, TYRES};
pub use controlled::{RosRuns, files_beside};
pub use drive_log::DriveLog;
pub use error::ExperimentError;
pub use grid::{Grid, GridCell, GridRun, MAX_RUNS, Variant, axis_keys, only_run, variants};
pub use matrix::{Cell, Matrix, trajectories};
pub use run::{Driven, Equipment, Experiment, Outcome, RunEnd};
pub use watch::{TrackingReport, TrackingWatch};
