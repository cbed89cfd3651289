//! Clouds, pictures and readings of a recording are those that viewers of the run had.

use std::sync::Arc;

use skidpad_ros_data::preset::SKIDPAD;
use skidpad_server::hub::Hub;
use skidpad_server::{WebSink, sensor_data::SensorData};
use skidpad_view::sensor_data::TopicKey;

use super::*;

/// A car with a lidar in three dimensions, a camera, a camera for colour and depth, a marker body, a range finder, and a contact sensor.
const SEEING: &str = r#"<vehicle name="car"><init_pose>1 2 30</init_pose><dynamics class="ackermann"><controller class="front_steer_pid"/></dynamics>
  <sensor class="lidar3d" name="top"><pose_3d>0 0 1 0 0 0</pose_3d><vert_nrays>4</vert_nrays><horz_nrays>60</horz_nrays>
    <sensor_period>0.1</sensor_period><point_layout>velodyne</point_layout></sensor>
  <sensor class="camera" name="zed"><pose_3d>0.3 0 0.5 -90 0 -90</pose_3d><ncols>32</ncols><nrows>24</nrows><fx>20</fx><fy>20</fy><cx>16</cx><cy>12</cy>
    <sensor_period>0.1</sensor_period></sensor>
  <sensor class="rgbd_camera" name="front"><pose_3d>0.3 0 0.5 0 0 0</pose_3d><sense_depth>true</sense_depth><sense_rgb>true</sense_rgb>
    <depth_ncols>32</depth_ncols><depth_nrows>24</depth_nrows><depth_fx>20</depth_fx><depth_fy>20</depth_fy><depth_cx>16</depth_cx><depth_cy>12</depth_cy>
    <rgb_ncols>32</rgb_ncols><rgb_nrows>24</rgb_nrows><rgb_fx>20</rgb_fx><rgb_fy>20</rgb_fy><rgb_cx>16</rgb_cx><rgb_cy>12</rgb_cy>
    <publish_ros_depth_image>true</publish_ros_depth_image><publish_ros_pointcloud>true</publish_ros_pointcloud>
    <depth_compressed>true</depth_compressed>
    <sensor_period>0.1</sensor_period></sensor>
  <sensor class="mocap" name="marker"><pose_3d>0 0 0.5 0 0 0</pose_3d><sensor_period>0.1</sensor_period></sensor>
  <sensor class="range" name="sonar"><sensor_period>0.1</sensor_period></sensor>
  <sensor class="contact" name="bumper"><sensor_period>0.1</sensor_period></sensor></vehicle>
  <block name="wall"><init_pose>6 2 0</init_pose></block>"#;

/// The topics with clouds, pictures and readings: sensor, topic, and which of them it is.
const TOPICS: [(usize, usize, u8); 8] =
    [(0, 0, 8), (1, 0, 9), (2, 0, 9), (2, 2, 9), (2, 4, 8), (3, 0, 10), (4, 0, 10), (5, 1, 10)];

fn key((sensor, topic, _): (usize, usize, u8)) -> TopicKey {
    TopicKey { revision: 0, vehicle: 0, sensor, topic }
}

fn message(data: &SensorData) -> Vec<u8> {
    data.message().unwrap().to_vec()
}

/// Data of sensors at a time.
type Seen = (SimTime, Vec<Arc<SensorData>>);

/// What viewers get at the end of each tenth of a second of a run, and its recording.
fn seen(options: RecordOptions) -> (Vec<Seen>, Replay, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.mcap");
    let mut world = world(SEEING);
    let hub = Arc::new(Hub::new());
    let (mut page, _) = WebSink::new(Arc::clone(&hub), world.scene());
    let mut recorder = Recorder::create(&path, options).unwrap();
    recorder.start(world.scene()).unwrap();
    page.start(world.scene()).unwrap();
    world.command(Command { vehicle: 0, action: Action::Ackermann { speed: 1.0, steering_angle: 0.1 } }).unwrap();
    let mut seen = Vec::new();
    for step in 1..=100 {
        world.step().unwrap();
        recorder.frame(world.scene(), world.frame()).unwrap();
        if step % 20 == 0 {
            hub.ask_for_sensor_data(&TOPICS.map(key));
            hub.ask(false);
        }
        page.frame(world.scene(), world.frame()).unwrap();
        if step % 20 == 0 {
            assert!(!hub.wants_sensor_data());
            let data = TOPICS.map(|topic| hub.sensor_data(&key(topic)).unwrap().unwrap());
            seen.push((world.frame().time, data.to_vec()));
        }
    }
    recorder.finish().unwrap();
    let replay = Replay::open(&path).unwrap();
    (seen, replay, folder)
}

