//! `skidpad experiment` and `skidpad run --track`: their files, tables and messages.

use std::path::{Path, PathBuf};

use skidpad_test_support::mcap_file::messages_in_chunks;
use skidpad_test_support::watched::Watch;

use crate::support::{Done, Lab};

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Runs the program where `worlds/` and `config/` are.
fn skidpad(arguments: &str) -> Done {
    let lab = Lab::new();
    Done::from(lab.skidpad(arguments).current_dir(repository("")).finish())
}

/// Topic, time and bytes of all messages of a recording.
fn messages(path: &Path) -> Vec<(String, u64, Vec<u8>)> {
    let bytes = std::fs::read(path).unwrap();
    let messages = mcap::MessageStream::new(&bytes).unwrap().map(Result::unwrap);
    assert!(messages_in_chunks(&bytes) > 0);
    messages.map(|message| (message.channel.topic.clone(), message.log_time, message.data.to_vec())).collect()
}

#[test]
fn an_experiment_writes_its_results_and_repeats_to_the_bit() {
    let lab = Lab::new();
    let run = |name: &str, threads: u32| {
        let out = lab.path().join(name);
        let command = "experiment config/figure_eight.yaml --duration 6 --plant single_track --tyre pacejka";
        let done = skidpad(&format!("{command} --threads {threads} --out {}", out.display()));
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        assert!(done.stdout.starts_with("RMSE "), "{}", done.stdout);
        let reported: Vec<&str> = done.stderr.lines().collect();
        assert!(reported[0].starts_with("recorded ") && reported[0].ends_with("figure_eight.mcap"), "{}", done.stderr);
        assert!(reported[1].starts_with("wrote ") && reported[1].contains("figure_eight.mcap"), "{}", done.stderr);
        done.stdout
    };
    assert_eq!(run("a", 1), run("b", 3));
    // Chunks are closed by the wall clock; what is in them is the same.
    let [a, b] = ["a", "b"].map(|folder| messages(&lab.path().join(folder).join("figure_eight.mcap")));
    assert!(a.len() > 1000 && a == b, "{} {}", a.len(), b.len());
    for file in ["metrics.csv", "metrics.json", "report.html", "path.svg", "tyres.svg"] {
        let [a, b] = ["a", "b"].map(|folder| std::fs::read(lab.path().join(folder).join(file)).unwrap());
        assert!(a.len() > 300, "{file}");
        assert!(a == b, "{file} differs");
    }
    // Who reads the recording comes to the same.
    let analyzed = lab.run("analyze a/figure_eight.mcap --out read");
    assert_eq!(analyzed.status, Some(0), "{}", analyzed.stderr);
    let number = |text: &str, key: &str| -> f64 {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        value[0][key].as_f64().unwrap_or_else(|| panic!("no {key} in {text}"))
    };
    let (own, read) = (lab.read("a/metrics.json"), lab.read("read/metrics.json"));
    for key in ["rmse_m", "ise_m2s", "max_error_m", "mean_speed_mps"] {
        let (own_value, read_value) = (number(&own, key), number(&read, key));
        assert!((own_value - read_value).abs() <= 1e-6 * own_value.abs(), "{key}: {own_value} {read_value}");
    }
    // Recordings are not written over: a second run in the same folder has a number.
    let first = std::fs::read(lab.path().join("a/figure_eight.mcap")).unwrap();
    let again =
        skidpad(&format!("experiment config/figure_eight.yaml --duration 1 --out {}", lab.path().join("a").display()));
    assert!(again.status == Some(0) && again.stderr.contains("a/figure_eight_2.mcap"), "{}", again.stderr);
    assert!(messages(&lab.path().join("a/figure_eight_2.mcap")).len() > 100);
    assert!(first == std::fs::read(lab.path().join("a/figure_eight.mcap")).unwrap());
}

#[test]
fn metrics_for_scripts_are_json_and_csv() {
    let done = skidpad("experiment config/line.yaml --duration 2 --json --plant kinematic");
    let value: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let value = &value["result"]["runs"];
    assert_eq!((&value[0]["run"], value.as_array().unwrap().len()), (&"line".into(), 1));
    assert!(value[0]["rmse_m"].as_f64().unwrap() < 1e-6);
    let csv = skidpad("experiment config/line.yaml --duration 2 --csv --plant kinematic").stdout;
    assert!(csv.starts_with("section,run,rmse_m,ise_m2s,") && csv.lines().count() == 2, "{csv}");
}

