//! `skidpad sweep` and `skidpad tune`: commands of the Python package, which this process becomes.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use super::Failure;

/// Environment variable that names the Python with the package.
const PYTHON: &str = "SKIDPAD_PYTHON";

/// The arguments, which Python reads.
#[derive(Debug, clap::Args)]
pub(super) struct PythonArgs {
    /// A world, and options: python3 -m skidpad COMMAND --help lists them
    #[arg(value_name = "WORLD, OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Becomes `python3 -m skidpad COMMAND …`; returns only if that is not possible.
pub(super) fn run(command: &str, args: &PythonArgs) -> Result<(), Failure> {
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
    let shown = python.to_string_lossy();
    let hint = format!("hint: pip install \".[all]\" in a clone of skidpad; {PYTHON} names another Python");
    let is_there = Command::new(&python)
        .args(["-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('skidpad') is None)"])
        .stdin(Stdio::null())
        .status()
        .map_err(|error| Failure::Because(format!("{shown}: cannot be run: {error}\n  {hint}")))?;
    if !is_there.success() {
        return Err(Failure::Because(format!("skidpad {command}: {shown} has no package skidpad\n  {hint}")));
    }
    let error = Command::new(&python).args(["-m", "skidpad", command]).args(&args.arguments).exec();
    Err(Failure::Because(format!("{shown}: cannot be run: {error}")))
}
