//! The node on the ROS graph: its topics with their types, qualities of service and full names, the publishers of added and removed
//! vehicles, and warnings about other nodes that publish the same topics or transforms.

pub mod audience;
pub mod duplicate_publishers;
pub mod duplicate_transforms;
pub mod fleet;
pub mod names;
pub mod peers;
pub mod quality;
pub mod topic_layout;
pub mod topics;
