//! The kernels that sensors share: rays against maps and shapes.
mod grid;
pub use grid::OccupancyGrid;
