//! Ranges against closed forms: a wall, a ball, a floor, mirrors, limits and noise.

use std::sync::Arc;

use skidpad_files::mesh::primitives::Geometry;

use super::*;
use crate::raycast::Obstacles;
use crate::raycast::space::{Model, Surface};

fn exact() -> RangeParameters {
    RangeParameters {
        body_from_sensor: Pose3::default(),
        errors: RangeErrorParameters::white(0.0),
        range: [0.1, 10.0],
        count: 2000,
        ..RangeParameters::default()
    }
}

fn finder(parameters: RangeParameters) -> RangeFinder {
    let context = SensorContext { seed: 5, vehicle: "r1".into(), name: "sonar".into(), wheels: Vec::new() };
    RangeFinder::new(parameters, &context)
}

/// A solid at a pose.
fn space(solid: &Geometry, pose: Pose3) -> Space {
    let mesh = solid.mesh();
    let corners: Vec<Vec3> = mesh.triangles.iter().flatten().map(|&i| mesh.vertices[i as usize]).collect();
    let mut space = Space::new(Vec3::zeros());
    space.add(Arc::new(Model::new(&corners)), [Surface::default()].into(), None, pose);
    space.finish();
    space
}

/// A wall 20 m wide and high whose face is at x = 2, turned by `yaw` [rad] about the point (2, 0) of its face.
fn wall(yaw: f64) -> Space {
    let (sin, cos) = libm::sincos(yaw);
    // A corner of the box is its origin.
    let pose = Pose3 { x: 2.0 + 10.0 * sin, y: -10.0 * cos, z: -10.0, yaw, ..Pose3::default() };
    space(&Geometry::Box { size: [0.5, 20.0, 20.0] }, pose)
}

fn range(finder: &mut RangeFinder, space: &Space) -> f64 {
    let obstacles = Obstacles::new();
    let mut reading = finder.new_reading();
    finder.sense(&View { space: Some(space), ..View::at_rest(&obstacles) }, &mut reading);
    let ReadingData::Range(sample) = reading else { panic!("{reading:?}") };
    assert_eq!(sample.rays, finder.cone.len() as u64);
    sample.range
}

#[test]
fn rays_fill_the_cone_evenly() {
    let fov = 60.0_f64.to_radians();
    let rays = cone(fov, 1001);
    assert!(rays.iter().all(|ray| (ray.norm() - 1.0).abs() < 1e-12 && ray.x >= libm::cos(0.5 * fov) - 1e-12));
    // Half of the solid angle is within acos(1 − (1 − cos 30°) / 2) of the axis, and half of the rays are.
    let half = rays.iter().filter(|ray| 1.0 - ray.x < 0.5 * (1.0 - libm::cos(0.5 * fov)));
    assert!(half.count().abs_diff(500) <= 1);
    let middle: Vec3 = rays.iter().sum::<Vec3>() / 1001.0;
    assert!(middle.y.hypot(middle.z) < 2e-3, "{middle}");
}

#[test]
fn a_wall_is_as_far_as_its_nearest_point_in_the_cone() {
    for yaw in [0.0_f64, 10.0, 20.0, 40.0].map(f64::to_radians) {
        let actual = range(&mut finder(exact()), &wall(yaw));
        // The distance along the ray with the least incidence: perpendicular if that is within 15°.
        let off = (yaw - 15.0_f64.to_radians()).max(0.0);
        let expected = 2.0 * libm::cos(yaw) / libm::cos(off);
        assert!((actual / expected - 1.0).abs() < 2e-3, "{yaw}: {actual} instead of {expected}");
        assert!(actual > expected - 1e-6, "never nearer");
    }
}

#[test]
fn smooth_surfaces_send_nothing_back_at_an_angle() {
    let mut sonar = finder(RangeParameters { max_incidence: 20.0_f64.to_radians(), ..exact() });
    // At 30° to the axis, the rays at the edge of the cone meet the wall at 15°; at 40° only at 25°.
    assert!(range(&mut sonar, &wall(30.0_f64.to_radians())) < 2.0);
    assert_eq!(range(&mut sonar, &wall(40.0_f64.to_radians())), f64::INFINITY);
    // A floor 0.1 m below is met at more than 75°.
    let floor =
        space(&Geometry::Box { size: [20.0, 20.0, 1.0] }, Pose3 { x: -10.0, y: -10.0, z: -1.1, ..Pose3::default() });
    assert_eq!(range(&mut sonar, &floor), f64::INFINITY);
    let expected = 0.1 / libm::sin(15.0_f64.to_radians());
    let actual = range(&mut finder(exact()), &floor);
    assert!((actual / expected - 1.0).abs() < 0.02, "{actual} instead of {expected}");
}

#[test]
fn near_and_far_read_as_rep_117_says() {
    let near = RangeParameters { range: [2.5, 10.0], ..exact() };
    assert_eq!(range(&mut finder(near), &wall(0.0)), f64::NEG_INFINITY);
    let far = RangeParameters { range: [0.1, 1.5], ..exact() };
    assert_eq!(range(&mut finder(far.clone()), &wall(0.0)), f64::INFINITY);
    assert_eq!(range(&mut finder(RangeParameters { no_return_is_max: true, ..far }), &wall(0.0)), 1.5);
}

#[test]
fn noise_has_its_size_and_comes_again() {
    let noisy = RangeParameters { errors: RangeErrorParameters::white(0.05), count: 1, ..exact() };
    let (mut sonar, wall) = (finder(noisy), wall(0.0));
    let ranges: Vec<f64> = (0..2000).map(|_| range(&mut sonar, &wall)).collect();
    let mean = ranges.iter().sum::<f64>() / 2000.0;
    let variance = ranges.iter().map(|r| (r - mean) * (r - mean)).sum::<f64>() / 2000.0;
    // Four standard errors.
    assert!((mean - 2.0).abs() < 0.0045 && (variance / 0.0025 - 1.0).abs() < 0.13, "{mean} {variance}");
    sonar.restart();
    assert_eq!(range(&mut sonar, &wall), ranges[0]);
}

