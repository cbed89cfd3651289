//! Tells recordings which commit a build is of.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=SKIDPAD_COMMIT={}", commit().unwrap_or_default());
}

/// The commit of the source, with `+changes` where the source differs from it; none outside of a checkout.
fn commit() -> Option<String> {
    let crate_folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
    let root = crate_folder.parent()?.parent()?.to_path_buf();
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        let done = git.arg("--no-optional-locks").args(arguments).current_dir(&root).output().ok()?;
        done.status.success().then(|| String::from_utf8_lossy(&done.stdout).trim().to_owned())
    };
    // A copy inside of another repository is none of its commits.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    // Each commit and each checkout adds a line to the log. Paths that are not there would make every build a new one.
    let log = root.join(git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    for path in [log, root.join("src")].iter().filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no", "--", "src", "Cargo.toml", "Cargo.lock"])?;
    Some(if changed.is_empty() { commit } else { format!("{commit}+changes") })
}
