//! The fixed part of a world, which a sink needs once, before the first frame.

use std::sync::Arc;

use skidpad_files::mesh::primitives::Geometry;
use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec2};
use skidpad_xml::Place;

use super::actor::ActorInfo;
use super::joint::JointInfo;
use super::label::{Label, LabelledPart};
use super::region::Region;
use super::terrain::{BlockTop, ElevationInfo, PlaneInfo};
use super::viewer_scene::ViewerScene;
use super::visual::Visual;
use super::wall::WallInfo;
use crate::georeference::Georeference;
use crate::raycast::OccupancyGrid;
use crate::sensor::SensorInfo;
use crate::vehicle::{AccelerationInput, Accepts, Tunable};

/// Names, shapes and maps of a loaded world. Indices into its lists are used by frames and commands.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The world file, or the name of a generated world.
    pub name: String,
    /// Physics step [ns].
    pub step: SimTime,
    /// Seed of all noise.
    pub seed: u64,
    /// Incremented whenever a vehicle or a block is added or removed; indices may shift then, ids never change.
    pub revision: u64,
    /// Vehicles in the order of the file.
    pub vehicles: Vec<VehicleInfo>,
    /// Blocks and walls in the order of the file.
    pub blocks: Vec<BlockInfo>,
    /// Occupancy maps in the order of the file.
    pub maps: Vec<Arc<OccupancyGrid>>,
    /// Labels of the floor and of the occupied cells of each map.
    pub map_labels: Vec<[LabelledPart; 2]>,
    /// Horizontal planes in the order of the file.
    pub planes: Vec<PlaneInfo>,
    /// Height maps in the order of the file.
    pub elevations: Vec<ElevationInfo>,
    /// Vertical planes in the order of the file.
    pub walls: Vec<WallInfo>,
    /// Regions with properties of their own, in the order of the file.
    pub regions: Vec<Region>,
    /// Joints in the order of the file.
    pub joints: Vec<JointInfo>,
    /// Actors in the order of the file.
    pub actors: Vec<ActorInfo>,
    /// Location of the world on Earth, if given.
    pub georeference: Option<Georeference>,
    /// Elements for viewers only.
    pub viewer_scene: ViewerScene,
    /// Names of the classes of labels: number 1, 2, … Classes are added, and never removed.
    pub label_classes: Vec<String>,
}

impl Scene {
    /// Name of a body.
    pub fn body_name(&self, body: BodyRef) -> &str {
        match body {
            BodyRef::Vehicle(index) => &self.vehicles[index].name,
            BodyRef::Block(index) => &self.blocks[index].name,
        }
    }

    /// Id of a body.
    pub fn body_id(&self, body: BodyRef) -> EntityId {
        match body {
            BodyRef::Vehicle(index) => self.vehicles[index].id,
            BodyRef::Block(index) => self.blocks[index].id,
        }
    }

    /// The body called `name`.
    pub fn body(&self, name: &str) -> Option<BodyRef> {
        let block = || self.blocks.iter().position(|block| block.name == name).map(BodyRef::Block);
        self.vehicle_index(name).map(BodyRef::Vehicle).or_else(block)
    }

    /// Index of the vehicle with this id, if it is still present.
    pub fn vehicle_of(&self, id: EntityId) -> Option<usize> {
        self.vehicles.iter().position(|vehicle| vehicle.id == id)
    }

    /// Index of the block with this id, if it is still present.
    pub fn block_of(&self, id: EntityId) -> Option<usize> {
        self.blocks.iter().position(|block| block.id == id)
    }

    /// Index of the actor with this id, if it is still present.
    pub fn actor_of(&self, id: EntityId) -> Option<usize> {
        self.actors.iter().position(|actor| actor.id == id)
    }

    /// Index of the vehicle called `name`.
    pub fn vehicle_index(&self, name: &str) -> Option<usize> {
        self.vehicles.iter().position(|v| v.name == name)
    }
}

