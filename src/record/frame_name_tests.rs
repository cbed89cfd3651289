//! The names of frames that users choose, in everything that is recorded under every preset.

use std::path::Path;

use mcap::MessageStream;
use skidpad_math::Pose2;
use skidpad_math::time::SimTime;
use skidpad_ros_data::preset::frame_names::{self, BASE, MAP, ODOM};
use skidpad_ros_data::preset::{PRESETS, RACECAR_GAZEBO};
use skidpad_sim::tracking::{self, LinearizerParameters, PointTracker, TrackerParameters, TrajectoryDriver};
use skidpad_sim::trajectory::{self, TrajectoryParameters};
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};

use super::tests::record;
use super::*;

/// The names given in these tests.
const GIVEN: [(&str, &str); 3] = [("map_frame_id", "earth"), ("odom_frame_id", "reckoned"), ("base_frame_id", "robot")];

/// Two cars, or one if the preset is for one, a block that moves and tells where it is, one that stands, and a map.
fn world(preset: &Preset) -> World {
    let car = |name: &str, y: f64| {
        format!(
            r#"<vehicle name="{name}"><init_pose>0 {y} 0</init_pose><dynamics class="ackermann"><controller class="front_steer_pid"/></dynamics>
  <sensor class="laser" name="front"><pose>0.3 0 0.2 0 0 0</pose><nrays>3</nrays><sensor_period>0.1</sensor_period></sensor>
  <sensor class="imu" name="inertia"><sensor_period>0.1</sensor_period></sensor></vehicle>"#
        )
    };
    let text = format!(
        r#"<mvsim_world><simul_timestep>0.005</simul_timestep><element class="occupancy_grid"><file>maps/office.yaml</file></element>
  {}{}<block name="lift"><static>true</static><init_pose>0 -9 0</init_pose><publish><publish_pose_topic>/lift</publish_pose_topic></publish>
  <animation type="keyframes"><time_pose>0 0 0 0</time_pose><time_pose>1 2 0 0</time_pose></animation></block>
  <block name="post"><static>true</static><init_pose>5 0 0</init_pose></block></mvsim_world>"#,
        car("a", 0.0),
        if preset.is_for_one() { String::new() } else { car("b", 2.0) }
    );
    World::load_text(
        "w.xml",
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds"),
        &text,
        &LoadOptions::default(),
    )
    .unwrap()
    .0
}

fn words(preset: &Preset, given: &[(&str, &str)]) -> PlaceholderValues {
    PlaceholderValues::new(preset.placeholders, |parameter| {
        given.iter().find(|(name, _)| *name == parameter).map(|(_, value)| (*value).to_owned())
    })
}

/// Some steps of that world, in which the last car has a driver and the first is commanded.
fn recording(preset: &'static Preset, given: &[(&str, &str)]) -> Vec<u8> {
    let mut world = world(preset);
    let trajectory = trajectory::build(&TrajectoryParameters::default()).unwrap();
    let tracker = PointTracker::new(TrackerParameters { active: true, ..TrackerParameters::default() }).unwrap();
    let linearizer = tracking::build(&LinearizerParameters::default()).unwrap();
    let driver = TrajectoryDriver::new(trajectory, tracker, linearizer, SimTime::from_secs(0.01));
    let last = world.scene().vehicles.len() - 1;
    world.set_driver(last, Some(driver)).unwrap();
    let options = RecordOptions { preset, words: Some(words(preset, given)), ..RecordOptions::default() };
    record(&mut world, 40, options, |world, step| {
        let action = match step {
            10 => Action::Ackermann { speed: 1.0, steering_angle: 0.1 },
            20 => Action::Teleport(Pose2::new(1.0, 0.0, 0.0)),
            _ => return,
        };
        world.command(Command { vehicle: 0, action }).unwrap();
    })
}

/// The topics with a message that has this frame, also with the name of a vehicle before it.
fn topics_with(bytes: &[u8], frame: &str) -> Vec<String> {
    // As CDR has strings, and as URDF has names.
    let alone = [&(frame.len() as u32 + 1).to_le_bytes()[..], frame.as_bytes(), &[0]].concat();
    let below = format!("/{frame}\0").into_bytes();
    let in_xml = [format!("\"{frame}\""), format!("/{frame}\"")].map(String::into_bytes);
    let needles: Vec<Vec<u8>> = [alone, below].into_iter().chain(in_xml).collect();
    let mut topics: Vec<String> = MessageStream::new(bytes)
        .unwrap()
        .map(Result::unwrap)
        .filter(|message| needles.iter().any(|needle| message.data.windows(needle.len()).any(|part| part == *needle)))
        .map(|message| message.channel.topic.clone())
        .collect();
    topics.sort();
    topics.dedup();
    topics
}

#[test]
fn chosen_names_are_in_every_message_in_place_of_the_presets_own() {
    for preset in PRESETS.into_iter().chain(RACECAR_GAZEBO.with_true_map_to_odom) {
        let (own, given) = (recording(preset, &[]), recording(preset, &GIVEN));
        for (frame, (_, name)) in [MAP, ODOM, BASE].into_iter().zip(GIVEN) {
            let default = words(preset, &[]).shared(frame);
            let expected = topics_with(&own, &default);
            assert_eq!(topics_with(&given, name), expected, "{}: {name} for {default}", preset.name);
            assert_eq!(topics_with(&given, &default), [""; 0], "{}: {default}", preset.name);
            // Something has been found, or this test could not fail.
            let of_map = ["/lift", "/moving_objects", "/moving_markers", "/world_markers"];
            let is_lost = frame_names::without_effect(preset, &words(preset, &GIVEN)).contains(&"odom_frame_id");
            match frame {
                MAP => assert!(of_map.iter().all(|topic| expected.iter().any(|known| known == topic)), "{expected:?}"),
                ODOM => assert_eq!(expected.is_empty(), is_lost, "{}: {expected:?}", preset.name),
                _ => assert!(expected.len() > 3, "{}: {expected:?}", preset.name),
            }
        }
    }
}
