//! `skidpad rerun`: runs that are made again from their recordings, and what reports say about how a run was made.

use std::fs;
use std::path::Path;

use serde_json::Value;
use skidpad_test_support::mcap_file::messages_in_chunks;

use crate::running::Running;
use crate::support::{Done, IDEAL, Lab};

/// A car with a camera, a lidar in three dimensions and noise, among walls, that a variable places; and a second one.
const SENSORS: &str = r#"<mvsim_world version="1.0">
  <simul_timestep>0.01</simul_timestep>
  <variable name="place" value="0"/>
  <include file="parts/wall.xml"/>
  <vehicle name="a">
    <init_pose>${place} 0 0</init_pose>
    <dynamics class="differential"><controller class="twist_pid"><KP>50</KP><KI>20</KI></controller></dynamics>
    <sensor class="laser" name="scan"><nrays>31</nrays><sensor_period>0.1</sensor_period><range_std_noise>0.02</range_std_noise></sensor>
    <sensor class="imu" name="imu"><sensor_period>0.02</sensor_period></sensor>
    <sensor class="camera" name="eye"><sensor_period>0.2</sensor_period><ncols>16</ncols><nrows>12</nrows><ignore_parent_body>true</ignore_parent_body></sensor>
  </vehicle>
  <vehicle name="b">
    <init_pose>-3 1 0</init_pose>
    <dynamics class="ackermann">
      <f_wheels_x>1.3</f_wheels_x><f_wheels_d>2</f_wheels_d><max_steer_ang_deg>30</max_steer_ang_deg>
      <controller class="front_steer_pid"><KP>200</KP><KI>200</KI><max_torque>400</max_torque></controller>
    </dynamics>
  </vehicle>
</mvsim_world>
"#;

const WALL: &str = "<block name=\"wall\"><init_pose>6 0 10</init_pose><static>true</static>\
                    <shape><pt>0 -4</pt><pt>1 -4</pt><pt>1 4</pt><pt>0 4</pt></shape></block>";

const COMMANDS: &str = "time,vehicle,v,omega\n0,a,1,0.3\n0.5,a,0.3333333333,-0.1\n";

/// The world with its parts and its commands.
fn lab() -> Lab {
    let lab = Lab::with_world(SENSORS);
    fs::create_dir(lab.path().join("parts")).unwrap();
    lab.write("parts/wall.xml", WALL);
    lab.write("commands.csv", COMMANDS);
    lab
}

fn must(lab: &Lab, arguments: &str) -> Done {
    let done = lab.run(arguments);
    assert_eq!(done.status, Some(0), "{arguments}: {}{}", done.stdout, done.stderr);
    done
}

fn repository(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path).display().to_string()
}

/// The result of `rerun --json`.
fn result(lab: &Lab, arguments: &str) -> (Option<i32>, Value) {
    let done = lab.run(&format!("rerun {arguments} --json"));
    let document: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(document["command"], "rerun");
    (done.status, document)
}

/// Whether a run says that something is not as it was; how long a busy disk takes is nothing of the kind.
fn warns(done: &Done) -> bool {
    let is_wait = |line: &str| line.contains(": waiting until all is written, ");
    done.stderr.lines().any(|line| line.starts_with("warning: ") && !is_wait(line))
}

