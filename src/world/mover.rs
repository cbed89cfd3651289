//! A vehicle in its world: the acting parts, the body, and how it stands on the ground.

use super::BodyIndex;
use super::animation::Keyframes;
use super::ledges::Footing;
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

    /// Rise [-] of the body's own level along its x and y axes: metres up for each metre along the body.
    pub(super) fn rise(self) -> [f64; 2] {
        if self.is_level() {
            return [0.0, 0.0];
        }
        [-libm::sin(self.pitch), libm::cos(self.pitch) * libm::sin(self.roll)]
    }

    /// Unit vector [-] along gravity, in the body frame.
    pub(super) fn down_in_body(self) -> Vec3 {
        if self.is_level() {
            return Vec3::new(0.0, 0.0, -1.0);
        }
        let [along_x, along_y] = self.rise();
        Vec3::new(-along_x, -along_y, -libm::cos(self.pitch) * libm::cos(self.roll))
    }

    fn is_level(self) -> bool {
        self.pitch == 0.0 && self.roll == 0.0
    }
}

/// A vehicle and its body.
pub(super) struct Mover {
    /// Its place in the order in which vehicles came.
    pub order: u64,
    /// Whether it came while the world ran.
    pub is_spawned: bool,
    pub vehicle: Vehicle,
    pub body: BodyIndex,
    /// Indices of the shapes that lidars see.
    pub shapes: Vec<usize>,
    pub start_velocity_in_body: Twist2,
    /// Whether its wheels roll with that from the start; else they stand.
    pub starts_rolling: bool,
    pub velocity_in_world: Vec2,
    pub acceleration_in_body: Vec2,
    pub attitude: Attitude,
    /// Unit vector [-] along gravity, in the body frame.
    pub down_in_body: Vec3,
    /// What keeps it off steps in the ground.
    pub footing: Footing,
    /// What each wheel stands on.
    pub ground: Vec<WheelGround>,
    /// Where a joint carries a vehicle of two wheels [m], in the body frame.
    pub hitch: Option<Vec2>,
    /// A prescribed motion, which nothing else moves.
    pub animation: Option<Keyframes>,
    /// Where the vehicle's model wants the body after this step, in the world [m, rad], and how it then moves.
    pub wanted: Option<(Pose2, Twist2)>,
}

impl Mover {
    pub(super) fn new(vehicle: Vehicle, body: BodyIndex, shapes: Vec<usize>, start_velocity_in_body: Twist2) -> Mover {
        let ground = vec![WheelGround::default(); vehicle.wheels().len()];
        Mover {
            order: 0,
            is_spawned: false,
            vehicle,
            body,
            shapes,
            start_velocity_in_body,
            starts_rolling: false,
            velocity_in_world: Vec2::ZERO,
            acceleration_in_body: Vec2::ZERO,
            attitude: Attitude::default(),
            down_in_body: Vec3::new(0.0, 0.0, -1.0),
            footing: Footing::default(),
            ground,
            hitch: None,
            animation: None,
            wanted: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_and_rise_are_those_of_the_pose() {
        assert_eq!(Attitude::default().down_in_body(), Vec3::new(0.0, 0.0, -1.0));
        for (pitch, roll) in [(0.3, 0.0), (0.0, -0.2), (-0.5, 0.4)] {
            let attitude = Attitude { z: 1.0, pitch, roll };
            let rotation = attitude.with(Pose2::new(3.0, 2.0, 1.1)).rotation();
            let down = rotation.transpose() * Vec3::new(0.0, 0.0, -1.0);
            assert!((attitude.down_in_body() - down).norm() < 1e-15);
            let [along_x, along_y] = attitude.rise();
            assert!((along_x - rotation[(2, 0)]).abs() < 1e-15 && (along_y - rotation[(2, 1)]).abs() < 1e-15);
        }
    }
}
