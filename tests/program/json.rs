//! The documents of `--json`: one on stdout whatever happens, with the fields that the manual describes; and the other conventions that all commands share.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;

use mcap::MessageStream;
use serde_json::Value;
use skidpad_test_support::watched::Watch;

use crate::identify::{recording, with_recording};
use crate::support::{IDEAL, Lab};

/// The document of a command that ends with this status, and says nothing else.
#[track_caller]
fn document(lab: &Lab, arguments: &str, status: i32) -> Value {
    let done = lab.run(arguments);
    assert_eq!((done.status, done.stderr.as_str()), (Some(status), ""), "{arguments}: {}", done.stdout);
    let document: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&document["schema"], &document["status"]), (&1.into(), &status.into()), "{arguments}");
    assert_eq!(document["command"].as_str(), arguments.split(' ').next());
    document
}

#[test]
fn a_document_has_the_world_and_its_warnings() {
    let lab = Lab::with_world(&IDEAL.replace("  <vehicle", "  <grvity>9</grvity>\n  <vehicle"));
    let checked = document(&lab, "check w.xml --json", 0);
    let [warning] = &checked["messages"].as_array().unwrap()[..] else { panic!("{checked}") };
    assert_eq!((&warning["level"], &warning["place"]), (&"warning".into(), &"w.xml:3:3".into()));
    assert_eq!(warning["found"], "unknown tag \"grvity\" in <mvsim_world>");
    assert_eq!(warning["hint"], "did you mean \"gravity\"?");
    assert!(warning["accepted"].as_array().unwrap().contains(&"gravity".into()), "{warning}");
    let vehicle = &checked["result"]["vehicles"][0];
    assert_eq!((&vehicle["name"], &vehicle["mass"]), (&"r1".into(), &19.0.into()), "{checked}");
    assert_eq!((&checked["result"]["step"], &vehicle["start"]["y"]), (&0.005.into(), &2.0.into()), "{checked}");
    let world = std::fs::File::open(lab.path().join("w.xml")).unwrap();
    let of_input = lab.skidpad("check - --json").stdin(world).stdout(Stdio::piped()).watch().output();
    let of_input: Value = serde_json::from_slice(&of_input.stdout).unwrap();
    assert_eq!(of_input["result"]["vehicles"], checked["result"]["vehicles"], "{of_input}");
    lab.write("v.xml", &IDEAL.replacen("  <vehicle", "  <variable name=\"far\" value=\"2\"/>\n  <vehicle", 1));
    let with_variable = document(&lab, "check v.xml --json --set far=3", 0);
    assert_eq!(with_variable["result"]["variables"], serde_json::json!([{ "name": "far", "value": "3" }]));
    let strict = document(&lab, "check w.xml --json --strict", 1);
    assert_eq!((&strict["messages"][0]["level"], &strict["result"]), (&"error".into(), &Value::Null));
}

