//! What an identification leaves: the class as a file, tables, and a page.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::columns::Role;
use super::config::IdentifyConfig;
use super::identified::{Found, Identified};
use super::score::Score;
use super::{IdentifyError, Prediction};
use crate::analysis::{escaped, page_head};
use crate::plot::{self, Figure, Key, Line, Panel, Series};

/// Most windows that are drawn.
const MOST_DRAWN: usize = 6;

/// A number with as many digits as its uncertainty allows.
fn rounded(found: &Found) -> String {
    let width = found.certainty.half_width;
    if !(width.is_finite() && width > 0.0) {
        return format!("{:.4}", found.value);
    }
    let digits = (1.0 - width.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{:.digits$} ± {width:.digits$}", found.value)
}

/// The unknowns as a Markdown table.
pub fn table(found: &[Found]) -> String {
    let mut text =
        String::from("| Unknown | Value, 95 % | Range | Determined | Most correlated with |\n|---|---|---|---|---|\n");
    for found in found {
        let [low, high] = found.unknown.range;
        let determined = if found.certainty.is_determined { "yes" } else { "no: held" };
        let with = found.with.as_ref().map_or(String::new(), |(name, share)| format!("{name} ({share:.2})"));
        let value = if found.certainty.is_determined { rounded(found) } else { found.value.to_string() };
        let _ = writeln!(text, "| `{}` | {value} | {low} to {high} | {determined} | {with} |", found.unknown.name());
    }
    text
}

/// Errors of prediction as a Markdown table: one column for each named list.
pub fn score_table(lists: &[(&str, &[Score])]) -> String {
    let mut text = String::from("| RMS error of prediction |");
    lists.iter().for_each(|(name, _)| text.push_str(&format!(" {name} |")));
    text.push_str("\n|---");
    lists.iter().for_each(|_| text.push_str("|---"));
    text.push_str("|\n");
    let mut names: Vec<(&str, &str)> = Vec::new();
    for score in lists.iter().flat_map(|(_, scores)| scores.iter()) {
        if !names.contains(&(score.name, score.unit)) {
            names.push((score.name, score.unit));
        }
    }
    for (name, unit) in names {
        let _ = write!(text, "| {name} [{unit}] |");
        for (_, scores) in lists {
            let found = scores.iter().find(|score| score.name == name);
            let shown = found.map_or("–".to_owned(), |score| {
                let share = score
                    .range
                    .map_or(String::new(), |range| format!(" ({:.1} % of its range)", 100.0 * score.rms / range));
                let failed = if score.failed > 0 { format!(", {} failed", score.failed) } else { String::new() };
                format!("{:.4}{share}{failed}", score.shown())
            });
            let _ = write!(text, " {shown} |");
        }
        text.push('\n');
    }
    text
}

/// Writes `NAME.vehicle.xml`, `NAME.md` and `NAME.html` into a folder; returns their paths.
///
/// # Errors
/// One cannot be written.
pub fn write(result: &Identified, config: &IdentifyConfig, out: &Path) -> Result<Vec<PathBuf>, IdentifyError> {
    std::fs::create_dir_all(out).map_err(|error| IdentifyError::Output(format!("{}: {error}", out.display())))?;
    let name = config.name.as_str();
    let values = result.values();
    let class = result.car.class(&values).to_text().map_err(|error| IdentifyError::Vehicle(error.to_string()))?;
    let tables = format!(
        "{}\n{}",
        table(&result.found),
        score_table(&[("fitted", &result.scores[0]), ("not fitted", &result.scores[1])])
    );
    let runs = [&result.data[0], &result.data[1]].map(|data| {
        let names = data.runs.iter().filter_map(|(recording, _)| recording.path.file_name());
        names.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>().join(", ")
    });
    let mut head = if config.description.is_empty() { String::new() } else { format!("{}\n", config.description) };
    let _ = writeln!(head, "Identified by skidpad identify from {}.", runs[0]);
    if !runs[1].is_empty() {
        let _ = writeln!(head, "Predicted without having been fitted: {}.", runs[1]);
    }
    // Two hyphens would end the comment; tables need no lines below their heads there.
    let plain: String = tables
        .lines()
        .filter(|line| !line.starts_with("|---"))
        .map(|line| format!("{}\n", line.replace("--", "–")))
        .collect();
    let comment = format!("{head}\n{plain}");
    let file = format!("<!-- {comment}-->\n{class}\n");
    let notes: String = result.notes.iter().map(|note| format!("- {note}\n")).collect();
    let markdown = format!(
        "# {name}\n\n{head}\n{tables}\n{} evaluations of {} windows; {}.\n{notes}",
        result.fit.evaluations,
        result.data[0].count(),
        result.fit.ending
    );
    let page = page(result, name, &head)?;
    let mut paths = Vec::new();
    for (extension, text) in [("vehicle.xml", file), ("md", markdown), ("html", page)] {
        let path = out.join(format!("{name}.{extension}"));
        std::fs::write(&path, text).map_err(|error| IdentifyError::Output(format!("{}: {error}", path.display())))?;
        paths.push(path);
    }
    Ok(paths)
}

/// The page: tables, and measured beside predicted on recordings that were not fitted, or where there are none on those that were.
fn page(result: &Identified, name: &str, head: &str) -> Result<String, IdentifyError> {
    let mut page = page_head(name);
    let _ = write!(page, "<p>{}</p>", escaped(head));
    html_table(&mut page, &table(&result.found));
    html_table(&mut page, &score_table(&[("fitted", &result.scores[0]), ("not fitted", &result.scores[1])]));
    page.push_str("<ul>");
    for note in &result.notes {
        let _ = write!(page, "<li class=\"note\">{}</li>", escaped(note));
    }
    page.push_str("</ul>");
    let unseen = usize::from(result.data[1].count() > 0);
    let data = &result.data[unseen];
    let roles = [Role::X, Role::Y, Role::Yaw, Role::Vx, Role::Vy, Role::YawRate];
    let predictions = data.predictions(&result.car, &result.values(), &roles)?;
    let _ = write!(
        page,
        "<h2>Measured (dots) and predicted (lines){}</h2>",
        ["", " on recordings that were not fitted"][unseen]
    );
    let mut windows: Vec<(usize, usize)> = predictions.iter().map(|p| (p.run, p.window)).collect();
    windows.dedup();
    let every = windows.len().div_ceil(MOST_DRAWN).max(1);
    for (run, window) in windows.into_iter().step_by(every) {
        let (recording, _) = &data.runs[run];
        let of_window: Vec<&Prediction> = predictions.iter().filter(|p| (p.run, p.window) == (run, window)).collect();
        let figure = window_figure(
            &of_window,
            &recording.time,
            &recording.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        );
        let svg = plot::svg(&figure, plot::Size { width: 1100, height: 620 }).map_err(IdentifyError::Output)?;
        let _ = writeln!(page, "<figure>{svg}</figure>");
    }
    page.push_str("</body>\n</html>\n");
    Ok(page)
}

/// A Markdown table as HTML.
fn html_table(page: &mut String, markdown: &str) {
    page.push_str("<div class=\"wide\"><table>");
    for (index, line) in markdown.lines().enumerate().filter(|(index, _)| *index != 1) {
        let tag = if index == 0 { "th" } else { "td" };
        let cells: String = line
            .trim_matches('|')
            .split('|')
            .map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell.trim().trim_matches('`'))))
            .collect();
        let _ = write!(page, "<tr>{cells}</tr>");
    }
    page.push_str("</table></div>\n");
}

