//! Steps of a paused simulation, counted.

use std::sync::atomic::{AtomicBool, Ordering};

use super::outcome::{Outcome, Refusal};
use super::simulation::Simulation;
use crate::runner::Request;

/// Steps that are made between two looks whether something ends the stepping: a fraction of a second of any world.
pub const AT_ONCE: u64 = 64;

/// How far a stepping has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub completed: u64,
    pub remaining: u64,
}

/// Frees the place of the one that steps.
struct Place<'a>(&'a AtomicBool);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Simulation {
    /// Makes `count` steps, up to `at_once` between two looks at whether the simulation still stands as it did and the caller, told of
    /// its progress, wants to go on. Gives how far it came: all the way, unless the caller did not.
    pub async fn step(&self, count: u64, at_once: u64, mut goes_on: impl FnMut(Progress) -> bool) -> Outcome<Progress> {
        if count == 0 {
            return Err(Refusal::failed("steps: found 0\n  accepted: 1 or more"));
        }
        self.look(|look| {
            look.life().require_world()?;
            match look.standing.is_stopped() {
                true => Ok(()),
                false => Err(Refusal::failed("step: the simulation is playing\n  hint: pause it first")),
            }
        })
        .await?;
        if self.is_stepping.swap(true, Ordering::AcqRel) {
            return Err(Refusal::failed("step: another caller's steps are being made"));
        }
        let _place = Place(&self.is_stepping);
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
