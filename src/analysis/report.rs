//! Writes the results of an analysis: one page with tables and graphs, and the same as files for scripts and papers.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_files::file_error::FileError;
use skidpad_files::output_file;
use skidpad_plot::{self as plot, PageSize, PlotError};
use skidpad_record::Provenance;

use super::figures::graphs;
use super::groups;
use super::page;
use skidpad_metrics::FIELDS;
use skidpad_metrics::laps;
use skidpad_metrics::rows;
use skidpad_metrics::{Analyzed, Section};
use skidpad_metrics::{Metrics, MetricsOptions};

/// A file that could not be written.
#[derive(Debug)]
pub enum ReportError {
    /// A page, table or folder.
    File(FileError),
    /// A picture.
    Picture(PlotError),
}

impl From<&ReportError> for Diagnostic {
    fn from(error: &ReportError) -> Diagnostic {
        match error {
            ReportError::File(error) => error.into(),
            ReportError::Picture(error) => error.into(),
        }
    }
}

error_by_parts!(ReportError { File(FileError), Picture(PlotError) });

/// Writes `report.html`, `metrics.csv` and `metrics.json`, and of runs with laps `laps.csv` and `off_track.csv`, and of groups `summary.csv`, into the folder `out`, which is created if missing; returns the files.
///
/// # Errors
/// The folder cannot be created or a file cannot be written.
pub fn report(
    title: &str,
    sections: &[Section],
    options: &MetricsOptions,
    out: &Path,
) -> Result<Vec<PathBuf>, ReportError> {
    let _folder = output_file::OutputFolder::create(out).map_err(|error| FileError::write(out, error))?;
    let texts = [
        ("report.html", html(title, sections, options)?),
        ("metrics.csv", csv_file(sections).map_err(|error| FileError::write(out.join("metrics.csv"), error))?),
        ("metrics.json", json(sections)),
    ];
    let failed = |name: &str, error| FileError::write(out.join(name), error);
    let laps = laps::laps_csv(sections).map_err(|error| failed("laps.csv", error))?.map(|text| ("laps.csv", text));
    let off = laps::off_track_csv(sections).map_err(|error| failed("off_track.csv", error))?;
    let summary = groups::summary_csv(sections).map_err(|error| failed("summary.csv", error))?;
    let of_laps = laps.into_iter().chain(off.map(|text| ("off_track.csv", text)));
    let more = of_laps.chain(summary.map(|text| ("summary.csv", text)));
    let mut files = Vec::new();
    for (name, text) in texts.into_iter().chain(more) {
        let path = out.join(name);
        write(&path, &text)?;
        files.push(path);
    }
    Ok(files)
}

/// How graphs are written as files.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PictureOptions {
    /// Their size on paper; none: pixels.
    pub page_size: Option<PageSize>,
    /// Whether a CSV file beside them has what they show.
    pub data: bool,
}

/// Writes each graph of a section into the folder `out`, as SVG, PDF and PNG; returns the files.
///
/// # Errors
/// A file cannot be written.
pub fn pictures(
    section: &Section,
    options: &MetricsOptions,
    pictures: &PictureOptions,
    out: &Path,
) -> Result<Vec<PathBuf>, ReportError> {
    let _folder = output_file::OutputFolder::create(out).map_err(|error| FileError::write(out, error))?;
    let mut files = Vec::new();
    for graph in graphs(&section.title, &section.runs, options) {
        let endings = ["svg", "pdf", "png"].into_iter().chain(pictures.data.then_some("csv"));
        for ending in endings {
            let path = out.join(format!("{}.{ending}", graph.name));
            plot::write_on(&graph.figure, &path, graph.size, pictures.page_size.as_ref())?;
            files.push(path);
        }
    }
    Ok(files)
}

/// A single page with tables, findings and graphs as SVG; it loads nothing from the network.
///
/// # Errors
/// A graph cannot be drawn.
pub fn html(title: &str, sections: &[Section], options: &MetricsOptions) -> Result<String, ReportError> {
    page::html(title, sections, options)
        .map_err(|error| ReportError::Picture(PlotError::Drawing { path: "report.html".into(), reason: error.found }))
}

