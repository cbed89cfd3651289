//! `<element class="vertical_plane">`: walls with doors and windows.

use super::Builder;
use crate::raycast::Obstacles;
use crate::world::{Physics, Scene};
use crate::xml::Reader;

/// A wall as read.
pub(super) struct Loaded {}

/// Puts the walls into the scene, the engine and the sight of lidars.
pub(super) fn place(_loaded: Vec<Loaded>, _scene: &mut Scene, _physics: &mut Physics, _obstacles: &mut Obstacles) {}

impl Builder<'_> {
    pub(super) fn vertical_plane(&mut self, reader: &Reader<'_>) {
        reader.warn("<element class=\"vertical_plane\"> has no effect yet");
    }
}
