//! Runs in numbers: what is sampled of a run, or read from a recording, its metrics and laps; and experiments, which make such runs.
//!
//! A [`Run`] is filled by a [`Collector`] while a world is stepped, or read from a recording; [`metrics`] treats both alike. `skidpad-analysis` makes
//! reports of them.

mod analyzed;
mod collector;
mod displacement;
pub mod experiment;
mod field;
mod finding;
mod gaps;
pub mod html;
mod join;
pub mod laps;
mod metrics;
#[cfg(test)]
mod metrics_tests;
mod path;
pub mod recording;
pub mod rows;
mod run;
mod window;
pub mod yaml;

pub use analyzed::{Analyzed, Section};
pub use collector::{Collector, PoseSource};
pub use field::{FIELDS, Field, shown};
pub use finding::Finding;
pub use metrics::{
    AnalysisError, EffortMetrics, ErrorSample, Metrics, MetricsOptions, PathMetrics, TrackingMetrics, errors, metrics,
};
pub use run::{CommandSample, PoseSample, PositionSample, Run, RunTopics, Scatter, WantedPath, wheel_name};
pub use window::{Window, WindowEnd};
