//! The world: bodies, maps and vehicles, and the step that moves them.

pub mod actor;
mod amend;
mod animate;
pub mod animation;
mod articulation;
mod attitude;
mod between;
#[cfg(test)]
mod between_tests;
mod block_slope;
#[cfg(test)]
mod block_slope_tests;
mod blocks;
mod catalogue;
mod commands;
mod contact_sensing;
pub mod document;
pub mod drawing;
mod driver;
mod error;
mod faults;
mod fill_frame;
mod follow_ground;
mod frame;
pub mod joint;
mod journal;
pub mod label;
mod ledges;
mod load;
pub mod map_file;
pub mod map_world;
mod meet_actors;
mod photographer;
mod physics;
#[cfg(test)]
mod placing_tests;
pub mod point_file;
mod population;
pub mod region;
mod replace;
mod reset;
mod scene;
mod sensing;
mod set_state;
mod settings;
#[cfg(test)]
mod slope_tests;
mod spot;
mod start;
mod surroundings;
mod teleport;
pub mod terrain;
mod tune;
mod vehicles;
pub mod viewer_scene;
pub mod visual;
pub mod wall;
mod wanted;
#[cfg(test)]
mod wanted_tests;
#[expect(clippy::module_inception, reason = "the module is named after its main noun")]
mod world;

pub use amend::{Amended, Amendment, Touched};
pub use between::pose_between;
pub use catalogue::{
    Catalogue, ClassInfo, EntityKind, Recipe, SpawnError, SpawnErrorKind, SpawnRequest, SpawnWhat, StateError,
};
pub use error::{CommandError, StepError};
pub use faults::{CommandLink, SensorFault};
pub use frame::{Frame, VehicleFrame};
pub use journal::Deed;
pub use load::{LoadOptions, Loading, PhysicsRules, PreparedMap, StepTrial, Written};
pub use photographer::{Photographer, Viewpoint};
pub use physics::{BodyIndex, JointEnd, JointLaw, JointNumber, Physics, SceneryIndex};
pub use reset::ResetScope;
pub use scene::{
    BeltInfo, BlockInfo, BodyRef, ChassisMass, EntityId, FrontFrameInfo, Publish, Scene, VehicleInfo, WheelInfo,
};
pub use spot::Spot;
pub use teleport::{FASTEST_MOTION, OdometryOnTeleport};
pub use tune::TuneError;
pub use wanted::Wanted;
pub use world::World;

pub use crate::vehicle::{Accepts, OdometryUncertainty, PowertrainFrame, Setpoint, WheelFrame, WheelSlip};
