//! Occupancy map.
/// Occupancy map: cells of a plane, each free, occupied or unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct OccupancyGrid {
    /// Cells along x.
    pub width: usize,
    /// Cells along y.
    pub height: usize,
    /// Side of a cell [m].
    pub resolution: f64,
    /// Pose of the corner of cell (0, 0) in the world.
    pub world_from_grid: crate::math::Pose2,
    /// Row-major from the corner: -1 unknown, otherwise probability of being occupied in percent (ROS convention).
    pub cells: Vec<i8>,
    /// Occupied from this percentage on.
    pub occupied_percent: i8,
}
