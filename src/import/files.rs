//! The meshes that a description names, and those that are made of them: skidpad scales a mesh by one number, so one
//! that is mirrored or scaled differently along its axes is written anew.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use nalgebra::Matrix3;
use skidpad_files::mesh::{self, Mesh, Meshes};
use skidpad_math::Vec3;

use super::OutputFile;
use super::search::{NotFound, Search};
use super::solids;
use super::text::identifier;

/// Most bytes of meshes that one import reads: those of shapes and outlines.
const MAX_MESH_BYTES: u64 = 1 << 30;

/// Access to the files of one import.
#[derive(Default)]
pub(super) struct Files {
    pub search: Search,
    meshes: Meshes,
    /// Folder of the files that are written.
    out: PathBuf,
    /// Folder of the project's worlds, if blocks of it may stand in for what is missing.
    pub library: Option<PathBuf>,
    mesh_bytes: Cell<u64>,
    /// Packages and models that are not there, each of which is one problem however many meshes it has.
    missing: RefCell<BTreeSet<String>>,
    /// Meshes that have been written anew, by the address of the original and the bits of its scale.
    scaled: RefCell<BTreeMap<(String, [u64; 3]), Scaled>>,
}

/// A mesh that is written anew.
struct Scaled {
    file: MeshFile,
    outputs: [OutputFile; 2],
}

impl Scaled {
    /// A mesh in files of this name, its axes as they are read.
    fn new(name: &str, mesh: Mesh) -> Scaled {
        let (address, library) = (format!("{name}.obj"), format!("{name}.mtl"));
        let [text, materials] = solids::mesh_files(&mesh, &library);
        let outputs = [OutputFile { name: library, text: materials }, OutputFile { name: address.clone(), text }];
        let file = MeshFile { address, mesh: Arc::new(mesh), written_from_loaded: Matrix3::identity() };
        Scaled { file, outputs }
    }
}

/// Why there is no mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoMesh {
    /// Its package or model is not there.
    Package(String),
    /// The same as before, which has been reported.
    SamePackage,
    /// For another reason.
    Because(String),
}

/// A mesh file that exists.
#[derive(Clone, Debug)]
pub(super) struct MeshFile {
    /// As the written class names it.
    pub address: String,
    pub mesh: Arc<Mesh>,
    /// Rotation from the coordinates that skidpad reads to those in the file.
    pub written_from_loaded: Matrix3<f64>,
}

impl Files {
    /// For files that are written to the folder `out`.
    pub(super) fn new(out: &Path) -> Files {
        Files { out: std::path::absolute(out).unwrap_or_else(|_| out.to_path_buf()), ..Files::default() }
    }

