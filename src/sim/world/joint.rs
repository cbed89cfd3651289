//! Joints between bodies: ropes, springs and pins. Their mechanics are in `physics/joints.rs`.

use skidpad_math::Vec2;

use super::{BodyRef, JointLaw, JointNumber};

/// The fixed facts about a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointInfo {
    /// Unique name.
    pub name: String,
    /// The constraint.
    pub law: JointLaw,
    /// Connected bodies.
    pub ends: [JointEndInfo; 2],
}

/// An end of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointEndInfo {
    /// The body that it is attached to.
    pub body: BodyRef,
    /// The anchor [m], in the body frame.
    pub anchor_in_body: Vec2,
}

/// State of a joint besides its [`JointInfo`] in the scene.
pub(super) struct JointRecord {
    /// Its place in the order of the file, which rises along the list.
    pub order: usize,
    /// Its number in the physics; none for a joint that can move no body.
    pub number: Option<JointNumber>,
    /// Connected bodies.
    pub ends: [BodyKey; 2],
}

/// A vehicle or a block by its arrival number, which stays when indices shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKey {
    Vehicle(u64),
    Block(u64),
}
