//! `skidpad test`: the scenarios that come with the program, each of which fails for the right reason where something is wrong, and its reports.

use std::path::{Path, PathBuf};

use skidpad_test_support::mcap_file::messages_in_chunks;
use skidpad_test_support::watched::Watch;

use crate::support::{Done, Lab, Table};

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Runs the program where `worlds/` and `config/` are.
fn skidpad(lab: &Lab, arguments: &str) -> Done {
    Done::from(lab.skidpad(arguments).current_dir(repository("")).finish())
}

/// A shipped scenario with changes, in a folder of its own.
fn changed(lab: &Lab, name: &str, changes: &[(&str, &str)]) -> PathBuf {
    let mut text = std::fs::read_to_string(repository("config/scenarios").join(name)).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{name}: {from}");
        text = text.replacen(from, to, 1);
    }
    // Files beside the worlds have the places that they have from there.
    lab.write(name, &text.replace("../../worlds", &repository("worlds").display().to_string()))
}

#[test]
fn shipped_scenarios_pass_with_the_same_bits_on_any_number_of_threads() {
    let lab = Lab::new();
    let names = [
        "crossing",
        "hidden_markers",
        "kidnapped",
        "laps",
        "narrow",
        "odometry",
        "radio",
        "slippery",
        "tracking",
        "wall",
    ];
    let bits = |jobs: u32, names: &[&str]| {
        let files: Vec<String> = names.iter().map(|name| format!("config/scenarios/{name}.yaml")).collect();
        let done = skidpad(&lab, &format!("test {} --jobs {jobs} --json", files.join(" ")));
        assert_eq!(done.status, Some(0), "{}{}", done.stdout, done.stderr);
        let document: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
        let runs = document["result"]["runs"].as_array().unwrap().clone();
        assert_eq!(document["result"]["summary"]["passed"], runs.len());
        runs.iter().map(|run| format!("{} {}", run["run"], run["bits"])).collect::<Vec<_>>()
    };
    let all = bits(2, &names);
    assert_eq!(all.len(), 14, "three kinds of tyres and twice two seeds among them: {all:?}");
    assert_eq!(bits(1, &["crossing", "hidden_markers", "radio"]), [0, 1, 7, 8].map(|index| all[index].clone()));
}

#[test]
fn each_scenario_fails_with_the_right_reason() {
    let lab = Lab::new();
    for (name, changes, reason) in [
        (
            "tracking.yaml",
            &[("vary:\n  tyre: [linear, fiala, pacejka]", "latency: 0.3")][..],
            "tracking_error of racecar: ",
        ),
        ("wall.yaml", &[("command: stop", "command: {vx: 1.2}")], "clearance of robot: 0.4"),
        (
            "wall.yaml",
            &[("command: stop", "command: {vx: 0.01}"), ("- clearance: {at_least: 0.5}", "")],
            "stands of robot: moves with",
        ),
        (
            "kidnapped.yaml",
            &[("at: [1, 1]", "at: [5, 1]")],
            "never_in_area of racecar: inside at (5.000, 1.000) at 5.00",
        ),
        ("crossing.yaml", &[("command: stop", "command: {vx: 0.5}")], "clearance of watcher: 0.2"),
        (
            "hidden_markers.yaml",
            &[("hold: 0.1", "hold: 1.5"), ("at_most: 0.08", "at_most: 9")],
            "silence of racecar: no reading of \"mocap\" for 0.2",
        ),
        (
            "hidden_markers.yaml",
            &[("hold: 0.1", "hold: 0.3"), ("at_most: 0.2}", "at_most: 2}")],
            "tracking_error of racecar: 0.08",
        ),
        (
            "narrow.yaml",
            &[("at: [0, -0.7]", "at: [0, -1.25]"), ("- clearance: {at_least: 0.1}", "")],
            "collisions of r1: 1, the last with block \"post\"",
        ),
        (
            "radio.yaml",
            &[("packet_loss: {sensor: scan, share: 0.3}", "sensor_off: scan")],
            "silence of r1: no reading of \"scan\" for 1.0",
        ),
        ("radio.yaml", &[("latency: 0.1", "latency: 2")], "goal of r1: "),
        ("laps.yaml", &[("expect:", "events:\n- at: 3\n  latency: 0.3\nexpect:")], "tracking_error of racecar: "),
        ("laps.yaml", &[("speed: 2.5", "speed: 2.4")], "best_lap_s of racecar: 16."),
        ("slippery.yaml", &[("hold: 1", "hold: 3")], "tracking_error of racecar: 0.5"),
        (
            "odometry.yaml",
            &[("expect:", "events:\n- at: 5\n  odometry: {x: 1.2}\nexpect:")],
            "localisation_error of racecar: 0.5",
        ),
    ] {
        let file = changed(&lab, name, changes);
        let done = skidpad(&lab, &format!("test {}", file.display()));
        assert_eq!(done.status, Some(1), "{name}: {}{}", done.stdout, done.stderr);
        assert!(done.stdout.contains("FAIL") && done.stdout.contains(reason), "{name}: {}", done.stdout);
    }
}

