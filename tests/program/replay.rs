//! `skidpad replay`: its messages, its server, and its end.

use serde_json::Value;

use crate::running::Running;
use crate::support::{IDEAL, Lab};

/// A robot that drives ahead from (1, 2) with 1 m/s.
fn recorded() -> Lab {
    let lab = Lab::with_world(IDEAL);
    lab.write("go.csv", "time,vehicle,v,omega\n0,r1,1,0\n");
    let done = lab.run("run w.xml --headless --rate max --duration 4 --commands go.csv --record a.mcap");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    lab
}

#[test]
fn viewers_seek_in_a_served_recording() {
    let lab = recorded();
    let running = Running::start(&lab, "replay a.mcap --paused");
    assert!(running.said.starts_with("a.mcap: 3.980 s, from 0.020 s to 4.000 s; "), "{}", running.said);
    assert!(running.said.contains("\n  r1: /vehicle_state with "), "{}", running.said);
    let x = |time: f64| {
        let order = format!(r#"{{"do": "seek", "time": {time}}}"#);
        let (status, answer) = running.ask("POST", "/api/orders", &order);
        assert_eq!((status, &answer["error"]), (200, &Value::Null), "{answer}");
        let (status, state) = running.ask("GET", "/api/state", "");
        assert_eq!(status, 200, "{state}");
        assert_eq!(state["time"].as_f64().unwrap(), time, "{state}");
        state["vehicles"][0]["x"].as_f64().unwrap()
    };
    for time in [3.0, 0.5, 4.0, 1.5] {
        assert!((x(time) - 1.0 - time).abs() < 0.02, "{time}: {}", x(time));
    }
    let (_, status) = running.ask("GET", "/api/status", "");
    assert_eq!((status["span"]["end"].as_f64(), status["paused"].as_bool()), (Some(4.0), Some(true)), "{status}");
    let (_, scene) = running.ask("GET", "/api/scene", "");
    assert_eq!(scene["vehicles"][0]["name"], "r1", "{scene}");
    let drive = r#"{"do": "drive", "vehicle": 1, "speed": 1, "turn": 0}"#;
    let (status, refusal) = running.ask("POST", "/api/orders", drive);
    assert!(
        status >= 400 && refusal["error"].as_str().unwrap().starts_with("drive: a recording cannot be changed"),
        "{refusal}"
    );
    assert_eq!(running.end(), Some(0));
}

#[test]
fn a_second_recording_goes_along_as_a_ghost() {
    let lab = recorded();
    lab.write("slow.csv", "time,vehicle,v,omega\n0,r1,0.5,0\n");
    let done = lab.run("run w.xml --headless --rate max --duration 3 --commands slow.csv --record b.mcap");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let running = Running::start(&lab, "replay a.mcap --ghost b.mcap --paused");
    assert!(running.said.contains("ghost: b.mcap: 2.980 s, from 0.020 s to 3.000 s; "), "{}", running.said);
    let lies = "from 0.020 s to 3.000 s of the main recording; it ends 1.000 s earlier";
    assert!(running.said.contains(lies), "{}", running.said);
    let (_, scene) = running.ask("GET", "/api/scene", "");
    let ghost = &scene["vehicles"][1];
    assert_eq!((ghost["name"].as_str(), ghost["ghost"]["vehicle"].as_str()), (Some("b.mcap"), Some("r1")), "{scene}");
    // At 1 and at 0.5 m/s from (1, 2), until the ghost's recording ends.
    for (time, ghost) in [(2.0, 2.0), (4.0, 2.5), (1.0, 1.5)] {
        running.ask("POST", "/api/orders", &format!(r#"{{"do": "seek", "time": {time}}}"#));
        let (_, state) = running.ask("GET", "/api/state", "");
        let x = |vehicle: usize| state["vehicles"][vehicle]["x"].as_f64().unwrap();
        assert!((x(0) - 1.0 - time).abs() < 0.02 && (x(1) - ghost).abs() < 0.02, "{time}: {state}");
    }
    assert_eq!(running.end(), Some(0));
    let early = Running::start(&lab, "replay a.mcap --ghost b.mcap --ghost-offset=-2 --paused");
    let lies = "from 2.020 s to 5.000 s of the main recording; it starts 2.000 s later; it ends 1.000 s later";
    assert!(early.said.contains(lies), "{}", early.said);
    let (_, status) = early.ask("GET", "/api/status", "");
    assert_eq!(status["span"]["end"].as_f64(), Some(5.0), "{status}");
    assert_eq!(early.end(), Some(0));
}

#[test]
fn a_recording_with_cameras_is_served_without_their_pictures() {
    let cameras = "<sensor class=\"camera\" name=\"front\"><ncols>32</ncols><nrows>24</nrows><jpeg_quality>50</jpeg_quality></sensor>
        <sensor class=\"rgbd_camera\" name=\"eye\"><sense_rgb>false</sense_rgb><depth_ncols>32</depth_ncols><depth_nrows>24</depth_nrows>
        </sensor></vehicle>";
    let lab = Lab::with_world(&IDEAL.replacen("</vehicle>", cameras, 1));
    let done = lab.run("run w.xml --headless --rate max --duration 2 --record a.mcap");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let running = Running::start(&lab, "replay a.mcap --paused");
    assert!(running.said.starts_with("a.mcap: 1.980 s, from 0.020 s to 2.000 s; "), "{}", running.said);
    let (_, scene) = running.ask("GET", "/api/scene", "");
    let sensors = &scene["vehicles"][0]["sensors"];
    assert_eq!([0, 1].map(|index| sensors[index]["name"].as_str()), [Some("front"), Some("eye")], "{scene}");
    assert_eq!(running.end(), Some(0));
}

#[test]
fn invalid_recordings_are_reported() {
    let lab = recorded();
    lab.write("b.mcap", "no recording");
    for (arguments, status, message) in [
        ("c.mcap", 1, "c.mcap: cannot be read: No such file or directory (os error 2)\n"),
        ("b.mcap", 1, "b.mcap: is not a recording\n  accepted: MCAP files, "),
        ("a.mcap --start 9", 1, "--start 9: after the recording's end\n  accepted: up to 4.000 s\n"),
        ("a.mcap --web off", 1, "--web off: nobody could see it\n  accepted: PORT, "),
        ("a.mcap --ghost c.mcap", 1, "c.mcap: cannot be read: No such file or directory (os error 2)\n"),
        ("a.mcap --ghost b.mcap", 1, "b.mcap: is not a recording\n  accepted: MCAP files, "),
        (
            "a.mcap --ghost a.mcap --ghost-offset soon",
            2,
            "--ghost-offset soon: not a time\n  accepted: a number of seconds from -1000000 to 1000000",
        ),
        ("a.mcap --rate 0", 2, "--rate 0: not a rate\n  accepted: a number above 0, "),
    ] {
        let done = lab.run(&format!("replay {arguments}"));
        assert_eq!(done.status, Some(status), "{arguments}: {}", done.stderr);
        assert!(done.errors().starts_with(message), "{arguments}: {}", done.errors());
    }
    let first = Running::start(&lab, "replay a.mcap");
    let done = lab.run(&format!("replay a.mcap --web {}", first.address));
    let message = format!("--web {}: cannot listen: ", first.address);
    assert!(done.status == Some(1) && done.errors().starts_with(&message), "{}", done.stderr);
}
