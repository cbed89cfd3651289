//! Tests of the sink: when data is due, and how many snapshots are queued.

use std::sync::Mutex;

use skidpad_math::Pose3;
use skidpad_ros_data::interface::names::TfMode;
use skidpad_ros_data::preset::SKIDPAD;
use skidpad_sim::sensor::{Reading, ReadingData, Scan};
use skidpad_sim::world::{EntityId, VehicleFrame, VehicleInfo};

use super::*;

const STEP: i64 = 5_000_000;

fn settings() -> PublishSettings {
    PublishSettings {
        odom_rate: 50.0,
        joint_rate: 50.0,
        has_joint_pace: false,
        clock_rate: 100.0,
        free_running: false,
        publish_clock: true,
        publish_tf: true,
        publish_map_to_odom: false,
        marker_rate: 10.0,
        body_rate: 0.001,
        force_scale: 0.0,
        log_rate: 50.0,
        map_to_odom_offset: SimTime::ZERO,
        publish_static_tf: true,
    }
}

fn scene() -> Arc<Scene> {
    fleet(0, &[0])
}

fn fleet(revision: u64, ids: &[u64]) -> Arc<Scene> {
    let vehicle = |id: &u64| VehicleInfo { id: EntityId(*id), name: format!("r{id}"), ..VehicleInfo::default() };
    let vehicles = ids.iter().map(vehicle).collect();
    Arc::new(Scene { name: "test".into(), step: SimTime(STEP), seed: 1, revision, vehicles, ..Scene::default() })
}

fn rig(settings: PublishSettings, capacity: usize) -> (RosSink, Arc<Queue<PublishSnapshot>>, SharedSettings) {
    let queue = Arc::new(Queue::new(capacity, 1 << 30));
    let shared = Arc::new(Mutex::new(settings));
    let mut naming = Naming::new(&SKIDPAD, false, None, |_| TfMode::Namespaced);
    let layout = Arc::new(naming.begin(&scene()).unwrap());
    (RosSink::new(queue.clone(), shared.clone(), naming, layout, Arc::default(), Arc::default()), queue, shared)
}

fn frame(step: i64, scan_time: i64, colliding: bool) -> Frame {
    let scan = Scan { ranges: vec![1.0, f32::INFINITY], ..Scan::default() };
    Frame {
        time: SimTime(step * STEP),
        step: step as u64,
        vehicles: vec![VehicleFrame { colliding, ..VehicleFrame::default() }],
        readings: vec![Reading {
            earlier: Default::default(),
            vehicle: 0,
            sensor: 0,
            time: SimTime(scan_time),
            arrived: SimTime(scan_time),
            passed: SimTime(-1),
            world_from_body: Pose3::default(),
            data: ReadingData::Scan(scan),
        }],
        ..Frame::default()
    }
}

#[test]
fn the_start_is_published_only_where_time_stands_there() {
    let (mut sink, queue, _) = rig(settings(), 8);
    sink.frame(&scene(), &frame(0, 0, false)).unwrap();
    sink.scene_changed(&fleet(1, &[0])).unwrap();
    assert!(!queue.pop().unwrap().has_begun);
    (0..2).for_each(|_| sink.idle(&scene(), &frame(0, 0, false)).unwrap());
    // Once with its transforms: a late node gets those that are latched, and the time.
    for has_transforms in [true, false] {
        let snapshot = queue.pop().unwrap();
        assert_eq!((snapshot.time, snapshot.clock, snapshot.has_begun), (SimTime::ZERO, true, true));
        assert_eq!(snapshot.has_transforms, has_transforms);
    }
    sink.frame(&scene(), &frame(2, 0, false)).unwrap();
    assert_eq!(queue.pop().unwrap().time, SimTime(2 * STEP));
}

#[test]
fn stamps_by_the_wall_clock_are_those_of_the_present_also_in_a_pause() {
    let (sink, queue, _) = rig(PublishSettings { publish_clock: false, ..settings() }, 100);
    let mut sink = sink.with_wall_stamps(true);
    let before = wall_stamps::now();
    sink.frame(&scene(), &frame(4, 0, false)).unwrap();
    sink.frame(&scene(), &frame(8, 0, false)).unwrap();
    (0..2).for_each(|_| sink.idle(&scene(), &frame(8, 0, false)).unwrap());
    let snapshots: Vec<_> = (0..4).map(|_| queue.pop().unwrap()).collect();
    assert!(snapshots.iter().all(|snapshot| snapshot.has_transforms && !snapshot.clock));
    let stamps: Vec<SimTime> = snapshots.iter().map(|one| one.stamps.unwrap().at(one.time)).collect();
    assert!(before <= stamps[0] && stamps[3] < before + SimTime(60_000_000_000), "{stamps:?}");
    assert!(stamps.windows(2).all(|pair| pair[0] < pair[1]), "{stamps:?}");
}

