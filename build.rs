//! Tells the launcher (`src/launcher.rs`) which ROS a build with feature `ros` uses, and recordings which commit a build is of.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=SKIDPAD_COMMIT={}", commit().unwrap_or_default());
    if std::env::var_os("CARGO_FEATURE_ROS").is_some() {
        for name in ["AMENT_PREFIX_PATH", "ROS_DISTRO"] {
            println!("cargo::rerun-if-env-changed={name}");
        }
        name_ros_of_build(&std::env::var_os("AMENT_PREFIX_PATH").unwrap_or_default());
    }
}

/// The commit of the source, with `+changes` where the source differs from it; none outside of a checkout.
fn commit() -> Option<String> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
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

/// Passes on the distribution, the prefixes and their library folders. The folders are `lib` of each prefix and those of
/// LD_LIBRARY_PATH inside a prefix: cargo adds others, and the user may have.
fn name_ros_of_build(path: &OsStr) {
    let prefixes: Vec<PathBuf> = std::env::split_paths(path).filter(|prefix| prefix.is_absolute()).collect();
    let given = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&given)
        .filter(|folder| prefixes.iter().any(|prefix| folder.starts_with(prefix)))
        .collect();
    for folder in prefixes.iter().map(|prefix| prefix.join("lib")) {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    let list = |folders: &[PathBuf]| {
        std::env::join_paths(folders).map(|list| list.to_string_lossy().into_owned()).unwrap_or_default()
    };
    println!("cargo::rustc-env=SKIDPAD_BUILT_WITH_DISTRO={}", std::env::var("ROS_DISTRO").unwrap_or_default());
    println!("cargo::rustc-env=SKIDPAD_BUILT_WITH_PREFIXES={}", list(&prefixes));
    println!("cargo::rustc-env=SKIDPAD_BUILT_WITH_LIBRARY_FOLDERS={}", list(&folders));
}
