//! Tests of what recordings say about command lines, which takes the arguments of all commands.

use std::path::Path;

use clap::CommandFactory as _;
use skidpad_program::provenance::{WITHOUT_EFFECT, of_command, view};

use crate::cli::args::{Args, command};
use crate::record::Provenance;
use crate::view::messages::RecordingView;

fn of(line: &str) -> String {
    skidpad_program::take_arguments(command);
    let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    of_command(&words, &[]).command.join(" ")
}

#[test]
fn words_without_effect_are_left_out_and_the_others_have_one_spelling() {
    let line = "skidpad run --seed 3 racecar --record a.mcap --set a=1 -q --headless --web-token x --web 8521 --set b=2 --rate max";
    assert_eq!(of(line), "run racecar --set=a=1 --set=b=2 --seed=3");
    let line = "skidpad experiment config/line.yaml --out x --json --threads 2 --plant=kinematic --figure-size 88mm";
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
    skidpad_program::take_arguments(command);
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
