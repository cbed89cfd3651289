//! The program `skidpad`.

use std::process::ExitCode;

use skidpad::bench::CountingAllocator;

/// Counts, so that `skidpad bench` can tell how many allocations a step makes.
#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    skidpad::cli::main()
}
