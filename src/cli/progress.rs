//! A progress bar on stderr for runs whose end is known.

use indicatif::{ProgressBar, ProgressStyle};

use crate::sink::{Sink, SinkError};
use crate::time::SimTime;
use crate::world::{Frame, Scene};

/// Shows how much of the simulated time has passed.
pub(super) struct Progress {
    bar: ProgressBar,
    begin: Option<SimTime>,
    duration: SimTime,
}

impl Progress {
    const TEMPLATE: &str = "{bar:40} {percent:>3} %  {msg}  {eta} left";

    pub(super) fn new(duration: SimTime) -> Progress {
        let bar = ProgressBar::new(duration.0.unsigned_abs());
        if let Ok(style) = ProgressStyle::with_template(Self::TEMPLATE) {
            bar.set_style(style);
        }
        Progress { bar, begin: None, duration }
    }
}

impl Sink for Progress {
    fn name(&self) -> &str {
        "the progress bar"
    }

    fn frame(&mut self, scene: &Scene, frame: &Frame) -> Result<(), SinkError> {
        let begin = *self.begin.get_or_insert(frame.time - scene.step);
        // The eye wants some ten a second, also when ten thousand steps are made.
        if frame.step.is_multiple_of(64) {
            let passed = frame.time - begin;
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
