//! Messages in web/src/protocol/fixtures/, which the page's tests decode too. `SKIDPAD_UPDATE=1 cargo test -p skidpad-view fixtures`
//! rewrites them.

use std::path::PathBuf;

use image::GrayImage;
use skidpad_files::mesh::rig::Posed;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Twist2, Vec2};
use skidpad_sim::tracking::TrackingFrame;
use skidpad_sim::world::actor::{ActorFrame, Gait};
use skidpad_sim::world::{Frame, VehicleFrame, WheelFrame, WheelSlip};

use super::channels::{ACTOR, LAYOUT, POSE, VEHICLE, WHEEL};
use super::delta::Delta;
use super::messages::OfVehicles;
use super::numbers::Numbers;
use super::points;
use super::scene::{BodyView, SceneView, VehicleView, WheelView};
use super::sensor_data::{ReadingView, Tint, TopicKey, ValueView, ViewCloud, ViewPicture};
use super::state::{ViewScan, ViewState};

/// Checks that the file has this content, or writes it.
#[track_caller]
fn keep(name: &str, content: &[u8]) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../web/src/protocol/fixtures").join(name);
    if std::env::var_os("SKIDPAD_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
    }
    assert!(std::fs::read(&path).unwrap() == content, "{name} is not what the code makes");
}

fn json(value: &impl serde::Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).unwrap();
    text.push(b'\n');
    text
}

/// Two vehicles, of two wheels and of none, a block, a plane and an actor.
fn scene() -> SceneView {
    let body = |name: &str| BodyView { name: name.into(), ..BodyView::default() };
    let wheels = ["l_wheel", "r_wheel"].map(|name| WheelView { name: name.into(), ..WheelView::default() });
    SceneView {
        name: "fixture".into(),
        revision: 7,
        step: 0.005,
        vehicles: vec![
            VehicleView { id: 4, name: "r1".into(), wheels: wheels.into(), ..VehicleView::default() },
            VehicleView { id: 9, name: "r2".into(), ..VehicleView::default() },
        ],
        blocks: vec![body("crate")],
        planes: vec![body("floor")],
        actors: vec![body("bob")],
        ..SceneView::default()
    }
}

/// Numbers that differ between channels and instants, including large and negative ones.
fn frame(instant: i64) -> Frame {
    let t = instant as f64;
    let pose = |x: f64| Pose3 { x: x + 0.125 * t, y: -x, z: 0.25 * x, yaw: 0.1 * t, pitch: -0.01, roll: 0.02 };
    let wheel = |k: f64| WheelFrame {
        steer: 0.2 * k,
        spin_angle: 100.0 + k + t,
        spin: -20.0 * k,
        torque: 3.0 + t,
        load: 250.5,
        lifted: k > 1.0,
        travel: -0.012 * k,
        velocity_in_wheel: Vec2::new(2.0 * k, -0.1),
        force_in_wheel: Vec2::new(-12.3, 45.6 * k),
        slip: WheelSlip::Known { ratio: -0.05, angle: 0.07 * k },
    };
    let tracking = TrackingFrame {
        point: Vec2::new(1.0, 2.0),
        point_reference: Vec2::new(1.3, 2.4),
        active: true,
        ..TrackingFrame::default()
    };
    let first = VehicleFrame {
        world_from_body: pose(4_000_000.0),
        velocity_in_body: Twist2::new(2.5 - t, 0.0, -0.75),
        acceleration_in_body: Vec2::new(1.5, -9.0),
        colliding: true,
        has_driver: true,
        tracking: Some(tracking),
        wheels: vec![wheel(1.0), wheel(2.0)],
        ..VehicleFrame::default()
    };
    Frame {
        time: SimTime(1_000_000_000 * instant + 5_000_000),
        vehicles: vec![first, VehicleFrame { world_from_body: pose(-3.0), ..VehicleFrame::default() }],
        blocks: vec![pose(1.0)],
        planes: vec![Pose3::default()],
        actors: vec![ActorFrame {
            world_from_actor: pose(2.0),
            gait: Gait::Run,
            clip_time: 0.5 * t,
            speed: 3.0,
            distance: 1.5 * t,
            ..ActorFrame::default()
        }],
        ..Frame::default()
    }
}

