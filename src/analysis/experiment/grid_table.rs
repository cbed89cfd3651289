//! The numbers of a matrix of the user's own: a long table with all of them, and one metric as rows and columns.

use maud::{Markup, html};
use serde_json::{Map, Value, json};
use skidpad_files::counted::counted;
use skidpad_files::diagnostic::Diagnostic;

use std::ops::Deref;

use super::Grid;
use crate::groups::SUMMARY_COLUMNS;
use crate::report::{commented, numbers};
use crate::{FIELDS, Field, shown};
use crate::{Summary, html, rows};

/// The unit in which a metric is shown, and how many of it one SI unit is: lengths in cm, as errors are.
pub(super) fn unit(field: &Field) -> (&'static str, f64) {
    match field.unit {
        "m" => ("cm", 100.0),
        other => (other, 1.0),
    }
}

/// The metric with its unit.
pub(super) fn title(field: &Field) -> String {
    match unit(field) {
        ("", _) => field.label.to_owned(),
        (unit, _) => format!("{} [{unit}]", field.label),
    }
}

/// The mean, of several with half of its 95 % interval.
fn text(summary: Option<Summary>) -> String {
    match summary {
        Some(Summary { mean, half_interval: Some(half), .. }) => {
            format!("{} ± {}", shown(Some(mean)), shown(Some(half)))
        }
        other => shown(other.map(|summary| summary.mean)),
    }
}

/// Whether a combination that the world has could not be run.
fn has_failed(cell: &super::GridCell) -> bool {
    matches!(cell.run, Some(Err(_)))
}

/// The report of a matrix.
pub struct GridReport<'a>(pub &'a Grid);

impl Deref for GridReport<'_> {
    type Target = Grid;

    fn deref(&self) -> &Grid {
        self.0
    }
}

/// Runs that differ by their seeds alone.
struct OverSeeds<'a> {
    /// Each key of the other axes with its value.
    values: Vec<(&'a String, &'a String)>,
    /// The metrics that any of the runs has, in SI units.
    metrics: Vec<(&'static Field, Summary)>,
}

