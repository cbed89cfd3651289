//! `skidpad sweep` and `skidpad tune`: commands of the Python package, which this process becomes.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use super::{Failure, package};
use crate::diagnostic::Diagnostic;

/// Environment variable that names the Python with the package.
const PYTHON: &str = "SKIDPAD_PYTHON";

/// Ends with status 0 where the package is there, of whose name there are also ROS messages.
const HAS_PACKAGE: &str = "import importlib.util, sys; find = importlib.util.find_spec; \
                           sys.exit(find('skidpad') is None or find('skidpad.__main__') is None)";

/// The arguments, which Python reads.
#[derive(Debug, clap::Args)]
pub(super) struct PythonArgs {
    /// World and options of the Python command
    ///
    /// `python3 -m skidpad sweep --help` and `python3 -m skidpad tune --help` list the options.
    #[arg(value_name = "WORLD, OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Becomes `python3 -m skidpad COMMAND …`; returns only if that is not possible.
pub(super) fn run(command: &str, args: &PythonArgs) -> Result<(), Failure> {
    let given = std::env::var_os(PYTHON).or_else(|| package::python().map(Into::into));
    let python = given.unwrap_or_else(|| "python3".into());
    let shown = python.to_string_lossy();
    let hint = format!("pip install \".[all]\" in a clone of skidpad; {PYTHON} names another Python");
    let is_there =
        Command::new(&python).args(["-c", HAS_PACKAGE]).stdin(Stdio::null()).status().map_err(|error| {
            Failure::because(Diagnostic::new(&shown, format!("cannot be run: {error}")).hint(&hint))
        })?;
    if !is_there.success() {
        let message = Diagnostic::new(format!("skidpad {command}"), format!("{shown} has no package skidpad"));
        return Err(Failure::because(message.hint(hint)));
    }
    let error = Command::new(&python).args(["-m", "skidpad", command]).args(&args.arguments).exec();
    Err(Failure::because(Diagnostic::new(shown, format!("cannot be run: {error}"))))
}