/// Colons in names and texts move nothing from one field into another.
#[test]
fn each_part_of_a_message_is_in_its_field() {
    let lab = Lab::new();
    lab.write("a: b.world.xml", &IDEAL.replace("twist_ideal", "x: y"));
    lab.write("e.yaml", "duration: 0\nfeedback: \"a: b\"\n");
    let checked = lab.skidpad("check --json").arg("a: b.world.xml").finish();
    let message = &serde_json::from_slice::<Value>(&checked.stdout).unwrap()["messages"][0];
    assert!(message["place"].as_str().unwrap().starts_with("a: b.world.xml:5:"), "{message}");
    assert!(message["found"].as_str().unwrap().contains("\"x: y\""), "{message}");
    let document = document(&lab, "experiment e.yaml --json", 1);
    let [duration, feedback] = &document["messages"].as_array().unwrap()[..] else { panic!("{document}") };
    assert_eq!((&duration["place"], &duration["found"]), (&"e.yaml:1:1".into(), &"duration: found 0".into()));
    assert_eq!(duration["accepted"].as_array().map(Vec::len), Some(1), "{duration}");
    assert_eq!(feedback["found"], "feedback: found \"a: b\"", "{feedback}");
    assert_eq!(feedback["accepted"], serde_json::json!(["truth", "odometry", "mocap"]), "{feedback}");
    lab.write("m.yaml", "image: m.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n");
    std::fs::create_dir(lab.path().join("m.pgm")).unwrap();
    let map = "  <element class=\"occupancy_grid\"><file>m.yaml</file></element>\n  <vehicle";
    lab.write("m.xml", &IDEAL.replacen("  <vehicle", map, 1));
    let of_map = &self::document(&lab, "check m.xml --json", 1)["messages"][0];
    assert!(of_map["found"].as_str().unwrap().ends_with("m.pgm: cannot be read: it is a folder"), "{of_map}");
    assert_eq!(of_map["accepted"], serde_json::json!(["a regular file"]), "{of_map}");
    let include = "  <include file=\"https://x.org/a.xml\"/>\n  <vehicle";
    lab.write("i.xml", &IDEAL.replacen("  <vehicle", include, 1));
    let of_include = &self::document(&lab, "check i.xml --json", 1)["messages"][0];
    assert_eq!(of_include["found"], "found \"https://x.org/a.xml\"", "{of_include}");
    assert_eq!(of_include["accepted"], serde_json::json!(["a file of this machine"]), "{of_include}");
    let wrong_use = &self::document(&lab, "analyze a.mcap --json --settled-below 0", 2)["messages"][0];
    assert_eq!(wrong_use["accepted"], serde_json::json!(["a number of metres above 0"]), "{wrong_use}");
}

#[test]
fn a_run_answers_with_what_it_took() {
    let lab = Lab::with_world(&IDEAL.replace("  <vehicle", "  <grvity>9</grvity>\n  <vehicle"));
    let ran = document(&lab, "run w.xml --json --quiet --headless --rate max --duration 0.5", 0);
    let result = &ran["result"];
    assert_eq!((&result["simulated_s"], &result["steps"]), (&0.5.into(), &100.into()), "{ran}");
    assert_eq!(ran["messages"][0]["hint"], "did you mean \"gravity\"?", "{ran}");
}

#[test]
fn errors_of_every_command_are_in_its_document() {
    let lab = Lab::with_world(&IDEAL.replace("twist_ideal", "telepathy"));
    for (arguments, status, place) in [
        ("check w.xml --json", 1, "w.xml:5"),
        ("check none --json", 1, "none"),
        ("run none --json", 1, "none"),
        ("experiment none.yaml --json", 1, "none.yaml"),
        ("validate none.yaml --json", 1, "none.yaml"),
        ("analyze none.mcap --json", 1, "none.mcap"),
        ("list words --json", 2, "words"),
        ("analyze a.mcap --json --settled-below 0", 2, "--settled-below"),
    ] {
        let document = document(&lab, arguments, status);
        let message = &document["messages"][0];
        assert!(message["place"].as_str().is_some_and(|text| text.starts_with(place)), "{arguments}: {message}");
        assert_eq!((&message["level"], &document["result"]), (&"error".into(), &Value::Null), "{arguments}");
    }
}

/// Fields of a provenance whose names are those of a config, of variables or of parameters.
const NAMED_ELSEWHERE: [&str; 4] = ["config", "set", "variables", "words"];

/// The names of the fields in a value; those of metrics are in a table of their own.
fn fields(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => object.iter().for_each(|(name, value)| {
            names.insert(name.clone());
            if !NAMED_ELSEWHERE.contains(&name.as_str()) {
                fields(value, names);
            }
        }),
        Value::Array(list) => list.iter().for_each(|value| fields(value, names)),
        _ => {}
    }
}