impl GridReport<'_> {
    /// The axes of tables and curves: all but that of the seeds, over which numbers are averaged.
    pub(super) fn shown_axes(&self) -> Vec<usize> {
        (0..self.axes.len()).filter(|&axis| self.axes[axis].name() != "seed").collect()
    }

    /// Count of the seeds over which numbers are averaged.
    pub(super) fn seeds(&self) -> usize {
        self.axes.iter().find(|axis| axis.name() == "seed").map_or(1, |axis| axis.values.len())
    }

    /// What a number over the seeds is.
    pub(super) fn of_seeds(&self) -> String {
        format!("mean of {} seeds", self.seeds())
    }

    /// What is left out of tables and curves; empty: nothing.
    pub(super) fn left_out(&self) -> String {
        match self.cells.iter().filter(|cell| has_failed(cell)).count() {
            0 => String::new(),
            failed => format!(", without {}", counted(failed, "failed run")),
        }
    }

    /// The combinations where these axes have these indices.
    fn cells_of<'b>(&'b self, chosen: &'b [(usize, usize)]) -> impl Iterator<Item = &'b super::GridCell> {
        let is_chosen = |indices: &[usize]| chosen.iter().all(|&(axis, index)| indices[axis] == index);
        self.cells.iter().filter(move |cell| is_chosen(&cell.indices))
    }

    /// A metric where these axes have these indices, over all seeds, times `scale`; none where no run has it.
    fn summary(&self, field: &Field, chosen: &[(usize, usize)], scale: f64) -> Option<Summary> {
        Summary::of(self.cells_of(chosen).filter_map(|cell| (field.get)(cell.metrics()?)).map(|value| scale * value))
    }

    /// The text of a metric in a table; of several seeds, some of which failed, with the number of the others.
    fn cell(&self, field: &Field, chosen: &[(usize, usize)]) -> String {
        let text = text(self.mean(field, chosen));
        match self.cells_of(chosen).filter(|cell| has_failed(cell)).count() {
            failed if failed > 0 && self.seeds() > 1 => {
                format!("{text} ({} of {})", self.seeds() - failed, self.seeds())
            }
            _ => text,
        }
    }

    /// The same in the unit in which it is shown.
    pub(super) fn mean(&self, field: &Field, chosen: &[(usize, usize)]) -> Option<Summary> {
        self.summary(field, chosen, unit(field).1)
    }

    /// Each combination of the values of all axes but that of the seeds. Empty without several seeds.
    fn summaries(&self) -> Vec<OverSeeds<'_>> {
        if self.seeds() < 2 {
            return Vec::new();
        }
        let of_combination = |chosen: Vec<(usize, usize)>| {
            let axes = chosen.iter().map(|&(axis, index)| (&self.axes[axis], index));
            let values = axes.flat_map(|(axis, index)| axis.keys.iter().zip(&axis.values[index])).collect();
            let metrics = FIELDS.iter().filter_map(|field| Some((field, self.summary(field, &chosen, 1.0)?)));
            OverSeeds { values, metrics: metrics.collect() }
        };
        self.chosen(&self.shown_axes()).into_iter().map(of_combination).collect()
    }

    /// Mean and spread of all metrics over the seeds, a row for each metric of each combination; none without several seeds.
    ///
    /// # Errors
    /// That of the CSV library.
    pub fn summary_csv(&self) -> Result<Option<String>, Diagnostic> {
        let keys = self.shown_axes().into_iter().flat_map(|axis| self.axes[axis].keys.iter().map(String::as_str));
        let mut table: Vec<Vec<String>> = vec![keys.chain(SUMMARY_COLUMNS).map(str::to_owned).collect()];
        for OverSeeds { values, metrics } in self.summaries() {
            let row = |(field, summary): (&Field, Summary)| {
                values.iter().map(|(_, value)| (*value).clone()).chain(summary.cells(field)).collect()
            };
            table.extend(metrics.into_iter().map(row));
        }
        if table.len() == 1 { Ok(None) } else { rows::csv(&table).map(Some) }
    }

    /// Head and rows of one metric: the values of the last axis are the columns.
    fn rows(&self, field: &Field) -> (Vec<String>, Vec<Vec<String>>) {
        let axes = self.shown_axes();
        let (rows, column) = match axes.split_last() {
            Some((last, row_axes)) if !row_axes.is_empty() => (row_axes, Some(*last)),
            _ => (&axes[..], None),
        };
        let columns: Vec<Vec<(usize, usize)>> = match column {
            Some(axis) => (0..self.axes[axis].values.len()).map(|index| vec![(axis, index)]).collect(),
            None => vec![Vec::new()],
        };
        let mut head: Vec<String> = rows.iter().map(|&axis| self.axes[axis].name()).collect();
        head.extend(columns.iter().map(|chosen| match chosen[..] {
            [(axis, index)] => self.axes[axis].label(index),
            _ => title(field),
        }));
        let of_rows = self.chosen(rows).into_iter().map(|row| {
            let labels = row.iter().map(|&(axis, index)| self.axes[axis].label(index));
            let cell = |column: &Vec<(usize, usize)>| self.cell(field, &[&row[..], &column[..]].concat());
            labels.chain(columns.iter().map(cell)).collect()
        });
        (head, of_rows.collect())
    }

    /// All combinations of the values of these axes, as pairs of axis and index.
    pub(super) fn chosen(&self, axes: &[usize]) -> Vec<Vec<(usize, usize)>> {
        axes.iter().fold(vec![Vec::new()], |all, &axis| {
            let with =
                |head: &Vec<(usize, usize)>, index| head.iter().copied().chain([(axis, index)]).collect::<Vec<_>>();
            all.iter().flat_map(|head| (0..self.axes[axis].values.len()).map(move |index| with(head, index))).collect()
        })
    }

    /// What the table shows: the metric, and what its columns are.
    fn caption(&self, field: &Field) -> String {
        let axes = self.shown_axes();
        let columns = match axes.split_last() {
            Some((&last, row_axes)) if !row_axes.is_empty() => format!(", columns: {}", self.axes[last].name()),
            _ => String::new(),
        };
        let seeds = match self.seeds() {
            1 => String::new(),
            _ => format!(", {} ± half of its 95 % interval", self.of_seeds()),
        };
        format!("{}{columns}{seeds}{}", title(field), self.left_out())
    }

    /// One metric in aligned columns.
    pub fn text(&self, field: &Field) -> String {
        let (head, rows) = self.rows(field);
        let labels = self.shown_axes().len();
        let labels = if labels > 1 { labels - 1 } else { labels };
        let lines = rows::aligned(&[vec![head], rows].concat(), |column| column < labels);
        // With one axis the head of the table names the metric.
        let has_more = self.seeds() > 1 || !self.left_out().is_empty();
        let caption =
            if labels < self.shown_axes().len() || has_more { self.caption(field) + "\n" } else { String::new() };
        lines.into_iter().fold(caption, |text, line| text + &line + "\n")
    }

    /// One metric as a table in Markdown, below a line that says what it shows.
    pub fn markdown(&self, field: &Field) -> String {
        let (head, rows) = self.rows(field);
        self.caption(field) + "\n\n" + &rows::markdown(&[vec![head], rows].concat())
    }

    /// The long table: a row for each run, with a column for each key of the axes and for each of [`FIELDS`], and one for the recording, if there are
    /// any; empty where there is no number.
    ///
    /// # Errors
    /// That of the CSV library.
    pub fn csv(&self) -> Result<String, Diagnostic> {
        let recording = |cell: &super::GridCell| cell.run.as_ref()?.as_ref().ok()?.recording.clone();
        let is_recorded = self.cells.iter().any(|cell| recording(cell).is_some());
        let keys = self.axes.iter().flat_map(|axis| axis.keys.iter().cloned());
        let head = keys.chain(FIELDS.iter().map(|field| field.key.to_owned()));
        let mut table: Vec<Vec<String>> = vec![head.chain(is_recorded.then(|| "recording".to_owned())).collect()];
        table.extend(self.cells.iter().map(|cell| {
            let values = self.axes.iter().zip(&cell.indices).flat_map(|(axis, &index)| axis.values[index].clone());
            let values = values.chain(FIELDS.iter().map(|field| rows::number(cell.metrics().and_then(field.get))));
            let file = || recording(cell).map_or_else(String::new, |path| path.display().to_string());
            values.chain(is_recorded.then(file)).collect()
        }));
        rows::csv(&table)
    }

    /// [`csv`](GridReport::csv) as it is written to a file: in front of the table, lines that begin with `#` say how the runs were made.
    ///
    /// # Errors
    /// That of the CSV library.
    pub fn csv_file(&self) -> Result<String, Diagnostic> {
        let head = self.provenance.iter().map(|made| commented(made.lines()));
        Ok(head.collect::<String>() + &self.csv()?)
    }

    /// The axes; a list of all runs (`vary` with the value of each key, the metrics by their keys, findings, warnings, the command that makes it alone,
    /// its recording, and what failed); of several seeds `summaries`, a list of all combinations of the other axes with mean and spread of each
    /// metric; and how the whole was made.
    pub fn as_json(&self) -> Value {
        let run = |cell: &super::GridCell| {
            let keys = self
                .axes
                .iter()
                .zip(&cell.indices)
                .flat_map(|(axis, &index)| axis.keys.iter().zip(&axis.values[index]));
            let mut object = Map::new();
            object.insert(
                "vary".into(),
                keys.map(|(key, value)| (key.clone(), json!(value))).collect::<Map<_, _>>().into(),
            );
            let texts = |all: &[Diagnostic]| json!(all.iter().map(ToString::to_string).collect::<Vec<_>>());
            match &cell.run {
                None => _ = object.insert("is_absent".into(), json!(true)),
                Some(Err(problems)) => _ = object.insert("failed".into(), texts(&problems.0)),
                Some(Ok(run)) => {
                    object.extend(numbers(&run.metrics));
                    object.insert("findings".into(), json!(run.metrics.findings));
                    object.insert("warnings".into(), texts(&run.warnings));
                    object.extend(run.provenance.iter().map(|made| ("command".into(), made.command_line().into())));
                    let path = run.recording.iter().map(|path| path.display().to_string());
                    object.extend(path.map(|path| ("recording".into(), path.into())));
                }
            }
            Value::Object(object)
        };
        let axis = |axis: &super::Axis| json!({ "keys": axis.keys, "values": axis.values });
        let summary = |OverSeeds { values, metrics }: OverSeeds| {
            let vary: Map<_, _> = values.into_iter().map(|(key, value)| (key.clone(), json!(value))).collect();
            let of_metric = |(field, summary): (&Field, Summary)| (field.key.to_owned(), summary.as_json());
            json!({ "vary": vary, "metrics": metrics.into_iter().map(of_metric).collect::<Map<_, _>>() })
        };
        let mut all = Map::new();
        all.insert("axes".into(), self.axes.iter().map(axis).collect());
        all.insert("runs".into(), self.cells.iter().map(run).collect());
        all.insert("summaries".into(), self.summaries().into_iter().map(summary).collect());
        all.extend(self.provenance.iter().map(|made| ("provenance".into(), json!(made))));
        all.into()
    }

    /// The table of one metric on a page.
    pub(super) fn html_table(&self, field: &Field) -> Markup {
        let (head, rows) = self.rows(field);
        html! { h2 { (self.caption(field)) } (html::table(&[vec![head], rows].concat())) }
    }
}
