//! Lines for pictures: outlines of bodies, and the borders of walls and of occupied cells around the ways that were driven.

use std::f64::consts::TAU;

use skidpad_math::Vec2;
use skidpad_sim::raycast::OccupancyGrid;
use skidpad_sim::world::Scene;

/// Corners of a line [m], in the world.
pub type Line = Vec<[f64; 2]>;

/// Most lines of a map: a map that has more is drawn more coarsely.
const MAX_LINES: usize = 4000;
/// What is shown around the ways: at least this [m], and this share of their extent.
const MARGIN: (f64, f64) = (2.0, 0.25);

/// An outline whose last corner is its first.
pub(super) fn closed(outline: &[Vec2]) -> Line {
    outline.iter().chain(outline.first()).map(|p| [p.x, p.y]).collect()
}

/// A circle as a closed line.
pub(super) fn circle(center: Vec2, radius: f64) -> Line {
    let corner = |index: u32| {
        let (sin, cos) = libm::sincos(TAU * f64::from(index) / 24.0);
        [center.x + radius * cos, center.y + radius * sin]
    };
    (0..=24).map(corner).collect()
}

/// Walls and maps around these places [m].
pub(super) fn scenery(scene: &Scene, places: impl Iterator<Item = Vec2>) -> Vec<Line> {
    let mut lines = Vec::new();
    for wall in &scene.walls {
        let level = wall.world_from_wall.planar();
        let outlines = wall.stretches().into_iter().map(|stretch| wall.outline(stretch));
        lines.extend(outlines.map(|outline| closed(&outline.map(|p| level.transform_point(p)))));
    }
    if scene.maps.is_empty() {
        return lines;
    }
    let no_bounds = (Vec2::new(f64::INFINITY, f64::INFINITY), Vec2::new(f64::NEG_INFINITY, f64::NEG_INFINITY));
    let (low, high) = places.filter(|p| p.is_finite()).fold(no_bounds, |(low, high), p| {
        (Vec2::new(low.x.min(p.x), low.y.min(p.y)), Vec2::new(high.x.max(p.x), high.y.max(p.y)))
    });
    if low.x <= high.x {
        let margin = MARGIN.0.max(MARGIN.1 * (high.x - low.x).max(high.y - low.y));
        let around = [low - Vec2::new(margin, margin), high + Vec2::new(margin, margin)];
        lines.extend(scene.maps.iter().flat_map(|map| map_lines(map, around)));
    }
    lines
}

/// The borders between occupied and other cells within a box [m], each as long as it is straight.
fn map_lines(map: &OccupancyGrid, [low, high]: [Vec2; 2]) -> Vec<Line> {
    let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
    let grid_from_world = map.world_from_grid.inverse();
    let cells = corners.map(|p| (1.0 / map.resolution) * grid_from_world.transform_point(p));
    let range = |of: fn(&Vec2) -> f64, most: usize| {
        let (low, high) = cells.iter().map(of).fold((f64::INFINITY, 0.0_f64), |(a, b), n| (a.min(n), b.max(n)));
        // Negative numbers become 0.
        [(low.floor() as usize).min(most), (high.ceil() as usize).min(most)]
    };
    let [left, right] = range(|p| p.x, map.width);
    let [bottom, top] = range(|p| p.y, map.height);
    let mut coarse = 1;
    loop {
        let raster = Raster { map, origin: [left, bottom], size: [right - left, top - bottom], coarse };
        match raster.borders() {
            Some(lines) => {
                let placed = |p: [usize; 2]| {
                    let on_grid = Vec2::new((left + p[0] * coarse) as f64, (bottom + p[1] * coarse) as f64);
                    let p = map.world_from_grid.transform_point(map.resolution * on_grid);
                    [p.x, p.y]
                };
                return lines.into_iter().map(|ends| ends.map(placed).to_vec()).collect();
            }
            None => coarse *= 2,
        }
    }
}

