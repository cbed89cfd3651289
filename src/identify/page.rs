//! The HTML page of an identification: tables, and figures of what was driven, measured and predicted motion, errors,
//! tyres and profiles.

use std::fmt::Write;

use skidpad_analysis::{escaped, page_head};
use skidpad_plot::{self as plot, Figure};

use super::columns::Role;
use super::identified::Identified;
use super::{IdentifyError, Prediction, figures, report, tyres};

/// Most windows that are drawn, evenly chosen.
const MOST_DRAWN: usize = 6;

/// A page, and its pictures as separate files.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The HTML text, with all pictures inside.
    pub html: String,
    /// Name and SVG text of each picture.
    pub pictures: Vec<(String, String)>,
}

/// The page of a result. Its figures show recordings that were not fitted, or the fitted ones if there are no others.
///
/// # Errors
/// A figure cannot be drawn.
pub(super) fn page(result: &Identified, name: &str, head: &str) -> Result<Page, IdentifyError> {
    let mut page = Page { html: page_head(name), pictures: Vec::new() };
    for verdict in report::verdicts(result) {
        let _ = write!(page.html, "<p class=\"note\"><strong>{}</strong></p>", escaped(&verdict));
    }
    let _ = write!(page.html, "<p>{}</p>", escaped(head));
    report::tables(result).split("\n\n").for_each(|table| page.table(table));
    let _ = write!(page.html, "<p>{}</p><ul>", escaped(&report::ending(result)));
    for note in &result.notes {
        let _ = write!(page.html, "<li class=\"note\">{}</li>", escaped(&note.to_string()));
    }
    page.html.push_str("</ul>");
    if let Some(figure) = figures::driven(&result.data[0]) {
        page.heading("What was driven, in the longest recording");
        page.draw("driven", &figure, 260 * figure.panels.len().div_ceil(2) as u32)?;
    }
    let unseen = usize::from(result.data[1].count() > 0);
    let data = &result.data[unseen];
    let roles = [Role::X, Role::Y, Role::Yaw, Role::Vx, Role::Vy, Role::YawRate];
    let predictions = data.predictions(&result.car, &result.values(), &roles)?;
    page.heading(
        [
            "Measured (dots) and predicted (lines)",
            "Measured (dots) and predicted (lines) on recordings that were not fitted",
        ][unseen],
    );
    let mut windows: Vec<(usize, usize)> = predictions.iter().map(|p| (p.run, p.window)).collect();
    windows.dedup();
    let every = windows.len().div_ceil(MOST_DRAWN).max(1);
    for (index, (run, window)) in windows.into_iter().step_by(every).enumerate() {
        let (recording, _) = &data.runs[run];
        let of_window: Vec<&Prediction> = predictions.iter().filter(|p| (p.run, p.window) == (run, window)).collect();
        if let Some(figure) = figures::window(&of_window, &recording.time, &recording.name()) {
            page.draw(&format!("window_{}", index + 1), &figure, 207 * figure.panels.len().div_ceil(2) as u32)?;
        }
    }
    if let Some(errors) = figures::residuals(data, &predictions) {
        page.heading("Errors against speed, lateral acceleration and side slip");
        page.draw("errors", &errors, 300 * errors.panels.len().div_ceil(errors.columns) as u32)?;
    }
    if let Some(axles) = tyres::axles(result)? {
        page.heading("Lateral force over slip angle, as the measured motion needs it and as simulated");
        page.html.push_str("<ul>");
        for (name, axle) in ["front", "rear"].iter().zip(&axles) {
            if let Some(worst) = axle.worst_deviation() {
                let _ = write!(
                    page.html,
                    "<li>{name}: in the worst twelfth of the slip angles the means differ by {worst:.1} standard deviations of what was measured there</li>"
                );
            }
        }
        page.html.push_str("</ul>");
        if let Some(figure) = figures::tyres(&axles) {
            page.draw("tyres", &figure, 420)?;
        }
    }
    if let Some(profiles) = figures::profiles(&result.found) {
        page.heading("How the data speak against other values, the rest fitted again");
        page.draw("profiles", &profiles, 240 * profiles.panels.len().div_ceil(2) as u32)?;
    }
    page.html.push_str("</body>\n</html>\n");
    Ok(page)
}

/// The plain text of a cell of a Markdown table.
fn plain(cell: &str) -> String {
    let cell = cell.trim().trim_matches('`');
    quick_xml::escape::unescape(cell).map_or_else(|_| cell.to_owned(), |text| text.into_owned())
}

impl Page {
    fn heading(&mut self, text: &str) {
        let _ = write!(self.html, "<h2>{}</h2>", escaped(text));
    }

    /// Appends a figure of this height [px].
    fn draw(&mut self, name: &str, figure: &Figure, height: u32) -> Result<(), IdentifyError> {
        let svg = plot::svg(figure, plot::Size { width: 1100, height })?;
        let _ = writeln!(self.html, "<figure>{svg}</figure>");
        self.pictures.push((name.to_owned(), svg));
        Ok(())
    }

    /// Appends a Markdown table, or a paragraph.
    fn table(&mut self, markdown: &str) {
        if !markdown.starts_with('|') {
            let _ = writeln!(self.html, "<p>{}</p>", escaped(markdown));
            return;
        }
        self.html.push_str("<div class=\"wide\"><table>");
        for (index, line) in markdown.lines().enumerate().filter(|(index, _)| *index != 1) {
            let tag = if index == 0 { "th" } else { "td" };
            let cells: String = line
                .trim_matches('|')
                .split('|')
                .map(|cell| format!("<{tag}>{}</{tag}>", escaped(&plain(cell))))
                .collect();
            let _ = write!(self.html, "<tr>{cells}</tr>");
        }
        self.html.push_str("</table></div>\n");
    }
}
