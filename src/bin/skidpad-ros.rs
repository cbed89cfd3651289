//! The whole program: what `skidpad` is in a build without ROS, and what `skidpad` launches in a build with ROS.

use std::process::ExitCode;

use skidpad::bench::CountingAllocator;

/// Counts allocations, for `skidpad bench` to report the number per step.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Runs it with the arguments of the process.
pub(crate) fn main() -> ExitCode {
    skidpad::cli::main()
}