/// Every key of the files in `config/` says the default, but for the trajectory.
#[test]
fn the_configs_contain_the_defaults() {
    use skidpad::experiment::{ExperimentConfig, trajectories};
    for (name, trajectory) in trajectories(&ExperimentConfig::default().trajectory) {
        let config = ExperimentConfig::load(&repository(&format!("config/{name}.yaml"))).unwrap();
        let defaults = ExperimentConfig {
            name: name.into(),
            plant: "rigid_body".into(),
            tyre: "default".into(),
            trajectory,
            ..ExperimentConfig::default()
        };
        assert_eq!(config, defaults);
    }
}

#[test]
fn mistakes_in_a_config_are_reported_with_line_and_column() {
    let lab = Lab::new();
    let message = |text: &str| {
        lab.write("e.yaml", text);
        let done = lab.run("experiment e.yaml");
        assert_eq!((done.status, done.stdout.as_str()), (Some(1), ""), "{}", done.stderr);
        done.errors()
    };
    let keys = "tracker, active, Kp, Ki, Kd, FFWD, PL_distance, reference_heading, anti_windup, integral_limit, k_along, lookahead_time, min_lookahead, k_across, \
                k_soft, k_yaw, rear_on_path, model, preview, position_scale, course_scale, steering_rate_scale, acceleration_scale, I_z, \
                horizon, horizon_step, max_steering_rate, max_acceleration, max_iterations";
    assert_eq!(
        message("tracker:\n  Kpp: 5\n"),
        format!("e.yaml:2:3: unknown key \"Kpp\"\n  accepted: {keys}\n  hint: did you mean \"Kp\"?\n")
    );
    assert_eq!(
        message("tracker:\n  tracker: stanly\n"),
        "e.yaml:2:12: tracker: found \"stanly\"\n  accepted: point, pure_pursuit, stanley, lqr, mpc\n  hint: did you mean \"stanley\"?\n"
    );
    assert_eq!(
        message("tracker: {tracker: lqr, model: dynamic}\nlinearizer:\n  C_f: 0\n"),
        "e.yaml:3:3: C_f: found 0\n  accepted: a number > 0 [N/rad]\n"
    );
    assert_eq!(
        message("start:\n  at: alinged\n"),
        "e.yaml:2:7: at: found \"alinged\"\n  accepted: aligned, pose, world\n  hint: did you mean \"aligned\"?\n"
    );
    assert_eq!(
        message("duration: 60\ntrajectory:\n  trajectory_type: circle\n  R: -1\n"),
        "e.yaml:4:3: R: found -1\n  accepted: a number > 0 [m]\n"
    );
    assert_eq!(
        message("duration: 0\n"),
        "e.yaml:1:1: duration: found 0\n  accepted: a number > 0 and at most 32000000 [s]\n"
    );
    assert_eq!(
        message("name: ../x\n"),
        "e.yaml:1:1: name: found \"../x\"\n  accepted: a name of files, without / and \\\n"
    );
    assert_eq!(
        message("duration: 0.01\n"),
        "e.yaml:1:1: duration: found 0.01\n  accepted: at least one sample, 0.05 [s]\n  hint: see sample_rate\n"
    );
    assert_eq!(
        message("duration: 1e6\n"),
        "e.yaml:1:1: duration: found 1000000\n  accepted: at most 10000000 samples and ticks in memory, 83333 s at these rates\n  \
         hint: see sample_rate and rate\n"
    );
    assert_eq!(
        message(&format!("world: {}\nplant: rigid_bod\n", repository("worlds/tracking.world.xml").display())),
        "e.yaml:2:1: plant: found \"rigid_bod\"\n  accepted: rigid_body, single_track, kinematic\n  hint: did you mean \"rigid_body\"?\n"
    );
    assert_eq!(
        message(&format!(
            "world: {}\nplant: kinematic\ntyre: fiala\n",
            repository("worlds/tracking.world.xml").display()
        )),
        "e.yaml:3:1: tyre: found \"fiala\"\n  accepted: default\n"
    );
    assert!(message("tracker: [1\n").starts_with("e.yaml:"));
    assert_eq!(message("duration: long\n"), "e.yaml:1:11: duration: found \"long\"\n  accepted: a number\n");
    assert_eq!(
        message("rate: 0\ntrajectory:\n  trajectory_type: waypoints\n  speed: fast\ntracker:\n  Kpp: 5\n  Ki: -1\n"),
        format!(
            "e.yaml:1:1: rate: found 0\n  accepted: a number > 0 and at most 100000 [Hz]\n\
         e.yaml:4:10: speed: found \"fast\"\n  accepted: a number\n\
         e.yaml:6:3: unknown key \"Kpp\"\n  accepted: {keys}\n  hint: did you mean \"Kp\"?\n\
         e.yaml:7:3: Ki: found -1\n  accepted: a number ≥ 0 [1/s²]\n"
        )
    );
    assert_eq!(
        message("world: nowhere\n"),
        format!(
            "nowhere: no such world\n  searched: the current directory, worlds, {}, ../worlds\n  hint: skidpad list worlds shows them all\n",
            repository("worlds").display()
        )
    );
    lab.write("w.xml", crate::support::CAR);
    assert_eq!(
        message("world: w.xml\nvehicle: cart\n"),
        "e.yaml:2:1: vehicle: w.xml has none called \"cart\"\n  accepted: car\n  hint: did you mean \"car\"?\n"
    );
    assert_eq!(
        message("world: w.xml\nplant: kinematic\n"),
        "variable \"plant\": this world has no such variable\n  hint: a world declares its variables with <variable name=\"…\" value=\"…\"/>\n"
    );
    lab.write("w.xml", crate::support::IDEAL);
    assert!(message("world: w.xml\n").contains("Ackermann"));
    let none = lab.run("experiment none.yaml");
    assert_eq!(none.errors(), "none.yaml: cannot be read: No such file or directory (os error 2)\n");
    assert_eq!(lab.run("experiment").status, Some(2));
}

