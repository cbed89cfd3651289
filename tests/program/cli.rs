//! The real program: arguments, exit status, messages, files.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::running::{PATIENCE, Running};
use crate::support::{CAR, Done, IDEAL, Lab, Table};
use rustix::process::{Pid, Signal, kill_process};
use skidpad_test_support::watched::{self, Watch, Watched};

#[test]
fn help_and_version_succeed_and_wrong_usage_is_status_2() {
    let lab = Lab::with_world(IDEAL);
    for (arguments, expected) in
        [("--help", "Usage: skidpad"), ("--version", "skidpad 0."), ("run --help", "--duration")]
    {
        let done = Done::from(lab.program().args(arguments.split(' ')).finish());
        assert_eq!(done.status, Some(0), "{arguments}");
        assert!(done.stdout.contains(expected), "{arguments}: {}", done.stdout);
    }
    for arguments in ["", "fly", "run", "run w.xml --rate 0", "run w.xml --speed 1", "bench --case F"] {
        let done = lab.run(arguments);
        assert_eq!((done.status, done.stdout.as_str()), (Some(2), ""), "{arguments}");
    }
}

#[test]
fn a_world_that_is_not_there_is_named_and_a_bare_name_is_searched() {
    let lab = Lab::new();
    let done = lab.run("check lab");
    assert_eq!(done.status, Some(1));
    let searched = format!("the current directory, worlds, {}/worlds", env!("CARGO_MANIFEST_DIR"));
    assert_eq!(
        done.errors(),
        format!("lab: no such world\n  searched: {searched}\n  hint: skidpad list worlds shows them all\n")
    );
    let near = lab.run("check raceca");
    assert!(near.stderr.ends_with("\n  hint: did you mean \"racecar\"?\n"), "{}", near.stderr);
    std::fs::create_dir_all(lab.path().join("prefix/share/skidpad/worlds")).unwrap();
    lab.write("prefix/share/skidpad/worlds/lab.world.xml", IDEAL);
    let done = Done::from(lab.skidpad("check lab").env("AMENT_PREFIX_PATH", "nowhere:prefix").finish());
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert!(done.stdout.starts_with("prefix/share/skidpad/worlds/lab.world.xml: loads\n"));
}

#[test]
fn the_worlds_of_the_checkout_have_names_in_every_folder() {
    let lab = Lab::new();
    let done = lab.run("check --strict racecar");
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    assert!(done.stdout.contains("worlds/racecar.world.xml: loads\n"), "{}", done.stdout);
    lab.write("my.yaml", "world: tracking\nduration: 1\n");
    assert_eq!(lab.run("experiment my.yaml").status, Some(0));
}

#[test]
fn check_describes_the_world_and_treats_warnings_as_errors_when_strict() {
    let lab = Lab::with_world(&IDEAL.replace("  <vehicle", "  <grvity>9</grvity>\n  <vehicle"));
    let done = lab.run("check w.xml");
    assert_eq!(done.status, Some(0));
    assert!(done.stdout.contains("\n1 vehicle\n  r1: differential, 19.0 kg, 2 wheels, takes twist commands\n"));
    assert!(done.stderr.starts_with("warning: w.xml:3:3: unknown tag \"grvity\""), "{}", done.stderr);
    assert!(done.stderr.contains("\n  accepted: ") && done.stderr.contains("gravity"), "{}", done.stderr);
    let strict = lab.run("check --strict w.xml");
    assert_eq!((strict.status, strict.stdout.as_str()), (Some(1), ""));
    assert!(strict.errors().starts_with("w.xml:3:3: unknown tag \"grvity\""), "{}", strict.errors());
}

