//! Recordings of other robots: their paths, transforms, commands and names, in analyses and replays.

use std::f64::consts::PI;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde::Serialize;
use serde_json::Value;
use skidpad::message::{AckermannDrive, Header, LaserScan, Odometry, PoseStamped, TFMessage, TransformStamped, Twist};

use crate::running::Running;

use super::analyze::{Recording, close, header, metrics, recorded, warnings};

/// When these robots drove [ns]: stamps of the wall clock.
const WALL: i64 = 1_700_000_000_000_000_000;

#[derive(Serialize)]
struct Path {
    header: Header,
    poses: Vec<PoseStamped>,
}

#[derive(Serialize)]
struct TwistStamped {
    header: Header,
    twist: Twist,
}

fn at(x: f64, y: f64, time: i64) -> PoseStamped {
    let mut pose = PoseStamped { header: header(time), ..PoseStamped::default() };
    (pose.pose.position.x, pose.pose.position.y, pose.pose.orientation.w) = (x, y, 1.0);
    pose
}

fn odometry(x: f64, y: f64, time: i64, body: &str) -> Odometry {
    let mut odometry = Odometry { header: header(time), child_frame_id: body.into(), ..Odometry::default() };
    odometry.pose.pose = at(x, y, time).pose;
    odometry.twist.twist.linear.x = 0.6;
    odometry
}

/// A transform of a pose without rotation.
fn transform(parent: &str, child: &str, x: f64, y: f64, time: i64) -> TFMessage {
    let mut transform = TransformStamped { child_frame_id: child.into(), ..TransformStamped::default() };
    transform.header = Header { frame_id: parent.into(), ..header(time) };
    (transform.transform.translation.x, transform.transform.translation.y) = (x, y);
    transform.transform.rotation.w = 1.0;
    TFMessage { transforms: vec![transform] }
}

/// Every 50 ms for ten seconds: log time [ns] and seconds since the start.
fn ticks() -> impl Iterator<Item = (i64, f64)> {
    (0..=200).map(|i| (WALL + 50_000_000 * i, 0.05 * i as f64))
}

fn drive_husky(recording: &mut Recording) {
    for (time, t) in ticks() {
        let message = odometry(0.6 * t, 0.0, time, "base_link");
        recording.write("/husky/odometry/filtered", "nav_msgs/msg/Odometry", time, &message);
        let mut command = TwistStamped { header: header(time), twist: Twist::default() };
        (command.twist.linear.x, command.twist.angular.z) = (0.6, 0.1);
        recording.write("/husky/cmd_vel", "geometry_msgs/msg/TwistStamped", time, &command);
    }
}

/// A planner's path has no times. Distances count over the way, so that standing at its end changes nothing.
#[test]
fn a_path_of_a_planner_is_what_the_vehicle_should_follow() {
    let write = |standing: i64| {
        recorded("a.mcap", move |recording| {
            let poses = (0..=60).map(|i| at(0.1 * f64::from(i), 0.0, WALL)).collect();
            recording.write("/plan", "nav_msgs/msg/Path", WALL, &Path { header: header(WALL), poses });
            // A sine of 5 cm beside it, twice.
            let place = |t: f64| (0.6 * t, 0.05 * (2.0 * PI * 0.2 * t).sin());
            for (time, t) in ticks() {
                let (x, y) = place(t);
                recording.write("/odom", "nav_msgs/msg/Odometry", time, &odometry(x, y, time, "base_link"));
            }
            for i in 1..=standing {
                let time = WALL + 10_000_000_000 + 50_000_000 * i;
                let (x, y) = place(10.0);
                recording.write("/odom", "nav_msgs/msg/Odometry", time, &odometry(x, y, time, "base_link"));
            }
        })
    };
    let short = metrics(&write(0).run("analyze a.mcap --json"))[0].clone();
    let long = metrics(&write(400).run("analyze a.mcap --json"))[0].clone();
    assert_eq!(short["topics"]["reference"], "/plan");
    let rms = short["cross_track_rms_m"].as_f64().unwrap();
    assert!((rms - 0.05 / 2.0_f64.sqrt()).abs() < 2e-4, "{rms}");
    close(&long, "cross_track_rms_m", rms);
    assert!((short["cross_track_max_m"].as_f64().unwrap() - 0.05).abs() < 1e-4);
    assert!(
        short["rmse_m"].is_null() && short["along_track_rms_m"].is_null(),
        "without times there are no such errors"
    );
}

