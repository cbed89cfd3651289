//! Meshes, textures and other files that worlds name: from the address as written to a local file.
//!
//! | Address | File |
//! |---|---|
//! | `dir/x.dae`, `/dir/x.dae` | relative to the folder of the file that names it |
//! | `file://path` | the same |
//! | `package://name/path` | in the share folder of a ROS 2 package |
//! | `http://…`, `https://…` | fetched once, then read from the cache |
//! | `dir/b.zip/inner/x.dae`, `https://…/b.zip/inner/x.dae` | the archive is unpacked once into the cache, all of it, so that a mesh finds its textures |
//!
//! Fetching and unpacking need feature `network`; without it both are refused, with the reason.
//!
//! The cache is the folder `$SKIDPAD_CACHE`, else `$XDG_CACHE_HOME/skidpad`, else `$HOME/.cache/skidpad`. It may be deleted at any time.
#![cfg_attr(not(feature = "network"), allow(dead_code, reason = "limits and failures of what is refused"))]

#[cfg(feature = "network")]
mod archive;
#[cfg(feature = "network")]
mod cache;
mod cancel;
#[cfg(feature = "network")]
mod checksum;
#[cfg(feature = "network")]
mod client;
mod fetch;
mod local;
#[cfg(not(feature = "network"))]
mod no_network;
mod progress;
mod reach;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

#[cfg(feature = "network")]
use archive::unpack;
#[cfg(feature = "network")]
use cache::Cache;
#[cfg(feature = "network")]
use client::{Agent, agent, fetch};
#[cfg(feature = "network")]
use fetch::Failure;
#[cfg(not(feature = "network"))]
use no_network::Agent;

use crate::diagnostic::Diagnostic;
#[cfg(feature = "network")]
use crate::file_error::FileError;
#[cfg(feature = "network")]
use crate::file_set;
use crate::input_file;

pub use cancel::{CANCELLED, Cancel};
pub use local::{package_of, package_prefix, resolve, shown};
pub use progress::Progress;
pub use reach::Reach;

/// How files are located.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Nothing is fetched: files that are not in the cache are missing.
    pub offline: bool,
    /// The cache folder; none: from the environment, see [`self`].
    pub cache: Option<PathBuf>,
    /// Listener for fetching and unpacking.
    pub progress: Progress,
    /// What a caller over the network may name; none if a local user requested the load.
    pub reach: Option<Arc<Reach>>,
    /// Cancellation of the load.
    pub cancel: Cancel,
}

/// Who wrote a text that names a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Author {
    /// A local user, who may name any file.
    Local,
    /// A caller over the network, to whom [`Settings::reach`] applies; without it such a caller may name nothing.
    Remote,
}

/// Limits on servers and archives.
#[derive(Clone, Debug)]
struct Limits {
    /// Longest fetched file [bytes].
    fetched: u64,
    /// Most redirects for one file.
    redirects: u32,
    /// Longest wait for a connection, and for the next piece of a response.
    wait: Duration,
    /// Longest time that one file may take.
    whole: Duration,
    /// Largest unpacked size of an archive [bytes].
    unpacked: u64,
    /// Most files and folders in an archive.
    entries: usize,
    /// Largest compression ratio of an archive [-].
    ratio: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            fetched: 2 << 30,
            redirects: 5,
            wait: Duration::from_secs(15),
            whole: Duration::from_secs(3600),
            unpacked: 4 << 30,
            entries: 20_000,
            ratio: 250,
        }
    }
}

/// The files of one load. Every address is fetched, and every archive unpacked, at most once, and a server that cannot be reached is
/// asked only once.
#[derive(Debug, Default)]
pub struct Assets {
    settings: Settings,
    limits: Limits,
    agent: OnceCell<Agent>,
    fetched: RefCell<HashMap<String, Result<PathBuf, Diagnostic>>>,
    unpacked: RefCell<HashMap<PathBuf, Result<PathBuf, Diagnostic>>>,
    /// Servers that could not be reached, and why.
    unreachable: RefCell<HashMap<String, String>>,
}

