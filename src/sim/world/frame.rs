//! The result of one step, built in buffers that are reused, and passed to sinks by reference.

use skidpad_math::time::SimTime;
use skidpad_math::{PlanarCovariance, Pose2, Pose3, Twist2, Vec2};

use super::actor::ActorFrame;
use crate::sensor::Reading;
use crate::tracking::TrackingFrame;
use crate::vehicle::suspension::Lean;
use crate::vehicle::{
    Command, CommandCounts, OdometryUncertainty, PowertrainFrame, Setpoint, VehicleOutput, WheelFrame,
};

/// The state of the world after a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Simulated time after the step [ns]; the stamp of everything in the frame.
    pub time: SimTime,
    /// Number of steps since the start or the last reset.
    pub step: u64,
    /// The commands that were executed at the start of the step, in this order.
    pub commands: Vec<Command>,
    /// One entry per vehicle, in the order of [`Scene::vehicles`](super::Scene).
    pub vehicles: Vec<VehicleFrame>,
    /// Pose of each block in the world [m, rad], in the order of [`Scene::blocks`](super::Scene).
    pub blocks: Vec<Pose3>,
    /// Velocity of the reference point of each block in its own frame [m/s, rad/s], in the same order.
    pub block_velocities: Vec<Twist2>,
    /// Pose of each horizontal plane in the world [m, rad], in the order of [`Scene::planes`](super::Scene).
    pub planes: Vec<Pose3>,
    /// One entry per actor, in the order of [`Scene::actors`](super::Scene).
    pub actors: Vec<ActorFrame>,
    /// One slot per sensor, in the order of vehicles; only those that [arrived](Reading::arrived) at the frame's time are new.
    pub readings: Vec<Reading>,
}

impl Frame {
    /// The sensor readings that were delivered in this step.
    pub fn fresh_readings(&self) -> impl Iterator<Item = &Reading> {
        self.readings.iter().filter(|reading| reading.is_fresh(self.time))
    }
}

/// The state of one vehicle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VehicleFrame {
    /// Pose of the reference point in the world [m, rad]; the truth.
    pub world_from_body: Pose3,
    /// The part of that by which springs let the body lean; none without springs, and at the start.
    pub lean: Option<Lean>,
    /// Whether it has tipped over, and its body has touched the ground since.
    pub is_overturned: bool,
    /// Velocity of the reference point in the body frame [m/s, rad/s]; the truth.
    pub velocity_in_body: Twist2,
    /// Mean acceleration of the reference point over the last step, in the frame that turns with the body [m/s²].
    pub acceleration_in_body: Vec2,
    /// Pose estimated by odometry [m, rad], in the odometry frame, whose origin is the vehicle's start.
    pub odom_from_body: Pose2,
    /// Velocity estimated by odometry, in the body frame [m/s, rad/s].
    pub odom_velocity_in_body: Twist2,
    /// How uncertain these estimates are.
    pub odom_uncertainty: OdometryUncertainty,
    /// Set-point of the controller.
    pub setpoint: Setpoint,
    /// Counts of its commands: taken, saturated, infeasible, timed out.
    pub commands: CommandCounts,
    /// True while it touches another body, a wall, the map or an actor, or is within the world's collision threshold.
    pub colliding: bool,
    /// Time since it was last placed: at its start, by a reset, a teleport, or a state with a pose [ns].
    pub since_set_down: SimTime,
    /// Whether a driver leads it, which commands from outside may override; not where a driver only gives the reference.
    pub has_driver: bool,
    /// Output of its driver at its last tick; none without a driver.
    pub tracking: Option<TrackingFrame>,
    /// State of its pedals and powertrain; zero without.
    pub powertrain: PowertrainFrame,
    /// Torque of the servo at the hinge of an articulated vehicle [N·m], positive to the left on the front frame; 0 for others.
    pub hinge_torque: f64,
    /// One entry per wheel, in index order.
    pub wheels: Vec<WheelFrame>,
}

impl VehicleFrame {
    /// Covariance of the pose estimated by odometry [m, rad].
    pub fn odom_pose_covariance(&self) -> PlanarCovariance {
        self.odom_uncertainty.of_pose()
    }

    /// Covariance of the velocity estimated by odometry [m/s, rad/s].
    pub fn odom_velocity_covariance(&self) -> PlanarCovariance {
        self.odom_uncertainty.of_velocity(self.odom_velocity_in_body)
    }

    /// The part that the vehicle itself fills.
    pub(super) fn output(&mut self) -> VehicleOutput<'_> {
        VehicleOutput { setpoint: &mut self.setpoint, powertrain: &mut self.powertrain, wheels: &mut self.wheels }
    }
}
