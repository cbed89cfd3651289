//! Joints between bodies: ropes, springs and pins.

/// The fixed facts about a joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointInfo {
    /// Unique name.
    pub name: String,
}
