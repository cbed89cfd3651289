//! The compiled part of the Python package `skidpad`: worlds whose numbers are NumPy arrays. `../skidpad/_skidpad.pyi` describes it for its
//! users; `doc!(World.step)` is the docstring from there.
//!
//! ```text
//!  World, Worlds      what Python sees: arguments to numbers, errors to exceptions
//!      │
//!  Simulations        one or more worlds that are stepped together, with their arrays
//!      ├── Source         what a world is loaded from, so that it can be loaded again with another seed
//!      ├── Arrays         NumPy arrays that follow the worlds
//!      ├── Drivers        actions, observations, rewards and ends of environments
//!      └── Outputs        recording and page of one world
//! ```
//! The simulation itself is crate `skidpad`, and nothing here changes its numbers.
#![warn(missing_docs, unreachable_pub)]
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable,
        clippy::print_stdout,
        clippy::print_stderr
    )
)]

// `doc!`, which build.rs writes.
include!(concat!(env!("OUT_DIR"), "/docstrings.rs"));

mod action;
mod arrays;
mod buffer;
mod course;
mod drivers;
mod errors;
mod facts;
mod fork;
mod identify;
mod interrupt;
mod outputs;
mod path;
mod program;
mod provenance;
mod reading;
mod scenarios;
mod selection;
mod sensor_arrays;
mod shape;
mod simulations;
mod slot;
mod source;
mod tables;
mod variants;
mod world;
mod worlds;

use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use skidpad::assets::Cancel;

/// Makes what crate numpy makes when it first needs it, where a signal that arrives meanwhile would be a panic. Python's own import of NumPy raises what its handler
/// raises; the rest is done by another thread, in which Python has no handlers run.
fn numpy_is_there(python: Python<'_>) -> PyResult<()> {
    python.import("numpy")?;
    let make = || {
        Python::attach(|python| {
            let array = numpy::PyArray1::<f64>::zeros(python, [1], false);
            numpy::PyArrayMethods::try_readonly(&array).map(|_| ()).map_err(PyErr::from)
        })
    };
    let made = interrupt::attend(python, || (), &Cancel::default(), make)?;
    made.value?;
    made.raised.map_or(Ok(()), Err)
}

/// Adds what needs NumPy, where it is first asked for: the command `skidpad` starts in a third of the time without.
fn add_arrays(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let python = module.py();
    numpy_is_there(python)?;
    module.add("STATE", tables::dtype(python, tables::STATE)?)?;
    module.add("WHEEL", tables::dtype(python, tables::WHEEL)?)?;
    module.add("POSE", tables::dtype(python, tables::POSE)?)?;
    module.add_class::<world::World>()?;
    module.add_class::<worlds::Worlds>()?;
    module.add_class::<reading::Reading>()?;
    module.add_class::<reading::BatchReading>()?;
    module.add_class::<path::Path>()
}

/// The names that [`add_arrays`] adds.
const WITH_ARRAYS: [&str; 8] = ["STATE", "WHEEL", "POSE", "World", "Worlds", "Reading", "BatchReading", "Path"];

/// What Python calls for a name that the module does not have (PEP 562).
#[pyfunction]
#[pyo3(name = "__getattr__", pass_module)]
fn missing<'py>(module: &Bound<'py, PyModule>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    if !WITH_ARRAYS.contains(&name) {
        let text = format!("module 'skidpad._skidpad' has no attribute '{name}'");
        return Err(PyAttributeError::new_err(text));
    }
    add_arrays(module)?;
    module.dict().as_any().get_item(name)
}

/// The module `skidpad._skidpad`.
#[pymodule]
fn _skidpad(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("__commit__", env!("SKIDPAD_COMMIT"))?;
    module.add_function(wrap_pyfunction!(missing, module)?)?;
    module.add_function(wrap_pyfunction!(action::viewer_command, module)?)?;
    module.add_function(wrap_pyfunction!(program::main, module)?)?;
    module.add_function(wrap_pyfunction!(provenance::command, module)?)?;
    module.add_function(wrap_pyfunction!(identify::identify, module)?)?;
    module.add_class::<scenarios::Scenario>()?;
    module.add_class::<scenarios::ScenarioRecord>()?;
    module.add_function(wrap_pyfunction!(scenarios::run_cases, module)?)?;
    module.add_function(wrap_pyfunction!(scenarios::compare_repetitions, module)?)?;
    module.add_function(wrap_pyfunction!(scenarios::write_report, module)?)?;
    module.add_function(wrap_pyfunction!(scenarios::read_yaml, module)?)?;
    interrupt::watch(module)?;
    fork::watch(module)
}
