//! What an identification leaves: the class as a file, tables, and a page.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::columns::Role;
use super::config::IdentifyConfig;
use super::identified::{Found, Identified};
use super::score::{Score, Scores};
use super::{IdentifyError, Prediction, figures, tyres};
use crate::analysis::{escaped, page_head};
use crate::plot::{self, Figure};

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
    let mut titles: Vec<String> = Vec::new();
    for title in lists.iter().flat_map(|(_, scores)| scores.iter()).map(Score::title) {
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    for title in titles {
        let _ = write!(text, "| {title} |");
        for (_, scores) in lists {
            let found = scores.iter().find(|score| score.title() == title);
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

/// Errors of prediction on each recording as a Markdown table, under this name; empty with less than two.
pub fn recording_table(name: &str, scores: &Scores) -> String {
    if scores.recordings.len() < 2 {
        return String::new();
    }
    let of_first = |score: &&Score| score.beyond == 0.0;
    let titles: Vec<String> = scores.all.iter().filter(of_first).map(Score::title).collect();
    let mut text = format!("| {name} | {} |\n|---{}|\n", titles.join(" | "), "|---".repeat(titles.len()));
    for (name, scores) in &scores.recordings {
        let found = |title: &String| scores.iter().find(|score| score.title() == *title);
        let shown = titles.iter().map(|title| found(title).map_or("–".to_owned(), |s| format!("{:.4}", s.shown())));
        let _ = writeln!(text, "| {name} | {} |", shown.collect::<Vec<_>>().join(" | "));
    }
    text
}

/// The tables of a result, in Markdown, with an empty line between them.
pub fn tables(result: &Identified) -> String {
    let tables = [
        table(&result.found),
        score_table(&[("fitted", &result.scores[0].all), ("not fitted", &result.scores[1].all)]),
        recording_table("RMS error, not fitted", &result.scores[1]),
        comparison(result),
    ];
    tables.into_iter().filter(|table| !table.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Errors of prediction of all classes on recordings that were not fitted, or where there are none on those that were; empty with one class alone.
fn comparison(result: &Identified) -> String {
    if result.compared.is_empty() {
        return String::new();
    }
    let unseen = usize::from(!result.scores[1].all.is_empty());
    let others = result.compared.iter().map(|other| (other.name.as_str(), &other.scores[unseen].all[..]));
    let lists: Vec<(&str, &[Score])> =
        std::iter::once(("this class", &result.scores[unseen].all[..])).chain(others).collect();
    score_table(&lists).replacen(
        "RMS error of prediction",
        ["RMS error of prediction, fitted", "RMS error of prediction, not fitted"][unseen],
        1,
    )
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
    let tables = tables(result);
    let runs = [&result.data[0], &result.data[1]]
        .map(|data| data.runs.iter().map(|(recording, _)| recording.name()).collect::<Vec<_>>().join(", "));
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
    tables(result).split("\n\n").for_each(|table| html_table(&mut page, table));
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
        let figure = figures::window(&of_window, &recording.time, &recording.name());
        draw(&mut page, &figure, 620)?;
    }
    if let Some(residuals) = figures::residuals(data, &predictions) {
        page.push_str("<h2>Errors against speed, lateral acceleration and side slip</h2>");
        draw(&mut page, &residuals, 300 * residuals.panels.len() as u32 / 3)?;
    }
    if let Some(axles) = tyres::axles(result)? {
        page.push_str("<h2>Lateral force over slip angle, as the measured motion needs it and as simulated</h2><ul>");
        for (name, axle) in ["front", "rear"].iter().zip(&axles) {
            if let Some(worst) = axle.worst_deviation() {
                let _ = write!(
                    page,
                    "<li>{name}: in the worst twelfth of the slip angles the means differ by {worst:.1} standard deviations of what was measured there</li>"
                );
            }
        }
        page.push_str("</ul>");
        draw(&mut page, &figures::tyres(&axles), 420)?;
    }
    page.push_str("</body>\n</html>\n");
    Ok(page)
}

/// Draws a figure of this height [pixels].
fn draw(page: &mut String, figure: &Figure, height: u32) -> Result<(), IdentifyError> {
    let svg = plot::svg(figure, plot::Size { width: 1100, height }).map_err(IdentifyError::Output)?;
    let _ = writeln!(page, "<figure>{svg}</figure>");
    Ok(())
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
