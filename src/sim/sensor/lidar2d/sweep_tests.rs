//! Scans of rotating lidars against closed forms: each beam from where the sensor was at its time.

use super::super::tests::{box_room, context, exact, room};
use super::super::*;
use super::*;
use crate::raycast::Obstacles;

const STEP: SimTime = SimTime(5_000_000);
const PERIOD: SimTime = SimTime(100_000_000);

/// A vehicle that turns and drives sideways.
fn pose_at(time: SimTime) -> Pose3 {
    let t = time.secs();
    Pose3 { x: 0.4 - 2.0 * t, y: -0.3 + 0.5 * t, yaw: 0.2 + 1.5 * t, ..Pose3::default() }
}

fn rotating(is_clockwise: bool, body_from_sensor: Pose3) -> Lidar2dParameters {
    let rotation = Some((is_clockwise, ScanStamp::FirstBeam));
    let fov = 300.0_f64.to_radians();
    Lidar2dParameters { body_from_sensor, fov, count: 601, rotation, period: PERIOD, ..exact() }
}

/// The scan that is over after two periods, of a vehicle with these poses.
fn scan(lidar: &mut Lidar2d, view: &View<'_>, pose_at: impl Fn(SimTime) -> Pose3) -> Scan {
    let mut out = lidar.new_reading();
    for number in 1..=40 {
        let time = SimTime(STEP.0 * number);
        let view = View { time, world_from_body: pose_at(time), ..*view };
        if time.0 % PERIOD.0 == 0 { lidar.sense(&view, &mut out) } else { lidar.watch(&view) }
    }
    out.scan().cloned().unwrap()
}

/// The largest distance of the ends of the beams from the walls of a room with these half sides [m]. First each beam starts where the vehicle was
/// at its time, then all start where it is at the end of the scan.
fn off_walls(lidar: &Lidar2d, scan: &Scan, half: [f64; 2], pose_at: impl Fn(SimTime) -> Pose3) -> [f64; 2] {
    let (geometry, mut off) = (lidar.geometry, [0.0_f64; 2]);
    let motion = geometry.motion.unwrap();
    for (beam, &range) in scan.ranges.iter().enumerate() {
        let (sin, cos) = libm::sincos(geometry.angle(beam));
        let end = SimTime(2 * PERIOD.0);
        let measured = end - SimTime::from_secs(motion.before_end(beam, geometry.count));
        for (off, time) in off.iter_mut().zip([measured, end]) {
            let at = pose_at(time) * lidar.info.body_from_sensor;
            let point = at.transform_point(f64::from(range) * Vec3::new(cos, sin, 0.0));
            let to_wall = (half[0] - point.x.abs()).min(half[1] - point.y.abs());
            *off = off.max(to_wall.abs());
        }
    }
    off
}

#[test]
fn a_scan_of_a_moving_lidar_is_straight_once_each_beam_is_put_where_it_was_measured() {
    let (obstacles, space) = box_room();
    let grids = room();
    let nothing = Obstacles::new();
    let mounting = Pose3 { x: 0.2, y: -0.1, z: 0.3, yaw: 0.4, ..Pose3::default() };
    let upside_down = Pose3 { roll: std::f64::consts::PI, ..mounting };
    let tilted = Pose3 { pitch: 0.002, ..mounting };
    let on_map = View { grids: &grids, ..View::at_rest(&nothing) };
    let among_walls = View { space: Some(&space), ..View::at_rest(&obstacles) };
    for is_clockwise in [false, true] {
        for (view, mounting, half) in [
            (&on_map, mounting, [3.9, 2.9]),
            (&on_map, upside_down, [3.9, 2.9]),
            (&among_walls, mounting, [3.0, 4.0]),
            (&among_walls, upside_down, [3.0, 4.0]),
            (&among_walls, tilted, [3.0, 4.0]),
        ] {
            // In the time of four beams of the coarse one the lidar goes 1.3 mm.
            for (count, most) in [(601, 1.4e-3), (4801, 6e-4)] {
                let parameters = Lidar2dParameters { count, ..rotating(is_clockwise, mounting) };
                let mut lidar = Lidar2d::new(parameters, &context());
                let scan = scan(&mut lidar, view, pose_at);
                let [straight, skewed] = off_walls(&lidar, &scan, half, pose_at);
                assert!(straight < most && skewed > 0.2, "{mounting:?}: {straight} m, skewed by {skewed} m");
            }
        }
    }
}

