//! `skidpad run --record`: the content of the file, however the run ends, and errors when it cannot be written.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use mcap::{MessageStream, Summary};
use rustix::process::{Pid, Signal, kill_process};
use skidpad::message::cdr;
use skidpad::message::{AckermannDriveStamped, Odometry, TFMessage, WheelStates};
use skidpad_test_support::mcap_file::messages_in_chunks;
use skidpad_test_support::watched::{Watch, Watched};

use crate::support::{CAR, Done, IDEAL, Lab};

/// Messages by topic: log time [ns] and content. Without the diagnostics, which tell of the machine.
fn messages(path: &Path) -> BTreeMap<String, Vec<(u64, Vec<u8>)>> {
    let bytes = fs::read(path).unwrap();
    let mut topics: BTreeMap<String, Vec<(u64, Vec<u8>)>> = BTreeMap::new();
    assert_eq!(messages_in_chunks(&bytes), MessageStream::new(&bytes).unwrap().count());
    for message in MessageStream::new(&bytes).unwrap() {
        let message = message.unwrap();
        if message.channel.topic == "/diagnostics" {
            continue;
        }
        let schema = message.channel.schema.as_ref().unwrap();
        assert_eq!((schema.encoding.as_str(), message.channel.message_encoding.as_str()), ("ros2msg", "cdr"));
        assert!(message.channel.metadata.contains_key("offered_qos_profiles"));
        topics.entry(message.channel.topic.clone()).or_default().push((message.log_time, message.data.to_vec()));
    }
    topics
}

fn last<T>(list: &[(u64, T)]) -> &(u64, T) {
    list.last().unwrap()
}

/// Waits until the file holds odometry of after this time [ns].
fn wait_for(path: &Path, time: u64) -> u64 {
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        assert!(Instant::now() < patience, "nothing comes into {}", path.display());
        sleep(Duration::from_millis(50));
        if !path.exists() {
            continue;
        }
        // Whenever one looks, the file is whole or just being written.
        let bytes = fs::read(path).unwrap();
        let Ok(stream) = MessageStream::new(&bytes) else { continue };
        let newest = stream.map_while(Result::ok).map(|message| message.log_time).max().unwrap_or(0);
        if newest > time {
            return newest;
        }
    }
}

fn running(lab: &Lab, arguments: &str) -> Watched {
    lab.skidpad(arguments).watch()
}

#[test]
fn a_run_to_its_end_leaves_everything_with_an_index() {
    let lab = Lab::with_world(CAR);
    lab.write("drive.csv", "time,vehicle,speed,steering_angle\n0.5,car,2,0.1\n");
    let done = lab.run("run w.xml --rate max --duration 4 --commands drive.csv --record out.mcap");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let bytes = fs::read(lab.path().join("out.mcap")).unwrap();
    let summary = Summary::read(&bytes).unwrap().unwrap();
    assert!(!summary.chunk_indexes.is_empty());
    let topics = messages(&lab.path().join("out.mcap"));
    let count = topics.values().map(|list| list.len() as u64).sum::<u64>();
    assert!((count..count + 10).contains(&summary.stats.unwrap().message_count));
    let counts: Vec<(&str, usize)> = topics.iter().map(|(name, list)| (name.as_str(), list.len())).collect();
    assert_eq!(
        counts,
        [
            ("/ackermann_cmd", 1),
            ("/chassis_markers", 37),
            ("/chassis_polygon", 40),
            ("/collision", 200),
            ("/ground_truth", 200),
            ("/joint_states", 200),
            ("/moving_markers", 37),
            ("/odom", 200),
            ("/robot_description", 1),
            ("/tf", 200),
            ("/tf_static", 1),
            ("/vehicle_state", 200),
            ("/wheel_states", 200),
            ("/world_markers", 1),
        ]
    );
    // The command, when it was taken; the car is on its way at the end, and every message says so.
    let (taken, command) = &topics["/ackermann_cmd"][0];
    let command: AckermannDriveStamped = cdr::read(command).unwrap();
    assert_eq!((*taken, command.header.stamp.nanosec), (500_000_000, 500_000_000));
    assert_eq!((command.drive.speed, command.drive.steering_angle), (2.0, 0.1));
    let (time, odometry) = last(&topics["/odom"]);
    let odometry: Odometry = cdr::read(odometry).unwrap();
    assert_eq!((*time, odometry.header.stamp.sec), (4_000_000_000, 4));
    assert_eq!((odometry.header.frame_id.as_str(), odometry.child_frame_id.as_str()), ("odom", "base_footprint"));
    assert!((odometry.twist.twist.linear.x - 2.0).abs() < 0.1, "{odometry:?}");
    let tf: TFMessage = cdr::read(&last(&topics["/tf"]).1).unwrap();
    assert_eq!(tf.transforms[0].transform.translation, odometry.pose.pose.position);
    let wheels: WheelStates = cdr::read(&last(&topics["/wheel_states"]).1).unwrap();
    assert_eq!(wheels.wheels.len(), 4);
    assert!(wheels.wheels[2].steer_angle > 0.05 && wheels.wheels[0].spin > 1.0, "{wheels:?}");
}

