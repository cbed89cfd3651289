//! Ranges, noise and mounting against closed forms.

use skidpad_math::Pose2;

use super::*;
use crate::raycast::space::{Model, Space, Surface};
use crate::raycast::{GridCaster, Obstacles, OccupancyGrid};
use crate::sensor::{ErrorParameters, WhiteNoise};
use std::sync::Arc;

pub(super) fn context() -> SensorContext {
    SensorContext { seed: 7, vehicle: "r1".to_string(), name: "scan".to_string(), wheels: Vec::new() }
}

pub(super) fn exact() -> Lidar2dParameters {
    Lidar2dParameters {
        errors: RangeErrorParameters::white(0.0),
        angle_std: 0.0,
        range_max: 10.0,
        ..Lidar2dParameters::default()
    }
}

/// A room of 8 m × 6 m around the origin, walls one cell of 0.1 m thick on the inside.
pub(super) fn room() -> Vec<Arc<GridCaster>> {
    let (width, height) = (80, 60);
    let edge = |i: usize| [0, width - 1].contains(&(i % width)) || [0, height - 1].contains(&(i / width));
    let cells = (0..width * height).map(|i| if edge(i) { 100 } else { 0 }).collect();
    let grid = OccupancyGrid::new(width, height, 0.1, Pose2::new(-4.0, -3.0, 0.0), cells, 50).unwrap();
    vec![Arc::new(GridCaster::new(Arc::new(grid)).unwrap())]
}

fn sweep(lidar: &mut Lidar2d, pose: Pose2, grids: &[Arc<GridCaster>], obstacles: &Obstacles) -> Vec<f32> {
    let mut reading = lidar.new_reading();
    let view = View { world_from_body: Pose3::from_planar(pose), grids, ..View::at_rest(obstacles) };
    lidar.sense(&view, &mut reading);
    reading.scan().unwrap().ranges.clone()
}

#[test]
fn a_room_reads_as_its_walls() {
    let mut lidar = Lidar2d::new(exact(), &context());
    let ranges = sweep(&mut lidar, Pose2::new(1.0, 0.5, 0.0), &room(), &Obstacles::new());
    assert_eq!(ranges.len(), 181);
    for (beam, expected) in [(0, 3.4), (90, 2.9), (180, 2.4)] {
        assert!((f64::from(ranges[beam]) - expected).abs() < 1e-6, "beam {beam}: {}", ranges[beam]);
    }
    // 45° to the left: the nearer wall is the left one at y = 2.9.
    assert!((f64::from(ranges[135]) - 2.4 * 2.0_f64.sqrt()).abs() < 1e-6);
}

#[test]
fn the_mounting_moves_and_turns_the_sweep() {
    let body_from_sensor = Pose3 { x: 0.5, y: 0.2, z: 0.3, yaw: std::f64::consts::FRAC_PI_2, ..Pose3::default() };
    let mut lidar = Lidar2d::new(Lidar2dParameters { body_from_sensor, ..exact() }, &context());
    // The vehicle looks along +y: the sensor stands at (0.8, 1.0) and looks along -x.
    let ranges = sweep(&mut lidar, Pose2::new(1.0, 0.5, std::f64::consts::FRAC_PI_2), &room(), &Obstacles::new());
    assert!((f64::from(ranges[90]) - (0.8 + 3.9)).abs() < 1e-6, "{}", ranges[90]);
}

#[test]
fn beams_without_a_return_read_as_they_are_told_and_the_others_as_ever() {
    let obstacles = Obstacles::new();
    let at = Pose2::new(1.0, 0.5, 0.0);
    let of = |no_return| Lidar2dParameters { no_return, range_min: 2.5, range_max: 3.0, ..exact() };
    let infinite = sweep(&mut Lidar2d::new(of(NoReturn::Infinity), &context()), at, &room(), &obstacles);
    assert_eq!((infinite[0], infinite[180]), (f32::INFINITY, f32::NEG_INFINITY), "3.4 m and 2.4 m away");
    for (no_return, far) in [(NoReturn::Max, 3.0), (NoReturn::BelowMax, 2.9)] {
        let expected: Vec<f32> =
            infinite.iter().map(|&range| if range == f32::INFINITY { far } else { range }).collect();
        assert_eq!(sweep(&mut Lidar2d::new(of(no_return), &context()), at, &room(), &obstacles), expected);
        // Whoever runs the world decides over what the sensor says.
        let mut lidar = Lidar2d::new(of(NoReturn::Infinity), &context());
        let mut reading = lidar.new_reading();
        let view = View { no_return_override: Some(no_return), ..View::at_rest(&obstacles) };
        let grids = room();
        lidar.sense(&View { world_from_body: Pose3::from_planar(at), grids: &grids, ..view }, &mut reading);
        assert_eq!(reading.scan().unwrap().ranges, expected);
    }
}

