//! Actors: figures that walk along a path.

use crate::math::Pose3;

/// The fixed facts about an actor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ActorInfo {
    /// Unique name.
    pub name: String,
}

/// An actor after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActorFrame {
    /// Pose in the world [m, rad].
    pub world_from_actor: Pose3,
}

/// An actor and where it is on its path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Actor {
    frame: ActorFrame,
}

impl Actor {
    /// The actor as it is now.
    pub fn frame(&self) -> ActorFrame {
        self.frame
    }

    /// Back to the start of the path.
    pub fn reset(&mut self) {}
}
