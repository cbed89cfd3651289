//! The program `skidpad`, for the command of the same name that the package installs.

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;
use skidpad::assets::Cancel;

use crate::interrupt;

#[doc = doc!(main)]
#[pyfunction]
pub(crate) fn main(python: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    crate::source::search_package(python)?;
    let all = std::iter::once(OsString::from("skidpad")).chain(arguments).collect();
    let signal = python.import("signal")?;
    let handler = signal.call_method1("getsignal", (signal.getattr("SIGINT")?,))?;
    let status = if handler.is_callable() {
        interrupt::abandonable(python, &Cancel::default(), move || skidpad::cli::run_with(all))?
    } else {
        // Nothing of Python's answers to Ctrl-C: the program does so itself, in this thread.
        python.detach(|| skidpad::cli::run_with(all))
    };
    // It tells its number to nobody, but compares.
    Ok((0..=u8::MAX).find(|number| ExitCode::from(*number) == status).unwrap_or(1))
}
