//! Ray casting against maps and shapes, shared by the sensors.

mod caster;
mod grid;
mod heights;
mod obstacles;
pub mod space;
pub mod vectors;

pub use caster::GridCaster;
pub use grid::{GridError, MAX_CELLS, MAX_SIDE, OccupancyGrid, check_size};
pub use heights::{ALL_HEIGHTS, share_heights};
pub use obstacles::{Fan, Obstacles};
pub use vectors::{VectorInstructions, use_vector_instructions};
