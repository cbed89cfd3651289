//! Writes files whole or not at all: a full disk, an error or a killed process leaves the file that was there before, or none.
//!
//! The content goes to a file beside the final one, which takes its place in one step once it is on the disk. A new
//! file has the permissions that the umask gives, one that is replaced keeps its own. A link is followed: the file that
//! it names is replaced.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Permissions of a new file before those that the umask takes away.
const NEW: u32 = 0o666;

/// A file that is on the disk in full, but not yet under its name.
#[derive(Debug)]
pub struct Staged {
    file: NamedTempFile,
    path: PathBuf,
}

impl Staged {
    /// Puts the content onto the disk, beside `path`.
    ///
    /// # Errors
    /// That of the system; then nothing is left.
    pub fn new(path: &Path, content: &[u8]) -> io::Result<Staged> {
        let path = real_path(path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let new = Permissions::from_mode(NEW);
        let mut builder = tempfile::Builder::new();
        let created = builder.prefix(".skidpad-").suffix(".tmp").permissions(new).tempfile_in(folder);
        let mut file = created.map_err(|error| of_system(&error))?;
        file.write_all(content).map_err(|error| of_system(&error))?;
        match fs::metadata(&path) {
            Ok(present) => file.as_file().set_permissions(present.permissions())?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        // Some file systems tell that the disk is full only here.
        file.as_file().sync_all()?;
        Ok(Staged { file, path })
    }

    /// Gives it its name; a file of that name is replaced.
    ///
    /// # Errors
    /// That of the system; the file of that name is as it was.
    pub fn replace(self) -> io::Result<()> {
        self.file.persist(&self.path).map(drop).map_err(|error| error.error)
    }

    /// Gives it its name, which no other file has.
    ///
    /// # Errors
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists), or that of the system.
    pub fn create(self) -> io::Result<()> {
        self.file.persist_noclobber(&self.path).map(drop).map_err(|error| error.error)
    }
}

/// A folder for output. With the folders around it that were made for it, it goes again where nothing is in it in the end.
#[derive(Debug)]
pub struct OutputFolder {
    /// Those that were made, the innermost first.
    made: Vec<PathBuf>,
}

impl OutputFolder {
    /// Makes the folder at `path`, unless it is there.
    ///
    /// # Errors
    /// That of the system; then nothing is left.
    pub fn create(path: &Path) -> io::Result<OutputFolder> {
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let folder = OutputFolder { made: path.ancestors().take_while(is_missing).map(Path::to_path_buf).collect() };
        fs::create_dir_all(path)?;
        Ok(folder)
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        // One that has files is not removed, nor are those around it.
        let _ = self.made.iter().try_for_each(fs::remove_dir);
    }
}

/// The first of `name`, `name_2`, `name_3` and so on that is free.
pub fn free_name(name: &str, mut is_free: impl FnMut(&str) -> bool) -> String {
    let numbered = (2_u64..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| is_free(name)).unwrap_or_default()
}

/// Writes a file, or replaces it. A device or a pipe is written as it is.
///
/// # Errors
/// That of the system; the file is as it was.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let is_other = fs::metadata(path).is_ok_and(|present| !present.is_file());
    if is_other {
        return fs::write(path, content);
    }
    Staged::new(path, content.as_ref())?.replace()
}

/// Writes files that belong together: none gets its name before all are on the disk.
///
/// # Errors
/// The file that failed, and why.
pub fn write_all<'a, C: AsRef<[u8]>>(
    files: impl IntoIterator<Item = (&'a Path, C)>,
) -> Result<(), (&'a Path, io::Error)> {
    let stage = |(path, content): (&'a Path, C)| match Staged::new(path, content.as_ref()) {
        Ok(staged) => Ok((path, staged)),
        Err(error) => Err((path, error)),
    };
    let staged = files.into_iter().map(stage).collect::<Result<Vec<_>, _>>()?;
    staged.into_iter().try_for_each(|(path, staged)| staged.replace().map_err(|error| (path, error)))
}

/// The error without the path of the temporary file, which tempfile adds to its text and nobody asked for.
fn of_system(error: &io::Error) -> io::Error {
    let text = error.to_string();
    let without_path = text.split_once(" at path \"").map_or(text.as_str(), |(reason, _)| reason);
    io::Error::new(error.kind(), without_path)
}

/// Where a path leads, through links; the path itself if nothing is there.
fn real_path(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(path.to_path_buf()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn new_files_have_the_permissions_of_the_umask_and_others_keep_theirs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write(&path, "one").unwrap();
        fs::write(folder.path().join("usual"), "").unwrap();
        assert_eq!(mode(&path), mode(&folder.path().join("usual")));
        fs::set_permissions(&path, Permissions::from_mode(0o604)).unwrap();
        let link = folder.path().join("link");
        symlink("a", &link).unwrap();
        write(&link, "two").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), mode(&path)), ("two", 0o604));
        assert!(link.is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left behind");
    }

    #[test]
    fn files_that_belong_together_come_together() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, none] = ["a", "b", "none/c"].map(|name| folder.path().join(name));
        let (failed, error) = write_all([(a.as_path(), "1"), (&none, "2")]).unwrap_err();
        assert_eq!((failed, error.kind()), (none.as_path(), io::ErrorKind::NotFound));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        write_all([(a.as_path(), "1"), (&b, "2")]).unwrap();
        assert_eq!([&a, &b].map(|path| fs::read_to_string(path).unwrap()), ["1", "2"]);
        assert_eq!(Staged::new(&a, b"3").unwrap().create().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&a).unwrap(), "1");
    }

    #[test]
    fn a_folder_without_output_goes_again() {
        let folder = tempfile::tempdir().unwrap();
        let [outer, inner] = ["a", "a/b"].map(|name| folder.path().join(name));
        drop(OutputFolder::create(&inner).unwrap());
        assert!(!outer.exists());
        let used = OutputFolder::create(&inner).unwrap();
        fs::write(inner.join("file"), "").unwrap();
        drop(used);
        assert!(inner.join("file").exists());
        fs::remove_file(inner.join("file")).unwrap();
        drop(OutputFolder::create(&inner).unwrap());
        assert!(inner.exists(), "it was there before");
        fs::write(folder.path().join("file"), "").unwrap();
        assert!(OutputFolder::create(&folder.path().join("file/c")).is_err());
    }

    #[test]
    fn devices_are_written_as_they_are() {
        write(Path::new("/dev/null"), "x").unwrap();
        assert_eq!(write(Path::new("/dev/full"), "x").unwrap_err().kind(), io::ErrorKind::StorageFull);
    }
}
