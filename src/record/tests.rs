//! A recorder beside a world, without the rest of the program, as in an experiment.

use std::collections::BTreeMap;
use std::path::Path;

use mcap::MessageStream;
use skidpad_math::Pose2;
use skidpad_math::time::SimTime;
use skidpad_ros_data::message::{
    AckermannDriveStamped, Float64, Float64MultiArray, Imu, LaserScan, Message, Odometry, PoseStamped, TFMessage,
    VehicleState, WheelStates, cdr,
};
use skidpad_ros_data::preset::{F1TENTH_GYM_ROS, RACECAR_GAZEBO, SKIDPAD, TURTLEBOT3};
use skidpad_sim::tracking::{self, LinearizerParameters, PointTracker, TrackerParameters, TrajectoryDriver};
use skidpad_sim::trajectory::{self, TrajectoryParameters};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};
use skidpad_view::scene::{SceneView, ShapeView};

use super::*;

const CAR: &str = r#"<vehicle name="car"><init_pose>0 0 0</init_pose><dynamics class="ackermann"><controller class="front_steer_pid"/></dynamics>
  <sensor class="laser" name="front"><nrays>11</nrays><sensor_period>0.1</sensor_period></sensor></vehicle>"#;

pub(super) fn world(inner: &str) -> World {
    let text = format!("<mvsim_world><simul_timestep>0.005</simul_timestep>{inner}</mvsim_world>");
    World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default()).unwrap().0
}

fn driver() -> TrajectoryDriver {
    let trajectory = trajectory::build(&TrajectoryParameters::default()).unwrap();
    let tracker = PointTracker::new(TrackerParameters { active: true, ..TrackerParameters::default() }).unwrap();
    let linearizer = tracking::build(&LinearizerParameters::default()).unwrap();
    TrajectoryDriver::new(trajectory, tracker, linearizer, SimTime::from_secs(0.01))
}

/// The bytes of a recording of this many steps.
pub(super) fn record(
    world: &mut World,
    steps: usize,
    options: RecordOptions,
    mut before_step: impl FnMut(&mut World, usize),
) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let mut recorder = Recorder::create(&path, options).unwrap();
    let scene = std::sync::Arc::clone(world.scene());
    recorder.start(&scene).unwrap();
    for step in 0..steps {
        before_step(world, step);
        recorder.frame(&scene, world.step().unwrap()).unwrap();
    }
    recorder.finish().unwrap();
    std::fs::read(&path).unwrap()
}

fn counts(bytes: &[u8]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for message in MessageStream::new(bytes).unwrap() {
        *counts.entry(message.unwrap().channel.topic.clone()).or_default() += 1;
    }
    counts
}

/// Log times [ns] and messages of a topic.
pub(super) fn all<M: Message + serde::de::DeserializeOwned>(bytes: &[u8], topic: &str) -> Vec<(u64, M)> {
    let messages = MessageStream::new(bytes).unwrap().map(Result::unwrap).filter(|m| m.channel.topic == topic);
    messages
        .map(|message| {
            assert_eq!(message.channel.schema.as_ref().unwrap().name, M::TYPE);
            (message.log_time, cdr::read(&message.data).unwrap())
        })
        .collect()
}

#[test]
fn a_driver_is_recorded_at_each_of_its_ticks() {
    let mut world = world(CAR);
    world.set_driver(0, Some(driver())).unwrap();
    let mut seen = Vec::new();
    let bytes = record(&mut world, 400, RecordOptions::default(), |world, _| {
        let tracking = world.frame().vehicles[0].tracking.unwrap();
        if seen.last().is_none_or(|last: &tracking::TrackingFrame| last.time != tracking.time) {
            seen.push(tracking);
        }
    });
    // The tick of the last step was not observed from outside.
    let reference = all::<Float64MultiArray>(&bytes, "/reference_trajectory");
    let velocity = all::<Float64MultiArray>(&bytes, "/virtual_velocities");
    let steer = all::<AckermannDriveStamped>(&bytes, "/vesc/ackermann_cmd_mux/input/navigation");
    assert_eq!((reference.len(), velocity.len(), steer.len()), (201, 201, 201));
    for (index, tracking) in seen.iter().enumerate() {
        let time = tracking.time.secs();
        assert_eq!(reference[index].0, tracking.time.0.max(1) as u64);
        assert_eq!(reference[index].1.data, [tracking.reference.position.x, tracking.reference.position.y, time]);
        assert_eq!(velocity[index].1.data, [tracking.point_velocity.x, tracking.point_velocity.y, time]);
        let drive = steer[index].1.drive;
        assert_eq!((drive.speed, drive.steering_angle_velocity), (tracking.steer.speed as f32, 0.0));
        assert_eq!((drive.acceleration, drive.jerk), (1.0, 1.0));
        assert_eq!(steer[index].1.header.frame_id, "base_link");
    }
}