#[test]
fn standing_still_a_rotating_lidar_measures_what_one_at_an_instant_does() {
    let (grids, nothing) = (room(), Obstacles::new());
    let noisy = |rotation| Lidar2dParameters {
        rotation,
        errors: RangeErrorParameters { drop_out: 0.1, ..RangeErrorParameters::white(0.02) },
        angle_std: 0.01,
        ..rotating(false, Pose3::default())
    };
    let view = View { grids: &grids, ..View::at_rest(&nothing) };
    let stand = |_| Pose3 { x: 0.3, yaw: 0.4, ..Pose3::default() };
    let instant = scan(&mut Lidar2d::new(noisy(None), &context()), &view, stand);
    for is_clockwise in [false, true] {
        let rotation = Some((is_clockwise, ScanStamp::Start));
        let rotating = scan(&mut Lidar2d::new(noisy(rotation), &context()), &view, stand);
        assert_eq!(
            rotating.ranges.iter().map(|r| r.to_bits()).collect::<Vec<_>>(),
            instant.ranges.iter().map(|r| r.to_bits()).collect::<Vec<_>>()
        );
    }
}

/// A TiM has 15 scans a second: the steps of 5 ms do not fall on their ends.
#[test]
fn scans_end_with_their_periods_also_between_two_steps() {
    let (grids, nothing) = (room(), Obstacles::new());
    let period = SimTime::from_secs(1.0 / 15.0);
    let mut lidar =
        Lidar2d::new(Lidar2dParameters { period, count: 4801, ..rotating(true, Pose3::default()) }, &context());
    let mut out = lidar.new_reading();
    let mut ends = Vec::new();
    for number in 1..=60_i64 {
        let time = SimTime(STEP.0 * number);
        let view = View { time, world_from_body: pose_at(time), grids: &grids, ..View::at_rest(&nothing) };
        if time.0 / period.0 == (time.0 - STEP.0) / period.0 {
            lidar.watch(&view);
            continue;
        }
        lidar.sense(&view, &mut out);
        let scan = out.scan().unwrap();
        ends.push(scan.since_end.0 / 1_000_000);
        for (beam, &range) in scan.ranges.iter().enumerate() {
            let before = lidar.geometry.motion.unwrap().before_end(beam, lidar.geometry.count);
            let at = pose_at(time - scan.since_end - SimTime::from_secs(before));
            let (sin, cos) = libm::sincos(at.yaw + lidar.geometry.angle(beam));
            let (x, y) = (at.x + f64::from(range) * cos, at.y + f64::from(range) * sin);
            let off = (3.9 - x.abs()).min(2.9 - y.abs()).abs();
            // In the first one nothing was known of the way before.
            assert!(off < 7e-4 || ends.len() == 1, "{beam} of {}: {off} m", ends.len());
        }
    }
    assert_eq!(ends, [3, 1, 4, 3]);
}

/// A program that has changed the world looks at once, amid a period.
#[test]
fn a_sample_amid_a_period_sees_all_of_the_present_and_the_next_one_has_its_times() {
    let (grids, nothing) = (room(), Obstacles::new());
    let mut lidar = Lidar2d::new(rotating(false, Pose3::default()), &context());
    let mut out = lidar.new_reading();
    let mut at = |time: i64, x: f64, lidar: &mut Lidar2d, is_sample: bool| {
        let world_from_body = Pose3 { x, ..Pose3::default() };
        let view = View { time: SimTime(time), world_from_body, grids: &grids, ..View::at_rest(&nothing) };
        if is_sample {
            lidar.sense(&view, &mut out)
        } else {
            lidar.watch(&view)
        }
        let ranges = &out.scan().unwrap().ranges;
        // To the right rear, ahead, and to the left rear.
        [0, 300, 600].map(|beam| f64::from(ranges[beam]))
    };
    at(100_000_000, 0.0, &mut lidar, true);
    at(140_000_000, 0.0, &mut lidar, false);
    let seen = at(150_000_000, 2.0, &mut lidar, true);
    assert!((seen[1] - 1.9).abs() < 1e-6 && (seen[0] - seen[2]).abs() < 1e-6, "{seen:?}");
    at(160_000_000, 2.0, &mut lidar, false);
    let seen = at(200_000_000, 2.0, &mut lidar, true);
    // The beam to the right rear was measured at 117 ms, before the vehicle went ahead.
    let expected = 3.9 / 30.0_f64.to_radians().cos();
    assert!((seen[1] - 1.9).abs() < 1e-6 && (seen[0] - expected).abs() < 1e-6, "{seen:?}, expected {expected}");
}

