//! Calls that advance the simulation by a number of steps while it is paused.

use std::sync::atomic::{AtomicBool, Ordering};

use skidpad_run::runner::Request;

use super::outcome::{Outcome, Refusal};
use super::simulation::Simulation;

/// Steps between two checks whether to continue: a fraction of a second in any world.
pub const AT_ONCE: u64 = 64;

/// Progress of a sequence of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub completed: u64,
    pub remaining: u64,
}

/// Lets other callers step once it is dropped.
struct SteppingGuard<'a>(&'a AtomicBool);

impl Drop for SteppingGuard<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Simulation {
    /// Makes `count` steps. After every `at_once` of them, `goes_on` receives the progress and decides whether to continue. Returns the
    /// final progress, which is incomplete only if `goes_on` returned false; fails if another caller changes the state of the simulation.
    pub async fn step(&self, count: u64, at_once: u64, mut goes_on: impl FnMut(Progress) -> bool) -> Outcome<Progress> {
        if count == 0 {
            return Err(Refusal::failed("steps: found 0\n  accepted: 1 or more"));
        }
        self.access(|access| {
            access.run_state().require_world()?;
            match access.standing.is_stopped() {
                true => Ok(()),
                false => Err(Refusal::failed("step: the simulation is playing\n  hint: pause it first")),
            }
        })
        .await?;
        if self.is_stepping.swap(true, Ordering::AcqRel) {
            return Err(Refusal::failed("step: another caller is stepping the simulation"));
        }
        let _guard = SteppingGuard(&self.is_stepping);
        let changes = self.changes();
        let mut progress = Progress { completed: 0, remaining: count };
        while progress.remaining > 0 {
            let part = progress.remaining.min(at_once.max(1));
            self.ask(Request::Step(part)).await.map_err(|refusal| after(progress, &refusal.reason))?;
            progress = Progress { completed: progress.completed + part, remaining: progress.remaining - part };
            if !goes_on(progress) {
                break;
            }
            if progress.remaining > 0 && self.changes() != changes {
                return Err(after(progress, "another caller has changed the state of the simulation"));
            }
        }
        Ok(progress)
    }
}

fn after(progress: Progress, reason: &str) -> Refusal {
    let Progress { completed, remaining } = progress;
    Refusal::failed(format!("after {completed} of {} steps: {reason}", completed + remaining))
}
