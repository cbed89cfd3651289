//! Joints between bodies: ropes, springs and pins. Their mechanics are in `physics/joints.rs`.

use super::JointLaw;
use crate::math::Vec2;

/// The fixed facts about a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointInfo {
    /// Unique name.
    pub name: String,
    /// What it does.
    pub law: JointLaw,
    /// What it connects.
    pub ends: [JointEndInfo; 2],
}

/// An end of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointEndInfo {
    /// Whom it holds.
    pub body: JointBody,
    /// Its name.
    pub name: String,
    /// Where it holds [m], in the body frame.
    pub anchor_in_body: Vec2,
}

/// What a joint may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointBody {
    /// The vehicle of this index in [`Scene::vehicles`](super::Scene).
    Vehicle(usize),
    /// The block of this index in [`Scene::blocks`](super::Scene).
    Block(usize),
}
