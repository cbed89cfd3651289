//! The result of a run, and the line that reports it.

use std::fmt;
use std::time::Duration;

use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_math::time::SimTime;

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Simulated time that passed [ns].
    pub simulated: SimTime,
    /// Wall time that passed, pauses included.
    pub wall: Duration,
    /// Number of steps.
    pub steps: u64,
    /// How often the simulation was more than 0.25 s late and dropped the lost time.
    pub overruns: u64,
    /// Mean wall time of a step, without what sinks do.
    pub step_mean: Duration,
    /// Longest wall time of a step.
    pub step_longest: Duration,
    /// Why it ended before its time, where lockstep [ends](super::WhenLate::End) it; none: it did not.
    pub late: Option<Diagnostic>,
    /// How the [`RunHooks`](super::RunHooks) ended it: in order, or because of these problems; none: it did not.
    pub hooks: Option<Result<(), Diagnostics>>,
}

impl Summary {
    /// Simulated seconds per wall second [-].
    pub fn real_time_factor(&self) -> f64 {
        self.simulated.secs() / self.wall.as_secs_f64().max(1e-9)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wall, factor) = (self.wall.as_secs_f64(), self.real_time_factor());
        write!(f, "simulated {} in {wall:.3} s ({factor:.2} times real time), {} steps", self.simulated, self.steps)?;
        if self.steps > 0 {
            let [mean, longest] = [self.step_mean, self.step_longest].map(|time| 1e3 * time.as_secs_f64());
            write!(f, " of {mean:.3} ms (at most {longest:.1} ms)")?;
        }
        match self.overruns {
            0 => Ok(()),
            count => write!(f, ", {count} times behind the rate"),
        }
    }
}