#[test]
fn a_failure_keeps_its_recording_and_all_reports_name_it() {
    let lab = Lab::new();
    let file = changed(&lab, "wall.yaml", &[("at_least: 0.5", "at_least: 2")]);
    let (out, junit) = (lab.path().join("results"), lab.path().join("junit.xml"));
    let command = format!("test {} --repeat 2 --out {} --junit {}", file.display(), out.display(), junit.display());
    let done = skidpad(&lab, &command);
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert!(done.stdout.ends_with("2 runs: 0 passed, 2 failed\n"), "{}", done.stdout);
    assert!(messages_in_chunks(&std::fs::read(out.join("wall_1.mcap")).unwrap()) > 0);
    assert!(out.join("results.html").is_file(), "{}", done.stderr);
    assert!(!std::fs::read_to_string(&junit).unwrap().contains("identical to the first repetition"));
    assert!(std::fs::read_to_string(&junit).unwrap().contains("clearance of robot"));
    let used = skidpad(&lab, &command);
    let next = out.join("wall_1_2.mcap");
    assert!(used.stderr.contains(&next.display().to_string()) && next.is_file(), "{}{}", used.stdout, used.stderr);
    let selected = skidpad(&lab, &format!("test {} --only wal? --seed 5", file.display()));
    assert_eq!(selected.status, Some(1), "{}{}", selected.stdout, selected.stderr);
    let none = skidpad(&lab, &format!("test {} --only door", file.display()));
    assert_eq!((none.status, none.stderr.contains("no run is called \"door\"")), (Some(2), true), "{}", none.stderr);
}

#[test]
fn what_is_wrong_is_told_with_line_and_column_before_any_run() {
    let lab = Lab::new();
    let first = lab
        .write("a.yaml", "world: tracking\nexpect:\n- spede: {at_most: 1}\nevents:\n- at: 1\n  command: {sped: 1}\n");
    let second = lab.write(
        "b.yaml",
        "world: tracking\nexpect: {speed: {at_most: 9}}\nevents:\n- at: 1\n  vehicle: ghost\n  command: stop\n",
    );
    let done = skidpad(&lab, &format!("test {}", first.display()));
    assert_eq!(done.status, Some(2));
    for line in [
        ":3:3: unknown key \"spede\"",
        "hint: did you mean \"speed\"?",
        ":6:12: command: found sped\n  accepted: names of one kind: ",
    ] {
        assert!(done.stderr.contains(line), "{line}: {}", done.stderr);
    }
    let done = skidpad(&lab, &format!("test {}", second.display()));
    assert_eq!(done.status, Some(2));
    assert!(
        done.stdout.contains("ERROR  b") && done.stdout.contains(":4:3: vehicle: found \"ghost\""),
        "{}",
        done.stdout
    );
}

