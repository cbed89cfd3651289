//! `skidpad analyze` from outside: recordings written by the libraries themselves, tables, files and error messages.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use mcap::records::MessageHeader;
use mcap::{Compression, WriteOptions};
use serde::Serialize;
use serde_json::Value;
use skidpad::message::cdr;
use skidpad::message::{AckermannDriveStamped, Float64, Float64MultiArray, Header, MultiArrayLayout, Odometry, Time};

use crate::support::{Done, Lab};

/// What a recording of rosbag2 in MCAP is made of.
pub(crate) struct Recording {
    writer: mcap::Writer<File>,
    topics: BTreeMap<String, u16>,
}

impl Recording {
    pub(crate) fn create(path: &Path, compression: Option<Compression>) -> Recording {
        let options = WriteOptions::new().profile("ros2").compression(compression).chunk_size(Some(4096));
        Recording { writer: options.create(File::create(path).unwrap()).unwrap(), topics: BTreeMap::new() }
    }

    pub(crate) fn write(&mut self, topic: &str, kind: &str, time: i64, message: &impl Serialize) {
        let writer = &mut self.writer;
        let channel_id = *self.topics.entry(topic.into()).or_insert_with(|| {
            let schema = writer.add_schema(kind, "ros2msg", b"").unwrap();
            writer.add_channel(schema, topic, "cdr", &BTreeMap::new()).unwrap()
        });
        let mut bytes = Vec::new();
        cdr::write(message, None, &mut bytes).unwrap();
        let (log_time, publish_time) = (time as u64, time as u64);
        self.writer
            .write_to_known_channel(&MessageHeader { channel_id, sequence: 0, log_time, publish_time }, &bytes)
            .unwrap();
    }

    /// Ten seconds at 20 Hz along x at 1 m/s, 3 cm before and 4 cm beside the reference, in this namespace.
    fn drive(&mut self, namespace: &str) {
        for i in 1..=200 {
            let time = 50_000_000 * i;
            let t = time as f64 * 1e-9;
            let mut odometry = Odometry { header: header(time), ..Odometry::default() };
            odometry.pose.pose.position.x = t + 0.03;
            odometry.pose.pose.position.y = 0.04;
            odometry.pose.pose.orientation.w = 1.0;
            odometry.twist.twist.linear.x = 1.0;
            self.write(&format!("{namespace}/odom"), "nav_msgs/msg/Odometry", time, &odometry);
            self.write(&format!("{namespace}/reference_trajectory"), ARRAY, time, &array(&[t, 0.0, t]));
            let mut command = AckermannDriveStamped { header: header(time), ..AckermannDriveStamped::default() };
            command.drive.speed = 1.0;
            command.drive.steering_angle = if i % 2 == 0 { 0.25 } else { 0.0 };
            self.write(
                &format!("{namespace}/ackermann_cmd"),
                "ackermann_msgs/msg/AckermannDriveStamped",
                time,
                &command,
            );
            for (quantity, value) in [("lat", 0.01 * i as f64), ("fy", -0.5 * i as f64)] {
                let topic = format!("{namespace}/{quantity}_pub/right_rear");
                self.write(&topic, "std_msgs/msg/Float64", time, &Float64 { data: value });
            }
        }
    }
}

pub(crate) const ARRAY: &str = "std_msgs/msg/Float64MultiArray";

pub(crate) fn header(time: i64) -> Header {
    let (sec, nanosec) = ((time / 1_000_000_000) as i32, (time % 1_000_000_000) as u32);
    Header { stamp: Time { sec, nanosec }, frame_id: "odom".into() }
}

pub(crate) fn array(data: &[f64]) -> Float64MultiArray {
    Float64MultiArray { layout: MultiArrayLayout::default(), data: data.to_vec() }
}

/// A lab with one recording in it.
pub(crate) fn recorded(name: &str, write: impl FnOnce(&mut Recording)) -> Lab {
    let lab = Lab::new();
    let mut recording = Recording::create(&lab.path().join(name), Some(Compression::Zstd));
    write(&mut recording);
    recording.writer.finish().unwrap();
    lab
}

