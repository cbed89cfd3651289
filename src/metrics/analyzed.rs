//! Runs with their metrics, and the sections in which a report groups them.

use std::sync::Arc;

use super::displacement;
use super::gaps;
use super::laps::Course;
use super::metrics::{AnalysisError, Metrics, MetricsOptions, metrics};
use super::run::Run;

/// A run with its metrics.
#[derive(Clone, Debug, PartialEq)]
pub struct Analyzed {
    /// The run.
    pub run: Run,
    /// Metrics of the run.
    pub metrics: Metrics,
    /// What its laps were timed on; none: they were not.
    pub course: Option<Arc<Course>>,
    /// The group of runs of the same thing that it belongs to; none: it stands alone.
    pub group: Option<String>,
}

impl Analyzed {
    /// Analyzes a run, and notes in it what its numbers cannot be trusted for: gaps, and positions that do not belong to its velocities.
    ///
    /// # Errors
    /// It has no metrics.
    pub fn of(mut run: Run, options: &MetricsOptions) -> Result<Analyzed, AnalysisError> {
        run.tidy();
        let metrics = metrics(&run, options)?;
        // As `from` and `to` are counted, so that a gap can be left out.
        let origin = metrics.window.start - options.from.unwrap_or(0.0);
        run.notes.extend(gaps::gaps(&run, &metrics.window, origin));
        run.notes.extend(displacement::note(&run, &metrics.window, origin));
        Ok(Analyzed { run, metrics, course: None, group: None })
    }
}

/// Runs that share graphs and a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Title of the section, such as the trajectory; may be empty if there is only one section.
    pub title: String,
    /// The runs, in the order of the legend.
    pub runs: Vec<Analyzed>,
}
