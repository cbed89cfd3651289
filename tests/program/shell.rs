//! What the program is in a shell: completions, manual pages, help on a terminal.

use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};
use skidpad::meter::{Meter, Unit};
use skidpad::replay::Replay;
use skidpad_test_support::watched::Watch;

use crate::support::{Done, IDEAL, Lab};
use crate::terminal::{OnTerminal, screen};

/// What a shell is told that asks about these words, the last of which is under the cursor.
fn completions(lab: &Lab, shell: &str, words: &[&str]) -> Vec<String> {
    let mut command = lab.program();
    let index = (words.len() - 1).to_string();
    command.envs([("SKIDPAD_COMPLETE", shell), ("SKIDPAD_COMPLETE_INDEX", &index)]).arg("--").args(words);
    let done = Done::from(command.finish());
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    done.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn a_shell_is_offered_what_may_follow() {
    let lab = Lab::new();
    for name in ["my.world.xml", "e.yaml", "c.csv"] {
        lab.write(name, "");
    }
    let offered = |line: &str| completions(&lab, "fish", &line.split(' ').collect::<Vec<_>>());
    let has = |line: &str, name: &str| {
        let actual = offered(line);
        assert!(actual.iter().any(|line| line.split('\t').next() == Some(name)), "{line}: {actual:?}");
    };
    assert!(offered("skidpad ").contains(&"replay\tShow a recording in the browser".to_owned()));
    // The comment at the beginning of a world is its help.
    assert!(offered("skidpad run racecar").iter().any(|line| line.starts_with("racecar\tAn MIT racecar on a")));
    has("skidpad check m", "my.world.xml");
    has("skidpad run racecar --physics ", "mvsim");
    has("skidpad run racecar --preset=ra", "--preset=racecar_gazebo");
    has("skidpad run racecar --record-c", "--record-compression");
    has("skidpad run tracking --set ", "lidar=");
    has("skidpad run tracking --track ", "e.yaml");
    has("skidpad run tracking --track e.yaml --set K", "Kp=");
    has("skidpad experiment --set tracker=s", "tracker=stanley");
    has("skidpad experiment e.yaml --vary lat", "latency=");
    has("skidpad experiment e.yaml --vary x=1 --metric rm", "rmse_m");
    has("skidpad plot tyre pa", "pacejka");
    has("skidpad plot trajectory circ", "circle");
    has("skidpad node tra", "trajectory_tracker");
    has("skidpad validate e.yaml --class ro", "road_car");
    assert_eq!(
        offered("skidpad completions "),
        ["bash", "zsh", "fish"].map(|shell| {
            let line = offered(&format!("skidpad completions {shell}"));
            line[0].clone()
        })
    );
    // Options do not hide what a word may be, and a world needs no key of experiments.
    assert!(offered("skidpad run ").iter().all(|line| !line.starts_with('-')));
    assert!(!offered("skidpad run tracking --set ").iter().any(|line| line.starts_with("Kp=")));
    assert!(offered("skidpad fly away").is_empty());
}

/// The real function in the real shell, which cuts words at `=`.
#[test]
fn bash_completes_by_the_script() {
    let lab = Lab::new();
    lab.write("a b.yaml", "");
    let complete = |words: &str| {
        let script = format!(
            "eval \"$('{}' completions bash)\"; COMP_WORDS=({words}); COMP_CWORD=$(({} - 1)); _skidpad; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            env!("CARGO_BIN_EXE_skidpad"),
            "${#COMP_WORDS[@]}"
        );
        let output = Command::new("bash").args(["--norc", "-c", &script]).current_dir(lab.path()).finish();
        Done::from(output)
    };
    for (words, expected) in [
        ("skidpad run tracki", "tracking\n"),
        ("skidpad run racecar --preset = racecar_g", "racecar_gazebo\n"),
        ("skidpad run tracking --set plant = ''", "rigid_body\nsingle_track\nkinematic\n"),
        ("skidpad run tracking --set plant =", "rigid_body\nsingle_track\nkinematic\n"),
        ("skidpad run tracking --set pla", "plant=\n"),
        ("skidpad experiment a", "a\\ b.yaml\n"),
        ("skidpad run racecar --physics = mvsim --seed 3 --track = a", "a\\ b.yaml\n"),
    ] {
        let done = complete(words);
        assert_eq!((done.stdout.as_str(), done.stderr.as_str()), (expected, ""), "{words}");
    }
}

#[test]
fn scripts_of_all_shells_call_this_program() {
    let lab = Lab::new();
    for shell in ["bash", "zsh", "fish"] {
        let done = lab.run(&format!("completions {shell}"));
        assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
        let call = format!("{} -- ", env!("CARGO_BIN_EXE_skidpad"));
        assert!(done.stdout.contains(&call), "{shell}: {}", done.stdout);
    }
    assert_eq!(lab.run("completions tcsh").status, Some(2));
}

#[test]
fn every_command_has_a_manual_page_with_its_options() {
    let lab = Lab::new();
    let printed = lab.run("man");
    assert!(printed.stdout.contains("skidpad\\-run(1)"), "{}", printed.stdout);
    let done = lab.run("man pages/man1");
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), ""), "{}", done.stderr);
    let lists = lab.run("--help").stdout;
    let lines = lists.lines().skip_while(|line| *line != "Run:").take_while(|line| *line != "Options:");
    let commands = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let commands: Vec<&str> = commands.filter(|name| *name != "help").collect();
    assert!(commands.len() > 18, "{commands:?}");
    for command in commands {
        assert!(lab.read(&format!("pages/man1/skidpad-{command}.1")).contains(".SH SYNOPSIS"), "{command}");
    }
    let page = lab.read("pages/man1/skidpad-run.1");
    assert!(
        page.contains("\\-\\-record\\-compression") && page.contains("Possible values:") && page.contains("\nlz4\n"),
        "{page}"
    );
    assert_eq!(lab.read("pages/man1/skidpad.1"), printed.stdout);
    lab.write("file", "");
    let done = lab.run("man file/x");
    assert_eq!(
        (done.status, done.errors().as_str()),
        (Some(1), "file/x: cannot be written: Not a directory (os error 20)\n")
    );
}

