//! Closed forms of the place of an antenna, reception, and errors.

use std::f64::consts::FRAC_PI_2;

use skidpad_math::Twist2;

use super::*;
use crate::georeference::Georeference;
use crate::raycast::Obstacles;

const HERE: Geodetic = Geodetic { latitude: 0.6439, longitude: -0.0404, height: 200.0 };

fn exact() -> GnssParameters {
    let none = ErrorParameters::white(0.0);
    GnssParameters { horizontal: none, vertical: none, velocity: none, ..GnssParameters::default() }
}

fn gnss(parameters: GnssParameters) -> Gnss {
    Gnss::new(parameters, &SensorContext { seed: 1, vehicle: "r1".into(), name: "gps".into(), wheels: Vec::new() })
}

fn fix(gnss: &mut Gnss, view: &View<'_>) -> Option<GnssFix> {
    let mut reading = gnss.new_reading();
    gnss.sense(view, &mut reading);
    let ReadingData::Gnss(fix) = reading else { panic!("{reading:?}") };
    fix
}

/// Where a fix lies, along east, north and up of a place [m].
#[track_caller]
fn assert_lies(fix: Option<GnssFix>, from: Geodetic, expected: [f64; 3]) {
    let actual = from.enu_of(fix.unwrap().place);
    assert!((actual - Vec3::from(expected)).norm() < 1e-6, "{actual:?} instead of {expected:?}");
}

#[test]
fn it_measures_the_place_of_its_antenna_at_the_attitude_of_the_vehicle() {
    let obstacles = Obstacles::new();
    let world = Georeference::new(HERE, 0.0);
    let body_from_sensor = Pose3 { x: 1.0, y: 0.5, z: 2.0, ..Pose3::default() };
    let mut gnss = gnss(GnssParameters { body_from_sensor, ..exact() });
    let at = |world_from_body| View { georeference: Some(&world), world_from_body, ..View::at_rest(&obstacles) };
    assert_lies(fix(&mut gnss, &at(Pose3::default())), HERE, [1.0, 0.5, 2.0]);
    // Heading north, 10 m east.
    let north = Pose3 { x: 10.0, yaw: FRAC_PI_2, ..Pose3::default() };
    assert_lies(fix(&mut gnss, &at(north)), HERE, [9.5, 1.0, 2.0]);
    // Nose straight down, then lying on its right side.
    assert_lies(fix(&mut gnss, &at(Pose3 { pitch: FRAC_PI_2, ..Pose3::default() })), HERE, [2.0, 0.5, -1.0]);
    assert_lies(fix(&mut gnss, &at(Pose3 { roll: FRAC_PI_2, ..Pose3::default() })), HERE, [1.0, -2.0, 0.5]);
}

#[test]
fn worlds_may_be_turned_or_on_the_utm_grid() {
    let obstacles = Obstacles::new();
    let turned = Georeference::new(HERE, FRAC_PI_2);
    let world_from_body = Pose3 { x: 10.0, y: 3.0, ..Pose3::default() };
    let view = View { georeference: Some(&turned), world_from_body, ..View::at_rest(&obstacles) };
    assert_lies(fix(&mut gnss(exact()), &view), HERE, [-3.0, 10.0, 0.0]);

    let grid = Georeference::of_utm_world(HERE).unwrap();
    let start = grid.world_from_geodetic(HERE);
    let world_from_body = Pose3 { x: start.x, y: start.y, z: 5.0, ..Pose3::default() };
    let view = View { georeference: Some(&grid), world_from_body, ..view };
    assert_lies(fix(&mut gnss(exact()), &view), HERE, [0.0, 0.0, 5.0]);
    let beyond = Pose3 { x: 9e6, ..world_from_body };
    assert_eq!(fix(&mut gnss(exact()), &View { world_from_body: beyond, ..view }), None);
}

#[test]
fn reception_counts_at_the_antenna_in_the_world() {
    let obstacles = Obstacles::new();
    // In a world that is turned, coordinates along east and north would say otherwise.
    let world = Georeference::new(HERE, FRAC_PI_2);
    let body_from_sensor = Pose3 { x: 2.0, z: 1.0, ..Pose3::default() };
    let mut gnss = gnss(GnssParameters { body_from_sensor, ..exact() });
    let has_coverage = |point: Vec3| point.x < 5.0 || point.z < 0.5;
    let at = |x| View {
        georeference: Some(&world),
        has_coverage: &has_coverage,
        world_from_body: Pose3 { x, ..Pose3::default() },
        ..View::at_rest(&obstacles)
    };
    assert!(fix(&mut gnss, &at(2.9)).is_some());
    assert!(fix(&mut gnss, &at(3.1)).is_none());
    assert!(fix(&mut gnss, &View { georeference: None, ..at(0.0) }).is_none());
}

#[track_caller]
fn assert_moves(fix: Option<GnssFix>, expected: [f64; 3]) {
    let actual = fix.unwrap().velocity_in_enu;
    assert!((actual - Vec3::from(expected)).norm() < 2e-6, "{actual:?} instead of {expected:?}");
}