/// Where sensors see a person at some times of its clips, for the page's tests: some vertices [m].
#[test]
fn persons_are_posed_as_on_the_page() {
    const EVERY: usize = 23;
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../worlds/models/person.glb");
    let mesh = skidpad_files::mesh::load(&path).unwrap();
    let rig = mesh.rig.as_ref().unwrap();
    let (mut posed, mut poses) = (Posed::default(), Vec::new());
    for (gait, name) in ["idle", "walk", "run"].into_iter().enumerate() {
        for time in [0.0, 0.21, 0.5, 0.97, 13.33] {
            rig.pose(rig.clip(name), time, 1.0, &mut posed);
            assert_eq!(posed.vertices.len(), mesh.vertices.len());
            let sampled = posed.vertices.iter().step_by(EVERY);
            let rounded: Vec<_> = sampled.map(|vertex| vertex.map(|c| (f64::from(c) * 1e5).round() / 1e5)).collect();
            poses.push(serde_json::json!({ "gait": gait, "time": time, "vertices": rounded }));
        }
    }
    let mut text = serde_json::to_vec(&serde_json::json!({ "every": EVERY, "poses": poses })).unwrap();
    text.push(b'\n');
    keep("person.json", &text);
}

#[test]
fn states_are_those_that_the_page_decodes() {
    keep("layout.json", &json(&LAYOUT));
    keep("scene.json", &json(&scene()));
    let (mut sender, mut state, mut message) = (Delta::new(), ViewState::default(), Vec::new());
    let per_vehicle = VEHICLE.iter().chain(&WHEEL).chain(&WHEEL).chain(&VEHICLE);
    let channels: Vec<_> = per_vehicle.chain(&POSE).chain(&POSE).chain(&ACTOR).collect();
    let mut expected = Vec::new();
    for instant in [0, 1, 2] {
        state.fill(7, &frame(instant));
        sender.encode(&state, &mut message);
        keep(&format!("state{instant}.bin"), &message);
        let values = state.counts.iter().zip(&channels).map(|(count, channel)| *count as f64 * channel.resolution);
        expected.push(serde_json::json!({ "time": state.time.secs(), "values": values.collect::<Vec<f64>>() }));
        assert_eq!(state.counts.len(), channels.len());
    }
    keep("states.json", &json(&expected));
    // All numbers of the second vehicle, and what is seen of the first.
    let numbers = Numbers::new(&scene(), OfVehicles::Vehicle(9));
    state.fill(7, &frame(4));
    sender.clone().encode_part(&state, &numbers, &mut message);
    keep("state_partial.bin", &message);
    // Values as far as counts can reach: whole numbers to which JavaScript is exact.
    let far = ViewState {
        time: SimTime(i64::from(u32::MAX) * 1_000_000_000),
        revision: 7,
        counts: vec![1 << 48; state.counts.len()],
    };
    sender.encode(&far, &mut message);
    keep("state_far.bin", &message);
    let near = ViewState { counts: vec![-(1 << 48); far.counts.len()], ..far };
    sender.encode(&near, &mut message);
    keep("state_near.bin", &message);
}

#[test]
fn scans_are_those_that_the_page_decodes() {
    let scan = ViewScan {
        time: SimTime(1_234_567_891_000),
        revision: 7,
        vehicle: 1,
        sensor: 2,
        world_from_sensor: Pose3 { x: 1.5, y: -2.25, z: 0.5, yaw: 3.0, pitch: -0.125, roll: 0.0 },
        range_max: 20.0,
        ranges: vec![0.5, 1.0, 10.0, 20.0, f32::INFINITY, 25.0, f32::NAN],
    };
    let mut message = Vec::new();
    points::encode(&scan, 2, &mut message);
    keep("scan.bin", &message);
    points::encode_compact(&scan, 1, &mut message);
    keep("scan_compact.bin", &message);
}

#[test]
fn clouds_and_pictures_are_those_that_the_page_decodes() {
    let key = TopicKey { revision: 7, vehicle: 1, sensor: 2, topic: 3 };
    let time = SimTime(1_234_567_891_000);
    let cloud = ViewCloud {
        world_from_sensor: Pose3 { x: 1.5, y: -2.25, z: 0.5, yaw: 3.0, pitch: -0.125, roll: 0.0 },
        tint: Tint::IntensityAndRing,
        points: vec![[20.0, -10.0, 0.0], [0.0, 5.0, -20.0], [1.0, 2.0, 3.0]],
        tints: vec![[255, 0], [128, 7], [1, 15]],
        labels: vec![[3, 0, 1, 0], [4, 0, 1, 2], [0; 4]],
    };
    keep("cloud.bin", &cloud.encode(&key, time));
    let depth = ViewPicture::Depth(GrayImage::from_pixel(8, 6, image::Luma([200])), 5.0);
    keep("picture.bin", &depth.encode(&key, time).unwrap());
    let value = |name: &str, unit: &str, value| ValueView { name: name.into(), unit: unit.into(), value, digits: 4 };
    let values = vec![value("x", "m", Some(1.5)), value("größe", "", None)];
    let reading = ReadingView { values, pose: Some([1.5, -2.25, 0.5, 3.0, -0.125, 0.0]) };
    keep("reading.bin", &reading.encode(&key, time));
}