#[test]
fn check_lists_what_is_in_the_world_and_where_on_earth() {
    let more = r#"  <georeference><latitude>-33.87</latitude><longitude>151.21</longitude><height>20</height></georeference>
  <for var="i" from="1" to="22"><block name="crate"><init_pose>$f{3*i} 9 0</init_pose></block></for>
  <walls><shape><pt>0 40</pt><pt>5 40</pt></shape></walls>
  <element class="vertical_plane"><x0>-5</x0><x1>-5</x1><door width="2"/><window position="0.9"/></element>
  <actor name="bob"><init_pose>0 -30 0</init_pose><path><waypoint>1 -30 0</waypoint></path></actor>
  <marker type="line_strip"><points>0 0 0 1 1 1</points></marker>
</mvsim_world>"#;
    let lab = Lab::with_world(&IDEAL.replace("</mvsim_world>", more).replace("1 2 0<", "0 0 0<"));
    let done = lab.run("check --strict w.xml");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    // The place is the example of crate geo3d's documentation, from GeographicLib.
    let crates: String = (2..=22).map(|n| format!(", crate_{n}")).collect();
    assert_eq!(
        done.stdout,
        format!(
            "w.xml: loads
step 5 ms, seed 0
place: -33.8700000°, 151.2100000°, 20.00 m; UTM zone 56S 334435.71 6250816.40; x points 0° north of east
1 vehicle
  r1: differential, 19.0 kg, 2 wheels, takes twist commands
    starts at -33.8700000°, 151.2100000°, 20.00 m
23 blocks, 1 static
  movable: crate{crates}
  static: wall_0001
no maps
1 vertical plane
  vertical_plane_1: 20.00 m long, 0 to 3 m high, 0.02 m thick, 1 door, 1 window
1 actor
  bob: 1 waypoint, over and over
1 marker
  marker1: 2 points
"
        )
    );
}

