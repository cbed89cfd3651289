//! Where a simulation comes from: what callers need to load other worlds as the first one was, and to end the process.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::worlds::Current;
use crate::world::{LoadOptions, World};

/// The circumstances of a run.
#[derive(Clone)]
pub struct Origin {
    /// The world that it began with.
    pub(super) first: Current,
    /// How that world was loaded.
    pub(super) options: LoadOptions,
    /// Where worlds are looked for.
    pub(super) world_folders: Vec<PathBuf>,
    /// Ends the process when true.
    pub(super) stop: Arc<AtomicBool>,
    /// The folder of the world that it began with.
    first_folder: PathBuf,
}

impl Origin {
    /// A run that begins with `world`, loaded from the file `path` with these options and not moved on yet. Other worlds are looked up in
    /// `world_folders`; `stop` ends the process.
    pub fn new(
        (path, world): (&Path, &World),
        options: LoadOptions,
        world_folders: Vec<PathBuf>,
        stop: Arc<AtomicBool>,
    ) -> Origin {
        let first_folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder.to_path_buf(),
            _ => PathBuf::from("."),
        };
        Origin { first: Current::of_file(path, world), options, world_folders, stop, first_folder }
    }

    /// Where worlds are looked for, and where the first one is.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        self.world_folders.iter().chain([&self.first_folder]).cloned().collect()
    }
}
