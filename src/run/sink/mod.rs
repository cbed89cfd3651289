//! Consumers of frames. A sink gets every frame by reference and must not block the simulation.

mod csv;
mod disk_wait;
mod note;
mod set;
mod statistics;

use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::time::{Rate, SimTime};
use skidpad_sim::world::{Frame, Scene, Wanted};

use crate::runner::TimedChange;
pub use csv::CsvSink;
pub use csv::columns;
pub use disk_wait::{DiskWait, Interrupts};
pub use note::{Note, NotedSensors};
pub use set::Sinks;
pub use statistics::{RunStatistics, StepTimes};

/// Receives frames: a recorder, the ROS bridge, a viewer, a test.
///
/// A sink that returns an error is reported once and removed; the simulation and the other sinks continue.
pub trait Sink: Send {
    /// Short name for messages.
    fn name(&self) -> &str;

    /// Called once before the first frame.
    fn start(&mut self, _scene: &Arc<Scene>) -> Result<(), SinkError> {
        Ok(())
    }

    /// Called before the first frame, or the first idle call, of a scene with another [`Scene::revision`].
    fn scene_changed(&mut self, _scene: &Arc<Scene>) -> Result<(), SinkError> {
        Ok(())
    }

    /// Adds the sensors whose readings it uses to those that others want, by default all. Asked before every step of a
    /// world with sensors that cast rays, and must not block: [nobody's readings](skidpad_sim::world::World::want) are not
    /// taken.
    fn wants(&mut self, _scene: &Arc<Scene>, wanted: &mut Wanted) {
        wanted.add_everything();
    }

    /// Whether frames mean anything to it now, by default always. While none of the sinks sees them, a step costs one look at the clock less.
    fn sees_frames(&self) -> bool {
        true
    }

    /// Called after every step, at least while it [sees frames](Self::sees_frames).
    fn frame(&mut self, scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError>;

    /// Called about ten times per wall second while the simulation is paused.
    fn idle(&mut self, _scene: &Arc<Scene>, _frame: &Frame) -> Result<(), SinkError> {
        Ok(())
    }

    /// Called before the first frame, and before the first frame at another speed: [`Rate::Max`] for steps that follow
    /// each other as fast as possible, so that the sink may delay them, and a factor while the simulation keeps time.
    fn rate_changed(&mut self, _rate: Rate) -> Result<(), SinkError> {
        Ok(())
    }
    /// Called when simulated time has been set back to that of `frame`, before the first frame, or the first idle call, that shows it.
    fn time_reset(&mut self, _scene: &Arc<Scene>, _frame: &Frame) -> Result<(), SinkError> {
        Ok(())
    }

    /// Called about ten times per wall second, also while the simulation is paused or waits, with the statistics of the run.
    fn statistics(
        &mut self,
        _scene: &Arc<Scene>,
        _frame: &Frame,
        _statistics: &RunStatistics,
    ) -> Result<(), SinkError> {
        Ok(())
    }

    /// Called when lockstep has waited in vain for the message on `topic` that belongs to the instant `instant`.
    fn message_missing(&mut self, _topic: &Arc<str>, _instant: SimTime) -> Result<(), SinkError> {
        Ok(())
    }

    /// Called when something from outside has changed the world, before the step on which it acts.
    fn changed(&mut self, _change: &TimedChange) -> Result<(), SinkError> {
        Ok(())
    }

    /// The number of items to be written or sent, and of dropped ones; for diagnostics.
    fn load(&self) -> SinkLoad {
        SinkLoad::default()
    }

    /// A request to start, clear or renew logs; other sinks ignore it.
    fn log(&mut self, _request: LogRequest) -> Result<(), SinkError> {
        Ok(())
    }

    /// Called once at the end, also after an error of the simulation: flush what is buffered.
    fn finish(&mut self) -> Result<(), SinkError> {
        Ok(())
    }
}

/// A request to the CSV logs of all vehicles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogRequest {
    /// Start (true) or stop (false) writing rows.
    Record(bool),
    /// Empty the files of this session.
    Clear,
    /// Close the files and continue in new ones.
    NewSession,
}

/// How a sink keeps up with the simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SinkLoad {
    /// Instants queued to be written or sent.
    pub waiting: u64,
    /// Instants dropped so far because the sink was too slow.
    pub dropped: u64,
}

/// Why a sink gave up; its place is the file or topic that failed.
pub type SinkError = Diagnostic;
