//! Where the files that a description names are: by package://, model://, file:// and plain paths.
//!
//! Packages and models are looked up in the search paths of ROS and Gazebo, in the folders around the description, and
//! in the checkout that it is part of, by the name of their folder or the one that their `package.xml` states, so that
//! a checkout works without being built. Paths that do not begin with `/` start at the description, else, as in Gazebo,
//! at a search path or a folder above. A path within a package or model must not lead out of it.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::path::{Component, Path, PathBuf};

use quick_xml::events::Event;
use skidpad_files::assets::package_prefix;
use skidpad_files::input_file;

/// Environment variables with the folders of Gazebo's models and media.
const RESOURCE_PATHS: &[&str] =
    &["GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "SDF_PATH", "GAZEBO_MODEL_PATH", "GAZEBO_RESOURCE_PATH"];
/// Most folders above a description in which packages and models are looked for.
const MAX_ABOVE: usize = 12;
/// Most folders of a checkout that are looked at, and how deep.
const MAX_FOLDERS: usize = 5000;
const DEEPEST: usize = 6;
/// Longest `package.xml` read [bytes].
const MAX_BYTES: u64 = 1 << 20;

/// Why an address names nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotFound {
    pub why: String,
    /// The package or model that is not there, if that is the reason.
    pub package: Option<String>,
}

/// The search for files, which looks through each checkout once.
#[derive(Debug, Default)]
pub(super) struct Search {
    checkouts: RefCell<BTreeMap<PathBuf, Vec<Folder>>>,
}

/// A folder of a checkout.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    /// As its `package.xml` states.
    package: Option<String>,
}

impl Search {
    /// The existing file or folder that `address` names in a description in `directory`.
    ///
    /// # Errors
    /// There is none, or it leads out of its package or model.
    pub(super) fn find(&self, directory: &Path, address: &str) -> Result<PathBuf, NotFound> {
        let because = |why: String| NotFound { why, package: None };
        let address = address.trim();
        let known = ["package://", "model://", "file://"];
        if address.contains("://") && !known.iter().any(|known| address.starts_with(known)) {
            return Err(because(format!("\"{address}\" is not on this machine, and import does not use the network")));
        }
        let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        let missing = || because(format!("no file \"{address}\""));
        if let Some(inner) = address.strip_prefix("package://").or_else(|| address.strip_prefix("model://")) {
            let (name, rest) = inner.split_once('/').unwrap_or((inner, ""));
            if name.is_empty() || name == ".." || name == "." || !stays_inside(rest) {
                return Err(because(format!("\"{address}\" leads out of its package or model")));
            }
            let folders = self.named_folders(directory, name);
            if let Some(path) = folders.iter().map(|folder| folder.join(rest)).find(|path| path.exists()) {
                return Ok(path);
            }
            if folders.is_empty() {
                let why =
                    format!("no package or model \"{name}\" in the search paths and the folders above the description");
                return Err(NotFound { why, package: Some(name.to_owned()) });
            }
            return Err(missing());
        }
        let path = Path::new(address.strip_prefix("file://").unwrap_or(address));
        if path.as_os_str().is_empty() {
            return Err(because("an empty path".to_owned()));
        }
        let beside = directory.join(path);
        if beside.exists() {
            return Ok(beside);
        }
        let elsewhere = if path.components().all(is_inside) {
            let above = above(directory).into_iter().skip(1);
            resource_paths().into_iter().chain(above).map(|folder| folder.join(path)).find(|path| path.exists())
        } else {
            None
        };
        elsewhere.ok_or_else(missing)
    }

    /// The folders of a package or model, the most likely one first: in the search paths, around the description, in its checkout.
    fn named_folders(&self, directory: &Path, name: &str) -> Vec<PathBuf> {
        let prefixes = std::env::var_os("AMENT_PREFIX_PATH").unwrap_or_default();
        let installed = package_prefix(&prefixes, name).map(|prefix| prefix.join("share").join(name));
        let listed = resource_paths().into_iter().map(|folder| folder.join(name));
        let around = above(directory).into_iter().flat_map(|folder| {
            let itself =
                (is_called(&folder, name) || package_name(&folder).as_deref() == Some(name)).then(|| folder.clone());
            itself.into_iter().chain([folder.join(name), folder.join("models").join(name)])
        });
        let mut candidates: Vec<PathBuf> =
            installed.into_iter().chain(listed).chain(around).filter(|f| f.is_dir()).collect();
        if let Some(top) = checkout(directory) {
            let mut checkouts = self.checkouts.borrow_mut();
            let folders = checkouts.entry(top.clone()).or_insert_with(|| folders_of(&top));
            let is_wanted = |folder: &&Folder| is_called(&folder.path, name) || folder.package.as_deref() == Some(name);
            // A package is rather meant than a folder that happens to have the name.
            let (packages, other_folders): (Vec<&Folder>, Vec<&Folder>) =
                folders.iter().filter(is_wanted).partition(|folder| folder.package.is_some());
            candidates.extend(packages.into_iter().chain(other_folders).map(|folder| folder.path.clone()));
        }
        candidates
    }
}