#[test]
fn the_manual_has_every_field() {
    let lab = with_recording("run_0.csv", &recording(1), |config| config);
    lab.write("w.xml", IDEAL);
    lab.write("e.yaml", "duration: 1\nplant: kinematic\n");
    let car = "<dynamics class=\"ackermann\"><controller class=\"twist_ideal\"/></dynamics>";
    lab.write("set.vehicle.xml", &format!("<vehicle:class name=\"car\">{car}</vehicle:class>"));
    assert_eq!(lab.run("experiment e.yaml --out out").status, Some(0));
    let mut names = BTreeSet::new();
    for arguments in [
        "check w.xml --json",
        "list --json",
        "list presets --json",
        "plot manoeuvre kerb set.vehicle.xml --out kerb.svg --json",
        "experiment e.yaml --json",
        "experiment e.yaml --vary seed=1,2 --json",
        "analyze out/e.mcap --json",
        "rerun out/e.mcap --json",
        "identify config.yaml --budget 20 --out found --json",
        "validate config.yaml --json",
    ] {
        let document: Value = serde_json::from_str(&lab.run(arguments).stdout).unwrap();
        assert_eq!(document["status"], 0, "{arguments}: {document}");
        assert!(document["result"].as_object().is_some_and(|result| !result.is_empty()), "{arguments}: {document}");
        fields(&document, &mut names);
    }
    assert!(
        names.contains("rmse_m")
            && names.contains("summaries")
            && names.contains("quantity")
            && names.contains("friction_laws")
            && names.contains("has_converged"),
        "{names:?}"
    );
    let page = |name: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap();
    let pages = page("docs/json.md") + &page("docs/analysis.md");
    names.retain(|field| !pages.contains(&format!("`{field}`")));
    assert!(names.is_empty(), "docs/json.md lacks {names:?}");
}

#[test]
fn quiet_leaves_errors_and_warnings_and_verbose_adds_details() {
    let lab = Lab::with_world(IDEAL);
    let run = "run w.xml --rate max --duration 1 --headless";
    assert_eq!(lab.run(&format!("{run} --quiet")).stderr, "");
    assert_eq!(lab.run(&format!("-q {run}")).stderr, "");
    assert_eq!(lab.run(&format!("{run} -q -v")).status, Some(2));
    assert!(lab.run(&format!("{run} --verbose")).stderr.contains("simulated 1.000 s"));
    lab.write("w.xml", &IDEAL.replace("  <vehicle", "  <grvity>9</grvity>\n  <vehicle"));
    assert!(lab.run("check w.xml -q").stderr.starts_with("warning: w.xml:3:3: "));
    assert_eq!(lab.run("check none -q").errors().lines().next(), Some("none: no such world"));
}

#[test]
fn levels_of_the_log_that_cannot_be_read_are_named() {
    let lab = Lab::with_world(IDEAL);
    let run = |levels: &str| {
        let run = lab.skidpad("run w.xml --rate max --duration 1 --headless").env("RUST_LOG", levels).finish();
        String::from_utf8(run.stderr).unwrap()
    };
    let misread = run("skidpad=loud");
    let first = "warning: RUST_LOG: found \"skidpad=loud\", ignored\n  accepted: ";
    assert!(misread.starts_with(first), "{misread}");
    assert!(run("skidpad=debug").contains("simulated 1.000 s"));
}

#[test]
fn a_preset_names_the_topics_of_a_recording_without_ros() {
    let lab = Lab::new();
    let run = "run racecar --headless --rate max --duration 0.2";
    let done = lab.run(&format!("{run} --preset racecar_gazebo --record a.mcap"));
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let bytes = std::fs::read(lab.path().join("a.mcap")).unwrap();
    let topics: BTreeSet<String> =
        MessageStream::new(&bytes).unwrap().map(|message| message.unwrap().channel.topic.clone()).collect();
    assert!(topics.contains("/vesc/odom") && !topics.contains("/odom"), "{topics:?}");
    let ignored = lab.run(&format!("{run} --preset mvsim")).stderr;
    assert!(
        ignored.starts_with("warning: --preset: ignored, this run has neither a node nor a recording\n"),
        "{ignored}"
    );
    let unknown = lab.run(&format!("{run} --preset racecar_gazeb"));
    assert_eq!(unknown.status, Some(2));
    assert!(unknown.stderr.contains("hint: did you mean \"racecar_gazebo\"?"), "{}", unknown.stderr);
    let two = lab.run("run two_robots --preset racecar_gazebo --record b.mcap");
    let expected = "--preset: found \"racecar_gazebo\"\n  accepted: a world with one vehicle, this one has 2\n  \
                    hint: leave --preset out, or take another world\n";
    assert_eq!((two.status, two.errors().as_str()), (Some(1), expected));
}