/// Path and the quantities over time of a window.
fn window_figure(predictions: &[&Prediction], time: &[f64], title: &str) -> Figure {
    let of = |role: Role, value: fn(&Prediction) -> f64| -> Vec<f64> {
        predictions.iter().filter(|p| p.role == role).map(|p| value(p)).collect()
    };
    let times: Vec<f64> = predictions.iter().filter(|p| p.role == Role::Yaw).map(|p| time[p.row]).collect();
    let pair = |panel: &mut Panel, measured: Vec<(f64, f64)>, predicted: Vec<(f64, f64)>| {
        panel.series.push(Series { label: "measured".into(), points: measured, line: Line::scatter(1) });
        panel.series.push(Series { label: "predicted".into(), points: predicted, line: Line::solid(0) });
    };
    let zipped = |a: Vec<f64>, b: Vec<f64>| a.into_iter().zip(b).collect::<Vec<_>>();
    let mut path = Panel::new(title, "x [m]", "y [m]", true);
    let [measured, predicted]: [fn(&Prediction) -> f64; 2] = [|p| p.measured, |p| p.predicted];
    pair(
        &mut path,
        zipped(of(Role::X, measured), of(Role::Y, measured)),
        zipped(of(Role::X, predicted), of(Role::Y, predicted)),
    );
    let mut panels = vec![path];
    for (role, label, factor) in [
        (Role::Yaw, "heading [deg]", 1_f64.to_degrees()),
        (Role::Vx, "vx [m/s]", 1.0),
        (Role::Vy, "vy [m/s]", 1.0),
        (Role::YawRate, "yaw rate [deg/s]", 1_f64.to_degrees()),
    ] {
        let mut panel = Panel::new("", "time [s]", label, false);
        let scaled = |values: Vec<f64>| zipped(times.clone(), values.into_iter().map(|value| factor * value).collect());
        pair(&mut panel, scaled(of(role, measured)), scaled(of(role, predicted)));
        if panel.series.iter().any(|series| series.points.iter().any(|point| point.1.is_finite())) {
            panels.push(panel);
        }
    }
    let legend = vec![Key::new("measured", Line::scatter(1)), Key::new("predicted", Line::solid(0))];
    Figure { title: String::new(), columns: 2, panels, legend }
}