#[test]
fn a_tracker_sees_its_car_by_motion_capture_as_late_and_noisy_as_the_world_says() {
    let lab = Lab::new();
    let config = "world: motion_capture\nplant: kinematic\nduration: 10\nrate: 100\n\
        trajectory:\n  trajectory_type: line\n  a_coeff: 1\n  b_coeff: 0\n";
    lab.write("e.yaml", config);
    let error = |arguments: &str| -> f64 {
        let done = lab.run(&format!("experiment e.yaml --json {arguments}"));
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        let document: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
        document["result"]["runs"][0]["rmse_m"].as_f64().unwrap()
    };
    let exact = "--set mocap_noise=0 --set mocap_yaw_noise=0 --set mocap_jitter=0";
    // At once and without noise it is the truth. On a line at 1 m/s the car is ahead of what is seen by 1 m/s times the delay.
    assert!(error(&format!("--feedback mocap {exact} --set mocap_delay=0")) < 1e-6);
    let late = error(&format!("--feedback mocap {exact} --set mocap_delay=0.05"));
    assert!((late - 0.05).abs() < 0.002, "{late}");
    // The metrics use the true pose, in the recording as well.
    let noisy = "--feedback mocap --set mocap_drop_out=0.1 --set mocap_drop_out_time=0.1";
    let reported = error(&format!("{noisy} --out out"));
    assert!((1e-3..0.1).contains(&reported), "{reported}");
    let analyzed = lab.run("analyze out/e.mcap --json");
    let document: serde_json::Value = serde_json::from_str(&analyzed.stdout).unwrap();
    let read = document["result"]["runs"][0]["rmse_m"].as_f64().unwrap();
    assert!((read - reported).abs() < 1e-12, "{read} {reported}");
    let poses: Vec<(u64, Vec<u8>)> = messages(&lab.path().join("out/e.mcap"))
        .into_iter()
        .filter_map(|(topic, time, bytes)| topic.ends_with("mocap/pose").then_some((time, bytes)))
        .collect();
    // Of 1000 samples, a tenth is lost by gaps of ten.
    assert!((750..980).contains(&poses.len()), "{}", poses.len());
    for (time, bytes) in &poses {
        let pose: skidpad::message::PoseStamped = skidpad::message::cdr::read(bytes).unwrap();
        let stamp = pose.header.stamp.sec as u64 * 1_000_000_000 + u64::from(pose.header.stamp.nanosec);
        assert_eq!(
            (pose.header.frame_id.as_str(), stamp % 10_000_000),
            ("map", 0),
            "the stamps are those of the samples"
        );
        assert!(stamp < *time && time - stamp < 25_000_000, "{stamp} {time}");
    }
    assert!(lab.run("experiment e.yaml --feedback vicon").stderr.contains("\n  accepted: truth, odometry, mocap\n"));
    lab.write("none.yaml", "feedback: mocap\n");
    assert_eq!(
        lab.run("experiment none.yaml").errors(),
        "none.yaml:1:1: feedback: found mocap, but racecar has no sensor of this class\n  \
         hint: include sensors/mocap.sensor.xml, as the world motion_capture does\n"
    );
}

