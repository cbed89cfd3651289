//! Rays against brute force in f64, closed surfaces, and what a hit tells.

use std::f64::consts::TAU;

use rand::Rng as _;
use skidpad_files::mesh::primitives::Geometry;
use skidpad_math::rng::{Rng, stream};

use super::*;

fn corners(geometry: &Geometry) -> Vec<Vec3> {
    let mesh = geometry.mesh();
    mesh.triangles.iter().flatten().map(|&i| mesh.vertices[i as usize]).collect()
}

fn one_surface() -> Arc<[Surface]> {
    [Surface::default()].into()
}

fn space_of(parts: &[(Vec<Vec3>, Pose3)]) -> Space {
    let mut space = Space::new(Vec3::zeros());
    for (corners, pose) in parts {
        space.add(Arc::new(Model::new(corners)), one_surface(), None, *pose);
    }
    space.finish();
    space
}

fn ray(origin: [f64; 3], direction: [f64; 3]) -> Ray {
    Ray {
        origin: origin.into(),
        direction: Vec3::from(direction).normalize(),
        near: 0.0,
        far: 1e4,
        hidden: None,
        looker: Looker::Camera,
    }
}

fn unit(rng: &mut Rng) -> Vec3 {
    let (z, angle) = (rng.random_range(-1.0..1.0), rng.random_range(0.0..TAU));
    let (sin, cos) = libm::sincos(angle);
    let r = f64::sqrt(1.0 - z * z);
    Vec3::new(r * cos, r * sin, z)
}

/// The nearest triangle by testing all in f64 (T. Möller and B. Trumbore 1997).
fn brute_force(parts: &[(Vec<Vec3>, Pose3)], ray: &Ray) -> Option<f64> {
    let mut best: Option<f64> = None;
    for (corners, pose) in parts {
        for triangle in corners.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|i| pose.transform_point(triangle[i]));
            let (ab, ac) = (b - a, c - a);
            let p = ray.direction.cross(&ac);
            let det = ab.dot(&p);
            let from_a = ray.origin - a;
            let (u, q) = (from_a.dot(&p) / det, from_a.cross(&ab));
            let (v, t) = (ray.direction.dot(&q) / det, ac.dot(&q) / det);
            if u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > ray.near && t < ray.far {
                best = Some(best.map_or(t, |best| best.min(t)));
            }
        }
    }
    best
}

/// Solids of all kinds at random poses around `center`, several as one model.
fn random_parts(center: Vec3, rng: &mut Rng) -> Vec<(Vec<Vec3>, Pose3)> {
    let mut parts = Vec::new();
    for number in 0..24 {
        let mut size = || rng.random_range(0.2..4.0);
        let solid = match number % 4 {
            0 => Geometry::Sphere { radius: size(), vertex_count: 20 },
            1 => Geometry::Box { size: [size(), size(), size()] },
            2 => Geometry::Cylinder { radius: size(), length: size(), vertex_count: 12 },
            _ => Geometry::Ramp { size: [size(), size(), size()] },
        };
        let [x, y, z] = [0, 1, 2].map(|axis: usize| center[axis] + rng.random_range(-8.0..8.0));
        let [yaw, pitch, roll] = [0; 3].map(|_| rng.random_range(-3.0..3.0));
        parts.push((corners(&solid), Pose3 { x, y, z, yaw, pitch, roll }));
    }
    parts
}

#[test]
fn ranges_agree_with_all_triangles_in_f64_also_far_from_the_origin() {
    for (name, center) in [("near", Vec3::zeros()), ("far", Vec3::new(4.1e6, -3.3e5, 200.0))] {
        let mut rng = stream(7, name);
        let parts = random_parts(center, &mut rng);
        let mut space = Space::new(center);
        for (corners, pose) in &parts {
            space.add(Arc::new(Model::new(corners)), one_surface(), None, *pose);
        }
        space.finish();
        let (mut hits, mut disagreements) = (0, 0);
        for _ in 0..600 {
            let origin = center + Vec3::from([0; 3].map(|_| rng.random_range(-12.0..12.0)));
            let ray =
                Ray { origin, direction: unit(&mut rng), near: 0.0, far: 100.0, hidden: None, looker: Looker::Camera };
            let (actual, expected) = (space.cast(&ray).map(|hit| hit.range), brute_force(&parts, &ray));
            assert_eq!(space.is_blocked(&ray), actual.is_some());
            match (actual, expected) {
                (Some(actual), Some(expected)) if (actual - expected).abs() < 1e-3 + 1e-5 * expected => hits += 1,
                (None, None) => {}
                _ => disagreements += 1,
            }
        }
        // Rays that pass a silhouette within the rounding of f32 may decide either way.
        assert!(hits > 60 && disagreements <= 1, "{name}: {hits} {disagreements}");
    }
}

