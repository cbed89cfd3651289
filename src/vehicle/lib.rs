//! Vehicles: chassis, wheels, drive, controller, and the commands they take.

mod actuation;
pub mod air;
pub mod articulation;
mod brake;
pub mod chassis;
mod command;
mod command_fields;
mod command_kinds;
pub mod controller;
mod coupled_wheels;
mod demand;
pub mod drive;
mod frame;
pub mod friction;
mod ground_forces;
mod held_mass;
pub mod inputs;
pub mod integrate;
mod lag;
pub mod lateral;
pub mod loads;
mod motion_model;
mod odometry;
mod orders;
mod pairs;
mod parts;
mod placing;
pub mod powertrain;
mod ramp;
pub mod resistance;
mod rigid_body;
pub mod service_brakes;
mod servo;
mod starting;
pub mod steering_actuator;
mod step;
mod stiffness;
pub mod suspension;
pub mod tracks;
mod vehicle;
mod wheel;
pub mod wheel_kinematics;

pub use actuation::{Actuation, MAX_MOTORS};
pub use command::{Accepts, Action, Command, CommandFault, GearLever, Pedals, RateLimits, WheelTargets};
pub use command_fields::{FieldNumber, FieldValue};
pub use command_kinds::{
    COMMANDS, CommandField, CommandKind, CommandNumbers, CommandRange, MAX_NUMBERS, Omitted, field_of_column,
};
pub use controller::{CONTROLLERS, Controller, ControllerEntry, Tunable};
pub use demand::{CommandCounts, Demand, Limits};
pub use drive::{DRIVES, Drive, DriveEntry};
pub use frame::{PowertrainFrame, Setpoint, VehicleOutput, WheelFrame, WheelSlip};
pub use motion_model::AccelerationInput;
pub use odometry::{Integration, Odometry, OdometryNoise, OdometrySource, OdometryUncertainty, Stiffness};
pub use placing::{MAX_COORDINATE, wrong_pose};
pub use rigid_body::{Inertia, Piece, Wrench, collision_pieces, rectangle, total_inertia, wheel_outline};
pub use vehicle::{Effect, ForceFrame, Situation, SlopeRule, Vehicle, VehicleParts, WeightRule};
pub use wheel::{Wheel, WheelGround, WheelParameters};

/// Default gravity [m/s²] of worlds, as in MVSim; also used for vehicle defaults that depend on weight.
pub const STANDARD_GRAVITY: f64 = 9.81;
