//! The world: bodies, maps and vehicles, and the step that moves them.
mod frame;
mod physics;
mod scene;
#[allow(clippy::module_inception)] // The module is named after its main noun.
mod world;
pub use frame::{Frame, Setpoint, VehicleFrame, WheelFrame};
pub use physics::{BodyIndex, Inertia, Physics, Piece, Wrench};
pub use scene::{Accepts, BlockInfo, Scene, VehicleInfo, WheelInfo};
pub use world::{CommandError, LoadOptions, StepError, World};
