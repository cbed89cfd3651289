//! The exceptions of the package, which are defined in `skidpad/errors.py`, and its warnings.

use std::ffi::CString;
use std::fmt::Display;

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use skidpad::diagnostic::Diagnostic;

/// The name of a class in `skidpad.errors`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Class {
    /// Anything that has no class of its own.
    Skidpad,
    /// A world file.
    World,
    /// A step.
    Step,
    /// A command, a pose, a name or a parameter.
    Command,
    /// A scenario.
    Scenario,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Class::Skidpad => "SkidpadError",
            Class::World => "WorldError",
            Class::Step => "StepError",
            Class::Command => "CommandError",
            Class::Scenario => "ScenarioError",
        }
    }

    fn of(self, python: Python<'_>) -> PyResult<Bound<'_, PyType>> {
        static CLASSES: [PyOnceLock<Py<PyType>>; 5] = [const { PyOnceLock::new() }; 5];
        Ok(CLASSES[self as usize].import(python, "skidpad.errors", self.name())?.clone())
    }

    /// An exception of this class with this text.
    pub(crate) fn error(self, text: impl Display) -> PyErr {
        Python::attach(|python| match self.of(python) {
            Ok(class) => PyErr::from_type(class, text.to_string()),
            Err(error) => error,
        })
    }

    /// An exception of this class with this text and another argument, which becomes its attribute.
    pub(crate) fn error_with<T>(self, text: &str, attribute: T) -> PyErr
    where
        T: for<'py> IntoPyObject<'py>,
    {
        Python::attach(|python| {
            let made = self.of(python).and_then(|class| class.call1((text, attribute)));
            made.map_or_else(|error| error, PyErr::from_value)
        })
    }
}

/// Warns the caller of each of these, as `warnings.warn` does.
///
/// # Errors
/// The caller's filters make an exception of one.
pub(crate) fn warn(python: Python<'_>, messages: &[Diagnostic]) -> PyResult<()> {
    let kind = python.get_type::<PyUserWarning>();
    messages.iter().try_for_each(|message| PyErr::warn(python, &kind, &CString::new(message.to_string())?, 1))
}

/// A refused command, pose, name or parameter.
pub(crate) fn refused(text: impl Display) -> PyErr {
    Class::Command.error(text)
}
