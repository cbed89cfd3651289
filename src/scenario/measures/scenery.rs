//! What never moves, maps and walls, as pieces in an index: the nearest one is found without a look at the others.

use rstar::{AABB, PointDistance, RTree, RTreeObject};
use skidpad_math::Vec2;
use skidpad_sim::raycast::{ALL_HEIGHTS, OccupancyGrid, share_heights};
use skidpad_sim::world::Scene;

use super::convex::Convex;
use super::nearby_object::{NearbyObject, Search};

/// The pieces of all maps and walls of a world.
#[derive(Debug, Default)]
pub(super) struct Scenery {
    pieces: RTree<Piece>,
}

/// A convex piece of a map or a wall.
#[derive(Debug)]
struct Piece {
    of: NearbyObject,
    shape: Convex,
    /// Lower and upper end [m].
    heights: [f64; 2],
}

impl RTreeObject for Piece {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        let (low, high) = self.shape.bounds();
        AABB::from_corners([low.x, low.y], [high.x, high.y])
    }
}

impl PointDistance for Piece {
    /// That of the box around it: pieces are taken in this order until no box is nearer than the nearest piece.
    fn distance_2(&self, point: &[f64; 2]) -> f64 {
        self.envelope().distance_2(point)
    }
}

impl Scenery {
    pub(super) fn of(scene: &Scene) -> Scenery {
        let mut pieces = Vec::new();
        for (index, map) in scene.maps.iter().enumerate() {
            let piece = |shape| Piece { of: NearbyObject::Map(index), shape, heights: ALL_HEIGHTS };
            pieces.extend(outer_cells(map).map(piece));
        }
        for (index, wall) in scene.walls.iter().enumerate() {
            let heights = wall.z.map(|z| wall.world_from_wall.z + z);
            let outlines = wall.stretches().into_iter().map(|stretch| wall.outline(stretch));
            let shapes = outlines.filter_map(|outline| Convex::hull(&outline));
            let placed = shapes.map(|shape| shape.placed(wall.world_from_wall.planar()));
            pieces.extend(placed.map(|shape| Piece { of: NearbyObject::Wall(index), shape, heights }));
        }
        Scenery { pieces: RTree::bulk_load(pieces) }
    }

    /// Adds what is near to a shape at these heights [m].
    pub(super) fn look(&self, scene: &Scene, shape: &Convex, heights: [f64; 2], search: &mut Search) {
        let center = shape.center();
        // Within a solid the cells at its surface may be far away.
        for (index, map) in scene.maps.iter().enumerate() {
            let cell = (1.0 / map.resolution) * map.world_from_grid.inverse().transform_point(center);
            // Negative numbers become the greatest, which is off the map.
            let [column, row] = [cell.x, cell.y].map(|n| if n >= 0.0 { n as usize } else { usize::MAX });
            if map.is_occupied(column, row) {
                search.add(NearbyObject::Map(index), 0.0);
            }
        }
        for (piece, squared) in self.pieces.nearest_neighbor_iter_with_distance_2(&[center.x, center.y]) {
            if libm::sqrt(squared) - shape.radius() >= search.limit() {
                break;
            }
            if share_heights(heights, piece.heights) && shape.least_distance(&piece.shape) < search.limit() {
                search.add(piece.of, shape.distance(&piece.shape));
            }
        }
    }
}

