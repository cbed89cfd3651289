//! Instructions of steps and kernels, compared with the committed figures: `make counts`.
//!
//! valgrind counts what a processor would execute, so the counts do not depend on the machine's speed and load. Libraries of the
//! system are left out: they choose code by the processor. What remains depends on the compiler only. A count of more than 2 % above its
//! figure, or 1 % for a step, is an error; `SKIDPAD_UPDATE=1 make counts` writes the counts of this build as the new figures.
#![allow(
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program for developers, which prints"
)]

mod callgrind;
mod cases;
mod figures;
mod hall;
#[path = "../support/office.rs"]
mod office;

use std::process::{Command, ExitCode};

use figures::Figures;

/// Argument of the process that valgrind runs.
const UNDER_VALGRIND: &str = "--under-valgrind";

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == UNDER_VALGRIND) {
        return match cases::run_all() {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => fail(&message),
        };
    }
    match compare() {
        Ok(status) => status,
        Err(message) => fail(&message),
    }
}

fn compare() -> Result<ExitCode, String> {
    let counts = callgrind::counts(UNDER_VALGRIND)?;
    let compiler = compiler();
    if std::env::var("SKIDPAD_UPDATE").is_ok_and(|value| value == "1") {
        figures::write(&compiler, &counts)?;
        return Ok(ExitCode::SUCCESS);
    }
    let figures = Figures::read()?;
    let verdict = figures.compare(&counts);
    print!("{}", verdict.table);
    if verdict.failures.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    for failure in &verdict.failures {
        eprintln!("{failure}");
    }
    let is_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    if figures.compiler != compiler {
        eprintln!("  the figures are of {}, this is {compiler}; that is an error with CI=true only", figures.compiler);
        if !is_ci {
            return Ok(ExitCode::SUCCESS);
        }
    }
    eprintln!("  hint: if that is intended: SKIDPAD_UPDATE=1 make counts writes the new figures");
    Ok(ExitCode::FAILURE)
}

/// The compiler, as `rustc 1.89.0`.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

fn fail(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}
