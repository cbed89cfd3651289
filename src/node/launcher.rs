//! The program `skidpad-ros`: it completes the environment and replaces itself with `skidpad-node`, which is in the same
//! folder.
//!
//! The dynamic loader looks for the libraries of ROS before any code of `skidpad-node` runs, and reads the environment only at the
//! start of a process. Without the libraries it ends the process with a message that helps nobody. So this program does not link
//! ROS, and a fresh shell needs no `source`:
//!
//! | variable | value |
//! |---|---|
//! | `ROS_DISTRO` | as it is; unset: that of the build |
//! | `AMENT_PREFIX_PATH` | as it is, followed by the prefixes of the build that it lacks |
//! | `LD_LIBRARY_PATH` | as it is, followed by the library folders of these prefixes that it lacks |
//! | `FASTRTPS_DEFAULT_PROFILES_FILE`, `FASTDDS_DEFAULT_PROFILES_FILE` | of `skidpad run` where the user has not configured Fast DDS or chosen another middleware: [`PROFILE`], which `skidpad-node` opens once it knows its world |
//!
//! A sourced ROS therefore takes precedence. Process ID, arguments and open files stay the same. The signals that end a run are held back
//! while the libraries are loaded, which takes seconds on a busy machine: `skidpad-node` lets them in once it handles them.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The program that this one becomes.
const PROGRAM: &str = "skidpad-node";
/// The ROS of the build, from `build.rs`: its distribution, its prefixes, and its library folders, separated as in `PATH`.
const DISTRO: &str = env!("SKIDPAD_BUILT_WITH_DISTRO");
const PREFIXES: &str = env!("SKIDPAD_BUILT_WITH_PREFIXES");
const LIBRARY_FOLDERS: &str = env!("SKIDPAD_BUILT_WITH_LIBRARY_FOLDERS");
/// A library of ROS and one of skidpad's own messages: with both in one of the folders, the others are taken to be there.
const LIBRARIES: [&str; 2] = ["librcl.so", "libskidpad__rosidl_typesupport_c.so"];

/// The profile of Fast DDS that `skidpad-node` makes for its world: a file descriptor that is not open yet, out of the
/// way of those that programs open, and below the usual limit. A path would be in the hands of whoever may write to its
/// folder.
const PROFILE: &str = "/proc/self/fd/700";
/// The variables that name a profile, up to version 2 of Fast DDS and from version 3 on; the files that it reads
/// without them, and the other variable that says how messages travel.
const PROFILE_VARIABLES: [&str; 2] = ["FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE"];
const PROFILE_FILES: [&str; 2] = ["DEFAULT_FASTRTPS_PROFILES.xml", "DEFAULT_FASTDDS_PROFILES.xml"];
const TRANSPORTS: &str = "FASTDDS_BUILTIN_TRANSPORTS";

fn main() -> ExitCode {
    let message = match command() {
        Ok(mut command) => {
            hold_signals_back();
            let error = command.exec();
            format!("{}: {error}", command.get_program().display())
        }
        Err(message) => message,
    };
    let _ = writeln!(std::io::stderr().lock(), "error: {message}");
    ExitCode::FAILURE
}

/// Holds SIGINT, SIGTERM and SIGHUP back, also from the program that this one becomes.
fn hold_signals_back() {
    // SAFETY: `sigemptyset` initializes the set, and the other calls take nothing but it and numbers of signals.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            libc::sigaddset(&raw mut set, signal);
        }
        // Without it a signal that comes now ends the process as it ends one that handles none.
        let _ = libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
    }
}

/// The program with its environment, or why it cannot run.
fn command() -> Result<Command, String> {
    let own_path = env::current_exe().map_err(|error| format!("skidpad-ros: cannot find its own file: {error}"))?;
    let program = own_path.with_file_name(PROGRAM);
    if !program.is_file() {
        return Err(format!(
            "{}: not found\n  accepted: skidpad-ros and {PROGRAM} of one build in the same folder\n  hint: copy both, or run: make build",
            program.display()
        ));
    }
    let sourced = env::var("ROS_DISTRO").unwrap_or_default();
    if !sourced.is_empty() && sourced != DISTRO {
        return Err(format!(
            "ROS_DISTRO: \"{sourced}\", but this skidpad-ros is built with {DISTRO}\n  hint: run: make build, or use a shell without a sourced ROS"
        ));
    }
    let folders = completed("LD_LIBRARY_PATH", LIBRARY_FOLDERS);
    let list = joined("LD_LIBRARY_PATH", &folders)?;
    let is_there = |library| folders.iter().any(|folder| folder.join(library).is_file());
    if !LIBRARIES.into_iter().all(is_there)
        && let Some(library) = first_missing(&program, &list)
    {
        let searched = env::split_paths(LIBRARY_FOLDERS).map(|folder| folder.display().to_string());
        return Err(format!(
            "{library}: this library of ROS {DISTRO} is not found\n  searched: LD_LIBRARY_PATH, {}\n  \
             hint: source ROS, or run: make build; a run without ROS: skidpad run --no-ros",
            searched.collect::<Vec<_>>().join(", ")
        ));
    }
    let prefixes = joined("AMENT_PREFIX_PATH", &completed("AMENT_PREFIX_PATH", PREFIXES))?;
    let mut command = Command::new(program);
    if env::args_os().nth(1).is_some_and(|task| task == "run") && is_fast_dds_unconfigured() {
        command.envs(PROFILE_VARIABLES.map(|name| (name, PROFILE)));
    }
    let mut arguments = env::args_os();
    // The name of a node's link selects that node.
    command.arg0(arguments.next().unwrap_or_else(|| "skidpad-ros".into())).args(arguments);
    command.env("ROS_DISTRO", DISTRO).env("AMENT_PREFIX_PATH", prefixes).env("LD_LIBRARY_PATH", list);
    Ok(command)
}

/// Whether the middleware is Fast DDS, as far as the environment says, and runs with its defaults.
fn is_fast_dds_unconfigured() -> bool {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    given("RMW_IMPLEMENTATION").is_none_or(|name| name == "rmw_fastrtps_cpp" || name == "rmw_fastrtps_dynamic_cpp")
        && PROFILE_VARIABLES.iter().chain([&TRANSPORTS]).all(|name| given(name).is_none())
        && PROFILE_FILES.iter().all(|name| !Path::new(name).exists())
}

/// The folders of `variable`, followed by those of `of_build` that exist and that it lacks.
fn completed(variable: &str, of_build: &str) -> Vec<PathBuf> {
    let given = env::var_os(variable).unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&given).filter(|folder| !folder.as_os_str().is_empty()).collect();
    for folder in env::split_paths(of_build) {
        if folder.is_dir() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

fn joined(variable: &str, folders: &[PathBuf]) -> Result<OsString, String> {
    env::join_paths(folders).map_err(|error| format!("{variable}: {error}"))
}

/// The first library that the dynamic loader does not find: it lists all of them, and runs nothing.
fn first_missing(program: &Path, library_path: &OsStr) -> Option<String> {
    let listing =
        Command::new(program).env("LD_TRACE_LOADED_OBJECTS", "1").env("LD_LIBRARY_PATH", library_path).output().ok()?;
    let text = String::from_utf8_lossy(&listing.stdout).into_owned();
    let line = text.lines().find(|line| line.ends_with("=> not found"))?;
    line.split_whitespace().next().map(str::to_owned)
}
