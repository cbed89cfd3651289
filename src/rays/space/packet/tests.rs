//! Packets against their rays alone, bit by bit, on all vector instructions that there are.

use std::f64::consts::TAU;
use std::sync::Arc;

use rand::Rng as _;
use skidpad_math::rng::{Rng, stream};
use skidpad_math::{Pose3, Vec3};

use super::super::hits::hit_each;
use super::super::{Hit, Light, Looker, Model, PACKET, Surface, TriangleHit, filled, find, find_one, find_packet};
use super::*;

/// The bits of a hit.
fn bits(hit: &Hit) -> [u64; 7] {
    let [x, y, z] = [hit.normal.x, hit.normal.y, hit.normal.z].map(f64::to_bits);
    [hit.range.to_bits(), x, y, z, hit.instance.into(), hit.triangle.into(), hit.slot.into()]
}

fn id(hit: Option<TriangleHit>) -> Option<(u32, u32)> {
    hit.map(|hit| (hit.instance, hit.slot))
}

/// What rays meet on the instructions that all processors have.
fn on_baseline(space: &Space, rays: &[Ray], any: bool) -> (HitsOfEight, [Option<Hit>; PACKET]) {
    let all = filled(rays).unwrap();
    let world = WorldRays::new(&all, rays.len());
    let actual = find_each::<wide::f32x8>(space, &world, any);
    let hits = hit_each::<wide::f32x8>(space, &world, &actual);
    (actual, hits)
}

/// Compares packets of these rays with the rays alone; returns how many of them meet something.
fn check(name: &str, space: &Space, rays: &[Ray]) -> usize {
    let mut hits = 0;
    for (number, rays) in rays.chunks(PACKET).enumerate() {
        let place = |lane: usize| format!("{name}, packet {number}, {:?}", rays[lane]);
        let (together, blocked) = (space.cast_packet(rays), space.is_packet_blocked(rays));
        for any in [false, true] {
            let (widest, (baseline, hits)) = (find_packet(space, rays, any), on_baseline(space, rays, any));
            for (lane, ray) in rays.iter().enumerate() {
                let alone = find(space, ray, any);
                assert_eq!(widest[lane].is_some(), alone.is_some(), "{}", place(lane));
                assert_eq!(id(widest[lane]), id(baseline.get(lane)), "{}", place(lane));
                assert_eq!(id(alone), id(find_one::<wide::f32x8>(space, ray, any)), "{}", place(lane));
                assert!(any || hits[lane].as_ref().map(bits) == together[lane].as_ref().map(bits), "{}", place(lane));
                assert!(any || id(widest[lane]) == id(alone), "{}", place(lane));
            }
        }
        for (lane, ray) in rays.iter().enumerate() {
            let alone = space.cast(ray);
            assert_eq!(together[lane].as_ref().map(bits), alone.as_ref().map(bits), "{}", place(lane));
            assert_eq!(blocked[lane], space.is_blocked(ray), "{}", place(lane));
            hits += usize::from(alone.is_some());
        }
        assert!((rays.len()..PACKET).all(|lane| together[lane].is_none() && !blocked[lane]));
    }
    hits
}

fn space_of(parts: Vec<(Vec<Vec3>, Pose3)>) -> Space {
    let mut space = Space::new(Vec3::zeros());
    for (vehicle, (corners, pose)) in parts.into_iter().enumerate() {
        space.add(Arc::new(Model::new(&corners)), [Surface::default()].into(), Some(vehicle), pose);
    }
    space.finish();
    space
}

/// Triangles of all sizes: some without area, some twice in one place.
fn soup(rng: &mut Rng, count: usize) -> Vec<Vec3> {
    let mut corners = Vec::new();
    for number in 0..count {
        let size = libm::exp2(rng.random_range(-6.0..2.0));
        let mut point = |reach: f64| Vec3::from([0; 3].map(|_| rng.random_range(-reach..reach)));
        let middle = point(6.0);
        let mut triangle = [0; 3].map(|_| middle + point(size));
        match number % 8 {
            0 => triangle[2] = triangle[0],
            1 => triangle[2] = 0.5 * (triangle[0] + triangle[1]),
            _ => {}
        }
        corners.extend(triangle);
        if number % 5 == 0 {
            corners.extend(triangle);
        }
    }
    corners
}

