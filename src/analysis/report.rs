//! Writes what an analysis came to: one page with tables and graphs, and the same as files for scripts and papers.

use std::path::{Path, PathBuf};

use super::metrics::Metrics;
use super::run::Run;

/// A run with its metrics.
#[derive(Clone, Debug, PartialEq)]
pub struct Analyzed {
    /// What was recorded.
    pub run: Run,
    /// How well it went.
    pub metrics: Metrics,
}

/// Runs that are shown over each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// What they have in common, such as the trajectory; may be empty where there is only one section.
    pub title: String,
    /// The runs, in the order of the legend.
    pub runs: Vec<Analyzed>,
}

/// A file that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot be written: {reason}", path.display())]
pub struct ReportError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
}

/// Writes `report.html`, `metrics.csv` and `metrics.json` into the folder `out`, which is made where it is missing; the files written.
///
/// # Errors
/// The folder cannot be made or a file not be written.
pub fn report(title: &str, sections: &[Section], out: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let failed = |path: &Path, reason: String| ReportError { path: path.to_path_buf(), reason };
    std::fs::create_dir_all(out).map_err(|error| failed(out, error.to_string()))?;
    let path = out.join("metrics.json");
    let runs: Vec<_> = sections
        .iter()
        .flat_map(|section| section.runs.iter().map(|run| (&section.title, &run.run.name, &run.metrics)))
        .collect();
    let text = serde_json::to_string_pretty(&(title, runs)).map_err(|error| failed(&path, error.to_string()))?;
    std::fs::write(&path, text).map_err(|error| failed(&path, error.to_string()))?;
    Ok(vec![path])
}
