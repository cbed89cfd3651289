//! The start of a run: how its first world was loaded, so that other worlds load likewise, and how to end the process.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use skidpad_sim::world::{LoadOptions, World};

use super::world_list::Current;

/// How a run began.
#[derive(Clone)]
pub struct Origin {
    /// The world that it began with.
    pub(super) first: Current,
    /// The options with which that world was loaded.
    pub(super) options: LoadOptions,
    /// The folders of worlds that can be loaded by name.
    pub(super) world_folders: Vec<PathBuf>,
    /// Ends the process when true.
    pub(super) stop: Arc<AtomicBool>,
    /// The folder of the world that it began with.
    first_folder: PathBuf,
}

impl Origin {
    /// A run that begins with `world`, loaded from the file `path` with these options and not stepped yet. `world_folders` hold worlds that
    /// can be loaded by name; `stop` ends the process.
    pub fn new(
        path: &Path,
        world: &World,
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

    /// The folders of worlds, and that of the first world.
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        self.world_folders.iter().chain([&self.first_folder]).cloned().collect()
    }
}
