//! Short runs that are recorded and replayed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use mcap::MessageStream;
use mcap::records::MessageHeader;
use skidpad_math::Twist2;
use skidpad_record::{Compression, RecordOptions, Recorder, TopicFilter};
use skidpad_ros_data::preset::{F1TENTH_GYM_ROS, PRESETS, RACECAR_GAZEBO, ROS2_CONTROL, TURTLEBOT3};
use skidpad_run::sink::Sink;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};
use skidpad_view::channels::{Channel, VEHICLE, WHEEL};
use tempfile::TempDir;

use super::*;

mod actors;
mod frame_names;
mod ghosts;
mod kinds;
mod players;
mod sensor_data;
mod whole;

const CAR: &str = r#"<vehicle name="car"><init_pose>1 2 30</init_pose><dynamics class="ackermann"><controller class="front_steer_pid"/></dynamics>
  <sensor class="laser" name="front"><pose_3d>0.5 0 0.3 0 0 0</pose_3d><nrays>11</nrays><sensor_period>0.025</sensor_period></sensor></vehicle>
  <block name="wall"><init_pose>9 2 0</init_pose></block>"#;

/// The notes of a recording as they are printed.
fn texts(replay: &Replay) -> Vec<String> {
    replay.notes().iter().map(ToString::to_string).collect()
}

/// A recorded run.
struct Taken {
    _folder: TempDir,
    path: PathBuf,
    /// The state that viewers would have had at each step [ns].
    states: BTreeMap<i64, ViewState>,
}

fn world(inner: &str) -> World {
    let text = format!("<mvsim_world><simul_timestep>0.005</simul_timestep>{inner}</mvsim_world>");
    World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).unwrap().0
}

/// Two seconds of a world whose vehicles drive in curves.
fn take(inner: &str, options: RecordOptions) -> Taken {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let mut world = world(inner);
    let mut recorder = Recorder::create(&path, options).unwrap();
    recorder.start(world.scene()).unwrap();
    let mut states = BTreeMap::new();
    for step in 0..400 {
        if step % 40 == 0 {
            for vehicle in 0..world.scene().vehicles.len() {
                let accepts = world.scene().vehicles[vehicle].accepts;
                let turn = 0.01 * f64::from(step - 150) / 10.0;
                let action = match accepts.ackermann {
                    true => Action::Ackermann { speed: 2.0, steering_angle: turn },
                    false => Action::Twist(Twist2::new(1.0, 0.0, 3.0 * turn)),
                };
                world.command(Command { vehicle, action }).unwrap();
            }
        }
        world.step().unwrap();
        recorder.frame(world.scene(), world.frame()).unwrap();
        let mut state = ViewState::default();
        state.fill(0, world.frame());
        states.insert(state.time.0, state);
    }
    recorder.finish().unwrap();
    Taken { _folder: folder, path, states }
}

/// The same recording without the vehicles' own `VehicleState`.
fn take_without_states(inner: &str, options: RecordOptions) -> Taken {
    let whole = take(inner, options.clone());
    let bytes = fs::read(&whole.path).unwrap();
    let topics = MessageStream::new(&bytes).unwrap().map(|message| message.unwrap().channel.topic.clone());
    let topics = TopicFilter::only(topics.filter(|topic| !topic.ends_with("vehicle_state")).collect::<BTreeSet<_>>());
    take(inner, RecordOptions { topics, ..options })
}

fn state(replay: &Replay) -> ViewState {
    let mut state = ViewState::default();
    replay.fill(&mut state);
    state
}

/// A value of a vehicle, or with a number that of one of its wheels.
fn value(state: &ViewState, vehicle: usize, wheel: Option<usize>, name: &str) -> f64 {
    let find =
        |table: &[Channel]| table.iter().position(|channel| channel.name == name).unwrap_or_else(|| panic!("{name}"));
    let start = vehicle * (VEHICLE.len() + 4 * WHEEL.len());
    let (index, channel) = match wheel {
        None => (start + find(&VEHICLE), VEHICLE[find(&VEHICLE)]),
        Some(wheel) => (start + VEHICLE.len() + wheel * WHEEL.len() + find(&WHEEL), WHEEL[find(&WHEEL)]),
    };
    state.counts[index] as f64 * channel.resolution
}