impl Assets {
    /// Nothing asked for yet.
    pub fn new(settings: Settings) -> Assets {
        Assets { settings, ..Assets::default() }
    }

    /// The settings of the load.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The access of callers over the network.
    fn reach(&self) -> &Reach {
        static NOTHING: LazyLock<Reach> = LazyLock::new(Reach::default);
        self.settings.reach.as_deref().unwrap_or(&NOTHING)
    }

    /// The local file that `author` means by `text`, see [`resolve`]. Whether it exists is not checked.
    ///
    /// Errors: those of [`resolve`], and that `author` may not name it.
    pub fn local(&self, directory: &Path, text: &str, author: Author) -> Result<PathBuf, Diagnostic> {
        let path = resolve(directory, text)?;
        match author {
            Author::Local => Ok(path),
            Author::Remote => self.reach().file(&path),
        }
    }

    /// The existing file that `author` means by `address`; relative paths start from `directory`.
    ///
    /// Errors: why there is none; messages continue what was found with `for <tag>`.
    pub fn file(&self, directory: &Path, address: &str, author: Author) -> Result<PathBuf, Diagnostic> {
        let address = address.trim();
        if local::is_remote(address) {
            if author == Author::Remote {
                self.reach().address(address)?;
            }
            return match split_archive(address) {
                Some((archive, inner)) => {
                    check_inner(archive, inner)?;
                    self.member(&self.fetch(archive, author)?, archive, inner)
                }
                None => self.fetch(address, author),
            };
        }
        let path = self.local(directory, address, author)?;
        if input_file::is_file(&path) {
            return Ok(path);
        }
        match archive_above(&path) {
            Some((archive, inner)) => {
                check_inner(&shown(&archive), &inner)?;
                self.member(&archive, &shown(&archive), &inner)
            }
            None => Err(Diagnostic::of(format!("no file \"{}\"", shown(&path)))),
        }
    }

    /// [`Self::file`], except that a plain local file need not exist. Only local archives are unpacked.
    pub fn path(&self, directory: &Path, address: &str, author: Author) -> Result<PathBuf, Diagnostic> {
        if local::is_remote(address.trim()) {
            return self.file(directory, address, author);
        }
        let path = self.local(directory, address, author)?;
        if input_file::is_file(&path) || path.exists() || archive_above(&path).is_none() {
            Ok(path)
        } else {
            self.file(directory, address, author)
        }
    }

    /// The unpacked file `inner` of an archive, which messages call `name`.
    fn member(&self, archive: &Path, name: &str, inner: &str) -> Result<PathBuf, Diagnostic> {
        let path = self.unpack(archive, name)?.join(inner);
        match input_file::is_file(&path) {
            true => Ok(path),
            false => Err(Diagnostic::of(format!("no file \"{inner}\" in \"{name}\""))),
        }
    }
}

#[cfg(feature = "network")]
impl Assets {
    /// The cached copy of `url`.
    fn fetch(&self, url: &str, author: Author) -> Result<PathBuf, Diagnostic> {
        if let Some(known) = self.fetched.borrow().get(url) {
            return known.clone();
        }
        let file = self.fetch_anew(url, author);
        self.fetched.borrow_mut().insert(url.to_string(), file.clone());
        file
    }

