//! Trajectory tracking: from the pose of a vehicle and the reference of a point on it to speed and steering angle.
//!
//! ```text
//!  trajectory ─▶ PointTracker: PID and feed-forward on point P ─▶ velocity of P ─▶ Linearizer ─▶ speed, steering angle
//!                     ▲ pose, heading                                                 ▲ pose, velocity
//! ```
//! Others that the field compares with take the place of tracker and linearizer: [`TRACKERS`].
//! [`TrajectoryDriver`] combines the three for a world or an experiment; as ROS nodes they run one by one. The laws and the names
//! of the parameters are those of "the study".
//!
//! # Source cited by a short name
//!
//! **"The study"** is S. Colli, M. Pagani, E. Panelli, "A Gazebo car simulator, analysis and comparison with a single-track model",
//! project report of the course "Control of Mobile Robots", Politecnico di Milano, 2022/23: the tracker, the linearizers and
//! the names of their parameters come from it.

mod baseline;
mod driver;
mod dynamic;
mod guard;
mod kinematic;
mod point;
#[cfg(test)]
mod tests;
pub mod trajectory;
pub mod waypoint_file;

use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::{Pose2, Twist2, Vec2};

use crate::trajectory::check::{positive, require, unknown};
pub use baseline::{BicycleModel, TRACKERS, TrackerEntry, TrackerName, check_vehicle};
pub use driver::{TrackingFrame, TrajectoryDriver};
pub use point::{AntiWindup, MAX_HORIZON, PointTracker, ReferenceHeading, TrackerParameters, TrackerStep};

/// The vehicle's state as input of trackers and linearizers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VehicleState {
    /// Pose of the reference point [m, rad] in the frame of the trajectory.
    pub world_from_body: Pose2,
    /// Velocity of the reference point in the body frame [m/s, rad/s].
    pub velocity_in_body: Twist2,
}

/// Output of a linearizer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steer {
    /// Speed of the reference point, the middle of the rear axle, along the body's x axis [m/s], negative: backwards.
    pub speed: f64,
    /// Steering angle [rad] of the equivalent single track, positive to the left.
    pub steering_angle: f64,
    /// The corresponding yaw rate, or turn rate of the path [rad/s].
    pub turn_rate: f64,
    /// Whether the speed was limited.
    pub speed_is_cut: bool,
    /// Whether the steering angle or the lateral acceleration was limited.
    pub steering_is_cut: bool,
    /// Whether a tracker that plans has found no plan now, and goes on with an earlier one.
    pub plan_is_held: bool,
}

impl Steer {
    /// Whether a limit keeps P from moving at the commanded velocity.
    pub fn is_cut(&self) -> bool {
        self.speed_is_cut || self.steering_is_cut
    }
}

/// Turns the commanded velocity of point P into speed and steering angle.
pub trait Linearizer: Debug + Send {
    /// The command that moves P at `velocity_in_world` [m/s]; exact for a vehicle that satisfies the law's assumptions.
    fn steer(&mut self, velocity_in_world: Vec2, state: &VehicleState) -> Steer;

    /// Resets the state kept from earlier calls.
    fn reset(&mut self) {}
}

/// The parameters of the linearizers, under the study's names (§5.1, §5.2).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinearizerParameters {
    /// A name of [`LINEARIZERS`].
    pub linearizer: String,
    /// Kinematic: wheelbase l [m], > 0. The dynamic linearizer uses a + b.
    #[serde(rename = "L")]
    pub wheelbase: f64,
    /// ε [m], > 0: distance of P from the rear axle along the heading (kinematic), or from the centre of gravity along its velocity
    /// (dynamic).
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
    /// Largest commanded steering angle [rad], > 0 and less than π/2.
    pub max_steering_angle: f64,
    /// Largest commanded speed [m/s], > 0.
    pub max_speed: f64,
    /// Below this speed [m/s], > 0, the steering angle is kept; a car that has to turn on the spot creeps at this speed.
    pub min_speed: f64,
    /// Whether the car may reverse when P has to move backwards, as the law demands; otherwise it turns round driving forward.
    pub reverse: bool,
    /// Dynamic: below the first speed [m/s] the car is assumed to roll without side slip, above the second the dynamic law applies fully.
    pub blend_speeds: [f64; 2],
    /// Dynamic: largest commanded lateral acceleration [m/s²] with linear tyres, > 0; about twice μ·g, because real tyres give less.
    pub max_lateral_acceleration: f64,
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
            max_speed: 100.0,
            min_speed: 0.02,
            reverse: true,
            blend_speeds: [0.5, 1.5],
            max_lateral_acceleration: 20.0,
        }
    }
}

impl LinearizerParameters {
    /// Checks the limits of all laws.
    fn check_limits(&self) -> Result<(), Diagnostic> {
        let steering = self.max_steering_angle;
        let quarter = std::f64::consts::FRAC_PI_2;
        require(
            "max_steering_angle",
            steering,
            steering > 0.0 && steering < quarter,
            "a number > 0 and less than π/2 [rad]",
        )?;
        positive("min_speed", self.min_speed, "m/s")?;
        let min_speed = self.min_speed;
        let accepted = format!("a number greater than min_speed, which is {min_speed} [m/s]");
        require("max_speed", self.max_speed, self.max_speed > min_speed, &accepted)
    }

    /// Checks the vehicle of the laws with tyres.
    fn check_dynamic(&self) -> Result<(), Diagnostic> {
        positive("C_f", self.front_stiffness, "N/rad")?;
        positive("C_r", self.rear_stiffness, "N/rad")?;
        positive("a", self.cog_to_front, "m")?;
        positive("b", self.cog_to_rear, "m")?;
        positive("M", self.mass, "kg")?;
        let [low, high] = self.blend_speeds;
        let accepted = "two numbers, the first at least 0.1, the second greater [m/s]";
        require("blend_speeds", low, low >= 0.1, accepted)?;
        require("blend_speeds", high, high > low, accepted)
    }
}

/// A kind of linearizer.
pub struct LinearizerEntry {
    /// Name in experiments.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Builds the linearizer, or returns a message about its parameters.
    pub build: fn(&LinearizerParameters) -> Result<Box<dyn Linearizer>, Diagnostic>,
}

/// Every kind of linearizer.
pub const LINEARIZERS: &[LinearizerEntry] = &[kinematic::ENTRY, dynamic::ENTRY];

/// Builds the linearizer named in the parameters.
///
/// # Errors
/// An unknown kind, or a parameter out of its range; the text gives the accepted values.
pub fn build(parameters: &LinearizerParameters) -> Result<Box<dyn Linearizer>, Diagnostic> {
    let wanted = parameters.linearizer.as_str();
    let entry = LINEARIZERS.iter().find(|entry| entry.name == wanted).ok_or_else(|| {
        let names: Vec<&str> = LINEARIZERS.iter().map(|entry| entry.name).collect();
        unknown("linearizer", wanted, &names)
    })?;
    positive("epsilon", parameters.epsilon, "m")?;
    parameters.check_limits()?;
    (entry.build)(parameters)
}
