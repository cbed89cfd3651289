//! The program `skidpad`, for the command of the same name that the package installs.

use std::ffi::OsString;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use pyo3::prelude::*;
use skidpad::assets::Cancel;

use crate::interrupt;

/// Exit status of a program that has panicked, and has said where.
const PANICKED: u8 = 101;

/// Runs the program, and writes what is left of its output: at the end of a process that is Python's nothing else does.
fn run_to_end(words: Vec<OsString>) -> ExitCode {
    let status = skidpad::cli::run_with(words);
    // Nobody may read it any more.
    let _ = io::stdout().flush();
    status
}

#[doc = doc!(main)]
#[pyfunction]
#[pyo3(signature = (arguments, called=None))]
pub(crate) fn main(python: Python<'_>, arguments: Vec<OsString>, called: Option<OsString>) -> PyResult<u8> {
    crate::source::search_package(python)?;
    let all = std::iter::once(called.unwrap_or_else(|| "skidpad".into())).chain(arguments).collect();
    let run = move || catch_unwind(AssertUnwindSafe(|| run_to_end(all))).unwrap_or(ExitCode::from(PANICKED));
    let signal = python.import("signal")?;
    let handler = signal.call_method1("getsignal", (signal.getattr("SIGINT")?,))?;
    let status = if handler.is_callable() {
        interrupt::abandonable(python, &Cancel::default(), run)?
    } else {
        // Nothing of Python's answers to Ctrl-C: the program does so itself, in this thread.
        python.detach(run)
    };
    // It tells its number to nobody, but compares.
    Ok((0..=u8::MAX).find(|number| ExitCode::from(*number) == status).unwrap_or(1))
}
