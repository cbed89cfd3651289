//! What recordings and reports say about the program and its command line.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::ArgAction;

use crate::arguments;
use crate::find;
use crate::record::Provenance;
use crate::record::file_name;
use crate::view::messages::RecordingView;

/// Arguments without effect on what a run computes or records: where results go and how they look, how fast it is and who watches. The token
/// of viewers is a secret besides.
pub const WITHOUT_EFFECT: [&str; 27] = [
    "out",
    "record_runs",
    "curves",
    "metric",
    "csv",
    "json",
    "markdown",
    "html",
    "figure_size",
    "font_size",
    "data",
    "record",
    "record_compression",
    "threads",
    "rate",
    "paused",
    "headless",
    "web",
    "web_token",
    "web_read_only",
    "open",
    "edit",
    "no_ros",
    "lockstep",
    "quiet",
    "verbose",
    "color",
];

/// Environment variable in which `skidpad` says its version and commit to `skidpad-node`.
pub const CALLER: &str = "SKIDPAD_CALLER";

/// Arguments that name a config, which may come with the program.
const CONFIGS: [&str; 2] = ["config", "track"];

/// The provenance of what this version does, without a command: its version and its commit.
pub fn of_this_version() -> Provenance {
    Provenance {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: env!("SKIDPAD_COMMIT").to_owned(),
        ..Provenance::default()
    }
}

/// The provenance of what this program does by these words, of which the first is its name, and by those for ROS.
pub fn of_command(words: &[String], for_ros: &[OsString]) -> Provenance {
    Provenance {
        command: with_effect(words),
        ros_args: for_ros.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        ..of_this_version()
    }
}

/// The words that have an effect on results, in one spelling: the command, then its arguments in the order in which its help lists them.
fn with_effect(words: &[String]) -> Vec<String> {
    let mut all = arguments();
    all.build();
    // They have been understood before.
    let Ok(matches) = all.clone().try_get_matches_from(words) else { return Vec::new() };
    let Some((name, given)) = matches.subcommand() else { return Vec::new() };
    let Some(command) = all.find_subcommand(name) else { return Vec::new() };
    let (mut positional, mut options) = (vec![name.to_owned()], Vec::new());
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        let is_given = given.value_source(id) == Some(clap::parser::ValueSource::CommandLine);
        if !is_given || WITHOUT_EFFECT.contains(&id) {
            continue;
        }
        // A config by its path in the manual: files have the places that they were read from, by which a recording holds them.
        let place =
            |value: &OsStr| if CONFIGS.contains(&id) { find::shipped(value.into()).into() } else { value.into() };
        let values = given.get_raw(id).into_iter().flatten();
        let values = values.map(|value| -> OsString { place(value) }).map(|value| value.to_string_lossy().into_owned());
        match argument.get_long() {
            None => positional.extend(values),
            Some(long) if matches!(argument.get_action(), ArgAction::SetTrue) => options.push(format!("--{long}")),
            Some(long) => options.extend(values.map(|value| format!("--{long}={value}"))),
        }
    }
    positional.extend(options);
    positional
}

/// What viewers see of a recording, and of how it was made.
pub fn view(path: &Path, made: Option<&Provenance>) -> RecordingView {
    let name = file_name(path);
    let Some(made) = made else { return RecordingView { file: name, ..RecordingView::default() } };
    let details = made.lines().into_iter().filter(|(_, text)| !text.is_empty());
    RecordingView {
        file: name,
        world: made.world.clone(),
        // Without a world nothing is random.
        seed: made.seed.filter(|_| !made.world.is_empty()).map_or_else(String::new, |seed| seed.to_string()),
        program: made.program(),
        details: details.map(|(name, text)| [name.to_owned(), text]).collect(),
    }
}
