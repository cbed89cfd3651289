//! What recordings and reports say about the program and its command line.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{ArgAction, CommandFactory};

use super::args::Args;
use super::find;
use crate::record::Provenance;
use crate::replay::file_name;
use crate::view::messages::RecordingView;

/// Arguments without effect on what a run computes or records: where results go and how they look, how fast it is and who watches. The token
/// of viewers is a secret besides.
const WITHOUT_EFFECT: [&str; 26] = [
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
];

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
pub(super) fn of_command(words: &[String], for_ros: &[OsString]) -> Provenance {
    Provenance {
        command: with_effect(words),
        ros_args: for_ros.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        ..of_this_version()
    }
}

/// The words that have an effect on results, in one spelling: the command, then its arguments in the order in which its help lists them.
fn with_effect(words: &[String]) -> Vec<String> {
    let mut all = Args::command();
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
pub(super) fn view(path: &Path, made: Option<&Provenance>) -> RecordingView {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        of_command(&words, &[]).command.join(" ")
    }

    #[test]
    fn words_without_effect_are_left_out_and_the_others_have_one_spelling() {
        let line = "skidpad run --seed 3 racecar --record a.mcap --set a=1 -q --headless --web-token x --web 8521 --set b=2 --rate max";
        assert_eq!(of(line), "run racecar --set=a=1 --set=b=2 --seed=3");
        let line =
            "skidpad experiment config/line.yaml --out x --json --threads 2 --plant=kinematic --figure-size 88mm";
        assert_eq!(of(line), "experiment config/line.yaml --plant=kinematic");
        assert_eq!(
            of("skidpad run w --record a.mcap --record-topics /odom,/scan --allow-commands"),
            "run w --allow-commands --record-topics=/odom --record-topics=/scan"
        );
        let made = of_command(&["skidpad".into(), "list".into()], &["--ros-args".into()]);
        assert_eq!((made.version.as_str(), made.ros_args), (env!("CARGO_PKG_VERSION"), vec!["--ros-args".to_owned()]));
    }

    #[test]
    fn every_word_that_is_left_out_is_an_argument() {
        let all = Args::command();
        let known: Vec<String> = ["run", "experiment", "analyze"]
            .iter()
            .flat_map(|name| all.find_subcommand(name).unwrap().get_arguments().chain(all.get_arguments()))
            .map(|argument| argument.get_id().to_string())
            .collect();
        for name in WITHOUT_EFFECT {
            assert!(known.iter().any(|id| id == name), "{name}");
        }
    }

    #[test]
    fn viewers_see_what_is_known_of_a_recording() {
        let bare = view(Path::new("out/a.mcap"), None);
        assert_eq!(bare, RecordingView { file: "a.mcap".into(), ..RecordingView::default() });
        let line = ["skidpad", "run", "w.xml"].map(str::to_owned);
        let made = Provenance { world: "w.xml".into(), seed: Some(u64::MAX), ..of_command(&line, &[]) };
        let full = view(Path::new("/"), Some(&made));
        assert_eq!((full.file.as_str(), full.seed.as_str()), ("/", "18446744073709551615"));
        assert!(full.program.starts_with(&format!("skidpad {}", env!("CARGO_PKG_VERSION"))), "{}", full.program);
        assert!(full.details.contains(&["command".to_owned(), "skidpad run w.xml".to_owned()]), "{:?}", full.details);
        assert!(full.details.iter().all(|[_, text]| !text.is_empty()), "{:?}", full.details);
    }
}
