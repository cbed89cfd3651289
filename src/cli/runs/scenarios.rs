//! The reports of scenarios' runs.

use std::path::{Path, PathBuf};

use crate::analysis::scenario::page;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::file_error::FileError;
use crate::output_file::{self, OutputFolder};
use crate::scenario::CaseResult;
use crate::scenario::report::{csv, json, junit};

/// A report of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    /// JUnit XML.
    Junit,
    /// JSON.
    Json,
    /// CSV.
    Csv,
    /// A page.
    Page,
}

impl ReportKind {
    /// Writes it to `path`.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(self, path: &Path, results: &[CaseResult]) -> Result<(), Diagnostics> {
        let text = match self {
            ReportKind::Junit => junit(results),
            ReportKind::Json => serde_json::to_string_pretty(&json(results)).unwrap_or_default(),
            ReportKind::Csv => csv(results)?,
            ReportKind::Page => page("Test", results)?,
        };
        output_file::write(path, text.as_bytes())
            .map_err(|error| Diagnostic::from(FileError::write(path, error)).into())
    }
}

/// Makes the folder of the reports and recordings of runs, which goes again if it stays empty.
///
/// # Errors
/// It cannot be made.
pub fn make_folder(out: &Path) -> Result<OutputFolder, Diagnostics> {
    OutputFolder::create(out).map_err(|error| Diagnostic::from(FileError::create(out, error)).into())
}

/// Writes the reports of runs into their folder, which is there; returns their files.
///
/// # Errors
/// One cannot be written.
pub fn write_all(out: &Path, results: &[CaseResult]) -> Result<Vec<PathBuf>, Diagnostics> {
    let files =
        [("results.json", ReportKind::Json), ("results.csv", ReportKind::Csv), ("results.html", ReportKind::Page)];
    let written = files.map(|(name, kind)| {
        let path = out.join(name);
        kind.write(&path, results).map(|()| path)
    });
    written.into_iter().collect()
}
