//! The program `skidpad`.

use std::process::ExitCode;

use skidpad::bench::CountingAllocator;

/// Counts allocations, for `skidpad bench` to report the number per step.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    skidpad::cli::main()
}
