//! Analysis of runs, in this process or from recordings: tracking errors, control effort, graphs and tables.
//!
//! A [`Run`] is filled by a [`Collector`] while a world is stepped, or read from a recording; [`metrics`] and [`report`] treat
//! both alike.

mod analyzed;
mod collector;
mod displacement;
pub mod experiment;
mod field;
mod figures;
mod finding;
mod gaps;
mod groups;
mod join;
pub mod laps;
mod metrics;
#[cfg(test)]
mod metrics_tests;
mod page;
mod path;
pub mod recording;
mod report;
pub mod rows;
mod run;
mod sameness;
mod student;
mod window;
pub mod yaml;

pub use analyzed::{Analyzed, Section};
pub use collector::{Collector, PoseSource};
pub use field::{FIELDS, Field, shown};
pub use figures::{Graph, graphs};
pub use finding::Finding;
pub use groups::{Summary, summary_csv, summary_json, summary_text};
pub use metrics::{
    AnalysisError, EffortMetrics, ErrorSample, Metrics, MetricsOptions, PathMetrics, TrackingMetrics, errors, metrics,
};
pub use page::{escaped, head as page_head, styled_head as styled_page_head};
pub use report::{PictureOptions, ReportError, as_json, csv, csv_file, html, json, pictures, report, write};
pub use run::{CommandSample, PoseSample, PositionSample, Run, RunTopics, Scatter, WantedPath, wheel_name};
pub use sameness::group_notes;
pub use student::student;
pub use window::{Window, WindowEnd};