#[test]
fn a_run_that_starts_paused_is_resumed_by_the_page_and_refused_where_nobody_could_resume_it() {
    let lab = Lab::with_world(IDEAL);
    for nobody in ["--headless", "--web off", "--web 127.0.0.1:0 --web-read-only"] {
        let done = lab.run(&format!("run w.xml --paused --record a.mcap {nobody}"));
        let expected = "--paused: nothing could resume this run\n  \
                        accepted: with the viewer's page, which may not be read-only, or as a ROS node\n  \
                        hint: leave out --headless, --web-read-only or --no-ros, or give --web ADDR\n";
        assert_eq!((done.status, done.errors().as_str()), (Some(1), expected), "{nobody}");
    }
    assert!(!lab.path().join("a.mcap").exists(), "it is refused before anything is written");
    let running = Running::start(&lab, "run w.xml --paused --headless --rate max --duration 1");
    // The server answers before the simulation has told it that it waits.
    let status = || running.ask("GET", "/api/status", "").1;
    let requested_at = Instant::now();
    while status()["paused"] != true {
        assert!(requested_at.elapsed() < PATIENCE, "{}", status());
    }
    assert_eq!(status()["time"], 0.0);
    assert_eq!(running.ask("POST", "/api/orders", r#"{"do": "resume"}"#).0, 200);
    assert_eq!(running.ended(), Some(0), "after its second");
}

#[test]
fn a_world_with_errors_fails_in_check_and_in_run() {
    let lab = Lab::with_world(&IDEAL.replace("twist_ideal", "telepathy"));
    for arguments in ["check w.xml", "run w.xml --duration 1"] {
        let done = lab.run(arguments);
        assert_eq!((done.status, done.stdout.as_str()), (Some(1), ""));
        assert!(done.errors().starts_with("w.xml:5:"), "{}", done.errors());
        assert!(done.stderr.contains("telepathy") && done.stderr.contains("accepted: "), "{}", done.stderr);
    }
}

#[test]
fn list_names_what_worlds_can_use() {
    let done = Lab::new().run("list");
    assert_eq!(done.status, Some(0));
    for name in [
        "wardiagnemma",
        "pacejka",
        "ackermann_drivetrain",
        "single_track",
        "diesel",
        "clutch",
        "viscous",
        "twist_pid",
        "figure_eight",
        "dynamic",
    ] {
        assert!(done.stdout.lines().any(|line| line.starts_with(&format!("  {name} "))), "{}", done.stdout);
    }
}

#[test]
fn list_names_the_parameter_sets_that_are_at_hand() {
    let lab = Lab::new();
    std::fs::create_dir_all(lab.path().join("worlds/vehicles")).unwrap();
    lab.write("worlds/vehicles/a.vehicle.xml", "<!-- A cart (class cart). Old. -->\n<vehicle:class name=\"cart\"/>");
    let done = lab.run("list");
    let (_, sets) =
        done.stdout.split_once("\nparameter sets: <vehicle class=\"…\"> of the files in vehicles/\n").unwrap();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert!(sets.lines().any(|line| words(line) == ["cart", "A", "cart"]), "{}", done.stdout);
    assert!(sets.lines().any(|line| words(line)[0] == "road_car"), "those of the checkout too: {}", done.stdout);
}

#[test]
fn a_closed_output_pipe_is_no_failure() {
    let mut child = Lab::new().skidpad("list").stdout(Stdio::piped()).stderr(Stdio::piped()).watch();
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((child.wait().code(), stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_run_says_what_it_runs_and_how_it_went() {
    let lab = Lab::with_world(IDEAL);
    let done = lab.run("run w.xml --rate max --duration 10 --seed 7 --headless --offline --threads 1");
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), ""));
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert_eq!(lines[0], "w.xml: r1; step 5 ms, rate max, seed 7");
    assert!(lines[1].starts_with("simulated 10.000 s in "), "{}", lines[1]);
    let (_, of_steps) = lines[1].split_once(", 2000 steps of ").unwrap();
    let (mean, longest) = of_steps.split_once(" ms (at most ").unwrap();
    let longest = longest.strip_suffix(" ms)").unwrap();
    // The longest is rounded to a tenth.
    assert!(mean.parse::<f64>().unwrap() <= longest.parse::<f64>().unwrap() + 0.05, "{}", lines[1]);
    assert_eq!(lines.len(), 2);
}

#[test]
fn arguments_for_ros_are_not_ours() {
    let lab = Lab::with_world(IDEAL);
    let mut run = lab.skidpad("run w.xml --rate max --duration 1");
    let done = Done::from(run.args(["--ros-args", "-r", "__ns:=/lab", "-p", "rate:=-1.0"]).finish());
    assert_eq!(done.status, Some(0), "{}", done.stderr);
}

#[test]
fn a_commands_file_drives_and_the_log_holds_the_closed_form() {
    let lab = Lab::with_world(IDEAL);
    lab.write("c.csv", "time,vehicle,v,omega\n0,r1,2,0\n1,r1,1,0.5\n");
    let done = lab.run("run w.xml --rate max --duration 3 --commands c.csv --csv logs/new");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let pose = Table::parse(&lab.read("logs/new/session_001/r1_pose.csv"));
    let [time, x, y, yaw] = ["Timestamp", "q0x", "q1y", "q3yaw"].map(|name| pose.column(name));
    assert_eq!(pose.rows.len(), 600);
    for row in 0..600 {
        assert_eq!(time[row], (row as f64 + 1.0) * 5.0 / 1000.0);
        // Straight for a second, then on a circle of radius v/ω = 2 m.
        let turned = 0.5 * (time[row] - 1.0).max(0.0);
        let expected = [1.0 + 2.0 * time[row].min(1.0) + 2.0 * turned.sin(), 2.0 + 2.0 * (1.0 - turned.cos()), turned];
        for (got, expected) in [x[row], y[row], yaw[row]].into_iter().zip(expected) {
            assert!((got - expected).abs() < 5e-3, "row {row}: {got}, not {expected}");
        }
    }
    // Wheels of radius 0.2 m at ±0.5 m roll without slip: (v ∓ ω·0.5)/0.2.
    for (wheel, spin) in [(1, 3.75), (2, 6.25)] {
        let table = Table::parse(&lab.read(&format!("logs/new/session_001/r1_wheel_{wheel}.csv")));
        let [spins, loads] = ["spin", "force_z"].map(|name| table.column(name));
        assert!((spins[599] - spin).abs() < 1e-9, "wheel {wheel}: {}", spins[599]);
        assert!((loads.len(), loads[599] > 0.0) == (600, true));
    }
}

#[test]
fn speed_and_steering_angle_drive_a_car() {
    let lab = Lab::with_world(CAR);
    lab.write("c.csv", "time,vehicle,speed,steering_angle\n0,,2,0.2\n");
    let done = lab.run("run w.xml --rate max --duration 20 --commands c.csv --csv logs");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let pose = Table::parse(&lab.read("logs/session_001/car_pose.csv"));
    let speed = *pose.column("dqx").last().unwrap();
    assert!((speed - 2.0).abs() < 0.05, "{speed}");
    // Ackermann: cot δ of the left and right wheel differ from that of the middle by half the track over the wheelbase.
    for (wheel, half_track) in [(3, 1.0), (4, -1.0)] {
        let table = Table::parse(&lab.read(&format!("logs/session_001/car_wheel_{wheel}.csv")));
        let expected = (1.0 / (1.0 / 0.2_f64.tan() - half_track / 1.3)).atan();
        let steer = *table.column("steer").last().unwrap();
        assert!((steer - expected).abs() < 1e-9, "wheel {wheel}: {steer}, not {expected}");
    }
}

#[test]
fn a_wrong_commands_file_stops_before_the_run_with_all_its_problems() {
    let lab = Lab::with_world(IDEAL);
    let accepted = "accepted: time,vehicle,v,omega, time,vehicle,vx,vy,omega, time,vehicle,speed,steering_rate, \
                    time,vehicle,speed,steering_angle, time,vehicle,speed,steering_angle,acceleration,steering_rate, \
                    time,vehicle,left,right, \
                    time,vehicle,throttle,brake,gear,steering_angle";
    for (text, message) in [
        ("t,v\n", format!("c.csv:1: unknown header \"t,v\"\n  {accepted}\n")),
        (
            "time,vehicle,v,omega\n0,r2,1,0\n0,r1,NaN,0\n1,r1,1\n",
            "c.csv:2: unknown vehicle \"r2\"\n  accepted: r1\n\
             c.csv:3: v \"NaN\" is not a number\n  accepted: a finite number\n\
             c.csv:4: no column \"omega\"\n  accepted: time,vehicle,v,omega\n"
                .to_string(),
        ),
    ] {
        lab.write("c.csv", text);
        let done = lab.run("run w.xml --duration 1 --commands c.csv --csv logs");
        assert_eq!((done.status, done.errors()), (Some(1), message));
        assert!(!lab.path().join("logs").exists());
    }
    let done = lab.run("run w.xml --duration 1 --commands no.csv");
    assert_eq!(
        (done.status, done.errors().as_str()),
        (Some(1), "no.csv: cannot be read: No such file or directory (os error 2)\n")
    );
}

#[test]
fn a_csv_directory_that_cannot_be_made_stops_before_the_run() {
    let lab = Lab::with_world(IDEAL);
    let done = lab.run("run w.xml --duration 1 --csv w.xml/logs");
    assert_eq!(done.status, Some(1));
    assert_eq!(done.errors(), "w.xml/logs: cannot be created: Not a directory (os error 20)\n");
}

#[test]
fn two_runs_of_a_seed_write_the_same_bytes() {
    let lab = Lab::with_world(CAR);
    lab.write("c.csv", "time,vehicle,speed,steering_angle\n0,,2,0.2\n");
    for arguments in ["--rate max --threads 1", "--rate 40 --threads 2"] {
        let done = lab.run(&format!("run w.xml --duration 2 --commands c.csv --csv logs --seed 3 {arguments}"));
        assert_eq!(done.status, Some(0), "{}", done.stderr);
    }
    for file in ["car_pose.csv", "car_wheel_1.csv", "car_wheel_4.csv"] {
        let [first, second] = [1, 2].map(|n| lab.read(&format!("logs/session_00{n}/{file}")));
        assert_eq!(first, second, "{file}");
    }
}

/// Starts a run without end and waits until it is under way.
fn start(lab: &Lab, arguments: &str) -> (Watched, BufReader<std::process::ChildStderr>) {
    let mut child = lab.skidpad(arguments).stderr(Stdio::piped()).watch();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("viewer: ") {
        line.clear();
        assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "the run ended early");
    }
    (child, stderr)
}

#[test]
fn signals_end_a_run_with_status_0_and_everything_written() {
    for (signal, rate) in [(Signal::INT, "1"), (Signal::TERM, "max"), (Signal::INT, "0.001")] {
        let lab = Lab::with_world(IDEAL);
        let (mut child, mut stderr) = start(&lab, &format!("run w.xml --rate {rate} --csv logs"));
        std::thread::sleep(Duration::from_millis(50));
        // A launcher passes on what the terminal has sent already.
        for _ in 0..2 {
            kill_process(Pid::from_child(&child), signal).unwrap();
        }
        assert_eq!(child.wait().code(), Some(0));
        let mut remaining_output = String::new();
        stderr.read_to_string(&mut remaining_output).unwrap();
        assert!(remaining_output.starts_with("simulated "), "{remaining_output}");
        let steps: usize =
            remaining_output.split(", ").find_map(|part| part.split_once(" steps")?.0.parse().ok()).unwrap();
        assert_eq!(Table::parse(&lab.read("logs/session_001/r1_pose.csv")).rows.len(), steps);
    }
}

/// Runs the program in a mount namespace of its own where `logs` is a disk of this size; none where that is not allowed.
#[cfg(target_os = "linux")]
pub fn on_small_disk(lab: &Lab, size: &str, arguments: &str) -> Option<Done> {
    std::fs::create_dir_all(lab.path().join("logs")).unwrap();
    let mut trial = Command::new("unshare");
    trial.args(["-rm", "mount", "-t", "tmpfs", "tmpfs", "logs"]).current_dir(lab.path());
    let allowed = trial.stderr(Stdio::null()).watch_for(watched::PATIENCE);
    if !allowed.is_ok_and(|mut trial| trial.wait().success()) {
        return None;
    }
    let program = lab.skidpad(arguments);
    let words: Vec<_> = program.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
    let script = format!(
        "mount -t tmpfs -o size={size} tmpfs logs && \"$0\" {}; status=$?; cp -r logs kept; exit $status",
        words.join(" ")
    );
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", &script, env!("CARGO_BIN_EXE_skidpad")]).current_dir(lab.path());
    Some(Done::from(command.finish()))
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_log_and_not_the_simulation() {
    let lab = Lab::with_world(IDEAL);
    let Some(done) = on_small_disk(&lab, "256k", "run w.xml --rate max --duration 100 --csv logs --headless") else {
        eprintln!("not tested: this system allows no mount namespace");
        return;
    };
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert!(lines[1].starts_with("error: logs/session_001/r1_"), "{}", done.stderr);
    assert!(lines[1].ends_with(".csv: cannot be written: No space left on device (os error 28)"), "{}", done.stderr);
    assert_eq!(lines[2], "  the CSV log stops, the simulation continues");
    assert!(lines[3].starts_with("simulated 100.000 s in ") && lines[3].contains(", 20000 steps"), "{}", done.stderr);
    assert_eq!(lines[4], "error: the CSV log failed during the run, see above");
    // What was written before is there, step by step.
    let text = lab.read("kept/session_001/r1_pose.csv");
    let whole = &text[..=text.rfind('\n').unwrap()];
    let times = Table::parse(whole).column("Timestamp");
    assert!(times.len() > 100);
    for (row, time) in times.iter().enumerate() {
        assert_eq!(*time, (row as f64 + 1.0) * 5.0 / 1000.0);
    }
}

#[test]
fn a_simulation_that_leaves_the_finite_numbers_fails_after_its_log_is_written() {
    // Standing still is fine; told to move, this controller asks for a torque that grows beyond all numbers.
    let gain = "twist_pid\"><KD>1e300</KD><max_torque>0</max_torque></controller>";
    let lab = Lab::with_world(&IDEAL.replace("twist_ideal\"/>", gain));
    lab.write("c.csv", "time,vehicle,v,omega\n0,r1,0,0\n1,r1,1,0\n");
    let done = lab.run("run w.xml --rate max --duration 1000 --commands c.csv --csv logs");
    assert_eq!(done.status, Some(1), "{}", done.stderr);
    assert!(done.errors().contains("\nvehicle \"r1\": "), "{}", done.errors());
    let rows = Table::parse(&lab.read("logs/session_001/r1_pose.csv")).rows;
    assert!(rows.len() >= 200 && rows.iter().flatten().all(|value| value.is_finite()), "{} rows", rows.len());
}

/// Elsewhere a machine may lack valgrind; CI installs it.
#[test]
fn bench_runs_under_valgrind() {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=none", "--quiet", env!("CARGO_BIN_EXE_skidpad")]);
    valgrind.args(["bench", "--case", "A", "--seconds", "0.01"]);
    match valgrind.stdout(Stdio::piped()).stderr(Stdio::piped()).watch_for(watched::PATIENCE) {
        Err(error) if std::env::var("CI").as_deref() != Ok("true") => println!("left out: valgrind: {error}"),
        started => {
            let done = Done::from(started.unwrap().output());
            assert_eq!(done.status, Some(0), "{}", done.stderr);
            assert!(done.stdout.starts_with("{\"case\":\"A\""), "{}", done.stdout);
        }
    }
}

#[test]
fn bench_prints_one_json_line_with_its_keys() {
    let done = Lab::new().run("bench --case A --seconds 0.05");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert_eq!(done.stdout.lines().count(), 1);
    let line: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let mut keys: Vec<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["case", "cpu_s", "peak_rss_mb", "rays_per_s", "real_time_factor", "steps_per_s"]);
    assert_eq!(line["case"].as_str(), Some("A"));
    assert!(line["steps_per_s"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_vehicle_that_tips_over_is_a_warning_once() {
    let lab = Lab::with_world(include_str!("../ros/van.world.xml"));
    let done = lab.run("run w.xml --headless --rate max --duration 4");
    let falls: Vec<&str> = done.stderr.lines().filter(|line| line.contains("tipped over")).collect();
    assert!(
        falls.len() == 1
            && falls[0].starts_with("warning: vehicle \"van\": tipped over at 0.")
            && falls[0].contains(" s, at x = 9."),
        "{}",
        done.stderr
    );
}
