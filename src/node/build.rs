//! Tells the launcher (`launcher.rs`) which ROS the node is built with.

use std::ffi::OsStr;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["AMENT_PREFIX_PATH", "ROS_DISTRO"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    name_ros_of_build(&std::env::var_os("AMENT_PREFIX_PATH").unwrap_or_default());
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
