//! Joints between bodies: ropes, springs and pins. Their mechanics are in `physics/joints.rs`.

use super::{BodyRef, JointLaw, JointNumber};
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

/// What a world keeps of a joint beside its [`JointInfo`] in the scene.
pub(super) struct JointRecord {
    /// Its place in the order of the file, which rises along the list.
    pub order: usize,
    /// What the physics calls it; none for one that can move nothing.
    pub number: Option<JointNumber>,
    /// What it connects.
    pub ends: [BodyKey; 2],
}

/// A vehicle or a block by its place in the order of arrival, which stays when indices shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKey {
    Vehicle(u64),
    Block(u64),
}
