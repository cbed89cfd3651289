//! The occupancy map: a plane of square cells, each free, occupied or unknown.
//!
//! Cell (0, 0) has its corner at the origin of the grid frame; x counts columns, y rows. A map file is read by
//! [`world::map_file`](crate::world::map_file), rays are cast by [`GridCaster`](super::GridCaster).

use thiserror::Error;

use crate::math::Pose2;

/// The largest number of cells that a map may have.
pub const MAX_CELLS: usize = 400_000_000;

/// The largest number of cells along one side.
pub const MAX_SIDE: usize = 1_000_000;

/// An axis-aligned rectangle as its lower and upper corner (x, y) [m].
pub type Rectangle = ([f64; 2], [f64; 2]);

/// Occupancy map: cells of a plane, each free, occupied or unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct OccupancyGrid {
    /// Cells along x.
    pub width: usize,
    /// Cells along y.
    pub height: usize,
    /// Side of a cell [m].
    pub resolution: f64,
    /// Pose of the corner of cell (0, 0) in the world [m, rad].
    pub world_from_grid: Pose2,
    /// Row-major from the corner: -1 unknown, otherwise probability of being occupied in percent (ROS convention).
    pub cells: Vec<i8>,
    /// Occupied from this percentage on.
    pub occupied_percent: i8,
}

/// Why a set of numbers is no map.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum GridError {
    /// No cell, or more than the limits allow.
    #[error(
        "a map of {width} x {height} cells\n  accepted: 1 to {MAX_SIDE} cells a side, at most {MAX_CELLS} altogether"
    )]
    Size {
        /// Cells along x.
        width: usize,
        /// Cells along y.
        height: usize,
    },
    /// The list of cells does not fit the size.
    #[error("{found} cells in a map of {width} x {height}")]
    CellCount {
        /// Length of the list.
        found: usize,
        /// Cells along x.
        width: usize,
        /// Cells along y.
        height: usize,
    },
    /// Not a length.
    #[error("resolution {0} m\n  accepted: a finite number above 0")]
    Resolution(f64),
    /// A pose that is NaN or infinite.
    #[error("origin ({}, {}, {})\n  accepted: finite numbers", .0.x, .0.y, .0.yaw)]
    Origin(Pose2),
}

impl OccupancyGrid {
    /// A map from its parts; see the fields for units and order. Fails as [`validate`](Self::validate) does.
    pub fn new(
        width: usize,
        height: usize,
        resolution: f64,
        world_from_grid: Pose2,
        cells: Vec<i8>,
        occupied_percent: i8,
    ) -> Result<OccupancyGrid, GridError> {
        let grid = OccupancyGrid { width, height, resolution, world_from_grid, cells, occupied_percent };
        grid.validate()?;
        Ok(grid)
    }

    /// Fails when the size is zero or beyond the limits, the cells do not fit it, or a length is not finite.
    pub fn validate(&self) -> Result<(), GridError> {
        let count = check_size(self.width, self.height)?;
        if self.cells.len() != count {
            return Err(GridError::CellCount { found: self.cells.len(), width: self.width, height: self.height });
        }
        check_resolution(self.resolution)?;
        if !self.world_from_grid.is_finite() {
            return Err(GridError::Origin(self.world_from_grid));
        }
        Ok(())
    }

    /// True when the cell in column `ix` and row `iy` is an obstacle. Unknown cells and those off the map are not.
    #[inline]
    pub fn is_occupied(&self, ix: usize, iy: usize) -> bool {
        ix < self.width && iy < self.height && self.is_obstacle(self.cells[iy * self.width + ix])
    }

    #[inline]
    fn is_obstacle(&self, cell: i8) -> bool {
        cell >= 0 && cell >= self.occupied_percent
    }

    /// Rectangles [m] in the grid frame that cover exactly the occupied cells, without overlap.
    ///
    /// Runs along x are merged with an equal run in the row below; the order is that of the first cell of each.
    pub fn occupied_rectangles(&self) -> Vec<Rectangle> {
        // Runs of the row before as (first column, end column, index into `merged`).
        let mut above: Vec<(usize, usize, usize)> = Vec::new();
        let mut current = Vec::new();
        // (first column, end column, first row, end row)
        let mut merged: Vec<[usize; 4]> = Vec::new();
        for (iy, row) in self.cells.chunks_exact(self.width.max(1)).enumerate() {
            let mut candidates = above.iter().peekable();
            let mut ix = 0;
            while let Some(skip) = row[ix..].iter().position(|&cell| self.is_obstacle(cell)) {
                let start = ix + skip;
                let end =
                    row[start..].iter().position(|&cell| !self.is_obstacle(cell)).map_or(self.width, |n| start + n);
                while candidates.next_if(|run| run.0 < start).is_some() {}
                let same = candidates.peek().filter(|run| run.0 == start && run.1 == end).map(|run| run.2);
                let index = same.unwrap_or_else(|| {
                    merged.push([start, end, iy, iy]);
                    merged.len() - 1
                });
                merged[index][3] = iy + 1;
                current.push((start, end, index));
                ix = end;
            }
            std::mem::swap(&mut above, &mut current);
            current.clear();
        }
        let length = |cells: usize| cells as f64 * self.resolution;
        merged.iter().map(|&[x0, x1, y0, y1]| ([length(x0), length(y0)], [length(x1), length(y1)])).collect()
    }
}

