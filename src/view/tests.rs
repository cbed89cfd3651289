//! Round trips of states and scans through a decoder written from their description, and their size.

use std::f64::consts::FRAC_PI_2;
use std::path::Path;

use proptest::prelude::*;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose2, Pose3, Twist2, Vec2};
use skidpad_ros_data::interface::numbers;
use skidpad_sim::sensor::Reading;
use skidpad_sim::tracking::TrackingFrame;
use skidpad_sim::trajectory::Sample;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{Frame, LoadOptions, VehicleFrame, World};

use super::build;
use super::channels::{self, LAYOUT, POSE, VEHICLE, WHEEL};
use super::delta::{self, Delta};
use super::messages::OfVehicles;
use super::numbers::{NOBODY, Numbers};
use super::points;
use super::scene::{BodyView, DrawingView, PoseView, SceneView, ShapeView};
use super::state::{ViewScan, ViewState};

/// The whole numbers of a sequence in LEB128.
fn tokens(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let mut bytes = bytes.iter();
    std::iter::from_fn(move || {
        let mut byte = *bytes.next()?;
        let (mut token, mut shift) = (u64::from(byte & 0x7f), 0);
        while byte & 0x80 != 0 {
            byte = *bytes.next().unwrap();
            shift += 7;
            token |= u64::from(byte & 0x7f) << shift;
        }
        Some(token)
    })
}

/// The number for which a whole number ≥ 0 stands.
fn signed(z: u64) -> i64 {
    let z = z as i64;
    if z % 2 == 0 { z / 2 } else { -(z + 1) / 2 }
}

/// Length of what comes before the tokens of a compact scan [bytes].
const COMPACT_HEADER: usize = 20;

/// Decodes a compact scan: the counts of its pose, and its ranges [m], none without a hit.
fn read_compact(message: &[u8]) -> (Vec<i64>, Vec<Option<f64>>) {
    assert_eq!(message[0], points::COMPACT);
    let mut tokens = tokens(&message[COMPACT_HEADER..]);
    let pose = tokens.by_ref().take(POSE.len()).map(signed).collect();
    let beams = tokens.next().unwrap() as usize;
    let (mut ranges, mut last) = (Vec::new(), 0);
    for token in tokens {
        if token % 2 == 0 {
            ranges.extend(std::iter::repeat_n(None, (token / 2) as usize));
            continue;
        }
        last += signed(token / 2);
        ranges.push(Some(last as f64 * points::STEP));
    }
    assert!(ranges.len() <= beams);
    ranges.resize(beams, None);
    (pose, ranges)
}

/// Decodes a state into the viewer's known counts.
fn follow(message: &[u8], known: &mut Vec<i64>, size: usize) -> (u32, i64) {
    assert_eq!(message[0], 3);
    if message[1] & 1 == 1 {
        *known = vec![0; size];
    }
    let mut index = 0;
    let header = delta::HEADER + if message[1] & 2 == 2 { 2 } else { 0 };
    for token in tokens(&message[header..]) {
        if token % 2 == 0 {
            index += (token / 2) as usize;
            continue;
        }
        known[index] += signed(token / 2);
        index += 1;
    }
    let number = |range: std::ops::Range<usize>| message[range].try_into().unwrap();
    (u32::from_le_bytes(number(2..6)), i64::from_le_bytes(message[6..14].try_into().unwrap()))
}

fn state(time: i64, revision: u32, counts: &[i64]) -> ViewState {
    ViewState { time: SimTime(time), revision, counts: counts.to_vec() }
}

