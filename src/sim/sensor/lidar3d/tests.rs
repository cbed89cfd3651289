//! Clouds against closed forms: planes, a ball, the helix of a moving lidar, losses and noise.

use std::f64::consts::PI;
use std::sync::Arc;

use skidpad_files::mesh::primitives::Geometry;
use skidpad_math::{Twist2, Vec3};

use super::pattern::Pattern;
use super::*;
use crate::raycast::Obstacles;
use crate::raycast::space::{Model, Space, Surface};

const PERIOD: SimTime = SimTime(100_000_000);

fn parameters(elevations: &[f64], columns: usize) -> Lidar3dParameters {
    Lidar3dParameters {
        body_from_sensor: Pose3::default(),
        pattern: Pattern::spinning(elevations, columns, 2.0 * PI, PERIOD),
        range: [0.01, 80.0],
        errors: RangeErrorParameters::white(0.0),
        noise_per_metre: 0.0,
        range_at_10_percent: None,
        returns: Returns::Strongest,
        has_intensity: true,
        ignores_parent: false,
        is_instantaneous: true,
        geometry: CloudGeometry {
            rings: elevations.len(),
            columns,
            is_organized: true,
            layout: CloudLayout::Mvsim,
            is_numbered_down: false,
            has_labels: false,
            range_max: 80.0,
        },
        period: PERIOD,
    }
}

fn lidar(parameters: Lidar3dParameters) -> Lidar3d {
    Lidar3d::new(
        parameters,
        &SensorContext { seed: 3, vehicle: "r1".into(), name: "lidar1".into(), wheels: Vec::new() },
    )
}

/// Solids at poses, all of them grey of half the luma of white.
fn space(solids: &[(Geometry, Pose3)]) -> Space {
    let grey = Surface { color: [0.5; 3], label: [3, 6], ..Surface::default() };
    let mut space = Space::new(Vec3::zeros());
    for (solid, pose) in solids {
        let mesh = solid.mesh();
        let corners: Vec<Vec3> = mesh.triangles.iter().flatten().map(|&i| mesh.vertices[i as usize]).collect();
        space.add(Arc::new(Model::new(&corners)), [grey.clone()].into(), None, *pose);
    }
    space.finish();
    space
}

fn turn(lidar: &mut Lidar3d, space: &Space) -> Cloud {
    let obstacles = Obstacles::new();
    let view = View { space: Some(space), time: PERIOD, ..View::at_rest(&obstacles) };
    let mut out = lidar.new_reading();
    lidar.sense(&view, &mut out);
    let ReadingData::Cloud(cloud) = out else { panic!() };
    cloud
}

/// A floor below and a wall ahead, at this distance [m].
fn corner(distance: f64) -> Space {
    let slab = |size: [f64; 3], x, y, z| (Geometry::Box { size }, Pose3 { x, y, z, ..Pose3::default() });
    space(&[slab([200.0, 200.0, 1.0], -100.0, -100.0, -2.0), slab([1.0, 200.0, 50.0], distance, -100.0, -1.0)])
}

