//! The world: owns everything that moves.
use super::{Frame, Scene};
use crate::time::SimTime;
use crate::vehicle::Command;
use std::path::Path;
/// How to load.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Seed of all noise.
    pub seed: Option<u64>,
    /// Let `$(command)` run.
    pub allow_commands: bool,
}
/// Why a step failed.
#[derive(Debug, thiserror::Error)]
#[error("vehicle \"{vehicle}\" has a non-finite {quantity} at {time}")]
pub struct StepError {
    /// Name of the vehicle.
    pub vehicle: String,
    /// What is not finite.
    pub quantity: &'static str,
    /// When.
    pub time: SimTime,
}
/// Why a command was refused.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CommandError(pub String);
/// A world.
pub struct World;
impl World {
    /// Loads (in the end: returns (World, warnings) or crate::xml::Problems).
    pub fn load(_path: &Path, _options: &LoadOptions) -> Result<(World, Vec<String>), String> {
        unimplemented!()
    }
    /// Loads from text; `name` stands for the file.
    pub fn load_text(
        _name: &str,
        _directory: &Path,
        _text: &str,
        _options: &LoadOptions,
    ) -> Result<(World, Vec<String>), String> {
        unimplemented!()
    }
    /// The fixed facts.
    pub fn scene(&self) -> &std::sync::Arc<Scene> {
        unimplemented!()
    }
    /// The last frame (before the first step: the start).
    pub fn frame(&self) -> &Frame {
        unimplemented!()
    }
    /// Hands over a command, taken at the start of the next step.
    pub fn command(&mut self, _command: Command) -> Result<(), CommandError> {
        unimplemented!()
    }
    /// One step of `scene().step`.
    pub fn step(&mut self) -> Result<&Frame, StepError> {
        unimplemented!()
    }
    /// Everything back to the start, time goes on.
    pub fn reset(&mut self) {
        unimplemented!()
    }
    /// None: commands hold for ever (the default).
    pub fn set_command_timeout(&mut self, _timeout: Option<SimTime>) {
        unimplemented!()
    }
    /// Range noise of every lidar [m]; none: as loaded.
    pub fn set_range_noise(&mut self, _std: Option<f64>) {
        unimplemented!()
    }
}
