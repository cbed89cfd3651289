//! `<element class="horizontal_plane">`: level ground, floors and elevators.

use super::Builder;
use crate::world::Scene;
use crate::world::animation::Keyframes;
use crate::world::terrain::Terrain;
use crate::xml::Reader;

/// A plane as read.
pub(super) struct Loaded {}

/// Puts the planes into the scene and under the world's feet. Returns those that move, by their index.
pub(super) fn place(_loaded: Vec<Loaded>, _scene: &mut Scene, _terrain: &mut Terrain) -> Vec<(usize, Keyframes)> {
    Vec::new()
}

impl Builder<'_> {
    pub(super) fn horizontal_plane(&mut self, reader: &Reader<'_>) {
        reader.warn("<element class=\"horizontal_plane\"> has no effect yet");
    }
}
