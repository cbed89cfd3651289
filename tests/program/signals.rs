//! Signals that come early, while a command works, and from the limit on the size of files: what a command leaves behind, and its status.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};
use skidpad_test_support::watched::Watch;

use crate::support::{CAR, Done, IDEAL, Lab};

const SIGTERM: i32 = 15;

/// Runs a line of a shell in which `$0` is the program, in the directory of the test.
fn in_shell(lab: &Lab, line: &str) -> std::process::Output {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).arg(env!("CARGO_BIN_EXE_skidpad")).current_dir(lab.path());
    command.env_remove("RUST_LOG").env_remove("SKIDPAD_WEB").finish()
}

/// Runs the program with a signal that is held back from before its start, as the launcher of a build with ROS holds signals back.
fn signalled(lab: &Lab, arguments: &str) -> std::process::Output {
    let line = format!("exec env --block-signal=TERM sh -c 'kill -TERM $$; exec \"$0\" {arguments}' \"$0\"");
    in_shell(lab, &line)
}

#[test]
fn a_signal_before_a_run_has_begun_ends_it_with_status_0() {
    let lab = Lab::with_world(IDEAL);
    let output = signalled(&lab, "run w.xml --no-ros --record out.mcap");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = signalled(&lab, "run w.xml --no-ros --json");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&document["command"], &document["status"]), (&"run".into(), &0.into()));
    // Other commands have no end of their own.
    lab.write("e.yaml", "duration: 80000\n");
    let output = signalled(&lab, "experiment e.yaml");
    assert_eq!(output.status.signal(), Some(SIGTERM), "{output:?}");
}

/// What the program keeps for itself in the directory.
fn unfinished(lab: &Lab) -> Vec<String> {
    let names = fs::read_dir(lab.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".skidpad-")).collect()
}

#[test]
fn an_interrupted_export_leaves_nothing_behind() {
    let lab = Lab::with_world(CAR);
    let done = lab.run("run w.xml --rate max --duration 40 --headless --record drive.mcap");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        // On a busy machine it may be over before it is seen at work.
        let ended = (0..20).find_map(|_| {
            let _ = fs::remove_dir_all(lab.path().join("out"));
            let mut child = lab.skidpad("export drive.mcap --csv out").watch();
            while unfinished(&lab).is_empty() && child.try_wait().is_none() {}
            kill_process(Pid::from_child(&child), signal).unwrap();
            child.wait().signal()
        });
        assert_eq!(ended, Some(signal.as_raw()));
        assert_eq!((unfinished(&lab), lab.path().join("out").exists()), (Vec::new(), false), "{signal:?}");
    }
}

#[test]
fn a_file_beyond_the_limit_on_its_size_is_an_error_of_each_command() {
    let lab = Lab::with_world(CAR);
    let done = lab.run("run w.xml --rate max --duration 20 --headless --record drive.mcap");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    lab.write("e.yaml", "duration: 60\n");
    lab.write("s.yaml", "world: w.xml\nduration: 60\nexpect: {speed: {at_most: 1000}}\n");
    // Blocks of 512 or 1024 bytes.
    let limited = |blocks: u32, arguments: &str| {
        Done::from(in_shell(&lab, &format!("ulimit -f {blocks}; exec \"$0\" {arguments}")))
    };
    for (blocks, arguments, status) in [(1000, "experiment e.yaml --out a", 1), (100, "export drive.mcap --csv b", 1)] {
        let done = limited(blocks, arguments);
        assert_eq!(done.status, Some(status), "{arguments}: {}", done.stderr);
        assert!(done.stderr.contains(": cannot be written: File too large"), "{arguments}: {}", done.stderr);
    }
    let done = limited(1000, "test s.yaml --out c --keep all");
    assert_eq!(done.status, Some(2), "{}", done.stderr);
    assert!(done.stdout.contains("PASS   s "), "{}", done.stdout);
    assert!(done.stderr.contains("c/s.mcap: cannot be written: File too large"), "{}", done.stderr);
    assert!(done.stderr.ends_with("error: the recordings of s failed, see above\n"), "{}", done.stderr);
    let report = lab.read("c/results.json");
    assert!(report.contains("c/s.mcap: the recording failed"), "{report}");
    assert_eq!(unfinished(&lab), Vec::<String>::new());
}
