//! What a run came to: errors of tracking, graphs, tables; of runs in this process and of recordings.
//!
//! A [`Run`] is filled by a [`Collector`] while a world is stepped, or read from a recording; [`metrics`] and [`report`] do not know
//! which.

mod collector;
mod finding;
mod join;
mod metrics;
#[cfg(test)]
mod metrics_tests;
mod path;
mod report;
mod run;

pub use collector::{Collector, PoseSource};
pub use finding::Finding;
pub use metrics::{
    AnalysisError, EffortMetrics, ErrorSample, Metrics, MetricsOptions, TrackingMetrics, errors, metrics,
};
pub use report::{Analyzed, ReportError, Section, report};
pub use run::{CommandSample, PoseSample, PositionSample, Run, Scatter, wheel_name};
