//! The page of a report: tables, findings and graphs in one file of HTML.

use std::fmt::Write;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_plot as plot;
use skidpad_record::Provenance;

use super::figures::graphs;
use super::groups;
use super::report::made;
use skidpad_metrics::MetricsOptions;
use skidpad_metrics::RunTopics;
use skidpad_metrics::html::{escaped, head};
use skidpad_metrics::laps;
use skidpad_metrics::{Analyzed, Section};
use skidpad_metrics::{FIELDS, shown};

/// The page; the error says why a graph cannot be drawn.
pub(super) fn html(title: &str, sections: &[Section], options: &MetricsOptions) -> Result<String, Diagnostic> {
    let mut page = head(title);
    for section in sections {
        if !section.title.is_empty() {
            let _ = writeln!(page, "<h2>{}</h2>", escaped(&section.title));
        }
        groups::html(&mut page, &section.runs);
        table(&mut page, &section.runs);
        topics(&mut page, &section.runs);
        findings(&mut page, &section.runs);
        laps::html(&mut page, &section.runs);
        provenance(&mut page, &section.runs);
        for graph in graphs("", &section.runs, options) {
            // Without its size in pixels it fits the window.
            let svg = plot::svg(&graph.figure, graph.size)?;
            let _ = writeln!(page, "<figure>{svg}</figure>");
        }
    }
    let _ = writeln!(page, "<details><summary>What the numbers are</summary>\n<ul>");
    for field in FIELDS {
        let _ = writeln!(page, "<li>{}{}: {}</li>", field.label, unit(field.unit), field.help);
    }
    let _ = writeln!(
        page,
        "<li>The band of settling is {} m; each odometry sample counts with the reference sample nearest in time, no further away than {} s.</li>\n</ul></details>\n</body>\n</html>",
        options.band, options.join_tolerance
    );
    Ok(page)
}

/// Writes the table: a row for each number that any run has, a column for each run.
fn table(page: &mut String, runs: &[Analyzed]) {
    let _ = write!(page, "<div class=\"wide\"><table>\n<tr><th></th>");
    for run in runs {
        let _ = write!(page, "<th>{}</th>", escaped(&run.run.name));
    }
    let _ = writeln!(page, "</tr>");
    for field in FIELDS {
        let values: Vec<Option<f64>> = runs.iter().map(|run| (field.get)(&run.metrics)).collect();
        let is_known = values.iter().any(Option::is_some) || field.tells_by_absence();
        if !is_known {
            continue;
        }
        let _ = write!(page, "<tr title=\"{}\"><td>{}{}</td>", field.help, field.label, unit(field.unit));
        for value in values {
            let _ = write!(page, "<td>{}</td>", shown(value));
        }
        let _ = writeln!(page, "</tr>");
    }
    let _ = writeln!(page, "</table></div>");
}

/// Writes the topics from which the data of each run were read.
fn topics(page: &mut String, runs: &[Analyzed]) {
    for run in runs.iter().filter(|run| run.run.topics != RunTopics::default()) {
        let (name, topics) = (escaped(&run.run.name), escaped(&run.run.topics.to_string()));
        let _ = writeln!(page, "<p class=\"note\">{name}: {topics}</p>");
    }
}

fn findings(page: &mut String, runs: &[Analyzed]) {
    let found = |run: &Analyzed| {
        let ends_early = run.metrics.window.explanation().is_some();
        ends_early || !run.metrics.findings.is_empty() || !run.run.notes.is_empty()
    };
    if !runs.iter().any(found) {
        return;
    }
    let _ = writeln!(page, "<ul>");
    for run in runs {
        let name = escaped(&run.run.name);
        if let Some(end) = run.metrics.window.explanation() {
            let _ = writeln!(page, "<li class=\"note\">{name}: {end}</li>");
        }
        for finding in &run.metrics.findings {
            let _ = writeln!(page, "<li><b>{name}</b>: {}</li>", escaped(&finding.text));
        }
        for note in &run.run.notes {
            let _ = writeln!(page, "<li class=\"note\">{name}: {}</li>", escaped(&note.to_string()));
        }
    }
    let _ = writeln!(page, "</ul>");
}

/// Writes how the runs were made, folded up.
fn provenance(page: &mut String, runs: &[Analyzed]) {
    for (names, made) in made(runs.iter()) {
        page.push_str(&made_html(&format!("How this was made: {}", names.join("; ")), &made));
    }
}

/// How something was made, folded up below a title.
pub(crate) fn made_html(title: &str, made: &Provenance) -> String {
    let mut html = format!("<details><summary>{}</summary>\n<dl>\n", escaped(title));
    for (key, text) in made.lines() {
        let text = escaped(&text).replace('\n', "<br>");
        let _ = writeln!(html, "<dt>{key}</dt><dd><code>{text}</code></dd>");
    }
    html + "</dl></details>\n"
}

fn unit(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" <span class=\"unit\">[{unit}]</span>") }
}
