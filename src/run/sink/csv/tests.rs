//! Runs of the sink on synthetic frames, with the files read back.

use std::fs::read_to_string;

use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Pose3, Vec2};
use skidpad_sim::world::{LoadOptions, VehicleFrame, VehicleInfo, WheelFrame, WheelInfo, World};

use super::*;

/// Vehicles with one wheel each.
fn scene(names: &[&str], log_path: &str, auto_start: &str) -> Arc<Scene> {
    let text = "<mvsim_world><vehicle name=\"r\"><init_pose>0 0 0</init_pose>\
                <dynamics class=\"differential\"/></vehicle></mvsim_world>";
    let (world, _) = World::load_text("test", Path::new("."), text, &LoadOptions::default()).unwrap();
    let model = &world.scene().vehicles[0];
    let wheel = WheelInfo { position: Vec2::new(0.25, -0.5), ..model.wheels[0].clone() };
    let vehicle = |name: &&str| VehicleInfo {
        name: name.to_string(),
        wheels: vec![wheel.clone()],
        log_path: log_path.into(),
        auto_start_recording: *name == auto_start,
        ..model.clone()
    };
    Arc::new(Scene { vehicles: names.iter().map(vehicle).collect(), ..world.scene().as_ref().clone() })
}

fn frame(step: u64, vehicles: usize) -> Frame {
    let vehicle = |index| VehicleFrame {
        world_from_body: Pose3::from_planar(Pose2::new(step as f64 / 3.0, index as f64, 0.1)),
        wheels: vec![WheelFrame { load: 1e-7, ..WheelFrame::default() }],
        ..VehicleFrame::default()
    };
    Frame {
        time: SimTime(step as i64 * 5_000_000),
        step,
        vehicles: (0..vehicles).map(vehicle).collect(),
        ..Frame::default()
    }
}

/// Time and x of every row of a pose file.
fn rows(path: &Path) -> Vec<(f64, f64)> {
    let mut reader = ::csv::Reader::from_path(path).unwrap();
    let x = reader.headers().unwrap().iter().position(|name| name == "q0x").unwrap();
    reader.records().map(|row| row.unwrap()).map(|row| (row[0].parse().unwrap(), row[x].parse().unwrap())).collect()
}

#[test]
fn every_step_has_its_row_and_numbers_read_back_unchanged() {
    let root = tempfile::tempdir().unwrap();
    let scene = scene(&["r1", "r2"], "elsewhere", "");
    let mut sink = CsvSink::in_directory(&root.path().join("new")).unwrap();
    sink.start(&scene).unwrap();
    for step in 1..=1000 {
        sink.frame(&scene, &frame(step, 2)).unwrap();
    }
    sink.finish().unwrap();
    let session = root.path().join("new/session_001");
    let expected: Vec<(f64, f64)> = (1..=1000).map(|k| (f64::from(k) * 5.0 / 1000.0, f64::from(k) / 3.0)).collect();
    assert_eq!(rows(&session.join("r1_pose.csv")), expected);
    assert_eq!(rows(&session.join("r2_pose.csv")), expected);
    let wheel = read_to_string(session.join("r2_wheel_1.csv")).unwrap();
    let mut lines = wheel.lines();
    assert_eq!(
        lines.next().unwrap(),
        "Timestamp,force_z,friction_x,friction_y,torque,velocity_x,velocity_y,wheel_pos_x,wheel_pos_y,slip_angle,\
         slip_ratio,spin,spin_angle,steer,lifted"
    );
    assert!(lines.next().unwrap().starts_with("0.005,1e-7,0.0,0.0,0.0,0.0,0.0,0.25,-0.5,"));
    assert_eq!(lines.count(), 999);
}

#[test]
fn only_vehicles_with_auto_start_are_recorded_until_a_request() {
    let root = tempfile::tempdir().unwrap();
    let scene = scene(&["r1", "r2"], &format!("{}/run_", root.path().display()), "r2");
    let mut sink = CsvSink::on_request();
    sink.start(&scene).unwrap();
    let mut step = 0;
    let mut steps = |sink: &mut CsvSink, count| {
        for _ in 0..count {
            step += 1;
            sink.frame(&scene, &frame(step, 2)).unwrap();
        }
    };
    steps(&mut sink, 2);
    sink.log(LogRequest::Record(true)).unwrap();
    steps(&mut sink, 3);
    sink.log(LogRequest::Record(false)).unwrap();
    steps(&mut sink, 5);
    sink.log(LogRequest::NewSession).unwrap();
    sink.log(LogRequest::Record(true)).unwrap();
    steps(&mut sink, 4);
    sink.log(LogRequest::Clear).unwrap();
    steps(&mut sink, 1);
    sink.finish().unwrap();
    let count = |file: &str| rows(&root.path().join(file)).len();
    assert_eq!(count("run_session_001/r1_pose.csv"), 3);
    assert_eq!(count("run_session_001/r2_pose.csv"), 5);
    assert_eq!(rows(&root.path().join("run_session_002/r1_pose.csv")), [(0.075, 5.0)]);
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 2);
}

