//! A map for benchmarks of the lidar: an office of 40 m × 40 m with cells of 0.05 m, and places in it.

use rand::Rng as _;
use skidpad_math::rng;
use skidpad_math::{Pose2, Vec2};
use skidpad_sim::raycast::OccupancyGrid;

const SIDE: usize = 800;
const RESOLUTION: f64 = 0.05;

/// Rooms of 10 m with doors of 1 m, and as much clutter as makes the mean range about 5 m.
pub(super) fn office() -> OccupancyGrid {
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

/// 64 places where a vehicle has room.
pub(super) fn free_places(grid: &OccupancyGrid) -> Vec<Vec2> {
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

/// Unit vectors, `count` of them over `fov` [rad].
pub(super) fn directions(count: usize, fov: f64) -> Vec<Vec2> {
    let angle = |k: usize| -0.5 * fov + fov * k as f64 / (count - 1) as f64;
    (0..count).map(|k| Vec2::new(libm::cos(angle(k)), libm::sin(angle(k)))).collect()
}
