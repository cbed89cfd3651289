//! skidpad's own messages, field by field as in `msg/`.

use super::standard::{Header, Vector3};

messages! {
    WheelState = "skidpad/msg/WheelState" {
        /// As in the world file.
        name: String,
        /// [rad].
        steer_angle: f64,
        /// [rad].
        spin_angle: f64,
        /// [rad/s].
        spin: f64,
        /// [-].
        slip_ratio: f64,
        /// [rad].
        slip_angle: f64,
        /// Of the ground on the wheel, in the wheel frame [N].
        force: Vector3,
        /// [N·m].
        torque: f64,
        /// Whether it is off the ground.
        lifted: bool,
    }

    WheelStates = "skidpad/msg/WheelStates" {
        /// When, and in which frame.
        header: Header,
        /// In the order of the world file.
        wheels: Vec<WheelState>,
    }

    Pedals = "skidpad/msg/Pedals" + "int8 DRIVE=0\nint8 NEUTRAL=1\nint8 REVERSE=-1\n" {
        /// When, and in which frame.
        header: Header,
        /// [-], 0 to 1.
        throttle: f64,
        /// [-], 0 to 1.
        brake: f64,
        /// [rad], positive to the left.
        steering_angle: f64,
        /// One of the constants.
        gear: i8,
    }

    Statistics = "skidpad/msg/Statistics" {
        /// When the window ends.
        header: Header,
        /// Wall time that it covers [s].
        window: f64,
        /// Simulated over wall time asked for [-]; 0: as fast as possible.
        rate: f64,
        /// Whether time stands.
        paused: bool,
        /// Simulated over wall time, without pauses [-].
        real_time_factor: f64,
        /// Made in the window.
        steps: u64,
        /// Wall time of a step, without publishing and writing [s].
        step_time_mean: f64,
        /// Exceeded by one step in a hundred [s].
        step_time_p99: f64,
        /// [s].
        step_time_max: f64,
        /// Wall time spent on handing frames over to the outputs [s].
        sink_time: f64,
        /// Wall time spent on waiting for commands [s].
        lockstep_wait: f64,
        /// Cast by lidars, per wall second [1/s].
        rays_per_second: f64,
        /// Taken by vehicles, per wall second [1/s].
        commands_per_second: f64,
        /// Taken by vehicles since the start or the last reset.
        commands: u64,
        /// Of those, with a number beyond a limit of the vehicle.
        saturated_commands: u64,
        /// Of those, motions that no wheel angle makes.
        infeasible_commands: u64,
        /// Since the start: times that the simulation was 0.25 s late and gave the lost time up.
        overruns: u64,
        /// Since the start: instants that outputs have left out.
        dropped: u64,
        /// Name of each output.
        outputs: Vec<String>,
        /// Instants that wait in each to be sent or written.
        waiting: Vec<u64>,
        /// Instants that each has left out since the start.
        dropped_by_output: Vec<u64>,
    }
}

impl Pedals {
    /// Forward gears.
    pub const DRIVE: i8 = 0;
    /// Nothing is driven.
    pub const NEUTRAL: i8 = 1;
    /// The reverse gear.
    pub const REVERSE: i8 = -1;
}
