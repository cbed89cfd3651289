//! `<element class="property_region">`: where the ground, or the sky, is different.

use super::Builder;
use crate::xml::Reader;

impl Builder<'_> {
    pub(super) fn property_region(&mut self, reader: &Reader<'_>) {
        reader.warn("<element class=\"property_region\"> has no effect yet");
    }
}
