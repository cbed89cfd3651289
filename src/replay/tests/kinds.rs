//! Readings are selected by kind: a sensor other than a lidar, listed before the lidar, does not affect the lidar's subscribers.

use std::sync::Arc;

use skidpad_ros_data::preset::SKIDPAD;
use skidpad_server::{WebSink, hub::Hub};

use super::*;

/// The car of the other tests with an inertial measurement unit before its lidar.
fn car_with_imu() -> String {
    CAR.replacen("<sensor ", r#"<sensor class="imu" name="inertia"/><sensor "#, 1)
}

/// Type, log times [ns] and bytes of the messages of a topic.
fn recorded(taken: &Taken, topic: &str) -> (String, Vec<(u64, Vec<u8>)>) {
    let bytes = fs::read(&taken.path).unwrap();
    let messages = MessageStream::new(&bytes).unwrap().map(Result::unwrap);
    let messages: Vec<_> = messages.filter(|message| message.channel.topic == topic).collect();
    let kind = messages[0].channel.schema.as_ref().unwrap().name.clone();
    (kind, messages.iter().map(|message| (message.log_time, message.data.to_vec())).collect())
}

#[test]
fn a_sensor_before_the_lidar_does_not_affect_its_topic_frame_and_replay() {
    let options = || RecordOptions { preset: &RACECAR_GAZEBO, ..RecordOptions::default() };
    let (taken, alone) = (take(&car_with_imu(), options()), take(CAR, options()));
    let (kind, scans) = recorded(&taken, "/scan");
    assert_eq!((kind.as_str(), scans.len()), ("sensor_msgs/msg/LaserScan", 80));
    assert!(scans == recorded(&alone, "/scan").1, "frame, geometry and ranges are those without the other sensor");
    let (kind, samples) = recorded(&taken, "/inertia");
    assert_eq!((kind.as_str(), samples.len()), ("sensor_msgs/msg/Imu", 20));
    // Of the numbers before its covariance the last is the upward acceleration.
    let upwards = samples.iter().map(|(_, data)| {
        let end = data.len() - 9 * 8;
        f64::from_le_bytes(data[end - 8..end].try_into().unwrap())
    });
    assert!(upwards.clone().all(|z| (z - 9.81).abs() < 0.2), "{:?}", upwards.collect::<Vec<_>>());

    let (mut replay, mut plain) = (Replay::open(&taken.path).unwrap(), Replay::open(&alone.path).unwrap());
    for time in [0.4, 1.5] {
        let mut scans = [&mut replay, &mut plain].map(|replay| {
            replay.seek(SimTime::from_secs(time));
            let mut scans = Vec::new();
            replay.fill_scans(&mut scans);
            scans
        });
        let [Some(scan), None] = [scans[0].remove(1), scans[0].remove(0)] else { panic!("{scans:?}") };
        let wanted = ViewScan { sensor: 1, ..scans[1].remove(0).unwrap() };
        assert_eq!(scan, wanted);
    }
}

#[test]
fn viewers_of_a_running_world_get_the_scan_of_the_second_sensor() {
    let mut world = world(&car_with_imu());
    let hub = Arc::new(Hub::new());
    let (mut sink, _scenes) = WebSink::new(Arc::clone(&hub), world.scene());
    sink.start(world.scene()).unwrap();
    for _ in 0..40 {
        hub.ask(true);
        world.step().unwrap();
        sink.frame(world.scene(), world.frame()).unwrap();
    }
    hub.look_at_scans(|scans| {
        let [None, Some(scan)] = scans else { panic!("{scans:?}") };
        assert_eq!((scan.vehicle, scan.sensor, scan.ranges.len()), (0, 1, 11));
        assert_eq!(Some(&scan.ranges), world.frame().readings[1].data.scan().map(|scan| &scan.ranges));
    });
}

/// Joints do not contain how omni wheels are mounted, and behind a controller some have the other sign.
#[test]
fn omni_wheels_of_which_only_the_joints_are_recorded_turn_as_they_did() {
    let robot = r#"<vehicle name="r"><init_pose>0 0 0</init_pose><dynamics class="omni_3_wheels"><controller class="twist_pid"/></dynamics></vehicle>"#;
    for (preset, joints) in [(&ROS2_CONTROL, "/robot_joint_states"), (&SKIDPAD, "/joint_states")] {
        let topics = TopicFilter::only(["/ground_truth", "/vehicle/ground_truth", joints]);
        let taken = take(robot, RecordOptions { preset, topics, ..RecordOptions::default() });
        let mut replay = Replay::open(&taken.path).unwrap();
        replay.seek(SimTime::from_secs(1.5));
        let (now, mut turned) = (state(&replay), 0);
        for (wheel, name) in (0..3).flat_map(|wheel| ["steer", "spin", "spin_angle"].map(|name| (Some(wheel), name))) {
            let [actual, live] = [&now, &taken.states[&now.time.0]].map(|state| value(state, 0, wheel, name));
            assert!((actual - live).abs() < 2e-3, "{}: {name} of {wheel:?}: {actual} for {live}", preset.name);
            turned += usize::from(live.abs() > 0.1);
        }
        assert!(turned > 6, "{}: {turned}", preset.name);
    }
}
