//! What a world is loaded from, so that it can be loaded again with another seed or other variables.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use skidpad::assets::Cancel;
use skidpad::cli::find;
use skidpad::cli::package::{self, Package};
use skidpad::world::{LoadOptions, PhysicsRules, World};
use skidpad::xml::Problem;

use crate::errors::Class;
use crate::fork;
use crate::interrupt;

/// Lets bare names stand for worlds of the package, too, and programs that are started be those of this Python.
pub(crate) fn search_package(python: Python<'_>) -> PyResult<()> {
    let init: PathBuf = python.import("skidpad")?.getattr("__file__")?.extract()?;
    let program = python.import("sys")?.getattr("executable")?.extract::<Option<PathBuf>>()?;
    let folder = init.parent().map(Path::to_path_buf).unwrap_or_default();
    package::belong_to(Package { folder, python: program.unwrap_or_else(|| "python3".into()) });
    Ok(())
}

/// A file, or text.
#[derive(Clone)]
pub(crate) enum Origin {
    /// The file.
    File(PathBuf),
    /// The text, its name in messages, and the folder from which relative paths start.
    Text { text: String, name: String, folder: PathBuf },
}

/// An origin with its options.
#[derive(Clone)]
pub(crate) struct Source {
    pub(crate) origin: Origin,
    pub(crate) options: LoadOptions,
}

impl Source {
    /// The file at `path`, or the world of this name: in `worlds/`, in those of ROS, or in those of this package.
    pub(crate) fn file(python: Python<'_>, path: &Path, mut options: LoadOptions) -> PyResult<Source> {
        search_package(python)?;
        options.variables = find::with_map(path, options.variables);
        let file = find::world_file(path).map_err(|problem| {
            let text = problem.to_string();
            Class::World.error_with(&text, vec![text.clone()])
        })?;
        Ok(Source { origin: Origin::File(file), options })
    }

    /// Loads it with its options. Gives the world and the warnings.
    pub(crate) fn load(&self) -> Result<(World, Vec<Problem>), Vec<String>> {
        fork::with_threads(|| match &self.origin {
            Origin::File(path) => World::load(path, &self.options),
            Origin::Text { text, name, folder } => World::load_text(name, folder, text, &self.options),
        })
        .map_err(|problems| problems.0.iter().map(ToString::to_string).collect())
    }

    /// [`Self::load`], with the errors as an exception.
    pub(crate) fn load_or_raise(&self, python: Python<'_>) -> PyResult<(World, Vec<String>)> {
        let mut source = self.clone();
        let cancel = Cancel::default();
        source.options.cancel = cancel.clone();
        let loaded = interrupt::abandonable(python, &cancel, move || source.load())?;
        let (world, warnings) = loaded.map_err(world_error)?;
        Ok((world, warnings.iter().map(ToString::to_string).collect()))
    }

    /// Changes variables; those that are not named stay.
    pub(crate) fn set_variables(&mut self, variables: Vec<(String, String)>) {
        for (name, value) in variables {
            match self.options.variables.iter_mut().find(|(known, _)| *known == name) {
                Some((_, old)) => *old = value,
                None => self.options.variables.push((name, value)),
            }
        }
    }
}

/// The exception for a world with errors.
pub(crate) fn world_error(problems: Vec<String>) -> PyErr {
    Class::World.error_with(&problems.join("\n"), problems)
}

/// The value of a variable as a world file has it.
pub(crate) fn variable(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyBool>() {
        Ok(truth) => Ok(if truth.is_true() { "1" } else { "0" }.to_owned()),
        Err(_) => Ok(value.str()?.to_string()),
    }
}

/// Options from keyword arguments; variables are added by the caller.
pub(crate) fn options(
    seed: Option<u64>,
    physics: Option<&str>,
    allow_commands: bool,
    offline: bool,
) -> PyResult<LoadOptions> {
    let rules = |name: &str| {
        let known = PhysicsRules::NAMES.iter().find(|(known, _)| *known == name).map(|(_, rules)| *rules);
        known.ok_or_else(|| {
            let accepted: Vec<&str> = PhysicsRules::NAMES.iter().map(|(name, _)| *name).collect();
            Class::Command.error(format!("physics: found \"{name}\"\n  accepted: {}", accepted.join(", ")))
        })
    };
    let physics = physics.map(rules).transpose()?;
    Ok(LoadOptions { seed, physics, allow_commands, offline, ..LoadOptions::default() })
}

/// The variables of a mapping, as text.
pub(crate) fn variables(set: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
    let pairs = set.into_iter().flatten().map(|(name, value)| Ok((name.str()?.to_string(), variable(&value)?)));
    pairs.collect()
}
