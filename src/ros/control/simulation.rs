//! The simulation as callers control it: what they may do in which state, carried out on the simulation thread between two steps.
//!
//! Nothing here waits for a caller, and every call is answered: what the simulation can no longer do because it ends is refused.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::channel::oneshot;
use tokio::sync::Mutex as TurnMutex;

use super::entity::Said;
use super::life::Life;
use super::loading::Loads;
use super::origin::Origin;
use super::outcome::code::set_simulation_state::STATE_TRANSITION_ERROR;
use super::outcome::{Outcome, Refusal};
use super::worlds::Current;
use crate::runner::{Outbox, PauseState, Request, SimulationAccess};
use crate::world::{ResetScope, World};

/// How often a call that waits for the simulation looks whether the process is ending.
const LOOK: Duration = Duration::from_millis(200);

/// The bits of what can be reset.
pub mod scope {
    pub const DEFAULT: u8 = 0;
    pub const TIME: u8 = 1;
    pub const STATE: u8 = 2;
    pub const SPAWNED: u8 = 4;
    pub const ALL: u8 = 255;
}

/// A simulation under control.
pub struct Simulation {
    outbox: Outbox,
    pub(super) origin: Origin,
    pub(super) loads: Loads,
    shared: Arc<Mutex<Shared>>,
    /// Held while the state or the world is changed or reset.
    pub(super) turn: TurnMutex<()>,
    pub(super) is_stepping: AtomicBool,
    /// Counts what ends a stepping that is under way.
    changes: AtomicU64,
}

/// What the world itself does not know.
pub struct Shared {
    /// None: there is no world.
    pub current: Option<Current>,
    pub is_loading: bool,
    is_stopped: bool,
    is_quitting: bool,
    pub said: Said,
}

/// A look at the simulation by a caller.
pub struct Look<'a> {
    pub world: &'a mut World,
    pub standing: &'a mut PauseState,
    pub shared: MutexGuard<'a, Shared>,
}

impl Look<'_> {
    /// What the simulation is doing.
    pub fn life(&self) -> Life {
        let is_at_start = self.shared.is_stopped && self.world.frame().step == 0;
        match (&*self.shared, self.standing.is_stopped()) {
            (Shared { is_quitting: true, .. }, _) => Life::Quitting,
            (Shared { is_loading: true, .. }, _) => Life::LoadingWorld,
            (Shared { current: None, .. }, _) => Life::NoWorld,
            (_, false) => Life::Playing,
            (_, true) if is_at_start => Life::Stopped,
            (_, true) => Life::Paused,
        }
    }

    /// Everything as it was at the very start, to be called while paused.
    pub fn stop(&mut self) {
        self.world.reset_with(ResetScope::ALL);
        self.shared.is_stopped = true;
    }
}

impl Simulation {
    /// Controls the simulation that reads `outbox`, which runs the world of `origin`.
    pub fn new(outbox: Outbox, origin: Origin, loads: Loads) -> Simulation {
        let current = Some(origin.first.clone());
        let shared = Shared { current, is_loading: false, is_stopped: false, is_quitting: false, said: Said::new() };
        Simulation {
            outbox,
            origin,
            loads,
            shared: Arc::new(Mutex::new(shared)),
            turn: TurnMutex::new(()),
            is_stepping: AtomicBool::new(false),
            changes: AtomicU64::new(0),
        }
    }

