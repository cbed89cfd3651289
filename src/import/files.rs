//! The files that a description names: meshes and models, by package://, model://, file:// and plain paths.
//!
//! Packages and models are looked up in the search paths of ROS and Gazebo, and in the folders around the description, so that a checkout of a
//! package works without either being installed. A path within a package or model must not lead out of it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::assets::package_prefix;
use crate::mesh::{self, Mesh, Meshes};

/// Environment variables with the folders of Gazebo's models.
const MODEL_PATHS: &[&str] = &["GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "SDF_PATH", "GAZEBO_MODEL_PATH"];
/// Most folders above a description in which packages and models are looked for.
const MOST_ABOVE: usize = 12;
/// Most bytes of meshes that one import reads: those of shapes and outlines.
const MOST_MESH_BYTES: u64 = 1 << 30;

/// Access to the files of one import.
#[derive(Default)]
pub(super) struct Files {
    meshes: Meshes,
    /// Folder of the files that are written.
    out: PathBuf,
    mesh_bytes: Cell<u64>,
    /// Packages and models that are not there, each of which is one problem however many meshes it has.
    missing: RefCell<BTreeSet<String>>,
}

/// Why there is no mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoMesh {
    /// Its package or model is not there.
    Package(String),
    /// The same as before, which has been told.
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
    pub written_from_loaded: nalgebra::Matrix3<f64>,
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
        match find(directory, address) {
            Ok(path) => self.read(&path).map_err(NoMesh::Because),
            Err(NotFound { package: Some(name), .. }) if !self.missing.borrow_mut().insert(name.clone()) => {
                Err(NoMesh::SamePackage)
            }
            Err(NotFound { package: Some(name), .. }) => Err(NoMesh::Package(name)),
            Err(NotFound { why, .. }) => Err(NoMesh::Because(why)),
        }
    }

    fn read(&self, path: &Path) -> Result<MeshFile, String> {
        let bytes = std::fs::metadata(path).map(|data| data.len()).unwrap_or(0);
        self.mesh_bytes.set(self.mesh_bytes.get().saturating_add(bytes));
        if self.mesh_bytes.get() > MOST_MESH_BYTES {
            return Err(format!("the meshes have more than {} MiB", MOST_MESH_BYTES >> 20));
        }
        let mesh = self.meshes.load(path).map_err(|error| error.to_string())?;
        let written_from_loaded = mesh::written_from_loaded(path).map_err(|error| error.to_string())?;
        Ok(MeshFile { address: self.address(path)?, mesh, written_from_loaded })
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

/// Why an address names nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotFound {
    pub why: String,
    /// The package or model that is not there, if that is the reason.
    pub package: Option<String>,
}

/// The existing file or folder that `address` names.
///
/// # Errors
/// There is none, or it leads out of its package or model.
pub(super) fn find(directory: &Path, address: &str) -> Result<PathBuf, NotFound> {
    let because = |why: String| NotFound { why, package: None };
    let address = address.trim();
    if address.contains("://") && !["package://", "model://", "file://"].iter().any(|known| address.starts_with(known))
    {
        return Err(because(format!("\"{address}\" is not on this machine, and nothing is fetched")));
    }
    let found = if let Some(inner) = address.strip_prefix("package://").or_else(|| address.strip_prefix("model://")) {
        let (name, rest) = inner.split_once('/').unwrap_or((inner, ""));
        let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if name.is_empty() || name == ".." || name == "." || !Path::new(rest).components().all(is_inside) {
            return Err(because(format!("\"{address}\" leads out of its package or model")));
        }
        let Some(base) = named_folder(directory, name) else {
            let why =
                format!("no package or model \"{name}\" in the search paths and the folders above the description");
            return Err(NotFound { why, package: Some(name.to_owned()) });
        };
        base.join(rest)
    } else {
        let path = address.strip_prefix("file://").unwrap_or(address);
        if path.is_empty() {
            return Err(because("an empty path".to_owned()));
        }
        directory.join(path)
    };
    if found.exists() { Ok(found) } else { Err(because(format!("no file \"{address}\""))) }
}

/// The folder of a package or model: in the search paths, or in one of the folders above `directory`.
fn named_folder(directory: &Path, name: &str) -> Option<PathBuf> {
    let prefixes = std::env::var_os("AMENT_PREFIX_PATH").unwrap_or_default();
    if let Some(prefix) = package_prefix(&prefixes, name) {
        return Some(prefix.join("share").join(name));
    }
    let listed = MODEL_PATHS.iter().filter_map(std::env::var_os);
    let listed: Vec<PathBuf> = listed.flat_map(|paths| std::env::split_paths(&paths).collect::<Vec<_>>()).collect();
    if let Some(found) = listed.iter().map(|folder| folder.join(name)).find(|folder| folder.is_dir()) {
        return Some(found);
    }
    let directory = std::path::absolute(directory).ok()?;
    let above = directory.ancestors().take(MOST_ABOVE).filter(|folder| folder.parent().is_some());
    let mut candidates = above.flat_map(|folder| {
        let itself = folder.file_name().is_some_and(|last| last == name).then(|| folder.to_path_buf());
        itself.into_iter().chain([folder.join(name), folder.join("models").join(name)])
    });
    candidates.find(|folder| folder.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_and_models_are_found_around_the_description() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        for folder in ["robot_description/urdf", "robot_description/meshes", "models/box", "worlds"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        for file in ["robot_description/meshes/a.stl", "models/box/model.sdf", "secret.stl"] {
            std::fs::write(root.join(file), "").unwrap();
        }
        let from = root.join("robot_description/urdf");
        let mesh = root.join("robot_description/meshes/a.stl");
        assert_eq!(find(&from, "package://robot_description/meshes/a.stl"), Ok(mesh.clone()));
        assert_eq!(find(&from, "../meshes/a.stl").unwrap().canonicalize().unwrap(), mesh);
        assert_eq!(find(&from, &format!("file://{}", mesh.display())), Ok(mesh));
        assert_eq!(find(&root.join("worlds"), "model://box"), Ok(root.join("models/box/")));
        for (address, error) in [
            (
                "package://robot_description/../secret.stl",
                "\"package://robot_description/../secret.stl\" leads out of its package or model",
            ),
            ("package://../secret.stl", "\"package://../secret.stl\" leads out of its package or model"),
            (
                "package://other_robot_of_test/a.stl",
                "no package or model \"other_robot_of_test\" in the search paths and the folders above the description",
            ),
            ("b.stl", "no file \"b.stl\""),
            ("", "an empty path"),
            (
                "https://fuel.gazebosim.org/x",
                "\"https://fuel.gazebosim.org/x\" is not on this machine, and nothing is fetched",
            ),
        ] {
            assert_eq!(find(&from, address).map_err(|not_found| not_found.why), Err(error.to_owned()));
        }
    }

    #[test]
    fn written_files_name_meshes_relative_to_themselves() {
        let files = Files::new(Path::new("/a/b/out"));
        assert_eq!(files.address(Path::new("/a/b/meshes/../x.stl")), Ok("../x.stl".to_owned()));
        assert_eq!(files.address(Path::new("/c/x.stl")), Ok("/c/x.stl".to_owned()));
        assert_eq!(files.address(Path::new("/a/$(x)/x.stl")), Err("its path ../../$(x)/x.stl contains a $".to_owned()));
    }
}
