//! Several runs of the same thing: mean, spread and confidence of each metric, and of the error over time.
//!
//! Over n runs with the mean x̄ and the standard deviation s (with n − 1), the 95 % confidence interval of the mean is x̄ ± t·s/√n with the 97.5 % point
//! t of [Student's distribution](super::student()) with n − 1 degrees of freedom: runs that scatter normally around one value.

use std::fmt::Write;

use maud::{Markup, html};
use serde_json::{Value, json};
use skidpad_files::diagnostic::Diagnostic;

use super::sameness::differences;
use super::student::student;
use skidpad_metrics::html::table;
use skidpad_metrics::rows;
use skidpad_metrics::{Analyzed, Section};
use skidpad_metrics::{FIELDS, Field, shown};

/// The columns of summaries in CSV, after those that say of what.
pub(crate) const SUMMARY_COLUMNS: [&str; 8] =
    ["metric", "n", "mean", "standard_deviation", "ci95_low", "ci95_high", "min", "max"];

/// Mean and spread of a number over several runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Number of runs that have it, ≥ 1.
    pub count: usize,
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation, with n − 1; none for a single run.
    pub deviation: Option<f64>,
    /// Half of the 95 % confidence interval of the mean, by Student's distribution; none for a single run.
    pub half_interval: Option<f64>,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

impl Summary {
    /// That of finite values; none without any.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Summary> {
        let values: Vec<f64> = values.into_iter().filter(|value| value.is_finite()).collect();
        let (count, min) = (values.len(), values.iter().copied().min_by(f64::total_cmp)?);
        let max = values.iter().copied().fold(min, f64::max);
        let n = count as f64;
        let mean = values.iter().fold(0.0, |sum, value| sum + value) / n;
        let squares = values.iter().fold(0.0, |sum, value| sum + (value - mean) * (value - mean));
        let deviation = (count > 1).then(|| libm::sqrt(squares / (n - 1.0)));
        let half_interval = deviation.map(|s| student(n - 1.0) * s / libm::sqrt(n));
        Some(Summary { count, mean, deviation, half_interval, min, max })
    }

    /// The 95 % confidence interval of the mean.
    pub fn interval(&self) -> Option<[f64; 2]> {
        self.half_interval.map(|half| [self.mean - half, self.mean + half])
    }

    /// The cells of a row of CSV for this metric: [`SUMMARY_COLUMNS`], empty where a single run has none.
    pub(crate) fn cells(&self, field: &Field) -> impl Iterator<Item = String> {
        let [low, high] = self.interval().map_or([None; 2], |ends| ends.map(Some));
        let Summary { count, mean, deviation, min, max, .. } = *self;
        let numbers = [Some(mean), deviation, low, high, Some(min), Some(max)].map(rows::number);
        [field.key.to_owned(), count.to_string()].into_iter().chain(numbers)
    }

    /// For programs; what a single run has not is null.
    pub(crate) fn as_json(&self) -> Value {
        let Summary { count, mean, deviation, min, max, .. } = self;
        json!({ "n": count, "mean": mean, "standard_deviation": deviation, "ci95": self.interval(), "min": min, "max": max })
    }
}

/// Runs of the same thing.
pub(super) struct Group<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// Its runs, at least one.
    pub(super) runs: Vec<&'a Analyzed>,
}

/// The groups of runs, in the order of their first; runs without a group are left out.
pub(super) fn groups(runs: &[Analyzed]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group> = Vec::new();
    for run in runs {
        let Some(name) = &run.group else { continue };
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.runs.push(run),
            None => groups.push(Group { name, runs: vec![run] }),
        }
    }
    groups
}

impl Group<'_> {
    /// The metrics that any of its runs has.
    fn summaries(&self) -> Vec<(&'static Field, Summary)> {
        let of = |field: &'static Field| {
            let values = self.runs.iter().filter_map(|run| (field.get)(&run.metrics));
            Some((field, Summary::of(values)?))
        };
        FIELDS.iter().filter_map(of).collect()
    }

    /// The heads of the columns, and a row for each metric.
    fn rows(&self) -> Vec<Vec<String>> {
        let head = ["", "mean", "standard deviation", "95 % interval of the mean", "n", "least", "greatest"];
        let row = |(field, summary): (&Field, Summary)| {
            let interval = summary
                .interval()
                .map_or_else(|| "–".into(), |[low, high]| format!("{} to {}", shown(Some(low)), shown(Some(high))));
            let Summary { count, mean, deviation, min, max, .. } = summary;
            let [mean, deviation, min, max] = [Some(mean), deviation, Some(min), Some(max)].map(shown);
            vec![field.title(), mean, deviation, interval, count.to_string(), min, max]
        };
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        rows.extend(self.summaries().into_iter().map(row));
        rows
    }

    /// What the group is, in one line.
    fn headline(&self) -> String {
        match self.runs.len() {
            1 => format!("{}: a single run, without a spread", self.name),
            count => format!(
                "{}: {count} runs; 95 % interval of the mean by Student's t, {} degrees of freedom where all runs have the value",
                self.name,
                count - 1
            ),
        }
    }
}

