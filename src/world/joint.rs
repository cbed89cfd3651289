//! Joints between bodies: ropes, springs and pins. Their mechanics are in `physics/joints.rs`.

use super::{BodyRef, JointLaw};
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
    pub body: BodyRef,
    /// Where it holds [m], in the body frame.
    pub anchor_in_body: Vec2,
}