#[test]
fn recordings_repeat_and_may_be_compressed_and_hold_less() {
    let lab = Lab::with_world(IDEAL);
    for arguments in ["--record a.mcap", "--record b.mcap", "--record c.mcap --record-compression zstd"] {
        assert_eq!(lab.run(&format!("run w.xml --rate max --duration 3 {arguments}")).status, Some(0));
    }
    let [a, b, c] = ["a.mcap", "b.mcap", "c.mcap"].map(|name| messages(&lab.path().join(name)));
    assert!(a == b && a == c);
    let size = |name: &str| fs::metadata(lab.path().join(name)).unwrap().len();
    assert!(3 * size("c.mcap") < size("a.mcap"));
    let done = lab.run("run w.xml --rate max --duration 3 --record d.mcap --record-topics /odom,/tf*");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let d = messages(&lab.path().join("d.mcap"));
    assert_eq!(d.keys().collect::<Vec<_>>(), ["/odom", "/tf", "/tf_static"]);
    assert_eq!(d["/odom"], a["/odom"]);
}

#[test]
fn an_interrupted_run_ends_its_recording() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let lab = Lab::with_world(IDEAL);
        let mut child = running(&lab, "run w.xml --record out.mcap");
        let path = lab.path().join("out.mcap");
        wait_for(&path, 100_000_000);
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().code(), Some(0), "{signal:?}");
        let bytes = fs::read(&path).unwrap();
        let summary = Summary::read(&bytes).unwrap().unwrap();
        let stored = mcap::MessageStream::new(&bytes).unwrap().count();
        assert_eq!(summary.stats.unwrap().message_count, stored as u64);
    }
}

#[test]
fn a_run_that_was_started_to_survive_its_terminal_does() {
    let lab = Lab::with_world(IDEAL);
    let program = env!("CARGO_BIN_EXE_skidpad");
    let line = format!("trap '' HUP; exec {program} run w.xml --no-ros --record out.mcap");
    let mut child = Command::new("sh").arg("-c").arg(line).current_dir(lab.path()).watch();
    let path = lab.path().join("out.mcap");
    let seen = wait_for(&path, 100_000_000);
    kill_process(Pid::from_child(&child), Signal::HUP).unwrap();
    wait_for(&path, seen + 500_000_000);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().code(), Some(0));
}

