//! What a shell may offer for an argument that both programs have: names, files and settings that are at hand.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};

use crate::experiment::{ALL_PLANTS, ExperimentConfig, TYRES};
use crate::find;
use crate::input_file;
use crate::node::NODES;
use crate::sets::{MAX_BYTES, first_sentence};
use crate::tracking::{LINEARIZERS, TRACKERS};
use crate::trajectory::TRAJECTORIES;

/// The words of the command line that this process is asked about.
pub fn words_to_complete() -> Vec<OsString> {
    words(&env::args_os().collect::<Vec<_>>())
}

/// The words of the command line that is asked about.
pub fn words(arguments: &[OsString]) -> Vec<OsString> {
    arguments.iter().skip_while(|word| *word != "--").skip(1).cloned().collect()
}

/// Names with their help.
pub fn offered(
    entries: impl IntoIterator<Item = (impl Into<OsString>, impl Into<String>)>,
) -> Vec<CompletionCandidate> {
    let candidate = |(name, help): (_, _)| {
        let help: String = Into::into(help);
        CompletionCandidate::new(Into::<OsString>::into(name)).help((!help.is_empty()).then(|| help.into()))
    };
    entries.into_iter().map(candidate).collect()
}

/// Those that begin with what is written.
pub fn beginning(current: &OsStr, mut candidates: Vec<CompletionCandidate>) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy().into_owned();
    candidates.retain(|candidate| candidate.get_value().to_string_lossy().starts_with(&current));
    candidates
}

/// Files with one of these endings, and folders.
pub fn files(endings: &'static [&'static str]) -> ArgValueCompleter {
    ArgValueCompleter::new(files_ending(endings))
}

/// The completer of [`files`].
pub fn files_ending(endings: &'static [&'static str]) -> PathCompleter {
    PathCompleter::file().filter(move |path| {
        let name = path.to_string_lossy();
        path.is_file() && endings.iter().any(|ending| name.ends_with(ending))
    })
}

/// Configs in YAML.
pub fn configs() -> ArgValueCompleter {
    files(&[".yaml", ".yml"])
}

/// Configs of experiments, also those that come with the program, where no folder has the name of theirs.
pub fn experiments() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let mut candidates = files_ending(&[".yaml", ".yml"]).complete(current);
        if !Path::new("config").exists() {
            candidates.extend(beginning(current, offered(shipped_experiments().into_iter().map(|name| (name, "")))));
        }
        candidates
    })
}

/// The experiments that come with the program, by their paths in the manual.
fn shipped_experiments() -> Vec<String> {
    let folders = find::shipped_in().into_iter().map(|folder| folder.join("config"));
    let entries = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let experiments = entries.filter(|entry| ExperimentConfig::load(&entry.path()).is_ok());
    let mut names: Vec<String> =
        experiments.map(|entry| format!("config/{}", entry.file_name().to_string_lossy())).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Worlds by name, and world files.
pub fn worlds() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let mut candidates = beginning(current, offered(world_names()));
        candidates.extend(files_ending(&[".xml"]).complete(current));
        candidates
    })
}

/// These names.
pub fn names(names: &'static [&'static str]) -> ArgValueCandidates {
    ArgValueCandidates::new(move || offered(names.iter().map(|name| (*name, ""))))
}

/// The nodes.
pub fn nodes() -> ArgValueCandidates {
    ArgValueCandidates::new(|| offered(NODES.iter().copied()))
}

/// Variables of the world of the command line, keys of experiments, and the values of those that are names: `NAME=VALUE`.
pub fn settings() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let words = words_to_complete();
        let mut names: Vec<String> = words.iter().skip(2).flat_map(|word| variables_of(Path::new(word))).collect();
        if words.iter().any(|word| ["experiment", "--track", "trajectory"].iter().any(|takes_keys| word == takes_keys))
        {
            names.extend(ExperimentConfig::keys());
        }
        assignments(current, names)
    })
}

