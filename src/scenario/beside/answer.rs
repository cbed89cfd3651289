//! Reads what `skidpad run --scenario --json` answers: the record of the run, as the document of `skidpad test` has it, with its trace.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_metrics::FIELDS;

use crate::measures::{METRICS, Trace};
use crate::result::{Case, CaseResult, Criterion, Measure, Missed, Verdict};

/// The result of the simulation.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct RunAnswer {
    /// The record of the run; none: it was not made.
    pub(super) scenario: Option<RunRecord>,
}

/// The record of a run.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct RunRecord {
    verdict: String,
    broken_by: Vec<String>,
    criteria: Vec<CriterionRecord>,
    never_happened: Vec<Missed>,
    measures: Vec<BTreeMap<String, Value>>,
    ended_by: String,
    simulated_s: f64,
    seed: u64,
    bits: String,
    notes: Vec<String>,
    trace: Option<Box<Trace>>,
}

#[derive(Clone, Debug, Deserialize)]
struct CriterionRecord {
    name: String,
    vehicle: Option<String>,
    expected: String,
    actual: String,
    time_s: Option<f64>,
    success: bool,
}

impl RunRecord {
    /// The result of this case, whose run has taken so long [wall s].
    pub(super) fn result(self, case: &Case, wall: f64) -> CaseResult {
        let verdict = match self.verdict.as_str() {
            "passed" => Verdict::Passed,
            "failed" => Verdict::Failed,
            _ => Verdict::Broken(Diagnostics(self.broken_by.iter().map(|text| diagnostic(text)).collect())),
        };
        let criteria = self.criteria.into_iter().map(|criterion| Criterion {
            name: criterion.name,
            vehicle: criterion.vehicle,
            expected: criterion.expected,
            actual: criterion.actual,
            time: criterion.time_s,
            held: criterion.success,
        });
        CaseResult {
            case: case.clone(),
            verdict,
            criteria: criteria.collect(),
            missed: self.never_happened,
            measures: self.measures.iter().flat_map(measures).collect(),
            end: self.ended_by,
            notes: self.notes,
            simulated: self.simulated_s,
            wall,
            seed: self.seed,
            bits: self.bits,
            recording: None,
            command: Vec::new(),
            trace: self.trace,
        }
    }
}

/// The numbers of a vehicle, in the order of their tables; of keys that this version does not know, none.
fn measures(of: &BTreeMap<String, Value>) -> impl Iterator<Item = Measure> {
    let vehicle = of.get("vehicle").and_then(Value::as_str).map(str::to_owned);
    let more_keys = FIELDS.iter().map(|field| field.key).filter(|key| METRICS.iter().all(|metric| metric.key != *key));
    let keys = METRICS.iter().map(|metric| metric.key).chain(more_keys);
    keys.filter_map(move |key| Some(Measure { key, vehicle: vehicle.clone(), value: of.get(key)?.as_f64() }))
}

/// A message from its text, whose parts are lines.
fn diagnostic(text: &str) -> Diagnostic {
    let mut lines = text.lines();
    let mut message = Diagnostic::of(lines.next().unwrap_or_default().to_owned());
    for line in lines.map(str::trim) {
        if let Some(accepted) = line.strip_prefix("accepted: ") {
            message = message.accepted(accepted);
        } else if let Some(hint) = line.strip_prefix("hint: ") {
            message = message.hint(hint);
        } else {
            message = message.note(line);
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{run_json, samples};

    #[test]
    fn a_record_comes_back_as_it_was_told() {
        for result in samples::results() {
            let mut document = run_json(&result);
            document.as_object_mut().unwrap().insert("trace".to_owned(), serde_json::to_value(&result.trace).unwrap());
            let record: RunRecord = serde_json::from_value(document.clone()).unwrap();
            let back = record.result(&result.case, result.wall);
            let again = run_json(&back);
            for key in [
                "verdict",
                "broken_by",
                "criteria",
                "never_happened",
                "measures",
                "ended_by",
                "simulated_s",
                "bits",
                "notes",
            ] {
                assert_eq!(again[key], document[key], "{key}");
            }
            assert_eq!(back.trace, result.trace);
        }
    }
}
