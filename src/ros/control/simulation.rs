//! The simulation that callers control: access to it on the simulation thread between two steps, its run state, and resets.
//!
//! The simulation never waits for a caller, and every call is answered, with a refusal once the simulation has ended.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use futures::channel::oneshot;
use skidpad_ros_data::preset::Preset;
use skidpad_run::guard::lock;
use skidpad_run::runner::{Outbox, PauseState, Request, SimulationAccess};
use skidpad_sim::world::{ResetScope, World};
use tokio::sync::Mutex as AsyncMutex;

use super::StateHeader;
use super::entity::{InfoOverrides, State};
use super::loader::Loader;
use super::origin::Origin;
use super::outcome::code::set_simulation_state::STATE_TRANSITION_ERROR;
use super::outcome::{Outcome, Refusal};
use super::run_state::RunState;
use super::world_list::Current;
use crate::publish::wall_stamps::SharedStamps;

/// How often a call that waits for the simulation checks whether the process is ending.
const POLL_PERIOD: Duration = Duration::from_millis(200);

/// The bits of the scope of a reset.
pub mod scope {
    pub const DEFAULT: u8 = 0;
    pub const TIME: u8 = 1;
    pub const STATE: u8 = 2;
    pub(crate) const SPAWNED: u8 = 4;
    pub const ALL: u8 = 255;
}

/// A simulation under control.
pub struct Simulation {
    outbox: Outbox,
    pub(super) origin: Origin,
    pub(super) loader: Loader,
    /// The stamps of the node's messages in place of those of simulated time.
    stamps: Option<SharedStamps>,
    /// The names of topics.
    pub(super) preset: &'static Preset,
    /// The frame of the map.
    pub map_frame: Arc<str>,
    shared: Arc<Mutex<Shared>>,
    /// Held while the state or the world is changed or reset.
    pub(super) changing: AsyncMutex<()>,
    pub(super) is_stepping: AtomicBool,
    /// Counts the changes that abort a sequence of steps in progress.
    changes: AtomicU64,
}

/// State of the simulation beside the world itself.
pub struct Shared {
    /// None: there is no world.
    pub current: Option<Current>,
    pub is_loading: bool,
    is_stopped: bool,
    is_quitting: bool,
    pub info_overrides: InfoOverrides,
}

/// Access of a caller to the simulation, between two steps.
pub struct Access<'a> {
    pub world: &'a mut World,
    /// The frame of the map.
    pub map_frame: Arc<str>,
    pub standing: &'a mut PauseState,
    pub shared: MutexGuard<'a, Shared>,
}

impl Access<'_> {
    /// The run state of the simulation.
    pub(crate) fn run_state(&self) -> RunState {
        let is_at_start = self.shared.is_stopped && self.world.frame().step == 0;
        match (&*self.shared, self.standing.is_stopped()) {
            (Shared { is_quitting: true, .. }, _) => RunState::Quitting,
            (Shared { is_loading: true, .. }, _) => RunState::LoadingWorld,
            (Shared { current: None, .. }, _) => RunState::NoWorld,
            (_, false) => RunState::Playing,
            (_, true) if is_at_start => RunState::Stopped,
            (_, true) => RunState::Paused,
        }
    }

    /// Resets everything to its initial state; to be called while paused.
    pub fn stop(&mut self) {
        self.world.reset_with(ResetScope::ALL);
        self.shared.is_stopped = true;
    }
}

impl Simulation {
    /// Controls the simulation that reads `outbox`, which runs the world of `origin`. Topics have the names of `preset`, states `header`.
    pub fn new(
        outbox: Outbox,
        origin: Origin,
        loader: Loader,
        preset: &'static Preset,
        header: StateHeader,
    ) -> Simulation {
        let current = Some(origin.first.clone());
        let shared = Shared {
            current,
            is_loading: false,
            is_stopped: false,
            is_quitting: false,
            info_overrides: InfoOverrides::new(),
        };
        Simulation {
            outbox,
            origin,
            loader,
            stamps: header.stamps,
            preset,
            map_frame: header.map_frame.into(),
            shared: Arc::new(Mutex::new(shared)),
            changing: AsyncMutex::new(()),
            is_stepping: AtomicBool::new(false),
            changes: AtomicU64::new(0),
        }
    }

    /// The state with the time of a stamp.
    pub fn stamped(&self, state: State) -> State {
        let stamps = self.stamps.as_ref().and_then(SharedStamps::get);
        State { time: stamps.map_or(state.time, |stamps| stamps.at(state.time)), ..state }
    }