#[test]
fn near_and_far_read_as_rep_117_says() {
    let mut obstacles = Obstacles::new();
    let square = [(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)].map(|(x, y)| Vec2::new(x, y));
    obstacles.add_static(&square, Pose2::new(0.15, 0.0, 0.0), [0.0, 1.0]);
    obstacles.finish();
    let mut lidar = Lidar2d::new(Lidar2dParameters { range_min: 0.06, ..exact() }, &context());
    let ranges = sweep(&mut lidar, Pose2::IDENTITY, &[], &obstacles);
    assert_eq!(ranges[90], f32::NEG_INFINITY);
    assert_eq!((ranges[0], ranges[180]), (f32::INFINITY, f32::INFINITY));
    let parameters = Lidar2dParameters { bodies_visible: false, ..exact() };
    let blind = sweep(&mut Lidar2d::new(parameters, &context()), Pose2::IDENTITY, &[], &obstacles);
    assert!(blind.iter().all(|r| *r == f32::INFINITY));
}

#[test]
fn noise_has_its_standard_deviation_and_repeats_by_seed() {
    let parameters = Lidar2dParameters { errors: RangeErrorParameters::white(0.05), count: 4001, fov: 1e-4, ..exact() };
    let spread = |context: &SensorContext| {
        let mut lidar = Lidar2d::new(parameters.clone(), context);
        let ranges = sweep(&mut lidar, Pose2::IDENTITY, &room(), &Obstacles::new());
        let errors: Vec<f64> = ranges.iter().map(|r| f64::from(*r) - 3.9).collect();
        let mean = errors.iter().sum::<f64>() / 4001.0;
        ((errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / 4000.0).sqrt(), mean, ranges)
    };
    let (std, mean, ranges) = spread(&context());
    assert!((std - 0.05).abs() < 0.003 && mean.abs() < 0.004, "{std} {mean}");
    assert_eq!(spread(&context()).2, ranges);
    assert_ne!(spread(&SensorContext { seed: 8, ..context() }).2, ranges);
    assert_ne!(spread(&SensorContext { vehicle: "r2".to_string(), ..context() }).2, ranges);
}

#[test]
fn angle_noise_turns_beams_and_leaves_them_in_order_of_magnitude() {
    let parameters = Lidar2dParameters { angle_std: 0.02, count: 2001, fov: 1e-4, ..exact() };
    let mut lidar = Lidar2d::new(parameters, &context());
    // A wall 3.9 m ahead seen under angle a reads 3.9/cos a: the mean excess is 3.9·σ²/2.
    let ranges = sweep(&mut lidar, Pose2::IDENTITY, &room(), &Obstacles::new());
    let excess = ranges.iter().map(|r| f64::from(*r) - 3.9).sum::<f64>() / 2001.0;
    assert!((excess / (3.9 * 0.5 * 0.02 * 0.02) - 1.0).abs() < 0.15, "{excess}");
    assert!(ranges.iter().all(|r| f64::from(*r) >= 3.9 - 1e-6));
}

#[test]
fn the_number_of_ranges_fits_the_angles_in_single_precision() {
    for count in [2, 3, 100, 181, 360, 361, 720, 800, 1080, 1081, 4096] {
        for degrees in [1.0, 90.0, 180.0, 270.0, 359.0, 360.0_f64] {
            let g = scan_geometry(&Lidar2dParameters { count, fov: degrees.to_radians(), ..exact() });
            let last = g.angle_min + (g.count - 1) as f64 * g.angle_increment;
            let (min, max, step) = (g.angle_min as f32, last as f32, g.angle_increment as f32);
            assert_eq!(((max - min) / step).round() as usize + 1, count, "{count} beams over {degrees}°");
        }
    }
}

#[test]
fn a_single_beam_looks_ahead() {
    let mut lidar = Lidar2d::new(Lidar2dParameters { count: 1, ..exact() }, &context());
    let ranges = sweep(&mut lidar, Pose2::IDENTITY, &room(), &Obstacles::new());
    assert!(ranges.len() == 1 && (ranges[0] - 3.9).abs() < 1e-6);
}

