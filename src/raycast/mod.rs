//! The kernels that sensors share: rays against maps and shapes.
mod caster;
mod grid;
pub use caster::GridCaster;
pub use grid::{GridError, MAX_CELLS, MAX_SIDE, OccupancyGrid, Rectangle};
mod obstacles;
pub use obstacles::{Fan, Obstacles};