/// The summaries of all groups as text; empty without groups.
pub fn summary_text(sections: &[Section]) -> String {
    let mut text = String::new();
    for group in sections.iter().flat_map(|section| groups(&section.runs)) {
        let _ = writeln!(text, "\n{}", group.headline());
        for line in rows::aligned(&group.rows(), |column| column == 0) {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// The summaries of runs as part of a page.
pub(super) fn html(runs: &[Analyzed]) -> Markup {
    html! {
        @for group in groups(runs) {
            @let names: Vec<&str> = group.runs.iter().map(|run| run.run.name.as_str()).collect();
            h3 { (group.name) }
            p.note { (group.headline()) ": " (names.join(", ")) }
            @if let Some(note) = differences(&group) { p.note.lines { (note) } }
            (table(&group.rows()))
        }
    }
}

/// The summaries as CSV, a row for each metric of each group; none without groups.
///
/// # Errors
/// That of the CSV library.
pub fn summary_csv(sections: &[Section]) -> Result<Option<String>, Diagnostic> {
    let head = ["section", "group"].iter().chain(&SUMMARY_COLUMNS);
    let mut table = vec![head.map(|name| (*name).to_owned()).collect()];
    for section in sections {
        for group in groups(&section.runs) {
            table.extend(group.summaries().into_iter().map(|(field, summary)| {
                let names = [section.title.clone(), group.name.to_owned()];
                names.into_iter().chain(summary.cells(field)).collect()
            }));
        }
    }
    if table.len() == 1 { Ok(None) } else { rows::csv(&table).map(Some) }
}

/// The summaries for programs: a list of objects with section, group, runs and metrics; empty without groups.
pub fn summary_json(sections: &[Section]) -> Value {
    let of_group = |section: &Section, group: &Group| {
        let metrics = group.summaries().into_iter().map(|(field, summary)| (field.key.to_owned(), summary.as_json()));
        let runs: Vec<&str> = group.runs.iter().map(|run| run.run.name.as_str()).collect();
        json!({ "section": section.title, "group": group.name, "runs": runs, "metrics": metrics.collect::<serde_json::Map<_, _>>() })
    };
    sections
        .iter()
        .flat_map(|section| groups(&section.runs).iter().map(|group| of_group(section, group)).collect::<Vec<_>>())
        .collect()
}

/// A number over time, as mean and standard deviation of several runs.
pub(super) struct Band {
    /// Time [s], mean, and standard deviation.
    pub(super) points: Vec<(f64, f64, f64)>,
}

/// Instants that are no further apart than this [s] are one, up to the rounding of clocks.
const SLACK: f64 = 1e-6;
/// Most points of a band.
const MAX_POINTS: usize = 2000;

impl Band {
    /// That of several curves (time [s] and value, in the order of time) at the instants of the first that all of them have, between whose points they are
    /// lines; none where there are no such instants, or a single curve.
    pub(super) fn of(curves: &[&[(f64, f64)]]) -> Option<Band> {
        let first = curves.first().filter(|_| curves.len() > 1)?;
        let from = curves.iter().map(|curve| curve.first().map(|p| p.0)).collect::<Option<Vec<_>>>()?;
        let to = curves.iter().map(|curve| curve.last().map(|p| p.0)).collect::<Option<Vec<_>>>()?;
        let from = from.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let to = to.into_iter().fold(f64::INFINITY, f64::min);
        let times: Vec<f64> =
            first.iter().map(|p| p.0).filter(|time| (from - SLACK..=to + SLACK).contains(time)).collect();
        if from > to {
            return None;
        }
        let every = times.len().div_ceil(MAX_POINTS).max(1);
        let at = |time: f64| {
            let summary = Summary::of(curves.iter().filter_map(|curve| value_at(curve, time.clamp(from, to))))?;
            Some((time, summary.mean, summary.deviation?))
        };
        let points: Vec<_> = times.into_iter().step_by(every).filter_map(at).collect();
        (points.len() > 1).then_some(Band { points })
    }
}

/// The value of a curve at a time within it.
pub(super) fn value_at(curve: &[(f64, f64)], time: f64) -> Option<f64> {
    let next = curve.partition_point(|point| point.0 <= time);
    let before = curve.get(next.checked_sub(1)?)?;
    let Some(behind) = curve.get(next) else { return Some(before.1) };
    Some(before.1 + (behind.1 - before.1) * ((time - before.0) / (behind.0 - before.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_those_of_the_values() {
        let summary = Summary::of([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((summary.count, summary.mean, summary.min, summary.max), (8, 5.0, 2.0, 9.0));
        // Σ (x − 5)² = 32.
        let deviation = (32.0_f64 / 7.0).sqrt();
        assert!((summary.deviation.unwrap() - deviation).abs() < 1e-15);
        // t of 7 degrees of freedom is 2.364 624.
        assert!((summary.half_interval.unwrap() - 2.364_624 * deviation / 8.0_f64.sqrt()).abs() < 1e-6);
        let single = Summary::of([3.0, f64::NAN]).unwrap();
        assert_eq!((single.count, single.deviation, single.interval()), (1, None, None));
        assert_eq!(Summary::of([]), None);
    }

    /// e = t and e = 3·t, with samples at other instants: mean 2·t, standard deviation √2·t.
    #[test]
    fn bands_are_mean_and_deviation_at_each_instant() {
        let line = |slope: f64, from: f64| -> Vec<(f64, f64)> {
            (0..20).map(|k| from + 0.1 * f64::from(k)).map(|time| (time, slope * time)).collect()
        };
        let (first, second) = (line(1.0, 0.0), line(3.0, 0.27));
        let band = Band::of(&[&first, &second]).unwrap();
        assert_eq!(band.points.len(), 17, "from 0.3 to 1.9 s");
        for (time, mean, deviation) in &band.points {
            assert!((mean - 2.0 * time).abs() < 1e-12 && (deviation - 2.0_f64.sqrt() * time).abs() < 1e-12, "{time}");
        }
        assert!(Band::of(&[&first]).is_none() && Band::of(&[&first, &line(1.0, 5.0)]).is_none());
    }
}
