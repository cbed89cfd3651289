//! Laps as tables: text for the terminal, CSV, JSON and the page. Instants are in seconds since the reference of the run began, or its first pose.

use std::fmt::Write;

use maud::{Markup, html};
use serde_json::{Value, json};
use skidpad_files::diagnostic::Diagnostic;

use super::{Excursion, Lap, Laps};
use crate::html::table;
use crate::rows;
use crate::{Analyzed, Section};

/// Times off the track and cuts that the text lists.
const LISTED: usize = 12;

/// A time for readers [s].
fn seconds(time: f64) -> String {
    // The sum with zero has no sign where it is zero.
    format!("{:.3}", (1000.0 * time).round() / 1000.0 + 0.0)
}

fn seconds_or_dash(time: Option<f64>) -> String {
    time.map_or_else(|| "–".into(), seconds)
}

impl Laps {
    /// One line: how many, and the best.
    fn headline(&self) -> String {
        let count = match self.count() {
            1 => "1 lap".to_owned(),
            count => format!("{count} laps"),
        };
        let of = format!("{count} of {:.2} m, {} valid", self.length, self.valid());
        match self.best().zip(self.theoretical_best()) {
            Some((best, theoretical)) => {
                format!("{of}; best {} s, sum of the best sectors {} s", seconds(best), seconds(theoretical))
            }
            None => of,
        }
    }

    /// The heads of the columns, and a row for each lap and one for the best sectors.
    fn rows(&self, origin: f64) -> Vec<Vec<String>> {
        let has_line_speed = self.laps.iter().any(|lap| lap.speed_difference.is_some());
        let sectors = 1..=self.ends.len();
        let mut head = vec!["lap".to_owned(), "from [s]".into(), "time [s]".into()];
        head.extend(sectors.map(|sector| format!("sector {sector} [s]")));
        head.push("greatest speed [m/s]".into());
        if has_line_speed {
            head.push("to the line's speed [m/s]".into());
        }
        head.push("valid".into());
        let mark = |text: String, is_valid: bool| if is_valid { text } else { text + "*" };
        let row = |lap: &Lap| {
            let mut row =
                vec![lap.number.to_string(), seconds(lap.start - origin), mark(seconds(lap.duration), lap.is_valid())];
            row.extend(lap.sectors.iter().map(|sector| mark(seconds(sector.duration), sector.is_valid)));
            row.push(format!("{:.2}", lap.max_speed));
            if has_line_speed {
                row.push(
                    lap.speed_difference.map_or_else(|| "–".into(), |difference| format!("{:+.2}", difference.mean)),
                );
            }
            row.push(if lap.is_valid() { "yes".into() } else { format!("no: {}", lap.reasons()) });
            row
        };
        let mut rows = vec![head];
        rows.extend(self.laps.iter().map(row));
        if self.count() > 1 {
            let mut best = vec!["best".to_owned(), String::new(), seconds_or_dash(self.best())];
            best.extend(self.best_sectors().into_iter().map(seconds_or_dash));
            rows.push(best);
        }
        rows
    }

    /// A sentence for each time off the track, and for each part of the line that was cut.
    fn remarks(&self, origin: f64) -> Vec<String> {
        let off = self.excursions.iter().flatten().map(|excursion| {
            let Excursion { start, end, arc_length, worst, excess, .. } = excursion;
            format!(
                "off the track from {} to {} s, from {arc_length:.2} m along the line on: up to {excess:.3} m to the {} at {worst:.2} m",
                seconds(start - origin),
                seconds(end - origin),
                excursion.side()
            )
        });
        let cut = self.cuts.iter().map(|cut| {
            let [start, end] = [cut.start, cut.end].map(|time| seconds(time - origin));
            format!("cut from {start} to {end} s: from {:.2} to {:.2} m along the line", cut.from, cut.to)
        });
        off.chain(cut).collect()
    }

    /// For programs.
    pub fn as_json(&self, origin: f64) -> Value {
        let laps = self.laps.iter().map(|lap| {
            json!({
                "lap": lap.number,
                "start_s": lap.start - origin,
                "time_s": lap.duration,
                "valid": lap.is_valid(),
                "from_start": lap.is_from_start,
                "off_track_s": lap.off_track,
                "cuts": lap.cuts,
                "max_speed_mps": lap.max_speed,
                "speed_difference_mean_mps": lap.speed_difference.map(|difference| difference.mean),
                "speed_difference_rms_mps": lap.speed_difference.map(|difference| difference.rms),
                "sectors": lap.sectors.iter().map(|s| json!({ "time_s": s.duration, "valid": s.is_valid })).collect::<Vec<_>>(),
            })
        });
        let excursion = |excursion: &Excursion| {
            json!({
                "start_s": excursion.start - origin,
                "end_s": excursion.end - origin,
                "way_m": excursion.arc_length,
                "worst_way_m": excursion.worst,
                "excess_m": excursion.excess,
                "side": excursion.side(),
            })
        };
        let excursions = self.excursions.as_ref().map(|all| all.iter().map(excursion).collect::<Vec<_>>());
        let cuts = self.cuts.iter().map(|cut| {
            json!({ "start_s": cut.start - origin, "end_s": cut.end - origin, "from_m": cut.from, "to_m": cut.to })
        });
        json!({
            "length_m": self.length,
            "sector_ends_m": self.ends,
            "laps": laps.collect::<Vec<_>>(),
            "best_sectors_s": self.best_sectors(),
            "off_track": excursions,
            "cuts": cuts.collect::<Vec<_>>(),
        })
    }
}

