//! `<georeference>`: where on Earth the world lies.

use super::Builder;
use crate::xml::Reader;

impl Builder<'_> {
    pub(super) fn georeference(&mut self, reader: &Reader<'_>) {
        reader.warn("<georeference> has no effect yet");
    }
}