/// A vehicle or a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyRef {
    /// The vehicle of this index in [`Scene::vehicles`].
    Vehicle(usize),
    /// The block of this index in [`Scene::blocks`].
    Block(usize),
}

/// Identifier of a vehicle, a block or an actor, never reused within a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(pub u64);

/// The fixed facts about a vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VehicleInfo {
    /// Its id, which stays when others come and go.
    pub id: EntityId,
    /// Unique name.
    pub name: String,
    /// Class in the world file, empty when it has none.
    pub class: String,
    /// What sensors say of it.
    pub label: Label,
    /// Class of its drive in the world file, such as `ackermann`.
    pub dynamics: String,
    /// Whether its motion is prescribed, so that it cannot be placed elsewhere.
    pub is_animated: bool,
    /// Whether it collides with nothing; lidars see it.
    pub is_intangible: bool,
    /// Outline of the chassis [m] in the vehicle's reference frame, not closed.
    pub outline: Vec<Vec2>,
    /// Lower and upper end of the chassis [m].
    pub chassis_z: [f64; 2],
    /// Colour of the chassis, red green blue alpha.
    pub color: [u8; 4],
    /// Wheels in index order.
    pub wheels: Vec<WheelInfo>,
    /// Tracks around its wheels, left and right, if it has any.
    pub belts: Vec<BeltInfo>,
    /// The front frame of an articulated vehicle; the chassis and everything on it are then the rear one.
    pub front: Option<FrontFrameInfo>,
    /// Sensors in the order of the file.
    pub sensors: Vec<SensorInfo>,
    /// Their frames as the world file gives them, in the same order; none for one whose frame is called after it.
    pub sensor_frames: Vec<Option<String>>,
    /// Pose at the start, in the world [m, rad].
    pub world_from_start: Pose3,
    /// Visuals; empty: a prism over its outline.
    pub visuals: Vec<Visual>,
    /// Additional topics for its pose, if any.
    pub publish: Option<Publish>,
    /// Kinds of command that its controller takes.
    pub accepts: Accepts,
    /// Whether springs carry its body, which then leans against the ground.
    pub is_on_springs: bool,
    /// Whether velocity commands along its y axis move it.
    pub moves_sideways: bool,
    /// Speed along the body's x axis [m/s] and yaw rate [rad/s] up to which velocity commands are carried out; none: no limit.
    pub top_velocity: [Option<f64>; 2],
    /// Controller parameters that can be changed while it drives, with their values at the start.
    pub tunables: Vec<Tunable>,
    /// Total mass [kg] with wheels.
    pub mass: f64,
    /// Mass of the chassis without wheels.
    pub chassis: ChassisMass,
    /// Distance of the axles [m] when it steers, otherwise none.
    pub wheelbase: Option<f64>,
    /// Largest steering angle [rad] of the equivalent single track, when it steers.
    pub max_steer: Option<f64>,
    /// What its pedals mean, if they are accelerations.
    pub acceleration_input: Option<AccelerationInput>,
    /// Measured less true steering angle [rad].
    pub steering_bias: f64,
    /// The path that its driver follows, if known in advance, in the world [m]; empty: none.
    pub reference_path: Vec<Vec2>,
    /// The right and the left border of the track around that path, in the world [m]; none: no widths are known.
    pub track_borders: Option<[Vec<Vec2>; 2]>,
    /// Path prefix of the CSV log: the world's `<log_path>`.
    pub log_path: String,
    /// Whether the CSV log starts automatically.
    pub auto_start_recording: bool,
}

/// The mass of a chassis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChassisMass {
    /// Mass [kg].
    pub mass: f64,
    /// Its centre [m], in the vehicle's reference frame; half-way up where the world file gives no height.
    pub center: [f64; 3],
    /// Yaw inertia about that [kg·m²].
    pub yaw_inertia: f64,
}