impl Excursion {
    fn side(&self) -> &'static str {
        if self.is_left { "left" } else { "right" }
    }
}

/// The runs that have laps, with the title of their section.
fn with_laps(sections: &[Section]) -> impl Iterator<Item = (&str, &Analyzed, &Laps)> {
    sections.iter().flat_map(|section| {
        section.runs.iter().filter_map(|run| Some((section.title.as_str(), run, run.metrics.laps.as_ref()?)))
    })
}

/// The laps of runs as text: for each run a line, a table, and a line for each time off the track; empty without laps.
pub fn laps_text(sections: &[Section]) -> String {
    let mut text = String::new();
    for (_, run, laps) in with_laps(sections) {
        let origin = run.metrics.window.origin;
        let _ = writeln!(text, "{}: {}", run.run.name, laps.headline());
        if laps.count() > 0 {
            let table = laps.rows(origin);
            // The reasons are last, and run on.
            let last = table[0].len() - 1;
            for line in rows::aligned(&table, |column| column == last) {
                let _ = writeln!(text, "  {line}");
            }
        }
        let remarks = laps.remarks(origin);
        for remark in remarks.iter().take(LISTED) {
            let _ = writeln!(text, "  {remark}");
        }
        if let Some(more) = remarks.len().checked_sub(LISTED).filter(|more| *more > 0) {
            let _ = writeln!(text, "  and {more} more: --json has all, and the page and off_track.csv of --out");
        }
    }
    if text.contains('*') {
        text.push_str("(* off the track or cut: not valid)\n");
    }
    text
}

/// The laps of runs as part of a page.
pub fn html(runs: &[Analyzed]) -> Markup {
    let with_laps = || runs.iter().filter_map(|run| Some((run, run.metrics.laps.as_ref()?)));
    html! {
        @for (run, laps) in with_laps() {
            @let origin = run.metrics.window.origin;
            h3 { "Laps" }
            p { (run.run.name) ": " (laps.headline()) }
            @if laps.count() > 0 { (table(&laps.rows(origin))) }
            @let remarks = laps.remarks(origin);
            @if !remarks.is_empty() {
                ul { @for remark in remarks { li { (remark) } } }
            }
        }
    }
}

/// The laps as CSV, a row for each; none where no run has laps.
///
/// # Errors
/// That of the CSV library.
pub fn laps_csv(sections: &[Section]) -> Result<Option<String>, Diagnostic> {
    let Some(sectors) = with_laps(sections).map(|(_, _, laps)| laps.ends.len()).max() else { return Ok(None) };
    let mut head: Vec<String> = [
        "section",
        "run",
        "lap",
        "start_s",
        "time_s",
        "valid",
        "off_track_s",
        "cuts",
        "max_speed_mps",
        "speed_difference_mean_mps",
        "speed_difference_rms_mps",
    ]
    .map(str::to_owned)
    .to_vec();
    for sector in 1..=sectors {
        head.extend([format!("sector_{sector}_s"), format!("sector_{sector}_valid")]);
    }
    let width = head.len();
    let mut table = vec![head];
    for (section, run, laps) in with_laps(sections) {
        table.extend(laps.laps.iter().map(|lap| {
            let difference = lap.speed_difference;
            let [mean, rms] = [difference.map(|d| d.mean), difference.map(|d| d.rms)].map(rows::number);
            let start = lap.start - run.metrics.window.origin;
            let mut row = vec![section.to_owned(), run.run.name.clone(), lap.number.to_string(), start.to_string()];
            row.extend([lap.duration.to_string(), lap.is_valid().to_string(), lap.off_track.to_string()]);
            row.extend([lap.cuts.to_string(), lap.max_speed.to_string(), mean, rms]);
            row.extend(lap.sectors.iter().flat_map(|s| [s.duration.to_string(), s.is_valid.to_string()]));
            row.resize(width, String::new());
            row
        }));
    }
    rows::csv(&table).map(Some)
}

/// The times off the track as CSV, a row for each; none where no run has laps within known widths.
///
/// # Errors
/// That of the CSV library.
pub fn off_track_csv(sections: &[Section]) -> Result<Option<String>, Diagnostic> {
    if with_laps(sections).all(|(_, _, laps)| laps.excursions.is_none()) {
        return Ok(None);
    }
    let head = ["section", "run", "start_s", "end_s", "way_m", "worst_way_m", "excess_m", "side"];
    let mut table = vec![head.map(str::to_owned).to_vec()];
    for (section, run, laps) in with_laps(sections) {
        let origin = run.metrics.window.origin;
        table.extend(laps.excursions.iter().flatten().map(|e| {
            let numbers = [e.start - origin, e.end - origin, e.arc_length, e.worst, e.excess].map(|v| v.to_string());
            let names = [section.to_owned(), run.run.name.clone()];
            names.into_iter().chain(numbers).chain([e.side().to_owned()]).collect()
        }));
    }
    rows::csv(&table).map(Some)
}
