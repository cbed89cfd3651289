//! The Python package, where this is the program of one: a function that Python calls, in a process that is Python's.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Runs the command of the package, whatever else is in the folder where it starts.
const COMMAND: &str = "import sys; sys.path = [entry for entry in sys.path if entry]; from skidpad.__main__ import main; sys.exit(main())";

static PACKAGE: OnceLock<Package> = OnceLock::new();

/// What a Python package says of itself.
#[derive(Debug)]
pub struct Package {
    /// Its folder, with `config/` and `worlds/`.
    pub folder: PathBuf,
    /// The program Python that runs it.
    pub python: PathBuf,
}

/// Makes this the program of a package; only the first one counts.
pub fn belong_to(package: Package) {
    PACKAGE.get_or_init(|| package);
}

/// The folder of the package, if this is the program of one.
pub fn folder() -> Option<&'static Path> {
    PACKAGE.get().map(|package| package.folder.as_path())
}

/// The Python of the package, if this is the program of one.
pub fn python() -> Option<&'static Path> {
    PACKAGE.get().map(|package| package.python.as_path())
}

/// What starts this program once more, in a process of its own.
pub fn own_program() -> io::Result<Command> {
    match python() {
        Some(python) => {
            let mut command = Command::new(python);
            command.args(["-c", COMMAND]);
            Ok(command)
        }
        None => std::env::current_exe().map(Command::new),
    }
}