#[test]
fn a_preset_gives_names_frames_and_rates() {
    let mut world = world(CAR);
    let options = RecordOptions { preset: &RACECAR_GAZEBO, ..RecordOptions::default() };
    let bytes = record(&mut world, 200, options, |world, step| {
        if step == 100 {
            world
                .command(Command { vehicle: 0, action: Action::Ackermann { speed: 3.0, steering_angle: 0.1 } })
                .unwrap();
        }
    });
    let counts = counts(&bytes);
    for (topic, count) in [
        ("/vesc/odom", 20),
        ("/pf/pose/odom", 20),
        ("/racecar/joint_states", 50),
        ("/fx_pub/left_rear", 50),
        ("/lat_pub/right_front", 50),
        ("/scan", 10),
        ("/vesc/low_level/ackermann_cmd_mux/output", 1),
    ] {
        assert_eq!(counts.get(topic), Some(&count), "{topic}: {counts:?}");
    }
    assert!(!counts.contains_key("/odom") && !counts.contains_key("/reference_trajectory"));
    let wheel = world.frame().vehicles[0].wheels[0];
    assert_eq!(all::<Float64>(&bytes, "/fx_pub/left_rear")[49].1.data, wheel.force_in_wheel.x);
    let truth = all::<Odometry>(&bytes, "/vesc/odom").pop().unwrap();
    assert_eq!(truth.1.pose.pose.position.x, world.frame().vehicles[0].world_from_body.x);
    assert_eq!(all::<LaserScan>(&bytes, "/scan")[0].1.ranges.len(), 11);
    assert_eq!(all::<LaserScan>(&bytes, "/scan")[0].1.header.frame_id, "laser");
}

#[test]
fn every_preset_records_the_state_and_wheels_of_each_vehicle_at_the_odometry_rate() {
    let two = format!("{CAR}{}", CAR.replace("\"car\"", "\"car two\"").replace("0 0 0", "0 9 0"));
    // A preset that replaces a system of one vehicle has no names for more.
    for (preset, [own, other], base) in [
        (&SKIDPAD, ["/car", "/car_two"], "base_footprint"),
        (&TURTLEBOT3, ["/car", "/car_two"], "base_footprint"),
        (&RACECAR_GAZEBO, ["", ""], "base_link"),
        (RACECAR_GAZEBO.with_true_map_to_odom.unwrap(), ["", ""], "base_link"),
        (&F1TENTH_GYM_ROS, ["/ego_racecar", "/opp_racecar"], "ego_racecar/base_link"),
    ] {
        let mut world = world(if own.is_empty() { CAR } else { &two });
        let bytes = record(&mut world, 200, RecordOptions { preset, ..RecordOptions::default() }, |world, step| {
            if step % 50 == 0 {
                let action = Action::Ackermann { speed: 2.0, steering_angle: 0.1 };
                world.command(Command { vehicle: 0, action }).unwrap();
            }
        });
        let states = all::<VehicleState>(&bytes, &format!("{own}/vehicle_state"));
        let wheels = all::<WheelStates>(&bytes, &format!("{own}/wheel_states"));
        // Between steps too.
        let count = preset.odometry_rate as usize;
        assert_eq!((states.len(), wheels.len()), (count, count), "{}", preset.name);
        assert_eq!(all::<VehicleState>(&bytes, &format!("{other}/vehicle_state")).len(), count, "{}", preset.name);
        let (time, state) = states.last().unwrap();
        assert_eq!((state.header.frame_id.as_str(), state.child_frame_id.as_str()), ("map", base), "{}", preset.name);
        assert_eq!(state.header.stamp, skidpad_ros_data::message::fill::stamp(SimTime(*time as i64)));
        if *time == world.frame().time.0 as u64 {
            let live = &world.frame().vehicles[0];
            assert_eq!(state.pose.position.x, live.world_from_body.x);
            assert_eq!(state.twist.angular.z, live.velocity_in_body.wz);
            assert_eq!(state.acceleration.y, live.acceleration_in_body.y);
            assert_eq!(state.odometry_yaw, live.odom_from_body.yaw);
            assert_eq!((state.wanted_speed, state.wanted_steering_angle), (2.0, 0.1));
            assert_eq!(wheels.last().unwrap().1.wheels[3].force.y, live.wheels[3].force_in_wheel.y);
        }
        assert!(state.pose.position.x > 0.5 && state.driver == VehicleState::NO_DRIVER, "{state:?}");
        let topics = TopicFilter::only([format!("{own}/wheel_states")]);
        let bytes = record(&mut world, 20, RecordOptions { preset, topics, ..RecordOptions::default() }, |_, _| {});
        assert_eq!(
            counts(&bytes).into_keys().collect::<Vec<_>>(),
            [format!("{own}/wheel_states")],
            "only what is asked for"
        );
    }
}