/// The metrics, a row for each run; columns as in [`FIELDS`], empty if a run has no such number.
///
/// # Errors
/// That of the CSV library.
pub fn csv(sections: &[Section]) -> Result<String, Diagnostic> {
    let head = ["section", "run"].into_iter().chain(FIELDS.iter().map(|field| field.key));
    let mut table = vec![head.map(str::to_owned).collect()];
    for (section, run) in runs(sections) {
        let values = FIELDS.iter().map(|field| rows::number((field.get)(&run.metrics)));
        table.push([section.to_owned(), run.run.name.clone()].into_iter().chain(values).collect());
    }
    rows::csv(&table)
}

/// [`csv`] as it is written to a file: in front of the table, lines that begin with `#` say how the runs were made.
///
/// # Errors
/// That of the CSV library.
pub fn csv_file(sections: &[Section]) -> Result<String, Diagnostic> {
    let mut head = String::new();
    for (names, made) in made(runs(sections).map(|(_, run)| run)) {
        head += &commented(std::iter::once(("runs", names.join("; "))).chain(made.lines()));
    }
    Ok(head + &csv(sections)?)
}

/// Names and texts as comments in front of a table.
pub(crate) fn commented<'a>(lines: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let comment =
        |(key, text): (&str, String)| text.lines().map(|text| format!("# {key}: {text}\n")).collect::<String>();
    lines.into_iter().map(comment).collect()
}

/// The ways in which runs were made, each with the names of those that were made so; of runs of one call what they have in common.
pub(super) fn made<'a>(runs: impl Iterator<Item = &'a Analyzed>) -> Vec<(Vec<&'a str>, Provenance)> {
    let mut all: Vec<(Vec<&str>, Provenance)> = Vec::new();
    for run in runs {
        let (Some(made), name) = (run.run.provenance.as_deref(), run.run.name.as_str()) else { continue };
        match all.iter_mut().find(|(_, known)| known.is_of_same_call(made)) {
            Some((names, known)) => {
                known.keep_common(made);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            None => all.push((vec![name], made.clone())),
        }
    }
    all
}

/// The metrics as a list of objects with the names of [`FIELDS`], null if a run has no such number, with findings and notes.
pub fn json(sections: &[Section]) -> String {
    // Serializing plain values cannot fail.
    serde_json::to_string_pretty(&as_json(sections)).unwrap_or_default() + "\n"
}

/// The metrics of all runs as a list of objects: section, run, each of [`FIELDS`](super::FIELDS), window, topics, findings, notes, and how
/// it was made.
pub fn as_json(sections: &[Section]) -> Value {
    let object = |(section, run): (&str, &Analyzed)| {
        let mut object = serde_json::Map::new();
        object.insert("section".into(), section.into());
        object.insert("run".into(), run.run.name.as_str().into());
        if !run.run.vehicle.is_empty() {
            object.insert("vehicle".into(), run.run.vehicle.as_str().into());
        }
        object.extend(numbers(&run.metrics));
        let window = &run.metrics.window;
        let window_origin = window.origin;
        let [start, end] = [window.start, window.end].map(|time| time - window.origin);
        let window = json!({ "start_s": start, "end_s": end, "ended_by": window.ended_by });
        object.insert("window".into(), window);
        object.insert("topics".into(), json!(run.run.topics));
        if let Some(laps) = &run.metrics.laps {
            object.insert("laps".into(), laps.as_json(window_origin));
        }
        object.insert("findings".into(), json!(run.metrics.findings));
        object.insert("notes".into(), json!(run.run.notes.iter().map(ToString::to_string).collect::<Vec<_>>()));
        if let Some(made) = &run.run.provenance {
            object.insert("provenance".into(), json!(**made));
        }
        Value::Object(object)
    };
    runs(sections).map(object).collect()
}

/// Each of [`FIELDS`](super::FIELDS) by its key, null where there is no such number.
pub(crate) fn numbers(metrics: &Metrics) -> serde_json::Map<String, Value> {
    FIELDS.iter().map(|field| (field.key.to_owned(), json!((field.get)(metrics)))).collect()
}

/// All runs with the title of their section.
fn runs(sections: &[Section]) -> impl Iterator<Item = (&str, &Analyzed)> {
    sections.iter().flat_map(|section| section.runs.iter().map(|run| (section.title.as_str(), run)))
}

/// Writes a text file.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, text: &str) -> Result<(), ReportError> {
    Ok(output_file::write(path, text).map_err(|error| FileError::write(path, error))?)
}