/// The content of a recording about a vehicle at an instant of its odometry.
const OF_VEHICLES: [&str; 13] =
    ["x", "y", "z", "yaw", "pitch", "roll", "vx", "vy", "yaw_rate", "odom_x", "odom_y", "odom_yaw", "colliding"];
const OF_WHEELS: [&str; 9] =
    ["steer", "spin_angle", "spin", "torque", "load", "force_x", "force_y", "slip_ratio", "slip_angle"];

#[track_caller]
fn assert_same(actual: &ViewState, wanted: &ViewState, vehicles: usize) {
    assert_eq!(actual.time, wanted.time);
    for vehicle in 0..vehicles {
        let places = OF_VEHICLES.iter().map(|name| (None, *name));
        let wheels = (0..4).flat_map(|wheel| OF_WHEELS.iter().map(move |name| (Some(wheel), *name)));
        for (wheel, name) in places.chain(wheels) {
            let [a, b] = [actual, wanted].map(|state| value(state, vehicle, wheel, name));
            // Rotations pass through quaternions, so a count may be rounded the other way.
            assert!((a - b).abs() < 2e-2 * (1.0 + b.abs()) && (name != "x" || (a - b).abs() < 2e-3), "{name}: {a} {b}");
        }
    }
}

#[test]
fn every_recorded_instant_is_shown_identically_from_any_direction() {
    for compression in [Compression::None, Compression::Zstd, Compression::Lz4] {
        let taken = take(CAR, RecordOptions { compression, ..RecordOptions::default() });
        let mut replay = Replay::open(&taken.path).unwrap();
        assert!(replay.notes().is_empty(), "{:?}", replay.notes());
        assert_eq!(replay.span(), (SimTime(20_000_000), SimTime(2_000_000_000)));
        let mut played = Vec::new();
        loop {
            let now = state(&replay);
            assert_same(&now, &taken.states[&now.time.0], 1);
            assert_eq!(now.time, replay.now());
            for (wheel, name) in (0..4).flat_map(|wheel| [(wheel, "wheel_vx"), (wheel, "wheel_vy")]) {
                let [actual, wanted] =
                    [&now, &taken.states[&now.time.0]].map(|state| value(state, 0, Some(wheel), name));
                // The value of a frame is from the beginning of its step.
                assert!((actual - wanted).abs() < 0.05, "{name} of {wheel}: {actual} {wanted}");
            }
            played.push(now);
            if !replay.step() {
                break;
            }
        }
        assert_eq!(played.len(), 100);
        // Back and forth.
        for index in [99, 3, 50, 51, 0, 98, 2, 77] {
            replay.seek(played[index].time + SimTime(7_000_000));
            assert_eq!(state(&replay), played[index], "{index}");
        }
        replay.seek(SimTime::from_secs(-5.0));
        assert_eq!(state(&replay), played[0]);
        replay.seek(SimTime::from_secs(99.0));
        assert_eq!(state(&replay), played[99]);
    }
}

#[test]
fn commands_are_shown_as_long_as_they_hold() {
    let taken = take_without_states(CAR, RecordOptions::default());
    let mut replay = Replay::open(&taken.path).unwrap();
    for (time, steer) in [(0.1, -0.15), (1.0, 0.05), (0.5, -0.07), (1.99, 0.21)] {
        replay.seek(SimTime::from_secs(time));
        let now = state(&replay);
        assert!((value(&now, 0, None, "wanted_steer") - steer).abs() < 1e-3, "{time}: {now:?}");
        assert_eq!(value(&now, 0, None, "wanted_vx"), 2.0);
        assert_eq!(value(&now, 0, None, "driver"), 0.0);
    }
}

