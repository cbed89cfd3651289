//! `skidpad rerun` of recordings that others have made up: it ends, it writes a bounded amount, and with `--embedded` it reads what the recording
//! holds and nothing else. And what it leaves behind: nothing, however it ends.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use skidpad_test_support::watched::Watch;

use crate::running::PATIENCE;
use crate::support::{Done, IDEAL, Lab};

const COMMANDS: &str = "time,vehicle,v,omega\n0,r1,1,0.3\n";
/// What is outside of a recording, and no concern of whoever made that.
const SECRET: &str =
    "<block name=\"secret\"><init_pose>6 0 10</init_pose><shape><pt>0 0</pt><pt>1 0</pt><pt>1 1</pt></shape></block>";

/// A recording taken apart.
struct Forged {
    made: Value,
    /// Interventions, and the end.
    timed_changes: String,
    /// The files, in the order of the provenance.
    files: Vec<(String, Vec<u8>)>,
    /// Log time of one more message [ns], like the last one.
    last: Option<u64>,
}

impl Forged {
    /// Puts a file into the recording, with its sum.
    fn hold(&mut self, path: &str, content: &str) {
        self.files.retain(|(name, _)| name != path);
        self.files.push((path.to_owned(), content.as_bytes().to_vec()));
        let sum: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        let file = json!({ "path": path, "sha256": sum, "bytes": content.len() });
        let files = self.made["files"].as_array_mut().unwrap();
        files.retain(|known| known["path"] != path);
        files.push(file);
    }

    /// Adds words to the command line.
    fn say(&mut self, words: &[&str]) {
        self.made["command"].as_array_mut().unwrap().extend(words.iter().map(|word| Value::from(*word)));
    }
}

/// Makes `to` of the recording `from` with this change.
fn forge(lab: &Lab, from: &str, to: &str, change: impl FnOnce(&mut Forged)) {
    let bytes = fs::read(lab.path().join(from)).unwrap();
    let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
    let (mut forged, mut other_attachments) =
        (Forged { made: Value::Null, timed_changes: String::new(), files: Vec::new(), last: None }, Vec::new());
    for index in &summary.attachment_indexes {
        let attachment = mcap::read::attachment(&bytes, index).unwrap();
        match attachment.name.as_str() {
            "skidpad/provenance.json" => forged.made = serde_json::from_slice(&attachment.data).unwrap(),
            "skidpad/interventions.csv" => forged.timed_changes += std::str::from_utf8(&attachment.data).unwrap(),
            name => match name.strip_prefix("skidpad/files/") {
                Some(path) => forged.files.push((path.to_owned(), attachment.data.to_vec())),
                None => other_attachments.push((name.to_owned(), attachment.data.to_vec())),
            },
        }
    }
    change(&mut forged);
    let mut writer =
        mcap::WriteOptions::new().compression(None).create(fs::File::create(lab.path().join(to)).unwrap()).unwrap();
    let mut messages: Vec<_> = mcap::MessageStream::new(&bytes).unwrap().map(Result::unwrap).collect();
    if let (Some(time), Some(last)) = (forged.last, messages.last().cloned()) {
        messages.push(mcap::Message { log_time: time, publish_time: time, ..last });
    }
    messages.iter().for_each(|message| writer.write(message).unwrap());
    let files = forged.files.into_iter().map(|(path, content)| (format!("skidpad/files/{path}"), content));
    other_attachments.extend(files);
    other_attachments.push(("skidpad/provenance.json".into(), serde_json::to_vec(&forged.made).unwrap()));
    other_attachments.push(("skidpad/interventions.csv".into(), forged.timed_changes.into_bytes()));
    for (name, data) in other_attachments {
        let media_type = "application/octet-stream".into();
        writer.attach(&mcap::Attachment { log_time: 0, create_time: 0, name, media_type, data: data.into() }).unwrap();
    }
    writer.finish().unwrap();
}

/// A folder with a recording `a.mcap` of half a second in its folder `own`, and a secret beside that.
fn lab() -> Lab {
    let lab = Lab::with_world(IDEAL);
    lab.write("commands.csv", COMMANDS);
    lab.write("secret.xml", SECRET);
    let done = lab.run("run w.xml --commands commands.csv --rate max --duration 0.5 --headless --record a.mcap");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    fs::remove_file(lab.path().join("commands.csv")).unwrap();
    lab
}

/// Runs the program where no file may grow beyond 40 MB, with a folder of its own for temporary files, which is empty in the end.
fn run(lab: &Lab, arguments: &str) -> Done {
    let scratch = lab.path().join("tmp");
    fs::create_dir_all(&scratch).unwrap();
    let mut command = Command::new("sh");
    let program = lab.program().get_program().to_owned();
    command.args(["-c", "ulimit -f 80000; exec \"$0\" \"$@\""]).arg(program).args(arguments.split_whitespace());
    let done = Done::from(command.current_dir(lab.path()).env("TMPDIR", &scratch).finish());
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0, "{arguments} leaves something behind");
    done
}