/// Whether a relative path leads nowhere above its start on its way.
fn stays_inside(path: &str) -> bool {
    let mut depth = 0_i32;
    Path::new(path).components().all(|part| {
        match part {
            Component::Normal(_) => depth += 1,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            _ => return false,
        }
        depth >= 0
    })
}

fn is_called(folder: &Path, name: &str) -> bool {
    folder.file_name().is_some_and(|last| last == name)
}

/// The folders in the search paths of Gazebo.
fn resource_paths() -> Vec<PathBuf> {
    let listed = RESOURCE_PATHS.iter().filter_map(std::env::var_os);
    listed.flat_map(|paths| std::env::split_paths(&paths).collect::<Vec<_>>()).collect()
}

/// A folder and those above it, except the root.
fn above(directory: &Path) -> Vec<PathBuf> {
    let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_path_buf());
    let above = directory.ancestors().take(MAX_ABOVE).filter(|folder| folder.parent().is_some());
    above.map(Path::to_path_buf).collect()
}

/// The top folder of the checkout that a description is part of: that of git, else the folder that its package or model is in.
fn checkout(directory: &Path) -> Option<PathBuf> {
    let above = above(directory);
    let of_git = above.iter().find(|folder| folder.join(".git").exists());
    let is_part = |folder: &&PathBuf| ["package.xml", "model.config"].iter().any(|file| folder.join(file).is_file());
    let around = || above.iter().find(is_part)?.parent().filter(|folder| folder.parent().is_some());
    of_git.map(PathBuf::as_path).or_else(around).map(Path::to_path_buf)
}

/// The folders of a checkout, upper ones first, without hidden ones and what builds leave behind.
fn folders_of(top: &Path) -> Vec<Folder> {
    let mut folders = Vec::new();
    let mut next = VecDeque::from([(top.to_path_buf(), 0)]);
    while let Some((path, depth)) = next.pop_front().filter(|_| folders.len() < MAX_FOLDERS) {
        if depth < DEEPEST {
            let entries = std::fs::read_dir(&path).into_iter().flatten().filter_map(Result::ok);
            // Links are not followed, which may lead in circles.
            let mut inner: Vec<PathBuf> = entries
                .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
                .map(|entry| entry.path())
                .collect();
            inner.retain(|folder| {
                let name = folder.file_name().unwrap_or_default().to_string_lossy();
                !name.starts_with('.') && !["build", "install", "log", "node_modules", "target"].contains(&&*name)
            });
            inner.sort();
            next.extend(inner.into_iter().take(MAX_FOLDERS).map(|folder| (folder, depth + 1)));
        }
        let package = package_name(&path);
        folders.push(Folder { path, package });
    }
    folders
}

/// The `<name>` in the `package.xml` of a folder.
fn package_name(folder: &Path) -> Option<String> {
    texts_in(&folder.join("package.xml"), "name").into_iter().next()
}

