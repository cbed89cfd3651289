//! Throughput of the lidar kernels in an office map of 40 m x 40 m with cells of 0.05 m.
//!
//! `cargo bench --bench raycast`; one thread. The rays start at 64 free places; the mean of their ranges is printed.
use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::Rng as _;
use skidpad::math::{Pose2, Vec2};
use skidpad::raycast::{GridCaster, Obstacles, OccupancyGrid};
use skidpad::rng;
use skidpad::sensor::{Lidar2d, Lidar2dParameters, Sensor, SensorContext, View};
use skidpad::time::SimTime;

const SIDE: usize = 800;
const RESOLUTION: f64 = 0.05;

/// Rooms of 10 m with doors of 1 m, and as much clutter as makes the mean range about 5 m.
fn office() -> OccupancyGrid {
    let mut cells = vec![0_i8; SIDE * SIDE];
    let mut rng = rng::stream(1, "office");
    let mut fill = |x0: usize, y0: usize, w: usize, h: usize, value: i8| {
        for y in y0..(y0 + h).min(SIDE) {
            for x in x0..(x0 + w).min(SIDE) {
                cells[y * SIDE + x] = value;
            }
        }
    };
    for k in 0..5 {
        let at = (k * 200).min(SIDE - 3);
        fill(at, 0, 3, SIDE, 100);
        fill(0, at, SIDE, 3, 100);
    }
    for k in 1..4 {
        for room in 0..4 {
            let door = room * 200 + rng.random_range(20..160);
            fill(k * 200, door, 3, 20, 0);
            fill(door, k * 200, 20, 3, 0);
        }
    }
    for _ in 0..100 {
        let (x, y) = (rng.random_range(0..SIDE), rng.random_range(0..SIDE));
        fill(x, y, rng.random_range(1..12), rng.random_range(1..12), 100);
    }
    OccupancyGrid::new(SIDE, SIDE, RESOLUTION, Pose2::IDENTITY, cells, 50).unwrap()
}

fn free_places(grid: &OccupancyGrid) -> Vec<Vec2> {
    let mut rng = rng::stream(1, "places");
    let size = SIDE as f64 * RESOLUTION;
    std::iter::repeat_with(|| Vec2::new(rng.random_range(0.0..size), rng.random_range(0.0..size)))
        .filter(|p| {
            let cell = |v: f64| (v / RESOLUTION) as usize;
            (-4_isize..=4).all(|k| {
                let at = |c: usize| c.saturating_add_signed(k);
                !grid.is_occupied(at(cell(p.x)), cell(p.y)) && !grid.is_occupied(cell(p.x), at(cell(p.y)))
            })
        })
        .take(64)
        .collect()
}

fn directions(count: usize, fov: f64) -> Vec<Vec2> {
    let angle = |k: usize| -0.5 * fov + fov * k as f64 / (count - 1) as f64;
    (0..count).map(|k| Vec2::new(libm::cos(angle(k)), libm::sin(angle(k)))).collect()
}

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
            range_std: noise * parameters.range_std,
            angle_std: noise * parameters.angle_std,
            ..parameters.clone()
        };
        let context = SensorContext { seed: 1, vehicle: "car".to_string(), name: "scan".to_string() };
        let mut lidar = Lidar2d::new(parameters, &context);
        let mut reading = lidar.new_reading();
        let mut next = places.iter().cycle();
        group.bench_function(name, |b| {
            b.iter(|| {
                let Some(&place) = next.next() else { return };
                let view = View {
                    time: SimTime::ZERO,
                    world_from_body: Pose2::new(place.x, place.y, place.x),
                    heights: [0.0, 0.6],
                    vehicle: 0,
                    grids,
                    obstacles,
                    range_noise_override: None,
                };
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
