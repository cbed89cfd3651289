//! What a run of a scenario came to: the one record that exit status, text, JSON, JUnit and page are made from.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_files::legible::{bounded, plain};

use crate::measures::Trace;
use crate::result_chunk;

/// Longest line about a run [characters].
const MAX_LINE_LENGTH: usize = 2000;

/// One run among those that a scenario is multiplied to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The scenario's name: its key `name`, or the stem of its file, without `.scenario`.
    pub scenario: String,
    /// The file that describes it.
    pub file: PathBuf,
    /// What distinguishes the run from the others of the scenario, as key and value, such as `seed` and `3`; empty: there is one run.
    pub varied: Vec<(String, String)>,
    /// Number of the repetition, from 1; none: it is not repeated.
    pub repetition: Option<u32>,
}

impl Case {
    /// Its name in lists, such as `doorway[seed=3,Kp=2]#4`: unique among the runs of a test.
    pub fn name(&self) -> String {
        let varied: Vec<String> = self.varied.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let varied = if varied.is_empty() { String::new() } else { format!("[{}]", varied.join(",")) };
        let repetition = self.repetition.map_or_else(String::new, |number| format!("#{number}"));
        format!("{}{varied}{repetition}", self.scenario)
    }

    /// Its name without the repetition: that of the run which is repeated.
    pub fn name_of_all(&self) -> String {
        Case { repetition: None, ..self.clone() }.name()
    }

    /// Whether `pattern` stands for the scenario's name or for the run's, with or without the repetition; `*` stands for any text, `?` for a character.
    pub fn is_called(&self, pattern: &str) -> bool {
        [self.scenario.clone(), self.name_of_all(), self.name()]
            .iter()
            .any(|name| matches(pattern.as_bytes(), name.as_bytes()))
    }
}

/// Whether a name is one of those that the pattern stands for.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', pattern_end @ ..], _) => (0..=name.len()).any(|skipped| matches(pattern_end, &name[skipped..])),
        ([b'?', pattern @ ..], [_, name @ ..]) => matches(pattern, name),
        ([a, pattern @ ..], [b, name @ ..]) => a == b && matches(pattern, name),
        _ => false,
    }
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// All that must hold held.
    Passed,
    /// A criterion did not hold; JUnit calls it a failure.
    Failed,
    /// The run could not be made or finished, for these reasons; JUnit calls it an error.
    Broken(#[serde(with = "result_chunk::messages")] Diagnostics),
}

/// One thing that must hold, and what was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Criterion {
    /// Its key in the scenario, such as `goal` or `clearance`.
    pub name: String,
    /// The vehicle that it is about; none: the run.
    pub vehicle: Option<String>,
    /// What must hold, in words with units, such as `at least 0.1 m`.
    pub expected: String,
    /// What was found, in words with units, such as `0.043 m, to block "door"`.
    pub actual: String,
    /// When it was decided [s of simulated time]: the first moment at which it did not hold, or the moment at which it was fulfilled;
    /// none: it is about the whole run.
    pub time: Option<f64>,
    /// Whether it held.
    pub held: bool,
}

/// An event that has not happened in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    /// What was to happen, such as `command r1`.
    pub event: String,
    /// Where the scenario says so, `file:line:column`.
    pub place: String,
    /// Whether the run fails by that.
    pub must_happen: bool,
}

/// A number that is reported of a run, whether or not something must hold for it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measure {
    /// Its name in CSV and JSON, with its unit, such as `path_length_m`.
    pub key: &'static str,
    /// The vehicle that it is about; none: the run.
    pub vehicle: Option<String>,
    /// The value in SI units; none: the run has no such number.
    pub value: Option<f64>,
}

/// A run and its verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// Which run.
    pub case: Case,
    /// What it came to.
    pub verdict: Verdict,
    /// All that must hold, in the order of the file.
    pub criteria: Vec<Criterion>,
    /// The events that have not happened, in the order of the file.
    pub missed: Vec<Missed>,
    /// Its numbers, in the order of the table of metrics.
    pub measures: Vec<Measure>,
    /// Why the run ended, in words, such as `all criteria are decided` or `duration of 60 s`.
    pub end: String,
    /// What was said of the run, one line each: warnings, events, the last lines of processes that failed.
    pub notes: Vec<String>,
    /// Its length [s of simulated time].
    pub simulated: f64,
    /// How long it took [wall s].
    pub wall: f64,
    /// Seed of all noise.
    pub seed: u64,
    /// Hash of the bits of all frames, in hexadecimal digits: equal runs have equal ones.
    pub bits: String,
    /// Its recording, if it was kept.
    pub recording: Option<PathBuf>,
    /// The words behind `skidpad` that make this run alone again; empty: none do.
    pub command: Vec<String>,
    /// What its pictures are drawn from; none: the page has no picture of it.
    pub trace: Option<Box<Trace>>,
}

impl CaseResult {
    /// As readers may see it, whoever has said parts of it: processes and nodes beside the run.
    pub(crate) fn legible(mut self) -> CaseResult {
        let line = |text: &mut String| {
            let seen = bounded(&plain(text), MAX_LINE_LENGTH).into_owned();
            *text = seen;
        };
        self.notes.iter_mut().chain(self.criteria.iter_mut().map(|criterion| &mut criterion.actual)).for_each(line);
        line(&mut self.end);
        if let Verdict::Broken(problems) = self.verdict {
            self.verdict = Verdict::Broken(problems.into_iter().map(Diagnostic::legible).collect());
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_have_said_is_plain_and_bounded() {
        let mut result = crate::report::samples::results().remove(1);
        result.notes = vec!["driver: | \u{1b}[33mwarn\u{1b}[0m\0".to_owned(), "x".repeat(100_000)];
        result.criteria[0].actual = "aborted: \u{1b}]0;title\u{7}no path".to_owned();
        result.verdict = Verdict::Broken(Diagnostic::new("driver", "gone").note("| \u{1b}[2Jbye").into());
        let seen = result.legible();
        assert_eq!(
            (seen.notes[0].as_str(), seen.criteria[0].actual.as_str()),
            ("driver: | warn\\u{0}", "aborted: no path")
        );
        assert!(seen.notes[1].len() < MAX_LINE_LENGTH + 50);
        assert_eq!(seen.verdict, Verdict::Broken(Diagnostic::new("driver", "gone").note("| bye").into()));
    }

    #[test]
    fn names_match_patterns() {
        let is = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        assert!(is("door*", "doorway[seed=3]") && is("doorway[seed=?]", "doorway[seed=3]") && is("*", ""));
        assert!(!is("door", "doorway") && !is("?", "") && is("d*y*", "doorway"));
        let varied = vec![("seed".to_owned(), "3".to_owned())];
        let case = Case { scenario: "doorway".to_owned(), file: PathBuf::new(), varied, repetition: Some(2) };
        assert!(["doorway", "doorway[seed=3]", "doorway[seed=3]#2", "d*"].iter().all(|name| case.is_called(name)));
        assert!(["door", "doorway[seed=4]", "doorway[seed=3]#1"].iter().all(|name| !case.is_called(name)));
    }
}