proptest! {
    #[test]
    fn any_states_arrive_as_they_were(
        states in proptest::collection::vec(
            (proptest::collection::vec(prop_oneof![Just(0_i64), -70_i64..70, -(1_i64 << 48)..=(1_i64 << 48)], 0..40), 0_u32..3),
            1..12,
        )
    ) {
        let (mut sender, mut known, mut message) = (Delta::new(), Vec::new(), Vec::new());
        for (index, (counts, revision)) in states.iter().enumerate() {
            let time = index as i64 * 1_000_000_007;
            sender.encode(&state(time, *revision, counts), &mut message);
            prop_assert_eq!(follow(&message, &mut known, counts.len()), (*revision, time));
            prop_assert_eq!(&known, counts);
        }
    }

    #[test]
    fn any_scan_arrives_to_half_a_step_of_its_range(
        ranges in proptest::collection::vec(prop_oneof![1e-3_f32..30.0, Just(0.0), Just(f32::INFINITY), Just(f32::NAN)], 0..50),
        range_max in 0.5_f64..40.0,
        stride in 0_u16..5,
    ) {
        let scan = ViewScan { time: SimTime(5), vehicle: 1, sensor: 2, range_max, ranges, ..ViewScan::default() };
        let mut message = vec![7];
        points::encode(&scan, stride, &mut message);
        let kept = scan.ranges.iter().step_by(usize::from(stride.max(1)));
        prop_assert_eq!(message.len(), points::HEADER + 2 * kept.clone().count());
        for (bytes, range) in message[points::HEADER..].chunks_exact(2).zip(kept) {
            let value = u16::from_le_bytes(bytes.try_into().unwrap());
            if *range > 0.0 && *range < range_max as f32 {
                let actual = f64::from(value) / 65534.0 * range_max;
                prop_assert!((actual - f64::from(*range)).abs() <= 0.5001 * range_max / 65534.0);
            } else {
                prop_assert_eq!(value, points::NOTHING);
            }
        }
        points::encode_compact(&scan, stride, &mut message);
        let (pose, actual) = read_compact(&message);
        prop_assert_eq!(pose, vec![0; POSE.len()]);
        let kept: Vec<f32> = scan.ranges.iter().step_by(usize::from(stride.max(1))).copied().collect();
        prop_assert_eq!(actual.len(), kept.len());
        for (actual, range) in actual.into_iter().zip(kept) {
            match actual {
                Some(actual) => prop_assert!((actual - f64::from(range)).abs() <= 0.5001 * points::STEP),
                None => prop_assert!(range.is_nan() || range == 0.0 || range >= range_max as f32),
            }
        }
    }
}

#[test]
fn unchanged_values_take_no_bytes_and_small_changes_one() {
    let (mut sender, mut message) = (Delta::new(), Vec::new());
    let mut counts = vec![100_000_i64; 1000];
    sender.encode(&state(0, 1, &counts), &mut message);
    assert_eq!((message[1], message.len()), (1, delta::HEADER + 3 * 1000), "a key: 2·2·100000 + 1 takes three bytes");
    sender.encode(&state(1, 1, &counts), &mut message);
    assert_eq!((message[1], message.len()), (0, delta::HEADER));
    counts[999] += 31;
    sender.encode(&state(2, 1, &counts), &mut message);
    // 999 unchanged counts are 2·999 in two bytes; +31 is 2·62 + 1 in one.
    assert_eq!(message.len(), delta::HEADER + 3);
    counts[999] -= 32;
    sender.encode(&state(3, 1, &counts), &mut message);
    assert_eq!(message.len(), delta::HEADER + 3);
    // Another scene: a key state that does not use the previous counts.
    sender.encode(&state(4, 2, &[7]), &mut message);
    assert_eq!((message[1], &message[delta::HEADER..]), (1, &[29][..]));
}

#[test]
fn counts_are_rounded_and_bounded() {
    let of = |value: f64| channels::counts(value, &POSE[0]);
    assert_eq!([of(0.0014), of(-0.0016), of(f64::NAN)], [1, -2, 0]);
    assert_eq!([of(f64::INFINITY), of(-1e300)], [1 << 48, -(1 << 48)]);
    assert_eq!([of(f64::NEG_INFINITY), of(-0.0), of(0.0004)], [-(1 << 48), 0, 0]);
}

proptest! {
    #[test]
    fn counts_are_the_nearest_whole_numbers(value in -1e13_f64..1e13, small in -3.0_f64..3.0) {
        for value in [value, small] {
            let wanted = (value / POSE[0].resolution).clamp(-(2_f64.powi(48)), 2_f64.powi(48)).round_ties_even();
            prop_assert_eq!(channels::counts(value, &POSE[0]), wanted as i64);
        }
    }
}

