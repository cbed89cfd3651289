//! The results as JSON, for scripts.

use serde_json::{Map, Value, json};

use super::{Counts, measured};
use crate::result::{CaseResult, Criterion, Verdict};

/// The results: `summary`, and `runs` as a list of objects; the manual's page on reports lists the fields.
pub fn json(results: &[CaseResult]) -> Value {
    let counts = Counts::of(results);
    let [simulated, wall] =
        [|r: &CaseResult| r.simulated, |r: &CaseResult| r.wall].map(|of| results.iter().map(of).sum::<f64>());
    json!({
        "summary": {
            "runs": counts.all(),
            "passed": counts.passed,
            "failed": counts.failed,
            "broken": counts.broken,
            "simulated_s": simulated,
            "wall_s": wall,
        },
        "runs": results.iter().map(run_json).collect::<Vec<_>>(),
    })
}

/// One result, as it stands in `runs`.
pub fn run_json(result: &CaseResult) -> Value {
    let case = &result.case;
    let vary: Map<String, Value> = case.varied.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
    let messages = match &result.verdict {
        Verdict::Broken(diagnostics) => diagnostics.0.iter().map(ToString::to_string).collect(),
        Verdict::Passed | Verdict::Failed => Vec::new(),
    };
    json!({
        "scenario": case.scenario,
        "file": case.file,
        "run": case.name(),
        "vary": vary,
        "repetition": case.repetition,
        "seed": result.seed,
        "verdict": result.verdict.word(),
        "success": result.verdict == Verdict::Passed,
        "broken_by": messages,
        "criteria": result.criteria.iter().map(criterion).collect::<Vec<_>>(),
        "never_happened": result.missed,
        "measures": measures(result),
        "ended_by": result.end,
        "simulated_s": result.simulated,
        "wall_s": result.wall,
        "bits": result.bits,
        "notes": result.notes,
        "recording": result.recording,
        "command": result.command,
    })
}

fn criterion(criterion: &Criterion) -> Value {
    json!({
        "name": criterion.name,
        "vehicle": criterion.vehicle,
        "expected": criterion.expected,
        "actual": criterion.actual,
        "time_s": criterion.time,
        "success": criterion.held,
    })
}

/// Those of each vehicle, and those of the run as a whole, which have no vehicle.
fn measures(result: &CaseResult) -> Value {
    let of = |vehicle: &Option<&str>| {
        let of_vehicle = result.measures.iter().filter(|measure| measure.vehicle.as_deref() == *vehicle);
        let mut object: Map<String, Value> =
            of_vehicle.map(|measure| (measure.key.to_owned(), json!(measure.value))).collect();
        object.insert("vehicle".into(), json!(vehicle));
        Value::Object(object)
    };
    measured([result]).iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples::results;
    use super::*;

    #[test]
    fn scripts_find_verdicts_criteria_and_measures() {
        let value = json(&results());
        assert_eq!((&value["summary"]["failed"], &value["summary"]["wall_s"]), (&json!(1), &json!(3.75)));
        let run = &value["runs"][1];
        assert_eq!((&run["verdict"], &run["success"], &run["seed"]), (&json!("failed"), &json!(false), &json!(3)));
        assert_eq!(run["vary"], json!({ "seed": "3", "wall": "a b" }));
        let clearance = json!({
            "name": "clearance", "vehicle": "r1", "expected": "at least 0.1 m",
            "actual": "0.043 m, to block \"door <2>\"", "time_s": 3.2, "success": false,
        });
        assert_eq!(run["criteria"][0], clearance);
        assert_eq!(run["measures"], json!([{ "vehicle": "r1", "success": 0.0, "least_clearance_m": 0.043 }]));
        let missed = json!([{ "event": "remove <box>", "place": "door.yaml:9:3", "must_happen": false }]);
        assert_eq!(value["runs"][0]["never_happened"], missed);
        let broken = &value["runs"][2];
        assert_eq!(broken["broken_by"], json!(["nav2: ended with status 1\n  hint: its log is nav2.log"]));
        assert_eq!((&broken["measures"], &broken["repetition"]), (&json!([]), &json!(4)));
    }
}
