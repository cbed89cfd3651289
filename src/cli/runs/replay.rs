//! `skidpad replay`: shows a recording in the browser.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::cli::parsers::number;
use crate::cli::progress::Work;
use crate::cli::provenance;
use crate::cli::signals::Signals;
use crate::cli::web_args::WebArgs;
use crate::cli::{Failure, complete, log_warnings, report};
use crate::diagnostic::Diagnostic;
use crate::replay::{Ghost, PlayOptions, Playback, Player, Replay};
use crate::server::Server;
use crate::server::hub::Hub;
use crate::server::warnings::WarningLog;
use crate::time::SimTime;
use crate::view::messages::{Mode, RecordingView};

/// Polling interval for signals.
const POLLING_INTERVAL: Duration = Duration::from_millis(50);

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ReplayArgs {
    /// Recording of `skidpad run --record`, or file or folder of `ros2 bag record`
    #[arg(add = complete::recordings())]
    pub(in crate::cli) file: PathBuf,
    /// Simulated seconds per second of wall time
    #[arg(long, value_name = "R", default_value = "1", value_parser = rate)]
    pub(in crate::cli) rate: f64,
    /// Start paused
    #[arg(long)]
    pub(in crate::cli) paused: bool,
    /// Start over at the end
    #[arg(long = "loop")]
    pub(in crate::cli) repeats: bool,
    /// Start at this time of the recording [s]
    #[arg(long, value_name = "S", value_parser = start)]
    pub(in crate::cli) start: Option<f64>,
    /// Show the vehicles of a second recording as ghosts
    ///
    /// Both recordings start together; --ghost-offset shifts the second.
    #[arg(long, value_name = "FILE", add = complete::recordings())]
    pub(in crate::cli) ghost: Option<PathBuf>,
    /// Shift the ghost by S seconds: positive starts it ahead, negative late
    #[arg(long, value_name = "S", default_value = "0", requires = "ghost", allow_negative_numbers = true, value_parser = offset)]
    pub(in crate::cli) ghost_offset: f64,
    #[command(flatten)]
    pub(in crate::cli) web: WebArgs,
}

/// Shows the recording until a signal arrives; `log` has the warnings of the program.
pub(in crate::cli) fn replay(args: &ReplayArgs, log: Arc<WarningLog>) -> Result<(), Failure> {
    let signals = Signals::listen(None)?;
    let Some(mut options) = args.web.options(false)? else {
        let message = Diagnostic::new("--web off", "nobody could see it");
        return Err(Failure::because(message.accepted("PORT, HOST:PORT or HOST")));
    };
    let replay = Work::of("reading", || Replay::open(&args.file)).map_err(Failure::because)?;
    let mut notes = replay.notes().to_vec();
    let mut about = replay.to_string();
    let mut recording = provenance::view(&args.file, replay.provenance().as_ref());
    let replay = match &args.ghost {
        None => Playback::from(replay),
        Some(file) => {
            let second = Work::of("reading", || Replay::open(file)).map_err(Failure::because)?;
            recording.details.push(["ghost".into(), one_line(&provenance::view(file, second.provenance().as_ref()))]);
            let ghost = Ghost::new(second, &replay, SimTime::from_secs(args.ghost_offset));
            notes.extend(ghost.notes(&replay));
            about += &format!("\n{ghost}");
            Playback::with_ghost(replay, ghost)
        }
    };
    log_warnings(&notes);
    options.warnings = notes.iter().map(ToString::to_string).collect();
    options.recording = Some(recording);
    let (_, end) = replay.span();
    let start = args.start.map(SimTime::from_secs);
    if let Some(start) = start.filter(|start| *start > end) {
        let message = Diagnostic::new(format!("--start {}", start.secs()), "after the recording's end");
        return Err(Failure::because(message.accepted(format!("up to {end}"))));
    }
    let hub = Arc::new(Hub::with_warnings(log));
    let play = PlayOptions { rate: args.rate, paused: args.paused, repeats: args.repeats, start };
    let player = Player::start(replay, Arc::clone(&hub), play)?;
    let server = Server::start(&options, hub, player.pilot(), Mode::Replay).map_err(Failure::because)?;
    report::note(about);
    let _opener = args.web.announce(Some(&server));
    signals.loaded();
    while !signals.stop.load(Ordering::Relaxed) {
        std::thread::sleep(POLLING_INTERVAL);
    }
    server.shutdown("the replay has ended");
    Ok(())
}

/// A recording in one line: its file, world, seed and program, as far as they are known.
fn one_line(recording: &RecordingView) -> String {
    let RecordingView { file, world, seed, program, .. } = recording;
    let seed = if seed.is_empty() { String::new() } else { format!("seed {seed}") };
    [file.clone(), world.clone(), seed, program.clone()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(", ")
}

fn rate(text: &str) -> Result<f64, Diagnostic> {
    let accepted = format!("a number above 0, up to {}", Player::MAX_RATE);
    number(text, |rate| rate > 0.0 && rate <= Player::MAX_RATE, "not a rate", &accepted)
}

fn start(text: &str) -> Result<f64, Diagnostic> {
    number(text, |time| (0.0..=9e9).contains(&time), "not a time", "a number of seconds from 0 to 9e9")
}

fn offset(text: &str) -> Result<f64, Diagnostic> {
    number(text, |time| time.abs() <= 1e6, "not a time", "a number of seconds from -1000000 to 1000000")
}
