//! Phase 8 of a step: bodies stand on the ground — height and attitude of vehicles, height of blocks.

use super::World;

impl World {
    /// Lets every body stand on what is under it now.
    pub(super) fn settle(&mut self) {}
}