/// In the plane: a square whose face is at x = 2, turned about the middle of that face.
#[test]
fn rays_in_the_plane_see_outlines_and_their_angle() {
    let look = |parameters: RangeParameters, yaw: f64| {
        let mut obstacles = Obstacles::new();
        let outline = [(0.0, -3.0), (6.0, -3.0), (6.0, 3.0), (0.0, 3.0)].map(|(x, y)| Vec2::new(x, y));
        obstacles.add_static(&outline, skidpad_math::Pose2::new(2.0, 0.0, yaw), [0.0, 1.0]);
        obstacles.finish();
        let mut finder = finder(RangeParameters { is_spatial: false, ..parameters });
        let mut reading = finder.new_reading();
        finder.sense(&View::at_rest(&obstacles), &mut reading);
        let ReadingData::Range(sample) = reading else { panic!("{reading:?}") };
        sample.range
    };
    let smooth = RangeParameters { max_incidence: 20.0_f64.to_radians(), ..exact() };
    for degrees in [0.0_f64, 10.0, 30.0, 40.0] {
        let yaw = degrees.to_radians();
        let off = (yaw - 15.0_f64.to_radians()).max(0.0);
        let expected = 2.0 * libm::cos(yaw) / libm::cos(off);
        let actual = look(exact(), yaw);
        assert!((actual / expected - 1.0).abs() < 1e-4, "{degrees}: {actual} instead of {expected}");
        let actual = look(smooth.clone(), yaw);
        let is_seen = degrees <= 35.0;
        assert_eq!(actual.is_finite(), is_seen, "{degrees}: {actual}");
    }
    assert!((look(RangeParameters { count: 1, ..smooth }, 0.0) - 2.0).abs() < 1e-8);
}

/// Glass at 1 m before a wall at 2 m, in the plane and in space.
#[test]
fn infrared_light_passes_glass_and_sound_does_not() {
    let mut obstacles = Obstacles::new();
    let outline = [(0.0, -3.0), (0.1, -3.0), (0.1, 3.0), (0.0, 3.0)].map(|(x, y)| Vec2::new(x, y));
    let pane = obstacles.add_static(&outline, skidpad_math::Pose2::new(1.0, 0.0, 0.0), [0.0, 1.0]);
    obstacles.set_static_clear(pane, true);
    obstacles.add_static(&outline, skidpad_math::Pose2::new(2.0, 0.0, 0.0), [0.0, 1.0]);
    obstacles.finish();
    let mut space = wall(0.0);
    let mesh = Geometry::Box { size: [0.1, 6.0, 6.0] }.mesh();
    let corners: Vec<Vec3> = mesh.triangles.iter().flatten().map(|&i| mesh.vertices[i as usize]).collect();
    let glass = Surface { opacity: 0.2, ..Surface::default() };
    space.add(
        Arc::new(Model::new(&corners)),
        [glass].into(),
        None,
        Pose3 { x: 1.0, y: -3.0, z: -3.0, ..Pose3::default() },
    );
    space.finish();
    for is_spatial in [false, true] {
        for (radiation, expected) in [(Radiation::Ultrasound, 1.0), (Radiation::Infrared, 2.0)] {
            let mut finder = finder(RangeParameters { radiation, is_spatial, ..exact() });
            let mut reading = finder.new_reading();
            finder.sense(&View { space: Some(&space), ..View::at_rest(&obstacles) }, &mut reading);
            let ReadingData::Range(sample) = reading else { panic!("{reading:?}") };
            assert!((sample.range - expected).abs() < 1e-3, "{radiation:?} {is_spatial}: {}", sample.range);
        }
    }
}

/// In the plane a cone about a level axis is the same at any roll; about any other axis its rays leave the plane.
#[test]
fn rays_stay_in_the_plane_as_long_as_the_axis_does() {
    let mut obstacles = Obstacles::new();
    let outline = [(0.0, -3.0), (0.1, -3.0), (0.1, 3.0), (0.0, 3.0)].map(|(x, y)| Vec2::new(x, y));
    obstacles.add_static(&outline, skidpad_math::Pose2::new(-1.5, 0.0, 0.0), [0.0, 1.0]);
    obstacles.finish();
    let space = wall(0.0);
    let look = |pitch: f64, roll: f64| {
        let body_from_sensor = Pose3 { pitch: pitch.to_radians(), roll: roll.to_radians(), ..Pose3::default() };
        let mut finder = finder(RangeParameters { is_spatial: false, body_from_sensor, ..exact() });
        let mut reading = finder.new_reading();
        finder.sense(&View { space: Some(&space), ..View::at_rest(&obstacles) }, &mut reading);
        let ReadingData::Range(sample) = reading else { panic!("{reading:?}") };
        (finder.needs_space(), sample.range)
    };
    for roll in [0.0, 40.0, 180.0] {
        assert_eq!(look(0.0, roll), (false, f64::INFINITY), "{roll}");
        let (needs_space, backwards) = look(180.0, roll);
        assert!(!needs_space && (backwards - 1.4).abs() < 1e-6, "{roll}: {backwards}");
    }
    // The wall in space is at x = 2; the ray that is level is at the edge of the cone.
    let (needs_space, tilted) = look(15.0, 90.0);
    assert!(needs_space && (tilted - 2.0).abs() < 1e-2, "{tilted}");
}