#[test]
fn a_run_made_again_ends_with_its_recording_and_does_not_outgrow_it() {
    let lab = lab();
    forge(&lab, "a.mcap", "endless.mcap", |forged| forged.timed_changes = "9999999999999999,end,\n".into());
    let done = run(&lab, "rerun endless.mcap --embedded --record again.mcap");
    assert_eq!(done.status, Some(0), "{}{}", done.stdout, done.stderr);
    let last = |name: &str| {
        let bytes = fs::read(lab.path().join(name)).unwrap();
        mcap::MessageStream::new(&bytes).unwrap().map(|message| message.unwrap().log_time).max()
    };
    assert_eq!(last("again.mcap"), last("a.mcap"));
    // The end of the recording is in the far future: what is written has its limit.
    forge(&lab, "a.mcap", "far.mcap", |forged| {
        forged.timed_changes = "9999999999999999,end,\n".into();
        forged.last = Some(100_000_000_000_000_000);
    });
    let done = run(&lab, "rerun far.mcap --embedded");
    assert_eq!(done.status, Some(1), "{}{}", done.stdout, done.stderr);
    let reported = "warning: far.mcap: the rerun was stopped, since its recording grew to more than twice the size\n";
    assert!(
        done.stderr.contains(reported) && done.stdout.contains(": differs, first in /"),
        "{}{}",
        done.stdout,
        done.stderr
    );
}

#[test]
fn a_file_of_the_recording_that_is_not_what_it_says_is_refused() {
    let lab = lab();
    forge(&lab, "a.mcap", "changed.mcap", |forged| {
        let (_, content) = forged.files.iter_mut().find(|(path, _)| path == "w.xml").unwrap();
        *content = String::from_utf8(content.clone()).unwrap().replace(">1 2 0<", ">1 3 0<").into_bytes();
    });
    let done = run(&lab, "rerun changed.mcap --embedded");
    let reported = "error: changed.mcap: its copy of w.xml does not match its SHA-256\n";
    assert_eq!((done.status, done.stderr.as_str()), (Some(2), reported), "{}", done.stdout);
    // A file that is too large for a recording has to be here as it was.
    let secret = lab.path().join("secret.xml").display().to_string();
    forge(&lab, "a.mcap", "large.mcap", |forged| {
        forged.made["files"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "path": secret, "sha256": "00", "bytes": 9_999_999 }));
    });
    let done = run(&lab, "rerun large.mcap --embedded");
    assert_eq!(done.status, Some(2), "{}", done.stdout);
    assert!(
        done.stderr.contains(&format!("{secret} is too large to be embedded, and the file on disk has changed")),
        "{}",
        done.stderr
    );
}