#[test]
fn gains_are_set_on_the_command_line() {
    let lab = Lab::new();
    lab.write("e.yaml", "duration: 10\ntracker:\n  Kp: 2\n");
    let error = |set: &str| -> f64 {
        let done = lab.run(&format!("experiment e.yaml --json {set}"));
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        serde_json::from_str::<serde_json::Value>(&done.stdout).unwrap()["result"]["runs"][0]["rmse_m"]
            .as_f64()
            .unwrap()
    };
    assert_eq!(error("--set Kp=2"), error(""));
    assert!(error("--set Kp=20 --set plant=single_track") < 0.5 * error("--set Kp=1"));
    for (set, message) in [
        ("Kp=fast", "--set Kp=fast: Kp: found \"fast\"\n  accepted: a number\n"),
        ("Kp=-1", "--set Kp=-1: Kp: found -1\n  accepted: a number ≥ 0 [1/s]\n"),
        ("a=3", "--set a=3: a is a key of trajectory and of linearizer\n  hint: set it in the config\n"),
    ] {
        assert_eq!(lab.run(&format!("experiment e.yaml --set {set}")).errors(), message);
    }
    assert_eq!(
        lab.run("run tracking --set Kp=1").errors(),
        "variable \"Kp\": this world has no such variable\n  accepted: lidar, plant, tyre\n  \
         hint: Kp is a key of the tracker of experiments: --track CONFIG.yaml --set Kp=1\n"
    );
    for (line, hint) in [
        ("run tracking --set kp=2", "Kp is a key of the tracker of experiments: --track CONFIG.yaml --set Kp=2"),
        ("run tracking --track e.yaml --set kp=2", "Kp is a key of the tracker of experiments: --set Kp=2"),
        (
            "check tracking --set lookahed_time=2",
            "lookahead_time is a key of the tracker of experiments: skidpad run WORLD --track CONFIG.yaml --set lookahead_time=2",
        ),
        ("run tracking --set duration=5", "--duration 5 sets it"),
        ("experiment e.yaml --set kp=2", "Kp is a key of the tracker of experiments: --set Kp=2"),
        ("experiment e.yaml --set feedback=odometry", "--feedback odometry sets it"),
        ("experiment e.yaml --set plnt=kinematic", "did you mean \"plant\"?"),
    ] {
        let errors = lab.run(line).errors();
        assert!(errors.ends_with(&format!("\n  hint: {hint}\n")), "{line}: {errors}");
    }
    let done = lab.run("run tracking --track e.yaml --set Kp=0.1 --set lidar=0 --rate max --duration 2 --headless");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert!(done.stderr.starts_with("racecar follows e (figure_eight); any command"), "{}", done.stderr);
}

/// Numbers of a table in Markdown: trajectory and plant, then RMSE and ISE on each tyre.
fn numbers(table: &str) -> Vec<(String, Vec<f64>)> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let values = cells[2..].iter().flat_map(|cell| cell.split(" / ")).map(|number| number.parse().unwrap());
        (format!("{} {}", cells[0], cells[1]), values.collect())
    };
    table.lines().skip(2).map(row).collect()
}