/// A square floor of squares of two triangles [m].
fn floor(cells: i32, cell: f64, z: f64) -> Vec<Vec3> {
    let mut corners = Vec::new();
    for (i, j) in (-cells..cells).flat_map(|i| (-cells..cells).map(move |j| (i, j))) {
        let at = |i: i32, j: i32| Vec3::new(cell * f64::from(i), cell * f64::from(j), z);
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        corners.extend([a, b, c, a, c, d]);
    }
    corners
}

fn pose(rng: &mut Rng) -> Pose3 {
    let [x, y, z] = [0; 3].map(|_| rng.random_range(-5.0..5.0));
    let [yaw, pitch, roll] = [0; 3].map(|_| rng.random_range(-1.5..1.5));
    Pose3 { x, y, z, yaw, pitch, roll }
}

fn ray(origin: Vec3, direction: Vec3) -> Ray {
    Ray { origin, direction, near: 0.0, far: 100.0, hidden: None, looker: Looker::Camera }
}

fn unit(rng: &mut Rng) -> Vec3 {
    let (z, angle) = (rng.random_range(-1.0..1.0), rng.random_range(0.0..TAU));
    let (sin, cos) = libm::sincos(angle);
    let r = f64::sqrt(1.0 - z * z);
    Vec3::new(r * cos, r * sin, z)
}

/// Of many packets the rays of pixels beside each other, from around a place.
fn pictures(rng: &mut Rng, packets: usize) -> Vec<Ray> {
    let mut rays = Vec::new();
    for _ in 0..packets {
        let (origin, ahead, spread) = (10.0 * unit(rng), unit(rng), libm::exp2(rng.random_range(-12.0..0.0)));
        let aside = ahead.cross(&unit(rng));
        let [near, far] = [rng.random_range(0.0..4.0), rng.random_range(4.0..20.0)];
        for pixel in 0..PACKET {
            let direction = (ahead + spread * pixel as f64 * aside).normalize();
            rays.push(Ray { near, far, ..ray(origin, direction) });
        }
    }
    rays
}

#[test]
fn packets_give_the_bits_of_their_rays_among_triangles_of_all_kinds() {
    let mut rng = stream(3, "packets");
    let poses: Vec<Pose3> = (0..12).map(|_| pose(&mut rng)).collect();
    let parts = poses.into_iter().map(|pose| (soup(&mut rng, 60), pose)).collect();
    let space = space_of(parts);
    let coherent = pictures(&mut rng, 400);
    let hits = check("pictures", &space, &coherent);
    assert!(hits > 300 && hits < coherent.len(), "{hits}");
    // What cameras see of the sun: parallel rays from surfaces.
    let sun = Vec3::new(0.3, 0.4, 0.866).normalize();
    let ends = coherent.iter().filter_map(|ray| Some(ray.origin + space.cast(ray)?.range * ray.direction));
    let to_sun: Vec<Ray> = ends.map(|end| ray(end, sun)).collect();
    assert!(check("shadows", &space, &to_sun) > 50);
    let anywhere: Vec<Ray> = (0..801).map(|_| ray(6.0 * unit(&mut rng), unit(&mut rng))).collect();
    assert!(check("anywhere", &space, &anywhere) > 100);
    let hidden: Vec<Ray> = coherent.iter().map(|ray| Ray { hidden: Some(5), ..*ray }).collect();
    check("a vehicle that is passed", &space, &hidden);
}