pub(crate) fn metrics(done: &Done) -> Vec<Value> {
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let document: Value = serde_json::from_str(&done.stdout).unwrap();
    document["result"]["runs"].as_array().unwrap().clone()
}

/// The warnings in the document on stdout, each with the file and what was found.
pub(crate) fn warnings(done: &Done) -> String {
    let document: Value = serde_json::from_str(&done.stdout).unwrap();
    let messages = document["messages"].as_array().unwrap();
    let text = |m: &Value| format!("{}: {}\n", m["place"].as_str().unwrap(), m["found"].as_str().unwrap());
    messages.iter().filter(|message| message["level"] == "warning").map(text).collect()
}

#[track_caller]
pub(crate) fn close(metrics: &Value, key: &str, expected: f64) {
    let actual = metrics[key].as_f64().unwrap_or_else(|| panic!("{key}: {}", metrics[key]));
    assert!((actual - expected).abs() < 1e-9, "{key}: {actual}, expected {expected}");
}

#[test]
fn the_numbers_are_those_of_the_recording_however_it_is_compressed() {
    for compression in [None, Some(Compression::Zstd), Some(Compression::Lz4)] {
        let lab = Lab::new();
        let mut recording = Recording::create(&lab.path().join("a.mcap"), compression);
        recording.drive("");
        recording.writer.finish().unwrap();
        let [run] = &metrics(&lab.run("analyze a.mcap --json --settled-below 0.06"))[..] else { panic!("one run") };
        assert_eq!(
            (run["run"].as_str(), run["samples"].as_f64(), &run["notes"]),
            (Some("a"), Some(200.0), &Value::Array(vec![]))
        );
        for (key, expected) in [
            ("rmse_m", 0.05),
            ("ise_m2s", 0.0025 * 9.95),
            ("max_error_m", 0.05),
            ("cross_track_rms_m", f64::sqrt((199.0 * 0.0016 + 0.0025) / 200.0)),
            ("along_track_mean_m", 0.03),
            ("settling_time_s", 0.0),
            ("steering_variation_rad", 199.0 * 0.25),
            ("speed_variation_mps", 0.0),
            ("mean_speed_mps", 1.0),
            ("duration_s", 9.95),
        ] {
            close(run, key, expected);
        }
    }
}