#[test]
fn a_wall_and_a_floor_have_the_ranges_of_planes() {
    let elevations = [-0.5, -0.1, 0.0, 0.2];
    let mut lidar = lidar(parameters(&elevations, 720));
    let cloud = turn(&mut lidar, &corner(5.0));
    assert_eq!((cloud.points.len(), cloud.rays), (4 * 720, 4 * 720));
    let mut seen = [0; 2];
    for (ray, point) in lidar.turn.iter().zip(&cloud.points) {
        let d = ray.direction;
        let to = |distance: f64, along: f64| if along > 0.0 { distance / along } else { f64::INFINITY };
        // The sensor is 1 m over the floor.
        let (wall, floor) = (to(5.0, d.x), to(1.0, -d.z));
        let expected = wall.min(floor);
        let sideways = |range: f64| (range * d.y).abs() < 99.0 && (range * d.x).abs() < 99.0;
        if expected < 80.0 && sideways(expected) {
            assert!((f64::from(point.range()) - expected).abs() < 1e-4, "{d:?}: {} {expected}", point.range());
            let incidence = if wall < floor { d.x } else { -d.z };
            assert!((f64::from(point.intensity) - 0.5 * incidence).abs() < 1e-6);
            assert_eq!(point.label, [3, 6]);
            seen[usize::from(floor < wall)] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
}

/// A wall across the whole view at `distance` [m], of this opacity.
fn pane(space: &mut Space, distance: f64, opacity: f32) {
    let corner = |y, z| Vec3::new(distance, y, z);
    let corners = [corner(-9.0, -9.0), corner(9.0, -9.0), corner(9.0, 9.0), corner(-9.0, 9.0)];
    let model = Model::new(&[0, 1, 2, 0, 2, 3].map(|index: usize| corners[index]));
    let surface = Surface { color: [1.0; 3], opacity, ..Surface::default() };
    space.add(Arc::new(model), [surface].into(), None, Pose3::default());
}

#[test]
fn what_is_nearer_than_the_least_range_hides_what_is_behind_and_is_not_reported() {
    for (nearest, opacity, returns, expected) in [
        (0.3, 1.0, Returns::Strongest, None),
        (0.3, 1.0, Returns::Last, None),
        (0.005, 1.0, Returns::First, None),
        (0.41, 1.0, Returns::First, Some(0.41)),
        // Glass lets light through, near or not; what it sends back from there is not received.
        (0.3, 0.2, Returns::First, Some(2.5)),
        (0.3, 0.2, Returns::Strongest, Some(2.5)),
        (0.5, 0.2, Returns::First, Some(0.5)),
    ] {
        let mut space = Space::new(Vec3::zeros());
        pane(&mut space, nearest, opacity);
        pane(&mut space, 2.5, 1.0);
        space.finish();
        let parameters = Lidar3dParameters { range: [0.4, 80.0], returns, ..parameters(&[0.0], 4) };
        let cloud = turn(&mut lidar(parameters), &space);
        // Of the four columns the third looks ahead.
        let actual = cloud.points[2].is_return().then(|| f64::from(cloud.points[2].range()));
        let differs = actual.unwrap_or(0.0) - expected.unwrap_or(0.0);
        assert!(differs.abs() < 1e-6, "{nearest} {opacity} {returns:?}: {actual:?} instead of {expected:?}");
        assert_eq!(cloud.points.len(), 4, "an organised cloud keeps a place for it");
    }
}

#[test]
fn a_ball_is_round() {
    let ball =
        (Geometry::Sphere { radius: 2.0, vertex_count: 400 }, Pose3 { x: 6.0, y: 1.0, z: 0.5, ..Pose3::default() });
    let elevations: Vec<f64> = (-20..=20).map(|e| 0.01 * f64::from(e)).collect();
    let cloud = turn(&mut lidar(parameters(&elevations, 1800)), &space(&[ball]));
    let on_ball: Vec<&CloudPoint> = cloud.points.iter().filter(|point| point.is_return()).collect();
    assert!(on_ball.len() > 2000);
    for point in on_ball {
        let [x, y, z] = point.position.map(f64::from);
        let radius = (Vec3::new(x, y, z) - Vec3::new(6.0, 1.0, 0.5)).norm();
        // The facets lie within radius·(1 − cos(π/200)) of the sphere, seen from where they are.
        assert!((radius - 2.0).abs() < 1e-3, "{radius}");
    }
}

#[test]
fn points_of_a_turning_and_driving_lidar_lie_on_the_helix_of_their_own_times() {
    let wall = corner(10.0);
    let mut lidar = lidar(Lidar3dParameters { is_instantaneous: false, ..parameters(&[0.0], 1000) });
    let (yaw_rate, speed, step) = (1.5, 3.0, SimTime(10_000_000));
    let obstacles = Obstacles::new();
    let pose = |time: SimTime| Pose3 { x: speed * time.secs(), yaw: yaw_rate * time.secs(), ..Pose3::default() };
    let mut out = lidar.new_reading();
    // From the second turn on it is in motion.
    for number in 1..=30 {
        let time = SimTime(step.0 * number);
        let velocity_in_body = Twist2 { wz: yaw_rate, ..Twist2::default() };
        let view = View {
            space: Some(&wall),
            time,
            world_from_body: pose(time),
            velocity_in_body,
            ..View::at_rest(&obstacles)
        };
        if number % 10 == 0 { lidar.sense(&view, &mut out) } else { lidar.watch(&view) }
    }
    let ReadingData::Cloud(cloud) = out else { panic!() };
    assert_eq!(cloud.duration, PERIOD);
    let (mut checked, mut distorted) = (0, 0.0_f64);
    for (ray, point) in lidar.turn.iter().zip(&cloud.points).filter(|(_, point)| point.is_return()) {
        let at = pose(SimTime(200_000_000 + i64::from(ray.since_start)));
        let d = at.rotation() * ray.direction;
        let expected = (10.0 - at.x) / d.x;
        if d.x > 0.2 {
            assert!((f64::from(point.range()) - expected).abs() < 1e-3, "{} {expected}", point.range());
            let still = pose(SimTime(300_000_000));
            distorted = distorted.max((expected - (10.0 - still.x) / (still.rotation() * ray.direction).x).abs());
            checked += 1;
        }
    }
    assert!(checked > 300 && distorted > 0.5, "{checked} {distorted}");
    assert_eq!(cloud.points.first().map(|point| point.since_start), Some(100_000));
    assert_eq!(cloud.points.last().map(|point| point.since_start), Some(100_000_000));
}

#[test]
fn weak_returns_are_lost_as_the_square_of_the_range() {
    // A surface that reflects half, met at a right angle, is seen √5 times as far as one that reflects a tenth.
    for (distance, is_seen) in [(2.2, true), (2.3, false)] {
        let parameters = Lidar3dParameters { range_at_10_percent: Some(1.0), ..parameters(&[0.0], 4) };
        let cloud = turn(&mut lidar(parameters), &corner(distance));
        assert_eq!(cloud.points[2].is_return(), is_seen, "{distance}");
    }
}

#[test]
fn noise_and_losses_have_their_sizes_and_come_again_after_a_restart() {
    let noisy = Lidar3dParameters {
        errors: RangeErrorParameters { drop_out: 0.25, ..RangeErrorParameters::white(0.03) },
        ..parameters(&[0.0], 20_000)
    };
    let mut lidar = lidar(noisy);
    let space = space(&[(
        Geometry::Cylinder { radius: 20.0, length: 10.0, vertex_count: 2000 },
        Pose3 { z: -5.0, ..Pose3::default() },
    )]);
    let first = turn(&mut lidar, &space);
    let ranges: Vec<f64> =
        first.points.iter().filter(|point| point.is_return()).map(|point| f64::from(point.range()) - 20.0).collect();
    let count = ranges.len() as f64;
    // Four standard errors.
    assert!((count / 20_000.0 - 0.75).abs() < 4.0 * (0.25 * 0.75 / 20_000.0_f64).sqrt(), "{count}");
    let variance = ranges.iter().map(|e| e * e).sum::<f64>() / count;
    assert!((variance.sqrt() / 0.03 - 1.0).abs() < 4.0 / (2.0 * count).sqrt(), "{}", variance.sqrt());
    assert!(turn(&mut lidar, &space) != first);
    lidar.restart();
    let again = turn(&mut lidar, &space);
    assert!(
        again
            .points
            .iter()
            .zip(&first.points)
            .all(|(a, b)| a.position.map(f32::to_bits) == b.position.map(f32::to_bits))
    );
}

#[test]
fn noise_that_grows_with_the_range_has_its_size_at_each_range() {
    let room = |radius: f64| {
        let tube = Geometry::Cylinder { radius, length: 10.0, vertex_count: 2000 };
        space(&[(tube, Pose3 { z: -5.0, ..Pose3::default() })])
    };
    for radius in [5.0, 40.0] {
        let noisy = Lidar3dParameters { noise_per_metre: 1e-3, ..parameters(&[0.0], 20_000) };
        let cloud = turn(&mut lidar(noisy), &room(radius));
        let errors = cloud.points.iter().map(|point| f64::from(point.range()) - radius);
        let variance = errors.map(|error| error * error).sum::<f64>() / 20_000.0;
        let expected = 1e-3 * radius;
        assert!((variance.sqrt() / expected - 1.0).abs() < 4.0 / 40_000.0_f64.sqrt(), "{} m", variance.sqrt());
    }
}

#[test]
fn an_unorganised_cloud_has_returns_alone() {
    let mut all = parameters(&[-0.5, 0.5], 90);
    all.geometry.is_organized = false;
    let cloud = turn(&mut lidar(all), &corner(5.0));
    assert!(cloud.points.iter().all(CloudPoint::is_return) && cloud.points.len() < 180 && cloud.points.len() > 90);
}

#[test]
fn a_reset_of_time_begins_a_new_turn() {
    let (wall, obstacles) = (corner(5.0), Obstacles::new());
    let mut lidar = lidar(Lidar3dParameters { is_instantaneous: false, ..parameters(&[0.0], 100) });
    let mut out = lidar.new_reading();
    for seconds in [9.96, 9.98, 0.02, 0.06] {
        lidar.watch(&View { space: Some(&wall), time: SimTime::from_secs(seconds), ..View::at_rest(&obstacles) });
    }
    lidar.sense(&View { space: Some(&wall), time: PERIOD, ..View::at_rest(&obstacles) }, &mut out);
    let ReadingData::Cloud(cloud) = out else { panic!() };
    assert_eq!((cloud.points.len(), cloud.duration), (100, PERIOD));
}
