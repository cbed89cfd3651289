//! Phase 2 of a step: what moves by itself, whatever touches it — animated bodies, planes and actors.

use super::World;

impl World {
    /// Moves what has a prescribed motion to where it is at the end of this step of `dt` [s].
    pub(super) fn carry(&mut self, dt: f64) {
        self.walk(dt);
    }
}
