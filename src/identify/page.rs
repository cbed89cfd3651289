//! The HTML pages of identifications and validations: tables, and figures of what was driven, measured and predicted motion
//! with the bands, errors, tyres and profiles.

use std::path::{Path, PathBuf};

use maud::{Markup, PreEscaped, html};
use skidpad_analysis::{PictureOptions, html};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_plot::{self as plot, Figure, Size};

use super::car::Car;
use super::columns::Role;
use super::data::Data;
use super::identified::Identified;
use super::score::predicted_roles;
use super::{IdentifyError, Prediction, figures, report, tyres};

/// Most windows that are drawn, evenly chosen.
const MAX_DRAWN: usize = 6;

/// A page, and its pictures as separate files.
#[derive(Debug, Default)]
pub(super) struct Page {
    /// The HTML text, with all pictures inside; until it is complete, its body.
    pub html: String,
    /// The pictures as files, by name.
    pub figures: Vec<(String, Figure, Size)>,
}

/// The page of a result. Its figures show recordings that were not fitted, or the fitted ones if there are no others.
///
/// # Errors
/// A figure cannot be drawn.
pub(super) fn page(result: &Identified, name: &str, head: &str) -> Result<Page, IdentifyError> {
    let mut page = Page::default();
    page.add(&html! {
        @for verdict in report::verdicts(result) { p.note { strong { (verdict) } } }
        p { (head) }
        @for table in report::tables(result).split("\n\n") { (of_markdown(table)) }
        p { (report::ending(result)) }
        ul { @for note in &result.notes { li.note { (note) } } }
    });
    if let Some(figure) = figures::driven(&result.data[0]) {
        page.heading("Driven motion in the longest recording");
        page.draw("driven", figure, 260)?;
    }
    page.predictions(&result.car, &result.values(), &result.data)?;
    if let Some(axles) = tyres::axles(result)? {
        page.heading("Lateral force over slip angle, from the measured motion and simulated");
        page.add(&html! {
            ul {
                @for (name, axle) in ["front", "rear"].iter().zip(&axles) {
                    @if let Some(worst) = axle.worst_deviation() {
                        li {
                            (name) ": in the worst twelfth of the slip angles the means differ by "
                            (format!("{worst:.1}")) " standard deviations of the measurements there"
                        }
                    }
                }
            }
        });
        if let Some(figure) = figures::tyres(&axles) {
            page.draw("tyres", figure, 420)?;
        }
    }
    if let Some(profiles) = figures::profiles(&result.estimates) {
        page.heading("Profiles: how much worse other values fit, with the rest fitted again");
        page.draw("profiles", profiles, 240)?;
    }
    Ok(page.titled(name))
}

/// The page of a validation, with its answer on the terminal, which is tables in Markdown, separated by empty lines.
///
/// # Errors
/// A figure cannot be drawn, or the car cannot be loaded.
pub(super) fn of_validation(name: &str, car: &Car, data: &[Data; 2], answer: &str) -> Result<Page, IdentifyError> {
    let mut page = Page::default();
    answer.trim_end().split("\n\n").for_each(|table| page.add(&of_markdown(table)));
    page.predictions(car, &[], data)?;
    Ok(page.titled(name))
}

/// The plain text of a cell of a Markdown table.
fn plain(cell: &str) -> String {
    let cell = cell.trim().trim_matches('`');
    quick_xml::escape::unescape(cell).map_or_else(|_| cell.to_owned(), |text| text.into_owned())
}

/// A Markdown table, or a paragraph.
fn of_markdown(markdown: &str) -> Markup {
    if !markdown.starts_with('|') {
        return html! { p { (markdown) } };
    }
    // The second line separates the head.
    let lines = markdown.lines().enumerate().filter(|(index, _)| *index != 1);
    html::table(&lines.map(|(_, line)| line.trim_matches('|').split('|').map(plain).collect()).collect::<Vec<_>>())
}

impl Page {
    /// Appends a part.
    fn add(&mut self, part: &Markup) {
        self.html.push_str(&part.0);
    }

