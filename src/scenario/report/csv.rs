//! The results as a table, a row for each run.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_metrics::rows;

use super::measured;
use crate::result::CaseResult;

/// What each run has.
type Column = (&'static str, fn(&CaseResult) -> String);

const BEFORE: &[Column] = &[
    ("scenario", |r| r.case.scenario.clone()),
    ("run", |r| r.case.name()),
    ("file", |r| r.case.file.display().to_string()),
];
const BEHIND: &[Column] = &[
    ("repetition", |r| r.case.repetition.map_or_else(String::new, |number| number.to_string())),
    ("seed", |r| r.seed.to_string()),
    ("verdict", |r| r.verdict.word().into()),
    ("reason", |r| r.reasons().first().and_then(|reason| reason.lines().next()).unwrap_or_default().to_owned()),
    ("ended_by", |r| r.end.clone()),
    ("simulated_s", |r| r.simulated.to_string()),
    ("wall_s", |r| r.wall.to_string()),
    ("bits", |r| r.bits.clone()),
];

/// The results as CSV: names, what is varied, verdict and reason, then the measures. Where several vehicles have some, their names stand in
/// front of the keys: `r1.path_length_m`. Empty is what a run does not have.
///
/// # Errors
/// That of the CSV library.
pub fn csv(results: &[CaseResult]) -> Result<String, Diagnostic> {
    let mut varied: Vec<&str> = Vec::new();
    let mut keys: Vec<(Option<&str>, &str)> = Vec::new();
    for result in results {
        for (key, _) in result.case.varied.iter().filter(|(key, _)| key != "seed") {
            if !varied.contains(&key.as_str()) {
                varied.push(key);
            }
        }
    }
    let vehicles = measured(results);
    for &vehicle in &vehicles {
        for measure in results.iter().flat_map(|result| &result.measures) {
            let key = (vehicle, measure.key);
            if measure.vehicle.as_deref() == vehicle && !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    let several = vehicles.iter().flatten().count() > 1;
    let titles = keys.iter().map(|(vehicle, key)| match vehicle {
        Some(vehicle) if several => format!("{vehicle}.{key}"),
        _ => (*key).to_owned(),
    });
    let fixed = |columns: &[Column]| columns.iter().map(|(title, _)| (*title).to_owned()).collect::<Vec<_>>();
    let head =
        fixed(BEFORE).into_iter().chain(varied.iter().map(|key| (*key).to_owned())).chain(fixed(BEHIND)).chain(titles);
    let mut table = vec![head.collect()];
    for result in results {
        let fixed = |columns: &[Column]| columns.iter().map(|(_, get)| get(result)).collect::<Vec<_>>();
        let of_key = |key: &&str| {
            result
                .case
                .varied
                .iter()
                .find(|(known, _)| known == key)
                .map_or_else(String::new, |(_, value)| value.clone())
        };
        let of_measure = |(vehicle, key): &(Option<&str>, &str)| {
            let is_wanted =
                |measure: &&crate::result::Measure| measure.key == *key && measure.vehicle.as_deref() == *vehicle;
            rows::number(result.measures.iter().find(is_wanted).and_then(|measure| measure.value))
        };
        let row = fixed(BEFORE).into_iter().chain(varied.iter().map(of_key)).chain(fixed(BEHIND));
        table.push(row.chain(keys.iter().map(of_measure)).collect());
    }
    rows::csv(&table)
}

#[cfg(test)]
mod tests {
    use super::super::samples::results;
    use super::*;

    #[test]
    fn each_run_is_a_row() {
        let mut results = results();
        let text = csv(&results).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(
            lines[0],
            "scenario,run,file,wall,repetition,seed,verdict,reason,ended_by,simulated_s,wall_s,bits,success,least_clearance_m"
        );
        assert!(lines[1].ends_with(",a b,,1,passed,,all criteria are decided,12.5,1.25,00ff,1,0.31"), "{}", lines[1]);
        assert!(
            lines[2].contains("failed,\"clearance of r1: 0.043 m, to block \"\"door <2>\"\" at 3.2 s"),
            "{}",
            lines[2]
        );
        assert!(
            lines[3].starts_with("doorway,doorway#4,door.yaml,,4,1,broken,nav2: ended with status 1,"),
            "{}",
            lines[3]
        );
        assert!(lines[3].ends_with(",,"), "{}", lines[3]);
        results[1].measures[0].vehicle = Some("r2".into());
        assert!(
            csv(&results).unwrap().lines().next().unwrap().ends_with(",r1.success,r1.least_clearance_m,r2.success")
        );
    }
}