    pub(super) fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has `look` called on the simulation thread between two steps.
    pub(super) async fn look<T: Send + 'static>(
        &self,
        look: impl FnOnce(&mut Look<'_>) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let shared = self.shared.clone();
        let (sender, receiver) = oneshot::channel();
        let visitor = move |visit: &mut SimulationAccess<'_>| {
            let shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let mut look_at = Look { world: &mut *visit.world, standing: &mut *visit.pause, shared };
            // The client may have left.
            drop(sender.send(look(&mut look_at)));
        };
        self.outbox.visit(visitor);
        self.answer(receiver).await.unwrap_or_else(|| Err(Refusal::ended()))
    }

    /// As [`look`](Self::look), where a world is there that can be changed.
    pub(super) async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Look<'_>) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        self.look(|look| look.life().require_world().and_then(|()| change(look))).await
    }

    /// Holds time while a world is loaded, until what it gives is dropped.
    pub(super) fn loading(&self) -> Loading<'_> {
        Loading(self)
    }

    /// Has a request carried out.
    pub(super) async fn ask(&self, request: Request) -> Outcome {
        let (sender, receiver) = oneshot::channel();
        self.outbox.ask(request, move |answer| drop(sender.send(answer)));
        match self.answer(receiver).await {
            Some(answer) => answer.map(drop).map_err(Refusal::failed),
            None => Err(Refusal::ended()),
        }
    }

    /// The answer of the simulation; none when it ends without one.
    async fn answer<T>(&self, mut receiver: oneshot::Receiver<T>) -> Option<T> {
        loop {
            let is_last_look = self.origin.stop.load(Ordering::Relaxed);
            match tokio::time::timeout(LOOK, &mut receiver).await {
                Ok(answer) => return answer.ok(),
                Err(_) if is_last_look => return None,
                Err(_) => {}
            }
        }
    }

    /// What the simulation is doing.
    pub async fn life(&self) -> Outcome<Life> {
        self.look(|look| Ok(look.life())).await
    }

    /// Takes the simulation to the state numbered `target`. To quit, [`Self::end_if_quitting`] has to follow.
    pub async fn set_life(&self, target: u8) -> Outcome {
        // Impossible requests, and the request to end, do not wait until a world is loaded.
        if self.look(move |look| look.life().change_to(target)).await? == Life::Quitting {
            self.note_change();
            self.shared().is_quitting = true;
            return Ok(());
        }
        let _turn = self.turn.lock().await;
        let to = self.look(move |look| look.life().change_to(target)).await?;
        self.note_change();
        let failed = |refusal: Refusal| Refusal::new(STATE_TRANSITION_ERROR, refusal.reason);
        match to {
            Life::Playing => {
                self.shared().is_stopped = false;
                self.ask(Request::Pause(false)).await.map_err(failed)?;
            }
            Life::Paused => self.ask(Request::Pause(true)).await.map_err(failed)?,
            Life::Stopped => {
                self.ask(Request::Pause(true)).await.map_err(failed)?;
                self.look(|look| {
                    look.stop();
                    Ok(())
                })
                .await
                .map_err(failed)?;
            }
            Life::Quitting | Life::NoWorld | Life::LoadingWorld => {}
        }
        Ok(())
    }

    /// Ends the process if a caller has asked for it. To be called after the answer has been sent.
    pub fn end_if_quitting(&self) {
        if self.shared().is_quitting {
            self.origin.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Puts back to the start what the bits of `scope` say.
    pub async fn reset(&self, scope: u8) -> Outcome {
        let scope = read_scope(scope)?;
        self.change(|_| Ok(())).await?;
        let _turn = self.turn.lock().await;
        self.note_change();
        self.change(move |look| {
            look.world.reset_with(scope);
            if scope == ResetScope::ALL {
                look.shared.said.clear();
            }
            Ok(())
        })
        .await
    }

    /// Tells a stepping that is under way that its simulation is no longer what it was.
    pub(super) fn note_change(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }
}

/// A load under way, after which time goes on as it did, or as somebody has asked for meanwhile.
pub(super) struct Loading<'a>(&'a Simulation);

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        self.0.shared().is_loading = false;
        self.0.outbox.visit(|visit| visit.pause.release());
    }
}

/// What the bits of a reset mean.
fn read_scope(bits: u8) -> Outcome<ResetScope> {
    let known = scope::TIME | scope::STATE | scope::SPAWNED;
    match bits {
        scope::DEFAULT | scope::ALL => Ok(ResetScope::ALL),
        _ if bits & !known != 0 => {
            let accepted = "0 or 255 everything, or a sum of 1 time, 2 state, 4 spawned";
            Err(Refusal::failed(format!("scope {bits}: unknown bits\n  accepted: {accepted}")))
        }
        _ => {
            let has = |bit| bits & bit != 0;
            Ok(ResetScope { time: has(scope::TIME), state: has(scope::STATE), spawned: has(scope::SPAWNED) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_bits_and_none_means_all() {
        for bits in [0, 7, 255] {
            assert_eq!(read_scope(bits), Ok(ResetScope::ALL), "{bits}");
        }
        assert_eq!(read_scope(1), Ok(ResetScope { time: true, ..ResetScope::default() }));
        assert_eq!(read_scope(6), Ok(ResetScope { time: false, state: true, spawned: true }));
        let refusal = read_scope(9).unwrap_err();
        assert_eq!(
            (refusal.code, refusal.reason.as_str()),
            (4, "scope 9: unknown bits\n  accepted: 0 or 255 everything, or a sum of 1 time, 2 state, 4 spawned")
        );
    }
}
