//! `<actor:class>` and `<actor>`: figures that walk along a path.

use super::Builder;
use crate::world::Scene;
use crate::world::actor::Actor;
use crate::xml::{Element, Reader};

/// An actor as read.
pub(super) struct Loaded {}

/// Puts the actors into the scene.
pub(super) fn place(_loaded: Vec<Loaded>, _scene: &mut Scene) -> Vec<Actor> {
    Vec::new()
}

impl Builder<'_> {
    pub(super) fn actor(&mut self, element: &Element) {
        Reader::new(self.context, element).warn("<actor> has no effect yet");
    }
}