    fn fetch_anew(&self, url: &str, author: Author) -> Result<PathBuf, Diagnostic> {
        self.settings.cancel.check()?;
        let cache = Cache::locate(self.settings.cache.as_deref())?;
        let name = cache::file_name(url);
        let key = format!("{}-{name}", checksum::short_sum(url.as_bytes()));
        if let Some(set) = file_set::in_force() {
            let copy = cache.files(&key).join(name);
            return if set.has(&copy) { Ok(copy) } else { Err(set.without(&format!("a copy of \"{url}\""))) };
        }
        if let Some(files) = cache.entry(&key) {
            return Ok(files.join(name));
        }
        if self.settings.offline {
            let found = format!("offline, and no copy of \"{url}\" in {}", cache.root().display());
            return Err(Diagnostic::of(found).hint("load it once without offline"));
        }
        let server = fetch::server(url);
        if let Some(why) = self.unreachable.borrow().get(server) {
            return Err(unreachable(url, why));
        }
        self.settings.progress.tell(&format!("fetching {url}"));
        let agent = self.agent.get_or_init(|| agent(&self.limits));
        let stored = cache.store(&key, |files| {
            // A permitted server must not redirect a caller to one that is not.
            let limits = match author {
                Author::Local => self.limits.clone(),
                Author::Remote => Limits { redirects: 0, ..self.limits.clone() },
            };
            let sum = fetch(agent, url, &limits, &self.settings.cancel, &files.join(&name))?;
            Ok(vec![(sum, name.clone())])
        });
        match stored {
            Ok(files) => Ok(files.join(name)),
            Err(Failure::Unreachable(why)) => {
                let message = unreachable(url, &why);
                self.unreachable.borrow_mut().insert(server.to_string(), why);
                Err(message)
            }
            Err(Failure::Other(message)) => Err(message),
        }
    }

    /// The folder in which an archive is unpacked.
    fn unpack(&self, archive: &Path, name: &str) -> Result<PathBuf, Diagnostic> {
        if let Some(known) = self.unpacked.borrow().get(archive) {
            return known.clone();
        }
        let folder = self.unpack_anew(archive, name);
        self.unpacked.borrow_mut().insert(archive.to_path_buf(), folder.clone());
        folder
    }

    fn unpack_anew(&self, archive: &Path, name: &str) -> Result<PathBuf, Diagnostic> {
        let cache = Cache::locate(self.settings.cache.as_deref())?;
        // Identified by content: a changed archive is a different one.
        let sum = checksum::sum_of_file(archive).map_err(|error| FileError::read(name, error))?;
        let key = format!("{}-{}.d", &sum[..checksum::KEY_LENGTH], cache::file_name(name));
        if file_set::in_force().is_some() {
            // Those of its files that are used are in the set themselves.
            return Ok(cache.files(&key));
        }
        if let Some(files) = cache.entry(&key) {
            return Ok(files);
        }
        self.settings.progress.tell(&format!("unpacking {name}"));
        let stored = cache.store(&key, |files| {
            unpack(archive, files, &self.limits, &self.settings.cancel)
                .map_err(|why| Failure::Other(not_unpacked(name, why)))
        });
        stored.map_err(|failure| match failure {
            Failure::Unreachable(why) => Diagnostic::of(why),
            Failure::Other(message) => message,
        })
    }
}

/// The message of an address whose server cannot be reached.
#[cfg(feature = "network")]
fn unreachable(url: &str, why: &str) -> Diagnostic {
    Diagnostic::of(format!("server of \"{url}\" cannot be reached ({why})"))
}

/// The message of an archive that cannot be unpacked, with the parts of the reason.
fn not_unpacked(name: &str, why: Diagnostic) -> Diagnostic {
    Diagnostic { found: format!("cannot unpack \"{name}\" ({})", why.found), ..why }
}

/// A digest, such as SHA-256, as hexadecimal digits.
pub fn hex(digest: impl AsRef<[u8]>) -> String {
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn check_inner(archive: &str, inner: &str) -> Result<(), Diagnostic> {
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !inner.is_empty() && Path::new(inner).components().all(inside) {
        Ok(())
    } else {
        Err(Diagnostic::of(format!("no path inside the archive in \"{archive}/{inner}\"")))
    }
}

/// Splits `https://host/b.zip/inner` at the archive.
fn split_archive(address: &str) -> Option<(&str, &str)> {
    let end = address.find(".zip/")? + ".zip".len();
    Some((&address[..end], &address[end + 1..]))
}

/// The archive, an existing file, among the folders of `path`, and the path in it.
fn archive_above(path: &Path) -> Option<(PathBuf, String)> {
    let is_archive = |above: &&Path| above.extension().is_some_and(|end| end == "zip") && input_file::is_file(above);
    let archive = path.ancestors().skip(1).find(is_archive)?;
    let inner = path.strip_prefix(archive).ok()?;
    Some((archive.to_path_buf(), inner.to_string_lossy().into_owned()))
}

#[cfg(test)]
mod tests;
