//! Which files are the recordings of a config, and which of them are fitted; and what is refused of them, by `skidpad
//! identify` and `skidpad validate` alike.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;

use super::IdentifyError;
use super::car::Car;
use super::columns::Role;
use super::config::{IdentifyConfig, Source, Unknown};
use super::data::Data;
use super::recording::Recording;
use super::text_table::is_text_table;

/// Most recordings.
const MAX_RECORDINGS: usize = 10_000;
/// Most instants of all recordings together at which a window may start.
const MAX_STARTS: f64 = 1e7;
/// Most steps of the simulation in one evaluation of all windows: this many take minutes.
const MAX_STEPS: f64 = 1e8;

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
    let mut files = Vec::new();
    for source in &config.recordings {
        files.extend(matching(folder, source, notes)?);
    }
    files.dedup();
    if files.len() > MAX_RECORDINGS {
        let message = Diagnostic::new("recordings", format!("found {} recordings", files.len()));
        return Err(message.accepted(format!("up to {MAX_RECORDINGS}")).into());
    }
    let mut parts = [Vec::new(), Vec::new()];
    let mut missing = Missing::default();
    let mut is_named = vec![false; config.test.files.len()];
    let mut names: BTreeMap<&OsStr, usize> = BTreeMap::new();
    files.iter().filter_map(|(path, _)| path.file_name()).for_each(|name| *names.entry(name).or_default() += 1);
    for (index, (path, commands)) in files.iter().enumerate() {
        let mut recording = match commands {
            None => Recording::read(path, &config.columns, &config.topics)?,
            Some(commands) => {
                let recording = Recording::read_both(path, commands, &config.columns)?;
                recording.check_duration(true)?;
                check_clocks(&recording, commands, config)?;
                recording
            }
        };
        recording.shares_name = path.file_name().is_some_and(|name| names.get(name).is_some_and(|count| *count > 1));
        missing.note(&recording);
        let name = path.display().to_string();
        let names = config.test.files.iter().map(|part| name.contains(part.as_str()));
        let by_name = is_named.iter_mut().zip(names).fold(false, |any, (is_named, fits)| {
            *is_named |= fits;
            any || fits
        });
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
    missing.check(files.len(), notes)?;
    for part in config.test.files.iter().zip(is_named).filter_map(|(part, is_named)| (!is_named).then_some(part)) {
        notes.push(Diagnostic::new("test: files", format!("no recording has \"{part}\" in its path")));
    }
    let seconds: f64 = parts.iter().flatten().map(Recording::duration).sum();
    if seconds > MAX_STARTS * config.windows.every {
        let found = format!("found {} s, for recordings of {seconds:.1e} s in total", config.windows.every);
        let accepted = format!("at least {} s for this total", seconds / MAX_STARTS);
        return Err(Diagnostic::new("windows: every", found).accepted(accepted).into());
    }
    let data = parts.map(|part| Data::new(part, config));
    check_cost(&data, config)?;
    note_without_windows(&data, config, notes);
    for (recording, _) in data.iter().flat_map(|data| &data.runs) {
        let name = recording.name();
        notes.extend(recording.notes.iter().map(|note| note.clone().at(&name)));
    }
    Ok(data)
}

/// What is refused before a class is fitted to recordings or scores them: that there is no window of the kind that is
/// `needed`, or that a car does not take the commands of a recording.
///
/// # Errors
/// One of these; or a car cannot be loaded.
pub fn check<'a>(
    data: &[Data; 2],
    cars: impl IntoIterator<Item = &'a Car>,
    needed: Needed,
) -> Result<(), IdentifyError> {
    let (count, purpose) = match needed {
        Needed::Fit => (data[0].count(), "fit"),
        Needed::Any => (data[0].count() + data[1].count(), "predict"),
    };
    if count == 0 {
        let longest = data.iter().flat_map(|data| &data.runs).map(|(recording, _)| recording.duration());
        let longest = longest.fold(0.0, f64::max);
        return Err(Diagnostic::new("recordings", format!("no window to {purpose}"))
            .accepted("recordings that are longer than windows.length, without gaps, faster than windows.slowest")
            .hint(format!("the longest recording lasts {longest:.1} s; check the columns and units"))
            .into());
    }
    for car in cars {
        for data in data {
            data.check_commands(car, &car.start())?;
        }
    }
    Ok(())
}

