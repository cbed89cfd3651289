//! Recordings as others write them: measurements and commands in files of their own, each with its clock.

use std::fmt::Write;

use super::*;

/// The recording of the other tests as two files: measurements with blanks in between, below a comment that names them, and
/// commands with semicolons and decimal commas. Their clocks differ by `clock` [s].
fn two_files(recording: &str, clock: f64) -> [String; 2] {
    let mut measurements =
        String::from("# Car 1, 12 May\n# time [s]    x [m]    y [m]    heading [deg]    speed [km/h]\n");
    let mut commands = String::from("zeit;lenkung;tempo\n");
    for line in recording.lines().skip(1) {
        let row: Vec<f64> = line.split(',').map(|number| number.parse().unwrap()).collect();
        let [time, steering, speed, x, y, yaw, v] = row[..] else { panic!("{line}") };
        let _ = writeln!(measurements, "{:.3} \t {x:.4} \t {y:.4} \t {yaw:.3} \t {v:.3}", 1e-3 * time + 1000.0);
        let _ = writeln!(commands, "{:.3};{steering};{speed}", 1e-3 * time + 1000.0 - clock);
        let last = commands.split_off(commands.trim_end().rfind('\n').unwrap() + 1);
        commands += &last.replace('.', ",");
    }
    [measurements, commands]
}

const PARTS: &str = "recordings: [{measurements: car_*_pose.dat, commands: car_*_commands.dat}]
columns:
  time: time [s]
  command_time: zeit
  command_steering: lenkung
  command_speed: tempo
  x: x [m]
  y: y [m]
  yaw: {column: \"heading [deg]\", unit: deg}
  vx: {column: \"speed [km/h]\", unit: km/h}
";

fn parts(extra: &str) -> String {
    let (head, sections) = CONFIG.split_once("recordings:").unwrap();
    let (_, sections) = sections.split_once("test:").unwrap();
    format!("{head}{PARTS}{extra}test:{sections}")
}

#[test]
fn measurements_and_commands_come_from_files_of_their_own_with_their_own_clocks() {
    let together = identified_from(CONFIG, &runs(2, DRIVE)).unwrap();
    let folder = folder(&parts(""), &[]);
    let write = |clock: f64| {
        for (k, recording) in runs(2, DRIVE).iter().enumerate() {
            let [measurements, commands] = two_files(recording, clock);
            std::fs::write(folder.path().join(format!("car_{k}_pose.dat")), measurements).unwrap();
            std::fs::write(folder.path().join(format!("car_{k}_commands.dat")), commands).unwrap();
        }
    };
    let identified_from = |config: &str| {
        std::fs::write(folder.path().join("config.yaml"), config).unwrap();
        let config = IdentifyConfig::load(&folder.path().join("config.yaml"))?;
        identify(&config, &[folder.path().to_path_buf()], folder.path(), None, &|_| {})
    };
    let compare = |apart: &Identified, notes: usize| {
        assert_eq!(apart.notes.len(), notes, "{:?}", apart.notes);
        for (apart, together) in apart.estimates.iter().zip(&together.estimates) {
            let near = 0.3 * together.certainty.half_width;
            assert!((apart.value - together.value).abs() < near, "{apart:?} {together:?}");
        }
    };
    write(0.0);
    compare(&identified_from(&parts("")).unwrap(), 0);
    // Clocks with other zeros have to be told.
    write(700.0);
    let error = identified_from(&parts("")).unwrap_err().to_string();
    assert!(
        error.contains("car_0_commands.dat: its times, 300 to 311.98 s, do not overlap those of the measurements, 1000 to 1011.98 s\n  accepted: commands during the measurements\n  hint: if the clocks differ, and the first rows were taken at the same time: measurement: {clock_offset: 700}"),
        "{error}"
    );
    compare(&identified_from(&parts("measurement: {clock_offset: 700}\n")).unwrap(), 0);
    // What has no partner is told.
    std::fs::write(folder.path().join("car_9_pose.dat"), "").unwrap();
    let alone = identified_from(&parts("measurement: {clock_offset: 700}\n")).unwrap();
    assert!(
        alone.notes[0].to_string().contains("car_9_pose.dat: left out: no file of commands, car_*_commands.dat"),
        "{alone:?}"
    );
}

#[test]
fn commands_of_velocities_drive_a_robot() {
    let class = |name: &str, inputs: &str| {
        format!(
            "<vehicle:class name=\"{name}\"><dynamics class=\"unicycle\"><l_wheel pos=\"0 0.1\"/><r_wheel pos=\"0 -0.1\"/><controller class=\"twist_ideal\"/>{inputs}</dynamics></vehicle:class>"
        )
    };
    let text = format!(
        "<mvsim_world><simul_timestep>0.005</simul_timestep>{}<vehicle name=\"a\" class=\"robot\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>",
        class("robot", "<inputs><speed gain=\"0.8\" lag=\"0.2\"/></inputs>")
    );
    let (mut world, _) = World::load_text("secret", Path::new("."), &text, &LoadOptions::default()).unwrap();
    let mut csv = String::from("t,want,turn,x,y,yaw\n");
    for step in 0..2000_u32 {
        let (speed, turn) = (0.5 + 0.2 * f64::from(step / 90 % 4), 0.4 * f64::from(step / 130 % 3) - 0.4);
        if step % 4 == 0 {
            let pose = world.frame().vehicles[0].world_from_body.planar();
            let _ = writeln!(csv, "{},{speed},{turn},{},{},{}", 0.005 * f64::from(step), pose.x, pose.y, pose.yaw);
        }
        let action = Action::Twist(skidpad_math::Twist2::new(speed, 0.0, turn));
        world.command(Command { vehicle: 0, action }).unwrap();
        world.step().unwrap();
    }
    let config =
        "name: found\nvehicle: {file: robot.vehicle.xml, class: robot}\nrecordings: [run.csv]\nvelocity_span: 0.2
columns: {time: t, command_speed: want, command_yaw_rate: turn, x: x, y: y, yaw: yaw}
windows: {length: 1, every: 1, settle: 0}\nnoise: {x: 0.003, y: 0.003, yaw: 0.003}\nunknowns:
  - {at: dynamics/inputs/speed@gain, range: [0.5, 1.5], start: 1}
  - {at: dynamics/inputs/speed@lag, range: [0, 0.5], start: 0.1}\n";
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("robot.vehicle.xml", class("robot", "").as_str()), ("run.csv", &csv), ("config.yaml", config)]
    {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let identify = |text: &str| {
        std::fs::write(folder.path().join("config.yaml"), text).unwrap();
        let config = IdentifyConfig::load(&folder.path().join("config.yaml"))?;
        identify(&config, &[folder.path().to_path_buf()], folder.path(), None, &|_| {})
    };
    let result = identify(config).unwrap();
    assert!(
        (result.estimates[0].value - 0.8).abs() < 0.01 && (result.estimates[1].value - 0.2).abs() < 0.02,
        "{}",
        table(&result.estimates)
    );
    // Without the yaw rate a robot is told nothing that it takes.
    let result = identify(&config.replace("command_yaw_rate: turn, ", ""));
    let error = result.map(|result| table(&result.estimates)).unwrap_err();
    assert!(error.to_string().contains("run.csv: no commands that the class takes\n  accepted: velocity"), "{error}");
}
