//! Writes edited world files: into one folder that the user has named, completely or not at all.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file;
use skidpad_files::output_file::Staged;

/// End of the names of new files.
const ENDING: &str = ".world.xml";
/// Longest name of a new file [bytes].
const MAX_NAME_LENGTH: usize = 100;

/// The folder in which world files may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStore {
    /// As the user has written it.
    shown: String,
    /// Canonical path of the folder.
    folder: PathBuf,
}

impl FileStore {
    /// The folder at `path`.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn new(path: &Path) -> Result<FileStore, Diagnostic> {
        let shown = path.display().to_string();
        let wrong = |found: String| {
            Diagnostic::new(format!("--edit {shown}"), found).accepted("a folder in which world files may be written")
        };
        let folder = path.canonicalize().map_err(|error| wrong(error.to_string()))?;
        match folder.is_dir() {
            true => Ok(FileStore { shown, folder }),
            false => Err(wrong("not a folder".into())),
        }
    }

    /// The folder as the user has written it.
    pub(super) fn shown(&self) -> String {
        self.shown.clone()
    }

    /// The canonical path of the folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the file at `path` is in this folder or below, whatever links lead there.
    pub(super) fn holds(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|real| real.starts_with(&self.folder))
    }

    /// The path of a new file of this name.
    pub(super) fn new_file(&self, name: &str) -> Result<PathBuf, String> {
        let stem = name.strip_suffix(ENDING).unwrap_or(name);
        let is_good = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        let is_name =
            !stem.is_empty() && !stem.starts_with('.') && stem.len() <= MAX_NAME_LENGTH && stem.bytes().all(is_good);
        if !is_name {
            let start: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
            return Err(format!(
                "save: \"{start}\" cannot be the name of a file\n  accepted: up to {MAX_NAME_LENGTH} letters, digits or ._-, not beginning with a dot"
            ));
        }
        Ok(self.folder.join(format!("{stem}{ENDING}")))
    }

    /// Writes a new file, which must not exist.
    pub(super) fn create(&self, path: &Path, text: &str) -> Result<(), String> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.staged(path, text)?.create().map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => format!("save: {name} exists already\n  accepted: the name of a new file"),
            _ => not_written(&*name, error),
        })
    }

    /// Replaces the file at `path`, if it is in the folder and its content is still `before`. Its permissions stay.
    pub(super) fn replace(&self, path: &Path, before: &str, text: &str) -> Result<(), String> {
        let shown = path.display();
        let real = path.canonicalize().map_err(|error| not_written(path, error))?;
        if !real.starts_with(&self.folder) {
            return Err(format!(
                "save: {shown} is outside of the folder {}, the only one in which files may be written\n  accepted: the name of a new file there",
                self.shown
            ));
        }
        let now = input_file::read(&real, super::MAX_BYTES as u64).map_err(|error| not_written(path, error))?;
        if now != before.as_bytes() {
            return Err(format!(
                "save: {shown} has changed since it was read, and would be overwritten\n  accepted: the name of a new file"
            ));
        }
        self.staged(&real, text)?.replace().map_err(|error| not_written(path, error))
    }

    /// This text on the disk, not yet under its name.
    fn staged(&self, path: &Path, text: &str) -> Result<Staged, String> {
        Staged::new(path, text.as_bytes()).map_err(|error| not_written(&self.shown, error))
    }
}

/// The refusal of a file, or a folder, that cannot be written.
fn not_written(path: impl AsRef<Path>, reason: io::Error) -> String {
    format!("save: {}", FileError::write(path, reason))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn read(path: &Path) -> String {
        input_file::read_text(path, 1000).unwrap()
    }

    #[test]
    fn only_files_of_the_folder_that_nobody_else_has_changed_are_replaced() {
        let root = tempfile::tempdir().unwrap();
        let (inside, outside) = (root.path().join("in"), root.path().join("out"));
        for folder in [&inside, &outside] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join("a.world.xml"), "before").unwrap();
        }
        let store = FileStore::new(&inside).unwrap();
        let file = inside.join("a.world.xml");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        store.replace(&file, "before", "after").unwrap();
        assert_eq!((read(&file).as_str(), file.metadata().unwrap().permissions().mode() & 0o777), ("after", 0o640));
        assert!(store.replace(&file, "before", "x").unwrap_err().contains("has changed since it was read"));
        symlink(outside.join("a.world.xml"), inside.join("link.world.xml")).unwrap();
        symlink(&outside, inside.join("folder")).unwrap();
        for bad in ["link.world.xml", "folder/a.world.xml", "../out/a.world.xml"] {
            let refusal = store.replace(&inside.join(bad), "before", "x").unwrap_err();
            assert!(refusal.contains("is outside of the folder"), "{bad}: {refusal}");
            assert!(!store.holds(&inside.join(bad)), "{bad}");
        }
        assert_eq!(read(&outside.join("a.world.xml")), "before");
        assert_eq!(std::fs::read_dir(&inside).unwrap().count(), 3, "nothing is left behind");
    }

    #[test]
    fn new_files_are_in_the_folder_and_overwrite_nothing() {
        let root = tempfile::tempdir().unwrap();
        let store = FileStore::new(root.path()).unwrap();
        for name in ["b", "b2.world.xml"] {
            store.create(&store.new_file(name).unwrap(), "new").unwrap();
        }
        assert_eq!(read(&root.path().join("b.world.xml")), "new");
        let mode = |name: &str| root.path().join(name).metadata().unwrap().permissions().mode() & 0o777;
        std::fs::write(root.path().join("usual"), "").unwrap();
        assert_eq!(mode("b.world.xml"), mode("usual"), "what the umask gives");
        std::fs::remove_file(root.path().join("usual")).unwrap();
        let refusal = store.create(&store.new_file("b").unwrap(), "x").unwrap_err();
        assert_eq!(refusal, "save: b.world.xml exists already\n  accepted: the name of a new file");
        // Not even through a link.
        symlink(root.path().join("elsewhere"), root.path().join("c.world.xml")).unwrap();
        assert!(store.create(&store.new_file("c").unwrap(), "x").is_err());
        for bad in ["", ".", "..", ".b", "../b", "/b", "a/b", "a\\b", "a\0b", "ä", &"x".repeat(101), ".world.xml"] {
            assert!(store.new_file(bad).unwrap_err().contains("cannot be the name of a file"), "{bad:?}");
        }
        assert_eq!(read(&root.path().join("b.world.xml")), "new");
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 3);
    }

    #[test]
    fn the_folder_has_to_be_there() {
        let refusal = FileStore::new(Path::new("/not/there")).unwrap_err();
        assert!(
            refusal.to_string().starts_with("--edit /not/there: ")
                && refusal.to_string().contains("accepted: a folder"),
            "{refusal}"
        );
        assert!(FileStore::new(Path::new("/dev/null")).unwrap_err().found.contains("not a folder"));
    }
}
