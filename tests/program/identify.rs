//! `skidpad identify` and `validate` with the shipped config, on recordings of a bicycle in closed form.

use std::fmt::Write;
use std::path::Path;

use crate::support::Lab;

/// Wheelbase of the class [m], share of the commanded speed that is driven, and of the steering angle that is steered.
const WHEELBASE: f64 = 0.3302;
const SPEED: f64 = 0.9;
const STEERING: f64 = 1.1;

/// A bicycle that follows at once: arcs with commands that change every 0.8 s. The marker is 0.1 m ahead of the rear axle.
pub(crate) fn recording(seed: u64) -> String {
    let mut csv = String::from("time,desired_speed,desired_steering,x,y,yaw,speed\n");
    let (mut x, mut y, mut yaw) = (0.0_f64, 0.0_f64, 0.3_f64);
    for step in 0..400_u64 {
        let turn = (step / 40 + seed) % 7;
        let (speed, steering) = (0.5 + 0.2 * ((step / 40 + 2 * seed) % 5) as f64, 0.08 * turn as f64 - 0.24);
        let (driven, rate) = (SPEED * speed, SPEED * speed * (STEERING * steering).tan() / WHEELBASE);
        let (marker_x, marker_y) = (x + 0.1 * yaw.cos(), y + 0.1 * yaw.sin());
        let _ = writeln!(csv, "{},{speed},{steering},{marker_x},{marker_y},{yaw},{driven}", 0.02 * step as f64);
        let half = 0.01 * rate;
        let chord = 0.02 * driven * if half == 0.0 { 1.0 } else { half.sin() / half };
        (x, y, yaw) = (x + chord * (yaw + half).cos(), y + chord * (yaw + half).sin(), yaw + 2.0 * half);
    }
    csv
}

/// A folder with a recording of this name, the shipped config without the unknowns of which this bicycle has none, and its class.
pub(crate) fn with_recording(name: &str, csv: &str, edit: impl Fn(String) -> String) -> Lab {
    let lab = Lab::new();
    lab.write(name, csv);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lines = std::fs::read_to_string(root.join("config/identify/bicycle.yaml")).unwrap();
    let lines = lines.lines().filter(|line| !line.contains("@lag") && !line.contains("offset, range"));
    lab.write("config.yaml", &edit(lines.collect::<Vec<_>>().join("\n")));
    std::fs::create_dir_all(lab.path().join("worlds/vehicles")).unwrap();
    let class = std::fs::read_to_string(root.join("worlds/vehicles/f1tenth.vehicle.xml")).unwrap();
    lab.write("worlds/vehicles/f1tenth.vehicle.xml", &class);
    lab
}

