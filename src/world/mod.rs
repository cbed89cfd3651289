//! The world: bodies, maps and vehicles, and the step that moves them.

mod blocks;
mod frame;
mod load;
pub mod map_file;
mod physics;
mod scene;
#[expect(clippy::module_inception, reason = "the module is named after its main noun")]
mod world;

pub use frame::{Frame, Setpoint, VehicleFrame, WheelFrame};
pub use load::{LoadOptions, PhysicsRules};
pub use physics::{BodyIndex, Inertia, Physics, Piece, Wrench};
pub use scene::{Accepts, BlockInfo, Scene, VehicleInfo, WheelInfo};
pub use world::{CommandError, StepError, World};
