//! `skidpad completions SHELL`, and what may follow on a command line.
//!
//! The script of a shell knows nothing but how to ask: it calls this program with [`SHELL`] in its environment and the words so far after a
//! `--`, and gets a candidate on each line. So what is offered follows from the definition of the arguments, as the help does, and names of
//! worlds, classes and keys are those that are at hand.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

use clap_complete::engine::{
    self, ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};

use super::node::NODES;
use super::plot::ENGINES;
use super::sets::{LONGEST, parameter_sets};
use super::{Failure, args, find, list};
use crate::analysis::FIELDS;
use crate::experiment::{ExperimentConfig, PLANTS, TYRES, axis_keys};
use crate::friction::FRICTION_LAWS;
use crate::input_file;
use crate::tracking::{LINEARIZERS, TRACKERS};
use crate::trajectory::TRAJECTORIES;

/// Environment variable with the shell that asks.
const SHELL: &str = "SKIDPAD_COMPLETE";
/// Environment variable with the index of the word under the cursor; none: the last.
const INDEX: &str = "SKIDPAD_COMPLETE_INDEX";

/// The shells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Shell {
    /// In ~/.bashrc: eval "$(skidpad completions bash)"
    Bash,
    /// In ~/.zshrc, after compinit: eval "$(skidpad completions zsh)"
    Zsh,
    /// In ~/.config/fish/config.fish: skidpad completions fish | source
    Fish,
}

#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script of a shell.
pub(super) fn completions(args: &CompletionsArgs, words: &[String]) -> Result<(), Failure> {
    let template = match args.shell {
        Shell::Bash => include_str!("complete/skidpad.bash"),
        Shell::Zsh => include_str!("complete/skidpad.zsh"),
        Shell::Fish => include_str!("complete/skidpad.fish"),
    };
    let script = template.replace("PROGRAM", &quoted(&program(words)));
    Ok(io::stdout().lock().write_all(script.as_bytes())?)
}

/// This program as it was called: by its name if it was found by that, else by its path from the root.
fn program(words: &[String]) -> String {
    let called = words.first().map_or(Path::new(""), Path::new);
    match called.components().count() {
        0 | 1 => "skidpad".to_owned(),
        _ => env::current_dir().unwrap_or_default().join(called).display().to_string(),
    }
}