#[test]
fn everything_is_due_as_often_as_its_rate_requires() {
    let (mut sink, queue, _) = rig(settings(), 1000);
    for step in 1..=200 {
        let scan = if step % 5 == 0 { step * STEP } else { 0 };
        sink.frame(&scene(), &frame(step, scan, false)).unwrap();
    }
    let (mut clocks, mut states, mut scans, mut last) = (0, 0, 0, SimTime::ZERO);
    while last < SimTime(200 * STEP) {
        let snapshot = queue.pop().unwrap();
        assert!(snapshot.time > last && snapshot.clock);
        last = snapshot.time;
        clocks += 1;
        states += u32::from(snapshot.states[0]);
        assert!(!snapshot.states[1]);
        scans += u32::from(snapshot.sensors[0].fresh);
        assert_eq!(snapshot.vehicles[0].senses, snapshot.sensors[0].fresh);
    }
    // 100 on the clock's own grid, and 20 of the 40 scans in between, each with its clock before it.
    assert_eq!((clocks, states, scans), (120, 50, 40));
}

#[test]
fn joint_states_may_have_a_rate_of_their_own() {
    let (mut sink, queue, _) = rig(PublishSettings { odom_rate: 20.0, has_joint_pace: true, ..settings() }, 1000);
    for step in 1..=200 {
        sink.frame(&scene(), &frame(step, 0, false)).unwrap();
    }
    let mut due = [0; 2];
    for _ in 0..100 {
        let states = queue.pop().unwrap().states;
        due = [due[0] + u32::from(states[0]), due[1] + u32::from(states[1])];
    }
    assert_eq!(due, [20, 50]);
}

#[test]
fn every_clock_has_the_transforms_of_its_instant_exactly_once() {
    let (mut sink, queue, shared) = rig(settings(), 1000);
    let mut stamps = Vec::new();
    let mut drain = |queue: &Queue<PublishSnapshot>| {
        while queue.waiting() > 0 {
            let snapshot = queue.pop().unwrap();
            assert!(
                !snapshot.clock || snapshot.has_transforms || stamps.last() == Some(&snapshot.time),
                "{}",
                snapshot.time
            );
            if snapshot.has_transforms {
                assert_eq!(snapshot.vehicles[0].frame.world_from_body.x, snapshot.time.secs());
                stamps.push(snapshot.time);
            }
            queue.recycle(snapshot);
        }
    };
    let at = |step: i64| {
        let mut frame = frame(step, if step % 5 == 0 { step * STEP } else { 0 }, false);
        frame.vehicles[0].world_from_body.x = frame.time.secs();
        frame
    };
    for step in 1..=201 {
        sink.frame(&scene(), &at(step)).unwrap();
    }
    // In a pause between two instants of the grid the clock is repeated, its transforms are not.
    (0..3).for_each(|_| sink.idle(&scene(), &at(201)).unwrap());
    drain(&queue);
    sink.frame(&scene(), &at(202)).unwrap();
    drain(&queue);
    shared.lock().unwrap().publish_clock = false;
    (203..=206).for_each(|step| sink.frame(&scene(), &at(step)).unwrap());
    sink.idle(&scene(), &at(206)).unwrap();
    drain(&queue);
    assert!(stamps.windows(2).all(|pair| pair[0] < pair[1]), "{stamps:?}");
    // 120 clocks, the one of the pause, one after it, and the odometry of step 204 where there is no clock.
    assert_eq!(stamps.len(), 123);
}

#[test]
fn a_collision_between_two_publications_is_published_once_even_if_a_snapshot_is_dropped() {
    let (mut sink, queue, _) = rig(settings(), 1);
    sink.frame(&scene(), &frame(2, 0, true)).unwrap();
    sink.frame(&scene(), &frame(4, 0, false)).unwrap();
    // The snapshot of step 4 replaced that of step 2 only when a third arrived.
    sink.frame(&scene(), &frame(8, 0, false)).unwrap();
    let snapshot = queue.pop().unwrap();
    assert!(snapshot.states[0] && snapshot.vehicles[0].collided);
    sink.frame(&scene(), &frame(12, 0, false)).unwrap();
    assert!(!queue.pop().unwrap().vehicles[0].collided);
}