#[test]
fn the_matrix_has_forty_runs_and_the_manual_its_numbers() {
    let lab = Lab::new();
    let done = skidpad(&format!("experiment --matrix --markdown --out {}", lab.path().join("out").display()));
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert!(!done.stderr.contains("trajectory:"), "all of them are feasible: {}", done.stderr);
    let page = std::fs::read_to_string(repository("docs/experiments.md")).unwrap();
    let written = page.split("<!-- matrix -->\n").nth(1).unwrap().split("<!-- matrix end -->").next().unwrap();
    let (computed, written) = (numbers(&done.stdout), numbers(written));
    assert_eq!(computed.len(), 10);
    for ((row, values), (written_row, written_values)) in computed.iter().zip(&written) {
        assert_eq!((row, values.len()), (written_row, 8));
        for (value, shown) in values.iter().zip(written_values) {
            assert!((value - shown).abs() <= 0.02 * value.abs() + 0.011, "{row}: {value}, the manual says {shown}");
        }
    }
    assert_eq!(written.len(), 10);
    assert_eq!(lab.read("out/table.md"), done.stdout);
    let runs: serde_json::Value = serde_json::from_str(&lab.read("out/metrics.json")).unwrap();
    assert_eq!(runs.as_array().unwrap().len(), 40);
    assert_eq!((&runs[39]["section"], &runs[39]["run"]), (&"cycloid".into(), &"single_track, pacejka".into()));
    assert!(lab.read("out/report.html").matches("<svg").count() >= 10);
}

#[test]
fn trackers_of_the_field_are_chosen_by_name_and_say_what_they_do_not_read() {
    let rmse = |tracker: &str, more: &str| {
        let done =
            skidpad(&format!("experiment config/figure_eight.yaml --duration 3 --set tracker={tracker} {more} --csv"));
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        let rows: Vec<Vec<&str>> = done.stdout.lines().map(|line| line.split(',').collect()).collect();
        let column = rows[0].iter().position(|name| *name == "rmse_m").unwrap();
        (rows[1][column].parse::<f64>().unwrap(), done.stderr)
    };
    for (tracker, bound) in [("pure_pursuit", 0.04), ("stanley", 0.02), ("lqr", 0.02), ("mpc", 0.02)] {
        let (actual, reported) = rmse(tracker, "");
        assert!(actual < bound && reported.is_empty(), "{tracker}: {actual} m, {reported}");
    }
    let (_, reported) = rmse("stanley", "--set Kp=3 --set linearizer=dynamic --set k_soft=0.1");
    assert!(
        reported.contains("tracker stanley, model kinematic: does not use Kp, linearizer, but the config sets it\n"),
        "{reported}"
    );
    assert!(reported.contains("accepted: ") && reported.contains("k_soft"), "{reported}");
    let (_, held) = rmse("mpc", "--set max_iterations=1");
    assert_eq!(held, "");
    let lines = skidpad("experiment config/figure_eight.yaml --duration 1 --set tracker=mpc --set max_iterations=1");
    assert!(lines.stdout.contains("\nno new plan at 100 of 100 ticks (100.0 %): the solver"), "{}", lines.stdout);
    let live =
        skidpad("run tracking --headless --rate max --duration 2 --track config/figure_eight.yaml --set tracker=lqr");
    assert!(live.status == Some(0) && live.stderr.contains("RMSE   0."), "{}", live.stderr);
}

#[test]
fn a_running_world_tracks_and_reports_its_error() {
    let done = skidpad("run tracking --track config/figure_eight.yaml --rate max --duration 3.5 --headless");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let lines: Vec<&str> = done.stderr.lines().collect();
    assert_eq!(lines[0], "racecar follows figure_eight; any command takes over, and it resumes when the commands stop");
    let reported: Vec<_> = lines.iter().filter(|line| line.starts_with("t ")).collect();
    assert_eq!(reported.len(), 3, "{}", done.stderr);
    assert!(reported[0].starts_with("t    1.0 s  reference (  0.78,   0.72) m  position ("), "{}", reported[0]);
    assert!(reported[2].contains(" cm  RMSE ") && reported[2].ends_with(" cm"), "{}", reported[2]);
    let done = skidpad("run tracking --track config/none.yaml");
    assert_eq!(done.errors(), "config/none.yaml: cannot be read: No such file or directory (os error 2)\n");
    let done = skidpad("run two_robots --track config/circle.yaml");
    assert!(done.stderr.contains("--track config/circle.yaml: vehicle: "), "{}", done.stderr);
}

