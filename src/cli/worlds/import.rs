//! `skidpad import`: a robot or a world in URDF or SDF as files of skidpad.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cli::answer::Stdout;
use crate::cli::progress::Work;
use crate::cli::{Failure, find, log_warnings, offer, report};
use crate::diagnostic::Diagnostic;
use crate::file_error::FileError;
use crate::import::{self, Imported};
use crate::output_file;
use crate::record::quoted;
use crate::world::{LoadOptions, StepCheck, World};
use crate::xml::Problems;

/// What to import, and where to.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ImportArgs {
    /// Robot as URDF or SDF, or world as SDF
    #[arg(value_name = "FILE", add = offer::files(&[".urdf", ".xacro", ".sdf", ".world", ".xml"]))]
    file: PathBuf,
    /// Folder to write the vehicle class and the world to
    #[arg(long, value_name = "DIR", default_value = "imported")]
    out: PathBuf,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
}

/// Imports a description, and loads what it wrote.
pub(in crate::cli) fn import(args: &ImportArgs) -> Result<(), Failure> {
    // The worlds of the program, as it is installed; those of the current directory may be anybody's.
    let library = find::shipped_in()
        .into_iter()
        .map(|folder| folder.join("worlds"))
        .find(|worlds| worlds.join("blocks").is_dir());
    let read = || import::import(&args.file, &args.out, library.as_deref());
    let Imported { files, summary, warnings, errors } = Work::of("reading", read)?;
    log_warnings(&warnings);
    if !errors.is_empty() {
        return Err(Failure::because(Problems(errors)));
    }
    let paths: Vec<PathBuf> = files.iter().map(|file| args.out.join(&file.name)).collect();
    if let Some(existing_file) = paths.iter().find(|path| path.exists()).filter(|_| !args.force) {
        let message = Diagnostic::new(existing_file.display(), "the file is there");
        return Err(Failure::because(message.hint("another folder with --out, or --force to replace it")));
    }
    let failed = |path: &Path, error: io::Error| Failure::because(FileError::write(path, error));
    std::fs::create_dir_all(&args.out).map_err(|error| failed(&args.out, error))?;
    let texts = paths.iter().map(PathBuf::as_path).zip(files.iter().map(|file| &file.text));
    output_file::write_all(texts).map_err(|(path, error)| failed(path, error))?;
    let mut out = Stdout::lock();
    for line in &summary {
        writeln!(out, "{line}")?;
    }
    let Some(world) = paths.last() else { return Ok(()) };
    // What `skidpad check` would say of the step is said here.
    let options = LoadOptions { offline: true, tries_steps: StepCheck::AtLoad, ..LoadOptions::default() };
    let (_, problems) = Work::of("loading what it wrote", || World::load(world, &options)).map_err(Failure::because)?;
    log_warnings(&problems);
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let typed = quoted(&world.display().to_string());
    report::note(format!("wrote {}\n\n  skidpad run {typed}", names.join(", ")));
    Ok(())
}
