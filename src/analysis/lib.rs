//! Reports of runs, in this process or from recordings: tables, graphs and pages of what `skidpad-metrics` computes, whose items are here too.

pub mod experiment;
mod figures;
mod groups;
mod page;
mod report;
mod sameness;
pub mod scenario;
mod student;

pub use figures::{Graph, graphs};
pub use groups::{Summary, summary_csv, summary_json, summary_text};
pub use report::{PictureOptions, ReportError, as_json, csv, csv_file, html, json, pictures, report, write};
pub use sameness::group_notes;
pub use skidpad_metrics::*;
pub use student::student;
