//! The page of a report: tables, findings and graphs in one file of HTML.

use maud::{Markup, html};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_plot as plot;
use skidpad_record::Provenance;

use super::figures::graphs;
use super::groups;
use super::report::made;
use skidpad_metrics::MetricsOptions;
use skidpad_metrics::RunTopics;
use skidpad_metrics::html::{figure, folded, page};
use skidpad_metrics::laps;
use skidpad_metrics::{Analyzed, Section};
use skidpad_metrics::{FIELDS, shown};

/// The page; the error says why a graph cannot be drawn.
pub(super) fn html(title: &str, sections: &[Section], options: &MetricsOptions) -> Result<String, Diagnostic> {
    let mut pictures = Vec::new();
    for section in sections {
        // Without its size in pixels a graph fits the window.
        let graphs = graphs("", &section.runs, options);
        pictures.push(graphs.iter().map(|graph| plot::svg(&graph.figure, graph.size)).collect::<Result<Vec<_>, _>>()?);
    }
    let numbers = html! {
        ul {
            @for field in FIELDS { li { (field.label) (unit(field.unit)) ": " (field.help) } }
            li {
                "The settling band is " (options.band) " m. Each odometry sample is compared with the reference sample nearest in time, at most "
                (options.join_tolerance) " s away."
            }
        }
    };
    let body = html! {
        @for (section, pictures) in sections.iter().zip(pictures) {
            @if !section.title.is_empty() { h2 { (section.title) } }
            (groups::html(&section.runs))
            (metrics(&section.runs))
            (topics(&section.runs))
            (findings(&section.runs))
            (laps::html(&section.runs))
            @for (names, made) in made(section.runs.iter()) {
                (how_made(&format!("How this was made: {}", names.join("; ")), &made))
            }
            @for svg in pictures { (figure(&svg)) }
        }
        (folded("What the numbers mean", numbers))
    };
    Ok(page(title, "", &body))
}

/// The table: a row for each number that any run has, a column for each run.
fn metrics(runs: &[Analyzed]) -> Markup {
    let rows = FIELDS.iter().filter_map(|field| {
        let values: Vec<Option<f64>> = runs.iter().map(|run| (field.get)(&run.metrics)).collect();
        let is_known = values.iter().any(Option::is_some) || field.tells_by_absence();
        is_known.then_some((field, values))
    });
    html! {
        div.wide {
            table {
                tr { th {} @for run in runs { th { (run.run.name) } } }
                @for (field, values) in rows {
                    tr title=(field.help) {
                        td { (field.label) (unit(field.unit)) }
                        @for value in values { td { (shown(value)) } }
                    }
                }
            }
        }
    }
}

/// The topics from which the data of each run were read.
fn topics(runs: &[Analyzed]) -> Markup {
    html! {
        @for run in runs.iter().filter(|run| run.run.topics != RunTopics::default()) {
            p.note { (run.run.name) ": " (run.run.topics) }
        }
    }
}

fn findings(runs: &[Analyzed]) -> Markup {
    let is_named = |run: &&Analyzed| {
        let ends_early = run.metrics.window.explanation().is_some();
        ends_early || !run.metrics.findings.is_empty() || !run.run.notes.is_empty()
    };
    let named: Vec<&Analyzed> = runs.iter().filter(is_named).collect();
    html! {
        @if !named.is_empty() {
            ul {
                @for Analyzed { run, metrics, .. } in named {
                    @if let Some(end) = metrics.window.explanation() { li.note { (run.name) ": " (end) } }
                    @for finding in &metrics.findings { li { b { (run.name) } ": " (finding.text) } }
                    @for note in &run.notes { li.note { (run.name) ": " (note) } }
                }
            }
        }
    }
}

/// How something was made, folded up below a title.
pub(crate) fn how_made(title: &str, made: &Provenance) -> Markup {
    let lines = html! {
        dl { @for (key, text) in made.lines() { dt { (key) } dd.lines { code { (text) } } } }
    };
    folded(title, lines)
}

fn unit(unit: &str) -> Markup {
    html! { @if !unit.is_empty() { " " span.unit { "[" (unit) "]" } } }
}