#[test]
fn nothing_outside_of_a_recording_is_read_with_embedded() {
    let lab = lab();
    let secret = lab.path().join("secret.xml").display().to_string();
    let link = lab.path().join("link.xml");
    std::os::unix::fs::symlink(&secret, &link).unwrap();
    lab.write("own.csv", COMMANDS);
    lab.write("track.yaml", "trajectory:\n  trajectory_type: circle\nduration: 2\n");
    lab.write("plane.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    lab.write("map.yaml", "image: map.png\nresolution: 0.1\norigin: [0, 0, 0]\n");
    let include = |path: &str| IDEAL.replace("<vehicle ", &format!("<include file=\"{path}\"/><vehicle "));
    let with = |part: &str| IDEAL.replace("<vehicle ", &format!("{part}<vehicle "));
    let block = |address: &str| {
        with(&format!(
            "<block name=\"b\"><init_pose>9 9 0</init_pose><visual><model_uri>{address}</model_uri></visual></block>"
        ))
    };
    let folder = lab.path().display().to_string();
    type Change<'a> = Box<dyn Fn(&mut Forged) + 'a>;
    let world = |text: String| -> Change<'_> { Box::new(move |forged| forged.hold("w.xml", &text)) };
    let word = |word: String| -> Change<'_> {
        Box::new(move |forged| {
            let words = forged.made["command"].as_array_mut().unwrap();
            words.retain(|known| !known.as_str().unwrap().starts_with("--commands"));
            forged.say(&[&word]);
        })
    };
    let cases: Vec<(&str, Change<'_>)> = vec![
        ("own.csv", word("--commands=own.csv".into())),
        ("own.csv", word("--commands=../../own.csv".into())),
        ("own.csv", word(format!("--commands={folder}/own.csv"))),
        ("/dev/stdin", word("--commands=/dev/stdin".into())),
        ("track.yaml", word(format!("--track={folder}/track.yaml"))),
        ("secret.xml", world(include("secret.xml"))),
        ("secret.xml", world(include(&secret))),
        ("secret.xml", world(include(&format!("file://{secret}")))),
        ("link.xml", world(include("link.xml"))),
        (
            "map.yaml",
            world(with(&format!("<element class=\"occupancy_grid\"><file>{folder}/map.yaml</file></element>"))),
        ),
        (
            "secret.xml",
            Box::new(|forged| {
                let text = IDEAL.replace(
                    "<vehicle ",
                    "<variable name=\"part\" value=\"none.xml\"/><include file=\"${part}\"/><vehicle ",
                );
                forged.hold("w.xml", &text);
                forged.made["set"] = json!({ "part": secret });
            }),
        ),
        ("w2.xml", Box::new(|forged| forged.made["world"] = json!("w2.xml"))),
        (
            "secret.xml, from which a body was spawned at step 3",
            Box::new(|forged| forged.timed_changes = format!("3,spawn,b,file,{secret},,,4,4,0,0,0,0\n90,end,\n")),
        ),
    ];
    lab.write("w2.xml", IDEAL);
    for (index, (named, change)) in cases.iter().enumerate() {
        forge(&lab, "a.mcap", "forged.mcap", |forged| change(forged));
        let done = run(&lab, "rerun forged.mcap --embedded");
        let reported = format!("case {index}, {named}: {}{}", done.stdout, done.stderr);
        assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""), "{reported}");
        assert!(done.stderr.contains(named) && done.stderr.contains("forged.mcap"), "{reported}");
        assert!(done.stderr.contains("does not contain"), "{reported}");
        fs::remove_file(lab.path().join("forged.mcap")).unwrap();
    }
    // A picture of a body that is not there is a warning, as ever.
    let address = format!("file://{folder}/plane.obj");
    let exists = |address: &str| lab.path().join(address.trim_start_matches("file://")).exists();
    assert!(exists("plane.obj") && exists(&address));
    for (address, reported) in [
        ("plane.obj", "no file \"plane.obj\""),
        (&address, "plane.obj\""),
        ("http://127.0.0.1:9/x.obj", "forged.mcap does not contain a copy of \"http://127.0.0.1:9/x.obj\""),
    ] {
        forge(&lab, "a.mcap", "forged.mcap", |forged| forged.hold("w.xml", &block(address)));
        let done = run(&lab, "rerun forged.mcap --embedded");
        assert!(done.stderr.contains("warning: w.xml:3:") && done.stderr.contains(reported), "{}", done.stderr);
    }
    // The same paths lead to what the recording holds, which is not what is here.
    let other = COMMANDS.replace("0.3", "0.2");
    forge(&lab, "a.mcap", "held.mcap", |forged| {
        word(format!("--commands={folder}/own.csv"))(forged);
        forged.hold(&format!("{folder}/own.csv"), &other);
    });
    assert_eq!(run(&lab, "rerun held.mcap --embedded").status, Some(1), "other commands");
    forge(&lab, "a.mcap", "held.mcap", |forged| {
        word("--commands=../../own.csv".into())(forged);
        forged.hold("../../own.csv", COMMANDS);
    });
    assert_eq!(run(&lab, "rerun held.mcap --embedded").status, Some(0));
}

/// Whether a process has an open file without a name in this folder.
fn holds_a_file_in(process: u32, folder: &Path) -> bool {
    let links = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let mut targets = links.filter_map(|link| fs::read_link(link.path()).ok());
    targets.any(|target: PathBuf| target.starts_with(folder) && target.to_string_lossy().ends_with("(deleted)"))
}

#[test]
fn no_signal_leaves_anything_behind() {
    let lab = lab();
    // Without bounds in reach it goes on until it is told to end.
    forge(&lab, "a.mcap", "long.mcap", |forged| {
        forged.timed_changes = "9999999999999999,end,\n".into();
        forged.last = Some(100_000_000_000_000_000);
        forged.say(&["--record-topics=/none"]);
    });
    let scratch = lab.path().join("tmp");
    fs::create_dir(&scratch).unwrap();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::KILL] {
        let mut command = lab.skidpad("rerun long.mcap --embedded");
        let mut child = command.env("TMPDIR", &scratch).stderr(Stdio::null()).stdout(Stdio::null()).watch();
        let begun = Instant::now();
        while !holds_a_file_in(child.id(), &scratch) {
            assert!(begun.elapsed() < PATIENCE && child.try_wait().is_none(), "{signal:?}: it does not run");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        let status = child.wait();
        assert!(status.signal().is_some() || status.code().is_some_and(|code| code != 1), "{signal:?}: {status}");
        assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0, "{signal:?}");
    }
}
