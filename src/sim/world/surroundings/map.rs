//! An occupancy map as sensors see it: a floor, and its occupied cells as walls.

use skidpad_math::Vec3;

use crate::raycast::OccupancyGrid;
use crate::world::drawing::{Drawing, Shape};

/// Height of occupied cells [m]: chosen higher than the robots that have maps.
const HEIGHT: f64 = 2.0;
/// Colours of the floor and of occupied cells.
const FLOOR: [u8; 4] = [0xd8, 0xd8, 0xd8, 0xff];
const CELLS: [u8; 4] = [0x80, 0x80, 0x80, 0xff];

/// The floor, from corner to corner at z = 0, and the sides and tops of the occupied cells, in the frame of the map.
pub(super) fn drawings(grid: &OccupancyGrid) -> [Drawing; 2] {
    let mut floor = Quads::default();
    let [x, y] = [grid.width, grid.height].map(|cells| cells as f64 * grid.resolution);
    floor.add([[0.0, 0.0, 0.0], [x, 0.0, 0.0], [x, y, 0.0], [0.0, y, 0.0]]);
    [Drawing::new(floor.into_shape(), FLOOR), Drawing::new(walls(grid).into_shape(), CELLS)]
}

/// Sides between occupied and other cells, as long as they go straight on, and a top for each run of cells in a row.
fn walls(grid: &OccupancyGrid) -> Quads {
    let mut quads = Quads::default();
    let at = |cells: usize| cells as f64 * grid.resolution;
    let is_edge = |a: Option<(usize, usize)>, b: (usize, usize)| {
        a.is_some_and(|(x, y)| grid.is_occupied(x, y)) != grid.is_occupied(b.0, b.1)
    };
    for y in 0..=grid.height {
        let below = |x: usize| y.checked_sub(1).map(|below| (x, below));
        for [from, to] in runs(grid.width, |x| is_edge(below(x), (x, y))) {
            let (x0, x1) = (at(from), at(to));
            quads.add([[x0, at(y), 0.0], [x1, at(y), 0.0], [x1, at(y), HEIGHT], [x0, at(y), HEIGHT]]);
        }
        for [from, to] in runs(grid.width, |x| grid.is_occupied(x, y)) {
            let [x0, x1, y0, y1] = [at(from), at(to), at(y), at(y + 1)];
            quads.add([[x0, y0, HEIGHT], [x1, y0, HEIGHT], [x1, y1, HEIGHT], [x0, y1, HEIGHT]]);
        }
    }
    for x in 0..=grid.width {
        let left = |y: usize| x.checked_sub(1).map(|left| (left, y));
        for [from, to] in runs(grid.height, |y| is_edge(left(y), (x, y))) {
            let (y0, y1) = (at(from), at(to));
            quads.add([[at(x), y0, 0.0], [at(x), y1, 0.0], [at(x), y1, HEIGHT], [at(x), y0, HEIGHT]]);
        }
    }
    quads
}

/// Starts and ends of the runs of indices below `count` for which `is_in` holds.
fn runs(count: usize, is_in: impl Fn(usize) -> bool) -> Vec<[usize; 2]> {
    let mut runs: Vec<[usize; 2]> = Vec::new();
    for index in (0..count).filter(|&index| is_in(index)) {
        match runs.last_mut() {
            Some(run) if run[1] == index => run[1] += 1,
            _ => runs.push([index, index + 1]),
        }
    }
    runs
}

/// Corners of triangles, two for each quadrilateral.
#[derive(Default)]
struct Quads(Vec<Vec3>);

impl Quads {
    fn add(&mut self, corners: [[f64; 3]; 4]) {
        let [a, b, c, d] = corners.map(Vec3::from);
        self.0.extend([a, b, c, a, c, d]);
    }

    fn into_shape(self) -> Shape {
        Shape::Triangles(self.0)
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Pose2;

    use super::*;

    #[test]
    fn walls_enclose_the_occupied_cells_with_as_few_faces_as_runs() {
        // A free cell, and an L of three occupied ones.
        let grid = OccupancyGrid::new(2, 2, 0.5, Pose2::IDENTITY, vec![100, 100, 100, 0], 50).unwrap();
        let [floor, cells] = drawings(&grid);
        let corners = |drawing: &Drawing| match &drawing.shape {
            Shape::Triangles(corners) => corners.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(corners(&floor).len(), 6);
        // Tops: 2 runs. Sides: three horizontal lines with one run each (the middle one over the free cell), and as many vertical.
        assert_eq!(corners(&cells).len(), 6 * (2 + 3 + 3));
        let area = |keep: &dyn Fn(Vec3) -> bool| -> f64 {
            let all = corners(&cells);
            let normals = all.chunks_exact(3).map(|t| (t[1] - t[0]).cross(&(t[2] - t[0])));
            normals.filter(|&normal| keep(normal)).map(|normal| 0.5 * normal.norm()).sum()
        };
        assert!((area(&|n| n.z.abs() > 0.0) - 3.0 * 0.25).abs() < 1e-12);
        assert!((area(&|n| n.z == 0.0) - 8.0 * 0.5 * HEIGHT).abs() < 1e-12, "the perimeter of an L of three cells");
    }
}
