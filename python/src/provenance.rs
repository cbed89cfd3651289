//! How a recording of this package is made: by which program in Python, from which files; and by which command of skidpad it is made again,
//! together with the commands and changes that the recording holds by their steps.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use skidpad::cli;
use skidpad::record::Provenance;
use skidpad::record::provenance::SourceFile;
use skidpad::world::PhysicsRules;

use crate::slot::Slot;
use crate::source::Origin;

/// Words and file of the program in Python that runs: `python drive.py 3`, `python -m drive 3`, or `python` alone where somebody types.
fn program(python: Python<'_>) -> PyResult<(Vec<String>, Option<PathBuf>)> {
    let argv = python.import("sys")?.getattr("argv").and_then(|argv| argv.extract::<Vec<String>>());
    let main = python.import("__main__")?;
    let mut words = vec!["python".to_owned()];
    // What is typed has no file, nor has the cell of a notebook.
    let (Ok(argv), true) = (argv, main.hasattr("__file__")?) else { return Ok((words, None)) };
    let Some((file, arguments)) = argv.split_first().filter(|(file, _)| !file.is_empty()) else {
        return Ok((words, None));
    };
    let module = main.getattr("__spec__").and_then(|spec| spec.getattr("name")?.extract::<String>());
    match module {
        // The file of a module stands in a folder that nobody has typed.
        Ok(name) => words.extend(["-m".to_owned(), name.trim_end_matches(".__main__").to_owned()]),
        Err(_) => words.push(file.clone()),
    }
    words.extend(arguments.iter().cloned());
    Ok((words, Some(PathBuf::from(file)).filter(|file| file.is_file())))
}

#[doc = doc!(command)]
#[pyfunction]
pub(crate) fn command(python: Python<'_>) -> PyResult<Vec<String>> {
    Ok(program(python)?.0)
}

/// How a recording of this world with these topics (none: all) is made.
pub(crate) fn of(python: Python<'_>, slot: &Slot, topics: &[String]) -> PyResult<Provenance> {
    let (command, file) = program(python)?;
    let options = &slot.source.options;
    let mut made = Provenance { command, ..cli::of_this_version() }.with_files(file);
    let path = match &slot.source.origin {
        Origin::File(path) => path.clone(),
        Origin::Text { text, name, folder } => {
            let path = folder.join(name);
            let path = path.strip_prefix(".").map(Path::to_path_buf).unwrap_or(path);
            made.files.push(SourceFile::of_text(&path, text));
            path
        }
    };
    made = made.with_world(&slot.world, &path, &options.variables);
    if let Some(config) = &slot.followed {
        made = made.with_files(&config.files);
    }
    let rules = |wanted| PhysicsRules::NAMES.iter().find(|(_, rules)| *rules == wanted).map(|(name, _)| *name);
    let mut again = vec!["run".to_owned(), made.world.clone()];
    again.extend(options.variables.iter().map(|(name, value)| format!("--set={name}={value}")));
    again.extend(options.seed.map(|seed| format!("--seed={seed}")));
    again.extend(options.physics.and_then(rules).map(|name| format!("--physics={name}")));
    again.extend(options.allow_commands.then(|| "--allow-commands".to_owned()));
    again.extend(options.offline.then(|| "--offline".to_owned()));
    again.extend(slot.followed.iter().map(|config| format!("--track={}", config.path.display())));
    again.extend(topics.iter().map(|topic| format!("--record-topics={topic}")));
    made.again = again;
    Ok(made)
}