/// What is put elsewhere during a scan does not sweep over the way between.
#[test]
fn after_a_teleport_beams_start_where_the_vehicle_is_now() {
    let (grids, nothing) = (room(), Obstacles::new());
    let mut lidar = Lidar2d::new(rotating(false, Pose3::default()), &context());
    let mut out = lidar.new_reading();
    let at = |time: i64, x: f64, since: f64| View {
        time: SimTime(time),
        world_from_body: Pose3 { x, ..Pose3::default() },
        since_set_down: SimTime::from_secs(since),
        grids: &grids,
        ..View::at_rest(&nothing)
    };
    lidar.sense(&at(100_000_000, -3.0, 9.0), &mut out);
    lidar.watch(&at(150_000_000, -3.0, 9.0));
    lidar.sense(&at(200_000_000, 3.0, 0.01), &mut out);
    // The beam at -60 degrees was measured at the old place, that at 0 degrees after the teleport.
    let (half, ranges) = (lidar.geometry.count / 2, &out.scan().unwrap().ranges);
    let [before, after] = [ranges[half - 120], ranges[half]].map(f64::from);
    assert!((before - 2.9 / 60.0_f64.to_radians().sin()).abs() < 1e-6, "{before} m");
    assert!((after - 0.9).abs() < 1e-6, "{after} m");
    // A sweep that nobody wanted has no effect on the next one.
    lidar.skip(SimTime(300_000_000), Pose3::default());
    lidar.watch(&at(350_000_000, 1.0, 9.0));
    lidar.sense(&at(400_000_000, 1.0, 9.0), &mut out);
    // Time is set back.
    lidar.watch(&at(50_000_000, 2.0, 9.0));
    lidar.sense(&at(100_000_000, 2.0, 9.0), &mut out);
    let ranges = &out.scan().unwrap().ranges;
    assert!((f64::from(ranges[half]) - 1.9).abs() < 1e-6, "{}", ranges[half]);
}

#[test]
fn intensities_are_those_of_the_surfaces_that_beams_in_space_meet() {
    let (obstacles, space) = box_room();
    let parameters = Lidar2dParameters {
        white: Some(200.0),
        is_spatial: true,
        ..rotating(false, Pose3 { z: 0.4, ..Pose3::default() })
    };
    let mut lidar = Lidar2d::new(Lidar2dParameters { range_max: 3.5, ..parameters }, &context());
    let scan = scan(&mut lidar, &View { space: Some(&space), ..View::at_rest(&obstacles) }, |_| Pose3::default());
    // Of the walls' colour.
    let luma = 0.299 * 0.2 + 0.587 * 0.5 + 0.114 * 0.8;
    assert_eq!(scan.intensities.len(), 601);
    for (beam, (&range, &intensity)) in scan.ranges.iter().zip(&scan.intensities).enumerate() {
        let (sin, cos) = libm::sincos(lidar.geometry.angle(beam));
        let incidence = if (cos / 3.0).abs() > (sin / 4.0).abs() { cos.abs() } else { sin.abs() };
        let expected = if range.is_finite() { 200.0 * luma * incidence } else { 0.0 };
        assert!((f64::from(intensity) - expected).abs() < 1e-3, "{beam}: {intensity}, expected {expected}");
    }
    assert!(
        scan.intensities.contains(&0.0) && scan.intensities.iter().any(|intensity| *intensity > 100.0 * luma as f32)
    );
}

#[test]
fn the_time_of_each_beam_follows_from_stamp_and_increment_unless_the_driver_says_otherwise() {
    let of = |is_clockwise, stamp| ScanMotion { beam_time: 1e-3, is_clockwise, stamp };
    for is_clockwise in [false, true] {
        let motion = of(is_clockwise, ScanStamp::FirstBeam);
        for beam in [0, 3, 9] {
            let said = -motion.stamped_before_end(10) + motion.time_increment() * beam as f64;
            assert!((said + motion.before_end(beam, 10)).abs() < 1e-12, "{motion:?} {beam}");
        }
    }
    let said = |motion: ScanMotion| (motion.time_increment(), motion.stamped_before_end(10));
    assert_eq!(said(of(true, ScanStamp::Start)), (1e-3, of(true, ScanStamp::Start).duration(10)));
    assert_eq!(said(of(false, ScanStamp::End)), (1e-3, 0.0));
}

#[test]
fn stretches_cover_all_beams_and_are_short_where_the_lidar_moves() {
    let of = |metres| stretches(5..105, (metres, 0.0)).collect::<Vec<_>>();
    assert!(of(0.0).first() == Some(&(5..105)) && of(0.0).len() == 1);
    assert_eq!(of(0.003).len(), 3);
    assert_eq!(stretches(5..105, (0.0, 0.45)).count(), 5);
    let fast = of(1.0);
    assert!(fast.iter().all(|stretch| stretch.len() <= 8), "{fast:?}");
    assert_eq!(
        (fast[0].start, fast.last().unwrap().end, fast.iter().map(ExactSizeIterator::len).sum::<usize>()),
        (5, 105, 100)
    );
}
