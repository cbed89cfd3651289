//! The page of a test: a summary, all runs in a table, and for each that did not pass why, where, and how to see it again.

use std::fmt::Write;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_metrics::html::{escaped, styled_head};
use skidpad_metrics::{rows, shown};

use skidpad_scenario::report::{Counts, notes, seconds};

use super::picture;
use skidpad_scenario::measures::{METRICS, Metric, metric_of};
use skidpad_scenario::{CaseResult, Measure, Missed, Verdict};

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
    let mut page = styled_head(title, STYLE);
    summary(&mut page, results);
    table(&mut page, results);
    never_happened(&mut page, results);
    let told = || results.iter().enumerate().filter(|(_, result)| result.verdict != Verdict::Passed);
    for (index, result) in told().take(MAX_REPORTED) {
        run(&mut page, index, result)?;
    }
    let more = told().skip(MAX_REPORTED).count();
    if more > 0 {
        let _ = writeln!(
            page,
            "<p class=\"note\">{more} more runs did not pass; the table has them, and the JSON and JUnit files what they found.</p>"
        );
    }
    let _ = writeln!(page, "<details><summary>What the numbers are</summary>\n<ul>");
    for metric in METRICS.iter().filter(|metric| is_known(metric.key, results)) {
        let _ = writeln!(page, "<li>{}: {}</li>", escaped(&metric.title()), escaped(metric.help));
    }
    let _ = writeln!(page, "</ul></details>\n<script>{SCRIPT}</script>\n</body>\n</html>");
    Ok(page)
}

/// Whether a run has such a number.
fn is_known(key: &str, results: &[CaseResult]) -> bool {
    results.iter().flat_map(|result| &result.measures).any(|measure| measure.key == key && measure.value.is_some())
}

fn summary(page: &mut String, results: &[CaseResult]) {
    let counts = Counts::of(results);
    let [simulated, wall] =
        [|r: &CaseResult| r.simulated, |r: &CaseResult| r.wall].map(|of| seconds(results.iter().map(of).sum()));
    let class = match counts {
        Counts { broken: 0, failed: 0, .. } => "passed",
        Counts { failed: 0, .. } => "broken",
        _ => "failed",
    };
    let _ = writeln!(
        page,
        "<p><b class=\"{class}\">{counts}</b> <span class=\"note\">{simulated} s simulated, in {wall} s of all runs</span></p>"
    );
}

/// All runs, a row for each, those that are told linked to it.
fn table(page: &mut String, results: &[CaseResult]) {
    let boxes = ["passed", "failed", "broken"].map(|word| {
        format!(
            "<label><input type=\"checkbox\" value=\"{word}\" checked> <span class=\"{word}\">{word}</span></label>"
        )
    });
    let _ = writeln!(
        page,
        "<form class=\"filter\" hidden onsubmit=\"return false\">{}<label>with <input type=\"search\" placeholder=\"text of the row\"></label></form>",
        boxes.join("")
    );
    let metrics: Vec<&Metric> =
        IN_TABLE.iter().filter(|key| is_known(key, results)).filter_map(|key| metric_of(key)).collect();
    let mut head = String::from("<th class=\"text\">run</th><th class=\"text\">verdict</th><th>simulated [s]</th>");
    for metric in &metrics {
        let _ = write!(head, "<th title=\"{}\">{}</th>", escaped(metric.help), escaped(&metric.title()));
    }
    let _ = writeln!(page, "<div class=\"wide\"><table class=\"runs\">\n<tr>{head}<th class=\"text\">why</th></tr>");
    let mut told = 0;
    for (index, result) in results.iter().enumerate() {
        let word = result.verdict.word();
        let name = escaped(&result.case.name());
        let has_section = result.verdict != Verdict::Passed && told < MAX_REPORTED;
        told += usize::from(has_section);
        let name = if has_section { format!("<a href=\"#run-{}\">{name}</a>", index + 1) } else { name };
        let _ = write!(
            page,
            "<tr data-verdict=\"{word}\"><td class=\"text\">{name}</td><td class=\"text {word}\">{word}</td><td>{}</td>",
            seconds(result.simulated)
        );
        for metric in &metrics {
            let values =
                result.measures.iter().filter(|measure| measure.key == metric.key).map(|measure| measure.value);
            let values: Vec<String> = values.take(8).map(shown).collect();
            let _ = write!(page, "<td>{}</td>", if values.is_empty() { shown(None) } else { values.join(" · ") });
        }
        let reasons = result.reasons();
        let first = reasons.first().and_then(|reason| reason.lines().next()).unwrap_or_default();
        let _ = writeln!(page, "<td class=\"text\">{}</td></tr>", escaped(first));
    }
    let _ = writeln!(page, "</table></div>");
}