#[test]
fn a_run_is_made_again_from_its_recording_to_the_bit() {
    let lab = lab();
    must(
        &lab,
        "run w.xml --commands commands.csv --set place=0.25 --seed 7 --rate max --duration 1.2 --headless --record a.mcap",
    );
    must(
        &lab,
        "run w.xml --seed 8 --rate max --duration 0.3 --headless --record b.mcap --record-topics /a/scan,/b/odom",
    );
    let done = must(&lab, "rerun a.mcap");
    assert!(done.stdout.starts_with("a.mcap: identical, "), "{}", done.stdout);
    let (status, document) = result(&lab, "b.mcap");
    let actual = &document["result"];
    assert_eq!((status, &actual["same"], &actual["topics"]), (Some(0), &true.into(), &2.into()), "{document}");
    assert_eq!((&actual["changed_files"], &document["messages"]), (&Value::Array(vec![]), &Value::Array(vec![])));

    // Another wall: the place of the first difference, and the file that it comes from.
    lab.write("parts/wall.xml", &WALL.replace(">6 0 10<", ">5.9 0 10<"));
    let done = lab.run("rerun a.mcap --record again.mcap");
    assert_eq!(done.status, Some(1), "{}{}", done.stdout, done.stderr);
    assert!(done.stdout.starts_with("a.mcap: differs, first in /") && done.stdout.contains(" differ"));
    let changed = "warning: parts/wall.xml: has changed since the recording\n";
    assert!(done.stderr.starts_with(changed) && done.stderr.contains("--embedded"), "{}", done.stderr);
    // What was kept is a recording of that run.
    assert!(messages_in_chunks(&fs::read(lab.path().join("again.mcap")).unwrap()) > 0);
    let (status, document) = result(&lab, "again.mcap");
    assert_eq!(
        (status, document["status"].as_i64()),
        (Some(2), Some(2)),
        "it does not contain the command that made it: {document}"
    );

    // The recording holds the files as they were.
    for file in ["parts/wall.xml", "commands.csv", "w.xml"] {
        fs::remove_file(lab.path().join(file)).unwrap();
    }
    let done = lab.run("rerun a.mcap");
    assert_eq!(done.status, Some(2), "{}{}", done.stdout, done.stderr);
    must(&lab, "rerun a.mcap --embedded");

    // What is said about it.
    let done = must(&lab, "analyze a.mcap --out out --vehicle a");
    let command = "skidpad run w.xml '--set=place=0.25' --duration=1.2 --seed=7 --commands=commands.csv";
    let unordered = |text: &str| {
        let mut words: Vec<String> = text.split_whitespace().map(|word| word.replace('\'', "")).collect();
        words.sort();
        words
    };
    let line = done.stdout.lines().find(|line| line.contains(": made by skidpad ")).unwrap();
    let (head, reported) = line.split_once(" from 3 files: ").unwrap();
    assert!(
        head.starts_with(concat!("a, a: made by skidpad ", env!("CARGO_PKG_VERSION"))) || head.starts_with("a: made"),
        "{line}"
    );
    assert_eq!(unordered(reported), unordered(command));
    let metrics: Value = serde_json::from_str(&lab.read("out/metrics.json")).unwrap();
    let made = &metrics[0]["provenance"];
    assert_eq!(
        (&made["world"], &made["seed"], &made["variables"]["place"]),
        (&"w.xml".into(), &7.into(), &"0.25".into())
    );
    let paths: Vec<&str> = made["files"].as_array().unwrap().iter().filter_map(|file| file["path"].as_str()).collect();
    assert_eq!(paths, ["w.xml", "parts/wall.xml", "commands.csv"]);
    assert!(lab.read("out/report.html").contains("<summary>How this was made: "));
    let csv = lab.read("out/metrics.csv");
    assert!(
        csv.starts_with("# runs: ") && csv.contains("\n# world: w.xml\n") && csv.contains("\nsection,run,rmse_m,"),
        "{csv}"
    );
}

#[test]
fn an_experiment_is_made_again_with_its_gains() {
    let lab = Lab::new();
    let path = "0,0 1,0 2,0.5 4,0.5";
    lab.write("path.csv", &format!("x,y\n{}\n", path.replace(' ', "\n")));
    lab.write("e.yaml", "trajectory:\n  trajectory_type: waypoints\n  file: path.csv\n  speed: 1\nduration: 2\n");
    must(&lab, "experiment e.yaml --set Kp=3 --plant single_track --tyre fiala --out out");
    let done = must(&lab, "rerun out/e.mcap");
    assert!(done.stdout.starts_with("out/e.mcap: identical, "), "{}", done.stdout);
    let metrics: Value = serde_json::from_str(&lab.read("out/metrics.json")).unwrap();
    let made = &metrics[0]["provenance"];
    let config = &made["config"];
    assert_eq!(
        (&config["tracker"]["Kp"], &config["plant"], &config["tyre"]),
        (&3.0.into(), &"single_track".into(), &"fiala".into())
    );
    let paths: Vec<&str> = made["files"].as_array().unwrap().iter().filter_map(|file| file["path"].as_str()).collect();
    assert!(paths.starts_with(&["e.yaml", "path.csv"]) && paths.len() > 3, "{paths:?}");
    lab.write("e.yaml", "trajectory:\n  trajectory_type: waypoints\n  file: path.csv\n  speed: 1.01\nduration: 2\n");
    let (status, document) = result(&lab, "out/e.mcap");
    assert_eq!((status, &document["result"]["same"]), (Some(1), &false.into()), "{document}");
    let difference = &document["result"]["difference"];
    assert!(difference["topic"].is_string() && difference["field"]["path"].is_string(), "{difference}");
    must(&lab, "rerun out/e.mcap --embedded");
    // Nobody is started, whether this program has ROS or not.
    lab.write("e.yaml", "controller: ./drive\ntrajectory:\n  trajectory_type: circle\nduration: 2\n");
    let done = lab.run("rerun out/e.mcap");
    let reported = "error: controller \"./drive\" drives the vehicle, but a rerun starts no processes\n";
    assert!(done.status == Some(2) && done.stderr.contains(reported), "{}", done.stderr);
}

