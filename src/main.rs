//! The program `skidpad`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skidpad::cli::main()
}