#[test]
fn scans_have_the_pose_of_their_instant() {
    let taken = take(CAR, RecordOptions::default());
    let mut replay = Replay::open(&taken.path).unwrap();
    // 25 ms apart, every other time between two poses of the odometry.
    for time in [1.0, 1.025, 0.375, 1.98] {
        replay.seek(SimTime::from_secs(time));
        let mut scans = Vec::new();
        replay.fill_scans(&mut scans);
        let [Some(scan)] = &scans[..] else { panic!("{scans:?}") };
        assert!(scan.time.0 <= replay.now().0 && replay.now().0 - scan.time.0 < 25_000_000, "{time}: {}", scan.time);
        let then = &taken.states[&scan.time.0];
        let (x, y, yaw) = (value(then, 0, None, "x"), value(then, 0, None, "y"), value(then, 0, None, "yaw"));
        let pose = scan.world_from_sensor;
        let (dx, dy) = (pose.x - x - 0.5 * yaw.cos(), pose.y - y - 0.5 * yaw.sin());
        assert!(
            dx.hypot(dy) < 5e-3 && (pose.z - 0.3).abs() < 1e-6 && (pose.yaw - yaw).abs() < 2e-3,
            "{time}: {pose:?}"
        );
        assert_eq!((scan.ranges.len(), scan.vehicle, scan.sensor), (11, 0, 0));
    }
}

#[test]
fn several_vehicles_are_distinguished_by_their_namespaces() {
    let two = format!(
        "{}{}",
        CAR.split("<block").next().unwrap(),
        CAR.replace("\"car\"", "\"car two\"").replace("1 2 30", "0 9 0")
    );
    let taken = take(&two, RecordOptions::default());
    let mut replay = Replay::open(&taken.path).unwrap();
    for time in [0.3, 1.9, 0.8] {
        replay.seek(SimTime::from_secs(time));
        let now = state(&replay);
        assert_same(&now, &taken.states[&now.time.0], 2);
    }
    let mut scans = Vec::new();
    replay.fill_scans(&mut scans);
    assert!(scans.len() == 2 && scans.iter().flatten().map(|scan| scan.vehicle).eq([0, 1]), "{scans:?}");
    let names: Vec<String> = replay.shown().scene.vehicles.iter().map(|vehicle| vehicle.name.clone()).collect();
    assert_eq!(names, ["car", "car two"]);
}

#[test]
fn vehicles_are_found_by_the_names_of_every_preset() {
    let car = CAR.replace("1 2 30", "0 0 0");
    for preset in PRESETS.into_iter().chain(RACECAR_GAZEBO.with_true_map_to_odom) {
        let taken = take_without_states(&car, RecordOptions { preset, ..RecordOptions::default() });
        let mut replay = Replay::open(&taken.path).unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        assert_eq!(replay.topic_roles.recorded_vehicles.len(), 1, "{}: {:?}", preset.name, replay.topic_roles);
        let knows_truth = replay.topic_roles.recorded_vehicles[0].poses[0].0 == Role::Truth;
        for time in [0.4, 1.9, 1.0] {
            replay.seek(SimTime::from_secs(time));
            let now = state(&replay);
            let then = &taken.states[&now.time.0];
            // Odometry slips.
            let most = if knows_truth { 2e-3 } else { 0.1 };
            for name in ["x", "y", "yaw", "vx", "vy"] {
                let off = value(&now, 0, None, name) - value(then, 0, None, name);
                assert!(off.abs() < most, "{}: {name} at {time} is off by {off}", preset.name);
            }
            assert!(now.time.0 > 1_000_000 * ((1000.0 * time) as i64 - 60), "{}: {}", preset.name, now.time);
        }
        let mut scans = Vec::new();
        replay.fill_scans(&mut scans);
        assert!(matches!(&scans[..], [Some(_)]), "{}: {scans:?}", preset.name);
    }
}

/// A copy of the recording with these log times and additional messages at its end.
fn rewritten(path: &Path, time: impl Fn(u64) -> u64, more: impl FnOnce(&mut mcap::Writer<Cursor<Vec<u8>>>)) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    let mut writer = mcap::WriteOptions::new().chunk_size(Some(20_000)).create(Cursor::new(Vec::new())).unwrap();
    let mut channels = BTreeMap::new();
    for message in MessageStream::new(&bytes).unwrap() {
        let message = message.unwrap();
        let schema = message.channel.schema.as_ref().unwrap();
        let channel_id = *channels.entry(message.channel.topic.clone()).or_insert_with(|| {
            let schema = writer.add_schema(&schema.name, &schema.encoding, &schema.data).unwrap();
            writer.add_channel(schema, &message.channel.topic, "cdr", &BTreeMap::new()).unwrap()
        });
        let log_time = time(message.log_time);
        let header = MessageHeader { channel_id, sequence: 0, log_time, publish_time: log_time };
        writer.write_to_known_channel(&header, &message.data).unwrap();
    }
    more(&mut writer);
    writer.finish().unwrap();
    writer.into_inner().into_inner()
}

