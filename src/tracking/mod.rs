//! Tracking of trajectories: from where a vehicle is and where a point of it shall be, to speed and steering angle.
//!
//! ```text
//!  trajectory ─▶ PointTracker: PID and feed-forward on point P ─▶ velocity of P ─▶ Linearizer ─▶ speed, steering angle
//!                     ▲ pose, heading                                                 ▲ pose, velocity
//! ```
//! [`TrajectoryDriver`] puts the three together and is what a world or an experiment steps; as ROS nodes they run one by one.

mod driver;
mod kinematic;
mod point;

pub use driver::{TrackingFrame, TrajectoryDriver};
pub use point::{PointTracker, TrackerParameters, TrackerStep};

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::math::{Pose2, Twist2, Vec2};

/// What a tracker and a linearizer know of their vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VehicleState {
    /// Pose of the reference point [m, rad] in the frame of the trajectory.
    pub world_from_body: Pose2,
    /// Velocity of the reference point in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
}

/// What a linearizer makes of a wanted velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steer {
    /// Speed [m/s], negative: backwards.
    pub speed: f64,
    /// Steering angle [rad] of the equivalent single track, positive to the left.
    pub steering_angle: f64,
    /// Yaw rate, or turn rate of the path, that goes with it [rad/s].
    pub turn_rate: f64,
}

/// Turns the wanted velocity of point P into speed and steering angle.
pub trait Linearizer: Debug + Send {
    /// The command that gives P the velocity `velocity_in_world` [m/s], exactly where the vehicle is as the law assumes; `dt`
    /// [s] since the last call, 0 at the first.
    fn steer(&mut self, velocity_in_world: Vec2, state: &VehicleState, dt: f64) -> Steer;

    /// Forgets what it remembers of the last calls.
    fn reset(&mut self) {}
}

/// The parameters of the linearizers, under the study's names (seed 004, §5.1, §5.2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinearizerParameters {
    /// A name of [`LINEARIZERS`].
    pub linearizer: String,
    /// Kinematic: wheelbase l [m], > 0.
    #[serde(rename = "L")]
    pub wheelbase: f64,
    /// ε [m], > 0: from the reference point to P.
    pub epsilon: f64,
    /// Dynamic: cornering stiffness of the front axle [N/rad], > 0.
    #[serde(rename = "C_f")]
    pub front_stiffness: f64,
    /// Dynamic: cornering stiffness of the rear axle [N/rad], > 0.
    #[serde(rename = "C_r")]
    pub rear_stiffness: f64,
    /// Dynamic: from the centre of gravity to the front axle [m], > 0.
    #[serde(rename = "a")]
    pub cog_to_front: f64,
    /// Dynamic: from the centre of gravity to the rear axle [m], > 0.
    #[serde(rename = "b")]
    pub cog_to_rear: f64,
    /// Dynamic: mass [kg], > 0.
    #[serde(rename = "M")]
    pub mass: f64,
    /// Largest steering angle [rad] that is asked for, > 0.
    pub max_steering_angle: f64,
}

impl Default for LinearizerParameters {
    fn default() -> LinearizerParameters {
        LinearizerParameters {
            linearizer: "kinematic".into(),
            wheelbase: 0.325,
            epsilon: 0.1,
            front_stiffness: 399.0,
            rear_stiffness: 410.7,
            cog_to_front: 0.1647,
            cog_to_rear: 0.1603,
            mass: 5.692,
            max_steering_angle: 1.0,
        }
    }
}

/// A kind of linearizer.
pub struct LinearizerEntry {
    /// Its name.
    pub name: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// Makes it, or says what is wrong with its parameters.
    pub build: fn(&LinearizerParameters) -> Result<Box<dyn Linearizer>, String>,
}

/// Every kind of linearizer.
pub const LINEARIZERS: &[LinearizerEntry] = &[kinematic::ENTRY];

/// Makes the linearizer that the parameters name.
///
/// # Errors
/// An unknown kind, or a parameter out of its range; the text says what is accepted.
pub fn build(parameters: &LinearizerParameters) -> Result<Box<dyn Linearizer>, String> {
    let wanted = parameters.linearizer.as_str();
    match LINEARIZERS.iter().find(|entry| entry.name == wanted) {
        Some(entry) => (entry.build)(parameters),
        None => {
            let names: Vec<&str> = LINEARIZERS.iter().map(|entry| entry.name).collect();
            Err(format!("linearizer: found \"{wanted}\"\n  accepted: {}", names.join(", ")))
        }
    }
}