/// Which windows there must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// Windows to fit.
    Fit,
    /// Windows to fit or to predict.
    Any,
}

/// The columns that recordings lack.
#[derive(Default)]
struct Missing {
    /// Count of recordings that lack the column of each quantity, and the message and the name of the first of them.
    lacking: BTreeMap<Role, (usize, Diagnostic, String)>,
    /// Count of recordings that are text tables.
    tables: usize,
}

impl Missing {
    fn note(&mut self, recording: &Recording) {
        self.tables += usize::from(is_text_table(&recording.path));
        for (role, problem) in &recording.missing {
            self.lacking.entry(*role).or_insert_with(|| (0, problem.clone(), recording.name())).0 += 1;
        }
    }

    /// Refuses a column that no text table has, and notes those that some lack.
    fn check(self, recordings: usize, notes: &mut Vec<Diagnostic>) -> Result<(), IdentifyError> {
        let (everywhere, somewhere): (Vec<_>, Vec<_>) =
            self.lacking.into_iter().partition(|(_, (count, ..))| *count == self.tables);
        for (role, (count, problem, first)) in somewhere {
            let place = problem.found;
            let found = format!("{place} in {count} of {recordings} recordings, such as {first}: left out there");
            notes.push(Diagnostic::new(format!("columns: {}", role.name()), found));
        }
        match everywhere.is_empty() {
            true => Ok(()),
            false => Err(everywhere
                .into_iter()
                .map(|(role, (_, problem, _))| problem.after(format!("{}: ", role.name())))
                .collect()),
        }
    }
}

/// Refuses commands of another time than the measurements, whatever offset of the clocks the config allows.
fn check_clocks(recording: &Recording, commands: &Path, config: &IdentifyConfig) -> Result<(), IdentifyError> {
    const OFFSET: &str = "clock_offset";
    let of_unknown =
        |unknown: &Unknown| unknown.paths().iter().any(|path| path.ends_with(OFFSET)).then_some(unknown.range);
    let exceptions = config.measurement_in.values().filter_map(|numbers| numbers.get(OFFSET)).copied();
    let offsets = config.unknowns.iter().filter_map(of_unknown).flatten().chain(exceptions);
    let offsets = offsets.chain([config.measurement.clock_offset]);
    let (least, most) =
        offsets.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), offset| (a.min(offset), b.max(offset)));
    let times = recording.command_times();
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Ok(()) };
    if first + least <= recording.duration() && last + most >= 0.0 {
        return Ok(());
    }
    let span = |from: f64, to: f64| {
        let zero = recording.first_time;
        format!("{} to {} s", from + zero, to + zero)
    };
    let found = format!(
        "its times, {}, do not overlap those of the measurements, {}",
        span(*first, *last),
        span(0.0, recording.duration())
    );
    Err(Diagnostic::new(commands.display(), found)
        .accepted("commands during the measurements")
        .hint(format!(
            "if the clocks differ, and the first rows were taken at the same time: measurement: {{clock_offset: {}}}",
            -first
        ))
        .into())
}

/// Notes the recordings without a window.
fn note_without_windows(data: &[Data; 2], config: &IdentifyConfig, notes: &mut Vec<Diagnostic>) {
    let runs = || data.iter().flat_map(|data| &data.runs);
    let mut without = runs().filter(|(_, windows)| windows.is_empty()).map(|(recording, _)| recording);
    let Some(first) = without.next() else { return };
    let found = format!(
        "{} of {} have no window of {} s, such as {} of {:.1} s",
        1 + without.count(),
        runs().count(),
        config.windows.length,
        first.name(),
        first.duration()
    );
    notes.push(Diagnostic::new("recordings", found));
}