#[test]
fn what_is_faster_than_the_steps_is_recorded_with_stamps_of_its_own() {
    let imu = "<sensor class=\"imu\" name=\"imu\"><sensor_period>0.001</sensor_period></sensor></vehicle>";
    let block = "<block name=\"crate\"><init_pose>20 20 0</init_pose><init_vel>1 0 0</init_vel><ground_friction>0</ground_friction><linear_damping>0</linear_damping></block>";
    let mut world = world(&(CAR.replace("</vehicle>", imu) + block));
    let options = RecordOptions { odometry_rate: Some(1000.0), ..RecordOptions::default() };
    let turn = Action::Ackermann { speed: 2.0, steering_angle: 0.2 };
    let bytes = record(&mut world, 200, options, |world, step| {
        if step == 0 {
            world.command(Command { vehicle: 0, action: turn }).unwrap();
        }
    });
    let expected: Vec<_> = (1..=1000).map(|k| skidpad_ros_data::message::fill::stamp(SimTime(k * 1_000_000))).collect();
    let odometry = all::<Odometry>(&bytes, "/odom");
    let stamps: Vec<_> = odometry.iter().map(|(_, message)| message.header.stamp).collect();
    assert!(stamps == expected, "{} messages", stamps.len());
    assert!(odometry.iter().zip(1..).all(|((time, _), k)| *time == k * 1_000_000), "log times");
    let imu: Vec<_> = all::<Imu>(&bytes, "/imu").iter().map(|(_, message)| message.header.stamp).collect();
    assert!(imu == expected, "{} messages", imu.len());
    // The way between two messages is that of the mean of their velocities.
    for pair in odometry.windows(2) {
        let [(_, a), (_, b)] = pair else { continue };
        let [from, to] = [a, b].map(|message| message.pose.pose.position);
        let distance = (to.x - from.x).hypot(to.y - from.y);
        let speed = 0.5 * (a.twist.twist.linear.x + b.twist.twist.linear.x);
        assert!((distance - 1e-3 * speed).abs() < 2e-5, "{distance} {speed}");
    }
    // Before the first frame nothing is known of bodies that are not vehicles.
    let transforms = all::<TFMessage>(&bytes, "/moving_objects");
    let places: Vec<f64> =
        transforms.iter().map(|(_, message)| message.transforms[0].transform.translation.x).collect();
    let distances: Vec<f64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let odd: Vec<_> = distances.iter().enumerate().filter(|(_, distance)| (**distance - 1e-3).abs() >= 1e-6).collect();
    assert!(places.len() == 996 && odd.is_empty(), "{} places, ways {odd:?}", places.len());
}