/// One whose poses have times is a reference as any other.
#[test]
fn a_path_with_times_is_a_reference() {
    let lab = recorded("a.mcap", |recording| {
        let poses = ticks().map(|(time, t)| at(t, 0.0, time)).collect();
        recording.write("/plan", "nav_msgs/msg/Path", WALL, &Path { header: header(WALL), poses });
        for (time, t) in ticks() {
            recording.write("/odom", "nav_msgs/msg/Odometry", time, &odometry(t - 0.03, 0.04, time, "base_link"));
        }
    });
    let run = metrics(&lab.run("analyze a.mcap --json"))[0].clone();
    close(&run, "rmse_m", 0.05);
    close(&run, "along_track_mean_m", -0.03);
}

#[test]
fn transforms_alone_are_a_motion() {
    let lab = recorded("a.mcap", |recording| {
        for (time, t) in ticks() {
            let kind = "tf2_msgs/msg/TFMessage";
            recording.write("/tf", kind, time, &transform("odom", "r7/base_link", 0.5 * t, 0.0, time));
            recording.write("/tf", kind, time, &transform("map", "odom", 2.0, 1.0, time));
            recording.write("/tf", kind, time, &transform("r7/base_link", "r7/wheel", 0.1, t, time));
            let command = AckermannDrive { speed: 0.5, steering_angle: 0.1, ..AckermannDrive::default() };
            recording.write("/drive_raw", "ackermann_msgs/msg/AckermannDrive", time, &command);
        }
    });
    let done = lab.run("analyze a.mcap --json");
    let run = metrics(&done)[0].clone();
    assert_eq!(run["vehicle"], "r7");
    assert_eq!(run["topics"], serde_json::json!({ "poses": "/tf, map to r7/base_link", "commands": "/drive_raw" }));
    close(&run, "path_length_m", 5.0);
    close(&run, "max_steering_rad", f64::from(0.1_f32));
    assert!((run["max_speed_mps"].as_f64().unwrap() - 0.5).abs() < 1e-4, "{run:#}");
    assert!(
        warnings(&done).contains("a.mcap: odometry: has no velocities: they are computed from its positions"),
        "{}",
        done.stdout
    );
}

#[test]
fn each_vehicle_of_a_recording_has_a_column() {
    let lab = recorded("a.mcap", |recording| {
        drive_husky(recording);
        for (time, t) in ticks() {
            let message = odometry(0.0, 0.3 * t, time, "base_link");
            recording.write("/jackal/platform/odom/filtered", "nav_msgs/msg/Odometry", time, &message);
        }
    });
    let runs = metrics(&lab.run("analyze a.mcap --json"));
    let of = |key: &str| runs.iter().map(|run| run[key].clone()).collect::<Vec<Value>>();
    assert_eq!(of("run"), ["a, husky", "a, jackal"]);
    let lengths: Vec<f64> = runs.iter().map(|run| run["path_length_m"].as_f64().unwrap()).collect();
    assert!((lengths[0] - 6.0).abs() < 1e-9 && (lengths[1] - 3.0).abs() < 1e-9, "{lengths:?}");
    // The command of one is none of the other's.
    assert_eq!(runs[0]["topics"]["commands"], "/husky/cmd_vel");
    assert!(runs[1]["topics"]["commands"].is_null() && runs[1]["speed_variation_mps"].is_null(), "{:#}", runs[1]);
    let table = lab.run("analyze a.mcap");
    assert!(table.stdout.lines().next().unwrap().ends_with("a, husky   a, jackal"), "{}", table.stdout);
    let jackal = lab.run("analyze a.mcap --vehicle jackal --json");
    assert_eq!(metrics(&jackal)[0]["run"], "a");
}