/// A word as all three shells read it.
fn quoted(word: &str) -> String {
    let is_plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+".contains(c));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Answers a shell that asks; false if none does.
pub(super) fn answer(arguments: &[OsString]) -> bool {
    let Some(name) = env::var_os(SHELL) else { return false };
    let Ok(shell) = <Shell as clap::ValueEnum>::from_str(&name.to_string_lossy(), true) else { return false };
    let words = words(arguments);
    let index = env::var(INDEX).ok().and_then(|index| index.parse().ok()).unwrap_or(words.len().saturating_sub(1));
    let (words, index, before) = match shell {
        Shell::Bash => rejoined(&words, index),
        Shell::Zsh | Shell::Fish => (words, index, 0),
    };
    let lines = candidates(words, index).into_iter().map(|candidate| line(shell, &candidate, before));
    // A shell that is gone needs no answer.
    let _ = io::stdout().lock().write_all(lines.collect::<String>().as_bytes());
    true
}

/// The words of the command line that this process is asked about.
fn asked() -> Vec<OsString> {
    words(&env::args_os().collect::<Vec<_>>())
}

/// The words of the command line that is asked about.
fn words(arguments: &[OsString]) -> Vec<OsString> {
    arguments.iter().skip_while(|word| *word != "--").skip(1).cloned().collect()
}

/// Bash cuts words at `=` and `:`, too: whole again, with the index of the word under the cursor, and how much of that word [bytes] the shell
/// takes for words before.
fn rejoined(cut: &[OsString], index: usize) -> (Vec<OsString>, usize, usize) {
    let is_break = |word: &OsStr| !word.is_empty() && word.to_string_lossy().chars().all(|c| "=:".contains(c));
    let (mut words, mut at, mut before): (Vec<OsString>, _, _) = (Vec::new(), 0, 0);
    let mut goes_on = false;
    for (number, word) in cut.iter().enumerate() {
        let is_break = is_break(word);
        match words.last_mut().filter(|_| goes_on || is_break) {
            Some(last) => {
                if number == index {
                    before = last.len() + if is_break { word.len() } else { 0 };
                }
                last.push(word);
            }
            None => words.push(word.clone()),
        }
        if number == index {
            at = words.len() - 1;
        }
        goes_on = is_break;
    }
    (words, at, before)
}

/// What may stand at this word. Options follow once one is begun, or where nothing else fits.
fn candidates(mut words: Vec<OsString>, index: usize) -> Vec<CompletionCandidate> {
    words.resize(words.len().max(index + 1), OsString::new());
    let is_empty = words[index].is_empty();
    let folder = env::current_dir().ok();
    let mut found = engine::complete(&mut args::command(), words, index, folder.as_deref()).unwrap_or_default();
    let is_option = |candidate: &CompletionCandidate| candidate.get_value().to_string_lossy().starts_with('-');
    if is_empty && !found.iter().all(is_option) {
        found.retain(|candidate| !is_option(candidate));
    }
    found
}

/// A candidate on a line, as the script of the shell reads it.
fn line(shell: Shell, candidate: &CompletionCandidate, before: usize) -> String {
    let value = candidate.get_value().to_string_lossy();
    let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
    let help = help.lines().next().unwrap_or_default();
    match shell {
        Shell::Bash => {
            let rest = value.get(before..).unwrap_or(&value);
            let escaped =
                rest.chars().flat_map(|c| " '\"\\()&;|<>$`*?[".contains(c).then_some('\\').into_iter().chain([c]));
            escaped.chain(['\n']).collect()
        }
        Shell::Zsh => {
            let value = value.replace('\\', r"\\").replace(':', r"\:");
            if help.is_empty() { format!("{value}\n") } else { format!("{value}:{}\n", help.replace('\\', r"\\")) }
        }
        Shell::Fish => format!("{value}\t{help}\n"),
    }
}

/// Names with their help.
fn offered(entries: impl IntoIterator<Item = (impl Into<OsString>, impl Into<String>)>) -> Vec<CompletionCandidate> {
    let candidate = |(name, help): (_, _)| {
        let help: String = Into::into(help);
        CompletionCandidate::new(Into::<OsString>::into(name)).help((!help.is_empty()).then(|| help.into()))
    };
    entries.into_iter().map(candidate).collect()
}

/// Those that begin with what is written.
fn beginning(current: &OsStr, mut candidates: Vec<CompletionCandidate>) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy().into_owned();
    candidates.retain(|candidate| candidate.get_value().to_string_lossy().starts_with(&current));
    candidates
}

/// Files with one of these endings, and folders.
pub(super) fn files(endings: &'static [&'static str]) -> ArgValueCompleter {
    ArgValueCompleter::new(files_ending(endings))
}

fn files_ending(endings: &'static [&'static str]) -> PathCompleter {
    PathCompleter::file().filter(move |path| {
        let name = path.to_string_lossy();
        path.is_file() && endings.iter().any(|ending| name.ends_with(ending))
    })
}

/// Configs in YAML.
pub(super) fn configs() -> ArgValueCompleter {
    files(&[".yaml", ".yml"])
}

/// Configs of experiments, also those that come with the program, where no folder has the name of theirs.
pub(super) fn experiments() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let mut found = files_ending(&[".yaml", ".yml"]).complete(current);
        if !Path::new("config").exists() {
            found.extend(beginning(current, offered(shipped_experiments().into_iter().map(|name| (name, "")))));
        }
        found
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

/// Recordings.
pub(super) fn recordings() -> ArgValueCompleter {
    files(&[".mcap", ".db3", ".zstd"])
}

/// Worlds by name, and world files.
pub(super) fn worlds() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let mut found = beginning(current, offered(list::worlds()));
        found.extend(files_ending(&[".xml"]).complete(current));
        found
    })
}

/// Vehicle classes of the files at hand.
pub(super) fn classes() -> ArgValueCandidates {
    ArgValueCandidates::new(|| offered(parameter_sets(&find::folders()).into_iter().map(|set| (set.name, set.help))))
}

/// What the command `skidpad plot …` of the command line draws: names of its table, vehicle classes and files.
pub(super) fn figures() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let mut all = match asked().get(2).and_then(|task| task.to_str()) {
            Some("tyre") => offered(FRICTION_LAWS.iter().map(|entry| (entry.name, entry.help))),
            Some("torque") => offered(ENGINES.iter().copied()),
            _ => Vec::new(),
        };
        all.extend(classes().candidates());
        let mut found = beginning(current, all);
        found.extend(files_ending(&[".xml"]).complete(current));
        found
    })
}