#[test]
fn log_time_continues_when_simulated_time_is_set_back() {
    let mut world = world(CAR);
    let bytes = record(&mut world, 400, RecordOptions::default(), |world, step| {
        if step == 201 || step == 301 {
            world.reset_with(skidpad_sim::world::ResetScope::ALL);
        }
        if step == 202 {
            world.command(Command { vehicle: 0, action: Action::Teleport(Pose2::new(4.0, 2.0, 0.0)) }).unwrap();
        }
    });
    let states = all::<VehicleState>(&bytes, "/vehicle_state");
    let stamp =
        |state: &VehicleState| u64::from(state.header.stamp.nanosec) + 1_000_000_000 * state.header.stamp.sec as u64;
    let times: Vec<(u64, u64)> = states.iter().map(|(log, state)| (*log, stamp(state))).collect();
    assert!(times.windows(2).all(|pair| pair[0].0 < pair[1].0), "{times:?}");
    // Of 201 steps of 5 ms, then 100, then 99; every fourth is due.
    let ahead = [(50, 0), (25, 1_005_000_000), (24, 1_505_000_000)];
    let wanted =
        ahead.iter().flat_map(|(count, ahead)| (1..=*count).map(move |n| (ahead + n * 20_000_000, n * 20_000_000)));
    assert_eq!(times, wanted.collect::<Vec<_>>());
    // Like the commands: at the beginning of the step that applied them.
    assert_eq!(all::<PoseStamped>(&bytes, "/teleport")[0].0, 1_010_000_000);
    let scans = all::<LaserScan>(&bytes, "/front").into_iter().map(|(time, _)| time / 5_000_000);
    let wanted =
        [(10, 0), (5, 201), (4, 301)].into_iter().flat_map(|(count, ahead)| (1..=count).map(move |n| ahead + 20 * n));
    assert!(scans.eq(wanted));
}

#[test]
fn several_vehicles_are_distinguished_and_teleports_are_recorded() {
    let other = CAR.replace("\"car\"", "\"car two\"").replace("0 0 0", "0 9 0");
    let two = format!("{CAR}{other}");
    let mut world = world(&two);
    let options = RecordOptions { odometry_rate: Some(10.0), ..RecordOptions::default() };
    let bytes = record(&mut world, 200, options, |world, step| {
        if step == 20 {
            world.command(Command { vehicle: 1, action: Action::Teleport(Pose2::new(4.0, 20.0, 0.0)) }).unwrap();
        }
    });
    let counts = counts(&bytes);
    for topic in ["/car/odom", "/car_two/odom", "/car_two/front"] {
        assert_eq!(counts.get(topic), Some(&10), "{counts:?}");
    }
    let teleport = all::<PoseStamped>(&bytes, "/car_two/teleport");
    assert_eq!((teleport.len(), teleport[0].0, teleport[0].1.pose.position.y), (1, 100_000_000, 20.0));
}

#[test]
fn conflicting_names_are_an_error_of_the_recording_alone() {
    let text = CAR.replace("\"front\"", "\"odom\"");
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(&folder.path().join("x.mcap"), RecordOptions::default()).unwrap();
    let error = recorder.start(world(&text).scene()).unwrap_err();
    assert!(
        error.to_string().ends_with(
            "x.mcap: two outputs have the topic \"/odom\"\n  hint: give sensors and vehicles other names in the world file"
        ),
        "{error}"
    );
}

#[test]
fn a_recording_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    std::fs::write(&path, vec![7; 10_000]).unwrap();
    assert!(Recorder::create(&path, RecordOptions::default()).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), vec![7; 10_000]);
    let path = folder.path().join("y.mcap");
    let mut recorder = Recorder::create(&path, RecordOptions::default()).unwrap();
    // Valid from the start, even without a run.
    assert!(mcap::read::footer(&std::fs::read(&path).unwrap()).is_ok());
    recorder.finish().unwrap();
    assert!(mcap::Summary::read(&std::fs::read(&path).unwrap()).unwrap().is_some());
}

#[test]
fn external_tracker_messages_are_logged_at_the_next_frame() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let options = RecordOptions { topics: TopicFilter::only(["/reference_trajectory"]), ..RecordOptions::default() };
    let mut recorder = Recorder::create(&path, options).unwrap();
    let listener = recorder.listener();
    let mut world = world(CAR);
    let scene = std::sync::Arc::clone(world.scene());
    recorder.start(&scene).unwrap();
    for step in 0..10 {
        if step == 6 {
            listener.record(0, vec![1.0, 2.0, 0.03]);
            listener.record(0, vec![3.0, 4.0, 0.04]);
            listener.record(1, vec![5.0, 6.0, 0.03]);
        }
        recorder.frame(&scene, world.step().unwrap()).unwrap();
    }
    recorder.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(counts(&bytes), BTreeMap::from([("/reference_trajectory".to_owned(), 2)]));
    let external: Vec<_> = all::<Float64MultiArray>(&bytes, "/reference_trajectory");
    assert_eq!(external.iter().map(|(time, _)| *time).collect::<Vec<_>>(), [35_000_000; 2]);
    assert_eq!(external[1].1.data, [3.0, 4.0, 0.04]);
}

