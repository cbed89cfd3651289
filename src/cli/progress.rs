//! Progress on stderr: the current work of a slow load, and a bar for runs of known duration.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Failure, log_warnings, report};
use crate::assets;
use crate::sink::{Sink, SinkError};
use crate::time::SimTime;
use crate::world::{Frame, LoadOptions, Loading, Scene, Wanted, World};
use crate::xml::{Problem, Problems};

/// Loads a world; prints its warnings, and then its errors if it cannot be loaded. Shows the progress on a terminal;
/// otherwise prints a line per fetched file.
pub(super) fn load(path: &Path, options: LoadOptions) -> Result<(World, Vec<Problem>), Failure> {
    let spinner = if report::draws_progress() { Spinner::start().ok() } else { None };
    let progress = match &spinner {
        Some(spinner) => {
            let bar = spinner.bar.clone();
            assets::Progress::new(move |what| bar.set_message(what.to_string()))
        }
        None => assets::Progress::new(|what| {
            if what.starts_with("fetching ") {
                tracing::info!("{what}");
            }
        }),
    };
    let Loading { world, errors, warnings, .. } = World::examine(path, &LoadOptions { progress, ..options });
    drop(spinner);
    match world {
        Some(world) => Ok((world, warnings)),
        None => {
            log_warnings(&warnings);
            Err(Failure::because(Problems(errors)))
        }
    }
}

/// A line with the current work and the elapsed time, shown after the first second.
struct Spinner {
    bar: ProgressBar,
    /// Dropped to end the thread that waits for the first second.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Spinner {
    const PATIENCE: Duration = Duration::from_secs(1);
    const TEMPLATE: &str = "{spinner} {wide_msg} {elapsed}";

    fn start() -> io::Result<Spinner> {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_message("loading");
        if let Ok(style) = ProgressStyle::with_template(Self::TEMPLATE) {
            bar.set_style(style);
        }
        let (end, ended) = mpsc::channel::<()>();
        let shown = bar.clone();
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(move || {
            if ended.recv_timeout(Self::PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(100));
            }
        })?;
        Ok(Spinner { bar, end: Some(end), thread: Some(thread) })
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // The thread only waits and draws.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

/// A progress bar of simulated time.
pub(super) struct Progress {
    bar: ProgressBar,
    /// Start of the current stretch of simulated time, and the time passed before it.
    begin: Option<SimTime>,
    before: SimTime,
    last: SimTime,
    duration: SimTime,
}

impl Progress {
    const TEMPLATE: &str = "{bar:40} {percent:>3} %  {msg}  {eta} left";

    pub(super) fn new(duration: SimTime) -> Progress {
        let bar = ProgressBar::new(duration.0.unsigned_abs());
        if let Ok(style) = ProgressStyle::with_template(Self::TEMPLATE) {
            bar.set_style(style);
        }
        Progress { bar, begin: None, before: SimTime::ZERO, last: SimTime(-1), duration }
    }
}

impl Sink for Progress {
    fn name(&self) -> &str {
        "the progress bar"
    }

    fn wants(&mut self, _scene: &Arc<Scene>, _wanted: &mut Wanted) {}

    fn frame(&mut self, scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        if frame.time <= self.last
            && let Some(begin) = self.begin.take()
        {
            // Time has gone back: the progress is kept.
            self.before += self.last - begin;
        }
        self.last = frame.time;
        let begin = *self.begin.get_or_insert(frame.time - scene.step);
        // Ten updates a second are enough, even at ten thousand steps a second.
        if frame.step.is_multiple_of(64) {
            let passed = self.before + (frame.time - begin);
            self.bar.set_position(passed.0.unsigned_abs());
            self.bar.set_message(format!("{:.1} of {:.1} s", passed.secs(), self.duration.secs()));
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        self.bar.finish_and_clear();
        Ok(())
    }
}
