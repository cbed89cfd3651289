//! Throughput of the lidar kernels in an office map of 40 m x 40 m with cells of 0.05 m.
//!
//! `cargo bench --bench raycast`; one thread. The rays start at 64 free places; the mean of their ranges is printed.

#[path = "support/office.rs"]
mod office;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use office::{directions, free_places, office};
use rand::Rng as _;
use skidpad::math::{Pose2, Pose3, Vec2};
use skidpad::raycast::{GridCaster, Obstacles};
use skidpad::rng;
use skidpad::sensor::{Lidar2d, Lidar2dParameters, RangeErrorParameters, Sensor, SensorContext, View};

fn grid_rays(c: &mut Criterion) {
    let caster = GridCaster::new(Arc::new(office())).unwrap();
    let places = free_places(caster.grid());
    let fan = directions(1081, 270_f64.to_radians());
    let mut ranges = vec![f64::INFINITY; fan.len()];
    let (mut sum, mut count) = (0.0, 0);
    for &place in &places {
        ranges.fill(f64::INFINITY);
        caster.cast_fan(place, &fan, 30.0, &mut ranges);
        sum += ranges.iter().filter(|range| range.is_finite()).sum::<f64>();
        count += ranges.iter().filter(|range| range.is_finite()).count();
    }
    println!(
        "mean range: {:.2} m of {count} rays that hit, {} do not",
        sum / count as f64,
        places.len() * fan.len() - count
    );

    let mut group = c.benchmark_group("grid");
    group.throughput(Throughput::Elements(fan.len() as u64));
    let mut next = places.iter().cycle();
    group.bench_function("fan of 1081 rays", |b| {
        b.iter(|| {
            let Some(&place) = next.next() else { return };
            ranges.fill(f64::INFINITY);
            caster.cast_fan(place, black_box(&fan), 30.0, &mut ranges);
            black_box(&mut ranges);
        });
    });

    let mut rng = rng::stream(1, "rays");
    let rays: Vec<(Vec2, Vec2)> = (0..1024)
        .map(|k| {
            let angle = rng.random_range(0.0..std::f64::consts::TAU);
            (places[k % places.len()], Vec2::new(libm::cos(angle), libm::sin(angle)))
        })
        .collect();
    group.throughput(Throughput::Elements(rays.len() as u64));
    group.bench_function("single rays in random order", |b| {
        b.iter(|| black_box(&rays).iter().map(|&(p, d)| caster.cast(p, d, 30.0).min(30.0)).sum::<f64>());
    });
    group.finish();
}

fn scans(c: &mut Criterion) {
    let grids = [Arc::new(GridCaster::new(Arc::new(office())).unwrap())];
    let places = free_places(grids[0].grid());
    let parameters =
        Lidar2dParameters { count: 1081, fov: 270_f64.to_radians(), range_max: 30.0, ..Lidar2dParameters::default() };
    let square = |half: f64| [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| Vec2::new(x, y));
    let mut bodies = Obstacles::new();
    let mut rng = rng::stream(1, "bodies");
    for _ in 0..1000 {
        let (x, y, yaw) = (rng.random_range(0.0..40.0), rng.random_range(0.0..40.0), rng.random_range(0.0..6.0));
        bodies.add_static(&square(0.2), Pose2::new(x, y, yaw), [0.0, 1.0]);
    }
    for k in 0..25 {
        // A chassis and its wheels.
        for _ in 0..5 {
            let index = bodies.add_mover(Some(k), &square(0.3));
            let pose = Pose2::new(rng.random_range(0.0..40.0), rng.random_range(0.0..40.0), 1.0);
            bodies.set_mover_pose(index, pose, [0.0, 0.6]);
        }
    }
    bodies.finish();
    let mut group = c.benchmark_group("scan of 1081 beams");
    group.throughput(Throughput::Elements(1081));
    let none = Obstacles::new();
    for (name, grids, obstacles, noise) in [
        ("map", &grids[..], &none, 1.0),
        ("map, no noise", &grids[..], &none, 0.0),
        ("1000 blocks and 25 vehicles", &[][..], &bodies, 1.0),
        ("map, 1000 blocks and 25 vehicles", &grids[..], &bodies, 1.0),
    ] {
        let parameters = Lidar2dParameters {
            errors: RangeErrorParameters::white(noise * parameters.errors.white_std()),
            angle_std: noise * parameters.angle_std,
            ..parameters.clone()
        };
        let context =
            SensorContext { seed: 1, vehicle: "car".to_string(), name: "scan".to_string(), wheels: Vec::new() };
        let mut lidar = Lidar2d::new(parameters, &context);
        let mut reading = lidar.new_reading();
        let mut next = places.iter().cycle();
        group.bench_function(name, |b| {
            b.iter(|| {
                let Some(&place) = next.next() else { return };
                let pose = Pose2::new(place.x, place.y, place.x);
                let view = View { world_from_body: Pose3::from_planar(pose), grids, ..View::at_rest(obstacles) };
                lidar.sense(black_box(&view), &mut reading);
                black_box(&mut reading);
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30).warm_up_time(std::time::Duration::from_secs(1));
    targets = grid_rays, scans
}
criterion_main!(benches);