/// The number of cells of a map of this size, when it is within the limits.
pub(crate) fn check_size(width: usize, height: usize) -> Result<usize, GridError> {
    match width.checked_mul(height) {
        Some(count) if (1..=MAX_CELLS).contains(&count) && width <= MAX_SIDE && height <= MAX_SIDE => Ok(count),
        _ => Err(GridError::Size { width, height }),
    }
}

/// Fails unless `resolution` [m] is a usable cell size.
pub(crate) fn check_resolution(resolution: f64) -> Result<(), GridError> {
    if resolution.is_finite() && resolution > 0.0 { Ok(()) } else { Err(GridError::Resolution(resolution)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn grid(width: usize, cells: Vec<i8>) -> OccupancyGrid {
        OccupancyGrid::new(width, cells.len() / width, 0.5, Pose2::IDENTITY, cells, 50).unwrap()
    }

    #[test]
    fn a_block_with_a_tail_becomes_two_rectangles() {
        let map = grid(4, vec![100, 100, 0, 50, 100, 100, 0, 49, 0, 100, 0, -1]);
        let expected = vec![([0.0, 0.0], [1.0, 1.0]), ([1.5, 0.0], [2.0, 0.5]), ([0.5, 1.0], [1.0, 1.5])];
        assert_eq!(map.occupied_rectangles(), expected);
    }

    #[test]
    fn unknown_and_outside_cells_are_no_obstacles() {
        let map = OccupancyGrid { occupied_percent: -5, ..grid(2, vec![-1, 0]) };
        assert!(!map.is_occupied(0, 0) && map.is_occupied(1, 0) && !map.is_occupied(2, 0) && !map.is_occupied(0, 1));
    }

    #[test]
    fn impossible_maps_are_refused_with_the_reason() {
        let new = |w, h, res, cells| {
            OccupancyGrid::new(w, h, res, Pose2::IDENTITY, vec![0; cells], 50).unwrap_err().to_string()
        };
        assert_eq!(
            new(0, 4, 1.0, 0),
            "a map of 0 x 4 cells\n  accepted: 1 to 1000000 cells a side, at most 400000000 altogether"
        );
        assert_eq!(
            new(usize::MAX, 2, 1.0, 0),
            format!(
                "a map of {} x 2 cells\n  accepted: 1 to 1000000 cells a side, at most 400000000 altogether",
                usize::MAX
            )
        );
        assert_eq!(new(2, 2, 1.0, 3), "3 cells in a map of 2 x 2");
        assert_eq!(new(1, 1, 0.0, 1), "resolution 0 m\n  accepted: a finite number above 0");
        assert_eq!(new(1, 1, f64::NAN, 1), "resolution NaN m\n  accepted: a finite number above 0");
        let origin = Pose2::new(f64::INFINITY, 0.0, 0.0);
        let error = OccupancyGrid::new(1, 1, 1.0, origin, vec![0], 50).unwrap_err();
        assert_eq!(error.to_string(), "origin (inf, 0, 0)\n  accepted: finite numbers");
    }

    proptest! {
        #[test]
        fn rectangles_cover_each_occupied_cell_once(width in 1_usize..12, bits in prop::collection::vec(any::<bool>(), 1..120)) {
            let height = bits.len().div_ceil(width);
            let mut cells: Vec<i8> = bits.iter().map(|&b| if b { 100 } else { 0 }).collect();
            cells.resize(width * height, 0);
            let map = grid(width, cells.clone());
            let mut covered = vec![0_i8; cells.len()];
            for (min, max) in map.occupied_rectangles() {
                for iy in (min[1] / 0.5) as usize..(max[1] / 0.5) as usize {
                    for ix in (min[0] / 0.5) as usize..(max[0] / 0.5) as usize {
                        covered[iy * width + ix] += 100;
                    }
                }
            }
            prop_assert_eq!(covered, cells);
        }
    }
}