#[test]
fn help_is_wrapped_to_the_terminal_and_nowhere_else() {
    let lab = Lab::new();
    let on_terminal = |columns| {
        let mut command = lab.program();
        command.args(["run", "--help"]);
        let (status, output) = OnTerminal::start(command, columns).end();
        assert_eq!(status, Some(0));
        screen(&output)
    };
    let longest = |lines: &[String]| lines.iter().map(|line| line.chars().count()).max().unwrap();
    let (narrow, wide) = (on_terminal(60), on_terminal(120));
    assert!((50..=60).contains(&longest(&narrow)), "{}", longest(&narrow));
    assert!((100..=120).contains(&longest(&wide)) && wide.len() < narrow.len(), "{}", longest(&wide));
    // As the manual shows it, whatever the environment says of a terminal.
    let piped = Done::from(lab.program().args(["run", "--help"]).env("COLUMNS", "40").finish());
    let lines: Vec<String> = piped.stdout.lines().map(str::to_owned).collect();
    assert!(longest(&lines) > 160, "{}", longest(&lines));
}

/// What stays on the terminal of a program that is ended by SIGINT while it draws its progress; and what it had drawn until then.
fn interrupted(lab: &Lab, arguments: &str, drawn: &str) -> (Option<i32>, Vec<String>, String) {
    let mut terminal = OnTerminal::start(lab.skidpad(arguments), 100);
    terminal.wait_for(drawn);
    kill_process(Pid::from_child(&terminal.child), Signal::INT).unwrap();
    let (status, output) = terminal.end();
    let lines = screen(&output).into_iter().filter(|line| !line.is_empty()).collect();
    (status, lines, output)
}

#[test]
fn progress_is_drawn_on_a_terminal_and_leaves_nothing_behind() {
    let lab = Lab::with_world(IDEAL);
    let (status, lines, output) =
        interrupted(&lab, "run w.xml --rate max --duration 1000000 --headless", " of 1000000 s simulated");
    assert_eq!(status, Some(0));
    assert_eq!((lines.len(), lines[0].as_str()), (2, "w.xml: r1; step 5 ms, rate max, seed 0"), "{lines:?}");
    assert!(lines[1].starts_with("simulated "), "{lines:?}");
    assert!(output.contains(" left"), "an estimate of the time: {output:?}");
    // A command without an end of its own for signals.
    lab.write("e.yaml", "duration: 80000\n");
    let (status, lines, _) = interrupted(&lab, "experiment e.yaml", " of 80000 s simulated");
    assert_eq!((status, lines), (None, Vec::new()));
    let (status, lines, _) = interrupted(&lab, "experiment e.yaml --vary Kp=1,2", " of 160000 s simulated");
    assert_eq!((status, lines), (None, Vec::new()));
    // Neither with --quiet nor in a pipe.
    let mut quiet = lab.program();
    quiet.args(["run", "w.xml", "--rate", "1", "--duration", "1.5", "--headless", "--no-ros", "-q"]);
    assert_eq!(OnTerminal::start(quiet, 100).end(), (Some(0), String::new()));
}

