//! Programs that are started beside a simulation, such as controllers: each in a process group of its own, which has ended when its owner is
//! dropped, whatever happens, and soon after this process has been killed.

mod document;
mod output;
mod process;
mod ros_domain;
mod run_values;
mod warden;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::input_file;

pub use document::Document;
pub use output::{LOG_LIMIT, MIN_LOG_LIMIT};
pub use process::{Ended, Process, kill_all};
pub use ros_domain::RosDomain;
pub use run_values::RunValues;

/// The words of a command as a shell splits them: quotes and backslashes keep blanks together. Nothing is expanded, since there is no shell.
///
/// # Errors
/// A quote is not closed, or there is no word.
pub fn words(command: &str) -> Result<Vec<String>, Diagnostic> {
    let wrong =
        |found: &str| Diagnostic::of(format!("found \"{command}\", {found}")).accepted("a program and its arguments");
    let words = shlex::split(command).ok_or_else(|| wrong("with a quote that is not closed"))?;
    if words.is_empty() { Err(wrong("which is empty")) } else { Ok(words) }
}

/// The files that these words of a command name: scripts, configs, also behind `=` or `:=`, and a program by its path. With `prefixes`, the folders of
/// `AMENT_PREFIX_PATH`, also the program of `ros2 run`. A program that the system finds by its name is left out.
pub fn named_files(words: &[String], prefixes: Option<&OsStr>) -> Vec<PathBuf> {
    let parts = words.iter().flat_map(|word| [Some(word.as_str()), word.rsplit_once('=').map(|(_, value)| value)]);
    let mut files: Vec<PathBuf> = parts.flatten().map(PathBuf::from).filter(|path| input_file::is_file(path)).collect();
    if let [ros2, run, package, program, ..] = words
        && Path::new(ros2).ends_with("ros2")
        && run == "run"
    {
        let folders = prefixes.map(std::env::split_paths).into_iter().flatten();
        let mut places = folders.map(|prefix| prefix.join("lib").join(package).join(program));
        files.extend(places.find(|path| input_file::is_file(path)));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_command_are_those_that_it_names() {
        let folder = tempfile::tempdir().unwrap();
        let [script, config, program] = ["a b.py", "c.yaml", "lib/pkg/node"].map(|name| folder.path().join(name));
        std::fs::create_dir_all(program.parent().unwrap()).unwrap();
        [&script, &config, &program].into_iter().for_each(|path| std::fs::write(path, "").unwrap());
        let command =
            format!("python3 '{}' --config={} -p x:={}", script.display(), config.display(), config.display());
        assert_eq!(named_files(&words(&command).unwrap(), None), [script, config.clone(), config]);
        let installed = words("ros2 run pkg node --x").unwrap();
        assert_eq!(named_files(&installed, Some(folder.path().as_os_str())), [program]);
        assert!(named_files(&installed, None).is_empty());
    }

    #[test]
    fn commands_are_split_as_by_a_shell_without_one() {
        assert_eq!(
            words("python3 'a b.py' -p x:=\"1 2\" $HOME").unwrap(),
            ["python3", "a b.py", "-p", "x:=1 2", "$HOME"]
        );
        for (wrong, reason) in [("a 'b", "with a quote that is not closed"), ("  ", "which is empty")] {
            assert!(words(wrong).unwrap_err().first_line().ends_with(reason));
        }
    }
}
