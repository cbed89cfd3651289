//! Which files are the recordings of a config, and which of them are fitted.

use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;

use super::IdentifyError;
use super::config::IdentifyConfig;
use super::data::Data;
use super::recording::Recording;

/// Most recordings.
const MOST_RECORDINGS: usize = 10_000;
/// Most instants of all recordings together at which a window may start.
const MOST_STARTS: f64 = 1e7;
/// Most steps of the simulation in one evaluation of all windows: this many take minutes.
const MOST_STEPS: f64 = 1e8;

/// Reads the recordings of a config, relative to `folder`: those to fit, and those that are only predicted. Appends
/// what was left out of them to `notes`.
///
/// # Errors
/// A recording cannot be read, or there are too many recordings, windows or steps.
pub fn recordings(
    config: &IdentifyConfig,
    folder: &Path,
    notes: &mut Vec<Diagnostic>,
) -> Result<[Data; 2], IdentifyError> {
    let mut paths = Vec::new();
    for pattern in &config.recordings {
        paths.extend(matching(folder, pattern)?);
    }
    paths.dedup();
    if paths.len() > MOST_RECORDINGS {
        let message = Diagnostic::new("recordings", format!("{} of them", paths.len()));
        return Err(message.accepted(format!("up to {MOST_RECORDINGS}")).into());
    }
    let mut parts = [Vec::new(), Vec::new()];
    for (index, path) in paths.iter().enumerate() {
        let recording = Recording::read(path, &config.columns, &config.topics)?;
        let name = path.display().to_string();
        let by_name = config.test.files.iter().any(|part| name.contains(part.as_str()));
        let by_turn = config.test.every > 0 && index % config.test.every == config.test.every - 1;
        if by_name || by_turn {
            parts[1].push(recording);
        } else if (0.0..recording.duration()).contains(&config.test.after) && config.test.after > 0.0 {
            let [before, after] = recording.split_at(config.test.after);
            parts[0].push(before);
            parts[1].push(after);
        } else {
            parts[0].push(recording);
        }
    }
    let seconds: f64 = parts.iter().flatten().map(Recording::duration).sum();
    if seconds > MOST_STARTS * config.windows.every {
        let found = format!("{} s, in recordings of {seconds:.1e} s altogether", config.windows.every);
        let accepted = format!("at least {} for them", seconds / MOST_STARTS);
        return Err(Diagnostic::new("windows: every", found).accepted(accepted).into());
    }
    let data = parts.map(|part| Data::new(part, config));
    check_cost(&data, config)?;
    for (recording, _) in data.iter().flat_map(|data| &data.runs) {
        let name = recording.name();
        notes.extend(recording.notes.iter().map(|note| note.clone().at(&name)));
    }
    Ok(data)
}

/// Refuses windows whose prediction would take hours.
fn check_cost(data: &[Data; 2], config: &IdentifyConfig) -> Result<(), IdentifyError> {
    let seconds = config.windows.length + config.windows.settle;
    let steps = data.iter().map(|data| data.count() as f64 * seconds / config.timestep).sum::<f64>();
    if steps <= MOST_STEPS {
        return Ok(());
    }
    let found = format!("{} s make {steps:.1e} steps in all windows together, for each evaluation", config.timestep);
    let message = Diagnostic::new("timestep", found)
        .accepted(format!("up to {MOST_STEPS:.0e}"))
        .hint("a longer timestep, or fewer windows (windows: every)");
    Err(message.into())
}

/// The files of `folder` that match a path whose last part may contain `*`, sorted by name.
fn matching(folder: &Path, pattern: &str) -> Result<Vec<PathBuf>, IdentifyError> {
    let path = folder.join(pattern);
    if !pattern.contains('*') {
        return Ok(vec![path]);
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name().map(|name| name.to_string_lossy().into_owned()))
    else {
        return Err(Diagnostic::new("recordings", format!("\"{pattern}\": not a path")).into());
    };
    let entries = std::fs::read_dir(parent).map_err(|error| FileError::read(parent, error))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|there| fits(&there.to_string_lossy(), &name)))
        .collect();
    found.sort();
    if found.is_empty() {
        return Err(Diagnostic::new(path.display(), "no file fits").into());
    }
    Ok(found)
}

/// Whether a name matches a pattern, in which `*` stands for any text.
fn fits(name: &str, pattern: &str) -> bool {
    let parts: Vec<&str> = pattern.split('*').collect();
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    for part in &parts[1..parts.len().saturating_sub(1)] {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_part_of_a_name() {
        for (name, pattern, expected) in [
            ("run_01.csv.gz", "run_*.csv.gz", true),
            ("run_01.csv", "run_*.csv.gz", false),
            ("a_b_c", "a*b*c", true),
            ("a_c_b", "a*b*c", false),
            ("abc", "*", true),
        ] {
            assert_eq!(fits(name, pattern), expected, "{name} {pattern}");
        }
    }
}
