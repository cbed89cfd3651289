//! skidpad's own messages, field by field as in `msg/`.

use skidpad_sim::vehicle::GearLever;

use super::cdr::{self, CdrError};
use super::standard::{Header, Pose, Twist, Vector3};

messages! {
    WheelState = "skidpad/msg/WheelState" {
        /// Name, as in the world file.
        name: String,
        /// Steering angle [rad].
        steer_angle: f64,
        /// [rad].
        spin_angle: f64,
        /// [rad/s].
        spin: f64,
        /// [-].
        slip_ratio: f64,
        /// [rad].
        slip_angle: f64,
        /// Force of the ground on the wheel, in the wheel frame [N].
        force: Vector3,
        /// [N·m].
        torque: f64,
        /// Whether it is off the ground.
        lifted: bool,
    }

    WheelStates = "skidpad/msg/WheelStates" {
        /// Time stamp and frame.
        header: Header,
        /// The wheels in the order of the world file.
        wheels: Vec<WheelState>,
        /// Height of each above its place on the body at rest [m]; empty without springs.
        travels: Vec<f64>,
    }

    Pedals = "skidpad/msg/Pedals" + "int8 DRIVE=0\nint8 NEUTRAL=1\nint8 REVERSE=-1\n" {
        /// Time stamp and frame.
        header: Header,
        /// Throttle [-], 0 to 1.
        throttle: f64,
        /// Brake [-], 0 to 1.
        brake: f64,
        /// Steering angle [rad], positive to the left.
        steering_angle: f64,
        /// Gear lever: one of the constants.
        gear: i8,
    }

    Body = "skidpad/msg/Body" + "uint8 VEHICLE=0\nuint8 BLOCK=1\nuint8 ACTOR=2\n" {
        /// Name, as in the world file.
        name: String,
        /// Class, as in labels.
        class_name: String,
        /// What it is: one of the constants.
        kind: u8,
        /// Whether it never moves by itself.
        is_static: bool,
        /// Pose of its frame [m].
        pose: Pose,
        /// Velocity along the axes of its frame [m/s, rad/s].
        twist: Twist,
        /// Middle of its box, in its frame [m].
        box_center: Vector3,
        /// Size of its box along the axes of its frame [m].
        box_size: Vector3,
    }

    Bodies = "skidpad/msg/Bodies" {
        /// Time stamp and frame.
        header: Header,
        /// All bodies: vehicles, blocks, actors.
        bodies: Vec<Body>,
    }

    Statistics = "skidpad/msg/Statistics" {
        /// End of the window.
        header: Header,
        /// Wall time covered by the window [s].
        window: f64,
        /// Requested rate of simulated over wall time [-]; 0: as fast as possible.
        rate: f64,
        /// Whether time is stopped.
        paused: bool,
        /// Simulated over wall time, without pauses [-].
        real_time_factor: f64,
        /// Number of steps in the window.
        steps: u64,
        /// Mean wall time of a step, without publishing and writing [s].
        step_time_mean: f64,
        /// 99th percentile of the wall time of a step [s].
        step_time_p99: f64,
        /// Longest wall time of a step [s].
        step_time_max: f64,
        /// Wall time spent in the outputs [s].
        sink_time: f64,
        /// Wall time spent on waiting for commands [s].
        lockstep_wait: f64,
        /// Rays cast by lidars, per wall second [1/s].
        rays_per_second: f64,
        /// Commands accepted by vehicles, per wall second [1/s].
        commands_per_second: f64,
        /// Commands accepted by vehicles since the start or the last reset.
        commands: u64,
        /// Number of those beyond a limit of the vehicle.
        saturated_commands: u64,
        /// Number of those whose motion no wheel angle can produce.
        infeasible_commands: u64,
        /// Since the start: times that the simulation was 0.25 s late and dropped the lost time.
        overruns: u64,
        /// Since the start: instants dropped by outputs.
        dropped: u64,
        /// Name of each output.
        outputs: Vec<String>,
        /// Instants queued in each output to be sent or written.
        waiting: Vec<u64>,
        /// Instants dropped by each output since the start.
        dropped_by_output: Vec<u64>,
    }
}

impl WheelStates {
    /// Reads a message of this version or of an earlier one, which lacks the travels.
    ///
    /// # Errors
    /// As [`cdr::read`].
    pub fn read(bytes: &[u8]) -> Result<WheelStates, CdrError> {
        /// Largest size of an empty list with its alignment.
        const EMPTY_LIST: [u8; 7] = [0; 7];
        cdr::read(bytes).or_else(|_| cdr::read(&[bytes, &EMPTY_LIST].concat()))
    }
}

impl Body {
    /// A vehicle.
    pub const VEHICLE: u8 = 0;
    /// A block or a wall.
    pub const BLOCK: u8 = 1;
    /// An actor.
    pub const ACTOR: u8 = 2;
}

impl Pedals {
    /// Forward gears.
    pub const DRIVE: i8 = 0;
    /// Neutral.
    pub(crate) const NEUTRAL: i8 = 1;
    /// Reverse gear.
    pub const REVERSE: i8 = -1;

    /// The number of a position of the gear lever.
    pub(crate) fn number_of(gear: GearLever) -> i8 {
        match gear {
            GearLever::Drive => Pedals::DRIVE,
            GearLever::Neutral => Pedals::NEUTRAL,
            GearLever::Reverse => Pedals::REVERSE,
        }
    }

    /// The position of the gear lever with this number.
    pub(crate) fn gear_of(number: i8) -> Option<GearLever> {
        GearLever::POSITIONS.map(|(_, gear)| gear).into_iter().find(|gear| Pedals::number_of(*gear) == number)
    }
}
