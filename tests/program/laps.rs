//! Laps from outside: of recordings on a track, of experiments along closed waypoints, and of running worlds.

use std::f64::consts::TAU;
use std::fmt::Write;

use skidpad::message::Odometry;

use crate::analyze::{close, header, metrics, recorded, warnings};
use crate::support::Lab;

/// A circle of 2 m to the left, from (2, 0) on, as a file with these columns after x and y.
fn circle(columns: &str, values: &str) -> String {
    let mut text = format!("# x_m,y_m{columns}\n");
    for k in 0..360 {
        let angle = TAU * f64::from(k) / 360.0;
        let _ = writeln!(text, "{},{}{values}", 2.0 * angle.cos(), 2.0 * angle.sin());
    }
    text
}

/// Two and a half times around at 1 m/s from a metre before the line on, at 20 Hz; for two seconds 0.4 m further out.
fn drive(recording: &mut crate::analyze::Recording) {
    for i in 1..=640_i64 {
        let time = 50_000_000 * i;
        let t = time as f64 * 1e-9;
        let angle = 0.5 * t - 0.5;
        let radius = if (16.02..18.02).contains(&t) { 2.4 } else { 2.0 };
        let mut odometry = Odometry { header: header(time), ..Odometry::default() };
        (odometry.pose.pose.position.x, odometry.pose.pose.position.y) = (radius * angle.cos(), radius * angle.sin());
        odometry.pose.pose.orientation.w = 1.0;
        odometry.twist.twist.linear.x = 1.0;
        recording.write("/odom", "nav_msgs/msg/Odometry", time, &odometry);
    }
}

#[test]
fn a_recording_has_laps_on_a_track() {
    let lab = recorded("a.mcap", drive);
    lab.write("track.csv", &circle(",w_tr_right_m,w_tr_left_m", ",0.3,0.5"));
    lab.write("line.csv", &circle(",vx_mps", ",1.25"));
    let done = lab.run("analyze a.mcap --track track.csv --racing-line line.csv --sectors 2 --json");
    let [run] = &metrics(&done)[..] else { panic!("one run") };
    for (key, expected) in [("lap_count", 2.0), ("valid_laps", 1.0)] {
        close(run, key, expected);
    }
    let number = |value: &serde_json::Value| value.as_f64().unwrap_or_else(|| panic!("{run:#}"));
    // 4π s, from 1 s on, and the first pose is at 0.05 s.
    let laps = run["laps"]["laps"].as_array().unwrap();
    assert!((number(&run["best_lap_s"]) - 2.0 * TAU).abs() < 1e-5 && (number(&laps[0]["start_s"]) - 0.95).abs() < 1e-5);
    assert_eq!(laps.iter().map(|lap| lap["valid"].as_bool().unwrap()).collect::<Vec<_>>(), [true, false]);
    assert!((number(&laps[0]["speed_difference_mean_mps"]) + 0.25).abs() < 1e-9);
    assert!((number(&laps[0]["sectors"][1]["time_s"]) - TAU).abs() < 1e-5);
    // 0.1 m beyond the border, between a pose within it and one beyond: 3/4 and 1/4 of an interval.
    let off = &run["laps"]["off_track"][0];
    assert_eq!(off["side"], "right");
    for (key, expected) in [("excess_m", 0.1), ("start_s", 16.05 - 0.05 - 0.0125), ("end_s", 18.0 - 0.05 + 0.0125)] {
        assert!((number(&off[key]) - expected).abs() < 2e-3, "{key}: {off}");
    }
    let done = lab.run("analyze a.mcap --track track.csv --sectors 2.5, --vehicle-width 0.2 --out out");
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    assert!(done.stdout.contains("a: 2 laps of 12.57 m, 1 valid; best 12.566 s, "), "{}", done.stdout);
    assert!(done.stdout.contains("up to 0.200 m to the right"), "{}", done.stdout);
    let table = lab.read("out/laps.csv");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((rows.len(), rows[1][2], rows[1][5], rows[2][5]), (3, "1", "true", "false"));
    assert!((rows[1][11].parse::<f64>().unwrap() - 2.5).abs() < 1e-3, "the first sector is 2.5 m long: {:?}", rows[1]);
    assert_eq!(lab.read("out/off_track.csv").lines().count(), 2);
    let page = lab.read("out/report.html");
    assert!(page.contains("<h3>Laps</h3>") && lab.path().join("out/laps.svg").is_file());
    // Without a line there are none; a line without widths may have one.
    let done = lab.run("analyze a.mcap --sectors 2 --json");
    assert!(metrics(&done)[0]["lap_count"].is_null());
    assert!(warnings(&done).starts_with("--sectors: ignored, laps are not timed\n"), "{}", done.stdout);
    let done = lab.run("analyze a.mcap --racing-line line.csv --track-width 0.6 --json");
    close(&metrics(&done)[0], "valid_laps", 1.0);
    lab.write("open.csv", "x,y\n0,0\n1,0\n2,0\n3,0\n4,0\n");
    let done = lab.run("analyze a.mcap --track open.csv");
    assert_eq!(
        done.errors(),
        "open.csv: the line ends 4.000 m from where it begins\n  accepted: a closed line, of which laps can be counted\n"
    );
    let done = lab.run("analyze a.mcap --track line.csv --racing-line track.csv");
    assert!(done.errors().starts_with("line.csv: has no track widths\n"), "{}", done.stderr);
}

#[test]
fn experiments_and_running_worlds_time_laps_of_closed_waypoints() {
    let lab = Lab::new();
    lab.write("line.csv", &circle(",vx_mps", ",1"));
    lab.write("track.csv", &circle(",w_tr_right_m,w_tr_left_m", ",0.5,0.5"));
    lab.write(
        "lap.yaml",
        "trajectory: {trajectory_type: waypoints, file: line.csv, track_file: track.csv, closed: true}\n\
         laps: {sectors: [4, 8], vehicle_width: 0.2}\nduration: 27\nplant: kinematic\n",
    );
    let run = &metrics(&lab.run("experiment lap.yaml --json --out out"))[0];
    close(run, "valid_laps", 2.0);
    // The car drives at the speed of the line, on a circle that is 6 mm larger or smaller.
    let best = run["best_lap_s"].as_f64().unwrap();
    assert!((best - 2.0 * TAU).abs() < 0.02, "{best}");
    assert_eq!(run["laps"]["laps"][0]["sectors"].as_array().unwrap().len(), 3);
    // Its recording has the same laps.
    let read =
        &metrics(&lab.run("analyze out/lap.mcap --racing-line line.csv --track track.csv --vehicle-width 0.2 --json"))
            [0];
    for key in ["best_lap_s", "mean_lap_s", "off_track_s"] {
        close(read, key, run[key].as_f64().unwrap());
    }
    let text = lab.run("experiment lap.yaml --sectors 2");
    assert!(
        text.stdout.contains("lap: 2 laps of 12.57 m, 2 valid; best ") && !text.stdout.contains("sector 3"),
        "{}",
        text.stdout
    );
    let done = lab.run("run tracking --track lap.yaml --rate max --duration 14 --headless --set plant=kinematic");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let reported: Vec<&str> = done.stderr.lines().filter(|line| line.starts_with("lap ")).collect();
    let [only] = reported[..] else { panic!("{}", done.stderr) };
    assert!(only.starts_with("lap 1: 12.5") && only.matches(" + ").count() == 2, "{only}");
}
