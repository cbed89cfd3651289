//! The program `skidpad`, for the command of the same name that the package installs.

use std::ffi::OsString;

use pyo3::prelude::*;

#[doc = doc!(main)]
#[pyfunction]
pub(crate) fn main(python: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    crate::source::search_package(python)?;
    let all = std::iter::once(OsString::from("skidpad")).chain(arguments).collect();
    let status = python.detach(|| skidpad::cli::run_with(all));
    Ok(u8::from(status != std::process::ExitCode::SUCCESS))
}