/// `NAME=` for each of these names, or after the sign `NAME=VALUE` where the values have names.
pub fn assignments(current: &OsStr, mut names: Vec<String>) -> Vec<CompletionCandidate> {
    let text = current.to_string_lossy();
    let Some((name, _)) = text.split_once('=') else {
        names.sort();
        names.dedup();
        return beginning(current, offered(names.into_iter().map(|name| (format!("{name}="), ""))));
    };
    let values: Vec<(&str, &str)> = match name {
        "tracker" => TRACKERS.iter().map(|entry| (entry.name, entry.help)).collect(),
        "linearizer" => LINEARIZERS.iter().map(|entry| (entry.name, entry.help)).collect(),
        "trajectory_type" | "trajectory" => TRAJECTORIES.iter().map(|entry| (entry.name, entry.help)).collect(),
        "plant" => ALL_PLANTS.iter().map(|plant| (*plant, "")).collect(),
        "tyre" => TYRES.iter().map(|tyre| (*tyre, "")).collect(),
        _ => Vec::new(),
    };
    let whole = values.into_iter().map(|(value, help)| (format!("{name}={value}"), help));
    beginning(current, offered(whole))
}

/// The variables that a world file and the files that it includes name; none if this is no world. `skidpad check` has them exactly, but loads
/// the world for it.
fn variables_of(world: &Path) -> Vec<String> {
    let Ok(file) = find::world_file(world) else { return Vec::new() };
    let mut files = vec![file];
    let mut names = Vec::new();
    let mut next = 0;
    while let Some(file) = files.get(next).filter(|_| next < MAX_FILES).cloned() {
        next += 1;
        if !file.to_string_lossy().ends_with(".xml") {
            continue;
        }
        let text = input_file::read_text(&file, MAX_BYTES).unwrap_or_default();
        names.extend(variables_in(&text));
        let folder = file.parent().unwrap_or(Path::new("."));
        let included = attributes(&text, "<include ", "file").map(|name| folder.join(name));
        let new: Vec<PathBuf> = included.filter(|file| !files.contains(file)).collect();
        files.extend(new);
    }
    names
}

/// Most files of a world that are read for its variables.
const MAX_FILES: usize = 32;

/// The values of an attribute of tags that begin like this.
fn attributes<'a>(text: &'a str, tag: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let value = move |after_tag: &'a str| {
        let tag = after_tag.split('>').next()?;
        tag.split(&format!("{name}=\"")).nth(1)?.split('"').next()
    };
    text.split(tag).skip(1).filter_map(value)
}

/// The variables that a text defines with `<variable>`, or uses with a default, as `${name|default}`.
fn variables_in(text: &str) -> Vec<String> {
    let with_default = |after_brace: &str| {
        let (name, _) = after_brace.split_once('|')?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        is_name.then(|| name.to_owned())
    };
    let used = text.split("${").skip(1).filter_map(with_default);
    attributes(text, "<variable ", "name").map(str::to_owned).chain(used).collect()
}

/// The worlds that are found by name, each with the first sentence of the comment that its file begins with.
pub fn world_names() -> Vec<(String, String)> {
    let help = |file: PathBuf| {
        let text = input_file::read_text(&file, MAX_BYTES).unwrap_or_default();
        let comment = text.strip_prefix("<!--").and_then(|comment_on| comment_on.split("-->").next());
        first_sentence(comment.unwrap_or_default())
    };
    find::worlds(&find::folders()).into_iter().map(|(name, file)| (name, help(file))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_included_files_are_offered() {
        let folder = tempfile::tempdir().unwrap();
        let world = folder.path().join("a.world.xml");
        std::fs::write(
            &world,
            "<mvsim_world><variable name=\"a\" value=\"1\"/><include file=\"b.xml\"/></mvsim_world>",
        )
        .unwrap();
        std::fs::write(
            folder.path().join("b.xml"),
            "<x y=\"${rate|40}\" z=\"${plain}\"/><include file=\"a.world.xml\"/>",
        )
        .unwrap();
        assert_eq!(variables_of(&world), ["a", "rate"]);
    }
}