#[test]
fn topics_appear_with_added_vehicles_and_end_with_removed_ones() {
    use skidpad_sim::world::{SpawnRequest, SpawnSource};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let mut world = world(CAR);
    let mut recorder = Recorder::create(&path, RecordOptions::default()).unwrap();
    recorder.start(world.scene()).unwrap();
    let first = world.scene().vehicles[0].id;
    let spawn = |world: &mut World, name: &str| {
        let text = CAR.replace("car", name).replace("0 0 0", "5 5 0");
        let source = SpawnSource::Xml { text, directory: ".".into(), label: name.into() };
        let recipe = world.catalogue().recipe(&SpawnRequest { name: name.into(), source, pose: None }).unwrap();
        world.spawn(recipe).unwrap()
    };
    let mut guest = None;
    for step in 1..=400 {
        match step {
            101 | 301 => guest = Some(spawn(&mut world, "guest")),
            201 => world.remove(guest.unwrap()).unwrap(),
            351 => world.remove(first).unwrap(),
            _ => {}
        }
        if [101, 201, 301, 351].contains(&step) {
            recorder.scene_changed(world.scene()).unwrap();
        }
        world.step().unwrap();
        recorder.frame(world.scene(), world.frame()).unwrap();
    }
    recorder.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    // 50 per simulated second; the first keeps its bare names, even when it is no longer the first.
    let times =
        |topic: &str| all::<Odometry>(&bytes, topic).iter().map(|(time, _)| *time / 5_000_000).collect::<Vec<_>>();
    let instants = |from: u64, to: u64| (from..=to).filter(|step| step % 4 == 0).collect::<Vec<u64>>();
    assert_eq!(times("/odom"), instants(1, 350));
    assert_eq!(times("/guest/odom"), [instants(101, 200), instants(301, 400)].concat());
    let counts = counts(&bytes);
    assert_eq!((counts["/tf_static"], counts["/guest/tf_static"]), (1, 2));
    assert_eq!((counts["/front"], counts["/guest/front"]), (17, 10));
    let numbers = MessageStream::new(&bytes).unwrap().map(Result::unwrap).filter(|m| m.channel.topic == "/guest/odom");
    assert!(numbers.map(|message| message.sequence).eq(0..50), "one topic goes on with its numbers");
}

