//! The commands of a vehicle, common to all senders: ROS, a commands file, a tracker, a viewer.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::{Pose2, Pose3, Twist2};
use thiserror::Error;

use super::placing::wrong_pose;

/// A command to one vehicle, taken at the start of the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Command {
    /// Index of the vehicle in the scene.
    pub vehicle: usize,
    /// The commanded action.
    pub action: Action,
}

/// The kinds of command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Move with this velocity of the reference point, in the body frame [m/s, rad/s]. Replaces any earlier command.
    Twist(Twist2),
    /// Drive at `speed` [m/s] (negative: backwards) with the equivalent single-track `steering_angle` [rad].
    Ackermann {
        /// Speed of the reference point along the body's x axis [m/s]; for a model with a `reference` of its own, the speed of that point.
        speed: f64,
        /// Steering angle [rad], positive to the left.
        steering_angle: f64,
    },
    /// As [`Action::Ackermann`], approached within rate limits.
    LimitedAckermann {
        /// Speed [m/s], as in [`Action::Ackermann`].
        speed: f64,
        /// Steering angle [rad], likewise.
        steering_angle: f64,
        /// Rate limits of the set-points.
        limits: RateLimits,
    },
    /// One or both set-points of [`Action::Ackermann`], each from a source of its own, such as the topics of a motor controller. None: as
    /// last commanded; the speed is 0 once the command in force has ended, by a teleport, a timeout or a reset.
    Setpoints {
        /// Speed [m/s], as in [`Action::Ackermann`].
        speed: Option<f64>,
        /// Steering angle [rad], likewise.
        steering_angle: Option<f64>,
    },
    /// Drive at `speed` [m/s], and turn the steering at `steering_rate` [rad/s] (positive to the left) until the lock.
    SteeringRate {
        /// As in [`Action::Ackermann`] [m/s].
        speed: f64,
        /// Rate of the equivalent single-track steering angle [rad/s].
        steering_rate: f64,
    },
    /// Spin the left and the right wheels of a vehicle that steers by differential wheel speeds at these rates [rad/s], forward positive.
    SideSpins([f64; 2]),
    /// Throttle, brake and steering of a human driver.
    Pedals {
        /// The pedals.
        pedals: Pedals,
        /// Equivalent single-track steering angle [rad], positive to the left.
        steering_angle: f64,
    },
    /// Set the spin or the torque of individual wheels and the angle of individual steering hinges. Omitted values stay unchanged.
    Wheels(WheelTargets),
    /// Stand at this pose of the world, at rest, until the next command.
    Teleport(Pose2),
}

impl Action {
    /// The speed that it asks for [m/s]. None if it asks for none, or in other units.
    pub fn speed(&self) -> Option<f64> {
        match *self {
            Action::Twist(twist) => Some(twist.linear().norm()),
            Action::Ackermann { speed, .. }
            | Action::LimitedAckermann { speed, .. }
            | Action::SteeringRate { speed, .. } => Some(speed.abs()),
            Action::Setpoints { speed, .. } => speed.map(f64::abs),
            Action::SideSpins(_) | Action::Pedals { .. } | Action::Wheels(_) | Action::Teleport(_) => None,
        }
    }
}

/// Largest rates of change of set-points; 0: as fast as possible.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RateLimits {
    /// Rate of the speed [m/s²], ≥ 0, for speeding up and slowing down.
    pub acceleration: f64,
    /// Rate of the steering angle [rad/s], ≥ 0, in both directions.
    pub steering_rate: f64,
}

/// Set-points of individual wheels and steering hinges of a vehicle with a motor at each wheel; none: unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelTargets {
    /// Angular velocity of each wheel [rad/s], forward positive, in the order of the vehicle's wheels; of four: rear left, rear right, front
    /// left, front right.
    pub spin: [Option<f64>; 4],
    /// Torque of the motor of each wheel [N·m], forward positive, in the same order; it takes the place of a spin. A wheel that gets both is
    /// given the spin. 0: it runs free.
    pub torque: [Option<f64>; 4],
    /// Angle of each front wheel [rad], positive to the left: left, right.
    pub hinge: [Option<f64>; 2],
}

impl WheelTargets {
    /// These targets, with omitted ones taken from `earlier`.
    pub fn over(self, earlier: WheelTargets) -> WheelTargets {
        WheelTargets {
            // A wheel has one of both.
            spin: std::array::from_fn(|i| self.spin[i].or(earlier.spin[i].filter(|_| self.torque[i].is_none()))),
            torque: std::array::from_fn(|i| self.torque[i].or(earlier.torque[i]).filter(|_| self.spin[i].is_none())),
            hinge: std::array::from_fn(|i| self.hinge[i].or(earlier.hinge[i])),
        }
    }
}

/// Positions of the pedals and the gear lever.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pedals {
    /// Throttle [-], 0 to 1.
    pub throttle: f64,
    /// Brake [-], 0 to 1.
    pub brake: f64,
    /// The gear lever.
    pub gear: GearLever,
}

/// Positions of the gear lever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GearLever {
    /// Forward gears.
    #[default]
    Drive,
    /// No torque reaches the wheels.
    Neutral,
    /// The reverse gear.
    Reverse,
}

