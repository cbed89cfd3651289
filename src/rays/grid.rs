//! The occupancy map: a plane of square cells, each free, occupied or unknown.
//!
//! Cell (0, 0) has its corner at the origin of the grid frame; x counts columns, y rows. Module
//! `world::map_file` of `skidpad-sim` reads map files, [`GridCaster`](super::GridCaster) casts the rays.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::error_by_parts;
use skidpad_math::{Pose2, Vec2};

/// The largest number of cells that a map may have.
pub const MAX_CELLS: usize = 400_000_000;

/// The largest number of cells along one side.
pub const MAX_SIDE: usize = 1_000_000;

/// Smallest and largest side of a cell [m]. Within them, computations in metres and in cells keep their precision.
pub(super) const RESOLUTIONS: [f64; 2] = [1e-4, 1e4];

/// Largest coordinate of a map [m], as for everything else in a world.
const MAX_COORDINATE: f64 = 1e9;

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
    /// Cells from this percentage on are occupied.
    pub occupied_percent: i8,
}

/// Why a set of numbers is not a valid map.
#[derive(Clone, Debug, PartialEq)]
pub enum GridError {
    /// No cell, or more than the limits allow.
    Size {
        /// Cells along x.
        width: usize,
        /// Cells along y.
        height: usize,
    },
    /// The list of cells does not fit the size.
    CellCount {
        /// Length of the list.
        found: usize,
        /// Cells along x.
        width: usize,
        /// Cells along y.
        height: usize,
    },
    /// The resolution is out of range.
    Resolution(f64),
    /// Too far away, or too large in all.
    Extent {
        /// x of the farthest corner [m].
        x: f64,
        /// y of the farthest corner [m].
        y: f64,
    },
    /// A pose that is NaN or infinite.
    Origin(Pose2),
}

impl From<&GridError> for Diagnostic {
    fn from(error: &GridError) -> Diagnostic {
        match error {
            GridError::Size { width, height } => Diagnostic::of(format!("a map of {width} x {height} cells"))
                .accepted(format!("1 to {MAX_SIDE} cells a side, at most {MAX_CELLS} altogether")),
            GridError::CellCount { found, width, height } => {
                Diagnostic::of(format!("{found} cells in a map of {width} x {height}"))
            }
            GridError::Resolution(resolution) => {
                let [least, most] = RESOLUTIONS;
                Diagnostic::of(format!("resolution {resolution} m")).accepted(format!("{least} to {most} m"))
            }
            GridError::Extent { x, y } => Diagnostic::of(format!("the map reaches to ({x:.3e}, {y:.3e}) m"))
                .accepted(format!("coordinates up to {MAX_COORDINATE:e} m")),
            GridError::Origin(Pose2 { x, y, yaw }) => {
                Diagnostic::of(format!("origin ({x}, {y}, {yaw})")).accepted("finite numbers")
            }
        }
    }
}

error_by_parts!(GridError);

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
        let [right, top] = [self.width, self.height].map(|count| count as f64 * self.resolution);
        let corners = [(0.0, 0.0), (right, 0.0), (0.0, top), (right, top)];
        for (x, y) in corners {
            let corner = self.world_from_grid.transform_point(Vec2::new(x, y));
            if corner.x.abs().max(corner.y.abs()) > MAX_COORDINATE {
                return Err(GridError::Extent { x: corner.x, y: corner.y });
            }
        }
        Ok(())
    }

    /// True when the cell in column `ix` and row `iy` is an obstacle. Unknown cells and those off the map are not.
    #[inline]
    pub fn is_occupied(&self, ix: usize, iy: usize) -> bool {
        ix < self.width && iy < self.height && self.is_obstacle(self.cells[iy * self.width + ix])
    }

    /// Whether there is an obstacle in row `iy`.
    pub fn has_obstacle_in_row(&self, iy: usize) -> bool {
        let row = self.cells.chunks(self.width.max(1)).nth(iy).unwrap_or_default();
        row.iter().any(|&cell| self.is_obstacle(cell))
    }

    #[inline]
    fn is_obstacle(&self, cell: i8) -> bool {
        cell >= 0 && cell >= self.occupied_percent
    }
}

/// The number of cells of a map of this size [cells], when it is within the limits.
///
/// # Errors
/// It has no cells, or more than [`MAX_SIDE`] along a side or [`MAX_CELLS`] in all.
pub fn check_size(width: usize, height: usize) -> Result<usize, GridError> {
    match width.checked_mul(height) {
        Some(count) if (1..=MAX_CELLS).contains(&count) && width <= MAX_SIDE && height <= MAX_SIDE => Ok(count),
        _ => Err(GridError::Size { width, height }),
    }
}

/// Fails unless `resolution` [m] is a usable cell size.
pub(crate) fn check_resolution(resolution: f64) -> Result<(), GridError> {
    if (RESOLUTIONS[0]..=RESOLUTIONS[1]).contains(&resolution) {
        Ok(())
    } else {
        Err(GridError::Resolution(resolution))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(width: usize, cells: Vec<i8>) -> OccupancyGrid {
        OccupancyGrid::new(width, cells.len() / width, 0.5, Pose2::IDENTITY, cells, 50).unwrap()
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
        assert_eq!(new(1, 1, 0.0, 1), "resolution 0 m\n  accepted: 0.0001 to 10000 m");
        assert_eq!(new(1, 1, f64::NAN, 1), "resolution NaN m\n  accepted: 0.0001 to 10000 m");
        assert!(new(1, 1, 1e306, 1).ends_with(" m\n  accepted: 0.0001 to 10000 m"));
        assert!(new(1, 1, 9e-5, 1).starts_with("resolution 0.00009 m"));
        let at = |y, cells: usize| {
            OccupancyGrid::new(1, cells, 1e4, Pose2::new(0.0, y, 0.0), vec![0; cells], 50)
                .map_err(|error| error.to_string())
        };
        assert!(at(9e8, 9_000).is_ok());
        let far = "the map reaches to (0.000e0, 1.100e9) m\n  accepted: coordinates up to 1e9 m";
        assert_eq!(at(9e8, 20_000), Err(far.into()));
        let origin = Pose2::new(f64::INFINITY, 0.0, 0.0);
        let error = OccupancyGrid::new(1, 1, 1.0, origin, vec![0], 50).unwrap_err();
        assert_eq!(error.to_string(), "origin (inf, 0, 0)\n  accepted: finite numbers");
    }
}
