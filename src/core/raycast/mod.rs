//! Ray casting against maps and shapes, shared by the sensors.

/// Compiles a function once more with wider vector instructions, which are used where the processor has them. None of them
/// rounds differently.
macro_rules! vectorized {
    ($($function:tt)*) => {
        #[multiversion::multiversion(targets("x86_64+avx+avx2+bmi1+bmi2+popcnt+sse3+sse4.1+sse4.2+ssse3"))]
        $($function)*
    };
}
pub(crate) use vectorized;

mod caster;
mod grid;
mod heights;
mod obstacles;
pub mod space;

pub use caster::GridCaster;
pub(crate) use grid::check_size;
pub use grid::{GridError, MAX_CELLS, MAX_SIDE, OccupancyGrid};
pub use heights::{ALL_HEIGHTS, share_heights};
pub use obstacles::{Fan, Obstacles};