#[test]
fn cars_of_a_preset_that_distinguishes_them_by_words_are_found() {
    let car = |name: &str, pose: &str| CAR.replace("\"car\"", name).replace("1 2 30", pose);
    let cars = format!("{}{}", car("\"a\"", "0 0 0").split("<block").next().unwrap(), car("\"b\"", "0 9 0"));
    let options = RecordOptions { preset: &F1TENTH_GYM_ROS, ..RecordOptions::default() };
    let taken = take(&cars, options);
    let mut replay = Replay::open(&taken.path).unwrap();
    replay.seek(SimTime::from_secs(1.5));
    let now = state(&replay);
    for vehicle in [0, 1] {
        for name in ["x", "y", "yaw", "vx"] {
            let off = value(&now, vehicle, None, name) - value(&taken.states[&now.time.0], vehicle, None, name);
            assert!(off.abs() < 2e-3, "{vehicle}: {name} is off by {off}");
        }
    }
}

#[test]
fn each_namespace_has_its_own_transform_tree() {
    use skidpad_ros_data::message::cdr;
    use skidpad_ros_data::message::{Header, Quaternion, TFMessage, Transform, TransformStamped, Vector3};
    let two = format!(
        "{}{}",
        CAR.split("<block").next().unwrap(),
        CAR.replace("\"car\"", "\"car two\"").replace("1 2 30", "0 9 0")
    );
    let taken = take_without_states(&two, RecordOptions { preset: &TURTLEBOT3, ..RecordOptions::default() });
    // As one localization per namespace would publish it.
    let bytes = rewritten(
        &taken.path,
        |time| time,
        |writer| {
            let schema = writer.add_schema("tf2_msgs/msg/TFMessage", "ros2msg", b"").unwrap();
            for (name, x, y, yaw) in [("/car/tf", 1.0, 2.0, 30_f64), ("/car_two/tf", 0.0, 9.0, 0.0)] {
                let half = yaw.to_radians() / 2.0;
                let rotation = Quaternion { z: half.sin(), w: half.cos(), ..Quaternion::default() };
                let transform = Transform { translation: Vector3 { x, y, z: 0.0 }, rotation };
                let header = Header { frame_id: "map".into(), ..Header::default() };
                let map_from_odom = TransformStamped { header, child_frame_id: "odom".into(), transform };
                let mut data = Vec::new();
                cdr::write(&TFMessage { transforms: vec![map_from_odom] }, None, &mut data).unwrap();
                let channel_id = writer.add_channel(schema, name, "cdr", &BTreeMap::new()).unwrap();
                let header = MessageHeader { channel_id, sequence: 0, log_time: 1, publish_time: 1 };
                writer.write_to_known_channel(&header, &data).unwrap();
            }
        },
    );
    fs::write(&taken.path, bytes).unwrap();
    let mut replay = Replay::open(&taken.path).unwrap();
    assert!(
        replay.topic_roles.recorded_vehicles.iter().all(|recorded| recorded.poses[0].0 == Role::Odometry),
        "{replay}"
    );
    for time in [0.3, 1.9, 0.8] {
        replay.seek(SimTime::from_secs(time));
        let now = state(&replay);
        for vehicle in [0, 1] {
            let pose = replay.state.pose(vehicle);
            let then = ["x", "y", "yaw"].map(|name| value(&taken.states[&now.time.0], vehicle, None, name));
            let off = [pose.x - then[0], pose.y - then[1], pose.yaw - then[2]];
            assert!(off.iter().all(|off| off.abs() < 0.1), "{vehicle} at {time} is off by {off:?}");
        }
        let mut scans = Vec::new();
        replay.fill_scans(&mut scans);
        for (vehicle, scan) in scans.iter().flatten().enumerate() {
            let pose = scan.world_from_sensor;
            let body = replay.state.pose(vehicle);
            assert!((pose.x - body.x).hypot(pose.y - body.y) < 0.7, "{vehicle}: {pose:?}");
        }
        assert_eq!(scans.iter().flatten().count(), 2);
    }
}