#[test]
fn a_scenario_judges_an_ordinary_run_as_it_judges_a_test() {
    let lab = Lab::new();
    let run = |file: &Path| {
        let recording = file.with_extension("mcap");
        let command = format!("run --scenario {} --rate max --headless", file.display());
        let done = skidpad(&lab, &format!("{command} --json --record {}", recording.display()));
        let document: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
        let verdict = document["result"]["scenario"].clone();
        assert_eq!(document["result"]["simulated_s"], verdict["simulated_s"]);
        (done.status, verdict, recording)
    };
    let test = |file: &Path| {
        let done = skidpad(&lab, &format!("test {} --json", file.display()));
        serde_json::from_str::<serde_json::Value>(&done.stdout).unwrap()["result"]["runs"][0].clone()
    };
    // With events, trackers and measures of the analysis.
    for (name, changes, status) in [
        ("crossing.yaml", &[][..], 0),
        ("slippery.yaml", &[][..], 0),
        ("wall.yaml", &[("at_least: 0.5", "at_least: 2")], 1),
    ] {
        let file = changed(&lab, name, changes);
        let (ended, verdict, recording) = run(&file);
        assert_eq!(ended, Some(status), "{name}");
        for key in ["bits", "verdict", "criteria", "measures", "ended_by", "notes", "seed"] {
            assert_eq!(verdict[key], test(&file)[key], "{name}: {key}");
        }
        assert!(verdict["trace"]["vehicles"][0]["samples"].as_array().is_some_and(|samples| samples.len() > 100));
        let again = skidpad(&lab, &format!("rerun {}", recording.display()));
        assert!(again.stdout.contains(": identical, "), "{name}: {}{}", again.stdout, again.stderr);
    }
    // Told as text, and ended before its time.
    let file = changed(&lab, "wall.yaml", &[("duration: 8", "duration: 8\ntimeout: 0.5")]);
    let done = skidpad(&lab, &format!("run --scenario {} --headless", file.display()));
    assert_eq!(done.status, Some(2), "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.starts_with("ERROR  wall  "), "{}", done.stdout);
    assert!(done.stdout.contains("timeout: 0.5 s of wall time passed"), "{}", done.stdout);
}

#[test]
fn a_start_and_a_teleport_on_a_slope_set_the_car_on_it() {
    let lab = Lab::new();
    let car = repository("worlds/vehicles/racecar.vehicle.xml");
    let world = format!(
        "<mvsim_world><include file=\"{}\"/><element class=\"horizontal_plane\"><x_min>-90</x_min><x_max>90</x_max>\
         <init_pose3d>0 0 0 0 -12 0</init_pose3d></element>\
         <vehicle name=\"r\" class=\"racecar\"><init_pose>-20 0 0</init_pose></vehicle></mvsim_world>",
        car.display()
    );
    lab.write("slope.world.xml", &world);
    let scenario = "world: slope.world.xml\nvehicle: r\ncontroller: none\nduration: 4\nevents:\n\
                    - {at: 1, teleport: {at: [10, 0], yaw: 0}}\n- {at: 2, command: {vx: 1.0}, hold: 2}\n\
                    expect:\n- path_length_m: {at_least: 1}\n";
    lab.write("slope.yaml", scenario);
    let done = lab.run("run --scenario slope.yaml --rate max --headless --csv log");
    assert_eq!(done.status, Some(0), "{}{}", done.stdout, done.stderr);
    let poses = Table::parse(&lab.read("log/session_001/r_pose.csv"));
    let [x, z, pitch] = ["q0x", "q2z", "q4pitch"].map(|name| poses.column(name));
    let slope = 12.0_f64.to_radians();
    for ((x, z), pitch) in x.iter().zip(z).zip(pitch) {
        assert!((z - x * slope.tan()).abs() < 1e-6 && (pitch + slope).abs() < 1e-6, "{x} {z} {pitch}");
    }
    assert!(x[0] < -19.0 && x.last().is_some_and(|end| *end > 11.0), "{x:?}");
}

/// Processes beside a run need ROS, however the run is made; mistakes are told first.
#[test]
fn processes_beside_a_run_need_ros() {
    let lab = Lab::new();
    let file = lab.write(
        "drive.yaml",
        "world: tracking\ncontroller: none\nexpect: {speed: {at_most: 9}}\nbeside:\n- node: sleep 600\n",
    );
    let done = skidpad(&lab, &format!("test {}", file.display()));
    let reported = format!(
        "error: {}: processes beside a run: this skidpad runs without ROS\n  accepted: skidpad-ros in the same folder\n  hint: make build\n",
        file.display()
    );
    assert_eq!((done.status, done.stderr), (Some(2), reported));
    let done = skidpad(&lab, &format!("run --scenario {} --headless", file.display()));
    assert_eq!(done.status, Some(2));
    assert!(
        done.stderr.contains("drive.yaml: needs processes beside the run, but this run has no ROS node"),
        "{}",
        done.stderr
    );
    let wrong = lab.write(
        "wrong.yaml",
        "world: tracking\nexpect: {speed: {at_most: 9}}\npace: fast\nready: {nodes: [x]}\nbeside:\n- name: x\n- {node: a, launch: b}\n",
    );
    let done = skidpad(&lab, &format!("test {}", wrong.display()));
    assert_eq!(done.status, Some(2));
    for line in [
        ":3:1: pace: \"fast\" is not a number",
        ":4:1: ready: nodes: found \"x\"",
        ":6:3: beside: no process",
        ":7:3: beside: several processes in one",
    ] {
        assert!(done.stderr.contains(line), "{line}: {}", done.stderr);
    }
}

#[test]
fn the_recording_of_a_failure_is_made_again_with_its_events_to_the_bit() {
    let lab = Lab::new();
    let faults = "- at: 1\n  spawn: {name: box, file: box.xml, at: [3, 4]}\n- at: 1\n  \
                  packet_loss: {sensor: scan, share: 0.5}\n- at: 1\n  latency: 0.2\n- at: 2.5";
    let changes = [("duration: 20", "duration: 4"), ("by: 20", "by: 3"), ("- at: 2.5", faults)];
    let file = changed(&lab, "crossing.yaml", &changes);
    lab.write("box.xml", "<block><shape><pt>-0.2 -0.2</pt><pt>-0.2 0.2</pt><pt>0.2 0.2</pt></shape></block>");
    let out = lab.path().join("results");
    let done = skidpad(&lab, &format!("test {} --out {}", file.display(), out.display()));
    assert_eq!(done.status, Some(1), "{}{}", done.stdout, done.stderr);
    let recording = out.join("crossing.mcap");
    let again = skidpad(&lab, &format!("rerun {}", recording.display()));
    assert!(again.status == Some(0) && again.stdout.contains(": identical, "), "{}{}", again.stdout, again.stderr);
    std::fs::remove_file(&file).unwrap();
    std::fs::remove_file(lab.path().join("box.xml")).unwrap();
    let embedded = skidpad(&lab, &format!("rerun {} --embedded", recording.display()));
    assert!(
        embedded.status == Some(0) && embedded.stdout.contains(": identical, "),
        "{}{}",
        embedded.stdout,
        embedded.stderr
    );
}

#[test]
fn failures_among_several_robots_are_recorded() {
    let lab = Lab::new();
    let file = changed(&lab, "narrow.yaml", &[("at: [0, -0.7]", "at: [0, -1.25]")]);
    let out = lab.path().join("results");
    let done = skidpad(&lab, &format!("test {} --out {}", file.display(), out.display()));
    assert_eq!(done.status, Some(1), "{}{}", done.stdout, done.stderr);
    let again = skidpad(&lab, &format!("rerun {}", out.join("narrow.mcap").display()));
    assert!(again.status == Some(0) && again.stdout.contains(": identical, "), "{}{}", again.stdout, again.stderr);
}

#[test]
fn names_that_are_not_there_are_mistakes_of_the_file() {
    let lab = Lab::new();
    let text = "world: pedestrians\ncontroller: none\nduration: 1\nevents:\n- at: 0\n  actor: {name: carl, stands: true}\n\
                - at: 0\n  sensor_off: scanner\nexpect:\n- speed: {at_most: 9, vehicle: wachter}\n\
                - silence: {sensor: sca, at_most: 1}\n";
    let file = lab.write("a.yaml", text);
    let done = skidpad(&lab, &format!("test {}", file.display()));
    assert_eq!(done.status, Some(2), "{}", done.stdout);
    for line in [
        ":5:3: actor: \"carl\" does not exist",
        "did you mean \"carol\"?",
        ":7:3: sensor: \"watcher\" has no sensor \"scanner\"",
        ":10:3: speed: vehicle: found \"wachter\"",
        ":11:3: silence: sensor: \"watcher\" has no sensor \"sca\"",
    ] {
        assert!(done.stdout.contains(line), "{line}: {}", done.stdout);
    }
}

/// A robot with gains, a static block, a body that an animation moves, and a person two metres ahead.
const ROOM: &str = r#"<mvsim_world version="1.0">
  <vehicle name="r">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential"><controller class="twist_pid"><KP>6</KP><KI>3</KI><max_torque>2</max_torque></controller></dynamics>
    <sensor class="contact" name="bumper"><sensor_period>0.02</sensor_period></sensor>
  </vehicle>
  <block name="wall"><init_pose>0 5 0</init_pose><static>true</static></block>
  <block name="gate"><init_pose>0 -5 0</init_pose>
    <animation type="keyframes"><time_pose>0 0 0 0</time_pose><time_pose>1 0 1 0</time_pose></animation></block>
  <actor name="alice"><init_pose>2 0 180</init_pose></actor>
</mvsim_world>
"#;

#[test]
fn events_that_never_happen_are_in_every_report_and_fail_a_run_where_they_must_happen() {
    let lab = Lab::with_world(ROOM);
    let scenario = |name: &str, must: &str, within: f64| {
        let text = format!(
            "world: w.xml\nvehicle: r\ncontroller: none\nduration: 0.2\nevents:\n- when: {{near: [9, 0], within: {within}}}\n  \
             name: brake\n  command: {{vx: 1.0}}\n{must}- when: {{after: brake}}\n  remove: wall\n\
             expect:\n- collisions: {{at_most: 0}}\n"
        );
        lab.write(name, &text)
    };
    let (passed, failed, met) = (
        scenario("passed.yaml", "", 0.1),
        scenario("failed.yaml", "  must_happen: true\n", 0.1),
        scenario("met.yaml", "  must_happen: true\n", 9.5),
    );
    let (junit, out) = (lab.path().join("junit.xml"), lab.path().join("out"));
    let files = [&passed, &failed, &met].map(|file| file.display().to_string());
    let done = skidpad(
        &lab,
        &format!("test {} --keep none --out {} --junit {}", files.join(" "), out.display(), junit.display()),
    );
    assert_eq!(done.status, Some(1), "{}{}", done.stdout, done.stderr);
    let lines = |file: &str, remove: usize| {
        [format!("brake: command r ({file}:6:3)"), format!("remove wall ({file}:{remove}:3)")]
    };
    let (of_passed, of_failed) = (lines(&files[0], 9), lines(&files[1], 10));
    for line in of_passed.iter().chain(&of_failed) {
        let reported = format!("       never happened: {line}\n");
        assert_eq!(done.stdout.matches(&reported).count(), 1, "{reported}: {}", done.stdout);
    }
    let reason = format!("must_happen: never happened; expected {}", of_failed[0]);
    assert!(done.stdout.contains("PASS   passed  ") && done.stdout.contains("PASS   met  "), "{}", done.stdout);
    assert!(done.stdout.contains(&reason), "{}", done.stdout);
    let junit = std::fs::read_to_string(&junit).unwrap();
    assert_eq!(junit.matches("never happened: brake: command r").count(), 2, "{junit}");
    assert_eq!(junit.matches("<failure message=\"must_happen: never happened;").count(), 1, "{junit}");
    let page = lab.read("out/results.html");
    assert_eq!(page.matches("<td>remove wall</td>").count(), 2, "{page}");
    assert_eq!(page.matches("<td class=\"failed\">must happen</td>").count(), 1, "{page}");
    let document: serde_json::Value = serde_json::from_str(&lab.read("out/results.json")).unwrap();
    let missed = |run: usize| document["runs"][run]["never_happened"].clone();
    let event = |event: &str, place: String, must: bool| serde_json::json!({ "event": event, "place": place, "must_happen": must });
    assert_eq!(missed(0)[0], event("brake: command r", format!("{}:6:3", files[0]), false));
    assert_eq!(missed(1)[0], event("brake: command r", format!("{}:6:3", files[1]), true));
    assert_eq!((missed(0).as_array().map(Vec::len), missed(2)), (Some(2), serde_json::json!([])));
    let criteria = &document["runs"][2]["criteria"];
    assert_eq!((&criteria[1]["name"], &criteria[1]["time_s"]), (&"must_happen".into(), &0.0.into()));
    // An ordinary run says the same.
    let done = skidpad(&lab, &format!("run --scenario {} --rate max --headless", failed.display()));
    assert!(done.status == Some(1) && done.stdout.contains(&reason), "{}{}", done.stdout, done.stderr);
}

#[test]
fn what_events_need_is_checked_before_the_run_also_behind_conditions_that_never_come() {
    let lab = Lab::with_world(ROOM);
    lab.write("wrong.xml", "<block><shape><pt>0 0</pt></shap></block>");
    lab.write("box.xml", "<block><static>true</static></block>");
    lab.write(
        "car.xml",
        r#"<vehicle><dynamics class="ackermann"><controller class="twist_ideal"/></dynamics></vehicle>"#,
    );
    let events = [
        ("spawn: {name: a, file: nosuch.xml}", "nosuch.xml: there is no such file"),
        ("spawn: {name: b, file: wrong.xml}", "wrong.xml:1:"),
        ("spawn: {name: c, class: nosuch}", "this world has no class \"nosuch\""),
        ("spawn: {name: wall, file: box.xml}", "spawn: name: the name \"wall\" is taken, and no event frees it"),
        ("spawn: {name: e, file: box.xml, speed: 1}", "spawn: speed: found 1, but \"e\" does not move freely"),
        ("set: {KQ: 1}", "set: vehicle \"r\": its controller has no \"KQ\""),
        ("set: {max_torque: -1}", "set: vehicle \"r\", max_torque: found -1"),
        ("command: {speed: 1, steering_angle: 0.2}", "vehicle \"r\" takes no Ackermann commands"),
        ("range_noise: 0.1", "range_noise: \"r\" has neither a lidar nor a range finder"),
        ("teleport: {at: [1, 1], speed: 1}\n  vehicle: wall", "state of \"wall\": it never moves by itself"),
        ("teleport: {at: [1, 1]}\n  vehicle: gate", "state of \"gate\": its motion is prescribed by the world"),
        ("sensor_off: scan", "sensor: \"r\" has no sensor \"scan\""),
        ("command: {vx: 1}\n  vehicle: e", "vehicle: found \"e\""),
        ("spawn: {name: car, file: car.xml}", ""),
        ("command: {vx: 1, vy: 1}\n  vehicle: car", ""),
        ("command: {left: 1, right: 1}\n  vehicle: car", "vehicle \"car\" takes no "),
        ("range_noise: 0.1\n  vehicle: car", "range_noise: \"car\" has neither"),
    ];
    let mut text =
        "world: w.xml\nvehicle: r\ncontroller: none\nduration: 0.2\nexpect: {speed: {at_most: 9}}\nevents:\n"
            .to_owned();
    let mut places = Vec::new();
    for (event, _) in events {
        places.push(text.lines().count() + 1);
        text += &format!("- when: {{near: [99, 99], within: 0.1}}\n  {event}\n");
    }
    let file = lab.write("late.yaml", &text);
    let done = skidpad(&lab, &format!("test {}", file.display()));
    assert!(done.status == Some(2) && done.stdout.starts_with("ERROR  late  0.00 s simulated"), "{}", done.stdout);
    for ((event, reported), place) in events.iter().zip(places) {
        let place = format!("late.yaml:{place}:3: ");
        let lines: Vec<&str> = done.stdout.lines().filter(|line| line.contains(&place)).collect();
        match reported.is_empty() {
            true => assert_eq!(lines, [""; 0], "{event}"),
            false => assert!(lines.len() == 1 && lines[0].contains(reported), "{event}: {lines:?} in {}", done.stdout),
        }
    }
    // What goes makes room for what comes.
    let text = "world: w.xml\nvehicle: r\ncontroller: none\nduration: 0.2\nexpect: {speed: {at_most: 9}}\nevents:\n\
                - at: 0\n  remove: wall\n- at: 0.1\n  spawn: {name: wall, file: box.xml}\n";
    let done = skidpad(&lab, &format!("test {}", lab.write("again.yaml", text).display()));
    assert_eq!(done.status, Some(0), "{}{}", done.stdout, done.stderr);
}

#[test]
fn who_runs_over_a_person_has_a_collision_in_criteria_events_topics_and_sensors() {
    let lab = Lab::with_world(ROOM);
    let text = "world: w.xml\nvehicle: r\ncontroller: none\nduration: 4\nevents:\n- at: 0\n  command: {vx: 1.0}\n  hold: 4\n\
                - when: {contact: true}\n  must_happen: true\n  set: {kp: 6}\nexpect:\n- collisions: {at_least: 1, at_most: 1}\n";
    let file = lab.write("over.yaml", text);
    let recording = lab.path().join("over.mcap");
    let command =
        format!("run --scenario {} --rate max --headless --json --record {}", file.display(), recording.display());
    let done = skidpad(&lab, &command);
    assert_eq!(done.status, Some(0), "{}{}", done.stdout, done.stderr);
    let document: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let criteria = &document["result"]["scenario"]["criteria"];
    let [began, noticed] =
        [&document["result"]["scenario"]["measures"][0]["first_collision_s"], &criteria[1]["time_s"]]
            .map(|time| time.as_f64().unwrap());
    // Frames report a collision from 0.03 m on.
    assert!((0.0..0.06).contains(&(began - noticed)), "{document}");
    let rows = |topic: &str| {
        let out = lab.path().join(topic);
        let command = format!("export {} --csv {} --topic /{topic}", recording.display(), out.display());
        let done = skidpad(&lab, &command);
        assert_eq!(done.status, Some(0), "{}{}", done.stdout, done.stderr);
        let files: Vec<PathBuf> = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect::<String>()
    };
    assert!(rows("collision").lines().filter(|row| row.to_lowercase().ends_with("true")).count() > 20);
    assert!(rows("bumper").matches("alice").count() > 20);
}
