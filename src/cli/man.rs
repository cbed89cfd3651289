//! `skidpad man`: manual pages, from the definition of the arguments as the help is.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::args::Args;
use super::{Failure, report};
use crate::file_error::FileError;
use crate::output_file;
use crate::record::quoted;

#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// Folder to write the pages of all commands to, such as ~/.local/share/man/man1
    ///
    /// The files are skidpad.1, skidpad-run.1 and so on. Without a folder, the page of the program is printed.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints the page of the program, or writes all pages.
pub(super) fn man(args: &ManArgs) -> Result<(), Failure> {
    let mut command = Args::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &args.folder else {
        return Ok(io::stdout().lock().write_all(&page(&Man::new(command))?)?);
    };
    let mut pages = Vec::new();
    collect(command, &mut pages)?;
    let failed = |path: &Path, error| Failure::because(FileError::write(path, error));
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let pages: Vec<(PathBuf, Vec<u8>)> = pages.into_iter().map(|(name, text)| (folder.join(name), text)).collect();
    let texts = pages.iter().map(|(path, text)| (path.as_path(), text));
    output_file::write_all(texts).map_err(|(path, error)| failed(path, error))?;
    // A path with a slash is read as a file, wherever it is.
    let page = quoted(&folder.join("skidpad-run.1").display().to_string());
    report::note(format!("wrote {} manual pages to {}\n\n  man {page}", pages.len(), folder.display()));
    Ok(())
}

/// The pages of a command and of those below it, by their file names.
fn collect(command: Command, pages: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    for below in command.get_subcommands().cloned() {
        collect(below, pages)?;
    }
    let man = Man::new(command);
    pages.push((man.get_filename(), page(&man)?));
    Ok(())
}

fn page(man: &Man) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    man.render(&mut text)?;
    Ok(text)
}