#[test]
fn the_table_of_labels_is_recorded_once_and_again_when_it_has_changed() {
    use skidpad_ros_data::message::Text;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let lidar = r#"<sensor class="lidar3d" name="eye"><vert_nrays>1</vert_nrays><horz_nrays>4</horz_nrays><labels>true</labels></sensor></vehicle>"#;
    let tree = r#"<block name="oak"><label>tree</label><static>true</static><init_pose>9 9 0</init_pose></block>"#;
    let mut world = world(&format!("{}{tree}", CAR.replace("</vehicle>", lidar)));
    let mut recorder = Recorder::create(&path, RecordOptions::default()).unwrap();
    recorder.start(world.scene()).unwrap();
    for step in 1..=20 {
        if step == 11 {
            let oak = world.scene().blocks[0].id;
            world.remove(oak).unwrap();
            recorder.scene_changed(world.scene()).unwrap();
        }
        world.step().unwrap();
        recorder.frame(world.scene(), world.frame()).unwrap();
    }
    recorder.finish().unwrap();
    let tables = all::<Text>(&std::fs::read(&path).unwrap(), "/label_table");
    let reported: Vec<(u64, bool, bool)> = tables
        .iter()
        .map(|(time, table)| {
            (*time, table.data.contains(r#""6":"tree""#), table.data.contains(r#""1":{"name":"oak","class":"tree""#))
        })
        .collect();
    // Instants of the odometry.
    assert_eq!(reported, [(20_000_000, true, true), (60_000_000, true, false)]);
}

/// Log times [ns] and contents of the scene's attachments, with or without an index.
fn scenes(bytes: &[u8]) -> Vec<(u64, SceneView)> {
    let records = mcap::read::LinearReader::new(bytes).unwrap().map(Result::unwrap);
    let attachments = records.filter_map(|record| match record {
        mcap::records::Record::Attachment { header, data, .. } => Some((header, data)),
        _ => None,
    });
    attachments
        .map(|(header, data)| {
            assert_eq!((header.name.as_str(), header.media_type.as_str()), ("skidpad/scene.json", "application/json"));
            (header.log_time, serde_json::from_slice(&data).unwrap())
        })
        .collect()
}

const SURROUNDINGS: &str = r#"
    <block name="crate"><mass>1</mass><init_pose>3 0 0</init_pose></block>
    <block name="post"><static>true</static><init_pose>-9 0 0</init_pose></block>
    <block name="lift"><static>true</static><init_pose>0 -9 0</init_pose>
      <animation type="keyframes"><time_pose>0 0 0 0</time_pose><time_pose>1 2 0 0</time_pose><time_pose>9 2 0 0</time_pose></animation></block>"#;

#[test]
fn the_scene_is_recorded_at_the_start_and_whenever_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join("worlds/models/crate.obj");
    let text = format!("{CAR}{SURROUNDINGS}").replace(
        "<mass>1</mass>",
        &format!("<mass>1</mass><visual><model_uri>{}</model_uri></visual>", model.display()),
    );
    let mut world = world(&text);
    let mut recorder = Recorder::create(&path, RecordOptions::default()).unwrap();
    recorder.start(world.scene()).unwrap();
    let before = std::fs::read(&path).unwrap();
    assert!(mcap::read::footer(&before).is_ok(), "whole before the first frame, and the scene is there");
    assert_eq!(scenes(&before).len(), 1);
    for step in 1..=200 {
        if step == 101 {
            world.remove(world.scene().blocks[1].id).unwrap();
            recorder.scene_changed(world.scene()).unwrap();
        }
        world.step().unwrap();
        recorder.frame(world.scene(), world.frame()).unwrap();
    }
    recorder.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let actual = scenes(&bytes);
    // Steps of 5 ms; the second is valid after the instant at 0.5 s.
    assert_eq!(actual.iter().map(|(time, _)| *time).collect::<Vec<_>>(), [0, 500_000_001]);
    let names = |view: &SceneView| view.blocks.iter().map(|block| block.name.clone()).collect::<Vec<_>>();
    assert_eq!(
        (names(&actual[0].1), names(&actual[1].1)),
        (vec!["crate".into(), "post".into(), "lift".into()], vec!["crate".to_owned(), "lift".to_owned()])
    );
    assert!(actual[1].1.revision > actual[0].1.revision);
    let ShapeView::Mesh { path: mesh, .. } = &actual[0].1.blocks[0].drawings[0].shape else { panic!() };
    assert_eq!(Path::new(mesh), std::fs::canonicalize(model).unwrap());
    // Readers that use the index find both.
    let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
    assert_eq!(summary.attachment_indexes.len(), 2);
    let attachment = mcap::read::attachment(&bytes, &summary.attachment_indexes[1]).unwrap();
    assert_eq!(attachment.log_time, 500_000_001);
}

#[test]
fn moving_bodies_are_recorded_completely_once_and_then_when_they_move() {
    let mut world = world(&format!("{CAR}{SURROUNDINGS}"));
    let mut truth = Vec::new();
    let bytes = record(&mut world, 400, RecordOptions::default(), |world, _| {
        truth.push(world.frame().blocks.clone());
    });
    let messages = all::<TFMessage>(&bytes, "/moving_objects");
    let children = |message: &TFMessage| -> Vec<String> {
        message.transforms.iter().map(|transform| transform.child_frame_id.clone()).collect()
    };
    assert_eq!(children(&messages[0].1), ["crate", "lift"]);
    assert!(messages[1..].iter().all(|(_, message)| children(message) == ["lift"]));
    // 50 per second while it moves.
    assert_eq!(messages.len(), 50);
    for (time, message) in &messages[1..] {
        let last_transform = message.transforms.last().unwrap();
        assert_eq!(last_transform.header.frame_id, "map");
        if let Some(blocks) = truth.get((*time / 5_000_000) as usize) {
            assert_eq!(last_transform.transform.translation.x, blocks[2].x);
        }
    }
    assert_eq!(messages.last().unwrap().1.transforms[0].transform.translation.x, 2.0);
}

#[test]
fn a_world_without_moving_bodies_has_no_topic_for_them() {
    let bytes = record(&mut world(CAR), 100, RecordOptions::default(), |_, _| {});
    assert!(!counts(&bytes).contains_key("/moving_objects"));
}

/// A change to the file by another process.
type ExternalChange = fn(&Path);

/// A recording of 400 steps into `x.mcap`, whose file is changed half way.
fn record_with(damage: impl FnOnce(&Path)) -> (tempfile::TempDir, Result<(), String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let mut world = world(CAR);
    let options = RecordOptions { compression: Compression::Zstd, ..RecordOptions::default() };
    let mut recorder = Recorder::create(&path, options).unwrap();
    let scene = std::sync::Arc::clone(world.scene());
    recorder.start(&scene).unwrap();
    let mut damage = Some(damage);
    for step in 0..400 {
        recorder.frame(&scene, world.step().unwrap()).unwrap();
        if step == 200 {
            // Until the first half is in the file.
            let length = || std::fs::metadata(&path).unwrap().len();
            let (before, patience) = (length(), std::time::Instant::now());
            while length() <= before + 1000 {
                assert!(patience.elapsed().as_secs() < 60, "nothing is written");
                std::thread::sleep(std::time::Duration::from_millis(20));
                recorder.idle(&scene, world.frame()).unwrap();
            }
            damage.take().unwrap()(&path);
        }
    }
    let finished =
        recorder.finish().map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""));
    (folder, finished)
}

