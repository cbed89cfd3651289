//! The world: bodies, maps and vehicles, and the step that moves them.

pub mod actor;
pub mod animation;
mod blocks;
mod carry;
mod catalogue;
mod error;
mod frame;
pub mod georeference;
pub mod joint;
mod ledges;
mod load;
pub mod looks;
pub mod map_file;
mod mover;
mod own;
mod physics;
pub mod point_file;
mod population;
pub mod region;
mod relocate;
mod reset;
mod scene;
mod settle;
#[cfg(test)]
mod slope_tests;
mod start;
mod state;
pub mod terrain;
mod track;
mod tune;
pub mod visual;
pub mod wall;
#[expect(clippy::module_inception, reason = "the module is named after its main noun")]
mod world;

pub use catalogue::{
    Catalogue, ClassInfo, EntityKind, Recipe, SpawnError, SpawnErrorKind, SpawnRequest, SpawnWhat, StateError,
};
pub use error::{CommandError, StepError};
pub use frame::{Frame, VehicleFrame};
pub use load::{LoadOptions, Loading, PhysicsRules};
pub use physics::{BodyIndex, JointEnd, JointLaw, JointNumber, Physics, SceneryIndex};
pub use relocate::OdometryOnTeleport;
pub use reset::ResetScope;
pub use scene::{BlockInfo, BodyRef, ChassisMass, EntityId, Publish, Scene, VehicleInfo, WheelInfo};
pub use tune::TuneError;
pub use world::World;

pub use crate::vehicle::{Accepts, PowertrainFrame, Setpoint, WheelFrame};