#[test]
fn the_velocity_is_that_of_the_antenna_towards_east_north_and_up() {
    let obstacles = Obstacles::new();
    // The world's x axis points north; the robot drives along it and turns to the left, its antenna ahead of and beside it.
    let turned = Georeference::new(HERE, FRAC_PI_2);
    let velocity_in_body = Twist2::new(2.0, 0.1, 0.5);
    let view = View { georeference: Some(&turned), velocity_in_body, ..View::at_rest(&obstacles) };
    let body_from_sensor = Pose3 { x: 1.0, y: 0.4, z: 2.0, ..Pose3::default() };
    let mut receiver = gnss(GnssParameters { body_from_sensor, ..exact() });
    assert_moves(fix(&mut receiver, &view), [-0.1 - 0.5, 2.0 - 0.2, 0.0]);
    // Uphill; the level part of the speed is given.
    let uphill = Pose3 { pitch: -0.3, ..Pose3::default() };
    let view = View { world_from_body: uphill, velocity_in_body: Twist2::new(2.0, 0.0, 0.0), ..view };
    assert_moves(fix(&mut receiver, &view), [0.0, 2.0, 2.0 * libm::tan(0.3)]);
}

#[test]
fn the_velocity_in_a_utm_world_is_turned_by_grid_convergence_and_has_true_metres() {
    let obstacles = Obstacles::new();
    let grid = Georeference::of_utm_world(HERE).unwrap();
    let start = grid.world_from_geodetic(HERE);
    let view = View {
        georeference: Some(&grid),
        world_from_body: Pose3 { x: start.x, y: start.y, ..Pose3::default() },
        velocity_in_body: Twist2::new(10.0, 0.0, 0.0),
        ..View::at_rest(&obstacles)
    };
    let actual = fix(&mut gnss(exact()), &view).unwrap().velocity_in_enu;
    // tan γ = tan Δλ · sin φ on the sphere, from the central meridian of zone 30; scale 0.9996·(1 + (ΔE/R)²/2), at 200
    // m above the ellipsoid.
    let convergence = libm::atan(libm::tan(HERE.longitude + 3.0_f64.to_radians()) * libm::sin(HERE.latitude));
    let scale = 0.9996 * (1.0 + 0.5 * ((start.x - 5e5) / 6.378e6).powi(2)) / (1.0 + HERE.height / 6.378e6);
    assert!((libm::atan2(actual.y, actual.x).abs() - convergence).abs() < 1e-5, "{actual:?} {convergence}");
    assert!((actual.norm() - 10.0 / scale).abs() < 1e-4, "{} {scale}", actual.norm());
}

#[test]
fn errors_have_their_own_deviation_across_and_up_and_come_again_after_a_restart() {
    let obstacles = Obstacles::new();
    let world = Georeference::new(HERE, 0.4);
    let wandering = ErrorParameters { instability: 0.5, bias_time: 0.2, ..ErrorParameters::white(1.2) };
    let mut gnss = gnss(GnssParameters { horizontal: wandering, vertical: ErrorParameters::white(3.0), ..exact() });
    let SensorKind::Gnss(accuracy) = gnss.info().kind else { panic!("{:?}", gnss.info()) };
    assert!((accuracy.horizontal_variance - 1.69).abs() < 1e-12 && (accuracy.vertical_variance - 9.0).abs() < 1e-12);
    let count = 20_000;
    let run = |gnss: &mut Gnss| -> Vec<Vec3> {
        let mut errors = Vec::new();
        for k in 1..=count {
            let time = SimTime::from_secs(0.1 * f64::from(k));
            let view = View { time, georeference: Some(&world), ..View::at_rest(&obstacles) };
            errors.push(HERE.enu_of(fix(gnss, &view).unwrap().place));
        }
        errors
    };
    let errors = run(&mut gnss);
    for (axis, variance) in [1.69, 1.69, 9.0].into_iter().enumerate() {
        let actual = errors.iter().map(|error| error[axis] * error[axis]).sum::<f64>() / f64::from(count);
        // More than four standard errors of a variance, 4·√(2/n).
        assert!((actual / variance - 1.0).abs() < 0.045, "axis {axis}: {actual}");
    }
    let next: f64 = errors.windows(2).map(|pair| pair[0].x * pair[1].x).sum::<f64>() / f64::from(count - 1);
    assert!((next - 0.25 * (-0.5_f64).exp()).abs() < 0.05, "the wandering part alone is correlated: {next}");
    gnss.restart();
    assert_eq!(run(&mut gnss), errors);
}

#[test]
fn places_and_velocities_are_told_in_whole_steps() {
    let obstacles = Obstacles::new();
    let world = Georeference::new(HERE, 0.0);
    let steps = |resolution| ErrorParameters { resolution, ..ErrorParameters::white(0.0) };
    let mut gnss =
        gnss(GnssParameters { horizontal: steps(0.5), vertical: steps(0.0), velocity: steps(0.1), ..exact() });
    let world_from_body = Pose3 { x: 10.3, y: -4.2, z: 0.7, ..Pose3::default() };
    let velocity_in_body = Twist2::new(1.23, 0.0, 0.0);
    let view = View { georeference: Some(&world), world_from_body, velocity_in_body, ..View::at_rest(&obstacles) };
    let actual = fix(&mut gnss, &view);
    assert_lies(actual, HERE, [10.5, -4.0, 0.7]);
    assert!((actual.unwrap().velocity_in_enu - Vec3::new(1.2, 0.0, 0.0)).norm() < 1e-9);
}