#[test]
fn a_changed_noise_level_is_used_from_the_next_sweep_on() {
    let mut lidar = Lidar2d::new(Lidar2dParameters { errors: RangeErrorParameters::white(0.3), ..exact() }, &context());
    let (grids, obstacles) = (room(), Obstacles::new());
    let mut reading = lidar.new_reading();
    let view = View { grids: &grids, range_noise_override: Some(0.0), ..View::at_rest(&obstacles) };
    lidar.sense(&view, &mut reading);
    let scan = reading.scan().unwrap();
    assert!((scan.ranges[90] - 3.9).abs() < 1e-6);
}

/// REP 117: both ends of the range are in it.
#[test]
fn what_is_measured_at_an_end_of_the_range_is_told() {
    let mut out = [0.0; 4];
    report(&[0.1, 2.0, 2.0 + 1e-9, 0.1 - 1e-9], 0.0, &[5.0; 4], [0.1, 2.0], f32::INFINITY, &mut out);
    assert_eq!(out, [0.1, 2.0, f32::INFINITY, f32::NEG_INFINITY]);
    report(&[0.1, 1.5, 2.0], 0.01, &[-1.0, 2.0, 1.0], [0.1, 2.0], f32::INFINITY, &mut out);
    assert_eq!(out[..3], [f32::NEG_INFINITY, 1.52, f32::INFINITY]);
}

#[test]
fn beams_in_space_see_slopes_and_heights() {
    // A slab below the sensor, which looks 45° down, and nothing ahead at its own height.
    let floor: Vec<Vec3> = [(-50.0, -50.0), (50.0, -50.0), (0.0, 80.0)].map(|(x, y)| Vec3::new(x, y, 0.0)).into();
    let mut space = Space::new(Vec3::zeros());
    space.add(Arc::new(Model::new(&floor)), [Surface::default()].into(), None, Pose3::default());
    space.finish();
    let mut lidar = Lidar2d::new(
        Lidar2dParameters {
            body_from_sensor: Pose3 { z: 2.0, ..Pose3::default() },
            count: 3,
            angle_std: 0.0,
            errors: RangeErrorParameters::white(0.0),
            is_spatial: true,
            ..Lidar2dParameters::default()
        },
        &context(),
    );
    assert!(lidar.needs_space());
    let obstacles = Obstacles::new();
    let mut out = lidar.new_reading();
    let level = View { space: Some(&space), ..View::at_rest(&obstacles) };
    lidar.sense(&level, &mut out);
    assert_eq!(out.scan().unwrap().ranges, [f32::INFINITY; 3]);
    let nose_down = Pose3 { pitch: std::f64::consts::FRAC_PI_4, ..Pose3::default() };
    lidar.sense(&View { world_from_body: nose_down, ..level }, &mut out);
    let ranges = &out.scan().unwrap().ranges;
    // It turns with the vehicle about its reference point: 2·cos 45° high, and as far ahead; to its sides it looks level.
    assert!(ranges[0].is_infinite() && (ranges[1] - 2.0).abs() < 1e-6 && ranges[2].is_infinite(), "{ranges:?}");
}

#[test]
fn a_sweep_has_one_bias_and_outliers_and_losses_of_each_beam() {
    let white = ErrorParameters::white(0.0);
    let look = |errors: RangeErrorParameters, sweeps: usize| -> Vec<f32> {
        let parameters = Lidar2dParameters { errors, count: 2001, fov: 1e-4, ..exact() };
        let mut lidar = Lidar2d::new(parameters, &context());
        (0..sweeps).map(|_| sweep(&mut lidar, Pose2::new(1.0, 0.5, 0.0), &room(), &Obstacles::new())).last().unwrap()
    };
    let off = |range: &f32| (f64::from(*range) - 2.9).abs();
    let biased = look(RangeErrorParameters { errors: ErrorParameters { turn_on: 0.3, ..white }, drop_out: 0.0 }, 2);
    assert!(off(&biased[0]) > 1e-3 && biased.iter().all(|range| (range - biased[0]).abs() < 1e-6));
    let lossy = look(RangeErrorParameters { errors: white, drop_out: 0.2 }, 1);
    let lost = lossy.iter().filter(|range| range.is_infinite()).count();
    assert!(lost.abs_diff(400) < 72, "{lost}");
    let wild = ErrorParameters { outlier_share: 0.1, outlier_std: 0.5, ..white };
    let wild = look(RangeErrorParameters { errors: wild, drop_out: 0.0 }, 1);
    let outliers = wild.iter().filter(|range| off(range) > 1e-6).count();
    assert!(outliers.abs_diff(200) < 54, "{outliers}");
}

