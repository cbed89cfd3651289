//! What a run of a scenario came to: the one record that exit status, text, JSON, JUnit and page are made from.

use std::path::PathBuf;

use serde::Serialize;
use skidpad_files::diagnostic::Diagnostics;

use crate::measures::Trace;

/// One run among those that a scenario is multiplied to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Case {
    /// The scenario's name: its key `name`, or the stem of its file.
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
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// All that must hold held.
    Passed,
    /// A criterion did not hold; JUnit calls it a failure.
    Failed,
    /// The run could not be made or finished, for these reasons; JUnit calls it an error.
    Broken(Diagnostics),
}

/// One thing that must hold, and what was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[derive(Clone, Debug, PartialEq)]
pub struct CaseResult {
    /// Which run.
    pub case: Case,
    /// What it came to.
    pub verdict: Verdict,
    /// All that must hold, in the order of the file.
    pub criteria: Vec<Criterion>,
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
