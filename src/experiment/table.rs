//! What experiments came to as text: for people, for Markdown pages, and for scripts.

use std::fmt::Write;

use serde::Serialize;

use super::matrix::{Matrix, TYRES};
use super::{ExperimentConfig, Outcome};
use crate::analysis::{Metrics, TrackingMetrics};

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableFormat {
    /// Columns for a terminal.
    #[default]
    Text,
    /// A table of Markdown.
    Markdown,
    /// A row for each run, SI units.
    Csv,
    /// All metrics of each run, SI units.
    Json,
}

/// A run for scripts.
#[derive(Serialize)]
struct Record<'a> {
    trajectory: &'a str,
    plant: &'a str,
    tyre: &'a str,
    metrics: &'a Metrics,
    warnings: &'a [String],
}

impl Matrix {
    /// The table in this format.
    pub fn table(&self, format: TableFormat) -> String {
        match format {
            TableFormat::Text => self.lines(),
            TableFormat::Markdown => self.markdown(),
            TableFormat::Csv => csv(self.records()),
            TableFormat::Json => json(&self.records().collect::<Vec<_>>()),
        }
    }

    fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.cells.iter().map(|cell| Record {
            trajectory: cell.trajectory,
            plant: cell.plant,
            tyre: cell.tyre,
            metrics: &cell.outcome.analyzed.metrics,
            warnings: &cell.outcome.warnings,
        })
    }

    /// For each trajectory and plant, RMSE [cm] and ISE [m²·s] on each tyre.
    fn rows(&self) -> Vec<(&'static str, &'static str, Vec<[String; 2]>)> {
        let mut rows: Vec<(&str, &str, Vec<[String; 2]>)> = Vec::new();
        for cell in &self.cells {
            let tracking = cell.outcome.analyzed.metrics.tracking.unwrap_or_default();
            let numbers = [format!("{:.2}", 100.0 * tracking.rmse), significant(tracking.ise)];
            match rows.last_mut().filter(|row| (row.0, row.1) == (cell.trajectory, cell.plant)) {
                Some(row) => row.2.push(numbers),
                None => rows.push((cell.trajectory, cell.plant, vec![numbers])),
            }
        }
        rows
    }

    fn lines(&self) -> String {
        let mut text = String::new();
        let _ = write!(text, "{:<28}", "RMSE [cm] / ISE [m²·s]");
        TYRES.iter().for_each(|tyre| drop(write!(text, "{tyre:>18}")));
        for (trajectory, plant, cells) in self.rows() {
            let _ = write!(text, "\n{trajectory:<14}{plant:<14}");
            cells.iter().for_each(|[rmse, ise]| drop(write!(text, "{:>18}", format!("{rmse} / {ise}"))));
        }
        text + "\n"
    }

    fn markdown(&self) -> String {
        let mut text = format!("| RMSE [cm] / ISE [m²·s] | plant | {} |\n|---|---|", TYRES.join(" | "));
        TYRES.iter().for_each(|_| text.push_str("---|"));
        for (trajectory, plant, cells) in self.rows() {
            let _ = write!(text, "\n| {trajectory} | {plant} |");
            cells.iter().for_each(|[rmse, ise]| drop(write!(text, " {rmse} / {ise} |")));
        }
        text + "\n"
    }
}

impl Outcome {
    /// The outcome of one experiment in this format.
    pub fn table(&self, config: &ExperimentConfig, format: TableFormat) -> String {
        let metrics = &self.analyzed.metrics;
        let record = Record {
            trajectory: &config.trajectory.trajectory_type,
            plant: &config.plant,
            tyre: &config.tyre,
            metrics,
            warnings: &self.warnings,
        };
        match format {
            TableFormat::Json => json(&record),
            TableFormat::Csv => csv(std::iter::once(record)),
            TableFormat::Text => rows(metrics).iter().fold(String::new(), |text, (what, value)| {
                let wide = 20_usize.saturating_sub(what.chars().count());
                text + what + &" ".repeat(wide) + value + "\n"
            }),
            TableFormat::Markdown => {
                let head = String::from("| | |\n|---|---|\n");
                rows(metrics).iter().fold(head, |text, (what, value)| text + &format!("| {what} | {value} |\n"))
            }
        }
    }
}

/// The metrics for people, with their units.
fn rows(metrics: &Metrics) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(t) = &metrics.tracking {
        let cm = |metres: f64| format!("{:.2} cm", 100.0 * metres);
        rows.push(("RMSE", format!("{}   (x {}, y {})", cm(t.rmse), cm(t.rmse_x), cm(t.rmse_y))));
        rows.push(("ISE", format!("{} m²·s", significant(t.ise))));
        rows.push(("greatest error", format!("{} at {:.2} s", cm(t.max_error), t.max_error_time)));
        rows.push(("error at the end", cm(t.final_error)));
        rows.push(("cross-track", format!("{} RMS, {} at most", cm(t.cross_track_rms), cm(t.cross_track_max))));
        rows.push(("along the track", format!("{} RMS, {} on average", cm(t.along_track_rms), cm(t.along_track_mean))));
        rows.push(("settled after", t.settling_time.map_or("never".into(), |time| format!("{time:.2} s"))));
    }
    rows.push(("speed", format!("{:.3} m/s on average, {:.3} m/s at most", metrics.mean_speed, metrics.max_speed)));
    rows.push(("way", format!("{:.2} m in {:.2} s, {} samples", metrics.path_length, metrics.duration, metrics.samples)));
    if let Some(effort) = &metrics.effort {
        rows.push(("speed command", format!("{:.2} m/s of changes in all", effort.speed_variation)));
        if let (Some(most), Some(all)) = (effort.max_steering_angle, effort.steering_variation) {
            rows.push(("steering command", format!("{most:.3} rad at most, {all:.2} rad of changes in all")));
        }
    }
    rows
}

/// Three significant digits.
fn significant(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= 100.0 || !size.is_finite() => 0,
        size if size >= 10.0 => 1,
        size if size >= 1.0 => 2,
        size if size >= 0.1 => 3,
        size if size >= 0.01 => 4,
        size if size >= 0.001 => 5,
        _ => return format!("{value:.2e}"),
    };
    format!("{value:.decimals$}")
}

fn csv<'a>(records: impl Iterator<Item = Record<'a>>) -> String {
    let mut text = String::from(
        "trajectory,plant,tyre,rmse_m,ise_m2s,max_error_m,final_error_m,cross_track_rms_m,mean_speed_mps,duration_s\n",
    );
    for record in records {
        let m = record.metrics;
        let t: TrackingMetrics = m.tracking.unwrap_or_default();
        let numbers = [t.rmse, t.ise, t.max_error, t.final_error, t.cross_track_rms, m.mean_speed, m.duration];
        let numbers = numbers.map(|number| number.to_string()).join(",");
        let _ = writeln!(text, "{},{},{},{numbers}", record.trajectory, record.plant, record.tyre);
    }
    text
}

fn json<T: Serialize>(value: &T) -> String {
    // Numbers, texts and lists always have a form.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