/// Reason why a command is invalid for any vehicle. The only place where the numbers of commands are checked; messages quote it.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum CommandFault {
    /// A number is NaN or infinite.
    #[error("not finite")]
    NotFinite,
    /// The pose of a teleport is not one that a body can have: what is wrong, and what is accepted.
    #[error("{0}")]
    Pose(&'static str, &'static str),
    /// A number exceeds [`Action::MAX_NUMBER`].
    #[error("beyond {limit}", limit = Action::MAX_NUMBER)]
    TooLarge,
    /// A rate limit of a set-point is negative.
    #[error("{} below 0", limit.replace('_', " "))]
    NegativeLimit {
        /// `acceleration` or `steering_rate`.
        limit: &'static str,
        /// Its value [m/s²] or [rad/s].
        value: f64,
    },
    /// A pedal is beyond its travel.
    #[error("{pedal} out of 0 to 1")]
    PedalRange {
        /// `throttle` or `brake`.
        pedal: &'static str,
        /// Its position [-].
        position: f64,
    },
}

impl CommandFault {
    /// Whether the fault concerns the whole command rather than one named number.
    pub fn is_of_whole(&self) -> bool {
        matches!(self, CommandFault::NotFinite | CommandFault::TooLarge)
    }

    /// What was found and what is accepted, to follow the name of the command.
    pub fn explained(&self) -> Diagnostic {
        match self {
            CommandFault::NotFinite => Diagnostic::of("holds a number that is not finite").accepted("finite numbers"),
            CommandFault::Pose(wrong, accepted) => Diagnostic::of(*wrong).accepted(*accepted),
            CommandFault::TooLarge => Diagnostic::of("asks for more than any vehicle can do")
                .accepted(format!("up to {} m/s or rad/s", Action::MAX_NUMBER)),
            CommandFault::NegativeLimit { limit, value } => {
                let found = format!("{} {value} is negative", limit.replace('_', " "));
                Diagnostic::of(found).accepted("0 (as fast as possible) or more")
            }
            CommandFault::PedalRange { pedal, position } => {
                Diagnostic::of(format!("{pedal} {position} is out of range")).accepted("0 to 1")
            }
        }
    }
}

impl Action {
    /// Speeds [m/s], yaw rates [rad/s] and steering angles [rad] beyond this are mistakes: no vehicle can reach them, and
    /// their squares and sums would overflow.
    pub const MAX_NUMBER: f64 = 1e6;

    /// The reason why no vehicle can carry out the command, whichever commands it accepts; none for a valid command.
    pub fn fault(&self) -> Option<CommandFault> {
        match self {
            Action::Teleport(pose) if !pose.is_finite() => Some(CommandFault::NotFinite),
            Action::Teleport(Pose2 { x, y, yaw }) => {
                let pose = Pose3 { x: *x, y: *y, yaw: *yaw, ..Pose3::default() };
                wrong_pose(&pose).map(|(wrong, accepted)| CommandFault::Pose(wrong, accepted))
            }
            Action::Setpoints { speed, steering_angle } => Action::Ackermann {
                speed: speed.unwrap_or_default(),
                steering_angle: steering_angle.unwrap_or_default(),
            }
            .fault(),
            _ => self.kind().and_then(|(kind, numbers)| kind.fault(&numbers)),
        }
    }
}

/// The kinds of command that a controller takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accepts {
    /// Velocity commands ([`Action::Twist`]).
    pub twist: bool,
    /// Speed and steering angle ([`Action::Ackermann`]).
    pub ackermann: bool,
    /// Throttle, brake and steering ([`Action::Pedals`]).
    pub pedals: bool,
    /// Single wheels and hinges ([`Action::Wheels`]).
    pub wheels: bool,
    /// Torques among those for single wheels, besides spins.
    pub wheel_torques: bool,
    /// Speeds of the left and the right wheels ([`Action::SideSpins`]).
    pub side_spins: bool,
}

impl Accepts {
    /// Whether any kind is taken.
    pub fn any(&self) -> bool {
        self.twist || self.ackermann || self.pedals || self.wheels || self.side_spins
    }

    /// Whether this command is taken, and the name of its kind in messages. Every vehicle takes a teleport.
    pub fn takes(&self, action: &Action) -> (bool, &'static str) {
        match action {
            Action::Twist(_) => (self.twist, "velocity"),
            Action::Ackermann { .. } | Action::LimitedAckermann { .. } | Action::Setpoints { .. } => {
                (self.ackermann, "Ackermann")
            }
            Action::SteeringRate { .. } => (self.ackermann, "steering rate"),
            Action::SideSpins(_) => (self.side_spins, "wheel speed"),
            Action::Pedals { .. } => (self.pedals, "pedals"),
            Action::Wheels(targets) if targets.torque != [None; 4] => (self.wheel_torques, "wheel torque"),
            Action::Wheels(_) => (self.wheels, "wheels"),
            Action::Teleport(_) => (true, "teleport"),
        }
    }

    /// The names of the kinds of command, for messages.
    pub fn names(&self) -> String {
        let kinds = [
            (self.twist, "velocity"),
            (self.ackermann, "Ackermann"),
            (self.pedals, "pedals"),
            (self.wheels, "wheels"),
            (self.side_spins, "wheel speeds"),
        ];
        let names: Vec<&str> = kinds.iter().filter(|(taken, _)| *taken).map(|(_, name)| *name).collect();
        if names.is_empty() { "none, its controller is raw".into() } else { names.join(", ") }
    }
}