/// A lidar with a field of 2 rad and beams of 2⁻⁷ rad, whose angles and their opposites are exact.
fn with_exact_angles(start: f64, body_from_sensor: Pose3) -> Lidar2d {
    Lidar2d::new(
        Lidar2dParameters { body_from_sensor, fov: 2.0, start: Some(start), count: 257, ..exact() },
        &context(),
    )
}

/// A square about (1.5, 0.9), turned, and nothing like it on the other side.
fn to_one_side() -> Obstacles {
    let mut obstacles = Obstacles::new();
    let square = [(-0.3, -0.2), (0.3, -0.2), (0.3, 0.2), (-0.3, 0.2)].map(|(x, y)| Vec2::new(x, y));
    obstacles.add_static(&square, Pose2::new(1.5, 0.9, 0.4), [0.0, 1.0]);
    obstacles.finish();
    obstacles
}

/// Upside down, the beam at the angle a looks where that of an upright lidar at −a looks.
#[test]
fn a_lidar_upside_down_has_the_ranges_of_an_upright_one_in_reverse() {
    let (grids, obstacles) = (room(), to_one_side());
    let at = Pose3 { x: 0.1, y: -0.2, z: 0.2, ..Pose3::default() };
    let vehicle = Pose2::new(0.3, 0.2, 0.35);
    for start in [-1.0, 0.25] {
        let upright = sweep(&mut with_exact_angles(-start - 2.0, at), vehicle, &grids, &obstacles);
        let mirrored: Vec<f32> = upright.iter().rev().copied().collect();
        assert_ne!(upright, mirrored);
        let turned = |yaw: f64, pitch: f64, roll: f64| {
            let mut lidar = with_exact_angles(start, Pose3 { yaw, pitch, roll, ..at });
            assert!(!lidar.needs_space());
            sweep(&mut lidar, vehicle, &grids, &obstacles)
        };
        use std::f64::consts::PI;
        for roll in [PI, -PI, PI - 3e-6, PI - 1.6e-3] {
            assert_eq!(turned(0.0, 0.0, roll), mirrored, "{roll}");
        }
        for (actual, expected) in turned(PI, PI, 0.0).iter().zip(&mirrored) {
            assert!((actual - expected).abs() < 1e-6, "{actual} {expected}");
        }
        for (actual, expected) in
            turned(PI, PI, PI).iter().zip(sweep(&mut with_exact_angles(start, at), vehicle, &grids, &obstacles))
        {
            assert!((actual - expected).abs() < 1e-6, "pitch, yaw and roll of half a turn cancel: {actual} {expected}");
        }
    }
}

/// A room of 6 m × 8 m × 3 m about (0, 0, 1), in the plane and, with blue walls, in space.
pub(super) fn box_room() -> (Obstacles, Space) {
    let (half, low) = (Vec3::new(3.0, 4.0, 1.5), Vec3::new(-3.0, -4.0, -0.5));
    let mut obstacles = Obstacles::new();
    let wall = [(-3.0, -4.0), (3.0, -4.0), (3.0, 4.0), (-3.0, 4.0)].map(|(x, y)| Vec2::new(x, y));
    obstacles.add_static(&wall, Pose2::IDENTITY, [-0.5, 2.5]);
    obstacles.finish();
    let mesh = skidpad_files::mesh::primitives::Geometry::Box { size: (2.0 * half).into() }.mesh();
    let corners: Vec<Vec3> = mesh.triangles.iter().flatten().map(|&i| mesh.vertices[i as usize]).collect();
    let mut space = Space::new(Vec3::zeros());
    let pose = Pose3 { x: low.x, y: low.y, z: low.z, ..Pose3::default() };
    space.add(
        Arc::new(Model::new(&corners)),
        [Surface { color: [0.2, 0.5, 0.8], ..Surface::default() }].into(),
        None,
        pose,
    );
    space.finish();
    (obstacles, space)
}

