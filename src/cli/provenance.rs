//! What recordings and reports say about the program and its command line, and where the files that a recording holds are put so that a run
//! can be made again from them.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

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

/// A folder with files of a recording, each below it where its path leads to from another folder: so files that name each other by relative
/// paths find each other.
pub(super) struct Unpacked {
    root: tempfile::TempDir,
}

/// Folders above the one in which relative paths begin: as many as a path may leave.
const DEPTH: usize = 16;

impl Unpacked {
    /// An empty folder.
    pub(super) fn new() -> io::Result<Unpacked> {
        Ok(Unpacked { root: tempfile::Builder::new().prefix("skidpad-rerun-").tempdir()? })
    }

    /// Where relative paths begin.
    fn start(&self) -> PathBuf {
        (0..DEPTH).fold(self.root.path().join("files"), |folder, _| folder.join("d"))
    }

    /// The path of a file.
    pub(super) fn path(&self, path: &Path) -> PathBuf {
        match path.strip_prefix("/") {
            Ok(below) => self.root.path().join("root").join(below),
            Err(_) => self.start().join(path),
        }
    }

    /// Writes a file.
    ///
    /// # Errors
    /// It cannot be written, or its path leads out of the folder.
    pub(super) fn add(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let base = if path.is_absolute() { self.root.path().join("root") } else { self.start() };
        let mut at = base;
        fs::create_dir_all(&at)?;
        let mut components = path.components().filter(|part| *part != Component::RootDir).peekable();
        while let Some(part) = components.next() {
            match part {
                Component::ParentDir => {
                    at.pop();
                }
                Component::Normal(name) => at.push(name),
                Component::CurDir | Component::Prefix(_) | Component::RootDir => {}
            }
            if at == self.root.path() || !at.starts_with(self.root.path()) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "its path leads too far up"));
            }
            // Also those that the path leaves again.
            if components.peek().is_some() {
                fs::create_dir_all(&at)?;
            }
        }
        fs::write(&at, content)
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

    #[test]
    fn files_find_each_other_where_they_are_unpacked() {
        let unpacked = Unpacked::new().unwrap();
        let paths = ["worlds/a.xml", "config/../worlds/../b.xml", "../c.xml", "/usr/share/d.xml"].map(Path::new);
        for path in paths {
            unpacked.add(path, path.display().to_string().as_bytes()).unwrap();
            assert_eq!(fs::read(unpacked.path(path)).unwrap(), path.display().to_string().as_bytes());
        }
        let beside = unpacked.path(Path::new("worlds/a.xml")).parent().unwrap().join("../../c.xml");
        assert_eq!(fs::read(beside).unwrap(), b"../c.xml");
        let out = "../".repeat(DEPTH + 3) + "x";
        assert_eq!(unpacked.add(Path::new(&out), b"").unwrap_err().to_string(), "its path leads too far up");
        assert!(unpacked.add(Path::new("/../../../../x"), b"").is_err());
    }
}
