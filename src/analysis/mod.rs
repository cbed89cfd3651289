//! What a run came to: errors of tracking, graphs, tables; of runs in this process and of recordings.
//!
//! A [`Run`] is filled by a [`Collector`] while a world is stepped, or read from a recording; [`metrics`] and [`report`] do not know
//! which.

mod collector;
mod field;
mod figures;
mod finding;
mod join;
mod metrics;
#[cfg(test)]
mod metrics_tests;
mod page;
mod path;
pub mod recording;
mod report;
mod run;

pub use collector::{Collector, PoseSource};
pub use field::{FIELDS, Field, shown};
pub use figures::{Graph, graphs};
pub use finding::Finding;
pub use metrics::{
    AnalysisError, EffortMetrics, ErrorSample, Metrics, MetricsOptions, TrackingMetrics, errors, metrics,
};
pub use report::{Analyzed, ReportError, Section, csv, html, json, pictures, report, write};
pub use run::{CommandSample, PoseSample, PositionSample, Run, RunTopics, Scatter, wheel_name};