/// What a reader of the messages does: each range along its angle about z, in the frame of the mounting.
#[test]
fn points_of_a_lidar_at_any_attitude_lie_on_the_walls() {
    let (obstacles, space) = box_room();
    let mut random = WhiteNoise::new(11, "mountings");
    let mut seen = [0; 2];
    for number in 0..200 {
        let mut any = || random.sample();
        let mut mounting =
            Pose3 { x: 0.3 * any(), y: 0.3 * any(), z: 1.0, yaw: 3.0 * any(), pitch: any(), roll: 2.0 * any() };
        if number % 4 == 0 {
            (mounting.pitch, mounting.roll) = (0.0, if number % 8 == 0 { std::f64::consts::PI } else { 0.0 });
        }
        let body = Pose3 { x: 0.4 * any(), y: 0.5 * any(), yaw: 3.0 * any(), ..Pose3::default() };
        let parameters = Lidar2dParameters { body_from_sensor: mounting, count: 40, fov: 6.0, ..exact() };
        let mut lidar = Lidar2d::new(parameters, &context());
        let mut out = lidar.new_reading();
        let view = View { world_from_body: body, space: Some(&space), ..View::at_rest(&obstacles) };
        lidar.sense(&view, &mut out);
        seen[usize::from(lidar.needs_space())] += 1;
        for (beam, &range) in out.scan().unwrap().ranges.iter().enumerate() {
            let (sin, cos) = libm::sincos(lidar.geometry.angle(beam));
            let point = (body * mounting).transform_point(f64::from(range) * Vec3::new(cos, sin, 0.0));
            let inside = [3.0 - point.x.abs(), 4.0 - point.y.abs(), 1.5 - (point.z - 1.0).abs()];
            let to_wall = inside.into_iter().fold(f64::INFINITY, f64::min);
            assert!(to_wall.abs() < 1e-5, "{mounting:?}, beam {beam}: {point:?}");
        }
    }
    assert_eq!(seen, [50, 150]);
}

#[test]
fn beams_in_three_dimensions_know_what_they_meet() {
    let (space, obstacles) = (crate::sensor::camera::test_space(), Obstacles::new());
    for has_labels in [false, true] {
        let body_from_sensor = Pose3 { z: 0.5, ..Pose3::default() };
        let parameters =
            Lidar2dParameters { body_from_sensor, is_spatial: true, has_points: true, has_labels, ..exact() };
        let mut lidar = Lidar2d::new(parameters, &context());
        let mut reading = lidar.new_reading();
        lidar.sense(&View { space: Some(&space), ..View::at_rest(&obstacles) }, &mut reading);
        let scan = reading.scan().unwrap();
        let expected = |range: &f32| if range.is_finite() { [1, 1] } else { [0, 0] };
        let labels: Vec<_> = scan.ranges.iter().map(expected).take(if has_labels { 181 } else { 0 }).collect();
        assert!(scan.labels == labels && scan.ranges.iter().any(|range| range.is_finite()));
    }
}

#[test]
fn beams_without_a_return_may_read_nan_or_zero() {
    let at = Pose2::new(1.0, 0.5, 0.0);
    let first = |no_return| {
        let parameters = Lidar2dParameters { no_return, range_max: 3.0, ..exact() };
        sweep(&mut Lidar2d::new(parameters, &context()), at, &room(), &Obstacles::new())[0]
    };
    assert!(first(NoReturn::Nan).is_nan());
    assert_eq!(first(NoReturn::Zero), 0.0);
}

#[test]
fn noise_grows_with_the_range_where_that_is_more_than_the_white_one() {
    let spread = |x: f64| {
        let errors = RangeErrorParameters::white(0.01);
        let parameters = Lidar2dParameters { errors, noise_per_metre: 0.01, count: 8001, fov: 1e-4, ..exact() };
        let at = Pose2::new(x, 0.5, 0.0);
        let ranges = sweep(&mut Lidar2d::new(parameters, &context()), at, &room(), &Obstacles::new());
        let variance = ranges.iter().map(|range| (f64::from(*range) - (3.9 - x)).powi(2)).sum::<f64>() / 8001.0;
        variance.sqrt()
    };
    // 0.5 m and 4.9 m from the wall ahead.
    for (x, expected) in [(3.4, 0.01), (-1.0, 0.049)] {
        assert!((spread(x) / expected - 1.0).abs() < 0.04, "{} m", spread(x));
    }
}

#[test]
fn a_copied_scan_has_all_of_it() {
    let scan = Scan { ranges: vec![1.0], intensities: vec![2.0], labels: vec![[3, 4]], since_end: SimTime(5) };
    let mut copy = ReadingData::Scan(Scan::default());
    copy.copy_from(&ReadingData::Scan(scan.clone()));
    assert_eq!(copy.scan(), Some(&scan));
}
