//! The local files that viewers may read: those that the scene names, and those beside a mesh that it references.
//!
//! A file has a number and is served at `api/files/{number}/{path}`, where the path starts at the file's folder, or at the parent of
//! a folder called `meshes`: models keep their pictures in folders beside that one, and browsers resolve `..` themselves.

use std::fs;
use std::path::{Component, Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Extensions of pictures, which scenes and meshes name.
const PICTURES: [&str; 9] = ["png", "jpg", "jpeg", "bmp", "gif", "tga", "tif", "tiff", "webp"];
/// Extensions of other files that meshes name.
const PARTS: [&str; 2] = ["bin", "mtl"];
/// Extensions of meshes.
const MESHES: [&str; 5] = ["dae", "stl", "obj", "gltf", "glb"];
/// The folder of a model's meshes, beside the folders of its pictures.
const MESH_FOLDER: &str = "meshes";
/// Characters that need no escape in a URL path.
const UNESCAPED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'/');

/// The files that a scene names, each with a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// The path as added, and its canonical path.
    path: PathBuf,
    real: PathBuf,
    /// The folder of the files that it names, canonical too.
    root: PathBuf,
    /// Its path relative to that folder.
    name: String,
}

impl Files {
    /// Adds a mesh or a picture, and returns its address relative to the page's; the same for the same file. None if
    /// it is neither by its extension.
    pub fn add(&mut self, path: &Path) -> Option<String> {
        if !has_ending(path, &[&PICTURES, &MESHES]) {
            return None;
        }
        let number = match self.entries.iter().position(|entry| entry.path == path) {
            Some(number) => number,
            None => {
                self.entries.push(Entry::new(path)?);
                self.entries.len() - 1
            }
        };
        Some(format!("api/files/{number}/{}", utf8_percent_encode(&self.entries[number].name, &UNESCAPED)))
    }

    /// The file with this number.
    pub(crate) fn path_of(&self, number: usize) -> Option<&Path> {
        self.entries.get(number).map(|entry| entry.real.as_path())
    }

    /// The file served at an address from [`Files::add`].
    pub fn path_at(&self, address: &str) -> Option<&Path> {
        let (number, _) = address.strip_prefix("api/files/")?.split_once('/')?;
        self.path_of(number.parse().ok()?)
    }

    /// The file for a viewer's request, with the decoded path after the number: the file with this number, or a picture or part that it
    /// may name. None if it does not exist or is not permitted.
    pub fn resolve(&self, number: usize, relative: &str) -> Option<PathBuf> {
        let entry = self.entries.get(number)?;
        if relative == entry.name {
            // Opening another type of file, such as a pipe, could block.
            return entry.real.is_file().then(|| entry.real.clone());
        }
        // A picture references no other files.
        if has_ending(&entry.real, &[&PICTURES]) {
            return None;
        }
        let relative = Path::new(relative);
        let is_plain = relative.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_plain || !has_ending(relative, &[&PICTURES, &PARTS]) {
            return None;
        }
        // Links may lead anywhere.
        let file = fs::canonicalize(entry.root.join(relative)).ok()?;
        let is_allowed = file.starts_with(&entry.root) && has_ending(&file, &[&PICTURES, &PARTS]) && file.is_file();
        is_allowed.then_some(file)
    }
}

impl Entry {
    fn new(path: &Path) -> Option<Entry> {
        // A missing file is not served, but keeps its number.
        let real = fs::canonicalize(path).or_else(|_| std::path::absolute(path)).ok()?;
        // A link may lead to any type of file.
        if !has_ending(&real, &[&PICTURES, &MESHES]) {
            return None;
        }
        let folder = real.parent()?;
        let above = folder.parent().filter(|above| above.parent().is_some());
        let root = match above {
            Some(above) if folder.file_name().is_some_and(|name| name == MESH_FOLDER) => above,
            _ => folder,
        };
        let name = real.strip_prefix(root).ok()?.to_str()?.to_owned();
        Some(Entry { path: path.to_owned(), root: root.to_owned(), name, real })
    }
}