/// The occupied cells with a free neighbour beside them, those that follow each other in a row as one rectangle.
fn outer_cells(map: &OccupancyGrid) -> impl Iterator<Item = Convex> + '_ {
    let has_free_side = |x: usize, y: usize| {
        let left_or_below = x == 0 || y == 0 || !map.is_occupied(x - 1, y) || !map.is_occupied(x, y - 1);
        left_or_below || !map.is_occupied(x + 1, y) || !map.is_occupied(x, y + 1)
    };
    let is_outer = move |x: usize, y: usize| map.is_occupied(x, y) && has_free_side(x, y);
    let rows = (0..map.height).filter(|&y| map.has_obstacle_in_row(y));
    rows.flat_map(move |y| {
        let mut x = 0;
        std::iter::from_fn(move || {
            while x < map.width && !is_outer(x, y) {
                x += 1;
            }
            let start = x;
            while x < map.width && is_outer(x, y) {
                x += 1;
            }
            (start < x).then_some([start, x])
        })
        .filter_map(move |[from, to]| {
            let corner = |x: usize, y: usize| map.resolution * Vec2::new(x as f64, y as f64);
            let rectangle = [corner(from, y), corner(to, y), corner(to, y + 1), corner(from, y + 1)];
            Some(Convex::hull(&rectangle)?.placed(map.world_from_grid))
        })
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::Rng;
    use skidpad_math::{Pose2, rng};

    use super::*;

    /// In a map of random rooms, turned and moved: as when each occupied cell is looked at.
    #[test]
    fn the_nearest_cell_is_found_among_all() {
        let mut random = rng::stream(5, "cells");
        let mut share = move || random.random_range(0.0..1.0);
        let (width, height, resolution) = (60, 40, 0.1);
        let cells = (0..width * height).map(|_| if share() < 0.04 { 100 } else { 0 }).collect();
        let world_from_grid = Pose2::new(-2.0, 1.0, 0.4);
        let map = OccupancyGrid::new(width, height, resolution, world_from_grid, cells, 50).unwrap();
        let scene = Scene { maps: vec![Arc::new(map)], ..Scene::default() };
        let scenery = Scenery::of(&scene);
        let square = |x: f64, y: f64, side: f64| {
            let corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)];
            Convex::hull(&corners.map(|(x, y)| Vec2::new(x, y))).unwrap()
        };
        let all: Vec<Convex> = (0..width * height)
            .filter(|cell| scene.maps[0].is_occupied(cell % width, cell / width))
            .map(|cell| square((cell % width) as f64 * resolution, (cell / width) as f64 * resolution, resolution))
            .map(|cell| cell.placed(world_from_grid))
            .collect();
        let mut touching = 0;
        for _ in 0..300 {
            let pose = Pose2::new(10.0 * share() - 4.0, 8.0 * share() - 1.0, 6.0 * share());
            let shape = square(0.0, 0.0, 0.15).placed(pose);
            let mut search = Search::default();
            scenery.look(&scene, &shape, ALL_HEIGHTS, &mut search);
            let expected = all.iter().map(|cell| cell.distance(&shape)).fold(f64::INFINITY, f64::min);
            assert!(
                (search.nearest.distance - expected).abs() < 1e-12,
                "{pose:?}: {:?} for {expected}",
                search.nearest
            );
            touching += usize::from(expected == 0.0);
        }
        assert!((10..250).contains(&touching), "{touching}");
    }

    #[test]
    fn inside_of_a_solid_nothing_is_far_away() {
        let map = OccupancyGrid::new(50, 50, 0.1, Pose2::IDENTITY, vec![100; 2500], 50).unwrap();
        let scene = Scene { maps: vec![Arc::new(map)], ..Scene::default() };
        let scenery = Scenery::of(&scene);
        let corners = [(0.0, 0.0), (0.1, 0.0), (0.0, 0.1)].map(|(x, y)| Vec2::new(x, y));
        let small = Convex::hull(&corners).unwrap();
        let mut search = Search::default();
        scenery.look(&scene, &small.placed(Pose2::new(2.5, 2.5, 0.0)), ALL_HEIGHTS, &mut search);
        assert_eq!((search.nearest.distance, search.touched.len()), (0.0, 1));
        search.start();
        scenery.look(&scene, &small.placed(Pose2::new(6.0, 2.5, 0.0)), ALL_HEIGHTS, &mut search);
        assert!((search.nearest.distance - 1.0).abs() < 1e-12 && search.touched.is_empty(), "{search:?}");
    }
}
