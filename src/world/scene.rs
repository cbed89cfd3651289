//! The part of a world that does not move: what a sink needs to know once, before the first frame.

use std::sync::Arc;

use crate::math::{Pose2, Vec2};
use crate::raycast::OccupancyGrid;
use crate::sensor::SensorInfo;
use crate::time::SimTime;

/// Names, shapes and maps of a loaded world. Indices into its lists are used by frames and commands.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The world file, or the name of a generated world.
    pub name: String,
    /// Physics step [ns].
    pub step: SimTime,
    /// Seed of all noise.
    pub seed: u64,
    /// Vehicles in the order of the file.
    pub vehicles: Vec<VehicleInfo>,
    /// Blocks and walls in the order of the file.
    pub blocks: Vec<BlockInfo>,
    /// Occupancy maps in the order of the file.
    pub maps: Vec<Arc<OccupancyGrid>>,
}

impl Scene {
    /// Index of the vehicle called `name`.
    pub fn vehicle_index(&self, name: &str) -> Option<usize> {
        self.vehicles.iter().position(|v| v.name == name)
    }
}

/// The fixed facts about a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleInfo {
    /// Unique name.
    pub name: String,
    /// Class in the world file, empty when it has none.
    pub class: String,
    /// Class of its drive in the world file, such as `ackermann`.
    pub dynamics: String,
    /// Outline of the chassis [m] in the vehicle's reference frame, not closed.
    pub outline: Vec<Vec2>,
    /// Lower and upper end of the chassis [m].
    pub chassis_z: [f64; 2],
    /// Colour of the chassis, red green blue alpha.
    pub color: [u8; 4],
    /// Wheels in index order.
    pub wheels: Vec<WheelInfo>,
    /// Sensors in the order of the file.
    pub sensors: Vec<SensorInfo>,
    /// Pose at the start, in the world [m, rad].
    pub world_from_start: Pose2,
    /// Which commands its controller takes.
    pub accepts: Accepts,
    /// Total mass [kg] with wheels.
    pub mass: f64,
    /// Distance of the axles [m] when it steers, otherwise none.
    pub wheelbase: Option<f64>,
    /// Largest steering angle [rad] of the equivalent single track, when it steers.
    pub max_steer: Option<f64>,
    /// Where its CSV log goes: the world's `<log_path>` prefix.
    pub log_path: String,
    /// Whether the CSV log starts by itself.
    pub auto_start_recording: bool,
}

/// The commands that a controller takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepts {
    /// Velocity commands ([`Command::Twist`](crate::vehicle::Command)).
    pub twist: bool,
    /// Speed and steering angle ([`Command::Ackermann`](crate::vehicle::Command)).
    pub ackermann: bool,
}

/// The fixed facts about a wheel.
#[derive(Clone, Debug, PartialEq)]
pub struct WheelInfo {
    /// Short name from the drive, such as `rl_wheel`.
    pub name: String,
    /// Centre [m] in the vehicle's reference frame.
    pub position: Vec2,
    /// Radius [m].
    pub radius: f64,
    /// Width [m].
    pub width: f64,
    /// True when the drive turns it.
    pub steered: bool,
    /// Colour, red green blue alpha.
    pub color: [u8; 4],
}

/// The fixed facts about a block or wall.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockInfo {
    /// Name in the file, or a generated one.
    pub name: String,
    /// Outline [m] in the block's frame, not closed.
    pub outline: Vec<Vec2>,
    /// Lower and upper end [m].
    pub z: [f64; 2],
    /// Colour, red green blue alpha.
    pub color: [u8; 4],
    /// Static blocks never move and have no entry in a frame's `blocks` that changes.
    pub is_static: bool,
    /// Pose at the start, in the world [m, rad].
    pub world_from_start: Pose2,
}