/// Trajectories by name, and files of waypoints.
pub(super) fn trajectories() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let mut found = beginning(current, offered(TRAJECTORIES.iter().map(|entry| (entry.name, entry.help))));
        found.extend(files_ending(&[".csv"]).complete(current));
        found
    })
}

/// These names.
pub(super) fn names(names: &'static [&'static str]) -> ArgValueCandidates {
    ArgValueCandidates::new(move || offered(names.iter().map(|name| (*name, ""))))
}

/// The nodes.
pub(super) fn nodes() -> ArgValueCandidates {
    ArgValueCandidates::new(|| offered(NODES.iter().copied()))
}

/// The keys of metrics.
pub(super) fn metrics() -> ArgValueCandidates {
    ArgValueCandidates::new(|| offered(FIELDS.iter().map(|field| (field.key, field.label))))
}

/// Variables of the world of the command line, keys of experiments, and the values of those that are names: `NAME=VALUE`.
pub(super) fn settings() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let asked = asked();
        let mut names: Vec<String> = asked.iter().skip(2).flat_map(|word| variables_of(Path::new(word))).collect();
        if asked.iter().any(|word| ["experiment", "--track", "trajectory"].iter().any(|takes_keys| word == takes_keys))
        {
            names.extend(ExperimentConfig::keys());
        }
        assignments(current, names)
    })
}

/// Keys that a matrix varies: `KEY=VALUE`.
pub(super) fn axes() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| assignments(current, axis_keys()))
}

/// `NAME=` for each of these names, or after the sign `NAME=VALUE` where the values have names.
fn assignments(current: &OsStr, mut names: Vec<String>) -> Vec<CompletionCandidate> {
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
        "plant" => PLANTS.iter().chain(&["kinematic"]).map(|plant| (*plant, "")).collect(),
        "tyre" => TYRES.iter().map(|tyre| (*tyre, "")).collect(),
        _ => Vec::new(),
    };
    let whole = values.into_iter().map(|(value, help)| (format!("{name}={value}"), help));
    beginning(current, offered(whole))
}

/// The variables that a world file defines itself; none if this is no world.
fn variables_of(world: &Path) -> Vec<String> {
    let Ok(file) = find::world_file(world) else { return Vec::new() };
    if !file.to_string_lossy().ends_with(".xml") {
        return Vec::new();
    }
    let text = input_file::read_text(&file, LONGEST).unwrap_or_default();
    let named = text.split("<variable ").skip(1).filter_map(|rest| rest.split("name=\"").nth(1)?.split('"').next());
    named.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(words: &[OsString]) -> Vec<String> {
        words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn words_that_bash_has_cut_are_whole_again() {
        let of = |cut: &str, index| {
            let cut: Vec<OsString> = cut.split(' ').map(|word| OsString::from(word.replace('_', ""))).collect();
            let (words, at, before) = rejoined(&cut, index);
            (strings(&words).join(" "), at, before)
        };
        assert_eq!(of("skidpad run w", 2), ("skidpad run w".into(), 2, 0));
        // An underscore stands for a word that is empty.
        assert_eq!(of("skidpad run w --preset = ra", 5), ("skidpad run w --preset=ra".into(), 3, 9));
        assert_eq!(of("skidpad run --set Kp =", 4), ("skidpad run --set Kp=".into(), 3, 3));
        assert_eq!(of("skidpad run --set Kp = _ w", 5), ("skidpad run --set Kp= w".into(), 3, 3));
        assert_eq!(of("skidpad --web a : 80 x", 5), ("skidpad --web a:80 x".into(), 3, 0));
        assert_eq!(of("= a", 1), ("=a".into(), 0, 1));
    }

    #[test]
    fn each_shell_gets_lines_that_it_reads() {
        let candidate = CompletionCandidate::new("a:b c").help(Some("what\nmore".into()));
        assert_eq!(line(Shell::Bash, &candidate, 2), "b\\ c\n");
        assert_eq!(line(Shell::Zsh, &candidate, 0), "a\\:b c:what\n");
        assert_eq!(line(Shell::Fish, &candidate, 0), "a:b c\twhat\n");
        assert_eq!((quoted("/opt/skid-pad"), quoted("it's")), ("/opt/skid-pad".into(), r"'it'\''s'".into()));
    }
}
