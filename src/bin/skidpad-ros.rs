//! The whole program: what `skidpad` is in a build without ROS, and what `skidpad` launches in a build with ROS.

use std::process::ExitCode;

/// Runs it with the arguments of the process.
pub(crate) fn main() -> ExitCode {
    skidpad::cli::main()
}