/// Four runs with constant errors: means and intervals of groups, and curves with a band.
#[test]
fn groups_of_runs_have_means_and_intervals() {
    let lab = Lab::new();
    let runs = [("slow_1", 0.02), ("slow_2", 0.04), ("slow_3", 0.06), ("fast_1", 0.1), ("fast_2", 0.2), ("other", 1.0)];
    for (index, (name, offset)) in runs.into_iter().enumerate() {
        let mut recording = Recording::create(&lab.path().join(format!("{name}.mcap")), None);
        for i in 1..=100 {
            // Each with a clock of its own.
            let time = 50_000_000 * i + 1_000_000_000 * index as i64;
            let t = 0.05 * i as f64;
            let mut odometry = Odometry { header: header(time), ..Odometry::default() };
            (odometry.pose.pose.position.x, odometry.pose.pose.position.y) = (t, offset);
            odometry.pose.pose.orientation.w = 1.0;
            odometry.twist.twist.linear.x = 1.0;
            recording.write("/odom", "nav_msgs/msg/Odometry", time, &odometry);
            let wanted = if name == "other" { 0.5 } else { 0.0 };
            recording.write("/reference_trajectory", ARRAY, time, &array(&[t, wanted, time as f64 * 1e-9]));
        }
        recording.writer.finish().unwrap();
    }
    let grouped = "--group slow=slow_* --group fast=fast_*";
    let slow = "slow_1.mcap slow_2.mcap slow_3.mcap";
    let done = lab.run(&format!("analyze {slow} fast_1.mcap fast_2.mcap {grouped} --json --out out --data"));
    assert_eq!((done.status, warnings(&done).as_str()), (Some(0), ""));
    let document: Value = serde_json::from_str(&done.stdout).unwrap();
    let groups = document["result"]["groups"].as_array().unwrap();
    assert_eq!(groups.iter().map(|group| group["group"].as_str().unwrap()).collect::<Vec<_>>(), ["slow", "fast"]);
    assert_eq!(groups[0]["runs"], serde_json::json!(["slow_1", "slow_2", "slow_3"]));
    let rmse = &groups[0]["metrics"]["rmse_m"];
    for (key, expected) in [("n", 3.0), ("mean", 0.04), ("standard_deviation", 0.02), ("min", 0.02), ("max", 0.06)] {
        close(rmse, key, expected);
    }
    // t of 2 degrees of freedom is 4.302 653, of 1 degree 12.706 205.
    for (group, mean, half) in [(0, 0.04, 4.302_653 * 0.02 / 3.0_f64.sqrt()), (1, 0.15, 12.706_205 * 0.05)] {
        let interval = &groups[group]["metrics"]["rmse_m"]["ci95"];
        let [low, high] = [0, 1].map(|end| interval[end].as_f64().unwrap());
        assert!((low - (mean - half)).abs() < 1e-6 && (high - (mean + half)).abs() < 1e-6, "{interval}");
    }
    let summary = lab.read("out/summary.csv");
    assert!(
        summary.starts_with("section,group,metric,n,mean,standard_deviation,ci95_low,ci95_high,min,max\n"),
        "{summary}"
    );
    assert!(summary.contains("\n,fast,rmse_m,2,0.15"), "{summary}");
    assert!(lab.read("out/report.html").contains("<h3>slow</h3>"));
    let svg = lab.read("out/mean.svg");
    for text in ["slow: mean of 3 runs", "± 1 standard deviation", "<polygon"] {
        assert!(svg.contains(text), "{text}");
    }
    let data = lab.read("out/mean.csv");
    let of = |label: &str| data.lines().filter(|line| line.contains(label)).collect::<Vec<_>>();
    assert_eq!(of("\"slow, mean\",time [s],error [m]").len(), 100, "{data}");
    let limit: f64 = of("\"fast, mean + standard deviation\",time [s],error [m]")[50]
        .split(',')
        .next_back()
        .unwrap()
        .parse()
        .unwrap();
    assert!((limit - (0.15 + 0.1 / 2.0_f64.sqrt())).abs() < 1e-12, "{limit}");

    let done = lab.run(&format!("analyze {slow} --mean"));
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    let row = done.stdout.lines().rfind(|line| line.starts_with("RMSE [m]")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[2..], ["0.04000", "0.02000", "-0.009683", "to", "0.08968", "3", "0.02000", "0.06000"]);
    // Runs that want different things are not pooled silently, and no run is left out silently.
    let done = lab.run("analyze slow_1.mcap other.mcap --mean");
    let reported = "warning: all runs: slow_1 and other follow references that are up to 0.5000 m apart\n  hint: put only comparable runs into a group: --group NAME=PATTERN";
    assert!(done.stderr.starts_with(reported), "{}", done.stderr);
    for (more, reported) in [
        ("--group slow=slow_*", "warning: --group: not in a group: fast_1\n"),
        ("--group slow=slow_*,fast=*", "error: --group slow=slow_*,fast=*: matches no run\n"),
        ("--group slow=slow_* --group all=*", "error: --group: slow_1 is in the groups slow and all\n"),
        (
            "--group slow=slow_* --group one=fast_1",
            "warning: one: has a single run, fast_1: no spread can be computed\n",
        ),
    ] {
        let done = lab.run(&format!("analyze {slow} fast_1.mcap {more}"));
        assert!(done.stderr.starts_with(reported), "{more}: {}", done.stderr);
    }
}