/// An open path: experiments, their recordings and running worlds count up to its end, and say so.
#[test]
fn metrics_end_with_the_path() {
    let lab = Lab::new();
    lab.write("path.csv", "x,y\n0,0\n1,0\n2,1\n");
    lab.write("path.yaml", "trajectory:\n  trajectory_type: waypoints\n  file: path.csv\n  speed: 1.5\n");
    let runs = |arguments: &str| {
        let done = lab.run(arguments);
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        serde_json::from_str::<serde_json::Value>(&done.stdout).unwrap()["result"]["runs"][0].clone()
    };
    let whole = runs("experiment path.yaml --json --out out");
    assert_eq!(whole["window"]["ended_by"], "reference_rests");
    let samples = whole["samples"].as_f64().unwrap();
    assert!((30.0..35.0).contains(&samples) && whole["rmse_m"].as_f64().unwrap() > 0.005, "{whole:#}");
    let recorded = runs("analyze out/path.mcap --json");
    for key in ["rmse_m", "ise_m2s", "max_error_m", "samples", "window", "findings"] {
        let short = runs("experiment path.yaml --json --duration 2");
        assert_eq!(short[key], whole[key], "{key}");
        assert_eq!(recorded[key], whole[key], "{key}");
    }
    let line = "metrics end at 1.640 s, where the reference comes to rest; the run goes on to ";
    for text in
        [lab.run("experiment path.yaml").stdout, lab.run("analyze out/path.mcap").stdout, lab.read("out/report.html")]
    {
        assert!(text.contains(line), "{text}");
    }
    let done = lab.run("run tracking --track path.yaml --rate max --duration 6 --headless");
    let reported: Vec<&str> = done.stderr.lines().filter(|line| line.starts_with("t ")).collect();
    let [_, last] = reported[..] else { panic!("{}", done.stderr) };
    assert!(
        last.starts_with("t    1.6 s  ") && last.ends_with("  the reference ends here, the vehicle is braked"),
        "{last}"
    );
    let rmse: f64 = last.split("RMSE").nth(1).unwrap().trim().split(' ').next().unwrap().parse().unwrap();
    assert!((rmse / (100.0 * whole["rmse_m"].as_f64().unwrap()) - 1.0).abs() < 0.1, "{last}");
}

#[test]
fn the_recording_of_a_tracked_run_gives_the_reported_error() {
    let lab = Lab::new();
    let recording = lab.path().join("run.mcap");
    let done = skidpad(&format!(
        "run tracking --rate max --duration 20.001 --track config/figure_eight.yaml --record {}",
        recording.display()
    ));
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let line = done.stderr.lines().rfind(|line| line.contains("RMSE")).unwrap();
    let reported: f64 = line.split("RMSE").nth(1).unwrap().trim().split(' ').next().unwrap().parse().unwrap();
    let analyze = |more: &str| {
        let done = lab.run(&format!("analyze run.mcap --json {more}"));
        assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
        serde_json::from_str::<serde_json::Value>(&done.stdout).unwrap()["result"]["runs"][0].clone()
    };
    let run = analyze("");
    assert_eq!(run["topics"]["poses"], "/ground_truth");
    // The run looks at each step, the recording has 50 poses in a second.
    let rmse = 100.0 * run["rmse_m"].as_f64().unwrap();
    assert!((rmse - reported).abs() < 0.02 * reported + 0.01, "{rmse} cm, told {reported} cm");
    // The odometry begins where the car does; brought into the world it says about the same.
    let odometry = analyze("--odom /odom");
    let finding = &odometry["findings"][0];
    assert!(["frame", "offset"].iter().any(|kind| finding["kind"] == *kind), "{odometry:#}");
    let aligned = 100.0 * finding["aligned_rmse_m"].as_f64().unwrap();
    assert!(odometry["rmse_m"].as_f64().unwrap() > 0.5 && aligned < 3.0 * reported, "{aligned} cm, told {reported} cm");
    let table = lab.run("analyze run.mcap --html page.html");
    let topics = "run: poses /ground_truth, reference /reference_trajectory, commands /vesc/ackermann_cmd_mux/input/navigation\n";
    assert!(table.stdout.contains(topics), "{}", table.stdout);
    assert!(lab.read("page.html").contains(&format!("<p class=\"note\">{}</p>", topics.trim_end())));
}

