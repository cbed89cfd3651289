//! `<element class="elevation_map">`: uneven ground.

use super::Builder;
use crate::world::Scene;
use crate::world::terrain::Terrain;
use crate::xml::Reader;

/// A height map as read.
pub(super) struct Loaded {}

/// Puts the height maps into the scene and under the world's feet.
pub(super) fn place(_loaded: Vec<Loaded>, _scene: &mut Scene, _terrain: &mut Terrain) {}

impl Builder<'_> {
    pub(super) fn elevation_map(&mut self, reader: &Reader<'_>) {
        reader.warn("<element class=\"elevation_map\"> has no effect yet");
    }
}
