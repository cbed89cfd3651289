//! `skidpad new`: a world to start from.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::sets::{ParameterSet, parameter_sets};
use crate::cli::{Failure, complete, find, log_warnings, report};
use crate::diagnostic::Diagnostic;
use crate::file_error::FileError;
use crate::output_file::Staged;
use crate::record::quoted;
use crate::world::document::blank::{ROBOT, world};
use crate::world::{LoadOptions, StepCheck, World};
use crate::xml::edit::escaped;
use crate::xml::{Problem, Problems};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  skidpad new my                      write my.world.xml: a plain robot on a floor
  skidpad new my --vehicle racecar    use a car of skidpad list instead
  skidpad run my --edit .             add bodies and walls in the browser, and save")]
pub(in crate::cli) struct NewArgs {
    /// World file to write; the ending .world.xml may be left out
    #[arg(value_name = "FILE.world.xml")]
    file: PathBuf,
    /// Class of the vehicle, one of the parameter sets of `skidpad list` [default: a robot with two wheels]
    #[arg(long, value_name = "CLASS", add = complete::classes())]
    vehicle: Option<String>,
}

/// Writes the world.
pub(in crate::cli) fn new(args: &NewArgs) -> Result<(), Failure> {
    let file = if args.file.extension().is_some() { args.file.clone() } else { args.file.with_extension("world.xml") };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let vehicle = match &args.vehicle {
        None => ROBOT.to_owned(),
        Some(class) => {
            let sets = parameter_sets(&find::folders());
            let set = sets.iter().find(|set| set.name == *class);
            let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
            of_class(set.ok_or_else(|| Failure::unknown("--vehicle", class, &names))?, folder)
        }
    };
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::because(Diagnostic::new(file.display(), "exists already").hint("give another name"))
        }
        _ => Failure::because(FileError::create(&file, error)),
    };
    let (text, warnings) = fitting(&vehicle, folder);
    log_warnings(&warnings);
    Staged::new(&file, text.as_bytes()).and_then(Staged::create).map_err(failed)?;
    let [typed, folder] = [&args.file, folder].map(|path| quoted(&path.display().to_string()));
    let file = file.display();
    report::note(format!(
        "wrote {file}\n\n  skidpad run {typed}\n  skidpad run {typed} --edit {folder}    # change it in the browser"
    ));
    Ok(())
}

/// Physics steps that are tried one after the other, as they are written [s]; empty: that of worlds without one.
const STEPS: [&str; 5] = ["", "0.002", "0.001", "0.0005", "0.0002"];

/// The text of a world with this vehicle, at the first step that is small enough for it, with the warnings of its load, if it has any at all
/// steps. Its file is going to be in this folder.
fn fitting(vehicle: &str, folder: &Path) -> (String, Vec<Problem>) {
    let options = LoadOptions { offline: true, tries_steps: StepCheck::AtLoad, ..LoadOptions::default() };
    let warnings = |text: &str| match World::load_text("new", folder, text, &options) {
        Ok((_, warnings)) => warnings,
        Err(Problems(errors)) => errors,
    };
    let at = |step: &&str| {
        let text = world(vehicle, step);
        let warnings = warnings(&text);
        (text, warnings)
    };
    let first_clean = STEPS.iter().map(at).find(|(_, warnings)| warnings.is_empty());
    first_clean.unwrap_or_else(|| at(&STEPS[0]))
}

/// The vehicle of a class, with the file that defines it: by its path from this folder if it is below it, else from the root.
fn of_class(set: &ParameterSet, folder: &Path) -> String {
    let whole = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let file = whole(&set.file);
    let file = file.strip_prefix(whole(folder)).unwrap_or(&file).to_string_lossy().into_owned();
    let name = escaped(&set.name);
    format!(
        "  <include file=\"{}\"/>
  <vehicle name=\"{name}\" class=\"{name}\">
    <init_pose>0 0 0</init_pose>
  </vehicle>",
        escaped(&file)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::document::blank::NEXT;

    /// The world with a vehicle, which loads without a warning.
    fn fits(vehicle: &str) -> String {
        let (text, warnings) = fitting(vehicle, Path::new("."));
        assert!(warnings.is_empty(), "{text}\n{warnings:?}");
        text
    }

    #[test]
    fn a_world_with_any_class_loads_without_a_warning() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds");
        assert_eq!(fits(ROBOT), world(ROBOT, ""));
        for set in parameter_sets(&[folder]) {
            let text = fits(&of_class(&set, Path::new("/nowhere")));
            assert_eq!(text.contains("<simul_timestep>"), ["dart"].contains(&set.name.as_str()), "{}", set.name);
        }
    }

    #[test]
    fn what_the_comment_offers_can_be_moved_out_of_it() {
        let (_, remaining_text) = NEXT.split_once("<block").unwrap();
        let examples: Vec<&str> = std::iter::once("<block").chain([remaining_text]).collect();
        let all = examples.concat();
        let lines: String = all.lines().filter(|line| line.trim_start().starts_with('<')).collect();
        let (around, sensor) = lines.split_once("<sensor").unwrap();
        let vehicle = ROBOT.replace("  </vehicle>", &format!("<sensor{sensor}</vehicle>"));
        fits(&format!("{vehicle}\n{around}"));
    }
}
