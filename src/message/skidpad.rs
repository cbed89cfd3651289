//! skidpad's own messages, field by field as in `msg/`.

use serde::{Deserialize, Serialize};

use super::standard::{Header, Pose, Twist, Vector3};

types! {
    WheelState: "skidpad/msg/WheelState" = "string name\nfloat64 steer_angle\nfloat64 spin_angle\nfloat64 spin\nfloat64 slip_ratio\nfloat64 slip_angle\ngeometry_msgs/Vector3 force\nfloat64 torque\nbool lifted\n";
    WheelStates: "skidpad/msg/WheelStates" = "std_msgs/Header header\nskidpad/WheelState[] wheels\n";
    VehicleState: "skidpad/msg/VehicleState" = "uint8 NO_DRIVER=0\nuint8 DRIVER_WAITS=1\nuint8 DRIVER_DRIVES=2\nstd_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Pose pose\ngeometry_msgs/Twist twist\ngeometry_msgs/Vector3 acceleration\nfloat64 odometry_x\nfloat64 odometry_y\nfloat64 odometry_yaw\nfloat64 wanted_speed\nfloat64 wanted_yaw_rate\nfloat64 wanted_steering_angle\nfloat64 throttle\nfloat64 brake\nfloat64 engine_speed\nfloat64 engine_torque\nfloat64 point_x\nfloat64 point_y\nfloat64 reference_x\nfloat64 reference_y\nfloat64 reference_yaw\nint8 gear\nbool colliding\nuint8 driver\n";
    Pedals: "skidpad/msg/Pedals" = "int8 DRIVE=0\nint8 NEUTRAL=1\nint8 REVERSE=-1\nstd_msgs/Header header\nfloat64 throttle\nfloat64 brake\nfloat64 steering_angle\nint8 gear\n";
    Statistics: "skidpad/msg/Statistics";
}

/// `skidpad/msg/WheelState`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelState {
    /// As in the world file.
    pub name: String,
    /// [rad].
    pub steer_angle: f64,
    /// [rad].
    pub spin_angle: f64,
    /// [rad/s].
    pub spin: f64,
    /// [-].
    pub slip_ratio: f64,
    /// [rad].
    pub slip_angle: f64,
    /// Of the ground on the wheel, in the wheel frame [N].
    pub force: Vector3,
    /// [N·m].
    pub torque: f64,
    /// Whether it is off the ground.
    pub lifted: bool,
}

/// `skidpad/msg/WheelStates`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WheelStates {
    /// When, and in which frame.
    pub header: Header,
    /// In the order of the world file.
    pub wheels: Vec<WheelState>,
}

/// `skidpad/msg/VehicleState`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct VehicleState {
    /// When, and the map.
    pub header: Header,
    /// The vehicle's base frame.
    pub child_frame_id: String,
    /// Of the base frame in the map [m].
    pub pose: Pose,
    /// Along the axes of the base frame [m/s, rad/s].
    pub twist: Twist,
    /// Along the same axes [m/s²].
    pub acceleration: Vector3,
    /// Where the odometry believes to be, in its own frame [m].
    pub odometry_x: f64,
    /// [m].
    pub odometry_y: f64,
    /// [rad].
    pub odometry_yaw: f64,
    /// Set-point after its limits [m/s].
    pub wanted_speed: f64,
    /// [rad/s].
    pub wanted_yaw_rate: f64,
    /// [rad], positive to the left.
    pub wanted_steering_angle: f64,
    /// [-], 0 to 1.
    pub throttle: f64,
    /// [-], 0 to 1.
    pub brake: f64,
    /// [rad/s].
    pub engine_speed: f64,
    /// [N·m].
    pub engine_torque: f64,
    /// The point that the driver guides, in the map [m].
    pub point_x: f64,
    /// [m].
    pub point_y: f64,
    /// Where that point shall be, in the map [m].
    pub reference_x: f64,
    /// [m].
    pub reference_y: f64,
    /// Heading of the path there [rad].
    pub reference_yaw: f64,
    /// Engaged: 1 and up forward, 0 neutral, -1 reverse.
    pub gear: i8,
    /// Whether it touches something.
    pub colliding: bool,
    /// One of the constants.
    pub driver: u8,
}

impl VehicleState {
    /// It has none.
    pub const NO_DRIVER: u8 = 0;
    /// It waits, or somebody else has taken the vehicle over.
    pub const DRIVER_WAITS: u8 = 1;
    /// It drives.
    pub const DRIVER_DRIVES: u8 = 2;
}

/// `skidpad/msg/Pedals`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Pedals {
    /// When, and in which frame.
    pub header: Header,
    /// [-], 0 to 1.
    pub throttle: f64,
    /// [-], 0 to 1.
    pub brake: f64,
    /// [rad], positive to the left.
    pub steering_angle: f64,
    /// One of the constants.
    pub gear: i8,
}

impl Pedals {
    /// Forward gears.
    pub const DRIVE: i8 = 0;
    /// Nothing is driven.
    pub const NEUTRAL: i8 = 1;
    /// The reverse gear.
    pub const REVERSE: i8 = -1;
}

/// `skidpad/msg/Statistics`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// When the window ends.
    pub header: Header,
    /// Wall time that it covers [s].
    pub window: f64,
    /// Simulated over wall time asked for [-]; 0: as fast as possible.
    pub rate: f64,
    /// Whether time stands.
    pub paused: bool,
    /// Simulated over wall time, without pauses [-].
    pub real_time_factor: f64,
    /// Made in the window.
    pub steps: u64,
    /// Wall time of a step, without publishing and writing [s].
    pub step_time_mean: f64,
    /// Exceeded by one step in a hundred [s].
    pub step_time_p99: f64,
    /// [s].
    pub step_time_max: f64,
    /// Wall time spent on handing frames over to the outputs [s].
    pub sink_time: f64,
    /// Wall time spent on waiting for commands [s].
    pub lockstep_wait: f64,
    /// Cast by lidars, per wall second [1/s].
    pub rays_per_second: f64,
    /// Taken by vehicles, per wall second [1/s].
    pub commands_per_second: f64,
    /// Taken by vehicles since the start or the last reset.
    pub commands: u64,
    /// Of those, with a number beyond a limit of the vehicle.
    pub saturated_commands: u64,
    /// Of those, motions that no wheel angle makes.
    pub infeasible_commands: u64,
    /// Since the start: times that the simulation was 0.25 s late and gave the lost time up.
    pub overruns: u64,
    /// Since the start: instants that outputs have left out.
    pub dropped: u64,
    /// Name of each output.
    pub outputs: Vec<String>,
    /// Instants that wait in each to be sent or written.
    pub waiting: Vec<u64>,
    /// Instants that each has left out since the start.
    pub dropped_by_output: Vec<u64>,
}