/// Rays meet edges, corners and planes exactly, where several triangles are at one distance.
#[test]
fn of_several_triangles_at_one_distance_packets_and_rays_meet_the_same() {
    let level = Pose3::default();
    let turned = Pose3 { yaw: 0.7, roll: 0.2, ..level };
    let floors = |cell| [floor(6, cell, 0.0), floor(6, cell, 1.0), floor(6, cell, 0.0)].concat();
    let space =
        space_of(vec![(floors(1.0), level), (floors(0.5), level), (floors(1.0), turned), (floor(1, 64.0, 0.0), level)]);
    let down = -Vec3::z();
    let mut rays = Vec::new();
    for i in -26..27 {
        for j in -8..8 {
            let over = Vec3::new(0.25 * f64::from(i), 0.25 * f64::from(j), 2.0);
            rays.push(ray(over, down));
            rays.push(ray(Vec3::new(0.1, 0.2, 3.0), (over - Vec3::new(0.1, 0.2, 5.0)).normalize()));
        }
    }
    assert!(check("grid", &space, &rays) > 1000);
    rays.sort_by(|a, b| a.direction.x.total_cmp(&b.direction.x).then(a.origin.x.total_cmp(&b.origin.x)));
    check("grid in another order", &space, &rays);
    // In the planes, from the surfaces, and to where they are.
    for z in [0.0, 1.0] {
        let along = |i: i32, direction: Vec3| ray(Vec3::new(-7.0, 0.25 * f64::from(i), z), direction);
        let flat: Vec<Ray> = (-8..8).map(|i| along(i, Vec3::x())).collect();
        check("in a plane", &space, &flat);
        let from: Vec<Ray> = (-8..8).map(|i| along(i, Vec3::new(0.6, 0.0, -0.8))).collect();
        check("from a surface", &space, &from);
        let ending = from.iter().map(|ray| Ray { origin: ray.origin - 2.0 * ray.direction, far: 2.0, ..*ray });
        check("to a surface", &space, &ending.collect::<Vec<Ray>>());
    }
}

#[test]
fn packets_with_numbers_that_are_no_places_meet_what_their_rays_meet() {
    let mut rng = stream(5, "packets");
    let parts = (0..3).map(|_| (soup(&mut rng, 40), Pose3::default())).collect();
    let space = space_of(parts);
    let mut rays = pictures(&mut rng, 60);
    let odd = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e300, 1e-300, 3e38, -1e20];
    for (number, ray) in rays.iter_mut().enumerate() {
        let odd = odd[(number / 5) % odd.len()];
        match number % 5 {
            0 => ray.origin[number % 3] = odd,
            1 => ray.direction[number % 3] = odd,
            2 => ray.far = if odd > 0.0 { odd } else { ray.far },
            _ => {}
        }
    }
    check("odd", &space, &rays);
    assert_eq!(check("nothing", &Space::default(), &rays), 0);
    assert!(space.cast_packet(&[]).iter().all(Option::is_none));
}

#[test]
fn packets_see_the_colours_that_their_rays_see() {
    let mut rng = stream(9, "packets");
    let mut space = space_of(vec![(floor(8, 1.0, 0.0), Pose3::default())]);
    let surfaces: Arc<[Surface]> = [Surface { is_lit: true, color: [0.5; 3], ..Surface::default() }].into();
    space.add(Arc::new(Model::new(&soup(&mut rng, 200))), surfaces, None, Pose3::default());
    space.finish();
    let to_sun = Vec3::new(0.3, 0.4, 0.866).normalize();
    space.light = Light { to_sun, ambient: 0.2, has_shadows: true, shadow_range: 50.0, ..Light::default() };
    let batch = super::super::batch::Batch::default();
    for rays in pictures(&mut rng, 100).chunks(PACKET) {
        let together = batch.look_packet(&space, |lane| lane, rays, 0.0);
        for (lane, ray) in rays.iter().enumerate() {
            assert_eq!(together[lane], space.look(ray, 0.0), "{ray:?}");
        }
    }
}