/// The front frame of an articulated vehicle. It turns about the hinge by the steering angle of the wheels on it, which
/// have a pivot there. All positions are in the vehicle's reference frame, while it is straight.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrontFrameInfo {
    /// The hinge [m].
    pub hinge: Vec2,
    /// Outline of its chassis [m], not closed.
    pub outline: Vec<Vec2>,
    /// Lower and upper end of its chassis [m].
    pub z: [f64; 2],
    /// Colour of its chassis, red green blue alpha.
    pub color: [u8; 4],
    /// Mass of its chassis without wheels.
    pub chassis: ChassisMass,
    /// Visuals; empty: a prism over its outline.
    pub visuals: Vec<Visual>,
}

/// The shape of a track: a belt around half a circle at either end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BeltInfo {
    /// Middle of its ground run [m] in the vehicle's reference frame.
    pub position: Vec2,
    /// Length of the ground run [m], without the ends.
    pub length: f64,
    /// Radius of the ends [m].
    pub radius: f64,
    /// Width [m].
    pub width: f64,
    /// Colour, red green blue alpha.
    pub color: [u8; 4],
}

/// The fixed facts about a wheel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WheelInfo {
    /// Short name from the drive, such as `rl_wheel`.
    pub name: String,
    /// Centre [m] in the vehicle's reference frame, without steering.
    pub position: Vec2,
    /// The point [m] that the wheel turns about when it steers, for one on a frame that turns with it; none: its centre.
    pub pivot: Option<Vec2>,
    /// Radius [m].
    pub radius: f64,
    /// Width [m].
    pub width: f64,
    /// Mass [kg].
    pub mass: f64,
    /// Inertia about the axle [kg·m²].
    pub inertia: f64,
    /// Whether the wheel is steered.
    pub steered: bool,
    /// Angle [rad] from the body's x axis to the wheel's without steering.
    pub mount_yaw: f64,
    /// Colour, red green blue alpha.
    pub color: [u8; 4],
    /// Visuals in the wheel's frame; empty: a cylinder.
    pub visuals: Vec<Visual>,
    /// Name of a visual of the vehicle that turns with the wheel's steering, if there is one, and the angle [rad] added.
    pub linked_yaw: Option<(String, f64)>,
}

/// The fixed facts about a block or wall.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BlockInfo {
    /// Its id, which stays when others come and go.
    pub id: EntityId,
    /// Name in the file, or a generated one.
    pub name: String,
    /// What sensors say of it.
    pub label: Label,
    /// Outline [m] in the block's frame, not closed.
    pub outline: Vec<Vec2>,
    /// Lower and upper end [m].
    pub z: [f64; 2],
    /// Colour, red green blue alpha.
    pub color: [u8; 4],
    /// Static blocks never move and have no entry in a frame's `blocks` that changes.
    pub is_static: bool,
    /// Intangible blocks neither collide nor are seen by planar lidars; one can drive over them.
    pub is_intangible: bool,
    /// Whether its motion is prescribed by the world file.
    pub is_animated: bool,
    /// The shape of its upper side.
    pub top: BlockTop,
    /// Pose at the start, in the world [m, rad].
    pub world_from_start: Pose3,
    /// Visuals; empty: its geometry, or else a prism over its outline.
    pub visuals: Vec<Visual>,
    /// Its solid geometry, if given.
    pub geometry: Option<Geometry>,
    /// Topics for its pose, if any.
    pub publish: Option<Publish>,
}

impl BlockInfo {
    /// Whether other bodies push it, and it can be placed elsewhere.
    pub fn is_pushed(&self) -> bool {
        !self.is_static && !self.is_intangible && !self.is_animated
    }
}

/// Poses of a body as topics of their own, from `<publish>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Publish {
    /// Topic of the body's pose in the world; empty: none.
    pub pose_topic: String,
    /// Simulated time between poses [ns].
    pub period: SimTime,
    /// Topic of the poses of other bodies relative to this one; empty: none.
    pub relative_topic: String,
    /// Names of those bodies.
    pub relative_objects: Vec<String>,
    /// Position of the tag in the world file.
    pub place: Place,
}