#[test]
fn no_ray_slips_between_the_triangles_of_a_sphere() {
    let sphere = corners(&Geometry::Sphere { radius: 3.0, vertex_count: 200 });
    let space = space_of(&[(sphere, Pose3 { x: 5.0, y: -7.0, z: 2.0, yaw: 0.3, pitch: 0.2, roll: 0.1 })]);
    let mut rng = stream(1, "rays");
    for _ in 0..20_000 {
        let ray = Ray { direction: unit(&mut rng), ..ray([5.0, -7.0, 2.0], [1.0, 0.0, 0.0]) };
        let hit = space.cast(&ray).expect("inside a closed surface every ray hits");
        // The facets lie within radius·(1 − cos(π/100)) of the sphere.
        assert!(hit.range < 3.0 + 1e-6 && hit.range > 3.0 * (1.0 - 1.5e-3), "{}", hit.range);
        assert!(hit.normal.dot(&ray.direction) < -0.99);
    }
    // Along the seams: from the centre to the vertices themselves.
    for vertex in (Geometry::Sphere { radius: 3.0, vertex_count: 200 }).mesh().vertices.iter().step_by(7) {
        let pose = Pose3 { x: 5.0, y: -7.0, z: 2.0, yaw: 0.3, pitch: 0.2, roll: 0.1 };
        let hit = space
            .cast(&Ray { direction: pose.rotation() * vertex.normalize(), ..ray([5.0, -7.0, 2.0], [1.0, 0.0, 0.0]) });
        assert!((hit.expect("a vertex is hit").range - 3.0).abs() < 1e-5);
    }
}

#[test]
fn a_hit_tells_range_normal_place_and_surface() {
    let triangle = vec![Vec3::new(0.0, 0.0, 0.0), Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 4.0, 0.0)];
    let mut space = Space::new(Vec3::zeros());
    let mut model =
        Model::new(&[triangle.clone(), triangle.iter().map(|p| p + Vec3::new(0.0, 0.0, 1.0)).collect()].concat());
    model.surfaces = vec![1, 0];
    let surfaces: Arc<[Surface]> = [7, 9].map(|body| Surface { label: [1, body], ..Surface::default() }).into();
    let part = space.add(Arc::new(model), surfaces, Some(3), Pose3 { z: -5.0, ..Pose3::default() });
    space.finish();
    let up = ray([0.5, 1.0, -10.0], [0.0, 0.0, 1.0]);
    let hit = space.cast(&up).unwrap();
    assert!((hit.range - 5.0).abs() < 1e-12 && (hit.normal - Vec3::new(0.0, 0.0, -1.0)).norm() < 1e-12);
    let weights = space.instance(&hit).weights(&up, &hit);
    assert!((weights[0] - 0.25).abs() < 1e-12 && (weights[1] - 0.25).abs() < 1e-12);
    assert_eq!((hit.triangle, space.surface(&hit).label), (0, [1, 9]));
    let beyond = space.cast(&Ray { near: 5.5, ..up }).unwrap();
    assert_eq!((beyond.triangle, space.surface(&beyond).label), (1, [1, 7]));
    assert_eq!(space.cast(&Ray { far: 4.9, ..up }), None);
    assert_eq!(space.cast(&Ray { hidden: Some(3), ..up }), None, "it belongs to a vehicle that is not seen");
    assert!(space.cast(&Ray { hidden: Some(2), ..up }).is_some());
    for (seen_by, by_camera, by_lidar) in
        [(SeenBy::Cameras, true, false), (SeenBy::Lidars, false, true), (SeenBy::All, true, true)]
    {
        space.show_to(part, seen_by);
        let is_seen = |looker| space.cast(&Ray { looker, ..up }).is_some();
        assert_eq!([is_seen(Looker::Camera), is_seen(Looker::Lidar)], [by_camera, by_lidar], "{seen_by:?}");
    }
    space.place(part, Pose3 { z: -4.0, ..Pose3::default() });
    space.finish();
    assert!((space.cast(&up).unwrap().range - 6.0).abs() < 1e-12);
}

#[test]
fn triangles_that_are_not_finite_are_left_out_and_an_empty_space_is_dark() {
    let bad = vec![Vec3::new(f64::NAN, 0.0, 0.0), Vec3::zeros(), Vec3::new(0.0, 1.0, 0.0)];
    for space in [Space::default(), space_of(&[(Vec::new(), Pose3::default())]), space_of(&[(bad, Pose3::default())])] {
        assert_eq!(space.cast(&ray([0.0, 0.0, 5.0], [0.0, 0.0, -1.0])), None);
        assert_eq!(space.triangles(), 0);
    }
}

#[test]
fn hundreds_of_instances_are_all_found() {
    let cube = Arc::new(Model::new(&corners(&Geometry::Box { size: [0.5; 3] })));
    let mut space = Space::new(Vec3::zeros());
    for i in 0..700 {
        let (x, y) = (f64::from(i % 25), f64::from(i / 25));
        space.add(cube.clone(), one_surface(), None, Pose3 { x, y, ..Pose3::default() });
    }
    space.finish();
    for i in 0..700 {
        let hit = space.cast(&ray([f64::from(i % 25) + 0.2, f64::from(i / 25) + 0.3, 9.0], [0.0, 0.0, -1.0])).unwrap();
        assert_eq!((hit.instance, (hit.range * 1e6).round()), (i as u32, 8.5e6));
    }
    assert_eq!(space.triangles(), 700 * 12);
}