#[test]
fn a_recording_says_how_much_it_holds_and_reading_it_is_counted() {
    let lab = Lab::with_world(IDEAL);
    let done = lab.run("run w.xml --rate max --duration 2 --record a.mcap --headless");
    let recorded = done.stderr.lines().last().unwrap().to_owned();
    let bytes = std::fs::read(lab.path().join("a.mcap")).unwrap();
    let count = mcap::MessageStream::new(&bytes).unwrap().count();
    assert!(count > 100);
    assert_eq!(recorded, format!("recorded {count} messages to a.mcap"), "{}", done.stderr);
    let meter = Meter::new();
    meter.watch(|| Replay::open(&lab.path().join("a.mcap"))).unwrap();
    let (amount, read) = meter.state().unwrap();
    assert_eq!((amount.unit, amount.total, read), (Unit::Bytes, bytes.len() as u64, bytes.len() as u64));
    lab.write("e.yaml", "duration: 1\n");
    let done = lab.run("experiment e.yaml --out out");
    assert_eq!(done.stderr.matches("recorded ").count(), 1, "{}", done.stderr);
    assert!(done.stderr.contains(" messages to out/e.mcap\n"), "{}", done.stderr);
}

#[test]
fn a_new_world_runs_and_is_not_written_over() {
    let lab = Lab::new();
    let done = lab.run("new my.world.xml");
    let next = "wrote my.world.xml\n\n  skidpad run my.world.xml\n  skidpad run my.world.xml --edit .    # change it in the browser\n";
    assert_eq!((done.status, done.stdout.as_str(), done.stderr.as_str()), (Some(0), "", next));
    let done = lab.run("check --strict my.world.xml");
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    let text = lab.read("my.world.xml");
    let done = lab.run("new my --vehicle racecar");
    assert_eq!(
        (done.status, done.errors().as_str()),
        (Some(1), "my.world.xml: exists already\n  hint: give another name\n")
    );
    assert_eq!(lab.read("my.world.xml"), text);
    let done = lab.run("new car --vehicle racecar");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    for typed in ["car", "car.world.xml"] {
        let done = lab.run(&format!("run {typed} --rate max --duration 1 --headless"));
        assert!(done.status == Some(0) && done.stderr.starts_with("car.world.xml: racecar; "), "{}", done.stderr);
    }
    let done = lab.run("new other --vehicle racecarr");
    assert!(done.errors().ends_with("\n  hint: did you mean \"racecar\"?\n"), "{}", done.errors());
    let done = lab.run("new nowhere/my.world.xml");
    assert_eq!(done.errors(), "nowhere/my.world.xml: cannot be created: No such file or directory (os error 2)\n");
}

#[test]
fn the_first_lines_say_how_to_go_on() {
    let lab = Lab::new();
    let done = lab.run("run");
    assert_eq!(done.status, Some(2));
    let missing = "error: <WORLD> is missing\n  hint: worlds have names, such as racecar: skidpad list worlds\n";
    assert_eq!(done.stderr, missing);
    for (wrong, reported) in [
        ("rnu racecar", "rnu: no such command\n  hint: did you mean \"run\"?"),
        ("repaly a.mcap", "repaly: no such command\n  hint: did you mean \"replay\"?"),
        ("run racecar --recordd x", "--recordd: no such option\n  hint: did you mean \"--record\"?"),
        ("run racecar --rate -1", "--rate -1: -1 is out of range\n  accepted: a number from 0.001 to 1000000, max"),
        ("run racecar --seed abc", "--seed abc: not a seed\n  accepted: a whole number from 0 to 18446744073709551615"),
        ("run worlds/racecr", "worlds/racecr: no such file\n  hint: did you mean \"worlds/racecar\"?"),
    ] {
        let done = lab.run(wrong);
        assert!(done.status != Some(0) && done.stderr == format!("error: {reported}\n"), "{}", done.stderr);
    }
    let done = lab.run("run racecar.xml");
    assert!(done.stderr.ends_with("\n  hint: did you mean \"racecar\"?\n"), "{}", done.stderr);
    let colored = lab.run("--color always rnu").stderr;
    assert_eq!(
        colored,
        "\u{1b}[1;31merror:\u{1b}[0m rnu: no such command\n\u{1b}[32m  hint:\u{1b}[0m did you mean \"run\"?\n"
    );
    assert!(lab.run("--help").stdout.contains("\nExamples:\n  skidpad run racecar"));
}
