//! Runs of whole scenarios in the worlds of the project.

use std::path::{Path, PathBuf};

use skidpad_sim::world::LoadOptions;

use crate::description::Scenario;
use crate::result::{CaseResult, Verdict};
use crate::run::RunOptions;
use crate::{cases, run_all};

fn world(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../worlds/{name}.world.xml"))
}

/// The runs of a scenario with this text in the world of this name.
fn run(name: &str, text: &str) -> Vec<CaseResult> {
    let text = format!("world: {}\nvehicle: robot\ncontroller: none\n{text}", world(name).display());
    let scenario = Scenario::parse(Path::new("s.yaml"), &text, &[]).unwrap();
    let planned = cases(&scenario, &LoadOptions::default(), &[], None).unwrap();
    run_all(&planned, &RunOptions::default(), |_| {})
}

#[test]
fn a_speed_is_bounded_in_an_area_alone() {
    let within = |area: &str| {
        let events = "events:\n- at: 0\n  command: {vx: 0.5}\n  hold: 3\n";
        let text = format!("duration: 3\n{events}expect:\n- speed: {{at_most: 0.3, area: {area}}}\n");
        run("twist_ideal", &text).remove(0)
    };
    let far = within("[50, -1, 51, 1]");
    assert_eq!(far.verdict, Verdict::Passed);
    assert_eq!(far.criteria[0].actual, "never in the area");
    assert_eq!(far.criteria[0].expected, "at most 0.3 m/s, within (50, -1) to (51, 1)");
    let near = within("[-9, -9, 9, 9]");
    assert_eq!(near.verdict, Verdict::Failed);
    assert_eq!(near.criteria[0].actual, "0.5000 m/s");
}

#[test]
fn worlds_and_vehicles_can_be_varied() {
    let two = r#"<mvsim_world><include file="../vehicles/diffbot.vehicle.xml"/>
        <vehicle name="a" class="diffbot"><init_pose>0 0 0</init_pose></vehicle>
        <vehicle name="b" class="diffbot"><init_pose>0 3 0</init_pose></vehicle></mvsim_world>"#;
    let folder = tempfile::tempdir().unwrap();
    let vehicles = world("x").parent().unwrap().join("vehicles/diffbot.vehicle.xml");
    let file = folder.path().join("two.world.xml");
    std::fs::write(&file, two.replace("../vehicles/diffbot.vehicle.xml", &vehicles.display().to_string())).unwrap();
    let text = format!(
        "vary:\n  world: [{}, {}]\n  vehicle: [a, b, robot]\nduration: 1\nevents:\n- at: 0\n  command: {{vx: 0.5}}\nexpect:\n\
         - path_length_m: {{at_least: 0.1}}\n",
        file.display(),
        world("twist_ideal").display()
    );
    let results = run("twist_ideal", &text);
    let names: Vec<String> = results.iter().map(|result| result.case.varied[1].1.clone()).collect();
    assert_eq!(names, ["a", "b", "robot"], "a combination without the vehicle is left out");
    let vehicles: Vec<Option<&str>> = results.iter().map(|result| result.criteria[0].vehicle.as_deref()).collect();
    assert_eq!(vehicles, [Some("a"), Some("b"), Some("robot")]);
    assert!(results.iter().all(|result| result.verdict == Verdict::Passed), "{results:?}");
}

#[test]
fn mistakes_in_what_is_varied_have_their_lines() {
    let message = |vary: &str| {
        let text = format!(
            "world: {}\nvehicle: robot\ncontroller: none\nvary:\n{vary}expect: {{collisions: {{at_most: 0}}}}\n",
            world("twist_ideal").display()
        );
        let scenario = match Scenario::parse(Path::new("s.yaml"), &text, &[]) {
            Ok(scenario) => scenario,
            Err(problems) => return problems.to_string(),
        };
        let error = cases(&scenario, &LoadOptions::default(), &[], None).unwrap_err();
        scenario.explain(&error).to_string()
    };
    assert_eq!(
        message("  latency:\n  - 0.1\n  - slow\n"),
        "s.yaml:7:5: vary: latency=slow: latency: found \"slow\"\n  accepted: a number"
    );
    assert_eq!(
        message("  latency: [0.1, 9]\n"),
        "s.yaml:5:18: vary: latency=9: latency: found 9\n  accepted: a number from 0 to 5 [s]"
    );
    assert_eq!(
        message("  latency: []\n"),
        "s.yaml:5:3: vary: latency: no values\n  accepted: KEY=A,B,C, or KEY:KEY=A:X,B:Y for keys that change together"
    );
    assert!(message("  vehicle: [robot, robt]\n").starts_with("s.yaml:5:20: vary: vehicle=robt: vehicle: "));
    assert_eq!(message("  latency: [0]\n  latency: [1]\n"), "s.yaml:6:3: key \"latency\" appears twice");
}
