//! A vehicle in its world: the acting parts, the body, and how it stands on the ground.

use super::BodyIndex;
use super::animation::Keyframes;
use crate::math::{Pose2, Pose3, Twist2, Vec2, Vec3};
use crate::vehicle::{Vehicle, WheelGround};

/// How a body stands on the ground: what the plane does not say of its pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Attitude {
    /// Height of the reference point [m].
    pub z: f64,
    /// Rotation about the turned y axis [rad], positive nose down.
    pub pitch: f64,
    /// Rotation about the turned x axis [rad].
    pub roll: f64,
}

impl Attitude {
    /// The attitude in a pose.
    pub(super) fn of(pose: Pose3) -> Attitude {
        Attitude { z: pose.z, pitch: pose.pitch, roll: pose.roll }
    }

    /// The pose with this attitude over a planar one.
    pub(super) fn with(self, planar: Pose2) -> Pose3 {
        Pose3 { x: planar.x, y: planar.y, z: self.z, yaw: planar.yaw, pitch: self.pitch, roll: self.roll }
    }
}

/// A vehicle and its body.
pub(super) struct Mover {
    pub vehicle: Vehicle,
    pub body: BodyIndex,
    /// Indices of the shapes that lidars see.
    pub shapes: Vec<usize>,
    pub start_velocity_in_body: Twist2,
    pub velocity_in_world: Vec2,
    pub acceleration_in_body: Vec2,
    pub attitude: Attitude,
    /// Unit vector [-] along gravity, in the body frame.
    pub down_in_body: Vec3,
    /// What each wheel stands on.
    pub ground: Vec<WheelGround>,
    /// Where a joint carries a vehicle of two wheels [m], in the body frame.
    pub hitch: Option<Vec2>,
    /// A prescribed motion, which nothing else moves.
    pub animation: Option<Keyframes>,
}

impl Mover {
    pub(super) fn new(vehicle: Vehicle, body: BodyIndex, shapes: Vec<usize>, start_velocity_in_body: Twist2) -> Mover {
        let ground = vec![WheelGround::default(); vehicle.wheels().len()];
        Mover {
            vehicle,
            body,
            shapes,
            start_velocity_in_body,
            velocity_in_world: Vec2::ZERO,
            acceleration_in_body: Vec2::ZERO,
            attitude: Attitude::default(),
            down_in_body: Vec3::new(0.0, 0.0, -1.0),
            ground,
            hitch: None,
            animation: None,
        }
    }
}