/// Part of a map with cells of `coarse` × `coarse` cells, occupied if one of them is.
struct Raster<'a> {
    map: &'a OccupancyGrid,
    origin: [usize; 2],
    size: [usize; 2],
    coarse: usize,
}

impl Raster<'_> {
    fn rows(&self, axis: usize) -> usize {
        self.size[axis].div_ceil(self.coarse)
    }

    fn is_occupied(&self, column: usize, row: usize) -> bool {
        let part = |axis: usize, index: usize| {
            let from = index * self.coarse;
            let [low, high] = [from, from + self.coarse].map(|at| self.origin[axis] + at.min(self.size[axis]));
            low..high
        };
        part(1, row).any(|y| part(0, column).any(|x| self.map.is_occupied(x, y)))
    }

    /// Ends of all borders, in cells of the raster from its origin; none if there are too many.
    fn borders(&self) -> Option<Vec<[[usize; 2]; 2]>> {
        let (columns, rows) = (self.rows(0), self.rows(1));
        let occupied: Vec<bool> = (0..rows).flat_map(|y| (0..columns).map(move |x| self.is_occupied(x, y))).collect();
        let at = |x: Option<usize>, y: Option<usize>| match (x, y) {
            (Some(x), Some(y)) if x < columns && y < rows => occupied[y * columns + x],
            _ => false,
        };
        let mut lines = Vec::new();
        // Across the axis of `turned` the borders lie in layers; along it they run.
        for turned in [false, true] {
            let (layers, length) = if turned { (columns, rows) } else { (rows, columns) };
            for layer in 0..=layers {
                let is_border = |along: usize| {
                    let sides = [layer.checked_sub(1), Some(layer)];
                    let [a, b] = sides.map(|side| if turned { at(side, Some(along)) } else { at(Some(along), side) });
                    a != b
                };
                let mut along = 0;
                while along < length {
                    let start = along;
                    while along < length && is_border(along) {
                        along += 1;
                    }
                    if along > start {
                        let ends = [start, along].map(|end| if turned { [layer, end] } else { [end, layer] });
                        lines.push(ends);
                        if lines.len() > MAX_LINES {
                            return None;
                        }
                    }
                    along += 1;
                }
            }
        }
        Some(lines)
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::Pose2;

    use super::*;

    fn map(width: usize, height: usize, is_occupied: impl Fn(usize, usize) -> bool) -> OccupancyGrid {
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let cells = cells.map(|(x, y)| if is_occupied(x, y) { 100 } else { 0 }).collect();
        OccupancyGrid::new(width, height, 0.5, Pose2::new(1.0, 2.0, 0.0), cells, 50).unwrap()
    }

    /// A block of 2 × 1 cells has four sides.
    #[test]
    fn a_rectangle_has_four_borders() {
        let map = map(6, 5, |x, y| (2..4).contains(&x) && y == 3);
        let mut lines = map_lines(&map, [Vec2::new(-9.0, -9.0), Vec2::new(9.0, 9.0)]);
        lines.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let (x, y) = ([2.0, 3.0], [3.5, 4.0]);
        let sides = [
            [[x[0], y[0]], [x[0], y[1]]],
            [[x[0], y[0]], [x[1], y[0]]],
            [[x[0], y[1]], [x[1], y[1]]],
            [[x[1], y[0]], [x[1], y[1]]],
        ];
        assert_eq!(lines, sides.map(|side| side.to_vec()));
        assert!(map_lines(&map, [Vec2::new(-9.0, -9.0), Vec2::new(1.5, 9.0)]).is_empty(), "beside the ways");
    }

    #[test]
    fn a_map_of_dots_is_drawn_coarsely() {
        let map = map(301, 299, |x, y| x % 2 == 0 && y % 2 == 0);
        let lines = map_lines(&map, [Vec2::new(-1e3, -1e3), Vec2::new(1e3, 1e3)]);
        assert!(lines.len() <= MAX_LINES && lines.len() >= 4, "{}", lines.len());
    }
}