    /// The mesh at `address`, relative paths starting from `directory`.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn mesh(&self, directory: &Path, address: &str) -> Result<MeshFile, NoMesh> {
        match self.search.find(directory, address) {
            Ok(path) => self.read(&path).map_err(NoMesh::Because),
            Err(NotFound { package: Some(name), .. }) if !self.missing.borrow_mut().insert(name.clone()) => {
                Err(NoMesh::SamePackage)
            }
            Err(NotFound { package: Some(name), .. }) => Err(NoMesh::Package(name)),
            Err(NotFound { why, .. }) => Err(NoMesh::Because(why)),
        }
    }

    /// The file of a block class of the library, as the written files name it; none without such a file, or with a path that they cannot name.
    pub(super) fn block(&self, class: &str) -> Option<String> {
        let file = self.library.as_ref()?.join("blocks").join(format!("{class}.block.xml"));
        self.address(&file).ok().filter(|_| file.is_file())
    }

    fn read(&self, path: &Path) -> Result<MeshFile, String> {
        let bytes = std::fs::metadata(path).map(|data| data.len()).unwrap_or(0);
        self.mesh_bytes.set(self.mesh_bytes.get().saturating_add(bytes));
        if self.mesh_bytes.get() > MAX_MESH_BYTES {
            return Err(format!("the meshes have more than {} MiB", MAX_MESH_BYTES >> 20));
        }
        let mesh = self.meshes.load(path).map_err(|error| error.to_string())?;
        let written_from_loaded = mesh::written_from_loaded(path).map_err(|error| error.to_string())?;
        Ok(MeshFile { address: self.address(path)?, mesh, written_from_loaded })
    }

    /// The mesh with its axes, as its file has them, scaled by these numbers, in a file of its own among the written ones.
    pub(super) fn scaled(&self, file: &MeshFile, scale: [f64; 3]) -> MeshFile {
        let mut known = self.scaled.borrow_mut();
        let key = (file.address.clone(), scale.map(f64::to_bits));
        if let Some(Scaled { file, .. }) = known.get(&key) {
            return file.clone();
        }
        let by = Matrix3::from_diagonal(&Vec3::from(scale)) * file.written_from_loaded;
        let mut mesh = Mesh::clone(&file.mesh);
        mesh.vertices.iter_mut().for_each(|vertex| *vertex = by * *vertex);
        if by.determinant() < 0.0 {
            // The faces of a mirrored mesh would look inwards.
            mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        let stem = Path::new(&file.address).file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{}_scaled_{}", identifier(&stem), known.len() + 1);
        let written = Scaled::new(&name, mesh);
        let file = written.file.clone();
        known.insert(key, written);
        file
    }

    /// A mesh without a file of its own, of a `kind` of solid, in a file among the written ones. `numbers` tell it from the others of its kind.
    pub(super) fn generated_mesh(&self, kind: &str, numbers: &[f64], mesh: Mesh) -> MeshFile {
        let mut known = self.scaled.borrow_mut();
        let bits: Vec<String> = numbers.iter().map(|number| format!("{:x}", number.to_bits())).collect();
        // No address of a file has a space at its beginning.
        let key = (format!(" {kind} {}", bits.join(" ")), [0; 3]);
        if let Some(Scaled { file, .. }) = known.get(&key) {
            return file.clone();
        }
        let written = Scaled::new(&format!("{kind}_{}", known.len() + 1), mesh);
        let file = written.file.clone();
        known.insert(key, written);
        file
    }

    /// The meshes that have been written anew and that one of these files names.
    pub(super) fn scaled_files(&self, named_in: &[OutputFile]) -> Vec<OutputFile> {
        let known = self.scaled.borrow();
        let is_named = |scaled: &&Scaled| {
            let tag = format!(">{}<", scaled.file.address);
            named_in.iter().any(|file| file.text.contains(&tag))
        };
        known.values().filter(is_named).flat_map(|scaled| scaled.outputs.clone()).collect()
    }

    /// The file as the written files name it: relative to them, unless nothing but the root is above both.
    fn address(&self, path: &Path) -> Result<String, String> {
        let whole = std::path::absolute(path).map_err(|error| error.to_string())?;
        let (from, to): (Vec<_>, Vec<_>) = (plain(&self.out), plain(&whole));
        let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        let text = if common == 0 {
            format!("/{}", to.join("/"))
        } else {
            let up = from.len() - common;
            [vec!["..".to_owned(); up], to[common..].to_vec()].concat().join("/")
        };
        // Worlds substitute variables in the texts of files that they include.
        if text.contains('$') { Err(format!("its path {text} contains a $")) } else { Ok(text) }
    }
}

/// The parts of an absolute path without `.` and `..`.
fn plain(path: &Path) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            Component::ParentDir => drop(parts.pop()),
            _ => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_files_name_meshes_relative_to_themselves() {
        let files = Files::new(Path::new("/a/b/out"));
        assert_eq!(files.address(Path::new("/a/b/meshes/../x.stl")), Ok("../x.stl".to_owned()));
        assert_eq!(files.address(Path::new("/c/x.stl")), Ok("/c/x.stl".to_owned()));
        assert_eq!(files.address(Path::new("/a/$(x)/x.stl")), Err("its path ../../$(x)/x.stl contains a $".to_owned()));
    }
}
