//! `<joint>`: ropes, springs and pins between bodies.

use super::Builder;
use crate::world::blocks::BlockBody;
use crate::world::mover::Mover;
use crate::world::{Physics, Scene};
use crate::xml::Reader;

/// A joint as read.
pub(super) struct Loaded {}

/// Puts the joints into the scene and the engine.
pub(super) fn place(
    _loaded: Vec<Loaded>,
    _scene: &mut Scene,
    _physics: &mut Physics,
    _movers: &[Mover],
    _blocks: &[Option<BlockBody>],
) {
}

impl Builder<'_> {
    pub(super) fn joint(&mut self, reader: &Reader<'_>) {
        reader.warn("<joint> has no effect yet");
    }
}
