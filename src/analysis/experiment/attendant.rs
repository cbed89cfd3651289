//! Who attends a run that is stepped in this process: changes its world between two steps, watches its frames, and may end it.

use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostics;
use skidpad_run::runner::Change;
use skidpad_sim::world::{Frame, Scene, World};

use super::Equipment;

/// Attends a run; without a body of their own its functions let it be.
pub trait Attendant {
    /// Called once before the first step, with the world as it has been equipped.
    ///
    /// # Errors
    /// The run cannot be made.
    fn begin(&mut self, _world: &mut World, _equipment: &Equipment) -> Result<(), Diagnostics> {
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

    /// Called once after the last step, unless the run has failed.
    fn end(&mut self, _scene: &Arc<Scene>, _frame: &Frame) {}

    /// Whether the run goes on where the motion of the reference is over and the vehicle stands.
    fn outlasts_reference(&self) -> bool {
        false
    }
}

/// Nobody attends the run.
#[derive(Clone, Copy, Debug)]
pub struct Unattended;

impl Attendant for Unattended {}
