//! The program `skidpad`: without ROS the whole of it, with ROS the launcher of `skidpad-ros`.

#[cfg_attr(feature = "ros", path = "launcher.rs")]
#[cfg_attr(not(feature = "ros"), path = "bin/skidpad-ros.rs")]
mod program;

use std::process::ExitCode;

fn main() -> ExitCode {
    program::main()
}
