//! Spots: where bodies are put, at a start, a spawn, a teleport or by a state that is set.

use skidpad_math::{Pose2, Pose3, Vec2};

/// A pose at which a body is put. The ground gives its height, and the pitch and roll of a vehicle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spot {
    /// The pose [m, rad]. The ground is searched from its z downwards.
    pub pose: Pose3,
    /// Whether somebody chose that z. Otherwise the body is put on the lowest plane where all planes lie higher.
    pub gives_z: bool,
}

impl Spot {
    /// A spot whose height nobody chose; the ground is searched from the z of `pose` [m, rad] all the same.
    pub fn near(pose: Pose3) -> Spot {
        Spot { pose, gives_z: false }
    }

    /// Its position [m].
    pub(in crate::world) fn position(&self) -> Vec2 {
        Vec2::new(self.pose.x, self.pose.y)
    }
}

/// A spot with its height.
impl From<Pose3> for Spot {
    fn from(pose: Pose3) -> Spot {
        Spot { pose, gives_z: true }
    }
}

/// A spot in the plane: the ground is searched from 0 downwards.
impl From<Pose2> for Spot {
    fn from(pose: Pose2) -> Spot {
        Spot::near(Pose3::from_planar(pose))
    }
}
