//! Named pipes, for tests of readers of files.

use std::path::Path;

/// Makes a FIFO at `path` without a writer: opening it like a file would block forever.
pub fn make_fifo(path: &Path) {
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mkfifoat(rustix::fs::CWD, path, mode).unwrap();
}