/// A matrix of the user's own: axes of config and command line, a path of their own, table, files, and what is refused.
#[test]
fn a_matrix_of_the_users_own_has_a_column_for_each_key() {
    let lab = Lab::new();
    lab.write("path.csv", "x,y\n0,0\n2,0\n4,1\n6,1\n");
    lab.write("own.yaml", "trajectory: {trajectory_type: waypoints, file: path.csv}\n");
    let vary = "vary:\n  trajectory: [path.csv, own.yaml, circle]\n  Kp: [2, 5]\n";
    lab.write("study.yaml", &format!("plant: kinematic\nduration: 3\n{vary}"));
    let done = lab.run("experiment study.yaml --vary Kp=5 --vary speed=0.5,1 --csv");
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    let rows: Vec<Vec<&str>> = done.stdout.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..4], ["trajectory", "Kp", "speed", "rmse_m"]);
    assert_eq!(rows.len(), 1 + 3 * 2);
    assert!(rows[2][0].ends_with("path.csv") && rows[2][1..3] == ["5", "1"], "{rows:?}");
    assert_eq!(rows[2][3..], rows[4][3..], "the same path by two names");
    assert!(rows[6][3].parse::<f64>().unwrap() > 1e-3, "{rows:?}");

    let done = lab.run("experiment study.yaml --vary speed=0.5,1 --markdown --out out --curves curves.csv --threads 1");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    assert!(done.stdout.starts_with("RMSE [cm], columns: speed\n\n| trajectory | Kp | 0.5 | 1 |\n"), "{}", done.stdout);
    assert_eq!(lab.read("out/table.md"), done.stdout);
    assert!(lab.read("out/report.html").contains("<svg") && lab.read("curves.csv").lines().count() == 1 + 12);
    let runs: serde_json::Value = serde_json::from_str(&lab.read("out/runs.json")).unwrap();
    assert_eq!((&runs["runs"][11]["vary"]["Kp"], runs["axes"].as_array().unwrap().len()), (&"5".into(), 3));

    // Other keys of a trajectory leave its points, and keep their meaning.
    let turned = lab.run("experiment study.yaml --vary trajectory=path.csv,own.yaml --vary Kp=5 --vary yaw0=0.3 --csv");
    assert_eq!((turned.status, turned.stderr.as_str()), (Some(0), ""));
    let turned: Vec<&str> =
        turned.stdout.lines().skip(1).filter_map(|line| line.split_once("0.3,")).map(|row| row.1).collect();
    assert!(turned.len() == 2 && turned[0] == turned[1], "{turned:?}");

    let refused = |arguments: &str| lab.run(arguments).errors();
    assert_eq!(
        refused("experiment study.yaml --vary Kp=-1 --vary plant=kinematik"),
        "--vary Kp=-1: Kp: found -1\n  accepted: a number ≥ 0 [1/s]\n--vary plant=kinematik: plant: found \"kinematik\"\n  \
         accepted: rigid_body, single_track, kinematic\n  hint: did you mean \"kinematic\"?\n"
    );
    lab.write("one.yaml", "duration: 1\n");
    assert_eq!(
        refused("experiment one.yaml --markdown"),
        "--markdown: needs several runs, found one\n  hint: run several with --vary KEY=A,B\n"
    );
    assert_eq!(lab.run("experiment one.yaml --vary speed").status, Some(2));
}

#[test]
fn a_ros_controller_needs_a_build_with_ros() {
    for arguments in ["--controller x", "--vary controller=builtin,x"] {
        let done = skidpad(&format!("experiment config/circle.yaml --duration 1 {arguments}"));
        assert_eq!(done.status, Some(1));
        let reported = "error: controller: this skidpad runs without ROS\n  accepted: skidpad-ros in the same folder\n  hint: make build\n";
        assert_eq!(done.stderr, reported);
    }
}

#[test]
fn what_a_controller_cannot_be_given_is_refused_with_its_place() {
    let lab = Lab::new();
    lab.write("e.yaml", "controller: python3 'x.py\nlatency: 0.1\n");
    let done = lab.run("experiment e.yaml");
    assert_eq!(done.status, Some(1));
    assert!(
        done.stderr.contains("e.yaml:1:1: controller: found \"python3 'x.py\", with a quote that is not closed"),
        "{}",
        done.stderr
    );
    lab.write("e.yaml", "controller: python3 x.py\nlatency: 0.1\n");
    let done = lab.run("experiment e.yaml");
    assert!(done.stderr.contains("e.yaml:2:1: latency: found 0.1\n  accepted: 0 with a controller"), "{}", done.stderr);
}
