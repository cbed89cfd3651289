//! The world: bodies, maps and vehicles, and the step that moves them.

pub mod actor;
pub mod animation;
mod blocks;
mod changes;
pub mod document;
pub mod drawing;
mod driver;
mod entity;
mod error;
mod frame;
pub mod joint;
pub mod label;
mod label_boxes;
mod load;
pub mod map_file;
pub mod map_world;
mod photographer;
mod physics;
pub mod point_file;
pub mod region;
mod scene;
mod step;
mod surroundings;
pub mod terrain;
mod vehicles;
pub mod viewer_scene;
pub mod visual;
pub mod wall;
pub mod wind;
#[expect(clippy::module_inception, reason = "the module is named after its main noun")]
mod world;

pub use changes::amend::{Amended, Amendment, Touched};
pub use changes::catalogue::{
    Catalogue, ClassInfo, EntityKind, Recipe, SpawnError, SpawnErrorKind, SpawnRequest, SpawnSource, StateError,
};
pub use changes::external_change::ExternalChange;
pub use changes::faults::{CommandLink, SensorFault};
pub use changes::reset::ResetScope;
pub use changes::spot::Spot;
pub use changes::teleport::{MAX_MOTION_SPEED, OdometryOnTeleport};
pub use changes::tune::TuneError;
pub use changes::wanted::Wanted;
pub use changes::wrench::AppliedWrench;
pub use entity::{EntityRef, EntityVelocity};
pub use error::{CommandError, StepError};
pub use frame::{Frame, VehicleFrame};
pub use label_boxes::{LabelBox, label_boxes};
pub use load::{LoadOptions, Loading, PhysicsRules, PreparedMap, StepCheck, Written};
pub use photographer::{Photographer, Viewpoint};
pub use physics::{BodyIndex, JointEnd, JointLaw, JointNumber, Physics, SceneryIndex};
pub use scene::{
    BeltInfo, BlockInfo, BodyRef, ChassisMass, EntityId, FrontFrameInfo, Publish, Scene, VehicleInfo, WheelInfo,
};
pub use step::interpolation::pose_between;
pub use world::World;

pub use crate::vehicle::{Accepts, OdometryUncertainty, PowertrainFrame, Setpoint, WheelFrame, WheelSlip};
