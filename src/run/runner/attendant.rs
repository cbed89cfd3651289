//! Who attends a run: changes its world between two steps, watches its frames, and may end it. A run in this process without a wall clock has
//! one as well as one of the runner.

use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostics;
use skidpad_sim::world::{ExternalChange, Frame, Scene, World};

use super::{Change, Run};

/// Attends a run; without a body of their own its functions let it be.
pub trait Attendant {
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

/// Nobody attends the run.
#[derive(Clone, Copy, Debug)]
pub struct Unattended;

impl Attendant for Unattended {}

impl Run<'_> {
    /// Lets the attendant change the world before a step; returns whether the run goes on.
    pub(super) fn attend_before_step(&mut self) -> bool {
        let Some(attendant) = &mut self.attendant else { return true };
        let changes = match attendant.before_step(self.world) {
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

    /// Shows the attendant the step that has been made.
    pub(super) fn attend_after_step(&mut self) {
        let Some(attendant) = &mut self.attendant else { return };
        match attendant.after_step(&self.scene, self.world.frame()) {
            Ok(true) => {}
            Ok(false) => self.ended = Some(Ok(())),
            Err(problems) => self.ended = Some(Err(problems)),
        }
    }

    /// Lets the attendant look around while time stands.
    pub(super) fn attend_idle(&mut self) {
        if let Some(Err(problems)) = self.attendant.as_mut().map(|attendant| attendant.idle()) {
            self.ended = Some(Err(problems));
        }
    }
}