#[test]
fn the_table_names_units_and_the_files_hold_the_same_numbers() {
    let lab = recorded("a.mcap", |recording| recording.drive(""));
    let done = lab.run("analyze a.mcap --settled-below 0.06 --out out --html page.html --csv m.csv");
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    let row = |label: &str| {
        let line =
            done.stdout.lines().find(|line| line.starts_with(label)).unwrap_or_else(|| panic!("{}", done.stdout));
        line.split_whitespace().last().unwrap().to_string()
    };
    assert_eq!(
        [row("RMSE [m]"), row("ISE [m²·s]"), row("settled after [s]"), row("samples")],
        ["0.05000", "0.02487", "0", "200"]
    );
    assert!(done.stdout.ends_with("(settled: stays within 0.06 m; –: not available)\n"), "{}", done.stdout);
    let csv = lab.read("m.csv");
    assert!(csv.starts_with("section,run,rmse_m,ise_m2s,max_error_m,"), "{csv}");
    assert_eq!((lab.read("out/metrics.csv"), lab.read("out/report.html").len()), (csv, lab.read("page.html").len()));
    let page = lab.read("page.html");
    assert!(
        page.starts_with("<!DOCTYPE html>")
            && page.contains("<td>RMSE <span class=\"unit\">[m]</span></td><td>0.05000</td>")
    );
    assert_eq!(page.matches("<svg").count(), 4, "path, time, drive, tyres");
    for outside in ["<script", "<link", "src=", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    let mut files: Vec<_> =
        lab.path().join("out").read_dir().unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(
        files,
        [
            "drive.pdf",
            "drive.png",
            "drive.svg",
            "metrics.csv",
            "metrics.json",
            "path.pdf",
            "path.png",
            "path.svg",
            "report.html",
            "time.pdf",
            "time.png",
            "time.svg",
            "tyres.pdf",
            "tyres.png",
            "tyres.svg"
        ]
    );
    // For a paper: as wide as a column, with what is shown as numbers.
    let done = lab.run("analyze a.mcap --out paper --figure-size 88x60mm --font-size 7 --data");
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    let svg = lab.read("paper/time.svg");
    let sizes: Vec<f64> = ["width=\"", "height=\""]
        .map(|name| svg.split(name).nth(1).unwrap().split("mm\"").next().unwrap().parse().unwrap())
        .to_vec();
    assert!((sizes[0] - 88.0).abs() < 0.1 && (sizes[1] - 60.0).abs() < 0.1, "{sizes:?}");
    let png = image::open(lab.path().join("paper/time.png")).unwrap();
    assert!(png.width().abs_diff(1039) < 3, "300 pixels per inch: {}", png.width());
    let data = lab.read("paper/time.csv");
    assert!(data.starts_with("panel,series,x_axis,y_axis,x,y\n"), "{data}");
    // 3 cm before and 4 cm beside the reference.
    let errors: Vec<f64> = data
        .lines()
        .filter(|line| line.starts_with("Error of position,a,time [s],error [m],"))
        .map(|line| line.rsplit(',').next().unwrap().parse().unwrap())
        .collect();
    assert!(errors.len() == 200 && errors.iter().all(|error| (error - 0.05).abs() < 1e-9), "{errors:?}");
}

#[test]
fn several_recordings_stand_side_by_side() {
    let lab = recorded("a.mcap", |recording| recording.drive(""));
    std::fs::create_dir(lab.path().join("b")).unwrap();
    std::fs::copy(lab.path().join("a.mcap"), lab.path().join("b/a.mcap")).unwrap();
    std::fs::copy(lab.path().join("a.mcap"), lab.path().join("c.mcap")).unwrap();
    let header = |files: &str| {
        let done = lab.run(&format!("analyze {files}"));
        done.stdout.lines().next().unwrap().split_whitespace().map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(header("a.mcap c.mcap"), ["a", "c"]);
    assert_eq!(header("a.mcap b/a.mcap"), ["a.mcap", "b/a.mcap"], "names that would be the same");
    let done = lab.run("analyze a.mcap c.mcap --html page.html --title Both");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert!(lab.read("page.html").contains("<th>a</th><th>c</th>"));
}

#[test]
fn a_recording_without_a_reference_still_shows_the_drive() {
    let lab = recorded("a.mcap", |recording| {
        let mut odometry = Odometry { header: header(1), ..Odometry::default() };
        for i in 1..=100 {
            odometry.header = header(50_000_000 * i);
            odometry.pose.pose.position.x = 0.1 * i as f64;
            recording.write("/odom", "nav_msgs/msg/Odometry", 50_000_000 * i, &odometry);
        }
    });
    let done = lab.run("analyze a.mcap --csv m.csv");
    assert_eq!(done.status, Some(0));
    let expected =
        "a.mcap: no reference on /reference_trajectory, so no errors are computed; name another topic with --reference";
    assert!(done.stderr.contains(expected), "{}", done.stderr);
    assert!(!done.stdout.contains("RMSE") && done.stdout.contains("way [m]"), "{}", done.stdout);
    assert!(lab.read("m.csv").lines().nth(1).unwrap().starts_with(",a,,,"));
}

#[test]
fn a_file_that_breaks_off_is_read_as_far_as_it_goes() {
    let lab = recorded("a.mcap", |recording| recording.drive(""));
    let whole = std::fs::read(lab.path().join("a.mcap")).unwrap();
    std::fs::write(lab.path().join("a.mcap"), &whole[..whole.len() / 2]).unwrap();
    let done = lab.run("analyze a.mcap --json");
    assert!(
        warnings(&done).contains("a.mcap: ends early after ") && warnings(&done).contains(": the file is cut off"),
        "{}",
        done.stdout
    );
    let run = &metrics(&done)[0];
    close(run, "rmse_m", 0.05);
    assert!((10.0..190.0).contains(&run["samples"].as_f64().unwrap()));
}

#[test]
fn invalid_recordings_are_reported_for_all_files_at_once() {
    let lab = Lab::new();
    lab.write("empty.mcap", "");
    lab.write("text.mcap", "This is not a recording.");
    lab.write("old.bag", "#ROSBAG V2.0\n");
    lab.write("database.db3", "SQLite format 3\0 and nothing behind it");
    std::fs::create_dir_all(lab.path().join("folder")).unwrap();
    std::fs::create_dir_all(lab.path().join("bag")).unwrap();
    lab.write("bag/metadata.yaml", "rosbag2_bagfile_information:\n  relative_file_paths: [gone.mcap]\n");
    const ACCEPTED: &str = "  accepted: MCAP files, sqlite3 bags (.db3), folders of ros2 bag record\n";
    let done = lab.run("analyze empty.mcap text.mcap old.bag folder bag gone.mcap database.db3");
    assert_eq!((done.status, done.stdout.as_str()), (Some(1), ""));
    assert_eq!(
        done.errors(),
        format!(
            "empty.mcap: is empty\n{ACCEPTED}text.mcap: is not a recording\n{ACCEPTED}old.bag: is a bag of ROS 1\n{ACCEPTED}  hint: convert it to ROS 2 with rosbags-convert, of the Python package rosbags\nfolder: holds no recording\n{ACCEPTED}bag/gone.mcap: cannot be read: No such file or directory (os error 2)\ngone.mcap: cannot be read: No such file or directory (os error 2)\ndatabase.db3: is not a bag: file is not a database\n{ACCEPTED}"
        )
    );
}

#[test]
fn missing_topics_are_reported_with_the_existing_ones() {
    let lab = recorded("a.mcap", |recording| {
        recording.drive("/r1");
        recording.drive("/r2");
        recording.write("/number", "std_msgs/msg/Float64", 1, &Float64 { data: 1.0 });
    });
    for (arguments, expected) in [
        ("--vehicle r3", "has no odometry of a vehicle \"r3\"\n  accepted: /r1/odom, /r2/odom\n"),
        (
            "--odom /r1/odm",
            "has no topic /r1/odm\n  accepted: /r1/odom, /r2/odom\n  hint: did you mean \"/r1/odom\"?\n",
        ),
        (
            "--odom number",
            "topic /number has type std_msgs/msg/Float64, which is not accepted here\n  accepted: /r1/odom, /r2/odom\n",
        ),
        (
            "--vehicle r1 --reference /r1/reference",
            "has no topic /r1/reference\n  accepted: /r1/odom, /r1/reference_trajectory, /r2/odom, /r2/reference_trajectory\n",
        ),
    ] {
        let done = lab.run(&format!("analyze a.mcap {arguments}"));
        assert_eq!((done.status, done.errors()), (Some(1), format!("a.mcap: {expected}")), "{arguments}");
    }
    // Without a name all of them are there, each under its own.
    let done = lab.run("analyze a.mcap --json");
    let names: Vec<Value> = metrics(&done).iter().map(|run| run["run"].clone()).collect();
    assert_eq!(names, ["a, r1", "a, r2"]);
    for arguments in ["--vehicle r2", "--odom /r2/odom"] {
        close(
            &metrics(&lab.run(&format!("analyze a.mcap {arguments} --json")))[0],
            "steering_variation_rad",
            199.0 * 0.25,
        );
    }
}

#[test]
fn topics_outside_a_namespace_are_used_with_a_note_and_never_those_of_another() {
    let write = |recording: &mut Recording, other: bool| {
        for i in 1..=20 {
            let time = 50_000_000 * i;
            let mut odometry = Odometry { header: header(time), ..Odometry::default() };
            odometry.pose.pose.position.x = 0.05 * i as f64;
            recording.write("/b/odom", "nav_msgs/msg/Odometry", time, &odometry);
            recording.write("/reference_trajectory", ARRAY, time, &array(&[0.05 * i as f64, 0.1, 0.05 * i as f64]));
            if other {
                recording.write("/a/reference_trajectory", ARRAY, time, &array(&[0.0, 0.0, 0.05 * i as f64]));
            }
        }
    };
    let lab = recorded("a.mcap", |recording| write(recording, false));
    let done = lab.run("analyze a.mcap --vehicle b --json");
    let note = "topics missing in /b are taken from outside it: /reference_trajectory";
    assert!(warnings(&done).contains(&format!("a.mcap: {note}\n")), "{}", done.stdout);
    let run = &metrics(&done)[0];
    close(run, "rmse_m", 0.1);
    // Without a twist the speed is that of the positions.
    close(run, "max_speed_mps", 1.0);
    let lab = recorded("a.mcap", |recording| write(recording, true));
    let done = lab.run("analyze a.mcap --vehicle b --json");
    assert!(warnings(&done).contains("a.mcap: no reference on /reference_trajectory"), "{}", done.stdout);
    assert!(metrics(&done)[0]["rmse_m"].is_null());
}

#[test]
fn a_recording_of_other_things_has_no_odometry() {
    let lab = recorded("a.mcap", |recording| recording.write("/n", "std_msgs/msg/Float64", 1, &Float64 { data: 1.0 }));
    let done = lab.run("analyze a.mcap");
    assert_eq!(
        (done.status, done.errors().as_str()),
        (
            Some(1),
            "a.mcap: has no odometry\n  accepted: none, the recording has no such topic\n  hint: --odom names a topic of poses\n"
        )
    );
}

#[test]
fn broken_messages_are_counted_and_left_out() {
    let lab = recorded("a.mcap", |recording| {
        recording.drive("");
        for i in 0..3 {
            recording.write("/odom", "nav_msgs/msg/Odometry", i, &Float64 { data: 1.0 });
        }
    });
    let done = lab.run("analyze a.mcap --json");
    assert!(
        warnings(&done).contains("a.mcap: /odom: 3 messages are not nav_msgs/msg/Odometry, left out"),
        "{}",
        done.stdout
    );
    close(&metrics(&done)[0], "rmse_m", 0.05);
}

#[test]
fn sizes_that_make_no_sense_are_wrong_usage() {
    let lab = Lab::new();
    for bad in [
        "--settled-below 0",
        "--settled-below -1",
        "--join-tolerance nan",
        "--from x",
        "--max-steer inf",
        "--wheelbase 0",
        "--json --csv -",
    ] {
        assert_eq!(lab.run(&format!("analyze a.mcap {bad}")).status, Some(2), "{bad}");
    }
    let lab = recorded("a.mcap", |recording| recording.drive(""));
    let done = lab.run("analyze a.mcap --from 20");
    assert_eq!(
        (done.status, done.errors().as_str()),
        (Some(1), "a.mcap: no sample from 20 s to the end\n  accepted: 0 to 9.950 s\n")
    );
    let done = lab.run("analyze a.mcap --html no/page.html");
    assert_eq!(
        (done.status, done.errors().as_str()),
        (Some(1), "no/page.html: cannot be written: No such file or directory (os error 2)\n")
    );
}