#[test]
fn a_scene_has_no_map_of_another_world() {
    let load = |map: &str| {
        let map = format!("<element class=\"occupancy_grid\"><file>maps/{map}.yaml</file></element>");
        let text = format!("<mvsim_world><simul_timestep>0.005</simul_timestep>{map}{CAR}</mvsim_world>");
        World::load_text(
            "w.xml",
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds"),
            &text,
            &LoadOptions::default(),
        )
        .unwrap()
        .0
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let mut worlds = [load("office"), load("racetrack")];
    let mut recorder = Recorder::create(&path, RecordOptions::default()).unwrap();
    recorder.start(worlds[0].scene()).unwrap();
    for step in 0..200 {
        if step == 100 {
            recorder.scene_changed(worlds[1].scene()).unwrap();
        }
        for world in &mut worlds {
            world.step().unwrap();
        }
        let world = &worlds[step / 100];
        recorder.frame(world.scene(), world.frame()).unwrap();
    }
    recorder.finish().unwrap();
    let maps = |replay: &Replay| {
        let shown = replay.shown();
        (shown.scene.maps.iter().map(|map| map.cells).collect::<Vec<_>>(), shown.maps.len())
    };
    let shown = |path: &Path| {
        let mut replay = Replay::open(path).unwrap();
        let first = maps(&replay);
        replay.seek(replay.span().1);
        assert_eq!(replay.scene(), 1);
        [first, maps(&replay)]
    };
    assert_eq!(shown(&path), [(vec![[400, 300]], 1), (vec![[400, 240]], 1)]);
    // Until it is recorded again its instant is left out.
    let bytes = fs::read(&path).unwrap();
    let second = MessageStream::new(&bytes).unwrap().map(Result::unwrap).filter(|m| m.channel.topic == "/map").nth(1);
    let second = second.unwrap().log_time;
    let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
    let scenes = summary.attachment_indexes.iter().map(|index| mcap::read::attachment(&bytes, index).unwrap());
    let time = |time| if time == second { u64::MAX } else { time };
    let older = rewritten(&path, time, |writer| scenes.for_each(|scene| writer.attach(&scene).unwrap()));
    fs::write(&path, older).unwrap();
    assert_eq!(shown(&path), [(vec![[400, 300]], 1), (vec![], 0)]);
}

#[test]
fn messages_with_implausible_log_times_are_skipped() {
    let taken = take(CAR, RecordOptions::default());
    let mut count = 0;
    let mut absurd = || {
        count += 1;
        [u64::MAX, i64::MAX as u64, 1 << 63, i64::MAX as u64 - 5][count % 4]
    };
    let absurd = std::cell::RefCell::new(&mut absurd);
    let bytes =
        rewritten(&taken.path, |time| if time % 100_000_000 == 0 { absurd.borrow_mut()() } else { time }, |_| {});
    fs::write(&taken.path, bytes).unwrap();
    let bag = taken.path.with_extension("db3");
    let connection = rusqlite::Connection::open(&bag).unwrap();
    fill_bag(&connection, &taken.path, i64::MIN);
    drop(connection);
    for path in [&taken.path, &bag] {
        let mut replay = Replay::open(path).unwrap();
        let note = texts(&replay).concat();
        assert!(note.contains(" messages are left out: their log times are out of range\n"), "{note}");
        assert_eq!(replay.span().0, SimTime(20_000_000));
        for time in [1_480_000_000, 40_000_000, 1_980_000_000] {
            replay.seek(SimTime(time));
            assert_same(&state(&replay), &taken.states[&time], 1);
        }
        for time in [f64::MIN, -1.0, 1e30] {
            replay.seek(SimTime::from_secs(time));
            assert!(replay.now() >= replay.span().0 && replay.now() <= replay.span().1);
        }
        while replay.step() {}
    }
}

#[test]
fn a_log_of_wall_time_is_shown_in_simulated_time() {
    const WALL: u64 = 1_700_000_000_000_000_000;
    let taken = take(CAR, RecordOptions::default());
    // At half the rate.
    let bytes = rewritten(&taken.path, |time| WALL + 2 * time, |_| {});
    fs::write(&taken.path, bytes).unwrap();
    let mut replay = Replay::open(&taken.path).unwrap();
    let (start, end) = replay.span();
    assert_eq!((start.0, end.0), (20_000_000, 2_000_000_000));
    for time in [1_500_000_000, 40_000_000, 800_000_000] {
        replay.seek(SimTime(time + 3_000_000));
        assert_same(&state(&replay), &taken.states[&time], 1);
    }
}

#[test]
fn a_truncated_file_is_shown_up_to_its_end() {
    let taken = take(CAR, RecordOptions::default());
    let whole = rewritten(&taken.path, |time| time, |_| {});
    fs::write(&taken.path, &whole[..whole.len() / 2]).unwrap();
    let mut replay = Replay::open(&taken.path).unwrap();
    let note = texts(&replay).concat();
    assert!(note.contains(": ends early after ") && note.ends_with("the file is cut off"), "{note}");
    let (_, end) = replay.span();
    assert!((0.5..1.5).contains(&end.secs()), "{end}");
    replay.seek(end);
    let now = state(&replay);
    assert_same(&now, &taken.states[&now.time.0], 1);
    // A short file must not panic.
    for length in (8..2_000).step_by(61) {
        fs::write(&taken.path, &whole[..length]).unwrap();
        assert!(Replay::open(&taken.path).is_err(), "{length}");
    }
}

#[test]
fn anything_but_a_recording_of_a_vehicle_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mcap");
    let refusal = |content: Option<&[u8]>| {
        if let Some(content) = content {
            fs::write(&path, content).unwrap();
        }
        let error = Replay::open(&path).err().unwrap().to_string();
        error.replace(&folder.path().display().to_string(), "")
    };
    assert_eq!(refusal(None), "/a.mcap: cannot be read: No such file or directory (os error 2)");
    assert!(refusal(Some(b"")).starts_with("/a.mcap: is empty\n  accepted: MCAP files, "));
    assert!(refusal(Some(b"PNG or so")).starts_with("/a.mcap: is not a recording\n  accepted: MCAP files, "));
    let no_message = "/a.mcap: has no message to show\n  accepted: recordings with the odometry of a vehicle, or of skidpad run --record";
    assert_eq!(refusal(Some(mcap::MAGIC)), no_message);
    let options = RecordOptions { topics: TopicFilter::only(["/collision", "/front"]), ..RecordOptions::default() };
    let taken = take(CAR, options);
    let error = Replay::open(&taken.path).err().unwrap().to_string();
    assert!(error.contains("x.mcap: has no vehicle\n  accepted: "), "{error}");
    assert!(error.ends_with("\n  hint: it holds /collision, /front"), "{error}");
}

