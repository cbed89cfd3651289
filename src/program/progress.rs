//! Progress on stderr, where that is a terminal: a line that is drawn from the second second of a piece of work on, with what is left to do
//! and for how long, and that is gone when the work ends, however it ends.
//!
//! The work counts on a [`Meter`], or not even that; a thread here looks at it ten times a second. So nothing waits for the terminal.

use std::io;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::assets;
use crate::file_error::FileError;
use crate::guard::lock;
use crate::input_file;
use crate::meter::{Amount, Meter, Unit};
use crate::sink::{Sink, SinkError};
use crate::time::SimTime;
use crate::world::{Frame, LoadOptions, Loading, Scene, Wanted, World};
use crate::xml::{Problem, Problems};
use crate::{Failure, log_warnings, report};

/// How long a piece of work takes before its line is drawn.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often it is drawn then.
const PERIOD: Duration = Duration::from_millis(100);
const HERTZ: u8 = 10;
/// The line of work of a known amount, and of other work.
const BAR: &str = "{bar:30} {percent:>3} %  {msg}  {eta} left";
const SPINNER: &str = "{spinner} {wide_msg} {elapsed}";

/// The line; there is one at most.
static LINE: Mutex<Option<Line>> = Mutex::new(None);

#[derive(Clone)]
struct Line {
    bar: ProgressBar,
    meter: Meter,
    /// What is being done.
    task: Arc<Mutex<String>>,
}

impl Line {
    fn say(&self, task: &str) {
        task.clone_into(&mut lock(&self.task));
    }

    /// Shows the state of the work, if it is on the screen; otherwise the estimate learns from it.
    fn draw(&self, drawn: &mut Option<Amount>) {
        let task = lock(&self.task).clone();
        match self.meter.state() {
            Some((amount, done)) => {
                self.bar.set_message(format!("{task}: {}", reported(amount, done)));
                if drawn.replace(amount).is_none_or(|before| before != amount) {
                    self.style(BAR);
                    self.bar.set_length(amount.total);
                    self.bar.reset_eta();
                }
                self.bar.set_position(done);
            }
            None => {
                if drawn.take().is_some() {
                    self.style(SPINNER);
                }
                self.bar.set_message(task);
            }
        }
        self.bar.tick();
    }

    fn style(&self, template: &str) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }
}

/// How much is done of it, in words.
fn reported(amount: Amount, done: u64) -> String {
    let Amount { unit, total, .. } = amount;
    let of = |divisor: f64, digits: usize, unit: &str| {
        let [done, total] = [done, total].map(|count| count as f64 / divisor);
        format!("{done:.digits$} of {total:.digits$} {unit}")
    };
    match unit {
        Unit::Bytes => of(1e6, 0, "MB"),
        Unit::SimulatedTime => of(1e9, 0, "s simulated"),
        Unit::Evaluations => of(1.0, 0, "evaluations"),
    }
}

/// A piece of work with a line, until it is dropped.
pub struct Work {
    line: Line,
    /// What the line said before, if it is that of other work of which this is a part; otherwise the thread that draws it.
    drawing: Result<Drawing, String>,
}

struct Drawing {
    /// Dropped to end the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Work {
    /// Begins it; none where nothing is drawn.
    pub fn begin(task: &str) -> Option<Work> {
        if !report::draws_progress() {
            return None;
        }
        if let Some(line) = lock(&LINE).clone() {
            let before = lock(&line.task).clone();
            line.say(task);
            return Some(Work { line, drawing: Err(before) });
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let line = Line { bar, meter: Meter::new(), task: Arc::new(Mutex::new(task.to_owned())) };
        line.style(SPINNER);
        *lock(&LINE) = Some(line.clone());
        let (end, ended) = mpsc::channel::<()>();
        let drawn = line.clone();
        let thread = thread::Builder::new().name("progress".to_owned()).spawn(move || {
            let (begun, mut amount, mut is_shown) = (Instant::now(), None, false);
            while ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                drawn.draw(&mut amount);
                // A line that has been taken from the screen does not come again.
                if !is_shown && begun.elapsed() >= PATIENCE && lock(&LINE).is_some() {
                    is_shown = true;
                    drawn.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(HERTZ));
                }
            }
        });
        Some(Work { line, drawing: Ok(Drawing { end: Some(end), thread: thread.ok() }) })
    }

    /// Does something as work that is watched.
    pub fn of<T>(task: &str, work: impl FnOnce() -> T) -> T {
        match Work::begin(task) {
            Some(begun) => begun.line.meter.watch(work),
            None => work(),
        }
    }

    /// What its amount is counted on.
    pub fn meter(&self) -> &Meter {
        &self.line.meter
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        match &mut self.drawing {
            Err(before) => self.line.say(before),
            Ok(drawing) => {
                drop(drawing.end.take());
                if let Some(thread) = drawing.thread.take() {
                    // It only waits and draws.
                    let _ = thread.join();
                }
                clear();
            }
        }
    }
}

