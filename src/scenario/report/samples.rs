//! Results for the tests of reports.

use skidpad_files::diagnostic::Diagnostic;

use super::types::*;

/// A run that passed, one that failed, and one that broke.
pub(crate) fn results() -> Vec<CaseResult> {
    let case = |varied: &[(&str, &str)], repetition| Case {
        scenario: "doorway".into(),
        file: "door.yaml".into(),
        varied: varied.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
        repetition,
    };
    let criterion = |name: &str, expected: &str, actual: &str, time, held| Criterion {
        name: name.into(),
        vehicle: Some("r1".into()),
        expected: expected.into(),
        actual: actual.into(),
        time,
        held,
    };
    let measure = |key, value| Measure { key, vehicle: Some("r1".into()), value };
    let passed = CaseResult {
        case: case(&[("seed", "1"), ("wall", "a b")], None),
        verdict: Verdict::Passed,
        criteria: vec![
            criterion("clearance", "at least 0.1 m", "0.31 m", None, true),
            criterion("goal", "within 0.25 m in 30 s", "reached", Some(12.5), true),
        ],
        missed: vec![Missed { event: "remove <box>".into(), place: "door.yaml:9:3".into(), must_happen: false }],
        measures: vec![measure("success", Some(1.0)), measure("least_clearance_m", Some(0.31))],
        end: "all criteria are decided".into(),
        notes: Vec::new(),
        simulated: 12.5,
        wall: 1.25,
        seed: 1,
        bits: "00ff".into(),
        recording: None,
        command: vec!["test".into(), "door.yaml".into()],
        trace: Some(Box::new(trace())),
    };
    let failed = CaseResult {
        case: case(&[("seed", "3"), ("wall", "a b")], None),
        verdict: Verdict::Failed,
        criteria: vec![
            criterion("clearance", "at least 0.1 m", "0.043 m, to block \"door <2>\"", Some(3.2), false),
            criterion("goal", "within 0.25 m in 30 s", "1.2 m away", None, false),
        ],
        measures: vec![measure("success", Some(0.0)), measure("least_clearance_m", Some(0.043))],
        end: "duration of 30 s".into(),
        notes: vec!["warning: \u{1b}[31mred\u{1b}[0m & \u{0}zero".into()],
        simulated: 30.0,
        seed: 3,
        recording: Some("out/2.mcap".into()),
        command: ["test", "door.yaml", "--only", "doorway[seed=3,wall=a b]"].map(str::to_owned).to_vec(),
        ..passed.clone()
    };
    let broken = CaseResult {
        case: case(&[], Some(4)),
        verdict: Verdict::Broken(Diagnostic::new("nav2", "ended with status 1").hint("its log is nav2.log").into()),
        criteria: Vec::new(),
        missed: Vec::new(),
        measures: Vec::new(),
        end: "nav2 ended".into(),
        trace: None,
        ..passed.clone()
    };
    vec![passed, failed, broken]
}

/// A quarter of a circle of 3 m past a block, beside a wall.
fn trace() -> Trace {
    let square = |x: f64, y: f64, half: f64| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)]
            .map(|(a, b)| [x + half * a, y + half * b])
            .to_vec()
    };
    let sample = |index: u32| {
        let angle = f64::from(index) * 0.01;
        Sample {
            time: f64::from(index) * 0.05,
            pose: [3.0 * angle.sin(), 3.0 - 3.0 * angle.cos(), angle],
            speed: 0.6,
            clearance: Some(1.0 - 0.005 * f64::from(index)),
        }
    };
    let samples: Vec<Sample> = (0..=157).map(sample).collect();
    let at = |sample: &Sample, incident: &str| Moment {
        time: sample.time,
        incident: incident.into(),
        vehicle: Some("r1".into()),
        vehicles: vec![vec![square(sample.pose[0], sample.pose[1], 0.2)]],
        blocks: vec![square(1.8, 0.4, 0.15), square(90.0, 0.0, 5.0)],
        people: vec![square(0.5, 2.0, 0.25)],
    };
    let moments = vec![at(&samples[64], "clearance below 0.1 m"), at(&samples[157], "")];
    let vehicles = vec![DrivenPath { vehicle: "r1".into(), samples, goals: vec![[3.2, 4.0]] }];
    Trace { scenery: vec![vec![[-1.0, -0.6], [5.0, -0.6]]], vehicles, moments }
}