    pub(super) fn shared(&self) -> MutexGuard<'_, Shared> {
        lock(&self.shared)
    }

    /// Calls `call` on the simulation thread between two steps.
    pub(super) async fn access<T: Send + 'static>(
        &self,
        call: impl FnOnce(&mut Access<'_>) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let (shared, map_frame) = (self.shared.clone(), self.map_frame.clone());
        let (sender, receiver) = oneshot::channel();
        let visitor = move |visit: &mut SimulationAccess<'_>| {
            let shared = lock(&shared);
            let mut access = Access { world: &mut *visit.world, map_frame, standing: &mut *visit.pause, shared };
            // The client may have left.
            drop(sender.send(call(&mut access)));
        };
        self.outbox.visit(visitor);
        self.answer(receiver).await.unwrap_or_else(|| Err(Refusal::ended()))
    }

    /// As [`access`](Self::access); fails unless there is a world that can be changed.
    pub(super) async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Access<'_>) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        self.access(|access| access.run_state().require_world().and_then(|()| change(access))).await
    }

    /// A guard for a load: simulated time resumes when it is dropped.
    pub(super) fn loading(&self) -> Loading<'_> {
        Loading(self)
    }

    /// Sends a request to the simulation and waits for its completion.
    pub(super) async fn ask(&self, request: Request) -> Outcome {
        let (sender, receiver) = oneshot::channel();
        self.outbox.ask(request, move |answer| drop(sender.send(answer)));
        match self.answer(receiver).await {
            Some(answer) => answer.map(drop).map_err(Refusal::failed),
            None => Err(Refusal::ended()),
        }
    }

    /// The answer of the simulation; none if it ends without one.
    async fn answer<T>(&self, mut receiver: oneshot::Receiver<T>) -> Option<T> {
        loop {
            let is_last_poll = self.origin.stop.load(Ordering::Relaxed);
            match tokio::time::timeout(POLL_PERIOD, &mut receiver).await {
                Ok(answer) => return answer.ok(),
                Err(_) if is_last_poll => return None,
                Err(_) => {}
            }
        }
    }

    /// The run state of the simulation.
    pub(crate) async fn run_state(&self) -> Outcome<RunState> {
        self.access(|access| Ok(access.run_state())).await
    }

    /// Takes the simulation to the run state with the number `target`. To quit, [`Self::end_if_quitting`] has to follow.
    pub(crate) async fn set_run_state(&self, target: u8) -> Outcome {
        // Impossible requests, and the request to quit, do not wait until a world is loaded.
        if self.access(move |access| access.run_state().change_to(target)).await? == RunState::Quitting {
            self.note_change();
            self.shared().is_quitting = true;
            return Ok(());
        }
        let _changing = self.changing.lock().await;
        let to = self.access(move |access| access.run_state().change_to(target)).await?;
        self.note_change();
        let failed = |refusal: Refusal| Refusal::new(STATE_TRANSITION_ERROR, refusal.reason);
        match to {
            RunState::Playing => {
                self.shared().is_stopped = false;
                self.ask(Request::Pause(false)).await.map_err(failed)?;
            }
            RunState::Paused => self.ask(Request::Pause(true)).await.map_err(failed)?,
            RunState::Stopped => {
                self.ask(Request::Pause(true)).await.map_err(failed)?;
                self.access(|access| {
                    access.stop();
                    Ok(())
                })
                .await
                .map_err(failed)?;
            }
            RunState::Quitting | RunState::NoWorld | RunState::LoadingWorld => {}
        }
        Ok(())
    }

    /// Ends the process if a caller has asked for it. To be called after the answer has been sent.
    pub(crate) fn end_if_quitting(&self) {
        if self.shared().is_quitting {
            self.origin.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Resets what the bits of `scope` select.
    pub async fn reset(&self, scope: u8) -> Outcome {
        let scope = read_scope(scope)?;
        self.change(|_| Ok(())).await?;
        let _changing = self.changing.lock().await;
        self.note_change();
        self.change(move |access| {
            access.world.reset_with(scope);
            if scope == ResetScope::ALL {
                access.shared.info_overrides.clear();
            }
            Ok(())
        })
        .await
    }

    /// Aborts a sequence of steps in progress, since the simulation has been changed.
    pub(super) fn note_change(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }
}

/// A load in progress. Afterwards time continues as before, or as requested meanwhile.
pub(super) struct Loading<'a>(&'a Simulation);

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        self.0.shared().is_loading = false;
        self.0.outbox.visit(|visit| visit.pause.release());
    }
}

/// The scope that the bits of a reset select.
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
    fn reset_scopes_are_bits_and_zero_means_all() {
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
