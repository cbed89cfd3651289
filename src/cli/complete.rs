//! `skidpad completions SHELL`, and what may follow on a command line.
//!
//! The script of a shell knows nothing but how to ask: it calls this program with [`SHELL`] in its environment and the words so far after a
//! `--`, and gets a candidate on each line. So what is offered follows from the definition of the arguments, as the help does, and names of
//! worlds, classes and keys are those that are at hand.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

use clap_complete::engine::{self, ArgValueCandidates, ArgValueCompleter, CompletionCandidate, ValueCompleter};

use super::plot::ENGINES;
use super::sets::parameter_sets;
use super::{Failure, args, find, offer};
use crate::analysis::FIELDS;
use crate::experiment::axis_keys;
use crate::friction::FRICTION_LAWS;
use crate::trajectory::TRAJECTORIES;

/// Environment variable with the shell that asks.
const SHELL: &str = "SKIDPAD_COMPLETE";
/// Environment variable with the index of the word under the cursor; none: the last.
const INDEX: &str = "SKIDPAD_COMPLETE_INDEX";

/// The shells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Shell {
    /// Line for ~/.bashrc: eval "$(skidpad completions bash)"
    Bash,
    /// Line for ~/.zshrc, after compinit: eval "$(skidpad completions zsh)"
    Zsh,
    /// Line for ~/.config/fish/config.fish: skidpad completions fish | source
    Fish,
}

#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// Shell that runs the script
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
    let words = offer::words(arguments);
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
    let mut candidates = engine::complete(&mut args::command(), words, index, folder.as_deref()).unwrap_or_default();
    let is_option = |candidate: &CompletionCandidate| candidate.get_value().to_string_lossy().starts_with('-');
    if is_empty && !candidates.iter().all(is_option) {
        candidates.retain(|candidate| !is_option(candidate));
    }
    candidates
}

/// A candidate on a line, as the script of the shell reads it.
fn line(shell: Shell, candidate: &CompletionCandidate, before: usize) -> String {
    let value = candidate.get_value().to_string_lossy();
    let help = candidate.get_help().map(ToString::to_string).unwrap_or_default();
    let help = help.lines().next().unwrap_or_default();
    match shell {
        Shell::Bash => {
            let typed_end = value.get(before..).unwrap_or(&value);
            let escaped =
                typed_end.chars().flat_map(|c| " '\"\\()&;|<>$`*?[".contains(c).then_some('\\').into_iter().chain([c]));
            escaped.chain(['\n']).collect()
        }
        Shell::Zsh => {
            let value = value.replace('\\', r"\\").replace(':', r"\:");
            if help.is_empty() { format!("{value}\n") } else { format!("{value}:{}\n", help.replace('\\', r"\\")) }
        }
        Shell::Fish => format!("{value}\t{help}\n"),
    }
}

/// Recordings.
pub(super) fn recordings() -> ArgValueCompleter {
    offer::files(&[".mcap", ".db3", ".zstd"])
}

/// Vehicle classes of the files at hand.
pub(super) fn classes() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        offer::offered(parameter_sets(&find::folders()).into_iter().map(|set| (set.name, set.help)))
    })
}

/// What the command `skidpad plot …` of the command line draws: names of its table, vehicle classes and files.
pub(super) fn figures() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let mut all = match offer::words_to_complete().get(2).and_then(|task| task.to_str()) {
            Some("tyre") => offer::offered(FRICTION_LAWS.iter().map(|entry| (entry.name, entry.help))),
            Some("torque") => offer::offered(ENGINES.iter().copied()),
            _ => Vec::new(),
        };
        all.extend(classes().candidates());
        let mut candidates = offer::beginning(current, all);
        candidates.extend(offer::files_ending(&[".xml"]).complete(current));
        candidates
    })
}

/// Trajectories by name, and files of waypoints.
pub(super) fn trajectories() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let mut candidates =
            offer::beginning(current, offer::offered(TRAJECTORIES.iter().map(|entry| (entry.name, entry.help))));
        candidates.extend(offer::files_ending(&[".csv"]).complete(current));
        candidates
    })
}

/// The keys of metrics.
pub(super) fn metrics() -> ArgValueCandidates {
    ArgValueCandidates::new(|| offer::offered(FIELDS.iter().map(|field| (field.key, field.label))))
}

/// Keys that a matrix varies: `KEY=VALUE`.
pub(super) fn axes() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| offer::assignments(current, axis_keys()))
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