/// Each run of a matrix says how it is made alone, and its recording can be made again; the files of the whole say how the whole was made.
#[test]
fn runs_of_a_matrix_are_made_again_alone_and_their_groups_are_checked() {
    let lab = Lab::new();
    let path = "x,y\n0,0\n1,0\n2,0.5\n4,0.5\n";
    lab.write("path.csv", path);
    lab.write("e.yaml", "plant: kinematic\nduration: 1\nvary:\n  trajectory: [path.csv, circle]\n");
    must(&lab, "experiment e.yaml --vary Kp=2,5 --vary seed=1,2 --out out --record-runs --metric max_error_m");
    let runs: Value = serde_json::from_str(&lab.read("out/runs.json")).unwrap();
    let run = &runs["runs"][3];
    let (command, file) = (run["command"].as_str().unwrap(), run["recording"].as_str().unwrap());
    assert_eq!(command, "skidpad experiment e.yaml --vary=trajectory=path.csv --vary=Kp=5 --vary=seed=2");
    assert_eq!(file, "out/runs/trajectory=path.csv,Kp=5,seed=2.mcap");
    let made = &runs["provenance"];
    let words = ["experiment", "e.yaml", "--vary=Kp=2,5", "--vary=seed=1,2"];
    assert_eq!((&made["command"], &made["seed"]), (&serde_json::json!(words), &Value::Null), "{made}");
    assert_eq!(made["config"]["vary"]["Kp"], serde_json::json!(["2", "5"]));
    let files: Vec<&Value> = made["files"].as_array().unwrap().iter().collect();
    let of = |path: &str| files.iter().filter(|file| file["path"] == path).count();
    assert_eq!((of("e.yaml"), of("path.csv")), (1, 1), "{made}");
    assert!(files.len() > 3 && files.iter().all(|file| file["sha256"].is_string()), "{made}");
    let table = lab.read("out/runs.csv");
    assert!(table.starts_with("# program: skidpad ") && table.contains("\ntrajectory,Kp,seed,rmse_m,"), "{table}");
    assert!(lab.read("out/report.html").contains("<summary>How this was made</summary>"));

    let done = must(&lab, &format!("rerun {file}"));
    assert!(done.stdout.starts_with(&format!("{file}: identical, ")), "{}", done.stdout);
    lab.write("path.csv", &path.replace("4,0.5", "4,0.6"));
    assert_eq!(lab.run(&format!("rerun {file}")).status, Some(1));
    must(&lab, &format!("rerun {file} --embedded"));
    // The command alone makes the same numbers.
    lab.write("path.csv", path);
    must(&lab, &format!("{} --out alone", command.strip_prefix("skidpad ").unwrap()));
    let alone: Value = serde_json::from_str(&lab.read("alone/runs.json")).unwrap();
    assert_eq!((&alone["runs"][0]["rmse_m"], &alone["runs"][0]["command"]), (&run["rmse_m"], &run["command"]));

    // Runs that differ in the seed alone are runs of the same thing.
    let recorded =
        ["Kp=2,seed=1", "Kp=2,seed=2", "Kp=5,seed=1"].map(|run| format!("out/runs/trajectory=circle,{run}.mcap"));
    let done = must(&lab, &format!("analyze {} {} --mean", recorded[0], recorded[1]));
    assert_eq!(done.stderr, "");
    let done = must(&lab, &format!("analyze {} --mean --html page.html", recorded.join(" ")));
    let reported = "warning: all runs: its runs differ in more than the seed\n  tracker.Kp: 2.0 in trajectory=circle,Kp=2,seed=1, \
                trajectory=circle,Kp=2,seed=2; 5.0 in trajectory=circle,Kp=5,seed=1\n  hint: put only comparable runs into a group: --group NAME=PATTERN";
    assert!(done.stderr.starts_with(reported), "{}", done.stderr);
    assert!(lab.read("page.html").contains("all runs: its runs differ in more than the seed\n"));
}