/// The text of a config with another value of a key.
fn with_key(config: &str, key: &str, value: &str) -> String {
    let line =
        |line: &str| if line.starts_with(&format!("{key}:")) { format!("{key}: {value}") } else { line.to_owned() };
    config.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn texts_of_the_config_and_names_of_files_stay_texts_in_what_is_written() {
    let name = "run_ --> ${HOME} _ <b> _ | c.csv";
    let lab = with_recording(name, &recording(1), |config| {
        let config = with_key(&with_key(&config, "recordings", "[run_*.csv]"), "budget", "3");
        let description = r#"'-${X|-}> --> <include file="secret.xml"/> <!-- | <script>'"#;
        with_key(&with_key(&config, "description", description), "test", "{}")
    });
    let done = lab.run("identify config.yaml --out found");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    lab.write("secret.xml", "<secret/>");
    lab.write("w.world.xml", "<mvsim_world><include file=\"found/my_car.vehicle.xml\"/></mvsim_world>");
    let done = lab.run("check --strict w.world.xml");
    assert!(done.status == Some(0) && !done.stderr.contains("secret"), "{}", done.stderr);
    let markdown = lab.read("found/my_car.md");
    assert!(markdown.contains("&#60;script&#62;") && markdown.contains("&#60;b&#62; _ &#124; c.csv"), "{markdown}");
    let again = lab.run("validate found/my_car.yaml --data . --out page --figure-data");
    assert!(!again.stderr.contains("YAML") && !again.stderr.contains("my_car.yaml:"), "{}", again.stderr);
    // What it writes has the bands of what was found.
    assert!(
        again.stderr.contains("wrote page/my_car.html, page/my_car.window_1.svg, page/my_car.window_1.pdf"),
        "{}",
        again.stderr
    );
    let page = lab.read("page/my_car.html");
    assert!(page.contains("95 % band") && page.contains(" rows within") && !page.contains("<b> _"), "{page}");
    assert!(lab.read("page/my_car.bands.csv").contains(",upper limit of the 95 % band,"));
    assert!(std::fs::read(lab.path().join("found/my_car.bands.pdf")).unwrap().starts_with(b"%PDF"));
    assert_eq!(lab.run("validate found/my_car.yaml --figure-data").status, Some(2));
}

#[test]
fn times_in_another_unit_and_numbers_without_bounds_are_refused_at_once() {
    let nanoseconds = |csv: String| {
        let line = |(index, line): (usize, &str)| match line.split_once(',').filter(|_| index > 0) {
            Some((time, other_cells)) => format!("{},{other_cells}\n", 1e9 * time.parse::<f64>().unwrap()),
            None => format!("{line}\n"),
        };
        csv.lines().enumerate().map(line).collect::<String>()
    };
    let gap = recording(1) + "1000000000,0,0,0,0,0,0\n";
    let span = "its times span";
    for (csv, edit, expected) in [
        (
            nanoseconds(recording(1)),
            ("", ""),
            format!("run_0.csv: {span} 8.0e9 s, with a gap of 2.0e7 s\n  accepted: up to 1e6 s"),
        ),
        (gap, ("", ""), format!("run_0.csv: {span} 1.0e9 s, with a gap of 1.0e9 s\n  accepted: up to 1e6 s")),
        (
            recording(1),
            ("timestep: 0.005", "timestep: 1e-9"),
            "timestep: found 0.000000001\n  accepted: a number from 0.00001 to 0.1 [s]".into(),
        ),
        (
            recording(1),
            ("dynamics/inputs/speed@gain", "dynamics/inputs/speed@gain:99999999999"),
            "the 99999999999th of several numbers\n  accepted: up to :1000".into(),
        ),
    ] {
        let lab = with_recording("run_0.csv", &csv, |config| {
            let config = with_key(&config, "recordings", "[run_*.csv]");
            assert!(config.contains(edit.0), "{config}");
            config.replacen(edit.0, edit.1, 1)
        });
        for command in ["identify", "validate"] {
            let done = lab.run(&format!("{command} config.yaml"));
            assert!(done.status == Some(1) && done.stderr.contains(&expected), "{command}: {}", done.stderr);
        }
    }
}

/// What would give numbers of something else, or none, is refused by both commands with the same message.
#[test]
fn columns_commands_and_windows_that_do_not_fit_are_refused_by_both_commands() {
    const WINDOWS: &str = "length: 1.0                               # [s]; the more windows, the more certain";
    for (edits, expected) in [
        (
            vec![("yaw: yaw ", "yaw: yaww ")],
            "run_0.csv: yaw: no column \"yaww\"\n  accepted: time, desired_speed, desired_steering, x, y, yaw, speed\n  hint: did you mean \"yaw\"?\n",
        ),
        (vec![("  x: x ", "  x: xx ")], "run_0.csv: x: no column \"xx\"\n  accepted: time, desired_speed,"),
        (
            vec![("command_speed: desired_speed", "command_throttle: desired_speed")],
            "run_0.csv: no commands that the class takes\n  accepted: ",
        ),
        (vec![(WINDOWS, "length: 20")], "recordings: no window to "),
    ] {
        let lab = with_recording("run_0.csv", &recording(1), |config| {
            let config = with_key(&with_key(&config, "recordings", "[run_*.csv]"), "test", "{}");
            edits.iter().fold(config, |config, (from, to)| {
                assert!(config.contains(from), "{from}: {config}");
                config.replacen(from, to, 1)
            })
        });
        for command in ["identify", "validate"] {
            let done = lab.run(&format!("{command} config.yaml"));
            assert!(done.status == Some(1) && done.errors().contains(expected), "{command}: {}", done.stderr);
            assert_eq!(done.stdout, "", "{command}");
        }
    }
}

/// A sensor may be missing in some recordings of a car, and recordings may be too short: that is told.
#[test]
fn recordings_that_lack_a_column_or_a_window_and_names_of_test_runs_that_fit_none_are_told() {
    let lab = with_recording("run_0.csv", &recording(1), |config| {
        with_key(&with_key(&config, "recordings", "[run_*.csv]"), "test", "{files: [run_1, run_7]}")
    });
    lab.write("run_1.csv", &recording(2).replacen("speed\n", "v\n", 1));
    let short: Vec<String> = recording(3).lines().take(20).map(str::to_owned).collect();
    lab.write("run_2.csv", &short.join("\n"));
    let done = lab.run("validate config.yaml");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    for reported in [
        "warning: columns: vx: no column \"speed\" in 1 of 3 recordings, such as run_1.csv: left out there\n",
        "warning: recordings: 1 of 3 have no window of 1 s, such as run_2.csv of 0.4 s\n",
        "warning: test: files: no recording has \"run_7\" in its path\n",
    ] {
        assert!(done.stderr.contains(reported), "{reported}{}", done.stderr);
    }
}

#[test]
fn the_shipped_config_identifies_a_bicycle_and_the_written_class_predicts_it() {
    let lab = Lab::new();
    for seed in 0..6 {
        lab.write(&format!("run_{seed}.csv"), &recording(seed));
    }
    // Without the unknowns of which this bicycle has none.
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/identify/bicycle.yaml");
    let lines = std::fs::read_to_string(shipped).unwrap();
    let lines = lines.lines().filter(|line| !line.contains("@lag") && !line.contains("offset, range"));
    lab.write("config.yaml", &lines.collect::<Vec<_>>().join("\n"));
    let vehicles = Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds/vehicles/f1tenth.vehicle.xml");
    let class = std::fs::read_to_string(&vehicles).unwrap();
    std::fs::create_dir_all(lab.path().join("worlds/vehicles")).unwrap();
    lab.write("worlds/vehicles/f1tenth.vehicle.xml", &class);
    let done = lab.run("identify config.yaml --out found");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let value = |name: &str| -> f64 {
        let line =
            done.stdout.lines().find(|line| line.split('|').nth(1).is_some_and(|cell| cell.contains(name))).unwrap();
        line.split('|').nth(2).unwrap().split_whitespace().next().unwrap().parse().unwrap()
    };
    assert!((value("speed@gain") - SPEED).abs() < 0.01, "{}", done.stdout);
    assert!((value("steering@gain") - STEERING).abs() < 0.02, "{}", done.stdout);
    assert!((value("marker_x") - 0.1).abs() < 0.01, "{}", done.stdout);
    assert!(done.stderr.contains("found/my_car.vehicle.xml"), "{}", done.stderr);
    let written = lab.read("found/my_car.vehicle.xml");
    assert!(written.starts_with("<!-- Identified by skidpad identify from run_0.csv, run_1.csv, "), "{written}");
    // The class is one for worlds.
    lab.write(
        "w.world.xml",
        "<mvsim_world><include file=\"found/my_car.vehicle.xml\"/><vehicle name=\"a\" class=\"my_car\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>",
    );
    let checked = lab.run("check w.world.xml");
    assert_eq!(checked.status, Some(0), "{}", checked.stderr);
    let scored = lab.run("validate config.yaml --vehicle found/my_car.vehicle.xml --class my_car");
    assert_eq!(scored.status, Some(0), "{}", scored.stderr);
    assert!(scored.stdout.contains("| position [m] | 0.0"), "{}", scored.stdout);
}

#[test]
fn a_config_that_is_none_is_explained() {
    let lab = Lab::new();
    lab.write("c.yaml", "name: a\nvehicle: {file: nowhere.xml, class: b}\nrecordings: [a.csv]\ncolumns: {time: t}\nnoise: {x: 1}\nunknowns: []\n");
    let done = lab.run("identify c.yaml");
    assert_eq!(done.status, Some(1));
    assert_eq!(
        done.errors(),
        "nowhere.xml: not found\n  accepted: a file beside the config, or one of worlds/vehicles\n"
    );
    let done = lab.run("identify none.yaml");
    assert_eq!(done.status, Some(1));
    assert!(done.stderr.starts_with("error: none.yaml: cannot be read: No such file"), "{}", done.stderr);
}

/// A run of skidpad with secret inputs, recorded as MCAP, is identified blind.
#[test]
fn a_recorded_run_is_identified_blind() {
    let lab = Lab::new();
    let class = |name: &str, inputs: &str| {
        format!(
            "<vehicle:class name=\"{name}\"><dynamics class=\"kinematic_bicycle\"><rl_wheel pos=\"0 0.1\"/><rr_wheel pos=\"0 -0.1\"/><fl_wheel/><fr_wheel/>\
             <f_wheels_x>0.3</f_wheels_x><f_wheels_d>0.2</f_wheels_d>\
             <chassis><shape><pt>0 -0.1</pt><pt>0 0.1</pt><pt>0.3 0.1</pt><pt>0.3 -0.1</pt></shape></chassis>{inputs}</dynamics></vehicle:class>"
        )
    };
    let secret = "<inputs><speed gain=\"0.9\" lag=\"0.2\"/><steering gain=\"1.2\" delay=\"0.07\"/></inputs>";
    lab.write("car.vehicle.xml", &class("car", ""));
    lab.write(
        "secret.world.xml",
        &format!(
            "<mvsim_world>{}<vehicle name=\"a\" class=\"secret\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>",
            class("secret", secret)
        ),
    );
    let mut commands = String::from("time,vehicle,speed,steering_angle\n");
    for k in 0..40_u64 {
        let _ = writeln!(
            commands,
            "{},a,{},{}",
            0.5 * k as f64,
            0.6 + 0.3 * ((k * 7) % 4) as f64,
            0.1 * ((k * 5) % 7) as f64 - 0.3
        );
    }
    lab.write("drive.csv", &commands);
    let done =
        lab.run("run secret.world.xml --headless --rate max --duration 20 --commands drive.csv --record run.mcap");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let config = "name: found\nvehicle: {file: car.vehicle.xml, class: car}\nrecordings: [run.mcap]\nwindows: {length: 1, every: 1, settle: 0.5}\n\
         noise: {x: 0.01, y: 0.01, yaw: 0.01, vx: 0.02}\nunknowns:\n\
         - {at: dynamics/inputs/speed@gain, range: [0.5, 1.5], start: 1}\n- {at: dynamics/inputs/speed@lag, range: [0, 0.5], start: 0.1}\n\
         - {at: dynamics/inputs/steering@gain, range: [0.5, 2], start: 1}\n- {at: dynamics/inputs/steering@delay, range: [0, 0.2], start: 0.02}\n";
    lab.write("config.yaml", config);
    let done = lab.run("identify config.yaml --out found");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    for (row, truth, tolerance) in [(0, 0.9, 0.01), (1, 0.2, 0.02), (2, 1.2, 0.02), (3, 0.07, 0.01)] {
        let line = done.stdout.lines().nth(2 + row).unwrap();
        let value: f64 = line.split('|').nth(2).unwrap().split_whitespace().next().unwrap().parse().unwrap();
        assert!((value - truth).abs() < tolerance, "{truth}: {}", done.stdout);
    }
    // Other topics, and those that are not there.
    lab.write("other.yaml", &config.replace("recordings:", "topics: {pose: /odom, command: /nothing}\nrecordings:"));
    let done = lab.run("identify other.yaml --out other");
    assert_eq!(done.status, Some(1));
    assert!(done.errors().starts_with("run.mcap: ") || done.errors().starts_with("./run.mcap: "), "{}", done.errors());
    assert!(done.stderr.contains("/nothing"), "{}", done.stderr);
}

/// A car with pedals, an inertial sensor and wheels of 55 mm radius; `inputs` are its secret.
fn pedal_car(name: &str, inputs: &str) -> String {
    let rear = ["rl_wheel pos=\"0 0.15\"", "rr_wheel pos=\"0 -0.15\"", "fl_wheel", "fr_wheel"];
    let wheels = rear.map(|wheel| format!("<{wheel} mass=\"0.3\" diameter=\"0.11\" width=\"0.04\"/>")).concat();
    format!(
        "<vehicle:class name=\"{name}\"><dynamics class=\"ackermann_drivetrain\">{wheels}<f_wheels_x>0.3</f_wheels_x><f_wheels_d>0.3</f_wheels_d>\
         <chassis mass=\"4\" zmin=\"0.03\" zmax=\"0.15\"><shape><pt>-0.05 -0.1</pt><pt>-0.05 0.1</pt><pt>0.35 0.1</pt><pt>0.35 -0.1</pt></shape></chassis>\
         {inputs}<drivetrain type=\"open_rear\"/><resistance><C_r0>0.02</C_r0></resistance>\
         <controller class=\"pedals\"><max_torque>1</max_torque></controller></dynamics>\
         <sensor class=\"imu\" name=\"imu\"><sensor_period>0.01</sensor_period></sensor></vehicle:class>"
    )
}

#[test]
fn pedals_accelerations_and_wheel_speeds_come_from_a_recording_with_messages() {
    let lab = Lab::new();
    let secret = "<inputs><throttle gain=\"0.8\" lag=\"0.15\"/><steering gain=\"1.2\"/></inputs>";
    lab.write("car.vehicle.xml", &pedal_car("car", ""));
    lab.write(
        "secret.world.xml",
        &format!(
            "<mvsim_world>{}<vehicle name=\"a\" class=\"secret\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>",
            pedal_car("secret", secret)
        ),
    );
    let mut drive = String::from("time,vehicle,throttle,brake,gear,steering_angle\n");
    for k in 0..24_u64 {
        let brake = if k % 6 == 5 { 0.3 } else { 0.0 };
        let throttle = if brake > 0.0 { 0.0 } else { 0.2 + 0.2 * ((k * 7) % 4) as f64 };
        let steering = 0.05 * ((k * 5) % 7) as f64 - 0.15;
        let _ = writeln!(drive, "{},a,{throttle},{brake},drive,{steering}", 0.5 * k as f64);
    }
    lab.write("drive.csv", &drive);
    let done =
        lab.run("run secret.world.xml --headless --rate max --duration 12 --commands drive.csv --record run.mcap");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    // No velocities of the poses: what is fitted comes from the inertial sensor and the wheels.
    let config = "name: found\nvehicle: {file: car.vehicle.xml, class: car}\nrecordings: [run.mcap]\n\
         topics: {imu: imu, joint_states: {topic: /joint_states, joints: [rl_wheel, rr_wheel, fl_wheel, fr_wheel], wheel_radius: 0.055}}\n\
         noise: {ax: 0.1, wheel_speed: 0.02, yaw_rate: 0.02}\nunknowns:\n\
         - {at: dynamics/inputs/throttle@gain, range: [0.5, 1.5], start: 1}\n- {at: dynamics/inputs/throttle@lag, range: [0, 0.5], start: 0.05}\n\
         - {at: dynamics/inputs/steering@gain, range: [0.5, 2], start: 1}\n";
    lab.write("config.yaml", config);
    let done = lab.run("identify config.yaml --out found");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    for (row, truth, tolerance) in [(0, 0.8, 0.01), (1, 0.15, 0.015), (2, 1.2, 0.05)] {
        let line = done.stdout.lines().nth(2 + row).unwrap();
        let value: f64 = line.split('|').nth(2).unwrap().split_whitespace().next().unwrap().parse().unwrap();
        assert!((value - truth).abs() < tolerance, "{truth}: {}", done.stdout);
    }
    for (written, wrong, expected) in [
        ("imu: imu", "imu: gyro", "no sensor_msgs/msg/Imu on /gyro\n  accepted: /imu\n"),
        (
            "[rl_wheel, rr",
            "[rl_whel, rr",
            "no joint \"rl_whel\" on /joint_states\n  accepted: rl_wheel, rr_wheel, fl_wheel, fl_wheel_steer, fr_wheel, fr_wheel_steer\n  hint: did you mean \"rl_wheel\"?\n",
        ),
        ("topics: {", "topics: {command: /nothing, ", "has no topic /nothing\n"),
        (
            "wheel_radius: 0.055",
            "wheel_radius: 0",
            "config.yaml:4:20: joint_states: joints or wheel_radius is missing\n  \
             accepted: {topic: NAME, joints: [NAMES of the wheels' joints], wheel_radius: a positive number of m}\n",
        ),
    ] {
        lab.write("config.yaml", &config.replace(written, wrong));
        let done = lab.run("identify config.yaml --out other");
        assert_eq!(done.status, Some(1));
        assert!(done.stderr.contains(expected), "{expected}{}", done.stderr);
    }
}

/// Measurements and commands of two robots, as a data set has them: a folder of each day, a comment as head, and the times of a clock.
/// The robots drive 0.95 of what they are told and turn 0.9 of it.
fn two_days_of_robots(lab: &Lab) {
    for (day, robot) in [(6, 1), (6, 2), (7, 1), (7, 2)] {
        let mut poses = String::from("# a set of robots\n# Time [s]    x [m]    y [m]    orientation [rad]\n");
        let mut commands = String::from("# Time [s]    forward velocity [m/s]    angular velocity[rad/s]\n");
        let (mut x, mut y, mut yaw) = (1.0_f64, -2.0_f64, 0.3_f64);
        let (mut v, mut w) = (0.0, 0.0);
        for step in 0..1200_u64 {
            let time = 1_248_444_175.0 + 0.05 * step as f64;
            if step % 30 == 0 {
                let turn = (step / 30 * 5 + day + robot) % 7;
                (v, w) = (0.1 + 0.1 * ((step / 30 + day) % 3) as f64, 0.2 * turn as f64 - 0.6);
                let _ = writeln!(commands, "{time:.3} \t {v:.3} \t {w:.3}");
            }
            let _ = writeln!(poses, "{time:.3} \t {x:.6} \t {y:.6} \t {:.6}", yaw.sin().atan2(yaw.cos()));
            let (driven, half) = (0.95 * v, 0.5 * 0.9 * w * 0.05);
            let chord = 0.05 * driven * if half == 0.0 { 1.0 } else { half.sin() / half };
            (x, y, yaw) = (x + chord * (yaw + half).cos(), y + chord * (yaw + half).sin(), yaw + 2.0 * half);
        }
        let folder = format!("MRCLAM_Dataset{day}");
        std::fs::create_dir_all(lab.path().join(&folder)).unwrap();
        lab.write(&format!("{folder}/Robot{robot}_Groundtruth.dat"), &poses);
        lab.write(&format!("{folder}/Robot{robot}_Odometry.dat"), &commands);
    }
}

/// The shipped config for robots with two wheels, on files with the layout of the set for which it is made.
#[test]
fn robots_are_identified_with_their_odometry_from_poses_and_velocities_in_files_of_their_own() {
    let lab = Lab::new();
    two_days_of_robots(&lab);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = std::fs::read_to_string(root.join("config/identify/create.yaml")).unwrap();
    let left_out = ["delay", "lag,", "@lag", "marker", "heading_offset"];
    let lines =
        config.lines().filter(|line| !line.starts_with("  - {at") || !left_out.iter().any(|out| line.contains(out)));
    lab.write("config.yaml", &lines.map(|line| format!("{line}\n")).collect::<String>());
    std::fs::create_dir_all(lab.path().join("worlds/vehicles")).unwrap();
    let class = std::fs::read_to_string(root.join("worlds/vehicles/create.vehicle.xml")).unwrap();
    lab.write("worlds/vehicles/create.vehicle.xml", &class);
    let done = lab.run("identify config.yaml --out found");
    assert_eq!((done.status, done.stderr.contains("warning")), (Some(0), false), "{}", done.stderr);
    for (row, truth) in [(0, 0.95), (1, 0.9), (2, 0.0)] {
        let line = done.stdout.lines().nth(2 + row).unwrap();
        let value: f64 = line.split('|').nth(2).unwrap().split_whitespace().next().unwrap().parse().unwrap();
        assert!((value - truth).abs() < 0.005, "{truth}: {}", done.stdout);
    }
    // Both days have files of the same names.
    let robot = |line: &&str| line.starts_with("| MRCLAM_Dataset7/Robot2_Groundtruth.dat, not fitted | ");
    let row = done.stdout.lines().find(robot).unwrap();
    assert!(row.contains(" 1.05") && row.contains(" 1.11"), "{row}");
    let element = done.stdout.split_once('`').map(|(_, element)| element).unwrap();
    let element = element.split_once("<odometry ").unwrap().1.split_once('`').unwrap().0;
    let multiplier = |name: &str| -> f64 {
        element.split_once(&format!("{name}=\"")).unwrap().1.split('"').next().unwrap().parse().unwrap()
    };
    assert!((multiplier("x_multiplier") * 0.95 - 1.0).abs() < 2e-3, "{element}");
    assert!((multiplier("yaw_multiplier") * 0.9 - 1.0).abs() < 2e-3, "{element}");
    // A vehicle takes the element as it is written; its models are where the class expects them.
    let models = lab.path().join("models");
    std::fs::create_dir(&models).unwrap();
    for name in ["create.glb", "create_wheel.glb"] {
        std::fs::copy(root.join("worlds/models").join(name), models.join(name)).unwrap();
    }
    lab.write(
        "worlds/w.world.xml",
        &format!(
            "<mvsim_world>{}<vehicle name=\"a\" class=\"create\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>",
            class.replace("</vehicle:class>", &format!("<odometry {element}</vehicle:class>"))
        ),
    );
    let checked = lab.run("check --strict worlds/w.world.xml");
    assert_eq!(checked.status, Some(0), "{}", checked.stderr);
}

/// `validate` says how many rows of further recordings lie within the bands that `identify` has written, and has the errors of a prediction
/// with observed trims beside those of the class.
#[test]
fn bands_and_observed_trims_go_from_identify_to_validate() {
    let with_trims = |trims: &'static str| {
        move |config: String| {
            let config = with_key(&with_key(&config, "recordings", "[run_*.csv]"), "test", "{files: [run_9]}");
            format!("{}\nobserve: {{span: 1.0, trims: {trims}}}\n", with_key(&config, "budget", "60"))
        }
    };
    let lab = with_recording("run_0.csv", &recording(1), with_trims("{steering_trimm: 0.05}"));
    let done = lab.run("validate config.yaml");
    let expected = "no \"steering_trimm\"\n  accepted: marker_x, ";
    assert!(done.status == Some(1) && done.stderr.contains(expected), "{}", done.stderr);
    let lab = with_recording("run_0.csv", &recording(1), with_trims("{steering_trim: 0.05}"));
    for (run, seed) in [(1, 2), (2, 3), (9, 4)] {
        lab.write(&format!("run_{run}.csv"), &recording(seed));
    }
    let done = lab.run("identify config.yaml --out found");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    let done = lab.run("validate found/my_car.yaml --data .");
    for expected in [
        "| recordings to predict | trims observed | state held |",
        "| 95 % band of errors, recordings to predict | position [m] | ",
    ] {
        assert!(done.stdout.contains(expected), "{}", done.stdout);
    }
    let done = lab.run("validate found/my_car.yaml --data . --json");
    let answer: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let predicted = &answer["result"]["predict"];
    let band = &predicted["bands"][0];
    assert!(band["quantity"] == "position" && band["count"].as_u64() > Some(100), "{band}");
    assert_eq!(band["count"], band["recordings"][0]["count"], "{band}");
    assert!(predicted["trims_observed"][0]["rms"].is_f64(), "{predicted}");
}
