//! The page of a test: a summary, all runs in a table, and for each that did not pass why, where, and how to see it again.

use maud::{Markup, PreEscaped, html};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_metrics::{html, shown};

use skidpad_scenario::report::{Counts, notes, seconds};

use super::picture;
use skidpad_scenario::measures::{METRICS, Metric, metric_of};
use skidpad_scenario::{CaseResult, Criterion, Measure, Missed, Verdict};

/// Most runs that are told in full; the table has all.
const MAX_REPORTED: usize = 100;
/// Metrics in the table of runs; the others are told with each run.
const IN_TABLE: &[&str] = &["time_to_goal_s", "path_length_m", "spl", "least_clearance_m", "collisions"];

const STYLE: &str = "
:root { --good: #1a7f37; --bad: #c62828; --broken: #9a5b00; }
@media (prefers-color-scheme: dark) { :root { --good: #5fd07a; --bad: #ff8a80; --broken: #ffc166; } }
.passed { color: var(--good); } .failed { color: var(--bad); } .broken { color: var(--broken); }
.criteria td, .runs td.text, .runs th.text { text-align: left; white-space: normal; }
.criteria th { text-align: left; }
.filter { margin: 1rem 0; display: flex; gap: 1rem; flex-wrap: wrap; align-items: baseline; }
.filter input[type=search] { min-width: 14rem; font: inherit; }
section { border-top: 1px solid var(--line); margin-top: 2.5rem; } section h2 { margin-top: 1rem; }
pre { overflow-x: auto; max-height: 20rem; font-size: 13px; }
";

/// Shows those rows whose verdict is ticked and whose text contains what is searched for.
const SCRIPT: &str = "
const form = document.querySelector('.filter');
const rows = [...document.querySelectorAll('.runs tr[data-verdict]')];
form.addEventListener('input', () => {
  const wanted = new Set([...form.querySelectorAll('input[type=checkbox]')].filter(box => box.checked).map(box => box.value));
  const text = form.querySelector('input[type=search]').value.toLowerCase();
  for (const row of rows) {
    row.hidden = !(wanted.has(row.dataset.verdict) && row.textContent.toLowerCase().includes(text));
  }
});
form.hidden = false;
";

/// The page of all results, in one file that loads nothing from the network.
///
/// # Errors
/// A picture cannot be drawn.
pub fn page(title: &str, results: &[CaseResult]) -> Result<String, Diagnostic> {
    let failed: Vec<(usize, &CaseResult)> =
        results.iter().enumerate().filter(|(_, result)| result.verdict != Verdict::Passed).collect();
    let (shown, more) = failed.split_at(failed.len().min(MAX_REPORTED));
    let sections = shown.iter().map(|(index, result)| run(*index, result)).collect::<Result<Vec<_>, _>>()?;
    let numbers = html! {
        ul {
            @for metric in METRICS.iter().filter(|metric| is_known(metric.key, results)) {
                li { (metric.title()) ": " (metric.help) }
            }
        }
    };
    let body = html! {
        (summary(results))
        (filter())
        (table(results))
        (never_happened(results))
        @for section in sections { (section) }
        @if !more.is_empty() {
            p.note {
                (more.len())
                " more runs did not pass: see the table, and the JSON and JUnit files for the reasons."
            }
        }
        (html::folded("What the numbers mean", numbers))
        script { (PreEscaped(SCRIPT)) }
    };
    Ok(html::page(title, STYLE, &body))
}

/// Whether a run has such a number.
fn is_known(key: &str, results: &[CaseResult]) -> bool {
    results.iter().flat_map(|result| &result.measures).any(|measure| measure.key == key && measure.value.is_some())
}

fn summary(results: &[CaseResult]) -> Markup {
    let counts = Counts::of(results);
    let [simulated, wall] =
        [|r: &CaseResult| r.simulated, |r: &CaseResult| r.wall].map(|of| seconds(results.iter().map(of).sum()));
    let class = match counts {
        Counts { broken: 0, failed: 0, .. } => "passed",
        Counts { failed: 0, .. } => "broken",
        _ => "failed",
    };
    html! {
        p { b class=(class) { (counts) } " " span.note { (simulated) " s simulated, in " (wall) " s of all runs" } }
    }
}

/// By which the rows of the table are chosen, once the script shows it.
fn filter() -> Markup {
    html! {
        form.filter hidden onsubmit="return false" {
            @for word in ["passed", "failed", "broken"] {
                label { input type="checkbox" value=(word) checked; " " span class=(word) { (word) } }
            }
            label { "with " input type="search" placeholder="text of the row"; }
        }
    }
}

/// All runs, a row for each; those with a section of their own are linked to it.
fn table(results: &[CaseResult]) -> Markup {
    let metrics: Vec<&Metric> =
        IN_TABLE.iter().filter(|key| is_known(key, results)).filter_map(|key| metric_of(key)).collect();
    let values_of = |result: &CaseResult, metric: &Metric| {
        let of_metric = result.measures.iter().filter(|measure| measure.key == metric.key);
        let values: Vec<String> = of_metric.take(8).map(|measure| shown(measure.value)).collect();
        if values.is_empty() { shown(None) } else { values.join(" · ") }
    };
    let mut failed = 0;
    let rows = results.iter().enumerate().map(|(index, result)| {
        failed += usize::from(result.verdict != Verdict::Passed);
        let has_section = result.verdict != Verdict::Passed && failed <= MAX_REPORTED;
        let (word, name, reasons) = (result.verdict.word(), result.case.name(), result.reasons());
        let first = reasons.first().and_then(|reason| reason.lines().next()).unwrap_or_default();
        html! {
            tr data-verdict=(word) {
                td.text { @if has_section { a href={ "#run-" (index + 1) } { (name) } } @else { (name) } }
                td.text class=(word) { (word) }
                td { (seconds(result.simulated)) }
                @for metric in &metrics { td { (values_of(result, metric)) } }
                td.text { (first) }
            }
        }
    });
    html! {
        div.wide {
            table.runs {
                tr {
                    th.text { "run" }
                    th.text { "verdict" }
                    th { "simulated [s]" }
                    @for metric in &metrics { th title=(metric.help) { (metric.title()) } }
                    th.text { "why" }
                }
                @for row in rows { (row) }
            }
        }
    }
}

/// The events that never happened, also of runs that passed.
fn never_happened(results: &[CaseResult]) -> Markup {
    html! {
        @if results.iter().any(|result| !result.missed.is_empty()) {
            h2 { "Events that never happened" }
            div.wide {
                table.criteria {
                    tr { th { "run" } th { "event" } th { "in" } th {} }
                    @for result in results {
                        @for Missed { event, place, must_happen } in &result.missed {
                            tr {
                                td { (result.case.name()) }
                                td { (event) }
                                td { (place) }
                                @if *must_happen { td.failed { "must happen" } } @else { td {} }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A run that did not pass.
fn run(index: usize, result: &CaseResult) -> Result<Markup, Diagnostic> {
    let word = result.verdict.word();
    let pictures = result.trace.iter().map(|trace| picture::svgs(trace)).collect::<Result<Vec<_>, _>>()?;
    let commands = [("Again", result.again()), ("Recording", result.replay())];
    let notes = notes(result);
    Ok(html! {
        section id={ "run-" (index + 1) } {
            h2 { (result.case.name()) " " span class=(word) { (word) } }
            p.note {
                (result.case.file.display()) "; ended after " (seconds(result.simulated)) " s: " (result.end)
                "; seed " (result.seed)
            }
            @if let Verdict::Broken(_) = result.verdict { pre.broken { (result.reasons().join("\n")) } }
            (criteria(result))
            @for (title, command) in commands {
                @if let Some(command) = command { p { (title) ": " code { (command) } } }
            }
            @for svg in pictures.iter().flatten() { (html::figure(svg)) }
            (measures(&result.measures))
            @if !notes.is_empty() { (html::folded("Messages", html! { pre { (notes.join("\n")) } })) }
        }
    })
}

fn criteria(result: &CaseResult) -> Markup {
    html! {
        @if !result.criteria.is_empty() {
            div.wide {
                table.criteria {
                    tr { th { "criterion" } th { "vehicle" } th { "expected" } th { "found" } th { "at [s]" } th {} }
                    @for Criterion { name, vehicle, expected, actual, time, held, .. } in &result.criteria {
                        tr {
                            td { (name) }
                            td { (vehicle.as_deref().unwrap_or_default()) }
                            td { (expected) }
                            td { (actual) }
                            td { (time.map_or_else(|| "–".into(), seconds)) }
                            @if *held { td.passed { "held" } } @else { td.failed { "failed" } }
                        }
                    }
                }
            }
        }
    }
}

/// All its numbers, folded up: a row for each, a column for each vehicle.
fn measures(measures: &[Measure]) -> Markup {
    let (mut vehicles, mut keys): (Vec<Option<&str>>, Vec<&str>) = Default::default();
    for measure in measures.iter().filter(|measure| measure.value.is_some()) {
        if !vehicles.contains(&measure.vehicle.as_deref()) {
            vehicles.push(measure.vehicle.as_deref());
        }
        if !keys.contains(&measure.key) {
            keys.push(measure.key);
        }
    }
    if keys.is_empty() {
        return html! {};
    }
    let head = [String::new()].into_iter().chain(vehicles.iter().map(|vehicle| vehicle.unwrap_or("run").to_owned()));
    let mut rows = vec![head.collect::<Vec<_>>()];
    for key in keys {
        let title = metric_of(key).map_or_else(|| key.to_owned(), Metric::title);
        let of = |vehicle: &Option<&str>| {
            let is_wanted = |measure: &&Measure| measure.key == key && measure.vehicle.as_deref() == *vehicle;
            shown(measures.iter().find(is_wanted).and_then(|measure| measure.value))
        };
        rows.push([title].into_iter().chain(vehicles.iter().map(of)).collect());
    }
    html::folded("Metrics", html::table(&rows))
}

#[cfg(test)]
mod tests {
    use super::super::samples::results;
    use super::*;

    #[test]
    fn the_page_tells_what_failed_and_how_to_see_it() {
        let results = results();
        let page = page("a < b", &results).unwrap();
        for wanted in [
            "<title>a &lt; b</title>",
            "3 runs: 1 passed, 1 failed, 1 broken",
            "<a href=\"#run-2\">doorway[seed=3,wall=a b]</a>",
            "<tr><td>doorway[seed=1,wall=a b]</td><td>remove &lt;box&gt;</td><td>door.yaml:9:3</td><td></td></tr>",
            "<section id=\"run-2\">",
            "<td>0.043 m, to block &quot;door &lt;2&gt;&quot;</td><td>3.2</td><td class=\"failed\">failed</td>",
            "<code>skidpad test door.yaml --only 'doorway[seed=3,wall=a b]'</code>",
            "<code>skidpad replay out/2.mcap</code>",
            "nav2: ended with status 1",
        ] {
            assert!(page.contains(wanted), "{wanted}");
        }
        assert!(!page.contains("id=\"run-1\"") && !page.contains("src=") && !page.contains("<link"));
        assert_eq!(page.matches("<svg").count(), 2, "one run has failed with a trace");
    }

    #[test]
    fn many_failures_are_bounded() {
        let failed = CaseResult { trace: None, ..results().remove(1) };
        let page = page("many", &vec![failed; MAX_REPORTED + 7]).unwrap();
        assert_eq!(
            (page.matches("<section").count(), page.matches("data-verdict").count()),
            (MAX_REPORTED, MAX_REPORTED + 8)
        );
        assert!(page.contains("7 more runs did not pass"));
    }
}
