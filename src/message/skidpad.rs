//! skidpad's own messages, field by field as in `msg/`.

use serde::{Deserialize, Serialize};

use super::standard::{Header, Vector3};

types! {
    WheelState: "skidpad/msg/WheelState" = "string name\nfloat64 steer_angle\nfloat64 spin_angle\nfloat64 spin\nfloat64 slip_ratio\nfloat64 slip_angle\ngeometry_msgs/Vector3 force\nfloat64 torque\nbool lifted\n";
    WheelStates: "skidpad/msg/WheelStates" = "std_msgs/Header header\nskidpad/WheelState[] wheels\n";
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
