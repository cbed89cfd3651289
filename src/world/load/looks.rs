//! What is there for viewers alone: `<gui>`, `<lights>`, `<marker>`, and the elements `ground_grid`, `pointcloud`, `skybox`.

use super::Builder;
use crate::xml::Reader;

impl Builder<'_> {
    pub(super) fn gui(&mut self, reader: &Reader<'_>) {
        reader.warn("<gui> has no effect yet");
    }

    pub(super) fn lights(&mut self, reader: &Reader<'_>) {
        reader.warn("<lights> has no effect yet");
    }

    pub(super) fn marker(&mut self, reader: &Reader<'_>) {
        reader.warn("<marker> has no effect yet");
    }

    pub(super) fn ground_grid(&mut self, reader: &Reader<'_>) {
        reader.warn("<element class=\"ground_grid\"> has no effect yet");
    }

    pub(super) fn point_cloud(&mut self, reader: &Reader<'_>) {
        reader.warn("<element class=\"pointcloud\"> has no effect yet");
    }

    pub(super) fn skybox(&mut self, reader: &Reader<'_>) {
        reader.warn("<element class=\"skybox\"> has no effect yet");
    }
}
