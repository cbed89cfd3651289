//! Meshes and outlines that one load of a world has read: each file once, each outline once per set of parameters.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skidpad_math::Pose3;

use super::{Mesh, MeshError, Outline, OutlineError, load};

/// Everything that an outline depends on: file, and the bits of pose, scale and range of heights.
type Key = (PathBuf, [u64; 7], Option<[u64; 2]>);

/// Result of reading a file, shared by all callers.
type Loaded = Result<Arc<Mesh>, Arc<MeshError>>;

/// The meshes and outlines of one load.
#[derive(Debug, Default)]
pub struct Meshes {
    files: RefCell<BTreeMap<PathBuf, Loaded>>,
    outlines: RefCell<BTreeMap<Key, Result<Outline, OutlineError>>>,
}

impl Meshes {
    /// The mesh in a file, see [`load`].
    pub fn load(&self, path: &Path) -> Result<Arc<Mesh>, Arc<MeshError>> {
        if let Some(known) = self.files.borrow().get(path) {
            return known.clone();
        }
        let read = load(path).map(Arc::new).map_err(Arc::new);
        self.files.borrow_mut().insert(path.to_path_buf(), read.clone());
        read
    }

    /// The outline of the mesh in a file, see `Outline::of_mesh`. None if the file cannot be read.
    pub fn outline(
        &self,
        path: &Path,
        body_from_mesh: &Pose3,
        scale: f64,
        z_range: Option<[f64; 2]>,
    ) -> Option<Result<Outline, OutlineError>> {
        let mesh = self.load(path).ok()?;
        let p = body_from_mesh;
        let bits = [p.x, p.y, p.z, p.yaw, p.pitch, p.roll, scale].map(f64::to_bits);
        let key = (path.to_path_buf(), bits, z_range.map(|range| range.map(f64::to_bits)));
        if let Some(known) = self.outlines.borrow().get(&key) {
            return Some(known.clone());
        }
        let outline = Outline::of_mesh(&mesh, body_from_mesh, scale, z_range);
        self.outlines.borrow_mut().insert(key, outline.clone());
        Some(outline)
    }
}