    /// The page of these parts.
    fn titled(self, title: &str) -> Page {
        Page { html: html::page(title, "", &PreEscaped(self.html)), ..self }
    }

    /// Appends measured and predicted motion, and errors, on the recordings to predict, or on those to fit if there are no others.
    fn predictions(&mut self, car: &Car, values: &[f64], data: &[Data; 2]) -> Result<(), IdentifyError> {
        let unseen = usize::from(data[1].count() > 0);
        let data = &data[unseen];
        let roles = [Role::X, Role::Y, Role::Yaw, Role::Vx, Role::Vy, Role::YawRate];
        let predictions = data.predictions(car, values, &roles)?;
        let [of_class, of_observed] = data.bands.each_ref().map(Option::as_ref);
        let shown =
            if of_class.is_some() { "dots), predicted (lines) and 95 % bands" } else { "dots) and predicted (lines)" };
        let shown = format!("Measured ({shown}{}", ["", ", on recordings that were not fitted"][unseen]);
        self.heading(&shown);
        let mut windows: Vec<(usize, usize)> = predictions.iter().map(|p| (p.run, p.window)).collect();
        windows.dedup();
        let every = windows.len().div_ceil(MAX_DRAWN).max(1);
        for (index, (run, window)) in windows.into_iter().step_by(every).enumerate() {
            let of_window: Vec<&Prediction> =
                predictions.iter().filter(|p| (p.run, p.window) == (run, window)).collect();
            if let Some(figure) = figures::window(data, &of_window, of_class, &data.runs[run].0.name()) {
                self.draw(&format!("window_{}", index + 1), figure, 207)?;
            }
        }
        if let Some(figure) = figures::bands(data, &data.predictions(car, values, &predicted_roles(data))?, of_class) {
            self.heading("Errors over the time since the start of a window, and 95 % bands");
            self.draw("bands", figure, 300)?;
        }
        let observed = match of_observed {
            Some(_) => data.observed(car, values, &predicted_roles(data))?,
            None => None,
        };
        if let Some(figure) = observed.and_then(|predictions| figures::bands(data, &predictions, of_observed)) {
            self.heading("The same with trims observed before each window");
            self.draw("bands_observed", figure, 300)?;
        }
        if let Some(errors) = figures::residuals(data, &predictions) {
            self.heading("Errors against speed, lateral acceleration and side slip");
            self.draw("errors", errors, 300)?;
        }
        Ok(())
    }

    /// The page and its pictures as files NAME.html, NAME.PICTURE.svg and so on in the folder `out`; with `options.data` also what each picture
    /// shows, as CSV.
    ///
    /// # Errors
    /// A figure cannot be drawn.
    pub(super) fn files(
        &self,
        name: &str,
        out: &Path,
        options: &PictureOptions,
    ) -> Result<Vec<(PathBuf, Vec<u8>)>, IdentifyError> {
        let mut files = vec![(out.join(format!("{name}.html")), self.html.clone().into_bytes())];
        for (picture, figure, size) in &self.figures {
            for ending in ["svg", "pdf"].into_iter().chain(options.data.then_some("csv")) {
                let path = out.join(format!("{name}.{picture}.{ending}"));
                let content = plot::content(figure, &path, *size, options.page_size.as_ref())
                    .map_err(|error| Diagnostic::from(&error))?;
                files.push((path, content));
            }
        }
        Ok(files)
    }

    fn heading(&mut self, text: &str) {
        self.add(&html! { h2 { (text) } });
    }

    /// Appends a figure whose rows of panels have this height [px].
    fn draw(&mut self, name: &str, figure: Figure, height: u32) -> Result<(), IdentifyError> {
        let size = Size { width: 1100, height: height * figure.panels.len().div_ceil(figure.columns) as u32 };
        self.add(&html::figure(&plot::svg(&figure, size)?));
        self.figures.push((name.to_owned(), figure, size));
        Ok(())
    }
}