/// The events that never happened, also of runs that passed.
fn never_happened(page: &mut String, results: &[CaseResult]) {
    if results.iter().all(|result| result.missed.is_empty()) {
        return;
    }
    let _ = writeln!(
        page,
        "<h2>Events that never happened</h2>\n<div class=\"wide\"><table class=\"criteria\">\n<tr><th>run</th><th>event</th><th>in</th><th></th></tr>"
    );
    for result in results {
        let name = escaped(&result.case.name());
        for Missed { event, place, must_happen } in &result.missed {
            let (event, place) = (escaped(event), escaped(place));
            let must = if *must_happen { "<td class=\"failed\">must happen</td>" } else { "<td></td>" };
            let _ = writeln!(page, "<tr><td>{name}</td><td>{event}</td><td>{place}</td>{must}</tr>");
        }
    }
    let _ = writeln!(page, "</table></div>");
}

/// A run that did not pass.
fn run(page: &mut String, index: usize, result: &CaseResult) -> Result<(), Diagnostic> {
    let (word, name) = (result.verdict.word(), escaped(&result.case.name()));
    let _ = writeln!(page, "<section id=\"run-{}\">\n<h2>{name} <span class=\"{word}\">{word}</span></h2>", index + 1);
    let _ = writeln!(
        page,
        "<p class=\"note\">{}; ended after {} s: {}; seed {}</p>",
        escaped(&result.case.file.display().to_string()),
        seconds(result.simulated),
        escaped(&result.end),
        result.seed
    );
    if let Verdict::Broken(_) = result.verdict {
        let _ = writeln!(page, "<pre class=\"broken\">{}</pre>", escaped(&result.reasons().join("\n")));
    }
    criteria(page, result);
    let commands = [("Again", result.again()), ("Its recording", result.replay())];
    for (what, command) in commands.into_iter().filter_map(|(what, command)| Some((what, command?))) {
        let _ = writeln!(page, "<p>{what}: <code>{}</code></p>", escaped(&command));
    }
    for svg in result.trace.iter().map(|trace| picture::svgs(trace)).collect::<Result<Vec<_>, _>>()?.iter().flatten() {
        let _ = writeln!(page, "<figure>{svg}</figure>");
    }
    measures(page, &result.measures);
    let notes = notes(result);
    if !notes.is_empty() {
        let _ = writeln!(
            page,
            "<details><summary>What was said</summary><pre>{}</pre></details>",
            escaped(&notes.join("\n"))
        );
    }
    let _ = writeln!(page, "</section>");
    Ok(())
}

fn criteria(page: &mut String, result: &CaseResult) {
    if result.criteria.is_empty() {
        return;
    }
    let _ = writeln!(
        page,
        "<div class=\"wide\"><table class=\"criteria\">\n<tr><th>criterion</th><th>vehicle</th><th>expected</th><th>found</th><th>at [s]</th><th></th></tr>"
    );
    for criterion in &result.criteria {
        let (class, word) = if criterion.held { ("passed", "held") } else { ("failed", "failed") };
        let cells = [
            criterion.name.clone(),
            criterion.vehicle.clone().unwrap_or_default(),
            criterion.expected.clone(),
            criterion.actual.clone(),
            criterion.time.map_or_else(|| "–".into(), seconds),
        ];
        let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
        let _ = writeln!(page, "<tr>{cells}<td class=\"{class}\">{word}</td></tr>");
    }
    let _ = writeln!(page, "</table></div>");
}

/// All its numbers, folded up: a row for each, a column for each vehicle.
fn measures(page: &mut String, measures: &[Measure]) {
    let mut vehicles: Vec<Option<&str>> = Vec::new();
    let mut keys: Vec<&str> = Vec::new();
    for measure in measures.iter().filter(|measure| measure.value.is_some()) {
        if !vehicles.contains(&measure.vehicle.as_deref()) {
            vehicles.push(measure.vehicle.as_deref());
        }
        if !keys.contains(&measure.key) {
            keys.push(measure.key);
        }
    }
    if keys.is_empty() {
        return;
    }
    let head = [String::new()].into_iter().chain(vehicles.iter().map(|vehicle| vehicle.unwrap_or("run").to_owned()));
    let mut table = vec![head.collect::<Vec<_>>()];
    for key in keys {
        let title = metric_of(key).map_or_else(|| key.to_owned(), Metric::title);
        let of = |vehicle: &Option<&str>| {
            let is_it = |measure: &&Measure| measure.key == key && measure.vehicle.as_deref() == *vehicle;
            shown(measures.iter().find(is_it).and_then(|measure| measure.value))
        };
        table.push([title].into_iter().chain(vehicles.iter().map(of)).collect());
    }
    let _ = writeln!(page, "<details><summary>Its numbers</summary>\n{}</details>", rows::html(&table));
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