#[test]
fn a_run_without_a_pace_can_be_killed_at_any_moment() {
    let lab = Lab::with_world(CAR);
    let path = lab.path().join("out.mcap");
    for kill in 0..5 {
        let mut child = running(&lab, "run w.xml --rate max --record out.mcap");
        // From the first bytes on, the file is whole.
        let mut sizes = Vec::new();
        while sizes.len() <= 2 * kill {
            assert!(child.try_wait().is_none());
            let Ok(bytes) = fs::read(&path) else { continue };
            if sizes.last() != Some(&bytes.len()) {
                sizes.push(bytes.len());
            }
        }
        child.kill().unwrap();
        child.wait();
        let bytes = fs::read(&path).unwrap();
        assert_eq!(mcap::read::footer(&bytes).unwrap().summary_start, 0, "{sizes:?}");
        let times = messages(&path).remove("/odom").unwrap_or_default();
        assert!(times.iter().zip(1..).all(|((time, _), count)| *time == count * 20_000_000), "{sizes:?}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_killed_run_leaves_a_whole_file() {
    let lab = Lab::with_world(IDEAL);
    let mut child = running(&lab, "run w.xml --record out.mcap");
    let path = lab.path().join("out.mcap");
    let seen = wait_for(&path, 1_200_000_000);
    child.kill().unwrap();
    child.wait();
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.ends_with(mcap::MAGIC));
    assert_eq!(mcap::read::footer(&bytes).unwrap().summary_start, 0, "no index is promised");
    let topics = messages(&path);
    assert!(last(&topics["/odom"]).0 >= seen);
    // Nothing is missing before the end.
    let times: Vec<u64> = topics["/odom"].iter().map(|(time, _)| *time).collect();
    assert!(times.iter().zip(1..).all(|(time, count)| *time == count * 20_000_000), "{times:?}");
}

#[test]
fn a_full_disk_is_reported_and_the_run_continues() {
    let lab = Lab::with_world(IDEAL);
    let program = env!("CARGO_BIN_EXE_skidpad");
    // Blocks of 512 or 1024 bytes.
    let line = format!("ulimit -f 400; exec {program} run w.xml --no-ros --rate max --duration 60 --record out.mcap");
    let done = Done::from(Command::new("sh").arg("-c").arg(line).current_dir(lab.path()).finish());
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert!(
        done.stderr.contains(
            "error: out.mcap: cannot be written: File too large (os error 27)\n  recording stops, the simulation continues\n  \
             hint: raise the limit of the size of files: ulimit -f\n"
        ),
        "{}",
        done.stderr
    );
    assert!(done.stderr.contains("simulated 60.000 s"), "{}", done.stderr);
    assert!(done.stderr.ends_with("recording failed during the run, see above\n"), "{}", done.stderr);
    // What was written before is there, up to a whole file's end.
    let bytes = fs::read(lab.path().join("out.mcap")).unwrap();
    assert!(bytes.ends_with(mcap::MAGIC) && mcap::read::footer(&bytes).is_ok());
    messages(&lab.path().join("out.mcap"));
}

#[test]
fn an_unwritable_recording_is_an_error_before_the_run() {
    let lab = Lab::with_world(IDEAL);
    lab.write("there.mcap", "precious");
    fs::create_dir(lab.path().join("folder.mcap")).unwrap();
    for (path, message) in [
        (
            "nowhere/out.mcap",
            "nowhere/out.mcap: cannot be created: No such file or directory (os error 2)\n  hint: make its folder first\n",
        ),
        (
            "/proc/out.mcap",
            "/proc/out.mcap: cannot be created: No such file or directory (os error 2)\n  hint: choose another folder\n",
        ),
        (
            "there.mcap",
            "there.mcap: exists already\n  hint: give another name, or remove it: recordings are never overwritten\n",
        ),
        (
            "folder.mcap",
            "folder.mcap: exists already\n  hint: give another name, or remove it: recordings are never overwritten\n",
        ),
        ("out.bag", "out.bag: not the name of a recording\n  accepted: a file name that ends in .mcap\n"),
    ] {
        let done = lab.run(&format!("run w.xml --rate max --duration 1 --record {path}"));
        assert_eq!((done.status, done.errors().as_str()), (Some(1), message), "{path}");
    }
    assert_eq!(lab.read("there.mcap"), "precious");
    let done = lab.run("run w.xml --record out.mcap --record-compression gzip");
    assert_eq!(done.status, Some(2));
    assert!(done.stderr.contains("unknown compression\n  accepted: none, zstd, lz4"), "{}", done.stderr);
}

#[test]
fn an_externally_truncated_recording_is_reported_and_continues() {
    let lab = Lab::with_world(IDEAL);
    let mut child = lab.skidpad("run w.xml --record out.mcap").stderr(std::process::Stdio::piped()).watch();
    let path = lab.path().join("out.mcap");
    let seen = wait_for(&path, 100_000_000);
    fs::File::options().write(true).open(&path).unwrap().set_len(1000).unwrap();
    let continuation = lab.path().join("out_1.mcap");
    let later = wait_for(&continuation, seen);
    fs::remove_file(&continuation).unwrap();
    wait_for(&continuation, later);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().code(), Some(1));
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    let (cut, hint) = ("out.mcap: was truncated to 1000 bytes", "  hint: later messages are in out_1.mcap\n");
    let by = "by another program during the recording\n";
    for text in [
        format!("warning: {cut} {by}{hint}"),
        format!("warning: out_1.mcap: was removed {by}  hint: all messages are in out_1.mcap\n"),
        format!("error: {cut} {by}  recording stops, the simulation continues\n{hint}"),
    ] {
        assert!(said.contains(&text), "{said}");
    }
    assert!(said.ends_with("recording failed during the run, see above\n"), "{said}");
    let times: Vec<u64> = messages(&continuation)["/odom"].iter().map(|(time, _)| *time).collect();
    // Nothing is missing from the cut on.
    let first = times[0] / 20_000_000;
    assert!(times[0] <= seen + 20_000_000, "{seen}: {times:?}");
    assert!(times.iter().zip(first..).all(|(time, count)| *time == count * 20_000_000), "{times:?}");
}

#[test]
fn missing_topics_are_reported_with_the_existing_ones() {
    let lab = Lab::with_world(IDEAL);
    let done = lab.run("run w.xml --rate max --duration 1 --record out.mcap --record-topics odom,/fx_pub/*,/cmd_vel");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let topics = "/ackermann_cmd, /bodies, /body_detections, /chassis_markers, /chassis_polygon, /clock, /cmd_vel, /collision, /diagnostics, ";
    for text in [
        format!(
            "warning: out.mcap: no topic \"odom\" yet: it is recorded if a later vehicle has it\n  accepted: {topics}"
        ),
        "\n  hint: did you mean \"/odom\"?\n".to_owned(),
        format!(
            "warning: out.mcap: no topic \"/fx_pub/*\" yet: it is recorded if a later vehicle has it\n  accepted: {topics}"
        ),
        "warning: out.mcap: has no messages of \"odom\", \"/fx_pub/*\": the run had no such topic\n".to_owned(),
    ] {
        assert!(done.stderr.contains(&text), "{text}\n{}", done.stderr);
    }
    assert!(messages(&lab.path().join("out.mcap")).is_empty());
    let done = lab.run("run w.xml --rate max --duration 1 --record b.mcap --record-topics /odom,/cmd_vel");
    assert!(!done.stderr.contains("warning"), "{}", done.stderr);
}
