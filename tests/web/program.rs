//! The real program with its viewer: when it starts, its messages, and its end.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use skidpad_test_support::watched::{Watch, Watched};

use crate::peer::{Viewer, get};
use crate::support::{IDEAL, Lab};

/// Starts the program and reads until it says where its viewer is.
fn start(lab: &Lab, arguments: &str) -> (Watched, BufReader<std::process::ChildStderr>, String) {
    let mut child = lab.skidpad(arguments).stderr(Stdio::piped()).watch();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    loop {
        let mut line = String::new();
        if stderr.read_line(&mut line).unwrap() == 0 {
            panic!("it ended with {}: {said}", child.wait());
        }
        if let Some(link) = line.trim().strip_prefix("viewer: ") {
            let link = link.to_owned();
            return (child, stderr, link);
        }
        said += &line;
    }
}

fn address(link: &str) -> SocketAddr {
    link.strip_prefix("http://").unwrap().split('/').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn it_prints_a_link_and_says_goodbye() {
    let lab = Lab::with_world(IDEAL);
    let (mut child, mut stderr, link) = start(&lab, "run w.xml --web 0");
    let address = address(&link);
    assert_eq!(link, format!("http://127.0.0.1:{}/", address.port()));
    assert_eq!(get(address, "/", "").await.0, 200);
    let mut viewer = Viewer::join(address).await;
    kill_process(Pid::from_raw(child.id() as i32).unwrap(), Signal::INT).unwrap();
    assert_eq!(viewer.closed().await, (1001, "the simulation has ended".into()));
    let mut remaining_output = String::new();
    stderr.read_to_string(&mut remaining_output).unwrap();
    assert!(child.wait().success(), "{remaining_output}");
    assert!(remaining_output.starts_with("simulated "), "{remaining_output}");
}

#[tokio::test]
async fn a_token_is_part_of_the_link() {
    let lab = Lab::with_world(IDEAL);
    let (mut child, _stderr, link) = start(&lab, "run w.xml --web 127.0.0.1:0 --web-token of-my-own --web-read-only");
    assert!(link.ends_with("/#token=of-my-own"), "{link}");
    let address = address(&link);
    assert_eq!(Viewer::connect(address, &[]).await.err().unwrap().0, 401);
    let protocols = [("sec-websocket-protocol", "skidpad.v1, token.of-my-own")];
    let (viewer, _) = Viewer::connect(address, &protocols).await.unwrap();
    assert_eq!(viewer.greeting["read_only"], true);
    child.kill().unwrap();
    child.wait();
}

#[tokio::test]
async fn a_recording_loses_nothing_when_a_viewer_lets_the_run_go_as_fast_as_it_can() {
    let lab = Lab::with_world(IDEAL);
    let (mut child, mut stderr, link) = start(&lab, "run w.xml --web 0 --duration 100 --record out.mcap");
    let mut viewer = Viewer::join(address(&link)).await;
    viewer.order(json!({ "do": "set_rate", "rate": null })).await.unwrap();
    let mut remaining_output = String::new();
    stderr.read_to_string(&mut remaining_output).unwrap();
    assert!(child.wait().success() && !remaining_output.contains("left out"), "{remaining_output}");
    let bytes = std::fs::read(lab.path().join("out.mcap")).unwrap();
    let messages = mcap::MessageStream::new(&bytes).unwrap().map(Result::unwrap);
    let times: Vec<u64> =
        messages.filter(|message| message.channel.topic == "/odom").map(|message| message.log_time).collect();
    assert!(times.iter().copied().eq((1..=5000).map(|count| count * 20_000_000)), "{}", times.len());
}

#[tokio::test]
async fn a_world_is_edited_and_saved_in_the_folder_that_was_named() {
    let lab = Lab::with_world(IDEAL);
    let (mut child, _stderr, link) = start(&lab, "run w.xml --web 127.0.0.1:0 --edit .");
    let mut viewer = Viewer::join(address(&link)).await;
    assert_eq!(viewer.greeting["can_edit"], true);
    let edit = json!({ "edit": "place", "entity": 0, "x": 7.5, "y": 0, "yaw": 0 });
    viewer.order(json!({ "do": "edit", "edit": edit })).await.unwrap();
    viewer.order(json!({ "do": "save", "file": "moved" })).await.unwrap();
    assert!(lab.read("moved.world.xml").contains(">7.5 0 0<"), "{}", lab.read("moved.world.xml"));
    child.kill().unwrap();
    child.wait();
    for (arguments, reported) in [
        (
            "--edit nowhere",
            "--edit nowhere: No such file or directory (os error 2)\n  accepted: a folder in which world files may be written",
        ),
        ("--edit . --web-read-only", "cannot be used with"),
    ] {
        let done = lab.run(&format!("run w.xml {arguments} --duration 0.1"));
        assert!(done.status != Some(0) && done.stderr.contains(reported), "{}", done.stderr);
    }
}

#[test]
fn there_is_no_viewer_unless_wanted() {
    let lab = Lab::with_world(IDEAL);
    lab.write("quiet.xml", &IDEAL.replace("<vehicle ", "<gui><headless>true</headless></gui><vehicle "));
    for arguments in ["run w.xml --headless", "run w.xml --web off", "run quiet.xml"] {
        let done = lab.run(&format!("{arguments} --rate max --duration 0.1"));
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        assert!(!done.stderr.contains("viewer"), "{arguments}: {}", done.stderr);
    }
    for arguments in ["run w.xml --headless --web 0", "run quiet.xml --web 0", "run w.xml"] {
        let done = lab.run(&format!("{arguments} --rate max --duration 0.1"));
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        assert!(done.stderr.contains("\nviewer: http://127.0.0.1:"), "{arguments}: {}", done.stderr);
    }
}

/// `BROWSER` is called with the link, and nothing is silently without effect.
#[test]
fn a_browser_is_opened_where_one_is_at_hand() {
    let lab = Lab::with_world(IDEAL);
    lab.write("browser.sh", "#!/bin/sh\nprintf %s \"$1\" > part && mv part opened\n");
    let script = lab.path().join("browser.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let run = |arguments: &str, browser: Option<&Path>| {
        let mut command = lab.skidpad(&format!("run w.xml {arguments} --rate max --duration 0.1 --open"));
        for variable in ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"] {
            command.env_remove(variable);
        }
        let done = command.envs(browser.map(|path| ("BROWSER", path))).finish();
        assert!(done.status.success());
        String::from_utf8(done.stderr).unwrap()
    };
    let said = run("--web 0", Some(&script));
    let link = said.lines().find_map(|line| line.strip_prefix("viewer: ")).unwrap();
    let begin = Instant::now();
    let opened = loop {
        if let Ok(opened) = fs::read_to_string(lab.path().join("opened")) {
            break opened;
        }
        assert!(begin.elapsed() < Duration::from_secs(30), "the browser was not called: {said}");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(opened, link);
    let said = run("--web 0", None);
    assert!(
        said.contains("warning: --open: no browser is at hand\n") && said.contains("\n  hint: open http://"),
        "{said}"
    );
    assert!(run("--web off", None).contains("warning: --open: ignored, there is no page\n"));
}

/// All users see the arguments of programs: a token is in a file that only this user can read, and that is gone after the run.
#[test]
fn a_token_is_not_among_the_arguments_of_the_browser() {
    let lab = Lab::with_world(IDEAL);
    let script =
        lab.write("browser.sh", "#!/bin/sh\ncp \"${1#file://}\" page\nprintf %s \"$*\" > part && mv part opened\n");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let own = lab.path().join("own");
    fs::create_dir(&own).unwrap();
    for signal in [Signal::TERM, Signal::KILL] {
        let mut command = lab.skidpad("run w.xml --web 127.0.0.1:0 --web-token of-my-own --open");
        command.env("BROWSER", &script).env("XDG_RUNTIME_DIR", &own);
        let mut child = command.stderr(Stdio::null()).watch();
        let begin = Instant::now();
        while !lab.path().join("opened").exists() {
            assert!(begin.elapsed() < Duration::from_secs(30), "the browser was not called");
            std::thread::sleep(Duration::from_millis(5));
        }
        let opened = lab.read("opened");
        assert!(opened.starts_with("file:///") && !opened.contains("of-my-own"), "{opened}");
        assert!(lab.read("page").contains("/#token=of-my-own\""), "{}", lab.read("page"));
        assert_eq!(fs::read_dir(&own).unwrap().count(), 1, "what another run has left behind is gone");
        fs::remove_file(lab.path().join("opened")).unwrap();
        kill_process(Pid::from_raw(child.id() as i32).unwrap(), signal).unwrap();
        child.wait();
        let left = if signal == Signal::KILL { 1 } else { 0 };
        assert_eq!(fs::read_dir(&own).unwrap().count(), left, "{signal:?}");
    }
    let mut command = lab.skidpad("run w.xml --web 127.0.0.1:0 --web-token of-my-own --open --duration 0.1 --rate max");
    let done = command.env("BROWSER", &script).env("XDG_RUNTIME_DIR", &own).finish();
    assert!(done.status.success());
    assert_eq!(fs::read_dir(&own).unwrap().count(), 0, "nor is that of the killed one there");
}

#[test]
fn an_unavailable_address_is_an_error() {
    let lab = Lab::with_world(IDEAL);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let done = lab.run(&format!("run w.xml --duration 1 --web {port}"));
    assert_eq!(done.status, Some(1));
    assert!(done.stderr.contains(&format!("--web 127.0.0.1:{port}: cannot listen: ")), "{}", done.stderr);
    assert!(done.stderr.contains("\n  accepted: "), "{}", done.stderr);
    let done = lab.run("run w.xml --duration 1 --web 127.0.0.1:x");
    assert_eq!(done.status, Some(2), "{}", done.stderr);
    let done = lab.run("run w.xml --duration 1 --web-token short");
    assert_eq!(done.status, Some(1));
    assert!(done.stderr.contains("--web-token: not a token\n  accepted: 8 to 128 letters"), "{}", done.stderr);
}