/// What a recording holds is shown under the names that it has; what it does not hold is absent.
#[test]
fn a_replay_shows_what_is_there_and_nothing_else() {
    let lab = recorded("a.mcap", |recording| {
        drive_husky(recording);
        for (time, t) in ticks() {
            let kind = "tf2_msgs/msg/TFMessage";
            recording.write("/tf", kind, time, &transform("odom", "r7/base_link", 0.5 * t, 1.0, time));
        }
    });
    let running = Running::start(&lab, "replay a.mcap --paused");
    let summary = "a.mcap: 10.000 s, from 0.000 s to 10.000 s, counted from 1700000000.000 s of its clock; ";
    assert!(running.said.starts_with(summary), "{}", running.said);
    assert!(running.said.contains("\n  husky: /husky/odometry/filtered with /husky/cmd_vel"), "{}", running.said);
    let (_, scene) = running.ask("GET", "/api/scene", "");
    let vehicle = &scene["vehicles"][0];
    assert_eq!(
        (&vehicle["name"], &vehicle["mass"], &vehicle["wheelbase"]),
        (&"husky".into(), &0.0.into(), &Value::Null)
    );
    let (status, answer) = running.ask("POST", "/api/orders", r#"{"do": "seek", "time": 5}"#);
    assert_eq!((status, &answer["error"]), (200, &Value::Null), "{answer}");
    let (_, state) = running.ask("GET", "/api/state", "");
    let number = |key: &str| state["vehicles"][0][key].as_f64();
    assert_eq!(
        [number("x"), number("vx"), number("wanted_vx"), number("wanted_yaw_rate")],
        [3.0, 0.6, 0.6, 0.1].map(Some)
    );
    for absent in ["ax", "wanted_steer", "throttle", "engine_speed", "tracking_error", "colliding"] {
        assert!(state["vehicles"][0][absent].is_null(), "{absent}: {state}");
    }
    assert_eq!(running.end(), Some(0));
}

/// Two vehicles by their transforms, one of which has a command.
#[test]
fn vehicles_that_only_transforms_tell_of_are_replayed() {
    let lab = recorded("a.mcap", |recording| {
        for (time, t) in ticks() {
            let kind = "tf2_msgs/msg/TFMessage";
            recording.write("/tf", kind, time, &transform("map", "r1/odom", 2.0, 0.0, time));
            recording.write("/tf", kind, time, &transform("r1/odom", "r1/base_link", 0.5 * t, 1.0, time));
            recording.write("/tf", kind, time, &transform("map", "r2/base_link", 0.0, -t, time));
            let command = AckermannDrive { speed: 0.5, steering_angle: 0.25, ..AckermannDrive::default() };
            recording.write("/r1/ackermann_cmd", "ackermann_msgs/msg/AckermannDrive", time, &command);
        }
    });
    let running = Running::start(&lab, "replay a.mcap --paused");
    running.ask("POST", "/api/orders", r#"{"do": "seek", "time": 4}"#);
    let (_, state) = running.ask("GET", "/api/state", "");
    let vehicles: Vec<Value> = ["r1", "r2"]
        .map(|name| {
            let of_name = |vehicle: &&Value| vehicle["name"] == name;
            state["vehicles"].as_array().unwrap().iter().find(of_name).unwrap_or_else(|| panic!("{state}")).clone()
        })
        .to_vec();
    let of = |vehicle: usize, keys: [&str; 4]| keys.map(|key| vehicles[vehicle][key].as_f64());
    let keys = ["x", "y", "wanted_steer", "vx"];
    assert_eq!(of(0, keys), [Some(4.0), Some(1.0), Some(0.25), None]);
    assert_eq!(of(1, keys), [Some(0.0), Some(-4.0), None, None]);
    assert_eq!(running.end(), Some(0));
}

/// Every field of every message, under its path; long lists are named and left out.
#[test]
fn a_recording_becomes_tables() {
    let lab = recorded("a.mcap", |recording| {
        drive_husky(recording);
        for (time, _) in ticks().take(3) {
            let scan = LaserScan { header: header(time), ranges: vec![1.5; 360], ..LaserScan::default() };
            recording.write("/scan", "sensor_msgs/msg/LaserScan", time, &scan);
            recording.write("/own", "somebody/msg/Own", time, &scan);
        }
    });
    let done = lab.run("export a.mcap --csv out");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let expected = "warning: a.mcap: /own: 3 messages are left out: the recording does not contain its definition\n\
                    warning: a.mcap: /scan: ranges has up to 360 elements, left out\n  accepted: up to 64\n  hint: --list-limit 360\n\
                    out/husky.cmd_vel.csv: 201 messages of /husky/cmd_vel\n\
                    out/husky.odometry.filtered.csv: 201 messages of /husky/odometry/filtered\nout/scan.csv: 3 messages of /scan\n";
    assert_eq!(done.stderr, expected);
    let text = lab.read("out/husky.odometry.filtered.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let column = |name: &str, headers: &csv::StringRecord| headers.iter().position(|column| column == name).unwrap();
    let headers = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!((&rows[7][0], &rows[7][1]), ("1700000000.350000000", "1700000000.350000000"));
    assert_eq!((&headers[0], &headers[1], rows.len()), ("log_time", "header.stamp", 201));
    let x: f64 = rows[200][column("pose.pose.position.x", &headers)].parse().unwrap();
    assert!((x - 6.0).abs() < 1e-12 && &rows[200][column("child_frame_id", &headers)] == "base_link");
    // One topic with its long lists; what is there already stays.
    let done = lab.run("export a.mcap --csv one --topic scan --list-limit 360");
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), "one/scan.csv: 3 messages of /scan\n"));
    assert!(lab.read("one/scan.csv").lines().next().unwrap().ends_with("ranges.358,ranges.359"));
    // As Parquet it holds the same, with types.
    let done = lab.run("export a.mcap --parquet typed --topic /husky/odometry/filtered --topic /scan");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert!(
        done.stderr.ends_with(
            "typed/husky.odometry.filtered.parquet: 201 messages of /husky/odometry/filtered\ntyped/scan.parquet: 3 messages of /scan\n"
        ),
        "{}",
        done.stderr
    );
    let file = std::fs::File::open(lab.path().join("typed/husky.odometry.filtered.parquet")).unwrap();
    let typed: Vec<_> =
        SerializedFileReader::new(file).unwrap().get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(typed.len(), 201);
    for (typed, row) in typed.iter().zip(&rows) {
        for (((name, field), column), cell) in typed.get_column_iter().zip(&headers).zip(row) {
            assert_eq!(name, column);
            match field {
                Field::Double(value) => assert_eq!(value.to_string(), cell, "{name}"),
                Field::Str(text) => assert_eq!(text, cell, "{name}"),
                _ => assert!(name == "log_time" || name == "header.stamp", "{name}: {field:?}"),
            }
        }
    }
    let errors = |arguments: &str| lab.run(&format!("export a.mcap {arguments}")).errors();
    assert_eq!(errors("--csv one"), "one: exists already\n  hint: choose a folder that does not, or remove it\n");
    let topics = "  accepted: /husky/cmd_vel, /husky/odometry/filtered, /own, /scan\n";
    assert_eq!(
        errors("--csv two --topic scn"),
        format!("a.mcap: has no topic /scn\n{topics}  hint: did you mean \"/scan\"?\n")
    );
    assert!(!lab.path().join("two").exists());
}