#[test]
fn added_and_removed_vehicles_keep_their_own_collisions() {
    let (mut sink, queue, _) = rig(settings(), 8);
    let colliding = |step, colliding: &[bool]| Frame {
        vehicles: colliding.iter().map(|on| VehicleFrame { colliding: *on, ..VehicleFrame::default() }).collect(),
        readings: Vec::new(),
        ..frame(step, 0, false)
    };
    let next = || queue.pop().unwrap();
    sink.scene_changed(&fleet(1, &[0, 5])).unwrap();
    assert_eq!((next().time, sink.layout.scene.revision), (SimTime::ZERO, 1));
    sink.frame(&fleet(1, &[0, 5]), &colliding(1, &[false, true])).unwrap();
    sink.scene_changed(&fleet(2, &[5, 9])).unwrap();
    let change = next();
    assert_eq!((change.time, change.clock, change.states), (SimTime(STEP), false, [false; 2]));
    assert_eq!(change.layout.as_ref().unwrap().scene.revision, 2);
    sink.frame(&fleet(2, &[5, 9]), &colliding(4, &[false, false])).unwrap();
    let collided: Vec<bool> = next().vehicles.iter().map(|vehicle| vehicle.collided).collect();
    assert_eq!(collided, [true, false]);
}

#[test]
fn changed_settings_take_effect_with_the_next_frame() {
    let (mut sink, queue, shared) = rig(settings(), 8);
    shared.lock().unwrap().publish_clock = false;
    sink.frame(&scene(), &frame(2, 0, false)).unwrap();
    shared.lock().unwrap().publish_clock = true;
    sink.frame(&scene(), &frame(6, 0, false)).unwrap();
    assert_eq!(queue.pop().unwrap().time, SimTime(6 * STEP));
}

#[test]
fn a_paused_simulation_repeats_only_its_time() {
    let (mut sink, queue, _) = rig(settings(), 8);
    sink.frame(&scene(), &frame(4, 4 * STEP, false)).unwrap();
    queue.recycle(queue.pop().unwrap());
    sink.idle(&scene(), &frame(4, 4 * STEP, false)).unwrap();
    let snapshot = queue.pop().unwrap();
    assert_eq!((snapshot.time, snapshot.clock, snapshot.states), (SimTime(4 * STEP), true, [false; 2]));
    assert!(!snapshot.sensors[0].fresh && !snapshot.vehicles[0].senses);
}

#[test]
fn without_a_clock_a_pause_wakes_the_publisher_alone() {
    let (mut sink, queue, _) = rig(PublishSettings { publish_clock: false, ..settings() }, 8);
    sink.idle(&scene(), &frame(2, 0, false)).unwrap();
    let snapshot = queue.pop().unwrap();
    assert_eq!((snapshot.clock, snapshot.states), (false, [false; 2]));
}

#[test]
fn publication_continues_from_a_time_that_is_set_back() {
    let (mut sink, queue, _) = rig(settings(), 100);
    sink.frame(&scene(), &frame(2000, 0, false)).unwrap();
    queue.recycle(queue.pop().unwrap());
    sink.time_reset(&scene(), &frame(0, 0, false)).unwrap();
    (1..=8).for_each(|step| sink.frame(&scene(), &frame(step, 0, false)).unwrap());
    let due: Vec<(i64, bool)> = (0..4).map(|_| queue.pop().unwrap()).map(|s| (s.time.0 / STEP, s.states[0])).collect();
    assert_eq!(due, [(2, false), (4, true), (6, false), (8, true)]);
}

#[test]
fn at_full_speed_clocks_never_displace_data() {
    let (mut sink, queue, _) = rig(PublishSettings { free_running: true, ..settings() }, 8);
    (1..=20).for_each(|step| sink.frame(&scene(), &frame(step, 0, false)).unwrap());
    let sent: Vec<(i64, bool, bool)> =
        (0..6).map(|_| queue.pop().unwrap()).map(|s| (s.time.0 / STEP, s.clock, s.may_wait)).collect();
    // The first clock finds the queue empty; after it only odometry is queued, each with its clock.
    assert_eq!(
        sent,
        [(2, true, true), (4, true, false), (8, true, false), (12, true, false), (16, true, false), (20, true, false)]
    );
    assert_eq!(sink.load(), SinkLoad { waiting: 0, dropped: 0 });
}

#[test]
fn a_publisher_that_has_stopped_is_an_error() {
    let (mut sink, queue, _) = rig(settings(), 8);
    queue.close();
    let error = sink.frame(&scene(), &frame(2, 0, false)).unwrap_err();
    assert_eq!(error.to_string(), "ROS: the publisher has stopped");
}
