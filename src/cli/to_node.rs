//! How `skidpad` hands the commands that need ROS to `skidpad-ros`, the program of the node, which is in the same folder.
//!
//! `skidpad` itself needs no ROS: without `skidpad-ros` it runs worlds all the same, and says what is missing where that matters.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::args::{self, Listed, Task};
use super::{Failure, node, package, provenance, ros_args, signals};
use crate::diagnostic::Diagnostic;

/// The program of the node.
const PROGRAM: &str = "skidpad-ros";
/// Environment variable with its path, instead of that beside this program; `none`: there is none.
const VARIABLE: &str = "SKIDPAD_ROS";

/// The program of the node, if there is one.
pub(super) fn program() -> Option<PathBuf> {
    match env::var_os(VARIABLE).filter(|value| !value.is_empty()) {
        Some(value) if value == "none" => None,
        Some(value) => Some(PathBuf::from(value)),
        // The program of a Python package is Python.
        None if package::folder().is_some() => None,
        None => {
            let beside = env::current_exe().ok()?.with_file_name(PROGRAM);
            beside.is_file().then_some(beside)
        }
    }
}

/// Becomes the program of the node if these arguments need ROS and it is there. Returns in all other cases; an error where that fails.
pub(super) fn become_if_needed(arguments: &[OsString]) -> Result<(), Failure> {
    if !may_need_ros(arguments) {
        return Ok(());
    }
    let (for_program, _) = ros_args::split(node::under_own_name(arguments.to_vec()));
    // What is wrong with them is reported here.
    let Ok(parsed) = args::parse(for_program) else { return Ok(()) };
    let needs_ros = match &parsed.task {
        Task::Run(args) => !args.no_ros,
        Task::Node(_) => true,
        Task::List(args) => args.kind == Some(Listed::Parameters),
        _ => false,
    };
    let Some(program) = program().filter(|_| needs_ros) else { return Ok(()) };
    let mut command = Command::new(&program);
    let mut words = arguments.iter();
    // The name of a node's link selects that node.
    command.arg0(words.next().map_or(OsStr::new("skidpad"), OsString::as_os_str)).args(words);
    command.env(provenance::CALLER, provenance::of_this_version().program());
    signals::hold_back();
    Err(cannot_start(&program, &command.exec()))
}

/// Whether these arguments may be of a command that needs ROS: only then they are looked at in full.
fn may_need_ros(arguments: &[OsString]) -> bool {
    let started_as = arguments.first().map(Path::new).and_then(Path::file_stem).unwrap_or_default();
    started_as != "skidpad" || ["run", "node", "list"].iter().any(|name| arguments.iter().any(|word| word == name))
}

/// The environment of processes beside a run that need ROS: the variables that the program of the node completes.
///
/// # Errors
/// It cannot be started, or ROS is not found.
pub(super) fn environment(program: &Path) -> Result<Vec<(OsString, OsString)>, Failure> {
    let given = Command::new(program).arg("environment").output().map_err(|error| cannot_start(program, &error))?;
    if !given.status.success() {
        let text = String::from_utf8_lossy(&given.stderr).into_owned();
        let text = text.trim().trim_start_matches("error: ").to_owned();
        return Err(Failure::because(Diagnostic::new(program.display(), text)));
    }
    let text = String::from_utf8_lossy(&given.stdout).into_owned();
    Ok(text.lines().filter_map(|line| line.split_once('=')).map(|(name, value)| (name.into(), value.into())).collect())
}

fn cannot_start(program: &Path, error: &std::io::Error) -> Failure {
    Failure::because(
        Diagnostic::new(program.display(), format!("cannot be started: {error}"))
            .accepted(format!("the program {PROGRAM} of the same build"))
            .hint(format!("make build, or name another one by {VARIABLE}")),
    )
}