#[test]
fn scans_name_their_sensor_and_its_pose() {
    let world_from_sensor = Pose3 { x: 1.0, y: -2.0, z: 0.5, yaw: 0.25, pitch: -0.5, roll: 0.125 };
    let ranges = vec![0.0, 10.0, f32::NEG_INFINITY, 5.0, 11.0];
    let scan =
        ViewScan { time: SimTime(77), revision: 8, vehicle: 3, sensor: 1, world_from_sensor, range_max: 10.0, ranges };
    let mut message = Vec::new();
    points::encode(&scan, 1, &mut message);
    assert_eq!(
        (message[0], &message[2..4], &message[4..8], &message[8..16]),
        (4, &[1, 0][..], &[8, 0, 0, 0][..], &[77, 0, 0, 0, 0, 0, 0, 0][..])
    );
    assert_eq!((&message[16..18], &message[18..20]), (&[3, 0][..], &[1, 0][..]));
    let floats: Vec<f32> = message[20..48].chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(floats, [1.0, -2.0, 0.5, 0.25, -0.5, 0.125, 10.0]);
    let values: Vec<u16> = message[48..].chunks_exact(2).map(|b| u16::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(values, [65535, 65535, 65535, 32767, 65535], "no point where nothing returned, or 0 says so");
}

#[test]
fn references_in_the_odometry_are_shown_relative_to_the_vehicle() {
    let tracking = TrackingFrame {
        point: Vec2::new(2.0, 0.0),
        point_reference: Vec2::new(2.0, 1.0),
        reference: Sample { velocity: Vec2::new(1.0, 0.0), ..Sample::default() },
        active: true,
        in_odometry: true,
        ..TrackingFrame::default()
    };
    // Its odometry is 1 m ahead of its start; its true position is (10, 20) and it faces along y.
    let frame = VehicleFrame {
        world_from_body: Pose3 { x: 10.0, y: 20.0, yaw: FRAC_PI_2, ..Pose3::default() },
        odom_from_body: Pose2::new(1.0, 0.0, 0.0),
        has_driver: true,
        tracking: Some(tracking),
        ..VehicleFrame::default()
    };
    let shown = |frame: &VehicleFrame| {
        numbers::VEHICLE[23..30].iter().map(|number| (number.value)(frame)).collect::<Vec<f64>>()
    };
    let wanted = [2.0, 10.0, 21.0, 9.0, 21.0, FRAC_PI_2, 1.0];
    let actual = shown(&frame);
    assert!(actual.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{actual:?}");
    let in_world = VehicleFrame { tracking: Some(TrackingFrame { in_odometry: false, ..tracking }), ..frame };
    assert_eq!(shown(&in_world), [2.0, 2.0, 0.0, 2.0, 1.0, 0.0, 1.0]);
}

#[test]
fn states_have_the_numbers_of_the_tables() {
    let (mut world, _) = world("tracking.world.xml");
    drive(&mut world, 0.5);
    for _ in 0..100 {
        world.step().unwrap();
    }
    let (mut state, mut wanted) = (ViewState::default(), Vec::new());
    state.fill(1, world.frame());
    for vehicle in &world.frame().vehicles {
        wanted.extend(numbers::VEHICLE.iter().map(|number| channels::counts((number.value)(vehicle), &number.channel)));
        for wheel in &vehicle.wheels {
            wanted.extend(numbers::WHEEL.iter().map(|number| channels::counts((number.value)(wheel), &number.channel)));
        }
    }
    assert!(wanted.len() > numbers::VEHICLE.len());
    assert_eq!(state.counts[..wanted.len()], wanted);
}

#[test]
fn tables_and_states_have_the_same_size() {
    assert_eq!((LAYOUT.vehicle.len(), LAYOUT.wheel.len()), (VEHICLE.len(), WHEEL.len()));
    let names: std::collections::BTreeSet<&str> = VEHICLE.iter().chain(&WHEEL).map(|channel| channel.name).collect();
    assert_eq!(names.len(), VEHICLE.len() + WHEEL.len(), "a name stands for one channel");
    assert!(VEHICLE.iter().chain(&WHEEL).all(|channel| channel.resolution > 0.0));
    assert!(LAYOUT.seen.iter().all(|seen| names.contains(seen)), "what is seen are channels");
}

/// A world of `worlds/`, and its scene for viewers.
fn world(name: &str) -> (World, SceneView) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let options = LoadOptions { offline: true, ..LoadOptions::default() };
    let (world, _) = World::load_text(name, path.parent().unwrap(), &text, &options).unwrap();
    let (view, _) = build::scene_view(world.scene());
    (world, view)
}

/// Commands each vehicle to drive in curves.
fn drive(world: &mut World, seconds: f64) {
    for vehicle in 0..world.scene().vehicles.len() {
        let turn = libm::sin(seconds + vehicle as f64);
        let action = match world.scene().vehicles[vehicle].accepts.ackermann {
            true => Action::Ackermann { speed: 2.0, steering_angle: 0.3 * turn },
            false => Action::Twist(Twist2::new(1.0, 0.0, turn)),
        };
        world.command(Command { vehicle, action }).unwrap();
    }
}

/// The scans that are new in a frame.
fn scans(world: &World, frame: &Frame) -> Vec<ViewScan> {
    let new = frame.readings.iter().filter(|reading| reading.is_fresh(frame.time) && reading.time == frame.time);
    let scan = |reading: &Reading| {
        let sensor = &world.scene().vehicles[reading.vehicle].sensors[reading.sensor];
        Some(ViewScan {
            time: reading.time,
            revision: 0,
            vehicle: reading.vehicle,
            sensor: reading.sensor,
            world_from_sensor: reading.world_from_body * sensor.body_from_sensor,
            range_max: sensor.kind.lidar()?.range_max,
            ranges: reading.data.scan()?.ranges.clone(),
        })
    };
    new.filter_map(scan).collect()
}

/// Bytes a simulated second of the states, 30 a second, and of the scans of a drive of four seconds.
fn bytes_per_second(name: &str, of: impl Fn(&SceneView) -> OfVehicles) -> [f64; 2] {
    let (mut world, view) = world(name);
    let numbers = Numbers::new(&view, of(&view));
    let (mut sender, mut state, mut message) = (Delta::new(), ViewState::default(), Vec::new());
    let (mut bytes, mut seconds, mut due) = ([0, 0], 0.0, 0.0);
    while seconds < 4.0 {
        drive(&mut world, seconds);
        let frame = world.step().unwrap().clone();
        seconds = frame.time.secs();
        for scan in scans(&world, &frame) {
            match numbers.has_all_of(scan.vehicle) {
                true => points::encode(&scan, 1, &mut message),
                false => points::encode_compact(&scan, 1, &mut message),
            }
            bytes[1] += message.len();
        }
        if seconds >= due {
            due += 1.0 / 30.0;
            state.fill(0, &frame);
            sender.encode_part(&state, &numbers, &mut message);
            bytes[0] += message.len();
        }
    }
    bytes.map(|bytes| bytes as f64 / seconds)
}

#[test]
fn twenty_five_vehicles_that_nobody_has_selected_stay_under_40_kb_a_second() {
    let bytes = |of: fn(&SceneView) -> OfVehicles| bytes_per_second("for_loop_fleet.world.xml", of);
    let [all, selected, none] = [
        bytes(|_| OfVehicles::All),
        bytes(|view| OfVehicles::Vehicle(view.vehicles[3].id)),
        bytes(|_| OfVehicles::None),
    ];
    // States and scans; all of them drive.
    assert!(none[0] < 12.5e3 && none[0] + none[1] < 40e3, "{none:?} bytes/s");
    // The numbers of one, and its scans to the last digit.
    assert!(selected[0] < none[0] + 1e3 && selected[0] + selected[1] < 44e3, "{selected:?} bytes/s");
    assert!(all[0] < 30e3 && all[1] > 90e3, "{all:?} bytes/s");
}

#[test]
fn a_viewer_of_one_vehicle_knows_all_of_its_numbers_and_what_is_seen_of_the_others() {
    let (mut world, view) = world("for_loop_fleet.world.xml");
    let size = VEHICLE.len() + 2 * WHEEL.len();
    let seen: Vec<bool> = [VEHICLE.as_slice(), &WHEEL, &WHEEL]
        .concat()
        .iter()
        .map(|channel| LAYOUT.seen.contains(&channel.name))
        .collect();
    let (mut sender, mut known, mut state, mut message) = (Delta::new(), Vec::new(), ViewState::default(), Vec::new());
    // Nobody, then the fifth, then a vehicle that has gone, then all: what was left out comes with the next state.
    let selections =
        [OfVehicles::None, OfVehicles::Vehicle(view.vehicles[4].id), OfVehicles::Vehicle(999), OfVehicles::All];
    for (round, of) in selections.into_iter().enumerate() {
        let numbers = Numbers::new(&view, of);
        for _ in 0..40 {
            drive(&mut world, 3.0 * round as f64);
            state.fill(0, world.step().unwrap());
        }
        let before = known.clone();
        sender.encode_part(&state, &numbers, &mut message);
        assert_eq!(message[1] & 2 == 2, of != OfVehicles::All);
        if of != OfVehicles::All {
            let only = u16::from_le_bytes(message[delta::HEADER..delta::HEADER + 2].try_into().unwrap());
            assert_eq!(only, if round == 1 { 4 } else { NOBODY });
        }
        follow(&message, &mut known, state.counts.len());
        for vehicle in 0..view.vehicles.len() {
            let is_whole = numbers.has_all_of(vehicle);
            assert_eq!(is_whole, of == OfVehicles::All || round == 1 && vehicle == 4);
            for (index, is_seen) in seen.iter().enumerate() {
                let place = vehicle * size + index;
                let last =
                    if is_whole || *is_seen { state.counts[place] } else { before.get(place).copied().unwrap_or(0) };
                assert_eq!(known[place], last, "round {round}, vehicle {vehicle}, number {index}");
            }
        }
        assert_eq!(
            known[view.vehicles.len() * size..],
            state.counts[view.vehicles.len() * size..],
            "blocks are seen by all"
        );
    }
}

/// A thousand like blocks, with the colours of their corners: what they share is in the document once, and comes back where it was.
#[test]
fn a_short_scene_has_each_text_of_geometry_once() {
    let triangles = |corners: &str, colors: &str| DrawingView {
        kind: "body".into(),
        name: String::new(),
        shape: ShapeView::Triangles {
            corners: corners.repeat(100),
            colors: colors.repeat(50),
            on_picture: String::new(),
        },
        pose: PoseView::default(),
        color: None,
        texture: None,
        is_lit: true,
        cull: "none".into(),
        show_bounding_box: false,
    };
    let body = |drawing: DrawingView| BodyView { drawings: vec![drawing], ..BodyView::default() };
    let blocks = (0..1000).map(|n| body(triangles("AAAA", if n % 2 == 0 { "BBBB" } else { "" })));
    let fixed = vec![triangles("CCCC", ""), triangles("AAAA", "AAAA")];
    let scene = SceneView { blocks: blocks.collect(), fixed, ..SceneView::default() };
    let short = scene.shortened();
    assert_eq!(short.shared, ["AAAA".repeat(100), "BBBB".repeat(50)]);
    let length = |scene: &SceneView| serde_json::to_string(scene).unwrap().len();
    assert!(length(&short) + 1000 * 396 + 500 * 198 < length(&scene), "{} {}", length(&short), length(&scene));
    let mut long = short;
    let shared = std::mem::take(&mut long.shared);
    long.visit_texts(|text| {
        if let Some(index) = text.strip_prefix('#') {
            *text = shared[index.parse::<usize>().unwrap()].clone();
        }
    });
    assert_eq!(long, scene);
    assert_eq!(SceneView { blocks: Vec::new(), fixed: scene.fixed.clone(), ..scene }.shortened().shared.len(), 0);
}