/// The texts of the tags of this name directly below the root of an XML file; none of a file that is not there or no XML.
pub(super) fn texts_in(file: &Path, wanted: &str) -> Vec<String> {
    let text = file.is_file().then(|| input_file::read_text(file, MAX_BYTES).ok()).flatten().unwrap_or_default();
    let mut reader = quick_xml::Reader::from_str(&text);
    let (mut depth, mut is_wanted, mut texts) = (0, false, Vec::new());
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                depth += 1;
                is_wanted = depth == 2 && tag.name().as_ref() == wanted;
            }
            Ok(Event::End(_)) => (depth, is_wanted) = (depth - 1, false),
            Ok(Event::Text(text)) if is_wanted => {
                texts.push(text.trim().to_owned());
            }
            Ok(Event::Eof) | Err(_) => return texts,
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(directory: &Path, address: &str) -> Result<PathBuf, NotFound> {
        Search::default().find(directory, address)
    }

    fn with(root: &Path, files: &[(&str, &str)]) {
        for (file, text) in files {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }

    #[test]
    fn packages_and_models_are_found_around_the_description() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        with(&root, &[("robot_description/meshes/a.stl", ""), ("models/box/model.sdf", ""), ("secret.stl", "")]);
        for folder in ["robot_description/urdf", "worlds"] {
            std::fs::create_dir_all(root.join(folder)).unwrap();
        }
        let from = root.join("robot_description/urdf");
        let mesh = root.join("robot_description/meshes/a.stl");
        assert_eq!(find(&from, "package://robot_description/meshes/a.stl"), Ok(mesh.clone()));
        let around = find(&from, "package://robot_description/urdf/../meshes/a.stl");
        assert_eq!(around.unwrap().canonicalize().unwrap(), mesh);
        assert_eq!(find(&from, "../meshes/a.stl").unwrap().canonicalize().unwrap(), mesh);
        assert_eq!(find(&from, &format!("file://{}", mesh.display())), Ok(mesh));
        assert_eq!(find(&root.join("worlds"), "model://box"), Ok(root.join("models/box/")));
        for (address, error) in [
            (
                "package://robot_description/../secret.stl",
                "\"package://robot_description/../secret.stl\" leads out of its package or model",
            ),
            (
                "package://robot_description/urdf/../../secret.stl",
                "\"package://robot_description/urdf/../../secret.stl\" leads out of its package or model",
            ),
            ("package://../secret.stl", "\"package://../secret.stl\" leads out of its package or model"),
            (
                "package://other_robot_of_test/a.stl",
                "no package or model \"other_robot_of_test\" in the search paths and the folders above the description",
            ),
            ("package://robot_description/b.stl", "no file \"package://robot_description/b.stl\""),
            ("b.stl", "no file \"b.stl\""),
            ("", "an empty path"),
            (
                "https://fuel.gazebosim.org/x",
                "\"https://fuel.gazebosim.org/x\" is not on this machine, and import does not use the network",
            ),
        ] {
            assert_eq!(find(&from, address).map_err(|not_found| not_found.why), Err(error.to_owned()));
        }
    }

    #[test]
    fn a_package_is_found_in_its_checkout_by_the_name_that_it_states() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        with(
            &root,
            &[
                (".git/HEAD", ""),
                (
                    "sim/rover/package.xml",
                    "<package><!-- <name>no</name> --><author><name>no</name></author><name> rover_of_test </name></package>",
                ),
                ("sim/rover/urdf/a.urdf", ""),
                (
                    "parts/meshes_of_rover/package.xml",
                    "<?xml version=\"1.0\"?>\n<package format=\"3\"><name>rover_meshes_of_test</name></package>",
                ),
                ("parts/meshes_of_rover/wheel.stl", ""),
                ("docs/rover_of_test/readme.md", ""),
                ("parts/build/other_of_test/x.stl", ""),
            ],
        );
        let from = root.join("sim/rover/urdf");
        assert_eq!(find(&from, "package://rover_of_test/urdf/a.urdf"), Ok(root.join("sim/rover/urdf/a.urdf")));
        let mesh = root.join("parts/meshes_of_rover/wheel.stl");
        assert_eq!(find(&from, "package://rover_meshes_of_test/wheel.stl"), Ok(mesh.clone()));
        assert_eq!(find(&from, "model://meshes_of_rover/wheel.stl"), Ok(mesh));
        assert!(find(&from, "package://other_of_test/x.stl").is_err());
    }

    #[test]
    fn paths_start_at_the_description_or_at_a_folder_above_it() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        with(
            &root,
            &[("models/post/post.stl", ""), ("models/post/meshes/post.stl", ""), ("worlds/a.world", ""), ("b.stl", "")],
        );
        let from = root.join("models/post");
        for address in ["file://models/post/meshes/post.stl", "models/post/meshes/post.stl", "meshes/post.stl"] {
            assert_eq!(find(&from, address).map(|path| path.canonicalize().unwrap()), Ok(from.join("meshes/post.stl")));
        }
        assert_eq!(find(&from, "post.stl"), Ok(from.join("post.stl")));
        assert_eq!(
            find(&root.join("worlds"), "file:///b.stl").map_err(|e| e.why),
            Err("no file \"file:///b.stl\"".into())
        );
        assert!(find(&root.join("worlds"), "./../c.stl").is_err());
    }
}
