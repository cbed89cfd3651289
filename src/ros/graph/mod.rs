//! The ROS graph: the topics of the node with their types, qualities of service and full names, other nodes there, and warnings about those
//! that publish the same topics or transforms.

pub(crate) mod duplicate_publishers;
pub(crate) mod duplicate_transforms;
pub mod names;
pub mod neighbours;
pub mod peers;
pub mod quality;
pub(crate) mod topic_layout;
pub mod topics;
