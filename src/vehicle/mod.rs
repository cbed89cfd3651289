//! Vehicles: chassis, wheels, drive, controller, and the commands they take.

mod brake;
pub mod chassis;
mod command;
pub mod controller;
pub mod drive;
pub mod loads;
mod odometry;
#[expect(clippy::module_inception, reason = "the module is named after its main noun")]
mod vehicle;
mod wheel;

pub use command::{Action, Command};
pub use controller::{CONTROLLERS, Controller, ControllerEntry};
pub use drive::{DRIVES, Drive, DriveEntry};
pub use odometry::{Odometry, OdometrySource};
pub use vehicle::{
    Effect, Situation, SlopeRule, Vehicle, VehicleParts, WeightRule, WheelGround, collision_pieces, total_inertia,
    wheel_outline,
};
pub use wheel::{Wheel, WheelParameters};