fn has_ending(path: &Path, endings: &[&[&str]]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    endings.iter().any(|endings| endings.contains(&ending.as_str()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A model with its pictures, and secrets beside it.
    fn model() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for path in [
            "secret.png",
            "robot/meshes/robot.dae",
            "robot/meshes/grid.bin",
            "robot/materials/a b.png",
            "robot/notes.txt",
        ] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        folder
    }

    #[test]
    fn a_link_named_like_a_picture_serves_nothing_else() {
        let folder = model();
        let link = folder.path().join("innocent.png");
        symlink(folder.path().join("robot/notes.txt"), &link).unwrap();
        let mut files = Files::default();
        assert_eq!(files.add(&link), None);
        let honest = folder.path().join("honest.png");
        symlink(folder.path().join("secret.png"), &honest).unwrap();
        assert_eq!(files.add(&honest).unwrap(), "api/files/0/secret.png");
    }

    #[test]
    fn a_mesh_has_its_pictures_in_its_model_and_browsers_find_them() {
        let folder = model();
        let real = fs::canonicalize(folder.path()).unwrap();
        let mut files = Files::default();
        let path = folder.path().join("robot/meshes/robot.dae");
        // `../materials/a b.png` from there is the path that `resolve` is called with below.
        assert_eq!(files.add(&path).unwrap(), "api/files/0/meshes/robot.dae");
        assert_eq!(files.add(&path).unwrap(), "api/files/0/meshes/robot.dae", "once only");
        assert_eq!(files.path_of(0), Some(real.join("robot/meshes/robot.dae").as_path()));
        assert_eq!(files.path_at("api/files/0/meshes/robot.dae"), files.path_of(0));
        assert_eq!(files.resolve(0, "meshes/robot.dae").as_deref(), files.path_of(0));
        assert_eq!(files.resolve(0, "materials/a b.png"), Some(real.join("robot/materials/a b.png")));
        assert_eq!(files.resolve(0, "meshes/grid.bin"), Some(real.join("robot/meshes/grid.bin")));
        // A picture of its own elsewhere, its address escaped.
        assert_eq!(files.add(&folder.path().join("robot/materials/a b.png")).unwrap(), "api/files/1/a%20b.png");
        assert_eq!(files.path_at("api/files/1/a%20b.png").unwrap(), real.join("robot/materials/a b.png"));
    }

    #[test]
    fn requests_cannot_leave_the_folder() {
        let folder = model();
        let robot = folder.path().join("robot");
        symlink(folder.path().join("secret.png"), robot.join("link.png")).unwrap();
        symlink(folder.path(), robot.join("out")).unwrap();
        symlink(robot.join("notes.txt"), robot.join("notes.png")).unwrap();
        symlink(robot.join("materials/a b.png"), robot.join("inside.png")).unwrap();
        let mut files = Files::default();
        files.add(&robot.join("meshes/robot.dae")).unwrap();
        let absolute = folder.path().join("robot/materials/a b.png").display().to_string();
        for path in [
            "../secret.png",
            "meshes/../../secret.png",
            "materials/../materials/a b.png",
            "./materials/a b.png",
            &absolute,
            "//etc/passwd",
            "/materials/a b.png",
            "%2e%2e/secret.png",
            "..%2fsecret.png",
            "..\\secret.png",
            "link.png",
            "out/secret.png",
            "notes.txt",
            "notes.png",
            "materials",
            "materials/none.png",
            "a\0.png",
            "",
            ".",
            "..",
        ] {
            assert_eq!(files.resolve(0, path), None, "{path}");
        }
        assert_eq!(files.resolve(1, "meshes/robot.dae"), None, "no such number");
        assert!(files.resolve(0, "inside.png").is_some(), "links within the folder are as good as files");
    }

    #[test]
    fn only_meshes_and_pictures_are_added_and_a_link_serves_the_folder_of_its_target() {
        let folder = model();
        let mut files = Files::default();
        for name in ["robot/notes.txt", "robot/none", "robot/meshes/grid.bin", "robot"] {
            assert_eq!(files.add(&folder.path().join(name)), None, "{name}");
        }
        let link = folder.path().join("link.dae");
        symlink(folder.path().join("robot/meshes/robot.dae"), &link).unwrap();
        assert_eq!(files.add(&link).unwrap(), "api/files/0/meshes/robot.dae");
        assert!(files.resolve(0, "materials/a b.png").is_some() && files.resolve(0, "secret.png").is_none());
        // A file that no longer exists.
        assert_eq!(files.add(&folder.path().join("gone.STL")).unwrap(), "api/files/1/gone.STL");
    }
}