/// Says what the work of the line does now.
pub fn say(task: &str) {
    let line = lock(&LINE).clone();
    line.into_iter().for_each(|line| line.say(task));
}

/// Takes the line from the screen.
pub fn clear() {
    if let Some(line) = lock(&LINE).take() {
        line.bar.finish_and_clear();
    }
}

/// Prints with the line out of the way.
pub fn aside(print: impl FnOnce()) {
    let line = lock(&LINE).clone();
    match line {
        Some(line) => line.bar.suspend(print),
        None => print(),
    }
}

/// The name of a world that is read from the standard input.
pub const STANDARD_INPUT: &str = "-";
/// Longest world of the standard input [bytes].
const MAX_TEXT: u64 = 64 << 20;

/// Loads a world; prints its warnings, and then its errors if it cannot be loaded. Shows the progress on a terminal;
/// otherwise prints a line per fetched file.
pub fn load(path: &Path, options: LoadOptions) -> Result<(World, Vec<Problem>), Failure> {
    let work = Work::begin("loading");
    let progress = match &work {
        Some(_) => assets::Progress::new(say),
        None => assets::Progress::new(|task| {
            if task.starts_with("fetching ") {
                tracing::info!("{task}");
            }
        }),
    };
    let options = LoadOptions { progress, ..options };
    let Loading { world, errors, warnings, .. } = match path == Path::new(STANDARD_INPUT) {
        true => {
            let failed = |error| Failure::because(FileError::read("the standard input", error));
            let text = input_file::read_to_end(io::stdin().lock(), MAX_TEXT).map_err(failed)?;
            World::examine_text(STANDARD_INPUT, Path::new("."), &String::from_utf8_lossy(&text), &options)
        }
        false => World::examine(path, &options),
    };
    drop(work);
    match world {
        Some(world) => Ok((world, warnings)),
        None => {
            log_warnings(&warnings);
            Err(Failure::because(Problems(errors)))
        }
    }
}

/// Counts the simulated time of a run.
pub struct SimulatedTime {
    meter: Meter,
    /// Start of the current stretch of simulated time, and the time passed before it.
    begin: Option<SimTime>,
    before: SimTime,
    last: SimTime,
}

impl SimulatedTime {
    /// Of a run of this duration.
    pub fn new(meter: Meter, duration: SimTime) -> SimulatedTime {
        meter.begin(Unit::SimulatedTime, duration.0.unsigned_abs());
        SimulatedTime { meter, begin: None, before: SimTime::ZERO, last: SimTime(-1) }
    }
}

impl Sink for SimulatedTime {
    fn name(&self) -> &str {
        "the progress"
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
        self.meter.set((self.before + (frame.time - begin)).0.unsigned_abs());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_told_in_their_units() {
        let of = |unit, total, done| reported(Amount { unit, total, piece: 1 }, done);
        assert_eq!(of(Unit::Bytes, 120_000_000, 12_400_000), "12 of 120 MB");
        assert_eq!(of(Unit::SimulatedTime, 100_000_000_000_000, 9_000_000_000), "9 of 100000 s simulated");
        assert_eq!(of(Unit::Evaluations, 400, 0), "0 of 400 evaluations");
    }
}
