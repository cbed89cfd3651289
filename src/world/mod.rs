//! The world: bodies, maps and vehicles, and the step that moves them.
mod frame;
mod scene;
#[allow(clippy::module_inception)]
mod world;
pub use frame::{Frame, Setpoint, VehicleFrame, WheelFrame};
pub use scene::{Accepts, BlockInfo, Scene, VehicleInfo, WheelInfo};
pub use world::{CommandError, LoadOptions, StepError, World};