#[test]
fn clouds_and_pictures_of_a_replay_are_those_of_the_run_under_presets_with_other_names() {
    for preset in [&SKIDPAD, &RACECAR_GAZEBO, &TURTLEBOT3] {
        let (seen, mut replay, _folder) = seen(RecordOptions { preset, ..RecordOptions::default() });
        for (time, live) in seen.into_iter().rev() {
            replay.seek(time);
            for (topic, live) in TOPICS.into_iter().zip(live) {
                let place = format!("{}: {topic:?} at {time}", preset.name);
                let again = replay.sensor_data(&key(topic), None).unwrap_or_else(|| panic!("{place}"));
                assert_eq!(again.time, live.time, "{place}");
                let (again, live) = (message(&again), message(&live));
                assert_eq!((again[0], again.len()), (topic.2, live.len()), "{place}");
                assert!(again.len() > if topic.2 == 10 { 60 } else { 300 }, "{place}: it shows nothing");
                // The pose of a cloud passes through quaternions.
                let same = if topic.2 == 8 { 44..again.len() } else { 0..again.len() };
                assert!(again[same.clone()] == live[same], "{place}");
            }
        }
    }
}

#[test]
fn clouds_and_pictures_of_a_recording_without_a_scene_are_found_by_their_topics_and_frames() {
    let (seen, whole, folder) = seen(RecordOptions::default());
    let bare = folder.path().join("bare.mcap");
    fs::write(&bare, rewritten(&whole.path, |time| time, |_| {})).unwrap();
    let mut replay = Replay::open(&bare).unwrap();
    let shown = replay.shown();
    let names: Vec<_> = shown.scene.vehicles[0].sensors.iter().map(|sensor| sensor.name.as_str()).collect();
    let topics = ["top_points", "zed/image_raw", "front_rgb/image_raw", "front_depth/image_raw", "front_points"];
    let (time, live) = seen.last().unwrap();
    replay.seek(*time);
    for (topic, live) in topics.into_iter().zip(live) {
        let sensor = names.iter().position(|name| *name == topic).unwrap_or_else(|| panic!("{topic} in {names:?}"));
        let again = message(&replay.sensor_data(&TopicKey { sensor, ..key((0, 0, 0)) }, None).unwrap());
        let live = message(live);
        assert!(again[0] == live[0] && again[44..] == live[44..], "{topic}");
        let pose = |message: &[u8]| -> [f32; 6] {
            std::array::from_fn(|index| f32::from_le_bytes(message[20 + 4 * index..][..4].try_into().unwrap()))
        };
        let is_near = |(a, b): (f32, f32)| (a - b).abs() < 1e-3;
        assert!(again[0] == 9 || pose(&again).into_iter().zip(pose(&live)).all(is_near), "{topic}");
    }
}

#[test]
fn depths_that_were_recorded_in_their_compressed_form_only_are_those_of_the_run() {
    let other_topics = ('a'..='z').filter(|letter| *letter != 'f').map(|letter| format!("/{letter}*"));
    let topics = TopicFilter::only(other_topics.chain(["/front_depth/image_raw/compressedDepth".to_owned()]));
    let (seen, mut whole, folder) = seen(RecordOptions { topics, ..RecordOptions::default() });
    let (time, live) = seen.last().unwrap();
    let bare = folder.path().join("bare.mcap");
    fs::write(&bare, rewritten(&whole.path, |time| time, |_| {})).unwrap();
    let mut bare = Replay::open(&bare).unwrap();
    let sensors = &bare.shown().scene.vehicles[0].sensors;
    let sensor = sensors.iter().position(|sensor| sensor.name == "front_depth/image_raw").unwrap();
    for (replay, topic) in [(&mut whole, key((2, 2, 9))), (&mut bare, key((sensor, 0, 9)))] {
        replay.seek(*time);
        let again = message(&replay.sensor_data(&topic, None).unwrap());
        assert!(again[20..] == message(&live[3])[20..], "{topic:?}");
    }
}

#[test]
fn nothing_is_made_that_nobody_asks_for_and_nothing_twice() {
    let mut world = world(SEEING);
    let hub = Arc::new(Hub::new());
    let (mut page, _) = WebSink::new(Arc::clone(&hub), world.scene());
    page.start(world.scene()).unwrap();
    let topic = key(TOPICS[1]);
    let mut show = |world: &World, is_wanted: bool| {
        if is_wanted {
            hub.ask_for_sensor_data(&[topic]);
        }
        hub.ask(false);
        page.frame(world.scene(), world.frame()).unwrap();
        hub.sensor_data(&topic).unwrap()
    };
    assert!(show(&world, true).is_none(), "before the first sample");
    for _ in 0..40 {
        world.step().unwrap();
    }
    assert!(show(&world, false).is_none());
    let first = show(&world, true).unwrap();
    assert!(Arc::ptr_eq(&first, &show(&world, true).unwrap()), "made again from the same sample");
    for _ in 0..40 {
        world.step().unwrap();
    }
    assert!(Arc::ptr_eq(&first, &show(&world, false).unwrap()));
    let second = show(&world, true).unwrap();
    assert!(second.time > first.time);
    assert!(hub.sensor_data(&key(TOPICS[0])).unwrap().is_none());
}
