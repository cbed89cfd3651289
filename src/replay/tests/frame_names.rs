//! Recordings made with other names of frames.

use skidpad_ros_data::preset::{PlaceholderValues, Preset};

use super::*;

/// Two seconds with these names of frames, without the vehicle's own states.
fn take_renamed(preset: &'static Preset) -> Taken {
    let given = [("map_frame_id", "earth"), ("odom_frame_id", "wheels"), ("base_frame_id", "robot")];
    let name = |parameter: &str| Some(given.iter().find(|(known, _)| *known == parameter)?.1.to_owned());
    let words = Some(PlaceholderValues::new(preset.placeholders, name));
    take_without_states(CAR, RecordOptions { preset, words, ..RecordOptions::default() })
}

#[track_caller]
fn assert_in_place(taken: &Taken) {
    let mut replay = Replay::open(&taken.path).unwrap();
    assert_eq!(replay.topic_roles.map_frame, "earth");
    for time in [0.3, 1.9, 0.8] {
        replay.seek(SimTime::from_secs(time));
        let now = state(&replay);
        let pose = replay.state.pose(0);
        let then = ["x", "y", "yaw"].map(|name| value(&taken.states[&now.time.0], 0, None, name));
        let off = [pose.x - then[0], pose.y - then[1], pose.yaw - then[2]];
        assert!(off.iter().all(|off| off.abs() < 0.1), "at {time} off by {off:?}");
        for name in ["vx", "vy"] {
            let [now, then] = [&now, &taken.states[&now.time.0]].map(|state| value(state, 0, None, name));
            assert!((now - then).abs() < 0.2, "{name} at {time}: {now} {then}");
        }
    }
}

#[test]
fn a_recording_says_which_frame_is_that_of_the_map() {
    assert_in_place(&take_renamed(&TURTLEBOT3));
    // Its twist is along the axes of the map.
    assert_in_place(&take_renamed(RACECAR_GAZEBO.with_true_map_to_odom.unwrap()));
}

#[test]
fn the_frame_above_odometry_is_that_of_the_map_where_no_scene_says_so() {
    let taken = take_renamed(&TURTLEBOT3);
    // Without the attachments.
    fs::write(&taken.path, rewritten(&taken.path, |time| time, |_| ())).unwrap();
    assert_in_place(&taken);
}