/// Log times of the odometry in a file with an index [ns].
fn odometry_of(path: &Path) -> Vec<u64> {
    let bytes = std::fs::read(path).unwrap();
    let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
    let count: usize = counts(&bytes).values().sum();
    assert_eq!(summary.stats.unwrap().message_count, count as u64);
    assert_eq!(summary.attachment_indexes.len(), 1, "the scene");
    assert_eq!(all::<TFMessage>(&bytes, "/tf_static").len(), 1);
    all::<Odometry>(&bytes, "/odom").into_iter().map(|(time, _)| time).collect()
}

#[test]
fn a_truncated_or_overwritten_recording_continues_in_a_file_beside_it() {
    let whole: Vec<u64> = (1..=100).map(|count| count * 20_000_000).collect();
    let cases: [(&str, ExternalChange); 3] = [
        ("was truncated to 0 bytes", |path| drop(std::fs::File::create(path).unwrap())),
        ("was truncated to 3000 bytes", |path| {
            std::fs::File::options().write(true).open(path).unwrap().set_len(3000).unwrap()
        }),
        ("was overwritten", |path| std::fs::write(path, vec![7; 1 << 20]).unwrap()),
    ];
    for (change, damage) in cases {
        let (folder, finished) = record_with(damage);
        let error =
            format!("x.mcap: {change} by another program during the recording\n  hint: later messages are in x_1.mcap");
        assert_eq!(finished.unwrap_err(), error);
        let times = odometry_of(&folder.path().join("x_1.mcap"));
        assert!(times.len() >= 49 && whole.ends_with(&times), "{change}: {times:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

#[test]
fn a_removed_recording_is_written_again() {
    let whole: Vec<u64> = (1..=100).map(|count| count * 20_000_000).collect();
    let cases: [(&str, ExternalChange); 3] = [
        ("x.mcap", |path| std::fs::remove_file(path).unwrap()),
        ("x.mcap", |path| std::fs::remove_dir_all(path.parent().unwrap()).unwrap()),
        ("x_1.mcap", |path| {
            std::fs::write(path.with_file_name("other"), "precious").unwrap();
            std::fs::rename(path.with_file_name("other"), path).unwrap();
        }),
    ];
    for (name, damage) in cases {
        let (folder, finished) = record_with(damage);
        let error =
            format!("x.mcap: was removed by another program during the recording\n  hint: all messages are in {name}");
        assert_eq!(finished.unwrap_err(), error);
        assert_eq!(odometry_of(&folder.path().join(name)), whole);
    }
}

#[test]
fn a_renamed_recording_continues_under_its_new_name() {
    let (folder, finished) = record_with(|path| std::fs::rename(path, path.with_file_name("y.mcap")).unwrap());
    assert_eq!(
        finished.unwrap_err(),
        "x.mcap: was moved by another program during the recording\n  hint: the recording goes on under its new name"
    );
    assert_eq!(odometry_of(&folder.path().join("y.mcap")).len(), 100);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