#[test]
fn a_folder_with_a_sqlite_bag_is_shown() {
    let taken = take(CAR, RecordOptions::default());
    let folder = tempfile::tempdir().unwrap();
    fill_bag(&rusqlite::Connection::open(folder.path().join("x_0.db3")).unwrap(), &taken.path, 1);
    let mut replay = Replay::open(folder.path()).unwrap();
    assert!(texts(&replay).concat().contains("has no metadata.yaml"));
    for time in [1_500_000_000, 40_000_000, 2_000_000_000] {
        replay.seek(SimTime(time));
        assert_same(&state(&replay), &taken.states[&time], 1);
    }
}

/// Fills a bag of ROS with a recording; the first half of its rows are numbered from `first` on, the others from 1_000_000.
fn fill_bag(bag: &rusqlite::Connection, path: &Path, first: i64) {
    bag.execute_batch(
        "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT, offered_qos_profiles TEXT);
         CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB);",
    )
    .unwrap();
    let bytes = fs::read(path).unwrap();
    let half = MessageStream::new(&bytes).unwrap().count() / 2;
    for (index, message) in MessageStream::new(&bytes).unwrap().enumerate() {
        let message = message.unwrap();
        let id = if index < half { first + index as i64 } else { 1_000_000 + index as i64 };
        let kind = &message.channel.schema.as_ref().unwrap().name;
        bag.execute(
            "INSERT OR IGNORE INTO topics VALUES (?, ?, ?, 'cdr', '')",
            (message.channel.id, &message.channel.topic, kind),
        )
        .unwrap();
        bag.execute(
            "INSERT INTO messages VALUES (?, ?, ?, ?)",
            (id, message.channel.id, message.log_time as i64, &message.data[..]),
        )
        .unwrap();
    }
}

