//! Hooks of a run: they change its world between two steps, watch its frames, and may end it. The runner calls them, and so does a run in this
//! process without a wall clock.

use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostics;
use skidpad_sim::world::{ExternalChange, Frame, Scene, World};

use super::{Change, Run};

/// Functions that a run calls around its steps. By default they do nothing.
pub trait RunHooks {
    /// Called once before the first step, with the world as it has been equipped, and the index of the vehicle that the run is about.
    ///
    /// # Errors
    /// The run cannot be made.
    fn begin(&mut self, _world: &mut World, _vehicle: usize) -> Result<(), Diagnostics> {
        Ok(())
    }

    /// Called before each step; returns the changes that it has made of the world, for recordings.
    ///
    /// # Errors
    /// A change cannot be made; the run ends.
    fn before_step(&mut self, _world: &mut World) -> Result<Vec<Change>, Diagnostics> {
        Ok(Vec::new())
    }

    /// Called after each step; returns whether the run goes on.
    ///
    /// # Errors
    /// The run ends with a failure.
    fn after_step(&mut self, _scene: &Arc<Scene>, _frame: &Frame) -> Result<bool, Diagnostics> {
        Ok(true)
    }

    /// Called about ten times per second while the runner lets simulated time stand, because it is paused or waits for commands.
    ///
    /// # Errors
    /// The run ends with a failure.
    fn idle(&mut self) -> Result<(), Diagnostics> {
        Ok(())
    }

    /// Called once after the last step, unless the run has failed.
    fn end(&mut self, _scene: &Arc<Scene>, _frame: &Frame) {}

    /// Whether it may add bodies to the world.
    fn may_spawn(&self) -> bool {
        false
    }

    /// Whether the run goes on where the motion of the reference is over and the vehicle stands.
    fn outlasts_reference(&self) -> bool {
        false
    }
}

/// A run without hooks.
#[derive(Clone, Copy, Debug)]
pub struct NoHooks;

impl RunHooks for NoHooks {}

impl Run<'_> {
    /// Lets the hooks change the world before a step; returns whether the run goes on.
    pub(super) fn hooks_before_step(&mut self) -> bool {
        let Some(hooks) = &mut self.hooks else { return true };
        let changes = match hooks.before_step(self.world) {
            Ok(changes) => changes,
            Err(problems) => {
                self.ended = Some(Err(problems));
                return false;
            }
        };
        for change in changes {
            if let Change::World(ExternalChange::Command(name, _)) = &change {
                let vehicle = self.world.scene().vehicle_index(name);
                self.held.retain(|held| Some(held.vehicle) != vehicle);
            }
            self.tell(change);
        }
        self.follow_scene();
        true
    }

    /// Shows the hooks the step that has been made.
    pub(super) fn hooks_after_step(&mut self) {
        let Some(hooks) = &mut self.hooks else { return };
        match hooks.after_step(&self.scene, self.world.frame()) {
            Ok(true) => {}
            Ok(false) => self.ended = Some(Ok(())),
            Err(problems) => self.ended = Some(Err(problems)),
        }
    }

    /// Calls the hooks while time stands.
    pub(super) fn hooks_while_idle(&mut self) {
        if let Some(Err(problems)) = self.hooks.as_mut().map(|hooks| hooks.idle()) {
            self.ended = Some(Err(problems));
        }
    }
}