/// From the first recorded vehicle on, for the rows that wait and for the disk that may have failed.
#[test]
fn frames_are_seen_from_the_first_recording_on() {
    let root = tempfile::tempdir().unwrap();
    let path = format!("{}/", root.path().display());
    let (silent, starting) = (scene(&["r1"], &path, ""), scene(&["r1"], &path, "r1"));
    let mut on_request = CsvSink::on_request();
    on_request.start(&silent).unwrap();
    assert!(!on_request.sees_frames());
    for on in [true, false] {
        on_request.log(LogRequest::Record(on)).unwrap();
        assert!(on_request.sees_frames());
    }
    on_request.finish().unwrap();
    let mut by_file = CsvSink::on_request();
    by_file.start(&silent).unwrap();
    by_file.scene_changed(&Arc::new(Scene { vehicles: Vec::new(), ..silent.as_ref().clone() })).unwrap();
    assert!(!by_file.sees_frames());
    by_file.scene_changed(&starting).unwrap();
    assert!(by_file.sees_frames());
    by_file.finish().unwrap();
}

#[test]
fn nothing_is_created_on_disk_without_recording() {
    let root = tempfile::tempdir().unwrap();
    let scene = scene(&["r1"], &format!("{}/", root.path().display()), "");
    let mut sink = CsvSink::on_request();
    sink.start(&scene).unwrap();
    sink.frame(&scene, &frame(1, 1)).unwrap();
    sink.log(LogRequest::Clear).unwrap();
    sink.finish().unwrap();
    assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0);
}

#[test]
fn a_directory_that_cannot_be_created_is_an_error_before_the_run() {
    let error = CsvSink::in_directory(Path::new("/dev/null/logs")).err().unwrap();
    assert_eq!(error.to_string(), "/dev/null/logs: cannot be created: Not a directory (os error 20)");
}

/// `names` with their ids.
fn scene_of(names: &[(&str, u64)]) -> Arc<Scene> {
    let mut scene = Scene::clone(&scene(&names.iter().map(|(name, _)| *name).collect::<Vec<_>>(), "elsewhere", ""));
    for (vehicle, (_, id)) in scene.vehicles.iter_mut().zip(names) {
        vehicle.id = skidpad_sim::world::EntityId(*id);
    }
    Arc::new(scene)
}

#[test]
fn files_follow_added_and_removed_vehicles() {
    let root = tempfile::tempdir().unwrap();
    let mut sink = CsvSink::in_directory(root.path()).unwrap();
    sink.start(&scene_of(&[("r1", 0), ("r2", 1)])).unwrap();
    let mut step = 0;
    let mut run = |sink: &mut CsvSink, scene: &Arc<Scene>| {
        step += 1;
        sink.frame(scene, &frame(step, scene.vehicles.len())).unwrap();
    };
    run(&mut sink, &scene_of(&[("r1", 0), ("r2", 1)]));
    // r1 is removed, so that r2 becomes the first; another r1 is added, and removed again for one more.
    for scene in [scene_of(&[("r2", 1)]), scene_of(&[("r2", 1), ("r1", 2)]), scene_of(&[("r2", 1), ("r1", 3)])] {
        sink.scene_changed(&scene).unwrap();
        run(&mut sink, &scene);
    }
    sink.log(LogRequest::Record(false)).unwrap();
    let scene = scene_of(&[("r2", 1), ("quiet", 4)]);
    sink.scene_changed(&scene).unwrap();
    run(&mut sink, &scene);
    sink.finish().unwrap();
    let session = root.path().join("session_001");
    let times =
        |name: &str| rows(&session.join(name)).iter().map(|(time, _)| (time * 200.0).round()).collect::<Vec<_>>();
    assert_eq!(times("r1_pose.csv"), [1.0]);
    assert_eq!(times("r2_pose.csv"), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(times("r1_2_pose.csv"), [3.0]);
    assert_eq!(times("r1_3_pose.csv"), [4.0]);
    assert!(session.join("r1_3_wheel_1.csv").exists() && !session.join("quiet_pose.csv").exists());
}