#[test]
fn live_commands_act_again_at_their_steps_and_what_cannot_is_named() {
    let lab = Lab::with_world(IDEAL);
    let drive = |record: &str, orders: &[&str]| {
        let arguments = format!("run w.xml --headless --rate 50 --edit . --record {record}");
        let running = Running::start(&lab, &arguments);
        for order in orders {
            let (status, answer) = running.ask("POST", "/api/orders", order);
            assert_eq!(status, 200, "{order}: {answer}");
        }
        assert_eq!(running.end(), Some(0));
    };
    let orders = [
        r#"{"do": "drive", "vehicle": 0, "speed": 0.7, "turn": 0.3}"#,
        r#"{"do": "drive", "vehicle": 0, "speed": 0.1, "turn": -0.3333333333333333}"#,
        r#"{"do": "reset"}"#,
        r#"{"do": "drive", "vehicle": 0, "speed": -1, "turn": 0.25}"#,
    ];
    drive("a.mcap", &orders);
    let done = must(&lab, "rerun a.mcap");
    assert!(done.stdout.starts_with("a.mcap: identical, "), "{}", done.stdout);
    let bytes = fs::read(lab.path().join("a.mcap")).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains(",twist,r1,0.1,0,-0.3333333333333333"), "with all its digits");
    let crate_of_wood = r#"<block><mass>5</mass><shape><pt>-1 -1</pt><pt>1 -1</pt><pt>1 1</pt></shape></block>"#;
    let spawn =
        format!(r#"{{"do": "spawn", "what": "{crate_of_wood}", "name": "crate", "x": 4, "y": 2, "z": 0, "yaw": 0.5}}"#);
    let another =
        r#"<vehicle><dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics></vehicle>"#;
    let vehicle = format!(r#"{{"do": "spawn", "what": "{another}", "name": "r2", "x": -1, "y": 2, "z": 0, "yaw": 0}}"#);
    drive(
        "b.mcap",
        &[
            orders[0],
            r#"{"do": "place", "entity": 0, "x": 1, "y": 1, "yaw": 0.1, "velocity": [0.3, 0, 0.1]}"#,
            &spawn,
            &vehicle,
            r#"{"do": "drive", "vehicle": 2, "speed": 0.5, "turn": 0.1}"#,
            r#"{"do": "remove", "entity": 1}"#,
            orders[1],
        ],
    );
    let done = must(&lab, "rerun b.mcap");
    assert!(done.stdout.starts_with("b.mcap: identical, "), "{}", done.stdout);
    assert!(!warns(&done), "{}", done.stderr);
    let text = String::from_utf8_lossy(&fs::read(lab.path().join("b.mcap")).unwrap()).into_owned();
    for line in [",state,r1,1,1,", ",spawn,crate,xml,", ",spawn,r2,xml,", ",remove,crate", ",twist,r2,0.5,"] {
        assert!(text.contains(line), "{line}");
    }
    let edit = r#"{"do": "edit", "edit": {"edit": "place", "entity": 0, "x": 7.5, "y": 0, "yaw": 0}}"#;
    let wall = r##"{"do": "edit", "edit": {"edit": "add_walls", "points": [[9, -2], [9, 2]], "thickness": 0.1, "height": 1, "color": "#b8b4ac"}}"##;
    drive("c.mcap", &[orders[0], wall, edit, orders[1], r#"{"do": "undo"}"#]);
    let done = must(&lab, "rerun c.mcap");
    assert!(done.stdout.starts_with("c.mcap: identical, "), "{}", done.stdout);
    assert!(!warns(&done), "{}", done.stderr);
    // What an edit includes is not among the files of the recording.
    lab.write("cone.block.xml", "<block:class name=\"cone\"/>");
    let cone = r#"{"source": "file", "name": "cone", "path": "cone.block.xml", "is_vehicle": false}"#;
    let add = format!(r#"{{"do": "edit", "edit": {{"edit": "add", "offer": {cone}, "x": 5, "y": 5, "yaw": 0}}}}"#);
    drive("d.mcap", &[orders[0], &add]);
    let done = lab.run("rerun d.mcap");
    assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""), "{}", done.stderr);
    assert!(done.stderr.starts_with("error: d.mcap: cannot be made again: at step "), "{}", done.stderr);
    assert!(done.stderr.contains(": an edit included a file that the recording lacks"), "{}", done.stderr);
}

#[test]
fn what_is_no_recording_of_a_run_is_refused() {
    let lab = Lab::with_world(&IDEAL.replace("<vehicle ", "<variable name=\"x\" value=\"$(echo 1)\"/><vehicle "));
    lab.write("text.mcap", "nothing");
    let done = lab.run("rerun text.mcap");
    assert_eq!(done.status, Some(2), "{}", done.stderr);
    must(&lab, "run w.xml --allow-commands --rate max --duration 0.1 --headless --record a.mcap");
    let done = lab.run("rerun a.mcap");
    assert!(
        done.status == Some(2) && done.stderr.ends_with("hint: if you trust the recording: --allow-commands\n"),
        "{}",
        done.stderr
    );
    must(&lab, "rerun a.mcap --allow-commands");
    // The example of the manual.
    let world = repository("worlds/racecar.world.xml");
    must(&lab, &format!("run {world} --rate max --duration 0.2 --headless --record r.mcap"));
    must(&lab, "rerun r.mcap");
}