/// Refuses windows whose prediction would take hours.
fn check_cost(data: &[Data; 2], config: &IdentifyConfig) -> Result<(), IdentifyError> {
    let seconds = config.windows.length + config.windows.settle;
    let steps = data.iter().map(|data| data.count() as f64 * seconds / config.timestep).sum::<f64>();
    if steps <= MAX_STEPS {
        return Ok(());
    }
    let found = format!("found {} s, which makes {steps:.1e} steps per evaluation, over all windows", config.timestep);
    let message = Diagnostic::new("timestep", found)
        .accepted(format!("up to {MAX_STEPS:.0e}"))
        .hint("a longer timestep, or fewer windows (windows: every)");
    Err(message.into())
}

/// A recording: a file or folder, and the table with its commands if they are in another one.
type Files = (PathBuf, Option<PathBuf>);

/// The recordings of a source, sorted by name. Appends measurements without commands, and commands without measurements,
/// to `notes`.
fn matching(folder: &Path, source: &Source, notes: &mut Vec<Diagnostic>) -> Result<Vec<Files>, IdentifyError> {
    let parts = match source {
        Source::Whole(pattern) => {
            return Ok(files(folder, pattern)?.into_iter().map(|(_, path)| (path, None)).collect());
        }
        Source::Parts(parts) => parts,
    };
    let measured = files(folder, &parts.measurements)?;
    let mut commanded: BTreeMap<Vec<String>, PathBuf> = files(folder, &parts.commands)?.into_iter().collect();
    let mut pairs = Vec::new();
    let alone = |path: &Path, kind: &str, pattern: &str| {
        Diagnostic::new(path.display(), format!("left out: no file of {kind}, {pattern}, has the same text for *"))
    };
    for (star, path) in measured {
        match commanded.remove(&star) {
            Some(commands) => pairs.push((path, Some(commands))),
            None => notes.push(alone(&path, "commands", &parts.commands)),
        }
    }
    notes.extend(commanded.values().map(|path| alone(path, "measurements", &parts.measurements)));
    if pairs.is_empty() {
        let accepted = "files of measurements and commands with the same text for *";
        let message = format!("no file of {} matches one of {}", parts.measurements, parts.commands);
        return Err(Diagnostic::new("recordings", message).accepted(accepted).into());
    }
    Ok(pairs)
}

/// The files of `folder` that match a path whose last part may contain `*`, sorted by name, each after the texts for `*`.
fn files(folder: &Path, pattern: &str) -> Result<Vec<(Vec<String>, PathBuf)>, IdentifyError> {
    let path = folder.join(pattern);
    if !pattern.contains('*') {
        return Ok(vec![(Vec::new(), path)]);
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name().map(|name| name.to_string_lossy().into_owned()))
    else {
        return Err(Diagnostic::new("recordings", format!("\"{pattern}\": not a path")).into());
    };
    let entries = std::fs::read_dir(parent).map_err(|error| FileError::read(parent, error))?;
    let mut matching_files: Vec<(Vec<String>, PathBuf)> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter_map(|path| Some((stars(&path.file_name()?.to_string_lossy(), &name)?, path)))
        .collect();
    matching_files.sort_by(|a, b| a.1.cmp(&b.1));
    if matching_files.is_empty() {
        return Err(Diagnostic::new(path.display(), "no file fits").into());
    }
    Ok(matching_files)
}

/// The texts that each `*` of a pattern stands for in a name; none if it does not match.
fn stars(name: &str, pattern: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = pattern.split('*').collect();
    let (first, last) = (parts.first()?, parts.last()?);
    let mut name_end = name.strip_prefix(first)?;
    if parts.len() == 1 {
        return name_end.is_empty().then(Vec::new);
    }
    let mut star_texts = Vec::new();
    for part in &parts[1..parts.len() - 1] {
        let (star, after) = name_end.split_once(part)?;
        star_texts.push(star.to_owned());
        name_end = after;
    }
    star_texts.push(name_end.strip_suffix(last)?.to_owned());
    Some(star_texts)
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
            assert_eq!(stars(name, pattern).is_some(), expected, "{name} {pattern}");
        }
        assert_eq!(stars("a_12_x.csv", "a*_*.csv"), Some(vec!["".to_owned(), "12_x".to_owned()]));
    }
}
