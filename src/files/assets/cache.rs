//! The cache folder of fetched and unpacked files.
//!
//! An entry is a folder with `files/` and `SHA256SUMS` in the format of `sha256sum`. It is filled under another name and then renamed,
//! so an entry is always complete, even if others fetch the same at the same time. Its checksums are verified when it is used; an entry
//! that fails counts as missing, and is replaced.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::checksum::sum_of_file;
use super::fetch::Failure;
use crate::diagnostic::Diagnostic;
use crate::file_error::FileError;
use crate::input_file;

const SUMS: &str = "SHA256SUMS";
const FILES: &str = "files";
/// Longest list of checksums [bytes]: that of the largest archive with the longest names.
const MAX_SUMS: u64 = 128 << 20;
/// Name prefix of incomplete entries.
const PART: &str = ".part-";
/// Age from which an incomplete entry counts as abandoned by a killed process.
const GIVEN_UP: Duration = Duration::from_secs(24 * 3600);
/// Longest readable part of an entry's name [bytes].
const MAX_NAME_LENGTH: usize = 100;

/// A cache folder; it need not exist.
#[derive(Debug)]
pub(super) struct Cache {
    root: PathBuf,
}

impl Cache {
    /// The given folder, or that of the environment.
    pub(super) fn locate(given: Option<&Path>) -> Result<Cache, Diagnostic> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let named = given.map(Path::to_path_buf).or_else(|| variable("SKIDPAD_CACHE").map(PathBuf::from));
        let root = named.or_else(|| below_home(variable("XDG_CACHE_HOME").as_deref(), variable("HOME").as_deref()));
        let Some(root) = root else {
            let found = "no cache folder (SKIDPAD_CACHE, XDG_CACHE_HOME and HOME are not set)";
            return Err(Diagnostic::of(found).hint("set SKIDPAD_CACHE to a folder"));
        };
        let root = std::path::absolute(&root).unwrap_or(root);
        Ok(Cache { root })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Where the files of an entry are, if it exists.
    pub(super) fn files(&self, key: &str) -> PathBuf {
        self.root.join(key).join(FILES)
    }

    /// The files of an entry, if it exists and is intact.
    pub(super) fn entry(&self, key: &str) -> Option<PathBuf> {
        let folder = self.root.join(key);
        let files = self.files(key);
        let sums = input_file::read_text(&folder.join(SUMS), MAX_SUMS).ok()?;
        let whole = |line: &str| {
            let (sum, name) = line.split_once("  ")?;
            let sum_now = sum_of_file(&folder.join(name)).ok()?;
            (sum_now == sum).then_some(())
        };
        sums.lines().try_for_each(whole).map(|()| files)
    }

    /// Creates an entry. `fill` writes into the folder that it gets and returns checksum and path of each file.
    pub(super) fn store(
        &self,
        key: &str,
        fill: impl FnOnce(&Path) -> Result<Vec<(String, String)>, Failure>,
    ) -> Result<PathBuf, Failure> {
        let failed = |error: io::Error| Failure::Other(FileError::write(&self.root, error).into());
        fs::create_dir_all(&self.root).map_err(failed)?;
        self.sweep();
        let part = self.part().map_err(failed)?;
        let files = part.path().join(FILES);
        fs::create_dir(&files).map_err(failed)?;
        let mut sums = String::new();
        for (sum, name) in fill(&files)? {
            sums.push_str(&format!("{sum}  {FILES}/{name}\n"));
        }
        fs::write(part.path().join(SUMS), sums).map_err(failed)?;
        let folder = self.root.join(key);
        for _ in 0..3 {
            match fs::rename(part.path(), &folder) {
                Ok(()) => {
                    // The folder has been renamed, so there is nothing to remove.
                    let _ = part.keep();
                    return Ok(folder.join(FILES));
                }
                // Another process was faster, or the entry is damaged.
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty || folder.exists() => {
                    if let Some(files) = self.entry(key) {
                        return Ok(files);
                    }
                    // In one step, so that readers find an entry at any time, and not a whole one of another process is taken away.
                    if renameat_with(CWD, part.path(), CWD, &folder, RenameFlags::EXCHANGE).is_ok() {
                        return Ok(folder.join(FILES));
                    }
                    // A file system that cannot. If another process has just done the same, there is nothing to move.
                    let aside = self.part().map_err(failed)?;
                    let _ = fs::rename(&folder, aside.path().join("damaged"));
                }
                Err(error) => return Err(failed(error)),
            }
        }
        Err(failed(io::ErrorKind::AlreadyExists.into()))
    }

    /// A new folder for an incomplete entry, removed with its handle.
    fn part(&self) -> io::Result<tempfile::TempDir> {
        // Permissions follow the user's umask, so that a cache can be shared.
        let permissions = fs::Permissions::from_mode(0o777);
        tempfile::Builder::new().prefix(PART).permissions(permissions).tempdir_in(&self.root)
    }

    /// Removes the leftovers of killed processes.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
            if entry.file_name().to_string_lossy().starts_with(PART) && age.is_some_and(|age| age > GIVEN_UP) {
                // One that cannot be removed is harmless.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// The XDG base directory rules: a relative path is ignored.
fn below_home(xdg: Option<&OsStr>, home: Option<&OsStr>) -> Option<PathBuf> {
    let xdg = xdg.map(PathBuf::from).filter(|path| path.is_absolute());
    let base = xdg.or_else(|| home.map(|home| Path::new(home).join(".cache")))?;
    Some(base.join("skidpad"))
}

/// The last part of an address, in characters that every file system accepts. Its extension is kept, which determines the format.
pub(super) fn file_name(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let name: String = last.chars().map(plain).collect();
    let name = name[name.len().saturating_sub(MAX_NAME_LENGTH)..].trim_start_matches('.');
    if name.is_empty() { "file".to_string() } else { name.to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::checksum::{copy_summed, short_sum};
    use super::*;

    #[test]
    fn names_are_readable_and_harmless() {
        for (address, name) in [
            ("https://h/a/rock.zip", "rock.zip"),
            ("https://h/a/my%20rock.dae?x=/y.png#z", "my_20rock.dae"),
            ("https://h/..", "file"),
            ("https://h/.hidden", "hidden"),
            ("https://h/a/", "a"),
            ("https://h/é\n.png", "__.png"),
            ("", "file"),
        ] {
            assert_eq!(file_name(address), name, "{address}");
        }
        let long = file_name(&format!("https://h/{}.dae", "x".repeat(1000)));
        assert!(long.len() == MAX_NAME_LENGTH && long.ends_with("x.dae"));
    }

    #[test]
    fn the_folder_follows_the_xdg_rules() {
        let below = |xdg: Option<&str>, home: Option<&str>| below_home(xdg.map(OsStr::new), home.map(OsStr::new));
        assert_eq!(below(Some("/x"), Some("/h")), Some("/x/skidpad".into()));
        assert_eq!(below(Some("x"), Some("/h")), Some("/h/.cache/skidpad".into()));
        assert_eq!(below(None, Some("/h")), Some("/h/.cache/skidpad".into()));
        assert_eq!(below(None, None), None);
    }

    #[test]
    fn sums_are_those_of_the_standard() {
        // FIPS 180-2, B.1.
        let (sum, length) = copy_summed(&mut &b"abc"[..], &mut io::sink()).unwrap();
        assert_eq!(sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(length, 3);
        assert_eq!(short_sum(b"abc"), sum[..32]);
    }
}