/// A lift that goes up and stays there.
const LIFT: &str = r#"<block name="lift"><static>true</static><init_pose>0 -9 0</init_pose>
  <animation type="keyframes"><time_pose>0 0 0 0</time_pose><time_pose>1 2 0 0</time_pose><time_pose>9 2 0 0</time_pose></animation></block>"#;

#[test]
fn moving_bodies_have_their_recorded_poses_and_scenes_follow_one_another() {
    use skidpad_sim::world::{SpawnRequest, SpawnSource};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let mut world = world(&format!("{CAR}{LIFT}"));
    let mut recorder = Recorder::create(&path, RecordOptions::default()).unwrap();
    recorder.start(world.scene()).unwrap();
    let mut states = BTreeMap::new();
    let mut guest = None;
    for step in 1..=600 {
        if step == 201 {
            let text = CAR.split("<block").next().unwrap().replace("car", "guest").replace("1 2 30", "-5 -5 0");
            let source = SpawnSource::Xml { text, directory: ".".into(), label: "guest".into() };
            let request = SpawnRequest { name: "guest".into(), source, pose: None };
            guest = Some(world.spawn(world.catalogue().recipe(&request).unwrap()).unwrap());
            recorder.scene_changed(world.scene()).unwrap();
        }
        if step == 401 {
            world.remove(guest.unwrap()).unwrap();
            recorder.scene_changed(world.scene()).unwrap();
        }
        let vehicles = world.scene().vehicles.len();
        for vehicle in 0..vehicles {
            let action = Action::Ackermann { speed: 1.0, steering_angle: 0.1 };
            world.command(Command { vehicle, action }).unwrap();
        }
        world.step().unwrap();
        recorder.frame(world.scene(), world.frame()).unwrap();
        let mut state = ViewState::default();
        state.fill(0, world.frame());
        states.insert(state.time.0, (vehicles, state));
    }
    recorder.finish().unwrap();
    let mut replay = Replay::open(&path).unwrap();
    let mut travelled = Vec::new();
    for time in [2.9, 0.5, 1.5, 0.2, 2.0, 1.04, 1.98, 2.02, 0.98] {
        replay.seek(SimTime::from_secs(time));
        let now = state(&replay);
        let (vehicles, then) = &states[&now.time.0];
        assert_eq!(now.counts.len(), then.counts.len(), "{time}");
        assert_same(&now, then, *vehicles);
        let blocks = *vehicles * (VEHICLE.len() + 4 * WHEEL.len());
        let off = now.counts[blocks..].iter().zip(&then.counts[blocks..]).map(|(a, b)| (a - b).abs()).max();
        assert!(off <= Some(1), "{time}: {:?} {:?}", &now.counts[blocks..], &then.counts[blocks..]);
        travelled.push(now.counts[blocks + 6]);
        let shown = replay.shown();
        assert_eq!((shown.revision(), shown.scene.vehicles.len()), (now.revision, *vehicles), "{time}");
        let names: Vec<&str> = shown.scene.vehicles.iter().map(|vehicle| vehicle.name.as_str()).collect();
        assert_eq!(names, ["car", "guest"][..*vehicles]);
        let mut scans = Vec::new();
        replay.fill_scans(&mut scans);
        assert!(scans.len() == *vehicles && scans.iter().all(Option::is_some), "{time}: {scans:?}");
        assert!(scans.iter().flatten().all(|scan| scan.revision == now.revision), "{time}");
    }
    travelled.dedup();
    assert!(travelled.len() > 3, "the lift moves: {travelled:?}");
}
